/* SPDX-License-Identifier: BSD-3-Clause */
/* What must not change a single bit of a result: the batch's size, the number of threads, other plans and
 * other threads at work meanwhile, the layouts that a plan saw before, an execution that failed for want of
 * memory. And executions do not allocate. */
#include "candidates.h"
#include <pthread.h>

/* One of every way in which engines go: short, long, prime, split lines; several axes; real ones; an order of
 * their own; accessors: a scalar and a map. */
typedef struct kind {
    const char *name;
    argand_type type;
    int rank;
    int64_t n[3];
    bool centred, on_devices, scrambled, accessors;
} kind;

static const kind kinds[] = {
    {"short", ARGAND_C32, 1, {60}, false, true, false, false},
    {"power of two", ARGAND_C64, 1, {1024}, true, false, false, false},
    {"odd", ARGAND_C32, 1, {1001}, false, false, false, false},
    {"prime", ARGAND_C32, 1, {509}, true, true, false, false},
    {"large prime", ARGAND_C64, 1, {4099}, false, false, false, false},
    {"long", ARGAND_C32, 1, {65536}, false, true, false, false},
    {"plane", ARGAND_C32, 2, {96, 80}, true, true, false, false},
    {"volume", ARGAND_C64, 3, {24, 31, 18}, false, false, false, false},
    {"real", ARGAND_R32, 1, {1000}, false, true, false, false},
    {"scrambled", ARGAND_C32, 1, {131072}, true, false, true, false},
    {"accessors", ARGAND_C32, 2, {96, 100}, true, false, false, true},
    {"accessors of a volume", ARGAND_C64, 3, {20, 31, 72}, false, false, false, true},
    {"real plane", ARGAND_R64, 2, {63, 40}, false, false, false, false}};
enum { KINDS = sizeof kinds / sizeof *kinds, BATCH = 21 };

static bool is_real(const kind *k)
{
    return k->type < ARGAND_C32;
}

static bool is_wanted(const kind *k)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable || k->on_devices || getenv("ARGAND_TEST_ALL");
}

static int way; /* 0: the planner's choice, else one of the candidates */

static argand_fft *make_plan(const kind *k, int64_t batch)
{
    argand_fft *plan;
    argand_fft_options options = {.type = k->type, .rank = k->rank, .batch = batch, .centred = k->centred};
    argand_array *map = NULL;
    memcpy(options.n, k->n, sizeof k->n);
    if (k->scrambled) options.spectrum_order = ARGAND_ORDER_SCRAMBLED;
    if (k->accessors) {
        OK(argand_array_create(&map, device, k->type, k->rank, k->n));
        randomise(map, 9, -0.5, 0.5);
        options.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.25, -0.5}};
        options.access.load[1] = options.access.store[0] =
            (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map};
    }
    OK(argand_fft_create(&plan, device, &options));
    argand_array_destroy(map);
    if (way && !k->accessors) (void)take_candidate(plan, way % plan->candidates.count);
    return plan;
}

/* Its input or output, of `batch` transforms. */
static argand_array *make_array(const kind *k, bool output, int64_t batch)
{
    argand_array *array;
    const argand_type complex_type = k->type == ARGAND_R64 || k->type == ARGAND_C64 ? ARGAND_C64 : ARGAND_C32;
    int64_t dims[4] = {is_real(k) && output ? k->n[0] / 2 + 1 : k->n[0]};
    for (int d = 1; d < k->rank; d++) dims[d] = k->n[d];
    dims[k->rank] = batch;
    OK(argand_array_create(&array, device, output ? complex_type : k->type, k->rank + 1, dims));
    return array;
}

static size_t doubles_in(const argand_array *array)
{
    return (size_t)argand_array_count(array) * (argand_array_type(array) >= ARGAND_C32 ? 2 : 1);
}

static void check_same(const double *a, const double *b, size_t count, const kind *k, const char *what)
{
    if (!memcmp(a, b, count * sizeof *a)) return;
    fail_msg("%s: other bits for %s (they differ by %g)", k->name, what, relative_error(a, b, count));
}

/* FFTW computes a block of lines at a time and what remains of a batch in other ways: other bits are possible
 * there. Ours must not differ. */
static bool is_known(const argand_fft *plan)
{
    char name[300];
    argand_fft_print(plan, name, sizeof name);
    return strstr(name, "(fftw ") || strstr(name, "(cufft ");
}

/* The radices of kernels' passes: "by 16 16", and where each pass ends. Tiles of another size do the same
 * arithmetic. */
static void keep_radices(char *name)
{
    char *to = name;
    bool kept = false;
    for (const char *at = name; *at; at++) {
        if (!strncmp(at, " by ", 4)) kept = true;
        if (!strncmp(at, " threads", 8)) kept = false;
        if (kept || *at == ')') *to++ = *at;
    }
    *to = 0;
}

/* Another number of lines may be done another way, which the plans then say. */
static bool go_the_same_way(const argand_fft *a, const argand_fft *b)
{
    char names[2][600];
    argand_fft_print(a, names[0], sizeof names[0]);
    argand_fft_print(b, names[1], sizeof names[1]);
    static const char *const engines[] = {"(passes", "(accessors", "(native"};
    for (int i = 0; i < 3; i++) {
        char *first = strstr(names[0], engines[i]), *second = strstr(names[1], engines[i]);
        if (!first || !second) continue;
        if (i == 2) keep_radices(first), keep_radices(second);
        return strcmp(first, second) == 0;
    }
    return true;
}

/* Each transform of a batch alone; and the first few of it. */
static void batches_of_other_sizes(void **state)
{
    (void)state;
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        if (!is_wanted(k)) continue;
        argand_array *in = make_array(k, false, BATCH), *out = make_array(k, true, BATCH), *in_part,
                     *out_part;
        argand_fft *all = make_plan(k, BATCH);
        randomise(in, 3, -0.5, 0.5);
        OK(argand_fft_apply(all, out, in, ARGAND_FORWARD));
        double *whole = as_doubles(out);
        const size_t each = doubles_in(out) / BATCH;
        for (int64_t size = 1, first = 0; first + size <= BATCH; first += size, size = size % 9 + 1) {
            argand_fft *few = make_plan(k, size);
            argand_array *result = make_array(k, true, size);
            OK(argand_array_part(&in_part, in, k->rank, first, size));
            OK(argand_array_part(&out_part, result, k->rank, 0, size));
            OK(argand_fft_apply(few, out_part, in_part, ARGAND_FORWARD));
            double *part = as_doubles(result);
            if (!is_known(few) && go_the_same_way(all, few))
                check_same(part, whole + (size_t)first * each, (size_t)size * each, k, "a smaller batch");
            else if (memcmp(part, whole + (size_t)first * each, (size_t)size * each * sizeof *part))
                printf("known: %s: other bits in a batch of %d, another way or FFTW\n", k->name, (int)size);
            free(part);
            argand_array_destroy(in_part);
            argand_array_destroy(out_part);
            argand_array_destroy(result);
            argand_fft_destroy(few);
        }
        free(whole);
        argand_array_destroy(in);
        argand_array_destroy(out);
        argand_fft_destroy(all);
    }
}

/* Forward, or for real plans back as well, as numbers. */
static double *results(const argand_fft *plan, const kind *k, const argand_array *in, argand_array *out,
                       argand_array *back)
{
    OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
    if (!is_real(k)) return as_doubles(out);
    OK(argand_fft_apply(plan, back, out, ARGAND_INVERSE));
    return as_doubles(back);
}

static void numbers_of_threads(void **state)
{
    (void)state;
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        if (!is_wanted(k)) continue;
        argand_array *in = make_array(k, false, 3), *out = make_array(k, true, 3),
                     *back = make_array(k, false, 3);
        argand_fft *plan = make_plan(k, 3);
        randomise(in, 4, -0.5, 0.5);
        OK(argand_device_set_threads(device, 1));
        double *one = results(plan, k, in, out, back);
        const size_t count = doubles_in(is_real(k) ? back : out);
        for (int threads = 2; threads <= 7; threads += 5) {
            OK(argand_device_set_threads(device, threads));
            argand_fft *other = make_plan(k, 3);
            double *many = results(plan, k, in, out, back), *planned = results(other, k, in, out, back);
            check_same(many, one, count, k, "more threads");
            check_same(planned, one, count, k, "a plan made with more threads");
            free(many);
            free(planned);
            argand_fft_destroy(other);
        }
        OK(argand_device_set_threads(device, 0));
        free(one);
        argand_array_destroy(in);
        argand_array_destroy(out);
        argand_array_destroy(back);
        argand_fft_destroy(plan);
    }
}

/* A plan without axes takes every layout, alternately, in and out of place. */
static void other_layouts_in_between(void **state)
{
    (void)state;
    const int64_t dims[3] = {48, 30, 1};
    const kind k = {.name = "layouts", .type = ARGAND_C32, .rank = 2, .n = {48, 30}, .on_devices = true};
    argand_array *in = make_array(&k, false, 1), *out = make_array(&k, true, 1), *wide, *transposed, *spread;
    argand_fft *plan = make_plan(&k, 1);
    OK(argand_array_create(&wide, device, ARGAND_C32, 1, (int64_t[]){100 * 60}));
    OK(argand_array_view(&transposed, wide, 3, dims, (int64_t[]){31, 1, 1}, 5));
    OK(argand_array_view(&spread, wide, 3, dims, (int64_t[]){2, 100, 1}, 0));
    randomise(in, 5, -0.5, 0.5);
    OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
    double *first = as_doubles(out);
    for (int round = 0; round < 3; round++) {
        argand_array *view = round % 2 ? spread : transposed;
        OK(argand_array_copy(view, in));
        OK(argand_fft_apply(plan, view, view, round == 2 ? ARGAND_INVERSE : ARGAND_FORWARD));
        OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
        double *again = as_doubles(out);
        check_same(again, first, doubles_in(out), &k, "an execution after one with another layout");
        free(again);
    }
    free(first);
    argand_array *const arrays[] = {transposed, spread, wide, in, out};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    argand_fft_destroy(plan);
}

/* ---- memory ---- */

static bool computes_elsewhere(const argand_fft *plan)
{
    char name[300];
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    argand_fft_print(plan, name, sizeof name);
    return !info.host_addressable && strstr(name, "on cpu");
}

/* After a first execution, which may make scratch memory that stays. */
static void executions_do_not_allocate(void **state)
{
    (void)state;
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        if (!is_wanted(k)) continue;
        argand_array *in = make_array(k, false, 4), *out = make_array(k, true, 4),
                     *back = make_array(k, false, 4);
        argand_fft *plan = make_plan(k, 4);
        if (computes_elsewhere(plan)) {
            printf("%s: no engine on this device: skipped\n", k->name);
        } else {
            randomise(in, 6, -0.5, 0.5);
            free(results(plan, k, in, out, back));
            argand_test_fail_allocation(1);
            const argand_status forward = argand_fft_apply(plan, out, in, ARGAND_FORWARD);
            const argand_status inverse =
                argand_fft_apply(plan, is_real(k) ? back : out, out, ARGAND_INVERSE);
            argand_test_fail_allocation(0);
            if (forward || inverse) fail_msg("%s: an execution allocates: %s", k->name, argand_message());
        }
        argand_array_destroy(in);
        argand_array_destroy(out);
        argand_array_destroy(back);
        argand_fft_destroy(plan);
    }
}

/* Each allocation of a first execution fails once; the next execution is right. */
static void after_a_failed_allocation(void **state)
{
    (void)state;
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        if (!is_wanted(k)) continue;
        argand_array *in = make_array(k, false, 4), *out = make_array(k, true, 4),
                     *back = make_array(k, false, 4);
        argand_fft *first = make_plan(k, 4);
        randomise(in, 7, -0.5, 0.5);
        double *wanted = results(first, k, in, out, back);
        const size_t count = doubles_in(is_real(k) ? back : out);
        argand_fft_destroy(first);
        for (long n = 1; n < 40; n++) {
            argand_fft *plan = make_plan(k, 4);
            argand_test_fail_allocation(n);
            const argand_status status = argand_fft_apply(plan, out, in, ARGAND_FORWARD);
            argand_test_fail_allocation(0);
            if (status) assert_int_equal(status, ARGAND_MEMORY);
            double *now = results(plan, k, in, out, back);
            check_same(now, wanted, count, k, "an execution after a failed allocation");
            free(now);
            argand_fft_destroy(plan);
            if (!status) break;
        }
        free(wanted);
        argand_array_destroy(in);
        argand_array_destroy(out);
        argand_array_destroy(back);
    }
}

/* ---- several threads ---- */

typedef struct job {
    const kind *k;
    const argand_fft *plan;
    argand_array *in, *out, *back;
    argand_status status;
} job;

/* The same plan as others at the same time, and between its executions plans are made and destroyed. */
static void *work(void *argument)
{
    job *j = argument;
    for (int i = 0; i < 6 && !j->status; i++) {
        j->status = argand_fft_apply(j->plan, j->out, j->in, ARGAND_FORWARD);
        if (!j->status && is_real(j->k))
            j->status = argand_fft_apply(j->plan, j->back, j->out, ARGAND_INVERSE);
        argand_fft *other = NULL;
        argand_fft_options options = {.type = ARGAND_C32, .rank = 1, .n = {i % 2 ? 60 : 509}};
        if (!j->status) j->status = argand_fft_create(&other, device, &options);
        argand_fft_destroy(other);
    }
    return NULL;
}

static void several_threads(void **state)
{
    (void)state;
    enum { JOBS = 4 };
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        if (!is_wanted(k)) continue;
        argand_fft *plan = make_plan(k, 2);
        argand_array *in = make_array(k, false, 2), *out = make_array(k, true, 2),
                     *back = make_array(k, false, 2);
        job jobs[JOBS];
        pthread_t threads[JOBS];
        randomise(in, 8, -0.5, 0.5);
        double *wanted = results(plan, k, in, out, back);
        for (int i = 0; i < JOBS; i++) {
            jobs[i] = (job){k, plan, in, make_array(k, true, 2), make_array(k, false, 2), ARGAND_OK};
            assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
        }
        for (int i = 0; i < JOBS; i++) {
            argand_array *result = is_real(k) ? jobs[i].back : jobs[i].out;
            pthread_join(threads[i], NULL);
            if (jobs[i].status) fail_msg("%s: %s", k->name, argand_status_name(jobs[i].status));
            double *got = as_doubles(result);
            check_same(got, wanted, doubles_in(result), k, "other threads at work");
            free(got);
            argand_array_destroy(jobs[i].out);
            argand_array_destroy(jobs[i].back);
        }
        free(wanted);
        argand_array_destroy(in);
        argand_array_destroy(out);
        argand_array_destroy(back);
        argand_fft_destroy(plan);
    }
}

static int take_another_way(void **state)
{
    (void)state;
    way++;
    return 0;
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(batches_of_other_sizes),
                                          cmocka_unit_test(numbers_of_threads),
                                          cmocka_unit_test(other_layouts_in_between),
                                          cmocka_unit_test(executions_do_not_allocate),
                                          cmocka_unit_test(after_a_failed_allocation),
                                          cmocka_unit_test(several_threads),
                                          cmocka_unit_test_setup(batches_of_other_sizes, take_another_way),
                                          cmocka_unit_test(numbers_of_threads),
                                          cmocka_unit_test(other_layouts_in_between),
                                          cmocka_unit_test(executions_do_not_allocate),
                                          cmocka_unit_test(after_a_failed_allocation),
                                          cmocka_unit_test(several_threads),
                                          cmocka_unit_test_setup(batches_of_other_sizes, take_another_way),
                                          cmocka_unit_test(numbers_of_threads),
                                          cmocka_unit_test(other_layouts_in_between),
                                          cmocka_unit_test(executions_do_not_allocate),
                                          cmocka_unit_test(after_a_failed_allocation),
                                          cmocka_unit_test(several_threads)};
RUN_TESTS(tests)
