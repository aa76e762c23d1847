/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns the positions of frequencies, by the functions that kernels use as well (kernels/fft/order.h). */
#include "fft/planner/plan.h"

/* Sets the order of one axis in the spectrum or signal; returns false if there is no such axis. */
static bool order_of(struct fft_order *order, const argand_fft *plan, bool spectrum, int axis)
{
    if (!plan || axis < 0 || axis >= plan->problem.rank) return false;
    const fft_problem *p = &plan->problem;
    *order = (struct fft_order){.n = p->n[axis], .origin = p->centred ? p->n[axis] / 2 : 0};
    const bool may_differ = spectrum ? p->scrambled_spectrum : p->scrambled_signal;
    if (may_differ && plan->engine->order) plan->engine->order(plan->state, p, spectrum, axis, order);
    return true;
}

static bool is_half(const argand_fft *plan, int axis)
{
    return axis == 0 && problem_is_real(&plan->problem);
}

/* Returns true if the axis has that frequency, or position. */
static bool is_stored(const argand_fft *plan, int axis, const struct fft_order *order, int64_t index)
{
    const int64_t half = order->n / 2 + !plan->half_packed; /* n/2 shares the position of 0 if packed */
    return index >= 0 && index < (is_half(plan, axis) ? half : order->n);
}

int64_t argand_fft_frequency(const argand_fft *plan, int axis, int64_t position)
{
    struct fft_order order;
    if (!order_of(&order, plan, true, axis) || !is_stored(plan, axis, &order, position)) return -1;
    return fft_order_frequency(&order, position);
}

int64_t argand_fft_position(const argand_fft *plan, int axis, int64_t frequency)
{
    struct fft_order order;
    if (!order_of(&order, plan, true, axis) || !is_stored(plan, axis, &order, frequency)) return -1;
    return fft_order_position(&order, frequency);
}

int64_t argand_fft_mirror(const argand_fft *plan, int axis, int64_t position)
{
    struct fft_order order;
    if (!order_of(&order, plan, true, axis) || !is_stored(plan, axis, &order, position)) return -1;
    const int64_t mirror = fft_order_mirror(&order, position);
    return is_stored(plan, axis, &order, mirror) ? mirror : -1;
}

int64_t argand_fft_signal_index(const argand_fft *plan, int axis, int64_t position)
{
    struct fft_order order;
    if (!order_of(&order, plan, false, axis) || position < 0 || position >= order.n) return -1;
    return fft_order_frequency(&order, position);
}

int64_t argand_fft_signal_position(const argand_fft *plan, int axis, int64_t index)
{
    struct fft_order order;
    if (!order_of(&order, plan, false, axis) || index < 0 || index >= order.n) return -1;
    return fft_order_position(&order, index);
}
