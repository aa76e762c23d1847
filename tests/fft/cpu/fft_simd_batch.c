/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines across (src/fft/cpu/simd_batch/simd_batch.h) against sums in long double: every length with factors
 * up to 13 to 220 and some larger, rows and columns and neither on both sides, numbers of lines that fill no
 * group, rotated, scaled, in place, off alignment, both directions, both precisions. What lies between the
 * lines stays. */
#include "fft/direct.h"
#include "fft/cpu/simd_batch/simd_batch.h"

enum { ROWS, COLUMNS, SPACED, LAYOUTS };
static const double CANARY = 1234.5;

typedef struct trial {
    bool is_double, inverse, in_place;
    int64_t n, lines, rotate_in, rotate_out;
    int in, out; /* layouts */
    double factor;
} trial;

/* Numbers from the start of memory to the end of the last line, and where element i of line l is. */
typedef struct place {
    int64_t line, stride, count;
} place;

static place place_of(int layout, int64_t n, int64_t lines)
{
    if (layout == ROWS) return (place){n + 3, 1, lines * (n + 3)};
    if (layout == COLUMNS) return (place){1, lines + 2, n * (lines + 2)};
    return (place){2 * n + 1, 2, lines * (2 * n + 1)};
}

static void put(void *data, bool is_double, int64_t i, double value)
{
    if (is_double)
        ((double *)data)[i] = value;
    else
        ((float *)data)[i] = (float)value;
}

static double get(const void *data, bool is_double, int64_t i)
{
    return is_double ? ((const double *)data)[i] : (double)((const float *)data)[i];
}

/* Memory that begins one real behind a cache line's start, filled with canaries. */
static char *new_memory(void **base, const trial *t, const place *p)
{
    OK(memory_new(base, (size_t)(2 * p->count + 2), 8));
    char *data = (char *)*base + (t->is_double ? 8 : 4);
    for (int64_t i = 0; i < 2 * p->count; i++) put(data, t->is_double, i, CANARY);
    return data;
}

static exact *random_lines(char *data, const trial *t, const place *p)
{
    exact *x = malloc((size_t)(t->n * t->lines) * sizeof *x);
    random_state random = {(uint64_t)(t->n * 31 + t->lines)};
    for (int64_t l = 0; l < t->lines; l++)
        for (int64_t i = 0; i < t->n; i++) {
            const int64_t at = 2 * (l * p->line + i * p->stride);
            put(data, t->is_double, at, random_normal(&random));
            put(data, t->is_double, at + 1, random_normal(&random));
            const int64_t e = (i - t->rotate_in + t->n) % t->n;
            x[l * t->n + e] =
                (long double)get(data, t->is_double, at) + I * (long double)get(data, t->is_double, at + 1);
        }
    return x;
}

/* Numbers that belong to no line. */
static void check_canaries(const char *data, const trial *t, const place *p)
{
    int64_t left = 0;
    for (int64_t i = 0; i < 2 * p->count; i++) left += get(data, t->is_double, i) == CANARY;
    assert_int_equal(left, 2 * (p->count - t->n * t->lines));
}

static double error_of(const char *data, const trial *t, const place *p, const exact *expected)
{
    long double wrong = 0, norm = 0;
    for (int64_t l = 0; l < t->lines; l++)
        for (int64_t i = 0; i < t->n; i++) {
            const int64_t at = 2 * (l * p->line + i * p->stride);
            const exact value = (long double)get(data, t->is_double, at) +
                                I * (long double)get(data, t->is_double, at + 1),
                        wanted = expected[l * t->n + (i - t->rotate_out + t->n) % t->n] * t->factor;
            wrong += creall((value - wanted) * conjl(value - wanted));
            norm += creall(wanted * conjl(wanted));
        }
    return (double)sqrtl(wrong / norm);
}

/* Ways may be asked for any number of lines; simd_batch_run takes them all. */
static void check(const trial *t)
{
    simd_batch plan;
    void *in_base, *out_base = NULL, *work;
    const place in = place_of(t->in, t->n, t->lines), out = place_of(t->out, t->n, t->lines);
    OK(simd_batch_make(&plan, t->is_double, t->n));
    OK(memory_new(&work, simd_batch_work_bytes(&plan), 1));
    char *from = new_memory(&in_base, t, &in), *to = t->in_place ? from : new_memory(&out_base, t, &out);
    exact *expected = random_lines(from, t, &in), *before = random_lines(from, t, &in);
    direct_fft(expected, 1, &t->n, t->lines, t->inverse ? 1 : -1, false);
    simd_batch_run(
        &plan,
        &(line_job){.in = {from, in.line, in.stride, false},
                    .out = {to, out.line, out.stride, false},
                    .lines = t->lines,
                    .inverse = t->inverse,
                    .ops = {.rotate_in = t->rotate_in, .rotate_out = t->rotate_out, .factor = t->factor}},
        work);
    const double u = t->is_double ? 0x1p-53 : 0x1p-24, bits = log2((double)t->n);
    const double error = error_of(to, t, &out, expected), limit = 0.8 * u * sqrt(bits < 2 ? 2 : bits) + u / 2;
    if (!(error <= limit))
        fail_msg("n %lld, %lld lines, layouts %d to %d, rotated %lld %lld, inverse %d, double %d: %g > %g",
                 (long long)t->n, (long long)t->lines, t->in, t->out, (long long)t->rotate_in,
                 (long long)t->rotate_out, t->inverse, t->is_double, error, limit);
    check_canaries(to, t, &out);
    if (!t->in_place) {
        trial same = *t;
        same.rotate_out = t->rotate_in;
        same.factor = 1;
        assert_true(error_of(from, &same, &in, before) == 0); /* the input stays */
        check_canaries(from, t, &in);
    }
    free(before);
    free(expected);
    memory_free(out_base);
    memory_free(in_base);
    memory_free(work);
    simd_batch_release(&plan);
}

/* One of many layouts, numbers of lines and touches, which follow from a number. */
static void check_some(int64_t n, int64_t which)
{
    static const int64_t lines[] = {1, 16, 19, 8, 33, 4, 7, 32, 40};
    const bool centred = which & 1;
    trial t = {.is_double = which >> 1 & 1,
               .inverse = which >> 2 & 1,
               .n = n,
               .lines = lines[which % 9],
               .rotate_in = centred ? n / 2 : 0,
               .rotate_out = centred          ? n / 2
                             : which % 5 == 0 ? n - 1
                                              : 0,
               .in = (int)(which % LAYOUTS),
               .out = (int)(which / 3 % LAYOUTS),
               .factor = which % 7 == 0 ? 0.37 : 1};
    if (t.in == t.out) t.in_place = which >> 3 & 1;
    check(&t);
}

static void every_small_length(void **state)
{
    (void)state;
    for (int64_t n = 1, which = 0; n <= 220; n++)
        for (int repeat = 0; repeat < 7 && simd_batch_can(n); repeat++) check_some(n, which++);
}

static void all_layouts(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 6, 13, 16, 48, 154, 256};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int64_t which = 0; which < 72; which++) check_some(lengths[i], which);
}

static void larger_lengths(void **state)
{
    (void)state;
    static const int64_t lengths[] = {243, 250, 288, 343, 512, 625, 676, 729, 1000, 1001, 1024, 1331};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int64_t which = 0; which < 4; which++) check_some(lengths[i], 11 * (int64_t)i + 5 * which);
}

/* Cells in, cells out. */
static void cells(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int64_t n = 1; n <= 120; n += 7) {
            simd_batch plan;
            void *data, *work;
            if (!simd_batch_can(n)) continue;
            const bool is_double = kind & 1, inverse = kind & 2;
            const int64_t lanes = simd_batch_lanes(is_double);
            OK(simd_batch_make(&plan, is_double, n));
            OK(memory_new(&data, (size_t)n, plan.cell_bytes));
            OK(memory_new(&work, (size_t)n, plan.cell_bytes));
            exact *expected = malloc((size_t)(n * lanes) * sizeof *expected);
            random_state random = {(uint64_t)n};
            for (int64_t i = 0; i < 2 * n * lanes; i++) put(data, is_double, i, random_normal(&random));
            for (int64_t i = 0; i < n * lanes; i++) {
                const int64_t at = 2 * lanes * (i % n) + i / n;
                expected[i] =
                    (long double)get(data, is_double, at) + I * (long double)get(data, is_double, at + lanes);
            }
            direct_fft(expected, 1, &n, lanes, inverse ? 1 : -1, false);
            const void *result = simd_batch_cells(&plan, data, work, inverse);
            long double wrong = 0, norm = 0;
            for (int64_t i = 0; i < n * lanes; i++) {
                const int64_t at = 2 * lanes * (i % n) + i / n;
                const exact d = (long double)get(result, is_double, at) +
                                I * (long double)get(result, is_double, at + lanes) - expected[i];
                wrong += creall(d * conjl(d));
                norm += creall(expected[i] * conjl(expected[i]));
            }
            CHECK_BELOW((double)sqrtl(wrong / norm), is_double ? 4e-16 : 2e-7);
            free(expected);
            memory_free(work);
            memory_free(data);
            simd_batch_release(&plan);
        }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(every_small_length), cmocka_unit_test(all_layouts),
                                          cmocka_unit_test(larger_lengths), cmocka_unit_test(cells)};
RUN_TESTS(tests)
