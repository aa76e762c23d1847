/* SPDX-License-Identifier: BSD-3-Clause */
/* The circulant preconditioner: eigenvalues by its definition, Hermitian, positive, and fewer iterations. */
#include "problem.h"
#include "toeplitz/circulant.h"

static const double two_pi = 6.283185307179586476925;

/* Its eigenvalue f is x^H T x / |x|^2 of the plane wave f, here by plain sums of all coils. */
static double plane_wave(const made *m, const double complex *a, const double complex *maps, int64_t f)
{
    const problem *p = &m->p;
    double complex *x = malloc((size_t)m->pixels * sizeof *x), *y = calloc((size_t)m->pixels, sizeof *y),
                   sum = 0;
    for (int64_t i = 0; i < m->pixels; i++) {
        double turns = 0;
        int64_t rest = i, of = f;
        for (int d = 0; d < p->rank; d++) {
            turns += (double)(rest % p->n[d]) * (double)(of % p->n[d]) / (double)p->n[d];
            rest /= p->n[d];
            of /= p->n[d];
        }
        x[i] = cexp(I * two_pi * turns);
    }
    for (int64_t c = 0; c < (maps ? p->coils : 1); c++)
        add_normal(y, m, a, x, maps ? maps + c * m->pixels : NULL);
    for (int64_t i = 0; i < m->pixels; i++) sum += conj(x[i]) * y[i];
    free(x);
    free(y);
    return creal(sum) / (double)m->pixels;
}

static int types(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.has_double ? 2 : 1;
}

static const problem problems[] = {
    {.rank = 1, .n = {9}, .samples = 40, .coils = 1, .shots = 1, .features = WEIGHTS},
    {.rank = 2, .n = {8, 5}, .samples = 90, .coils = 3, .shots = 1, .maps = 1},
    {.rank = 3, .n = {4, 3, 5}, .samples = 90, .coils = 2, .shots = 2, .maps = 1, .features = PHASES | MASK},
    {.rank = 2,
     .n = {7, 6},
     .samples = 80,
     .coils = 1,
     .shots = 1,
     .features = FIELD | DECAY,
     .tolerance = 1e-6},
};

static void eigenvalues(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        problem p = problems[i];
        p.type = types() > 1 ? ARGAND_C64 : ARGAND_C32;
        made m = make(p);
        argand_array *found;
        OK(toeplitz_circulant(&found, m.toeplitz, m.maps));
        double *got = as_doubles(found), most = 0;
        double complex *a = matrix(&m), *maps = (double complex *)doubles_or_null(m.maps);
        double *truth = malloc((size_t)m.pixels * sizeof *truth);
        for (int64_t f = 0; f < m.pixels; f++) most = fmax(most, truth[f] = plane_wave(&m, a, maps, f));
        for (int64_t f = 0; f < m.pixels; f++)
            CHECK_BELOW(fabs(got[f] - truth[f]) / most,
                        p.type == ARGAND_C32 || p.features & FIELD ? 1e-5 : 1e-9);
        void *const all[] = {got, a, maps, truth};
        for (int j = 0; j < 4; j++) free(all[j]);
        argand_array_destroy(found);
        unmake(&m);
    }
}

static void hermitian_and_positive(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        problem p = problems[i];
        p.type = i % 2 && types() > 1 ? ARGAND_C64 : ARGAND_C32;
        made m = make(p);
        argand_op *op;
        double error;
        argand_scalar product;
        OK(argand_op_circulant(&op, m.toeplitz, m.maps, 0.1 * i));
        OK(argand_op_check(op, 3, 2, &error));
        CHECK_BELOW(error, p.type == ARGAND_C64 ? 1e-13 : 1e-6);
        argand_array *x = in_domain(op, 1), *y = in_domain(op, 2);
        OK(argand_op_apply(op, y, x));
        OK(argand_array_dot(&product, x, y));
        assert_true(product.re > 0);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_op_destroy(op);
        unmake(&m);
    }
}

typedef struct radial {
    argand_array *k[3], *t, *maps, *truth, *data;
    argand_op *sense, *circulant, *normal;
} radial;

/* A phantom of 48 x 44 seen by 4 coils along spokes through the centre, all that the sampling theorem asks
 * for */
static radial radial_problem(void)
{
    static const int64_t dims[3] = {48, 44, 4};
    radial r = {0};
    argand_nufft *plan;
    argand_op *transform;
    argand_toeplitz *toeplitz;
    argand_toeplitz_options o = {.type = ARGAND_C32, .rank = 2, .n = {dims[0], dims[1]}, .tolerance = 1e-7};
    OK(argand_trajectory_make(r.k, &r.t, device, ARGAND_R32,
                              &(argand_trajectory_options){.kind = ARGAND_RADIAL, .n = {dims[0], dims[1]}}));
    OK(argand_array_create(&r.maps, device, ARGAND_C32, 3, dims));
    OK(argand_array_create(&r.truth, device, ARGAND_C32, 2, dims));
    OK(argand_coils_birdcage(r.maps));
    OK(argand_phantom_image(r.truth, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_nufft_create(
        &plan, device,
        &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {48, 44}, .tolerance = 1e-7}));
    OK(argand_nufft_set_points(plan, r.k));
    OK(argand_op_nufft(&transform, device, plan, dims[2]));
    OK(argand_op_sense(&r.sense, transform, r.maps));
    argand_op_destroy(transform);
    OK(argand_array_create(&r.data, device, ARGAND_C32, 2, argand_op_range(r.sense)->dims));
    OK(argand_op_apply(r.sense, r.data, r.truth));
    for (int d = 0; d < 2; d++) o.k[d] = r.k[d];
    OK(argand_toeplitz_create(&toeplitz, device, &o));
    OK(argand_op_circulant(&r.circulant, toeplitz, r.maps, 0));
    OK(argand_op_sense_normal(&r.normal, toeplitz, r.maps));
    argand_toeplitz_destroy(toeplitz);
    return r;
}

static double *image_after(const radial *r, int iterations, argand_op *preconditioner, argand_op *normal)
{
    argand_array *x;
    OK(argand_array_create(&x, device, ARGAND_C32, 2, (const int64_t[2]){48, 44}));
    OK(argand_solve_cg(
        x, r->sense, r->data,
        &(argand_cg_options){.iterations = iterations, .preconditioner = preconditioner, .normal = normal}));
    double *image = as_doubles(x);
    argand_array_destroy(x);
    return image;
}

static double error_after(const radial *r, int iterations, argand_op *preconditioner)
{
    double *got = image_after(r, iterations, preconditioner, NULL), *truth = as_doubles(r->truth);
    const double error = relative_error(got, truth, 2 * 48 * 44);
    free(got);
    free(truth);
    return error;
}

static void release(radial *r)
{
    argand_array *const all[] = {r->k[0], r->k[1], r->t, r->maps, r->truth, r->data};
    for (int i = 0; i < 6; i++) argand_array_destroy(all[i]);
    argand_op_destroy(r->sense);
    argand_op_destroy(r->circulant);
    argand_op_destroy(r->normal);
}

/* Radial sampling is dense at the centre: plain CG spends its first iterations on that. */
static void saves_iterations(void **state)
{
    (void)state;
    radial r = radial_problem();
    for (int n = 2; n <= 12; n += 2)
        printf("%2d iterations: error %.3f, with the circulant %.3f\n", n, error_after(&r, n, NULL),
               error_after(&r, n, r.circulant));
    CHECK_BELOW(error_after(&r, 6, r.circulant), error_after(&r, 12, NULL));
    release(&r);
}

/* Conjugate gradients on the convolution alone give the image of NUFFTs forward and adjoint. Both have single
 * precision's error, some 1e-6 of the densely sampled centre's energy; at the edge of k-space, where samples
 * are 50 times sparser, that is 50 times as much. */
static void solves_alike(void **state)
{
    (void)state;
    radial r = radial_problem();
    for (int with = 0; with < 2; with++) {
        argand_op *preconditioner = with ? r.circulant : NULL;
        double *there = image_after(&r, 8, preconditioner, NULL),
               *toeplitz = image_after(&r, 8, preconditioner, r.normal);
        const double apart = relative_error(toeplitz, there, 2 * 48 * 44);
        printf("8 iterations by Toeplitz and by NUFFT: %.1e apart\n", apart);
        CHECK_BELOW(apart, 2e-4);
        free(there);
        free(toeplitz);
    }
    release(&r);
}

static void refusals(void **state)
{
    (void)state;
    problem p = problems[1];
    p.type = ARGAND_C32;
    made m = make(p);
    argand_op *op;
    argand_toeplitz_times times;
    FAILS(argand_op_circulant(&op, NULL, NULL, 0), ARGAND_ARGUMENT, "no Toeplitz kernels");
    FAILS(argand_op_circulant(&op, m.toeplitz, NULL, -1), ARGAND_ARGUMENT, "shift -1");
    FAILS(argand_op_circulant(&op, m.toeplitz, m.k[0], 0), ARGAND_ARGUMENT, "coil maps");
    FAILS(argand_toeplitz_predict(&times, device, NULL), ARGAND_ARGUMENT, "NULL");
    FAILS(argand_toeplitz_predict(&times, device, &(argand_toeplitz_problem){.type = ARGAND_C32, .rank = 2}),
          ARGAND_ARGUMENT, "n[0] is 0");
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 400; n++) {
        argand_test_fail_allocation(n);
        status = argand_op_circulant(&op, m.toeplitz, m.maps, 0);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_op_destroy(op);
    unmake(&m);
}

/* More samples make the NUFFT dearer and leave Toeplitz as it is: it pays in the end, and on any device. */
static void prediction(void **state)
{
    (void)state;
    argand_toeplitz_problem p = {
        .type = ARGAND_C32, .rank = 2, .n = {128, 128}, .samples = 2000, .vectors = 8};
    argand_toeplitz_times few, many, field;
    OK(argand_toeplitz_predict(&few, device, &p));
    p.samples = 2000000;
    OK(argand_toeplitz_predict(&many, device, &p));
    assert_true(few.nufft < many.nufft && few.toeplitz == many.toeplitz && many.toeplitz < many.nufft);
    p.terms = 8;
    OK(argand_toeplitz_predict(&field, device, &p));
    assert_true(field.toeplitz > many.toeplitz && field.nufft > many.nufft && field.kernels > many.kernels);
}

/* What was faster by a third and more, by processor time, where it was measured
 * (docs/performance/toeplitz.md): so many iterations by either, kernels included. */
static void as_measured(void **state)
{
    (void)state;
    static const struct {
        int rank;
        int64_t n, samples, vectors;
        double tolerance;
        int iterations;
        bool toeplitz;
    } known[] = {
        {2, 128, 20000, 1, 1e-5, 20, true},   {2, 256, 50000, 16, 1e-5, 10, true},
        {2, 256, 400000, 1, 1e-5, 10, true},  {2, 256, 400000, 8, 1e-4, 10, true},
        {2, 512, 1000000, 1, 1e-4, 10, true}, {3, 64, 20000, 1, 1e-5, 100, true},
        {3, 64, 200000, 8, 1e-5, 10, true},   {3, 64, 1000000, 1, 1e-4, 10, true},
        {3, 128, 20000, 1, 1e-5, 100, true},  {3, 128, 400000, 1, 1e-5, 100, true},
        {3, 64, 20000, 1, 1e-5, 10, false},   {3, 128, 20000, 1, 1e-5, 10, false},
        {3, 128, 400000, 1, 1e-5, 10, false}, {2, 512, 100000, 1, 1e-5, 3, false},
    };
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!info.host_addressable) skip();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const int64_t n = known[i].n;
        argand_toeplitz_times times;
        OK(argand_toeplitz_predict(&times, device,
                                   &(argand_toeplitz_problem){.type = ARGAND_C32,
                                                              .rank = known[i].rank,
                                                              .n = {n, n, known[i].rank > 2 ? n : 1},
                                                              .samples = known[i].samples,
                                                              .vectors = known[i].vectors,
                                                              .tolerance = known[i].tolerance}));
        const double saved = known[i].iterations * (times.nufft - times.toeplitz) - times.kernels;
        if ((saved > 0) != known[i].toeplitz)
            fail_msg("%d-D, %lld pixels an axis, %lld samples, %d iterations: %.3g, %.3g and %.3g s",
                     known[i].rank, (long long)n, (long long)known[i].samples, known[i].iterations,
                     times.nufft, times.toeplitz, times.kernels);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(eigenvalues),      cmocka_unit_test(hermitian_and_positive),
    cmocka_unit_test(saves_iterations), cmocka_unit_test(solves_alike),
    cmocka_unit_test(refusals),         cmocka_unit_test(prediction),
    cmocka_unit_test(as_measured),
};
RUN_TESTS(tests)
