/* SPDX-License-Identifier: BSD-3-Clause */
/* Executions captured into a CUDA graph, in the strictest mode, so that whatever allocates, waits or copies
 * from the host spoils the capture; then the graph is replayed on other numbers. For every way to compute and
 * every kind of transform. */
#include "candidates.h"

#include <dlfcn.h>
#include "../../cli/cuda_peer.h"

typedef struct graphs {
    int (*begin)(void *stream, int mode);
    int (*end)(void *stream, void **graph);
    int (*instantiate)(void **executable, void *graph, unsigned long long flags);
    int (*launch)(void *executable, void *stream);
    int (*destroy_executable)(void *executable);
    int (*destroy)(void *graph);
} graphs;

static graphs g;
static cuda_peer *cuda;
static argand_device *streamed; /* the same chip, with our stream */

static bool find(void *library, const char *symbol, void *function)
{
    void *found = dlsym(library, symbol);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static int open_stream(void **state)
{
    (void)state;
    char why[200];
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    if (!find(library, "cuStreamBeginCapture_v2", &g.begin) || !find(library, "cuStreamEndCapture", &g.end) ||
        !find(library, "cuGraphInstantiateWithFlags", &g.instantiate) ||
        !find(library, "cuGraphLaunch", &g.launch) ||
        !find(library, "cuGraphExecDestroy", &g.destroy_executable) ||
        !find(library, "cuGraphDestroy", &g.destroy)) {
        printf("this driver has no graphs\n");
        return 0;
    }
    cuda = cuda_peer_open(0, why, sizeof why);
    if (!cuda) fail_msg("%s", why);
    OK(argand_device_open_stream(&streamed, "cuda:0", cuda_peer_stream(cuda)));
    return 0;
}

static int close_stream(void **state)
{
    (void)state;
    argand_device_close(streamed);
    cuda_peer_close(cuda);
    return 0;
}

typedef struct kind {
    const char *name;
    argand_fft_options options;
} kind;

static const kind kinds[] = {
    {"short", {.type = ARGAND_C32, .rank = 1, .n = {64}, .batch = 100}},
    {"odd, centred, scaled",
     {.type = ARGAND_C32,
      .rank = 1,
      .n = {105},
      .batch = 33,
      .centred = true,
      .scale = ARGAND_SCALE_UNITARY}},
    {"double", {.type = ARGAND_C64, .rank = 1, .n = {4096}, .batch = 3}},
    {"prime", {.type = ARGAND_C32, .rank = 1, .n = {127}, .batch = 9}},
    {"large prime", {.type = ARGAND_C32, .rank = 1, .n = {10007}, .batch = 3}},
    {"long", {.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 2}},
    {"very long", {.type = ARGAND_C32, .rank = 1, .n = {1 << 20}, .batch = 1}},
    {"plane", {.type = ARGAND_C32, .rank = 2, .n = {96, 80}, .batch = 5}},
    {"volume", {.type = ARGAND_C32, .rank = 3, .n = {64, 48, 30}, .batch = 1}},
    {"strided",
     {.type = ARGAND_C32,
      .rank = 1,
      .axes_given = true,
      .axes = {{60, 7, 7}},
      .loops = 1,
      .loop = {{7, 1, 1}}}},
    {"real", {.type = ARGAND_R32, .rank = 1, .n = {1000}, .batch = 6}},
    {"real plane", {.type = ARGAND_R64, .rank = 2, .n = {64, 50}, .batch = 2}},
    {"half packed", {.type = ARGAND_R32, .rank = 2, .n = {64, 50}, .batch = 2, .half_packed = true}},
    {"plane with a scalar",
     {.type = ARGAND_C32,
      .rank = 2,
      .n = {256, 256},
      .batch = 2,
      .centred = true,
      .access = {.load = {{.kind = ARGAND_ACCESS_SCALE, .scalar = {0.6, 0.8}}}}}}};

/* Along axis 0 of a side. */
static int64_t first_length(const argand_fft_options *o, bool output)
{
    return output && o->type < ARGAND_C32 ? o->n[0] / 2 + !o->half_packed : o->n[0];
}

static int64_t elements(const argand_fft_options *o, bool output)
{
    int64_t all = o->axes_given ? 60 * 7 : o->batch;
    for (int d = 0; d < o->rank && !o->axes_given; d++) all *= d == 0 ? first_length(o, output) : o->n[d];
    return all;
}

static argand_array *make_array(const argand_fft_options *o, bool output)
{
    argand_array *array;
    const bool twice = o->type == ARGAND_R64 || o->type == ARGAND_C64;
    int64_t dims[4] = {elements(o, output)};
    int rank = 1;
    for (; rank <= o->rank && !o->axes_given; rank++)
        dims[rank - 1] = rank == 1 ? first_length(o, output) : o->n[rank - 1];
    if (!o->axes_given) dims[rank - 1] = o->batch;
    OK(argand_array_create(&array, streamed, output ? twice ? ARGAND_C64 : ARGAND_C32 : o->type, rank, dims));
    return array;
}

static void *capture(const argand_fft *plan, argand_array *out, const argand_array *in, const char *words)
{
    enum { GLOBAL = 0 };
    void *graph = NULL, *executable = NULL;
    OK(argand_device_wait(streamed));
    assert_int_equal(g.begin(cuda_peer_stream(cuda), GLOBAL), 0);
    const argand_status status = argand_fft_apply(plan, out, in, ARGAND_FORWARD);
    const int error = g.end(cuda_peer_stream(cuda), &graph);
    if (status || error || !graph)
        fail_msg("%s: capture failed (driver error %d): %s", words, error, status ? argand_message() : "");
    assert_int_equal(g.instantiate(&executable, graph, 0), 0);
    assert_int_equal(g.destroy(graph), 0);
    return executable;
}

static void check(const kind *k, const argand_fft *plan)
{
    char name[300], words[400];
    argand_array *in = make_array(&k->options, false), *out = make_array(&k->options, true);
    const size_t count = (size_t)argand_array_count(out) * 2;
    argand_fft_print(plan, name, sizeof name);
    snprintf(words, sizeof words, "%s: %s", k->name, name);
    if (strstr(name, "on cpu")) {
        printf("%s: computed by the host: skipped\n", words);
    } else {
        OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD)); /* what it keeps between calls is made */
        void *executable = capture(plan, out, in, words);
        for (uint64_t seed = 1; seed <= 2; seed++) {
            randomise(in, seed, -0.5, 0.5);
            OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
            double *wanted = as_doubles(out);
            OK(argand_array_fill(out, (argand_scalar){7, 7}));
            assert_int_equal(g.launch(executable, cuda_peer_stream(cuda)), 0);
            double *got = as_doubles(out);
            if (memcmp(wanted, got, count * sizeof *got))
                fail_msg("%s: the graph gives something else", words);
            free(wanted);
            free(got);
        }
        assert_int_equal(g.destroy_executable(executable), 0);
    }
    argand_array_destroy(in);
    argand_array_destroy(out);
}

static void captured(void **state)
{
    (void)state;
    if (!streamed) skip();
    int64_t problem = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        argand_fft *plan;
        OK(argand_fft_create(&plan, streamed, &kinds[i].options));
        const int chosen = plan->candidates.taken, count = plan->candidates.count;
        if (in_part(problem++)) check(&kinds[i], plan);
        for (int c = 0; c < count; c++)
            if (c != chosen && in_part(problem++) && take_candidate(plan, c)) check(&kinds[i], plan);
        argand_fft_destroy(plan);
    }
}

/* Two streams, each with a device of its own, and one problem: nothing is shared that must not be. */
static void two_streams(void **state)
{
    (void)state;
    if (!streamed) skip();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!in_part((int64_t)i)) continue;
        argand_fft *plans[2];
        argand_array *in = make_array(&kinds[i].options, false), *out = make_array(&kinds[i].options, true),
                     *other_in, *other_out;
        int64_t dims[4];
        for (int d = 0; d < 4; d++) dims[d] = argand_array_dim(in, d);
        OK(argand_array_create(&other_in, device, argand_array_type(in), argand_array_rank(in), dims));
        for (int d = 0; d < 4; d++) dims[d] = argand_array_dim(out, d);
        OK(argand_array_create(&other_out, device, argand_array_type(out), argand_array_rank(out), dims));
        OK(argand_fft_create(&plans[0], streamed, &kinds[i].options));
        OK(argand_fft_create(&plans[1], device, &kinds[i].options));
        randomise(in, 3, -0.5, 0.5);
        randomise(other_in, 3, -0.5, 0.5);
        for (int turn = 0; turn < 5; turn++) {
            OK(argand_fft_apply(plans[0], out, in, ARGAND_FORWARD));
            OK(argand_fft_apply(plans[1], other_out, other_in, ARGAND_FORWARD));
        }
        double *a = as_doubles(out), *b = as_doubles(other_out);
        assert_memory_equal(a, b, (size_t)argand_array_count(out) * 2 * sizeof *a);
        free(a);
        free(b);
        argand_array *const arrays[] = {in, out, other_in, other_out};
        for (size_t j = 0; j < 4; j++) argand_array_destroy(arrays[j]);
        argand_fft_destroy(plans[0]);
        argand_fft_destroy(plans[1]);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test_setup(captured, open_stream),
                                          cmocka_unit_test_teardown(two_streams, close_stream)};
RUN_TESTS(tests)
