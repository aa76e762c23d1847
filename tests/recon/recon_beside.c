/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions over scans that hold more than images: calibration acquisitions, navigators, a second encoding,
 * simultaneous slices, partial Fourier. Data are direct sums over a known image. */
#include "few.h"
#include "recon/session.h"

enum { NX = 18, NY = 16, COILS = 6, PIXELS = NX * NY, MOST = 400 };

static const double PI = 3.14159265358979323846;

typedef struct made {
    argand_scan scan;
    argand_encoding encodings[2];
    argand_acquisition images[MOST], calibrations[MOST], navigators[MOST];
    argand_scan_array arrays[1];
    void *owned[3 * MOST + 4];
    int owned_count;
} made;

static void *own(made *m, size_t bytes)
{
    void *block = calloc(1, bytes);
    assert_non_null(block);
    return m->owned[m->owned_count++] = block;
}

static void made_free(made *m)
{
    for (int i = 0; i < m->owned_count; i++) free(m->owned[i]);
    free(m);
}

static made *new_scan(void)
{
    made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    for (int e = 0; e < 2; e++)
        m->encodings[e] = (argand_encoding){.matrix = {NX, NY, 1},
                                            .field_of_view = {180, 160, 4},
                                            .recon_matrix = {NX, NY, 1},
                                            .recon_field_of_view = {180, 160, 4},
                                            .trajectory = "cartesian",
                                            .bands = {.calibration_encoding = -1}};
    m->scan = (argand_scan){.path = "made.h5",
                            .encoding_count = 1,
                            .encodings = m->encodings,
                            .acquisitions = m->images,
                            .calibrations = m->calibrations,
                            .navigators = m->navigators,
                            .arrays = m->arrays,
                            .channels = COILS,
                            .header = "",
                            .notes = ""};
    return m;
}

/* An object of each slice: two blocks of it, with a phase that is smooth over the field of view. */
static double complex truth_at(int slice, int x, int y)
{
    const double u = (x - NX / 2) / (double)NX, v = (y - NY / 2) / (double)NY;
    const double size = 0.36 + 0.02 * slice;
    double value = u * u + 1.2 * v * v < size * size ? 1 : 0;
    if (fabs(u - 0.1) < 0.1 && fabs(v + 0.08 * slice) < 0.12) value += 0.6;
    return value * cexp(I * (0.5 + 1.5 * u - (0.8 + 0.2 * slice) * v));
}

/* Loops around the head, that differ from slice to slice. */
static double complex coil_at(int coil, int slice, int x, int y)
{
    const double angle = 2 * PI * (coil + 0.35 * slice) / COILS;
    const double u = (x - NX / 2) / (double)NX - 0.75 * cos(angle),
                 v = (y - NY / 2) / (double)NY - 0.75 * sin(angle);
    return cexp(I * (angle + 0.8 * u)) / (0.35 + u * u + v * v);
}

static double complex coil_norm(int slice, int x, int y)
{
    double sum = 0;
    for (int c = 0; c < COILS; c++) sum += pow(cabs(coil_at(c, slice, x, y)), 2);
    return sqrt(sum);
}

/* What a coil sees of a slice. */
static const double complex *seen_by(int coil, int slice)
{
    static double complex seen[6][COILS][PIXELS];
    static bool known[6];
    for (int c = 0; c < COILS && !known[slice]; c++)
        for (int i = 0; i < PIXELS; i++)
            seen[slice][c][i] = truth_at(slice, i % NX, i / NX) * coil_at(c, slice, i % NX, i / NX) /
                                coil_norm(slice, i % NX, i / NX);
    known[slice] = true;
    return seen[slice][coil];
}

/* The sample at k of one slice; k in cycles per field of view. */
static double complex signal(int coil, int slice, double kx, double ky)
{
    const double complex *image = seen_by(coil, slice);
    double complex sum = 0;
    for (int y = 0; y < NY; y++) {
        double complex row = 0;
        for (int x = 0; x < NX; x++) row += image[x + NX * y] * cexp(-2 * PI * I * kx * (x - NX / 2) / NX);
        sum += row * cexp(-2 * PI * I * ky * (y - NY / 2) / NY);
    }
    return sum;
}

/* A line at ky of `slices` (with the phase of each, if more than one), kx from -NX/2 + skip on. */
static argand_acquisition make_line(made *m, int ky, double kz, const int *slices, int bands, int skip)
{
    const int samples = NX - skip;
    float *data = own(m, sizeof(float) * (size_t)samples * (2 * COILS + 4));
    float *k[4];
    for (int d = 0; d < 4; d++) k[d] = data + samples * (2 * COILS + d);
    for (int i = 0; i < samples; i++) {
        k[0][i] = (float)(i + skip - NX / 2);
        k[1][i] = (float)ky;
        k[2][i] = (float)kz;
        for (int c = 0; c < COILS; c++) {
            double complex sum = 0;
            for (int b = 0; b < bands; b++)
                sum += signal(c, slices[b], (double)k[0][i], ky) *
                       cexp(-2 * PI * I * kz * (b - bands / 2) / bands);
            data[2 * (i + samples * c)] = (float)creal(sum);
            data[2 * (i + samples * c) + 1] = (float)cimag(sum);
        }
    }
    return (argand_acquisition){.counters = {.shot = (uint16_t)(ky + NY / 2), .slice = (uint16_t)slices[0]},
                                .samples = samples,
                                .channels = COILS,
                                .centre_sample = NX / 2 - skip,
                                .data = data,
                                .k = {k[0], k[1], k[2]},
                                .t = k[3],
                                .read_dir = {1, 0, 0},
                                .phase_dir = {0, 1, 0},
                                .slice_dir = {0, 0, 1},
                                .position = {0, 0, (float)(4 * slices[0])}};
}

static void add_coil_maps(made *m, int slices)
{
    float *maps = own(m, sizeof(float) * 2 * PIXELS * COILS * (size_t)slices), *to = maps;
    for (int s = 0; s < slices; s++)
        for (int c = 0; c < COILS; c++)
            for (int i = 0; i < PIXELS; i++, to += 2) {
                const double complex value = coil_at(c, s, i % NX, i / NX) / coil_norm(s, i % NX, i / NX);
                to[0] = (float)creal(value);
                to[1] = (float)cimag(value);
            }
    m->arrays[m->scan.array_count++] = (argand_scan_array){
        .name = "SENSEMap", .type = ARGAND_C32, .rank = 5, .dims = {NX, NY, 1, COILS, slices}, .data = maps};
}

/* Relative error of a volume's image. */
static double error_of(argand_sense *session, int volume)
{
    const int slice = argand_sense_counters(session, volume)->slice;
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, volume, image, NULL, NULL));
    double *got = as_doubles(image), difference = 0, norm = 0;
    for (int i = 0; i < PIXELS; i++) {
        const double complex want = truth_at(slice, i % NX, i / NX), have = CMPLX(got[2 * i], got[2 * i + 1]);
        difference += pow(cabs(have - want), 2);
        norm += pow(cabs(want), 2);
    }
    free(got);
    argand_array_destroy(image);
    return sqrt(difference / norm);
}

static argand_sense *open_session(made *m, const argand_sense_options *options)
{
    argand_sense *session;
    OK(create_session(&session, &m->scan, options));
    return session;
}

/* Two groups of three slices: 0 2 4 and 1 3 5, shifted by thirds from line to line. */
static made *simultaneous(bool with_maps, bool with_calibration)
{
    made *m = new_scan();
    m->encodings[0].bands = (argand_bands){.count = 3, .spacing = 8, .calibration_encoding = -1};
    m->encodings[0].matrix[2] = 3;
    for (int group = 0; group < 2; group++)
        for (int line = 0; line < NY; line++)
            m->images[m->scan.acquisition_count++] =
                make_line(m, line - NY / 2, line % 3 - 1, (const int[]){group, group + 2, group + 4}, 3, 0);
    for (int slice = 0; slice < 6 && with_calibration; slice++)
        for (int ky = -6; ky < 6; ky++) {
            argand_acquisition *a = &m->calibrations[m->scan.calibration_count++];
            *a = make_line(m, ky, 0, &slice, 1, 0);
            a->flags = ARGAND_FLAG_CALIBRATION;
        }
    if (with_maps) add_coil_maps(m, 6);
    return m;
}

static void bands(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    argand_sense *session = open_session(m, &(argand_sense_options){.iterations = 100});
    int64_t n[3];
    assert_int_equal(argand_sense_volumes(session), 6);
    argand_sense_grid(session, n);
    assert_int_equal(n[2], 1);
    assert_non_null(strstr(argand_sense_notes(session), "3 slices were excited together"));
    for (int v = 0; v < 6; v++) {
        const argand_geometry g = argand_sense_geometry(session, v);
        const int slice = argand_sense_counters(session, v)->slice;
        CHECK_BELOW(error_of(session, v), 2e-3);
        CHECK_BELOW(fabs(g.centre[2] - (4 * (slice % 2) + 8 * (slice / 2 - 1))), 1e-12);
        CHECK_BELOW(fabs(g.voxel[2] - 4), 1e-12);
    }
    argand_array *maps;
    OK(argand_sense_coil_maps(session, 5, &maps));
    double *values = as_doubles(maps);
    const int slice = argand_sense_counters(session, 5)->slice;
    const double complex want = coil_at(2, slice, 3, 4) / coil_norm(slice, 3, 4);
    CHECK_BELOW(
        cabs(CMPLX(values[2 * (3 + NX * 4 + PIXELS * 2)], values[2 * (3 + NX * 4 + PIXELS * 2) + 1]) - want),
        1e-6);
    free(values);
    argand_array_destroy(maps);
    argand_sense_destroy(session);
    made_free(m);
}

/* With a field map every slice has a transform of its own; of 0 it changes nothing. */
static void bands_with_fields(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    argand_sense *session =
        open_session(m, &(argand_sense_options){.iterations = 100, .transform = ARGAND_TRANSFORM_DFT});
    CHECK_BELOW(error_of(session, 3), 2e-3);
    argand_sense_destroy(session);
    FAILS(argand_sense_create(&session, device, &m->scan,
                              &(argand_sense_options){.transform = ARGAND_TRANSFORM_DFT_GRADIENTS}),
          ARGAND_UNSUPPORTED, "simultaneous slices");
    made_free(m);
}

static double *maps_of(argand_sense *session, int volume)
{
    argand_array *maps;
    OK(argand_sense_coil_maps(session, volume, &maps));
    double *values = as_doubles(maps);
    argand_array_destroy(maps);
    return values;
}

/* A complete scan of one slice, from whose centre maps are estimated too. */
static made *complete_scan(int slice)
{
    made *m = new_scan();
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        m->images[m->scan.acquisition_count] = make_line(m, ky, 0, &slice, 1, 0);
        m->images[m->scan.acquisition_count++].counters.slice = 0;
    }
    return m;
}

/* Where both look at the same part of k-space. */
static const argand_sense_options centre = {
    .iterations = 2, .coils = ARGAND_COILS_ADAPTIVE, .calibration = 0.7};

/* How far the maps of a volume are from those that a complete scan of its slice gives. */
static double maps_error(argand_sense *session, int volume)
{
    made *m = complete_scan(argand_sense_counters(session, volume)->slice);
    argand_sense *whole = open_session(m, &centre);
    double *have = maps_of(session, volume), *want = maps_of(whole, 0);
    const double error = relative_error(have, want, 2 * PIXELS * COILS);
    free(want);
    free(have);
    argand_sense_destroy(whole);
    made_free(m);
    return error;
}

/* The calibration lines get the blips that their slice has among the others. */
static void add_blips(made *m)
{
    for (int64_t i = 0; i < m->scan.calibration_count; i++) {
        argand_acquisition *a = &m->calibrations[i];
        const double kz = (int)(i % 3) - 1, band = a->counters.slice / 2;
        const double complex turn = cexp(-2 * PI * I * kz * (band - 1) / 3);
        float *data = (float *)(uintptr_t)a->data, *k = (float *)(uintptr_t)a->k[2];
        for (int64_t j = 0; j < a->samples; j++) k[j] = (float)kz;
        for (int64_t j = 0; j < a->samples * COILS; j++) {
            const double complex value = CMPLX(data[2 * j], data[2 * j + 1]) * turn;
            data[2 * j] = (float)creal(value);
            data[2 * j + 1] = (float)cimag(value);
        }
    }
}

/* Maps of each slice from calibration lines of single slices, without blips and with. */
static void bands_calibrated(void **state)
{
    (void)state;
    made *m = simultaneous(false, true);
    argand_sense *session = open_session(m, &centre);
    assert_non_null(strstr(argand_sense_notes(session), "estimated from 72 calibration acquisitions"));
    for (int v = 0; v < 6; v += 5) CHECK_BELOW(maps_error(session, v), 0.03);
    argand_sense_destroy(session);
    add_blips(m);
    session = open_session(m, &centre);
    for (int v = 0; v < 6; v += 5) CHECK_BELOW(maps_error(session, v), 0.03);
    argand_sense_destroy(session);
    made_free(m);

    argand_array *image;
    m = simultaneous(false, false);
    session = open_session(m, NULL);
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(session, 0, image, NULL, NULL), ARGAND_FORMAT,
          "slice 0 was excited together with others and nothing calibrates it");
    argand_array_destroy(image);
    argand_sense_destroy(session);
    made_free(m);
}

static bool stop_at_two(void *context, const argand_progress *p)
{
    ++*(int *)context;
    return p->iteration < 2;
}

/* The three slices of a group are solved once; a stopped solve is not kept. */
static void bands_solved_once(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    argand_sense *session = open_session(m, &(argand_sense_options){.iterations = 100});
    argand_array *image;
    int calls = 0;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(session, 0, image, stop_at_two, &calls), ARGAND_STOPPED, "stopped");
    assert_int_equal(calls, 3);
    CHECK_BELOW(error_of(session, 0), 2e-3);
    calls = 0;
    OK(argand_sense_run(session, 1, image, stop_at_two, &calls));
    assert_int_equal(calls, 0);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    made_free(m);
}

/* Lines above -4 and an echo two samples early. */
static made *partial_scan(void)
{
    made *m = new_scan();
    const int slice = 0;
    for (int ky = -4; ky < NY / 2; ky++)
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 2);
    add_coil_maps(m, 1);
    return m;
}

static void partial_fourier(void **state)
{
    (void)state;
    made *m = partial_scan();
    argand_sense *session = open_session(m, &(argand_sense_options){.iterations = 25});
    assert_non_null(
        strstr(argand_sense_notes(session), "Partial Fourier: along y k goes from -4 to 7, 75 %"));
    assert_non_null(strstr(argand_sense_notes(session), "--partial-fourier"));
    const double without = error_of(session, 0);
    argand_sense_destroy(session);
    session = open_session(m, &(argand_sense_options){.iterations = 25, .partial_fourier = 0.3});
    const double with = error_of(session, 0);
    print_message("partial Fourier: %.4f, with the constraint %.4f\n", without, with);
    CHECK_BELOW(with, 0.6 * without);
    CHECK_BELOW(fabs(error_of(session, 0) - with), 1e-9); /* again, with the model kept */
    argand_sense_destroy(session);
    FAILS(argand_sense_create(&session, device, &m->scan, &(argand_sense_options){.partial_fourier = -1}),
          ARGAND_ARGUMENT, "partial Fourier weight -1");
    made_free(m);
}

/* Nothing on one side of the centre: words instead of noise. */
static void half_missing(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    argand_array *image;
    for (int ky = 0; ky < NY / 2; ky++)
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 0);
    add_coil_maps(m, 1);
    argand_sense *session = open_session(m, &(argand_sense_options){.partial_fourier = 0.3});
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(session, 0, image, NULL, NULL), ARGAND_ARGUMENT,
          "too little for the phase that --partial-fourier needs");
    argand_array_destroy(image);
    argand_sense_destroy(session);
    made_free(m);
}

/* Every second line; the calibration lines fill the centre. */
static void calibration(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    for (int ky = -NY / 2; ky < NY / 2; ky += 2)
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 0);
    argand_sense *session = open_session(m, &centre);
    const double folded = maps_error(session, 0);
    argand_sense_destroy(session);
    for (int ky = -6; ky < 6; ky++) {
        argand_acquisition *a = &m->calibrations[m->scan.calibration_count];
        if (ky % 2) {
            *a = make_line(m, ky, 0, &slice, 1, 0);
            m->scan.calibration_count++;
        } else
            m->images[(ky + NY / 2) / 2].flags = ARGAND_FLAG_CALIBRATION_AND_IMAGING;
    }
    session = open_session(m, &centre);
    const double calibrated = maps_error(session, 0);
    print_message("maps: without calibration lines %.4f, with %.4f\n", folded, calibrated);
    CHECK_BELOW(calibrated, 0.03);
    CHECK_BELOW(4 * calibrated, folded);
    recon_row *list;
    int64_t count;
    assert_int_equal(session->volumes[0].count, NY / 2 + 6); /* the image has them, too */
    OK(calibrations_of(session, &session->volumes[0], 0, &list, &count));
    assert_int_equal(count, 0);
    argand_sense_destroy(session);
    m->calibrations[0] = make_line(m, -6, 0, &slice, 1, 0); /* which the image has: a scan of its own */
    session = open_session(m, &centre);
    assert_int_equal(session->volumes[0].count, NY / 2);
    OK(calibrations_of(session, &session->volumes[0], 0, &list, &count));
    assert_int_equal(count, 12);
    memory_free(list);
    argand_sense_destroy(session);
    made_free(m);
}

/* Lines of the first repetition calibrate the others as well; of another contrast, they are a scan of its
 * own.
 */
static void calibration_elsewhere(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    recon_row *list;
    int64_t count;
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        const bool aside = ky % 2;
        if (aside && (ky < -6 || ky >= 6)) continue;
        argand_acquisition line = make_line(m, ky, 0, &slice, 1, 0);
        if (aside)
            m->calibrations[m->scan.calibration_count++] = line;
        else
            m->images[m->scan.acquisition_count++] = line;
    }
    for (int i = 0; i < NY / 2; i++) {
        m->images[m->scan.acquisition_count] = m->images[i];
        m->images[m->scan.acquisition_count++].counters.repetition = 1;
    }
    argand_sense *session = open_session(m, NULL);
    assert_int_equal(argand_sense_volumes(session), 2);
    assert_int_equal(session->volumes[0].count, NY / 2 + 6);
    assert_int_equal(session->volumes[1].count, NY / 2);
    OK(calibrations_of(session, &session->volumes[1], 0, &list, &count));
    assert_int_equal(count, NY / 2 + 6);
    memory_free(list);
    argand_sense_destroy(session);
    for (int i = 0; i < m->scan.calibration_count; i++) m->calibrations[i].counters.contrast = 1;
    session = open_session(m, NULL);
    assert_int_equal(argand_sense_volumes(session), 2);
    assert_int_equal(session->volumes[0].count, NY / 2);
    assert_true(calibrations_are_apart(session));
    argand_sense_destroy(session);
    made_free(m);
}

/* Accelerated, and nothing calibrates: refused, where coil maps would fold. */
static void nothing_calibrates(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    argand_array *image;
    for (int ky = -NY / 2; ky < NY / 2; ky += 2)
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 0);
    argand_sense *session = open_session(m, NULL);
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(session, 0, image, NULL, NULL), ARGAND_FORMAT,
          "nothing to estimate coil maps from: k-space is complete over 18 x 1 cells");
    argand_array_destroy(image);
    argand_sense_destroy(session);
    made_free(m);
}

/* Navigators in an encoding of their own: found by shot, and in the grid's cycles. */
static void navigators(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    recon_row *list;
    int64_t count;
    recon_samples samples;
    m->scan.encoding_count = 2;
    m->encodings[1].field_of_view[0] = 360; /* k counts twice */
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 0);
        argand_acquisition *n = &m->navigators[m->scan.navigator_count++];
        *n = make_line(m, 0, 0, &slice, 1, 6);
        n->counters.shot = (uint16_t)(NY / 2 - 1 - ky); /* not in the file's order */
        n->counters.contrast = 1;
        n->encoding = 1;
    }
    argand_sense *session = open_session(m, &(argand_sense_options){.phases = ARGAND_PHASES_SHOTS});
    OK(navigators_of(session, &session->volumes[0], &list, &count));
    assert_int_equal(count, NY);
    for (int64_t i = 0; i < NY; i++) assert_ptr_equal(list[i].acquisition, &m->navigators[NY - 1 - i]);
    OK(samples_of_rows(session, list, count, &samples));
    assert_int_equal(samples.shot_count, NY);
    assert_int_equal(samples.shots[1].first, NX - 6);
    double *k = as_doubles(samples.at.k[0]), *y = as_doubles(samples.y);
    CHECK_BELOW(fabs(k[0] + 0.5 * (NX / 2 - 6)), 1e-6);
    CHECK_BELOW(fabs(ldexp(y[1], session->exponent) - (double)m->navigators[NY - 1].data[1]), 1e-6);
    free(y);
    free(k);
    samples_free(&samples);
    memory_free(list);
    argand_sense_destroy(session);
    made_free(m);
}

/* Two encodings with lines and readouts of their own; each is reconstructed by itself. */
static void two_encodings(void **state)
{
    (void)state;
    made *m = new_scan();
    const int first = 0, second = 1;
    m->scan.encoding_count = 2;
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &first, 1, 0);
        argand_acquisition *a = &m->images[m->scan.acquisition_count++];
        *a = make_line(m, ky, 0, &second, 1, 1); /* a sample less */
        a->encoding = 1;
    }
    add_coil_maps(m, 2);
    for (int e = 0; e < 2; e++) {
        argand_sense *session = open_session(m, &(argand_sense_options){.encoding = e, .iterations = 30});
        assert_int_equal(argand_sense_volumes(session), 1);
        assert_int_equal(argand_sense_counters(session, 0)->slice, e);
        assert_non_null(strstr(argand_sense_notes(session), "16 acquisitions of other encoding spaces"));
        CHECK_BELOW(error_of(session, 0), e ? 0.02 : 2e-3);
        argand_sense_destroy(session);
    }
    made_free(m);
}

/* Each allocation of a session with bands and the constraint fails once. */
static void no_memory(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    argand_array *image;
    argand_status status = ARGAND_MEMORY;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    for (long n = 1; status && n < 3000; n = next_allocation(n, 40)) {
        argand_sense *session = NULL;
        argand_test_fail_allocation(n);
        status = argand_sense_create(&session, device, &m->scan,
                                     &(argand_sense_options){.iterations = 2, .partial_fourier = 0.3});
        if (!status) status = argand_sense_run(session, 1, image, NULL, NULL);
        argand_test_fail_allocation(0);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
        argand_sense_destroy(session);
    }
    assert_int_equal(status, ARGAND_OK);
    argand_array_destroy(image);
    made_free(m);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(bands),
                                          cmocka_unit_test(bands_with_fields),
                                          cmocka_unit_test(bands_calibrated),
                                          cmocka_unit_test(bands_solved_once),
                                          cmocka_unit_test(partial_fourier),
                                          cmocka_unit_test(half_missing),
                                          cmocka_unit_test(calibration),
                                          cmocka_unit_test(calibration_elsewhere),
                                          cmocka_unit_test(nothing_calibrates),
                                          cmocka_unit_test(navigators),
                                          cmocka_unit_test(two_encodings),
                                          cmocka_unit_test(no_memory)};
RUN_TESTS(tests)
