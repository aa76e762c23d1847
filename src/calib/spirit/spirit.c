/* SPDX-License-Identifier: BSD-3-Clause */
/* SPIRiT's consistency of coil images as an operator (Lustig and Pauly, MRM 64:457, 2010). A convolution of
 * k-space is a product in the image: at every pixel, a matrix of coils times coils. */
#include "calib/spirit/spirit.h"

#include <math.h>
#include <stdatomic.h>
#include "base/observe.h"
#include "base/pi.h"
#include "mri/coils_op.h"
#include "mri/host.h"

enum { MOST_TAPS = 2047, MOST_ROWS = 16384 };
static const double MOST_BYTES = 8589934592.0; /* of all matrices */

/* ---- arguments */

static argand_status check_images(const argand_shape *images, int64_t n[3], int64_t *coils)
{
    CHECK(images && type_is_complex(images->type) && (images->rank == 3 || images->rank == 4),
          ARGAND_ARGUMENT, "SPIRiT: the images must be complex {nx, ny[, nz], coils}");
    for (int axis = 0; axis < 3; axis++) n[axis] = axis < images->rank - 1 ? images->dims[axis] : 1;
    *coils = images->dims[images->rank - 1];
    for (int axis = 0; axis < images->rank; axis++)
        CHECK(images->dims[axis] > 0, ARGAND_ARGUMENT, "SPIRiT: dimension %d of the images is %lld", axis,
              (long long)images->dims[axis]);
    return ARGAND_OK;
}

/* Along an axis: as given, or 5, or less so that the region holds two windows that share one sample. */
static argand_status choose_window(spirit_kernels *k, const int64_t n[3], const int *given)
{
    enum { USUAL = 5, LEAST = 3 };
    k->taps = k->equations = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t fits = (k->region[axis] + 1) / 2 - ((k->region[axis] + 1) / 2 + 1) % 2;
        CHECK(given[axis] >= 0 && (given[axis] % 2 == 1 || !given[axis]), ARGAND_ARGUMENT,
              "SPIRiT: a window of %d samples along axis %d: give an odd number, or 0 for the default",
              given[axis], axis);
        k->size[axis] = n[axis] == 1 ? 1 : given[axis] ? given[axis] : fits < USUAL ? fits : USUAL;
        CHECK(k->region[axis] >= k->size[axis] && (n[axis] == 1 || given[axis] || k->size[axis] >= LEAST),
              ARGAND_ARGUMENT,
              "SPIRiT: the calibration region of %lld x %lld x %lld samples is too small: along axis %d it "
              "needs at least %lld; acquire more calibration lines",
              (long long)k->region[0], (long long)k->region[1], (long long)k->region[2], axis,
              (long long)(given[axis] ? given[axis] : 2 * LEAST - 1));
        k->taps *= k->size[axis];
        k->equations *= k->region[axis] - k->size[axis] + 1;
        CHECK(k->taps <= MOST_TAPS, ARGAND_UNSUPPORTED, "SPIRiT: a window of more than %d positions",
              MOST_TAPS);
    }
    CHECK(k->taps * k->coils <= MOST_ROWS, ARGAND_UNSUPPORTED,
          "SPIRiT: a window of %lld positions in %lld coils has more than %d weights for each coil: compress "
          "the channels",
          (long long)k->taps, (long long)k->coils, MOST_ROWS);
    return ARGAND_OK;
}

/* Refuses matrices that would not fit into memory. */
static argand_status check_memory(const argand_shape *images, double pixels, int64_t coils, double *bytes)
{
    const double one = pixels * (double)argand_type_size(images->type);
    *bytes = one * (double)coils * (double)coils;
    CHECK(*bytes <= MOST_BYTES, ARGAND_UNSUPPORTED,
          "SPIRiT: matrices of %lld x %lld coils at %.0f pixels take %.3g GB, and %.3g are allowed: compress "
          "the channels to %d",
          (long long)coils, (long long)coils, pixels, 1e-9 * *bytes, 1e-9 * MOST_BYTES,
          (int)floor(sqrt(MOST_BYTES / one)));
    return ARGAND_OK;
}

static argand_status learn(spirit_kernels *k, const int64_t n[3], const argand_array *calibration,
                           const argand_spirit_options *o)
{
    int64_t coils;
    double *data = NULL;
    bool signal = false;
    argand_status status;
    TRY(calib_coil_shape(calibration, "SPIRiT: the calibration", k->region, &coils));
    CHECK(coils == k->coils, ARGAND_ARGUMENT, "SPIRiT: the calibration has %lld coils, the images %lld",
          (long long)coils, (long long)k->coils);
    TRY(calib_check_finite(calibration, "SPIRiT: the calibration"));
    CHECK(isfinite(o->regularization), ARGAND_ARGUMENT, "SPIRiT: a regularization of %g", o->regularization);
    TRY(choose_window(k, n, o->kernel));
    TRY(host_read(&data, calibration));
    for (int64_t i = 0; i < 2 * argand_array_count(calibration) && !signal; i++) signal = data[i] != 0;
    CHECK_OR_DONE(signal, ARGAND_ARGUMENT, "SPIRiT: the calibration region holds no signal");
    status = spirit_learn(k, data,
                          o->regularization == 0  ? 0.01
                          : o->regularization > 0 ? o->regularization
                                                  : 0,
                          argand_device_threads(argand_array_device(calibration)));
done:
    memory_free(data);
    return status;
}

/* ---- matrices */

/* exp(2 pi i tap r) for the taps and pixels of each axis: complex {taps, n}. */
typedef struct spirit_waves {
    int64_t n[3];
    double *axis[3];
} spirit_waves;

static argand_status make_waves(spirit_waves *w, const spirit_kernels *k)
{
    for (int axis = 0; axis < 3; axis++) {
        const int64_t taps = k->size[axis];
        TRY(NEW(w->axis[axis], 2 * taps * w->n[axis]));
        for (int64_t i = 0; i < taps * w->n[axis]; i++) {
            const double angle = TWO_PI * (double)(i % taps - taps / 2) * pixel_centre(i / taps, w->n[axis]);
            w->axis[axis][2 * i] = cos(angle);
            w->axis[axis][2 * i + 1] = sin(angle);
        }
    }
    return ARGAND_OK;
}

/* Sums the products of `taps` rows of complex numbers with one wave. */
static void contract(double *out, const double *in, const double *wave, int64_t taps, int64_t inner)
{
    for (int64_t i = 0; i < 2 * inner; i++) out[i] = 0;
    for (int64_t tap = 0; tap < taps; tap++, in += 2 * inner)
        for (int64_t i = 0; i < inner; i++) {
            out[2 * i] += wave[2 * tap] * in[2 * i] - wave[2 * tap + 1] * in[2 * i + 1];
            out[2 * i + 1] += wave[2 * tap] * in[2 * i + 1] + wave[2 * tap + 1] * in[2 * i];
        }
}

static void put_value(void *image, bool is_double, int64_t at, const double value[2])
{
    for (int part = 0; part < 2; part++)
        if (is_double)
            ((double *)image)[at + part] = value[part];
        else
            ((float *)image)[at + part] = (float)value[part];
}

/* Computes one element of all matrices: an image, from its weights. scratch: 2 taps doubles. */
static void evaluate(void *image, bool is_double, const double *weights, const spirit_kernels *k,
                     const spirit_waves *w, double *scratch)
{
    const int64_t face = k->size[0] * k->size[1];
    double *line = scratch + 2 * face, value[2];
    int64_t at = 0;
    for (int64_t z = 0; z < w->n[2]; z++) {
        contract(scratch, weights, w->axis[2] + 2 * k->size[2] * z, k->size[2], face);
        for (int64_t y = 0; y < w->n[1]; y++) {
            contract(line, scratch, w->axis[1] + 2 * k->size[1] * y, k->size[1], k->size[0]);
            for (int64_t x = 0; x < w->n[0]; x++, at += 2) {
                contract(value, line, w->axis[0] + 2 * k->size[0] * x, k->size[0], 1);
                put_value(image, is_double, at, value);
            }
        }
    }
}

/* Computes conj(G - I): {n..., source, target}. */
static argand_status make_matrices(argand_array *matrices, const spirit_kernels *k, spirit_waves *w)
{
    const bool is_double = type_is_double(argand_array_type(matrices));
    const int64_t pairs = k->coils * k->coils, pixels = w->n[0] * w->n[1] * w->n[2];
    const int64_t one = 2 * (k->size[0] * k->size[1] + k->size[0]);
    const int threads = argand_device_threads(argand_array_device(matrices));
    const int workers = threads < pairs ? threads : (int)pairs;
    atomic_bool cancelled = false;
    host_view view = {0};
    double *scratch = NULL;
    argand_status status;
    TRY_OR_DONE(make_waves(w, k));
    TRY_OR_DONE(NEW(scratch, workers * one));
    TRY_OR_DONE(host_open_new(&view, matrices));
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++)
        for (int64_t pair = worker; pair < pairs && !observe_within(&cancelled); pair += workers)
            evaluate((char *)view.data + (size_t)(pair * pixels) * (is_double ? 16 : 8), is_double,
                     k->weights + 2 * k->taps * pair, k, w, scratch + worker * one);
    TRY_OR_DONE(observe_end(&cancelled));
    status = host_put(&view, matrices);
done:
    host_close(&view);
    memory_free(scratch);
    for (int axis = 0; axis < 3; axis++) memory_free(w->axis[axis]);
    return status;
}

/* ---- the operator */

typedef struct consistency {
    int64_t coils;
    argand_op **rows;      /* of each target: multiplication of an image by conj(G - I) */
    argand_array **arrays; /* its maps {n..., source} */
} consistency;

/* Views a coil of images {n..., coils}; repeated: for all coils. */
static argand_status coil_of(argand_array **view, const argand_array *images, int64_t coil, bool repeated)
{
    const int rank = argand_array_rank(images);
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK], stride = 1;
    for (int d = 0; d < rank; d++) {
        dims[d] = argand_array_dim(images, d);
        strides[d] = d < rank - 1 ? stride : 0;
        if (d < rank - 1) stride *= dims[d];
    }
    return argand_array_view(view, images, repeated ? rank : rank - 1, dims, strides, coil * stride);
}

/* y_t = sum_s (G - I)_ts x_s */
static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const consistency *c = context;
    for (int64_t t = 0; t < c->coils; t++) {
        argand_array *one;
        TRY(coil_of(&one, y, t, false));
        const argand_status status = argand_op_adjoint(c->rows[t], one, x);
        argand_array_destroy(one);
        TRY(status);
    }
    return ARGAND_OK;
}

/* x_s = sum_t conj((G - I)_ts) y_t */
static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const consistency *c = context;
    for (int64_t t = 0; t < c->coils; t++) {
        argand_array *one;
        TRY(coil_of(&one, y, t, true));
        const argand_status status =
            argand_array_multiply(x, c->arrays[t], one, t ? ARGAND_PRODUCT_ADD : ARGAND_PRODUCT);
        argand_array_destroy(one);
        TRY(status);
    }
    return ARGAND_OK;
}

static void destroy(void *context)
{
    consistency *c = context;
    if (!c) return;
    for (int64_t t = 0; t < c->coils; t++) {
        if (c->rows) argand_op_destroy(c->rows[t]);
        if (c->arrays) argand_array_destroy(c->arrays[t]);
    }
    memory_free(c->rows);
    memory_free(c->arrays);
    memory_free(c);
}

/* Divides the matrices into those of each target. */
static argand_status fill(consistency *c, const argand_array *matrices, const argand_shape *images)
{
    const int axis = argand_array_rank(matrices) - 1;
    TRY(NEW(c->rows, c->coils));
    TRY(NEW(c->arrays, c->coils));
    for (int64_t t = 0; t < c->coils; t++) {
        argand_array *part;
        TRY(argand_array_part(&part, matrices, axis, t, 1));
        const argand_status status = argand_array_reshape(&c->arrays[t], part, images->rank, images->dims);
        argand_array_destroy(part);
        TRY(status);
        TRY(coils_op(&c->rows[t], c->arrays[t]));
    }
    return ARGAND_OK;
}

static argand_status make_op(argand_op **op, argand_device *device, const argand_shape *images,
                             const argand_array *matrices)
{
    consistency *c;
    argand_op_definition definition = {.name = "spirit",
                                       .domain = *images,
                                       .range = *images,
                                       .apply = apply,
                                       .adjoint = adjoint,
                                       .destroy = destroy};
    TRY(NEW(c, 1));
    c->coils = images->dims[images->rank - 1];
    definition.context = c;
    argand_status status = fill(c, matrices, images);
    if (status == ARGAND_OK) status = argand_op_create(op, device, &definition);
    if (status != ARGAND_OK) destroy(c);
    return status;
}

static void tell(argand_spirit_report *report, const spirit_kernels *k, double bytes)
{
    if (!report) return;
    *report =
        (argand_spirit_report){.equations = k->equations, .unknowns = k->taps * k->coils - 1, .bytes = bytes};
    for (int axis = 0; axis < 3; axis++) {
        report->kernel[axis] = (int)k->size[axis];
        report->calibration[axis] = k->region[axis];
    }
}

argand_status argand_op_spirit(argand_op **op, argand_device *device, const argand_shape *images,
                               const argand_array *calibration, const argand_spirit_options *options,
                               argand_spirit_report *report)
{
    static const argand_spirit_options defaults = {0};
    spirit_kernels k = {0};
    spirit_waves w = {0};
    double bytes;
    argand_array *matrices = NULL;
    argand_status status;
    if (op) *op = NULL;
    CHECK(op && device, ARGAND_ARGUMENT, "argand_op_spirit: %s is NULL", op ? "device" : "op");
    CHECK_ARRAY(calibration);
    TRY(check_images(images, w.n, &k.coils));
    TRY(check_memory(images, (double)w.n[0] * (double)w.n[1] * (double)w.n[2], k.coils, &bytes));
    TRY_OR_DONE(learn(&k, w.n, calibration, options ? options : &defaults));
    argand_shape all = *images;
    all.dims[all.rank++] = k.coils;
    TRY_OR_DONE(argand_array_create(&matrices, device, all.type, all.rank, all.dims));
    TRY_OR_DONE(make_matrices(matrices, &k, &w));
    tell(report, &k, bytes);
    status = make_op(op, device, images, matrices);
done:
    argand_array_destroy(matrices);
    memory_free(k.weights);
    return status;
}
