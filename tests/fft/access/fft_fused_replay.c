/* SPDX-License-Identifier: BSD-3-Clause */
/* Small calls with accessors, whose launches start at once where the device can (kernel_replay): long chains
 * of calls with other arrays, maps, scalars, parameters and the other direction each time, queued without a
 * pause, give the bits of the same chain with a wait after each and launches one by one; so do chains of
 * several threads by one plan at the same time, and by plans of devices, each with a stream of its own. */
#include "fused.h"

#include <pthread.h>

typedef struct kind {
    const char *name, *parameters; /* words: the tuning that the plan is made with (tuning.c) */
    bool spectrum;                 /* the map is there, not at load */
    bool slow;                     /* to compile by PoCL */
    argand_fft_options options;
} kind;

static const kind kinds[] = {
    {"one launch", "", false, false, {.type = ARGAND_C32, .rank = 1, .n = {1000}, .batch = 20}},
    {"a plane",
     "separate_axes 1 chunk_kib 0 max_points 4096",
     false,
     false,
     {.type = ARGAND_C32, .rank = 2, .n = {64, 48}, .batch = 3}},
    {"there and back",
     "separate_axes 1 chunk_kib 0 max_points 4096",
     true,
     false,
     {.type = ARGAND_C32, .rank = 2, .n = {64, 48}, .batch = 2}},
    {"a long line", "no_cluster 1 chunk_kib 0", false, true, {.type = ARGAND_C32, .rank = 1, .n = {65536}}},
    {"double", "", false, true, {.type = ARGAND_C64, .rank = 3, .n = {32, 30, 18}}},
    {"a large prime", "", false, true, {.type = ARGAND_C32, .rank = 1, .n = {10007}, .batch = 2}},
    {"clusters", "", false, true, {.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 7}},
    {"waves",
     "no_cluster 1 chunk_kib 512",
     false,
     true,
     {.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 20}}};
enum { KINDS = sizeof kinds / sizeof *kinds, MAPS = 2, PLAYERS = 3, KIB = 1 << 15 };

/* One chain of calls: its arrays, and the plan by which it goes. */
typedef struct player {
    const kind *k;
    argand_device *on;
    const argand_fft *plan;
    argand_array *ends[2], *map[MAPS];
    int number, steps;
    bool waits;
    argand_status status;
    char parameters[200]; /* what was said of it, as messages are each thread's own */
} player;

/* Of about one in the mean, so that chains neither grow nor vanish. */
static argand_array *random_on(const kind *k, argand_device *on, bool batch, uint64_t seed)
{
    argand_array *array;
    int64_t dims[ARGAND_MAX_RANK];
    layout_dims(dims, &k->options, &k->options.input);
    OK(argand_array_create(&array, on, k->options.type, k->options.rank + batch, dims));
    randomise(array, seed, -1.22, 1.22);
    return array;
}

static player new_player(const kind *k, argand_device *on, const argand_fft *plan, int number)
{
    const uint64_t seed = 10 * (uint64_t)number;
    player p = {.k = k, .on = on, .plan = plan, .number = number, .steps = is_cuda() ? 40 : 9};
    for (int i = 0; i < 2; i++) p.ends[i] = random_on(k, on, true, seed + (uint64_t)i);
    for (int i = 0; i < MAPS; i++) p.map[i] = random_on(k, on, false, seed + 2 + (uint64_t)i);
    return p;
}

static void free_player(player *p)
{
    for (int i = 0; i < 2; i++) argand_array_destroy(p->ends[i]);
    for (int i = 0; i < MAPS; i++) argand_array_destroy(p->map[i]);
}

/* Now and then it is as in the step before, and once the product of all scalars is real. */
static argand_fft_access access_at(const player *p, int step)
{
    const double angle = 0.1 * (step / 2) + p->number;
    argand_fft_access a = {0};
    argand_accessor *chain = p->k->spectrum ? a.spectrum : a.load;
    chain[0] = (argand_accessor){
        .kind = ARGAND_ACCESS_MULTIPLY, .conjugate = true, .array = p->map[step / 3 % MAPS]};
    a.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_CALL,
                                   .parameters = {angle, 1e-6 * (step % 4), 0},
                                   .source = own_text,
                                   .name = "own"};
    a.store[1] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.6, step % 5 ? 0.8 : 0}};
    return a;
}

static void *play(void *argument)
{
    player *p = argument;
    p->status = ARGAND_OK;
    for (int step = 0; step < p->steps && !p->status; step++) {
        const argand_fft_access now = access_at(p, step);
        p->status = argand_fft_apply_access(p->plan, p->ends[1 - step % 2], p->ends[step % 2],
                                            step % 3 == 2 ? ARGAND_INVERSE : ARGAND_FORWARD, &now);
        if (!p->status && p->waits) p->status = argand_device_wait(p->on);
    }
    if (p->status) snprintf(p->parameters, sizeof p->parameters, "%s", argand_message());
    return NULL;
}

static argand_fft *make_plan(const player *first, argand_device *on, int replay)
{
    argand_fft *plan;
    argand_fft_options options = first->k->options;
    char parameters[256];
    snprintf(parameters, sizeof parameters, "%s%sgraph_kib %d", first->k->parameters,
             *first->k->parameters ? " " : "", replay);
    setenv("ARGAND_FFT_TUNING", parameters, 1);
    options.scale = ARGAND_SCALE_UNITARY;
    options.access = access_at(first, 1);
    OK(argand_fft_create(&plan, on, &options));
    unsetenv("ARGAND_FFT_TUNING");
    check_engine(plan, "fused", "taken");
    return plan;
}

static size_t doubles_of(const kind *k)
{
    size_t count = 2 * (size_t)(k->options.batch ? k->options.batch : 1);
    for (int d = 0; d < k->options.rank; d++) count *= (size_t)k->options.n[d];
    return count;
}

/* Launches one by one, with a wait after each call. */
static double *expected_of(const kind *k, int number)
{
    player p = new_player(k, device, NULL, number);
    argand_fft *one_by_one = make_plan(&p, device, 0);
    p.plan = one_by_one;
    p.waits = true;
    play(&p);
    OK(p.status);
    double *numbers = as_doubles(p.ends[p.steps % 2]), largest = 0;
    for (size_t i = 0; i < doubles_of(k); i++) largest = fmax(largest, fabs(numbers[i]));
    assert_true(largest > 1e-12 && largest < 1e6); /* a chain of zeros would prove nothing */
    free_player(&p);
    argand_fft_destroy(one_by_one);
    return numbers;
}

static void check_player(const player *p, const char *when)
{
    double *expected = expected_of(p->k, p->number);
    if (p->status) fail_msg("%s, %s: %s", p->k->name, when, p->parameters);
    double *got = as_doubles(p->ends[p->steps % 2]);
    if (memcmp(got, expected, doubles_of(p->k) * sizeof *got))
        fail_msg("%s, %s: other bits than one by one", p->k->name, when);
    free(got);
    free(expected);
}

static bool is_wanted(const kind *k)
{
    return !is_host() && (is_cuda() || !k->slow) && in_part(k - kinds);
}

static void calls_bring_other_arrays_and_numbers(void **state)
{
    (void)state;
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        if (!is_wanted(k)) continue;
        for (int repeat = 0; repeat < 2; repeat++) {
            player p = new_player(k, device, NULL, repeat);
            argand_fft *plan = make_plan(&p, device, KIB);
            p.plan = plan;
            play(&p);
            check_player(&p, "without waits");
            free_player(&p);
            argand_fft_destroy(plan);
        }
    }
}

/* All by plans[i], which may be one. */
static void play_together(const kind *k, argand_device *const *on, argand_fft *const *plans, const char *when)
{
    player players[PLAYERS];
    pthread_t threads[PLAYERS];
    for (int i = 0; i < PLAYERS; i++) players[i] = new_player(k, on[i], plans[i], i);
    for (int i = 0; i < PLAYERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, play, &players[i]), 0);
    for (int i = 0; i < PLAYERS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < PLAYERS; i++) {
        check_player(&players[i], when);
        free_player(&players[i]);
    }
}

/* One transform: its arrays may lack the loop over the batch, and may have more of them. */
static void arrays_need_no_loop_of_one(void **state)
{
    (void)state;
    enum { DIMS = 4 };
    const kind k = {"one plane",
                    "separate_axes 1 chunk_kib 0 max_points 4096",
                    false,
                    false,
                    {.type = ARGAND_C32, .rank = 2, .n = {64, 48}, .batch = 1}};
    const int64_t dims[DIMS] = {64, 48, 1, 1};
    double *numbers[3];
    if (is_host()) return;
    player p = new_player(&k, device, NULL, 1);
    argand_fft *plan = make_plan(&p, device, KIB);
    const argand_fft_access now = access_at(&p, 2);
    for (int rank = 2; rank <= DIMS; rank++) {
        argand_array *in = new_array(ARGAND_C32, rank, dims), *out = new_array(ARGAND_C32, rank, dims);
        randomise(in, 4, -1, 1);
        OK(argand_fft_apply_access(plan, out, in, ARGAND_FORWARD, &now));
        numbers[rank - 2] = as_doubles(out);
        argand_array_destroy(in);
        argand_array_destroy(out);
    }
    for (int i = 0; i < 3; i++) assert_memory_equal(numbers[i], numbers[1], doubles_of(&k) * sizeof(double));
    for (int i = 0; i < 3; i++) free(numbers[i]);
    free_player(&p);
    argand_fft_destroy(plan);
}

static void threads_share_a_plan(void **state)
{
    (void)state;
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        if (!is_wanted(k)) continue;
        player first = new_player(k, device, NULL, 0);
        argand_fft *plan = make_plan(&first, device, KIB);
        play_together(k, (argand_device *[PLAYERS]){device, device, device},
                      (argand_fft *[PLAYERS]){plan, plan, plan}, "by one plan in several threads");
        free_player(&first);
        argand_fft_destroy(plan);
    }
}

static void streams_run_concurrently(void **state)
{
    (void)state;
    if (!is_cuda()) skip();
    argand_device *on[PLAYERS];
    for (int i = 0; i < PLAYERS; i++) OK(argand_device_open(&on[i], "cuda:0"));
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        if (!is_wanted(k)) continue;
        argand_fft *plans[PLAYERS];
        for (int i = 0; i < PLAYERS; i++) {
            player first = new_player(k, on[i], NULL, 0);
            plans[i] = make_plan(&first, on[i], KIB);
            free_player(&first);
        }
        play_together(k, on, plans, "by streams beside each other");
        for (int i = 0; i < PLAYERS; i++) argand_fft_destroy(plans[i]);
    }
    for (int i = 0; i < PLAYERS; i++) argand_device_close(on[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(calls_bring_other_arrays_and_numbers, set_up),
    cmocka_unit_test_setup(arrays_need_no_loop_of_one, set_up),
    cmocka_unit_test_setup(threads_share_a_plan, set_up),
    cmocka_unit_test_setup(streams_run_concurrently, set_up)};
RUN_TESTS(tests)
