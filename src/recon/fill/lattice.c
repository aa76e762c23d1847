/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds regular undersampling among the acquired lines of a volume: every so manyth line of every so manyth
 * partition, with a shift from partition to partition. Other lines, such as calibration lines, may lie
 * between them; lines at the edge may be missing (partial Fourier, elliptical scans). */
#include "recon/fill/fill.h"

#include <string.h>
#include "base/memory.h"

/* Acquired lines within their bounds. */
typedef struct line_grid {
    int64_t n[2]; /* lines, partitions */
    unsigned char *there;
} line_grid;

static argand_status mark(line_grid *g, const char *path, const int32_t (*lines)[2], int64_t count)
{
    enum { MOST = 1 << 28 };
    int64_t low[2] = {INT32_MAX, INT32_MAX}, high[2] = {INT32_MIN, INT32_MIN};
    for (int64_t i = 0; i < 2 * count; i++) {
        const int64_t at = lines[i / 2][i % 2];
        low[i % 2] = at < low[i % 2] ? at : low[i % 2];
        high[i % 2] = at > high[i % 2] ? at : high[i % 2];
    }
    for (int d = 0; d < 2; d++) g->n[d] = high[d] - low[d] + 1;
    CHECK(
        count && g->n[0] <= MOST / g->n[1], ARGAND_UNSUPPORTED,
        "%s: the formula for the g-factor needs lines of a Cartesian grid, and %lld image lines are none or "
        "too far apart. --noise-map N of argand sense, by replicas, works with any sampling",
        path, (long long)count);
    TRY(NEW(g->there, g->n[0] * g->n[1]));
    for (int64_t i = 0; i < count; i++) g->there[(lines[i][1] - low[1]) * g->n[0] + lines[i][0] - low[0]] = 1;
    return ARGAND_OK;
}

/* Finds the largest distance of neighbours among `n` elements and the first element before it; both stay as
 * they are if there are fewer than two. */
static void widest(int64_t *gap, int64_t *before, const unsigned char *there, int64_t n)
{
    int64_t last = -1;
    for (int64_t i = 0; i < n; i++) {
        if (!there[i]) continue;
        if (last >= 0 && i - last > *gap) {
            *gap = i - last;
            *before = last;
        }
        last = i;
    }
}

/* Finds the distance of partitions that hold lines, and the first partition of the lattice. */
static argand_status find_partitions(int64_t *factor, int64_t *first, const line_grid *g)
{
    unsigned char *any;
    TRY(NEW(any, g->n[1]));
    for (int64_t i = 0; i < g->n[0] * g->n[1]; i++) any[i / g->n[0]] |= g->there[i];
    *factor = 1;
    *first = 0;
    widest(factor, first, any, g->n[1]);
    *first %= *factor;
    memory_free(any);
    return ARGAND_OK;
}

/* Finds the distance of lines and their shift from partition to partition of the lattice. place: of a line in
 * the first partition. */
static void find_lines(int64_t *factor, int64_t *shift, int64_t *place, const line_grid *g, int64_t step,
                       int64_t first)
{
    int64_t ignored, known = -1, start = 0;
    *factor = 1;
    *shift = *place = 0;
    for (int64_t z = first; z < g->n[1]; z += step) widest(factor, &ignored, g->there + z * g->n[0], g->n[0]);
    for (int64_t z = first, j = 0; z < g->n[1]; z += step, j++) {
        int64_t gap = *factor - 1, before = -1;
        widest(&gap, &before, g->there + z * g->n[0], g->n[0]);
        if (before < 0) continue; /* a partition with calibration lines alone does not tell */
        if (known == j - 1 && known >= 0) {
            *shift = ((before - start) % *factor + *factor) % *factor;
            *place = ((start - known * *shift) % *factor + *factor) % *factor;
            return;
        }
        known = j;
        start = before;
        *place = before % *factor;
    }
}

/* Counts the lines between those of the lattice; -1: a line of the lattice is missing between others. */
static int64_t count_others(const line_grid *g, int64_t ry, int64_t rz, int64_t shift, int64_t place,
                            int64_t first)
{
    int64_t others = 0;
    for (int64_t z = 0; z < g->n[1]; z++) {
        const unsigned char *there = g->there + z * g->n[0];
        int64_t low = 0, high = g->n[0] - 1;
        while (low < g->n[0] && !there[low]) low++;
        while (high >= 0 && !there[high]) high--;
        for (int64_t y = low; y <= high; y++) {
            const bool of_lattice =
                z % rz == first && ((y - place - (z - first) / rz * shift) % ry + ry) % ry == 0;
            if (of_lattice && !there[y]) return -1;
            others += there[y] && !of_lattice;
        }
    }
    return others;
}

argand_status fill_lattice_find(fill_lattice *l, const char *path, const int32_t (*lines)[2], int64_t count)
{
    enum { MOST = 64 };
    line_grid g = {0};
    int64_t ry, rz, shift, place, first;
    argand_status status;
    *l = (fill_lattice){0};
    TRY_OR_DONE(mark(&g, path, lines, count));
    TRY_OR_DONE(find_partitions(&rz, &first, &g));
    find_lines(&ry, &shift, &place, &g, rz, first);
    l->others = ry * rz <= MOST ? count_others(&g, ry, rz, shift, place, first) : -1;
    CHECK_OR_DONE(
        l->others >= 0 && 2 * l->others <= count, ARGAND_UNSUPPORTED,
        "%s: the acquired lines are no regular undersampling (largest distances: %lld lines, %lld "
        "partitions), and the formula for the g-factor needs one. --noise-map N of argand sense, by "
        "replicas, works with any sampling",
        path, (long long)ry, (long long)rz);
    l->u = (argand_undersampling){.factors = {(int)ry, (int)rz}, .shift = (int)shift};
    status = ARGAND_OK;
done:
    memory_free(g.there);
    return status;
}
