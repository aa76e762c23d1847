/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine for CUDA devices: cuFFT on contiguous arrays. Centring is a circular shift
 * (array/circular_shift.krn) by floor(N/2) before and after, exact for odd and even lengths; the second
 * one also scales. cuFFT overwrites the input of complex-to-real transforms, so that they get a copy. Work
 * memory belongs to the device, and is taken for the time of a call. */
#include "fft/engine/engine.h"

#include <pthread.h>
#include <string.h>
#include "array/layout.h"
#include "base/memory.h"
#include "fft/engine/facts.h"
#include "fft/vendor/cufft.h"
#include "fft/vendor/cufft_passes.h"
#include "kernels/params.h"

/* A handle serves one direction of a real transform, and both of a complex one. */
typedef struct transform_plan {
    cufft_handle plan;
    bool made;
    size_t work_bytes;
} transform_plan;

typedef struct cufft_state {
    const cufft_library *library;
    argand_device *device;
    transform_plan forward, inverse; /* complex plans only have forward */
    pthread_mutex_t lock;            /* a handle stores its stream and its work memory */
    int version;
} cufft_state;

static bool serves_all;

void argand_test_cufft_serves_all(bool yes)
{
    serves_all = yes;
}

static const char *applicable(const fft_problem *p, argand_device *device)
{
    argand_device_info info;
    const char *reason = "";
    if (argand_device_describe(device, &info) != ARGAND_OK || (!serves_all && strcmp(info.backend, "cuda")))
        return "cuFFT is for CUDA devices";
    if (info.is_absent) return "the device is absent, and cuFFT cannot plan offline";
    if (p->access) return "cuFFT has no accessors";
    if (p->rank > 3) return "cuFFT has no transforms of more than 3 axes";
    return cufft_open(&reason) ? NULL : reason;
}

/* Returns the reason why the native kernels go first, or NULL. On chips where both were measured, they won
 * for all but two of 80 sizes drawn at random and a few of the list (docs/performance/fft-h200.md). The
 * difference exceeds the accuracy of predictions for cuFFT. */
static const char *low_priority(const fft_problem *p, argand_device *device)
{
    (void)p;
    if (engine_is_wanted("cufft") || !device_traits_of(device)->fft_leads) return NULL;
    return "on such chips Argand's own kernels are preferred, unless wisdom or ARGAND_MEASURE finds cuFFT "
           "faster";
}

/* Kernels that cuFFT lacks are compiled by itself, in 60 to 400 ms. */
static bool is_immediate(const fft_problem *p, argand_device *device)
{
    (void)p, (void)device;
    return true;
}

static cufft_kind kind_of(const fft_problem *p, bool inverse)
{
    const bool twice = type_is_double(p->type);
    if (!problem_is_real(p)) return twice ? CUFFT_Z2Z : CUFFT_C2C;
    if (inverse) return twice ? CUFFT_Z2D : CUFFT_C2R;
    return twice ? CUFFT_D2Z : CUFFT_R2C;
}

/* Makes a handle. cuFFT counts axes from the slowest. All strides are given, because their defaults differ
 * between in place and out of place. */
static argand_status make_handle(const cufft_state *s, transform_plan *handle, const fft_problem *p,
                                 bool inverse)
{
    long long n[3], in[3], out[3], in_count = 1, out_count = 1;
    for (int axis = 0; axis < p->rank; axis++) {
        const int at = p->rank - 1 - axis;
        const long long half = axis == 0 && problem_is_real(p) ? p->n[0] / 2 + 1 : p->n[axis];
        n[at] = p->n[axis];
        in[at] = inverse ? half : n[at];
        out[at] = inverse ? n[at] : half;
        if (!problem_is_real(p)) in[at] = out[at] = n[at];
        in_count *= in[at];
        out_count *= out[at];
    }
    TRY(cufft_check(s->library->create(&handle->plan), "cannot make a plan"));
    handle->made = true;
    TRY(cufft_check(s->library->allocate_itself(handle->plan, 0), "cannot make a plan"));
    return cufft_check(s->library->make_many(handle->plan, p->rank, n, in, 1, in_count, out, 1, out_count,
                                             kind_of(p, inverse), p->batch, &handle->work_bytes),
                       "cannot make a plan");
}

static void destroy(void *state)
{
    cufft_state *s = state;
    void *stream;
    if (!s) return;
    const bool entered = device_enter(s->device, &stream) == ARGAND_OK;
    if (s->forward.made) s->library->destroy(s->forward.plan);
    if (s->inverse.made) s->library->destroy(s->inverse.plan);
    if (entered) device_leave(s->device);
    pthread_mutex_destroy(&s->lock);
    memory_free(s);
}

static argand_status create(void **state, const fft_problem *p, argand_device *device)
{
    cufft_state *s;
    void *stream;
    const char *reason;
    const cufft_library *library = cufft_open(&reason);
    CHECK(library, ARGAND_UNSUPPORTED, "%s", reason);
    TRY(NEW(s, 1));
    s->device = device; /* the plan keeps it */
    s->library = library;
    pthread_mutex_init(&s->lock, NULL);
    argand_status status = device_enter(device, &stream);
    if (status == ARGAND_OK) {
        status = make_handle(s, &s->forward, p, false);
        if (status == ARGAND_OK && problem_is_real(p)) status = make_handle(s, &s->inverse, p, true);
        s->library->version(&s->version);
        device_leave(device);
    }
    if (status != ARGAND_OK) {
        destroy(s);
        return status;
    }
    *state = s;
    return ARGAND_OK;
}

/* Returns the address of an array. On a cpu device it is the host's: tests run the engine with a library
 * of their own. */
static void *address_of(const argand_array *array)
{
    char *start = storage_native(array->storage);
    if (!start) start = storage_address(array->storage);
    return start + array->offset * (int64_t)argand_type_size(array->type);
}

static int execute(const cufft_state *s, const transform_plan *handle, const fft_problem *p, void *out,
                   void *in, argand_direction direction)
{
    const cufft_library *l = s->library;
    switch (kind_of(p, direction == ARGAND_INVERSE)) {
    case CUFFT_C2C:
        return l->c2c(handle->plan, in, out, direction);
    case CUFFT_Z2Z:
        return l->z2z(handle->plan, in, out, direction);
    case CUFFT_R2C:
        return l->r2c(handle->plan, in, out);
    case CUFFT_D2Z:
        return l->d2z(handle->plan, in, out);
    case CUFFT_C2R:
        return l->c2r(handle->plan, in, out);
    case CUFFT_Z2D:
        return l->z2d(handle->plan, in, out);
    }
    return 0;
}

/* Runs the transform alone, in the device's stream. A complex-to-real one may overwrite `in`. */
static argand_status transform(cufft_state *s, const fft_problem *p, argand_array *out,
                               const argand_array *in, argand_direction direction)
{
    const transform_plan *handle = direction == ARGAND_INVERSE && s->inverse.made ? &s->inverse : &s->forward;
    storage *work = NULL;
    void *stream;
    if (handle->work_bytes) TRY(storage_scratch(&work, s->device, handle->work_bytes));
    argand_status status = device_enter(s->device, &stream);
    if (status == ARGAND_OK) {
        pthread_mutex_lock(&s->lock);
        int result = s->library->set_stream(handle->plan, stream);
        if (!result && work) result = s->library->set_work(handle->plan, storage_native(work));
        if (!result) result = execute(s, handle, p, address_of(out), address_of(in), direction);
        pthread_mutex_unlock(&s->lock);
        device_leave(s->device);
        status = cufft_check(result, "transform");
    }
    storage_release(work);
    return status;
}

/* Sets out to factor times in, with each line shifted: out[(i + shift) mod n] = in[i]. */
static argand_status circular_shift(const fft_problem *p, argand_array *out, const argand_array *in,
                                    bool back, double factor)
{
    enum { CHUNK = 4096 };
    struct circular_shift_params params = {
        .n = {1, 1, 1}, .count = out->count, .chunk = CHUNK, .factor = layout_scalar(factor, 0)};
    for (int axis = 0; axis < p->rank; axis++) {
        params.n[axis] = p->n[axis];
        params.shift[axis] = back ? p->n[axis] / 2 : p->n[axis] - p->n[axis] / 2;
    }
    params.out = 2 * out->offset;
    params.in = 2 * in->offset;
    storage *const memory[2] = {out->storage, in->storage};
    const kernel_run run = {.key = type_is_double(out->type) ? "circular_shift REAL=double"
                                                             : "circular_shift REAL=float",
                            .groups = (out->count + CHUNK - 1) / CHUNK,
                            .memory = memory,
                            .memory_count = 2,
                            .params = &params,
                            .params_bytes = sizeof params};
    return kernel_start(argand_array_device(out), &run);
}

/* Shifts the centre, element floor(N/2), to the start, transforms, and shifts it back to the middle. */
static argand_status apply_centred(cufft_state *s, const fft_problem *p, const fft_call *call)
{
    argand_array *shifted;
    TRY(array_scratch(&shifted, s->device, call->in->type, 1, &call->in->count));
    argand_status status = circular_shift(p, shifted, call->in, false, 1);
    if (status == ARGAND_OK) status = transform(s, p, shifted, shifted, call->direction);
    if (status == ARGAND_OK) status = circular_shift(p, call->out, shifted, true, call->factor);
    argand_array_destroy(shifted);
    return status;
}

static argand_status apply_plain(cufft_state *s, const fft_problem *p, const fft_call *call)
{
    const bool spoils = problem_is_real(p) && call->direction == ARGAND_INVERSE;
    argand_array *copy = NULL;
    argand_status status;
    if (spoils) {
        TRY_OR_DONE(array_scratch(&copy, s->device, call->in->type, call->in->rank, call->in->dims));
        TRY_OR_DONE(argand_array_copy(copy, call->in));
    }
    TRY_OR_DONE(transform(s, p, call->out, spoils ? copy : call->in, call->direction));
    if (call->factor != 1) status = argand_array_scale(call->out, (argand_scalar){call->factor, 0});
done:
    argand_array_destroy(copy);
    return status;
}

/* Returns true if the address is aligned as cuFFT requires; a part of an array may begin anywhere. */
static bool is_aligned(const argand_array *array)
{
    return (uintptr_t)address_of(array) % (type_is_double(array->type) ? 16 : 8) == 0;
}

static argand_status apply(const void *state, const fft_problem *p, argand_device *device,
                           const fft_call *call)
{
    cufft_state *s = (cufft_state *)state;
    if (!is_aligned(call->in) || !is_aligned(call->out))
        return packed_apply(&fft_engine_cufft, state, p, device, call);
    return p->centred ? apply_centred(s, p, call) : apply_plain(s, p, call);
}

/* Returns the work memory of cuFFT and of the copies around it, in bytes. */
static int64_t workspace(const void *state, const fft_problem *p, argand_device *device,
                         argand_direction direction)
{
    (void)device;
    const cufft_state *s = state;
    const transform_plan *handle = direction == ARGAND_INVERSE && s->inverse.made ? &s->inverse : &s->forward;
    const bool copies = p->centred || (problem_is_real(p) && direction == ARGAND_INVERSE);
    return (int64_t)handle->work_bytes + (copies ? facts_bytes(p, false, direction) : 0);
}

static void print(const void *state, text *t)
{
    const cufft_state *s = state;
    text_add(t, "(cufft %d.%d)", s->version / 1000, s->version % 1000 / 100);
}

const fft_engine fft_engine_cufft = {.name = "cufft",
                                     .contiguous = true,
                                     .is_immediate = is_immediate,
                                     .applicable = applicable,
                                     .create = create,
                                     .apply = apply,
                                     .print = print,
                                     .destroy = destroy,
                                     .passes = cufft_passes,
                                     .low_priority = low_priority,
                                     .workspace = workspace};
