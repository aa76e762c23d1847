/* SPDX-License-Identifier: BSD-3-Clause */
/* The image of a volume does not depend on what its session ran before: sessions that run all volumes, one
 * volume, or volumes in any order give the same bits. */
#include "line_scan.h"

enum { VOLUMES = 16 };

static uint64_t next_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Noise of its own in every acquisition, so that volumes of a slice differ, and with it their maps. */
static void add_noise(const argand_acquisition *list, int64_t count, uint64_t seed)
{
    for (int64_t a = 0; a < count; a++) {
        float *data = (float *)(uintptr_t)list[a].data;
        for (int64_t i = 0; i < 2 * list[a].samples * list[a].channels; i++)
            data[i] += (float)((double)next_number(&seed) / 2147483648. - 0.5) * 4;
    }
}

/* Adds an image: every `step`-th line, with `middle` lines on each side of the middle. */
static void add_image(made *m, argand_counters of, int step, int middle)
{
    const int slice = of.slice;
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        if ((ky + NY) % step && (ky < -middle || ky >= middle)) continue;
        argand_acquisition *a = &m->images[m->scan.acquisition_count];
        assert_true(m->scan.acquisition_count++ < MOST);
        *a = make_line(m, ky, 0, &slice, 1, 0);
        of.shot = a->counters.shot;
        a->counters = of;
        a->row = m->scan.acquisition_count;
    }
}

static made *scan_of(int slices, int repetitions, int contrasts, int step)
{
    made *m = new_scan();
    for (int c = 0; c < contrasts; c++)
        for (int r = 0; r < repetitions; r++)
            for (int slice = 0; slice < slices; slice++)
                add_image(m,
                          (argand_counters){
                              .slice = (uint16_t)slice, .repetition = (uint16_t)r, .contrast = (uint16_t)c},
                          step, 6);
    add_noise(m->images, m->scan.acquisition_count, 1);
    return m;
}

static double *image_of(argand_sense *session, int volume)
{
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, volume, image, NULL, NULL));
    double *values = as_doubles(image);
    argand_array_destroy(image);
    return values;
}

static void check_volume(argand_sense *session, int volume, double *const expected[])
{
    double *values = image_of(session, volume);
    if (memcmp(values, expected[volume], sizeof *values * 2 * PIXELS))
        fail_msg("volume %d differs by %.3g", volume, relative_error(values, expected[volume], 2 * PIXELS));
    free(values);
}

/* Runs all volumes in order, then others: some in a session of their own, in random order, and with queries
 * between them. */
static void check_orders(made *m, const argand_sense_options *options)
{
    argand_sense *session = open_session(m, options);
    const int count = argand_sense_volumes(session);
    double *expected[VOLUMES];
    uint64_t random = 5;
    OK(argand_device_set_threads(device, 1)); /* images are tiny */
    assert_true(count <= VOLUMES);
    for (int v = 0; v < count; v++) expected[v] = image_of(session, v);
    check_volume(session, 0, expected);
    argand_sense_destroy(session);
    for (int v = count - 1; v > 0; v -= 1 + count / 3) {
        session = open_session(m, options);
        check_volume(session, v, expected);
        argand_sense_destroy(session);
    }
    session = open_session(m, options);
    for (int i = 0; i < 4; i++) {
        const int v = (int)(next_number(&random) % (uint64_t)count);
        free(maps_of(session, (v + 1) % count));
        check_volume(session, v, expected);
    }
    argand_sense_destroy(session);
    for (int v = 0; v < count; v++) free(expected[v]);
}

/* ---- scans */

static void slices(void **state)
{
    (void)state;
    static const argand_coils ways[] = {ARGAND_COILS_AUTO, ARGAND_COILS_ADAPTIVE, ARGAND_COILS_ESPIRIT,
                                        ARGAND_COILS_JOINT};
    made *m = scan_of(3, 1, 1, 2);
    for (int i = 0; i < (few() ? 2 : 4); i++)
        check_orders(m, &(argand_sense_options){.coils = ways[i], .iterations = 4});
    check_orders(m, NULL);
    made_free(m);
}

static void repetitions(void **state)
{
    (void)state;
    made *m = scan_of(1, 4, 1, 2);
    check_orders(m, NULL);
    check_orders(m, &(argand_sense_options){.iterations = 3, .density = ARGAND_DENSITY_PIPE});
    check_orders(m, &(argand_sense_options){.iterations = 3, .partial_fourier = 0.3});
    check_orders(m, &(argand_sense_options){.iterations = 3, .compress = 4});
    made_free(m);
    m = scan_of(2, 2, 2, 1);
    check_orders(m, NULL);
    made_free(m);
}

/* Slices with given maps share a noise spectrum if their maps have nearly the same energy. */
static void default_iterations(void **state)
{
    (void)state;
    made *m = scan_of(4, 1, 1, 2);
    add_coil_maps(m, 4);
    float *maps = (float *)(uintptr_t)m->arrays[0].data;
    for (int i = 2 * 2 * PIXELS * COILS; i < 3 * 2 * PIXELS * COILS; i++) maps[i] *= 1.2f;
    argand_sense *session = open_session(m, NULL);
    static const int expected[4] = {0, 0, 2, 3};
    for (int v = 0; v < 4; v++) assert_int_equal(session->volumes[v].noise, expected[v]);
    argand_sense_destroy(session);
    check_orders(m, NULL);
    made_free(m);
}

/* The second repetition is empty, the third has other lines. */
static void leaders(void **state)
{
    (void)state;
    made *m = new_scan();
    for (int r = 0; r < 6; r++) add_image(m, (argand_counters){.repetition = (uint16_t)r}, r == 3 ? 1 : 2, 6);
    add_noise(m->images, m->scan.acquisition_count, 3);
    for (int64_t i = 0; i < m->scan.acquisition_count; i++)
        if (m->images[i].counters.repetition == 1)
            memset((void *)(uintptr_t)m->images[i].data, 0, sizeof(float) * 2 * NX * COILS);
    argand_sense *session = open_session(m, NULL);
    static const int expected[6] = {0, 0, 0, 3, 4, 4};
    for (int v = 0; v < 6; v++) {
        assert_int_equal(argand_sense_leader(session, v), expected[v]);
        assert_int_equal(argand_sense_unit(session, v), v);
    }
    assert_int_equal(argand_sense_leader(session, 6), -1);
    assert_int_equal(argand_sense_unit(session, -1), -1);
    assert_int_equal(argand_sense_leader(NULL, 0), -1);
    argand_sense_destroy(session);
    made_free(m);
}

/* Volumes without signal have images of 0 and the maps of the volumes that they follow. */
static void empty_volumes(void **state)
{
    (void)state;
    made *m = scan_of(1, 4, 1, 2);
    for (int64_t i = 0; i < m->scan.acquisition_count; i++)
        if (m->images[i].counters.repetition % 2 == 0)
            memset((void *)(uintptr_t)m->images[i].data, 0, sizeof(float) * 2 * NX * COILS);
    argand_sense *session = open_session(m, NULL);
    double *maps = maps_of(session, 2), *own = maps_of(session, 1), *first = image_of(session, 3);
    assert_memory_equal(maps, own, sizeof *maps * 2 * PIXELS * COILS);
    free(own);
    free(maps);
    argand_sense_destroy(session);
    session = open_session(m, NULL);
    for (int v = 0; v < 4; v++) {
        double *image = image_of(session, v);
        if (v == 3) assert_memory_equal(image, first, sizeof *image * 2 * PIXELS);
        if (v % 2 == 0)
            for (int i = 0; i < 2 * PIXELS; i++) assert_true(image[i] == 0);
        free(image);
    }
    argand_sense_destroy(session);
    free(first);
    made_free(m);
}

/* Two shots, each with all lines of the middle and a phase of its own in each repetition. */
static made *shots(bool with_navigators)
{
    made *m = new_scan();
    const int slice = 0;
    for (int r = 0; r < 3; r++)
        for (int shot = 0; shot < 2; shot++) {
            const int64_t first = m->scan.acquisition_count, before = m->scan.navigator_count;
            add_image(m, (argand_counters){.repetition = (uint16_t)r}, 2, 3);
            for (int ky = -3; ky < 3 && with_navigators; ky++)
                m->navigators[m->scan.navigator_count++] = make_line(m, ky, 0, &slice, 1, 0);
            for (int64_t i = first; i < m->scan.acquisition_count; i++)
                m->images[i].counters.shot = (uint16_t)shot;
            for (int64_t i = before; i < m->scan.navigator_count; i++) {
                m->navigators[i].counters.shot = (uint16_t)shot;
                m->navigators[i].counters.repetition = (uint16_t)r;
            }
        }
    add_noise(m->images, m->scan.acquisition_count, 1);
    add_noise(m->navigators, m->scan.navigator_count, 2);
    return m;
}

static void phases_of_shots_from_data(void **state)
{
    (void)state;
    made *m = shots(false);
    check_orders(m, &(argand_sense_options){.phases = ARGAND_PHASES_SHOTS});
    made_free(m);
    m = shots(true);
    check_orders(m, &(argand_sense_options){.phases = ARGAND_PHASES_NAVIGATORS, .iterations = 4});
    add_coil_maps(m, 1);
    check_orders(m, &(argand_sense_options){.phases = ARGAND_PHASES_NAVIGATORS});
    made_free(m);
}

static void simultaneous_slices(void **state)
{
    (void)state;
    made *m = simultaneous(false, true);
    const int64_t count = m->scan.acquisition_count;
    for (int64_t i = 0; i < count; i++) {
        argand_acquisition *a = &m->images[count + i];
        const int slice = m->images[i].counters.slice, line = m->images[i].counters.shot;
        *a = make_line(m, line - NY / 2, line % 3 - 1, (const int[]){slice, slice + 2, slice + 4}, 3, 0);
        a->counters.repetition = 1;
    }
    m->scan.acquisition_count = 2 * count;
    add_noise(m->images, 2 * count, 1);
    argand_sense *session = open_session(m, NULL);
    static const int units[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    for (int v = 0; v < 12; v++) {
        assert_int_equal(argand_sense_unit(session, v), units[v]);
        assert_int_equal(argand_sense_leader(session, v), 3 * (units[v] % 2)); /* of the first repetition */
    }
    argand_sense_destroy(session);
    check_orders(m, NULL);
    made_free(m);
}

static void joint_repetitions(void **state)
{
    (void)state;
    made *m = scan_of(2, 2, 2, 2);
    argand_sense *session = open_session(m, &(argand_sense_options){.joint = true});
    static const int units[8] = {0, 1, 0, 1, 2, 3, 2, 3}, leader[8] = {0, 1, 0, 1, 4, 5, 4, 5};
    for (int v = 0; v < 8; v++) {
        assert_int_equal(argand_sense_unit(session, v), units[v]);
        assert_int_equal(argand_sense_leader(session, v), leader[v]);
    }
    static const int order[8] = {0, 2, 1, 3, 4, 6, 5, 7};
    int dealt[8];
    assert_int_equal(argand_sense_deal(session, 0, 1, dealt), 8);
    assert_memory_equal(dealt, order, sizeof order);
    argand_sense_destroy(session);
    check_orders(m, &(argand_sense_options){.joint = true});
    made_free(m);
    m = scan_of(1, 2, 2, 2);
    check_orders(m, &(argand_sense_options){.joint = true, .iterations = 3});
    made_free(m);
}

static void automatic_weight(void **state)
{
    (void)state;
    static const argand_regularizer tv = {.kind = ARGAND_TV, .automatic = true};
    made *m = scan_of(1, 2, 1, 1);
    check_orders(m, &(argand_sense_options){.regularizers = &tv, .regularizer_count = 1, .iterations = 3});
    made_free(m);
}

/* The noise of a volume's replicas does not depend on other volumes either. */
static void noise_maps(void **state)
{
    (void)state;
    made *m = scan_of(1, 2, 1, 2);
    double *found[2];
    for (int way = 0; way < 2; way++) {
        argand_sense *session = open_session(m, NULL);
        argand_array *image, *deviation;
        OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
        OK(argand_array_create(&deviation, device, ARGAND_R32, 3, (int64_t[]){NX, NY, 1}));
        for (int v = way; v < 2; v++) {
            OK(argand_sense_run(session, v, image, NULL, NULL));
            OK(argand_sense_noise(session, v, image, 2, NULL, deviation, NULL, NULL));
        }
        found[way] = as_doubles(deviation);
        argand_array_destroy(deviation);
        argand_array_destroy(image);
        argand_sense_destroy(session);
    }
    assert_memory_equal(found[0], found[1], sizeof(double) * PIXELS);
    free(found[0]);
    free(found[1]);
    made_free(m);
}

/* ---- the deal */

/* Checks all parts of a session: each volume once, units whole, and the largest part as small as can be. */
static void check_deal(const argand_sense *session, int parts)
{
    const int count = argand_sense_volumes(session), units = session->unit_count;
    int volumes[VOLUMES], dealt[VOLUMES] = {0}, last = -1, all = 0;
    for (int part = 0; part < parts; part++) {
        const int got = argand_sense_deal(session, part, parts, volumes);
        int own = 0;
        assert_int_equal(got, argand_sense_deal(session, part, parts, NULL));
        for (int i = 0; i < got; i++, all++) {
            const int unit = argand_sense_unit(session, volumes[i]);
            assert_int_equal(dealt[volumes[i]]++, 0);
            own += unit != last;
            assert_true(unit == last || unit == last + 1);
            assert_true(unit == last || own > 0);
            last = unit;
        }
        assert_true(own <= (units + parts - 1) / parts);
    }
    assert_int_equal(all, count);
}

static void deal(void **state)
{
    (void)state;
    made *m = new_scan();
    int volumes[VOLUMES];
    for (int r = 0; r < 9; r++) /* leaders 0, 3 and 8 */
        add_image(m, (argand_counters){.repetition = (uint16_t)r}, r < 3 || r == 8 ? 1 : 2, 1);
    argand_sense *session = open_session(m, NULL);
    for (int parts = 1; parts < 12; parts++) check_deal(session, parts);
    assert_int_equal(argand_sense_deal(session, 0, 3, NULL), 3);
    assert_int_equal(argand_sense_deal(session, 0, 2, NULL), 4); /* 3 would leave 6 */
    assert_int_equal(argand_sense_deal(session, 1, 4, volumes), 2);
    assert_int_equal(volumes[0], 3); /* rather than 2, which an even cut gives */
    assert_int_equal(argand_sense_deal(session, 2, 2, NULL), 0);
    assert_int_equal(argand_sense_deal(session, -1, 2, NULL), 0);
    assert_int_equal(argand_sense_deal(NULL, 0, 1, NULL), 0);
    assert_int_equal(argand_sense_deal(session, 2000000000, 2147483647, volumes), 0);
    argand_sense_destroy(session);
    made_free(m);
    m = simultaneous(true, false);
    session = open_session(m, NULL);
    for (int parts = 1; parts < 4; parts++) check_deal(session, parts);
    argand_sense_destroy(session);
    made_free(m);
    m = scan_of(2, 3, 1, 2);
    session = open_session(m, &(argand_sense_options){.joint = true});
    for (int parts = 1; parts < 4; parts++) check_deal(session, parts);
    argand_sense_destroy(session);
    made_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(deal),
    cmocka_unit_test(leaders),
    cmocka_unit_test(slices),
    cmocka_unit_test(repetitions),
    cmocka_unit_test(default_iterations),
    cmocka_unit_test(empty_volumes),
    cmocka_unit_test(phases_of_shots_from_data),
    cmocka_unit_test(simultaneous_slices),
    cmocka_unit_test(joint_repetitions),
    cmocka_unit_test(automatic_weight),
    cmocka_unit_test(noise_maps),
};

RUN_TESTS(tests)
