/* SPDX-License-Identifier: BSD-3-Clause */
/* Single lines with SIMD along them: every length to 4096 that has no prime factor above 13, and longer ones,
 * for every instruction set at hand, against a textbook transform in long double, which is itself held
 * against the sum. */
#include "harness.h"
#include "base/cpu.h"
#include "fft/cpu/simd_single/plan.h"

typedef long double complex exact;

static exact root(int64_t m, int64_t n)
{
    const long double angle =
        2 * 3.141592653589793238462643383279502884L * (long double)(m % n) / (long double)n;
    return cosl(angle) - I * sinl(angle);
}

static int64_t smallest_factor(int64_t n)
{
    int64_t p = 2;
    while (n % p) p++;
    return p;
}

/* to[k] = sum_j from[j stride] w^(j k), by Cooley and Tukey's first step over the smallest prime; w has all
 * `whole` roots. */
static void textbook(exact *to, const exact *from, int64_t n, int64_t stride, const exact *w, int64_t whole)
{
    if (n == 1) {
        *to = *from;
        return;
    }
    const int64_t p = smallest_factor(n), m = n / p;
    for (int64_t r = 0; r < p; r++) textbook(to + r * m, from + r * stride, m, stride * p, w, whole);
    for (int64_t k = 0; k < m; k++) {
        exact part[13];
        for (int64_t q = 0; q < p; q++) {
            part[q] = 0;
            for (int64_t r = 0; r < p; r++) part[q] += to[r * m + k] * w[r * (k + q * m) % n * (whole / n)];
        }
        for (int64_t q = 0; q < p; q++) to[q * m + k] = part[q];
    }
}

static void transform(exact *to, const exact *from, int64_t n)
{
    exact *w = malloc((size_t)n * sizeof *w);
    assert_non_null(w);
    for (int64_t i = 0; i < n; i++) w[i] = root(i, n);
    textbook(to, from, n, 1, w, n);
    free(w);
}

static void textbook_is_the_sum(void **state)
{
    (void)state;
    const int64_t lengths[] = {1, 2, 13, 60, 77, 128, 225};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const int64_t n = lengths[l];
        exact from[225], to[225];
        random_state random = {(uint64_t)n};
        for (int64_t i = 0; i < n; i++)
            from[i] = random_normal(&random) + I * (long double)random_normal(&random);
        transform(to, from, n);
        for (int64_t k = 0; k < n; k++) {
            exact sum = 0;
            for (int64_t j = 0; j < n; j++) sum += from[j] * root(j * k, n);
            CHECK_BELOW((double)cabsl(sum - to[k]), 1e-16 * (double)n);
        }
    }
}

/* One length in one precision: input and reference as the precision has them, and space for results. Several
 * lines where they are short, as the error of a few numbers is chance. */
typedef struct line_case {
    bool is_double;
    int64_t n, lines;
    size_t bytes;
    void *in, *out, *kept;
    exact *from, *expected;
} line_case;

static long double complex number(const line_case *c, const void *data, int64_t i)
{
    return c->is_double ? ((const double *)data)[2 * i] + I * (long double)((const double *)data)[2 * i + 1]
                        : ((const float *)data)[2 * i] + I * (long double)((const float *)data)[2 * i + 1];
}

static void set_number(const line_case *c, void *data, int64_t i, double value)
{
    if (c->is_double)
        ((double *)data)[i] = value;
    else
        ((float *)data)[i] = (float)value;
}

/* Memory is aligned to its numbers, and no more. */
static void begin(line_case *c, bool is_double, int64_t n)
{
    const size_t real = is_double ? sizeof(double) : sizeof(float);
    const int64_t lines = 1 + 512 / n, count = n * lines;
    *c = (line_case){.is_double = is_double, .n = n, .lines = lines, .bytes = 2 * real * (size_t)count};
    c->in = (char *)malloc(c->bytes + 2 * real) + real;
    c->out = (char *)malloc(c->bytes + 2 * real) + real;
    c->kept = malloc(c->bytes);
    c->from = malloc((size_t)count * sizeof *c->from);
    c->expected = malloc((size_t)count * sizeof *c->expected);
    random_state random = {(uint64_t)n};
    for (int64_t i = 0; i < 2 * count; i++) set_number(c, c->in, i, random_normal(&random));
    for (int64_t i = 0; i < count; i++) c->from[i] = number(c, c->in, i);
    memcpy(c->kept, c->in, c->bytes);
    for (int64_t i = 0; i < lines; i++) transform(c->expected + i * n, c->from + i * n, n);
}

static void end(line_case *c)
{
    const size_t real = c->is_double ? sizeof(double) : sizeof(float);
    free((char *)c->in - real);
    free((char *)c->out - real);
    free(c->kept);
    free(c->from);
    free(c->expected);
}

/* |data - factor reference| / |factor reference|; an inverse transform has the forward one's values in
 * opposite places. */
static double error(const line_case *c, const void *data, int inverse, long double factor)
{
    long double wrong = 0, norm = 0;
    for (int64_t i = 0; i < c->n * c->lines; i++) {
        const int64_t k = i % c->n;
        const exact t = factor * c->expected[inverse && k ? i - k + c->n - k : i], d = number(c, data, i) - t;
        wrong += creall(d) * creall(d) + cimagl(d) * cimagl(d);
        norm += creall(t) * creall(t) + cimagl(t) * cimagl(t);
    }
    return (double)sqrtl(wrong / norm);
}

/* Rounding adds up as a walk over log2 n levels of sums (Gentleman and Sande 1966): 0.8 u sqrt(log2 n) is
 * what good twiddles give with a margin. A factor rounds once more. */
static double bound(const line_case *c)
{
    return (c->is_double ? 0x1p-53 : 0x1p-24) * 0.8 * sqrt(c->n > 2 ? log2((double)c->n) : 1);
}

static void run(const line_case *c, const simd_single *w, void *out, const void *in, void *work, int inverse,
                double factor)
{
    const size_t line = c->bytes / (size_t)c->lines;
    for (size_t i = 0; i < (size_t)c->lines; i++)
        simd_single_run(w, (char *)out + i * line, (const char *)in + i * line, work, inverse, factor);
}

static void check_direction(const line_case *c, const simd_single *w, void *work, int inverse)
{
    const double factors[] = {1, 0.37};
    for (int f = 0; f < 2; f++) {
        run(c, w, c->out, c->in, work, inverse, factors[f]);
        if (memcmp(c->in, c->kept, c->bytes)) fail_msg("n = %lld: the input changed", (long long)c->n);
        const double exact_factor = c->is_double ? factors[f] : (double)(float)factors[f];
        const double e = error(c, c->out, inverse, (long double)exact_factor);
        if (!(e <= bound(c) + (f ? (c->is_double ? 0x1p-54 : 0x1p-25) : 0)))
            fail_msg("n = %lld, %s, inverse %d, factor %g: error %.3g, bound %.3g", (long long)c->n,
                     c->is_double ? "double" : "single", inverse, factors[f], e, bound(c));
        run(c, w, c->in, c->in, work, inverse, factors[f]);
        if (memcmp(c->in, c->out, c->bytes)) fail_msg("n = %lld: in place differs", (long long)c->n);
        memcpy(c->in, c->kept, c->bytes);
    }
}

enum { MOST_MOVED = 1024 };

/* Exchanges the halves of every line. */
static void exchange_halves(const line_case *c, char *data)
{
    const size_t half = c->bytes / (size_t)c->lines / 2;
    char *kept = malloc(half);
    assert_non_null(kept);
    for (int64_t i = 0; i < c->lines; i++, data += 2 * half) {
        memcpy(kept, data, half);
        memcpy(data, data + half, half);
        memcpy(data + half, kept, half);
    }
    free(kept);
}

/* Lines that stand half a line later, at one end or at both */
static void check_moved(const line_case *c, const simd_single *w, void *work, int inverse)
{
    const int64_t step = (int64_t)c->bytes / c->lines;
    for (int ends = 1; ends < 4; ends++) {
        const simd_single_lines lines = {.count = c->lines,
                                         .out_step = step,
                                         .in_step = step,
                                         .rotate_in = ends & 1 ? c->n / 2 : 0,
                                         .rotate_out = ends & 2 ? c->n / 2 : 0};
        if (ends & 1) exchange_halves(c, c->in);
        simd_single_run_lines(w, c->out, c->in, work, inverse, 1, &lines);
        if (ends & 2) exchange_halves(c, c->out);
        const double e = error(c, c->out, inverse, 1);
        if (!(e <= bound(c)))
            fail_msg("n = %lld, %s, inverse %d, moved at ends %d: error %.3g, bound %.3g", (long long)c->n,
                     c->is_double ? "double" : "single", inverse, ends, e, bound(c));
        memcpy(c->in, c->kept, c->bytes);
    }
}

/* Both ways: in vectors of pairs, and as lines that are rotated or multiplied go. */
static void check_level(const line_case *c)
{
    simd_single *w;
    void *work;
    OK(simd_single_make(&w, c->is_double, c->n));
    OK(memory_take(&work, simd_single_work_bytes(w)));
    memset(work, 0xff, simd_single_work_bytes(w)); /* not a number, if it comes to be used */
    for (int inverse = 0; inverse < 2; inverse++) {
        check_direction(c, w, work, inverse);
        if (c->n % 2 == 0 && c->n <= MOST_MOVED && simd_single_rotates(w)) check_moved(c, w, work, inverse);
    }
    simd_single_paired_release(w->paired);
    w->paired = NULL;
    for (int inverse = 0; inverse < 2; inverse++) check_direction(c, w, work, inverse);
    memory_free(work);
    simd_single_release(w);
}

static void check(int64_t n)
{
    for (int is_double = 0; is_double < 2; is_double++) {
        line_case c;
        begin(&c, is_double, n);
        unsetenv("ARGAND_CPU");
        const cpu_level best = cpu_best();
        for (cpu_level level = CPU_BASELINE; level <= best; level++) {
            if (!cpu_has(level)) continue;
            setenv("ARGAND_CPU", cpu_level_name(level), 1);
            check_level(&c);
        }
        unsetenv("ARGAND_CPU");
        end(&c);
    }
}

static void every_length(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 4096; n++)
        if (simd_single_can(n)) check(n);
}

static void long_lengths(void **state)
{
    (void)state;
    const int64_t lengths[] = {8192,  10000,  14641,  28561,  30030,  46656,
                               65536, 100000, 131072, 177147, 1 << 20};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check(lengths[i]);
}

enum { MOST_LINES = 9, MOST_N = 130, GAP = 5, MARGIN = 8 };

/* Lines with gaps between them, and a margin around: `bytes` of numbers, all of them random. */
static void *scattered(const line_case *c, uint64_t seed, size_t *bytes)
{
    const int64_t count = MARGIN + MOST_LINES * (c->n + GAP) + MARGIN;
    *bytes = (size_t)(2 * count) * (c->is_double ? 8 : 4);
    char *data = malloc(*bytes);
    random_state random = {seed};
    assert_non_null(data);
    for (int64_t i = 0; i < 2 * count; i++) set_number(c, data, i, random_normal(&random));
    return data;
}

/* The same bits as one by one, in place and not, and nothing else is written. */
static void check_several(const line_case *c, const simd_single *w, int64_t count, int inverse, double factor)
{
    const size_t number = c->is_double ? 16 : 8, step = (size_t)(c->n + GAP) * number,
                 first = MARGIN * number;
    const simd_single_lines lines = {.count = count, .out_step = (int64_t)step, .in_step = (int64_t)step};
    size_t bytes;
    char *in = scattered(c, 1, &bytes), *out = scattered(c, 2, &bytes), *wanted = scattered(c, 2, &bytes),
         *place = scattered(c, 1, &bytes), *work = malloc(simd_single_work_bytes(w) + 1);
    for (int64_t i = 0; i < count; i++)
        simd_single_run(w, wanted + first + (size_t)i * step, in + first + (size_t)i * step, work, inverse,
                        factor);
    simd_single_run_lines(w, out + first, in + first, work, inverse, factor, &lines);
    if (memcmp(out, wanted, bytes))
        fail_msg("%lld lines of %lld: not as one by one", (long long)count, (long long)c->n);
    simd_single_run_lines(w, place + first, place + first, work, inverse, factor, &lines);
    for (int64_t i = 0; i < count; i++)
        memcpy(in + first + (size_t)i * step, wanted + first + (size_t)i * step, (size_t)c->n * number);
    if (memcmp(place, in, bytes)) fail_msg("%lld lines of %lld: in place", (long long)count, (long long)c->n);
    free(in), free(out), free(wanted), free(place), free(work);
}

static void check_counts(const line_case *c, bool pack)
{
    simd_single *w;
    OK(simd_single_make(&w, c->is_double, c->n));
    if (pack) simd_single_pack(w);
    for (int64_t count = 1; count <= MOST_LINES; count++)
        for (int inverse = 0; inverse < 2; inverse++)
            check_several(c, w, count, inverse, count % 2 ? 1 : 0.37);
    simd_single_release(w);
}

static void several_are_as_one_by_one(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= MOST_N; n++)
        for (int is_double = 0; is_double < 2 && simd_single_can(n); is_double++) {
            const line_case c = {.is_double = is_double, .n = n};
            unsetenv("ARGAND_CPU");
            const cpu_level best = cpu_best();
            for (cpu_level level = CPU_BASELINE; level <= best; level++) {
                if (!cpu_has(level)) continue;
                setenv("ARGAND_CPU", cpu_level_name(level), 1);
                check_counts(&c, false);
                if (simd_single_packed_lines(is_double, n) > 1) check_counts(&c, true);
            }
            unsetenv("ARGAND_CPU");
        }
}

/* Which lines those are is known when they are chosen. */
static void several_are_known(void **state)
{
    (void)state;
    const cpu_level best = cpu_best();
    assert_int_equal(simd_single_packed_lines(false, 48), best == CPU_AVX512 ? 4 : best == CPU_AVX2 ? 2 : 1);
    assert_int_equal(simd_single_packed_lines(true, 48), 1);
    assert_int_equal(simd_single_packed_lines(false, 128), 1);
    assert_int_equal(simd_single_packed_lines(false, 50), 1);
}

static void other_lengths_are_refused(void **state)
{
    (void)state;
    simd_single *w;
    const int64_t wrong[] = {-4, 0, 17, 34, 13 * 17 * 2};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(simd_single_can(wrong[i]));
        FAILS(simd_single_make(&w, false, wrong[i]), ARGAND_INTERNAL, "prime factor");
        assert_null(w);
    }
}

static void failing_allocations_leave_nothing(void **state)
{
    (void)state;
    const long before = argand_test_live_allocations();
    for (long i = 1;; i++) {
        simd_single *w;
        argand_test_fail_allocation(i);
        const argand_status status = simd_single_make(&w, true, 4096);
        argand_test_fail_allocation(0);
        simd_single_release(w);
        assert_int_equal(argand_test_live_allocations(), before);
        if (status == ARGAND_OK) break;
        assert_int_equal(status, ARGAND_MEMORY);
        assert_true(i < 20);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(textbook_is_the_sum),
                                          cmocka_unit_test(every_length),
                                          cmocka_unit_test(long_lengths),
                                          cmocka_unit_test(several_are_as_one_by_one),
                                          cmocka_unit_test(several_are_known),
                                          cmocka_unit_test(other_lengths_are_refused),
                                          cmocka_unit_test(failing_allocations_leave_nothing)};
RUN_TESTS(tests)
