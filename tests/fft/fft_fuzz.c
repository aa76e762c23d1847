/* SPDX-License-Identifier: BSD-3-Clause */
/* Random problems in the general form against transforms in long double: sizes, ranks, strides of both signs
 * and in any order, gaps, loops, in place or not, complex and real, centred, scaled, orders given up. Around
 * the buffers and in each gap are canaries, which must neither change nor be used; inputs must stay; a third
 * execution must give the first one's bits. ARGAND_TEST_FUZZ=N: that many problems. ARGAND_TEST_SEED=S: the
 * problem S alone.
 */
#include "candidates.h"
#include "direct.h"
#include "guru.h"

typedef struct buffers {
    guru_layout in_layout, out_layout;
    unsigned char *in, *out; /* as they are before the call */
    argand_array *in_array, *out_array, *in_view, *out_view;
    exact *expected; /* of each output element */
} buffers;

/* Whether arrays have addresses here. */
static bool on_host(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable;
}

/* Transforms x, which gives the reference, and puts into the input what the reference was made from. */
static void complex_numbers(guru *g, buffers *b, exact *x)
{
    for (int64_t i = 0; i < b->in_layout.count; i++) guru_set(&b->in_layout, b->in, i, x[i]);
    for (int64_t i = 0; i < b->in_layout.count; i++) x[i] = guru_get(&b->in_layout, b->in, i);
    guru_transform(g, x, g->direction);
    memcpy(b->expected, x, (size_t)b->out_layout.count * sizeof *x);
}

/* The elements of a full spectrum that are in the half. */
static void take_half(const guru *g, exact *half, const exact *full)
{
    const int64_t n = g->options.axes[0].n, kept = n / 2 + 1;
    for (int64_t i = 0; i < g->points * g->lines / n * kept; i++) half[i] = full[i / kept * n + i % kept];
}

static void real_numbers(guru *g, buffers *b, exact *x)
{
    const int64_t all = g->points * g->lines;
    for (int64_t i = 0; i < all; i++) x[i] = creall(x[i]);
    if (g->direction == ARGAND_FORWARD) {
        for (int64_t i = 0; i < all; i++) guru_set(&b->in_layout, b->in, i, x[i]);
        for (int64_t i = 0; i < all; i++) x[i] = guru_get(&b->in_layout, b->in, i);
        guru_transform(g, x, -1);
        take_half(g, b->expected, x);
        return;
    }
    exact *half = malloc((size_t)b->in_layout.count * sizeof *half);
    assert_non_null(half);
    for (int64_t i = 0; i < all; i++) b->expected[i] = x[i] * (long double)g->points;
    guru_transform(g, x, -1);
    take_half(g, half, x);
    for (int64_t i = 0; i < b->in_layout.count; i++) guru_set(&b->in_layout, b->in, i, half[i]);
    free(half);
}

/* ---- orders ---- */

/* Where the element at position i of a side lies in the natural order. */
static int64_t natural_place(guru *g, const argand_fft *plan, const guru_layout *s, bool spectrum, int64_t i)
{
    int64_t place = 0, step = 1;
    for (int d = 0; d < s->dims; i /= s->n[d], step *= s->n[d++]) {
        int64_t at = i % s->n[d];
        if (d < g->options.rank) {
            at = spectrum ? argand_fft_frequency(plan, d, at) : argand_fft_signal_index(plan, d, at);
            at = (at + (g->options.centred ? s->n[d] / 2 : 0)) % s->n[d];
        }
        place += at * step;
    }
    return place;
}

/* A side's numbers in the plan's order, which is known when the plan is. */
static exact *in_order(guru *g, const argand_fft *plan, const guru_layout *s, bool output, exact *natural)
{
    const bool spectrum = output == (g->direction == ARGAND_FORWARD);
    exact *x = malloc((size_t)s->count * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < s->count; i++) x[i] = natural[natural_place(g, plan, s, spectrum, i)];
    free(natural);
    return x;
}

static void put_in_order(guru *g, const argand_fft *plan, buffers *b)
{
    if (!g->options.signal_order && !g->options.spectrum_order) return;
    exact *x = malloc((size_t)b->in_layout.count * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < b->in_layout.count; i++) x[i] = guru_get(&b->in_layout, b->in, i);
    x = in_order(g, plan, &b->in_layout, false, x);
    for (int64_t i = 0; i < b->in_layout.count; i++) guru_set(&b->in_layout, b->in, i, x[i]);
    b->expected = in_order(g, plan, &b->out_layout, true, b->expected);
    free(x);
}

/* ---- buffers ---- */

/* Where both sides are one piece of memory: reals count half as much. */
static void share_rows(guru_layout *in, guru_layout *out)
{
    guru_layout *reals = in->type < ARGAND_C32 ? in : out, *pairs = reals == in ? out : in;
    const int64_t most = (reals->total - reals->offset + 1) / 2, other = pairs->total - pairs->offset;
    pairs->total = pairs->offset + (most > other ? most : other) + 1;
    reals->offset = 2 * pairs->offset;
    reals->total = 2 * pairs->total;
}

/* Where a plan with axes counts from, or the array with strides of its own. */
static void make_view(const guru *g, argand_array **view, const argand_array *array, const guru_layout *s)
{
    if (g->views)
        OK(argand_array_view(view, array, s->dims, s->n, s->stride, s->offset));
    else
        OK(argand_array_part(view, array, 0, s->offset, s->total - s->offset));
}

/* The output is another wrap of the input's memory. */
static void wrap_rows(const guru *g, buffers *b)
{
    void *const memory = argand_array_data(b->in_array);
    assert_non_null(memory);
    OK(argand_array_wrap(&b->out_array, device, b->out_layout.type, 1, &b->out_layout.total, NULL, memory));
    make_view(g, &b->out_view, b->out_array, &b->out_layout);
}

static void make_array(const guru *g, argand_array **array, argand_array **view, const guru_layout *s)
{
    *array = guarded_array(s->type, s->total);
    make_view(g, view, *array, s);
}

static buffers make_buffers(guru *g, const argand_fft *plan, uint64_t seed)
{
    random_state r = {seed + 99};
    const int64_t all = g->points * g->lines;
    buffers b = {.in_layout = guru_layout_of(g, false), .out_layout = guru_layout_of(g, true)};
    exact *x = malloc((size_t)all * sizeof *x);
    if (g->rows) share_rows(&b.in_layout, &b.out_layout);
    b.in = guru_canaries(&b.in_layout);
    b.out = guru_canaries(&b.out_layout);
    b.expected = malloc((size_t)all * sizeof *b.expected);
    assert_true(x && b.expected);
    for (int64_t i = 0; i < all; i++) x[i] = random_uniform(&r) - 0.5 + I * (random_uniform(&r) - 0.5);
    if (g->options.type < ARGAND_C32)
        real_numbers(g, &b, x);
    else
        complex_numbers(g, &b, x);
    for (int64_t i = 0; i < b.out_layout.count; i++) b.expected[i] *= guru_factor(g);
    put_in_order(g, plan, &b);
    make_array(g, &b.in_array, &b.in_view, &b.in_layout);
    if (g->rows)
        wrap_rows(g, &b);
    else if (!g->in_place)
        make_array(g, &b.out_array, &b.out_view, &b.out_layout);
    free(x);
    return b;
}

static void free_buffers(buffers *b)
{
    argand_array_destroy(b->in_view);
    argand_array_destroy(b->out_view);
    argand_array_destroy(b->in_array);
    argand_array_destroy(b->out_array);
    guarded_free();
    free(b->in);
    free(b->out);
    free(b->expected);
}

/* One execution from fresh buffers; the bytes of the whole output buffer. */
static unsigned char *execute(const guru *g, const argand_fft *plan, buffers *b)
{
    const bool same = g->in_place && !g->rows;
    argand_array *out = same ? b->in_array : b->out_array;
    unsigned char *bytes = malloc(b->out_layout.size * (size_t)b->out_layout.total);
    assert_non_null(bytes);
    OK(argand_array_upload(b->in_array, b->in));
    if (!g->in_place) OK(argand_array_upload(b->out_array, b->out));
    OK(argand_fft_apply(plan, same ? b->in_view : b->out_view, b->in_view, g->direction));
    OK(argand_array_download(out, bytes));
    return bytes;
}

static const char *check_input(const guru *g, const buffers *b)
{
    const size_t bytes = b->in_layout.size * (size_t)b->in_layout.total;
    unsigned char *now = malloc(bytes);
    if (g->in_place) {
        free(now);
        return NULL;
    }
    assert_non_null(now);
    OK(argand_array_download(b->in_array, now));
    const bool same = !memcmp(now, b->in, bytes);
    free(now);
    return same ? NULL : "the input was changed";
}

/* Overwrites `bytes`. */
static const char *check_output(const guru *g, const buffers *b, unsigned char *bytes, double *error)
{
    const guru_layout *s = &b->out_layout;
    const unsigned char *before = g->in_place ? b->in : b->out;
    const argand_type type = g->options.type;
    long double difference = 0, norm = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const exact d = guru_get(s, bytes, i) - b->expected[i];
        difference += creall(d) * creall(d) + cimagl(d) * cimagl(d);
        norm +=
            creall(b->expected[i]) * creall(b->expected[i]) + cimagl(b->expected[i]) * cimagl(b->expected[i]);
        memcpy(bytes + (size_t)guru_at(s, i) * s->size, before + (size_t)guru_at(s, i) * s->size, s->size);
    }
    *error = (double)sqrtl(difference / norm);
    if (memcmp(bytes, before, s->size * (size_t)s->total))
        return "something was written beside the output's elements";
    const bool back = type < ARGAND_C32 && g->direction == ARGAND_INVERSE; /* its input was rounded, too */
    return *error <= (back ? 2 : 1) * fft_tolerance(type, (double)g->points) ? NULL : "wrong";
}

static void check_problem(uint64_t seed, int64_t most)
{
    guru g = guru_random(seed, most);
    argand_fft *plan;
    char name[300];
    double error = 0;
    if (g.rows && !on_host()) g.rows = g.in_place = false;
    const argand_fft_options options = guru_plan_options(&g);
    if (argand_fft_create(&plan, device, &options))
        fail_msg("seed %llu: %s: %s", (unsigned long long)seed, guru_text(&g), argand_message());
    take_some_candidate(plan, seed);
    buffers b = make_buffers(&g, plan, seed);
    unsigned char *first = execute(&g, plan, &b);
    const char *wrong = check_input(&g, &b);
    for (int again = 0; again < 2 && !wrong; again++) {
        unsigned char *next = execute(&g, plan, &b);
        if (memcmp(first, next, b.out_layout.size * (size_t)b.out_layout.total))
            wrong = "another execution gives other bits";
        free(next);
    }
    if (!wrong) wrong = check_output(&g, &b, first, &error);
    argand_fft_print(plan, name, sizeof name);
    if (wrong)
        fail_msg("seed %llu: %s (error %.3g): %s: %s", (unsigned long long)seed, wrong, error, guru_text(&g),
                 name);
    free(first);
    free_buffers(&b);
    argand_fft_destroy(plan);
}

static int problems(int here, int on_device)
{
    const char *given = getenv("ARGAND_TEST_FUZZ");
    return given ? atoi(given) : on_host() ? here : on_device;
}

static void small_problems(void **state)
{
    (void)state;
    const char *seed = getenv("ARGAND_TEST_SEED");
    if (seed) check_problem(strtoull(seed, NULL, 10), 1000);
    for (int i = 0, count = problems(600, 16); i < count && !seed; i++) check_problem((uint64_t)i, 1000);
}

static void large_problems(void **state)
{
    (void)state;
    const char *seed = getenv("ARGAND_TEST_SEED");
    if (seed) check_problem(strtoull(seed, NULL, 10), 60000);
    for (int i = 0, count = problems(60, 4); i < count && !seed; i++) check_problem((uint64_t)i, 60000);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(small_problems), cmocka_unit_test(large_problems)};
RUN_TESTS(tests)
