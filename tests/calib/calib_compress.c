/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil compression keeps the energy that it says; geometric compression keeps more, smoothly. */
#include "harness.h"

enum { NX = 45, NY = 38, NZ = 6, COILS = 12 };

/* Hybrid space (image along x) of a phantom in 3-D seen by many coils, with noise. */
static argand_array *hybrid(argand_type type, double noise)
{
    const int64_t dims[4] = {NX, NY, NZ, COILS};
    argand_array *maps, *object, *out;
    argand_fft *plan;
    OK(argand_array_create(&maps, device, ARGAND_C64, 4, dims));
    OK(argand_array_create(&object, device, ARGAND_R64, 3, dims));
    OK(argand_array_create(&out, device, type, 4, dims));
    OK(argand_coils_birdcage(maps));
    OK(argand_phantom_image(object, ARGAND_SHEPP_LOGAN_3D));
    double *m = as_doubles(object);
    double complex *v = (double complex *)as_doubles(maps);
    for (int64_t i = 0; i < NX * NY * NZ * COILS; i++) v[i] *= m[i % (NX * NY * NZ)];
    OK(argand_array_upload(maps, v));
    OK(argand_noise_add(maps, noise, 8));
    OK(argand_fft_create(&plan, device,
                         &(argand_fft_options){.type = ARGAND_C64,
                                               .axes_given = true,
                                               .rank = 2,
                                               .axes = {{NY, NX, NX}, {NZ, NX * NY, NX * NY}},
                                               .loops = 2,
                                               .loop = {{NX, 1, 1}, {COILS, NX * NY * NZ, NX * NY * NZ}},
                                               .centred = true,
                                               .scale = ARGAND_SCALE_UNITARY}));
    OK(argand_fft_apply(plan, maps, maps, ARGAND_FORWARD));
    OK(argand_array_copy(out, maps));
    argand_fft_destroy(plan);
    free(v);
    free(m);
    argand_array_destroy(object);
    argand_array_destroy(maps);
    return out;
}

static double energy(const argand_array *array)
{
    double norm;
    OK(argand_array_norm(&norm, array));
    return norm * norm;
}

/* The largest difference of M M^H from 1 at each position. */
static double orthonormality(const argand_array *matrix)
{
    const int64_t made = argand_array_dim(matrix, 0), coils = argand_array_dim(matrix, 1);
    double complex *m = (double complex *)as_doubles(matrix);
    double worst = 0;
    for (int64_t p = 0; p < argand_array_dim(matrix, 2); p++)
        for (int64_t a = 0; a < made; a++)
            for (int64_t b = 0; b < made; b++) {
                double complex sum = -(a == b);
                for (int64_t c = 0; c < coils; c++)
                    sum += m[(p * coils + c) * made + a] * conj(m[(p * coils + c) * made + b]);
                worst = fmax(worst, cabs(sum));
            }
    free(m);
    return worst;
}

static argand_array *compress(const argand_array *data, argand_array **matrix,
                              const argand_compress_options *o, argand_compress_report *report)
{
    argand_array *mixed;
    OK(argand_coils_compress(matrix, data, o, report));
    OK(argand_array_create(&mixed, device, argand_array_type(data), 4,
                           (const int64_t[4]){NX, NY, NZ, report->coils}));
    OK(argand_coils_mix(mixed, *matrix, data));
    return mixed;
}

static void energy_is_kept(void **state)
{
    (void)state;
    const int counts[] = {1, 3, 7, COILS};
    for (int p = 0; p < 2; p++) {
        argand_array *data = hybrid(p ? ARGAND_C64 : ARGAND_C32, 0.02);
        for (int kind = 0; kind < 2; kind++)
            for (int i = 0; i < 4; i++) {
                argand_array *matrix;
                argand_compress_report report;
                argand_array *mixed =
                    compress(data, &matrix,
                             &(argand_compress_options){.kind = (argand_compression)kind, .coils = counts[i]},
                             &report);
                assert_int_equal(report.coils, counts[i]);
                assert_int_equal(argand_array_dim(matrix, 2), kind ? NX : 1);
                CHECK_BELOW(fabs(energy(mixed) / energy(data) - report.energy), p ? 1e-12 : 1e-6);
                CHECK_BELOW(orthonormality(matrix), 1e-12);
                if (counts[i] == COILS) CHECK_BELOW(fabs(report.energy - 1), 1e-12);
                argand_array_destroy(mixed);
                argand_array_destroy(matrix);
            }
        argand_array_destroy(data);
    }
}

/* As many coils as are asked for, no more; one fewer would not do. GCC needs no more than SVD does. */
static void chosen_by_energy(void **state)
{
    (void)state;
    argand_array *data = hybrid(ARGAND_C64, 0.005);
    int counts[2];
    for (int kind = 0; kind < 2; kind++) {
        argand_array *matrix;
        argand_compress_report report, fewer;
        OK(argand_coils_compress(&matrix, data,
                                 &(argand_compress_options){.kind = (argand_compression)kind, .energy = 0.97},
                                 &report));
        argand_array_destroy(matrix);
        CHECK_BELOW(0.97, report.energy);
        assert_true(report.coils > 1 && report.coils < COILS);
        OK(argand_coils_compress(
            &matrix, data,
            &(argand_compress_options){.kind = (argand_compression)kind, .coils = report.coils - 1}, &fewer));
        argand_array_destroy(matrix);
        CHECK_BELOW(fewer.energy, 0.97);
        counts[kind] = report.coils;
    }
    printf("97 %% of the energy: %d virtual coils by SVD, %d by GCC, of %d\n", counts[0], counts[1], COILS);
    assert_true(counts[1] < counts[0]);
    argand_array_destroy(data);
}

/* The matrices of neighbours differ little: that is what the alignment is for. */
static void geometric_is_smooth(void **state)
{
    (void)state;
    argand_array *data = hybrid(ARGAND_C64, 0.001), *matrix;
    OK(argand_coils_compress(&matrix, data,
                             &(argand_compress_options){.kind = ARGAND_COMPRESS_GCC, .coils = 4}, NULL));
    double complex *m = (double complex *)as_doubles(matrix);
    double worst = 0;
    for (int64_t p = 10; p < NX - 10; p++) { /* where there is an object */
        double square = 0;
        for (int64_t i = 0; i < 4 * COILS; i++)
            square += pow(cabs(m[p * 4 * COILS + i] - m[(p - 1) * 4 * COILS + i]), 2);
        worst = fmax(worst, sqrt(square / 4));
    }
    printf("largest step of a virtual coil: %.3f\n", worst);
    CHECK_BELOW(worst, 0.5); /* it is 1.0 where bases are not aligned */
    free(m);
    argand_array_destroy(matrix);
    argand_array_destroy(data);
}

/* k-space in one call is the same as by hand; all coils kept, the root of the sum of squares does not change.
 */
static void kspace(void **state)
{
    (void)state;
    const int64_t dims[4] = {NX, NY, NZ, COILS};
    argand_array *data = hybrid(ARGAND_C64, 0.01), *k, *out, *matrix, *a, *b, *back;
    argand_fft *plan;
    OK(argand_array_create(&k, device, ARGAND_C64, 4, dims));
    OK(argand_array_create(&out, device, ARGAND_C64, 4, dims));
    OK(argand_array_create(&back, device, ARGAND_C64, 4, dims));
    OK(argand_array_create(&a, device, ARGAND_R64, 3, dims));
    OK(argand_array_create(&b, device, ARGAND_R64, 3, dims));
    OK(argand_fft_create(&plan, device,
                         &(argand_fft_options){.type = ARGAND_C64,
                                               .rank = 1,
                                               .n = {NX},
                                               .batch = NY * NZ * COILS,
                                               .centred = true,
                                               .scale = ARGAND_SCALE_INVERSE}));
    OK(argand_fft_apply(plan, k, data, ARGAND_FORWARD));
    OK(argand_coils_compress(&matrix, data,
                             &(argand_compress_options){.kind = ARGAND_COMPRESS_GCC, .coils = COILS}, NULL));
    OK(argand_coils_mix_kspace(out, matrix, k));
    OK(argand_fft_apply(plan, back, out, ARGAND_INVERSE));
    OK(argand_coils_rss(a, back));
    OK(argand_coils_rss(b, data));
    double *x = as_doubles(a), *y = as_doubles(b);
    CHECK_BELOW(relative_error(x, y, NX * NY * NZ), 1e-12);
    free(y);
    free(x);
    argand_fft_destroy(plan);
    argand_array_destroy(matrix);
    argand_array_destroy(b);
    argand_array_destroy(a);
    argand_array_destroy(back);
    argand_array_destroy(out);
    argand_array_destroy(k);
    argand_array_destroy(data);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *data, *matrix = NULL, *real;
    OK(argand_array_create(&data, device, ARGAND_C64, 2, (const int64_t[2]){10, 3}));
    OK(argand_array_create(&real, device, ARGAND_R64, 2, (const int64_t[2]){10, 3}));
    FAILS(argand_coils_compress(&matrix, data, &(argand_compress_options){.coils = 4}, NULL), ARGAND_ARGUMENT,
          "4 virtual coils of 3");
    FAILS(argand_coils_compress(&matrix, data, &(argand_compress_options){.energy = 1.5}, NULL),
          ARGAND_ARGUMENT, "energy of 1.5");
    FAILS(argand_coils_compress(&matrix, real, NULL, NULL), ARGAND_ARGUMENT, "complex");
    argand_compress_report report; /* no signal: one virtual coil keeps all of it */
    OK(argand_coils_compress(&matrix, data, NULL, &report));
    assert_int_equal(report.coils, 1);
    argand_array_destroy(matrix);
    OK(argand_array_fill(data, (argand_scalar){NAN, 0}));
    FAILS(argand_coils_compress(&matrix, data, NULL, NULL), ARGAND_NUMERIC, "not finite");
    assert_null(matrix);
    argand_array_destroy(real);
    argand_array_destroy(data);
}

static void no_memory(void **state)
{
    (void)state;
    argand_array *data, *matrix = NULL;
    OK(argand_array_create(&data, device, ARGAND_C64, 3, (const int64_t[3]){5, 9, 3}));
    randomise(data, 2, 0, 0);
    const int threads = argand_device_threads(device);
    OK(argand_device_set_threads(device, 1));
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 100; n++) {
        argand_test_fail_allocation(n);
        status = argand_coils_compress(&matrix, data, &(argand_compress_options){.kind = ARGAND_COMPRESS_GCC},
                                       NULL);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    OK(argand_device_set_threads(device, threads));
    argand_array_destroy(matrix);
    argand_array_destroy(data);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(energy_is_kept),
    cmocka_unit_test(chosen_by_energy),
    cmocka_unit_test(geometric_is_smooth),
    cmocka_unit_test(kspace),
    cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
