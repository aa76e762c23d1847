/* SPDX-License-Identifier: BSD-3-Clause */
/* GRAPPA: pygrappa's samples for the same data, scans of two accelerated directions, refusals. */
#include "harness.h"
#include "grappa_truth.h"

static bool is_acquired(int64_t y)
{
    return y % 2 == 0 || (y >= FIRST && y < FIRST + LINES);
}

static argand_array *upload(const double *values, int rank, const int64_t *dims, argand_type type)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    const int64_t count = 2 * argand_array_count(array);
    float *single = malloc((size_t)count * sizeof *single);
    for (int64_t i = 0; i < count; i++) single[i] = (float)values[i];
    OK(argand_array_upload(array, type == ARGAND_C64 ? (const void *)values : single));
    free(single);
    return array;
}

/* k-space with its missing lines 0, and the calibration lines between columns of zeros. */
static void make_small(argand_array **kspace, argand_array **calibration, argand_type type)
{
    double sampled[2 * NX * NY * COILS], lines[2 * (NX + 2) * LINES * COILS] = {0};
    for (int64_t i = 0; i < NX * NY * COILS; i++) {
        const int64_t x = i % NX, y = i / NX % NY, c = i / (NX * NY);
        const int64_t to = (c * LINES + y - FIRST) * (NX + 2) + x + 1;
        const bool calibrates = y >= FIRST && y < FIRST + LINES;
        for (int part = 0; part < 2; part++) {
            sampled[2 * i + part] = is_acquired(y) ? whole[2 * i + part] : 0;
            if (calibrates) lines[2 * to + part] = whole[2 * i + part];
        }
    }
    *kspace = upload(sampled, 3, (const int64_t[]){NX, NY, COILS}, type);
    *calibration = upload(lines, 3, (const int64_t[]){NX + 2, LINES, COILS}, type);
}

/* Acquired samples keep their bits, the others are pygrappa's. */
static void check_filled(const argand_array *kspace)
{
    double got[2 * NX * MISSING * COILS], *all = as_doubles(kspace);
    int64_t count = 0;
    for (int64_t i = 0; i < NX * NY * COILS; i++)
        for (int part = 0; part < 2; part++) {
            if (!is_acquired(i / NX % NY))
                got[count++] = all[2 * i + part];
            else
                assert_true((float)all[2 * i + part] == (float)whole[2 * i + part]);
        }
    CHECK_BELOW(relative_error(got, filled, (size_t)count), 1e-6);
    free(all);
}

static void like_pygrappa(void **state)
{
    (void)state;
    for (argand_type type = ARGAND_C32; type <= ARGAND_C64; type += ARGAND_C64 - ARGAND_C32) {
        argand_array *kspace, *calibration;
        argand_grappa *grappa;
        argand_grappa_info info;
        make_small(&kspace, &calibration, type);
        OK(argand_grappa_create(&grappa, kspace, calibration, &(argand_grappa_options){.kernel = {3, 3}}));
        argand_grappa_describe(grappa, &info);
        /* one line on either side, or the one before the last line of the matrix */
        assert_true(info.patterns == 2 && info.unknowns == 6 * COILS && info.missing == MISSING * NX &&
                    info.filled == MISSING * NX);
        OK(argand_grappa_fill(grappa, kspace));
        check_filled(kspace);
        argand_grappa_destroy(grappa);
        argand_array_destroy(calibration);
        argand_array_destroy(kspace);
    }
}

/* ---- a volume with two accelerated directions */

enum { VX = 10, VY = 17, VZ = 14, VC = 6, VOXELS = VX * VY * VZ };

/* The signal of a coil: few plane waves, weighted by the coil's smooth sensitivity, which has few as well. */
static double complex signal_at(int c, int64_t x, int64_t y, int64_t z)
{
    double complex sum = 0;
    for (int blob = 0; blob < 7; blob++) {
        const double bx = 0.30 * sin(1.7 * blob), by = 0.34 * sin(2.9 * blob + 1),
                     bz = 0.33 * cos(2.3 * blob);
        const double angle = 2 * PI * c / VC, dx = bx - 0.7 * cos(angle), dy = by - 0.7 * sin(angle);
        const double dz = bz - (c % 2 ? 0.4 : -0.4);
        const double complex coil = cexp(I * angle) / (0.3 + dx * dx + dy * dy + dz * dz);
        sum +=
            coil * cexp(-2 * PI * I *
                        ((double)(x - VX / 2) * bx + (double)(y - VY / 2) * by + (double)(z - VZ / 2) * bz));
    }
    return sum;
}

/* Every second partition, in which every second line, shifted from partition to partition; a block of the
 * centre; no corners. */
static bool in_volume(int64_t y, int64_t z)
{
    const double v = (double)(y - VY / 2) / (VY / 2.), w = (double)(z - VZ / 2) / (VZ / 2.);
    if (v * v + w * w > 1.3) return false;
    return (z % 2 == 0 && (y + z / 2) % 2 == 0) || (llabs(y - VY / 2) < 5 && llabs(z - VZ / 2) < 5);
}

static argand_array *make_volume(double *truth)
{
    double *sampled = calloc(2 * VOXELS * VC, sizeof *sampled);
    for (int64_t i = 0; i < VOXELS * VC; i++) {
        const int64_t y = i / VX % VY, z = i / (VX * VY) % VZ;
        const double complex value = signal_at((int)(i / VOXELS), i % VX, y, z);
        truth[2 * i] = creal(value);
        truth[2 * i + 1] = cimag(value);
        if (in_volume(y, z)) memcpy(sampled + 2 * i, truth + 2 * i, 2 * sizeof *sampled);
    }
    argand_array *array = upload(sampled, 4, (const int64_t[]){VX, VY, VZ, VC}, ARGAND_C32);
    free(sampled);
    return array;
}

static void two_directions(void **state)
{
    (void)state;
    double *truth = calloc(2 * VOXELS * VC, sizeof *truth), difference = 0, norm = 0;
    argand_array *kspace = make_volume(truth);
    argand_grappa *grappa;
    argand_grappa_info info;
    OK(argand_grappa_create(&grappa, kspace, NULL,
                            &(argand_grappa_options){.kernel = {1, 5, 5}, .regularization = 1e-4}));
    argand_grappa_describe(grappa, &info);
    OK(argand_grappa_fill(grappa, kspace));
    double *got = as_doubles(kspace);
    int64_t left = 0;
    for (int64_t i = 0; i < VOXELS * VC; i++) {
        const double complex want = CMPLX(truth[2 * i], truth[2 * i + 1]),
                             have = CMPLX(got[2 * i], got[2 * i + 1]);
        left += i < VOXELS && cabs(have) == 0;
        if (cabs(have) == 0) continue;
        difference += pow(cabs(have - want), 2);
        norm += pow(cabs(want), 2);
    }
    assert_true(left == info.missing - info.filled && left > 0); /* corners far from acquired lines */
    CHECK_BELOW(sqrt(difference / norm), 0.06);
    free(got);
    free(truth);
    argand_grappa_destroy(grappa);
    argand_array_destroy(kspace);
}

static void refused(void **state)
{
    (void)state;
    argand_array *kspace, *calibration, *other;
    argand_grappa *grappa;
    make_small(&kspace, &calibration, ARGAND_C32);
    FAILS(argand_grappa_create(&grappa, kspace, calibration, &(argand_grappa_options){.kernel = {3, 4}}),
          ARGAND_ARGUMENT, "odd number");
    FAILS(argand_grappa_create(&grappa, kspace, calibration, &(argand_grappa_options){.kernel = {3, 41}}),
          ARGAND_ARGUMENT, "too small");
    FAILS(argand_grappa_create(&grappa, kspace, calibration, &(argand_grappa_options){.kernel = {13, 3}}),
          ARGAND_ARGUMENT, "along axis 0 it needs at least 13"); /* it has 11 */
    FAILS(argand_grappa_create(&grappa, kspace, calibration, &(argand_grappa_options){.regularization = NAN}),
          ARGAND_ARGUMENT, "nan");
    OK(argand_array_create(&other, device, ARGAND_C32, 3, (const int64_t[]){NX, 2, COILS}));
    OK(argand_array_fill(other, (argand_scalar){1, 0}));
    FAILS(argand_grappa_create(&grappa, kspace, other, NULL), ARGAND_ARGUMENT,
          "9 x 2 x 1 samples is too small for lines that are 2 apart");
    FAILS(argand_grappa_create(&grappa, kspace, calibration, &(argand_grappa_options){.covariance = other}),
          ARGAND_ARGUMENT, "covariance");
    OK(argand_grappa_create(&grappa, kspace, calibration, NULL));
    FAILS(argand_grappa_fill(grappa, other), ARGAND_ARGUMENT, "9 x 2 x 1");
    argand_grappa_destroy(grappa);
    argand_array_destroy(other);
    argand_array_destroy(calibration);
    argand_array_destroy(kspace);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(like_pygrappa), cmocka_unit_test(two_directions),
                                          cmocka_unit_test(refused)};
RUN_TESTS(tests)
