/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions with a phase map for each shot, on scans made in memory by the plain double sum of the model: the
 * true image is found again with the maps in every form that they may have, with shots missing, over slices
 * and repetitions with maps of their own, and by phases that the session estimates; every map that does not
 * match is refused. */
#include "owned_scan.h"

enum { NX = 12, NY = 7, COILS = 3, SHOTS = 4, PIXELS = NX * NY };

static double complex truth_at(int n, int slice)
{
    const int x = n % NX, y = n / NX;
    return (1 + x + 2 * slice) * cexp(I * 0.1 * y) + 3 * (x == 4 && y == 2);
}

static double complex coil_at(int coil, int n)
{
    const double x = (n % NX - 5.5) / NX, y = ((double)n / NX - 3) / NY;
    return coil == 0   ? 1 - 0.4 * y + 0.2 * I * x
           : coil == 1 ? 0.5 + 0.6 * x - 0.3 * I * y
                       : 0.7 * I + y - 0.5 * x;
}

/* Motion's phase: a constant, a ramp, a bend; different for each map. */
static double phase_at(int map, int n)
{
    const double x = (n % NX - 5.5) / NX, y = ((double)n / NX - 3) / NY;
    return sin(3. * map + 1) + 2 * cos(5. * map) * x + 1.5 * sin(2. * map + 0.3) * y + 0.7 * x * y * map;
}

/* Every other line, odd and even in turn, so that two shots cover k-space. Data of the given phase map, field
 * in rad/s. */
static void add_shot(made_scan *m, argand_counters counters, int map, double field)
{
    for (int line = counters.shot % 2; line < NY; line += 2) {
        const readout r = add_readout(m, counters, NX, COILS);
        r.acquisition->sample_time = 1e-4;
        for (int i = 0; i < NX; i++) {
            r.k[0][i] = (float)(i - NX / 2);
            r.k[1][i] = (float)(line - NY / 2);
            r.t[i] = (float)(0.002 + 1e-4 * i);
            for (int c = 0; c < COILS; c++) {
                double complex sum = 0;
                for (int n = 0; n < PIXELS; n++)
                    sum += truth_at(n, counters.slice) * coil_at(c, n) *
                           cexp(I * (phase_at(map, n) - field * (double)r.t[i] -
                                     2 * PI *
                                         ((double)r.k[0][i] * (n % NX - NX / 2) / NX +
                                          (double)r.k[1][i] * (n / NX - NY / 2) / NY)));
                put_complex(r.data, i + NX * c, sum);
            }
        }
    }
}

static made_scan *new_scan(void)
{
    return empty_scan(NX, NY, COILS, 1);
}

static void add_coil_maps(made_scan *m, int slices)
{
    double complex maps[2 * PIXELS * COILS];
    assert_true(slices <= 2);
    for (int i = 0; i < PIXELS * COILS * slices; i++) maps[i] = coil_at(i / PIXELS % COILS, i % PIXELS);
    add_complex_array(
        m, (argand_scan_array){.name = "SENSEMap", .rank = 5, .dims = {NX, NY, 1, COILS, slices}}, maps);
}

/* Maps 0 to count - 1 under a shape. */
static argand_scan_array *add_phases(made_scan *m, int count, int rank, const int64_t *dims)
{
    argand_scan_array *a = &m->arrays[m->scan.array_count++];
    double *phase = own(m, sizeof *phase * (size_t)count * PIXELS);
    for (int i = 0; i < count * PIXELS; i++) phase[i] = phase_at(i / PIXELS, i % PIXELS);
    *a = (argand_scan_array){.name = "PhaseMaps", .type = ARGAND_R64, .rank = rank, .data = phase};
    memcpy(a->dims, dims, sizeof *dims * (size_t)rank);
    return a;
}

static double complex *image_of(const made_scan *m, const argand_sense_options *options, int volume)
{
    argand_sense *session;
    argand_array *image;
    OK(create_session(&session, &m->scan, options));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    for (int v = 0; v <= volume; v++) OK(argand_sense_run(session, v, image, NULL, NULL));
    double *numbers = as_doubles(image);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return (double complex *)numbers;
}

static double error_of(const made_scan *m, const argand_sense_options *options, int volume, int slice)
{
    double complex *got = image_of(m, options, volume), expected[PIXELS];
    for (int n = 0; n < PIXELS; n++) expected[n] = truth_at(n, slice);
    const double error = relative_error((double *)got, (double *)expected, 2 * PIXELS);
    free(got);
    return error;
}

/* Data are stored as floats: 6e-8 relative, a few times that in the image of a well-conditioned problem. */
static const double stored_in_single = 3e-6;
static const argand_sense_options exact = {
    .type = ARGAND_C64, .iterations = 40, .nufft_tolerance = 1e-11, .phases = ARGAND_PHASES_MAPS};

static void every_transform_finds_the_image(void **state)
{
    (void)state;
    const argand_transform transforms[] = {ARGAND_TRANSFORM_NUFFT, ARGAND_TRANSFORM_DFT};
    made_scan *m = new_scan();
    for (int s = 0; s < SHOTS; s++) add_shot(m, (argand_counters){.shot = (uint16_t)s}, s, 0);
    add_coil_maps(m, 1);
    add_phases(m, SHOTS, 4, (int64_t[]){NX, NY, 1, SHOTS});
    for (int i = 0; i < 2; i++) {
        argand_sense_options o = exact;
        o.transform = transforms[i];
        CHECK_BELOW(error_of(m, &o, 0, 0), stored_in_single);
    }
    argand_sense_options without = exact;
    without.phases = ARGAND_PHASES_NONE;
    assert_true(error_of(m, &without, 0, 0) > 0.2);
    free_scan(m);
}

static void with_a_field_map(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    float field[PIXELS];
    argand_array *map;
    for (int s = 0; s < SHOTS; s++) add_shot(m, (argand_counters){.shot = (uint16_t)s}, s, 400);
    add_coil_maps(m, 1);
    add_phases(m, SHOTS, 3, (int64_t[]){NX, NY, SHOTS});
    for (int n = 0; n < PIXELS; n++) field[n] = 400;
    OK(argand_array_create(&map, device, ARGAND_R32, 2, (int64_t[]){NX, NY}));
    OK(argand_array_upload(map, field));
    argand_sense_options o = exact;
    o.field_map = map;
    CHECK_BELOW(error_of(m, &o, 0, 0), stored_in_single);
    argand_array_destroy(map);
    free_scan(m);
}

/* The same maps as an array of the caller, as axes with and without ones, as one vector. */
static void every_form_of_maps(void **state)
{
    (void)state;
    const struct {
        int rank;
        int64_t dims[6];
    } forms[] = {{4, {NX, NY, 1, SHOTS}},
                 {3, {NX, NY, SHOTS}},
                 {6, {NX, NY, 1, SHOTS, 1, 1}},
                 {1, {PIXELS * SHOTS}},
                 {3, {1, PIXELS * SHOTS, 1}}};
    made_scan *m = new_scan();
    for (int s = SHOTS; s-- > 0;) add_shot(m, (argand_counters){.shot = (uint16_t)s}, s, 0); /* any order */
    add_coil_maps(m, 1);
    argand_scan_array *a = add_phases(m, SHOTS, 1, (int64_t[]){1});
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i += few() ? 2 : 1) {
        a->rank = forms[i].rank;
        memcpy(a->dims, forms[i].dims, sizeof forms[i].dims);
        CHECK_BELOW(error_of(m, &exact, 0, 0), stored_in_single);
    }
    argand_array *given;
    argand_sense_options o = exact;
    OK(argand_array_create(&given, device, ARGAND_R64, 3, (int64_t[]){NX, NY, SHOTS}));
    OK(argand_array_upload(given, a->data));
    m->scan.array_count--;
    o.phase_maps = given;
    CHECK_BELOW(error_of(m, &o, 0, 0), stored_in_single);
    argand_array_destroy(given);
    free_scan(m);
}

/* Shots 1 and 4 of six were lost; the others keep their numbers. */
static void missing_shots(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    for (int s = 0; s < 6; s++)
        if (s != 1 && s != 4) add_shot(m, (argand_counters){.shot = (uint16_t)s}, s, 0);
    add_coil_maps(m, 1);
    add_phases(m, 6, 3, (int64_t[]){NX, NY, 6});
    CHECK_BELOW(error_of(m, &exact, 0, 0), stored_in_single);
    free_scan(m);
}

/* Two slices and two repetitions, a map for each shot of each: {shots, partitions, slices, ..., repetitions}.
 */
static void slices_and_repetitions_have_their_own_maps(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    for (int r = 0; r < 2; r++)
        for (int slice = 0; slice < 2; slice++)
            for (int s = 0; s < 3; s++)
                add_shot(m,
                         (argand_counters){
                             .shot = (uint16_t)s, .slice = (uint16_t)slice, .repetition = (uint16_t)r},
                         s + 3 * (slice + 2 * r), 0);
    add_coil_maps(m, 2);
    add_phases(m, 12, 1, (int64_t[]){12 * PIXELS});
    for (int volume = few() ? 3 : 0; volume < 4; volume++)
        CHECK_BELOW(error_of(m, &exact, volume, volume % 2), stored_in_single);
    free_scan(m);
}

/* Each acquisition of a stack has a map; or the partitions of a shot share one. */
static void partitions_are_shots_where_they_have_maps(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        made_scan *m = new_scan();
        argand_sense *session;
        argand_array *maps;
        for (int s = 0; s < 4; s++)
            add_shot(m, (argand_counters){.shot = (uint16_t)(s % 2), .partition = (uint16_t)(s / 2)},
                     shared ? s % 2 : s, 0);
        add_coil_maps(m, 1);
        add_phases(m, shared ? 2 : 4, 5, (int64_t[]){NX, NY, 1, 2, shared ? 1 : 2});
        CHECK_BELOW(error_of(m, &exact, 0, 0), stored_in_single);
        OK(create_session(&session, &m->scan, &exact));
        OK(argand_sense_phase_maps(session, 0, &maps));
        assert_int_equal(argand_array_dim(maps, 3), shared ? 2 : 4);
        argand_array_destroy(maps);
        argand_sense_destroy(session);
        free_scan(m);
    }
}

/* Every shot covers all of k-space here, so that its own image shows its phase: exactly, as nothing is cut
 * off. */
static void phases_from_the_shots_themselves(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    for (int s = 0; s < 3; s++)
        for (uint16_t half = 0; half < 2; half++) add_shot(m, (argand_counters){.shot = half}, s, 0);
    for (int64_t a = 0; a < m->scan.acquisition_count; a++)
        m->acquisitions[a].counters.shot = (uint16_t)(a / NY);
    add_coil_maps(m, 1);
    argand_sense_options o = exact;
    o.phases = ARGAND_PHASES_SHOTS;
    double complex *got = image_of(m, &o, 0);
    /* relative to the coil maps the phase of the object belongs to the shots: what is left is its magnitude
     */
    double expected[PIXELS], magnitude[PIXELS];
    for (int n = 0; n < PIXELS; n++) {
        expected[n] = cabs(truth_at(n, 0));
        magnitude[n] = cabs(got[n]);
    }
    CHECK_BELOW(relative_error(magnitude, expected, PIXELS), 1e-3);
    free(got);
    free_scan(m);
}

static void refused_with(made_scan *m, int rank, const int64_t *dims, const char *message)
{
    argand_sense *s;
    argand_scan_array *a = &m->arrays[1];
    a->rank = rank;
    memcpy(a->dims, dims, sizeof *dims * (size_t)rank);
    FAILS(argand_sense_create(&s, device, &m->scan, &exact), ARGAND_ARGUMENT, message);
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    argand_sense *s;
    for (int shot = 0; shot < SHOTS; shot++)
        for (uint16_t slice = 0; slice < 2; slice++)
            add_shot(m, (argand_counters){.shot = (uint16_t)shot, .slice = slice}, shot, 0);
    add_coil_maps(m, 2);
    FAILS(argand_sense_create(&s, device, &m->scan, &exact), ARGAND_ARGUMENT,
          "there are no phase maps (array PhaseMaps)");
    argand_scan_array *a = add_phases(m, 16, 1, (int64_t[]){1});
    refused_with(
        m, 4, (int64_t[]){NX, NY + 1, 1, 4},
        "\"PhaseMaps\" of the scan have the shape (4, 1, 8, 12), but the image is (7, 12) with 4 shot(s)");
    refused_with(m, 4, (int64_t[]){NX, NY, 3, 2}, "3 shot(s), but the scan has 4");
    refused_with(m, 3, (int64_t[]){NX, NY, 5}, "1 slice(s), but the scan has 2");
    refused_with(m, 1, (int64_t[]){PIXELS * 5}, "have the shape (420,), but the image is (7, 12)");
    m->arrays[1].rank = 5;
    memcpy(m->arrays[1].dims, (int64_t[]){NX, NY, SHOTS, 1, 2}, 5 * sizeof(int64_t));
    OK(argand_sense_create(&s, device, &m->scan, &exact));
    argand_sense_destroy(s);
    ((double *)(uintptr_t)a->data)[3 * PIXELS + 5] = NAN;
    FAILS(argand_sense_create(&s, device, &m->scan, &exact), ARGAND_ARGUMENT, "map 3 of 8 (84 pixels each)");
    a->type = ARGAND_C32;
    FAILS(argand_sense_create(&s, device, &m->scan, &exact), ARGAND_ARGUMENT, "must be real, in rad");
    argand_sense_options o = exact;
    o.phases = (argand_phases)7;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "phases 7");
    o = exact;
    o.phase_maps_name = "Nowhere";
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "no array \"Nowhere\"");
    free_scan(m);
}

/* Many an allocation fails once: the session says so and leaves nothing behind (the harness counts). */
static void no_memory(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    argand_array *image;
    for (int s = 0; s < 2; s++) add_shot(m, (argand_counters){.shot = (uint16_t)(2 * s)}, 2 * s, 0);
    add_coil_maps(m, 1);
    add_phases(m, 3, 3, (int64_t[]){NX, NY, 3});
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    for (int way = 0; way < 4; way++) {
        argand_sense_options o = exact;
        argand_status status = ARGAND_MEMORY;
        o.iterations = 2;
        o.toeplitz = way == 3 ? ARGAND_TOEPLITZ_ON : ARGAND_TOEPLITZ_OFF;
        if (way == 1) {
            o.coil_maps_name = "";
            o.calibration = 0.5; /* of samples that lie anywhere */
        }
        if (way == 2)
            o = (argand_sense_options){.type = ARGAND_C64, .iterations = 2, .joint = true, .compress = 2};
        for (long n = 1; status && n < 4000; n = next_allocation(n, 10)) {
            argand_sense *session = NULL;
            argand_test_fail_allocation(n);
            status = argand_sense_create(&session, device, &m->scan, &o);
            if (!status) status = argand_sense_run(session, 0, image, NULL, NULL);
            argand_test_fail_allocation(0);
            if (status && status != ARGAND_MEMORY)
                fail_msg("way %d, allocation %ld: %s", way, n, argand_message());
            argand_sense_destroy(session);
        }
        assert_int_equal(status, ARGAND_OK);
    }
    argand_array_destroy(image);
    free_scan(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_transform_finds_the_image),
    cmocka_unit_test(with_a_field_map),
    cmocka_unit_test(every_form_of_maps),
    cmocka_unit_test(missing_shots),
    cmocka_unit_test(slices_and_repetitions_have_their_own_maps),
    cmocka_unit_test(partitions_are_shots_where_they_have_maps),
    cmocka_unit_test(phases_from_the_shots_themselves),
    cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
