/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the next length whose prime factors are 2, 3, 5 and 7. */
#include <argand/fft.h>

/* Returns the smallest odd_part 2^a >= n, or `best` if that is smaller. */
static int64_t double_up(int64_t odd_part, int64_t n, int64_t best)
{
    int64_t size = odd_part;
    while (size < n && size <= best / 2) size *= 2;
    return size >= n && size < best ? size : best;
}

/* Returns a * prime, at most `limit`. */
static int64_t product_below(int64_t a, int64_t prime, int64_t limit)
{
    return a > limit / prime ? limit : a * prime;
}

int64_t argand_fft_next_size(int64_t n)
{
    int64_t best = INT64_MAX;
    if (n <= 1) return 1;
    for (int64_t sevens = 1; sevens < best; sevens = product_below(sevens, 7, best))
        for (int64_t fives = sevens; fives < best; fives = product_below(fives, 5, best))
            for (int64_t threes = fives; threes < best; threes = product_below(threes, 3, best))
                best = double_up(threes, n, best);
    return best == INT64_MAX ? 0 : best; /* 2^63 - 1 has other factors */
}
