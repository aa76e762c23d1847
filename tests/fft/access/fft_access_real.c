/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows and chains of real transforms, and what centres a spectrum; fft_access.c has complex ones. */
#include "access_check.h"

/* A fused real convolution is the circular sum, border by mirror. */
static void real_convolution(void **state)
{
    (void)state;
    for (int rank = 1; rank <= 2; rank++)
        for (int odd = 0; odd < 2; odd++) {
            const int64_t n[2] = {10 + odd, 8 + odd}, m[2] = {6, 5}, all = rank == 1 ? n[0] : n[0] * n[1];
            const int64_t half[2] = {n[0] / 2 + 1, n[1]};
            argand_array *kernel = random_array(ARGAND_R64, rank, n, 12),
                         *spectrum = new_array(ARGAND_C64, rank, half),
                         *image = random_array(ARGAND_R64, rank, m, 13),
                         *out = new_array(ARGAND_R64, rank, m);
            argand_fft_options o = {
                .type = ARGAND_R64, .rank = rank, .n = {n[0], n[1]}, .scale = ARGAND_SCALE_INVERSE};
            argand_fft *plan = new_plan(&o);
            OK(argand_fft_apply(plan, spectrum, kernel, ARGAND_FORWARD));
            argand_fft_destroy(plan);
            for (int d = 0; d < rank; d++) {
                o.input.window[d] = (argand_window){m[d], 2, d ? ARGAND_BORDER_ZERO : ARGAND_BORDER_MIRROR};
                o.output.window[d] = (argand_window){m[d], 2, ARGAND_BORDER_ZERO};
            }
            o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = spectrum};
            plan = new_plan(&o);
            OK(argand_fft_apply(plan, out, image, ARGAND_FORWARD));
            double *k = as_doubles(kernel), *x = as_doubles(image), *y = as_doubles(out), worst = 0;
            const int64_t columns = rank == 1 ? 1 : m[1];
            for (int64_t j = 0; j < columns; j++)
                for (int64_t i = 0; i < m[0]; i++) {
                    long double sum = 0;
                    for (int64_t p = 0; p < all; p++) {
                        const int64_t px = p % n[0], py = p / n[0];
                        const int64_t sx = reference_source(o.input.window[0], px, n[0]),
                                      sy = rank == 1 ? 0 : reference_source(o.input.window[1], py, n[1]);
                        const int64_t qx = ((i + 2 - px) % n[0] + n[0]) % n[0],
                                      qy = rank == 1 ? 0 : ((j + 2 - py) % n[1] + n[1]) % n[1];
                        if (sx >= 0 && sy >= 0) sum += (long double)x[sx + sy * m[0]] * k[qx + qy * n[0]];
                    }
                    worst = fmax(worst, fabs((double)sum - y[i + j * m[0]]));
                }
            CHECK_BELOW(worst, 1e-13);
            free(k);
            free(x);
            free(y);
            argand_array *const made[] = {kernel, spectrum, image, out};
            for (int i = 0; i < 4; i++) argand_array_destroy(made[i]);
            argand_fft_destroy(plan);
        }
}

/* Real transforms: a padded signal, a cut spectrum, and back from it. */
static void real_transforms(void **state)
{
    (void)state;
    argand_fft_options o = {
        .type = ARGAND_R64, .rank = 2, .n = {12, 7}, .batch = 2, .input = {.window = {{7, -2}, {5, 1}}}};
    check(&o, ARGAND_FORWARD, 1, (int64_t[]){2}, (int64_t[]){2});
    o.output.window[0].count = 4;
    o.output.window[1] = (argand_window){3, -1, 0};
    check(&o, ARGAND_FORWARD, 1, (int64_t[]){2}, (int64_t[]){2});
    /* a cut half spectrum is one with zeros behind it */
    o = (argand_fft_options){.type = ARGAND_R64, .rank = 2, .n = {12, 7}};
    argand_fft *whole = new_plan(&o);
    o.output.window[0].count = 4;
    o.input.window[0] = (argand_window){5, 3, 0};
    argand_fft *cut = new_plan(&o);
    argand_array *half = new_array(ARGAND_C64, 2, (int64_t[]){7, 7}), *part, *few_points, *x, *y;
    OK(argand_array_part(&part, half, 0, 0, 4));
    few_points = random_array(ARGAND_C64, 2, (int64_t[]){4, 7}, 14);
    OK(argand_array_copy(part, few_points));
    x = new_array(ARGAND_R64, 2, o.n);
    y = new_array(ARGAND_R64, 2, (int64_t[]){5, 7});
    OK(argand_fft_apply(whole, x, half, ARGAND_INVERSE));
    OK(argand_fft_apply(cut, y, few_points, ARGAND_INVERSE));
    double *a = as_doubles(x), *b = as_doubles(y);
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 5; i++) assert_true(fabs(a[(i + 3) % 12 + 12 * j] - b[i + 5 * j]) < 1e-13);
    free(a);
    free(b);
    argand_array *const made[] = {half, part, few_points, x, y};
    for (int i = 0; i < 5; i++) argand_array_destroy(made[i]);
    argand_fft_destroy(whole);
    argand_fft_destroy(cut);
}

/* first = N - N/2 is what fftshift does. */
static void half_shift(void **state)
{
    (void)state;
    for (int64_t n = 7; n <= 8; n++) {
        argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {n}};
        argand_array *x = random_array(ARGAND_C32, 1, &n, 15), *plain = new_array(ARGAND_C32, 1, &n),
                     *shifted = new_array(ARGAND_C32, 1, &n);
        argand_fft *a = new_plan(&o);
        o.output.window[0].first = n - n / 2;
        argand_fft *b = new_plan(&o);
        OK(argand_fft_apply(a, plain, x, ARGAND_FORWARD));
        OK(argand_fft_apply(b, shifted, x, ARGAND_FORWARD));
        double *p = as_doubles(plain), *s = as_doubles(shifted);
        for (int64_t i = 0; i < n; i++) {
            const int64_t k =
                (i + n - n / 2) % n; /* fftshift: the element of frequency 0 goes to floor(n/2) */
            CHECK_BELOW(hypot(s[2 * i] - p[2 * k], s[2 * i + 1] - p[2 * k + 1]), 1e-6);
        }
        free(p);
        free(s);
        argand_array *const made[] = {x, plain, shifted};
        for (int i = 0; i < 3; i++) argand_array_destroy(made[i]);
        argand_fft_destroy(a);
        argand_fft_destroy(b);
    }
}

/* What `centred` does to complex transforms spans do to real ones: reals as complex numbers, centred,
 * compared with half a spectrum whose axis 0 begins at 0. */
static void reals_centred_by_windows(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{8, 6, 2}, {9, 7, 2}, {15, 4, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t *n = sizes[i], half[3] = {n[0] / 2 + 1, n[1], n[2]};
        argand_fft_options o = {.type = ARGAND_R32, .rank = 2, .n = {n[0], n[1]}, .batch = n[2]};
        for (int d = 0; d < 2; d++) o.input.window[d].first = -(n[d] / 2);
        o.output.window[1].first = -(n[1] / 2);
        argand_array *in = new_array(ARGAND_R32, 3, n), *out = new_array(ARGAND_C32, 3, half);
        randomise(in, 5 + i, 0, 0);
        exact *whole = exact_of(in), *wanted = malloc((size_t)argand_array_count(out) * sizeof *wanted);
        direct_fft(whole, 2, n, n[2], -1, true);
        for (int64_t k = 0; k < argand_array_count(out); k++)
            wanted[k] = whole[(k % half[0] + n[0] / 2) % n[0] + k / half[0] * n[0]];
        argand_fft *plan = new_plan(&o);
        OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
        CHECK_BELOW(distance(out, wanted, 1), 4 * fft_tolerance(ARGAND_R32, (double)(n[0] * n[1])));
        free(whole);
        free(wanted);
        argand_fft_destroy(plan);
        argand_array_destroy(in);
        argand_array_destroy(out);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reals_centred_by_windows),
    cmocka_unit_test(real_convolution),
    cmocka_unit_test(real_transforms),
    cmocka_unit_test(half_shift),
};
RUN_TESTS(tests)
