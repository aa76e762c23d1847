/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid motion between the shots, segments or repetitions of a scan: takes the samples near the centre of
 * k-space and coil maps of a session, and fits image and positions to them (calib/motion). Shots: if the
 * maps come from the moved samples, they are estimated again after each correction. Repetitions: each is
 * fitted together with the first. */
#include <complex.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "recon/samples/samples.h"

enum { MOST_COILS = 8, MOST_POSITIONS = 32, MOST_ROWS = 65536, MOST_ROUNDS = 6 };
static const double DEFAULT_CYCLES = 20, STILL = 0.05; /* mm or degrees */

static int64_t row_of(const argand_acquisition *a, argand_motion_counter by)
{
    const argand_counters *c = &a->counters;
    return by == ARGAND_MOTION_SHOTS ? c->shot : by == ARGAND_MOTION_SEGMENTS ? c->segment : c->repetition;
}

/* The scan's motion as positions in the order of time. */
typedef struct positions {
    const argand_scan *scan;
    const argand_motion_search *options;
    int64_t rows;        /* of the table */
    int32_t *of;         /* position of each row; -1: the scan has no such row */
    int64_t count, each; /* positions; rows that share one */
    argand_rigid *found; /* {count} */
} positions;

static argand_status positions_find(positions *p)
{
    const argand_scan *scan = p->scan;
    int64_t present = 0, next = 0;
    TRY(NEW(p->of, p->rows));
    for (int64_t i = 0; i < p->rows; i++) p->of[i] = -1;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < scan->acquisition_count; i++) {
            const argand_acquisition *a = &scan->acquisitions[i];
            const int64_t row = row_of(a, p->options->by);
            if (a->encoding != p->options->encoding) continue;
            CHECK(row < p->rows, ARGAND_ARGUMENT,
                  "%s: the motion has %lld rows, but acquisition %lld belongs to %lld", scan->path,
                  (long long)p->rows, (long long)a->row, (long long)row);
            if (p->of[row] >= 0) continue;
            p->of[row] = pass ? (int32_t)(next++ / p->each) : 0;
            present++;
        }
        if (pass) break;
        p->each = p->options->group;
        if (p->options->by == ARGAND_MOTION_REPETITIONS) p->each = 1;
        if (!p->each) p->each = (present + MOST_POSITIONS - 1) / MOST_POSITIONS;
        for (int64_t i = 0; i < p->rows; i++) p->of[i] = -1;
    }
    p->count = (next + p->each - 1) / p->each;
    CHECK(p->count >= 2, ARGAND_ARGUMENT,
          "%s: %lld position%s of the object: motion is found between two or more shots, segments or "
          "repetitions",
          scan->path, (long long)p->count, plural_s(p->count));
    return NEW(p->found, p->count);
}

static void positions_free(positions *p)
{
    memory_free(p->of);
    memory_free(p->found);
}

/* ---- samples of some volumes */

typedef struct chosen {
    int64_t count, most;
    double *k[3];
    int32_t *row;
    float *y; /* complex {count, channels}, channel by channel in blocks of `most` */
    int channels, rank;
    double fov[3];
} chosen;

static void chosen_free(chosen *c)
{
    for (int d = 0; d < 3; d++) memory_free(c->k[d]);
    memory_free(c->row);
    memory_free(c->y);
    *c = (chosen){0};
}

static double radius_of(const argand_sense *s, const argand_acquisition *a, int64_t i)
{
    double square = 0, longest = 0;
    for (int d = 0; d < s->grid.rank; d++) {
        longest = fmax(longest, s->grid.field_of_view[d]);
        square += pow(samples_position(s, a, d, i) / s->grid.field_of_view[d], 2);
    }
    return sqrt(square) * longest;
}

static argand_status chosen_reserve(chosen *c, const argand_sense *s, int64_t most)
{
    *c = (chosen){.most = most, .channels = s->channels, .rank = s->grid.rank};
    for (int d = 0; d < 3; d++) {
        c->fov[d] = s->grid.field_of_view[d];
        TRY(NEW(c->k[d], most));
    }
    TRY(NEW(c->row, most));
    return NEW(c->y, 2 * most * s->channels);
}

/* Counts the samples near the centre, or appends them. row: -1: of the positions. */
static int64_t choose(chosen *c, const argand_sense *s, const recon_volume *v, const positions *p,
                      int32_t row)
{
    const recon_choice choice = choice_of(s, v->rows, v->count);
    const double cycles = p->options->cycles > 0 ? p->options->cycles : DEFAULT_CYCLES;
    int64_t count = 0;
    for (int64_t q = 0; q < v->count; q++) {
        const argand_acquisition *a = v->rows[q].acquisition;
        if (v->rows[q].calibration) continue; /* the positions are those of image lines */
        for (int64_t i = 0; i < a->samples; i++) {
            if (!choice_takes(&choice, a, i) || radius_of(s, a, i) > cycles) continue;
            count++;
            if (!c) continue;
            for (int d = 0; d < s->grid.rank; d++) c->k[d][c->count] = samples_position(s, a, d, i);
            c->row[c->count] = row < 0 ? p->of[row_of(a, p->options->by)] : row;
            for (int channel = 0; channel < c->channels; channel++)
                memcpy(c->y + 2 * (c->count + c->most * channel), a->data + 2 * (i + a->samples * channel),
                       2 * sizeof *c->y);
            c->count++;
        }
    }
    return count;
}

static double energy_of(const argand_sense *s, const recon_volume *v, const positions *p)
{
    const double cycles = p->options->cycles > 0 ? p->options->cycles : DEFAULT_CYCLES;
    double sum = 0;
    for (int64_t q = 0; q < v->count; q++) {
        const argand_acquisition *a = v->rows[q].acquisition;
        for (int64_t i = 0; i < a->samples; i++)
            for (int64_t c = 0; c < a->channels && radius_of(s, a, i) <= cycles; c++) {
                const float *y = a->data + 2 * (i + a->samples * c);
                sum += (double)y[0] * (double)y[0] + (double)y[1] * (double)y[1];
            }
    }
    return sum;
}

/* ---- one fit */

/* Mixes channels to at most MOST_COILS virtual coils. */
static argand_status compress(argand_array **y, argand_array **maps, argand_device *host)
{
    argand_array *matrix = NULL, *mixed[2] = {NULL, NULL};
    argand_array **const both[2] = {y, maps};
    argand_status status;
    const int64_t points = argand_array_dim(*y, 0);
    if (argand_array_dim(*y, 1) <= MOST_COILS) return ARGAND_OK;
    TRY_OR_DONE(argand_coils_compress(&matrix, *y, &(argand_compress_options){.coils = MOST_COILS}, NULL));
    for (int i = 0; i < 2; i++) {
        int64_t dims[ARGAND_MAX_RANK] = {points, MOST_COILS};
        const int rank = argand_array_rank(*both[i]);
        for (int d = 0; d < rank; d++) dims[d] = d < rank - 1 ? argand_array_dim(*both[i], d) : MOST_COILS;
        TRY_OR_DONE(argand_array_create(&mixed[i], host, ARGAND_C32, rank, dims));
        TRY_OR_DONE(argand_coils_mix(mixed[i], matrix, *both[i]));
        argand_array_destroy(*both[i]);
        *both[i] = mixed[i];
        mixed[i] = NULL;
    }
done:
    argand_array_destroy(mixed[0]);
    argand_array_destroy(mixed[1]);
    argand_array_destroy(matrix);
    return status;
}

static argand_status copy_maps(argand_array **maps, argand_sense *s, int volume, argand_device *host)
{
    argand_array *own = NULL, *flat = NULL;
    argand_status status;
    int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], s->channels};
    if (s->grid.rank == 2) dims[2] = s->channels;
    TRY_OR_DONE(argand_sense_coil_maps(s, volume, &own));
    TRY_OR_DONE(argand_array_reshape(&flat, own, s->grid.rank + 1, dims));
    TRY_OR_DONE(argand_array_create(maps, host, ARGAND_C32, s->grid.rank + 1, dims));
    status = argand_array_copy(*maps, flat);
done:
    argand_array_destroy(flat);
    argand_array_destroy(own);
    return status;
}

/* Fits the motion of `rows` positions to the chosen samples. */
static argand_status fit(const chosen *c, argand_sense *s, int volume, argand_rigid *motion, int64_t rows,
                         bool use_start, const positions *p, argand_motion_report *report)
{
    argand_array *y = NULL, *maps = NULL, *k[3] = {NULL};
    argand_device *host = NULL;
    argand_motion_options o = {.cycles = p->options->cycles, .use_start = use_start};
    argand_status status;
    TRY_OR_DONE(argand_device_open(&host, "cpu"));
    TRY_OR_DONE(copy_maps(&maps, s, volume, host));
    TRY_OR_DONE(argand_array_create(&y, host, ARGAND_C32, 2, (int64_t[]){c->count, c->channels}));
    TRY_OR_DONE(argand_array_upload(y, c->y));
    for (int d = 0; d < c->rank; d++) {
        o.field_of_view[d] = c->fov[d];
        TRY_OR_DONE(argand_array_create(&k[d], host, ARGAND_R64, 1, &c->count));
        TRY_OR_DONE(argand_array_upload(k[d], c->k[d]));
    }
    TRY_OR_DONE(compress(&y, &maps, host));
    status = argand_motion_estimate(motion, rows, y, c->row, k, maps, &o, report);
done:
    for (int d = 0; d < 3; d++) argand_array_destroy(k[d]);
    argand_array_destroy(maps);
    argand_array_destroy(y);
    argand_device_close(host);
    return status;
}

/* Opens a session of the scan's own channels. */
static argand_status open_session(argand_sense **s, argand_device *device, const argand_scan *scan,
                                  const argand_motion_search *o)
{
    const argand_sense_options options = {.encoding = o->encoding,
                                          .transform = ARGAND_TRANSFORM_NUFFT,
                                          .toeplitz = ARGAND_TOEPLITZ_OFF,
                                          .as_received = true,
                                          .field_map_name = "",
                                          .iterations = 1,
                                          .coils = o->coils,
                                          .calibration = o->calibration,
                                          .coil_maps = o->coil_maps,
                                          .coil_maps_name = o->coil_maps_name};
    TRY(argand_sense_create(s, device, scan, &options));
    if ((*s)->bands == 1) return ARGAND_OK;
    argand_sense_destroy(*s);
    *s = NULL;
    return status_set(ARGAND_UNSUPPORTED, "%s: slices were excited together; their motion is not estimated",
                      scan->path);
}

/* Finds the slice with the most signal, among the volumes of the first contrast and repetition. */
static int strongest(const argand_sense *s, const positions *p)
{
    int best = 0;
    double most = -1;
    for (int v = 0; v < s->volume_count; v++) {
        const argand_counters *c = &s->volumes[v].counters, *first = &s->volumes[0].counters;
        if (c->contrast != first->contrast || c->repetition != first->repetition) continue;
        const double energy = energy_of(s, &s->volumes[v], p);
        if (energy > most) most = energy, best = v;
    }
    return best;
}

/* ---- shots and segments */

static argand_status fit_shots(positions *p, argand_sense *s, bool use_start, argand_motion_report *report)
{
    const int volume = strongest(s, p);
    const recon_volume *v = &s->volumes[volume];
    chosen c = {0};
    argand_status status;
    for (int other = 0; other < s->volume_count; other++) {
        const argand_counters *a = &s->volumes[other].counters, *b = &v->counters;
        CHECK(a->repetition == b->repetition && a->average == b->average && a->phase == b->phase &&
                  a->set == b->set,
              ARGAND_ARGUMENT,
              "%s: shots or segments have the same numbers in each repetition, average, phase or set, of "
              "which there are several: take the motion of repetitions",
              p->scan->path);
    }
    TRY_OR_DONE(chosen_reserve(&c, s, choose(NULL, s, v, p, -1)));
    choose(&c, s, v, p, -1);
    status = fit(&c, s, volume, p->found, p->count, use_start, p, report);
done:
    chosen_free(&c);
    return status;
}

/* Writes the rows of the table; returns the largest change. */
static double write_rows(const positions *p, argand_rigid *motion)
{
    double most = 0;
    for (int64_t i = 0; i < p->rows; i++) {
        const argand_rigid to = p->of[i] >= 0 ? p->found[p->of[i]] : (argand_rigid){{0}, {0}};
        for (int d = 0; d < 3; d++) {
            most = fmax(most, fabs(to.shift[d] - motion[i].shift[d]));
            most = fmax(most, fabs(to.rotation[d] - motion[i].rotation[d]));
        }
        motion[i] = to;
    }
    return most;
}

/* Estimates coil maps of the corrected scan, and the motion again. */
static argand_status fit_again(positions *p, argand_device *device, argand_rigid *motion, double *changed,
                               argand_motion_report *report)
{
    argand_scan *still;
    argand_sense *mapped = NULL, *s = NULL;
    argand_array *maps = NULL;
    argand_motion_search again = *p->options;
    argand_status status;
    TRY(argand_scan_still(&still, p->scan, again.encoding, again.by, p->rows, motion));
    TRY_OR_DONE(open_session(&mapped, device, still, &again));
    TRY_OR_DONE(argand_sense_coil_maps(mapped, strongest(mapped, p), &maps));
    again.coil_maps = maps;
    TRY_OR_DONE(open_session(&s, device, p->scan, &again));
    TRY_OR_DONE(fit_shots(p, s, true, report));
    *changed = write_rows(p, motion);
done:
    argand_array_destroy(maps);
    argand_sense_destroy(mapped);
    argand_sense_destroy(s);
    argand_scan_destroy(still);
    return status;
}

/* ---- repetitions */

/* Finds the volume of a position that shows what another volume shows; -1: there is none. */
static int volume_of(const argand_sense *s, const positions *p, int like, int64_t position)
{
    const argand_counters *b = &s->volumes[like].counters;
    for (int v = 0; v < s->volume_count; v++) {
        const argand_counters *a = &s->volumes[v].counters;
        if (p->of[a->repetition] == position && a->slice == b->slice && a->contrast == b->contrast &&
            a->average == b->average && a->phase == b->phase && a->set == b->set)
            return v;
    }
    return -1;
}

/* Residuals and evidence are those of the repetition with the most evidence: others may not have moved. */
static void join_reports(argand_motion_report *all, const argand_motion_report *one)
{
    if (one->evidence >= all->evidence) {
        all->before = one->before;
        all->after = one->after;
    }
    all->shift = fmax(all->shift, one->shift);
    all->rotation = fmax(all->rotation, one->rotation);
    all->shift_error = fmax(all->shift_error, one->shift_error);
    all->rotation_error = fmax(all->rotation_error, one->rotation_error);
    all->evidence = fmax(all->evidence, one->evidence);
    all->cycles = one->cycles;
}

static argand_status fit_repetitions(positions *p, argand_sense *s, argand_motion_report *report)
{
    const int reference = strongest(s, p);
    *report = (argand_motion_report){0};
    for (int64_t i = 1; i < p->count; i++) {
        const int volume = volume_of(s, p, reference, i);
        argand_rigid pair[2] = {{{0}, {0}}, p->found[i - 1]};
        argand_motion_report one;
        chosen c = {0};
        TRY(observe("estimating motion of repetitions", (double)i / (double)p->count));
        CHECK(volume >= 0, ARGAND_ARGUMENT, "%s: a repetition lacks slice %d, in which motion is estimated",
              p->scan->path, s->volumes[reference].counters.slice);
        const recon_volume *a = &s->volumes[reference], *b = &s->volumes[volume];
        argand_status status = chosen_reserve(&c, s, choose(NULL, s, a, p, 0) + choose(NULL, s, b, p, 1));
        if (!status) {
            choose(&c, s, a, p, 0);
            choose(&c, s, b, p, 1);
            status = fit(&c, s, reference, pair, 2, true, p, &one);
        }
        chosen_free(&c);
        if (status) return status;
        p->found[i] = pair[1];
        join_reports(report, &one);
    }
    return ARGAND_OK;
}

static argand_status run(positions *p, argand_device *device, argand_rigid *motion,
                         argand_motion_report *report)
{
    argand_sense *s;
    TRY(positions_find(p));
    TRY(open_session(&s, device, p->scan, p->options));
    const bool given = s->maps.coils.array || s->channels == 1;
    argand_status status = p->options->by == ARGAND_MOTION_REPETITIONS ? fit_repetitions(p, s, report)
                                                                       : fit_shots(p, s, false, report);
    argand_sense_destroy(s);
    if (!status) write_rows(p, motion);
    if (status || given || p->options->by == ARGAND_MOTION_REPETITIONS) return status;
    double changed = INFINITY;
    for (int round = 0; round < MOST_ROUNDS && changed > STILL; round++)
        TRY(fit_again(p, device, motion, &changed, report));
    return ARGAND_OK;
}

argand_status argand_scan_motion(argand_rigid *motion, int64_t rows, argand_device *device,
                                 const argand_scan *scan, const argand_motion_search *options,
                                 argand_motion_report *report)
{
    static const argand_motion_search defaults = {0};
    argand_motion_report ignored;
    positions p = {.scan = scan, .options = options ? options : &defaults, .rows = rows};
    CHECK(motion && device && scan, ARGAND_ARGUMENT, "argand_scan_motion: a pointer is NULL");
    CHECK(rows > 0 && rows <= MOST_ROWS, ARGAND_ARGUMENT, "argand_scan_motion: %lld rows: give 1 to 65536",
          (long long)rows);
    CHECK((unsigned)p.options->by <= ARGAND_MOTION_SEGMENTS && p.options->group >= 0 &&
              p.options->encoding >= 0 && p.options->encoding < scan->encoding_count,
          ARGAND_ARGUMENT, "argand_scan_motion: counter %d, group of %d, encoding %d", (int)p.options->by,
          p.options->group, p.options->encoding);
    const argand_status status = run(&p, device, motion, report ? report : &ignored);
    positions_free(&p);
    return status;
}
