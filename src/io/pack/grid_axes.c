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
    pack_axes_list(names, sizeof names, g->a);
    return status_set(ARGAND_ARGUMENT,
                      "%s: by default its axes are %s, but %s. If the samples lie on spokes, "
                      "spirals or other curves, give --trajectory. Otherwise name the axes in the file's "
                      "order (--axes %s; other names: slice, repetition, contrast, average, set, 1)",
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

static argand_status take_flat_as_coil(grid *g, int flat)
{
    g->coil = flat;
    g->k_count = 0;
    for (int i = 0; i < g->a->rank; i++)
        if (i != flat && g->a->dims[i] > 1) g->k[g->k_count++] = i;
    g->a->by_energy = true;
    return give_names(g);
}

static bool all_at_ends(const grid *g)
{
    bool all = true;
    for (int i = 0; i < g->k_count; i++) {
        const pack_energy *e = &g->energy[g->k[i]];
        all &= e->short_axis || (e->at_ends >= 3 && e->at_ends > 3 * e->middle);
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

static argand_status check_coils(grid *g)
{
    const pack_energy *e = g->coil >= 0 ? &g->energy[g->coil] : NULL;
    if (e && e->hill && e->middle > 10 && e->middle > 0.1 * g->most)
        return ask(g, "energy falls off from the middle of the coil axis as along k-space's axes: the data "
                      "may have three dimensions and one coil (--axes partition,shot,sample)");
    return give_names(g);
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
    if (!g.says_anything) return give_names(&g);
    if (!contradicts) return check_coils(&g);
    if (all_at_ends(&g))
        return ask(&g, "its energy lies at the ends of k-space's axes, as an FFT leaves it: shift it first "
                       "(numpy.fft.fftshift over these axes)");
    const int flat = only_flat_axis(&g);
    if (flat >= 0) return take_flat_as_coil(&g, flat);
    return ask(&g, "along one of k-space's axes its energy does not fall off from the middle; in a Cartesian "
                   "grid it does");
}
