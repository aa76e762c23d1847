/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions, frequencies and mirrors: of permuted orders (kernels/fft/order.h) and of plans. */
#include "fft/direct.h"
#include "kernels/fft/order.h"
#include "reference/fft.h"

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
    exact x[N], y[N], direct[N];
    for (int i = 0; i < N; i++) direct[i] = x[i] = sinl(i) + I * cosl(3 * i);
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
    direct_line(direct, N, 1, -1, false);
    /* position = q2 + 5 (q1 + 3 q0), k = q0 + 4 (q1 + 3 q2) */
    const struct fft_order order = make(3, (int[]){5, 3, 4}, (int64_t[]){12, 4, 1}, 0);
    check(&order);
    for (int i = 0; i < N; i++)
        CHECK_BELOW((double)cabsl(x[i] - direct[fft_order_frequency(&order, i)]), 1e-15);
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

/* A wave of frequency k has its one element at argand_fft_position(k), in every order, and -k at the mirror.
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

typedef struct long_case {
    int64_t n, batch;
    argand_type type;
    bool centred, signal, in_place; /* signal: it is the signal that lies in an order of its own */
} long_case;

/* What x's transforms are, each at its position. */
static exact *reference_at_positions(const argand_fft *plan, const long_case *c, const argand_array *x)
{
    exact *all = exact_of(x), *line = malloc((size_t)c->n * sizeof *line);
    reference_fft *tables = reference_fft_create(c->n);
    assert_non_null(tables);
    for (exact *one = all; one < all + c->batch * c->n; one += c->n) {
        for (int64_t i = 0; i < c->n; i++) line[argand_fft_signal_index(plan, 0, i)] = one[i];
        reference_fft_apply(tables, line, -1);
        for (int64_t i = 0; i < c->n; i++) one[i] = line[argand_fft_frequency(plan, 0, i)];
    }
    reference_fft_destroy(tables);
    free(line);
    return all;
}

static bool has_own_order(const argand_fft *plan, const long_case *c)
{
    for (int64_t i = 0; i < c->n; i++) {
        const int64_t natural = (i - (c->centred ? c->n / 2 : 0) + c->n) % c->n;
        if ((c->signal ? argand_fft_signal_index(plan, 0, i) : argand_fft_frequency(plan, 0, i)) != natural)
            return true;
    }
    return false;
}

static void check_long(const long_case *c)
{
    const argand_fft_order order[2] = {c->signal ? ARGAND_ORDER_SCRAMBLED : ARGAND_ORDER_NATURAL,
                                       c->signal ? ARGAND_ORDER_NATURAL : ARGAND_ORDER_SCRAMBLED};
    const int64_t shape[2] = {c->n, c->batch};
    argand_fft *plan = new_plan(&(argand_fft_options){.type = c->type,
                                                      .rank = 1,
                                                      .n = {c->n},
                                                      .batch = c->batch,
                                                      .centred = c->centred,
                                                      .signal_order = order[0],
                                                      .spectrum_order = order[1]});
    char name[512];
    argand_fft_print(plan, name, sizeof name);
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    /* what a group holds keeps its order, and so does what a cluster of 16 of them would hold */
    const int64_t held = info.capability >= 90 && info.capability < 120 ? 16 * 16384 : 16384;
    if (strstr(name, "(split") || (strstr(name, "(native") && c->n > held && c->n < 1 << 20))
        assert_true(has_own_order(plan, c));
    argand_array *x = new_array(c->type, 2, shape), *y = new_array(c->type, 2, shape);
    randomise(x, (uint64_t)c->n, 0, 0);
    exact *before = exact_of(x), *wanted = reference_at_positions(plan, c, x);
    const double tolerance = fft_tolerance(c->type, (double)c->n);
    argand_array *to = c->in_place ? x : y;
    OK(argand_fft_apply(plan, to, x, ARGAND_FORWARD));
    CHECK_BELOW(distance(to, wanted, 1), tolerance);
    if (!c->in_place) assert_true(distance(x, before, 1) == 0);
    OK(argand_fft_apply(plan, x, to, ARGAND_INVERSE));
    /* the errors of both ways */
    CHECK_BELOW(distance(x, before, (long double)c->n), 2 * tolerance);
    if (!c->in_place) CHECK_BELOW(distance(y, wanted, 1), tolerance);
    free(before);
    free(wanted);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_fft_destroy(plan);
}

/* Lines that no group holds, against the sum in long double, and back. */
static void long_lines(void **state)
{
    (void)state;
    static const long_case cases[] = {{1 << 18, 2, ARGAND_C32, false, false, false},
                                      {1 << 18, 3, ARGAND_C32, true, false, true},
                                      {3 << 16, 2, ARGAND_C64, false, true, false},
                                      {36 * 6000, 1, ARGAND_C32, true, true, true},
                                      {1 << 21, 1, ARGAND_C32, false, false, true}};
    setenv("ARGAND_FFT_ENGINE", "native", 1); /* no choice on hosts; our kernels on every other device */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_long(&cases[i]);
    unsetenv("ARGAND_FFT_ENGINE");
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
    cmocka_unit_test(real_plans),    cmocka_unit_test(long_lines),
};
RUN_TESTS(tests)
