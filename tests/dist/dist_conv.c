/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions over several ranks against argand_conv on one rank. */
#include "dist/copies.h"

#include <argand/dist_conv.h>
#include "dist/nccl_ranks.h"

typedef struct problem {
    argand_conv_options options;
    double light, sharpness; /* an element of this brightness; s of the plan */
} problem;

static double noise(int64_t i)
{
    const double wave = sin(12.9898 * (double)i) * 43758.5453;
    return wave - floor(wave) - 0.5;
}

/* Arrays of the whole image and of the kernel are made on every rank. */
static argand_status make(argand_array **array, argand_device *own, argand_type type,
                          const argand_conv_options *o, const int64_t *n, int64_t channels, int64_t batch)
{
    int64_t dims[5];
    int rank = 0;
    if (o->interleaved) dims[rank++] = channels;
    for (int axis = 0; axis < o->rank; axis++) dims[rank++] = n[axis];
    if (!o->interleaved) dims[rank++] = channels;
    dims[rank++] = batch;
    return argand_array_create(array, own, type, rank, dims);
}

static argand_status fill(argand_array *array, double light)
{
    const argand_type type = argand_array_type(array);
    const bool is_double = type == ARGAND_R64 || type == ARGAND_C64, is_byte = type == ARGAND_U8;
    const int64_t count = argand_array_count(array) * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
    float *f = argand_array_data(array);
    double *d = argand_array_data(array);
    unsigned char *b = argand_array_data(array);
    for (int64_t i = 0; i < count; i++) {
        const double value = i == count / 2 && light != 0 ? light : 1 + noise(i);
        if (is_byte)
            b[i] = (unsigned char)(100 * value);
        else if (is_double)
            d[i] = value;
        else
            f[i] = (float)value;
    }
    return ARGAND_OK;
}

static argand_status whole(argand_array *out, const argand_array *in, const argand_array *kernel,
                           argand_device *own, const problem *p)
{
    argand_conv *conv;
    TRY(argand_conv_create(&conv, own, &p->options));
    TRY(argand_conv_set_kernel(conv, kernel));
    TRY(argand_conv_set_sharpness(conv, p->sharpness));
    TRY(argand_conv_apply(conv, out, in));
    argand_conv_destroy(conv);
    return ARGAND_OK;
}

/* The largest |a - b| over the largest |b|, or over its own |b|: 0 if all bits agree */
static argand_status difference(double *error, const argand_array *a, const argand_array *b, bool each)
{
    const argand_type type = argand_array_type(a);
    const bool is_double = type == ARGAND_R64 || type == ARGAND_C64;
    const int64_t count = argand_array_count(a) * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
    double worst = 0, largest = 0;
    void *first, *second;
    TRY(memory_take(&first, (size_t)count * 8));
    TRY(memory_take(&second, (size_t)count * 8));
    TRY(argand_array_download(a, first));
    TRY(argand_array_download(b, second));
    for (int64_t i = 0; i < count; i++) {
        const double x = is_double ? ((double *)first)[i] : (double)((float *)first)[i],
                     y = is_double ? ((double *)second)[i] : (double)((float *)second)[i];
        if (isnan(x) != isnan(y)) worst = INFINITY;
        worst = fmax(worst, fabs(x - y) / (each ? fabs(y) : 1));
        largest = fmax(largest, fabs(y));
    }
    *error = each ? worst : worst / largest;
    memory_free(second);
    memory_free(first);
    return ARGAND_OK;
}

static argand_status one_problem(argand_comm *comm, argand_device *own, void *context)
{
    const problem *p = context;
    const argand_conv_options *o = &p->options;
    const int last = o->rank - 1 + o->interleaved;
    const int64_t channels = o->channels ? o->channels : 1, batch = o->batch ? o->batch : 1;
    argand_array *in, *out, *kernel, *part = NULL, *part_in = NULL, *result = NULL, *wanted = NULL;
    argand_dist_conv *conv;
    argand_dist_conv_info info;
    argand_device *host;
    TRY(argand_device_open(&host, "cpu"));
    TRY(make(&in, host, o->in_type ? o->in_type : o->type, o, o->n, channels, batch));
    TRY(make(&out, host, o->out_type ? o->out_type : o->type, o, o->n, channels, batch));
    TRY(make(&kernel, host, o->type, o, o->kernel, o->kernel_channels ? o->kernel_channels : 1, 1));
    TRY(fill(in, p->light));
    TRY(fill(kernel, 0));
    TRY(whole(out, in, kernel, host, p));
    TRY(argand_dist_conv_create(&conv, comm, own, o));
    TRY(argand_dist_conv_set_kernel(conv, kernel));
    TRY(argand_dist_conv_set_sharpness(conv, p->sharpness));
    argand_dist_conv_describe(conv, &info);
    if (info.planes) {
        TRY(argand_array_part(&part_in, in, last, info.first, info.planes));
        TRY(argand_array_part(&wanted, out, last, info.first, info.planes));
        int64_t dims[5];
        for (int d = 0; d < argand_array_rank(in); d++) dims[d] = argand_array_dim(part_in, d);
        TRY(argand_array_create(&part, own, argand_array_type(in), argand_array_rank(in), dims));
        TRY(argand_array_create(&result, own, argand_array_type(out), argand_array_rank(out), dims));
        TRY(argand_array_copy(part, part_in));
    }
    for (int again = 0; again < 2; again++) TRY(argand_dist_conv_apply(conv, result, part));
    if (info.planes) {
        double error;
        TRY(difference(&error, result, wanted, p->light > 0));
        const bool is_double = o->type == ARGAND_R64 || o->type == ARGAND_C64;
        const double allowed = o->method == ARGAND_CONV_DIRECT && on_cpu() ? 0
                               : is_double                                 ? 1e-14
                               : p->light > 0                              ? 4e-5
                                                                           : 1e-6;
        RANK_CHECK(error <= allowed, "rank %d of %d (%s): error %.3g", argand_comm_rank(comm),
                   argand_comm_size(comm), info.local.method, error);
    }
    argand_device_close(host);
    argand_dist_conv_destroy(conv);
    argand_array_destroy(result);
    argand_array_destroy(part);
    argand_array_destroy(wanted);
    argand_array_destroy(part_in);
    argand_array_destroy(kernel);
    argand_array_destroy(out);
    argand_array_destroy(in);
    return ARGAND_OK;
}

#define BOTH(rule)                                 \
    {                                              \
        ARGAND_BORDER_##rule, ARGAND_BORDER_##rule \
    }

static const problem problems[] = {
    {.options =
         {.type = ARGAND_R32, .rank = 3, .n = {9, 8, 13}, .kernel = {3, 3, 3}, .method = ARGAND_CONV_DIRECT}},
    {.options = {.type = ARGAND_R64,
                 .rank = 3,
                 .n = {5, 6, 11},
                 .kernel = {3, 2, 8},
                 .channels = 2,
                 .border = {BOTH(CLAMP), BOTH(CLAMP), BOTH(CLAMP)},
                 .method = ARGAND_CONV_DIRECT},
     .sharpness = 0.25},
    {.options = {.type = ARGAND_R32,
                 .rank = 3,
                 .n = {16, 12, 9},
                 .kernel = {7, 5, 4},
                 .correlate = true,
                 .border = {BOTH(WRAP), BOTH(MIRROR), BOTH(WRAP)},
                 .method = ARGAND_CONV_FFT}},
    {.options = {.type = ARGAND_C64,
                 .rank = 2,
                 .n = {12, 10},
                 .kernel = {3, 31},
                 .centre_given = true,
                 .centre = {0, 30},
                 .border = {BOTH(WRAP), BOTH(MIRROR)},
                 .method = ARGAND_CONV_FFT}},
    {.options = {.type = ARGAND_R32,
                 .rank = 2,
                 .n = {11, 14},
                 .kernel = {4, 6},
                 .channels = 3,
                 .batch = 2,
                 .interleaved = true,
                 .in_type = ARGAND_U8,
                 .constant = {7, 0},
                 .border = {BOTH(CONSTANT), BOTH(CONSTANT)},
                 .method = ARGAND_CONV_FFT}},
    {.options = {.type = ARGAND_R32,
                 .rank = 2,
                 .n = {10, 15},
                 .kernel = {5, 4},
                 .constant = {0.5, 0},
                 .border = {BOTH(MIRROR), {ARGAND_BORDER_CLAMP, ARGAND_BORDER_CONSTANT}}}},
    {.options = {.type = ARGAND_R64,
                 .rank = 1,
                 .n = {40},
                 .kernel = {9},
                 .normalise = ARGAND_CONV_PER_CHANNEL,
                 .border = {BOTH(MIRROR)}}},
    {.options = {.type = ARGAND_R32,
                 .rank = 3,
                 .n = {12, 10, 2},
                 .kernel = {3, 5, 5},
                 .memory = 1 << 16,
                 .border = {BOTH(WRAP), BOTH(CLAMP), BOTH(MIRROR)}}},
    {.options = {.type = ARGAND_R32, .rank = 2, .n = {32, 24}, .kernel = {9, 7}, .method = ARGAND_CONV_FFT},
     .light = 1e7},
    {.options = {.type = ARGAND_R32, .rank = 2, .n = {32, 24}, .kernel = {9, 7}, .method = ARGAND_CONV_FFT},
     .light = NAN},
};

static void volumes(void **state)
{
    (void)state;
    run_problems(one_problem, problems, sizeof problems / sizeof *problems, sizeof *problems);
}

static void over_nccl(void **state)
{
    (void)state;
    if (!on_cuda() || !nccl_is_there()) skip();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        run_devices(one_problem, (void *)&problems[i]);
}

/* A failure of the last rank alone is known to all. */
static argand_status failures(argand_comm *comm, argand_device *own, void *context)
{
    const argand_conv_options o = {.type = ARGAND_R32, .rank = 2, .n = {6, 9}, .kernel = {3, 3}};
    const bool is_last = argand_comm_rank(comm) == argand_comm_size(comm) - 1;
    argand_conv_options valid = o;
    argand_dist_conv *conv, *none;
    argand_dist_conv_info info;
    argand_array *in, *out, *kernel;
    (void)context;
    valid.mode = is_last ? ARGAND_CONV_VALID : ARGAND_CONV_SAME;
    RANK_CHECK(argand_dist_conv_create(&none, comm, own, &valid) == ARGAND_UNSUPPORTED && !none,
               "mode valid");
    for (int i = 0; i < 4; i++) {
        argand_conv_options other = o;
        other.channels = 3;
        if (is_last && i == 0) other.kernel_channels = 3;
        if (is_last && i == 1) other.normalise = ARGAND_CONV_LUMINANCE;
        if (is_last && i == 2) other.luminance[1] = 1;
        if (is_last && i == 3) other.method = ARGAND_CONV_FFT;
        if (argand_comm_size(comm) == 1) break;
        RANK_CHECK(argand_dist_conv_create(&none, comm, own, &other) == ARGAND_ARGUMENT &&
                       strstr(argand_message(), "other options"),
                   "option %d: %s", i, argand_message());
    }
    TRY(argand_dist_conv_create(&conv, comm, own, &o));
    argand_dist_conv_describe(conv, &info);
    const int64_t dims[2] = {6, info.planes}, three[2] = {3, 3};
    TRY(argand_array_create(&in, own, ARGAND_R32, 2, dims));
    TRY(argand_array_create(&out, own, ARGAND_R32, 2, dims));
    TRY(argand_array_create(&kernel, own, ARGAND_R32, 2, three));
    RANK_CHECK(argand_dist_conv_apply(conv, out, in) == ARGAND_ARGUMENT, "without a kernel");
    TRY(fill(kernel, NAN));
    RANK_CHECK(argand_dist_conv_set_kernel(conv, kernel) == ARGAND_NUMERIC, "a kernel that is not finite");
    TRY(fill(kernel, 0));
    TRY(argand_dist_conv_set_kernel(conv, kernel));
    RANK_CHECK(argand_dist_conv_apply(conv, out, is_last ? kernel : in) == ARGAND_ARGUMENT, "another shape");
    TRY(argand_dist_conv_apply(conv, out, in));
    argand_array_destroy(kernel);
    argand_array_destroy(out);
    argand_array_destroy(in);
    argand_dist_conv_destroy(conv);
    return ARGAND_OK;
}

static argand_status whole_life(argand_comm *comm, argand_device *own, void *context)
{
    const argand_conv_options o = {.type = ARGAND_R32, .rank = 2, .n = {6, 8}, .kernel = {3, 5}};
    argand_array *const *a = context;
    argand_dist_conv *conv;
    TRY(argand_dist_conv_create(&conv, comm, own, &o));
    argand_status status = argand_dist_conv_set_kernel(conv, a[0]);
    if (!status) status = argand_dist_conv_apply(conv, a[2], a[1]);
    argand_dist_conv_destroy(conv);
    return status;
}

static argand_status allocations(argand_comm *comm, argand_device *own, void *context)
{
    const int64_t kernel[2] = {3, 5}, dims[2] = {6, 8 / argand_comm_size(comm)};
    argand_array *a[3];
    (void)context;
    for (int i = 0; i < 3; i++) {
        TRY(argand_array_create(&a[i], own, ARGAND_R32, 2, i ? dims : kernel));
        TRY(fill(a[i], 0));
    }
    const argand_status status = fail_allocations(comm, own, whole_life, a);
    for (int i = 0; i < 3; i++) argand_array_destroy(a[i]);
    return status;
}

static void failing(void **state)
{
    (void)state;
    run_failures(failures, allocations);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(volumes), cmocka_unit_test(over_nccl),
                                          cmocka_unit_test(failing), cmocka_unit_test(end_job)};
RUN_TESTS(tests)
