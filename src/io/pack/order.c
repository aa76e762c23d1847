/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the components of positions into x, y, z. Arrays of NumPy have the order of an image's axes, z, y,
 * x; BART's files begin with x. Swapped components give the image of a swapped object, so the samples
 * cannot decide. Some trajectories can: their readouts and stacks show which component is which. */
#include <math.h>
#include "io/pack/pack.h"

/* What the positions show about each component, in the order of the file. */
typedef struct component {
    bool zero, level; /* 0 everywhere; the same along each readout */
} component;

/* Returns the value of component d at sample i of readout number `row`. */
static float value_at(const pack_array *t, int64_t d, int64_t row, int64_t i)
{
    const int64_t parts = t->is_complex ? 2 : 1;
    int64_t at = d * t->stride[AXIS_K] + i * t->stride[AXIS_SAMPLE];
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++) {
        if (t->length[kind] <= 1) continue;
        at += row % t->length[kind] * t->stride[kind];
        row /= t->length[kind];
    }
    return t->numbers[parts * at];
}

static int64_t count_rows(const pack_array *t)
{
    int64_t rows = 1;
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++)
        if (t->length[kind] > 1) rows *= t->length[kind];
    return rows;
}

/* Looks at a component. A component is level if it changes along each readout by at most 1e-3 of its
 * largest magnitude; a component of zeros is not. */
static component look_at(const pack_array *t, int64_t d)
{
    const int64_t rows = count_rows(t), samples = t->length[AXIS_SAMPLE];
    float most = 0, change = 0;
    for (int64_t row = 0; row < rows; row++) {
        float low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < samples; i++) {
            low = fminf(low, value_at(t, d, row, i));
            high = fmaxf(high, value_at(t, d, row, i));
        }
        most = fmaxf(most, fmaxf(fabsf(low), fabsf(high)));
        change = fmaxf(change, high - low);
    }
    return (component){.zero = most == 0, .level = most > 0 && change <= 1e-3F * most};
}

static bool moves(const component *c)
{
    return !c->zero && !c->level;
}

/* Returns the reason why components cannot be c[0] = kx, c[1] = ky[, c[2] = kz]; NULL: they can. */
static const char *contradiction(const component c[3], int count)
{
    const bool y = moves(&c[1]), z = count == 3 && moves(&c[2]);
    if (count == 3 && c[0].zero && !c[2].zero) return "kx would be 0 everywhere, as kz of a single slice is";
    if (!c[0].level || !(y || z)) return NULL;
    if (y && z) return "kx would be constant along each readout, as kz of a stack is";
    return y ? "readouts would run along y" : "readouts would run along z";
}

#define XYZ "ARGAND_K_ORDER_XYZ (--k-order xyz)"
#define ZYX "ARGAND_K_ORDER_ZYX (--k-order zyx)"

/* Refuses positions that contradict the default order. Two samples of a readout show nothing. */
static argand_status check(const pack_array *t)
{
    const bool zyx = t->slowest_first;
    const int count = (int)t->length[AXIS_K];
    component c[3] = {{0}};
    if (t->length[AXIS_SAMPLE] < 4 || count_rows(t) < 2) return ARGAND_OK;
    for (int d = 0; d < count; d++) c[d] = look_at(t, zyx ? count - 1 - d : d);
    const char *why = contradiction(c, count);
    if (!why) return ARGAND_OK;
    return status_set(ARGAND_ARGUMENT,
                      "%s: nothing says the order of its components. %s would be the default, but %s. Give "
                      "%s if kx comes %s, or %s if it comes %s",
                      t->title, zyx ? "That of NumPy's image axes, kx last," : "kx first", why,
                      zyx ? XYZ : ZYX, zyx ? "first" : "last", zyx ? ZYX : XYZ, zyx ? "last" : "first");
}

static void reverse(pack_array *t)
{
    const int64_t n = t->length[AXIS_K], stride = t->stride[AXIS_K], parts = t->is_complex ? 2 : 1;
    int64_t count = 1;
    for (int i = 0; i < t->rank; i++) count *= t->dims[i];
    for (int64_t i = 0; i < count; i++) {
        if (i / stride % n) continue;
        for (int64_t part = 0; part < parts; part++) {
            float *low = t->numbers + parts * i + part, *high = low + parts * stride * (n - 1), kept = *low;
            *low = *high;
            *high = kept;
        }
    }
}

argand_status pack_order_apply(pack_array *t, const packing *p)
{
    const argand_k_order given = p->options->k_order;
    const bool zyx = given == ARGAND_K_ORDER_AUTO ? t->slowest_first : given == ARGAND_K_ORDER_ZYX;
    const bool flat = t->length[AXIS_K] == 2;
    if (given == ARGAND_K_ORDER_AUTO) {
        TRY(check(t));
        pack_note(p, "%s: its components are %s%s.", t->name,
                  zyx ? (flat ? "ky, kx" : "kz, ky, kx") : (flat ? "kx, ky" : "kx, ky, kz"),
                  zyx ? ", the order of NumPy's image axes (--k-order xyz: kx first)" : "");
    }
    if (zyx) reverse(t);
    return ARGAND_OK;
}
