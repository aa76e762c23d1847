/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds a pass with accessors to the kernel's key, and fills in the arguments of a launch, as
 * kernels/fft/tile/chain.krn expects them. */
#include "fft/gpu/codegen/access.h"

#include <string.h>
#include "base/memory.h"
#include "fft/access/access.h"
#include "kernels/access/params.h"

/* Origin of a part of a call, or stride between chunks of persistent passes: coordinates, input elements,
 * output elements. */
enum { FIRST_ARGUMENTS = 3 };

static const argand_accessor *link_of(const pass_access *a, int i)
{
    return &a->chain[a->place[i]];
}

/* Returns the number of launch arguments of an accessor: those of a scalar, or the array's address with
 * strides or parameters. */
static int arguments_of(const argand_accessor *a, int dims)
{
    return a->kind == ARGAND_ACCESS_SCALE ? 2
                                          : 1 + (a->kind == ARGAND_ACCESS_MULTIPLY ? dims : ACCESS_NUMBERS);
}

static void layout_access(pass_access *a, tile_shape *s)
{
    const access_array_layout *layout = a->layout;
    a->strides = s->arguments;
    s->arguments += a->windows;
    if (layout && layout->imaginary && !type_has_pairs(layout->type)) a->split = ++s->arguments;
    if (layout && layout->has_constant) {
        a->around = s->arguments + 1;
        s->arguments += 2;
    }
    for (int i = 0; i < a->links; i++) {
        a->link[i] = s->arguments;
        s->arguments += arguments_of(link_of(a, i), s->dims);
    }
}

void access_layout(tile_shape *s)
{
    s->arguments = FIRST_ARGUMENTS;
    for (int operand = 0; operand < 3; operand++)
        if (s->access[operand].on) layout_access(&s->access[operand], s);
}

/* ---- the key ---- */

static void add_list(text *t, const char *prefix, const char *name, const int *values, int count)
{
    text_add(t, " %s_%s=", prefix, name);
    for (int i = 0; i < count || i == 0; i++) text_add(t, "%s%d", i ? "," : "", i < count ? values[i] : 0);
}

static void add_windows(text *t, const char *prefix, const pass_access *a)
{
    int dim[2], points[2], first[2], count[2], border[2], near[2];
    for (int i = 0; i < a->windows; i++) {
        dim[i] = a->window[i].dim;
        points[i] = a->window[i].points;
        first[i] = a->window[i].first;
        count[i] = a->window[i].count;
        border[i] = a->window[i].border;
        near[i] = a->window[i].constant_stride;
    }
    text_add(t, " %s_WINDOWS=%d %s_WINDOW_ARGUMENTS=%d", prefix, a->windows, prefix, a->strides);
    add_list(t, prefix, "WINDOW_DIMS", dim, a->windows);
    add_list(t, prefix, "WINDOW_POINTS", points, a->windows);
    add_list(t, prefix, "WINDOW_FIRST", first, a->windows);
    add_list(t, prefix, "WINDOW_COUNT", count, a->windows);
    add_list(t, prefix, "WINDOW_BORDER", border, a->windows);
    add_list(t, prefix, "WINDOW_STRIDES", near, a->windows);
}

/* Adds the kind of each array. If any array has strides known to the plan, also adds the strides of all
 * arrays. */
static void add_arrays(text *t, const char *prefix, const pass_access *a, int dims)
{
    int list[ARGAND_MAX_ACCESSORS * (1 + PASS_ACCESS_DIMS)] = {0}, count = ARGAND_MAX_ACCESSORS;
    for (int i = 0; i < a->links; i++) {
        const argand_array *array = link_of(a, i)->array;
        list[i] = (int)(a->reals >> ACCESS_KIND_BITS * a->place[i] & 15);
        if (!(list[i] & ACCESS_STEPS_KNOWN)) continue;
        count = ARGAND_MAX_ACCESSORS * (1 + dims);
        for (int d = 0; d < dims && d < array->rank; d++)
            if (array->dims[d] > 1) list[ARGAND_MAX_ACCESSORS + i * dims + d] = (int)array->strides[d];
    }
    add_list(t, prefix, "REALS", list, count);
}

static void add_chain(text *t, const char *prefix, const pass_access *a, int dims)
{
    int kinds[ARGAND_MAX_ACCESSORS] = {0}, conjugates[ARGAND_MAX_ACCESSORS] = {0};
    for (int i = 0; i < a->links; i++) {
        const argand_accessor *link = link_of(a, i);
        kinds[i] = (int)link->kind;
        conjugates[i] = link->kind == ARGAND_ACCESS_MULTIPLY && link->conjugate;
    }
    for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++)
        if (kinds[i] == ARGAND_ACCESS_CALL)
            text_add(t, " %s_CALL_%d=" ACCESS_OWN "%s", prefix, i, link_of(a, i)->name);
        else
            text_add(t, " %s_CALL_%d=access_same", prefix, i);
    text_add(t, " %s_LINKS=%d", prefix, a->links);
    add_list(t, prefix, "KINDS", kinds, ARGAND_MAX_ACCESSORS);
    add_list(t, prefix, "CONJUGATES", conjugates, ARGAND_MAX_ACCESSORS);
    add_arrays(t, prefix, a, dims);
    add_list(t, prefix, "ARGUMENTS", a->link, ARGAND_MAX_ACCESSORS);
}

static void add_image(text *t, const char *prefix, const pass_access *a)
{
    if (a->image.rank) text_add(t, " %s_IMAGE=%d", prefix, a->image.rank);
    for (int d = 0; d < a->image.rank; d++)
        text_add(t, "%s%lld", d ? "," : " SPECTRUM_POINTS=", (long long)a->image.points[d]);
    for (int d = 0; d < a->image.rank && a->image.step[0]; d++)
        text_add(t, "%s%lld", d ? "," : " SPECTRUM_STEPS=", (long long)a->image.step[d]);
}

void key_add_access(text *t, const tile_shape *s)
{
    static const char *const names[3] = {"LOAD", "STORE", "SPECTRUM"};
    const int none = PASS_ACCESS_DIMS + 3;
    text_add(t, " ACCESS=%d ACCESS_ARGUMENTS=%d", s->access[0].on + 2 * s->access[1].on + 4 * s->access[2].on,
             s->arguments ? s->arguments : FIRST_ARGUMENTS);
    if (!tile_has_access(s)) return;
    text_add(t, " ACCESS_STILL_STRIDES=%d%s", s->still, s->falling ? " TILE_FALLING=1" : "");
    if (s->next_line) text_add(t, " TILE_FIRST_LINE=%d", s->next_line);
    if (s->factors) text_add(t, " LOAD_SHARED_FACTORS=1");
    if (s->access[1].factor) text_add(t, " STORE_COMPLEX_SCALE=1");
    for (int operand = 0; operand < 2; operand++) {
        const tile_stage *stage = &s->stage[operand ? s->stages - 1 : 0];
        const char *name = names[operand];
        if (s->rotated[operand])
            text_add(t, " %s_SHIFT_BUTTERFLY=%d %s_SHIFT_AXIS=%d %s_SHIFT_RADIX=%d", name,
                     s->rotated[operand], name, stage->axis, name, stage->radix);
    }
    for (int k = 0; k < 3 + s->loops; k++)
        text_add(t, "%s%d", k ? "," : " ACCESS_AT_DIMS=", s->at_dim[k] ? s->at_dim[k] - 1 : none);
    for (int k = 0; k < 3 + s->loops; k++)
        text_add(t, "%s%lld", k ? "," : " ACCESS_AT_STEPS=", (long long)s->at_step[k]);
    text_add(t, " ACCESS_AT_PART=%d ACCESS_AT_CARRY=%d ACCESS_AT_CARRY_POINTS=%lld",
             s->at_part < 0 ? none : s->at_part, s->at_with < 0 ? none : s->at_with, (long long)s->at_with_n);
    if (s->access[2].on) {
        text_add(t, " SPECTRUM_MIRROR=%d", s->mirror);
        add_image(t, names[2], &s->access[2]);
        if (tile_has_images(s)) text_add(t, " SPECTRUM_HALVED_LOOP=%d", s->halved);
        add_chain(t, names[2], &s->access[2], s->dims);
    }
    for (int operand = 0; operand < 2; operand++) {
        const pass_access *a = &s->access[operand];
        if (!a->on) continue;
        text_add(t, " %s_TYPE=%d %s_SPLIT=%d", names[operand], (int)a->type, names[operand], a->split);
        if (operand == 0) text_add(t, " LOAD_OUTSIDE=%d", a->around);
        add_image(t, names[operand], a);
        add_windows(t, names[operand], a);
        add_chain(t, names[operand], a, s->dims);
    }
}

bool key_add_kernel(text *t, const tile_pass *pass, int count)
{
    unsigned chains = 0;
    const tile_shape *any = NULL;
    for (int i = 0; i < count; i++) {
        if (!tile_has_access(&pass[i].shape)) continue;
        any = &pass[i].shape;
        for (int operand = 0; operand < 3; operand++)
            if (any->access[operand].links) chains |= 1u << any->access[operand].chain_number;
    }
    if (!any) return false;
    text_add(t, " ACCESS_ANY=1 ACCESS_DIMS=%d", any->dims);
    if (any->own[chains][0]) text_add(t, " OWN=%s", any->own[chains]);
    return true;
}

/* Returns the stride of an array, in elements, along dimension k of a tile, or along loop k - 3. */
static int64_t step_along(const tile_shape *s, const argand_array *a, int k)
{
    const int d = s->at_dim[k] - 1;
    return d >= 0 && d < a->rank && a->dims[d] > 1 ? a->strides[d] * s->at_step[k] : 0;
}

/* Returns true if the load chain only multiplies by one complex array with known strides, without window
 * or image. */
static bool is_map(const tile_shape *s, const block_limits *l)
{
    const pass_access *a = &s->access[0];
    return a->on && a->links == 1 && !a->windows && !a->image.rank &&
           link_of(a, 0)->kind == ARGAND_ACCESS_MULTIPLY && link_of(a, 0)->array && a->type == ARGAND_C32 &&
           (a->reals >> ACCESS_KIND_BITS * a->place[0] & 15) == ACCESS_STEPS_KNOWN && !l->is_double &&
           !s->access[2].on && !s->ragged && s->stages > 1 && !(s->stays & 2) && !s->next_line &&
           !s->rotated[0] && s->in_kind == IN_COMPLEX && !tile_convolves(s) && !s->chirp;
}

/* Pairs of neighbours must start at even positions, and shared memory must hold the factors of a whole
 * tile. */
bool access_has_factors(const tile_shape *s, const block_limits *l)
{
    const int fast = s->in_fast, d = fast < 2 ? s->at_dim[fast] - 1 : -1;
    if (!l->tuning.shared_factors || !is_map(s, l) || d < 0 || d == s->at_part || d == s->at_with)
        return false;
    const argand_array *array = link_of(&s->access[0], 0)->array;
    bool even = step_along(s, array, fast) == 1 && s->size[fast] % 2 == 0 &&
                2 * tile_points(s) <= s->shared_elements && step_along(s, array, 1 - fast) % 2 == 0 &&
                step_along(s, array, 2) % 2 == 0;
    for (int k = 0; k < s->loops; k++) even &= step_along(s, array, 3 + k) % 2 == 0;
    return even;
}

/* ---- a launch ---- */

static INDEX bits_of(double x, bool is_double)
{
    INDEX bits = 0;
    const float single = (float)x;
    uint32_t half;
    if (is_double) {
        memcpy(&bits, &x, sizeof x);
        return bits;
    }
    memcpy(&half, &single, sizeof half);
    return half;
}

static void fill_link(INDEX *arguments, const access_link *l, int dims, bool is_double)
{
    if (l->kind == ARGAND_ACCESS_SCALE) {
        arguments[0] = bits_of(l->scalar.re, is_double);
        arguments[1] = bits_of(l->scalar.im, is_double);
        return;
    }
    arguments[0] = 0;
    if (l->kind == ARGAND_ACCESS_MULTIPLY) {
        arguments[0] = l->array->offset;
        for (int d = 0; d < dims; d++) arguments[1 + d] = l->stride[d];
        return;
    }
    if (l->array) arguments[0] = l->array->offset * (l->real_array ? 1 : 2);
    for (int k = 0; k < ACCESS_NUMBERS; k++) arguments[1 + k] = bits_of(l->parameters[k], is_double);
}

int access_arguments(INDEX *arguments, const tile_shape *s, const access_call *c, const int64_t first[3],
                     bool is_double)
{
    const int count = s->arguments ? s->arguments : FIRST_ARGUMENTS;
    if (!c) {
        memset(arguments, 0, (size_t)count * sizeof *arguments);
        return count;
    }
    const access_chain *const chains[3] = {&c->load, &c->spectrum, &c->store};
    for (int i = 0; i < FIRST_ARGUMENTS; i++) arguments[i] = first[i];
    for (int operand = 0; operand < 3; operand++) {
        const pass_access *a = &s->access[operand];
        if (!a->on) continue;
        for (int i = 0; i < a->windows; i++) arguments[a->strides + i] = a->window[i].stride;
        if (a->split) arguments[a->split - 1] = a->layout->imaginary;
        if (a->around) {
            arguments[a->around - 1] = bits_of(a->layout->constant.re, is_double);
            arguments[a->around] = bits_of(a->layout->constant.im, is_double);
        }
        for (int i = 0; i < a->links; i++)
            fill_link(arguments + a->link[i], &chains[a->chain_number]->link[a->place[i]], s->dims,
                      is_double);
    }
    return count;
}
