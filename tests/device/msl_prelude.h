/* SPDX-License-Identifier: BSD-3-Clause */
/* Enough of the Metal Shading Language for Argand's kernels, in C++ for OpenCL: a compiler of that language
 * (clang -x cl -cl-std=CLC++) keeps address spaces apart as Metal's does, refuses arrays of a group outside
 * of kernels, and copies structs from one space to another. Comes before a kernel's text.
 *
 * What Metal's compiler refuses and this one takes: pointers without an address space, `long long`, and
 * function-local statics; tests/device/msl.py looks for these in the text. */
#define __METAL_VERSION__ 230
#undef __OPENCL_VERSION__
#undef __OPENCL_C_VERSION__

#define kernel __kernel
#define device __global
#define threadgroup __local
#define constant __constant
#define thread __private
#define double DOUBLE_IS_NOT_IN_METAL

/* The standard library's names must differ from OpenCL's, which are macros and functions of all files. */
namespace metal {
namespace precise {
#define ONE_OF(name)           \
    inline float name(float x) \
    {                          \
        return ::name(x);      \
    }
ONE_OF(sin)
ONE_OF(cos)
ONE_OF(exp)
ONE_OF(sqrt)
inline float atan2(float y, float x)
{
    return ::atan2(y, x);
}
} // namespace precise
ONE_OF(rint)
ONE_OF(floor)
ONE_OF(fabs)
inline bool isfinite(float x)
{
    return ::isfinite(x) != 0;
}
inline float fma(float a, float b, float c)
{
    return ::fma(a, b, c);
}

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2 };
inline mem_flags operator|(mem_flags a, mem_flags b)
{
    return (mem_flags)((int)a | (int)b);
}
inline void threadgroup_barrier(mem_flags)
{
    ::barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

enum memory_order { memory_order_relaxed };
struct atomic_int {
    int value;
};
inline int atomic_fetch_add_explicit(device atomic_int *p, int x, memory_order)
{
    return ::atomic_add((volatile device int *)p, x);
}
inline int atomic_fetch_add_explicit(threadgroup atomic_int *p, int x, memory_order)
{
    return ::atomic_add((volatile threadgroup int *)p, x);
}
} // namespace metal
template <typename to> to as_type(float x);
template <> inline int as_type<int>(float x)
{
    return as_int(x);
}
template <> inline uint as_type<uint>(float x)
{
    return as_uint(x);
}
template <typename to> to as_type(uint x);
template <> inline float as_type<float>(uint x)
{
    return as_float(x);
}
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
template <typename to> to as_type(ushort x);
template <> inline half as_type<half>(ushort x)
{
    return as_half(x);
}
template <typename to> to as_type(half x);
template <> inline ushort as_type<ushort>(half x)
{
    return as_ushort(x);
}
