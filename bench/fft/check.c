/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks a batch of transforms at some frequencies against direct sums. Only these few elements are
 * downloaded; the input is computed again. */
#include "fft/fft.h"

#include <math.h>
#include <stdlib.h>
#include "reference/fft.h"

enum { RUN = 4096 }; /* neighbours along axis 0 that share a table of phases */

typedef struct place {
    int64_t transform, k[3];
} place;

static exact phase(int64_t turns, int64_t n)
{
    const long double angle = -6.283185307179586476925286766559005768L * (long double)turns / (long double)n;
    return cosl(angle) + I * sinl(angle);
}

/* Returns the phase of i and k in units of 1/n turn, 0 to n - 1. If centred, index i means i - n/2. The
 * product stays far below 2^63. */
static int64_t turns_of(int64_t i, int64_t k, int64_t n, bool centred)
{
    const int64_t shift = centred ? n / 2 : 0, turns = (i - shift) * (k - shift) % n;
    return turns < 0 ? turns + n : turns;
}

/* Sums a run of elements times their phases in double, which suffices for single precision. */
static exact sum_double(const fft_case *c, int64_t first, int64_t count, const double *table)
{
    double re = 0, im = 0;
    for (int64_t i = 0; i < count; i++) {
        const double a = c->type < ARGAND_C32 ? fft_input(first + i, false)
                                              : fft_input(2 * (first + i), false),
                     b = c->type < ARGAND_C32 ? 0 : fft_input(2 * (first + i) + 1, false);
        re += a * table[2 * i] - b * table[2 * i + 1];
        im += a * table[2 * i + 1] + b * table[2 * i];
    }
    return re + I * (long double)im;
}

static exact sum_exact(const fft_case *c, int64_t first, int64_t count, const exact *table)
{
    long double re = 0, im = 0;
    for (int64_t i = 0; i < count; i++) {
        const long double a = c->type < ARGAND_C32 ? fft_input(first + i, true)
                                                   : fft_input(2 * (first + i), true),
                          b = c->type < ARGAND_C32 ? 0 : fft_input(2 * (first + i) + 1, true);
        re += a * creall(table[i]) - b * cimagl(table[i]);
        im += a * cimagl(table[i]) + b * creall(table[i]);
    }
    return re + I * im;
}

/* Computes the phases of a run relative to its first element. */
static void make_tables(const fft_case *c, const place *p, exact *table, double *rounded)
{
    for (int64_t i = 0; i < RUN && i < c->n[0]; i++) {
        table[i] = phase(i * p->k[0] % c->n[0], c->n[0]);
        rounded[2 * i] = (double)creall(table[i]);
        rounded[2 * i + 1] = (double)cimagl(table[i]);
    }
}

static exact truth_at(const fft_case *c, const place *p, bool centred)
{
    exact table[RUN], total = 0;
    double rounded[2 * RUN];
    const bool is_double = c->type == ARGAND_R64 || c->type == ARGAND_C64;
    const int64_t n0 = c->n[0], c0 = centred ? n0 / 2 : 0;
    /* exp(-2 pi i (x - c0)(k - c0) / n): the table of a run uses k - c0 for k */
    const place q = {p->transform, {((p->k[0] - c0) % n0 + n0) % n0, p->k[1], p->k[2]}};
    make_tables(c, &q, table, rounded);
    for (int64_t row = 0; row < c->points / n0; row++) {
        const int64_t n1 = c->rank > 1 ? c->n[1] : 1, n2 = c->rank > 2 ? c->n[2] : 1;
        const exact rotated = phase(turns_of(row % n1, p->k[1], n1, centred), n1) *
                              phase(turns_of(row / n1, p->k[2], n2, centred), n2);
        exact sum = 0;
        for (int64_t x = 0; x < n0; x += RUN) {
            const int64_t count = n0 - x < RUN ? n0 - x : RUN,
                          first = p->transform * c->points + row * n0 + x;
            const exact part =
                is_double ? sum_exact(c, first, count, table) : sum_double(c, first, count, rounded);
            sum += part * phase(turns_of(x, p->k[0], n0, centred), n0);
        }
        total += sum * rotated;
    }
    return total;
}

/* Returns the index of a frequency along an axis. A peer's results are in natural order. */
static int64_t position_of(const fft_case *c, const place *p, int axis, const argand_fft *plan, bool centred)
{
    const int64_t n = c->n[axis], k = p->k[axis] - (centred ? n / 2 : 0);
    return plan ? argand_fft_position(plan, axis, k < 0 ? k + n : k) : p->k[axis];
}

static argand_status result_at(exact *value, const fft_case *c, const argand_array *out, const place *p,
                               const argand_fft *plan, bool centred)
{
    const int64_t width = c->type < ARGAND_C32 ? c->n[0] / 2 + 1 : c->n[0], all = argand_array_count(out);
    const bool is_double = argand_array_type(out) == ARGAND_C64;
    int64_t at = p->transform, one = 1;
    double numbers[2];
    float singles[2];
    argand_array *element;
    for (int axis = c->rank; axis-- > 0;)
        at = at * (axis ? c->n[axis] : width) + position_of(c, p, axis, plan, centred);
    if (at >= all) return report_error(ARGAND_INTERNAL, "a frequency beyond the output");
    TRY(argand_array_view(&element, out, 1, &one, NULL, at));
    const argand_status status =
        argand_array_download(element, is_double ? (void *)numbers : (void *)singles);
    argand_array_destroy(element);
    *value = is_double ? numbers[0] + I * (long double)numbers[1]
                       : (long double)singles[0] + I * (long double)singles[1];
    return status;
}

/* Chooses frequencies from all parts of the spectrum, in transforms from the first to the last. */
static place choose(const fft_case *c, int64_t i, int64_t count)
{
    const int64_t width = c->type < ARGAND_C32 ? c->n[0] / 2 + 1 : c->n[0];
    place p = {count > 1 ? (c->batch - 1) / (count - 1) * i : c->batch - 1, {0}};
    if (i == count - 1) p.transform = c->batch - 1;
    for (int axis = 0; axis < c->rank; axis++)
        p.k[axis] = ((i + 1) * (INT64_C(7368787) + 104729 * axis) + i) % (axis ? c->n[axis] : width);
    return p;
}

/* Downloads one real number. */
static argand_status real_at(long double *value, const argand_array *out, int64_t at)
{
    const int64_t one = 1;
    const bool is_double = argand_array_type(out) == ARGAND_R64;
    double number;
    float single;
    argand_array *element;
    TRY(argand_array_view(&element, out, 1, &one, NULL, at));
    const argand_status status =
        argand_array_download(element, is_double ? (void *)&number : (void *)&single);
    argand_array_destroy(element);
    *value = is_double ? number : single;
    return status;
}

/* Checks an inverse: without scaling, forward and inverse together multiply by the number of points. */
static argand_status check_back(double *error, const fft_case *c, const argand_array *out)
{
    enum { PLACES = 100 };
    const int64_t all = argand_array_count(out);
    long double difference = 0, norm = 0;
    for (int64_t i = 0; i < PLACES; i++) {
        const int64_t at = i == PLACES - 1 ? all - 1 : all / PLACES * i + i % 7;
        long double value = 0;
        if (at >= all) continue;
        TRY(real_at(&value, out, at));
        const long double wanted = (long double)c->points * fft_input(at, c->type == ARGAND_R64);
        difference += (value - wanted) * (value - wanted);
        norm += wanted * wanted;
    }
    *error = (double)sqrtl(difference / norm);
    return ARGAND_OK;
}

argand_status fft_check(double *error, const fft_case *c, const argand_array *out, const argand_fft *plan,
                        bool centred)
{
    if (c->back) return check_back(error, c, out);
    const int64_t count = c->points <= 1 << 20   ? 12
                          : c->points <= 1 << 25 ? 6
                                                 : 2; /* takes seconds at most */
    long double difference = 0, norm = 0;
    for (int64_t i = 0; i < count; i++) {
        const place p = choose(c, i, count);
        exact value = 0;
        TRY(result_at(&value, c, out, &p, plan, centred));
        const exact wanted = truth_at(c, &p, centred), d = value - wanted;
        difference += creall(d) * creall(d) + cimagl(d) * cimagl(d);
        norm += creall(wanted) * creall(wanted) + cimagl(wanted) * cimagl(wanted);
    }
    *error = (double)sqrtl(difference / norm);
    return ARGAND_OK;
}
