/* SPDX-License-Identifier: BSD-3-Clause */
/* What nufft.h promises of every input, whatever cancels. Each small problem's matrix is taken from the plan,
 * one input of a single 1 after the other, and compared with exact exponentials: as an error is a sum over
 * inputs, the norms of the difference bound it for all of them. Inputs made to cancel follow, as what is left
 * of their outputs is all that a plan gives. */
#include "drawn.h"

/* Differences to the exact matrix, output by output of each input */
typedef struct matrix {
    int64_t outputs, inputs;
    double complex *error;
} matrix;

static int64_t pixels_of(const problem *p)
{
    int64_t pixels = 1;
    for (int axis = 0; axis < p->rank; axis++) pixels *= p->n[axis];
    return pixels;
}

/* So small that every input can be tried; half of them have a few pixels. */
static drawn draw_small(uint64_t seed)
{
    static const int64_t most[] = {150, 14, 6};
    drawn d = draw(seed);
    problem *p = &d.p;
    const bool few = one_in(2);
    for (int axis = 0; axis < p->rank; axis++)
        d.o.n[axis] = p->n[axis] = 1 + below(few ? 6 : most[p->rank - 1]);
    if (p->count > 40) p->count = 40;
    if (one_in(2)) d.o.oversampling = p->oversampling = 0;
    p->every_pixel = d.o.every_pixel = one_in(3);
    p->vectors = pixels_of(p);
    return d;
}

static argand_array *vectors_of(argand_type type, const drawn *d, bool is_image, int64_t vectors)
{
    argand_array *array;
    int64_t dims[4] = {d->p.count, vectors};
    const int rank = is_image ? d->p.rank : 1;
    for (int axis = 0; axis < rank && is_image; axis++) dims[axis] = d->p.n[axis];
    dims[rank] = vectors;
    OK(argand_array_create(&array, device, type, rank + 1, dims));
    return array;
}

static void upload(argand_array *array, double *numbers)
{
    const argand_type type = argand_array_type(array);
    const size_t count = real_count(array);
    for (size_t i = 0; i < count && (type == ARGAND_R32 || type == ARGAND_C32); i++)
        ((float *)numbers)[i] = (float)numbers[i];
    OK(argand_array_upload(array, numbers));
    free(numbers);
}

/* Vector i has a 1 as its i-th number. */
static void fill_units(argand_array *array, const drawn *d, bool is_image, int64_t inputs)
{
    const size_t parts = real_count(array) / (size_t)(inputs * inputs);
    double *numbers = calloc(real_count(array), sizeof *numbers);
    assert_non_null(numbers);
    for (int64_t i = 0; i < inputs; i++)
        numbers[parts * (size_t)(i * inputs + (is_image ? pixel(d, i) : i))] = 1;
    upload(array, numbers);
}

static double complex number(const double *numbers, bool is_real, int64_t i)
{
    return is_real ? numbers[i] : CMPLX(numbers[2 * i], numbers[2 * i + 1]);
}

/* exp(-2 pi i k r) of pixel i and sample j */
static double complex entry(const drawn *d, const made *m, int64_t i, int64_t j)
{
    long double turns = 0;
    for (int axis = 0; axis < d->p.rank; axis++) {
        const int64_t n = d->p.n[axis], x = i % n - n / 2;
        const long double part = (long double)m->at[axis][j] * (long double)x / (long double)n;
        turns += part - rintl(part);
        i /= n;
    }
    const long double phase = (turns - rintl(turns)) * 6.283185307179586476925L;
    return CMPLX((double)cosl(phase), (double)-sinl(phase));
}

/* Type 2: inputs are pixels; type 1: samples, of whose images real plans give the real part. */
static matrix matrix_of(const drawn *d, const made *m, bool forward)
{
    const int64_t pixels = pixels_of(&d->p), count = d->p.count, inputs = forward ? pixels : count,
                  outputs = forward ? count : pixels;
    const argand_type real = is_double(&d->p) ? ARGAND_R64 : ARGAND_R32;
    argand_array *image = vectors_of(d->o.real_image ? real : d->p.type, d, true, inputs),
                 *samples = vectors_of(d->p.type, d, false, inputs);
    matrix a = {outputs, inputs, malloc((size_t)(inputs * outputs) * sizeof *a.error)};
    assert_non_null(a.error);
    fill_units(forward ? image : samples, d, forward, inputs);
    OK(forward ? argand_nufft_apply(m->plan, samples, image) : argand_nufft_adjoint(m->plan, image, samples));
    double *got = as_doubles(forward ? samples : image);
    const bool is_real = !forward && d->o.real_image;
    for (int64_t i = 0; i < inputs; i++)
        for (int64_t j = 0; j < outputs; j++) {
            const double complex e = forward ? entry(d, m, i, j) : conj(entry(d, m, j, i)),
                                 g = number(got, is_real, i * outputs + (forward ? j : pixel(d, j)));
            a.error[i * outputs + j] = g - (is_real ? creal(e) : e);
        }
    free(got);
    argand_array_destroy(samples);
    argand_array_destroy(image);
    return a;
}

/* The promise: of any input, of one number, and that of every_pixel */
static void check_matrix(const drawn *d, const made *m, const matrix *a, bool forward)
{
    const double reached = fmax(d->p.tolerance, m->info.expected_error),
                 excess = forward && !d->p.every_pixel ? 6 : 1;
    double square = 0, column = 0;
    for (int64_t i = 0; i < a->inputs; i++) {
        const double norm = norm_of(a->error + i * a->outputs, a->outputs);
        square += norm * norm;
        column = fmax(column, norm / sqrt((double)a->outputs));
    }
    const double any = sqrt(square / (double)(a->inputs * a->outputs));
    if (getenv("VERBOSE"))
        printf("%llu %d any %.3f one %.3f\n", (unsigned long long)d->seed, forward, any / reached,
               column / reached / excess);
    limit(d, m, forward ? "type 2, any input" : "type 1, any input", any, reached);
    limit(d, m, forward ? "type 2, one pixel" : "type 1, one sample", column, excess * reached);
}

/* ---- inputs that cancel ---- */

/* x -= its part along each of the `count` rows, which become orthonormal */
static void project_out(double complex *x, double complex *rows, int64_t count, int64_t length)
{
    for (int64_t r = 0; r <= count; r++) {
        double complex *row = r < count ? rows + r * length : x;
        const double before = norm_of(row, length);
        for (int64_t twice = 0; twice < 2; twice++)
            for (int64_t q = 0; q < r; q++) {
                double complex dot = 0;
                for (int64_t i = 0; i < length; i++) dot += conj(rows[q * length + i]) * row[i];
                for (int64_t i = 0; i < length; i++) row[i] -= dot * rows[q * length + i];
            }
        const double norm = norm_of(row, length);
        for (int64_t i = 0; i < length; i++) row[i] = norm > 1e-10 * before ? row[i] / norm : 0;
    }
}

/* The input that the error matrix lengthens most, nearly */
static void worst_input(double complex *x, const matrix *a, bool is_real)
{
    double complex *y = malloc((size_t)a->outputs * sizeof *y);
    assert_non_null(y);
    for (int64_t i = 0; i < a->inputs; i++) x[i] = random_normal(&dice);
    for (int round = 0; round < 10; round++) {
        memset(y, 0, (size_t)a->outputs * sizeof *y);
        for (int64_t i = 0; i < a->inputs; i++)
            for (int64_t j = 0; j < a->outputs; j++) y[j] += a->error[i * a->outputs + j] * x[i];
        for (int64_t i = 0; i < a->inputs; i++) {
            x[i] = 0;
            for (int64_t j = 0; j < a->outputs; j++) x[i] += conj(a->error[i * a->outputs + j]) * y[j];
            if (is_real) x[i] = creal(x[i]);
        }
        const double norm = norm_of(x, a->inputs);
        for (int64_t i = 0; i < a->inputs && norm > 0; i++) x[i] /= norm;
    }
    free(y);
}

/* Sums over an image, of real ones twice: of the exponentials' real and imaginary parts. */
static void cancel(double complex *x, const drawn *d, const made *m)
{
    const int64_t pixels = pixels_of(&d->p), rows = d->p.count * (d->o.real_image ? 2 : 1);
    double complex *row = malloc((size_t)(rows * pixels) * sizeof *row);
    assert_non_null(row);
    for (int64_t j = 0; j < rows; j++)
        for (int64_t i = 0; i < pixels; i++) {
            const double complex e = entry(d, m, i, j % d->p.count);
            row[j * pixels + i] = !d->o.real_image ? conj(e) : j < d->p.count ? creal(e) : cimag(e);
        }
    project_out(x, row, rows, pixels);
    free(row);
}

/* The plan's error of one image against the promise; images that nothing is left of are passed over. */
static void check_image(const drawn *d, const made *m, const double complex *x, const char *what)
{
    const int64_t pixels = pixels_of(&d->p), count = d->p.count;
    const argand_type real = is_double(&d->p) ? ARGAND_R64 : ARGAND_R32;
    argand_array *image = vectors_of(d->o.real_image ? real : d->p.type, d, true, 1),
                 *samples = vectors_of(d->p.type, d, false, 1);
    const int64_t parts = d->o.real_image ? 1 : 2;
    double *numbers = calloc((size_t)(parts * pixels), sizeof *numbers);
    assert_non_null(numbers);
    for (int64_t i = 0; i < pixels; i++) {
        numbers[parts * pixel(d, i)] = creal(x[i]);
        if (parts == 2) numbers[2 * pixel(d, i) + 1] = cimag(x[i]);
    }
    upload(image, numbers);
    numbers = as_doubles(image);
    OK(argand_nufft_apply(m->plan, samples, image));
    double complex *got = (double complex *)as_doubles(samples);
    double norm = 0;
    for (int64_t i = 0; i < pixels * parts; i++) norm += numbers[i] * numbers[i];
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < pixels; i++)
            got[j] -= number(numbers, d->o.real_image, pixel(d, i)) * entry(d, m, i, j);
    if (norm > 0.5)
        limit(d, m, what, norm_of(got, count) / sqrt(norm * (double)(pixels * count)),
              fmax(d->p.tolerance, m->info.expected_error));
    free(got);
    free(numbers);
    argand_array_destroy(samples);
    argand_array_destroy(image);
}

static void check_problem(const drawn *d)
{
    made m = make_drawn(d);
    const matrix forward = matrix_of(d, &m, true), back = matrix_of(d, &m, false);
    check_matrix(d, &m, &forward, true);
    check_matrix(d, &m, &back, false);
    double complex *x = malloc((size_t)forward.inputs * sizeof *x);
    assert_non_null(x);
    worst_input(x, &forward, d->o.real_image);
    check_image(d, &m, x, "the worst image");
    cancel(x, d, &m);
    check_image(d, &m, x, "the worst image of those that cancel");
    for (int64_t i = 0; i < forward.inputs; i++)
        x[i] = CMPLX(random_normal(&dice), d->o.real_image ? 0 : random_normal(&dice));
    cancel(x, d, &m);
    check_image(d, &m, x, "an image that cancels");
    free(x);
    free(back.error);
    free(forward.error);
    unmake(&m);
}

static void check_drawn(uint64_t seed)
{
    const drawn d = draw_small(seed);
    check_problem(&d);
}

static void every_input(void **state)
{
    (void)state;
    draw_all(check_drawn, 150);
}

/* Axes of one pixel have the same error for all pixels, most where narrow windows end on cells. */
static void thin_images(void **state)
{
    (void)state;
    static const int64_t shapes[][4] = {{1, 1, 1, 1}, {2, 1, 1, 1}, {2, 1, 5, 1},
                                        {3, 1, 1, 1}, {3, 3, 1, 1}, {3, 2, 2, 1}};
    for (int i = 0; i < 6; i++)
        for (int step = 0; step < 24; step++) {
            drawn d = {.seed = (uint64_t)(100 * i + step), .positions = ARGAND_R64, .on_cells = true};
            d.p = problem_of(shapes[i], step % 2 ? ARGAND_C64 : ARGAND_C32, pow(10, -1 - step / 12.), UNIFORM,
                             30, 1);
            d.p.vectors = pixels_of(&d.p);
            d.o = (argand_nufft_options){.type = d.p.type,
                                         .rank = d.p.rank,
                                         .n = {d.p.n[0], d.p.n[1], d.p.n[2]},
                                         .tolerance = d.p.tolerance,
                                         .sign = -1,
                                         .window_only = true};
            check_problem(&d);
        }
}

/* ---- type 3 ---- */

typedef struct points3 {
    double r[3][40], k[3][40];
} points3;

static argand_array *array_of(const double *values, int64_t count)
{
    argand_array *array;
    OK(argand_array_create(&array, device, ARGAND_R64, 1, &count));
    OK(argand_array_upload(array, values));
    return array;
}

/* Sources of an extent of 1 and targets of `product`; a third of the problems have copies or a cluster. */
static void place3(points3 *p, int rank, int64_t sources, int64_t targets, double product)
{
    const double spread = one_in(3) ? 0 : one_in(3) ? 0.01 : 1;
    for (int axis = 0; axis < rank; axis++) {
        const double middle = random_uniform(&dice) - 0.5;
        for (int64_t i = 0; i < sources; i++)
            p->r[axis][i] = one_in(4) ? 0.5 - (double)below(2) : random_uniform(&dice) - 0.5;
        for (int64_t j = 0; j < targets; j++)
            p->k[axis][j] = product * (spread < 1 && j > 1 ? middle + spread * random_uniform(&dice)
                                                           : random_uniform(&dice) - 0.5);
    }
}

static double worst_of3(double *any, argand_nufft3 *plan, const points3 *p, argand_type type, int rank,
                        int64_t sources, int64_t targets)
{
    argand_array *strengths, *samples;
    double *one = calloc((size_t)(2 * sources * sources), sizeof *one), worst = 0, square = 0;
    assert_non_null(one);
    OK(argand_array_create(&strengths, device, type, 2, (int64_t[]){sources, sources}));
    OK(argand_array_create(&samples, device, type, 2, (int64_t[]){targets, sources}));
    for (int64_t i = 0; i < sources; i++) one[2 * (i * sources + i)] = 1;
    upload(strengths, one);
    OK(argand_nufft3_apply(plan, samples, strengths));
    double complex *got = (double complex *)as_doubles(samples);
    for (int64_t i = 0; i < sources; i++)
        for (int64_t j = 0; j < targets; j++) {
            long double turns = 0;
            for (int axis = 0; axis < rank; axis++)
                turns += (long double)p->r[axis][i] * (long double)p->k[axis][j];
            const double phase = (double)(turns - rintl(turns)) * two_pi,
                         error = cabs(got[i * targets + j] - CMPLX(cos(phase), -sin(phase)));
            square += error * error;
            worst = fmax(worst, error);
        }
    *any = sqrt(square / (double)(sources * targets));
    free(got);
    argand_array_destroy(samples);
    argand_array_destroy(strengths);
    return worst;
}

static void check_drawn3(uint64_t seed)
{
    dice.value = seed;
    points3 p;
    argand_nufft3 *plan;
    argand_nufft3_info info;
    const argand_type type = one_in(2) ? ARGAND_C64 : ARGAND_C32;
    const int rank = 1 + (int)below(3);
    const int64_t sources = 1 + below(40), targets = 1 + below(40);
    const argand_nufft3_options o = {.type = type,
                                     .rank = rank,
                                     .tolerance =
                                         pow(10, -1 - (type == ARGAND_C64 ? 10 : 5) * random_uniform(&dice))};
    place3(&p, rank, sources, targets, (rank == 3 ? 10 : 60) * random_uniform(&dice));
    argand_array *r[3] = {0}, *k[3] = {0};
    for (int axis = 0; axis < rank; axis++) {
        r[axis] = array_of(p.r[axis], sources);
        k[axis] = array_of(p.k[axis], targets);
    }
    OK(argand_nufft3_create(&plan, device, &o));
    OK(argand_nufft3_set_points(plan, r, k));
    argand_nufft3_describe(plan, &info);
    double any;
    const double worst = worst_of3(&any, plan, &p, type, rank, sources, targets),
                 reached = fmax(o.tolerance, info.expected_error);
    if (!(any <= reached) || !(worst <= 6 * reached))
        fail_msg("type 3, seed %llu: %.3g, one source %.3g, more than %.3g", (unsigned long long)seed, any,
                 worst, reached);
    if (getenv("VERBOSE"))
        printf("%llu 3 any %.3f one %.3f\n", (unsigned long long)seed, any / reached, worst / reached);
    argand_nufft3_destroy(plan);
    for (int axis = 0; axis < rank; axis++) {
        argand_array_destroy(k[axis]);
        argand_array_destroy(r[axis]);
    }
}

static void every_input_of_type_3(void **state)
{
    (void)state;
    draw_all(check_drawn3, 60);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_input),
    cmocka_unit_test(thin_images),
    cmocka_unit_test(every_input_of_type_3),
};
RUN_TESTS(tests)
