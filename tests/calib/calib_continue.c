/* SPDX-License-Identifier: BSD-3-Clause */
/* Field maps beyond their masks against the solution of the same equations by elimination, in one to three
 * dimensions; large ones by their equations alone; threads; an observer that cancels; memory that lacks. */
#include "harness.h"
#include "calib/field/field.h"

typedef struct map {
    int64_t n[3], count;
    double *values;
    char *mask;
} map;

static map make(int64_t nx, int64_t ny, int64_t nz)
{
    map m = {.n = {nx, ny, nz}, .count = nx * ny * nz};
    m.values = calloc((size_t)m.count, sizeof *m.values);
    m.mask = calloc((size_t)m.count, 1);
    assert_true(m.values && m.mask);
    return m;
}

static void release(map *m)
{
    free(m->values);
    free(m->mask);
}

/* So many of a hundred pixels are known, in clumps or singly. */
static void fill_at_random(map *m, random_state *random, int known)
{
    for (int64_t i = 0; i < m->count; i++) {
        m->mask[i] = 100 * random_uniform(random) < known;
        m->values[i] =
            m->mask[i] ? 2000 * random_uniform(random) - 1000 : 1e6; /* what is masked is no start */
    }
    const int64_t one = (int64_t)(random_uniform(random) * (double)m->count);
    m->mask[one] = 1;
    m->values[one] = 300;
}

/* A ball of smooth values. */
static void fill_ball(map *m)
{
    for (int64_t i = 0; i < m->count; i++) {
        double r = 0, x[3];
        for (int axis = 0; axis < 3; axis++) {
            const int64_t at = axis == 0   ? i % m->n[0]
                               : axis == 1 ? i / m->n[0] % m->n[1]
                                           : i / m->n[0] / m->n[1];
            x[axis] = m->n[axis] > 1 ? 2.0 * (double)at / (double)(m->n[axis] - 1) - 1 : 0;
            r += x[axis] * x[axis];
        }
        m->mask[i] = r < 0.4;
        m->values[i] = m->mask[i] ? 400 * x[0] + 200 * sin(5 * x[1]) - 300 * x[2] * x[0] : 0;
    }
}

static int neighbours(const map *m, int64_t i, int64_t out[6])
{
    int count = 0;
    int64_t stride = 1;
    for (int axis = 0; axis < 3; stride *= m->n[axis++]) {
        const int64_t at = i / stride % m->n[axis];
        if (at > 0) out[count++] = i - stride;
        if (at + 1 < m->n[axis]) out[count++] = i + stride;
    }
    return count;
}

/* The truth: Gaussian elimination over all pixels, in long double. */
static double *eliminate(const map *m)
{
    const int64_t n = m->count;
    long double *a = calloc((size_t)(n * (n + 1)), sizeof *a);
    double *x = calloc((size_t)n, sizeof *x);
    assert_true(a && x);
    for (int64_t i = 0; i < n; i++) {
        int64_t neighbour[6];
        long double *row = a + i * (n + 1);
        const int count = m->mask[i] ? 0 : neighbours(m, i, neighbour);
        row[i] = count ? count : 1;
        for (int k = 0; k < count; k++) row[neighbour[k]] = -1;
        row[n] = m->mask[i] ? m->values[i] : 0;
    }
    for (int64_t p = 0; p < n; p++) /* diagonally dominant: no pivots needed */
        for (int64_t i = p + 1; i < n; i++) {
            const long double factor = a[i * (n + 1) + p] / a[p * (n + 1) + p];
            for (int64_t k = p; k <= n && factor != 0; k++) a[i * (n + 1) + k] -= factor * a[p * (n + 1) + k];
        }
    for (int64_t i = n - 1; i >= 0; i--) {
        long double sum = a[i * (n + 1) + n];
        for (int64_t k = i + 1; k < n; k++) sum -= a[i * (n + 1) + k] * (long double)x[k];
        x[i] = (double)(sum / a[i * (n + 1) + i]);
    }
    free(a);
    return x;
}

/* 1e-5 of the range of the values, as field.h has it. */
static void equals_elimination(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1},   {9, 1, 1},   {1, 64, 1},  {16, 16, 1},
                                       {17, 13, 1}, {31, 2, 1},  {2, 3, 67},  {8, 8, 8},
                                       {7, 9, 5},   {1, 20, 20}, {33, 1, 12}, {64, 8, 1}};
    static const int known[] = {0, 2, 10, 50, 97};
    random_state random = {11};
    double worst = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            map m = make(sizes[s][0], sizes[s][1], sizes[s][2]);
            fill_at_random(&m, &random, known[k]);
            double *truth = eliminate(&m), low = 1e300, high = -1e300;
            for (int64_t i = 0; i < m.count; i++) {
                if (!m.mask[i]) continue;
                low = fmin(low, m.values[i]);
                high = fmax(high, m.values[i]);
            }
            OK(field_continue(m.values, m.mask, m.n, 2));
            for (int64_t i = 0; i < m.count; i++) {
                if (m.mask[i]) assert_true(m.values[i] == truth[i]);
                worst = fmax(worst, fabs(m.values[i] - truth[i]) / fmax(high - low, fabs(high)));
            }
            free(truth);
            release(&m);
        }
    printf("largest error %.2g of the range\n", worst);
    CHECK_BELOW(worst, 1e-5);
}

/* The mean of the neighbours, within the range of what is known; elimination would take too long. */
static void large_ones_are_harmonic(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{300, 200, 1}, {60, 50, 40}, {128, 128, 3}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        map m = make(sizes[s][0], sizes[s][1], sizes[s][2]);
        double low = 1e300, high = -1e300, worst = 0;
        fill_ball(&m);
        for (int64_t i = 0; i < m.count; i++) {
            if (!m.mask[i]) continue;
            low = fmin(low, m.values[i]);
            high = fmax(high, m.values[i]);
        }
        OK(field_continue(m.values, m.mask, m.n, 2));
        for (int64_t i = 0; i < m.count; i++) {
            int64_t neighbour[6];
            const int count = m.mask[i] ? 0 : neighbours(&m, i, neighbour);
            double sum = 0;
            assert_true(m.values[i] >= low - 1e-5 * (high - low) &&
                        m.values[i] <= high + 1e-5 * (high - low));
            for (int k = 0; k < count; k++) sum += m.values[neighbour[k]] - m.values[i];
            worst = fmax(worst, fabs(sum) / (high - low));
        }
        printf("%lld x %lld x %lld: %.2g\n", (long long)m.n[0], (long long)m.n[1], (long long)m.n[2], worst);
        CHECK_BELOW(worst, 1e-5); /* as field.h has it */
        release(&m);
    }
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    map one = make(50, 40, 30), many = make(50, 40, 30);
    fill_ball(&one);
    fill_ball(&many);
    OK(field_continue(one.values, one.mask, one.n, 1));
    OK(field_continue(many.values, many.mask, many.n, 5));
    assert_memory_equal(one.values, many.values, (size_t)one.count * sizeof *one.values);
    release(&one);
    release(&many);
}

typedef struct look {
    int asked, most;
    double last;
} look;

static bool look_on(void *context, const argand_activity *activity)
{
    look *l = context;
    assert_string_equal(activity->stage, "continuing the field map");
    assert_true(activity->fraction >= l->last - 0.2 && activity->fraction <= 1);
    l->last = activity->fraction;
    return ++l->asked != l->most;
}

/* At each question once, then not at all. */
static void can_be_cancelled(void **state)
{
    (void)state;
    map m = make(40, 40, 10);
    const long before = argand_test_live_allocations();
    bool ended = false;
    for (int k = 1; !ended; k++) {
        look l = {.most = k};
        fill_ball(&m);
        argand_observer_set(look_on, &l);
        const argand_status status = field_continue(m.values, m.mask, m.n, 2);
        argand_observer_set(NULL, NULL);
        ended = l.asked < k;
        assert_int_equal(status, ended ? ARGAND_OK : ARGAND_STOPPED);
        if (!ended) assert_non_null(strstr(argand_message(), "cancelled while continuing the field map"));
        assert_int_equal(argand_test_live_allocations(), before);
        if (ended) assert_true(k > 4 && l.last > 0.5);
    }
    release(&m);
}

static void memory_may_lack(void **state)
{
    (void)state;
    map m = make(40, 40, 10);
    const long before = argand_test_live_allocations();
    argand_status status = ARGAND_MEMORY;
    for (long k = 1; status != ARGAND_OK; k++) {
        fill_ball(&m);
        argand_test_fail_allocation(k);
        status = field_continue(m.values, m.mask, m.n, 2);
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        assert_int_equal(argand_test_live_allocations(), before);
    }
    release(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equals_elimination),    cmocka_unit_test(large_ones_are_harmonic),
    cmocka_unit_test(threads_change_no_bit), cmocka_unit_test(can_be_cancelled),
    cmocka_unit_test(memory_may_lack),
};
RUN_TESTS(tests)
