/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured phase by segments: against the exponential itself, over all samples and pixels, and within a NUFFT
 * against the direct sum in double, forward and adjoint. */
#include "harness.h"

enum { NX = 24, NY = 20, PIXELS = NX * NY, SAMPLES = 700 };

typedef struct phase_case {
    double c[SAMPLES * ARGAND_PHASE_TERMS], h[PIXELS * ARGAND_PHASE_TERMS], t[SAMPLES], w[PIXELS],
        decay[PIXELS], mask[PIXELS], k[2][SAMPLES];
} phase_case;

/* An oblique slice 4 cm off the isocentre, 20 cm wide; terms that grow while they oscillate, as eddy currents
 * and concomitant fields of a spiral do: some rad at the rim for each order. */
static void make_case(phase_case *p)
{
    for (int n = 0; n < PIXELS; n++) {
        const double u = 0.2 * (n % NX - NX / 2) / NX, v = 0.2 * (n / NX - NY / 2) / NY;
        const double place[3] = {0.01 + u, -0.02 + 0.8 * v, 0.04 + 0.6 * v};
        double h[ARGAND_PHASE_TERMS];
        argand_phase_basis(h, place);
        for (int l = 0; l < ARGAND_PHASE_TERMS; l++) p->h[n + PIXELS * l] = h[l];
        p->w[n] = 200 * exp(-100 * (u * u + v * v));
        p->decay[n] = 20 + 300 * fabs(u);
        p->mask[n] = u * u + v * v < 0.009;
    }
    for (int j = 0; j < SAMPLES; j++) {
        const double s = j / (SAMPLES - 1.0);
        p->t[j] = 0.005 + 0.02 * s;
        for (int axis = 0; axis < 2; axis++) p->k[axis][j] = 9 * s * (axis ? sin(60 * s) : cos(60 * s));
        for (int l = 0; l < ARGAND_PHASE_TERMS; l++) {
            const double reach = pow(0.1, l == 0 ? 0 : l < 4 ? 1 : l < 9 || l > 15 ? 2 : 3);
            p->c[j + SAMPLES * l] = (l > 3 || !l) * (0.6 + 0.1 * l) * s * sin(3 * s + l) / reach;
        }
    }
}

static double complex entry(const phase_case *p, int j, int n)
{
    double phase = p->w[n] * p->t[j];
    for (int l = 0; l < ARGAND_PHASE_TERMS; l++) phase += p->c[j + SAMPLES * l] * p->h[n + PIXELS * l];
    return cexp(-p->decay[n] * p->t[j] - I * phase);
}

static argand_array *real_array(int64_t count, int64_t terms, const double *numbers)
{
    argand_array *a;
    OK(argand_array_create(&a, device, ARGAND_R64, 2, (int64_t[]){count, terms}));
    OK(argand_array_upload(a, numbers));
    return a;
}

static void make_segments(argand_segments **s, const phase_case *p, double tolerance)
{
    argand_array *c = real_array(SAMPLES, ARGAND_PHASE_TERMS, p->c),
                 *h = real_array(PIXELS, ARGAND_PHASE_TERMS, p->h), *t = real_array(SAMPLES, 1, p->t),
                 *w = real_array(PIXELS, 1, p->w), *decay = real_array(PIXELS, 1, p->decay),
                 *mask = real_array(PIXELS, 1, p->mask);
    const argand_segments_phase_options o = {.type = ARGAND_C64,
                                             .tolerance = tolerance,
                                             .phase = c,
                                             .basis = h,
                                             .t = t,
                                             .field_map = w,
                                             .r2star = decay,
                                             .mask = mask};
    OK(argand_segments_create_phase(s, device, &o));
    argand_array *const all[] = {c, h, t, w, decay, mask};
    for (int i = 0; i < 6; i++) argand_array_destroy(all[i]);
}

static void the_exponential_is_reached(void **state)
{
    (void)state;
    static phase_case p;
    make_case(&p);
    for (double tolerance = 1e-2; tolerance > 1e-6; tolerance /= 100) {
        argand_segments *s;
        argand_segments_info info;
        make_segments(&s, &p, tolerance);
        argand_segments_describe(s, &info);
        double *a = as_doubles(argand_segments_time(s)), *b = as_doubles(argand_segments_space(s));
        double off = 0, whole = 0;
        for (int n = 0; n < PIXELS; n++)
            for (int j = 0; j < SAMPLES; j++) {
                double complex sum = 0;
                for (int l = 0; l < info.terms; l++) {
                    const double *x = a + 2 * (j + SAMPLES * l), *y = b + 2 * (n + PIXELS * l);
                    sum += CMPLX(x[0], x[1]) * CMPLX(y[0], y[1]);
                }
                if (p.mask[n] == 0) {
                    assert_true(cabs(sum) == 0);
                    continue;
                }
                const double complex exact = entry(&p, j, n);
                off += creal((sum - exact) * conj(sum - exact));
                whole += creal(exact * conj(exact));
            }
        /* the error is known from some samples and pixels: to a fifth of all of them */
        CHECK_BELOW(sqrt(off / whole), 1.2 * tolerance);
        CHECK_BELOW(fabs(info.error - sqrt(off / whole)), 0.5 * tolerance);
        assert_true(info.terms > 4 && info.terms < 100);
        free(a);
        free(b);
        argand_segments_destroy(s);
    }
}

/* s_j = sum_n m_n E_jn exp(-2 pi i k_j r_n) within the mask */
static void a_transform_with_them_is_the_direct_sum(void **state)
{
    (void)state;
    static phase_case p;
    static double image[2 * PIXELS], exact[2 * SAMPLES];
    argand_segments *s;
    argand_nufft *plan;
    argand_op *op;
    argand_array *k[3] = {NULL}, *x, *y;
    make_case(&p);
    make_segments(&s, &p, 1e-5);
    const argand_nufft_options options = {.type = ARGAND_C64, .rank = 2, .n = {NX, NY}, .tolerance = 1e-9};
    OK(argand_nufft_create(&plan, device, &options));
    for (int axis = 0; axis < 2; axis++) {
        OK(argand_array_create(&k[axis], device, ARGAND_R64, 1, (int64_t[]){SAMPLES}));
        OK(argand_array_upload(k[axis], p.k[axis]));
    }
    OK(argand_nufft_set_points(plan, k));
    OK(argand_op_segmented(&op, device, plan, s, 1));
    for (int n = 0; n < PIXELS; n++) image[2 * n] = 1 + n % 7, image[2 * n + 1] = n % 5 - 2;
    for (int j = 0; j < SAMPLES; j++) {
        double complex sum = 0;
        for (int n = 0; n < PIXELS; n++) {
            const double r[2] = {(double)(n % NX - NX / 2) / NX, (double)(n / NX - NY / 2) / NY};
            if (p.mask[n] != 0)
                sum += CMPLX(image[2 * n], image[2 * n + 1]) * entry(&p, j, n) *
                       cexp(-2 * 3.14159265358979323846 * I * (p.k[0][j] * r[0] + p.k[1][j] * r[1]));
        }
        exact[2 * j] = creal(sum);
        exact[2 * j + 1] = cimag(sum);
    }
    OK(argand_array_create(&x, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_array_create(&y, device, ARGAND_C64, 2, (int64_t[]){SAMPLES, 1}));
    OK(argand_array_upload(x, image));
    OK(argand_op_apply(op, y, x));
    double *got = as_doubles(y);
    CHECK_BELOW(relative_error(got, exact, 2 * SAMPLES), 1e-4);
    double error;
    OK(argand_op_check(op, 3, 1, &error));
    CHECK_BELOW(error, 1e-12);
    free(got);
    argand_array_destroy(x);
    argand_array_destroy(y);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    argand_op_destroy(op);
    argand_segments_destroy(s);
}

/* Harmonics of order 1 to 3 have no Laplacian. */
static void the_basis_is_harmonic(void **state)
{
    (void)state;
    const double step = 1e-3, place[3] = {0.3, -0.2, 0.5};
    double here[ARGAND_PHASE_TERMS], near[ARGAND_PHASE_TERMS], laplacian[ARGAND_PHASE_TERMS] = {0};
    argand_phase_basis(here, place);
    for (int i = 0; i < 6; i++) {
        double at[3] = {place[0], place[1], place[2]};
        at[i / 2] += i % 2 ? step : -step;
        argand_phase_basis(near, at);
        for (int l = 0; l < ARGAND_PHASE_TERMS; l++) laplacian[l] += (near[l] - here[l]) / (step * step);
    }
    for (int l = 0; l < 16; l++) CHECK_BELOW(fabs(laplacian[l]), 1e-7);
    CHECK_BELOW(fabs(laplacian[16] - 2), 1e-7);
    CHECK_BELOW(fabs(laplacian[17] - 4), 1e-7);
}

static void refusals(void **state)
{
    (void)state;
    static phase_case p;
    argand_segments *s;
    make_case(&p);
    argand_array *c = real_array(SAMPLES, ARGAND_PHASE_TERMS, p.c),
                 *h = real_array(PIXELS, ARGAND_PHASE_TERMS - 1, p.h), *w = real_array(PIXELS, 1, p.w);
    argand_segments_phase_options o = {.type = ARGAND_C64, .phase = c, .basis = h};
    FAILS(argand_segments_create_phase(&s, device, &o), ARGAND_ARGUMENT, "phase has 20 terms, the basis 19");
    argand_array_destroy(h);
    o.basis = h = real_array(PIXELS, ARGAND_PHASE_TERMS, p.h);
    o.field_map = w;
    FAILS(argand_segments_create_phase(&s, device, &o), ARGAND_ARGUMENT, "maps need t");
    o.t = w;
    FAILS(argand_segments_create_phase(&s, device, &o), ARGAND_ARGUMENT, "times are 480 numbers");
    o.t = o.field_map = NULL;
    for (int i = 0; i < SAMPLES * ARGAND_PHASE_TERMS; i++) p.c[i] *= 1e3; /* rad/m in place of rad/km, say */
    OK(argand_array_upload(c, p.c));
    FAILS(argand_segments_create_phase(&s, device, &o), ARGAND_UNSUPPORTED, "needs more than");
    p.c[5] = NAN;
    OK(argand_array_upload(c, p.c));
    FAILS(argand_segments_create_phase(&s, device, &o), ARGAND_NUMERIC, "number 5 of phases");
    argand_array_destroy(c);
    argand_array_destroy(h);
    argand_array_destroy(w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_exponential_is_reached),
    cmocka_unit_test(a_transform_with_them_is_the_direct_sum),
    cmocka_unit_test(the_basis_is_harmonic),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
