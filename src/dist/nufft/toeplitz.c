/* SPDX-License-Identifier: BSD-3-Clause */
/* Normal operators of distributed NUFFTs. The kernel, sum_j w_j exp(2 pi i k_j . d / n) for distances d, is
 * the adjoint NUFFT of the weights at 2 k on an image of 2 n pixels. Its spectrum, whose real part is kept,
 * lies in the slabs of the padded FFT that applies it. */
#include <argand/dist_nufft.h>
#include <argand/dist_toeplitz.h>
#include <math.h>
#include "base/given.h"
#include "base/memory.h"
#include "base/observe.h"
#include "device/device.h"
#include "device/range.h"
#include "dist/nufft/padded.h"

struct argand_dist_toeplitz {
    argand_comm *comm;
    argand_comm *exchanges; /* that of comm_choose; no reference */
    argand_device *device;
    argand_type type;
    int rank;
    int64_t n[3], grid[3], samples; /* of all ranks */
    padded_fft *fft;                /* an image to the grid */
    argand_array *spectrum;         /* {X, Z, Y part}, reals over the number of cells; NULL without a part */
};

/* ---- the kernel ---- */

typedef struct builder {
    argand_dist_toeplitz *t;
    const argand_dist_toeplitz_options *options;
    argand_dist_nufft *nufft;
    padded_fft *fft;                /* the kernel to the grid */
    argand_array *k[3];             /* 2 k */
    argand_array *weights, *kernel; /* complex */
    argand_array *grid;
    padded_call call;
} builder;

static void release(builder *b)
{
    padded_release(&b->call);
    argand_array_destroy(b->grid);
    argand_array_destroy(b->kernel);
    argand_array_destroy(b->weights);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(b->k[axis]);
    padded_destroy(b->fft);
    argand_dist_nufft_destroy(b->nufft);
}

/* Positions of the doubled image; the NUFFT checks them. */
static argand_status double_positions(builder *b)
{
    for (int axis = 0; b->options->k[0] && axis < b->t->rank; axis++) {
        const argand_array *k = b->options->k[axis];
        CHECK(k, ARGAND_ARGUMENT, "dist toeplitz: no positions given for axis %d", axis);
        TRY(argand_array_create(&b->k[axis], argand_array_device(k), k->type, k->rank, k->dims));
        TRY(argand_array_copy(b->k[axis], k));
        TRY(argand_array_scale(b->k[axis], (argand_scalar){2, 0}));
    }
    return ARGAND_OK;
}

static argand_status make_weights(builder *b)
{
    const argand_array *weights = b->options->weights, *k = b->options->k[0];
    argand_array *reals = NULL, *flat = NULL;
    bool finite = true;
    argand_status status;
    if (!k) return ARGAND_OK;
    CHECK(!weights || weights->count == k->count, ARGAND_ARGUMENT,
          "dist toeplitz: %lld weights for %lld samples", (long long)argand_array_count(weights),
          (long long)k->count);
    CHECK(!weights || weights->type == ARGAND_R32 || weights->type == ARGAND_R64, ARGAND_ARGUMENT,
          "dist toeplitz: weights are %s: give r32 or r64", argand_type_name(argand_array_type(weights)));
    TRY(argand_array_create(&b->weights, b->t->device, b->t->type, 1, &k->count));
    if (!weights) return argand_array_fill(b->weights, (argand_scalar){1, 0});
    TRY(argand_array_is_finite(&finite, weights));
    CHECK(finite, ARGAND_NUMERIC, "dist toeplitz: a weight is not finite: all must be numbers");
    TRY_OR_DONE(argand_array_create(&reals, b->t->device, b->t->type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32,
                                    weights->rank, weights->dims));
    TRY_OR_DONE(argand_array_copy(reals, weights));
    TRY_OR_DONE(argand_array_reshape(&flat, reals, 1, &k->count));
    status = argand_array_copy(b->weights, flat);
done:
    argand_array_destroy(flat);
    argand_array_destroy(reals);
    return status;
}

/* The FFTs of kernel and image, and the arrays */
static argand_status make_parts(builder *b)
{
    argand_dist_toeplitz *t = b->t;
    padded_options o = {.type = t->type, .rank = t->rank, .comm = t->exchanges, .device = t->device};
    int64_t dims[3] = {1, 1, 1};
    for (int axis = 0; axis < t->rank; axis++) {
        o.grid[axis] = t->grid[axis] = argand_fft_next_size(2 * t->n[axis]);
        o.n[axis] = t->n[axis];
    }
    TRY(padded_create(&t->fft, &o));
    for (int axis = 0; axis < t->rank; axis++) o.n[axis] = dims[axis] = 2 * t->n[axis];
    TRY(padded_create(&b->fft, &o));
    TRY(padded_prepare(&b->call, b->fft, 1));
    dims[t->rank - 1] = b->fft->z_own;
    if (b->fft->z_own) TRY(argand_array_create(&b->kernel, t->device, t->type, t->rank, dims));
    if (!b->fft->y_own) return ARGAND_OK;
    const int64_t cells[3] = {b->fft->X, b->fft->Z, b->fft->y_own};
    TRY(argand_array_create(&b->grid, t->device, t->type, 3, cells));
    return argand_array_create(&t->spectrum, t->device, t->type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32, 3,
                               cells);
}

static argand_status prepare(builder *b)
{
    TRY(double_positions(b));
    TRY(make_weights(b));
    return make_parts(b);
}

static argand_status make_nufft(builder *b)
{
    argand_dist_toeplitz *t = b->t;
    const double asked = b->options->tolerance;
    argand_nufft_options o = {.type = t->type, .rank = t->rank};
    argand_dist_nufft_info info;
    /* the kernel's errors add up over pairs of pixels, as in toeplitz/plan.c */
    o.tolerance = 0.1 * fmin(asked > 0 ? asked : t->type == ARGAND_C64 ? 1e-9 : 1e-5, 1e-5);
    for (int axis = 0; axis < t->rank; axis++) o.n[axis] = 2 * t->n[axis];
    TRY(argand_dist_nufft_create(&b->nufft, t->comm, t->device, &o));
    TRY(argand_comm_agree(t->comm, prepare(b)));
    TRY(argand_dist_nufft_set_points(b->nufft, b->options->k[0] ? b->k : NULL));
    argand_dist_nufft_describe(b->nufft, &info);
    t->samples = info.points;
    return argand_dist_nufft_adjoint(b->nufft, b->kernel, b->weights);
}

static argand_status keep_spectrum(builder *b)
{
    argand_dist_toeplitz *t = b->t;
    double cells = 1;
    if (!t->spectrum) return ARGAND_OK;
    for (int axis = 0; axis < t->rank; axis++) cells *= (double)t->grid[axis];
    TRY(argand_array_real(t->spectrum, b->grid));
    return argand_array_scale(t->spectrum, (argand_scalar){1 / cells, 0});
}

/* Pixel n of the kernel is distance 0 and lies at cell 0. Distance -n meets no two pixels, wherever it lies.
 * */
static argand_status build(argand_dist_toeplitz *t, const argand_dist_toeplitz_options *options)
{
    builder b = {.t = t, .options = options};
    argand_status status = make_nufft(&b);
    if (!status) {
        status = padded_forward(&b.call, b.grid, b.kernel);
        if (!status) status = keep_spectrum(&b);
        status = argand_comm_agree(t->comm, status);
    }
    release(&b);
    return status;
}

/* ---- the operator ---- */

static argand_status make(argand_dist_toeplitz **toeplitz, argand_comm *comm, argand_device *device,
                          const argand_dist_toeplitz_options *options)
{
    argand_dist_toeplitz *t;
    TRY(check_given("dist toeplitz", toeplitz, device, options));
    CHECK(options->tolerance >= 0 && options->tolerance < 1, ARGAND_ARGUMENT,
          "dist toeplitz: tolerance %g: give a relative error below 1, or 0 for the default",
          options->tolerance);
    CHECK(options->rank == 2 || options->rank == 3, ARGAND_ARGUMENT, "dist toeplitz: rank %d: give 2 or 3",
          options->rank);
    for (int axis = 0; axis < options->rank; axis++)
        CHECK(options->n[axis] >= 1 && options->n[axis] <= 1 << 24, ARGAND_ARGUMENT,
              "dist toeplitz: n[%d] = %lld: give 1 to 2^24", axis, (long long)options->n[axis]);
    TRY(NEW(t, 1));
    *toeplitz = t;
    *t = (argand_dist_toeplitz){.device = device_keep(device),
                                .type = options->type,
                                .rank = options->rank,
                                .n = {options->n[0], options->n[1], options->n[2]}};
    if (!comm) return argand_comm_self(&t->comm);
    t->comm = argand_comm_keep(comm);
    return ARGAND_OK;
}

argand_status argand_dist_toeplitz_create(argand_dist_toeplitz **toeplitz, argand_comm *comm,
                                          argand_device *device, const argand_dist_toeplitz_options *options)
{
    argand_dist_toeplitz *made = NULL;
    if (toeplitz) *toeplitz = NULL;
    argand_status status = argand_comm_agree(comm, make(toeplitz ? &made : NULL, comm, device, options));
    if (!status) status = comm_choose(&made->exchanges, made->comm, device);
    if (!status) status = build(made, options);
    if (status == ARGAND_OK)
        *toeplitz = made;
    else
        argand_dist_toeplitz_destroy(made);
    return status;
}

void argand_dist_toeplitz_destroy(argand_dist_toeplitz *t)
{
    if (!t) return;
    argand_array_destroy(t->spectrum);
    padded_destroy(t->fft);
    argand_device_close(t->device);
    argand_comm_destroy(t->comm);
    memory_free(t);
}

void argand_dist_toeplitz_describe(const argand_dist_toeplitz *t, argand_dist_toeplitz_info *info)
{
    if (info) *info = (argand_dist_toeplitz_info){0};
    if (!t || !info) return;
    *info = (argand_dist_toeplitz_info){.type = t->type,
                                        .rank = t->rank,
                                        .n = {t->n[0], t->n[1], t->n[2]},
                                        .first = t->fft->z_first,
                                        .planes = t->fft->z_own,
                                        .grid = {t->grid[0], t->grid[1], t->grid[2]},
                                        .samples = t->samples};
    if (t->spectrum) info->bytes = (size_t)t->spectrum->count * argand_type_size(t->spectrum->type);
}

/* ---- calls ---- */

typedef struct call {
    const argand_dist_toeplitz *t;
    int64_t vectors;
    argand_array *image, *out;     /* this group's vectors */
    argand_array *grid, *spectrum; /* {X, Z, Y part, vectors}; the spectrum repeated */
    padded_call fft;
} call;

static argand_status check_array(const argand_dist_toeplitz *t, const argand_array *array, const char *name)
{
    CHECK(array, ARGAND_ARGUMENT, "dist toeplitz: no %s given", name);
    CHECK(array->type == t->type && argand_array_device(array) == t->device &&
              argand_array_is_contiguous(array),
          ARGAND_ARGUMENT, "dist toeplitz: %s: give a contiguous array of %s on the operator's device", name,
          argand_type_name(t->type));
    for (int axis = 0; axis < t->rank; axis++) {
        const int64_t wanted = axis == t->rank - 1 ? t->fft->z_own : t->n[axis];
        CHECK(argand_array_dim(array, axis) == wanted, ARGAND_ARGUMENT,
              "dist toeplitz: %s has %lld pixels on axis %d, this rank's part %lld", name,
              (long long)argand_array_dim(array, axis), axis, (long long)wanted);
    }
    return ARGAND_OK;
}

static argand_status check(const argand_dist_toeplitz *t, const argand_array *out, const argand_array *image)
{
    if (!t->fft->z_own) {
        CHECK(!out && !image, ARGAND_ARGUMENT,
              "dist toeplitz: images given on a rank without planes: give NULL");
        return ARGAND_OK;
    }
    TRY(check_array(t, image, "image"));
    TRY(check_array(t, out, "output"));
    CHECK(out->count == image->count, ARGAND_ARGUMENT,
          "dist toeplitz: image and output have other numbers of vectors");
    CHECK(!storage_overlaps(out->storage, image->storage), ARGAND_ARGUMENT,
          "dist toeplitz: image and output share memory");
    return ARGAND_OK;
}

static argand_status part_of(argand_array **part, const argand_array *array, const call *c, int64_t first)
{
    const int64_t pixels = c->t->fft->x * c->t->fft->y * c->t->fft->z_own, all = pixels * c->vectors,
                  stride = 1;
    return array ? argand_array_view(part, array, 1, &all, &stride, pixels * first) : ARGAND_OK;
}

static argand_status take(call *c, const argand_array *out, const argand_array *image, int64_t first)
{
    const padded_fft *p = c->t->fft;
    const int64_t cells[4] = {p->X, p->Z, p->y_own, c->vectors}, strides[4] = {1, p->X, p->X * p->Z, 0};
    TRY(observe_again());
    TRY(part_of(&c->image, image, c, first));
    TRY(part_of(&c->out, out, c, first));
    TRY(padded_prepare(&c->fft, c->t->fft, c->vectors));
    if (!p->y_own) return ARGAND_OK;
    TRY(array_scratch(&c->grid, c->t->device, c->t->type, 4, cells));
    return argand_array_view(&c->spectrum, c->t->spectrum, 4, cells, strides, 0);
}

static argand_status run(call *c)
{
    argand_status status = padded_forward(&c->fft, c->grid, c->image);
    if (!status && c->grid) status = argand_array_multiply(c->grid, c->spectrum, c->grid, ARGAND_PRODUCT);
    const argand_status back = padded_adjoint(&c->fft, c->out, c->grid);
    return status ? status : back;
}

static void free_call(call *c)
{
    argand_array_destroy(c->spectrum);
    argand_array_destroy(c->grid);
    padded_release(&c->fft);
    argand_array_destroy(c->out);
    argand_array_destroy(c->image);
}

static argand_status apply(const argand_dist_toeplitz *t, argand_array *out, const argand_array *image)
{
    int64_t vectors = image && t->fft->z_own ? image->count / (t->fft->x * t->fft->y * t->fft->z_own) : 0,
            count;
    TRY(argand_comm_agree(t->comm, check(t, out, image)));
    TRY(padded_agree_vectors(t->fft, &vectors));
    for (int64_t first = 0; first < vectors; first += count) {
        const int64_t most = padded_most_vectors(t->fft), left = vectors - first;
        count = left < most ? left : most;
        call c = {.t = t, .vectors = count};
        argand_status status = argand_comm_agree(t->comm, take(&c, out, image, first));
        if (!status) status = argand_comm_agree(t->comm, run(&c));
        free_call(&c);
        TRY(status);
    }
    return ARGAND_OK;
}

argand_status argand_dist_toeplitz_apply(const argand_dist_toeplitz *t, argand_array *out,
                                         const argand_array *image)
{
    CHECK(t, ARGAND_ARGUMENT, "dist toeplitz: no operator given");
    range_push("argand dist toeplitz");
    return range_end(apply(t, out, image));
}
