/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans for real images: exact sums, the adjoint under the real inner product, plans for complex images, and
 * what the half grid saves. */
#include "truth.h"
#include "nufft/on_device.h"

typedef argand_nufft_options options;

static bool on_cpu(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable;
}

static options options_of(const problem *p)
{
    return (options){.type = p->type,
                     .rank = p->rank,
                     .n = {p->n[0], p->n[1], p->n[2]},
                     .tolerance = p->tolerance,
                     .oversampling = p->oversampling,
                     .window_only = true};
}

static argand_nufft *plan_with(const made *m, options o)
{
    argand_nufft *plan;
    OK(argand_nufft_create(&plan, device, &o));
    OK(argand_nufft_set_points(plan, m->k));
    return plan;
}

/* On devices, which build kernels for each shape, fewer of them. */
static int step(void)
{
    return on_cpu() ? 1 : 4;
}

static argand_array *real_like(const argand_array *a)
{
    int64_t dims[ARGAND_MAX_RANK];
    argand_array *twin;
    for (int axis = 0; axis < argand_array_rank(a); axis++) dims[axis] = argand_array_dim(a, axis);
    OK(argand_array_create(&twin, device, argand_array_type(a) == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32,
                           argand_array_rank(a), dims));
    return twin;
}

typedef struct squares {
    double error, norm;
} squares;

/* One vector's result against the exact sum: samples of a real image, and the real part of an image. */
static void add_error(squares *sum, const problem *p, const made *m, const double *image,
                      const double *samples, bool forward)
{
    const int64_t pixels = argand_array_count(m->image) / p->vectors;
    double complex *x = calloc((size_t)pixels, sizeof *x), *s = calloc((size_t)p->count, sizeof *s);
    assert_non_null(x);
    assert_non_null(s);
    for (int64_t i = 0; forward && i < pixels; i++) x[i] = image[i];
    if (!forward) memcpy(s, samples, (size_t)p->count * sizeof *s);
    exact(p, m, x, s, forward);
    const double *truth = (const double *)s;
    for (int64_t i = 0; i < (forward ? 2 * p->count : pixels); i++) {
        const double right = forward ? truth[i] : creal(x[i]), is = forward ? samples[i] : image[i];
        sum->error += (is - right) * (is - right);
        sum->norm += right * right;
    }
    free(s);
    free(x);
}

/* All vectors together: near one place of k a single real image has a few random numbers, which may be small
 * for all points alike. */
static void check_made(const problem *p, const made *m)
{
    options o = options_of(p);
    o.real_image = true;
    argand_nufft *plan = plan_with(m, o);
    argand_array *image = real_like(m->image);
    argand_nufft_info info;
    argand_nufft_describe(plan, &info);
    assert_int_equal(info.grid[0] % 2, 0);
    const int64_t every = p->vectors > 3 ? 3 : 1;
    for (int forward = 0; forward < 2; forward++) {
        randomise(image, 5, 0, 0);
        randomise(m->samples, 6, 0, 0);
        double *x = forward ? as_doubles(image) : NULL, *s = forward ? NULL : as_doubles(m->samples);
        OK(forward ? argand_nufft_apply(plan, m->samples, image)
                   : argand_nufft_adjoint(plan, image, m->samples));
        if (!x) x = as_doubles(image);
        if (!s) s = as_doubles(m->samples);
        const int64_t pixels = argand_array_count(image) / p->vectors;
        squares sum = {0};
        for (int64_t v = 0; v < p->vectors; v += every)
            add_error(&sum, p, m, x + v * pixels, s + 2 * v * p->count, forward);
        CHECK_BELOW(sqrt(sum.error / sum.norm), fmax(p->tolerance, info.expected_error));
        free(s);
        free(x);
    }
    argand_array_destroy(image);
    argand_nufft_destroy(plan);
}

static void check_sums(const problem *p)
{
    made m = make(p);
    check_made(p, &m);
    unmake(&m);
}

static const int64_t shapes[][4] = {{1, 1, 0, 0},   {1, 97, 0, 0},  {1, 3000, 0, 0},
                                    {2, 48, 48, 0}, {2, 31, 50, 0}, {2, 150, 9, 0},
                                    {2, 1, 20, 0},  {3, 12, 10, 8}, {3, 33, 17, 20}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void sums(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape += step())
        for (int kind = 0; kind < KINDS; kind += step())
            for (int64_t vectors = 1; vectors < 20; vectors += 9) { /* 1, 10, 19: alone, and in cells */
                problem p = problem_of(shapes[shape], ARGAND_C32, 1e-4, (point_kind)kind, 150, vectors);
                p.threads = 1 + kind % 3;
                argand_test_nufft_tensor_points(vectors > 10);
                check_sums(&p);
                argand_test_nufft_tensor_points(0);
                p.type = ARGAND_C64;
                p.tolerance = 1e-10;
                check_sums(&p);
            }
}

/* Where points go to the other half: eighths of a cycle around 0 and around n/2 along x, whole ones of them
 * on the other axes. */
static void borders(void **state)
{
    (void)state;
    enum { AROUND = 65 };
    for (int shape = 0; shape < SHAPES; shape += step()) {
        problem p = problem_of(shapes[shape], ARGAND_C64, 1e-9, UNIFORM, (int64_t)4 * AROUND, 2);
        made m = make(&p);
        for (int axis = 0; axis < p.rank; axis++) {
            const double ends[2] = {0, 0.5 * (double)p.n[axis]};
            for (int64_t j = 0; j < p.count; j++)
                m.at[axis][j] = axis == 0 ? ends[j / AROUND % 2] + (double)(j % AROUND - AROUND / 2) / 8
                                          : ends[(j / AROUND / 2 + axis) % 2] + (double)(j % 3 - 1);
            OK(argand_array_upload(m.k[axis], m.at[axis]));
        }
        check_made(&p, &m);
        unmake(&m);
    }
}

/* Re <A x, y> = <x, A^H y>; many points in one tile, so that it is several tasks. */
static void adjoint(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape += step())
        for (int kind = 0; kind < KINDS; kind += step()) {
            const argand_type type = kind % 2 ? ARGAND_C64 : ARGAND_C32;
            problem p = problem_of(shapes[shape], type, 1e-3, (point_kind)kind, 20000, 1 + 8 * (kind % 3));
            p.threads = 3;
            made m = make(&p);
            options o = options_of(&p);
            o.real_image = true;
            argand_nufft *plan = plan_with(&m, o);
            argand_array *x = real_like(m.image), *ahy = real_like(m.image), *ax = like(m.samples);
            argand_scalar left, right;
            double norm_ax, norm_y;
            randomise(x, 3, 0, 0);
            randomise(m.samples, 4, 0, 0);
            OK(argand_nufft_apply(plan, ax, x));
            OK(argand_nufft_adjoint(plan, ahy, m.samples));
            OK(argand_array_dot(&left, ax, m.samples));
            OK(argand_array_dot(&right, x, ahy));
            OK(argand_array_norm(&norm_ax, ax));
            OK(argand_array_norm(&norm_y, m.samples));
            CHECK_BELOW(fabs(left.re - right.re) / (norm_ax * norm_y), type == ARGAND_C64 ? 1e-12 : 1e-5);
            argand_array_destroy(ax);
            argand_array_destroy(ahy);
            argand_array_destroy(x);
            argand_nufft_destroy(plan);
            unmake(&m);
        }
}

/* Both directions by a plan for real images (real) or for complex ones, on images with gaps. */
static void run_options(double **samples, double **image, const made *m, options o, bool real)
{
    o.real_image = real;
    argand_nufft *plan = plan_with(m, o);
    argand_array *number = like(m->image), *part = real_like(m->image), *s = like(m->samples);
    randomise(part, 8, 0, 0);
    OK(argand_array_copy(number, part));
    OK(argand_nufft_apply(plan, s, real ? part : number));
    *samples = as_doubles(s);
    randomise(s, 9, 0, 0);
    OK(argand_nufft_adjoint(plan, real ? part : number, s));
    if (!real) OK(argand_array_real(part, number));
    *image = as_doubles(part);
    argand_array_destroy(s);
    argand_array_destroy(part);
    argand_array_destroy(number);
    argand_nufft_destroy(plan);
}

static void as_complex(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i += step()) {
        const problem p = problem_of((int64_t[4]){2 + i % 2, 21, 16, 10}, ARGAND_C64, 1e-11, UNIFORM, 300, 5);
        made m = make(&p);
        options o = options_of(&p);
        o.sign = i & 2 ? 1 : -1;
        o.units = ARGAND_NUFFT_RADIANS;
        o.order = i & 4 ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED;
        double *s[2], *x[2];
        for (int real = 0; real < 2; real++) run_options(&s[real], &x[real], &m, o, real);
        CHECK_BELOW(relative_error(s[1], s[0], 2 * (size_t)argand_array_count(m.samples)), 1e-10);
        CHECK_BELOW(relative_error(x[1], x[0], (size_t)argand_array_count(m.image)), 1e-10);
        for (int real = 0; real < 2; real++) {
            free(s[real]);
            free(x[real]);
        }
        unmake(&m);
    }
}

/* Points on the grid along y, as many in each plane: that axis is an FFT, and pixels are widened for it. */
static void cartesian(void **state)
{
    (void)state;
    problem p = problem_of((int64_t[4]){3, 15, 12, 10}, ARGAND_C64, 1e-11, UNIFORM, 600, 3);
    made m = make(&p);
    double *k[3], *s[2], *x[2];
    for (int axis = 0; axis < 3; axis++) {
        k[axis] = as_doubles(m.k[axis]);
        for (int64_t j = 0; j < p.count; j++) k[axis][j] = axis == 1 ? (double)(j / 50 - 6) : k[axis][j % 50];
        OK(argand_array_upload(m.k[axis], k[axis]));
        free(k[axis]);
    }
    options o = options_of(&p);
    o.window_only = false;
    for (int real = 0; real < 2; real++) {
        o.window_only = !real;
        o.real_image = real;
        argand_nufft *plan = plan_with(&m, o);
        argand_nufft_info info;
        argand_nufft_describe(plan, &info);
        assert_int_equal(info.cartesian, real ? 2 : 0);
        argand_nufft_destroy(plan);
        run_options(&s[real], &x[real], &m, o, real);
    }
    CHECK_BELOW(relative_error(s[1], s[0], 2 * (size_t)argand_array_count(m.samples)), 1e-10);
    CHECK_BELOW(relative_error(x[1], x[0], (size_t)argand_array_count(m.image)), 1e-10);
    for (int real = 0; real < 2; real++) {
        free(s[real]);
        free(x[real]);
    }
    unmake(&m);
}

static void same_bits(void **state)
{
    (void)state;
    const problem p = problem_of((int64_t[4]){2, 200, 180, 0}, ARGAND_C32, 1e-4, RADIAL, 40000, 3);
    made m = make(&p);
    double *s[2], *x[2];
    for (int i = 0; i < 2; i++) {
        OK(argand_device_set_threads(device, i ? 4 : 1));
        run_options(&s[i], &x[i], &m, options_of(&p), true);
    }
    assert_memory_equal(s[0], s[1], (size_t)argand_array_count(m.samples) * 2 * sizeof *s[0]);
    assert_memory_equal(x[0], x[1], (size_t)argand_array_count(m.image) * sizeof *x[0]);
    for (int i = 0; i < 2; i++) {
        free(s[i]);
        free(x[i]);
    }
    OK(argand_device_set_threads(device, 1));
    unmake(&m);
}

/* At one oversampling, where the grid is most of the memory */
static void half_the_grid(void **state)
{
    (void)state;
    problem p = problem_of((int64_t[4]){3, 64, 64, 64}, ARGAND_C32, 1e-4, UNIFORM, 100, 1);
    p.oversampling = 2;
    made m = make(&p);
    argand_nufft_info info[2];
    for (int real = 0; real < 2; real++) {
        options o = options_of(&p);
        o.real_image = real;
        argand_nufft *plan = plan_with(&m, o);
        argand_nufft_describe(plan, &info[real]);
        argand_nufft_destroy(plan);
    }
    assert_memory_equal(info[0].grid, info[1].grid, sizeof info[0].grid);
    CHECK_BELOW((double)info[1].scratch_bytes, 0.6 * (double)info[0].scratch_bytes);
    unmake(&m);
}

static void refused(void **state)
{
    (void)state;
    const problem p = problem_of((int64_t[4]){2, 16, 16, 0}, ARGAND_C32, 1e-4, UNIFORM, 30, 1);
    made m = make(&p);
    options o = options_of(&p);
    argand_nufft *plan;
    o.real_image = true;
    plan = plan_with(&m, o);
    argand_array *image = real_like(m.image), *two = like(m.samples);
    assert_int_equal(argand_nufft_apply(plan, m.samples, m.image), ARGAND_ARGUMENT);
    assert_non_null(strstr(argand_message(), "image: complex float given, the plan is for float"));
    assert_int_equal(argand_nufft_blur(plan, two, m.samples), ARGAND_UNSUPPORTED);
    assert_int_equal(argand_nufft_derivative(plan, 0, m.samples, image), ARGAND_UNSUPPORTED);
    assert_int_equal(argand_nufft_spread(plan, m.image, m.samples), ARGAND_UNSUPPORTED);
    assert_non_null(strstr(argand_message(), "without real_image"));
    argand_array_destroy(two);
    argand_array_destroy(image);
    argand_nufft_destroy(plan);
    unmake(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sums),          cmocka_unit_test(borders),   cmocka_unit_test(adjoint),
    cmocka_unit_test(as_complex),    cmocka_unit_test(cartesian), cmocka_unit_test(same_bits),
    cmocka_unit_test(half_the_grid), cmocka_unit_test(refused),
};
RUN_TESTS(tests)
