/* SPDX-License-Identifier: BSD-3-Clause */
/* Executions captured into a CUDA graph, in the strictest mode, so that whatever allocates, waits or copies
 * from the host spoils the capture; then the graph is replayed on other numbers. For every way to compute and
 * every kind of transform, forward and inverse, in place, with accessors inside the passes and in kernels of
 * their own, orders given up, types of storage. */
#include "fft/candidates.h"

#include "graph.h"

enum { MAP_AT_LOAD = 1, MAP_AT_SPECTRUM = 2, OWN_AT_STORE = 4 };

typedef struct kind {
    const char *name;
    argand_fft_options options;
    bool back, in_place;
    int accessors;
} kind;

static const kind kinds[] = {
    {"short", .options = {.type = ARGAND_C32, .rank = 1, .n = {64}, .batch = 100}},
    {"odd, centred, scaled", .options = {.type = ARGAND_C32,
                                         .rank = 1,
                                         .n = {105},
                                         .batch = 33,
                                         .centred = true,
                                         .scale = ARGAND_SCALE_UNITARY}},
    {"double", .options = {.type = ARGAND_C64, .rank = 1, .n = {4096}, .batch = 3}},
    {"prime", .options = {.type = ARGAND_C32, .rank = 1, .n = {127}, .batch = 9}},
    {"large prime", .options = {.type = ARGAND_C32, .rank = 1, .n = {10007}, .batch = 3}},
    {"long", .options = {.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 2}},
    {"very long", .options = {.type = ARGAND_C32, .rank = 1, .n = {1 << 20}, .batch = 1}},
    {"plane", .options = {.type = ARGAND_C32, .rank = 2, .n = {96, 80}, .batch = 5}},
    {"volume", .options = {.type = ARGAND_C32, .rank = 3, .n = {64, 48, 30}, .batch = 1}},
    {"strided", .options = {.type = ARGAND_C32,
                            .rank = 1,
                            .axes_given = true,
                            .axes = {{60, 7, 7}},
                            .loops = 1,
                            .loop = {{7, 1, 1}}}},
    {"real", .options = {.type = ARGAND_R32, .rank = 1, .n = {1000}, .batch = 6}},
    {"real plane", .options = {.type = ARGAND_R64, .rank = 2, .n = {64, 50}, .batch = 2}},
    {"half packed",
     .options = {.type = ARGAND_R32, .rank = 2, .n = {64, 50}, .batch = 2, .half_packed = true}},
    {"plane with a scalar",
     .options = {.type = ARGAND_C32,
                 .rank = 2,
                 .n = {256, 256},
                 .batch = 2,
                 .centred = true,
                 .access = {.load = {{.kind = ARGAND_ACCESS_SCALE, .scalar = {0.6, 0.8}}}}}},
    {"back", .options = {.type = ARGAND_C32, .rank = 2, .n = {96, 80}, .batch = 5}, .back = true},
    {"to reals", .options = {.type = ARGAND_R32, .rank = 1, .n = {1000}, .batch = 6}, .back = true},
    {"plane to reals", .options = {.type = ARGAND_R32, .rank = 2, .n = {64, 50}, .batch = 2}, .back = true},
    {"in place", .options = {.type = ARGAND_C32, .rank = 2, .n = {96, 80}, .batch = 5}, .in_place = true},
    {"scrambled", .options = {.type = ARGAND_C32,
                              .rank = 1,
                              .n = {1 << 18},
                              .batch = 1,
                              .spectrum_order = ARGAND_ORDER_SCRAMBLED}},
    {"scrambled, back",
     .options = {.type = ARGAND_C32,
                 .rank = 1,
                 .n = {1 << 18},
                 .batch = 1,
                 .spectrum_order = ARGAND_ORDER_SCRAMBLED},
     .back = true, .in_place = true},
    {"halves", .options = {.type = ARGAND_C32,
                           .rank = 2,
                           .n = {64, 48},
                           .batch = 3,
                           .input = {.type = ARGAND_C16},
                           .output = {.type = ARGAND_CB16}}},
    {"map, padded",
     .options =
         {.type = ARGAND_C32, .rank = 2, .n = {64, 48}, .batch = 3, .input = {.window = {{32, 5}, {30, -7}}}},
     .accessors = MAP_AT_LOAD},
    {"there and back", .options = {.type = ARGAND_C32, .rank = 2, .n = {64, 48}, .batch = 3},
     .accessors = MAP_AT_LOAD | MAP_AT_SPECTRUM},
    {"own text", .options = {.type = ARGAND_C32, .rank = 1, .n = {240}, .batch = 20},
     .accessors = MAP_AT_LOAD | OWN_AT_STORE},
    {"sum over a loop", /* in kernels of their own */
     .options = {.type = ARGAND_C32, .rank = 2, .n = {40, 30}, .batch = 4, .sum = 1},
     .accessors = MAP_AT_LOAD},
    {"to reals with a map", .options = {.type = ARGAND_R32, .rank = 2, .n = {64, 50}, .batch = 2},
     .back = true, .accessors = MAP_AT_LOAD}};

static argand_direction direction_of(const kind *k)
{
    return k->back ? ARGAND_INVERSE : ARGAND_FORWARD;
}

/* ---- arrays ---- */

/* Dimensions of one side of a call: half a spectrum, a span, a sum. */
static int shape_of(const kind *k, bool output, int64_t *dims)
{
    const argand_fft_options *o = &k->options;
    const argand_fft_layout *layout = output ? &o->output : &o->input;
    if (o->axes_given) {
        dims[0] = 60 * 7;
        return 1;
    }
    for (int d = 0; d < o->rank; d++) dims[d] = layout->window[d].count ? layout->window[d].count : o->n[d];
    if (o->type < ARGAND_C32 && output != k->back) dims[0] = o->n[0] / 2 + !o->half_packed;
    dims[o->rank] = output && o->sum ? 1 : o->batch;
    return o->rank + 1;
}

static argand_type type_of(const kind *k, bool output)
{
    const argand_fft_options *o = &k->options;
    const argand_type given = output ? o->output.type : o->input.type;
    const bool twice = o->type == ARGAND_R64 || o->type == ARGAND_C64;
    if (given) return given;
    return o->type < ARGAND_C32 && output == k->back ? o->type : twice ? ARGAND_C64 : ARGAND_C32;
}

static argand_array *make_array(const kind *k, argand_device *where, bool output)
{
    argand_array *array;
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = shape_of(k, output, dims);
    OK(argand_array_create(&array, where, type_of(k, output), rank, dims));
    return array;
}

static size_t bytes_in(const argand_array *array)
{
    return (size_t)argand_array_count(array) * argand_type_size(argand_array_type(array));
}

/* Random numbers; of halves by their bits, between 1/16 and 1. */
static void fill_random(argand_array *array, uint64_t seed)
{
    random_state r = {seed};
    const size_t count = bytes_in(array) / sizeof(uint16_t);
    if (argand_array_type(array) <= ARGAND_C64) {
        randomise(array, seed, -0.5, 0.5);
        return;
    }
    uint16_t *bits = malloc(count * sizeof *bits);
    assert_non_null(bits);
    for (size_t i = 0; i < count; i++)
        bits[i] = (uint16_t)((random_bits(&r) & 0x83ff) | ((11 + random_bits(&r) % 4) << 10));
    OK(argand_array_upload(array, bits));
    free(bits);
}

static unsigned char *bytes_of(const argand_array *array)
{
    unsigned char *bytes = malloc(bytes_in(array));
    assert_non_null(bytes);
    OK(argand_array_download(array, bytes));
    return bytes;
}

/* What is in no result. */
static void poison(argand_array *array)
{
    unsigned char *bytes = malloc(bytes_in(array));
    assert_non_null(bytes);
    memset(bytes, 0x55, bytes_in(array));
    OK(argand_array_upload(array, bytes));
    free(bytes);
}

/* ---- accessors ---- */

static argand_array *random_map(argand_device *where, int rank, const int64_t *dims)
{
    argand_array *map;
    OK(argand_array_create(&map, where, ARGAND_C32, rank, dims));
    randomise(map, 77, -0.5, 0.5);
    return map;
}

static const char own_text[] =
    "DEVICE struct pair own(struct pair v, struct pair mirror, struct access_point at)\n"
    "{ return make_pair(v.re * at.p[0], v.im + (REAL)at.i[0]); }\n";

/* The kind's options with its chains; maps[] are to be destroyed. */
static argand_fft_options with_accessors(const kind *k, argand_device *where, argand_array *maps[2])
{
    argand_fft_options o = k->options;
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = shape_of(k, false, dims);
    maps[0] = maps[1] = NULL;
    if (k->accessors & MAP_AT_LOAD) {
        maps[0] = random_map(where, rank, dims);
        o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps[0]};
    }
    if (k->accessors & MAP_AT_SPECTRUM) {
        maps[1] = random_map(where, o.rank, o.n);
        o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps[1]};
    }
    if (k->accessors & OWN_AT_STORE)
        o.access.store[0] = (argand_accessor){
            .kind = ARGAND_ACCESS_CALL, .source = own_text, .name = "own", .parameters = {0.75}};
    return o;
}

static argand_fft *make_plan(const kind *k, argand_device *where, argand_array *maps[2])
{
    argand_fft *plan;
    const argand_fft_options o = with_accessors(k, where, maps);
    OK(argand_fft_create(&plan, where, &o));
    return plan;
}

/* ---- captures ---- */

static void *capture(const argand_fft *plan, argand_array *out, const argand_array *in, const kind *k,
                     const char *title)
{
    OK(argand_device_wait(streamed));
    graph_begin();
    return graph_end(argand_fft_apply(plan, out, in, direction_of(k)), title);
}

static void check(const kind *k, const argand_fft *plan)
{
    char name[300], title[400];
    argand_array *in = make_array(k, streamed, false),
                 *out = k->in_place ? in : make_array(k, streamed, true);
    argand_fft_print(plan, name, sizeof name);
    snprintf(title, sizeof title, "%s: %s", k->name, name);
    if (strstr(name, "on cpu")) {
        printf("%s: computed by the host: skipped\n", title);
    } else {
        OK(argand_fft_apply(plan, out, in, direction_of(k))); /* what it keeps between calls is made */
        void *executable = capture(plan, out, in, k, title);
        for (uint64_t seed = 1; seed <= 2; seed++) {
            fill_random(in, seed);
            OK(argand_fft_apply(plan, out, in, direction_of(k)));
            unsigned char *wanted = bytes_of(out);
            if (k->in_place)
                fill_random(in, seed);
            else
                poison(out);
            assert_int_equal(g.launch(executable, cuda_peer_stream(cuda)), 0);
            unsigned char *got = bytes_of(out);
            if (memcmp(wanted, got, bytes_in(out))) fail_msg("%s: the graph gives something else", title);
            free(wanted);
            free(got);
        }
        assert_int_equal(g.destroy_executable(executable), 0);
    }
    if (!k->in_place) argand_array_destroy(out);
    argand_array_destroy(in);
}

static void captured(void **state)
{
    (void)state;
    if (!streamed) skip();
    int64_t problem = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        argand_array *maps[2];
        argand_fft *plan = make_plan(&kinds[i], streamed, maps);
        const int chosen = plan->candidates.taken, count = plan->candidates.count;
        if (in_part(problem++)) check(&kinds[i], plan);
        for (int c = 0; c < count; c++)
            if (c != chosen && in_part(problem++) && take_candidate(plan, c)) check(&kinds[i], plan);
        argand_fft_destroy(plan);
        for (int m = 0; m < 2; m++) argand_array_destroy(maps[m]);
    }
}

/* Two streams, each with a device of its own, and one problem: nothing is shared that must not be. */
static void two_streams(void **state)
{
    (void)state;
    if (!streamed) skip();
    argand_device *const devices[2] = {streamed, device};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const kind *k = &kinds[i];
        argand_array *in[2], *out[2], *maps[2][2];
        argand_fft *plans[2];
        if (!in_part((int64_t)i)) continue;
        for (int d = 0; d < 2; d++) {
            in[d] = make_array(k, devices[d], false);
            out[d] = k->in_place ? in[d] : make_array(k, devices[d], true);
            plans[d] = make_plan(k, devices[d], maps[d]);
            fill_random(in[d], 3);
        }
        for (int round = 0; round < 5; round++)
            for (int d = 0; d < 2; d++) OK(argand_fft_apply(plans[d], out[d], in[d], direction_of(k)));
        unsigned char *a = bytes_of(out[0]), *b = bytes_of(out[1]);
        assert_memory_equal(a, b, bytes_in(out[0]));
        free(a);
        free(b);
        for (int d = 0; d < 2; d++) {
            argand_fft_destroy(plans[d]);
            if (!k->in_place) argand_array_destroy(out[d]);
            argand_array_destroy(in[d]);
            for (int m = 0; m < 2; m++) argand_array_destroy(maps[d][m]);
        }
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test_setup(captured, open_stream),
                                          cmocka_unit_test_teardown(two_streams, close_stream)};
RUN_TESTS(tests)
