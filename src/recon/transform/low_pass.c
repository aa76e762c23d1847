/* SPDX-License-Identifier: BSD-3-Clause */
/* Low-resolution images by a Hann window on k. */
#include "recon/transform/transform.h"

#include <math.h>
#include "base/memory.h"
#include "base/pi.h"

/* Returns the Hann window along one axis of the centred grid of k: 0 from `reach` cells on. */
static double hann(int64_t at, int64_t n, double reach)
{
    if (n < 4) return 1;
    const double u = (double)(at - n / 2) / reach;
    return fabs(u) < 1 ? 0.5 + 0.5 * cos(PI * u) : 0;
}

/* Makes the window for all planes, real {grid} or {grid, bands}. */
static argand_status make_window(const argand_sense *s, const argand_shape *shape, const double reach[3],
                                 argand_array **window)
{
    argand_array *flat = NULL;
    double *values;
    int64_t count = 1;
    for (int axis = 0; axis < shape->rank; axis++) count *= shape->dims[axis];
    TRY(NEW(values, count));
    for (int64_t i = 0; i < count; i++) {
        values[i] = 1;
        int64_t rest = i;
        for (int axis = 0; axis < s->grid.rank; axis++) {
            values[i] *= hann(rest % shape->dims[axis], shape->dims[axis], reach[axis]);
            rest /= shape->dims[axis];
        }
    }
    argand_status status = array_of_numbers(s, values, count, &flat);
    if (status == ARGAND_OK) status = argand_array_reshape(window, flat, shape->rank, shape->dims);
    argand_array_destroy(flat);
    memory_free(values);
    return status;
}

argand_status partial_low_pass(const argand_sense *s, argand_array *image, const double reach[3])
{
    argand_array *window = NULL, *spectrum = NULL;
    argand_op *fft = NULL;
    argand_status status;
    argand_fft_options options = {
        .type = s->options.type, .rank = s->grid.rank, .batch = s->bands, .centred = true};
    for (int axis = 0; axis < s->grid.rank; axis++) options.n[axis] = s->grid.n[axis];
    TRY_OR_DONE(argand_op_fft(&fft, s->device, &options, ARGAND_FORWARD));
    const argand_shape *range = argand_op_range(fft);
    TRY_OR_DONE(argand_array_create(&spectrum, s->device, range->type, range->rank, range->dims));
    TRY_OR_DONE(make_window(s, range, reach, &window));
    argand_array *as_taken;
    TRY_OR_DONE(
        argand_array_reshape(&as_taken, image, argand_op_domain(fft)->rank, argand_op_domain(fft)->dims));
    status = argand_op_apply(fft, spectrum, as_taken);
    if (status == ARGAND_OK) status = argand_array_multiply(spectrum, window, spectrum, ARGAND_PRODUCT);
    if (status == ARGAND_OK) status = argand_op_adjoint(fft, as_taken, spectrum);
    argand_array_destroy(as_taken);
done:
    argand_array_destroy(window);
    argand_array_destroy(spectrum);
    argand_op_destroy(fft);
    return status;
}
