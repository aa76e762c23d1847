/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid motion between shots or repetitions, estimated from their samples: Gauss-Newton steps for an image
 * and the positions together (joint.c), first with the samples nearest to the centre of k-space, where some
 * millimetres are a small phase, then with more. Called by sessions (recon/motion). */
#include "calib/motion/motion.h"

#include <math.h>
#include <string.h>
#include "base/observe.h"
#include "mri/host.h"

enum {
    LEVELS = 4,
    FINEST = 2,
    ROUNDS = 8,
    IMAGE_STEPS = 15,
    JOINT_STEPS = 20,
    POLISH_STEPS = 5,
    MEASURE_STEPS = 30,
    HALVINGS = 4
};
static const double DEFAULT_CYCLES = 20, FIRST_CYCLES = 6, STILL = 0.005 /* mm or degrees */, FLAT = 1e-4;

typedef struct estimate {
    motion_source from;
    argand_rigid *motion; /* the caller's */
    argand_rigid *trial, *change;
    double complex *dx;
    double *deviation;
} estimate;

static argand_status check_rows(const int32_t *row, int64_t points, int64_t rows)
{
    for (int64_t j = 0; j < points; j++)
        CHECK(row[j] >= 0 && row[j] < rows, ARGAND_ARGUMENT, "motion: sample %lld has row %d of %lld rows",
              (long long)j, row[j], (long long)rows);
    return ARGAND_OK;
}

static argand_status check(const argand_array *samples, argand_array *const k[], const argand_array *maps,
                           const argand_motion_options *o, motion_source *from)
{
    const int rank = argand_array_rank(maps) - 1;
    int64_t coils;
    CHECK(rank == 2 || rank == 3, ARGAND_ARGUMENT, "motion: coil maps have %d dimensions: give 3 or 4",
          rank + 1);
    TRY(calib_coil_shape(maps, "motion: coil maps", from->n, &coils));
    TRY(calib_rows(samples, "motion: samples", &from->points, &from->coils));
    CHECK(coils == from->coils, ARGAND_ARGUMENT, "motion: samples of %lld coils, maps of %lld",
          (long long)from->coils, (long long)coils);
    CHECK(from->points > 1, ARGAND_ARGUMENT, "motion: one sample cannot tell a motion");
    from->rank = rank;
    for (int d = 0; d < rank; d++) {
        from->fov[d] = o->field_of_view[d];
        CHECK(from->fov[d] > 0 && from->fov[d] < 1e6, ARGAND_ARGUMENT,
              "motion: a field of view of %g mm along %c", from->fov[d], "xyz"[d]);
        CHECK(k[d] && argand_array_count(k[d]) == from->points, ARGAND_ARGUMENT,
              "motion: positions along %c are not as many as samples", "xyz"[d]);
    }
    CHECK(o->cycles >= 0 && o->cycles < 1e4, ARGAND_ARGUMENT,
          "motion: samples within %g cycles per field of view: give a number below 10000; 0: 20", o->cycles);
    TRY(calib_check_finite(samples, "motion: samples"));
    return calib_check_finite(maps, "motion: coil maps");
}

static double energy_of(const motion_level *l)
{
    double sum = 0;
    for (int64_t c = 0; c < l->coils; c++)
        for (int64_t j = 0; j < l->points; j++) sum += l->w[j] * pow(cabs(l->y[j + l->points * c]), 2);
    return sum;
}

/* Adds a part of the change. */
static void move(const estimate *e, double step)
{
    for (int64_t i = 0; i < e->from.rows; i++)
        for (int d = 0; d < 3; d++) {
            e->trial[i].shift[d] = e->motion[i].shift[d] + step * e->change[i].shift[d];
            e->trial[i].rotation[d] = e->motion[i].rotation[d] + step * e->change[i].rotation[d];
        }
}

static double largest_change(const estimate *e, double step)
{
    double most = 0;
    for (int64_t i = 0; i < e->from.rows; i++)
        for (int d = 0; d < 3; d++)
            most = fmax(most, step * fmax(fabs(e->change[i].shift[d]), fabs(e->change[i].rotation[d])));
    return most;
}

/* Takes the longest part of the step that lowers the objective. *gain: relative; 0 if there is none. */
static argand_status advance(estimate *e, motion_level *l, motion_fit *f, double *gain, double *moved)
{
    motion_fit next;
    TRY(fit_begin(&next, l));
    argand_status status = ARGAND_OK;
    double step = 1;
    *gain = *moved = 0;
    for (int halving = 0; halving < HALVINGS && !status && *gain == 0; halving++, step /= 2) {
        move(e, step);
        status = level_place(l, e->trial);
        for (int64_t i = 0; i < l->pixels; i++) next.x[i] = f->x[i] + step * e->dx[i];
        if (!status) status = fit_image(&next, POLISH_STEPS);
        if (status || !(next.objective < f->objective)) continue;
        *gain = 1 - next.objective / f->objective;
        *moved = largest_change(e, step);
        memcpy(e->motion, e->trial, (size_t)l->rows * sizeof *e->motion);
        const motion_fit old = *f;
        *f = next;
        next = old;
    }
    if (!status && *gain == 0) status = level_place(l, e->motion);
    fit_free(&next);
    return status;
}

static argand_status run_rounds(estimate *e, motion_level *l, motion_fit *f)
{
    for (int round = 0; round < ROUNDS; round++) {
        double gain, moved;
        TRY(fit_step(f, e->motion, JOINT_STEPS, e->dx, e->change, e->deviation));
        TRY(advance(e, l, f, &gain, &moved));
        if (moved < STILL || gain < FLAT) break;
    }
    return ARGAND_OK;
}

/* Measures the residual of a motion, with an image of as many steps for each motion. */
static argand_status measure(motion_level *l, const argand_rigid *motion, double energy, double *residual)
{
    motion_fit f;
    TRY(fit_begin(&f, l));
    argand_status status = level_place(l, motion);
    if (!status) status = fit_image(&f, MEASURE_STEPS);
    *residual = energy > 0 ? sqrt(f.objective / energy) : 0;
    fit_free(&f);
    return status;
}

/* Gives rows without samples the position between those of the nearest rows with samples. */
static void fill_between(const estimate *e, const motion_level *l)
{
    for (int64_t i = 1, before = 0; i < l->rows; i++) {
        if (l->filled[i]) before = i;
        int64_t after = i;
        while (after < l->rows && !l->filled[after]) after++;
        if (l->filled[i]) continue;
        const double part = after < l->rows ? (double)(i - before) / (double)(after - before) : 0;
        const argand_rigid *a = &e->motion[before], *b = &e->motion[after < l->rows ? after : before];
        for (int d = 0; d < 3; d++) {
            e->motion[i].shift[d] = (1 - part) * a->shift[d] + part * b->shift[d];
            e->motion[i].rotation[d] = (1 - part) * a->rotation[d] + part * b->rotation[d];
        }
    }
}

/* The F statistic of the motion: how much one of its numbers lowers the squared residual, relative to what it
 * would in noise. */
static double evidence_of(const motion_level *l, const argand_motion_report *r)
{
    const double numbers = (double)((l->rows - 1) * l->params), data = 2 * (double)(l->points * l->coils);
    return r->after > 0 ? (r->before * r->before / (r->after * r->after) - 1) * data / numbers : INFINITY;
}

static argand_status run_level(estimate *e, double cycles, bool last, argand_motion_report *report)
{
    motion_level l;
    motion_fit f = {0};
    argand_status status;
    TRY(level_make(&l, &e->from, cycles));
    const double energy = energy_of(&l);
    TRY_OR_DONE(NEW(e->dx, l.pixels));
    TRY_OR_DONE(NEW(e->deviation, l.rows * l.params));
    memset(e->trial, 0, (size_t)l.rows * sizeof *e->trial);
    if (last) TRY_OR_DONE(measure(&l, e->trial, energy, &report->before));
    TRY_OR_DONE(fit_begin(&f, &l));
    TRY_OR_DONE(level_place(&l, e->motion));
    TRY_OR_DONE(fit_image(&f, IMAGE_STEPS));
    TRY_OR_DONE(run_rounds(e, &l, &f));
    if (last) TRY_OR_DONE(measure(&l, e->motion, energy, &report->after));
    if (last) report->evidence = evidence_of(&l, report);
    report->cycles = cycles;
    report->shift_error = report->rotation_error = 0;
    for (int64_t i = l.params; i < l.rows * l.params; i++) {
        double *error = i % l.params < l.rank ? &report->shift_error : &report->rotation_error;
        if (l.filled[i / l.params]) *error = fmax(*error, e->deviation[i]);
    }
    report->undetermined = 0;
    for (int64_t i = 0; i < l.rows; i++) report->undetermined += !l.filled[i];
    fill_between(e, &l);
done:
    memory_free(e->dx);
    memory_free(e->deviation);
    e->dx = NULL;
    e->deviation = NULL;
    fit_free(&f);
    level_free(&l);
    return status;
}

static double reach_of(const motion_source *from)
{
    double longest = 0, most = 0;
    for (int d = 0; d < from->rank; d++) longest = fmax(longest, from->fov[d]);
    for (int64_t j = 0; j < from->points; j++) {
        double square = 0;
        for (int d = 0; d < from->rank; d++) square += pow(from->k[d][j] / from->fov[d] * longest, 2);
        most = fmax(most, square);
    }
    return sqrt(most);
}

static argand_status run(estimate *e, const argand_motion_options *o, argand_motion_report *report)
{
    const double last = fmin(o->cycles > 0 ? o->cycles : DEFAULT_CYCLES, reach_of(&e->from)),
                 first = fmin(FIRST_CYCLES, last);
    CHECK(last > 0, ARGAND_ARGUMENT,
          "motion: all samples in use are at the centre of k-space: give more cycles");
    TRY(NEW(e->trial, e->from.rows));
    TRY(NEW(e->change, e->from.rows));
    for (int level = o->use_start ? LEVELS - FINEST : 0; level < LEVELS; level++) {
        TRY(observe("estimating motion", (double)level / LEVELS));
        const double cycles = first * pow(last / first, (double)level / (LEVELS - 1));
        TRY(run_level(e, cycles, level == LEVELS - 1, report));
    }
    for (int64_t i = 0; i < e->from.rows; i++) {
        const double *t = e->motion[i].shift;
        report->shift = fmax(report->shift, sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]));
        for (int d = 0; d < 3; d++) report->rotation = fmax(report->rotation, fabs(e->motion[i].rotation[d]));
    }
    return ARGAND_OK;
}

argand_status argand_motion_estimate(argand_rigid *motion, int64_t rows, const argand_array *samples,
                                     const int32_t *row, argand_array *const k[], const argand_array *maps,
                                     const argand_motion_options *options, argand_motion_report *report)
{
    argand_motion_report ignored;
    estimate e = {.motion = motion, .from = {.rows = rows, .row = row}};
    double *y = NULL, *s = NULL;
    argand_status status;
    CHECK(motion && samples && row && k && maps && options, ARGAND_ARGUMENT, "motion: a pointer is NULL");
    CHECK(rows >= 2, ARGAND_ARGUMENT, "motion: %lld rows; at least 2 shots or repetitions can differ",
          (long long)rows);
    TRY(check(samples, k, maps, options, &e.from));
    TRY(check_rows(row, e.from.points, rows));
    if (!report) report = &ignored;
    *report = (argand_motion_report){0};
    TRY_OR_DONE(host_read(&y, samples));
    TRY_OR_DONE(host_read(&s, maps));
    for (int d = 0; d < e.from.rank; d++) TRY_OR_DONE(host_read(&e.from.k[d], k[d]));
    e.from.y = (const double complex *)y;
    e.from.maps = (const double complex *)s;
    if (!options->use_start) memset(motion, 0, (size_t)rows * sizeof *motion);
    status = run(&e, options, report);
done:
    memory_free(e.trial);
    memory_free(e.change);
    for (int d = 0; d < 3; d++) memory_free(e.from.k[d]);
    memory_free(s);
    memory_free(y);
    return status;
}
