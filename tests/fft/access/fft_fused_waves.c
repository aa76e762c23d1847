/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessors in persistent passes and clusters. */
#include "fused.h"
#include "array/array.h"
#include "fft/gpu/access/access.h"
#include "fft/plan/options.h"
#include "fft/gpu/codegen/access.h"
#include "fft/gpu/native.h"

/* Dynamic shared memory, which only CUDA must know. */
static size_t told_shared(size_t bytes)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return strcmp(info.backend, "cuda") ? 0 : bytes;
}

/* Persistent passes chunk by chunk, each as a kernel of its own, as devices without them can: what is
 * compiled and given for chunks is what the persistent kernel has. */
static void run_chunk(const pass_program *p, const access_call *c, int i, int64_t chunk,
                      storage *const buffer[3], storage *tables)
{
    enum { LINKS = 3 * ARGAND_MAX_ACCESSORS };
    struct {
        struct tile_params box;
        INDEX arguments[ACCESS_ARGUMENTS_MOST];
    } l = {.box = p->pass[i].params};
    const tile_pass *pass = &p->pass[i];
    const struct passes_params *q = &p->persistent.params;
    const pass_access *a = pass->shape.access;
    storage *memory[3 + LINKS];
    const int64_t first[3] = {p->persistent.first[i][0] * chunk};
    for (int k = 0; k < 3 + LINKS; k++) memory[k] = tables;
    memory[0] = buffer[pass->to];
    memory[1] = buffer[pass->from];
    for (int k = 0; k < 2; k++) {
        const pass_memory at = k ? pass->to : pass->from;
        l.box.at[k] += q->step[i][k] / 2 * (at == MEMORY_WORK ? chunk % q->ring : chunk) +
                       p->persistent.first[i][1 + k] * chunk;
        for (int j = 0; j < a[k].links; j++) {
            const argand_array *array = (k ? c->store : c->load).link[j].array;
            if (array) memory[3 + ARGAND_MAX_ACCESSORS * k + j] = array->storage;
        }
    }
    l.box.factor.single[0] = 1;
    size_t bytes = sizeof l.box;
    const bool any = tile_has_access(&pass->shape);
    if (any) bytes += (size_t)access_arguments(l.arguments, &pass->shape, c, first, false) * sizeof(INDEX);
    const kernel_run run = {.key = pass->key,
                            .groups = pass->blocks,
                            .memory = memory,
                            .memory_count = any ? 3 + LINKS : 3,
                            .params = &l,
                            .params_bytes = bytes,
                            .shared_bytes = told_shared(pass->shared_bytes)};
    OK(kernel_start(device, &run));
}

static void check_wave(const argand_fft_options *o, const char *tuning, int passes, bool with)
{
    int64_t in_dims[ARGAND_MAX_RANK], out_dims[ARGAND_MAX_RANK];
    static const char *const none[8] = {"", "", "", "", "", "", "", ""};
    layout_dims(in_dims, o, &o->input);
    layout_dims(out_dims, o, &o->output);
    if (o->type < ARGAND_C32) real_dims(out_dims, o, true);
    argand_array *in = random_array(o->type, o->rank + 1, in_dims, 3),
                 *out = new_array(complex_of(o->type), o->rank + 1, out_dims);
    exact *expected = access_reference(o, out, in, ARGAND_FORWARD);
    argand_fft *plan = new_plan(o); /* for its problem */
    fft_problem problem;
    access_call c;
    fft_geometry g = {.rank = o->rank, .loops = 1};
    pass_program p;
    block_limits l = {.device = device,
                      .element_bytes = 8,
                      .threads = 256,
                      .points_per_thread = 16,
                      .units = 1,
                      .persistent = true,
                      .shared_bytes = 57344};
    assert_true(tuning_parse(&l.tuning, tuning));
    OK(problem_make(&problem, o));
    OK(access_bind(&c, &problem, out, in, ARGAND_FORWARD, NULL));
    for (int d = 0; d <= o->rank; d++) {
        const argand_axis axis = {d < o->rank ? o->n[d] : in_dims[d], c.in_stride[d], c.out_stride[d]};
        *(d < o->rank ? &g.axes[d] : &g.loop[0]) = axis;
    }
    access_plan a = {.problem = &problem, .own = none, .part = -1};
    a.reals[0] = c.load.count && c.load.link[0].real_array;
    a.reals[2] = c.store.count && c.store.link[0].real_array;
    OK(program_access(&p, &a, &g, &l, false));
    assert_int_equal(p.persistent.count, passes);
    assert_true(p.persistent.params.chunks > 2);
    if (with) assert_true(p.pass[0].shape.at_with == o->rank);
    storage *buffer[3] = {in->storage, out->storage, NULL}, *tables;
    OK(variant_upload_tables(&tables, &p, &l, device));
    if (p.work) OK(storage_new(&buffer[MEMORY_WORK], device, (size_t)p.work * 8));
    for (int64_t chunk = 0; chunk < p.persistent.params.chunks; chunk++)
        for (int i = 0; i < p.persistent.count; i++) run_chunk(&p, &c, i, chunk, buffer, tables);
    for (int i = p.persistent.count; i < p.count; i++) run_chunk(&p, &c, i, 0, buffer, tables);
    CHECK_BELOW(distance(out, expected, 1), tolerance(complex_of(o->type), 4096));
    program_release(&p);
    fft_problem_release(&problem);
    storage_release(tables);
    storage_release(buffer[MEMORY_WORK]);
    argand_fft_destroy(plan);
    argand_array_destroy(in);
    argand_array_destroy(out);
    free(expected);
}

static void waves(void **state)
{
    (void)state;
    if (is_host()) return;
    /* along the batch: a line of two passes with a map of its own for each of the batch */
    argand_array *maps = random_array(ARGAND_C32, 2, (int64_t[]){1000, 6}, 5),
                 *volume = random_array(ARGAND_C32, 4, (int64_t[]){20, 3, 9, 4}, 6);
    argand_fft_options o = {
        .type = ARGAND_C32, .rank = 1, .n = {6000}, .batch = 6, .input = {.window = {{1000, -3}}}};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    check_wave(&o, "chunk_kib 64", 2, false);
    /* along the last axis and the batch behind it, in chunks of two that begin and end anywhere */
    o = (argand_fft_options){.type = ARGAND_C32, .rank = 3, .n = {20, 3, 9}, .batch = 4};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = volume};
    o.output.window[1].first = 2;
    check_wave(&o, "separate_axes 1 chunk_kib 1", 2, true);
    o.access.store[0] = o.access.load[0];
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0, 2}};
    check_wave(&o, "separate_axes 1 chunk_kib 1", 2, true);
    /* padded: the last axis of the input is shorter than that of the output */
    o.access.store[0].kind = ARGAND_ACCESS_NONE;
    for (int d = 0; d < 2; d++) o.output.window[d] = (argand_window){0};
    o.input.window[2] = (argand_window){7, 1, 0};
    o.n[0] = 28;
    check_wave(&o, "separate_axes 1 chunk_kib 1", 2, false);
    argand_array_destroy(maps);
    argand_array_destroy(volume);
}

/* The same from reals to half a spectrum: a long line, and planes of a volume. */
static void real_waves(void **state)
{
    (void)state;
    if (is_host()) return;
    argand_array *window = random_array(ARGAND_R32, 2, (int64_t[]){3000, 6}, 5),
                 *maps = random_array(ARGAND_C32, 2, (int64_t[]){6001, 6}, 6),
                 *volume = random_array(ARGAND_C32, 4, (int64_t[]){11, 3, 9, 4}, 7);
    argand_fft_options o = {
        .type = ARGAND_R32, .rank = 1, .n = {12000}, .batch = 6, .input = {.window = {{3000, -3}}}};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    check_wave(&o, "chunk_kib 64", 2, false);
    o = (argand_fft_options){.type = ARGAND_R32, .rank = 3, .n = {20, 3, 9}, .batch = 4};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 0}};
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = volume};
    check_wave(&o, "separate_axes 1 chunk_kib 1", 2, true);
    argand_array_destroy(window);
    argand_array_destroy(maps);
    argand_array_destroy(volume);
}

/* ---- what GPUs do in persistent passes and in clusters, compared with the staged engine ---- */

typedef struct large_case {
    int rank;
    int64_t n[3], batch;
    bool padded, reals, back; /* back: from half a spectrum to reals */
} large_case;

static void large_options(argand_fft_options *o, const large_case *c)
{
    *o = (argand_fft_options){.type = c->reals ? ARGAND_R32 : ARGAND_C32,
                              .rank = c->rank,
                              .batch = c->batch,
                              .scale = ARGAND_SCALE_UNITARY};
    for (int d = 0; d < c->rank; d++) {
        o->n[d] = c->n[d];
        o->input.window[d] = (argand_window){c->padded ? c->n[d] / 2 : 0, d - 7, ARGAND_BORDER_ZERO};
        o->output.window[d] = (argand_window){c->padded ? c->n[d] - 8 * d : 0, 5, ARGAND_BORDER_ZERO};
    }
    if (c->reals)
        o->output.window[0] = (argand_window){c->padded ? c->n[0] / 2 - 9 : 0, 0, ARGAND_BORDER_ZERO};
}

/* Dimensions of the array read, or of the one written. */
static void large_dims(int64_t *dims, const argand_fft_options *o, const large_case *c, bool out)
{
    if (c->reals)
        real_dims(dims, o, out != c->back);
    else
        layout_dims(dims, o, out ? &o->output : &o->input);
}

static argand_type large_type(const large_case *c, bool out)
{
    return c->reals && out == c->back ? ARGAND_R32 : ARGAND_C32;
}

static double *staged_result(const argand_fft_options *o, const large_case *c, argand_array *out,
                             const argand_array *in)
{
    setenv("ARGAND_FFT_ENGINE", "staged", 1);
    argand_fft *plan = new_plan(o);
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    check_engine(plan, "staged", "taken");
    OK(argand_fft_apply(plan, out, in, c->back ? ARGAND_INVERSE : ARGAND_FORWARD));
    argand_fft_destroy(plan);
    return as_doubles(out);
}

/* Twice: counters of persistent passes are zeros again after the first. */
static void check_large(const argand_fft_options *o, const large_case *c, argand_array *out,
                        const argand_array *in, const double *wanted)
{
    char description[512];
    const size_t numbers = (size_t)argand_array_count(out) * (large_type(c, true) == ARGAND_C32 ? 2 : 1);
    argand_fft *plan = new_plan(o);
    check_engine(plan, "fused", "taken");
    argand_fft_print(plan, description, sizeof description);
    printf("%s\n", description);
    for (int again = 0; again < 2; again++) {
        OK(argand_array_fill(out, (argand_scalar){1e3, large_type(c, true) == ARGAND_C32 ? 1e3 : 0}));
        OK(argand_fft_apply(plan, out, in, c->back ? ARGAND_INVERSE : ARGAND_FORWARD));
        double *got = as_doubles(out);
        CHECK_BELOW(relative_error(got, wanted, numbers), 2e-6);
        free(got);
    }
    argand_fft_destroy(plan);
}

/* Each is a test of its own, so that what is wrong with one hides no other; other devices than those with
 * persistent passes are given the first only. */
static large_case cases[] = {
    {2, {256, 256}, 5, false, false, false},  {2, {256, 256}, 5, true, false, false},
    {1, {65536}, 3, false, false, false},     {1, {262144}, 4, false, false, false},
    {1, {262144}, 4, true, false, false},     {3, {64, 64, 64}, 4, false, false, false},
    {3, {96, 96, 96}, 2, true, false, false}, {3, {128, 96, 80}, 2, false, false, false},
    {2, {2048, 300}, 3, false, false, false}, {1, {262144}, 40, true, true, false},
    {1, {262144}, 40, false, true, true},     {3, {96, 80, 64}, 8, false, true, false},
    {2, {1024, 600}, 6, true, true, true}};

static void large(void **state)
{
    const large_case *c = *state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.host_addressable || (info.capability < 70 && c != cases)) return;
    argand_fft_options o;
    int64_t in_dims[ARGAND_MAX_RANK], out_dims[ARGAND_MAX_RANK];
    large_options(&o, c);
    large_dims(in_dims, &o, c, false);
    large_dims(out_dims, &o, c, true);
    argand_array *in = random_array(large_type(c, false), o.rank + 1, in_dims, 3),
                 *maps = random_array(large_type(c, false), o.rank + 1, in_dims, 4),
                 *window = random_array(ARGAND_R32, o.rank, out_dims, 5),
                 *out = new_array(large_type(c, true), o.rank + 1, out_dims);
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
    double *wanted = staged_result(&o, c, out, in);
    check_large(&o, c, out, in, wanted);
    free(wanted);
    argand_array *const arrays[] = {in, maps, window, out};
    for (int k = 0; k < 4; k++) argand_array_destroy(arrays[k]);
}

#define LARGE(name, i)                           \
    {                                            \
        name, large, use_ours, NULL, cases + (i) \
    }

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(waves, use_ours),
    cmocka_unit_test_setup(real_waves, use_ours),
    LARGE("large: planes", 0),
    LARGE("large: padded planes", 1),
    LARGE("large: lines of 65536", 2),
    LARGE("large: lines of 262144", 3),
    LARGE("large: padded lines", 4),
    LARGE("large: cubes", 5),
    LARGE("large: padded cubes", 6),
    LARGE("large: volumes", 7),
    LARGE("large: rectangles", 8),
    LARGE("large: lines of reals", 9),
    LARGE("large: lines to reals", 10),
    LARGE("large: volumes of reals", 11),
    LARGE("large: planes to reals", 12),
};
RUN_TESTS(tests)
