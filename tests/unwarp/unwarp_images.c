/* SPDX-License-Identifier: BSD-3-Clause */
/* Displacements against polynomials written out by hand; images against an object whose distorted image is
 * known as a function. */
#include "harness.h"

#define RADIUS 250.0

/* One coefficient of each kind up to n = 3, and their polynomials in x, y, z over the radius. */
static argand_gradient_term terms[] = {{2, false, 3, 0, -0.08}, {0, false, 3, 1, 0.07}, {1, true, 3, 1, 0.05},
                                       {0, false, 3, 3, -0.04}, {1, true, 3, 3, 0.06},  {2, true, 2, 1, 0.01},
                                       {0, false, 2, 0, 0.1}};
static const argand_gradient_coefficients coefficients = {RADIUS, sizeof terms / sizeof *terms, terms};

static void expected(double d[3], const double position[3])
{
    const double x = position[0] / RADIUS, y = position[1] / RADIUS, z = position[2] / RADIUS;
    const double square = x * x + y * y + z * z;
    const double tesseral = 1.5 * sqrt(7.0 / 24) * (5 * z * z - square), cubic = 15 * sqrt(7.0 / 1440);
    d[0] = 0.07 * tesseral * x - 0.04 * cubic * (x * x * x - 3 * x * y * y) + 0.1 * (3 * z * z - square) / 2;
    d[1] = 0.05 * tesseral * y + 0.06 * cubic * (3 * x * x * y - y * y * y);
    d[2] = -0.08 * (5 * z * z * z - 3 * z * square) / 2 + 0.01 * 3 * sqrt(5.0 / 12) * y * z;
    for (int i = 0; i < 3; i++) d[i] *= RADIUS;
}

/* Also at the origin and on the axis, where spherical coordinates are singular; derivatives against central
 * differences. */
static void displacements(void **state)
{
    (void)state;
    const double positions[][3] = {{0, 0, 0}, {0, 0, 120}, {0, 0, -90}, {70, -40, 30}, {-110, 90, -60}};
    for (size_t k = 0; k < sizeof positions / sizeof *positions; k++) {
        double d[3], truth[3], jacobian[9], high[3], low[3];
        OK(argand_gradient_displacement(d, jacobian, 1, positions[k], &coefficients));
        expected(truth, positions[k]);
        for (int i = 0; i < 3; i++) CHECK_BELOW(fabs(d[i] - truth[i]), 1e-12 * RADIUS);
        for (int j = 0; j < 3; j++) {
            double at[3];
            memcpy(at, positions[k], sizeof at);
            at[j] += 0.01;
            expected(high, at);
            at[j] -= 0.02;
            expected(low, at);
            for (int i = 0; i < 3; i++)
                CHECK_BELOW(fabs(jacobian[3 * i + j] - (high[i] - low[i]) / 0.02), 1e-8);
        }
    }
}

/* An object of Gaussians in the system of the gradients. */
static double object(const double p[3])
{
    static const double blobs[][4] = {{0, 0, 0, 30}, {60, -50, 20, 25}, {-70, 20, -30, 28}, {30, 70, 25, 25}};
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        double square = 0;
        for (int i = 0; i < 3; i++) square += (p[i] - blobs[k][i]) * (p[i] - blobs[k][i]);
        sum += exp(-square / (2 * blobs[k][3] * blobs[k][3]));
    }
    return sum;
}

/* The distorted image at q: of the source p with p + d(p) = q, over the determinant there. */
static double distorted(const double q[3], bool keep)
{
    double p[3], d[3], j[9];
    memcpy(p, q, sizeof p);
    for (int step = 0; step < 40; step++) {
        expected(d, p);
        for (int i = 0; i < 3; i++) p[i] = q[i] - d[i];
    }
    OK(argand_gradient_displacement(d, j, 1, p, &coefficients));
    for (int i = 0; i < 3; i++) j[4 * i]++;
    const double volume = j[0] * (j[4] * j[8] - j[5] * j[7]) - j[1] * (j[3] * j[8] - j[5] * j[6]) +
                          j[2] * (j[3] * j[7] - j[4] * j[6]);
    return object(p) / (keep ? 1 : volume);
}

/* An oblique grid; patient coordinates are the gradients' by the signs. */
static const int64_t n[3] = {45, 38, 34};
static const argand_geometry geometry = {.valid = true,
                                         .voxel = {6, 7, 6},
                                         .read = {0.96, 0.28, 0},
                                         .phase = {-0.28, 0.96, 0},
                                         .slice = {0, 0, 1},
                                         .centre = {4, -6, 5}};

/* Whether a voxel's source may lie outside of the image. */
static bool is_near_edge(int64_t i)
{
    const int64_t v[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
    bool near = false;
    for (int d = 0; d < 3; d++) near = near || v[d] < 5 || v[d] >= n[d] - 5;
    return near;
}

static void place(double p[3], const double sign[3], int64_t i)
{
    const double v[3] = {(double)(i % n[0] - n[0] / 2), (double)(i / n[0] % n[1] - n[1] / 2),
                         (double)(i / (n[0] * n[1]) - n[2] / 2)};
    for (int a = 0; a < 3; a++)
        p[a] = sign[a] * (geometry.centre[a] + geometry.read[a] * 6 * v[0] + geometry.phase[a] * 7 * v[1] +
                          geometry.slice[a] * 6 * v[2]);
}

/* Two volumes, of which the second is the first one times -2 i or -2. */
static double unwarp(argand_type type, const double sign[3], const argand_unwarp_options *o,
                     argand_unwarp_report *r)
{
    const int64_t dims[4] = {n[0], n[1], n[2], 2}, count = n[0] * n[1] * n[2];
    const bool is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    double complex *y = malloc((size_t)(2 * count) * sizeof *y);
    argand_array *wide, *x, *out;
    for (int64_t i = 0; i < count; i++) {
        double p[3];
        place(p, sign, i);
        y[i] = distorted(p, o->keep_intensity);
        y[count + i] = y[i] * (is_complex ? CMPLX(0, -2) : -2);
    }
    OK(argand_array_create(&wide, device, ARGAND_C64, 4, dims));
    OK(argand_array_create(&x, device, type, 4, dims));
    OK(argand_array_create(&out, device, type, 4, dims));
    OK(argand_array_upload(wide, y));
    if (is_complex)
        OK(argand_array_copy(x, wide));
    else {
        argand_array *real;
        OK(argand_array_create(&real, device, ARGAND_R64, 4, dims));
        OK(argand_array_real(real, wide));
        OK(argand_array_copy(x, real));
        argand_array_destroy(real);
    }
    OK(argand_unwarp(out, x, &geometry, &coefficients, o, r));
    double *v = as_doubles(out), difference = 0, norm = 0;
    const int parts = is_complex ? 2 : 1;
    for (int64_t i = 0; i < count; i++) {
        double p[3];
        if (is_near_edge(i)) continue;
        place(p, sign, i);
        const double truth = object(p), second = v[parts * (count + i) + (is_complex ? 1 : 0)];
        difference +=
            (v[parts * i] - truth) * (v[parts * i] - truth) + (second + 2 * truth) * (second + 2 * truth) / 4;
        norm += 2 * truth * truth;
    }
    free(v);
    free(y);
    argand_array_destroy(wide);
    argand_array_destroy(x);
    argand_array_destroy(out);
    return sqrt(difference / norm);
}

static void images(void **state)
{
    (void)state;
    static const double signs[4][3] = {{1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, 1, 1}};
    for (int position = 0; position < 4; position++) {
        argand_unwarp_report r;
        argand_unwarp_options o = {.position = (argand_patient_position)position};
        CHECK_BELOW(unwarp(position % 2 ? ARGAND_C32 : ARGAND_R32, signs[position], &o, &r), 1e-3);
        assert_true(r.displacement > 5 && r.most_intensity > 1.02 && !r.folded && !r.in_plane);
        o.position = (argand_patient_position)((position + 1) % 4); /* the wrong one shows */
        assert_true(unwarp(ARGAND_R64, signs[position], &o, &r) > 5e-3);
    }
    argand_unwarp_report r;
    argand_unwarp_options o = {.keep_intensity = true};
    CHECK_BELOW(unwarp(ARGAND_C64, signs[0], &o, &r), 1e-3);
    assert_true(r.least_intensity == 1 && r.most_intensity == 1);
    o.interpolation = ARGAND_UNWARP_LINEAR;
    CHECK_BELOW(unwarp(ARGAND_R32, signs[0], &o, &r), 0.02);
    o.interpolation = ARGAND_UNWARP_NEAREST;
    CHECK_BELOW(unwarp(ARGAND_R32, signs[0], &o, &r), 0.1);
}

/* A single slice moves within its plane alone: a plane of x + y, at z = 50 mm along the scanner. */
static void single_slice(void **state)
{
    (void)state;
    const int64_t dims[2] = {31, 30};
    const argand_geometry g = {.valid = true,
                               .voxel = {5, 5, 5},
                               .read = {1, 0, 0},
                               .phase = {0, 1, 0},
                               .slice = {0, 0, 1},
                               .centre = {10, 20, 50}};
    argand_array *x, *out;
    argand_unwarp_report r;
    double values[930];
    for (int i = 0; i < 930; i++) values[i] = 5 * (i % 31 - 15) + 2.0 * 5 * (i / 31 - 15);
    OK(argand_array_create(&x, device, ARGAND_R64, 2, dims));
    OK(argand_array_create(&out, device, ARGAND_R64, 2, dims));
    OK(argand_array_upload(x, values));
    OK(argand_unwarp(out, x, &g, &coefficients, &(argand_unwarp_options){.keep_intensity = true}, &r));
    assert_true(r.in_plane && r.displacement > 1);
    double *v = as_doubles(out);
    for (int j = 10; j < 20; j++)
        for (int i = 10; i < 20; i++) {
            const double p[3] = {10 + 5 * (i - 15), -(20 + 5.0 * (j - 15)), -50};
            double d[3];
            expected(d, p);
            CHECK_BELOW(fabs(v[i + 31 * j] - (values[i + 31 * j] + d[0] - 2 * d[1])), 1e-3);
        }
    free(v);
    argand_array_destroy(x);
    argand_array_destroy(out);
}

static void refused(void **state)
{
    (void)state;
    argand_array *x, *y, *z;
    OK(argand_array_create(&x, device, ARGAND_R32, 3, n));
    OK(argand_array_create(&y, device, ARGAND_C32, 3, n));
    OK(argand_array_create(&z, device, ARGAND_R32, 2, n));
    argand_gradient_term wrong = {0, false, 2, 3, 1};
    const argand_gradient_coefficients outside = {RADIUS, 1, &wrong}, flat = {0, 1, terms};
    FAILS(argand_unwarp(x, x, &(argand_geometry){0}, &coefficients, NULL, NULL), ARGAND_ARGUMENT,
          "no position");
    FAILS(argand_unwarp(x, y, &geometry, &coefficients, NULL, NULL), ARGAND_ARGUMENT, "both must be real");
    FAILS(argand_unwarp(x, z, &geometry, &coefficients, NULL, NULL), ARGAND_ARGUMENT, "dimension 2");
    FAILS(argand_unwarp(x, x, &geometry, &outside, NULL, NULL), ARGAND_ARGUMENT, "m = 3");
    FAILS(argand_unwarp(x, x, &geometry, &flat, NULL, NULL), ARGAND_ARGUMENT, "radius");
    FAILS(argand_unwarp(x, x, &geometry, &coefficients,
                        &(argand_unwarp_options){.position = (argand_patient_position)4}, NULL),
          ARGAND_ARGUMENT, "unknown position 4");
    OK(argand_array_fill(x, (argand_scalar){NAN, 0}));
    FAILS(argand_unwarp(x, x, &geometry, &coefficients, NULL, NULL), ARGAND_NUMERIC, "not finite");
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(z);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(displacements), cmocka_unit_test(images),
                                          cmocka_unit_test(single_slice), cmocka_unit_test(refused)};

RUN_TESTS(tests)
