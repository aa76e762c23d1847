/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessors fused into transforms: spans with every border, chains of products, sums over loops, the
 * spectrum, against the sums as they are written. */
#include "access_check.h"
#include "device/device.h"

/* Every border on both sides, odd and even lengths, shifts beyond either end, centred and not. */
static void windows(void **state)
{
    (void)state;
    static const int64_t lengths[][2] = {{12, 5}, {9, 9}, {15, 4}, {8, 1}, {7, 6}};
    for (int border = 0; border <= ARGAND_BORDER_MIRROR; border++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (int is_output = 0; is_output < 2; is_output++)
                for (int centred = 0; centred < 2; centred++) {
                    if (is_output && border == ARGAND_BORDER_CONSTANT) continue;
                    argand_fft_options o = {.type = i % (size_t)precisions() ? ARGAND_C64 : ARGAND_C32,
                                            .rank = 1,
                                            .n = {lengths[i][0]},
                                            .batch = 3,
                                            .centred = centred};
                    argand_fft_layout *s = is_output ? &o.output : &o.input;
                    s->window[0] = (argand_window){lengths[i][1], (int64_t)i * 5 - 8, (argand_border)border};
                    if (border == ARGAND_BORDER_CONSTANT) s->constant = (argand_scalar){2.5, -1};
                    (is_output ? &o.input : &o.output)->window[0].first = 3;
                    check(&o, i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD, 1, (int64_t[]){3}, (int64_t[]){3});
                }
}

/* A constant that no border asks for changes nothing: zeros stand beyond the array, by every engine. */
static void zeros_beside_a_constant(void **state)
{
    (void)state;
    const argand_fft_options o = {
        .type = ARGAND_C32, .rank = 2, .n = {12, 9}, .input = {.constant = {3, 2}, .window = {{5, 2}, {9}}}};
    check(&o, ARGAND_FORWARD, 0, none, none);
    if (device_is_host(device)) return;
    setenv("ARGAND_FFT_ENGINE", "staged", 1);
    check(&o, ARGAND_FORWARD, 0, none, none);
    unsetenv("ARGAND_FFT_ENGINE");
}

/* Three axes, each with another rule: lines that are zero or not wanted never come up, and nothing is
 * missing. */
static void pruned_axes(void **state)
{
    (void)state;
    const argand_fft_options padded = {.type = ARGAND_C64,
                                       .rank = 3,
                                       .n = {12, 10, 9},
                                       .input = {.window = {{6, -3}, {5, 2}, {4, 7}}},
                                       .scale = ARGAND_SCALE_UNITARY};
    const argand_fft_options cropped = {.type = ARGAND_C32,
                                        .rank = 3,
                                        .n = {12, 10, 9},
                                        .output = {.window = {{6, -3}, {5, 2}, {9, 4}}},
                                        .scale = ARGAND_SCALE_INVERSE};
    const argand_fft_options both = {
        .type = ARGAND_C64,
        .rank = 3,
        .n = {10, 11, 12},
        .batch = 2,
        .centred = true,
        .input = {.window = {{3, 0, ARGAND_BORDER_MIRROR}, {11, 1}, {4, 0, ARGAND_BORDER_CLAMP}}},
        .output = {.window = {{10}, {5, 0, ARGAND_BORDER_WRAP}, {7, 1, ARGAND_BORDER_MIRROR}}}};
    const argand_fft_options constant = {
        .type = ARGAND_C64,
        .rank = 2,
        .n = {10, 7},
        .input = {.constant = {0.5, 2},
                  .window = {{3, 4, ARGAND_BORDER_CONSTANT}, {4, 0, ARGAND_BORDER_CONSTANT}}},
        .output = {.window = {{10, -5}, {6, 5}}}};
    argand_fft_options folded =
        constant; /* frequency 0 is beyond the output on both axes: added to an edge */
    folded.output = (argand_fft_layout){.window = {{3, 5, ARGAND_BORDER_CLAMP}, {2, 3, ARGAND_BORDER_WRAP}}};
    check(&padded, ARGAND_FORWARD, 0, none, none);
    check(&cropped, ARGAND_INVERSE, 0, none, none);
    check(&both, ARGAND_FORWARD, 1, (int64_t[]){2}, (int64_t[]){2});
    check(&both, ARGAND_INVERSE, 1, (int64_t[]){2}, (int64_t[]){2});
    check(&constant, ARGAND_FORWARD, 0, none, none);
    check(&folded, ARGAND_FORWARD, 0, none, none);
}

typedef struct traffic {
    int passes;
    int64_t lines, read, written;
} traffic;

static traffic traffic_of(const argand_fft_options *o)
{
    argand_fft *plan = new_plan(o);
    traffic t = {.passes = argand_fft_pass_count(plan, ARGAND_FORWARD)};
    for (int i = 0; i < t.passes; i++) {
        argand_fft_pass pass;
        OK(argand_fft_pass_describe(plan, ARGAND_FORWARD, i, &pass));
        t.lines += pass.lines;
        t.read += pass.read_bytes;
        t.written += pass.write_bytes;
    }
    argand_fft_destroy(plan);
    return t;
}

/* A volume in twice its size on each axis: (1/4 + 1/2 + 1) / 3 of the lines, as many back; of the axes the
 * one that is padded comes last, the one that is cropped first; a convolution has five passes, and a summed
 * loop is written once. */
static void counted(void **state)
{
    (void)state;
    enum { N = 48, M = N / 2, COILS = 4, SIZE = 8 };
    if (precisions() == 1) return; /* on other devices the whole grid is there */
    argand_fft_options o = {.type = ARGAND_C32, .rank = 3, .n = {N, N, N}};
    for (int d = 0; d < 3; d++) o.input.window[d] = (argand_window){M, -M / 2, 0};
    traffic t = traffic_of(&o);
    assert_int_equal(t.passes, 3);
    assert_int_equal(t.lines, N * N / 4 + N * N / 2 + N * N);
    assert_int_equal(t.read, SIZE * M * (N * N / 4 + N * N / 2 + N * N));
    assert_int_equal(t.written, SIZE * N * (N * N / 4 + N * N / 2 + N * N));
    argand_fft_options back;
    OK(argand_fft_adjoint(&back, &o));
    const traffic u = traffic_of(&back);
    assert_int_equal(u.lines, t.lines);
    assert_int_equal(u.read, t.written);
    assert_int_equal(u.written, t.read);
    memset(&o.input, 0, sizeof o.input);
    o.input.window[0].count = M;
    o.output.window[2].count = M;
    assert_int_equal(traffic_of(&o).lines, N * N / 2 + N * N / 4 + N * N / 2); /* z first, then y, then x */
    o.output = o.input = (argand_fft_layout){0};
    for (int d = 0; d < 3; d++) o.input.window[d].count = o.output.window[d].count = M;
    o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 0}};
    t = traffic_of(&o);
    assert_int_equal(t.passes, 5);
    assert_int_equal(t.lines, 2 * (N * N / 4 + N * N / 2) + N * N);
    o = (argand_fft_options){.type = ARGAND_C32,
                             .rank = 1,
                             .axes_given = true,
                             .axes = {{N, 1, 1}},
                             .loops = 2,
                             .loop = {{5, N, N}, {COILS, 5 * N, 0}},
                             .sum = 2,
                             .input = {.type = ARGAND_C16}};
    t = traffic_of(&o);
    assert_int_equal(t.lines, 5 * COILS);
    assert_int_equal(t.read, 4 * N * 5 * COILS);
    assert_int_equal(t.written, SIZE * N * 5);
}

/* Large enough for tiles of planes, for whole transforms in a thread's cache, for columns of many lines. */
static void tiles(void **state)
{
    (void)state;
    const argand_fft_options volume = {
        .type = ARGAND_C32, .rank = 3, .n = {40, 36, 34}, .input = {.window = {{20, -10}, {36}, {30, 9}}}};
    const argand_fft_options many = {
        .type = ARGAND_C64, .rank = 2, .n = {20, 18}, .batch = 21, .input = {.window = {{13, -10}, {9, 4}}}};
    check(&volume, ARGAND_FORWARD, 0, none, none);
    check(&many, ARGAND_FORWARD, 2, (int64_t[]){3, 7}, (int64_t[]){3, 7});
}

/* Maps on the way in, conjugate maps and a sum over coils on the way out, windows that repeat along the other
 * axes. */
static void products(void **state)
{
    (void)state;
    enum { NX = 9, NY = 8, COILS = 3 };
    for (int t = 0; t < precisions(); t++) {
        const argand_type type = t ? ARGAND_C64 : ARGAND_C32, reals = t ? ARGAND_R64 : ARGAND_R32;
        argand_array *maps = random_array(type, 3, (int64_t[]){NX, NY, COILS}, 5),
                     *window = random_array(reals, 2, (int64_t[]){1, NY}, 6),
                     *coil = random_array(type, 3, (int64_t[]){1, 1, COILS}, 7);
        argand_fft_options o = {.type = type, .rank = 2, .n = {14, 11}, .batch = COILS};
        o.input.window[0] = (argand_window){NX, -4, 0};
        o.input.window[1] = (argand_window){NY, 2, 0};
        o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
        o.access.load[1] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
        o.access.load[2] =
            (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, -2}, .conjugate = true};
        o.access.store[0] =
            (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = coil, .conjugate = true};
        check(&o, ARGAND_FORWARD, 1, none, (int64_t[]){COILS});
        argand_fft_options back;
        OK(argand_fft_adjoint(&back, &o));
        back.sum = 1;
        check(&back, ARGAND_INVERSE, 1, (int64_t[]){COILS}, none);
        argand_array_destroy(maps);
        argand_array_destroy(window);
        argand_array_destroy(coil);
    }
}

/* Arrays that differ along some dimensions (bits of `along`) and repeat along the others. */
static argand_array *repeating(argand_type type, int dims, const int64_t *n, unsigned along, uint64_t seed)
{
    int64_t own[ARGAND_MAX_RANK];
    for (int d = 0; d < dims; d++) own[d] = along >> d & 1 ? n[d] : 1;
    return random_array(type, dims, own, seed);
}

typedef struct row_case {
    int rank;
    int64_t n[4]; /* the batch behind the axes */
} row_case;

/* Lines that are multiplied as they are read and written: by one factor for all, of an array that goes along
 * the line or from line to line, real and complex, conjugate, rotated by half a line and by other numbers, in
 * blocks that are not full, by every way (short, in a matrix, across, slabs of far columns). */
static void check_rows(const row_case *c, int variant)
{
    const argand_type type = variant % 2 ? ARGAND_C64 : ARGAND_C32,
                      reals = variant % 2 ? ARGAND_R64 : ARGAND_R32;
    const unsigned axes = (1U << c->rank) - 1, all = 2 * axes + 1, last = 1U << (c->rank - 1);
    const unsigned load = (const unsigned[]){axes, all, 1, last, 1, axes}[variant],
                   store = (const unsigned[]){1, all, last, axes, all, 1}[variant];
    const argand_accessor scale = {.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, variant > 3 ? -0.75 : 0}};
    argand_array *maps[4] = {
        repeating(type, c->rank + 1, c->n, load, 11), repeating(reals, c->rank + 1, c->n, load, 12),
        repeating(reals, c->rank + 1, c->n, store, 13), repeating(type, c->rank + 1, c->n, store, 14)};
    argand_accessor of[4];
    for (int i = 0; i < 4; i++) of[i] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps[i]};
    of[3].conjugate = true;
    argand_fft_options o = {
        .type = type, .rank = c->rank, .batch = c->n[c->rank], .centred = variant % 3 == 1};
    memcpy(o.n, c->n, (size_t)c->rank * sizeof *o.n);
    for (int round = 0; round < 5; round++) {
        o.access = (argand_fft_access){.load = {of[round & 1]}, .store = {of[2 + (round >> 1 & 1)]}};
        if (round == 3) o.access.load[1] = o.access.store[1] = scale;
        if (round == 4) o.access = (argand_fft_access){.load = {of[0], of[1]}, .spectrum = {scale, of[0]}};
        if (round == 2) o.access.load[0] = scale;
        o.input.window[c->rank - 1].first = round == 1 ? 3 : 0;
        check(&o, variant & 1 ? ARGAND_FORWARD : ARGAND_INVERSE, 1, &c->n[c->rank], &c->n[c->rank]);
    }
    for (int i = 0; i < 4; i++) argand_array_destroy(maps[i]);
}

static void rows(void **state)
{
    (void)state;
    static const row_case cases[] = {
        {1, {12, 37}},    {1, {32, 5}},      {1, {100, 19}},   {1, {256, 2}},      {1, {360, 2}},
        {2, {20, 96, 1}}, {2, {17, 160, 1}}, {2, {70, 15, 1}}, {3, {64, 8, 6, 1}}, {3, {24, 7, 20, 1}}};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    for (size_t i = 0; i < sizeof cases / sizeof *cases && info.host_addressable; i++)
        for (size_t variant = i; variant < i + 3; variant++) check_rows(&cases[i], (int)(variant % 6));
}

/* <A x, y> = <x, A^H y> for every linear rule, loops that repeat and loops that sum. */
static void adjoints(void **state)
{
    (void)state;
    enum { COILS = 2 };
    for (int border = 0; border <= ARGAND_BORDER_MIRROR; border++) {
        if (border == ARGAND_BORDER_CONSTANT) continue;
        const int64_t image[2] = {5, 6}, data[3] = {9, 7, COILS};
        argand_array *maps = random_array(ARGAND_C64, 3, (int64_t[]){5, 6, COILS}, 8),
                     *x = random_array(ARGAND_C64, 2, image, 9), *y = random_array(ARGAND_C64, 3, data, 10),
                     *ax = new_array(ARGAND_C64, 3, data), *ay = new_array(ARGAND_C64, 2, image);
        argand_fft_options o = {.type = ARGAND_C64,
                                .rank = 2,
                                .axes_given = true,
                                .axes = {{12, 1, 1}, {10, 5, 9}},
                                .loops = 1,
                                .loop = {{COILS, 0, 63}},
                                .scale = ARGAND_SCALE_UNITARY},
                           adjoint;
        o.input.window[0] = (argand_window){5, 3, (argand_border)border};
        o.input.window[1] = (argand_window){6, -2, (argand_border)border};
        o.output.window[0] = (argand_window){9, -4, ARGAND_BORDER_ZERO};
        o.output.window[1] = (argand_window){7, 1, ARGAND_BORDER_WRAP};
        o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
        OK(argand_fft_adjoint(&adjoint, &o));
        argand_fft *a = new_plan(&o), *b = new_plan(&adjoint);
        OK(argand_fft_apply(a, ax, x, ARGAND_FORWARD));
        OK(argand_fft_apply(b, ay, y, ARGAND_INVERSE));
        argand_scalar left, right;
        OK(argand_array_dot(&left, ax, y));
        OK(argand_array_dot(&right, x, ay));
        CHECK_BELOW(hypot(left.re - right.re, left.im - right.im), 1e-12 * hypot(left.re, left.im) + 1e-12);
        argand_array *const all[] = {maps, x, y, ax, ay};
        for (int i = 0; i < 5; i++) argand_array_destroy(all[i]);
        argand_fft_destroy(a);
        argand_fft_destroy(b);
    }
}

/* Forward, product, back, cropped: one, two and three axes. */
static void convolutions(void **state)
{
    (void)state;
    static const argand_type types[] = {ARGAND_C32, ARGAND_C64};
    for (int t = 0; t < precisions(); t++)
        for (int rank = 1; rank <= 3; rank++) {
            argand_fft_options o = {
                .type = types[t], .rank = rank, .n = {9, 8, 6}, .batch = 2, .scale = ARGAND_SCALE_INVERSE};
            int64_t dims[3] = {9, 8, 6};
            argand_array *kernel = random_array(t ? ARGAND_R64 : ARGAND_C32, rank, dims, 11);
            for (int d = 0; d < rank; d++) {
                o.input.window[d] =
                    (argand_window){o.n[d] - 2, 1, d == 1 ? ARGAND_BORDER_MIRROR : ARGAND_BORDER_ZERO};
                o.output.window[d] = (argand_window){o.n[d] - 3, 2, ARGAND_BORDER_ZERO};
            }
            o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
            check(&o, ARGAND_FORWARD, 1, (int64_t[]){2}, (int64_t[]){2});
            check(&o, ARGAND_INVERSE, 1, (int64_t[]){2}, (int64_t[]){2});
            argand_array_destroy(kernel);
        }
}

/* Other scalars and arrays at a call, without another plan. */
static void other_arrays(void **state)
{
    (void)state;
    const int64_t n = 10;
    argand_array *x = random_array(ARGAND_C64, 1, &n, 16), *y = new_array(ARGAND_C64, 1, &n),
                 *a = random_array(ARGAND_C64, 1, &n, 17), *b = random_array(ARGAND_R64, 1, &n, 18);
    argand_fft_options o = {.type = ARGAND_C64, .rank = 1, .n = {n}};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = a};
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {1, 0}};
    argand_fft *plan = new_plan(&o);
    argand_fft_options other = o;
    other.access.load[0].array = b;
    other.access.store[0].scalar = (argand_scalar){0, 3};
    exact *expected = access_reference(&other, y, x, ARGAND_FORWARD);
    OK(argand_fft_apply_access(plan, y, x, ARGAND_FORWARD, &other.access));
    CHECK_BELOW(distance(y, expected, 1), tolerance(ARGAND_C64, 10));
    other.access.load[0].conjugate = true;
    FAILS(argand_fft_apply_access(plan, y, x, ARGAND_FORWARD, &other.access), ARGAND_ARGUMENT,
          "access.load[0]");
    free(expected);
    argand_array *const made[] = {x, y, a, b};
    for (int i = 0; i < 4; i++) argand_array_destroy(made[i]);
    argand_fft_destroy(plan);
}

static void refused(void **state)
{
    (void)state;
    argand_fft *plan;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {8}, .input = {.window = {{9, 0, 0}}}};
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "input.window[0].count is 9");
    o.input.window[0] = (argand_window){4, 0, (argand_border)9};
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "border 9");
    o.input = (argand_fft_layout){0};
    o.output.window[0] = (argand_window){4, 0, ARGAND_BORDER_CONSTANT};
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "only an input");
    o.output = (argand_fft_layout){.imaginary = 3};
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "output.imaginary is 3");
    o.output = (argand_fft_layout){.type = ARGAND_C64};
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "output.type is complex double");
    o = (argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {8}};
    o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 0}, .mirror = true};
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "mirror needs .kind");
    o.access.spectrum[0] = (argand_accessor){0};
    o.output = (argand_fft_layout){0};
    o.access.load[0].kind = ARGAND_ACCESS_CALL;
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "neither .function");
    o.access.load[0].kind = ARGAND_ACCESS_MULTIPLY;
    OK(argand_fft_create(&plan, device, &o));
    argand_array *x = new_array(ARGAND_C32, 1, (int64_t[]){8}), *y = new_array(ARGAND_C32, 1, (int64_t[]){8}),
                 *seven = new_array(ARGAND_C32, 1, (int64_t[]){7});
    FAILS(argand_fft_apply(plan, y, x, ARGAND_FORWARD), ARGAND_ARGUMENT, "access.load[0].array is NULL");
    o.access.load[0].array = seven;
    FAILS(argand_fft_apply_access(plan, y, x, ARGAND_FORWARD, &o.access), ARGAND_ARGUMENT,
          "dimension 0 of the array of access.load[0] is 7");
    FAILS(argand_fft_apply(plan, y, seven, ARGAND_FORWARD), ARGAND_ARGUMENT, "dimension 0 of the input is 7");
    argand_fft_destroy(plan);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(seven);
}

/* Seven axes and loops: more than devices take, as access.h says. */
static void many_dimensions(void **state)
{
    (void)state;
    const int64_t dims[7] = {2, 3, 2, 2, 3, 2, 2};
    argand_device_info info;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 5, .batch = 4};
    memcpy(o.n, dims, 5 * sizeof *dims);
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0, 2}};
    argand_array *in = new_array(ARGAND_C32, 7, dims), *out = new_array(ARGAND_C32, 7, dims);
    argand_fft *plan = new_plan(&o);
    randomise(in, 3, 0, 0);
    OK(argand_device_describe(device, &info));
    if (info.host_addressable)
        CHECK_BELOW(access_error(&o, out, in, ARGAND_FORWARD), 4 * fft_tolerance(ARGAND_C32, 72));
    else
        FAILS(argand_fft_apply(plan, out, in, ARGAND_FORWARD), ARGAND_UNSUPPORTED,
              "there are 7 axes and loops; on GPUs, plans with accessors support up to 6");
    argand_fft_destroy(plan);
    argand_array_destroy(in);
    argand_array_destroy(out);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(many_dimensions),
    cmocka_unit_test(windows),
    cmocka_unit_test(zeros_beside_a_constant),
    cmocka_unit_test(pruned_axes),
    cmocka_unit_test(counted),
    cmocka_unit_test(tiles),
    cmocka_unit_test(products),
    cmocka_unit_test(rows),
    cmocka_unit_test(adjoints),
    cmocka_unit_test(convolutions),
    cmocka_unit_test(other_arrays),
    cmocka_unit_test(refused),
};
RUN_TESTS(tests)
