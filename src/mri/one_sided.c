/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of k-space that was acquired on one side of the centre: arguments, windows, transform, phase. */
#include "mri/one_sided.h"

#include <math.h>
#include "base/pi.h"
#include "mri/host.h"

bool one_sided_is_whole(const one_sided *p, int axis)
{
    return p->low[axis] <= -(p->n[axis] / 2) && p->high[axis] >= (p->n[axis] - 1) / 2;
}

bool one_sided_is_acquired(const one_sided *p, int axis, int64_t k)
{
    return one_sided_is_whole(p, axis) || (k >= p->low[axis] && k <= p->high[axis]);
}

int64_t one_sided_reach(const one_sided *p, int axis)
{
    return -p->low[axis] < p->high[axis] ? -p->low[axis] : p->high[axis];
}

double one_sided_hann(const one_sided *p, int axis, int64_t k)
{
    const double u = (double)k / (double)(one_sided_reach(p, axis) + 1);
    return one_sided_is_whole(p, axis) ? 1 : fabs(u) < 1 ? 0.5 + 0.5 * cos(PI * u) : 0;
}

argand_status one_sided_windows(const one_sided *p, const argand_array *image, int count,
                                const one_sided_window *functions, argand_array **windows)
{
    const argand_type real = type_of(false, type_is_double(argand_array_type(image)));
    double *values;
    argand_status status = ARGAND_OK;
    TRY(NEW(values, p->count));
    for (int f = 0; f < count && !status; f++) {
        for (int64_t i = 0; i < p->count; i++) {
            int64_t rest = i;
            values[i] = 1;
            for (int axis = 0; axis < p->rank; rest /= p->n[axis++])
                values[i] *= functions[f](p, axis, rest % p->n[axis] - p->n[axis] / 2);
        }
        status = argand_array_create(&windows[f], argand_array_device(image), real, p->rank, p->n);
        if (!status) status = host_write_real(windows[f], values);
    }
    memory_free(values);
    return status;
}

argand_status one_sided_transform(const one_sided *p, argand_array *x, argand_direction direction)
{
    TRY(argand_fft_apply(p->fft, x, x, direction));
    return direction == ARGAND_FORWARD ? ARGAND_OK
                                       : argand_array_scale(x, (argand_scalar){1 / (double)p->count, 0});
}

argand_status one_sided_phase(const one_sided *p, argand_array *phase, const argand_array *kspace,
                              const argand_array *hann)
{
    TRY(argand_array_multiply(phase, hann, kspace, ARGAND_PRODUCT));
    TRY(one_sided_transform(p, phase, ARGAND_INVERSE));
    return argand_phase_unit(phase, phase);
}

argand_status one_sided_open(one_sided *p, const char *method, const argand_array *image,
                             const int64_t low[3], const int64_t high[3])
{
    *p = (one_sided){.method = method};
    CHECK_ARRAY(image);
    CHECK(low && high, ARGAND_ARGUMENT, "%s: the acquired range is NULL", method);
    p->rank = argand_array_rank(image);
    p->count = argand_array_count(image);
    CHECK(type_is_complex(argand_array_type(image)) && argand_array_is_contiguous(image) && p->rank >= 1 &&
              p->rank <= 3,
          ARGAND_ARGUMENT, "%s: the image must be complex and contiguous {nx[, ny[, nz]]}", method);
    for (int axis = 0; axis < p->rank; axis++) {
        p->n[axis] = argand_array_dim(image, axis);
        p->low[axis] = low[axis];
        p->high[axis] = high[axis];
        CHECK(one_sided_is_whole(p, axis) || (low[axis] < 0 && high[axis] > 0), ARGAND_ARGUMENT,
              "%s: along axis %d k goes from %lld to %lld: the phase needs samples on both sides of the "
              "centre",
              method, axis, (long long)low[axis], (long long)high[axis]);
    }
    argand_fft_options options = {.type = argand_array_type(image),
                                  .rank = p->rank,
                                  .batch = 1,
                                  .centred = true,
                                  .wait_for_kernels = true};
    for (int axis = 0; axis < 3; axis++) options.n[axis] = axis < p->rank ? p->n[axis] : 1;
    return argand_fft_create(&p->fft, argand_array_device(image), &options);
}

void one_sided_close(one_sided *p)
{
    argand_fft_destroy(p->fft);
}
