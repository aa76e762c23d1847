/* SPDX-License-Identifier: BSD-3-Clause */
/* A transform with off-resonance by segments: y_v = sum_l a_l F(b_l x_v), adjoint sum_l conj(b_l)
 * F^H(conj(a_l) y_v). Noll, Meyer, Pauly, Nishimura, Macovski, IEEE Trans. Med. Imaging 10:629, 1991; in
 * iterations: Sutton, Noll, Fessler, 22:178, 2003.
 *
 * A batch is as many vectors, with all their terms, as the temporary memory holds. If not even one vector
 * fits (one coil, a large volume, many terms), a batch is some terms of one vector, and the results are
 * added. */
#include "op/segmented.h"
#include "op/transform.h"

#include <stdatomic.h>
#include <stdio.h>
#include "array/copy.h"
#include "base/memory.h"
#include "kernels/params.h"

typedef struct segmented {
    argand_nufft *plan;
    argand_device *device;      /* the operator's, which keeps it */
    argand_array *time, *space; /* {samples, terms}, {pixels, terms}; the segments' own storage */
    argand_type type;
    int rank;
    int64_t n[3], pixels, samples, terms;
} segmented;

/* One batch: terms `term` to `term + terms - 1` of vectors `vector` to `vector + vectors - 1`. */
typedef struct batch {
    int64_t term, terms, vector, vectors;
} batch;

static atomic_size_t test_bytes;

void argand_test_segmented_bytes(size_t bytes)
{
    test_bytes = bytes;
}

/* Returns the limit of temporary memory. On GPUs it holds all coils of a slice, which the NUFFT splits
 * into batches of its own. */
static size_t most_bytes(const segmented *s)
{
    enum { LEAST = 256 << 20, SHARE = 64 };
    const device_traits *t = device_traits_of(s->device);
    if (test_bytes) return test_bytes;
    return !t->is_host && t->memory / SHARE > LEAST ? (size_t)(t->memory / SHARE) : LEAST;
}

/* Returns the first batch, the largest one. Terms of one vector are split in multiples of 8, the number
 * that the NUFFT takes at once. */
static batch first_batch(const segmented *s, int64_t vectors)
{
    const size_t each = (size_t)(s->pixels + s->samples) * argand_type_size(s->type);
    const int64_t fit = (int64_t)(most_bytes(s) / each), terms = fit < 8 ? 1 : fit / 8 * 8;
    if (fit < s->terms) return (batch){.terms = terms < s->terms ? terms : s->terms, .vectors = 1};
    return (batch){.terms = s->terms, .vectors = fit / s->terms < vectors ? fit / s->terms : vectors};
}

static batch cut(batch b, const segmented *s, int64_t vectors)
{
    if (b.vectors > vectors - b.vector) b.vectors = vectors - b.vector;
    if (b.terms > s->terms - b.term) b.terms = s->terms - b.term;
    return b;
}

/* Runs the kernel segments_spread or segments_gather. many: {length, terms of b, vectors of b}; one:
 * {length, all vectors}; factor: {length, all terms}. Writes many (spread) or one (gather). */
static argand_status run(const char *kernel, const batch *b, bool conjugate, bool spread,
                         const argand_array *many, const argand_array *factor, const argand_array *one)
{
    enum { CHUNK = 1024, GPU_CHUNK = 256 };
    char key[64];
    const bool on_gpu = !storage_address(many->storage);
    const int64_t length = factor->dims[0], chunk = on_gpu ? GPU_CHUNK : CHUNK,
                  chunks = (length + chunk - 1) / chunk, together = on_gpu ? SEGMENTS_TOGETHER_ON_GPU : 1;
    const struct segments_params params = {.count = length,
                                           .terms = b->terms,
                                           .vectors = b->vectors,
                                           .chunk = chunk,
                                           .chunks = chunks,
                                           .many = 2 * many->offset,
                                           .factor = 2 * (factor->offset + b->term * length),
                                           .one = 2 * (one->offset + b->vector * length),
                                           .conjugate = conjugate,
                                           .add = b->term > 0};
    storage *const memory[3] = {spread ? many->storage : one->storage, factor->storage,
                                spread ? one->storage : many->storage};
    snprintf(key, sizeof key, "%s REAL=%s", kernel, type_is_double(many->type) ? "double" : "float");
    return kernel_start(argand_array_device(many),
                        &(kernel_run){.key = key,
                                      .groups = chunks * ((b->vectors + together - 1) / together),
                                      .memory = memory,
                                      .memory_count = 3,
                                      .params = &params,
                                      .params_bytes = sizeof params});
}

static argand_status spread(const batch *b, argand_array *many, const argand_array *factor,
                            const argand_array *one, bool conjugate)
{
    return run("segments_spread", b, conjugate, true, many, factor, one);
}

static argand_status gather(const batch *b, argand_array *one, const argand_array *factor,
                            const argand_array *many, bool conjugate)
{
    return run("segments_gather", b, conjugate, false, many, factor, one);
}

static argand_status forward_batch(const segmented *s, const batch *b, argand_array *y, const argand_array *x,
                                   argand_array *images, argand_array *series)
{
    TRY(spread(b, images, s->space, x, false));
    TRY(argand_nufft_apply(s->plan, series, images));
    return gather(b, y, s->time, series, false);
}

static argand_status adjoint_batch(const segmented *s, const batch *b, argand_array *x, const argand_array *y,
                                   argand_array *images, argand_array *series)
{
    TRY(spread(b, series, s->time, y, true));
    TRY(argand_nufft_adjoint(s->plan, images, series));
    return gather(b, x, s->space, images, true);
}

typedef argand_status batch_function(const segmented *, const batch *, argand_array *, const argand_array *,
                                     argand_array *, argand_array *);

/* Runs one batch with its temporary images and samples. */
static argand_status run_batch(const segmented *s, const batch *b, argand_array *out, const argand_array *in,
                               batch_function *function)
{
    argand_array *images = NULL, *series = NULL;
    int64_t dims[4] = {s->n[0], s->n[1], s->n[2]};
    argand_status status;
    dims[s->rank] = b->terms * b->vectors;
    TRY_OR_DONE(array_scratch(&images, s->device, s->type, s->rank + 1, dims));
    TRY_OR_DONE(
        array_scratch(&series, s->device, s->type, 2, (const int64_t[2]){s->samples, b->terms * b->vectors}));
    status = function(s, b, out, in, images, series);
done:
    argand_array_destroy(series);
    argand_array_destroy(images);
    return status;
}

/* each: elements of a vector of `in`; op_of_fewer has fewer vectors than the operator. */
static argand_status run_batches(const segmented *s, argand_array *out, const argand_array *in, int64_t each,
                                 batch_function *function)
{
    const int64_t vectors = in->count / each;
    const batch most = first_batch(s, vectors);
    for (int64_t vector = 0; vector < vectors; vector += most.vectors)
        for (int64_t term = 0; term < s->terms; term += most.terms) {
            const batch b = cut((batch){term, most.terms, vector, most.vectors}, s, vectors);
            TRY(run_batch(s, &b, out, in, function));
        }
    return ARGAND_OK;
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const segmented *s = context;
    return run_batches(s, y, x, s->pixels, forward_batch);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const segmented *s = context;
    return run_batches(s, x, y, s->samples, adjoint_batch);
}

static void destroy(void *context)
{
    segmented *s = context;
    argand_nufft_destroy(s->plan);
    argand_array_destroy(s->time);
    argand_array_destroy(s->space);
    memory_free(s);
}

static argand_status check(const argand_nufft_info *plan, const argand_segments *segments,
                           argand_device *device)
{
    argand_segments_info info;
    int64_t pixels = 1;
    CHECK(segments, ARGAND_ARGUMENT, "argand_op_segmented: no segments");
    CHECK(plan->points >= 1, ARGAND_ARGUMENT,
          "argand_op_segmented: the plan has no points; call argand_nufft_set_points first");
    CHECK(!plan->real_image, ARGAND_UNSUPPORTED,
          "argand_op_segmented: the plan is for real images: make one without real_image");
    argand_segments_describe(segments, &info);
    for (int axis = 0; axis < plan->rank; axis++) pixels *= plan->n[axis];
    CHECK(
        info.pixels == pixels && info.samples == plan->points, ARGAND_ARGUMENT,
        "argand_op_segmented: the segments are for %lld pixels and %lld samples, the plan for %lld and %lld",
        (long long)info.pixels, (long long)info.samples, (long long)pixels, (long long)plan->points);
    CHECK(info.type == plan->type, ARGAND_ARGUMENT,
          "argand_op_segmented: the segments are %s, the plan is %s", argand_type_name(info.type),
          argand_type_name(plan->type));
    CHECK(argand_array_device(argand_segments_time(segments)) == device, ARGAND_ARGUMENT,
          "argand_op_segmented: the segments live on another device");
    return ARGAND_OK;
}

static argand_status fill(segmented *s, const argand_nufft_info *plan, const argand_segments *segments,
                          argand_device *device)
{
    s->device = device;
    TRY(array_on_device(&s->time, argand_segments_time(segments), s->device));
    TRY(array_on_device(&s->space, argand_segments_space(segments), s->device));
    s->type = plan->type;
    s->rank = plan->rank;
    s->pixels = 1;
    for (int axis = 0; axis < 3; axis++) s->n[axis] = axis < plan->rank ? plan->n[axis] : 1;
    for (int axis = 0; axis < 3; axis++) s->pixels *= s->n[axis];
    s->samples = plan->points;
    s->terms = s->time->dims[1];
    return ARGAND_OK;
}

argand_status argand_op_segmented(argand_op **op, argand_device *device, argand_nufft *plan,
                                  const argand_segments *segments, int64_t vectors)
{
    segmented *s;
    argand_nufft_info info;
    if (op) *op = NULL;
    CHECK(plan, ARGAND_ARGUMENT, "argand_op_segmented: no plan");
    argand_nufft_describe(plan, &info);
    argand_status status = NEW(s, 1);
    if (status != ARGAND_OK) {
        argand_nufft_destroy(plan);
        return status;
    }
    s->plan = plan;
    status = check(&info, segments, device);
    if (status == ARGAND_OK) status = fill(s, &info, segments, device);
    if (status != ARGAND_OK) {
        destroy(s);
        return status;
    }
    const transform t = {.name = "segmented",
                         .type = info.type,
                         .image = info.type,
                         .rank = info.rank,
                         .n = info.n,
                         .samples = info.points,
                         .apply = apply,
                         .adjoint = adjoint,
                         .destroy = destroy,
                         .plan = s};
    return transform_op(op, device, &t, vectors);
}
