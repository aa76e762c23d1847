/* SPDX-License-Identifier: BSD-3-Clause */
/* Proximal maps against the conditions that define them and against matrices whose singular values are known.
 */
#include "harness.h"
#include "penalty/penalty.h"

static argand_array *new_array(argand_type type, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

static argand_array *numbers; /* one, made by each test */

static double number(void)
{
    double value[1];
    OK(scalars_read(value, numbers));
    return value[0];
}

static double complex at(const double *x, int i)
{
    return CMPLX(x[2 * i], x[2 * i + 1]);
}

/* |v| > t: y = v - t v/|v|; else 0. Over 3 components. */
static void soft_threshold(void **state)
{
    (void)state;
    enum { N = 500, C = 3 };
    const argand_shape shape = {ARGAND_C64, 3, {10, 5, 10}};
    const argand_regularizer tv = {.kind = ARGAND_TV};
    argand_array *x = new_array(ARGAND_C64, 2, (int64_t[]){N, C}),
                 *y = new_array(ARGAND_C64, 2, (int64_t[]){N, C});
    prox *p;
    double sum = 0;
    OK(scalars_create(&numbers, device, 1));
    randomise(x, 1, 0, 0);
    OK(prox_make(&p, &tv, device, &shape, 3));
    OK(p->run(p, y, x, 1.5, &(tally){numbers, 0, 2, false}));
    double *a = as_doubles(x), *b = as_doubles(y);
    for (int n = 0; n < N; n++) {
        double square = 0;
        for (int c = 0; c < C; c++) square += pow(cabs(at(a, n + N * c)), 2);
        const double length = sqrt(square), factor = length > 1.5 ? 1 - 1.5 / length : 0;
        sum += length * factor;
        for (int c = 0; c < C; c++) CHECK_BELOW(cabs(at(b, n + N * c) - factor * at(a, n + N * c)), 1e-14);
    }
    CHECK_BELOW(fabs(number() / (2 * sum) - 1), 1e-13);
    free(a);
    free(b);
    prox_destroy(p);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(numbers);
}

/* The minimiser of |y - v|^2/2 + t psi(|y|) has y - v + t y / sqrt(1 + |y/delta|^2) = 0. */
static void hyperbola(void **state)
{
    (void)state;
    enum { N = 300 };
    const int64_t n = N;
    const argand_shape shape = {ARGAND_C64, 1, {N}};
    const argand_regularizer r = {.kind = ARGAND_HYPERBOLA};
    const double t[3] = {0.01, 1, 3000}, delta[3] = {1e-4, 0.3, 0.02};
    argand_array *x = new_array(ARGAND_C64, 1, &n), *y = new_array(ARGAND_C64, 1, &n);
    prox *p;
    OK(scalars_create(&numbers, device, 1));
    randomise(x, 1, 0, 0);
    OK(prox_make(&p, &r, device, &shape, 1));
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        p->delta = delta[k];
        OK(p->run(p, y, x, t[k], &(tally){numbers, 0, 1, false}));
        double *a = as_doubles(x), *b = as_doubles(y);
        for (int i = 0; i < N; i++) {
            const double q = pow(cabs(at(b, i)) / delta[k], 2);
            sum += delta[k] * delta[k] * (sqrt(1 + q) - 1);
            CHECK_BELOW(cabs(at(b, i) - at(a, i) + t[k] * at(b, i) / sqrt(1 + q)), 1e-12 * cabs(at(a, i)));
        }
        CHECK_BELOW(fabs(number() / sum - 1), 1e-9); /* the sum above loses digits where q is small */
        free(a);
        free(b);
    }
    prox_destroy(p);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(numbers);
}

/* Coefficient by coefficient, through the operator, whose orthogonality another test shows; the coarse corner
 * is kept. */
static void wavelet(void **state)
{
    (void)state;
    const int64_t dims[3] = {19, 16, 2};
    const argand_shape shape = {ARGAND_C64, 3, {19, 16, 2}};
    const argand_regularizer r = {.kind = ARGAND_WAVELET, .wavelet = ARGAND_HAAR, .levels = 2};
    argand_array *x = new_array(ARGAND_C64, 3, dims), *y = new_array(ARGAND_C64, 3, dims),
                 *wx = new_array(ARGAND_C64, 3, dims), *wy = new_array(ARGAND_C64, 3, dims);
    argand_op *op;
    prox *p;
    double sum = 0;
    OK(scalars_create(&numbers, device, 1));
    randomise(x, 1, 0, 0);
    OK(argand_op_wavelet(&op, device, &shape, 2, ARGAND_HAAR, 2));
    OK(prox_make(&p, &r, device, &shape, 2));
    OK(p->run(p, y, x, 0.8, &(tally){numbers, 0, 1, false}));
    OK(argand_op_apply(op, wx, x));
    OK(argand_op_apply(op, wy, y));
    double *a = as_doubles(wx), *b = as_doubles(wy);
    for (int n = 0; n < 19 * 16 * 2; n++) {
        const bool coarse = n % 19 < 5 && n / 19 % 16 < 4; /* 19 -> 10 -> 5, 16 -> 8 -> 4 */
        const double length = cabs(at(a, n)), factor = coarse ? 1 : length > 0.8 ? 1 - 0.8 / length : 0;
        if (!coarse) sum += factor * length;
        CHECK_BELOW(cabs(at(b, n) - factor * at(a, n)), 1e-13);
    }
    CHECK_BELOW(fabs(number() / sum - 1), 1e-13);
    free(a);
    free(b);
    prox_destroy(p);
    argand_op_destroy(op);
    argand_array *const all[] = {x, y, wx, wy, numbers};
    for (int i = 0; i < 5; i++) argand_array_destroy(all[i]);
}

/* With a moving grid the map is the fixed one of a shifted image, and the same for the same seed. */
static void wavelets_move(void **state)
{
    (void)state;
    enum { NX = 18, NY = 11, N = NX * NY };
    const int64_t dims[2] = {NX, NY};
    const argand_shape shape = {ARGAND_C64, 2, {NX, NY}};
    const argand_regularizer r = {.kind = ARGAND_WAVELET, .seed = 7}, fixed = {.kind = ARGAND_WAVELET};
    argand_array *x = new_array(ARGAND_C64, 2, dims), *y = new_array(ARGAND_C64, 2, dims),
                 *again = new_array(ARGAND_C64, 2, dims);
    prox *p, *q, *plain;
    bool found = false, moved = false;
    randomise(x, 1, 0, 0);
    OK(prox_make(&p, &r, device, &shape, 2));
    OK(prox_make(&q, &r, device, &shape, 2));
    OK(prox_make(&plain, &fixed, device, &shape, 2));
    for (int i = 0; i < 3; i++) {
        p->move(p);
        q->move(q);
    }
    OK(p->run(p, y, x, 0.5, NULL));
    OK(q->run(q, again, x, 0.5, NULL));
    double *a = as_doubles(x), *b = as_doubles(y), *c = as_doubles(again);
    assert_memory_equal(b, c, 2 * N * sizeof *b);
    double shifted[2 * N];
    for (int sx = 0; sx < NX && !found; sx++)
        for (int sy = 0; sy < NY && !found; sy++) {
            double difference = 0;
            for (int n = 0; n < 2 * N; n++)
                shifted[2 * ((n / 2 % NX + sx) % NX + NX * ((n / 2 / NX + sy) % NY)) + n % 2] = a[n];
            OK(argand_array_upload(y, shifted));
            OK(plain->run(plain, again, y, 0.5, NULL));
            double *d = as_doubles(again);
            for (int n = 0; n < 2 * N; n++)
                difference +=
                    fabs(b[n] - d[2 * ((n / 2 % NX + sx) % NX + NX * ((n / 2 / NX + sy) % NY)) + n % 2]);
            found = difference < 1e-11;
            moved = found && sx + sy > 0;
            free(d);
        }
    assert_true(found && moved);
    free(a);
    free(b);
    free(c);
    prox_destroy(p);
    prox_destroy(q);
    prox_destroy(plain);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(again);
}

/* Column l of the unitary DFT matrix of size n. */
static double complex fourier(int n, int i, int l)
{
    return cexp(2 * I * 3.14159265358979323846 * i * l / n) / sqrt(n);
}

/* Every block is built from known singular values and Fourier vectors; they must come back smaller by t
 * (sqrt(B) + sqrt(T)). Blocks of 4: the image of 9 x 6 has edges of 1 and 2 pixels, with fewer pixels than
 * frames. */
static void low_rank(void **state)
{
    (void)state;
    enum { NX = 9, NY = 6, T = 7, N = NX * NY };
    const double t = 0.4;
    for (int single = 0; single < 2; single++) {
        const argand_type type = single ? ARGAND_C32 : ARGAND_C64;
        const argand_shape shape = {type, 3, {NX, NY, T}};
        const argand_regularizer r = {.kind = ARGAND_LOW_RANK, .block = 4};
        double complex x[N * T] = {0}, wanted[N * T] = {0};
        double sum = 0;
        for (int by = 0; by < NY; by += 4)
            for (int bx = 0; bx < NX; bx += 4) {
                const int ex = bx + 4 < NX ? 4 : NX - bx, ey = by + 4 < NY ? 4 : NY - by, b = ex * ey;
                const double norm = sqrt(b) + sqrt(T);
                for (int l = 0; l < b && l < T; l++) {
                    const double s = l == 3 ? 0 : 6.0 / (1 + l), left = fmax(0, s - t * norm);
                    sum += norm * left;
                    for (int q = 0; q < b; q++)
                        for (int f = 0; f < T; f++) {
                            const double complex v = fourier(b, q, l) * conj(fourier(T, f, (2 * l) % T));
                            const int n = bx + q % ex + NX * (by + q / ex) + N * f;
                            x[n] += s * v;
                            wanted[n] += left * v;
                        }
                }
            }
        argand_array *full = new_array(ARGAND_C64, 3, shape.dims), *a = new_array(type, 3, shape.dims),
                     *b = new_array(type, 3, shape.dims);
        prox *p;
        OK(scalars_create(&numbers, device, 1));
        OK(argand_array_upload(full, x));
        OK(argand_array_copy(a, full));
        OK(prox_make(&p, &r, device, &shape, 2));
        OK(p->run(p, b, a, t, &(tally){numbers, 0, 1, false}));
        double *y = as_doubles(b);
        CHECK_BELOW(relative_error(y, (double *)wanted, 2 * N * T), single ? 1e-6 : 1e-13);
        CHECK_BELOW(fabs(number() / sum - 1), single ? 1e-6 : 1e-13);
        free(y);
        prox_destroy(p);
        argand_array_destroy(full);
        argand_array_destroy(a);
        argand_array_destroy(b);
        argand_array_destroy(numbers);
    }
}

/* Random 3-D blocks that move, more of them than groups: |x - y| is bounded by what thresholds take, and a
 * threshold of 0 changes nothing but roundings. */
static void low_rank_keeps_all_at_threshold_zero(void **state)
{
    (void)state;
    enum { T = 5, N = 23 * 18 * 13 * T };
    const argand_shape shape = {ARGAND_C64, 4, {23, 18, 13, T}};
    const argand_regularizer r = {.kind = ARGAND_LOW_RANK, .block = 2, .seed = 3};
    argand_array *x = new_array(ARGAND_C64, 4, shape.dims), *y = new_array(ARGAND_C64, 4, shape.dims);
    prox *p;
    randomise(x, 4, 0, 0);
    OK(prox_make(&p, &r, device, &shape, 3));
    for (int i = 0; i < 2; i++) {
        p->move(p);
        OK(p->run(p, y, x, 0, NULL));
        double *a = as_doubles(x), *b = as_doubles(y);
        CHECK_BELOW(relative_error(b, a, 2 * N), 1e-13);
        free(a);
        free(b);
    }
    prox_destroy(p);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(soft_threshold), cmocka_unit_test(hyperbola),
    cmocka_unit_test(wavelet),        cmocka_unit_test(wavelets_move),
    cmocka_unit_test(low_rank),       cmocka_unit_test(low_rank_keeps_all_at_threshold_zero)};
RUN_TESTS(tests)
