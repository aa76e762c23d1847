/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether all points lie on the grid along an axis, and whether planes across it have the same ones. A point
 * d cycles away from where it is taken to be changes the result by at most 2 pi d / sqrt(12) of its norm, so
 * a small part of the tolerance is all that is allowed; samples of other trajectories leave at the first
 * one. */
#include "nufft/stack.h"

#include <math.h>
#include "array/array.h"
#include "base/memory.h"

enum { PROBE = 256, BLOCK = 512 };

/* Positions on one axis, in host memory. */
typedef struct column {
    void *copy;
    const void *data;
    bool is_double;
    double scale;
    int64_t step; /* from one to the next there */
} column;

static double at(const column *c, int64_t j)
{
    j *= c->step;
    return c->scale * (c->is_double ? ((const double *)c->data)[j] : (double)((const float *)c->data)[j]);
}

static void close_column(column *c)
{
    memory_free(c->copy);
    *c = (column){0};
}

/* `count` positions, `step` apart. */
static argand_status open_column(column *c, const argand_array *k, double scale, int64_t count, int64_t step)
{
    step *= positions_step(k);
    *c = (column){
        .data = argand_array_data(k), .is_double = type_is_double(k->type), .scale = scale, .step = step};
    if (c->data) return argand_device_wait(argand_array_device(k));
    argand_array *part = NULL;
    argand_status status;
    TRY_OR_DONE(memory_new(&c->copy, (size_t)count, argand_type_size(k->type)));
    TRY_OR_DONE(argand_array_view(&part, k, 1, &count, &step, 0));
    TRY_OR_DONE(argand_array_download(part, c->copy));
    c->data = c->copy;
    c->step = 1;
done:
    argand_array_destroy(part);
    if (status) close_column(c);
    return status;
}

static double allowed(const argand_nufft *plan)
{
    return fmin(0.1 * plan->options.tolerance, 1e-4);
}

/* The nearest whole number, of any that is not large */
static inline double whole(double k)
{
    return (k + 0x1.8p52) - 0x1.8p52;
}

/* Positions of large numbers are left alone: doubles hold no fractions of them. Whole blocks, as vectors. */
static bool on_grid(const column *c, int64_t count, double most, double *deviation)
{
    for (int64_t begin = 0; begin < count; begin += BLOCK) {
        const int64_t end = begin + BLOCK < count ? begin + BLOCK : count;
        double worst = 0;
        int bad = 0;
        for (int64_t j = begin; j < end; j++) {
            const double k = at(c, j), away = fabs(k - whole(k));
            bad |= !(away <= most) | !(fabs(k) < 1e9);
            worst = away > worst ? away : worst;
        }
        if (bad) return false;
        *deviation = fmax(*deviation, worst);
    }
    return true;
}

/* Which element of the FFT along the axis has the frequency of sample j. */
static int64_t slot_of(const argand_nufft *plan, int axis, const column *c, int64_t j)
{
    const int64_t n = plan->options.n[axis], shift = plan->options.order == ARGAND_NUFFT_CENTRED ? n / 2 : 0,
                  slot = ((int64_t)whole(at(c, j)) + shift) % n;
    return slot < 0 ? slot + n : slot;
}

/* The slots of the first round through the planes: they end where the first one comes again. */
static argand_status list_planes(stack_order *o, const argand_nufft *plan, const column *c, int64_t count)
{
    const int64_t n = plan->options.n[o->axis];
    bool *seen;
    TRY(NEW(o->slots, n));
    TRY(NEW(seen, n));
    for (o->run = 1; o->run < count; o->run++)
        if (at(c, o->run) != at(c, 0) && slot_of(plan, o->axis, c, o->run) != slot_of(plan, o->axis, c, 0))
            break;
    for (int64_t j = 0; j < count; j += o->run) {
        const int64_t slot = slot_of(plan, o->axis, c, j);
        if (seen[slot]) break;
        seen[slot] = true;
        o->slots[o->planes++] = slot;
    }
    memory_free(seen);
    return ARGAND_OK;
}

/* Returns true if samples go through the planes in that order, again and again. */
static bool is_regular(stack_order *o, const argand_nufft *plan, const column *c, int64_t count)
{
    if (count % (o->run * o->planes)) return false;
    o->shots = count / (o->run * o->planes);
    for (int64_t run = 0; run < o->planes * o->shots; run++) {
        const int64_t first = run * o->run, slot = o->slots[run % o->planes];
        for (int64_t j = first; j < first + o->run; j++) {
            if (j > first && at(c, j) == at(c, first)) continue;
            if (slot_of(plan, o->axis, c, j) != slot) return false;
        }
    }
    return true;
}

/* Returns true if on another axis all planes have the points of the first one. */
static bool same_in_planes(stack_order *o, const column *c, double most)
{
    const int64_t round = o->run * o->planes;
    for (int64_t shot = 0; shot < o->shots; shot++)
        for (int64_t j = o->run; j < round; j++) {
            const double away = fabs(at(c, shot * round + j) - at(c, shot * round + j % o->run));
            if (!(away <= most)) return false;
            o->deviation = fmax(o->deviation, away);
        }
    return true;
}

/* found: the planes have the same points; whole: they are planes at least */
static argand_status try_axis(bool *found, bool *whole, stack_order *o, const argand_nufft *plan,
                              argand_array *const k[])
{
    const int64_t count = argand_array_count(k[0]);
    const double most = allowed(plan);
    column c;
    TRY(open_column(&c, k[o->axis], plan->scale[o->axis], count, 1));
    *found = *whole = on_grid(&c, count, most, &o->deviation);
    argand_status status = *found ? list_planes(o, plan, &c, count) : ARGAND_OK;
    *found = *found && status == ARGAND_OK && is_regular(o, plan, &c, count);
    close_column(&c);
    o->along = o->deviation;
    for (int axis = 0; axis < plan->options.rank && *found; axis++) {
        if (axis == o->axis) continue;
        status = open_column(&c, k[axis], plan->scale[axis], count, 1);
        *found = status == ARGAND_OK && same_in_planes(o, &c, most);
        close_column(&c);
    }
    return status;
}

/* Tests a few samples first, as most trajectories have no Cartesian axis and a device then need not send
 * the rest: the first samples, then some of all, as the first spoke of many may lie along an axis. */
static argand_status may_be_cartesian(bool *may, const argand_nufft *plan, int axis, const argand_array *k)
{
    const int64_t all = argand_array_count(k), count = all < PROBE ? all : PROBE,
                  odd = all / count - (all / count > 1 && all / count % 2 == 0);
    *may = true;
    for (int spread = 0; spread < 2 && *may; spread++) {
        double deviation = 0;
        column c;
        TRY(open_column(&c, k, plan->scale[axis], count, spread ? odd : 1));
        *may = on_grid(&c, count, allowed(plan), &deviation);
        close_column(&c);
    }
    return ARGAND_OK;
}

/* Planes of different points: what is known of them is the axis. Only of volumes. */
static void take_planes(bool *found, stack_order *order, int axis, double deviation)
{
    *found = axis >= 0;
    *order = (stack_order){.axis = axis, .differ = true, .deviation = deviation, .along = deviation};
}

argand_status stack_find(bool *found, stack_order *order, const argand_nufft *plan, argand_array *const k[])
{
    int planes = -1; /* an axis of planes of different points, and how far from it these are */
    double deviation = 0;
    *found = false;
    for (int axis = plan->options.rank - 1; axis >= 0 && plan->options.rank > 1; axis--) {
        bool may, whole = false;
        *order = (stack_order){.axis = axis};
        TRY(may_be_cartesian(&may, plan, axis, k[axis]));
        if (!may) continue;
        const argand_status status = try_axis(found, &whole, order, plan, k);
        if (*found) return ARGAND_OK;
        memory_free(order->slots);
        order->slots = NULL;
        TRY(status);
        if (!whole || planes >= 0 || plan->options.rank < 3) continue;
        planes = axis;
        deviation = order->along;
    }
    take_planes(found, order, planes, deviation);
    return ARGAND_OK;
}
