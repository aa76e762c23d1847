/* SPDX-License-Identifier: BSD-3-Clause */
/* ESPIRiT: coil sensitivities as eigenvectors of an operator that does not change the coils' k-space
 * (Uecker, Lai, Murphy, Virtue, Elad, Pauly, Vasanawala, Lustig, Magn. Reson. Med. 71:990, 2014). In the
 * image, the operator is a small Hermitian matrix at each pixel, a trigonometric polynomial of the
 * position. */
#include "calib/espirit/espirit.h"

#include <math.h>
#include <stdio.h>
#include "array/copy.h"
#include "fft/plan/waiting.h"
#include "mri/host.h"

enum { REGION = 24, KERNEL = 6 };

/* ---- the calibration data */

static argand_status choose_sizes(espirit_task *e, const argand_espirit_options *o, const argand_array *data,
                                  const int64_t n[3])
{
    int64_t found[3] = {n[0], n[1], n[2]}, largest = REGION;
    for (int axis = 0; axis < 3; axis++)
        if (o->calibration[axis] > largest) largest = o->calibration[axis];
    if (!o->images) TRY(argand_calibration_region(found, data, largest));
    for (int axis = 0; axis < 3; axis++) {
        const int64_t most = n[axis] < REGION ? n[axis] : REGION;
        CHECK(o->calibration[axis] >= 0 && o->kernel[axis] >= 0, ARGAND_ARGUMENT,
              "ESPIRiT: a calibration region of %d and a kernel of %d along axis %d; give 0 (the default) or "
              "more",
              o->calibration[axis], o->kernel[axis], axis);
        const bool single = n[axis] == 1; /* in a plane, the sizes along the axis of one element are 1 */
        e->region[axis] = !single && o->calibration[axis] > 0 ? o->calibration[axis]
                          : found[axis] < most                ? found[axis]
                                                              : most;
        CHECK(e->region[axis] <= found[axis], ARGAND_ARGUMENT,
              "ESPIRiT: a calibration region of %lld along axis %d, but k-space is complete over %lld around "
              "its centre",
              (long long)e->region[axis], axis, (long long)found[axis]);
        /* half of the region leaves enough patches to separate signal from noise */
        const int64_t fits = (e->region[axis] + 1) / 2;
        e->kernel[axis] = !single && o->kernel[axis] > 0 ? o->kernel[axis] : KERNEL < fits ? KERNEL : fits;
        CHECK(e->kernel[axis] <= e->region[axis], ARGAND_ARGUMENT,
              "ESPIRiT: a kernel of %lld does not fit into the calibration region of %lld along axis %d",
              (long long)e->kernel[axis], (long long)e->region[axis], axis);
    }
    return ARGAND_OK;
}

static void set_sizes(espirit_task *e)
{
    e->taps = e->kernel[0] * e->kernel[1] * e->kernel[2];
    e->patches = 1;
    for (int axis = 0; axis < 3; axis++) {
        e->lags[axis] = 2 * e->kernel[axis] - 1;
        e->patches *= e->region[axis] - e->kernel[axis] + 1;
    }
    e->pairs = e->coils * (e->coils + 1) / 2;
}

/* Transforms coil images to k-space. Only the central coefficients are needed, but the whole transform is
 * fast. */
static argand_status to_kspace(argand_array **kspace, const argand_array *images, const int64_t n[3],
                               int64_t coils)
{
    argand_fft *plan = NULL;
    const int64_t dims[4] = {n[0], n[1], n[2], coils};
    const argand_fft_options options = {.type = argand_array_type(images),
                                        .rank = n[2] > 1 ? 3 : 2,
                                        .n = {n[0], n[1], n[2]},
                                        .batch = coils,
                                        .centred = true};
    argand_device *device = argand_array_device(images);
    argand_array *same = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_create(kspace, device, options.type, 4, dims));
    TRY_OR_DONE(argand_array_view(
        &same, *kspace, argand_array_rank(images),
        n[2] > 1 || argand_array_rank(images) == 4 ? dims : (const int64_t[]){n[0], n[1], coils}, NULL, 0));
    TRY_OR_DONE(argand_array_copy(same, images));
    TRY_OR_DONE(fft_create_waiting(&plan, device, &options));
    status = argand_fft_apply(plan, *kspace, *kspace, ARGAND_FORWARD);
done:
    argand_fft_destroy(plan);
    argand_array_destroy(same);
    return status;
}

/* Loads the region in double precision, scaled by its largest number. */
static argand_status load_region(espirit_task *e, const argand_array *kspace, const int64_t n[3])
{
    host_view all = {0};
    const bool is_double = type_is_double(argand_array_type(kspace));
    double largest = 0;
    const int64_t *m = e->region, count = m[0] * m[1] * m[2] * e->coils;
    argand_status status;
    TRY_OR_DONE(host_open(&all, kspace));
    TRY_OR_DONE(espirit_place(all.data, is_double, n, e->coils, m, e->threads, e->origin));
    TRY_OR_DONE(NEW(e->data, 2 * count));
    for (int64_t i = 0; i < 2 * count; i++) {
        const int64_t at = i / 2, x = at % m[0] + e->origin[0], y = at / m[0] % m[1] + e->origin[1],
                      z = at / (m[0] * m[1]) % m[2] + e->origin[2], c = at / (m[0] * m[1] * m[2]);
        const int64_t from = 2 * (((c * n[2] + z) * n[1] + y) * n[0] + x) + i % 2;
        e->data[i] = is_double ? ((const double *)all.data)[from] : (double)((const float *)all.data)[from];
        largest = fmax(largest, fabs(e->data[i]));
    }
    for (int64_t i = 0; i < 2 * count && largest > 0; i++) e->data[i] /= largest;
done:
    host_close(&all);
    return status;
}

/* Finds the eigenvector of the coils' covariance with the most energy; its phase makes the last coil's
 * element positive. */
static argand_status find_reference(const espirit_task *e, double **reference)
{
    const int64_t n = e->coils;
    double *scratch = NULL, *values = NULL;
    int64_t found;
    argand_status status;
    TRY_OR_DONE(NEW(scratch, 6 * n * n));
    TRY_OR_DONE(NEW(values, n));
    TRY_OR_DONE(NEW(*reference, 2 * n));
    const hermitian_planes matrix = {scratch + 2 * n * n, scratch + 3 * n * n},
                           vectors = {scratch + 4 * n * n, scratch + 5 * n * n};
    calib_covariance(scratch, e->data, true, e->region[0] * e->region[1] * e->region[2], n, 0, 1, e->threads);
    for (int64_t i = 0; i < n * n; i++) {
        matrix.re[i] = scratch[2 * i];
        matrix.im[i] = scratch[2 * i + 1];
    }
    TRY_OR_DONE(hermitian_eigen(matrix, n, 0.5, 1, values, vectors, &found));
    const double re = vectors.re[n - 1], im = vectors.im[n - 1], size = hypot(re, im);
    const double phase_re = size > 0 ? re / size : 1, phase_im = size > 0 ? -im / size : 0;
    for (int64_t c = 0; c < n; c++) {
        (*reference)[2 * c] = vectors.re[c] * phase_re - vectors.im[c] * phase_im;
        (*reference)[2 * c + 1] = vectors.re[c] * phase_im + vectors.im[c] * phase_re;
    }
done:
    memory_free(values);
    memory_free(scratch);
    return status;
}

/* ---- arguments */

static argand_status check_maps(const argand_array *maps, const argand_array *data, const int64_t n[3],
                                bool images, int64_t size[3], int64_t *sets)
{
    const int rank = argand_array_rank(data), space = rank - 1;
    const int64_t coils = argand_array_dim(data, rank - 1);
    CHECK(type_is_complex(argand_array_type(maps)) &&
              (argand_array_rank(maps) == rank || argand_array_rank(maps) == rank + 1),
          ARGAND_ARGUMENT,
          "ESPIRiT: the maps must be complex, with the data's dimensions and perhaps one for sets");
    CHECK(argand_array_dim(maps, space) == coils, ARGAND_ARGUMENT,
          "ESPIRiT: maps for %lld coils, data of %lld", (long long)argand_array_dim(maps, space),
          (long long)coils);
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = axis < space ? argand_array_dim(maps, axis) : 1;
        CHECK(!images || size[axis] == n[axis], ARGAND_ARGUMENT,
              "ESPIRiT: dimension %d is %lld in the maps and %lld in the images", axis, (long long)size[axis],
              (long long)n[axis]);
        CHECK((n[axis] == 1) == (size[axis] == 1), ARGAND_ARGUMENT,
              "ESPIRiT: dimension %d is %lld in the maps and %lld in the data; one is flat and the other is "
              "not",
              axis, (long long)size[axis], (long long)n[axis]);
    }
    *sets = argand_array_dim(maps, rank);
    CHECK(*sets <= coils, ARGAND_ARGUMENT,
          "ESPIRiT: %lld sets of maps of %lld coils; there are no more than coils", (long long)*sets,
          (long long)coils);
    CHECK(argand_array_is_contiguous(maps), ARGAND_ARGUMENT, "ESPIRiT: the maps must be a contiguous array");
    return ARGAND_OK;
}

static argand_status check_options(const argand_espirit_options *o)
{
    CHECK(fabs(o->threshold) < 1, ARGAND_ARGUMENT,
          "ESPIRiT: a threshold of %g; give a part of the largest singular value's square, below 1, 0 for "
          "0.001, or a negative number to tell noise by the singular values",
          o->threshold);
    CHECK(isfinite(o->crop) && o->crop < 1, ARGAND_ARGUMENT,
          "ESPIRiT: a crop of %g; give a number below 1, negative for none, or 0 for 0.8", o->crop);
    return ARGAND_OK;
}

static argand_status check_values(const argand_array *values, const int64_t n[3], int64_t sets)
{
    CHECK(!values || (!type_is_complex(argand_array_type(values)) &&
                      argand_array_count(values) == n[0] * n[1] * n[2] * sets),
          ARGAND_ARGUMENT, "ESPIRiT: the eigenvalues must be real, one for each pixel and set");
    return ARGAND_OK;
}

static void tell(argand_espirit_report *report, const espirit_task *e, const espirit_image *p,
                 const char *note)
{
    if (!report) return;
    *report = (argand_espirit_report){.patches = e->patches,
                                      .rank = e->rank,
                                      .inside = (double)p->kept / (double)(p->n[0] * p->n[1] * p->n[2]),
                                      .folded = p->covered ? (double)p->folded / (double)p->covered : 0};
    snprintf(report->note, sizeof report->note, "%s", note);
    for (int axis = 0; axis < 3; axis++) {
        report->calibration[axis] = e->region[axis];
        report->origin[axis] = e->origin[axis];
        report->kernel[axis] = e->kernel[axis];
    }
}

/* Copies k-space to the host's memory, as the steps before the maps read it several times. data: k-space, or
 * coil images. */
static argand_status fetch_kspace(argand_array **kspace, const argand_array *data, bool images,
                                  const int64_t n[3], int64_t coils)
{
    argand_array *transformed = NULL;
    argand_device *host;
    argand_status status;
    TRY_OR_DONE(device_host(&host, argand_array_device(data)));
    if (images) TRY_OR_DONE(to_kspace(&transformed, data, n, coils));
    status = array_on_device(kspace, transformed ? transformed : data, host);
done:
    argand_array_destroy(transformed);
    return status;
}

argand_status argand_coils_espirit(argand_array *maps, argand_array *eigenvalues, const argand_array *data,
                                   const argand_espirit_options *options, argand_espirit_report *report)
{
    const argand_espirit_options o = options ? *options : (argand_espirit_options){0};
    espirit_task e = {0};
    argand_array *kspace = NULL;
    double *reference = NULL;
    char note[ESPIRIT_NOTE];
    int64_t n[3];
    argand_status status;

    CHECK_ARRAY(maps);
    CHECK_ARRAY(data);
    TRY(calib_coil_shape(data, "ESPIRiT: the data", n, &e.coils));
    espirit_image p = {.task = &e, .options = &o, .crop = o.crop == 0 ? 0.8 : o.crop};
    TRY(check_options(&o));
    TRY(check_maps(maps, data, n, o.images, p.n, &p.sets));
    TRY(check_values(eigenvalues, p.n, p.sets));
    TRY(calib_check_finite(data, "ESPIRiT: the data"));
    e.threshold = o.threshold == 0 ? 0.001 : o.threshold;
    e.threads = argand_device_threads(argand_array_device(data));
    p.is_double = type_is_double(argand_array_type(maps));
    espirit_want(maps, data);
    TRY_OR_DONE(fetch_kspace(&kspace, data, o.images, n, e.coils));
    TRY_OR_DONE(choose_sizes(&e, &o, kspace, n));
    set_sizes(&e);
    TRY_OR_DONE(load_region(&e, kspace, n));
    TRY_OR_DONE(espirit_kernels(&e));
    TRY_OR_DONE(find_reference(&e, &reference));
    p.reference = reference;
    TRY_OR_DONE(espirit_maps_write(&p, maps, eigenvalues, data, note));
    tell(report, &e, &p, note);
done:
    memory_free(reference);
    memory_free(e.correlations);
    memory_free(e.data);
    argand_array_destroy(kspace);
    return status;
}
