/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine for FFTs of any length by one kernel, whose radices are arguments: plans that cannot wait for
 * their own kernels begin with it. Stockham's transform (Cochran et al.: What is the fast Fourier transform?
 * Proc. IEEE 55:1664, 1967), a launch for each radix of each axis. Radices are at most 16, or prime: a prime
 * factor is a sum by definition. */
#include "fft/engine/engine.h"

#include <string.h>
#include "array/array.h"
#include "array/layout.h"
#include "base/memory.h"
#include "fft/engine/facts.h"
#include "fft/engine/roots.h"
#include "kernels/general/params.h"

enum {
    RADIX = 16,        /* largest radix that is no prime */
    MOST_RADICES = 64, /* of one axis */
    MOST_PRIME = 4096, /* sums of more terms would have larger errors than other engines */
    SHIFT = 12,        /* fine table of 2^SHIFT roots; shorter axes have no second table */
    CHUNK = 1024
};

/* An axis of a plan. */
typedef struct general_axis {
    int64_t n;
    int count; /* of radices */
    int radix[MOST_RADICES];
    storage *roots;
    int64_t coarse; /* position of the coarse table in reals; 0: none */
} general_axis;

typedef struct general_state {
    argand_device *device;
    int rank, passes;
    general_axis axes[ARGAND_MAX_RANK];
} general_state;

static const char *key_of(const fft_problem *p)
{
    return type_is_double(p->type) ? "fft_general REAL=double ITEMS=256" : "fft_general REAL=float ITEMS=256";
}

/* Factors n. Returns the sum of the radices, or 0 if a prime factor is too large. */
static int64_t factor(int64_t n, int radix[MOST_RADICES], int *count)
{
    int64_t sum = 0;
    *count = 0;
    for (int r = RADIX; r > 1; r--)
        for (; n % r == 0; n /= r) sum += radix[(*count)++] = r;
    for (int64_t r = RADIX + 1; n > 1 && r <= MOST_PRIME; r++)
        for (; n % r == 0; n /= r) sum += radix[(*count)++] = (int)r;
    return n > 1 ? 0 : sum;
}

/* Returns the products of all sums, complex; 0 if a prime factor is too large. */
static double products_of(const fft_problem *p)
{
    double products = 1;
    int radix[MOST_RADICES], count;
    for (int axis = 0; axis < p->rank; axis++) {
        const int64_t sum = factor(p->n[axis], radix, &count);
        if (!sum && p->n[axis] > 1) return 0;
        products += (double)sum;
    }
    return products * (double)p->points * (double)p->batch;
}

/* Returns the bytes of a block of work memory: complex numbers of all points. */
static size_t work_bytes(const fft_problem *p)
{
    return (size_t)(p->points * p->batch) * (type_is_double(p->type) ? 16 : 8);
}

static const char *applicable(const fft_problem *p, argand_device *device)
{
    static const double MOST_PRODUCTS = 2e10; /* a tenth of a second on a GPU */
    if (device_is_host(device)) return "it is for devices that compile kernels";
    if (!kernels_in_parallel(device) && !engine_is_wanted("general"))
        return "no plan begins with it where kernels are compiled one after the other";
    if (p->access) return "it has no accessors";
    if (p->effort != ARGAND_ESTIMATE && !engine_is_wanted("general"))
        return "it only serves until the kernels of another engine are there";
    if (2 * work_bytes(p) > (size_t)device_traits_of(device)->memory / 16)
        return "its work memory would take more than a sixteenth of the device's";
    const double products = products_of(p);
    if (products == 0) return "a prime factor is larger than 4096";
    if (products > MOST_PRODUCTS && !engine_is_wanted("general"))
        return "it would take longer than compiling kernels";
    return NULL;
}

static const char *low_priority(const fft_problem *p, argand_device *device)
{
    (void)p, (void)device;
    return engine_is_wanted("general") ? NULL
                                       : "it only serves until the kernels of another engine are there";
}

static bool is_immediate(const fft_problem *p, argand_device *device)
{
    return kernels_load(device, (const char *const[]){key_of(p)}, 1);
}

/* ---- create and destroy ---- */

static void destroy(void *state)
{
    general_state *s = state;
    if (!s) return;
    for (int axis = 0; axis < s->rank; axis++) storage_release(s->axes[axis].roots);
    memory_free(s);
}

static void put_root(void *numbers, bool is_double, int64_t at, const roots *r, int64_t exponent)
{
    double cosine, sine;
    roots_at(r, exponent, &cosine, &sine);
    roots_put(numbers, is_double, 2 * at, cosine);
    roots_put(numbers, is_double, 2 * at + 1, sine);
}

/* Writes exp(2 pi i k / n) for the first 2^SHIFT k, then for multiples of 2^SHIFT. */
static argand_status upload_roots(general_axis *a, const roots *r, argand_device *device, bool is_double)
{
    const int64_t size = (int64_t)1 << SHIFT, fine = a->n < size ? a->n : size,
                  coarse = a->n > size ? (a->n + size - 1) / size : 0;
    const size_t bytes = (size_t)(fine + coarse) * (is_double ? 16 : 8);
    void *numbers;
    TRY(memory_new(&numbers, bytes, 1));
    for (int64_t i = 0; i < fine; i++) put_root(numbers, is_double, i, r, i);
    for (int64_t i = 0; i < coarse; i++) put_root(numbers, is_double, fine + i, r, i << SHIFT);
    a->coarse = coarse ? 2 * fine : 0;
    argand_status status = storage_new(&a->roots, device, bytes);
    if (status == ARGAND_OK) status = storage_upload(a->roots, 0, numbers, bytes);
    memory_free(numbers);
    return status;
}

static argand_status make_axis(general_axis *a, int64_t n, argand_device *device, bool is_double)
{
    roots r;
    a->n = n;
    if (!factor(n, a->radix, &a->count)) a->radix[a->count++] = 1; /* n = 1: a copy */
    TRY(roots_make(&r, n));
    const argand_status status = upload_roots(a, &r, device, is_double);
    roots_release(&r);
    return status;
}

static argand_status create(void **state, const fft_problem *p, argand_device *device)
{
    general_state *s;
    TRY(kernel_prepare(device, key_of(p)));
    TRY(NEW(s, 1));
    s->device = device; /* the plan keeps it */
    s->rank = p->rank;
    argand_status status = ARGAND_OK;
    for (int axis = 0; axis < p->rank && status == ARGAND_OK; axis++) {
        status = make_axis(&s->axes[axis], p->n[axis], device, type_is_double(p->type));
        s->passes += s->axes[axis].count;
    }
    if (s->passes == 1) { /* a single pass could not transform in place: a copy follows */
        s->axes[0].radix[s->axes[0].count++] = 1;
        s->passes++;
    }
    if (status == ARGAND_OK)
        *state = s;
    else
        destroy(s);
    return status;
}

/* ---- apply ---- */

/* A call: its arrays, and two blocks of work memory between which the passes go back and forth. */
typedef struct general_call {
    const general_state *s;
    const fft_problem *p;
    const fft_call *call;
    storage *work[2];
    int pass; /* number of passes that were started */
} general_call;

/* Returns the number of lines along an axis, of all transforms. */
static int64_t lines_of(const fft_problem *p, int axis)
{
    const bool half = problem_is_real(p) && axis > 0;
    return p->points / (half ? p->n[0] : 1) * (half ? p->n[0] / 2 + 1 : 1) / p->n[axis] * p->batch;
}

/* Fills in what is the same for all radices of an axis. Axis 0 of a real problem is n reals on one side, and
 * half of a spectrum on the other; it comes first forward, last back. */
static struct fft_general_params params_of(const general_call *c, int axis)
{
    const fft_problem *p = c->p;
    const bool forward = c->call->direction == ARGAND_FORWARD, real = problem_is_real(p);
    struct fft_general_params k = {.n = p->n[axis],
                                   .in_count = p->n[axis],
                                   .out_count = p->n[axis],
                                   .inner = 1,
                                   .chunk = CHUNK,
                                   .shift = SHIFT,
                                   .coarse = c->s->axes[axis].coarse,
                                   .sign = forward ? -1 : 1};
    for (int i = 0; i < axis; i++) k.inner *= i == 0 && real ? p->n[0] / 2 + 1 : p->n[i];
    return k;
}

/* Starts the pass of one radix. done: product of the earlier ones of the axis */
static argand_status start(general_call *c, int axis, int number, int64_t done)
{
    const general_axis *a = &c->s->axes[axis];
    const bool forward = c->call->direction == ARGAND_FORWARD, real = problem_is_real(c->p) && axis == 0,
               first = number == 0, last = number == a->count - 1, is_input = c->pass == 0,
               is_output = c->pass == c->s->passes - 1;
    const int64_t half = a->n / 2;
    struct fft_general_params k = params_of(c, axis);
    k.radix = a->radix[number];
    k.done = done;
    k.rest = a->n / done / k.radix;
    if (real && first) k.load = forward ? FFT_GENERAL_REAL : FFT_GENERAL_COMPLEX;
    if (real && first && !forward) k.in_count = half + 1;
    if (real && last && forward) k.out_count = half + 1;
    if (real && last && !forward) k.store = FFT_GENERAL_REAL;
    if (c->p->centred && first) k.load_shift = half;
    if (c->p->centred && last) k.store_shift = a->n - half;
    k.count = lines_of(c->p, axis) * k.out_count;
    k.factor = layout_scalar(is_output ? c->call->factor : 1, 0);
    const argand_array *in = c->call->in, *out = c->call->out;
    if (is_input) k.in = in->offset * (type_is_complex(in->type) ? 2 : 1);
    if (is_output) k.out = out->offset * (type_is_complex(out->type) ? 2 : 1);
    storage *const memory[3] = {is_output ? out->storage : c->work[c->pass % 2],
                                is_input ? in->storage : c->work[(c->pass + 1) % 2], a->roots};
    c->pass++;
    return kernel_start(c->s->device, &(kernel_run){.key = key_of(c->p),
                                                    .groups = (k.count + CHUNK - 1) / CHUNK,
                                                    .memory = memory,
                                                    .memory_count = 3,
                                                    .params = &k,
                                                    .params_bytes = sizeof k});
}

static argand_status run_axis(general_call *c, int axis)
{
    const general_axis *a = &c->s->axes[axis];
    int64_t done = 1;
    for (int i = 0; i < a->count; i++) {
        TRY(start(c, axis, i, done));
        done *= a->radix[i];
    }
    return ARGAND_OK;
}

static argand_status run(general_call *c)
{
    const bool forward = c->call->direction == ARGAND_FORWARD;
    for (int i = 0; i < 2; i++) TRY(storage_scratch(&c->work[i], c->s->device, work_bytes(c->p)));
    for (int i = 0; i < c->s->rank; i++) TRY(run_axis(c, forward ? i : c->s->rank - 1 - i));
    return ARGAND_OK;
}

static argand_status apply(const void *state, const fft_problem *p, argand_device *device,
                           const fft_call *call)
{
    general_call c = {.s = state, .p = p, .call = call};
    (void)device;
    const argand_status status = run(&c);
    for (int i = 0; i < 2; i++) storage_release(c.work[i]);
    return status;
}

static void print(const void *state, text *t)
{
    const general_state *s = state;
    text_add(t, "(general");
    for (int axis = 0; axis < s->rank; axis++)
        for (int i = 0; i < s->axes[axis].count; i++)
            text_add(t, "%s%d", i ? "x" : " ", s->axes[axis].radix[i]);
    text_add(t, ")");
}

static int64_t workspace(const void *state, const fft_problem *p, argand_device *device,
                         argand_direction direction)
{
    (void)state, (void)device, (void)direction;
    return 2 * (int64_t)work_bytes(p);
}

const fft_engine fft_engine_general = {.name = "general",
                                       .contiguous = true,
                                       .is_immediate = is_immediate,
                                       .applicable = applicable,
                                       .create = create,
                                       .apply = apply,
                                       .print = print,
                                       .destroy = destroy,
                                       .low_priority = low_priority,
                                       .workspace = workspace};
