/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessors inside the passes of our kernels: that the fused way is the one that is taken, and that it says
 * what the sums say; which problems go the staged way, and why. fft_access.c has every rule, on any way. */
#include "fused.h"

/* Twice, the same bits. */
/* Chains on both sides of one pass, points moved on both: maps, windows, scalars. */
static void one_pass(void **state)
{
    (void)state;
    enum { N = 48, B = 7 };
    if (is_host()) return;
    for (int t = 0; t < types(); t++) {
        const argand_type type = t ? ARGAND_C64 : ARGAND_C32, reals = t ? ARGAND_R64 : ARGAND_R32;
        argand_array *maps = random_array(type, 2, (int64_t[]){N, B}, 5),
                     *window = random_array(reals, 1, (int64_t[]){N}, 6),
                     *weights = random_array(type, 2, (int64_t[]){1, B}, 7);
        argand_fft_options o = {
            .type = type, .rank = 1, .n = {N}, .batch = B, .centred = t, .scale = ARGAND_SCALE_UNITARY};
        o.input.window[0].first = 5;
        o.output.window[0].first = -11;
        o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
        o.access.load[1] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, -2}};
        o.access.load[2] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
        o.access.store[0] =
            (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = weights, .conjugate = true};
        check_fused(&o, t ? ARGAND_INVERSE : ARGAND_FORWARD, 1);
        argand_array_destroy(maps);
        argand_array_destroy(window);
        argand_array_destroy(weights);
    }
}

/* Borders of all kinds at the input, in one pass and in the two of a long line; both ends cropped; lines
 * without radices, by a convolution and by Rader's. */
static void lines(void **state)
{
    (void)state;
    static const struct {
        int64_t n, count, first;
        argand_border border;
        int passes;
    } cases[] = {{60, 25, -3, ARGAND_BORDER_ZERO, 1},     {64, 32, 0, ARGAND_BORDER_ZERO, 1},
                 {60, 25, 50, ARGAND_BORDER_MIRROR, 1},   {60, 7, 2, ARGAND_BORDER_CONSTANT, 1},
                 {6000, 2500, -9, ARGAND_BORDER_ZERO, 2}, {6000, 1999, 70, ARGAND_BORDER_WRAP, 2},
                 {6000, 6000, 17, ARGAND_BORDER_ZERO, 2}, {37, 20, 30, ARGAND_BORDER_CLAMP, 1},
                 {37 * 2, 20, 60, ARGAND_BORDER_ZERO, 1}, {4621, 3000, 5, ARGAND_BORDER_ZERO, 3},
                 {6144, 6144, 3, ARGAND_BORDER_ZERO, 2}};
    if (is_host()) return;
    argand_array *window = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {cases[i].n}, .batch = i % 2 ? 1 : 3};
        o.input.window[0] = (argand_window){cases[i].count, cases[i].first, cases[i].border};
        if (cases[i].border == ARGAND_BORDER_CONSTANT) o.input.constant = (argand_scalar){2.5, -1};
        /* all of it where all comes in, too: then places only move */
        const int64_t less = cases[i].count < cases[i].n ? 4 : 0;
        o.output.window[0] = (argand_window){cases[i].n - less, (int64_t)i - 4, ARGAND_BORDER_ZERO};
        window = random_array(ARGAND_C32, 1, &cases[i].count, 8);
        o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
        o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0, 3}};
        check_fused(&o, i % 3 ? ARGAND_FORWARD : ARGAND_INVERSE, cases[i].passes);
        argand_array_destroy(window);
    }
}

/* Padded and cropped volumes: planes and axes one by one, a chain that looks at all coordinates. */
static void volumes(void **state)
{
    (void)state;
    if (is_host()) return;
    const int64_t dims[4] = {6, 5, 4, 3}, whole[3] = {12, 10, 9};
    argand_array *maps = random_array(ARGAND_C32, 4, dims, 9), *grid = random_array(ARGAND_R32, 3, whole, 10);
    argand_fft_options o = {
        .type = ARGAND_C32, .rank = 3, .n = {12, 10, 9}, .batch = 3, .scale = ARGAND_SCALE_UNITARY};
    o.input.window[0] = (argand_window){6, -3, 0};
    o.input.window[1] = (argand_window){5, 2, ARGAND_BORDER_CLAMP};
    o.input.window[2] = (argand_window){4, 7, 0};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    check_fused(&o, ARGAND_FORWARD, 2);
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = grid};
    check_fused(&o, ARGAND_INVERSE, 2);
    argand_fft_options back = {.type = ARGAND_C32, .rank = 3, .n = {12, 10, 9}, .batch = 3};
    back.output = o.input;
    back.output.window[1].border = ARGAND_BORDER_ZERO;
    back.access.store[0] =
        (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps, .conjugate = true};
    check_fused(&back, ARGAND_FORWARD, 2);
    argand_array_destroy(maps);
    argand_array_destroy(grid);
    /* planes too large for a group, and the first axis a long line */
    o = (argand_fft_options){.type = ARGAND_C32,
                             .rank = 2,
                             .n = {80, 72},
                             .batch = 2,
                             .input = {.window = {{40, -20}, {36}}},
                             .output = {.window = {{70, 3}, {72, -1}}}};
    check_fused(&o, ARGAND_FORWARD, 2);
    o = (argand_fft_options){
        .type = ARGAND_C32, .rank = 2, .n = {4800, 3}, .input = {.window = {{2400, 7}, {2, 1}}}};
    check_fused(&o, ARGAND_FORWARD, 3);
}

/* The two passes of plain volumes that share the middle axis (tests/fft/gpu/fft_tile.c), in the output and,
 * where a window moves points there, or crops, disjoint from it; and not where the input is the output. */
static void volumes_in_two(void **state)
{
    (void)state;
    enum { N0 = 12, N1 = 16, N2 = 10, B = 2 };
    static const struct {
        argand_window in[3], out[3];
        bool centred;
        int64_t work; /* complex numbers of work memory, whose rows begin at sectors of four */
    } cases[] = {{.in = {{.first = 5}, {.first = 3}, {.first = 1}}},
                 {.in = {{6, 2, 0}, {8}, {5, 7, 0}}, .out = {{.first = 5}, {.first = 4}, {.first = 9}}},
                 {.out = {{.first = 1}, {.first = 1}, {.first = 1}}, .centred = true, .work = N0 * N1 * N2},
                 {.in = {{12}, {9, 2, ARGAND_BORDER_MIRROR}, {5}},
                  .out = {{7, 3, 0}, {10, 5, 0}, {9}},
                  .work = 8 * N1 * 5}};
    if (is_host()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft_options o = {.type = i == 1 && types() > 1 ? ARGAND_C64 : ARGAND_C32,
                                .rank = 3,
                                .n = {N0, N1, N2},
                                .batch = B,
                                .centred = cases[i].centred,
                                .scale = ARGAND_SCALE_UNITARY};
        memcpy(o.input.window, cases[i].in, sizeof cases[i].in);
        memcpy(o.output.window, cases[i].out, sizeof cases[i].out);
        int64_t dims[4];
        layout_dims(dims, &o, &o.input);
        argand_array *map = random_array(o.type, 4, dims, 9), *in = random_array(o.type, 4, dims, 3);
        layout_dims(dims, &o, &o.output);
        argand_array *weights = random_array(o.type, 3, dims, 10), *out = new_array(o.type, 4, dims);
        if (i) o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map};
        if (i) o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = weights};
        const argand_direction direction = i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD;
        exact *expected = access_reference(&o, out, in, direction);
        setenv("ARGAND_FFT_TUNING", "split_second 4 chunk_kib 0", 1);
        argand_fft *plan = new_plan(&o);
        check_engine(plan, "fused", "taken");
        assert_int_equal(argand_fft_pass_count(plan, direction), 2);
        assert_int_equal(argand_fft_workspace(plan, direction),
                         cases[i].work * B * (o.type == ARGAND_C64 ? 16 : 8));
        check_results(plan, &o, direction, in, expected);
        if (i == 0) {
            OK(argand_array_copy(out, in));
            OK(argand_fft_apply(plan, out, out, direction));
            CHECK_BELOW(distance(out, expected, 1), tolerance(o.type, N0 * N1 * N2));
        }
        argand_fft_destroy(plan);
        unsetenv("ARGAND_FFT_TUNING");
        free(expected);
        argand_array *const arrays[] = {map, in, weights, out};
        for (int k = 0; k < 4; k++) argand_array_destroy(arrays[k]);
    }
}

/* What each axis reads and writes: padded twice in three dimensions, (1 + 2 + 2 + 4 + 4 + 8) / 48 of the
 * whole's, cropped the same backwards, and the same for the adjoint; mixed: what is cropped first, what is
 * padded last. */
static void counted(void **state)
{
    (void)state;
    enum { N = 128, M = N / 2, SIZE = 8 };
    if (is_host()) return;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 3, .n = {N, N, N}};
    for (int mixed = 0; mixed < 3; mixed++) {
        memset(&o.input, 0, sizeof o.input);
        memset(&o.output, 0, sizeof o.output);
        for (int d = 0; d < 3; d++)
            (mixed == 1 ? &o.output : &o.input)->window[d] = (argand_window){M, -M / 2, 0};
        if (mixed == 2) {
            memset(&o.input, 0, sizeof o.input);
            o.input.window[0].count = M;
            o.output.window[2].count = M;
        }
        use_small_groups(true); /* planes are too large for these */
        argand_fft *plan = new_plan(&o);
        argand_fft_pass pass;
        int64_t bytes = 0, lines = 0;
        check_engine(plan, "fused", "taken");
        assert_int_equal(argand_fft_pass_count(plan, ARGAND_FORWARD), 3);
        for (int i = 0; i < 3; i++) {
            OK(argand_fft_pass_describe(plan, ARGAND_FORWARD, i, &pass));
            bytes += pass.read_bytes + pass.write_bytes;
            lines += pass.lines;
        }
        use_small_groups(false);
        const int64_t unit = (int64_t)M * M * M * SIZE;
        assert_int_equal(bytes, mixed == 2 ? unit * (4 + 2 + 2 + 2 + 2 + 4) : unit * 21);
        assert_int_equal(lines, mixed == 2 ? 5 * M * M : 7 * M * M);
        argand_fft_destroy(plan);
    }
}

/* Forward, product, back: 2 rank - 1 passes, less what planes hold together; lines too long for a tile, and
 * those without radices, go forward and back in passes of their own. */
static void spectra(void **state)
{
    (void)state;
    if (is_host()) return;
    for (int rank = 1; rank <= 3; rank++) {
        argand_fft_options o = {
            .type = ARGAND_C32, .rank = rank, .n = {9, 8, 6}, .batch = 2, .scale = ARGAND_SCALE_INVERSE};
        argand_array *kernel = random_array(ARGAND_C32, rank, o.n, 11);
        for (int d = 0; d < rank; d++) {
            o.input.window[d] =
                (argand_window){o.n[d] - 2, 1, d == 1 ? ARGAND_BORDER_MIRROR : ARGAND_BORDER_ZERO};
            o.output.window[d] = (argand_window){o.n[d] - 3, 2, ARGAND_BORDER_ZERO};
        }
        o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
        check_fused(&o, rank == 2 ? ARGAND_INVERSE : ARGAND_FORWARD, rank == 3 ? 3 : 1);
        argand_array_destroy(kernel);
    }
    static const struct {
        int64_t n[2];
        int rank, passes;
    } more[] = {{{6000, 1}, 1, 3}, {{37, 1}, 1, 2}, {{80, 72}, 2, 3}, {{5, 1}, 1, 1},
                {{1, 1}, 1, 1},    {{96, 3}, 1, 1}, {{5040, 3}, 1, 3}};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        argand_fft_options o = {.type = ARGAND_C32,
                                .rank = more[i].rank,
                                .n = {more[i].n[0], more[i].n[1]},
                                .batch = more[i].n[1] == 3 ? 3 : 1,
                                .scale = ARGAND_SCALE_UNITARY};
        argand_array *kernel = random_array(ARGAND_C32, o.rank, o.n, 11);
        o.access.spectrum[0] =
            (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel, .conjugate = true};
        o.access.spectrum[1] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, 1}};
        o.access.load[0] = o.access.store[0] = o.access.spectrum[0];
        check_fused(&o, i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD, more[i].passes);
        argand_array_destroy(kernel);
    }
}

/* Functions of the user's own, with their coordinates, on all sides; in the lines of an axis in two passes.
 */
static void functions(void **state)
{
    (void)state;
    if (is_host()) return;
    own_function = own;
    const argand_accessor mine = {
        .kind = ARGAND_ACCESS_CALL, .parameters = {0.7, 0.25, 0.5}, .source = own_text, .name = "own"};
    argand_fft_options o = {.type = ARGAND_C32,
                            .rank = 2,
                            .n = {10, 9},
                            .batch = 5,
                            .scale = ARGAND_SCALE_UNITARY,
                            .input = {.window = {{7, -3, ARGAND_BORDER_WRAP}, {9, 2}}},
                            .output = {.window = {{6, 8}, {9}}}};
    o.access.load[0] = o.access.store[1] = mine;
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0, 1}};
    check_fused(&o, ARGAND_FORWARD, 1);
    o.access.spectrum[0] = mine;
    check_fused(&o, ARGAND_FORWARD, 1);
    o = (argand_fft_options){
        .type = ARGAND_C32, .rank = 2, .n = {4800, 2}, .output = {.window = {{4000, 9}, {2}}}};
    o.access.load[0] = mine;
    o.access.load[0].parameters[1] = 1e-3;
    o.access.store[0] = o.access.load[0];
    check_fused(&o, ARGAND_FORWARD, 3);
}

/* Memory is asked for ahead from where spans have points: moved, padded. */
static void asked_ahead(void **state)
{
    (void)state;
    if (is_host()) return;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {40, 30}, .batch = 5};
    for (int padded = 0; padded < 2; padded++) {
        int64_t dims[ARGAND_MAX_RANK];
        for (int axis = 0; axis < 2; axis++)
            o.input.window[axis] = (argand_window){padded ? 17 : 0, 7, ARGAND_BORDER_ZERO};
        layout_dims(dims, &o, &o.input);
        argand_array *in = random_array(o.type, 3, dims, 3);
        layout_dims(dims, &o, &o.output);
        argand_array *like = new_array(o.type, 3, dims);
        exact *expected = access_reference(&o, like, in, ARGAND_FORWARD);
        setenv("ARGAND_FFT_TUNING",
               "prefetch_distance 1 prefetch_access 1 separate_axes 1 no_cluster 1 chunk_kib 0", 1);
        argand_fft *plan = new_plan(&o);
        unsetenv("ARGAND_FFT_TUNING");
        check_engine(plan, "fused", "taken");
        check_results(plan, &o, ARGAND_FORWARD, in, expected);
        argand_fft_destroy(plan);
        free(expected);
        argand_array_destroy(in);
        argand_array_destroy(like);
    }
}

static const char broken[] =
    "/* two lines that are right */\n"
    "DEVICE struct pair bend(struct pair v, struct pair mirror, struct access_point at)\n"
    "{ return nowhere; }\n";

static void an_error_has_its_own_line(void **state)
{
    (void)state;
    argand_fft *plan = NULL;
    if (is_host()) return;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {8}};
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_CALL, .source = broken, .name = "bend"};
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_BUILD, "bend");
    assert_null(plan);
    if (!strstr(argand_message(), "bend:3:") && !strstr(argand_message(), "bend(3)"))
        fail_msg("%s", argand_message());
}

enum { KEPT_0 = 16, KEPT_1 = 12, KEPT_BATCH = 3, KEPT_ALL = KEPT_0 * KEPT_1 * KEPT_BATCH };

/* Numbers that a byte can hold, as such and as complex ones. */
static void bytes_and_complex(uint8_t *bytes, float *numbers)
{
    for (int i = 0; i < KEPT_ALL; i++) {
        bytes[i] = (uint8_t)(i * 37 % 251);
        numbers[2 * i] = (float)(i * 37 % 251);
        numbers[2 * i + 1] = 0;
    }
}

/* Their plain transform; free() it. */
static exact *kept_spectrum(argand_array *y, const argand_array *x)
{
    argand_fft *plain = new_plan(
        &(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {KEPT_0, KEPT_1}, .batch = KEPT_BATCH});
    OK(argand_fft_apply(plain, y, x, ARGAND_FORWARD));
    argand_fft_destroy(plain);
    return exact_of(y);
}

/* Bytes to separate parts, and those back to bytes. */
static void bytes_and_parts(void **state)
{
    (void)state;
    if (is_host()) return;
    const int64_t dims[] = {KEPT_0, KEPT_1, KEPT_BATCH, 2};
    float numbers[2 * KEPT_ALL];
    uint8_t bytes[KEPT_ALL], back[KEPT_ALL];
    bytes_and_complex(bytes, numbers);
    argand_array *x = new_array(ARGAND_C32, 3, dims), *y = new_array(ARGAND_C32, 3, dims),
                 *split = new_array(ARGAND_R32, 4, dims), *small = new_array(ARGAND_U8, 3, dims);
    OK(argand_array_upload(x, numbers));
    OK(argand_array_upload(small, bytes));
    exact *expected = kept_spectrum(y, x);
    argand_fft_options o = {.type = ARGAND_C32,
                            .rank = 2,
                            .axes_given = true,
                            .axes = {{KEPT_0, 1, 1}, {KEPT_1, KEPT_0, KEPT_0}},
                            .loops = 1,
                            .loop = {{KEPT_BATCH, KEPT_0 * KEPT_1, KEPT_0 * KEPT_1}},
                            .input = {.type = ARGAND_U8},
                            .output = {.type = ARGAND_R32, .imaginary = KEPT_ALL}};
    argand_fft *apart = new_plan(&o);
    check_engine(apart, "fused", "taken");
    OK(argand_fft_apply(apart, split, small, ARGAND_FORWARD));
    double *parts = as_doubles(split), worst = 0;
    for (int i = 0; i < KEPT_ALL; i++)
        worst = fmax(worst, (double)cabsl(expected[i] - parts[i] - I * (long double)parts[i + KEPT_ALL]));
    CHECK_BELOW(worst, 0.02);
    o.input = o.output;
    o.output = (argand_fft_layout){.type = ARGAND_U8};
    o.scale = ARGAND_SCALE_INVERSE;
    argand_fft *joined = new_plan(&o);
    check_engine(joined, "fused", "taken");
    OK(argand_fft_apply(joined, small, split, ARGAND_INVERSE));
    OK(argand_array_download(small, back));
    assert_memory_equal(back, bytes, sizeof bytes);
    free(expected);
    free(parts);
    argand_fft_destroy(apart);
    argand_fft_destroy(joined);
    argand_array *const arrays[] = {x, y, split, small};
    for (int i = 0; i < 4; i++) argand_array_destroy(arrays[i]);
}

/* To halves, in place, and from them. */
static void half_precision(void **state)
{
    (void)state;
    if (is_host()) return;
    const int64_t dims[] = {KEPT_0, KEPT_1, KEPT_BATCH};
    float numbers[2 * KEPT_ALL];
    uint8_t bytes[KEPT_ALL];
    bytes_and_complex(bytes, numbers);
    argand_array *x = new_array(ARGAND_C32, 3, dims), *y = new_array(ARGAND_C32, 3, dims),
                 *half = new_array(ARGAND_C16, 3, dims);
    OK(argand_array_upload(x, numbers));
    exact *expected = kept_spectrum(y, x);
    argand_fft_options o = {.type = ARGAND_C32,
                            .rank = 2,
                            .n = {KEPT_0, KEPT_1},
                            .batch = KEPT_BATCH,
                            .scale = ARGAND_SCALE_UNITARY};
    o.output.type = ARGAND_C16;
    argand_fft *to_half = new_plan(&o);
    o.input.type = ARGAND_C16;
    argand_fft *halves = new_plan(&o);
    check_engine(to_half, "fused", "taken");
    check_engine(halves, "fused", "taken");
    OK(argand_fft_apply(to_half, half, x, ARGAND_FORWARD));
    OK(argand_fft_apply(halves, half, half, ARGAND_INVERSE)); /* in place */
    o.output.type = ARGAND_C32;
    argand_fft *from_half = new_plan(&o);
    OK(argand_fft_apply(from_half, y, half, ARGAND_FORWARD));
    for (int i = 0; i < KEPT_ALL; i++) expected[i] /= sqrtl(KEPT_0 * KEPT_1);
    CHECK_BELOW(distance(y, expected, 1), 1e-3);
    free(expected);
    argand_fft *const plans[] = {to_half, halves, from_half};
    for (int i = 0; i < 3; i++) argand_fft_destroy(plans[i]);
    argand_array *const arrays[] = {x, y, half};
    for (int i = 0; i < 3; i++) argand_array_destroy(arrays[i]);
}

/* Other strides than the plan's, other kinds of arrays, an image that repeats, in place: compared with the
 * same from contiguous ones. */
static void other_calls(void **state)
{
    (void)state;
    enum { N = 20, B = 4 };
    if (is_host()) return;
    argand_array *x = random_array(ARGAND_C32, 1, (int64_t[]){N}, 12),
                 *wide = new_array(ARGAND_C32, 2, (int64_t[]){2 * B, N}), *view,
                 *maps = random_array(ARGAND_C32, 2, (int64_t[]){N, B}, 13),
                 *reals = random_array(ARGAND_R32, 2, (int64_t[]){N, B}, 14),
                 *y = new_array(ARGAND_C32, 2, (int64_t[]){N, B});
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {N}, .batch = B};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    argand_fft *plan = new_plan(&o);
    check_engine(plan, "fused", "taken");
    OK(argand_array_view(&view, wide, 2, (int64_t[]){N, B}, (int64_t[]){2 * B, 2}, 1));
    for (int kind = 0; kind < 2; kind++) {
        o.access.load[0].array = kind ? reals : maps;
        exact *expected = access_reference(&o, y, x, ARGAND_FORWARD);
        OK(argand_fft_apply_access(plan, view, x, ARGAND_FORWARD, &o.access));
        OK(argand_array_copy(y, view));
        CHECK_BELOW(distance(y, expected, 1), tolerance(ARGAND_C32, N));
        free(expected);
    }
    argand_array *given = random_array(ARGAND_C32, 2, (int64_t[]){N, B}, 15);
    OK(argand_array_copy(view, given));
    exact *expected = access_reference(&o, y, given, ARGAND_FORWARD);
    OK(argand_fft_apply_access(plan, view, view, ARGAND_FORWARD, &o.access));
    OK(argand_array_copy(y, view));
    CHECK_BELOW(distance(y, expected, 1), tolerance(ARGAND_C32, N));
    free(expected);
    argand_fft_destroy(plan);
    argand_array *const arrays[] = {x, wide, view, maps, reals, y, given};
    for (int i = 0; i < 7; i++) argand_array_destroy(arrays[i]);
}

/* What cannot be fused says why, and is done in stages. */
static void staged(void **state)
{
    (void)state;
    if (is_host()) return;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {8, 6}};
    o.output.window[0] = (argand_window){5, 0, ARGAND_BORDER_WRAP};
    argand_fft *plan = new_plan(&o);
    check_engine(plan, "staged", "the output's border adds");
    argand_fft_destroy(plan);
    o.output = (argand_fft_layout){0};
    o.input = (argand_fft_layout){.constant = {1, 2}};
    for (int d = 0; d < 2; d++) o.input.window[d] = (argand_window){5, 1, ARGAND_BORDER_CONSTANT};
    plan = new_plan(&o);
    check_engine(plan, "staged", "a constant border for one axis");
    argand_fft_destroy(plan);
    o = (argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {8}, .batch = 3, .sum = 1};
    plan = new_plan(&o);
    check_engine(plan, "staged", "sum over loops");
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(one_pass, set_up),
    cmocka_unit_test_setup(lines, set_up),
    cmocka_unit_test_setup(volumes, set_up),
    cmocka_unit_test_setup(counted, set_up),
    cmocka_unit_test_setup(volumes_in_two, set_up),
    cmocka_unit_test_setup(spectra, set_up),
    cmocka_unit_test_setup(functions, set_up),
    cmocka_unit_test_setup(asked_ahead, set_up),
    cmocka_unit_test_setup(an_error_has_its_own_line, set_up),
    cmocka_unit_test_setup(bytes_and_parts, set_up),
    cmocka_unit_test_setup(half_precision, set_up),
    cmocka_unit_test_setup(other_calls, set_up),
    cmocka_unit_test_setup(staged, set_up),
};
RUN_TESTS(tests)
