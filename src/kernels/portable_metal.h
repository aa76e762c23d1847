/* SPDX-License-Identifier: BSD-3-Clause */
/* The macros of portable.h in the Metal Shading Language (Apple's specification, versions 2.3 and later:
 * C++14 without doubles, classes with virtual functions, and function-local statics). Comes before
 * portable.h.
 *
 * - A pointer or reference names its address space: device, threadgroup, constant, thread.
 * - Buffers without [[buffer(n)]] get the first free index in their order (specification, "Location Indices
 *   for Buffer, Texture, and Sampler Arguments"): the kernel's buffers, then its struct.
 * - No function knows the index of its item: kernels get it as an argument. A function that uses ITEM or
 *   GROUP_ID, or calls one that does, is in the list at the end of this file, where a macro of its name adds
 *   two arguments in front of the others. PLACE reads as a pair of parameters where the function is defined,
 *   `uint (group_), uint (item_)`, and as a pair of values where it is called, because C++ allows
 *   parentheses around a parameter's name, and a type before a value in parentheses.
 * - LOOK, FENCE and RELEASE_ADD are missing: kernels whose groups wait for each other need more order among
 *   atomics than Metal had before version 3.2, and a device that promises progress (device/traits.h). */
#ifdef __METAL_VERSION__
#ifndef METAL_STAND_IN
#include <metal_stdlib>
#endif

#define GPU
#define WITHOUT_DOUBLE
#define KERNEL kernel
#define DEVICE static inline __attribute__((always_inline))
#define GLOBAL device
#define SHARED threadgroup __attribute__((aligned(16))) /* pairs are loaded as one from arrays of REAL */
#define LOCAL threadgroup
#define PRIVATE thread
#define SHARED_DYNAMIC(type, name, count) SHARED type name[count]
#define RESTRICT __restrict
#define PARAMS(name) constant struct name &
#define IN_PARAMS constant
#define INDEX long
#define UINT uint
#define ULONG ulong
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GROUP_ARG \
    , uint group_ [[threadgroup_position_in_grid]], uint item_ [[thread_position_in_threadgroup]]
#define PLACE uint(group_), uint(item_)
#define GROUP_ID ((INDEX)group_)
#define ITEM ((int)item_)
#define BARRIER metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup | metal::mem_flags::mem_device)
#define EACH_OF(i, first, last, lane, lanes) for (INDEX i = (first) + (lane); i < (last); i += (lanes))
#define EACH(i, first, last) EACH_OF(i, first, last, ITEM, ITEMS)
#define SIMD
#define SUM_OF(a, b)
#define UNROLL _Pragma("clang loop unroll(full)")
#define ROLLED _Pragma("clang loop unroll(disable)")
#define UNROLL_FOR(head) UNROLL for (head)
#define ROLLED_FOR(head) ROLLED for (head)
#define GROUP_SCRATCH threadgroup ACCUMULATOR group_scratch[ITEMS]
#define GROUP_SUM(x) group_sum(x, group_scratch)
#define GROUP_MAX(x) group_max(x, group_scratch)
#define ATOMIC_ADD(p, x) \
    metal::atomic_fetch_add_explicit((device metal::atomic_int *)(p), x, metal::memory_order_relaxed)
#define LOCAL_ADD(p, x) \
    metal::atomic_fetch_add_explicit((threadgroup metal::atomic_int *)(p), x, metal::memory_order_relaxed)
#define NEXT_MAY_BEGIN ((void)0)
#define EARLIER_DONE ((void)0)
/* not simd_shuffle_xor: the width of SIMD-groups is known only when the pipeline is there */
#define SHUFFLE_SCRATCH threadgroup REAL shuffle_scratch[ITEMS]
#define SHUFFLE_XOR(x, mask) shuffle_xor(x, mask, shuffle_scratch)
#define ACCUMULATOR float
#define SCALAR(s, part) ((s).single[part])
#define FMA(a, b, c) metal::fma(a, b, c)
#define RINT(x) metal::rint(x)
#define FLOOR(x) metal::floor(x)
#define FABS(x) metal::fabs(x)
#define SQRT(x) metal::precise::sqrt(x)
#define SIN(x) metal::precise::sin(x)
#define COS(x) metal::precise::cos(x)
#define EXP(x) metal::precise::exp(x)
#define ATAN2(y, x) metal::precise::atan2(y, x)
#define FLOAT_BITS(x) as_type<int>(x)
#define IS_FINITE(x) metal::isfinite(x)
/* metal::fast::sin is accurate to 2^-13 alone (specification, "Relative error of fast math") */
#define NATIVE_SIN(x) metal::precise::sin(x)
#define NATIVE_COS(x) metal::precise::cos(x)
#define NATIVE_EXP(x) metal::precise::exp(x)
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

/* The functions that know their item. */
#define group_sum(...) group_sum(PLACE, __VA_ARGS__)
#define group_max(...) group_max(PLACE, __VA_ARGS__)
#define shuffle_xor(...) shuffle_xor(PLACE, __VA_ARGS__)
#define add_parts(...) add_parts(PLACE, __VA_ARGS__)
#define all_parts(...) all_parts(PLACE, __VA_ARGS__)
#define begin_samples(...) begin_samples(PLACE, __VA_ARGS__)
#define find_near(...) find_near(PLACE, __VA_ARGS__)
#define find_share(...) find_share(PLACE, __VA_ARGS__)
#define find_starts(...) find_starts(PLACE, __VA_ARGS__)
#define half_load_all(...) half_load_all(PLACE, __VA_ARGS__)
#define half_position(...) half_position(PLACE, __VA_ARGS__)
#define half_stage(...) half_stage(PLACE, __VA_ARGS__)
#define half_store_all(...) half_store_all(PLACE, __VA_ARGS__)
#define list_ranges(...) list_ranges(PLACE, __VA_ARGS__)
#define load_cells(...) load_cells(PLACE, __VA_ARGS__)
#define load_points(...) load_points(PLACE, __VA_ARGS__)
#define points_of_group(...) points_of_group(PLACE, __VA_ARGS__)
#define rotate_round(...) rotate_round(PLACE, __VA_ARGS__)
#define scan_counts(...) scan_counts(PLACE, __VA_ARGS__)
#define scan_items(...) scan_items(PLACE, __VA_ARGS__)
#define sort_half(...) sort_half(PLACE, __VA_ARGS__)
#define sum_of_items(...) sum_of_items(PLACE, __VA_ARGS__)
#define tile_add_wrapped(...) tile_add_wrapped(PLACE, __VA_ARGS__)
#define tile_butterfly(...) tile_butterfly(PLACE, __VA_ARGS__)
#define tile_get(...) tile_get(PLACE, __VA_ARGS__)
#define tile_get_flat(...) tile_get_flat(PLACE, __VA_ARGS__)
#define tile_get_mirror(...) tile_get_mirror(PLACE, __VA_ARGS__)
#define tile_keep_wrapped(...) tile_keep_wrapped(PLACE, __VA_ARGS__)
#define tile_load_all(...) tile_load_all(PLACE, __VA_ARGS__)
#define tile_load_first(...) tile_load_first(PLACE, __VA_ARGS__)
#define tile_load_flat(...) tile_load_flat(PLACE, __VA_ARGS__)
#define tile_load_pairs(...) tile_load_pairs(PLACE, __VA_ARGS__)
#define tile_long_product(...) tile_long_product(PLACE, __VA_ARGS__)
#define tile_mirrored(...) tile_mirrored(PLACE, __VA_ARGS__)
#define tile_move_first(...) tile_move_first(PLACE, __VA_ARGS__)
#define tile_prefetch(...) tile_prefetch(PLACE, __VA_ARGS__)
#define tile_prepare_loaded(...) tile_prepare_loaded(PLACE, __VA_ARGS__)
#define tile_product(...) tile_product(PLACE, __VA_ARGS__)
#define tile_put(...) tile_put(PLACE, __VA_ARGS__)
#define tile_put_flat(...) tile_put_flat(PLACE, __VA_ARGS__)
#define tile_run(...) tile_run(PLACE, __VA_ARGS__)
#define tile_spectrum(...) tile_spectrum(PLACE, __VA_ARGS__)
#define tile_spectrum_mirror(...) tile_spectrum_mirror(PLACE, __VA_ARGS__)
#define tile_spectrum_pairs(...) tile_spectrum_pairs(PLACE, __VA_ARGS__)
#define tile_split_clamped(...) tile_split_clamped(PLACE, __VA_ARGS__)
#define tile_split_item(...) tile_split_item(PLACE, __VA_ARGS__)
#define tile_store_all(...) tile_store_all(PLACE, __VA_ARGS__)
#define tile_store_flat(...) tile_store_flat(PLACE, __VA_ARGS__)
#define tile_store_half(...) tile_store_half(PLACE, __VA_ARGS__)
#define tile_store_pairs(...) tile_store_pairs(PLACE, __VA_ARGS__)
#define tile_transform(...) tile_transform(PLACE, __VA_ARGS__)
#define tile_unpack_all(...) tile_unpack_all(PLACE, __VA_ARGS__)
#define write_samples(...) write_samples(PLACE, __VA_ARGS__)
#endif
