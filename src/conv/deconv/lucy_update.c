/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that Richardson-Lucy applies to the results of its transforms: C functions for the CPU and
 * kernel text for other devices. Parameters 0 to 2 are the sizes along the axes, 3 and 4 the two numbers
 * of each function. */
#include "conv/deconv/deconv.h"

#include <math.h>
#include <stdio.h>

void lucy_parameters(argand_accessor *a, const int64_t *n, double first, double second)
{
    for (int d = 0; d < 3; d++) a->parameters[d] = (double)n[d];
    a->parameters[3] = first;
    a->parameters[4] = second;
}

/* ---- for other devices ---- */

static const char ratio_text[] =
    "#define LUCY_AXES %d\n"
    "DEVICE struct pair lucy_ratio(struct pair v, struct pair mirror, struct access_point at)\n"
    "{\n"
    "    INDEX k = at.i[LUCY_AXES];\n"
    "    for (int d = LUCY_AXES - 1; d >= 0; d--) k = k * (INDEX)at.p[d] + at.i[d];\n"
    "    const REAL y = at.data[k], blurred = v.re + at.p[3];\n"
    "    return make_pair((y > 0 ? y : 0) / (blurred > at.p[4] ? blurred : at.p[4]), 0);\n"
    "}\n";

static const char update_text[] =
    "#define LUCY_AXES %d\n"
    "struct lucy_place { INDEX i[3], n[3], step[3]; };\n"
    "DEVICE REAL lucy_forward(const GLOBAL REAL *x, INDEX k, const struct lucy_place *at, int d)\n"
    "{\n"
    "    return at->i[d] + 1 < at->n[d] ? x[k + at->step[d]] - x[k] : 0;\n"
    "}\n"
    "DEVICE REAL lucy_unit(const GLOBAL REAL *x, INDEX k, const struct lucy_place *at, int d, REAL least)\n"
    "{\n"
    "    REAL size = least;\n"
    "    for (int e = 0; e < LUCY_AXES; e++) {\n"
    "        const REAL g = lucy_forward(x, k, at, e);\n"
    "        size += g * g;\n"
    "    }\n"
    "    return lucy_forward(x, k, at, d) / sqrt(size);\n"
    "}\n"
    "DEVICE struct pair lucy_update(struct pair v, struct pair mirror, struct access_point at)\n"
    "{\n"
    "    struct lucy_place here;\n"
    "    INDEX k = 0, step = 1;\n"
    "    for (int d = 0; d < LUCY_AXES; d++) {\n"
    "        here.i[d] = at.i[d];\n"
    "        here.n[d] = (INDEX)at.p[d];\n"
    "        here.step[d] = step;\n"
    "        k += at.i[d] * step;\n"
    "        step *= here.n[d];\n"
    "    }\n"
    "    k += at.i[LUCY_AXES] * step;\n"
    "    REAL divergence = 0;\n"
    "    if (at.p[3] > 0)\n"
    "        for (int d = 0; d < LUCY_AXES; d++) {\n"
    "            divergence += lucy_unit(at.data, k, &here, d, at.p[4]);\n"
    "            if (here.i[d] == 0) continue;\n"
    "            here.i[d]--;\n"
    "            divergence -= lucy_unit(at.data, k - here.step[d], &here, d, at.p[4]);\n"
    "            here.i[d]++;\n"
    "        }\n"
    "    const REAL below = 1 - at.p[3] * divergence;\n"
    "    return make_pair((v.re > 0 ? v.re : 0) * at.data[k] / (below > (REAL)0.1 ? below : (REAL)0.1), 0);\n"
    "}\n";

/* ---- for processors ---- */

/* Position of a run's first element in the array, sizes and strides; missing axes have size 1. */
typedef struct place {
    int64_t i[3], n[3], step[3], at,
        stride; /* at: index of the first element; stride: from one element of the run to the next */
} place;

static place place_of(const argand_access_run *run, int rank)
{
    place p = {.n = {1, 1, 1}};
    int64_t step = 1;
    for (int d = 0; d < rank; d++) {
        p.i[d] = run->coordinate[d];
        p.n[d] = (int64_t)run->parameters[d];
        p.step[d] = step;
        p.at += p.i[d] * step;
        if (run->axis == d) p.stride = step;
        step *= p.n[d];
    }
    p.at += run->coordinate[rank] * step;
    if (run->axis == rank) p.stride = step;
    return p;
}

#define LUCY_OF(REAL, name, squared_root)                                                                 \
    static inline void ratio_##name(void *values, const argand_access_run *run, int rank)                 \
    {                                                                                                     \
        const place p = place_of(run, rank);                                                              \
        const REAL *y = (const REAL *)run->data + p.at, add = (REAL)run->parameters[3],                   \
                   least = (REAL)run->parameters[4];                                                      \
        REAL *v = values;                                                                                 \
        for (int64_t j = 0; j < run->count; j++) {                                                        \
            const REAL blurred = v[j] + add, count = y[j * p.stride];                                     \
            v[j] = (count > 0 ? count : 0) / (blurred > least ? blurred : least);                         \
        }                                                                                                 \
    }                                                                                                     \
    static inline REAL forward_##name(const REAL *x, const place *p, int d)                               \
    {                                                                                                     \
        return p->i[d] + 1 < p->n[d] ? x[p->step[d]] - *x : 0;                                            \
    }                                                                                                     \
    static inline REAL unit_##name(const REAL *x, const place *p, int d, REAL least)                      \
    {                                                                                                     \
        const REAL a = forward_##name(x, p, 0), b = forward_##name(x, p, 1), c = forward_##name(x, p, 2); \
        return (d == 0 ? a : d == 1 ? b : c) / squared_root(a * a + b * b + c * c + least);               \
    }                                                                                                     \
    static inline REAL divergence_##name(const REAL *x, place *p, int rank, REAL least)                   \
    {                                                                                                     \
        REAL sum = 0;                                                                                     \
        for (int d = 0; d < rank; d++) {                                                                  \
            sum += unit_##name(x, p, d, least);                                                           \
            if (p->i[d] == 0) continue;                                                                   \
            p->i[d]--;                                                                                    \
            sum -= unit_##name(x - p->step[d], p, d, least);                                              \
            p->i[d]++;                                                                                    \
        }                                                                                                 \
        return sum;                                                                                       \
    }                                                                                                     \
    static inline void update_##name(void *values, const argand_access_run *run, int rank)                \
    {                                                                                                     \
        place p = place_of(run, rank);                                                                    \
        const REAL *x = (const REAL *)run->data + p.at, tv = (REAL)run->parameters[3],                    \
                   least = (REAL)run->parameters[4];                                                      \
        REAL *v = values;                                                                                 \
        for (int64_t j = 0; j < run->count; j++) {                                                        \
            const REAL *at = x + j * p.stride;                                                            \
            const REAL below = tv > 0 ? 1 - tv * divergence_##name(at, &p, rank, least) : 1;              \
            v[j] = (v[j] > 0 ? v[j] : 0) * *at / (below > (REAL)0.1 ? below : (REAL)0.1);                 \
            if (run->axis < rank) p.i[run->axis]++;                                                       \
        }                                                                                                 \
    }
LUCY_OF(float, f32, sqrtf)
LUCY_OF(double, f64, sqrt)

#define LUCY_CALL(what, rank)                                                                     \
    static void what##_f32_##rank(void *values, const void *mirror, const argand_access_run *run) \
    {                                                                                             \
        (void)mirror;                                                                             \
        what##_f32(values, run, rank);                                                            \
    }                                                                                             \
    static void what##_f64_##rank(void *values, const void *mirror, const argand_access_run *run) \
    {                                                                                             \
        (void)mirror;                                                                             \
        what##_f64(values, run, rank);                                                            \
    }
LUCY_CALL(ratio, 1)
LUCY_CALL(ratio, 2)
LUCY_CALL(ratio, 3)
LUCY_CALL(update, 1)
LUCY_CALL(update, 2)
LUCY_CALL(update, 3)

#define LUCY_TABLE(what)                             \
    {                                                \
        {what##_f32_1, what##_f32_2, what##_f32_3},  \
        {                                            \
            what##_f64_1, what##_f64_2, what##_f64_3 \
        }                                            \
    }

argand_accessor lucy_ratio(int rank, bool is_double, char *text)
{
    static const argand_access_function functions[2][3] = LUCY_TABLE(ratio);
    snprintf(text, LUCY_TEXT, ratio_text, rank);
    return (argand_accessor){.kind = ARGAND_ACCESS_CALL,
                             .function = functions[is_double][rank - 1],
                             .source = text,
                             .name = "lucy_ratio"};
}

argand_accessor lucy_update(int rank, bool is_double, char *text)
{
    static const argand_access_function functions[2][3] = LUCY_TABLE(update);
    snprintf(text, LUCY_TEXT, update_text, rank);
    return (argand_accessor){.kind = ARGAND_ACCESS_CALL,
                             .function = functions[is_double][rank - 1],
                             .source = text,
                             .name = "lucy_update"};
}
