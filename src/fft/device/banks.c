/* SPDX-License-Identifier: BSD-3-Clause */
/* Where points lie in shared memory. A warp's 32 numbers of 4 bytes come in one access if they fall on 32
 * banks, 16 numbers of 8 bytes if on 16; the ways that leave room between numbers are compared by counting
 * what the kernel's first warps would do. */
#include "fft/device/box.h"

#include <string.h>

/* As box_split of the kernel. */
static void split(int c[3], int b, const box_shape *s, const box_stage *stage, int fast)
{
    int n[3] = {s->size[0], s->size[1], s->size[2]};
    n[stage->axis] /= stage->radix;
    const int order[3] = {fast, fast == 0 ? 1 : 0, fast == 2 ? 1 : 2};
    for (int i = 0; i < 3; i++) {
        c[order[i]] = b % n[order[i]];
        b /= n[order[i]];
    }
}

static int place(const box_shape *s, const int c[3], int axis, int along)
{
    int i[3] = {c[0], c[1], c[2]};
    i[axis] = along;
    const int at = i[0] + s->e1 * i[1] + s->e2 * i[2];
    return at + (at >> s->pad);
}

static int fast_of(const box_shape *s, int stage)
{
    const bool unpacked = s->out_kind == OUT_HALF_PACKED && !s->mirrored;
    return stage == 0 ? s->in_fast : stage == s->stages - 1 && !unpacked ? s->out_fast : 0;
}

/* As box_butterfly: butterflies in pairs, of which the second ones have as many conflicts as the first. */
static void split_stage(int c[3], int b, const box_shape *s, int stage)
{
    box_stage t = s->stage[stage];
    box_shape half = *s;
    const bool paired = s->mirrored && stage == (s->in_kind == IN_HALF_PACKED ? 0 : s->stages - 1);
    if (paired && s->mirrored == 1) t.radix *= 2;
    if (paired && s->mirrored == 2) half.size[0] /= 2;
    split(c, b, &half, &t, fast_of(s, stage));
}

/* Accesses that one instruction of a warp takes. */
static int accesses(const box_shape *s, int stage, int r, int warp, bool put, int banks)
{
    const box_stage *t = &s->stage[stage];
    int worst = 1, seen[32] = {0}, address[32];
    for (int lane = 0; lane < banks; lane++) {
        int c[3];
        split_stage(c, warp * banks + lane, s, stage);
        const int j = c[t->axis];
        const int along = put ? j / t->length * t->length * t->radix + j % t->length + r * t->length
                              : j + r * (s->size[t->axis] / t->radix);
        address[lane] = place(s, c, t->axis, along);
        if (++seen[address[lane] % banks] > worst) worst = seen[address[lane] % banks];
    }
    return worst;
}

static int conflicts(const box_shape *s, int banks)
{
    int sum = 0;
    for (int stage = 0; stage < s->stages; stage++)
        for (int put = 0; put < 2; put++) {
            if (put ? stage == s->stages - 1 : stage == 0) continue;
            const int butterflies = box_points(s) / s->stage[stage].radix, warps = s->items / banks;
            for (int warp = 0; warp < 3 && warp < warps && (warp + 1) * banks <= butterflies; warp++)
                for (int r = 0; r < s->stage[stage].radix; r++)
                    sum += accesses(s, stage, r, warp, put, banks) - 1;
        }
    return sum;
}

static int numbers(const box_shape *s)
{
    const int last = s->size[0] - 1 + s->e1 * (s->size[1] - 1) + s->e2 * (s->size[2] - 1);
    return last + (last >> s->pad) + 1;
}

void banks_choose(box_shape *s, bool is_double)
{
    static const int pads[] = {31, 5, 4, 3, 2};
    const int banks = is_double ? 16 : 32;
    box_shape best = *s;
    int least = -1;
    for (size_t i = 0; i < sizeof pads / sizeof *pads; i++)
        for (int more = 0; more < (s->size[1] > 1 ? 5 : 1); more++) {
            s->pad = pads[i];
            s->e1 = s->size[0] + more;
            s->e2 = s->e1 * s->size[1];
            /* a conflict weighs as much as a hundredth of the memory */
            const int cost = 100 * conflicts(s, banks) / (s->stages > 1 ? s->stages : 1) +
                             100 * numbers(s) / box_points(s);
            if (least >= 0 && cost >= least) continue;
            least = cost;
            best = *s;
        }
    *s = best;
    s->shared_numbers =
        s->stages > 1 || s->fused.kind || s->chirp == CHIRP_MIDDLE || s->out_kind == OUT_HALF_PACKED
            ? numbers(s) * s->planes
            : 1;
}
