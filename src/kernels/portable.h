/* SPDX-License-Identifier: BSD-3-Clause */
/* The language of kernels: macros with a block for each of OpenCL C 1.2, CUDA C++, Metal (portable_metal.h)
 * and C17. HIP C++ shares CUDA's block; both are compiled without host headers.
 *
 * In C17 a work-group is one call of the kernel's function by one thread, which does all the work of the
 * group. Kernels with BARRIER are for GPUs alone.
 *
 * Defined before, by the key ("axpby REAL=float ITEMS=256"):
 *   REAL                     float or double
 *   ITEMS                    work-items per group
 *   MIN_BLOCKS               if defined: CUDA limits registers so that a multiprocessor holds this many
 *                            groups
 *
 * Defined here:
 *   KERNEL DEVICE            qualify a kernel, and a function that kernels call
 *   GLOBAL                   qualifies pointers into buffers
 *   SHARED LOCAL             qualify a group's own arrays, at the kernel's head; and pointers into them
 *   PRIVATE                  qualifies pointers and array parameters to an item's own variables; Metal
 *                            refuses pointers that do not say what they point into
 *   SHARED_DYNAMIC(type, name, count)   such an array at the kernel's head, which may be large; CUDA gets its
 *                            size at launch
 *   RESTRICT                 of a pointer: no other pointer accesses what is written
 *   PARAMS(name)             type of a kernel's last parameter: `struct name` of plain scalars
 *   IN_PARAMS                qualifies pointers into that struct
 *   INDEX UINT ULONG         signed 64 bits; unsigned 32 and 64 bits, which wrap
 *   ALIGNED(bytes)           after `struct`: its alignment, so that it is loaded at once
 *   GROUP_ARG                ends a kernel's parameter list
 *   GROUPS                   number of work-groups (CUDA)
 *   GROUP_ID ITEM ITEMS      index of the work-group; index of the item; number of items
 *   BARRIER                  waits for all items of the group and makes their writes visible to each other
 *   EACH_OF(i, first, last, lane, lanes)   loops over this lane's share of first <= i < last
 *   EACH(i, first, last)     loops over this item's share
 *   SIMD  SUM_OF(a, b)       before EACH: the iterations are independent; they only add to a and b
 *   UNROLL ROLLED            before a loop with a constant count: unrolls the loop, or forbids that;
 *                            UNROLL_FOR(i = 0; i < n; i++) includes the loop's head
 *   GROUP_SCRATCH            first in a kernel that uses GROUP_SUM or GROUP_MAX
 *   GROUP_SUM(x) GROUP_MAX(x)   reduce an ACCUMULATOR over the items, in a fixed order; all items call them
 *                            and get the result
 *   SHUFFLE_SCRATCH          first in a kernel that uses SHUFFLE_XOR
 *   SHUFFLE_XOR(x, mask)     the REAL x of the item whose index differs in the bits of mask < 32; all items
 *                            call it. Uses registers on CUDA and OpenCL subgroups, otherwise SHARED memory
 *   ATOMIC_ADD(p, x)         adds to a GLOBAL int that all groups share, and returns its old value
 *   LOOK(p)                  the present value of such an int
 *   LOCAL_ADD(p, x)          adds atomically to a LOCAL int
 *   RELEASE_ADD(p, x)        ATOMIC_ADD with release semantics: whoever sees the sum also sees the item's
 *                            earlier memory accesses; after BARRIER, those of the whole group
 *   FENCE                    orders an item's earlier memory accesses before its next LOOK or addition, for
 *                            all groups of the device; with BARRIER, those of the whole group
 *   NEXT_MAY_BEGIN           lets the next launch begin: its groups take free space and wait at EARLIER_DONE
 *   EARLIER_DONE             waits until all earlier launches have ended and their writes are visible. A
 *                            kernel that is started with `overlaps` has it in every group, before the first
 *                            access to memory that changes between launches
 *   ACCUMULATOR              the widest floating type of the device
 *   SCALAR(s, part)          a kernel_scalar's real (0) or imaginary (1) part as REAL
 *   FMA RINT FLOOR FABS SQRT SIN COS EXP ATAN2 IS_FINITE   of REAL; FMA rounds once
 *   FLOAT_BITS(x)            the bits of a float as an int
 *   NATIVE_SIN NATIVE_COS NATIVE_EXP   the chip's fastest, of REAL; in float accurate to about 2^-21 for
 *                            small arguments
 *   LOAD_PAIR(x) STORE_PAIR(y, re, im)   a complex number in one access; GPUs need it aligned to its size
 *   LOAD_SHARED_PAIR STORE_SHARED_PAIR   the same in LOCAL memory
 *   LOAD_PAIR_STREAMING(x) STORE_PAIR_STREAMING(y, re, im)   the same with streaming access (evict first)
 *   STORE_PAIR_WHOLE(y, re, im)   STORE_PAIR to GLOBAL memory in one access even if the compiler would split
 *                            it, as NVRTC does in large kernels
 *   LOAD_PAIR_PASSING(x)     LOAD_PAIR without allocation in the L1 cache
 *   LOAD_PAIR_FRESH(x)       LOAD_PAIR of elements that other groups of this launch wrote
 *   LOAD_KEPT_PAIR(x) LOAD_KEPT_TABLE_PAIR(x)   LOAD_PAIR and LOAD_TABLE_PAIR of elements that many groups
 *                            read one after the other: the L2 cache evicts them last
 *   LOADS_SO_FAR             the compiler issues all loads before this point before anything after it
 *   COPY_SHARED_TWO(y, x)    copies two consecutive single-precision complex numbers, aligned to their size,
 *                            from GLOBAL x to LOCAL y without registers; nothing writes x while the kernel
 *                            runs
 *   COPIED                   waits for the item's own COPY_SHARED_TWO
 *   PREFETCH(x)              prefetches the cache line of GLOBAL x into the L2 cache
 *   FETCH_BEGIN(a) FETCH_EXPECT(a, bytes) FETCH(y, x, bytes, a) FETCHED(a, parity)   asynchronous copies from
 *                            GLOBAL x to LOCAL y, both aligned to 16 bytes (CUDA capability 9.0 and later).
 *                            One item calls FETCH_BEGIN for the SHARED ULONG a before the first BARRIER;
 *                            then, after a BARRIER behind the last use of y, FETCH_EXPECT with the total of
 *                            bytes, and FETCH for each part. All items call FETCHED to wait; parity: that of
 *                            the number of waits before
 *   FETCH_AFTER_STORES       before FETCH_EXPECT, by the same item, if items stored to y before a BARRIER
 *   SEND(y, x, bytes)        asynchronous copy from LOCAL x to GLOBAL y; waits until x has been read
 *   SEND_AFTER_STORES        before SEND and a BARRIER, by all items that stored to x
 *   FIRST_WAIT(n)            BARRIER at which only the first items wait, among them the one that fetches; n:
 *                            1 and 2 alternately
 *   DRAW(p, n)               the next of the numbers 0 to n - 1, all of which are drawn in a launch, from a
 *                            GLOBAL int that is 0 before and after (CUDA)
 *   LOAD_TABLE_PAIR(x) LOAD_TABLE(x)   LOAD_PAIR, and a load of one REAL, from memory that nothing writes
 *                            while the kernel runs
 *
 * Derived for all languages: REAL_BYTES (4, 8), REAL_IS_DOUBLE (defined for double), struct pair {re, im} of
 * REAL, GPU (defined on devices). */
#ifndef KERNELS_PORTABLE_H
#define KERNELS_PORTABLE_H

#define PORTABLE_JOIN2(a, b) a##b
#define PORTABLE_JOIN(a, b) PORTABLE_JOIN2(a, b)
#define PORTABLE_BYTES_float 4
#define PORTABLE_BYTES_double 8
#ifdef REAL
#define REAL_BYTES PORTABLE_JOIN(PORTABLE_BYTES_, REAL)
#if REAL_BYTES == 8
#define REAL_IS_DOUBLE
#endif
#endif

/* ---- Metal ---- */
#if defined(__METAL_VERSION__)
/* portable_metal.h */

/* ---- OpenCL C 1.2 ---- */
#elif defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)

#if defined(cl_khr_fp64) && !defined(WITHOUT_DOUBLE)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define PORTABLE_HAS_DOUBLE
#endif

#define GPU
#define KERNEL __kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
#define DEVICE static inline __attribute__((always_inline))
#define GLOBAL __global
#define SHARED __attribute__((aligned(16))) __local /* pairs are loaded as one from arrays of REAL */
#define LOCAL __local
#define PRIVATE
#define SHARED_DYNAMIC(type, name, count) SHARED type name[count]
#define RESTRICT restrict
#define PARAMS(name) const struct name
#define IN_PARAMS
#define INDEX long
#define UINT uint
#define ULONG ulong
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GROUP_ARG
#define GROUP_ID ((INDEX)get_group_id(0))
#define ITEM ((int)get_local_id(0))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define EACH_OF(i, first, last, lane, lanes) for (INDEX i = (first) + (lane); i < (last); i += (lanes))
#define EACH(i, first, last) EACH_OF(i, first, last, ITEM, ITEMS)
#define SIMD
#define SUM_OF(a, b)
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define UNROLL_FOR(head) UNROLL for (head)
#define ROLLED_FOR(head) ROLLED for (head)
#define GROUP_SCRATCH __local ACCUMULATOR group_scratch[ITEMS]
#define GROUP_SUM(x) group_sum(x, group_scratch)
#define GROUP_MAX(x) group_max(x, group_scratch)
#define ATOMIC_ADD(p, x) atomic_add((volatile __global int *)(p), x)
#define LOCAL_ADD(p, x) atomic_add((volatile __local int *)(p), x)
#define LOOK(p) (*(volatile __global int *)(p))
#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE)
#define NEXT_MAY_BEGIN ((void)0)
#define EARLIER_DONE ((void)0)
#define RELEASE_ADD(p, x) \
    do {                  \
        FENCE;            \
        ATOMIC_ADD(p, x); \
    } while (0)
#define SHUFFLE_SCRATCH __local REAL shuffle_scratch[ITEMS]
#define SHUFFLE_XOR(x, mask) shuffle_xor(x, mask, shuffle_scratch)
#ifdef PORTABLE_HAS_DOUBLE
#define ACCUMULATOR double
#define SCALAR(s, part) \
    (sizeof(REAL) == sizeof(float) ? (REAL)(s).single[part] : (REAL)as_double((s).bits[part]))
#else
#define ACCUMULATOR float
#define SCALAR(s, part) ((s).single[part])
#endif
#define FMA(a, b, c) fma(a, b, c)
#define RINT(x) rint(x)
#define FLOOR(x) floor(x)
#define FABS(x) fabs(x)
#define SQRT(x) sqrt(x)
#define SIN(x) sin(x)
#define COS(x) cos(x)
#define EXP(x) exp(x)
#define ATAN2(y, x) atan2(y, x)
#define FLOAT_BITS(x) as_int(x)
#define IS_FINITE(x) isfinite(x)
#ifdef REAL_IS_DOUBLE
#define NATIVE_SIN(x) sin(x)
#define NATIVE_COS(x) cos(x)
#define NATIVE_EXP(x) exp(x)
#else
#define NATIVE_SIN(x) native_sin(x)
#define NATIVE_COS(x) native_cos(x)
#define NATIVE_EXP(x) native_exp(x)
#endif
#define LOAD_PAIR(x) (*(const GLOBAL struct pair *)(x))
#define LOAD_SHARED_PAIR(x) (*(const LOCAL struct pair *)(x))
#define LOAD_TABLE(x) (*(x))
#define LOAD_TABLE_PAIR(x) LOAD_PAIR(x)
#define STORE_PAIR(y, re, im) (*(GLOBAL struct pair *)(y) = make_pair(re, im))
#define STORE_SHARED_PAIR(y, re, im) (*(LOCAL struct pair *)(y) = make_pair(re, im))
#define LOAD_PAIR_STREAMING(x) LOAD_PAIR(x)
#define LOAD_PAIR_FRESH(x) LOAD_PAIR(x)
#define LOAD_PAIR_PASSING(x) LOAD_PAIR(x)
#define STORE_PAIR_STREAMING(y, re, im) STORE_PAIR(y, re, im)
#define STORE_PAIR_WHOLE(y, re, im) STORE_PAIR(y, re, im)
#define LOAD_KEPT_PAIR(x) LOAD_PAIR(x)
#define LOAD_KEPT_TABLE_PAIR(x) LOAD_TABLE_PAIR(x)
#define LOADS_SO_FAR ((void)0)
#define COPY_SHARED_TWO(y, x) \
    (((LOCAL struct pair *)(y))[0] = LOAD_PAIR(x), ((LOCAL struct pair *)(y))[1] = LOAD_PAIR((x) + 2))
#define COPIED ((void)0)
#define PREFETCH(x) ((void)0)

/* ---- CUDA and HIP ---- */
#elif defined(__CUDACC__) || defined(__HIP__)

#define GPU
#if defined(MIN_BLOCKS) && defined(__CUDACC__) /* HIP counts waves there */
#define KERNEL extern "C" __global__ __launch_bounds__(ITEMS, MIN_BLOCKS)
#else
#define KERNEL extern "C" __global__ __launch_bounds__(ITEMS)
#endif
#define DEVICE static __device__ __forceinline__
#define GLOBAL
#define SHARED __shared__
#define LOCAL
#define PRIVATE
#define SHARED_DYNAMIC(type, name, count) extern __shared__ ALIGNED(16) type name[]
#define RESTRICT __restrict__
#ifdef __HIP__
#define PARAMS(name) const struct name
#else
#define PARAMS(name) const __grid_constant__ struct name
#endif
#define IN_PARAMS
#define INDEX long long
#define UINT unsigned int
#define ULONG unsigned long long
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GROUP_ARG
#define GROUP_ID ((INDEX)blockIdx.x)
#define GROUPS (gridDim.x)
#define ITEM ((int)threadIdx.x)
#define BARRIER __syncthreads()
#define EACH_OF(i, first, last, lane, lanes) for (INDEX i = (first) + (lane); i < (last); i += (lanes))
#define EACH(i, first, last) EACH_OF(i, first, last, ITEM, ITEMS)
#define SIMD
#define SUM_OF(a, b)
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define UNROLL_FOR(head) UNROLL for (head)
#define ROLLED_FOR(head) ROLLED for (head)
#define GROUP_SCRATCH __shared__ ACCUMULATOR group_scratch[ITEMS]
#define GROUP_SUM(x) group_sum(x, group_scratch)
#define GROUP_MAX(x) group_max(x, group_scratch)
#define ATOMIC_ADD(p, x) atomicAdd(p, x)
#define LOCAL_ADD(p, x) atomicAdd(p, x)
#define FENCE __threadfence()
#if __CUDA_ARCH__ >= 900
#define NEXT_MAY_BEGIN asm volatile("griddepcontrol.launch_dependents;" ::: "memory")
#define EARLIER_DONE asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define NEXT_MAY_BEGIN ((void)0)
#define EARLIER_DONE ((void)0)
#endif
#if __CUDA_ARCH__ >= 700
#define LOOK(p) portable_look(p)
#define RELEASE_ADD(p, x) asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(p), "r"(x) : "memory")
DEVICE int portable_look(const int *p)
{
    int x;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}
#else
#define LOOK(p) (*(volatile int *)(p))
#define RELEASE_ADD(p, x) (FENCE, (void)ATOMIC_ADD(p, x))
#endif
#define SHUFFLE_SCRATCH
#ifdef __HIP__
#define SHUFFLE_XOR(x, mask) __shfl_xor(x, mask)
#else
#define SHUFFLE_XOR(x, mask) __shfl_xor_sync(0xffffffffu, x, mask)
#endif
#define ACCUMULATOR double
#define SCALAR(s, part) \
    (sizeof(REAL) == sizeof(float) ? (REAL)(s).single[part] : (REAL)__longlong_as_double((s).bits[part]))
#define FMA(a, b, c) fma(a, b, c)
#define RINT(x) rint(x)
#define FLOOR(x) floor(x)
#define FABS(x) fabs(x)
#define SQRT(x) sqrt(x)
#define SIN(x) sin(x)
#define COS(x) cos(x)
#define EXP(x) exp(x)
#define ATAN2(y, x) atan2(y, x)
#define FLOAT_BITS(x) __float_as_int(x)
#define IS_FINITE(x) isfinite(x)
#if defined(REAL_IS_DOUBLE) || defined(__HIP__) /* AMD states no error of its sines */
#define NATIVE_SIN(x) sin(x)
#define NATIVE_COS(x) cos(x)
#define NATIVE_EXP(x) exp(x)
#else
#define NATIVE_SIN(x) __sinf(x)
#define NATIVE_COS(x) __cosf(x)
#define NATIVE_EXP(x) __expf(x)
#endif
#define LOAD_PAIR(x) (*(const GLOBAL struct pair *)(x))
#define LOAD_SHARED_PAIR(x) (*(const LOCAL struct pair *)(x))
#define STORE_PAIR(y, re, im) (*(GLOBAL struct pair *)(y) = make_pair(re, im))
#define STORE_SHARED_PAIR(y, re, im) (*(LOCAL struct pair *)(y) = make_pair(re, im))
#ifdef __HIP__
#define LOAD_TABLE(x) (*(x))
#define LOAD_TABLE_PAIR(x) LOAD_PAIR(x)
#define LOAD_PAIR_STREAMING(x) LOAD_PAIR(x)
#define LOAD_PAIR_FRESH(x) pair_fresh(x)
#define LOAD_PAIR_PASSING(x) LOAD_PAIR(x)
#define STORE_PAIR_STREAMING(y, re, im) STORE_PAIR(y, re, im)
#define STORE_PAIR_WHOLE(y, re, im) STORE_PAIR(y, re, im)
#define LOADS_SO_FAR ((void)0)
#define PREFETCH(x) ((void)0)
#else
#define LOAD_TABLE(x) __ldg(x)
#define LOAD_TABLE_PAIR(x) table_pair(x)
#define LOAD_PAIR_STREAMING(x) pair_streaming(x)
#define LOAD_PAIR_FRESH(x) pair_fresh(x)
#define LOAD_PAIR_PASSING(x) pair_passing(x)
#define STORE_PAIR_STREAMING(y, re, im) store_pair_streaming(y, re, im)
#define STORE_PAIR_WHOLE(y, re, im) store_pair_whole(y, re, im)
#define LOADS_SO_FAR __syncwarp()
#define PREFETCH(x) asm volatile("prefetch.global.L2 [%0];" ::"l"(x))
#endif
#if __CUDA_ARCH__ >= 800
#define COPY_SHARED_TWO(y, x) copy_shared_two(y, x)
#define COPIED asm volatile("cp.async.wait_all;" ::: "memory")
#define LOAD_KEPT_PAIR(x) pair_kept(x)
#define LOAD_KEPT_TABLE_PAIR(x) table_pair_kept(x)
#else
#define COPY_SHARED_TWO(y, x)                            \
    (((LOCAL struct pair *)(y))[0] = LOAD_TABLE_PAIR(x), \
     ((LOCAL struct pair *)(y))[1] = LOAD_TABLE_PAIR((x) + 2))
#define COPIED ((void)0)
#define LOAD_KEPT_PAIR(x) LOAD_PAIR(x)
#define LOAD_KEPT_TABLE_PAIR(x) LOAD_TABLE_PAIR(x)
#endif

/* ---- C17 ---- */
#else

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <tgmath.h>

#define KERNEL static
#define DEVICE static inline __attribute__((always_inline))
#define GLOBAL
#define SHARED
#define LOCAL
#define PRIVATE
#define SHARED_DYNAMIC(type, name, count) type name[count]
#define RESTRICT restrict
#define PARAMS(name) const struct name
#define IN_PARAMS
#define INDEX int64_t
#define UINT uint32_t
#define ULONG uint64_t
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GROUP_ARG , const INDEX GROUP_ID
/* GROUP_ID is the parameter */
#define ITEM 0
#define ITEMS 1
#define BARRIER ((void)0)
#define EACH_OF(i, first, last, lane, lanes) for (INDEX i = (first); i < (last); i++)
#define EACH(i, first, last) EACH_OF(i, first, last, ITEM, ITEMS)
#define SIMD _Pragma("omp simd")
#define PORTABLE_PRAGMA(text) _Pragma(#text)
#define SUM_OF(a, b) PORTABLE_PRAGMA(omp simd reduction(+ : a, b))
#define UNROLL _Pragma("GCC unroll 16")
#define ROLLED
#define UNROLL_FOR(head) UNROLL for (head)
#define ROLLED_FOR(head) ROLLED for (head)
#define GROUP_SCRATCH
#define GROUP_SUM(x) (x)
#define GROUP_MAX(x) (x)
#define ATOMIC_ADD(p, x) ((*(p) += (x)) - (x))
#define LOCAL_ADD(p, x) ATOMIC_ADD(p, x)
#define LOOK(p) (*(p))
#define FENCE ((void)0)
#define NEXT_MAY_BEGIN ((void)0)
#define EARLIER_DONE ((void)0)
#define RELEASE_ADD(p, x) ((void)ATOMIC_ADD(p, x))
#define SHUFFLE_SCRATCH
#define SHUFFLE_XOR(x, mask) (x)
#define ACCUMULATOR double
#define SCALAR(s, part) \
    (sizeof(REAL) == sizeof(float) ? (REAL)(s).single[part] : (REAL)bits_as_double((s).bits[part]))
#define FMA(a, b, c) fma(a, b, c)
#define RINT(x) rint(x)
#define FLOOR(x) floor(x)
#define FABS(x) fabs(x)
#define SQRT(x) sqrt(x)
#define SIN(x) sin(x)
#define COS(x) cos(x)
#define EXP(x) exp(x)
#define ATAN2(y, x) atan2(y, x)
#define FLOAT_BITS(x) \
    ((union {         \
         float x_;    \
         int bits;    \
     }){.x_ = (x)}    \
         .bits)
#define IS_FINITE(x) isfinite(x)
#define NATIVE_SIN(x) sin(x)
#define NATIVE_COS(x) cos(x)
#define NATIVE_EXP(x) exp(x)
#define LOAD_PAIR(x) make_pair((x)[0], (x)[1])
#define LOAD_SHARED_PAIR(x) LOAD_PAIR(x)
#define LOAD_TABLE(x) (*(x))
#define LOAD_TABLE_PAIR(x) LOAD_PAIR(x)
#define STORE_PAIR(y, re, im) ((y)[0] = (re), (y)[1] = (im))
#define STORE_SHARED_PAIR(y, re, im) STORE_PAIR(y, re, im)
#define LOAD_PAIR_STREAMING(x) LOAD_PAIR(x)
#define LOAD_PAIR_FRESH(x) LOAD_PAIR(x)
#define LOAD_PAIR_PASSING(x) LOAD_PAIR(x)
#define STORE_PAIR_STREAMING(y, re, im) STORE_PAIR(y, re, im)
#define STORE_PAIR_WHOLE(y, re, im) STORE_PAIR(y, re, im)
#define LOAD_KEPT_PAIR(x) LOAD_PAIR(x)
#define LOAD_KEPT_TABLE_PAIR(x) LOAD_TABLE_PAIR(x)
#define LOADS_SO_FAR ((void)0)
#define COPY_SHARED_TWO(y, x) ((y)[0] = (x)[0], (y)[1] = (x)[1], (y)[2] = (x)[2], (y)[3] = (x)[3])
#define COPIED ((void)0)
#define PREFETCH(x) ((void)0)

static inline double bits_as_double(INDEX bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif

#ifdef REAL
#ifdef GPU
struct ALIGNED(2 * REAL_BYTES) pair {
    REAL re, im;
};
#else
struct pair {
    REAL re, im;
};
#endif

DEVICE struct pair make_pair(REAL re, REAL im)
{
    const struct pair value = {re, im};
    return value;
}
#endif

#endif
