/* SPDX-License-Identifier: BSD-3-Clause */
/* Partial Fourier by projections (Haacke, Lindskog, Lin, J. Magn. Reson. 92:126, 1991): the image gets the
 * phase of its low-resolution part, then k-space gets back the acquired samples, again and again. */
#include <argand/mri.h>

#include <math.h>
#include "base/pi.h"
#include "mri/host.h"

typedef struct pocs {
    int rank;
    int64_t n[3], low[3], high[3], count;
    argand_fft *fft;
    argand_array *kept, *phase, *length;     /* acquired k-space; of magnitude 1; real */
    argand_array *acquired, *missing, *hann; /* real {n}: 1 or 0; window of the phase */
} pocs;

static bool is_whole(const pocs *p, int axis)
{
    return p->low[axis] <= -(p->n[axis] / 2) && p->high[axis] >= (p->n[axis] - 1) / 2;
}

/* The window along an axis: up to the nearer end of the acquired range. */
static double hann_at(const pocs *p, int axis, int64_t k)
{
    const int64_t least = -p->low[axis] < p->high[axis] ? -p->low[axis] : p->high[axis];
    const double u = (double)k / (double)(least + 1);
    return is_whole(p, axis) ? 1 : fabs(u) < 1 ? 0.5 + 0.5 * cos(PI * u) : 0;
}

static argand_status windows_make(pocs *p, argand_device *device, argand_type type)
{
    double *values;
    argand_array **const arrays[3] = {&p->acquired, &p->missing, &p->hann};
    TRY(NEW(values, 3 * p->count));
    for (int64_t i = 0; i < p->count; i++) {
        bool inside = true;
        double window = 1;
        int64_t rest = i;
        for (int axis = 0; axis < p->rank; rest /= p->n[axis++]) {
            const int64_t k = rest % p->n[axis] - p->n[axis] / 2;
            inside = inside && (is_whole(p, axis) || (k >= p->low[axis] && k <= p->high[axis]));
            window *= hann_at(p, axis, k);
        }
        values[i] = inside;
        values[p->count + i] = !inside;
        values[2 * p->count + i] = window;
    }
    argand_status status = ARGAND_OK;
    for (int i = 0; i < 3 && !status; i++) {
        status = argand_array_create(arrays[i], device, type, p->rank, p->n);
        if (!status) status = host_write_real(*arrays[i], values + i * p->count);
    }
    memory_free(values);
    return status;
}

/* Transforms in place; the inverse is scaled. */
static argand_status transform(const pocs *p, argand_array *x, argand_direction direction)
{
    TRY(argand_fft_apply(p->fft, x, x, direction));
    return direction == ARGAND_FORWARD ? ARGAND_OK
                                       : argand_array_scale(x, (argand_scalar){1 / (double)p->count, 0});
}

/* Makes the acquired part of k-space, and the phase of the image at low resolution. */
static argand_status begin(pocs *p, argand_array *x)
{
    TRY(argand_array_copy(p->kept, x));
    TRY(transform(p, p->kept, ARGAND_FORWARD));
    TRY(argand_array_multiply(p->kept, p->acquired, p->kept, ARGAND_PRODUCT));
    TRY(argand_array_multiply(p->phase, p->hann, p->kept, ARGAND_PRODUCT));
    TRY(transform(p, p->phase, ARGAND_INVERSE));
    TRY(argand_phase_unit(p->phase, p->phase));
    TRY(argand_array_copy(x, p->kept));
    return transform(p, x, ARGAND_INVERSE);
}

static argand_status step(const pocs *p, argand_array *x)
{
    TRY(argand_array_abs(p->length, x));
    TRY(argand_array_multiply(x, p->length, p->phase, ARGAND_PRODUCT));
    TRY(transform(p, x, ARGAND_FORWARD));
    TRY(argand_array_multiply(x, p->missing, x, ARGAND_PRODUCT));
    TRY(argand_array_axpby(x, (argand_scalar){1, 0}, p->kept, (argand_scalar){1, 0}));
    return transform(p, x, ARGAND_INVERSE);
}

static argand_status prepare(pocs *p, const argand_array *image)
{
    argand_device *const device = argand_array_device(image);
    const argand_type type = argand_array_type(image), real = type_of(false, type_is_double(type));
    argand_fft_options options = {.type = type, .rank = p->rank, .batch = 1, .centred = true};
    for (int axis = 0; axis < 3; axis++) options.n[axis] = axis < p->rank ? p->n[axis] : 1;
    TRY(argand_fft_create(&p->fft, device, &options));
    TRY(argand_array_create(&p->kept, device, type, p->rank, p->n));
    TRY(argand_array_create(&p->phase, device, type, p->rank, p->n));
    TRY(argand_array_create(&p->length, device, real, p->rank, p->n));
    return windows_make(p, device, real);
}

static argand_status check(pocs *p, const argand_array *image, const int64_t low[3], const int64_t high[3],
                           int iterations)
{
    CHECK_ARRAY(image);
    CHECK(low && high, ARGAND_ARGUMENT, "POCS: the acquired range is NULL");
    p->rank = argand_array_rank(image);
    p->count = argand_array_count(image);
    CHECK(type_is_complex(argand_array_type(image)) && argand_array_is_contiguous(image) && p->rank >= 1 &&
              p->rank <= 3,
          ARGAND_ARGUMENT, "POCS: the image must be complex and contiguous {nx[, ny[, nz]]}");
    CHECK(iterations >= 0, ARGAND_ARGUMENT, "POCS: %d iterations; give 0 or more", iterations);
    for (int axis = 0; axis < p->rank; axis++) {
        p->n[axis] = argand_array_dim(image, axis);
        p->low[axis] = low[axis];
        p->high[axis] = high[axis];
        CHECK(is_whole(p, axis) || (low[axis] < 0 && high[axis] > 0), ARGAND_ARGUMENT,
              "POCS: along axis %d k goes from %lld to %lld: the phase needs samples on both sides of the "
              "centre",
              axis, (long long)low[axis], (long long)high[axis]);
    }
    return ARGAND_OK;
}

argand_status argand_image_pocs(argand_array *image, const int64_t low[3], const int64_t high[3],
                                int iterations)
{
    pocs p = {0};
    argand_status status;
    TRY(check(&p, image, low, high, iterations));
    TRY_OR_DONE(prepare(&p, image));
    TRY_OR_DONE(begin(&p, image));
    for (int i = 0; i < iterations; i++) TRY_OR_DONE(step(&p, image));
    status = ARGAND_OK;
done:
    argand_array_destroy(p.kept);
    argand_array_destroy(p.phase);
    argand_array_destroy(p.length);
    argand_array_destroy(p.acquired);
    argand_array_destroy(p.missing);
    argand_array_destroy(p.hann);
    argand_fft_destroy(p.fft);
    return status;
}
