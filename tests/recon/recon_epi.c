/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of EPI: samples are direct sums at the positions that a line was read at. */
#include "line_scan.h"

#include <argand/epi.h>
#include "recon/epi/epi.h"

enum { SAMPLES = 30 };

/* How a slice's reversed lines were read. */
typedef struct line_error {
    double shift, phase;
} line_error;
static const line_error errors[] = {{0.3, 0.8}, {-0.2, 0.5}, {0.45, -0.6}};

static double complex measured(int coil, int slice, double kx, double ky, bool back)
{
    const line_error none = {0}, *e = back ? &errors[slice] : &none;
    return signal(coil, slice, kx - e->shift, ky) * cexp(I * e->phase);
}

/* Positions of the samples of a line; with ramps, those under half a sine. */
static double position(int i, bool ramps)
{
    return ramps ? 0.5 * NX * sin(0.5 * PI * (2 * (i + 0.5) / SAMPLES - 1)) : i - NX / 2;
}

static argand_acquisition read_line(made *m, int slice, int ky, bool back, bool ramps)
{
    const int samples = ramps ? SAMPLES : NX;
    float *data = own(m, sizeof(float) * (size_t)samples * (2 * COILS + 4));
    float *k[4];
    for (int d = 0; d < 4; d++) k[d] = data + samples * (2 * COILS + d);
    for (int i = 0; i < samples; i++) {
        k[0][i] = (float)position(i, ramps);
        k[1][i] = (float)ky;
        k[3][i] = (float)(1e-5 * (back ? samples - i : i));
        for (int c = 0; c < COILS; c++) {
            const double complex value = measured(c, slice, (double)k[0][i], ky, back);
            data[2 * (i + samples * c)] = (float)creal(value);
            data[2 * (i + samples * c) + 1] = (float)cimag(value);
        }
    }
    return (argand_acquisition){.counters = {.shot = (uint16_t)(ky + NY / 2), .slice = (uint16_t)slice},
                                .flags = back ? ARGAND_FLAG_REVERSE : 0,
                                .samples = samples,
                                .channels = COILS,
                                .centre_sample = samples / 2,
                                .data = data,
                                .k = {k[0], k[1], k[2]},
                                .t = k[3]};
}

/* Adds a slice of `lines` lines, after three reference lines if wanted. */
static void add_slice(made *m, int slice, int lines, bool references, bool ramps)
{
    int64_t row = m->scan.acquisition_count + m->scan.correction_count;
    for (int i = 0; i < 3 && references; i++, row++) {
        argand_acquisition *a = &m->navigators[m->scan.correction_count++];
        *a = read_line(m, slice, 0, i == 1, ramps);
        a->flags |= ARGAND_FLAG_PHASE_CORRECTION;
        a->row = row;
    }
    for (int i = 0; i < lines; i++, row++) {
        argand_acquisition *a = &m->images[m->scan.acquisition_count++];
        *a = read_line(m, slice, i - NY / 2, i % 2, ramps);
        a->row = row;
    }
}

static made *epi_scan(void)
{
    made *m = new_scan();
    snprintf(m->encodings[0].trajectory, sizeof m->encodings[0].trajectory, "epi");
    m->scan.corrections = m->navigators;
    return m;
}

/* Relative difference of all lines of a scan from lines without error on the grid. */
static double lines_error(const argand_scan *scan)
{
    double difference = 0, norm = 0;
    for (int64_t l = 0; l < scan->acquisition_count; l++) {
        const argand_acquisition *a = &scan->acquisitions[l];
        assert_int_equal(a->samples, NX);
        for (int i = 0; i < NX; i++) {
            CHECK_BELOW(fabs((double)a->k[0][i] - (i - NX / 2)), 1e-6);
            for (int c = 0; c < COILS; c++) {
                const double complex want =
                    measured(c, a->counters.slice, i - NX / 2, a->counters.shot - NY / 2, false);
                const float *have = a->data + 2 * (i + NX * c);
                difference += pow(cabs(CMPLX((double)have[0], (double)have[1]) - want), 2);
                norm += pow(cabs(want), 2);
            }
        }
    }
    return sqrt(difference / norm);
}

static void by_references(void **state)
{
    (void)state;
    for (int ramps = 0; ramps < 2; ramps++) {
        made *m = epi_scan();
        argand_epi *epi;
        argand_epi_info info;
        for (int slice = 0; slice < 2; slice++) add_slice(m, slice, NY, true, ramps);
        OK(argand_epi_create(&epi, &m->scan, NULL));
        CHECK_BELOW(lines_error(argand_epi_scan(epi)), ramps ? 2e-5 : 2e-6);
        argand_epi_describe(epi, &info);
        assert_int_equal(info.lines, 2 * NY);
        assert_int_equal(info.reversed, NY);
        assert_int_equal(info.corrected, NY + 2);
        assert_int_equal(info.regridded, ramps ? 2 * NY + 6 : 0);
        assert_int_equal(info.groups, 2);
        CHECK_BELOW(fabs(info.shift[0] - 0.05) + fabs(info.shift[1] + 0.2) + fabs(info.shift[2] - 0.3), 1e-4);
        CHECK_BELOW(fabs(info.phase[0] - 0.65) + fabs(info.phase[1] - 0.5) + fabs(info.phase[2] - 0.8), 1e-4);
        assert_non_null(strstr(argand_epi_notes(epi), "By 2 sets of reference lines"));
        assert_non_null(strstr(argand_epi_scan(epi)->notes, "By 2 sets of reference lines"));
        const argand_epi_estimate *list;
        assert_int_equal(argand_epi_estimates(epi, &list), 2);
        assert_int_equal(list[1].slice, 1);
        assert_int_equal(list[1].row, NY + 5);
        CHECK_BELOW(fabs(list[1].shift + 0.2) + fabs(list[1].phase - 0.5), 1e-4);
        argand_epi_destroy(epi);
        made_free(m);
    }
}

static void reverse(float *x, int count, int width)
{
    for (int i = 0; i < count / 2; i++)
        for (int j = 0; j < width; j++) {
            const float first = x[i * width + j];
            x[i * width + j] = x[(count - 1 - i) * width + j];
            x[(count - 1 - i) * width + j] = first;
        }
}

/* Makes a line what a file without flag 22 has: in the order in which it was read. */
static void forget_direction(argand_acquisition *a)
{
    if (!(a->flags & ARGAND_FLAG_REVERSE)) return;
    for (int c = 0; c < COILS; c++)
        reverse((float *)(uintptr_t)a->data + 2 * c * a->samples, (int)a->samples, 2);
    for (int d = 0; d < 3; d++) reverse((float *)(uintptr_t)a->k[d], (int)a->samples, 1);
    reverse((float *)(uintptr_t)a->t, (int)a->samples, 1);
    a->flags ^= ARGAND_FLAG_REVERSE;
}

static int by_row(const void *first, const void *second)
{
    const argand_acquisition *a = first, *b = second;
    return (a->row > b->row) - (a->row < b->row);
}

/* Directions and reference lines follow from the positions if no flag says them. */
static void by_positions(void **state)
{
    (void)state;
    for (int ramps = 0; ramps < 2; ramps++) {
        made *m = epi_scan();
        argand_epi *epi;
        argand_epi_info info;
        snprintf(m->encodings[0].trajectory, sizeof m->encodings[0].trajectory, "other");
        for (int slice = 0; slice < 2; slice++) add_slice(m, slice, NY, true, ramps);
        for (int i = 0; i < 6; i++) {
            m->images[m->scan.acquisition_count] = m->navigators[i];
            m->images[m->scan.acquisition_count++].flags &= ~ARGAND_FLAG_PHASE_CORRECTION;
        }
        m->scan.correction_count = 0;
        qsort(m->images, (size_t)m->scan.acquisition_count, sizeof *m->images, by_row);
        for (int64_t i = 0; i < m->scan.acquisition_count; i++) forget_direction(&m->images[i]);
        OK(argand_epi_create(&epi, &m->scan, NULL));
        assert_int_equal(argand_epi_scan(epi)->acquisition_count, 2 * NY);
        assert_int_equal(argand_epi_scan(epi)->correction_count, 6);
        assert_string_equal(argand_epi_scan(epi)->encodings[0].trajectory, "epi");
        CHECK_BELOW(lines_error(argand_epi_scan(epi)), ramps ? 2e-5 : 2e-6);
        argand_epi_describe(epi, &info);
        assert_int_equal(info.reversed, NY);
        assert_int_equal(info.groups, 2);
        assert_non_null(strstr(argand_epi_notes(epi), "lines run against their flags"));
        assert_non_null(strstr(argand_epi_notes(epi), "6 lines at the middle of k-space"));
        assert_null(strstr(argand_epi_notes(epi), "mirror images"));
        argand_epi_destroy(epi);
        made_free(m);
    }
}

/* Without phase encoding, all lines are one row, whose entropy says nothing about a ghost. */
static void one_row(void **state)
{
    (void)state;
    made *m = epi_scan();
    argand_epi *epi;
    argand_epi_info info;
    add_slice(m, 0, NY, false, false);
    for (int i = 0; i < NY; i++)
        for (int x = 0; x < NX; x++) ((float *)(uintptr_t)m->images[i].k[1])[x] = 0;
    OK(argand_epi_create(&epi, &m->scan, NULL));
    argand_epi_describe(epi, &info);
    assert_int_equal(info.groups, 0);
    assert_int_equal(info.corrected, 0);
    assert_non_null(strstr(argand_epi_notes(epi), "enough lines of both directions"));
    argand_epi_destroy(epi);
    made_free(m);
}

/* Lines of a bipolar gradient echo at one ky are no reference lines, and spokes have no direction along x. */
static void other_trains(void **state)
{
    (void)state;
    made *m = epi_scan();
    argand_epi *epi;
    add_slice(m, 0, NY, false, false);
    for (int i = 0; i < NY; i++)
        for (int x = 0; x < NX; x++) ((float *)(uintptr_t)m->images[i].k[1])[x] = (float)(i / 2 - NY / 4);
    for (int i = 0; i < NY; i++) forget_direction(&m->images[i]);
    OK(argand_epi_create(&epi, &m->scan, NULL));
    assert_int_equal(argand_epi_scan(epi)->acquisition_count, NY);
    argand_epi_destroy(epi);
    for (int x = 0; x < NX; x++) ((float *)(uintptr_t)m->images[4].k[1])[x] = (float)x;
    OK(argand_epi_create(&epi, &m->scan, NULL));
    for (int i = 0; i < NY; i++)
        assert_false(argand_epi_scan(epi)->acquisitions[i].flags & ARGAND_FLAG_REVERSE);
    argand_epi_destroy(epi);
    made_free(m);
}

/* Without positions of their own, samples in the order of reading contradict the counted positions. */
static void mirrored(void **state)
{
    (void)state;
    for (int flagged = 0; flagged < 2; flagged++) {
        made *m = epi_scan();
        argand_epi *epi;
        add_slice(m, 0, NY, false, false);
        for (int i = 1; i < NY; i += 2) {
            argand_acquisition *a = &m->images[i];
            for (int c = 0; c < COILS; c++)
                reverse((float *)(uintptr_t)a->data + 2 * c * a->samples, (int)a->samples, 2);
            if (!flagged) a->flags = 0;
        }
        OK(argand_epi_create(&epi, &m->scan, NULL));
        assert_non_null(strstr(argand_epi_notes(epi), flagged ? "Remove the flag" : "no line has flag 22"));
        argand_epi_destroy(epi);
        made_free(m);
    }
}

/* The slice in the middle has too few lines for an estimate of its own. */
static void by_entropy(void **state)
{
    (void)state;
    made *m = epi_scan();
    argand_epi *epi;
    argand_epi_info info;
    add_slice(m, 0, NY, false, false);
    add_slice(m, 1, 6, false, false);
    add_slice(m, 2, NY, false, false);
    OK(argand_epi_create(&epi, &m->scan, NULL));
    argand_epi_describe(epi, &info);
    assert_int_equal(info.groups, 2);
    CHECK_BELOW(fabs(info.shift[1] - 0.3) + fabs(info.shift[2] - 0.45), 2e-2);
    assert_non_null(strstr(argand_epi_notes(epi),
                           "3 reversed lines are of 1 slices with too few lines of both directions"));
    argand_scan corrected = *argand_epi_scan(epi);
    corrected.acquisition_count = NY;
    CHECK_BELOW(lines_error(&corrected), 2e-2);
    corrected.acquisitions += NY + 6;
    CHECK_BELOW(lines_error(&corrected), 2e-2);
    argand_epi_destroy(epi);
    made_free(m);
}

/* Reference lines of the nearest slice correct a slice without any. */
static void nearest_slice(void **state)
{
    (void)state;
    made *m = epi_scan();
    argand_epi *epi;
    add_slice(m, 0, NY, true, false);
    add_slice(m, 1, NY, true, false);
    for (int64_t i = 0; i < m->scan.acquisition_count; i++)
        if (m->images[i].counters.slice == 1) m->images[i].counters.slice = 4;
    OK(argand_epi_create(&epi, &m->scan, NULL));
    argand_scan corrected = *argand_epi_scan(epi);
    for (int64_t i = 0; i < corrected.acquisition_count; i++) /* made of slice 1 */
        if (corrected.acquisitions[i].counters.slice == 4)
            ((argand_acquisition *)(uintptr_t)&corrected.acquisitions[i])->counters.slice = 1;
    CHECK_BELOW(lines_error(&corrected), 2e-6);
    assert_non_null(strstr(argand_epi_notes(epi), "8 reversed lines are of slices without reference lines"));
    argand_epi_destroy(epi);
    made_free(m);
}

static void choices(void **state)
{
    (void)state;
    made *m = epi_scan();
    argand_epi *epi;
    add_slice(m, 0, NY, true, true);
    OK(argand_epi_create(&epi, &m->scan, &(argand_epi_options){.choice = ARGAND_EPI_OFF}));
    for (int i = 0; i < NY; i++)
        assert_ptr_equal(argand_epi_scan(epi)->acquisitions[i].data, m->images[i].data);
    argand_epi_destroy(epi);
    OK(argand_epi_create(&epi, &m->scan, &(argand_epi_options){.choice = ARGAND_EPI_RAMPS}));
    assert_true(lines_error(argand_epi_scan(epi)) > 0.1);
    argand_epi_destroy(epi);
    FAILS(argand_epi_create(&epi, &m->scan, &(argand_epi_options){.choice = ARGAND_EPI_GHOSTS}),
          ARGAND_ARGUMENT, "can be corrected if these are regridded");
    assert_null(epi);
    FAILS(argand_epi_create(&epi, &m->scan, &(argand_epi_options){.choice = 7}), ARGAND_ARGUMENT, "choice");
    FAILS(argand_epi_create(&epi, &m->scan, &(argand_epi_options){.encoding = 3}), ARGAND_ARGUMENT,
          "no encoding space 3");
    made_free(m);
}

/* Lines that cannot be changed stay as they are, and a note says why. */
static void obstacles(void **state)
{
    (void)state;
    made *m = epi_scan();
    argand_epi *epi;
    add_slice(m, 0, NY, true, false);
    float *k = (float *)(uintptr_t)m->images[3].k[0];
    k[5] = k[4];
    OK(argand_epi_create(&epi, &m->scan, NULL));
    for (int i = 0; i < NY; i++)
        assert_ptr_equal(argand_epi_scan(epi)->acquisitions[i].data, m->images[i].data);
    assert_non_null(strstr(argand_epi_notes(epi), "they differ in length or in position"));
    argand_epi_destroy(epi);
    FAILS(argand_epi_create(&epi, &m->scan, &(argand_epi_options){.choice = ARGAND_EPI_GHOSTS}),
          ARGAND_ARGUMENT, "no reversed lines to correct");
    made_free(m);
}

/* Positions under a trapezoid of n samples, of which `ramp` on either side are on its ramps */
static void trapezoid(float *k, int n, int ramp)
{
    double area = 0, at = 0;
    for (int i = 0; i < n; i++) area += fmin(1, (fmin(i, n - 1 - i) + 0.5) / ramp);
    for (int i = 0; i < n; i++) {
        const double step = n / area * fmin(1, (fmin(i, n - 1 - i) + 0.5) / ramp);
        k[i] = (float)(at + step / 2 - n / 2);
        at += step;
    }
}

/* As scanners read them: an oversampled line whose samples on the flat top are 1.4 apart, too far for all of
 * its pixels, but not for those that the image keeps. */
static void wide_flat_top(void **state)
{
    enum { N = 64, KEPT = 32, FIRST = (N - KEPT) / 2 };
    float k[N];
    double complex truth[N] = {0}, found[N] = {0};
    line_inverse inverse;
    random_state random = {5};
    double error = 0, norm = 0;
    (void)state;
    trapezoid(k, N, 18);
    assert_true(k[N / 2] - k[N / 2 - 1] > 1.35F);
    for (int x = FIRST; x < FIRST + KEPT; x++)
        truth[x] = random_uniform(&random) + I * random_uniform(&random);
    OK(line_inverse_make(&inverse, k, N, N, KEPT));
    for (int i = 0; i < N; i++) {
        double complex sample = 0;
        for (int x = 0; x < N; x++) sample += truth[x] * cexp(-2 * I * PI * (double)k[i] * (x - N / 2) / N);
        for (int x = 0; x < N; x++)
            found[x] += sample * ((double)inverse.re[i * N + x] + I * (double)inverse.im[i * N + x]);
    }
    for (int x = 0; x < N; x++) {
        error += creal((found[x] - truth[x]) * conj(found[x] - truth[x]));
        norm += creal(truth[x] * conj(truth[x]));
    }
    assert_true(sqrt(error / norm) < 1e-3);
    line_inverse_free(&inverse);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(wide_flat_top), cmocka_unit_test(by_positions),
                                          cmocka_unit_test(other_trains),  cmocka_unit_test(one_row),
                                          cmocka_unit_test(mirrored),      cmocka_unit_test(by_references),
                                          cmocka_unit_test(by_entropy),    cmocka_unit_test(nearest_slice),
                                          cmocka_unit_test(choices),       cmocka_unit_test(obstacles)};

RUN_TESTS(tests)
