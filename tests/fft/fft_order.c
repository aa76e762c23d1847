/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions, frequencies and mirrors: of permuted orders (kernels/fft_order.h) and of plans. */
#include "direct.h"
#include "kernels/fft_order.h"

static struct fft_order make(int digits, const int *radix, const int64_t *weight, int64_t origin)
{
    struct fft_order order = {.n = 1, .origin = origin, .digits = digits};
    for (int i = 0; i < digits; i++) {
        order.radix[i] = radix[i];
        order.weight[i] = weight[i];
        order.n *= radix[i];
    }
    return order;
}

/* A bijection, whose three functions agree. */
static void check(const struct fft_order *order)
{
    unsigned char *seen = calloc((size_t)order->n, 1);
    for (int64_t position = 0; position < order->n; position++) {
        const int64_t k = fft_order_frequency(order, position), mirror = fft_order_mirror(order, position);
        assert_in_range(k, 0, order->n - 1);
        assert_false(seen[k]);
        seen[k] = 1;
        assert_int_equal(fft_order_position(order, k), position);
        assert_int_equal((fft_order_frequency(order, mirror) + k) % order->n, 0);
        assert_int_equal(fft_order_mirror(order, mirror), position);
    }
    free(seen);
}

static int64_t reversed(int64_t x, int bits)
{
    int64_t y = 0;
    for (int i = 0; i < bits; i++) y |= (x >> i & 1) << (bits - 1 - i);
    return y;
}

/* Radix 2 all the way: bit reversal, and that of all bits but the highest. */
static void powers_of_two(void **state)
{
    (void)state;
    for (int bits = 1; bits <= 12; bits++) {
        int radix[12];
        int64_t weight[12];
        for (int i = 0; i < bits; i++) {
            radix[i] = 2;
            weight[i] = INT64_C(1) << (bits - 1 - i);
        }
        const struct fft_order order = make(bits, radix, weight, 0);
        check(&order);
        for (int64_t i = 0; i < order.n; i++)
            assert_int_equal(fft_order_frequency(&order, i), reversed(i, bits));
        /* Nabla's: bit reversal with the most significant bit where it was */
        for (int i = 0; i < bits; i++) weight[i] = INT64_C(1) << (i == bits - 1 ? i : bits - 2 - i);
        const struct fft_order fixed = make(bits, radix, weight, 0);
        const int64_t top = INT64_C(1) << (bits - 1);
        check(&fixed);
        for (int64_t i = 0; i < fixed.n; i++)
            assert_int_equal(fft_order_frequency(&fixed, i), (i & top) | reversed(i & (top - 1), bits - 1));
    }
}

/* Decimation in frequency by the radices r leaves frequency k at the position whose digits are those of k in
 * reverse: the output of these stages, done here one by one, is the transform in that order. */
static void decimation_in_frequency(void **state)
{
    (void)state;
    enum { N = 60 };
    const int radix[3] = {4, 3, 5};
    exact x[N], y[N], truth[N];
    for (int i = 0; i < N; i++) truth[i] = x[i] = sinl(i) + I * cosl(3 * i);
    int64_t n = N;
    for (int stage = 0; stage < 3; n /= radix[stage++]) {
        const int64_t r = radix[stage], m = n / r;
        for (int64_t block = 0; block < N; block += n)
            for (int64_t j = 0; j < m; j++)
                for (int64_t q = 0; q < r; q++) {
                    exact sum = 0;
                    for (int64_t p = 0; p < r; p++)
                        sum += x[block + j + p * m] * cexpl(-2 * I * 3.14159265358979323846L *
                                                            (long double)(p * q) / (long double)r);
                    y[block + q * m + j] =
                        sum * cexpl(-2 * I * 3.14159265358979323846L * (long double)(q * j) / (long double)n);
                }
        memcpy(x, y, sizeof x);
    }
    direct_line(truth, N, 1, -1, false);
    /* position = q2 + 5 (q1 + 3 q0), k = q0 + 4 (q1 + 3 q2) */
    const struct fft_order order = make(3, (int[]){5, 3, 4}, (int64_t[]){12, 4, 1}, 0);
    check(&order);
    for (int i = 0; i < N; i++)
        CHECK_BELOW((double)cabsl(x[i] - truth[fft_order_frequency(&order, i)]), 1e-15);
}

static void natural(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 17; n++) {
        for (int centred = 0; centred < 2; centred++) {
            const struct fft_order order = {.n = n, .origin = centred ? n / 2 : 0};
            check(&order);
            assert_int_equal(fft_order_position(&order, 0), centred ? n / 2 : 0);
        }
        const int radix = (int)n;
        const struct fft_order digit = make(1, &radix, (int64_t[]){1}, n / 3); /* the same with one digit */
        const struct fft_order none = {.n = n, .origin = n / 3};
        check(&digit);
        for (int64_t i = 0; i < n; i++)
            assert_int_equal(fft_order_frequency(&digit, i), fft_order_frequency(&none, i));
    }
}

/* A wave of frequency k has its one number at argand_fft_position(k), in every order, and -k at the mirror.
 */
static void plans(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        const int64_t n[2] = {15, 8};
        const bool centred = kind & 1;
        argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_C64,
                                                          .rank = 2,
                                                          .n = {15, 8},
                                                          .centred = centred,
                                                          .spectrum_order = kind & 2 ? ARGAND_ORDER_SCRAMBLED
                                                                                     : ARGAND_ORDER_NATURAL});
        argand_array *x = new_array(ARGAND_C64, 2, n), *y = new_array(ARGAND_C64, 2, n);
        const int64_t k[2] = {4, 7};
        double complex wave[15 * 8];
        for (int64_t i = 0; i < 15 * 8; i++) {
            const double turns = (double)(k[0] * (i % 15 - (centred ? 7 : 0))) / 15 +
                                 (double)(k[1] * (i / 15 - (centred ? 4 : 0))) / 8;
            wave[i] = cexp(2 * I * 3.14159265358979323846 * turns);
        }
        OK(argand_array_upload(x, wave));
        OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
        OK(argand_array_download(y, wave));
        const int64_t at[2] = {argand_fft_position(plan, 0, k[0]), argand_fft_position(plan, 1, k[1])};
        CHECK_BELOW(cabs(wave[at[0] + 15 * at[1]] - 120), 1e-11);
        for (int axis = 0; axis < 2; axis++)
            for (int64_t i = 0; i < n[axis]; i++) {
                const int64_t mirror = argand_fft_mirror(plan, axis, i),
                              f = argand_fft_frequency(plan, axis, i);
                assert_int_equal(argand_fft_position(plan, axis, f), i);
                assert_int_equal((argand_fft_frequency(plan, axis, mirror) + f) % n[axis], 0);
                assert_int_equal(
                    argand_fft_signal_position(plan, axis, argand_fft_signal_index(plan, axis, i)), i);
            }
        assert_int_equal(argand_fft_position(plan, 0, 0), centred ? 7 : 0);
        assert_int_equal(argand_fft_frequency(plan, 2, 0), -1);
        assert_int_equal(argand_fft_frequency(plan, 0, 15), -1);
        assert_int_equal(argand_fft_position(plan, 1, -1), -1);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_fft_destroy(plan);
    }
}

/* Half of a real transform's frequencies are stored: 0 and n/2 are their own mirrors. */
static void real_plans(void **state)
{
    (void)state;
    argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_R32, .rank = 2, .n = {8, 5}});
    const int64_t mirrors[6] = {0, -1, -1, -1, 4, -1};
    for (int64_t i = 0; i < 6; i++) {
        assert_int_equal(argand_fft_mirror(plan, 0, i), mirrors[i]);
        assert_int_equal(argand_fft_frequency(plan, 0, i), i < 5 ? i : -1);
    }
    for (int64_t i = 0; i < 5; i++) assert_int_equal(argand_fft_mirror(plan, 1, i), (5 - i) % 5);
    assert_int_equal(argand_fft_signal_index(plan, 0, 7), 7);
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(powers_of_two), cmocka_unit_test(decimation_in_frequency),
    cmocka_unit_test(natural),       cmocka_unit_test(plans),
    cmocka_unit_test(real_plans),
};
RUN_TESTS(tests)
