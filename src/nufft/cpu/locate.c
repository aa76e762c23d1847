/* SPDX-License-Identifier: BSD-3-Clause */
/* Points located in tile and cell, and sorted by both, stably: the order does not depend on threads. */
#include "nufft/cpu/locate.h"

#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = 256, DIGIT = 256 };

#define FOLDED (1u << 31)

typedef struct block {
    double tile[BLOCK], cell[BLOCK]; /* whole numbers */
    double u[3][BLOCK];
    double sign[BLOCK]; /* of folded points -1 */
} block;

/* A position on one axis */
typedef struct place {
    double tile, inside, u;
} place;

/* Tile and cell in it of a cell of the grid: tile t begins at floor(t grid / tiles). Reciprocals in place of
 * divisions are exact here: quotients of whole numbers are a whole number or 1 / divisor away from it, so
 * half of that, added or taken away, is more than rounding. */
INLINE place place_of(const locate_axis *a, double cell, double u)
{
    const double tile = floor((cell + 1) * a->tiles_a_cell - 0.5 * a->per_span),
                 start = floor((tile + 0.5 * a->per_span) * a->cells_a_tile);
    return (place){tile, cell - start, u};
}

/* The first cell that the window of a point at k touches, and where it lies between cells. k splits into an
 * integer, whose place on the grid is exact (a quotient corrected by its remainder), and a rest of at most
 * half: no digits are lost to large k. */
INLINE double cell_of(const locate_axis *a, double k, double *u)
{
    const double whole = (k + 0x1.8p52) - 0x1.8p52, rest = k - whole, product = whole * a->grid;
    double cell = floor(product * a->per_n), over = product - cell * a->n;
    const double by = over < 0 ? -1 : over >= a->n ? 1 : 0;
    cell += by;
    over -= by * a->n;
    const double offset = (over + rest * a->grid) * a->per_n - a->half_width, up = ceil(offset);
    const double v = 2 * (up - offset) - 1;
    cell += up;
    cell -= a->grid * floor(cell * a->per_grid);
    cell += cell < 0 ? a->grid : cell >= a->grid ? -a->grid : 0;
    *u = v < 1 ? v : 1;
    return cell;
}

INLINE place locate(const locate_axis *a, double k)
{
    double u;
    const double cell = cell_of(a, k, &u);
    return place_of(a, cell, u);
}

/* The same for any finite k and any grid, in integers: n and grid are below 2^31, products below 2^62. */
static int64_t cell_far(const locate_axis *a, double k, double *u)
{
    if (fabs(k) > 0x1p30) k = fmod(k, a->n);
    const double whole = (k + 0x1.8p52) - 0x1.8p52, rest = k - whole;
    const int64_t n = (int64_t)a->n, grid = (int64_t)a->grid, product = (int64_t)whole * grid;
    int64_t cell = product / n, over = product % n;
    if (over < 0) cell--, over += n;
    const double offset = ((double)over + rest * a->grid) / a->n - a->half_width, up = ceil(offset);
    const double v = 2 * (up - offset) - 1;
    cell = (cell + (int64_t)up) % grid;
    *u = v < 1 ? v : 1;
    return cell < 0 ? cell + grid : cell;
}

static place locate_far(const locate_axis *a, double k)
{
    double u;
    const int64_t cell = cell_far(a, k, &u), tiles = (int64_t)a->tiles, span = (int64_t)a->span,
                  tile = ((cell + 1) * tiles + span - 1) / span - 1;
    return (place){(double)tile, (double)(cell - tile * span / tiles), u};
}

#define FETCH(type)                                                                        \
    do {                                                                                   \
        const type *from = (const type *)a->k + begin * a->stride;                         \
        if (a->stride == 1)                                                                \
            for (int i = 0; i < count; i++) k[i] = a->scale * (double)from[i];             \
        else                                                                               \
            for (int i = 0; i < count; i++) k[i] = a->scale * (double)from[i * a->stride]; \
    } while (0)

static void fetch(const locate_axis *a, int64_t begin, int count, double *k)
{
    if (a->is_double)
        FETCH(double);
    else
        FETCH(float);
}

INLINE void take_place(block *b, const locate_axis *a, int axis, int i, place p)
{
    b->tile[i] = b->tile[i] * a->tiles + p.tile;
    b->cell[i] = b->cell[i] * a->padded + p.inside;
    b->u[axis][i] = p.u;
}

static bool any_far(const locate_axis *a, const double *k, int count)
{
    int far = 0;
    for (int i = 0; i < count; i++) far |= !(fabs(k[i]) <= a->limit);
    return far;
}

/* Finds the points that are folded to -k, from their cell on the first axis. Rounding may put a point
 * between two cells into either of them, so the span has one cell more. */
static void find_signs(block *b, const locate_axis *a, int64_t begin, int count)
{
    double k[BLOCK], u;
    fetch(a, begin, count, k);
    if (!any_far(a, k, count)) {
        for (int i = 0; i < count; i++) b->sign[i] = cell_of(a, k[i], &u) < a->span ? 1 : -1;
        return;
    }
    for (int i = 0; i < count; i++) /* those that are no numbers are refused later */
        b->sign[i] = !isfinite(k[i]) || (double)cell_far(a, k[i], &u) < a->span ? 1 : -1;
}

/* One axis of a block; false where a position is not finite, and then *bad is its index. */
static bool locate_block(block *b, const locate_job *job, int axis, int64_t begin, int count, int64_t *bad)
{
    const locate_axis *a = &job->axis[axis];
    double k[BLOCK];
    fetch(a, begin, count, k);
    for (int i = 0; job->fold && i < count; i++) k[i] *= b->sign[i];
    if (!any_far(a, k, count)) {
        for (int i = 0; i < count; i++) take_place(b, a, axis, i, locate(a, k[i]));
        return true;
    }
    for (int i = 0; i < count; i++) {
        if (!isfinite(k[i])) {
            *bad = begin + i;
            return false;
        }
        take_place(b, a, axis, i, locate_far(a, k[i]));
    }
    return true;
}

/* The first axis counts least. */
static int64_t locate_all_axes(block *b, const locate_job *job, int64_t begin, int count)
{
    int64_t bad = -1;
    for (int i = 0; i < count; i++) b->tile[i] = b->cell[i] = 0;
    if (job->fold) find_signs(b, &job->axis[0], begin, count);
    for (int axis = job->axes - 1; axis >= 0; axis--)
        if (!locate_block(b, job, axis, begin, count, &bad)) break;
    return bad;
}

static void keep_block(const block *b, const locate_job *job, int64_t begin, int count)
{
    for (int i = 0; i < count; i++) job->tile[begin + i] = (uint32_t)(int64_t)b->tile[i];
    for (int i = 0; i < count; i++) job->cell[begin + i] = (int32_t)b->cell[i];
    for (int axis = 0; axis < job->rank; axis++) {
        REAL *u = (REAL *)job->u[axis] + begin;
        for (int i = 0; i < count; i++) u[i] = (REAL)b->u[axis][i];
    }
    for (int i = 0; job->fold && i < count; i++) job->folded[begin + i] = b->sign[i] < 0;
}

int64_t VARIANT(nufft_locate_points)(const locate_job *job, int64_t begin, int64_t end, int64_t *counts)
{
    block b;
    for (; begin < end; begin += BLOCK) {
        const int count = end - begin < BLOCK ? (int)(end - begin) : BLOCK;
        const int64_t bad = locate_all_axes(&b, job, begin, count);
        if (bad >= 0) return bad;
        keep_block(&b, job, begin, count);
        for (int i = 0; counts && i < count; i++) counts[job->tile[begin + i]]++;
    }
    return -1;
}

INLINE void move_rank(const locate_job *job, int64_t begin, int64_t end, int64_t *next, const int rank)
{
    for (int64_t i = begin; i < end; i++) {
        char *record = job->records + RECORD_BYTES(rank, sizeof(REAL)) * (size_t)next[job->tile[i]]++;
        const uint32_t folded = job->fold && job->folded[i] ? FOLDED : 0,
                       head[2] = {(uint32_t)i | folded, (uint32_t)job->cell[i]};
        REAL u[3];
        for (int axis = 0; axis < rank; axis++) u[axis] = ((const REAL *)job->u[axis])[i];
        memcpy(record, head, sizeof head);
        memcpy(record + sizeof head, u, (size_t)rank * sizeof(REAL));
    }
}

void VARIANT(nufft_move_points)(const locate_job *job, int64_t begin, int64_t end, int64_t *next)
{
    if (job->rank == 1)
        move_rank(job, begin, end, next, 1);
    else if (job->rank == 2)
        move_rank(job, begin, end, next, 2);
    else
        move_rank(job, begin, end, next, 3);
}

/* ---- one tile ---- */

INLINE void read_head(uint32_t head[2], const tile_sort *s, int64_t i, const int rank)
{
    memcpy(head, s->records + RECORD_BYTES(rank, sizeof(REAL)) * (size_t)i, 2 * sizeof *head);
}

/* Numbers of elements to where each kind begins */
static void add_up(uint32_t *counts, uint32_t kinds)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < kinds; i++) {
        const uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

INLINE void write_point(const tile_sort *s, int64_t from, int64_t to, const int rank)
{
    const char *record = s->records + RECORD_BYTES(rank, sizeof(REAL)) * (size_t)from;
    uint32_t head[2];
    REAL u[3];
    memcpy(head, record, sizeof head);
    memcpy(u, record + sizeof head, (size_t)rank * sizeof(REAL));
    s->order[to] = s->folded ? head[0] & ~FOLDED : head[0];
    if (s->folded) s->folded[to] = (head[0] & FOLDED) != 0;
    s->cell[to] = (int32_t)head[1];
    for (int axis = 0; axis < rank; axis++) ((REAL *)s->u[axis])[to] = u[axis];
}

/* Many points: a counter for each cell */
INLINE void sort_dense(const tile_sort *s, const int rank)
{
    uint32_t head[2];
    for (int64_t i = 0; i < s->count; i++) {
        read_head(head, s, i, rank);
        s->counts[head[1]]++;
    }
    add_up(s->counts, s->cells);
    for (int64_t i = 0; i < s->count; i++) {
        read_head(head, s, i, rank);
        write_point(s, i, s->counts[head[1]]++, rank);
    }
    memset(s->counts, 0, s->cells * sizeof *s->counts);
}

/* Few: by the low digit of the cell, then by the rest */
INLINE void sort_sparse(const tile_sort *s, const int rank)
{
    uint32_t head[2], *low = s->counts, *high = s->counts + DIGIT;
    const uint32_t highs = s->cells / DIGIT + 1;
    for (int64_t i = 0; i < s->count; i++) {
        read_head(head, s, i, rank);
        low[head[1] % DIGIT]++;
        high[head[1] / DIGIT]++;
    }
    add_up(low, DIGIT);
    add_up(high, highs);
    for (int64_t i = 0; i < s->count; i++) {
        read_head(head, s, i, rank);
        s->between[low[head[1] % DIGIT]++] = (uint32_t)i;
    }
    for (int64_t i = 0; i < s->count; i++) {
        read_head(head, s, s->between[i], rank);
        write_point(s, s->between[i], high[head[1] / DIGIT]++, rank);
    }
    memset(s->counts, 0, (DIGIT + highs) * sizeof *s->counts);
}

INLINE void sort_rank(const tile_sort *s, const int rank)
{
    if (s->count < s->cells)
        sort_sparse(s, rank);
    else
        sort_dense(s, rank);
}

void VARIANT(nufft_sort_tile)(const tile_sort *s)
{
    if (s->rank == 1)
        sort_rank(s, 1);
    else if (s->rank == 2)
        sort_rank(s, 2);
    else
        sort_rank(s, 3);
}

/* ---- all tiles ---- */

INLINE void sort_all(const direct_sort *s, const int rank)
{
    const locate_job *from = s->located;
    uint32_t *const counts = s->counts, *const key = from->tile;
    for (int64_t i = 0; i < s->count; i++) {
        key[i] = key[i] * s->cells + (uint32_t)from->cell[i];
        counts[key[i]]++;
    }
    add_up(counts, (uint32_t)s->tiles * s->cells);
    for (int64_t tile = 0; tile < s->tiles; tile++) s->tile_first[tile] = counts[tile * s->cells];
    s->tile_first[s->tiles] = s->count;
    for (int64_t i = 0; i < s->count; i++) {
        const uint32_t to = counts[key[i]]++;
        s->order[to] = (uint32_t)i;
        s->cell[to] = from->cell[i];
        if (s->folded) s->folded[to] = from->folded[i];
        for (int axis = 0; axis < rank; axis++) ((REAL *)s->u[axis])[to] = ((const REAL *)from->u[axis])[i];
    }
}

void VARIANT(nufft_sort_direct)(const direct_sort *s)
{
    if (s->located->rank == 1)
        sort_all(s, 1);
    else if (s->located->rank == 2)
        sort_all(s, 2);
    else
        sort_all(s, 3);
}
