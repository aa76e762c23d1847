/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessors of real transforms inside the passes of our kernels (fft_fused.c has complex ones): compared with
 * the sums, and with the staged engine. */
#include "fused.h"

/* ---- real transforms ---- */

/* Half a spectrum as it is loaded, zeros where the array has nothing. */
static exact *half_loaded(const argand_fft_options *o, const argand_array *in, const truth_shape *half)
{
    exact *x = exact_of(in), *p = calloc((size_t)truth_count(half), sizeof *p);
    truth_shape array = {.rank = half->rank, .dims = half->dims};
    truth_links load = truth_links_of(o->access.load);
    for (int d = 0; d < array.dims; d++) array.n[d] = argand_array_dim(in, d);
    for (int64_t i = 0; i < truth_count(&array); i++) {
        int64_t at[ARGAND_MAX_RANK] = {0}, to[ARGAND_MAX_RANK] = {0};
        truth_place(at, &array, i);
        for (int d = 0; d < array.dims; d++) {
            const int64_t first = d && d < o->rank ? o->output.window[d].first : 0;
            to[d] = ((at[d] + first) % half->n[d] + half->n[d]) % half->n[d];
        }
        p[truth_index(to, half)] = truth_chain(x[i], 0, &load, at);
    }
    truth_links_free(&load);
    free(x);
    return p;
}

/* Point j of the line of reals whose half spectrum this is: the imaginary parts of number 0 and n/2 count as
 * none. */
static long double real_point(const exact *half, int64_t n, int64_t j)
{
    long double sum = creall(half[0]);
    for (int64_t k = 1; 2 * k <= n; k++) {
        const long double angle =
            6.283185307179586476925286766559005768L * (long double)(j * k % n) / (long double)n;
        sum += (2 * k == n ? 1 : 2) *
               (creall(half[k]) * cosl(angle) - cimagl(half[k]) * sinl(angle) * (2 * k < n));
    }
    return sum;
}

/* What complex to real should give, unscaled: by the sums along the other axes, then those of real lines. */
static exact *truth_back(const argand_fft_options *o, const argand_array *out, const argand_array *in)
{
    truth_shape half = {.rank = o->rank, .dims = o->rank + 1}, array = half;
    for (int d = 0; d < half.dims; d++)
        half.n[d] = d == o->rank ? argand_array_dim(in, d) : d ? o->n[d] : o->n[0] / 2 + 1;
    for (int d = 0; d < half.dims; d++) array.n[d] = argand_array_dim(out, d);
    exact *p = half_loaded(o, in, &half), *y = calloc((size_t)truth_count(&array), sizeof *y);
    for (int64_t d = 1, stride = half.n[0]; d < o->rank; stride *= half.n[d++])
        for (int64_t i = 0; i < truth_count(&half); i++)
            if (i / stride % half.n[d] == 0) direct_line(p + i, half.n[d], stride, 1, false);
    truth_links store = truth_links_of(o->access.store);
    for (int64_t i = 0; i < truth_count(&array); i++) {
        int64_t at[ARGAND_MAX_RANK] = {0}, from[ARGAND_MAX_RANK] = {0};
        truth_place(at, &array, i);
        for (int d = 0; d < half.dims; d++) {
            const int64_t n = d < o->rank ? o->n[d] : half.n[d],
                          first = d < o->rank ? o->input.window[d].first : 0;
            from[d] = ((at[d] + first) % n + n) % n;
        }
        const int64_t j = from[0];
        from[0] = 0;
        y[i] = truth_chain(real_point(p + truth_index(from, &half), o->n[0], j), 0, &store, at);
    }
    truth_links_free(&store);
    free(p);
    return y;
}

static void compare_real(argand_fft *plan, const argand_fft_options *o, argand_direction direction,
                         const argand_array *in, argand_array *out, const exact *expected)
{
    double points = 1;
    for (int d = 0; d < o->rank; d++) points *= (double)o->n[d];
    OK(argand_fft_apply(plan, out, in, direction));
    CHECK_BELOW(distance(out, expected, 1), tolerance(complex_of(o->type), points));
}

/* Fused, against the reference and the staged way; forward, back, or through a spectrum. whole: the same, but
 * that a chain at the spectrum has all of it. */
static void check_against(const argand_fft_options *o, const argand_fft_options *whole,
                          argand_direction direction, int passes)
{
    const bool spectrum = o->access.spectrum[0].kind, back = direction == ARGAND_INVERSE;
    int64_t dims[2][ARGAND_MAX_RANK];
    argand_array *ends[2];
    for (int half = 0; half < 2; half++) real_dims(dims[half], o, half);
    if (spectrum) layout_dims(dims[1], o, &o->output);
    ends[0] = random_array(o->type, o->rank + 1, dims[0], 3);
    ends[1] = random_array(spectrum ? o->type : complex_of(o->type), o->rank + 1, dims[1], 4);
    argand_array *in = ends[back], *out = ends[!back];
    exact *expected = back ? truth_back(o, out, in) : access_reference(whole, out, in, direction);
    for (int small = is_cuda(); small >= 0; small--) {
        argand_fft *plan = fused_plan(o, direction, passes, small);
        compare_real(plan, o, direction, in, out, expected);
        argand_fft_destroy(plan);
    }
    setenv("ARGAND_FFT_ENGINE", "staged", 1);
    argand_fft *staged = new_plan(o);
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    check_engine(staged, "staged", "taken");
    compare_real(staged, o, direction, in, out, expected);
    argand_fft_destroy(staged);
    argand_array_destroy(in);
    argand_array_destroy(out);
    free(expected);
}

static void check_real(const argand_fft_options *o, argand_direction direction, int passes)
{
    check_against(o, o, direction, passes);
}

/* Lines of every kind: pairs, odd lengths, by convolutions, too long for a group; chains on both sides,
 * padded and cropped reals, half spectra cut short. */
static void real_lines(void **state)
{
    (void)state;
    static const struct {
        int64_t n, count, first, half;
        argand_border border;
        int batch, passes;
    } cases[] = {{48, 48, 0, 25, ARGAND_BORDER_ZERO, 7, 1},
                 {64, 30, -5, 20, ARGAND_BORDER_ZERO, 3, 1},
                 {60, 25, 50, 31, ARGAND_BORDER_MIRROR, 2, 1},
                 {45, 30, 3, 23, ARGAND_BORDER_CLAMP, 4, 1},
                 {60, 7, 2, 31, ARGAND_BORDER_CONSTANT, 1, 1},
                 {37, 20, 30, 11, ARGAND_BORDER_ZERO, 5, 1},
                 {74, 40, 9, 30, ARGAND_BORDER_WRAP, 3, 1},
                 {8400, 5000, -9, 4000, ARGAND_BORDER_ZERO, 2, 2},
                 {8400, 8400, 0, 4201, 0, 1, 2},
                 {6075, 3000, 70, 2000, ARGAND_BORDER_ZERO, 2, 2},
                 {2, 2, 1, 2, 0, 3, 1},
                 {1, 1, 0, 1, 0, 3, 1}};
    if (is_host()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t n = cases[i].n, half = cases[i].half, batch = cases[i].batch;
        argand_fft_options o = {
            .type = i == 1 && types() > 1 ? ARGAND_R64 : ARGAND_R32, .rank = 1, .n = {n}, .batch = batch};
        argand_array *window = random_array(o.type, 1, &cases[i].count, 8),
                     *maps = random_array(complex_of(o.type), 2, (int64_t[]){half, batch}, 9);
        o.input.window[0] = (argand_window){cases[i].count, cases[i].first, cases[i].border};
        if (cases[i].border == ARGAND_BORDER_CONSTANT) o.input.constant.re = 2.5;
        o.output.window[0].count = half;
        o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
        o.access.load[1] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, 0}};
        o.access.store[0] =
            (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps, .conjugate = true};
        check_real(&o, ARGAND_FORWARD, cases[i].passes);
        const argand_accessor there = o.access.load[0];
        o.input.window[0].border = ARGAND_BORDER_ZERO;
        o.input.constant.re = 0;
        o.access.load[0] = o.access.store[0];
        o.access.store[0] = there;
        check_real(&o, ARGAND_INVERSE, cases[i].passes);
        argand_array_destroy(window);
        argand_array_destroy(maps);
    }
}

/* Padded and cropped volumes of reals; axis 0 keeps its place, first or last. */
static void real_volumes(void **state)
{
    (void)state;
    if (is_host()) return;
    static const int64_t shapes[][3] = {{12, 10, 9}, {9, 8, 5}, {80, 72, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int64_t *n = shapes[i], half = n[0] / 2 - 1;
        const int rank = n[2] > 1 ? 3 : 2;
        const int64_t window_dims[3] = {n[0] - 3, n[1] - 4, 1}, grid_dims[4] = {half, n[1], n[2], 3};
        argand_array *window = random_array(ARGAND_R32, 3, window_dims, 9),
                     *grid = random_array(ARGAND_C32, 4,
                                          rank == 3 ? grid_dims : (int64_t[]){half, n[1], 3, 1}, 10);
        argand_fft_options o = {.type = ARGAND_R32,
                                .rank = rank,
                                .n = {n[0], n[1], n[2]},
                                .batch = 3,
                                .scale = ARGAND_SCALE_UNITARY};
        o.input.window[0] = (argand_window){n[0] - 3, -2, ARGAND_BORDER_MIRROR};
        o.input.window[1] = (argand_window){n[1] - 4, 2, ARGAND_BORDER_ZERO};
        o.output.window[0].count = half;
        o.output.window[1] = (argand_window){n[1], 3, ARGAND_BORDER_ZERO};
        o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
        o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = grid};
        check_real(&o, ARGAND_FORWARD, rank);
        o.scale = ARGAND_SCALE_NONE;
        o.input.window[0].border = ARGAND_BORDER_ZERO;
        o.access.load[0] = o.access.store[0];
        o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
        check_real(&o, ARGAND_INVERSE, rank);
        argand_array_destroy(window);
        argand_array_destroy(grid);
    }
}

/* Complex numbers in single precision. */
static argand_array *array_of(const exact *x, int rank, const int64_t *dims)
{
    argand_array *a = new_array(ARGAND_C32, rank, dims);
    float *numbers = malloc(2 * sizeof *numbers * (size_t)argand_array_count(a));
    for (int64_t i = 0; i < argand_array_count(a); i++) {
        numbers[2 * i] = (float)creall(x[i]);
        numbers[2 * i + 1] = (float)cimagl(x[i]);
    }
    OK(argand_array_upload(a, numbers));
    free(numbers);
    return a;
}

/* The spectrum of random reals, which a convolution of reals has: all of it, and the half that is stored. */
static void random_spectrum(argand_array **whole, argand_array **half, int rank, const int64_t *n)
{
    argand_array *reals = random_array(ARGAND_R32, rank, n, 11);
    const int64_t rows = n[0] / 2 + 1, all = argand_array_count(reals);
    int64_t dims[3] = {rows, n[1], n[2]};
    exact *x = exact_of(reals);
    direct_fft(x, rank, n, 1, -1, false);
    *whole = array_of(x, rank, n);
    for (int64_t i = 0, kept = 0; i < all; i++)
        if (i % n[0] < rows) x[kept++] = x[i];
    *half = array_of(x, rank, dims);
    argand_array_destroy(reals);
    free(x);
}

/* There, a product, and back, as convolutions of reals are. */
static void real_spectra(void **state)
{
    (void)state;
    static const struct {
        int64_t n[3];
        int rank, passes;
    } cases[] = {{{48, 1, 1}, 1, 1}, {{45, 1, 1}, 1, 2}, {{2, 1, 1}, 1, 2},    {{2000, 1, 1}, 1, 1},
                 {{10, 8, 1}, 2, 3}, {{9, 8, 6}, 3, 5},  {{8400, 1, 1}, 1, 4}, {{6, 4608, 1}, 2, 5}};
    if (is_host()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t *n = cases[i].n;
        argand_fft_options o = {.type = ARGAND_R32,
                                .rank = cases[i].rank,
                                .n = {n[0], n[1], n[2]},
                                .batch = 2,
                                .scale = ARGAND_SCALE_INVERSE};
        argand_array *whole, *half;
        random_spectrum(&whole, &half, o.rank, n);
        for (int d = 0; d < o.rank && n[0] > 2; d++) {
            o.input.window[d] =
                (argand_window){n[d] - 3, 1, d == 1 ? ARGAND_BORDER_MIRROR : ARGAND_BORDER_ZERO};
            o.output.window[d] = (argand_window){n[d] - 2, 2, ARGAND_BORDER_ZERO};
        }
        o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = whole};
        const argand_fft_options all = o;
        o.access.spectrum[0].array = half;
        check_against(&o, &all, ARGAND_FORWARD, cases[i].passes);
        argand_array_destroy(whole);
        argand_array_destroy(half);
    }
}

/* Bytes to halves, and parts of arrays that begin at odd elements or have odd rows: compared with the same
 * from plain ones. */
static void real_arrays(void **state)
{
    (void)state;
    enum { N = 24, H = N / 2 + 1, B = 5 };
    if (is_host()) return;
    uint8_t bytes[N * B];
    float numbers[N * B];
    for (int i = 0; i < N * B; i++) numbers[i] = bytes[i] = (uint8_t)(i * 37 % 251);
    argand_array *x = new_array(ARGAND_R32, 2, (int64_t[]){N, B}),
                 *small = new_array(ARGAND_U8, 2, (int64_t[]){N, B}),
                 *y = new_array(ARGAND_C32, 2, (int64_t[]){H, B}),
                 *half = new_array(ARGAND_C16, 2, (int64_t[]){H, B}),
                 *wide = new_array(ARGAND_R32, 1, (int64_t[]){(N + 3) * B}), *odd;
    OK(argand_array_upload(x, numbers));
    OK(argand_array_upload(small, bytes));
    argand_fft_options o = {.type = ARGAND_R32, .rank = 1, .n = {N}, .batch = B};
    argand_fft *plain = new_plan(&o);
    OK(argand_fft_apply(plain, y, x, ARGAND_FORWARD));
    exact *expected = exact_of(y), *scaled = exact_of(y);
    for (int i = 0; i < H * B; i++) scaled[i] /= N;
    o.scale = ARGAND_SCALE_UNITARY;
    o.input.type = ARGAND_U8;
    o.output.type = ARGAND_C16;
    argand_fft *both = new_plan(&o);
    check_engine(both, "fused", "taken");
    OK(argand_fft_apply(both, half, small, ARGAND_FORWARD));
    o = (argand_fft_options){
        .type = ARGAND_R32, .rank = 1, .n = {N}, .batch = B, .scale = ARGAND_SCALE_UNITARY};
    o.output.type = ARGAND_C16;
    argand_fft *back = new_plan(&o);
    check_engine(back, "fused", "taken");
    for (int apart = 0; apart < 2;
         apart++) { /* rows of odd length from an odd element on; of even length from an odd one on */
        OK(argand_array_view(&odd, wide, 2, (int64_t[]){N, B}, (int64_t[]){1, N + 3 - apart}, 1));
        OK(argand_fft_apply(back, odd, half, ARGAND_INVERSE));
        OK(argand_array_copy(x, odd));
        double *got = as_doubles(x), worst = 0;
        for (int i = 0; i < N * B; i++) worst = fmax(worst, fabs(got[i] - numbers[i]));
        CHECK_BELOW(worst, 0.5); /* halves between */
        free(got);
        o.output.type = 0;
        o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 0}};
        argand_fft *there = new_plan(&o);
        check_engine(there, "fused", "taken");
        OK(argand_array_upload(x, numbers));
        OK(argand_array_copy(odd, x));
        OK(argand_fft_apply(there, y, odd, ARGAND_FORWARD));
        CHECK_BELOW(distance(y, expected, 2 / sqrtl(N)), tolerance(ARGAND_C32, N));
        argand_fft_destroy(there);
        argand_array_destroy(odd);
    }
    free(expected);
    free(scaled);
    argand_fft *const plans[] = {plain, both, back};
    for (int i = 0; i < 3; i++) argand_fft_destroy(plans[i]);
    argand_array *const arrays[] = {x, small, y, half, wide};
    for (int i = 0; i < 5; i++) argand_array_destroy(arrays[i]);
}

/* The user's own, on reals at one end and on half a spectrum at the other. */
static void real_functions(void **state)
{
    (void)state;
    if (is_host()) return;
    own_function = own;
    const argand_accessor mine = {
        .kind = ARGAND_ACCESS_CALL, .parameters = {0, 0.25, 0.5}, .source = own_text, .name = "own"};
    argand_fft_options o = {.type = ARGAND_R32,
                            .rank = 2,
                            .n = {10, 9},
                            .batch = 5,
                            .input = {.window = {{7, -3, ARGAND_BORDER_WRAP}, {9, 2}}}};
    o.access.load[0] = o.access.store[0] = mine;
    o.access.store[0].parameters[0] = 0.7;
    check_real(&o, ARGAND_FORWARD, 2);
    o.input.window[0].border = ARGAND_BORDER_ZERO;
    const argand_accessor there = o.access.load[0];
    o.access.load[0] = o.access.store[0];
    o.access.store[0] = there;
    check_real(&o, ARGAND_INVERSE, 2);
}

/* Half a spectrum is multiplied by complex numbers, before the inverse as behind the forward transform: no
 * factors of reals. */
static void complex_scalars(void **state)
{
    (void)state;
    if (is_host()) return;
    const argand_accessor rotate = {.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, -2}};
    argand_fft_options o = {.type = ARGAND_R32, .rank = 1, .n = {48}, .batch = 3};
    o.access.load[0] = rotate;
    check_real(&o, ARGAND_INVERSE, 1);
    o.access.store[0] = rotate;
    o.access.load[0].scalar.im = o.access.store[0].scalar.im = 0;
    check_real(&o, ARGAND_INVERSE, 1);
    o.access.store[0] = rotate;
    check_real(&o, ARGAND_FORWARD, 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(complex_scalars, set_up), cmocka_unit_test_setup(real_lines, set_up),
    cmocka_unit_test_setup(real_volumes, set_up),    cmocka_unit_test_setup(real_spectra, set_up),
    cmocka_unit_test_setup(real_arrays, set_up),     cmocka_unit_test_setup(real_functions, set_up),
};
RUN_TESTS(tests)
