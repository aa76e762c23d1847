/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a call on contiguous copies of its arrays: for engines that require them, and for arrays of a
 * device without an engine, which are copied to the host and back. */
#include "array/copy.h"
#include "fft/engine/engine.h"

/* Returns the number of axes and loops, without a last loop of length 1 that plans of 8 axes have. */
static int dims_of(const fft_geometry *g)
{
    const bool idle = g->loops > 0 && g->loop[g->loops - 1].n == 1;
    return g->rank + g->loops - (idle && g->rank + g->loops > ARGAND_MAX_RANK);
}

/* Makes a view of the input or output: axes and loops as dimensions, axis 0 with its length in that array. */
static argand_status view_layout(argand_array **view, const fft_geometry *g, const argand_array *array,
                                 bool is_output, int64_t axis_0)
{
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK];
    const int rank = dims_of(g);
    CHECK(rank <= ARGAND_MAX_RANK, ARGAND_UNSUPPORTED,
          "argand_fft_apply: %d axes and %d loops are more than the %d dimensions of an array; this device "
          "copies the data into arrays first",
          g->rank, g->loops, ARGAND_MAX_RANK);
    for (int i = 0; i < rank; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        dims[i] = i == 0 ? axis_0 : axis->n;
        strides[i] = is_output ? axis->out_stride : axis->in_stride;
    }
    return argand_array_view(view, array, rank, dims, strides, 0);
}

/* Returns the length of axis 0, which is shorter in a half spectrum. */
static int64_t length_0(const fft_problem *p, const argand_array *array)
{
    return problem_is_real(p) && type_is_complex(array->type) ? p->n[0] / 2 + 1 : p->n[0];
}

static argand_status make_packed(argand_array **packed, const argand_array *view, argand_device *device)
{
    return array_scratch(packed, device, view->type, view->rank, view->dims);
}

argand_status packed_apply(const fft_engine *engine, const void *state, const fft_problem *p,
                           argand_device *compute_device, const fft_call *call)
{
    const fft_geometry *g = call->geometry;
    argand_array *from = NULL, *to = NULL, *in = NULL, *out = NULL;
    fft_geometry contiguous;
    fft_call inner = *call;
    argand_status status;
    problem_contiguous(&contiguous, p, call->direction);
    TRY_OR_DONE(view_layout(&from, g, call->in, false, length_0(p, call->in)));
    TRY_OR_DONE(view_layout(&to, g, call->out, true, length_0(p, call->out)));
    TRY_OR_DONE(make_packed(&in, from, compute_device));
    TRY_OR_DONE(make_packed(&out, to, compute_device));
    TRY_OR_DONE(argand_array_copy(in, from));
    inner.geometry = &contiguous;
    inner.in = in;
    inner.out = out;
    TRY_OR_DONE(engine->apply(state, p, compute_device, &inner));
    status = argand_array_copy(to, out);
done:
    argand_array_destroy(out);
    argand_array_destroy(in);
    argand_array_destroy(to);
    argand_array_destroy(from);
    return status;
}
