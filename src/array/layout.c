/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits array operands into rows for work groups. Axes that are contiguous with each other are merged. */
#include "array/layout.h"

#include <string.h>

/* Elements for each work group. On a CPU: enough to amortise the start of a group, few enough to balance
 * threads. On a GPU: four for each of 256 work items, so that two million elements make 2000 groups,
 * enough for 132 multiprocessors with eight groups each; beyond GPU_GROUPS, groups take more elements, so
 * that their start and their partial sums cost little. The sizes depend only on shape and kind of device, so
 * that results are reproducible bit for bit. */
enum {
    CPU_ELEMENTS = 16384,
    GPU_ELEMENTS = 1024,
    GPU_MOST_ELEMENTS = 8192,
    GPU_GROUPS = 4096, /* from this number of groups on, each group takes more elements */
    GPU_LANES = 256
};

static int64_t group_elements(const argand_array *x)
{
    if (storage_address(x->storage)) return CPU_ELEMENTS;
    int64_t elements = GPU_ELEMENTS;
    while (elements < GPU_MOST_ELEMENTS && x->count / elements > GPU_GROUPS) elements *= 2;
    return elements;
}

/* Returns the number of work items of a GPU group along a row of n elements. The other items of the group
 * compute other rows. */
static int lanes_of(int64_t n)
{
    int lanes = 1;
    while (lanes < GPU_LANES && lanes < n) lanes *= 2;
    return lanes;
}

struct kernel_scalar layout_scalar(double re, double im)
{
    struct kernel_scalar s = {.single = {(float)re, (float)im}};
    memcpy(&s.bits[0], &re, sizeof re);
    memcpy(&s.bits[1], &im, sizeof im);
    return s;
}

static argand_status check_operands(const char *who, int operands, const argand_array *const *x)
{
    for (int i = 0; i < operands; i++) CHECK(x[i], ARGAND_ARGUMENT, "%s: an array is NULL", who);
    for (int i = 1; i < operands; i++) {
        bool equal = x[i]->rank == x[0]->rank;
        for (int axis = 0; equal && axis < x[0]->rank; axis++) equal = x[i]->dims[axis] == x[0]->dims[axis];
        char first[128], other[128];
        CHECK(equal, ARGAND_ARGUMENT, "%s: shapes differ: %s and %s", who,
              dims_print(first, sizeof first, x[0]->rank, x[0]->dims),
              dims_print(other, sizeof other, x[i]->rank, x[i]->dims));
        CHECK(argand_array_device(x[i]) == argand_array_device(x[0]), ARGAND_ARGUMENT,
              "%s: arrays on two devices", who);
    }
    return ARGAND_OK;
}

/* Returns true if axis `axis` continues axis `into` in memory for all operands, so that both can be one
 * axis. */
static bool continues(const struct kernel_layout *at, int first, int last, int into, int axis)
{
    for (int i = first; i < last; i++)
        if (at->stride[i][axis] != at->stride[i][into] * at->n[into]) return false;
    return true;
}

/* Drops axes of length 1 and merges axes that continue each other; contiguous arrays become one row. */
static void join_axes(struct kernel_layout *at, int first, int last)
{
    int kept = 0;
    for (int axis = 0; axis < at->rank; axis++) {
        if (at->n[axis] == 1) continue;
        if (kept && continues(at, first, last, kept - 1, axis)) {
            at->n[kept - 1] *= at->n[axis];
            continue;
        }
        at->n[kept] = at->n[axis];
        for (int i = first; i < last; i++) at->stride[i][kept] = at->stride[i][axis];
        kept++;
    }
    at->rank = kept;
    if (!kept) {
        at->rank = 1;
        at->n[0] = 1;
        for (int i = first; i < last; i++) at->stride[i][0] = 0;
    }
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

int64_t layout_deal(struct kernel_layout *at, const argand_array *x)
{
    const int64_t share = group_elements(x);
    at->rows = 1;
    for (int axis = 1; axis < at->rank; axis++) at->rows *= at->n[axis];
    at->lanes = lanes_of(at->n[0]);
    at->chunk = at->n[0] < share ? at->n[0] : share;
    at->chunks = ceil_div(at->n[0], at->chunk);
    at->row_block = at->chunks > 1 ? 1 : ceil_div(share, at->n[0]);
    return at->chunks * ceil_div(at->rows, at->row_block);
}

argand_status layout_make_any(struct kernel_layout *at, int64_t *groups, const char *who, int slot,
                              int operands, const argand_array *const *x)
{
    TRY(check_operands(who, operands, x));
    *at = (struct kernel_layout){.rank = x[0]->rank};
    for (int i = 0; i < operands; i++) {
        at->width[slot + i] = type_has_pairs(x[i]->type) ? 2 : 1;
        at->offset[slot + i] = x[i]->offset * at->width[slot + i];
        for (int axis = 0; axis < at->rank; axis++) {
            at->n[axis] = x[i]->dims[axis];
            at->stride[slot + i][axis] = x[i]->strides[axis] * at->width[slot + i];
        }
    }
    join_axes(at, slot, slot + operands);
    *groups = layout_deal(at, x[0]);
    return ARGAND_OK;
}

argand_status layout_make(struct kernel_layout *at, int64_t *groups, const char *who, int slot, int operands,
                          const argand_array *const *x)
{
    for (int i = 0; i < operands; i++)
        CHECK(!x[i] || !type_is_storage(x[i]->type), ARGAND_UNSUPPORTED,
              "%s: %s is a storage type, which is copied and transformed, but not computed with", who,
              argand_type_name(x[i]->type));
    return layout_make_any(at, groups, who, slot, operands, x);
}
