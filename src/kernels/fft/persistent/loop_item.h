/* SPDX-License-Identifier: BSD-3-Clause */
/* For kernels whose groups go through many tiles in a loop. All that follows from an item's number would be
 * computed before the loop and kept in registers that the tiles need; so the number is hidden from the
 * compiler: LOOP_ITEM(number), before the first BARRIER, for a number that is never negative but might be. It
 * is read again after each BARRIER, as others might have written it; nobody does, so there is no race. It
 * costs 4 % more instructions; persistent passes without PASSES_PREFETCH, and clusters whose stages are one
 * loop for all cases, do without. */
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
