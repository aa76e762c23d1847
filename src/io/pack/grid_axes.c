/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the axes of a grid without a trajectory by their order, and compares this with the data. If the
 * data contradict and allow only one other order, that order is used. Otherwise the user is asked before
 * time is spent. */
#include <string.h>
#include "io/pack/pack.h"

enum { MOST_COILS = 64, LONGEST_TO_SHORTEST = 8 };

typedef struct grid {
    pack_array *a;
    int k[3], k_count, coil; /* axes by their order; coil -1: there is none */
    pack_energy energy[ARGAND_MAX_RANK];
    double most; /* largest `middle` of `energy` */
    bool says_anything;
    bool slices; /* the axis of partitions looks like slices */
} grid;

/* Assumes the order {nx, ny, coils} or {nx, ny, nz, coils, repetitions}. */
static grid by_order(pack_array *a)
{
    grid g = {.a = a, .coil = -1};
    for (int i = 0; i < a->rank && i < (a->rank > 3 ? 3 : 2); i++) g.k[g.k_count++] = i;
    if (a->rank > g.k_count) g.coil = g.k_count;
    return g;
}

static argand_status look(grid *g)
{
    for (int i = 0; i < g->a->rank; i++) {
        TRY(pack_energy_of(&g->energy[i], g->a, i));
        if (g->energy[i].middle > g->most) g->most = g->energy[i].middle;
        if (i != g->coil && pack_energy_says_anything(&g->energy[i])) g->says_anything = true;
    }
    return ARGAND_OK;
}

static argand_status give_names(grid *g)
{
    static const pack_axis order[] = {AXIS_SAMPLE, AXIS_SHOT, AXIS_PARTITION};
    for (int i = 0; i < g->k_count; i++) TRY(pack_axis_set(g->a, g->k[i], order[i]));
    if (g->coil >= 0) TRY(pack_axis_set(g->a, g->coil, AXIS_COIL));
    return pack_axes_rest(g->a, g->k_count + (g->coil >= 0));
}

static argand_status ask(grid *g, const char *why)
{
    char taken[256], names[256];
    TRY(give_names(g));
    pack_axes_text(taken, sizeof taken, g->a);
    if (g->slices) g->a->kinds[g->k[2]] = AXIS_SLICE; /* what the list proposes */
    pack_axes_list(names, sizeof names, g->a);
    return status_set(ARGAND_ARGUMENT,
                      "%s: by default its axes are %s, but %s. If the samples lie on spokes, "
                      "spirals or other curves, give a trajectory (--trajectory). Otherwise name the axes in "
                      "the file's order in argand_pack_array.axes (--axes %s; other names: slice, "
                      "repetition, contrast, average, set, 1)",
                      g->a->title, taken, why, names);
}

/* Returns the only axis that does not belong to k-space, if two or three others clearly do; else -1. */
static int only_flat_axis(const grid *g)
{
    int flat = -1, peaked = 0;
    for (int i = 0; i < g->a->rank; i++) {
        if (g->a->dims[i] == 1) continue;
        if (pack_energy_is_peaked(&g->energy[i]) && !pack_energy_is_flat(&g->energy[i], g->most))
            peaked++;
        else if (flat >= 0)
            return -1;
        else
            flat = i;
    }
    return peaked == 2 || peaked == 3 ? flat : -1;
}

static bool all_at_ends(const grid *g)
{
    bool all = true;
    for (int i = 0; i < g->k_count; i++) {
        const pack_energy *e = &g->energy[g->k[i]];
        all &= e->short_axis || (e->at_ends >= 3 && e->at_ends > 3 * e->middle && e->falls);
    }
    return all;
}

/* Judges an order by lengths alone: there must be fewer coils than lines, and the image must not be a
 * strip. */
static bool is_plausible(const grid *g)
{
    int64_t least = INT64_MAX, most = 1;
    for (int i = 0; i < g->k_count; i++) {
        const int64_t n = g->a->dims[g->k[i]];
        if (n > 1 && n < least) least = n;
        if (n > most) most = n;
    }
    if (g->coil < 0 || g->a->dims[g->coil] == 1) return most <= LONGEST_TO_SHORTEST * least;
    return g->a->dims[g->coil] <= MOST_COILS && g->a->dims[g->coil] <= least;
}

/* Decides if the axis of partitions holds something else. Its energy falls steeply from the peak, and k-space
 * is symmetric only if this axis is mirrored, too; slices are symmetric each by itself. In white noise, only
 * the symmetry and repetitions count. */
static argand_status look_for_slices(grid *g)
{
    static const double ASYMMETRY = 0.03;
    double mirror;
    if (g->k_count < 3 || g->a->dims[g->k[2]] == 1) return ARGAND_OK;
    const pack_energy *x = &g->energy[g->k[0]], *y = &g->energy[g->k[1]], *z = &g->energy[g->k[2]];
    const double level = g->a->dims[g->k[2]] == 2 ? 0.2 : 0.62;
    const bool white = !pack_energy_is_peaked(x) && !pack_energy_is_peaked(y);
    int64_t centre[3] = {x->peak, y->peak, z->peak};
    for (int d = 0; d < 3 && white; d++) centre[d] = g->a->dims[g->k[d]] / 2;
    TRY(pack_mirror_of(&mirror, g->a, g->k, centre));
    g->slices = white ? pack_is_repeated(g->a, g->k[2]) || mirror < -3 * ASYMMETRY
                      : mirror < -ASYMMETRY || (z->near_peak > level && mirror < ASYMMETRY);
    return ARGAND_OK;
}

/* Names the axes, unless the axis of partitions or that of coils contradicts its name. */
static argand_status check_others(grid *g)
{
    TRY(look_for_slices(g));
    g->a->repeated = g->coil >= 0 && pack_is_repeated(g->a, g->coil);
    if (g->slices)
        return ask(g, "neighbouring partitions are as alike as slices, repetitions or echoes, or each is "
                      "symmetric by itself");
    if (g->coil >= 0 && g->a->dims[g->coil] > 1 && g->k_count > 1 && g->a->dims[g->k[1]] == 1)
        return ask(g, "the image would have a single line, and the coils may be shots");
    if (!g->says_anything && pack_is_concentrated(g->a))
        return ask(g, "few samples hold most of its energy, and they do not lie in the middle");
    return give_names(g);
}

/* Returns the order in which the flat axis counts the coils. */
static grid with_coils(const grid *g, int flat)
{
    grid other = *g;
    other.coil = flat;
    other.k_count = 0;
    for (int i = 0; i < g->a->rank; i++)
        if (i != flat && g->a->dims[i] > 1) other.k[other.k_count++] = i;
    return other;
}

static argand_status check_coils(grid *g)
{
    const pack_energy *e = g->coil >= 0 ? &g->energy[g->coil] : NULL;
    if (e && e->hill && e->middle > 10 && e->middle > 0.1 * g->most)
        return ask(g, "energy falls off from the middle of the coil axis as along k-space's axes: the data "
                      "may have three dimensions and one coil (--axes partition,shot,sample)");
    return check_others(g);
}

argand_status pack_grid_axes(pack_array *kspace)
{
    grid g = by_order(kspace);
    bool contradicts = false;
    if (!kspace->is_complex) return give_names(&g); /* pack_matrix_find() refuses real data */
    TRY(look(&g));
    for (int i = 0; i < g.k_count; i++) contradicts |= pack_energy_is_flat(&g.energy[g.k[i]], g.most);
    if (!g.says_anything && !is_plausible(&g))
        return ask(&g, "energy is even along all axes, so the data do not show which axis counts the coils");
    if (!g.says_anything) return check_others(&g);
    if (!contradicts) return check_coils(&g);
    if (all_at_ends(&g))
        return ask(&g, "its energy lies at the ends of k-space's axes, as an FFT leaves it: shift it first "
                       "(numpy.fft.fftshift over these axes)");
    const int flat = only_flat_axis(&g);
    grid other = flat >= 0 ? with_coils(&g, flat) : g;
    kspace->by_energy = flat >= 0 && is_plausible(&other);
    if (kspace->by_energy) return check_others(&other);
    return ask(&g, "along one of k-space's axes its energy does not fall off from the middle; in a Cartesian "
                   "grid it does");
}
