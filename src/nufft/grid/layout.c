/* SPDX-License-Identifier: BSD-3-Clause */
/* The oversampled grid: sizes, strides, tiles, deapodisation. */
#include "nufft/plan.h"

#include <math.h>
#include "base/memory.h"
#include "base/pi.h"

int layout_lanes(const layout *l, lane_mode mode)
{
    return mode == LANES_MANY ? l->many : 1;
}

int64_t layout_kept(const layout *l)
{
    return l->half ? l->grid[0] / 2 + 1 : l->grid[0];
}

/* Rows begin on whole cache lines, at a stride of an odd number of them, so that columns spread over all
 * cache sets.
 */
int64_t layout_row(const layout *l, lane_mode mode)
{
    const int64_t cells = l->many / layout_lanes(l, mode), /* in 64 bytes */
        kept = layout_kept(l) + (l->half ? l->window.width : 0);
    return (((kept + cells - 1) / cells) | 1) * cells;
}

int64_t layout_home(const layout *l, int64_t cell, bool *mirrored)
{
    const int64_t n = l->grid[0], at = (cell + n) % n;
    *mirrored = at > n / 2;
    return *mirrored ? n - at : at;
}

int64_t layout_plane(const layout *l, lane_mode mode)
{
    const int64_t cells = l->many / layout_lanes(l, mode);
    return ((layout_row(l, mode) / cells * l->grid[1]) | 1) * cells;
}

int64_t layout_tile_start(const layout *l, int axis, int64_t tile)
{
    return tile * l->span[axis] / l->tiles[axis];
}

/* Tiles whose padded form fits the nearest caches. Two of one colour have a whole tile between them, so
 * each must be at least width - 1 cells long. */
static void cut_tiles(layout *l)
{
    static const int64_t least_tile[3][3] = {{1024, 1, 1}, {32, 32, 1}, {16, 16, 16}};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t least = least_tile[l->rank - 1][axis];
        const int64_t cells = least > l->window.width ? least : l->window.width;
        const int64_t pairs = axis < l->rank ? l->span[axis] / (2 * cells) : 0;
        l->tiles[axis] = axis >= l->rank ? l->span[axis] : pairs ? 2 * pairs : 1; /* planes share no cell */
        const int64_t longest = (l->span[axis] + l->tiles[axis] - 1) / l->tiles[axis];
        l->padded[axis] = axis < l->rank ? longest + l->window.width - 1 : 1;
    }
    /* Kernels read and write whole vectors from the first cell on: space for the last one's. */
    const int64_t vector = CELL_BYTES / (l->is_double ? 16 : 8);
    l->padded[0] = (l->padded[0] + vector) | 1;
}

static argand_status fill_coefficients(layout *l)
{
    const int in_vector = CELL_BYTES / (l->is_double ? 8 : 4);
    /* half a vector serves narrow windows */
    l->taps = l->window.width <= in_vector / 2 ? in_vector / 2
                                               : (l->window.width + in_vector - 1) / in_vector * in_vector;
    const size_t count = (size_t)l->taps * (size_t)l->window.terms;
    TRY(memory_new(&l->coefficients, count, l->is_double ? 8 : 4));
    for (int term = 0; term < l->window.terms; term++)
        for (int cell = 0; cell < l->window.width; cell++) {
            const double value = l->window.coefficients[term][cell];
            const int at = term * l->taps + cell;
            if (l->is_double)
                ((double *)l->coefficients)[at] = value;
            else
                ((float *)l->coefficients)[at] = (float)value;
        }
    return ARGAND_OK;
}

static void put_real(void *to, bool is_double, int64_t i, double value)
{
    if (is_double)
        ((double *)to)[i] = value;
    else
        ((float *)to)[i] = (float)value;
}

/* Pixels of one correction. Both sides of the middle are alike. */
static void put_corrections(const layout *l, int axis, const window_correction *c)
{
    enum { PIECE = 512 };
    double values[PIECE];
    const int64_t n = l->image[axis], centre = n / 2;
    for (int64_t first = 0; first < c->count; first += PIECE) {
        const int64_t left = c->count - first, count = left < PIECE ? left : PIECE;
        window_correction_values(c, values, first, (int)count);
        for (int64_t i = 0; i < count; i++) {
            const int64_t pixel = c->begin + first + i;
            put_real(l->deapodise[axis], l->is_double, centre - pixel, values[i]);
            if (centre + pixel < n) put_real(l->deapodise[axis], l->is_double, centre + pixel, values[i]);
        }
    }
}

static argand_status fill_deapodisation(layout *l)
{
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = l->image[axis], end = n / 2 + 1, span = window_correction_span(n);
        TRY(memory_take_pages(&l->deapodise[axis], memory_product((size_t)n, l->is_double ? 8 : 4)));
        for (int64_t i = 0; axis >= l->rank && i < n; i++) put_real(l->deapodise[axis], l->is_double, i, 1);
        for (int64_t begin = 0; axis < l->rank && begin < end; begin += span) {
            window_correction c;
            window_correction_make(&c, begin, n, &l->window, l->grid[axis]);
            put_corrections(l, axis, &c);
        }
    }
    return ARGAND_OK;
}

static argand_status fill_twiddles(layout *l)
{
    if (!l->half) return ARGAND_OK;
    const int64_t count = l->grid[0] / 4 + 1;
    TRY(memory_new(&l->twiddles, (size_t)count, l->is_double ? 16 : 8));
    for (int64_t i = 0; i < count; i++) {
        const double angle = 2 * PI * (double)i / (double)l->grid[0];
        put_real(l->twiddles, l->is_double, 2 * i, cos(angle));
        put_real(l->twiddles, l->is_double, 2 * i + 1, -sin(angle));
    }
    return ARGAND_OK;
}

/* Single vectors are transformed row by row, and columns side by side, as many as fill a cache line. If
 * several threads make the lines at once, those of the first are kept. */
argand_status layout_prepare(const layout *l, lane_mode mode)
{
    const argand_type type = l->is_double ? ARGAND_C64 : ARGAND_C32;
    for (int axis = 0; axis < l->axes; axis++) {
        _Atomic(fft_bundle *) *place = &((layout *)l)->lines[mode][axis];
        fft_bundle *none = NULL, *made;
        if (atomic_load(place)) continue;
        const int64_t length = l->half && !axis ? l->grid[0] / 2 : l->grid[axis];
        TRY(fft_bundle_create(&made, type, length, mode == LANES_ONE && !axis ? 1 : l->many));
        if (!atomic_compare_exchange_strong(place, &none, made)) fft_bundle_destroy(made);
    }
    return ARGAND_OK;
}

static argand_status fill(layout *l, const argand_nufft_options *options, const choice *c, bool planes)
{
    l->axes = options->rank;
    l->rank = planes ? l->axes - 1 : l->axes;
    l->is_double = options->type == ARGAND_C64;
    l->half = options->real_image;
    l->many = CELL_BYTES / (l->is_double ? 16 : 8);
    l->expected_error = choice_error(c);
    l->rounding = c->rounding;
    for (int axis = 0; axis < 3; axis++) {
        l->image[axis] = axis < l->axes ? options->n[axis] : 1;
        l->span[axis] = l->grid[axis] = c->grid[axis];
    }
    if (l->half) {
        l->span[0] = l->grid[0] / 2 + 2;
        l->before = (c->width + 1) / 2;
    }
    /* deapodisation raises the misfit of the polynomials, of which each cell may have a tenth of this */
    window_cached_fit(&l->window, c->width, c->shape, 0.15 * fmax(c->aliasing, c->rounding) / c->rise);
    cut_tiles(l);
    TRY(fill_coefficients(l));
    TRY(fill_twiddles(l));
    return fill_deapodisation(l);
}

argand_status layout_create(layout **out, const argand_nufft_options *options, const choice *c, bool planes)
{
    layout *l;
    TRY(NEW(l, 1));
    const argand_status status = fill(l, options, c, planes);
    if (status != ARGAND_OK) {
        layout_destroy(l);
        return status;
    }
    *out = l;
    return ARGAND_OK;
}

void layout_destroy(layout *l)
{
    if (!l) return;
    for (int axis = 2; axis >= 0; axis--) {
        fft_bundle_destroy(l->lines[LANES_MANY][axis]);
        fft_bundle_destroy(l->lines[LANES_ONE][axis]);
        memory_free(l->deapodise[axis]);
    }
    memory_free(l->twiddles);
    memory_free(l->coefficients);
    memory_free(l);
}

/* Returns the bytes of the lines' tables that exist: two complex numbers a point for bundles, at most as
 * many for other lines */
static size_t lines_bytes(const layout *l)
{
    size_t length = 0;
    for (int mode = LANES_ONE; mode <= LANES_MANY; mode++)
        for (int axis = 0; axis < l->axes; axis++)
            if (l->lines[mode][axis]) length += (size_t)l->grid[axis];
    return 2 * length * (l->is_double ? 16 : 8);
}

size_t layout_bytes(const layout *l)
{
    const size_t real = l->is_double ? 8 : 4;
    const size_t twiddles = l->half ? 2 * ((size_t)l->grid[0] / 4 + 1) : 0;
    return sizeof *l + lines_bytes(l) +
           real * (twiddles + (size_t)l->taps * (size_t)l->window.terms + (size_t)l->image[0] +
                   (size_t)l->image[1] + (size_t)l->image[2]);
}
