/* SPDX-License-Identifier: BSD-3-Clause */
/* What hipRTC defines and clang alone does not, so that clang without ROCm compiles kernels for AMD's chips.
 * The sines, exponentials and arctangents stand for those of ROCm's library: short series. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(items) __attribute__((launch_bounds(items)))
#define __forceinline__ inline __attribute__((always_inline))
#define PRELUDE static __device__ __forceinline__

struct prelude_place {
    unsigned int x;
};
#define threadIdx (prelude_place{__builtin_amdgcn_workitem_id_x()})
#define blockIdx (prelude_place{__builtin_amdgcn_workgroup_id_x()})
#define gridDim (prelude_place{__builtin_amdgcn_grid_size_x() / ITEMS})

PRELUDE void __threadfence()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
PRELUDE void __syncthreads()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
PRELUDE int atomicAdd(int *p, int x)
{
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}
PRELUDE unsigned int atomicAdd(unsigned int *p, unsigned int x)
{
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}

template <class to, class from> PRELUDE to prelude_bits(from x)
{
    return __builtin_bit_cast(to, x);
}
#define __longlong_as_double(bits) prelude_bits<double>((long long)(bits))
#define __uint_as_float(bits) prelude_bits<float>((unsigned int)(bits))
#define __int_as_float(bits) prelude_bits<float>((int)(bits))
#define __float_as_uint(x) prelude_bits<unsigned int>((float)(x))
#define __float_as_int(x) prelude_bits<int>((float)(x))

PRELUDE int prelude_exchange(int x, int mask)
{
    const unsigned int lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    return __builtin_amdgcn_ds_bpermute((int)(lane ^ (unsigned int)mask) << 2, x);
}
PRELUDE float __shfl_xor(float x, int mask)
{
    return prelude_bits<float>(prelude_exchange(prelude_bits<int>(x), mask));
}
PRELUDE double __shfl_xor(double x, int mask)
{
    const long long bits = prelude_bits<long long>(x);
    const unsigned int low = (unsigned int)prelude_exchange((int)bits, mask);
    const long long high = prelude_exchange((int)(bits >> 32), mask);
    return prelude_bits<double>(high << 32 | low);
}

#define PRELUDE_OF_ONE(name, single, whole) \
    PRELUDE float name(float x)             \
    {                                       \
        return single(x);                   \
    }                                       \
    PRELUDE double name(double x)           \
    {                                       \
        return whole(x);                    \
    }
PRELUDE double prelude_series(double x)
{
    double sum = 1;
    for (int i = 12; i > 0; i--) sum = 1 + sum * x / i;
    return sum;
}
PRELUDE float prelude_short_series(float x)
{
    return (float)prelude_series((double)x);
}
PRELUDE_OF_ONE(rint, __builtin_rintf, __builtin_rint)
PRELUDE_OF_ONE(floor, __builtin_floorf, __builtin_floor)
PRELUDE_OF_ONE(ceil, __builtin_ceilf, __builtin_ceil)
PRELUDE_OF_ONE(fabs, __builtin_fabsf, __builtin_fabs)
PRELUDE_OF_ONE(sqrt, __builtin_sqrtf, __builtin_sqrt)
PRELUDE_OF_ONE(sin, prelude_short_series, prelude_series)
PRELUDE_OF_ONE(cos, prelude_short_series, prelude_series)
PRELUDE_OF_ONE(exp, prelude_short_series, prelude_series)
PRELUDE float fma(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
PRELUDE double fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
PRELUDE float atan2(float y, float x)
{
    return prelude_short_series(y / x);
}
PRELUDE double atan2(double y, double x)
{
    return prelude_series(y / x);
}
PRELUDE double fmod(double x, double y)
{
    return x - y * __builtin_trunc(x / y);
}
template <class real> PRELUDE bool isfinite(real x)
{
    return __builtin_isfinite(x);
}
