/* SPDX-License-Identifier: BSD-3-Clause */
/* Real transforms in place: one piece of memory, wrapped as reals with padded rows and as complex numbers.
 * Against sums in long double, both directions, in 1 to 3 dimensions; what lies between the rows stays. */
#include "fft/direct.h"

typedef struct shape {
    int rank;
    int64_t n[3], batch, extra; /* extra: complex numbers between rows */
} shape;

static const shape shapes[] = {
    {1, {16}, 1, 0},      {1, {15}, 1, 0},      {1, {64}, 5, 0},        {1, {63}, 37, 2},
    {1, {509}, 19, 1},    {1, {1000}, 3, 0},    {1, {2}, 9, 0},         {1, {1}, 4, 1},
    {2, {12, 10}, 1, 0},  {2, {13, 7}, 3, 0},   {2, {17, 31}, 2, 1},    {2, {64, 64}, 20, 0},
    {3, {8, 6, 5}, 1, 0}, {3, {9, 4, 3}, 4, 2}, {3, {32, 16, 8}, 2, 0}, {2, {256, 3}, 40, 0},
    {1, {4098}, 2, 0},    {1, {65536}, 1, 0},
};

typedef struct memory {
    char *host;
    argand_array *real, *spectrum;
    int64_t row, rows; /* complex numbers from row to row; rows */
} memory;

static int64_t rows_of(const shape *s)
{
    int64_t rows = s->batch;
    for (int axis = 1; axis < s->rank; axis++) rows *= s->n[axis];
    return rows;
}

/* Two wraps of the same bytes, for the cpu; memory of a device cannot be wrapped from here. */
static memory make_memory(const shape *s, bool is_double)
{
    const int64_t half = s->n[0] / 2 + 1, rows = rows_of(s), row = half + s->extra;
    const size_t size = is_double ? 16 : 8;
    memory m = {.row = row, .rows = rows, .host = malloc((size_t)(row * rows) * size)};
    int64_t real_dims[4] = {s->n[0]}, dims[4] = {half}, real_strides[4] = {1}, strides[4] = {1}, stride = row;
    for (int axis = 1; axis <= s->rank; axis++) {
        real_dims[axis] = dims[axis] = axis < s->rank ? s->n[axis] : s->batch;
        strides[axis] = stride;
        real_strides[axis] = 2 * stride;
        stride *= dims[axis];
    }
    random_state state = {7};
    for (int64_t i = 0; i < 2 * row * rows; i++) {
        const double x = random_uniform(&state) - 0.5;
        if (is_double)
            ((double *)(void *)m.host)[i] = x;
        else
            ((float *)(void *)m.host)[i] = (float)x;
    }
    OK(argand_array_wrap(&m.real, device, is_double ? ARGAND_R64 : ARGAND_R32, s->rank + 1, real_dims,
                         real_strides, m.host));
    OK(argand_array_wrap(&m.spectrum, device, is_double ? ARGAND_C64 : ARGAND_C32, s->rank + 1, dims, strides,
                         m.host));
    return m;
}

static void free_memory(memory *m)
{
    argand_array_destroy(m->spectrum);
    argand_array_destroy(m->real);
    free(m->host);
}

static argand_array *apart(const argand_array *a)
{
    int64_t dims[ARGAND_MAX_RANK];
    argand_array *copy;
    for (int axis = 0; axis < argand_array_rank(a); axis++) dims[axis] = argand_array_dim(a, axis);
    copy = new_array(argand_array_type(a), argand_array_rank(a), dims);
    OK(argand_array_copy(copy, a));
    return copy;
}

static argand_fft *plan_for(const shape *s, bool is_double, bool axes, const memory *m)
{
    argand_fft_options options = {.type = is_double ? ARGAND_R64 : ARGAND_R32,
                                  .rank = s->rank,
                                  .batch = s->batch,
                                  .scale = ARGAND_SCALE_INVERSE};
    int64_t stride = m->row;
    for (int axis = 0; axis < s->rank; axis++) options.n[axis] = s->n[axis];
    if (!axes) return new_plan(&options);
    options.axes_given = true;
    options.axes[0] = (argand_axis){s->n[0], 1, 1};
    for (int axis = 1; axis < s->rank; stride *= s->n[axis++])
        options.axes[axis] = (argand_axis){s->n[axis], 2 * stride, stride};
    options.loops = 1;
    options.loop[0] = (argand_axis){s->batch, 2 * stride, stride};
    return new_plan(&options);
}

/* Compares the bytes of rows from number `first` of the row's reals on. */
static void check_kept(const memory *m, const char *before, int64_t first, bool is_double)
{
    const size_t size = is_double ? 8 : 4;
    for (int64_t row = 0; row < m->rows; row++) {
        const size_t at = (size_t)(2 * row * m->row + first) * size;
        assert_memory_equal(m->host + at, before + at, (size_t)(2 * m->row - first) * size);
    }
}

static char *bytes_of(const memory *m, bool is_double)
{
    const size_t bytes = (size_t)(m->row * m->rows) * (is_double ? 16 : 8);
    char *copy = malloc(bytes);
    memcpy(copy, m->host, bytes);
    return copy;
}

/* The half spectrum of a reference of whole complex spectra */
static exact *half_of(const exact *whole, const shape *s)
{
    const int64_t half = s->n[0] / 2 + 1, rows = rows_of(s);
    exact *x = malloc((size_t)(half * rows) * sizeof *x);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t k = 0; k < half; k++) x[row * half + k] = whole[row * s->n[0] + k];
    return x;
}

static void one(const shape *s, bool is_double, bool axes)
{
    memory m = make_memory(s, is_double);
    argand_fft *plan = plan_for(s, is_double, axes, &m);
    argand_array *before = apart(m.real);
    exact *reals = exact_of(before), *expected = exact_of(before);
    char *kept = bytes_of(&m, is_double);
    const int64_t half = s->n[0] / 2 + 1;
    double points = 1;
    for (int axis = 0; axis < s->rank; axis++) points *= (double)s->n[axis];
    const double tolerance = fft_tolerance(argand_array_type(before), points);

    OK(argand_fft_apply(plan, m.spectrum, m.real, ARGAND_FORWARD));
    argand_array *spectrum = apart(m.spectrum);
    if (points <= 5000) { /* the sums grow with its square */
        direct_fft(expected, s->rank, s->n, s->batch, -1, false);
        exact *wanted = half_of(expected, s);
        CHECK_BELOW(distance(spectrum, wanted, 1), tolerance);
        free(wanted);
    }
    check_kept(&m, kept, 2 * half, is_double);
    free(kept);

    kept = bytes_of(&m, is_double);
    OK(argand_fft_apply(plan, m.real, m.spectrum, ARGAND_INVERSE));
    argand_array *after = apart(m.real);
    CHECK_BELOW(distance(after, reals, 1), 2 * tolerance);
    check_kept(&m, kept, s->n[0], is_double);

    argand_array_destroy(after);
    argand_array_destroy(spectrum);
    argand_array_destroy(before);
    free(kept);
    free(expected);
    free(reals);
    argand_fft_destroy(plan);
    free_memory(&m);
}

static void padded_rows_work_in_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int kind = 0; kind < 4; kind++) one(&shapes[i], kind & 1, kind & 2);
}

/* Rows without padding for their spectra, and rows elsewhere in the other layout. */
static void other_overlaps_are_refused(void **state)
{
    const int64_t real_dims[2] = {16, 4}, dims[2] = {9, 4}, tight[2] = {1, 9}, real_tight[2] = {1, 16};
    float *host = calloc(400, sizeof *host);
    argand_array *real, *spectrum;
    argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {16}, .batch = 4});
    (void)state;
    OK(argand_array_wrap(&real, device, ARGAND_R32, 2, real_dims, real_tight, host));
    OK(argand_array_wrap(&spectrum, device, ARGAND_C32, 2, dims, tight, host));
    FAILS(argand_fft_apply(plan, spectrum, real, ARGAND_FORWARD), ARGAND_ARGUMENT, "2 (n/2 + 1) reals");
    argand_array_destroy(spectrum);
    OK(argand_array_wrap(&spectrum, device, ARGAND_C32, 2, dims, tight, host + 2));
    FAILS(argand_fft_apply(plan, spectrum, real, ARGAND_FORWARD), ARGAND_ARGUMENT, "2 (n/2 + 1) reals");
    argand_array_destroy(spectrum);
    argand_array_destroy(real);
    argand_fft_destroy(plan);
    free(host);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(padded_rows_work_in_place),
    cmocka_unit_test(other_overlaps_are_refused),
};
RUN_TESTS(tests)
