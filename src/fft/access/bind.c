/* SPDX-License-Identifier: BSD-3-Clause */
/* Binds the arrays of a call to a plan with accessors: finds the position of every element. */
#include <stdlib.h>
#include <string.h>
#include "fft/access/access.h"

/* The input or output array of the call. */
typedef struct end {
    const argand_array *array;
    const access_array_layout *layout;
    const char *name;
} end;

static argand_status check_type(const end *e)
{
    CHECK(e->array->type == e->layout->type, ARGAND_ARGUMENT,
          "argand_fft_apply: the %s is %s, but the plan was made for %s", e->name,
          argand_type_name(e->array->type), argand_type_name(e->layout->type));
    return ARGAND_OK;
}

static argand_status check_axes(const end *e, const access_call *c)
{
    for (int axis = 0; axis < c->rank; axis++)
        CHECK(argand_array_dim(e->array, axis) == e->layout->window[axis].count, ARGAND_ARGUMENT,
              "argand_fft_apply: dimension %d of the %s is %lld, but the plan's window has %lld there", axis,
              e->name, (long long)argand_array_dim(e->array, axis), (long long)e->layout->window[axis].count);
    return ARGAND_OK;
}

/* Sets the loops from dimensions beyond the rank. They are equal in input and output, or 1 in an input
 * that repeats, or 1 in an output that sums. */
static argand_status shape_loops(access_call *c, const fft_problem *p, unsigned sum)
{
    int64_t batch = 1;
    c->dims = c->in->rank > c->out->rank ? c->in->rank : c->out->rank;
    if (c->dims < c->rank) c->dims = c->rank;
    for (int d = c->rank; d < c->dims; d++) {
        const int64_t in = argand_array_dim(c->in, d), out = argand_array_dim(c->out, d);
        const bool summed = sum >> (d - c->rank) & 1;
        c->loop[d] = in > out ? in : out;
        CHECK(in == out || in == 1 || (out == 1 && summed), ARGAND_ARGUMENT,
              "argand_fft_apply: dimension %d is %lld in the input and %lld in the output; make them equal, "
              "or set the bit of this dimension in .sum to sum over it",
              d, (long long)in, (long long)out);
        CHECK(!summed || out == 1, ARGAND_ARGUMENT,
              "argand_fft_apply: dimension %d is summed, but the output has %lld there, not 1", d,
              (long long)out);
        batch *= c->loop[d];
    }
    CHECK(batch == p->batch, ARGAND_ARGUMENT,
          "argand_fft_apply: the arrays hold %lld transforms, but the plan's batch is %lld", (long long)batch,
          (long long)p->batch);
    return ARGAND_OK;
}

static int64_t array_stride(const argand_array *a, int d)
{
    return argand_array_dim(a, d) == 1 ? 0 : argand_array_stride(a, d);
}

static void given_strides(access_call *c, const fft_problem *p, bool reversed)
{
    const fft_geometry *g = &p->geometry;
    c->dims = g->rank + g->loops;
    for (int d = 0; d < c->dims; d++) {
        const argand_axis *axis = d < g->rank ? &g->axes[d] : &g->loop[d - g->rank];
        if (d >= g->rank) c->loop[d] = axis->n;
        c->in_stride[d] = reversed ? axis->out_stride : axis->in_stride;
        c->out_stride[d] = reversed ? axis->in_stride : axis->out_stride;
    }
}

static int64_t count_of(const access_call *c, const access_array_layout *layout, int d)
{
    return d < c->rank ? layout->window[d].count : c->loop[d];
}

/* Returns the first and the last element that a layout uses, imaginary parts included. */
static extent reach(const access_call *c, const access_array_layout *layout, const int64_t *stride)
{
    extent e = {0, 0};
    for (int d = 0; d < c->dims; d++) {
        const int64_t far = (count_of(c, layout, d) - 1) * stride[d];
        *(far < 0 ? &e.low : &e.high) += far;
    }
    *(layout->imaginary < 0 ? &e.low : &e.high) += layout->imaginary;
    return e;
}

extent access_reach(const access_call *c, bool is_output)
{
    return is_output ? reach(c, c->out_layout, c->out_stride) : reach(c, c->in_layout, c->in_stride);
}

/* Returns one layout as a geometry, so that the same checks apply; a summed loop has length 1. */
static fft_geometry layout_geometry(const access_call *c, const access_array_layout *layout,
                                    const int64_t *stride, unsigned sum)
{
    fft_geometry g = {.rank = c->rank};
    for (int d = 0; d < c->dims; d++) {
        const argand_axis axis = {sum >> d & 1 ? 1 : count_of(c, layout, d), stride[d], stride[d]};
        if (d < c->rank)
            g.axes[d] = axis;
        else if (g.loops < ARGAND_MAX_RANK)
            g.loop[g.loops++] = axis;
    }
    return g;
}

static argand_status check_memory(const access_call *c, const end *e, const int64_t *stride)
{
    const extent r = reach(c, e->layout, stride);
    const int64_t elements = (int64_t)(storage_bytes(e->array->storage) / argand_type_size(e->array->type));
    CHECK(e->array->offset + r.low >= 0 && e->array->offset + r.high < elements, ARGAND_ARGUMENT,
          "argand_fft_apply: the plan's strides reach elements %lld to %lld of the %s, whose memory has %lld "
          "to %lld",
          (long long)r.low, (long long)r.high, e->name, (long long)-e->array->offset,
          (long long)(elements - 1 - e->array->offset));
    return ARGAND_OK;
}

/* Refuses output elements that coincide. */
static argand_status check_distinct(const access_call *c)
{
    const fft_geometry g = layout_geometry(c, c->out_layout, c->out_stride, c->sum);
    return geometry_check_output(&g, true, g.axes[0].n);
}

bool access_shares_memory(const argand_array *a, const argand_array *b)
{
    return storage_overlaps(a->storage, b->storage);
}

/* Input and output may be the same memory, because each line is read before it is written; otherwise they
 * must not overlap. */
static argand_status check_disjoint(const access_call *c)
{
    const argand_array *a = c->out, *b = c->in;
    const int64_t size_a = (int64_t)argand_type_size(a->type), size_b = (int64_t)argand_type_size(b->type);
    int64_t behind;
    if (!array_distance(&behind, a, b)) return ARGAND_OK;
    const extent ea = reach(c, c->out_layout, c->out_stride), eb = reach(c, c->in_layout, c->in_stride);
    bool same = behind == 0 && a->type == b->type && c->in_layout->imaginary == c->out_layout->imaginary;
    for (int d = 0; d < c->dims; d++)
        same = same && c->in_stride[d] == c->out_stride[d] &&
               count_of(c, c->in_layout, d) == count_of(c, c->out_layout, d);
    const bool disjoint = extents_disjoint(&ea, size_a, &eb, size_b, behind);
    CHECK(same || disjoint, ARGAND_ARGUMENT,
          "argand_fft_apply: output and input share memory but are not the same elements with the same "
          "strides: give a copy of the input");
    return ARGAND_OK;
}

/* ---- chains ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static argand_status check_kept(const argand_accessor *now, const argand_accessor *kept, const char *chain,
                                int i)
{
    CHECK(now->kind == kept->kind && now->function == kept->function && now->conjugate == kept->conjugate &&
              now->mirror == kept->mirror && same_text(now->source, kept->source) &&
              same_text(now->name, kept->name),
          ARGAND_ARGUMENT,
          "argand_fft_apply_access: access.%s[%d] differs from the plan's accessor; only scalar, array and "
          "parameters may change: create another plan for the rest",
          chain, i);
    return ARGAND_OK;
}

/* Requirements on an accessor's array, for points of these lengths. */
typedef struct place {
    const char *chain;
    int i;
    bool reals, is_double;
    int64_t n[ACCESS_DIMS];
    int dims;
    argand_device *device;
} place;

/* Checks device and type of an accessor's array. */
static argand_status check_array(const argand_array *x, const argand_accessor *a, const place *at)
{
    CHECK(argand_array_device(x) == at->device, ARGAND_ARGUMENT,
          "argand_fft_apply: the array of access.%s[%d] lives on another device than the plan", at->chain,
          at->i);
    CHECK(!type_is_storage(x->type) && type_is_double(x->type) == at->is_double, ARGAND_ARGUMENT,
          "argand_fft_apply: the array of access.%s[%d] is %s, of another precision than the transform",
          at->chain, at->i, argand_type_name(x->type));
    CHECK(!type_is_complex(x->type) || !at->reals || a->kind == ARGAND_ACCESS_CALL, ARGAND_ARGUMENT,
          "argand_fft_apply: the array of access.%s[%d] is complex, but the numbers there are real",
          at->chain, at->i);
    CHECK(a->kind != ARGAND_ACCESS_CALL || argand_array_is_contiguous(x), ARGAND_ARGUMENT,
          "argand_fft_apply: the array of access.%s[%d] is not contiguous; a function's array must be: "
          "copy it first",
          at->chain, at->i);
    return ARGAND_OK;
}

/* Checks the array of an accessor, and sets its strides: 0 along dimensions of length 1, which repeat. */
static argand_status bind_array(access_link *l, const argand_accessor *a, const place *at)
{
    const argand_array *x = a->array;
    CHECK(x || a->kind != ARGAND_ACCESS_MULTIPLY, ARGAND_ARGUMENT,
          "argand_fft_apply: access.%s[%d].array is NULL; give the array to multiply by", at->chain, at->i);
    if (!x) return ARGAND_OK;
    TRY(check_array(x, a, at));
    l->real_array = !type_is_complex(x->type);
    if (a->kind == ARGAND_ACCESS_CALL) return ARGAND_OK;
    for (int d = 0; d < ARGAND_MAX_RANK; d++) {
        const int64_t n = argand_array_dim(x, d), wanted = d < at->dims ? at->n[d] : 1;
        CHECK(n == wanted || n == 1, ARGAND_ARGUMENT,
              "argand_fft_apply: dimension %d of the array of access.%s[%d] is %lld; it must be %lld or 1", d,
              at->chain, at->i, (long long)n, (long long)wanted);
        l->stride[d] = n > 1 ? argand_array_stride(x, d) : 0;
    }
    return ARGAND_OK;
}

/* Sets the accessors of a chain from the plan (kept) and from the scalars and arrays of the call (now). */
static argand_status bind_chain(access_chain *to, const argand_accessor *kept, const argand_accessor *now,
                                place *at)
{
    for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++) {
        at->i = i;
        TRY(check_kept(&now[i], &kept[i], at->chain, i));
        if (!kept[i].kind) break;
        access_link *l = &to->link[to->count++];
        *l = (access_link){.kind = kept[i].kind,
                           .conjugate = kept[i].conjugate,
                           .mirror = kept[i].mirror,
                           .scalar = now[i].scalar,
                           .array = now[i].array,
                           .parameters = now[i].parameters,
                           .function = kept[i].function,
                           .source = kept[i].source,
                           .name = kept[i].name};
        if (l->conjugate) l->scalar.im = -l->scalar.im;
        CHECK(!at->reals || l->scalar.im == 0, ARGAND_ARGUMENT,
              "argand_fft_apply: access.%s[%d].scalar is complex, but the numbers there are real; give a "
              "real scalar",
              at->chain, i);
        TRY(bind_array(l, &now[i], at));
    }
    return ARGAND_OK;
}

static argand_status bind_chains(access_call *c, const fft_problem *p, const argand_fft_access *now)
{
    const struct fft_access *a = p->access;
    place at = {.is_double = type_is_double(p->type), .dims = c->dims, .device = argand_array_device(c->in)};
    if (!now) now = &a->chains;
    TRY(access_check_gaps(now, "argand_fft_apply_access"));
    memcpy(at.n, c->loop, sizeof at.n);
    for (int d = 0; d < c->rank; d++) at.n[d] = c->in_layout->window[d].count;
    at.chain = "load";
    at.reals = c->in_layout->reals;
    TRY(bind_chain(&c->load, a->chains.load, now->load, &at));
    for (int d = 0; d < c->rank; d++) at.n[d] = access_points(p, d, problem_is_real(p));
    at.chain = "spectrum";
    at.reals = false;
    TRY(bind_chain(&c->spectrum, a->chains.spectrum, now->spectrum, &at));
    for (int d = 0; d < c->rank; d++) at.n[d] = c->out_layout->window[d].count;
    for (int d = c->rank; d < c->dims; d++)
        if (c->sum >> d & 1) at.n[d] = c->loop[d];
    at.chain = "store";
    at.reals = c->out_layout->reals;
    return bind_chain(&c->store, a->chains.store, now->store, &at);
}

static argand_status bind_shape(access_call *c, const fft_problem *p, const end *in, const end *out)
{
    TRY(check_axes(in, c));
    TRY(check_axes(out, c));
    TRY(shape_loops(c, p, p->access->sum));
    for (int d = 0; d < c->dims; d++) {
        c->in_stride[d] = array_stride(c->in, d);
        c->out_stride[d] = array_stride(c->out, d);
    }
    return ARGAND_OK;
}

static void choose_layouts(access_call *c, const fft_problem *p, bool reversed)
{
    const struct fft_access *a = p->access;
    c->in_layout = reversed ? &a->out : &a->in;
    c->out_layout = reversed ? &a->in : &a->out;
}

static void find_sums(access_call *c, unsigned sum)
{
    for (int d = c->rank; d < c->dims; d++)
        if (sum >> (d - c->rank) & 1) {
            c->sum |= 1u << d;
            c->out_stride[d] = 0;
        }
}

static bool is_reversed(const fft_problem *p, argand_direction direction)
{
    return problem_is_real(p) && !p->access->has_spectrum && direction == ARGAND_INVERSE;
}

void access_plan_call(access_call *c, const fft_problem *p, argand_direction direction)
{
    *c = (access_call){.rank = p->rank, .dims = p->rank + 1};
    choose_layouts(c, p, is_reversed(p, direction));
    if (p->axes_given)
        given_strides(c, p, is_reversed(p, direction));
    else {
        int64_t in = 1, out = 1;
        c->loop[p->rank] = p->batch;
        for (int d = 0; d < c->dims; d++) {
            c->in_stride[d] = in;
            c->out_stride[d] = out;
            in *= count_of(c, c->in_layout, d);
            out *= count_of(c, c->out_layout, d);
        }
    }
    find_sums(c, p->access->sum);
}

argand_status access_check_axes(const fft_problem *p)
{
    access_call c;
    extent e;
    access_plan_call(&c, p, ARGAND_FORWARD);
    const fft_geometry in = layout_geometry(&c, c.in_layout, c.in_stride, 0),
                       out = layout_geometry(&c, c.out_layout, c.out_stride, c.sum);
    TRY(geometry_extent(&e, &in, false, in.axes[0].n));
    return geometry_extent(&e, &out, true, out.axes[0].n);
}

argand_status access_bind(access_call *c, const fft_problem *p, argand_array *out, const argand_array *in,
                          argand_direction direction, const argand_fft_access *now)
{
    const struct fft_access *a = p->access;
    const bool reversed = is_reversed(p, direction);
    CHECK(!problem_is_real(p) || !a->has_spectrum || direction == ARGAND_FORWARD, ARGAND_ARGUMENT,
          "argand_fft_apply: a real plan with a chain \"spectrum\" transforms forward and back in one call; "
          "give ARGAND_FORWARD");
    CHECK(!reversed || !(a->in.has_constant || a->out.has_constant), ARGAND_UNSUPPORTED,
          "argand_fft_apply: this direction swaps input and output, and only an input may have a constant "
          "border; use the other direction");
    *c = (access_call){.rank = p->rank, .in = in, .out = out};
    choose_layouts(c, p, reversed);
    const end in_end = {in, c->in_layout, "input"}, out_end = {out, c->out_layout, "output"};
    TRY(check_type(&in_end));
    TRY(check_type(&out_end));
    if (p->axes_given)
        given_strides(c, p, reversed);
    else
        TRY(bind_shape(c, p, &in_end, &out_end));
    find_sums(c, a->sum);
    TRY(check_memory(c, &in_end, c->in_stride));
    TRY(check_memory(c, &out_end, c->out_stride));
    TRY(check_distinct(c));
    TRY(check_disjoint(c));
    return bind_chains(c, p, now);
}
