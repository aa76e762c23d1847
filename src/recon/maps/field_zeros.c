/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces zeros of a field map where nothing was measured by the harmonic continuation of the other
 * values. Programs that mask field maps leave such zeros. The jump at the rim would count as a real field,
 * and pixels beyond it that give signal would be displaced. */
#include <math.h>
#include "base/cpu.h"
#include "base/memory.h"
#include "base/pi.h"
#include "calib/field/field.h"
#include "recon/maps/maps.h"

/* Differences of neighbours: between two values (inside), and between a value and a zero (rim). */
typedef struct steps {
    double inside, rim;
    int64_t inside_count, rim_count, equal_count;
} steps;

static void add_step(steps *s, double a, double b)
{
    if (a == 0 && b == 0) return;
    if (a == 0 || b == 0) {
        s->rim += fabs(a - b);
        s->rim_count++;
        return;
    }
    s->inside += fabs(a - b);
    s->inside_count++;
    s->equal_count += a == b;
}

static void add_steps(steps *s, const double *values, const int64_t n[3])
{
    const int64_t pixels = n[0] * n[1] * n[2];
    for (int64_t i = 0; i < pixels; i++) {
        if ((i + 1) % n[0]) add_step(s, values[i], values[i + 1]);
        if (i / n[0] % n[1] + 1 < n[1]) add_step(s, values[i], values[i + n[0]]);
        if (i + n[0] * n[1] < pixels) add_step(s, values[i], values[i + n[0] * n[1]]);
    }
}

/* Returns true if the zeros come from a mask: the map jumps to them by several times the difference of
 * other neighbours. Zeros of a map with flat parts are kept, because such a map was drawn, not measured. */
static bool is_masked(const steps *s)
{
    return s->rim_count && s->inside_count && 10 * s->equal_count < s->inside_count &&
           s->rim / (double)s->rim_count > 4 * s->inside / (double)s->inside_count;
}

/* Fills the zeros of a slice and counts them. A slice of zeros alone stays unchanged. */
static argand_status continue_slice(double *values, const int64_t n[3], int64_t *zeros)
{
    char *known;
    const int64_t pixels = n[0] * n[1] * n[2];
    int64_t free_pixels = 0;
    TRY(NEW(known, pixels));
    for (int64_t i = 0; i < pixels; i++) {
        known[i] = values[i] != 0;
        free_pixels += !known[i];
    }
    const bool some = free_pixels > 0 && free_pixels < pixels;
    const argand_status status = some ? field_continue(values, known, n, cpu_threads(0)) : ARGAND_OK;
    if (some) *zeros += free_pixels;
    memory_free(known);
    return status;
}

static argand_status replace(argand_sense *s, recon_map *m, const double *values, int64_t count)
{
    argand_array *flat, *shaped = NULL;
    const int64_t dims[5] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], m->vectors, m->slices};
    TRY(array_of_numbers(s, values, count, &flat));
    const argand_status status = argand_array_reshape(&shaped, flat, 5, dims);
    argand_array_destroy(flat);
    if (status != ARGAND_OK) return status;
    argand_array_destroy(m->array);
    m->array = shaped;
    return ARGAND_OK;
}

argand_status field_zeros_continue(argand_sense *s, recon_map *m)
{
    double *values = NULL;
    argand_status status;
    steps found = {0};
    int64_t zeros = 0;
    const int64_t *n = s->grid.n, pixels = n[0] * n[1] * n[2];
    if (!m->array || s->options.keep_field_zeros) return ARGAND_OK;
    TRY_OR_DONE(numbers_of_array(m->array, &values));
    for (int64_t i = 0; i < m->slices; i++) add_steps(&found, values + i * pixels, n);
    if (!is_masked(&found)) goto done;
    for (int64_t i = 0; i < m->slices; i++) TRY_OR_DONE(continue_slice(values + i * pixels, n, &zeros));
    TRY_OR_DONE(replace(s, m, values, pixels * m->slices));
    text_add(&s->notes,
             "The field map is 0 at %.3g %% of the pixels and jumps to them by %.3g Hz: these are taken as "
             "not measured and "
             "continued smoothly from the others (--keep-field-zeros takes them as they are).\n",
             100 * (double)zeros / (double)(pixels * m->slices),
             found.rim / (double)found.rim_count / (TWO_PI));
done:
    memory_free(values);
    return status;
}
