/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes maps from correlations: the operator's matrix for each row of pixels, its eigenvectors, their
 * phases, and the crop by eigenvalue. */
#include "calib/espirit/espirit.h"

#include "base/observe.h"
#include <math.h>
#include <omp.h>
#include "mri/host.h"

static int64_t (*const find_maps[2][CPU_LEVELS])(const espirit_row *) = CPU_VARIANTS(espirit_maps);
static void (*const count_above[2][CPU_LEVELS])(const espirit_row *, double,
                                                int64_t *) = CPU_VARIANTS(espirit_count);
static void (*const contract[2][CPU_LEVELS])(const double *, int64_t, const double *, int64_t, int64_t,
                                             double *) = CPU_VARIANTS(espirit_contract);

/* Makes cosines and sines for each pixel of a row: REAL {n padded, terms}, with zeros in the padding. */
static argand_status make_waves(const espirit_image *p, int64_t terms, void **waves)
{
    const int64_t padded = espirit_padded(p->n[0]);
    double *one = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(one, terms));
    TRY_OR_DONE(memory_new(waves, (size_t)(terms * padded), p->is_double ? sizeof(double) : sizeof(float)));
    for (int64_t x = 0; x < p->n[0]; x++) {
        espirit_waves(terms, pixel_centre(x, p->n[0]), one);
        for (int64_t t = 0; t < terms; t++)
            if (p->is_double)
                ((double *)*waves)[t * padded + x] = one[t];
            else
                ((float *)*waves)[t * padded + x] = (float)one[t];
    }
done:
    memory_free(one);
    return status;
}

/* ---- a row */

static int64_t row_numbers(const espirit_polynomials *f)
{
    return 2 * f->items * f->terms[0];
}

static int64_t most_terms(const espirit_image *p)
{
    int64_t most = 0;
    for (int f = 0; f < 2; f++)
        for (int axis = 0; axis < 3; axis++)
            if (p->fields[f].terms[axis] > most) most = p->fields[f].terms[axis];
    return most;
}

/* Returns the doubles of scratch for each worker: waves; a field's row and the same as REALs; blocks. */
static int64_t row_scratch(const espirit_image *p)
{
    return most_terms(p) + 2 * (row_numbers(&p->fields[0]) + row_numbers(&p->fields[1])) +
           espirit_scratch(p->task->coils, p->sets) + 64;
}

/* Sums field f along y. Returns the coefficients along the row in the precision of the maps. */
static void *make_row(const espirit_image *p, int f, int64_t y, double *waves, double *sums)
{
    const espirit_polynomials *field = &p->fields[f];
    const int64_t count = row_numbers(field);
    espirit_waves(field->terms[1], pixel_centre(y, p->n[1]), waves);
    contract[1][cpu_best()](p->planes[f], count, waves, field->terms[1], count, sums);
    if (p->is_double) return sums;
    float *narrow = (float *)(sums + count);
    for (int64_t i = 0; i < count; i++) narrow[i] = (float)sums[i];
    return narrow;
}

/* Prepares the data of a row of pixels. */
static espirit_row set_row(const espirit_image *p, int64_t y, int64_t z, double *scratch)
{
    const espirit_task *e = p->task;
    const int64_t at = (z * p->n[1] + y) * p->n[0], pixels = p->n[0] * p->n[1] * p->n[2];
    double *first = scratch + most_terms(p), *second = first + 2 * row_numbers(&p->fields[0]),
           *rest = second + 2 * row_numbers(&p->fields[1]);
    while ((uintptr_t)rest % 64) rest++;
    return (espirit_row){.coils = e->coils,
                         .sets = p->sets,
                         .count = p->n[0],
                         .pixels = pixels,
                         .matrix_terms = p->fields[0].terms[0],
                         .image_terms = p->fields[1].terms[0],
                         .matrix = make_row(p, 0, y, scratch, first),
                         .image = make_row(p, 1, y, scratch, second),
                         .matrix_waves = p->waves[0],
                         .image_waves = p->waves[1],
                         .crop = p->crop,
                         .lowest = espirit_lowest(p),
                         .soft = p->options->soft,
                         .reference = p->reference,
                         .starts = p->starts,
                         .scratch = rest,
                         .maps = (char *)p->maps + 2 * at * (p->is_double ? 8 : 4),
                         .values = p->values ? p->values + at : NULL};
}

static bool is_looked_at(const espirit_image *p, int64_t y, int64_t z)
{
    int64_t step[2];
    espirit_looks(p, step);
    return step[0] > 0 && y % step[0] == step[0] / 2 && z % step[1] == step[1] / 2;
}

/* Sums the fields along z. */
static void make_plane(espirit_image *p, int64_t z, int workers, double *waves)
{
    for (int f = 0; f < 2; f++) {
        const espirit_polynomials *field = &p->fields[f];
        const int64_t line = row_numbers(field), plane = line * field->terms[1];
        espirit_waves(field->terms[2], pixel_centre(z, p->n[2]), waves);
#pragma omp parallel for schedule(static) num_threads(workers)
        for (int64_t part = 0; part < field->terms[1]; part++)
            contract[1][cpu_best()](field->coefficients + part * line, plane, waves, field->terms[2], line,
                                    p->planes[f] + part * line);
    }
}

/* Finds the maps of plane z; adds to the counts. one: doubles of scratch for each worker. */
static void find_plane(espirit_image *p, int64_t z, int workers, double *scratch, int64_t one,
                       atomic_bool *cancelled)
{
    const double crop = espirit_test_crop(p);
    int64_t kept = 0, covered = 0, folded = 0;
#pragma omp parallel for schedule(dynamic) num_threads(workers) reduction(+ : kept, covered, folded)
    for (int64_t y = 0; y < p->n[1]; y++) {
        int64_t above[2] = {0, 0};
        if (observe_within(cancelled)) continue;
        const espirit_row row = set_row(p, y, z, scratch + omp_get_thread_num() * one);
        kept += find_maps[p->is_double][cpu_best()](&row);
        if (is_looked_at(p, y, z)) count_above[p->is_double][cpu_best()](&row, crop, above);
        covered += above[0];
        folded += above[1];
    }
    p->kept += kept;
    p->covered += covered;
    p->folded += folded;
}

static argand_status find_planes(espirit_image *p, int workers)
{
    const int64_t one = (row_scratch(p) + 7) / 8 * 8;
    double *scratch = NULL;
    atomic_bool cancelled = false;
    argand_status status;
    TRY_OR_DONE(NEW(scratch, workers * one));
    for (int64_t z = 0; z < p->n[2]; z++) {
        TRY_OR_DONE(observe("estimating coil maps", (double)z / (double)p->n[2]));
        make_plane(p, z, workers, scratch);
        find_plane(p, z, workers, scratch, one, &cancelled);
    }
    status = observe_end(&cancelled);
done:
    memory_free(scratch);
    return status;
}

/* Sets vectors that are unlikely to be orthogonal to any map. */
static argand_status make_starts(espirit_image *p)
{
    const int64_t coils = p->task->coils;
    TRY(NEW(p->starts, 2 * coils * p->sets));
    for (int64_t i = 0; i < coils * p->sets; i++) {
        const int64_t c = i % coils, s = i / coils;
        const double angle = 2.399963 * (double)((c + 1) * (s + 1)) + 0.7 * (double)(c * c);
        p->starts[2 * i] = cos(angle);
        p->starts[2 * i + 1] = sin(angle);
    }
    return ARGAND_OK;
}

argand_status espirit_fields(espirit_image *p)
{
    const espirit_task *e = p->task;
    TRY(make_starts(p));
    TRY(espirit_polynomials_make(&p->fields[0], e->correlations, e->lags, e->pairs));
    return espirit_polynomials_make(&p->fields[1], e->data, e->region, e->coils);
}

void espirit_fields_free(espirit_image *p)
{
    for (int f = 0; f < 2; f++) memory_free(p->fields[f].coefficients);
    memory_free(p->starts);
}

argand_status espirit_pixels(espirit_image *p)
{
    const espirit_task *e = p->task;
    argand_status status;
    p->kept = p->covered = p->folded = 0;
    for (int f = 0; f < 2; f++) {
        TRY_OR_DONE(make_waves(p, p->fields[f].terms[0], &p->waves[f]));
        TRY_OR_DONE(NEW(p->planes[f], row_numbers(&p->fields[f]) * p->fields[f].terms[1]));
    }
    status = find_planes(p, e->threads < p->n[1] ? e->threads : (int)p->n[1]);
done:
    for (int f = 0; f < 2; f++) {
        memory_free(p->planes[f]);
        memory_free(p->waves[f]);
        p->planes[f] = NULL;
        p->waves[f] = NULL;
    }
    return status;
}
