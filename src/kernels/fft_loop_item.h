/* SPDX-License-Identifier: BSD-3-Clause */
/* For kernels whose groups go through many boxes in a loop. All that follows from an item's number would be
 * computed before the loop and kept in registers that the boxes need; so the number is hidden from the compiler:
 * LOOP_ITEM(number), at a place that all items reach, for a number that is never negative but might be. Each
 * warp has a word of its own for it, so that nobody reads while another writes. It costs 4 % more instructions;
 * waves without EARLY do without. */
#if defined(__CUDACC__) && !defined(LOOP_ITEM) && !(defined(EARLY) && EARLY == 0)
SHARED int loop_nothing[(ITEMS + 31) / 32];
#undef ITEM
#define ITEM ((int)threadIdx.x + loop_nothing[threadIdx.x / 32])
#define LOOP_ITEM(number)                                                        \
    do {                                                                         \
        __syncwarp();                                                            \
        if (threadIdx.x % 32 == 0) loop_nothing[threadIdx.x / 32] = (number) < 0; \
        __syncwarp();                                                            \
    } while (0)
#elif !defined(LOOP_ITEM)
#define LOOP_ITEM(number) ((void)0)
#endif
