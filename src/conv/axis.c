/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out one axis of a convolution: the taps, the results, and the number of points that the transforms
 * need.
 *
 * A circular convolution of N points is correct if no result touches an element that wrapped around.
 * Results first to first + out - 1 touch elements first - high to first + out - 1 - low: `lead` elements
 * before the image and `tail` elements after the image. If these elements are zeros, elements before and
 * after the image may share points: N = n + max(lead, tail), half a kernel more than the image. If they
 * continue the image, the engine's window has half of the points on each side: N = n + 2 max(lead, tail).
 *
 * Taps farther out than the length of the image are folded first: dropped (zeros), added to the end tap (a
 * constant, or the image's last element), or added modulo n (wrap) or 2n (mirror). The size of the kernel
 * thus has no limit.
 *
 * A filter defined by its spectrum (Wiener's) is longer than the taps of the blur. The axis then has a
 * period of 2n points (wrap: n), which is exact for periodic borders. */
#include "conv/plan.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void conv_axis_offsets(conv_axis *axis, const argand_conv_options *o, int d)
{
    const int64_t n = o->n[d], k = o->kernel[d], c = o->centre[d];
    *axis = (conv_axis){.n = n, .k = k, .before = o->border[d].before, .after = o->border[d].after};
    axis->low = o->correlate ? c - (k - 1) : -c;
    axis->high = axis->low + k - 1;
    axis->first = o->mode == ARGAND_CONV_FULL ? axis->low : o->mode == ARGAND_CONV_VALID ? axis->high : 0;
    axis->out = o->mode == ARGAND_CONV_FULL ? n + k - 1 : o->mode == ARGAND_CONV_VALID ? n - k + 1 : n;
}

bool conv_axis_is_uneven(const conv_axis *axis)
{
    return axis->before != axis->after;
}

static bool is_smooth(int64_t n)
{
    static const int primes[] = {2, 3, 5, 7, 11, 13};
    for (int i = 0; i < 6; i++)
        while (n % primes[i] == 0) n /= primes[i];
    return n == 1;
}

static bool is_periodic(const conv_axis *a)
{
    return a->before == a->after && (a->before == ARGAND_BORDER_WRAP || a->before == ARGAND_BORDER_MIRROR);
}

/* Returns true if the axis belongs to a filter that is longer than its taps. An axis of one tap stays one
 * tap long. */
static bool reaches_far(const conv_axis *a)
{
    return a->is_filter && a->k > 1;
}

static void fold_between(conv_axis *a, conv_fold fold, int64_t low, int64_t high)
{
    a->fold = fold;
    a->fold_low = most(a->low, low);
    a->fold_high = least(a->high, high);
}

/* Folds the taps to one period of the image, around offset 0 if the kernel reaches it. */
static void fold_period(conv_axis *a, int64_t period)
{
    if (a->high - a->low < period) return;
    a->fold = FOLD_PERIOD;
    a->period = period;
    a->fold_low = most(a->low, least(-(period / 2), a->high - period + 1));
    a->fold_high = a->fold_low + period - 1;
}

static void fold_taps(conv_axis *a)
{
    const int64_t low = a->first - (a->n - 1), high = a->first + a->out - 1;
    const bool whole = conv_axis_is_uneven(a) || (a->is_filter && !is_periodic(a));
    fold_between(a, FOLD_DROP, a->low, a->high);
    if (!whole) switch (a->before) {
        case ARGAND_BORDER_ZERO:
            fold_between(a, FOLD_DROP, low, high);
            break;
        case ARGAND_BORDER_CONSTANT:
        case ARGAND_BORDER_CLAMP:
            fold_between(a, FOLD_ENDS, low - 1, high + 1);
            break;
        case ARGAND_BORDER_WRAP:
            fold_period(a, a->n);
            break;
        case ARGAND_BORDER_MIRROR:
            fold_period(a, 2 * a->n);
            break;
        }
    a->lead = most(0, a->fold_high - a->first);
    a->tail = most(0, a->first + a->out - a->fold_low - a->n);
    if (!reaches_far(a)) return;
    a->lead = most(a->lead, (a->n + 1) / 2);
    a->tail = most(a->tail, (a->n + 1) / 2);
}

void conv_axis_reach(conv_axis *a)
{
    fold_taps(a);
    if (!conv_axis_is_uneven(a) || (a->lead && a->tail)) return;
    if (a->lead)
        a->after = a->before;
    else
        a->before = a->after;
    fold_taps(a);
}

/* Returns the number of points that the border rules need; *exactly: no larger number will do. */
static int64_t points_needed(const conv_axis *a, bool extends, bool *exactly)
{
    const int64_t far = most(a->lead, a->tail);
    const int64_t period = a->before == ARGAND_BORDER_WRAP ? a->n : 2 * a->n;
    *exactly = is_periodic(a) && reaches_far(a) && !extends;
    if (*exactly) return period;
    if (reaches_far(a)) return most(2 * a->n, a->n + a->lead + a->tail);
    if (conv_axis_is_extended(a, extends)) return a->n + a->lead + a->tail;
    if (a->before == ARGAND_BORDER_ZERO || a->before == ARGAND_BORDER_CONSTANT) return a->n + far;
    *exactly = is_periodic(a) && is_smooth(period) && period <= a->n + 2 * far && a->out <= period;
    return *exactly ? period : a->n + 2 * far;
}

int64_t conv_axis_least_points(const conv_axis *a)
{
    bool exactly;
    return most(points_needed(a, false, &exactly), most(a->out, a->fold_high - a->fold_low + 1));
}

argand_status conv_axis_points(conv_axis *a, argand_device *device, bool extends, bool even)
{
    bool exactly;
    const int64_t needed = points_needed(a, extends, &exactly);
    const int64_t points = most(needed, most(a->out, a->fold_high - a->fold_low + 1));
    a->points = exactly || points == 1 ? points : argand_fft_fast_size(device, points, even);
    CHECK(a->points, ARGAND_UNSUPPORTED, "argand_conv_create: transforms of more than 2^62 points");
    return ARGAND_OK;
}

bool conv_axis_is_extended(const conv_axis *a, bool extends)
{
    const bool zeros = a->before == ARGAND_BORDER_ZERO && a->after == ARGAND_BORDER_ZERO;
    return extends && !zeros && (a->lead || a->tail);
}

int64_t conv_axis_fold(const conv_axis *a, int64_t d)
{
    const bool inside = d >= a->fold_low && d <= a->fold_high;
    if (inside) return d - a->fold_low;
    if (a->fold == FOLD_DROP) return -1;
    if (a->fold == FOLD_ENDS) return d < a->fold_low ? 0 : a->fold_high - a->fold_low;
    const int64_t rest = (d - a->fold_low) % a->period;
    return rest < 0 ? rest + a->period : rest;
}

int64_t conv_axis_element(const conv_axis *a, int64_t i)
{
    const argand_border rule = i < 0 ? a->before : a->after;
    const int64_t period = rule == ARGAND_BORDER_MIRROR ? 2 * a->n : a->n;
    if (i >= 0 && i < a->n) return i;
    if (rule == ARGAND_BORDER_ZERO) return -2;
    if (rule == ARGAND_BORDER_CONSTANT) return -1;
    if (rule == ARGAND_BORDER_CLAMP) return i < 0 ? 0 : a->n - 1;
    const int64_t rest = (i % period + period) % period;
    return rest < a->n ? rest : period - 1 - rest;
}
