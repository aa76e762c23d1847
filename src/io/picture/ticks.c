/* SPDX-License-Identifier: BSD-3-Clause */
/* Places the marks of an axis at 1, 2 or 5 times a power of ten. A logarithmic axis has marks at powers of
 * ten; if it spans one or two of them, also at 2 and 5 times; if it spans less than a factor of 3, in even
 * steps. */
#include "io/picture/ticks.h"

#include <math.h>
#include "base/plain.h"
#include "base/whole.h"

static double round_step(double span, int wanted)
{
    const double rough = span / wanted, power = pow(10, floor(log10(rough)));
    const double digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void add(axis *a, double value, int digits)
{
    if (a->count >= MOST_TICKS) return;
    a->at[a->count] = value;
    plain_print(a->label[a->count], sizeof a->label[0], "%.*g", digits, value);
    a->count++;
}

static void fit_linear(axis *a, int wanted, bool whole, bool widen)
{
    double step = round_step(a->high - a->low, wanted);
    if (whole && step < 1) step = 1;
    if (widen) {
        a->low = step * floor(a->low / step + 1e-9);
        a->high = step * ceil(a->high / step - 1e-9);
    }
    const double first = ceil(a->low / step - 1e-9), largest = fmax(fabs(a->low), fabs(a->high));
    const int digits = (int)fmin(
        9, fmax(4, ceil(log10(largest / step)) + 1)); /* enough digits that neighbouring labels differ */
    for (int i = 0; i < MOST_TICKS && (first + i) * step <= a->high + 1e-9 * step; i++)
        add(a, (first + i) * step, digits);
}

/* Returns the largest of 1, 2 and 5 times a power of ten that is not above the value. */
static double round_down(double value)
{
    const double power = pow(10, floor(log10(value) + 1e-9)), digit = value / power * (1 + 1e-9);
    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/* Returns the smallest of 1, 2 and 5 times a power of ten that is not below the value. */
static double round_up(double value)
{
    const double power = pow(10, floor(log10(value) + 1e-9)), digit = value / power * (1 - 1e-9);
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void fit_logarithmic(axis *a, int wanted)
{
    static const double digits[3] = {1, 2, 5};
    a->low = round_down(a->low);
    a->high = round_up(a->high);
    const int first = (int)whole(floor(log10(a->low) + 1e-9), -400, 400),
              last = (int)whole(floor(log10(a->high) + 1e-9), -400, 400);
    const bool fine = 2 * (last - first) < wanted;
    const int every = (last - first) / (wanted + 1) + 1;
    for (int power = first; power <= last; power++) {
        if (power % every) continue; /* 10^0 always has its mark */
        for (int i = 0; i < (fine ? 3 : 1); i++) {
            const double value = digits[i] * pow(10, power);
            if (value >= a->low * (1 - 1e-9) && value <= a->high * (1 + 1e-9)) add(a, value, 3);
        }
    }
}

void ticks_fit(axis *a, int wanted, bool whole, bool widen)
{
    a->count = 0;
    if (a->high - a->low <=
        1e-7 * fmax(fabs(a->low), fabs(a->high))) { /* a single value gets space around it */
        const double margin = a->low == 0 ? 1 : 0.1 * fabs(a->low);
        a->high += margin;
        a->low -= a->logarithmic ? 0 : margin;
    }
    if (a->logarithmic && a->high > 3 * a->low)
        fit_logarithmic(a, wanted);
    else
        fit_linear(a, wanted, whole, widen);
}

double ticks_place(const axis *a, double value)
{
    /* differences of logarithms, because the quotients may not be finite */
    if (a->logarithmic) return (log(value) - log(a->low)) / (log(a->high) - log(a->low));
    return (value - a->low) / (a->high - a->low);
}
