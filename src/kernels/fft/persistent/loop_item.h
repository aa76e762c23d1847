/* SPDX-License-Identifier: BSD-3-Clause */
/* LOOP_ITEM, for kernels whose groups process many tiles in a loop. The compiler would compute everything
 * that depends on ITEM before the loop and keep it in registers that the tiles need. The macro therefore
 * hides ITEM behind a value in shared memory: LOOP_ITEM(number) stands before the first BARRIER, with a
 * number that is never negative but that the compiler cannot know. The value is read again after each
 * BARRIER; nobody writes it, so there is no race. It costs 4 % more instructions. Persistent passes
 * without PASSES_PREFETCH, and clusters with CLUSTER_LOOPED below 2, do without. */
#if defined(__CUDACC__) && !defined(LOOP_ITEM) && !(defined(PASSES_PREFETCH) && PASSES_PREFETCH == 0) && \
    !(defined(CLUSTER_LOOPED) && CLUSTER_LOOPED < 2)
SHARED int loop_nothing;
#undef ITEM
#define ITEM ((int)threadIdx.x + loop_nothing)
#define LOOP_ITEM(number) \
    if (threadIdx.x == 0) loop_nothing = (number) < 0
#elif !defined(LOOP_ITEM)
#define LOOP_ITEM(number) ((void)0)
#endif
