/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants that MEASURE tries after it has found the fastest of those that it compares for all problems:
 * the same with one choice changed. */
#include "fft/gpu/estimate/estimate.h"
#include "fft/gpu/radix/lengths.h"
#include "fft/gpu/tuning/candidates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* First parts of a long line, among those with which both parts are similar. */
enum { HEADS = 5, SHORTEST = 48, LONGEST = 4096, ONE_PASS = 16384 };

/* Changes for passes with accessors only. */
static const char *const access_changes[] = {"shared_factors 1", "prefetch_access 1 prefetch_distance 1",
                                             "min_blocks 5"};
enum { ACCESS_CHANGES = sizeof access_changes / sizeof *access_changes };

typedef struct heads {
    int count, points[HEADS];
} heads;

static double unevenness(int64_t n, int head)
{
    return fabs(log((double)head * head / (double)n));
}

static void put(heads *h, int64_t n, int head)
{
    int at = h->count < HEADS ? h->count++ : HEADS;
    for (; at > 0 && unevenness(n, head) < unevenness(n, h->points[at - 1]); at--)
        if (at < HEADS) h->points[at] = h->points[at - 1];
    if (at < HEADS) h->points[at] = head;
}

static void find(heads *h, int64_t n)
{
    h->count = 0;
    for (int head = SHORTEST; head <= LONGEST && head <= n / SHORTEST; head++)
        if (n % head == 0 && n / head <= LONGEST) put(h, n, head);
}

int nearby_variants(const fft_problem *p, argand_device *device, const char *variant,
                    char (*names)[FFT_VARIANT_CHARS], int most)
{
    heads h = {0};
    int count = 0;
    (void)device;
    if (!candidate_change(0)) return 0; /* the user's own list */
    if (p->rank == 1 && p->n[0] > ONE_PASS && has_radices(p->n[0])) find(&h, p->n[0]);
    for (int i = 0; i < h.count && count < most; i++) {
        char head[32];
        snprintf(head, sizeof head, "first_part %d", h.points[i]);
        count += tuning_changed(variant, head, names[count], sizeof names[count]);
    }
    for (int i = 0; i < (p->access ? ACCESS_CHANGES : 0) && count < most; i++)
        count += tuning_changed(variant, access_changes[i], names[count], sizeof names[count]);
    for (int i = 0; candidate_change(i) && count < most; i++)
        count += tuning_changed(variant, candidate_change(i), names[count], sizeof names[count]);
    return count;
}
