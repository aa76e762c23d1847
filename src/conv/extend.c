/* SPDX-License-Identifier: BSD-3-Clause */
/* Borders by a pass of their own, where the engine's windows do not have them: other rules before the image
 * than behind it, a constant beside other rules. Rules that copy come first, then the constant, then zeros:
 * where several axes are beyond the image, zero stands before the constant, and the constant before copies.
 */
#include "conv/plan.h"

typedef struct extension {
    const argand_conv *c;
    argand_array *to;
    int64_t at[3], count[3]; /* what is filled so far */
} extension;

/* count elements along axis d from `at`, over what is filled of the other axes. */
static argand_status part(argand_array **view, const extension *e, int d, int64_t at, int64_t count,
                          int64_t step)
{
    argand_array x = *e->to;
    int64_t offset = 0;
    for (int i = 0; i < e->c->options.rank; i++) {
        if (i != d) x.dims[i] = e->count[i];
        offset += (i == d ? at : e->at[i]) * e->to->strides[i];
    }
    x.dims[d] = count;
    x.strides[d] = step * e->to->strides[d];
    return argand_array_view(view, e->to, x.rank, x.dims, x.strides, offset);
}

static argand_status copy_run(const extension *e, int d, int64_t to, int64_t from, int64_t count,
                              int64_t step)
{
    argand_array *y, *x;
    argand_status status;
    TRY(part(&y, e, d, to, count, 1));
    status = part(&x, e, d, from, count, step);
    if (status == ARGAND_OK) {
        status = argand_array_copy(y, x);
        argand_array_destroy(x);
    }
    argand_array_destroy(y);
    return status;
}

static argand_status fill_run(const extension *e, int d, int64_t to, int64_t count, argand_scalar value)
{
    argand_array *y;
    TRY(part(&y, e, d, to, count, 1));
    const argand_status status = argand_array_fill(y, value);
    argand_array_destroy(y);
    return status;
}

/* Elements i to i + count - 1 of axis d, all on one side of the image. */
static argand_status fill_side(const extension *e, int d, int64_t i, int64_t count)
{
    const conv_axis *a = &e->c->axis[d];
    const argand_border rule = i < 0 ? a->before : a->after;
    if (rule == ARGAND_BORDER_ZERO) return fill_run(e, d, a->lead + i, count, (argand_scalar){0, 0});
    if (rule == ARGAND_BORDER_CONSTANT) return fill_run(e, d, a->lead + i, count, e->c->options.constant);
    while (count) {
        const int64_t from = conv_axis_element(a, i), next = conv_axis_element(a, i + 1);
        const int64_t step = a->n == 1 ? 0 : next - from == 1 ? 1 : next - from == -1 ? -1 : 0;
        const int64_t run = rule == ARGAND_BORDER_CLAMP ? count
                            : step == 0                 ? 1
                            : step > 0                  ? a->n - from
                                                        : from + 1;
        const int64_t most = run < count ? run : count;
        TRY(copy_run(e, d, a->lead + i, a->lead + from, most, step));
        i += most;
        count -= most;
    }
    return ARGAND_OK;
}

static int round_of(argand_border rule)
{
    return rule == ARGAND_BORDER_ZERO ? 2 : rule == ARGAND_BORDER_CONSTANT ? 1 : 0;
}

static argand_status extend_axis(extension *e, int d, int round)
{
    const conv_axis *a = &e->c->axis[d];
    if (round_of(a->before) == round && a->lead) {
        TRY(fill_side(e, d, -a->lead, a->lead));
        e->at[d] -= a->lead;
        e->count[d] += a->lead;
    }
    if (round_of(a->after) == round && a->tail) {
        TRY(fill_side(e, d, a->n, a->tail));
        e->count[d] += a->tail;
    }
    return ARGAND_OK;
}

static argand_status copy_image(const extension *e, const argand_array *image)
{
    argand_array *y;
    TRY(part(&y, e, 0, e->at[0], e->count[0], 1));
    const argand_status status = argand_array_copy(y, image);
    argand_array_destroy(y);
    return status;
}

argand_status conv_extend(const argand_conv *c, argand_array *extended, const argand_array *image)
{
    extension e = {.c = c, .to = extended};
    bool is_extended[3];
    for (int d = 0; d < 3; d++) {
        is_extended[d] = conv_axis_is_extended(&c->axis[d], true);
        e.at[d] = is_extended[d] ? c->axis[d].lead : 0;
        e.count[d] = c->axis[d].n;
    }
    TRY(copy_image(&e, image));
    for (int round = 0; round < 3; round++)
        for (int d = 0; d < c->options.rank; d++)
            if (is_extended[d]) TRY(extend_axis(&e, d, round));
    return ARGAND_OK;
}
