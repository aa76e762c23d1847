/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what volumes share, from the scan alone, so that the image of a volume does not depend on the volumes
 * that a session ran before: units that are solved together, the leader whose samples prepare the model, and
 * the leader whose model serves to measure the noise spectrum. prepare() in sense.c calls this when a session
 * is made. */
#include "recon/samples/samples.h"

#include <math.h>
#include "base/memory.h"

/* Largest relative difference of mean diagonals for which leaders share a noise spectrum. */
static const double NEARLY = 0.1;

/* ---- units */

static bool same_but_repetition(const argand_counters *a, const argand_counters *b)
{
    return a->slice == b->slice && a->average == b->average && a->contrast == b->contrast &&
           a->phase == b->phase && a->set == b->set;
}

static bool solved_together(const argand_sense *s, const recon_volume *a, const recon_volume *b)
{
    if (s->options.joint && !s->time_counter) return same_but_repetition(&a->counters, &b->counters);
    return a->rows == b->rows;
}

/* Numbers the units by their first volumes. Without joint repetitions, a unit's volumes follow each other. */
static void number_units(argand_sense *s)
{
    s->unit_count = 0;
    for (int v = 0; v < s->volume_count; v++) {
        int other = v - 1;
        const int last = s->options.joint || !v ? 0 : v - 1;
        while (other >= last && !solved_together(s, &s->volumes[other], &s->volumes[v])) other--;
        s->volumes[v].unit = other >= last ? s->volumes[other].unit : s->unit_count++;
        s->volumes[v].leader = other >= last ? s->volumes[other].leader : v;
        s->volumes[v].noise = s->volumes[v].leader;
    }
}

/* Lists the volumes of the units, whose places are counted first. */
static argand_status find_units(argand_sense *s)
{
    int *place;
    number_units(s);
    TRY(NEW(s->units, (int64_t)s->volume_count + s->unit_count + 1));
    TRY(NEW(place, s->unit_count));
    int *const first = s->units + s->volume_count;
    for (int v = 0; v < s->volume_count; v++) first[s->volumes[v].unit + 1]++;
    for (int unit = 0; unit < s->unit_count; unit++) place[unit] = first[unit + 1] += first[unit];
    for (int v = s->volume_count - 1; v >= 0; v--) s->units[--place[s->volumes[v].unit]] = v;
    memory_free(place);
    return ARGAND_OK;
}

/* ---- the same positions */

/* A place among the samples in use of a volume. */
typedef struct place {
    const recon_volume *volume;
    recon_choice choice;
    int64_t row, at, map; /* next sample; phase map of the shot before */
} place;

/* The next sample in use. */
typedef struct position {
    const argand_acquisition *acquisition;
    int64_t at, number; /* number among all samples of the volume, in the file's order */
    bool starts;        /* begins a shot */
} position;

static place place_of(const argand_sense *s, const recon_volume *v)
{
    return (place){.volume = v, .choice = choice_of(s, v->rows, v->count), .map = -1};
}

/* Finds the next sample in use. Returns false at the end. */
static bool next_of(place *p, position *found)
{
    const recon_volume *v = p->volume;
    for (; p->row < v->count; p->row++, p->at = 0) {
        const recon_row *row = &v->rows[p->row];
        for (; p->at < row->acquisition->samples; p->at++) {
            if (!choice_takes(&p->choice, row->acquisition, p->at)) continue;
            *found = (position){row->acquisition, p->at, row->offset + p->at, row->map != p->map};
            p->map = row->map;
            p->at++;
            return true;
        }
    }
    return false;
}

static bool equal_at(const argand_sense *s, const position *a, const position *b)
{
    for (int axis = 0; axis < 3; axis++) {
        const double x = samples_position(s, a->acquisition, axis, a->at),
                     y = samples_position(s, b->acquisition, axis, b->at);
        if (s->options.type == ARGAND_C64 ? x != y : (float)x != (float)y) return false;
    }
    return a->acquisition->t[a->at] == b->acquisition->t[b->at] && a->starts == b->starts &&
           (!s->terms || a->number == b->number);
}

/* Compares the positions of all samples in use. */
static bool equal_one_by_one(const argand_sense *s, const recon_volume *a, const recon_volume *b)
{
    place p = place_of(s, a), q = place_of(s, b);
    position x = {0}, y = {0};
    for (;;) {
        const bool more = next_of(&p, &x);
        if (more != next_of(&q, &y)) return false;
        if (!more) return true;
        if (!equal_at(s, &x, &y)) return false;
    }
}

static bool same_floats(const float *a, const float *b, int64_t count)
{
    return a == b || (a && b && !memcmp(a, b, (size_t)count * sizeof *a));
}

/* Returns true if all acquisitions have the same positions, bit for bit: the usual case. */
static bool rows_are_same(const recon_volume *a, const recon_volume *b)
{
    if (a->count != b->count) return false;
    for (int64_t q = 0; q < a->count; q++) {
        const argand_acquisition *x = a->rows[q].acquisition, *y = b->rows[q].acquisition;
        if (x->samples != y->samples || x->encoding != y->encoding) return false;
        if (q && (a->rows[q].map == a->rows[q - 1].map) != (b->rows[q].map == b->rows[q - 1].map))
            return false;
        for (int axis = 0; axis < 3; axis++)
            if (!same_floats(x->k[axis], y->k[axis], x->samples)) return false;
        if (!same_floats(x->t, y->t, x->samples)) return false;
    }
    return true;
}

static bool same_positions(const argand_sense *s, const recon_volume *a, const recon_volume *b)
{
    if (a->rows == b->rows) return true;
    const bool all = !s->zeros.points && !s->zeros.samples;
    return (all && rows_are_same(a, b)) || equal_one_by_one(s, a, b);
}

/* ---- leaders */

/* Computes the energy of given coil maps of each slice; NULL: the maps are estimated, 1, or the same for all
 * slices. */
static argand_status energies_of_maps(const argand_sense *s, double **energies)
{
    *energies = NULL;
    if (!s->maps.coils.array || s->maps.coils.slices < 2) return ARGAND_OK;
    TRY(NEW(*energies, s->slices));
    for (int slice = 0; slice < s->slices; slice++) {
        argand_array *maps;
        TRY(map_of_slice(s, &s->maps.coils, slice, &maps));
        const argand_status status = argand_array_norm(&(*energies)[slice], maps);
        argand_array_destroy(maps);
        TRY(status);
        (*energies)[slice] *= (*energies)[slice];
    }
    return ARGAND_OK;
}

/* Returns the energy of the maps of all slices of a volume's acquisitions. */
static double energy_of(const argand_sense *s, const double *energies, const recon_volume *v)
{
    const int groups = s->slices / s->bands, group = v->rows[0].acquisition->counters.slice;
    double energy = 0;
    for (int band = 0; band < s->bands; band++) energy += energies ? energies[group + band * groups] : 1;
    return energy;
}

/* Returns true if volume v may use the noise spectrum of volume `of`, where both have the same positions.
 * Their operators then differ by coil maps only. Estimated maps would have to be estimated first. */
static bool shares_noise(const argand_sense *s, const double *energies, const recon_volume *of,
                         const recon_volume *v)
{
    if (!s->maps.coils.array && s->coils > 1) return false;
    return fabs(energy_of(s, energies, of) / energy_of(s, energies, v) - 1) <= NEARLY;
}

static bool is_empty(const recon_volume *v)
{
    return zeros_are_all(v->rows, v->count);
}

/* Returns true if slice and positions alone make the model of a volume: coil maps are given or come from
 * separate calibration data, and nothing else is estimated from the volume's samples. */
static bool is_of_slice(const argand_sense *s)
{
    const bool given = s->bands > 1 || s->maps.coils.array || s->coils == 1;
    return given && !s->term_count && !(s->options.spirit > 0) && s->options.phases == ARGAND_PHASES_NONE &&
           s->options.density != ARGAND_DENSITY_FILE;
}

static bool same_slice(const recon_volume *a, const recon_volume *b)
{
    return a->rows[0].acquisition->counters.slice == b->rows[0].acquisition->counters.slice;
}

/* Lets volume v follow `last`, the last volume of its slice that is not empty, if they have the same
 * positions. Returns false if they have not. */
static bool follow_slice(argand_sense *s, const recon_volume *last, const recon_volume *before,
                         recon_volume *v)
{
    if (!last || !same_positions(s, last, v)) return false;
    v->leader = last->leader;
    v->noise = last->noise;
    s->returns = s->returns || before->leader != v->leader;
    return true;
}

/* Lets volume v follow `before`, the last volume that is not empty, if they have the same positions. */
static void follow(const argand_sense *s, const double *energies, const recon_volume *before, recon_volume *v)
{
    if (!same_positions(s, before, v)) return;
    if (same_slice(before, v)) v->leader = before->leader;
    v->noise = shares_noise(s, energies, &s->volumes[before->noise], v) ? before->noise : v->leader;
}

argand_status order_find(argand_sense *s)
{
    double *energies = NULL;
    const recon_volume *before = NULL, **last = NULL;
    argand_status status;
    s->returns = false;
    TRY(find_units(s));
    /* later scans keep what the session has; repetitions that are solved together are prepared together */
    if (s->continued || s->options.joint) return ARGAND_OK;
    TRY_OR_DONE(energies_of_maps(s, &energies));
    TRY_OR_DONE(NEW(last, s->slices));
    for (int i = 0; i < s->volume_count; i++) {
        recon_volume *v = &s->volumes[i];
        const recon_volume **of = &last[v->rows[0].acquisition->counters.slice];
        if (!is_of_slice(s) || !follow_slice(s, *of, before, v))
            if (before) follow(s, energies, before, v);
        if (!is_empty(v)) before = *of = v; /* empty volumes follow, but do not lead */
    }
done:
    memory_free(last);
    memory_free(energies);
    return status;
}
