/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads at once, each with a device handle, arrays and plans of its own: what they make is, to the bit,
 * what one makes alone. Plans are made while the other thread makes or runs its own, so that what handles
 * share (kernels, wisdom, tables) is made and used at the same time. */
#include <pthread.h>
#include "harness.h"

enum { THREADS = 2, ROUNDS = 4, KINDS = 6 };

static const char *named;

typedef struct job {
    int first;                   /* kind to begin with */
    unsigned char *bytes[KINDS]; /* results */
    size_t size[KINDS];
    char wrong[400]; /* "": nothing */
} job;

static const argand_fft_options kinds[KINDS] = {
    {.type = ARGAND_C32, .rank = 1, .n = {240}, .batch = 50},
    {.type = ARGAND_C32, .rank = 2, .n = {64, 45}, .batch = 3, .centred = true},
    {.type = ARGAND_R32, .rank = 2, .n = {60, 32}, .batch = 2},
    {.type = ARGAND_C32, .rank = 1, .n = {1009}, .batch = 4},
    {.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 2},
    {.type = ARGAND_C32, .rank = 2, .n = {32, 48}, .batch = 2, .input = {.window = {{20, 3}, {30, -4}}}},
};

static argand_status make_arrays(argand_device *own, const argand_fft_options *o, argand_array **in,
                                 argand_array **out)
{
    const bool real = o->type < ARGAND_C32;
    int64_t dims[3] = {0, 1, 1}, half[3];
    for (int d = 0; d < o->rank; d++) dims[d] = o->input.window[d].count ? o->input.window[d].count : o->n[d];
    dims[o->rank] = o->batch;
    for (int d = 0; d < 3; d++) half[d] = d < o->rank ? o->n[d] : dims[d];
    if (real) half[0] = o->n[0] / 2 + 1;
    const argand_status status = argand_array_create(in, own, o->type, o->rank + 1, dims);
    return status ? status : argand_array_create(out, own, ARGAND_C32, o->rank + 1, half);
}

static argand_status upload_random(argand_array *a, uint64_t seed)
{
    const size_t count = (size_t)argand_array_count(a) * (argand_array_type(a) == ARGAND_C32 ? 2 : 1);
    float *x = malloc(count * sizeof *x);
    random_state r = {seed};
    for (size_t i = 0; i < count; i++) x[i] = (float)(random_uniform(&r) - 0.5);
    const argand_status status = argand_array_upload(a, x);
    free(x);
    return status;
}

/* One kind: some executions, the last one's bytes kept. */
static argand_status run_kind(job *j, argand_device *own, int kind)
{
    argand_array *in = NULL, *out = NULL;
    argand_fft *plan = NULL;
    argand_status status = make_arrays(own, &kinds[kind], &in, &out);
    if (!status) status = upload_random(in, (uint64_t)kind + 1);
    if (!status) status = argand_fft_create(&plan, own, &kinds[kind]);
    for (int round = 0; round < ROUNDS && !status; round++)
        status = argand_fft_apply(plan, out, in, ARGAND_FORWARD);
    j->size[kind] = out ? (size_t)argand_array_count(out) * argand_type_size(ARGAND_C32) : 0;
    if (!j->bytes[kind]) j->bytes[kind] = malloc(j->size[kind]);
    if (!status) status = argand_array_download(out, j->bytes[kind]);
    argand_fft_destroy(plan);
    argand_array_destroy(in);
    argand_array_destroy(out);
    return status;
}

static void *run(void *argument)
{
    job *j = argument;
    argand_device *own = NULL;
    argand_status status = argand_device_open(&own, named);
    for (int i = 0; i < KINDS && !status; i++) status = run_kind(j, own, (j->first + i) % KINDS);
    if (status) snprintf(j->wrong, sizeof j->wrong, "%s", argand_message());
    argand_device_close(own);
    return NULL;
}

static void free_job(job *j)
{
    for (int i = 0; i < KINDS; i++) free(j->bytes[i]);
}

/* Beginning with the same kind, and with different ones. */
static void as_one_alone(void **state)
{
    (void)state;
    job alone = {0};
    for (int apart = 0; apart < KINDS; apart += KINDS / 2) {
        job jobs[THREADS] = {{.first = 0}, {.first = apart}};
        pthread_t threads[THREADS];
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, run, &jobs[t]), 0);
        for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_join(threads[t], NULL), 0);
        if (!alone.bytes[0]) run(&alone); /* last, so that the threads find nothing made */
        if (alone.wrong[0]) fail_msg("alone: %s", alone.wrong);
        for (int t = 0; t < THREADS; t++) {
            if (jobs[t].wrong[0]) fail_msg("thread %d: %s", t, jobs[t].wrong);
            for (int i = 0; i < KINDS; i++)
                assert_memory_equal(jobs[t].bytes[i], alone.bytes[i], alone.size[i]);
            free_job(&jobs[t]);
        }
    }
    free_job(&alone);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(as_one_alone)};
static RUN_TESTS_AS(all_tests, tests)

    int main(int argc, char **argv)
{
    named = argc > 1 ? argv[1] : "cpu";
    return all_tests(argc, argv);
}
