/* SPDX-License-Identifier: BSD-3-Clause */
/* Half spectra packed into the room of the reals: plans with half_packed against those without, number by
 * number, and the two layouts turned into each other. */
#include "fft/direct.h"

#include "array/array.h"

typedef struct shape {
    int rank;
    int64_t n[4], batch;
} shape;

/* Odd other axes, axes of 1 and 2, rows that are several groups' (long ones) and many rows of one group. */
static const shape shapes[] = {
    {1, {2}, 1},       {1, {2}, 7},        {1, {4}, 1},       {1, {16}, 5},        {1, {30}, 600},
    {1, {1018}, 3},    {1, {70000}, 1},    {1, {40000}, 2},   {2, {12, 9}, 1},     {2, {2, 5}, 3},
    {2, {8, 2}, 4},    {2, {64, 48}, 3},   {2, {22, 31}, 2},  {2, {6, 1}, 9},      {2, {4, 3000}, 1},
    {3, {8, 6, 5}, 2}, {3, {10, 7, 4}, 1}, {3, {2, 2, 2}, 2}, {3, {32, 16, 9}, 3}, {4, {6, 5, 4, 3}, 2},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static argand_type complex_of(argand_type type)
{
    return type == ARGAND_R64 ? ARGAND_C64 : ARGAND_C32;
}

static int64_t rows_of(const shape *s)
{
    int64_t rows = s->batch;
    for (int axis = 1; axis < s->rank; axis++) rows *= s->n[axis];
    return rows;
}

/* Contiguous, `first` numbers along axis 0. */
static argand_array *array_of(const shape *s, argand_type type, int64_t first)
{
    int64_t dims[ARGAND_MAX_RANK] = {first};
    for (int axis = 1; axis < s->rank; axis++) dims[axis] = s->n[axis];
    dims[s->rank] = s->batch;
    return new_array(type, s->rank + 1, dims);
}

static argand_fft *plan_of(const shape *s, argand_type type, argand_fft_scale scale, bool packed)
{
    argand_fft_options o = {
        .type = type, .rank = s->rank, .batch = s->batch, .scale = scale, .half_packed = packed};
    for (int axis = 0; axis < s->rank; axis++) o.n[axis] = s->n[axis];
    return new_plan(&o);
}

/* As the array's precision rounds it (gcc 12 at -O3 loses a conversion to float and back in unpack_here). */
static double rounded(double x, argand_type type)
{
    volatile float single = (float)x;
    return type == ARGAND_R64 || type == ARGAND_C64 ? x : (double)single;
}

/* The row of the mirrored frequencies. */
static int64_t mirror_of(const shape *s, int64_t row)
{
    int64_t mirror = 0, size = 1;
    for (int axis = 1; axis < s->rank; size *= s->n[axis++]) {
        const int64_t k = row % s->n[axis];
        row /= s->n[axis];
        mirror += (s->n[axis] - k) % s->n[axis] * size;
    }
    return mirror + row * size;
}

/* fft.h's formula, of numbers in pairs. */
static double *pack_here(const double *half, const shape *s, argand_type type)
{
    const int64_t m = s->n[0] / 2, rows = rows_of(s);
    double *packed = malloc((size_t)(2 * m * rows) * sizeof *packed);
    for (int64_t row = 0; row < rows; row++) {
        const double *x = half + 2 * (m + 1) * row;
        double *y = packed + 2 * m * row;
        memcpy(y, x, (size_t)(2 * m) * sizeof *y);
        const bool real = mirror_of(s, row) == row;
        y[0] = real ? x[0] : rounded(x[0] - x[2 * m + 1], type);
        y[1] = real ? x[2 * m] : rounded(x[1] + x[2 * m], type);
    }
    return packed;
}

static double *unpack_here(const double *packed, const shape *s, argand_type type)
{
    const int64_t m = s->n[0] / 2, rows = rows_of(s);
    double *half = malloc((size_t)(2 * (m + 1) * rows) * sizeof *half);
    for (int64_t row = 0; row < rows; row++) {
        const double *z = packed + 2 * m * row, *w = packed + 2 * m * mirror_of(s, row);
        double *y = half + 2 * (m + 1) * row;
        memcpy(y, z, (size_t)(2 * m) * sizeof *y);
        y[0] = rounded(0.5 * z[0] + 0.5 * w[0], type);
        y[1] = rounded(0.5 * z[1] - 0.5 * w[1], type);
        y[2 * m] = rounded(0.5 * z[1] + 0.5 * w[1], type);
        y[2 * m + 1] = rounded(0.5 * w[0] - 0.5 * z[0], type);
    }
    return half;
}

/* Number by number; 0 and -0 are one. */
static void check_same(const argand_array *array, const double *wanted, const char *what, const shape *s)
{
    double *numbers = as_doubles(array);
    const int64_t count =
        argand_array_count(array) * (array->type == ARGAND_C32 || array->type == ARGAND_C64 ? 2 : 1);
    for (int64_t i = 0; i < count; i++)
        if (!(numbers[i] == wanted[i]))
            fail_msg("%s, %s, %d axes, %lld x %lld x %lld, batch %lld: number %lld is %.17g, not %.17g", what,
                     argand_type_name(array->type), s->rank, (long long)s->n[0], (long long)s->n[1],
                     (long long)s->n[2], (long long)s->batch, (long long)i, numbers[i], wanted[i]);
    free(numbers);
}

/* Of n/2 + 1 numbers the real ones have 0 beside them, as inverse transforms take them. */
static void upload(argand_array *array, const double *numbers)
{
    const int64_t count = argand_array_count(array);
    argand_array *doubles;
    OK(argand_array_create(&doubles, device, ARGAND_C64, 1, &count));
    OK(argand_array_upload(doubles, numbers));
    argand_array *flat;
    OK(argand_array_reshape(&flat, array, 1, &count));
    OK(argand_array_copy(flat, doubles));
    argand_array_destroy(flat);
    argand_array_destroy(doubles);
}

/* Reals or packed spectra that lie anyhow: 0 contiguous, 1 axes the other way round, 2 apart and backwards
 * along axis 0. */
static argand_array *laid(const shape *s, argand_type type, int64_t first, int kind)
{
    int64_t dims[ARGAND_MAX_RANK] = {first}, strides[ARGAND_MAX_RANK], all = 1;
    const int rank = s->rank + 1;
    if (kind == 0) return array_of(s, type, first);
    for (int axis = 1; axis < rank; axis++) dims[axis] = axis < s->rank ? s->n[axis] : s->batch;
    for (int i = 0; i < rank; i++) {
        const int axis = kind == 1 ? rank - 1 - i : i;
        strides[axis] = kind == 1 ? all : 2 * all;
        all *= dims[axis];
    }
    all *= 2;
    argand_array *memory = new_array(type, 1, &all), *view;
    if (kind == 2) strides[0] = -strides[0];
    OK(argand_array_view(&view, memory, rank, dims, strides, kind == 2 ? 2 * (first - 1) : 0));
    argand_array_destroy(memory);
    return view;
}

/* ---- plans ---- */

/* Both directions against the plan of n/2 + 1 numbers. `kind` says how arrays lie; the unpacked side is
 * contiguous, as it is inside. */
static void one(const shape *s, argand_type type, argand_fft_scale scale, int kind)
{
    const int64_t m = s->n[0] / 2;
    const argand_type complex_type = complex_of(type);
    argand_fft *plan = plan_of(s, type, scale, true), *truth = plan_of(s, type, scale, false);
    argand_array *x = array_of(s, type, s->n[0]), *reals = laid(s, type, s->n[0], kind),
                 *packed = laid(s, complex_type, m, kind), *half = array_of(s, complex_type, m + 1);
    randomise(x, 17, 0, 0);
    OK(argand_array_copy(reals, x));
    OK(argand_fft_apply(truth, half, reals, ARGAND_FORWARD));
    double *spectrum = as_doubles(half), *wanted = pack_here(spectrum, s, complex_type);
    for (int time = 0; time < 3; time++) {
        OK(argand_array_fill(packed, (argand_scalar){9, 9}));
        OK(argand_fft_apply(plan, packed, reals, ARGAND_FORWARD));
        check_same(packed, wanted, "forward", s);
    }
    /* back, from numbers that may be any spectrum */
    argand_array *any = array_of(s, complex_type, m), *back = laid(s, type, s->n[0], kind);
    randomise(any, 18, 0, 0);
    OK(argand_array_copy(packed, any));
    double *before = as_doubles(any), *unpacked = unpack_here(before, s, complex_type);
    upload(half, unpacked);
    OK(argand_fft_apply(truth, back, half, ARGAND_INVERSE));
    double *reals_wanted = as_doubles(back);
    for (int time = 0; time < 3; time++) {
        OK(argand_array_fill(back, (argand_scalar){9, 0}));
        OK(argand_fft_apply(plan, back, packed, ARGAND_INVERSE));
        check_same(back, reals_wanted, "inverse", s);
    }
    check_same(packed, before, "the input of an inverse", s);
    free(reals_wanted);
    free(unpacked);
    free(before);
    free(wanted);
    free(spectrum);
    argand_array_destroy(back);
    argand_array_destroy(any);
    argand_array_destroy(half);
    argand_array_destroy(packed);
    argand_array_destroy(reals);
    argand_array_destroy(x);
    argand_fft_destroy(truth);
    argand_fft_destroy(plan);
}

static void as_plans_of_one_more(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int kind = 0; kind < 3; kind++)
            one(&shapes[i], (i + kind) & 1 ? ARGAND_R64 : ARGAND_R32, (argand_fft_scale)((i + kind) % 3),
                kind);
}

/* By the device's own kernels, where the host is no such device. */
static void as_plans_of_one_more_by_kernels(void **state)
{
    static const shape few_shapes[] = {{1, {16}, 5}, {2, {12, 9}, 2}, {3, {8, 6, 5}, 2}};
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.host_addressable) skip();
    setenv("ARGAND_FFT_ENGINE", "box", 1);
    for (int i = 0; i < 3; i++)
        for (int kind = 0; kind < 3; kind++)
            one(&few_shapes[i], kind == 1 ? ARGAND_R64 : ARGAND_R32, (argand_fft_scale)kind, kind);
    unsetenv("ARGAND_FFT_ENGINE");
}

static void there_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const shape *s = &shapes[i];
        const argand_type type = i & 1 ? ARGAND_R64 : ARGAND_R32;
        argand_fft *plan = plan_of(s, type, i & 2 ? ARGAND_SCALE_UNITARY : ARGAND_SCALE_INVERSE, true);
        argand_array *x = array_of(s, type, s->n[0]), *packed = array_of(s, complex_of(type), s->n[0] / 2);
        double points = 1;
        for (int axis = 0; axis < s->rank; axis++) points *= (double)s->n[axis];
        randomise(x, 19, 0, 0);
        exact *before = exact_of(x);
        OK(argand_fft_apply(plan, packed, x, ARGAND_FORWARD));
        OK(argand_fft_apply(plan, x, packed, ARGAND_INVERSE));
        CHECK_BELOW(distance(x, before, 1), 2 * fft_tolerance(type, points));
        free(before);
        argand_array_destroy(packed);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
}

/* 1 everywhere has its sum at the frequencies 0, (-1)^n along axis 0 at n/2, exactly, and nothing elsewhere.
 */
static void constant_and_alternating(void **state)
{
    static const shape exact_shapes[] = {{1, {2}, 3},    {1, {16}, 2},     {1, {60}, 40},
                                         {2, {8, 9}, 2}, {2, {48, 64}, 1}, {3, {10, 6, 5}, 2}};
    (void)state;
    for (int i = 0; i < 12; i++) {
        const shape *s = &exact_shapes[i / 2];
        const argand_type type = i & 1 ? ARGAND_R64 : ARGAND_R32;
        const int64_t m = s->n[0] / 2, rows = rows_of(s), points = s->n[0] * (rows / s->batch);
        argand_fft *plan = plan_of(s, type, ARGAND_SCALE_NONE, true);
        argand_array *x = array_of(s, type, s->n[0]), *even, *packed = array_of(s, complex_of(type), m);
        OK(argand_array_fill(x, (argand_scalar){1, 0}));
        for (int alternating = 0; alternating < 2; alternating++) {
            if (alternating) {
                OK(argand_array_reshape(&even, x, 2, (int64_t[]){2, m * rows}));
                argand_array *odd;
                OK(argand_array_part(&odd, even, 0, 1, 1));
                OK(argand_array_fill(odd, (argand_scalar){-1, 0}));
                argand_array_destroy(odd);
                argand_array_destroy(even);
            }
            OK(argand_fft_apply(plan, packed, x, ARGAND_FORWARD));
            double *numbers = as_doubles(packed);
            for (int64_t j = 0; j < 2 * m * rows; j++) {
                const bool here = j % (2 * m * (rows / s->batch)) == alternating;
                if (here)
                    assert_true(numbers[j] == (double)points);
                else
                    CHECK_BELOW(fabs(numbers[j]), fft_tolerance(type, (double)points) * (double)points);
            }
            free(numbers);
        }
        argand_array_destroy(packed);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
}

/* The packed spectrum in the bytes of the reals, rows side by side or with gaps. */
static void in_place(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * SHAPES; i++) {
        const shape *s = &shapes[i / 2];
        const argand_type type = i / 2 & 1 ? ARGAND_R64 : ARGAND_R32, complex_type = complex_of(type);
        const int64_t m = s->n[0] / 2, row = i & 1 ? m + 2 : m;
        argand_fft *plan = plan_of(s, type, ARGAND_SCALE_INVERSE, true);
        argand_array *x = array_of(s, type, s->n[0]), *packed = array_of(s, complex_type, m),
                     *all = array_of(s, complex_type, row), *there, *back = array_of(s, type, s->n[0]);
        OK(argand_array_part(&there, all, 0, 0, m));
        argand_array reals = *there; /* the same memory; no view of the library has another type */
        reals.type = type;
        reals.dims[0] = s->n[0];
        reals.offset = 2 * there->offset;
        for (int axis = 1; axis < reals.rank; axis++) reals.strides[axis] *= 2;
        reals.count = 2 * there->count;
        randomise(all, 23, 0, 0);
        randomise(x, 20, 0, 0);
        OK(argand_array_copy(&reals, x));
        double *around = as_doubles(all);
        OK(argand_fft_apply(plan, packed, x, ARGAND_FORWARD));
        OK(argand_fft_apply(plan, there, &reals, ARGAND_FORWARD));
        double *wanted = as_doubles(packed);
        check_same(there, wanted, "forward in place", s);
        OK(argand_fft_apply(plan, back, packed, ARGAND_INVERSE));
        OK(argand_fft_apply(plan, &reals, there, ARGAND_INVERSE));
        double *wanted_back = as_doubles(back), *after = as_doubles(all);
        check_same(&reals, wanted_back, "inverse in place", s);
        for (int64_t j = 0; j < 2 * row * rows_of(s); j++)
            if (j % (2 * row) >= 2 * m) assert_true(around[j] == after[j]);
        free(after);
        free(wanted_back);
        free(wanted);
        free(around);
        argand_array_destroy(back);
        argand_array_destroy(there);
        argand_array_destroy(all);
        argand_array_destroy(packed);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
}

/* Axes by their strides: a transform along axes 2 and 0 of three, the packed side otherwise than the reals.
 */
static void axes_given(void **state)
{
    enum { A = 6, B = 3, C = 10 };
    (void)state;
    const shape s = {2, {C, A}, B};
    const int64_t m = C / 2;
    argand_fft_options o = {.type = ARGAND_R32,
                            .rank = 2,
                            .axes_given = true,
                            .axes = {{C, A * B, A}, {A, 1, 1}},
                            .loops = 1,
                            .loop = {{B, A, m * A}},
                            .half_packed = true};
    argand_fft *plan = new_plan(&o), *plain = plan_of(&s, ARGAND_R32, ARGAND_SCALE_NONE, true);
    argand_array *x = new_array(ARGAND_R32, 3, (int64_t[]){A, B, C}),
                 *y = new_array(ARGAND_C32, 3, (int64_t[]){A, m, B}), *x_view, *y_view, *apart, *packed;
    randomise(x, 21, 0, 0);
    OK(argand_array_view(&x_view, x, 3, (int64_t[]){C, A, B}, (int64_t[]){A * B, 1, A}, 0));
    OK(argand_array_view(&y_view, y, 3, (int64_t[]){m, A, B}, (int64_t[]){A, 1, m * A}, 0));
    apart = array_of(&s, ARGAND_R32, C);
    packed = array_of(&s, ARGAND_C32, m);
    OK(argand_array_copy(apart, x_view));
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    OK(argand_fft_apply(plain, packed, apart, ARGAND_FORWARD));
    exact *wanted = exact_of(packed), *reals = exact_of(apart);
    CHECK_BELOW(distance(y_view, wanted, 1), fft_tolerance(ARGAND_R32, A * C));
    OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
    CHECK_BELOW(distance(x_view, reals, A * C), 2 * fft_tolerance(ARGAND_R32, A * C));
    free(reals);
    free(wanted);
    argand_array_destroy(packed);
    argand_array_destroy(apart);
    argand_array_destroy(y_view);
    argand_array_destroy(x_view);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_fft_destroy(plain);
    argand_fft_destroy(plan);
}

/* ---- conversions ---- */

static void convert_one(const shape *s, argand_type type, int kind)
{
    const int64_t m = s->n[0] / 2;
    argand_array *any = array_of(s, type, m), *packed = laid(s, type, m, kind),
                 *half = laid(s, type, m + 1, (kind + 1) % 3), *again = laid(s, type, m, (kind + 2) % 3);
    randomise(any, 22, 0, 0);
    OK(argand_array_copy(packed, any));
    OK(argand_fft_half_unpack(half, packed, s->rank));
    double *before = as_doubles(any), *wanted = unpack_here(before, s, type);
    check_same(half, wanted, "unpacked", s);
    OK(argand_fft_half_pack(again, half, s->rank));
    double *numbers = as_doubles(half), *repacked = pack_here(numbers, s, type);
    check_same(again, repacked, "packed", s);
    if (s->rank == 1)
        check_same(again, before, "there and back", s);
    else {
        exact *first = exact_of(any);
        CHECK_BELOW(distance(again, first, 1), type == ARGAND_C64 ? 2.3e-16 : 1.2e-7);
        free(first);
    }
    free(repacked);
    free(numbers);
    free(wanted);
    free(before);
    argand_array_destroy(again);
    argand_array_destroy(half);
    argand_array_destroy(packed);
    argand_array_destroy(any);
}

static void conversions(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int kind = 0; kind < 3; kind++)
            convert_one(&shapes[i], (i + kind) & 1 ? ARGAND_C64 : ARGAND_C32, kind);
}

/* Numbers so large that the sum of two is infinite, and so small that half of one is 0, in one dimension. */
static void conversions_of_extremes(void **state)
{
    const shape s = {1, {4}, 3};
    const float numbers[12] = {3e38F, -3e38F, 1, 2, 1.4e-45F, 1.4e-45F, 0, 0, INFINITY, 1, INFINITY, 2};
    (void)state;
    argand_array *packed = array_of(&s, ARGAND_C32, 2), *half = array_of(&s, ARGAND_C32, 3),
                 *again = array_of(&s, ARGAND_C32, 2);
    float after[12];
    OK(argand_array_upload(packed, numbers));
    OK(argand_fft_half_unpack(half, packed, 1));
    OK(argand_fft_half_pack(again, half, 1));
    OK(argand_array_download(again, after));
    assert_memory_equal(after, numbers, sizeof numbers);
    argand_array_destroy(again);
    argand_array_destroy(half);
    argand_array_destroy(packed);
}

/* ---- what is refused and told ---- */

static void refuse(const argand_fft_options *options, argand_status status, const char *words)
{
    argand_fft *plan = (argand_fft *)1;
    FAILS(argand_fft_create(&plan, device, options), status, words);
    assert_null(plan);
}

static void refused_plans(void **state)
{
    (void)state;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {4}, .half_packed = true};
    refuse(&o, ARGAND_ARGUMENT, "half_packed is a layout of real transforms");
    o.type = ARGAND_R32;
    o.n[0] = 5;
    refuse(&o, ARGAND_ARGUMENT, "half_packed with a length of 5 along axis 0; it must be even");
    o.n[0] = 4;
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 0}};
    refuse(&o, ARGAND_UNSUPPORTED, "half_packed cannot be with accessors");
    refuse(
        &(argand_fft_options){
            .type = ARGAND_R32,
            .rank = 2,
            .axes_given = true,
            .axes = {{2, 1, 1}, {1, 1, 1}},
            .loops = 7,
            .loop = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
            .half_packed = true},
        ARGAND_UNSUPPORTED, "2 axes and 7 loops");
    /* strides that hold n/2 numbers a row, and not n/2 + 1; and that do not hold n/2 */
    o = (argand_fft_options){.type = ARGAND_R32,
                             .rank = 2,
                             .axes_given = true,
                             .axes = {{8, 1, 1}, {3, 8, 4}},
                             .half_packed = true};
    argand_fft_destroy(new_plan(&o));
    o.axes[1].out_stride = 3;
    refuse(&o, ARGAND_ARGUMENT, "two output elements are one");
}

static void refused_arrays(void **state)
{
    (void)state;
    const shape s = {2, {8, 3}, 2};
    argand_fft *plan = plan_of(&s, ARGAND_R32, ARGAND_SCALE_NONE, true);
    argand_array *x = array_of(&s, ARGAND_R32, 8), *packed = array_of(&s, ARGAND_C32, 4),
                 *half = array_of(&s, ARGAND_C32, 5), *wide = array_of(&s, ARGAND_C64, 4),
                 *wide_half = array_of(&s, ARGAND_C64, 5),
                 *other = new_array(ARGAND_C32, 3, (int64_t[]){5, 3, 1}), *part, *repeated;
    FAILS(argand_fft_apply(plan, half, x, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "dimension 0 of the output is 5, but the plan has 4");
    FAILS(argand_fft_apply(plan, x, half, ARGAND_INVERSE), ARGAND_ARGUMENT,
          "dimension 0 of the input is 5, but the plan has 4");
    FAILS(argand_fft_apply_access(plan, packed, x, ARGAND_FORWARD, &(argand_fft_access){0}), ARGAND_ARGUMENT,
          "without accessors");
    argand_array moved = *packed; /* not in the bytes of the reals' rows */
    moved.type = ARGAND_R32;
    moved.dims[0] = 8;
    moved.strides[1] = 8;
    moved.strides[2] = 24;
    moved.count = 48;
    OK(argand_fft_apply(plan, packed, &moved, ARGAND_FORWARD));
    moved.strides[1] = 9;
    FAILS(argand_fft_apply(plan, packed, &moved, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "has its rows in the same bytes on both sides");
    FAILS(argand_fft_half_pack(NULL, half, 2), ARGAND_ARGUMENT, "argand_fft_half_pack: no output array");
    FAILS(argand_fft_half_unpack(half, NULL, 2), ARGAND_ARGUMENT, "argand_fft_half_unpack: no input array");
    FAILS(argand_fft_half_pack(half, packed, 2), ARGAND_ARGUMENT, "4 and 5 numbers along dimension 0");
    FAILS(argand_fft_half_unpack(packed, half, 2), ARGAND_ARGUMENT, "4 and 5 numbers along dimension 0");
    FAILS(argand_fft_half_pack(packed, other, 2), ARGAND_ARGUMENT, "dimension 2 is 1 in one array and 2");
    FAILS(argand_fft_half_pack(packed, wide_half, 2), ARGAND_ARGUMENT, "one precision");
    FAILS(argand_fft_half_pack(wide, half, 2), ARGAND_ARGUMENT, "one precision");
    FAILS(argand_fft_half_pack(packed, x, 2), ARGAND_ARGUMENT, "must be complex");
    FAILS(argand_fft_half_pack(packed, half, 0), ARGAND_ARGUMENT, "rank 0; 1 to 8");
    FAILS(argand_fft_half_unpack(half, packed, 9), ARGAND_ARGUMENT, "rank 9; 1 to 8");
    OK(argand_array_part(&part, half, 0, 1, 4));
    FAILS(argand_fft_half_pack(part, half, 2), ARGAND_ARGUMENT, "share memory");
    OK(argand_array_view(&repeated, half, 3, (int64_t[]){5, 3, 2}, (int64_t[]){1, 5, 0}, 0));
    FAILS(argand_fft_half_unpack(repeated, packed, 2), ARGAND_ARGUMENT, "two output elements are one");
    argand_array_destroy(repeated);
    argand_array_destroy(part);
    argand_array_destroy(other);
    argand_array_destroy(wide_half);
    argand_array_destroy(wide);
    argand_array_destroy(half);
    argand_array_destroy(packed);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

static void told(void **state)
{
    (void)state;
    const shape s = {2, {8, 5}, 3};
    argand_fft *plan = plan_of(&s, ARGAND_R32, ARGAND_SCALE_NONE, true),
               *plain = plan_of(&s, ARGAND_R32, ARGAND_SCALE_NONE, false);
    char text[512];
    argand_fft_print(plan, text, sizeof text);
    assert_non_null(strstr(text, "(fft r32 8x5 batch 3 half packed "));
    for (int i = 0; i < 2; i++) {
        const argand_direction direction = i ? ARGAND_INVERSE : ARGAND_FORWARD;
        const int count = argand_fft_pass_count(plan, direction);
        argand_fft_pass pass, first, its;
        assert_int_equal(count, argand_fft_pass_count(plain, direction) + 1);
        OK(argand_fft_pass_describe(plan, direction, i ? 0 : count - 1, &pass));
        assert_string_equal(pass.what, i ? "unpacked" : "packed into the room of reals");
        assert_int_equal(i ? pass.write_bytes : pass.read_bytes, 5 * 15 * 8);
        assert_int_equal(i ? pass.read_bytes : pass.write_bytes, 4 * 15 * 8);
        assert_true(pass.seconds > 0);
        OK(argand_fft_pass_describe(plan, direction, i, &first));
        OK(argand_fft_pass_describe(plain, direction, 0, &its));
        assert_string_equal(first.what, its.what);
        assert_int_equal(argand_fft_workspace(plan, direction),
                         argand_fft_workspace(plain, direction) + 5 * 15 * 8);
    }
    assert_int_equal(argand_fft_position(plan, 0, 3), 3);
    assert_int_equal(argand_fft_position(plan, 0, 4), -1);
    assert_int_equal(argand_fft_position(plain, 0, 4), 4);
    assert_int_equal(argand_fft_frequency(plan, 0, 4), -1);
    assert_int_equal(argand_fft_mirror(plan, 0, 0), 0);
    assert_int_equal(argand_fft_mirror(plan, 0, 1), -1);
    assert_int_equal(argand_fft_position(plan, 1, 4), 4);
    argand_fft_destroy(plain);
    argand_fft_destroy(plan);
}

/* ---- memory ---- */

/* Whether a call that has run before allocates. */
static bool allocates(const argand_fft *plan, argand_array *out, const argand_array *in,
                      argand_direction direction)
{
    OK(argand_fft_apply(plan, out, in, direction));
    argand_test_fail_allocation(1);
    const argand_status status = argand_fft_apply(plan, out, in, direction);
    argand_test_fail_allocation(0);
    return status != ARGAND_OK;
}

static void later_calls_allocate_nothing(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!info.host_addressable) setenv("ARGAND_FFT_ENGINE", "box", 1);
    const shape few_shapes[] = {{1, {256}, 4}, {2, {16, 16}, 2}};
    for (int i = 0; i < 2; i++) {
        const shape *s = &few_shapes[i];
        argand_fft *plan = plan_of(s, ARGAND_R32, ARGAND_SCALE_NONE, true);
        argand_array *x = array_of(s, ARGAND_R32, s->n[0]), *y = array_of(s, ARGAND_C32, s->n[0] / 2);
        const long before = argand_test_live_allocations();
        assert_false(allocates(plan, y, x, ARGAND_FORWARD));
        assert_false(allocates(plan, x, y, ARGAND_INVERSE));
        const long after = argand_test_live_allocations();
        for (int time = 0; time < 3; time++) {
            OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
            OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
        }
        assert_int_equal(argand_test_live_allocations(), after);
        assert_true(after >= before);
        argand_array_destroy(y);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
    unsetenv("ARGAND_FFT_ENGINE");
}

static void out_of_memory(void **state)
{
    (void)state;
    const shape s = {2, {6, 4}, 1};
    argand_array *x = array_of(&s, ARGAND_R32, 6), *y = array_of(&s, ARGAND_C32, 3);
    int failures = 0;
    for (long n = 1; n < 100; n++) {
        argand_fft *plan = NULL;
        argand_test_fail_allocation(n);
        argand_status status = argand_fft_create(
            &plan, device,
            &(argand_fft_options){.type = ARGAND_R32, .rank = 2, .n = {6, 4}, .half_packed = true});
        if (!status) status = argand_fft_apply(plan, y, x, ARGAND_FORWARD);
        if (!status) status = argand_fft_apply(plan, x, y, ARGAND_INVERSE);
        argand_test_fail_allocation(0);
        argand_fft_destroy(plan);
        if (!status) break;
        assert_int_equal(status, ARGAND_MEMORY);
        failures++;
    }
    assert_in_range(failures, 1, 50);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(as_plans_of_one_more),
    cmocka_unit_test(as_plans_of_one_more_by_kernels),
    cmocka_unit_test(there_and_back),
    cmocka_unit_test(constant_and_alternating),
    cmocka_unit_test(in_place),
    cmocka_unit_test(axes_given),
    cmocka_unit_test(conversions),
    cmocka_unit_test(conversions_of_extremes),
    cmocka_unit_test(refused_plans),
    cmocka_unit_test(refused_arrays),
    cmocka_unit_test(told),
    cmocka_unit_test(later_calls_allocate_nothing),
    cmocka_unit_test(out_of_memory),
};
RUN_TESTS(tests)
