/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions whose ranks share each volume: the image is that of a session of one rank, with the same bits on
 * all ranks, whatever is dealt (coils or shots), and a rank that fails makes all fail. */
#include "dist/spokes.h"

/* One case: a scan and the options of its session. */
typedef struct sense_case {
    const char *name;
    bool estimates, field, phases;
    argand_sense_options options;
    const char *regularizers;
    double limit; /* of the difference from one rank; 0: 1e-7 */
} sense_case;

static const sense_case cases[] = {
    {.name = "coils, until noise", .options = {DOUBLE, OFF}},
    {.name = "coils in single precision", .options = {OFF}, .limit = 2e-6},
    {.name = "coils, Toeplitz", .options = {DOUBLE, ON}},
    {.name = "coils, preconditioned", .options = {DOUBLE, .precondition = true, .tolerance = 1e-5}},
    {.name = "coils, exact DFT",
     .field = true,
     .options = {DOUBLE, OFF, .transform = ARGAND_TRANSFORM_DFT, .iterations = 8}},
    {.name = "coils, segments",
     .field = true,
     .options = {DOUBLE, OFF, .transform = ARGAND_TRANSFORM_SEGMENTED}},
    {.name = "coils, segments, Toeplitz",
     .field = true,
     .options = {DOUBLE, ON, .transform = ARGAND_TRANSFORM_SEGMENTED, .segment_tolerance = 1e-4}},
    {.name = "shots", .phases = true, .options = {DOUBLE, OFF, .phases = ARGAND_PHASES_MAPS}},
    {.name = "shots, Toeplitz", .phases = true, .options = {DOUBLE, ON, .phases = ARGAND_PHASES_MAPS}},
    {.name = "shots, exact DFT",
     .phases = true,
     .field = true,
     .options = {DOUBLE, OFF, .phases = ARGAND_PHASES_MAPS, .transform = ARGAND_TRANSFORM_DFT,
                 .iterations = 6}},
    {.name = "shots, preconditioned",
     .phases = true,
     .options = {DOUBLE, .precondition = true, .phases = ARGAND_PHASES_MAPS}},
    {.name = "estimated maps", .estimates = true, .options = {DOUBLE, OFF}},
    {.name = "sets", .estimates = true, .options = {DOUBLE, OFF, .sets = 2, .coils = ARGAND_COILS_ESPIRIT}},
    {.name = "virtual coils", .options = {DOUBLE, OFF, .compress = 3}},
    {.name = "partial Fourier", .options = {DOUBLE, OFF, .partial_fourier = 0.3, .iterations = 8}},
    {.name = "tv:auto", .options = {DOUBLE, OFF, .iterations = 10}, .regularizers = "tv:auto"},
    {.name = "wavelet, FISTA",
     .options = {DOUBLE, ON, .iterations = 10, .solver = ARGAND_SOLVER_FISTA},
     .regularizers = "wavelet:0.01"},
    {.name = "estimated phases",
     .phases = true,
     .options = {DOUBLE, OFF, .phases = ARGAND_PHASES_SHOTS, .iterations = 6}},
    {.name = "weighted adjoint", .options = {DOUBLE, .method = ARGAND_METHOD_ADJOINT}},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct shared_scan {
    const sense_case *kind;
    const made_scan *made;
    double *one; /* image of one rank */
    argand_outcome stop;
    int ranks; /* asked for; 0: all */
} shared_scan;

static argand_sense_options options_of(const sense_case *c, argand_regularizer *list, int *count)
{
    argand_sense_options o = c->options;
    *count = 0;
    if (c->regularizers) OK(argand_regularizers_parse(c->regularizers, list, count));
    o.regularizers = list;
    o.regularizer_count = *count;
    return o;
}

static argand_status image_of(argand_sense *session, argand_device *own, int volume, double *numbers)
{
    argand_array *image;
    const argand_type type = ARGAND_C64;
    argand_status status = argand_array_create(&image, own, type, 3, (int64_t[]){SX, SY, 1});
    if (!status) status = argand_sense_run(session, volume, image, NULL, NULL);
    if (status == ARGAND_ARGUMENT) { /* a session in single precision */
        argand_array *single;
        float *floats = (float *)(void *)numbers;
        TRY(argand_array_create(&single, own, ARGAND_C32, 3, (int64_t[]){SX, SY, 1}));
        status = argand_sense_run(session, volume, single, NULL, NULL);
        if (!status) status = argand_array_download(single, numbers);
        for (int i = 2 * PIXEL_COUNT; i-- > 0 && !status;) {
            const float value = floats[i];
            numbers[i] = (double)value;
        }
        argand_array_destroy(single);
    } else if (!status) {
        status = argand_array_download(image, numbers);
    }
    argand_array_destroy(image);
    return status;
}

static argand_status as_one_rank(argand_comm *comm, argand_device *own, void *context)
{
    const shared_scan *t = context;
    argand_regularizer list[ARGAND_MAX_REGULARIZERS];
    int count;
    argand_sense_options o = options_of(t->kind, list, &count);
    argand_sense *session;
    argand_sense_info info;
    double numbers[2 * PIXEL_COUNT];
    o.comm = comm;
    o.ranks = t->ranks ? t->ranks : argand_comm_size(comm);
    TRY(argand_sense_create(&session, own, &t->made->scan, &o));
    TRY(image_of(session, own, 0, numbers));
    const double error = relative_error(numbers, t->one, 2 * PIXEL_COUNT);
    RANK_CHECK(error < (t->kind->limit > 0 ? t->kind->limit : 1e-7), "%s: error %.3g", t->kind->name, error);
    TRY(same_bits(comm, numbers, sizeof numbers));
    argand_sense_describe(session, &info);
    RANK_CHECK(info.ranks == o.ranks && info.by_shots == (t->kind->phases && !o.precondition && o.ranks > 1),
               "%s: %d ranks share %s", t->kind->name, info.ranks, info.by_shots ? "shots" : "coils");
    RANK_CHECK(argand_comm_rank(comm) >= o.ranks || info.iteration == t->stop.iteration,
               "%s: iteration %d instead of %d", t->kind->name, info.iteration, t->stop.iteration);
    /* again, with everything that is kept; and queries, which rank 0 alone may make now */
    TRY(image_of(session, own, 0, numbers));
    if (argand_comm_rank(comm) == 0 && t->kind->options.method == ARGAND_METHOD_SOLVE) {
        argand_array *maps;
        TRY(argand_sense_coil_maps(session, 0, &maps));
        argand_array_destroy(maps);
    }
    argand_sense_destroy(session);
    return ARGAND_OK;
}

/* The image of one rank, whose sessions other tests compare with the truth. */
static shared_scan make_shared(const sense_case *c)
{
    shared_scan t = {.kind = c, .made = make_scan(!c->estimates, c->field, c->phases, 1)};
    argand_regularizer list[ARGAND_MAX_REGULARIZERS];
    int count;
    const argand_sense_options o = options_of(c, list, &count);
    argand_sense *session;
    argand_sense_info info;
    t.one = calloc(2 * PIXEL_COUNT, sizeof *t.one);
    OK(argand_sense_create(&session, device, &t.made->scan, &o));
    OK(image_of(session, device, 0, t.one));
    argand_sense_describe(session, &info);
    t.stop.iteration = info.iteration;
    assert_int_equal(info.ranks, 1);
    argand_sense_destroy(session);
    return t;
}

static void free_shared(shared_scan *t)
{
    free(t->one);
    free_scan((made_scan *)(uintptr_t)t->made);
}

/* A sample in the first tier. Processes cannot draw the same one; they take a few, and so do devices. */
static bool takes(int i, int of)
{
    return is_mpi_job() || !on_cpu() ? i % 5 == 2 : in_sample(i, of);
}

static void every_case(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        if (!takes(i, 4)) continue;
        shared_scan t = make_shared(&cases[i]);
        run_ranks(3, as_one_rank, &t);
        free_shared(&t);
    }
}

/* More ranks than coils or shots; ranks that are left over. */
static void numbers_of_ranks(void **state)
{
    (void)state;
    static const int chosen[] = {0, 2, 7, 8, 13}, counts[] = {1, 2, 4, 7};
    if (is_mpi_job() || !on_cpu()) return;
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        if (!takes(100 + chosen[i], 3)) continue;
        shared_scan t = make_shared(&cases[chosen[i]]);
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) run_ranks(counts[n], as_one_rank, &t);
        for (t.ranks = 1; t.ranks < 3; t.ranks++) run_ranks(3, as_one_rank, &t);
        free_shared(&t);
    }
}

/* Each allocation of creation and run fails once, on whichever rank it is: all ranks say the same. */
static argand_status allocations(argand_comm *comm, argand_device *own, void *context)
{
    const shared_scan *t = context;
    argand_sense_options o = t->kind->options;
    o.comm = comm;
    o.ranks = argand_comm_size(comm);
    const long part = is_mpi_job() ? 1 : is_first_tier() ? 2 : 5;
    argand_array *image; /* made before, as ranks do not agree about memory of the caller's */
    TRY(argand_array_create(&image, own, ARGAND_C64, 3, (int64_t[]){SX, SY, 1}));
    for (long n = 1; n < 2500; n += 1 + n / part) {
        argand_sense *session;
        TRY(argand_comm_barrier(comm));
        if (argand_comm_rank(comm) == 0) argand_test_fail_allocation(n);
        if (!is_mpi_job()) TRY(argand_comm_barrier(comm));
        argand_status status = argand_sense_create(&session, own, &t->made->scan, &o);
        if (!status) status = argand_sense_run(session, 0, image, NULL, NULL);
        argand_test_fail_allocation(0);
        RANK_CHECK(!status || status == ARGAND_MEMORY, "allocation %ld: %s", n, argand_message());
        TRY(same_bits(comm, &status, sizeof status));
        argand_sense_destroy(session);
    }
    argand_array_destroy(image);
    return ARGAND_OK;
}

static void allocations_that_fail(void **state)
{
    (void)state;
    static const int chosen[] = {2, 7};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen && on_cpu() && !(i && is_mpi_job()); i++) {
        shared_scan t = make_shared(&cases[chosen[i]]);
        run_ranks(3, allocations, &t);
        free_shared(&t);
    }
}

/* Two repetitions and another scan: models, phases and spectra are kept or made anew as with one rank. */
static argand_status volumes(argand_comm *comm, argand_device *own, void *context)
{
    const shared_scan *t = context;
    argand_sense_options o = t->kind->options;
    argand_sense *one, *session;
    TRY(argand_sense_create(&one, own, &t->made->scan, &o));
    o.comm = comm;
    o.ranks = argand_comm_size(comm);
    TRY(argand_sense_create(&session, own, &t->made->scan, &o));
    for (int v = 3; v-- > 0;) {
        double numbers[2 * PIXEL_COUNT], expected[2 * PIXEL_COUNT];
        if (v == 0 && o.phases == ARGAND_PHASES_NONE) {
            TRY(argand_sense_continue(one, &t->made->scan));
            TRY(argand_sense_continue(session, &t->made->scan));
        }
        TRY(image_of(one, own, v % 2, expected));
        TRY(image_of(session, own, v % 2, numbers));
        const double error = relative_error(numbers, expected, 2 * PIXEL_COUNT);
        RANK_CHECK(error < 1e-7, "%s, run %d: error %.3g", t->kind->name, v, error);
        TRY(same_bits(comm, numbers, sizeof numbers));
    }
    argand_sense_destroy(session);
    argand_sense_destroy(one);
    return ARGAND_OK;
}

static void several_volumes(void **state)
{
    (void)state;
    static const int chosen[] = {7, 0, 11};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        if (is_mpi_job() ? i > 0 : !takes(200 + (int)i, 2)) continue;
        const sense_case *c = &cases[chosen[i]];
        shared_scan t = {.kind = c, .made = make_scan(!c->estimates, c->field, c->phases, 2)};
        run_ranks(3, volumes, &t);
        free_shared(&t);
    }
}

static argand_status refusals(argand_comm *comm, argand_device *own, void *context)
{
    const shared_scan *t = context;
    const int size = argand_comm_size(comm), rank = argand_comm_rank(comm);
    argand_sense *session;
    argand_sense_options o = {.comm = comm, .ranks = size + 1};
    argand_status status = argand_sense_create(&session, own, &t->made->scan, &o);
    RANK_CHECK(status == ARGAND_ARGUMENT && strstr(argand_message(), "options.ranks"), "%s",
               argand_message());
    o.ranks = size;
    o.method = ARGAND_METHOD_ADJOINT_RSS;
    status = argand_sense_create(&session, own, &t->made->scan, &o);
    RANK_CHECK(status == ARGAND_UNSUPPORTED && strstr(argand_message(), "root of the sum of squares"), "%s",
               argand_message());
    /* wrong on one rank only */
    o = (argand_sense_options){.comm = comm, .iterations = rank == size - 1 ? -1 : 1};
    status = argand_sense_create(&session, own, &t->made->scan, &o);
    RANK_CHECK(status == ARGAND_ARGUMENT && strstr(argand_message(), "-1 iterations"), "%s",
               argand_message());
    RANK_CHECK(!session, "a session is left");
    return ARGAND_OK;
}

static void refused(void **state)
{
    (void)state;
    shared_scan t = make_shared(&cases[0]);
    run_ranks(3, refusals, &t);
    free_shared(&t);
}

/* A volume of a few pixels is not worth an exchange; one that takes 10 ms for an iteration is. GPUs are
 * faster than that here. */
static argand_status predicted(argand_comm *comm, argand_device *own, void *context)
{
    const shared_scan *t = context;
    argand_sense *session;
    argand_sense_split split;
    argand_sense_options o = {.comm = comm};
    TRY(argand_sense_create(&session, own, &t->made->scan, &o));
    argand_sense_info info;
    argand_sense_describe(session, &info);
    RANK_CHECK(info.ranks == 1, "%d ranks for %d pixels", info.ranks, PIXEL_COUNT);
    RANK_CHECK(strstr(argand_sense_notes(session), "One of"), "%s", argand_sense_notes(session));
    TRY(argand_sense_split_ranks(session, comm, &split));
    RANK_CHECK(split.ranks == 1 && split.seconds == split.one && split.one > 0, "%d ranks", split.ranks);
    const bool last = argand_comm_rank(comm) == argand_comm_size(comm) - 1; /* wrong on one rank only */
    const argand_status without = argand_sense_split_ranks(last ? NULL : session, comm, &split);
    RANK_CHECK(without == ARGAND_ARGUMENT, "without a session: %s", argand_message());
    double numbers[2 * PIXEL_COUNT];
    TRY(image_of(session, own, 0, numbers));
    TRY(same_bits(comm, numbers, sizeof numbers));
    argand_sense_destroy(session);
    o = (argand_sense_options){.matrix = {512, 512, 1}, .transform = ARGAND_TRANSFORM_DFT};
    TRY(argand_sense_create(&session, own, &t->made->scan, &o));
    TRY(argand_sense_split_ranks(session, comm, &split));
    const bool is_long = split.one > 0.01;
    RANK_CHECK(on_cpu() ? is_long : split.one > 0, "%g s", split.one);
    RANK_CHECK(split.ranks == (is_long ? argand_comm_size(comm) : 1) && !split.shots, "%d ranks",
               split.ranks);
    RANK_CHECK(split.seconds <= (is_long ? 0.7 : 1) * split.one, "%g s, alone %g s", split.seconds,
               split.one);
    argand_sense_destroy(session);
    return ARGAND_OK;
}

static void prediction(void **state)
{
    (void)state;
    shared_scan t = make_shared(&cases[11]);
    run_ranks(3, predicted, &t);
    free_shared(&t);
}

/* Rank 0 has host memory, and the others have not. Their rounding differs, but not the bits of the image. */
static argand_status mixed_devices(argand_comm *comm, argand_device *own, void *context)
{
    argand_device *host;
    TRY(argand_device_open(&host, "cpu"));
    const argand_status status = as_one_rank(comm, argand_comm_rank(comm) ? own : host, context);
    argand_device_close(host);
    return status;
}

static void mixed(void **state)
{
    (void)state;
    static const int chosen[] = {1, 4};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen && !on_cpu(); i++) {
        shared_scan t = make_shared(&cases[chosen[i]]);
        for (t.ranks = 2; t.ranks < 4; t.ranks++) run_ranks(3, mixed_devices, &t);
        free_shared(&t);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(every_case),
                                          cmocka_unit_test(numbers_of_ranks),
                                          cmocka_unit_test(allocations_that_fail),
                                          cmocka_unit_test(several_volumes),
                                          cmocka_unit_test(refused),
                                          cmocka_unit_test(prediction),
                                          cmocka_unit_test(mixed),
                                          cmocka_unit_test(end_job)};
RUN_TESTS(tests)
