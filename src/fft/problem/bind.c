/* SPDX-License-Identifier: BSD-3-Clause */
/* Binds the arrays of a call to the plan: checks types, shapes and overlap, and sets the geometry. */
#include "fft/problem/problem.h"

#include <stdlib.h>

static argand_type complex_of(argand_type type)
{
    return type_is_double(type) ? ARGAND_C64 : ARGAND_C32;
}

/* The input or output of a call. */
typedef struct layout {
    const argand_array *array;
    const char *name;
    argand_type type;
    int64_t axis_0;   /* elements along axis 0 */
    bool out_strides; /* uses the output strides of `axes`, else the input strides */
} layout;

static layout layout_of(const fft_problem *p, const argand_array *array, bool is_out,
                        argand_direction direction)
{
    const bool reals = problem_is_real(p) && is_out == (direction == ARGAND_INVERSE);
    return (layout){.array = array,
                    .name = is_out ? "output" : "input",
                    .type = reals ? p->type : complex_of(p->type),
                    .axis_0 = problem_is_real(p) && !reals ? problem_half(p) : p->n[0],
                    .out_strides = problem_is_real(p) ? !reals : is_out};
}

static argand_status check_type(const layout *s)
{
    CHECK(s->array, ARGAND_ARGUMENT, "argand_fft_apply: no %s array", s->name);
    CHECK(s->array->type == s->type, ARGAND_ARGUMENT,
          "argand_fft_apply: the %s is %s, but the plan was made for %s", s->name,
          argand_type_name(s->array->type), argand_type_name(s->type));
    return ARGAND_OK;
}

/* The first `rank` dimensions must be the lengths; the rest is the batch. */
static argand_status check_shape(const fft_problem *p, const layout *s)
{
    const argand_array *a = s->array;
    int64_t rest = a->count;
    for (int axis = 0; axis < p->rank; axis++) {
        const int64_t wanted = axis ? p->n[axis] : s->axis_0;
        CHECK(argand_array_dim(a, axis) == wanted, ARGAND_ARGUMENT,
              "argand_fft_apply: dimension %d of the %s is %lld, but the plan has %lld there", axis, s->name,
              (long long)argand_array_dim(a, axis), (long long)wanted);
        rest /= wanted;
    }
    CHECK(rest == p->batch, ARGAND_ARGUMENT,
          "argand_fft_apply: the %s holds %lld transforms, but the plan's batch is %lld", s->name,
          (long long)rest, (long long)p->batch);
    return ARGAND_OK;
}

/* For plans with given axes: strides count from the array's first element, and must stay inside its
 * memory. */
static argand_status check_memory(const fft_problem *p, const layout *s)
{
    extent e;
    const int64_t elements = (int64_t)(storage_bytes(s->array->storage) / argand_type_size(s->array->type));
    TRY(geometry_extent(&e, &p->geometry, s->out_strides, s->axis_0));
    CHECK(s->array->offset + e.low >= 0 && s->array->offset + e.high < elements, ARGAND_ARGUMENT,
          "argand_fft_apply: the plan's strides reach elements %lld to %lld of the %s, whose memory has %lld "
          "to %lld",
          (long long)e.low, (long long)e.high, s->name, (long long)-s->array->offset,
          (long long)(elements - 1 - s->array->offset));
    return ARGAND_OK;
}

/* Returns axis or loop i of the plan with its length and stride in this array. */
static argand_axis given_axis(const fft_problem *p, const layout *s, int i)
{
    const fft_geometry *g = &p->geometry;
    const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
    const int64_t stride = s->out_strides ? axis->out_stride : axis->in_stride;
    return (argand_axis){i == 0 ? s->axis_0 : axis->n, stride, stride};
}

static bool has_dimension(const argand_array *a, const argand_axis *axis, bool used[ARGAND_MAX_RANK])
{
    for (int d = 0; d < a->rank; d++)
        if (!used[d] && a->strides[d] == axis->in_stride && a->dims[d] >= axis->n) return used[d] = true;
    return false;
}

/* For plans with given axes: a contiguous array is plain memory in which the plan's strides count. A
 * strided array has strides of its own, with which the plan must agree: each axis is one of its
 * dimensions. */
static argand_status check_strides(const fft_problem *p, const layout *s)
{
    const fft_geometry *g = &p->geometry;
    bool used[ARGAND_MAX_RANK] = {false};
    if (argand_array_is_contiguous(s->array)) return ARGAND_OK;
    for (int i = 0; i < g->rank + g->loops; i++) {
        const argand_axis axis = given_axis(p, s, i);
        CHECK(
            axis.n == 1 || axis.in_stride == 0 || has_dimension(s->array, &axis, used), ARGAND_ARGUMENT,
            "argand_fft_apply: the plan's %s %d has %lld elements at stride %lld, of which the %s, an array "
            "with "
            "strides of its own, has no dimension; make the plan without axes_given to go by these, or give "
            "the memory as a contiguous array",
            i < g->rank ? "axis" : "loop", i < g->rank ? i : i - g->rank, (long long)axis.n,
            (long long)axis.in_stride, s->name);
    }
    return ARGAND_OK;
}

static bool equal_rest(const fft_problem *p, const argand_array *a, const argand_array *b)
{
    for (int axis = p->rank; axis < ARGAND_MAX_RANK; axis++)
        if (argand_array_dim(a, axis) != argand_array_dim(b, axis)) return false;
    return true;
}

/* Two contiguous arrays may have different shapes of the batch ({n, 4, 3} and {n, 12}). */
void problem_contiguous(fft_geometry *g, const fft_problem *p, argand_direction direction)
{
    const layout out = layout_of(p, NULL, true, direction), in = layout_of(p, NULL, false, direction);
    int64_t in_stride = 1, out_stride = 1;
    /* entries beyond rank and loops stay unset, because the shortest calls come here */
    g->rank = p->rank;
    g->loops = 1;
    for (int axis = 0; axis < p->rank; axis++) {
        g->axes[axis] = (argand_axis){p->n[axis], in_stride, out_stride};
        in_stride *= axis ? p->n[axis] : in.axis_0;
        out_stride *= axis ? p->n[axis] : out.axis_0;
    }
    g->loop[0] = (argand_axis){p->batch, in_stride, out_stride};
}

static argand_status strided_geometry(fft_geometry *g, const fft_problem *p, const argand_array *out,
                                      const argand_array *in)
{
    CHECK(equal_rest(p, out, in), ARGAND_ARGUMENT,
          "argand_fft_apply: input and output have different batch dimensions, and one is not contiguous; "
          "copy it into a contiguous array");
    *g = (fft_geometry){.rank = p->rank};
    for (int axis = 0; axis < p->rank; axis++)
        g->axes[axis] =
            (argand_axis){p->n[axis], argand_array_stride(in, axis), argand_array_stride(out, axis)};
    for (int axis = p->rank; axis < ARGAND_MAX_RANK; axis++)
        if (argand_array_dim(out, axis) > 1)
            g->loop[g->loops++] = (argand_axis){argand_array_dim(out, axis), argand_array_stride(in, axis),
                                                argand_array_stride(out, axis)};
    return ARGAND_OK;
}

/* Given axes have the reals as input; the inverse of a real plan exchanges input and output strides. */
void problem_given(fft_geometry *g, const fft_problem *p, argand_direction direction)
{
    *g = p->geometry;
    if (!problem_is_real(p) || direction == ARGAND_FORWARD) return;
    for (int i = 0; i < g->rank + g->loops; i++) {
        argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        *axis = (argand_axis){axis->n, axis->out_stride, axis->in_stride};
    }
}

static bool same_strides(const fft_geometry *g)
{
    for (int i = 0; i < g->rank + g->loops; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        if (axis->n > 1 && axis->in_stride != axis->out_stride) return false;
    }
    return true;
}

/* Returns the bytes of a row along axis 0 from its first element; 0 if its stride is negative. */
static int64_t row_bytes(const fft_geometry *g, const layout *s, bool is_output)
{
    const int64_t stride = is_output ? g->axes[0].out_stride : g->axes[0].in_stride;
    return stride < 0 ? 0 : ((s->axis_0 - 1) * stride + 1) * (int64_t)argand_type_size(s->type);
}

static int by_stride(const void *a, const void *b)
{
    const int64_t x = llabs(((const argand_axis *)a)->out_stride),
                  y = llabs(((const argand_axis *)b)->out_stride);
    return (x > y) - (x < y);
}

/* Returns true for a real transform whose arrays begin at the same byte and whose rows occupy the same
 * bytes, apart from each other, as in FFTW's layout of 2 (n/2 + 1) reals. An engine that reads whole rows
 * before it writes them may then work in place. */
static bool same_rows(const fft_geometry *g, const layout *out, const layout *in)
{
    const int64_t out_bytes = row_bytes(g, out, true), in_bytes = row_bytes(g, in, false);
    argand_axis others[2 * ARGAND_MAX_RANK];
    int count = 0;
    if (out->type == in->type || !out_bytes || !in_bytes) return false;
    for (int i = 1; i < g->rank + g->loops; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        const int64_t step = axis->out_stride * (int64_t)argand_type_size(out->type);
        if (axis->n > 1 && step != axis->in_stride * (int64_t)argand_type_size(in->type)) return false;
        if (axis->n > 1) others[count++] = (argand_axis){axis->n, 0, step};
    }
    qsort(others, (size_t)count, sizeof *others, by_stride);
    int64_t reach = out_bytes > in_bytes ? out_bytes : in_bytes;
    for (int i = 0; i < count; i++) {
        if (llabs(others[i].out_stride) < reach) return false;
        reach += (others[i].n - 1) * llabs(others[i].out_stride);
    }
    return true;
}

static argand_status check_disjoint(const fft_geometry *g, const layout *out, const layout *in)
{
    const argand_array *a = out->array, *b = in->array;
    const int64_t size_a = (int64_t)argand_type_size(a->type), size_b = (int64_t)argand_type_size(b->type);
    int64_t behind;
    extent ea, eb;
    if (!array_distance(&behind, a, b)) return ARGAND_OK;
    if (behind == 0 && a->type == b->type && same_strides(g)) return ARGAND_OK;
    TRY(geometry_extent(&ea, g, true, out->axis_0));
    TRY(geometry_extent(&eb, g, false, in->axis_0));
    const bool disjoint = extents_disjoint(&ea, size_a, &eb, size_b, behind);
    const bool packed =
        type_is_complex(a->type) ? 2 * out->axis_0 == in->axis_0 : 2 * in->axis_0 == out->axis_0;
    CHECK(disjoint || (behind == 0 && same_rows(g, out, in)), ARGAND_ARGUMENT,
          "argand_fft_apply: output and input share memory but are not the same elements with the same "
          "strides%s",
          out->type == in->type ? ": give a copy of the input"
          : packed              ? "; a real transform in place has its rows in the same bytes on both sides"
                                : "; a real transform in place has its rows in the same bytes on both sides, "
                                  "each with space for 2 (n/2 + 1) reals");
    return ARGAND_OK;
}

/* Returns true if the array is contiguous and has the plan's shape. */
static bool has_shape(const fft_problem *p, const layout *s)
{
    const argand_array *a = s->array;
    int64_t reach = 1;
    if (a->type != s->type || a->rank < p->rank) return false;
    for (int axis = 0; axis < a->rank; axis++) {
        const int64_t n = a->dims[axis];
        if (axis < p->rank && n != (axis ? p->n[axis] : s->axis_0)) return false;
        if (n != 1 && a->strides[axis] != reach) return false;
        reach *= n;
    }
    return reach == p->points / p->n[0] * s->axis_0 * p->batch;
}

/* Returns true for the most frequent call: two contiguous arrays of the plan's shape, disjoint or (complex
 * ones) the same. No other check is then needed. (A transform of 16 points takes 20 ns, all checks took
 * 60.) */
static bool is_plain(const fft_problem *p, const layout *out, const layout *in, fft_places *places)
{
    const argand_array *to = out->array, *from = in->array;
    if (p->axes_given || !has_shape(p, out) || !has_shape(p, in)) return false;
    *places = (fft_places){argand_array_data(to), argand_array_data(from)};
    if (to->type == from->type && to->storage == from->storage && to->offset == from->offset) return true;
    const int64_t distance = (int64_t)((intptr_t)places->out - (intptr_t)places->in);
    return places->out && places->in &&
           ((distance == 0 && to->type == from->type) ||
            (distance >= 0 ? distance >= from->count * (int64_t)argand_type_size(from->type)
                           : -distance >= to->count * (int64_t)argand_type_size(to->type)));
}

bool problem_is_plain(fft_places *places, const fft_problem *p, const argand_array *out,
                      const argand_array *in, argand_direction direction)
{
    const layout out_layout = layout_of(p, out, true, direction),
                 in_layout = layout_of(p, in, false, direction);
    return is_plain(p, &out_layout, &in_layout, places) && places->out;
}

argand_status problem_bind(fft_geometry *g, const fft_problem *p, const argand_array *out,
                           const argand_array *in, argand_direction direction)
{
    const layout out_layout = layout_of(p, out, true, direction),
                 in_layout = layout_of(p, in, false, direction);
    fft_places places;
    if (is_plain(p, &out_layout, &in_layout, &places)) {
        problem_contiguous(g, p, direction);
        return ARGAND_OK;
    }
    TRY(check_type(&out_layout));
    TRY(check_type(&in_layout));
    if (p->axes_given) {
        TRY(check_strides(p, &out_layout));
        TRY(check_strides(p, &in_layout));
        TRY(check_memory(p, &out_layout));
        TRY(check_memory(p, &in_layout));
        problem_given(g, p, direction);
    } else {
        TRY(check_shape(p, &out_layout));
        TRY(check_shape(p, &in_layout));
        if (argand_array_is_contiguous(out) && argand_array_is_contiguous(in))
            problem_contiguous(g, p, direction);
        else {
            TRY(strided_geometry(g, p, out, in));
            TRY(geometry_check_output(g, true, out_layout.axis_0));
        }
    }
    return check_disjoint(g, &out_layout, &in_layout);
}
