/* SPDX-License-Identifier: BSD-3-Clause */
/* Which readouts a frame has, what happens to late ones, what is refused. No clock: frames are late because
 * the test does not make them. */
#include "frames/frames.h"
#include "frames/stream.h"

static spokes s;

static argand_frames *begin(const argand_frames_options *o, argand_array **image)
{
    argand_frames *frames;
    argand_frame about;
    spokes_make(&s, 0);
    OK(argand_frames_create(&frames, device, o));
    OK(argand_array_create(image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    for (int i = 0; i < 6 * o->window; i++) {
        assert_int_equal(argand_frames_wait(frames, 0),
                         i == o->window); /* prepares, before the calibration */
        if (i == o->window) OK(argand_frames_run(frames, *image, &about));
        spokes_push(&s, frames, i, 1);
    }
    assert_true(argand_frames_wait(frames, 0));
    assert_int_equal(frames->start, -1);
    assert_non_null(frames->models[0].op);
    OK(argand_frames_run(frames, *image, &about));
    assert_int_equal(about.number, -1);
    return frames;
}

static void end(argand_frames *frames, argand_array *image)
{
    argand_array_destroy(image);
    argand_frames_destroy(frames);
}

static void sliding(void **state)
{
    (void)state;
    argand_array *image;
    argand_frame about;
    argand_frames_info info;
    argand_frames_options o = spokes_options();
    o.step = 3;
    argand_frames *frames = begin(&o, &image);
    int64_t made = 0;
    for (int i = 48; i < 48 + 8 + 3 * 5; i++) {
        spokes_push(&s, frames, i, 1);
        const bool complete = i + 1 >= 48 + 8 && (i + 1 - 48 - 8) % 3 == 0;
        assert_int_equal(argand_frames_wait(frames, 0), complete);
        OK(argand_frames_run(frames, image, &about));
        assert_int_equal(about.number, complete ? made : -1);
        if (!complete) continue;
        assert_int_equal(about.first, 48 + 3 * made);
        assert_int_equal(about.last, i);
        assert_int_equal(about.dropped, 0);
        made++;
    }
    argand_frames_describe(frames, &info);
    assert_int_equal(info.made, 6);
    assert_int_equal(info.dropped, 0);
    assert_int_equal(info.start, 48);
    assert_int_equal(info.pushed, 71);
    end(frames, image);
}

/* Five frames are complete when the first is asked for. */
static void late(argand_late how, int64_t first, int64_t dropped_before)
{
    argand_array *image;
    argand_frame about;
    argand_frames_info info;
    argand_frames_options o = spokes_options();
    o.late = how;
    argand_frames *frames = begin(&o, &image);
    for (int i = 48; i < 48 + 8 * 5 + 2; i++) spokes_push(&s, frames, i, 1);
    OK(argand_frames_run(frames, image, &about));
    assert_int_equal(about.number, 4);
    assert_int_equal(about.dropped, dropped_before);
    assert_int_equal(about.last, 48 + 39);
    assert_int_equal(about.first, first);
    assert_false(argand_frames_wait(frames, 0));
    for (int i = 0; i < 6; i++) spokes_push(&s, frames, 90 + i, 1);
    OK(argand_frames_run(frames, image, &about));
    assert_int_equal(about.number, 5);
    assert_int_equal(about.dropped, 0);
    assert_int_equal(about.first, 48 + 40);
    argand_frames_describe(frames, &info);
    assert_int_equal(info.made, 2);
    assert_int_equal(info.dropped, 4);
    end(frames, image);
}

static void dropped(void **state)
{
    (void)state;
    late(ARGAND_LATE_DROP, 48 + 32, 4);
}

static void merged(void **state)
{
    (void)state;
    late(ARGAND_LATE_MERGE, 48 + 8, 4);
}

/* Readouts that a push overwrites, also one that has not ended, are not taken. */
static void overwritten(void **state)
{
    (void)state;
    argand_array *image;
    bool there;
    const argand_frames_options o = spokes_options();
    argand_frames *frames = begin(&o, &image);
    const int64_t capacity = frames->ring.capacity;
    for (int i = 48; i < 48 + 2 * capacity; i++) spokes_push(&s, frames, i, 1);
    const int64_t oldest = frames->pushed - capacity;
    OK(frames_load(frames, &frames->models[0], oldest, &there));
    assert_false(there); /* the next push writes to its place */
    OK(frames_load(frames, &frames->models[0], oldest + 1, &there));
    assert_true(there);
    end(frames, image);
}

/* A readout that is pushed while the calibration ends is not part of frame 0, as it is not kept. */
static void pushed_meanwhile(void **state)
{
    (void)state;
    argand_array *image;
    argand_frames *frames;
    const argand_frames_options o = spokes_options();
    spokes_make(&s, 0);
    OK(argand_frames_create(&frames, device, &o));
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    for (int i = 0; i < 6 * o.window; i++) spokes_push(&s, frames, i, 1);
    frames->passing = true; /* as between the two steps of a push */
    OK(argand_frames_run(frames, image, NULL));
    assert_int_equal(frames->start, 6 * o.window + 1);
    end(frames, image);
}

static void refused(void **state)
{
    (void)state;
    argand_frames *frames;
    argand_array *image, *other;
    const float *none[2] = {NULL, NULL};
    argand_frames_options o = spokes_options();
    OK(argand_array_create(&other, device, ARGAND_C32, 2, (int64_t[]){N, N + 1}));
    frames = begin(&o, &image);
    spokes_read(&s, 48, 1);
    const float *k[2] = {s.k[0], s.k[1]};
    FAILS(argand_frames_push(frames, s.data, none), ARGAND_ARGUMENT, "no readout");
    s.data[5] = NAN;
    FAILS(argand_frames_push(frames, s.data, k), ARGAND_NUMERIC, "a sample of readout 48");
    s.data[5] = 0;
    s.k[1][3] = INFINITY;
    FAILS(argand_frames_push(frames, s.data, k), ARGAND_NUMERIC, "a position of readout 48");
    FAILS(argand_frames_run(frames, other, NULL), ARGAND_ARGUMENT, "the image is not");
    end(frames, image);
    argand_array_destroy(other);
    o.window = 0;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "a window of 0");
    o = spokes_options();
    o.coils = CHANNELS + 1;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "5 virtual coils of 4");
    o = spokes_options();
    o.calibration = 7;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "7 readouts for calibration");
    o = spokes_options();
    argand_array *maps = spokes_maps(&s, device);
    o.maps = maps;
    o.refresh = 5;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "coil maps are given");
    argand_array_destroy(maps);
    o = spokes_options();
    o.times = s.times;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "a field map");
}

/* A calibration of zeros fails, and says so to whoever goes on. */
static void no_signal(void **state)
{
    (void)state;
    argand_frames *frames;
    argand_array *image;
    const argand_frames_options o = spokes_options();
    spokes_make(&s, 0);
    OK(argand_frames_create(&frames, device, &o));
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    for (int i = 0; i < 48; i++) spokes_push(&s, frames, i, 0);
    FAILS(argand_frames_run(frames, image, NULL), ARGAND_NUMERIC, "have no signal");
    assert_false(argand_frames_wait(frames, 0));
    const float *k[2] = {s.k[0], s.k[1]};
    FAILS(argand_frames_push(frames, s.data, k), ARGAND_ARGUMENT, "the calibration failed");
    end(frames, image);
}

/* Maps with any phase in each pixel get the phase of the old ones back. */
static void aligned(void **state)
{
    (void)state;
    enum { COUNT = 30, COILS = 3 };
    float old[2 * COUNT * COILS], fresh[2 * COUNT * COILS];
    random_state random = {7};
    for (int i = 0; i < 2 * COUNT * COILS; i++) old[i] = (float)random_normal(&random);
    for (int i = 0; i < COUNT; i++) {
        const double angle = 6 * random_uniform(&random);
        for (int at = 2 * i; at < 2 * COUNT * COILS; at += 2 * COUNT) {
            fresh[at] = (float)(cos(angle) * (double)old[at] - sin(angle) * (double)old[at + 1]);
            fresh[at + 1] = (float)(sin(angle) * (double)old[at] + cos(angle) * (double)old[at + 1]);
        }
    }
    maps_align(fresh, old, COUNT, COILS);
    for (int i = 0; i < 2 * COUNT * COILS; i++) CHECK_BELOW(fabs((double)(fresh[i] - old[i])), 1e-5);
}

/* New maps come without a pause: frames go on until they are there, and images do not jump. */
static void refreshed(void **state)
{
    (void)state;
    argand_array *image;
    argand_frame about;
    argand_frames_options o = spokes_options();
    o.refresh = 1;
    argand_frames *frames = begin(&o, &image);
    bool fresh = false;
    double *before = NULL, *now = NULL, jump = 1;
    for (int i = 48; !fresh; i++) {
        spokes_push(&s, frames, i % 200, 1);
        if (!argand_frames_wait(frames, 0)) continue;
        OK(argand_frames_run(frames, image, &about));
        fresh = about.fresh_maps;
        free(before);
        before = now;
        now = as_doubles(image);
        if (before) jump = relative_error(now, before, 2 * PIXELS);
    }
    CHECK_BELOW(jump, 0.15);
    free(before);
    free(now);
    end(frames, image);
}

/* Maps, matrix and delays of an object before: a window calibrates, and nothing is estimated again. */
static void known(void **state)
{
    (void)state;
    argand_array *image, *maps, *matrix, *again, *same;
    argand_frame about;
    argand_frames_info info, found;
    argand_frames_options o = spokes_options();
    o.delays = true;
    argand_frames *frames = begin(&o, &image);
    OK(argand_frames_maps(frames, &maps, &matrix));
    argand_frames_describe(frames, &info);
    end(frames, image);
    o.known_maps = maps;
    o.known_matrix = matrix;
    o.known_delay = (argand_radial_delay){.xx = 0.01};
    OK(argand_frames_create(&frames, device, &o));
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    for (int i = 0; i < 8 * o.window; i++) {
        spokes_push(&s, frames, i, 1);
        while (argand_frames_wait(frames, 0)) OK(argand_frames_run(frames, image, &about));
    }
    argand_frames_describe(frames, &found);
    assert_int_equal(found.start, o.window);
    assert_int_equal(found.made, 7);
    assert_int_equal(found.coils, info.coils);
    CHECK_BELOW(fabs(found.delay.xx - 0.01), 1e-12);
    OK(argand_frames_maps(frames, &again, &same));
    CHECK_BELOW(array_error(again, maps), 0);
    CHECK_BELOW(array_error(same, matrix), 0);
    end(frames, image);
    o.known_matrix = NULL;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "need a known matrix");
    o.known_matrix = matrix;
    o.known_maps = matrix;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "the known maps are not");
    o.known_matrix = maps;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "the known matrix is not");
    argand_array *const arrays[] = {maps, matrix, again, same};
    for (int i = 0; i < 4; i++) argand_array_destroy(arrays[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sliding),     cmocka_unit_test(dropped),          cmocka_unit_test(merged),
    cmocka_unit_test(overwritten), cmocka_unit_test(pushed_meanwhile), cmocka_unit_test(refused),
    cmocka_unit_test(no_signal),   cmocka_unit_test(aligned),          cmocka_unit_test(known),
    cmocka_unit_test(refreshed)};
RUN_TESTS(tests)
