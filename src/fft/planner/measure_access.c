/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes arrays for measuring plans with accessors: input and output as in the plan, and arrays for its
 * multiplications. */
#include "fft/planner/measure.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "kernels/portable.h"
#include "kernels/access/types.h"

enum { CHAINS = 3, SAMPLE = 1 << 16 };

/* ---- the layouts ---- */

void access_trial_reach(extent *e, argand_type *type, const fft_problem *p, bool is_output)
{
    access_call c;
    access_plan_call(&c, p, ARGAND_FORWARD);
    *type = (is_output ? c.out_layout : c.in_layout)->type;
    *e = access_reach(&c, is_output);
}

argand_status access_trial_array(argand_array **memory, argand_array **array, const fft_problem *p,
                                 argand_device *device, bool is_output)
{
    access_call c;
    access_plan_call(&c, p, ARGAND_FORWARD);
    const access_array_layout *layout = is_output ? c.out_layout : c.in_layout;
    const extent e = access_reach(&c, is_output);
    const int64_t count = e.high - e.low + 1, rest = e.high + 1, one = 1;
    int64_t dims[ACCESS_DIMS];
    int rank = 0;
    TRY(argand_array_create(memory, device, layout->type, 1, &count));
    if (p->axes_given) /* the plan gives the strides */
        return argand_array_view(array, *memory, 1, rest > 0 ? &rest : &one, NULL, -e.low);
    for (int d = 0; d < p->rank; d++) dims[rank++] = layout->window[d].count;
    if (p->batch > 1) dims[rank++] = is_output && (c.sum >> p->rank & 1) ? 1 : p->batch;
    return argand_array_view(array, *memory, rank, dims, is_output ? c.out_stride : c.in_stride, -e.low);
}

/* ---- arrays of products ---- */

/* Returns the points along an axis at that chain, forward. */
static int64_t points_at(const fft_problem *p, int chain, int axis)
{
    const struct fft_access *a = p->access;
    return chain == 0   ? a->in.window[axis].count
           : chain == 2 ? a->out.window[axis].count
                        : access_points(p, axis, problem_is_real(p));
}

bool access_trial_can(const fft_problem *p)
{
    bool fits = true;
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < ARGAND_MAX_ACCESSORS && access_chain_of(p->access, c)[i].kind; i++) {
            const argand_accessor *one = &access_chain_of(p->access, c)[i];
            for (int d = 0; one->kind == ARGAND_ACCESS_MULTIPLY && one->array && d < p->rank; d++) {
                const int64_t n = argand_array_dim(one->array, d);
                fits &= n == 1 || n == points_at(p, c, d);
            }
        }
    return fits;
}

/* Makes an array if the plan has none yet: as large as the points, and repeated along all loops. */
static argand_status make_default(argand_array **memory, const fft_problem *p, argand_device *device,
                                  int chain)
{
    const bool reals = problem_is_real(p) && (chain == 0 || (chain == 2 && p->access->has_spectrum));
    int64_t dims[ARGAND_MAX_RANK];
    for (int d = 0; d < p->rank; d++) dims[d] = points_at(p, chain, d);
    const bool is_double = type_is_double(p->type);
    const argand_type type = reals       ? is_double ? ARGAND_R64 : ARGAND_R32
                             : is_double ? ARGAND_C64
                                         : ARGAND_C32;
    return argand_array_create(memory, device, type, p->rank, dims);
}

static argand_status make_like(argand_array **memory, argand_array **view, const argand_array *a,
                               argand_device *device)
{
    extent e = {0, 0};
    for (int d = 0; d < a->rank; d++) {
        const int64_t far = (a->dims[d] - 1) * a->strides[d];
        *(far < 0 ? &e.low : &e.high) += far;
    }
    const int64_t count = e.high - e.low + 1;
    TRY(argand_array_create(memory, device, a->type, 1, &count));
    return argand_array_view(view, *memory, a->rank, a->dims, a->strides, -e.low);
}

static argand_status make_one(access_trial *t, const fft_problem *p, argand_device *device, int chain, int i)
{
    argand_accessor *list[CHAINS] = {t->chains.load, t->chains.spectrum, t->chains.store};
    argand_accessor *a = &list[chain][i];
    argand_array **memory = &t->memory[chain][i], **view = &t->array[chain][i];
    if (a->kind != ARGAND_ACCESS_MULTIPLY) return ARGAND_OK;
    if (a->array)
        TRY(make_like(memory, view, a->array, device));
    else
        TRY(make_default(memory, p, device, chain));
    a->array = *view ? *view : *memory;
    return measure_fill(*memory);
}

argand_status access_trial_begin(access_trial *t, const fft_problem *p, argand_device *device)
{
    *t = (access_trial){.chains = p->access->chains};
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < ARGAND_MAX_ACCESSORS && access_chain_of(p->access, c)[i].kind; i++)
            TRY(make_one(t, p, device, c, i));
    return ARGAND_OK;
}

void access_trial_end(access_trial *t)
{
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++) {
            argand_array_destroy(t->array[c][i]);
            argand_array_destroy(t->memory[c][i]);
        }
}

/* ---- results in storage types ---- */

static double number_at(const unsigned char *bytes, argand_type type, size_t i)
{
    uint16_t bits;
    if (type == ARGAND_U8) return bytes[i];
    memcpy(&bits, bytes + 2 * i, sizeof bits);
    return type == ARGAND_RB16 || type == ARGAND_CB16 ? access_from_bfloat(bits) : access_from_half(bits);
}

/* Adds up a difference and a norm. Skips infinite values: if one candidate overflows, another may do so as
 * well. */
static void add_up(double *distance, double *norm, double kept, double x)
{
    if (!isfinite(x) || !isfinite(kept)) return;
    *distance += (x - kept) * (x - kept);
    *norm += x * x;
}

/* Returns the number of elements that are compared. */
static size_t sample_of(const argand_array *result)
{
    const size_t count = storage_bytes(result->storage) / argand_type_size(result->type);
    return count < SAMPLE ? count : SAMPLE;
}

argand_status access_trial_distance(double *distance, double *norm, const argand_array *kept,
                                    const argand_array *result)
{
    const argand_type type = result->type;
    const size_t each = argand_type_size(type), count = sample_of(result),
                 elements = count * (type_has_pairs(type) ? 2 : 1);
    unsigned char *ours, *theirs = NULL;
    argand_status status;
    *distance = *norm = 0;
    TRY(NEW(ours, count * each));
    TRY_OR_DONE(NEW(theirs, count * each));
    TRY_OR_DONE(storage_download(result->storage, 0, ours, count * each));
    if (kept) TRY_OR_DONE(storage_download(kept->storage, 0, theirs, count * each));
    for (size_t i = 0; i < elements; i++) {
        const double x = number_at(ours, type, i);
        add_up(distance, norm, kept ? number_at(theirs, type, i) : x, x);
    }
    *distance = sqrt(*distance);
    *norm = sqrt(*norm);
done:
    memory_free(theirs);
    memory_free(ours);
    return status;
}

/* Rounding may go to the other neighbour: 1 for bytes, 2^-10 of a number for halves, 2^-7 for bfloat16. */
double access_trial_rounding(const argand_array *result, double norm)
{
    const argand_type type = result->type;
    return !type_is_storage(type)                       ? 0
           : type == ARGAND_U8                          ? sqrt((double)sample_of(result))
           : type == ARGAND_RB16 || type == ARGAND_CB16 ? 0x1p-7 * norm
                                                        : 0x1p-10 * norm;
}
