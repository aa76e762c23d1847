/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows from the definition alone, for transforms that are too large for a reference (benchFFT's
 * verify mode): an impulse becomes a wave, sums become sums, a shift in one domain is a phase in the other,
 * along each axis and in both directions. ARGAND_TEST_LARGE=1: up to 2^26 points. */
#include "harness.h"
#include "reference/error_metrics.h"

typedef struct problem {
    int rank;
    int64_t n[4], points;
    argand_type type;
    argand_direction direction;
    argand_fft *plan;
    argand_array *in, *out;
    double limit; /* relative l2: four transforms' worth of the promised error, as up to three are compared */
} problem;

static int64_t largest_bound_length(const problem *p)
{
    for (int d = 0; d < p->rank; d++)
        if (reference_fft_largest_prime(p->n[d]) > 13) return p->n[d];
    return 0;
}

static problem make_problem(const int64_t *n, int rank, argand_type type, argand_direction direction)
{
    problem p = {.rank = rank, .points = 1, .type = type, .direction = direction};
    argand_fft_options options = {.type = type, .rank = rank};
    for (int d = 0; d < rank; d++) {
        options.n[d] = p.n[d] = n[d];
        p.points *= n[d];
    }
    OK(argand_fft_create(&p.plan, device, &options));
    OK(argand_array_create(&p.in, device, type, rank, n));
    OK(argand_array_create(&p.out, device, type, rank, n));
    const double bound = largest_bound_length(&p) ? 2 * sqrt(log2(4 * (double)p.points))
                                                  : 0.8 * sqrt(log2((double)p.points + 1));
    p.limit = 4 * (bound + 1) * fft_error_metrics_unit(type == ARGAND_C64);
    return p;
}

static void free_problem(problem *p)
{
    argand_fft_destroy(p->plan);
    argand_array_destroy(p->in);
    argand_array_destroy(p->out);
}

/* Numbers as the array holds them: rounded to its precision. */
static double *new_numbers(const problem *p)
{
    double *x = calloc((size_t)(2 * p->points), sizeof *x);
    assert_non_null(x);
    return x;
}

static double rounded(const problem *p, double x)
{
    return p->type == ARGAND_C32 ? (double)(float)x : x;
}

static double *random_numbers(const problem *p, uint64_t seed)
{
    random_state r = {seed};
    double *x = new_numbers(p);
    for (int64_t i = 0; i < 2 * p->points; i++) x[i] = rounded(p, random_uniform(&r) - 0.5);
    return x;
}

static uint64_t checksum(const argand_array *array)
{
    double *numbers = as_doubles(array);
    uint64_t sum = 0, bits;
    for (int64_t i = 0; i < 2 * argand_array_count(array); i++) {
        memcpy(&bits, &numbers[i], sizeof bits);
        sum = (sum ^ bits) * UINT64_C(0x100000001b3);
    }
    free(numbers);
    return sum;
}

/* F x; the input must stay as it is. */
static double *transform(const problem *p, const double *x)
{
    if (p->type == ARGAND_C64) {
        OK(argand_array_upload(p->in, x));
    } else {
        float *single = malloc((size_t)(2 * p->points) * sizeof *single);
        assert_non_null(single);
        for (int64_t i = 0; i < 2 * p->points; i++) single[i] = (float)x[i];
        OK(argand_array_upload(p->in, single));
        free(single);
    }
    const uint64_t before = checksum(p->in);
    OK(argand_fft_apply(p->plan, p->out, p->in, p->direction));
    assert_true(checksum(p->in) == before);
    return as_doubles(p->out);
}

static void check_equal(const problem *p, const double *got, const double *wanted, const char *what)
{
    const double error = relative_error(got, wanted, (size_t)(2 * p->points));
    char name[200];
    if (error <= p->limit) return;
    argand_fft_print(p->plan, name, sizeof name);
    fail_msg("%s, direction %d: %g, more than %g: %s", what, (int)p->direction, error, p->limit, name);
}

/* exp(sign 2 pi i j / n) for all j */
static double complex *waves(int64_t n, int sign)
{
    double complex *w = malloc((size_t)n * sizeof *w);
    assert_non_null(w);
    for (int64_t j = 0; j < n; j++) {
        const double turns = 6.283185307179586476925 * (double)j / (double)n;
        w[j] = CMPLX(cos(turns), sign * sin(turns));
    }
    return w;
}

/* x times wave[j k_d]; or where `from` is given, x = from times it */
static void times_wave(const problem *p, double *x, const double *from, int axis, int64_t j, int sign)
{
    const int64_t n = p->n[axis];
    double complex *w = waves(n, sign);
    int64_t stride = 1;
    for (int d = 0; d < axis; d++) stride *= p->n[d];
    for (int64_t i = 0; i < p->points; i++) {
        const double complex phase = w[i / stride % n * j % n];
        const double re = from[2 * i], im = from[2 * i + 1];
        x[2 * i] = re * creal(phase) - im * cimag(phase);
        x[2 * i + 1] = re * cimag(phase) + im * creal(phase);
    }
    free(w);
}

/* y[i] = x[i + by] along an axis, cyclically */
static void shift(const problem *p, double *y, const double *x, int axis, int64_t by)
{
    const int64_t n = p->n[axis];
    int64_t stride = 1;
    for (int d = 0; d < axis; d++) stride *= p->n[d];
    for (int64_t i = 0; i < p->points; i++) {
        const int64_t at = i / stride % n, from = i + ((at + by) % n - at) * stride;
        y[2 * i] = x[2 * from];
        y[2 * i + 1] = x[2 * from + 1];
    }
}

static void impulse(const problem *p, random_state *r)
{
    double *x = new_numbers(p), *wanted = new_numbers(p);
    int64_t at = 0, stride = 1;
    for (int64_t i = 0; i < p->points; i++) wanted[2 * i] = 1;
    for (int d = 0; d < p->rank; d++) {
        const int64_t j = (int64_t)(random_uniform(r) * (double)p->n[d]);
        at += j * stride;
        stride *= p->n[d];
        times_wave(p, wanted, wanted, d, j, p->direction);
    }
    x[2 * at] = 1;
    double *got = transform(p, x);
    check_equal(p, got, wanted, "impulse");
    free(x);
    free(got);
    free(wanted);
}

static void linearity(const problem *p, const double *x, const double *fx)
{
    double *y = random_numbers(p, 77), *fy = transform(p, y);
    for (int64_t i = 0; i < 2 * p->points; i++) {
        y[i] = rounded(p, 0.75 * x[i] - 1.5 * y[i]);
        fy[i] = 0.75 * fx[i] - 1.5 * fy[i];
    }
    double *got = transform(p, y);
    check_equal(p, got, fy, "sum");
    free(got);
    free(y);
    free(fy);
}

static void shifts(const problem *p, const double *x, const double *fx, int axis, random_state *r)
{
    const int64_t by = (int64_t)(random_uniform(r) * (double)p->n[axis]);
    double *y = new_numbers(p), *wanted = new_numbers(p);
    shift(p, y, x, axis, by);
    times_wave(p, wanted, fx, axis, by, -(int)p->direction);
    double *got = transform(p, y);
    check_equal(p, got, wanted, "shifted input");
    free(got);
    times_wave(p, y, x, axis, by, p->direction);
    for (int64_t i = 0; i < 2 * p->points; i++) y[i] = rounded(p, y[i]);
    shift(p, wanted, fx, axis, by);
    got = transform(p, y);
    check_equal(p, got, wanted, "input times a wave");
    free(got);
    free(y);
    free(wanted);
}

static void check_problem(const int64_t *n, int rank, argand_type type, argand_direction direction)
{
    random_state r = {(uint64_t)n[0]};
    problem p = make_problem(n, rank, type, direction);
    double *x = random_numbers(&p, 5), *fx = transform(&p, x), *again = transform(&p, x),
           *third = transform(&p, x);
    assert_memory_equal(fx, again, (size_t)(2 * p.points) * sizeof *fx);
    assert_memory_equal(fx, third, (size_t)(2 * p.points) * sizeof *fx);
    free(again);
    free(third);
    impulse(&p, &r);
    linearity(&p, x, fx);
    for (int axis = 0; axis < rank; axis++) shifts(&p, x, fx, axis, &r);
    free(x);
    free(fx);
    free_problem(&p);
}

typedef struct size {
    int64_t n[4];
    bool on_devices; /* one of those that are worth compiling kernels for */
} size;

static int rank_of(const size *s)
{
    int rank = 1;
    while (rank < 4 && s->n[rank]) rank++;
    return rank;
}

static bool is_wanted(const size *s)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable || s->on_devices || getenv("ARGAND_TEST_ALL");
}

static void check_all(const size *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int kind = 0; kind < 2 && is_wanted(&sizes[i]); kind++)
            check_problem(sizes[i].n, rank_of(&sizes[i]), (i + (size_t)kind) % 2 ? ARGAND_C64 : ARGAND_C32,
                          kind ? ARGAND_INVERSE : ARGAND_FORWARD);
}

static void lines(void **state)
{
    (void)state;
    static const size sizes[] = {{{8192}, true},    {{16384}, false},  {{30030}, true},   {{32768}, false},
                                 {{46656}, false},  {{65536}, true},   {{65537}, false},  {{99991}, true},
                                 {{100000}, false}, {{131072}, false}, {{177147}, false}, {{262144}, false},
                                 {{1 << 20}, true}};
    check_all(sizes, sizeof sizes / sizeof *sizes);
}

static void several_axes(void **state)
{
    (void)state;
    static const size sizes[] = {{{256, 256}, true},     {{1000, 100}, false},  {{127, 509}, false},
                                 {{4, 65536}, false},    {{65536, 3}, false},   {{64, 64, 64}, true},
                                 {{100, 90, 21}, false}, {{37, 41, 43}, false}, {{16, 15, 14, 13}, true}};
    check_all(sizes, sizeof sizes / sizeof *sizes);
}

static void large(void **state)
{
    (void)state;
    static const size sizes[] = {{{1 << 22}, true},       {{10077696}, true},      {{1000003}, true},
                                 {{1 << 24}, true},       {{1 << 26}, true},       {{4096, 4096}, true},
                                 {{8192, 8192}, true},    {{256, 256, 256}, true}, {{400, 400, 400}, true},
                                 {{64, 64, 64, 64}, true}};
    if (!getenv("ARGAND_TEST_LARGE")) skip();
    check_all(sizes, sizeof sizes / sizeof *sizes);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(several_axes),
                                          cmocka_unit_test(large)};
RUN_TESTS(tests)
