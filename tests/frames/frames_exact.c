/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames are the images of their readouts: of an object by direct sums, with a field map, with delayed
 * gradients; as the solver of scans makes them; and of an object that changes. */
#include "frames/stream.h"

/* Spokes measure no corners of k-space: errors of the transforms grow there with each step, from 3e-5
 * after 12 steps to 3e-3 after 40 and 0.2 after 160, differently on each device. */
static argand_frames_options exact_options(void)
{
    argand_frames_options o = spokes_options();
    o.window = 40;
    o.calibration = 40;
    o.iterations = 12;
    o.temporal = -1;
    o.tolerance = 1e-5;
    return o;
}

/* Pushes until a frame is made, and returns its error. */
static double first_error(spokes *s, const argand_frames_options *o, argand_frames **frames,
                          argand_array **image)
{
    argand_frame about = {.number = -1};
    OK(argand_frames_create(frames, device, o));
    OK(argand_array_create(image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    for (int i = 0; i < 2 * o->window; i++) {
        spokes_push(s, *frames, i, 1);
        if (argand_frames_wait(*frames, 0)) OK(argand_frames_run(*frames, *image, &about));
    }
    assert_int_equal(about.number, 0);
    assert_int_equal(about.first, 40);
    assert_int_equal(about.last, 79);
    assert_int_equal(about.dropped, 0);
    return spokes_error(s, *image, 1);
}

static void known_maps(void **state)
{
    (void)state;
    spokes *s = malloc(sizeof *s);
    argand_frames *frames;
    argand_array *image;
    spokes_make(s, 0);
    argand_frames_options o = exact_options();
    argand_array *maps = spokes_maps(s, device);
    o.maps = maps;
    CHECK_BELOW(first_error(s, &o, &frames, &image), 2e-4);
    argand_array_destroy(image);
    argand_frames_destroy(frames);
    argand_array_destroy(maps);
    free(s);
}

static void field_map(void **state)
{
    (void)state;
    spokes *s = malloc(sizeof *s);
    argand_frames *frames;
    argand_array *image, *field;
    argand_frames_info info;
    spokes_make(s, 2 * M_PI * 120);
    OK(argand_array_create(&field, device, ARGAND_R32, 2, (int64_t[]){N, N}));
    float numbers[PIXELS];
    for (int i = 0; i < PIXELS; i++) numbers[i] = (float)s->field[i];
    OK(argand_array_upload(field, numbers));
    argand_frames_options o = exact_options();
    argand_array *maps = spokes_maps(s, device);
    o.maps = maps;
    const double without = first_error(s, &o, &frames, &image);
    argand_array_destroy(image);
    argand_frames_destroy(frames);
    o.field_map = field;
    o.times = s->times;
    CHECK_BELOW(first_error(s, &o, &frames, &image), 3e-4);
    CHECK_BELOW(0.2, without); /* the field matters */
    argand_frames_describe(frames, &info);
    assert_true(info.segments > 1);
    argand_array_destroy(image);
    argand_frames_destroy(frames);
    argand_array_destroy(maps);
    argand_array_destroy(field);
    free(s);
}

/* The same weighted least squares by argand_solve_cg, with the frame's own maps: as the image of a scan. */
static void as_offline(void **state)
{
    (void)state;
    spokes *s = malloc(sizeof *s);
    argand_frames *frames;
    argand_array *image, *maps, *matrix, *offline, *k[2], *mixed, *data, *flat;
    argand_nufft *plan;
    argand_op *transform, *op;
    spokes_make(s, 0);
    argand_frames_options o = exact_options();
    argand_array *given = spokes_maps(s, device);
    o.maps = given;
    (void)first_error(s, &o, &frames, &image);
    OK(argand_frames_maps(frames, &maps, &matrix));
    const int64_t points = 40 * SAMPLES;
    float *all = malloc(sizeof(float) * 2 * (size_t)points * CHANNELS),
          *kx = malloc(sizeof(float) * 2 * (size_t)points), *ky = kx + points;
    for (int i = 0; i < 40; i++) {
        spokes_read(s, 40 + i, 1);
        for (int c = 0; c < CHANNELS; c++)
            memcpy(all + 2 * (c * points + i * SAMPLES), s->data + 2 * c * SAMPLES, 8 * SAMPLES);
        memcpy(kx + i * SAMPLES, s->k[0], sizeof s->k[0]);
        memcpy(ky + i * SAMPLES, s->k[1], sizeof s->k[1]);
    }
    OK(argand_array_create(&data, device, ARGAND_C32, 2, (int64_t[]){points, CHANNELS}));
    OK(argand_array_create(&mixed, device, ARGAND_C32, 2, (int64_t[]){points, CHANNELS}));
    OK(argand_array_upload(data, all));
    OK(argand_array_create(&flat, device, ARGAND_C64, 2, (int64_t[]){CHANNELS, CHANNELS}));
    OK(argand_array_copy(flat, matrix));
    OK(argand_coils_mix(mixed, flat, data));
    for (int axis = 0; axis < 2; axis++) {
        OK(argand_array_create(&k[axis], device, ARGAND_R32, 1, &points));
        OK(argand_array_upload(k[axis], axis ? ky : kx));
    }
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {N, N}}));
    OK(argand_nufft_set_points(plan, k));
    OK(argand_op_nufft(&transform, device, plan, CHANNELS));
    OK(argand_op_sense(&op, transform, maps));
    OK(argand_array_create(&offline, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    OK(argand_solve_cg(offline, op, mixed, &(argand_cg_options){.iterations = 60}));
    CHECK_BELOW(array_error(image, offline), 2e-4);
    argand_array *const arrays[] = {given, offline, k[0], k[1], flat, mixed, data, maps, matrix, image};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    argand_op_destroy(op);
    argand_op_destroy(transform);
    argand_frames_destroy(frames);
    free(kx);
    free(all);
    free(s);
}

static void delays(void **state)
{
    (void)state;
    spokes *s = malloc(sizeof *s);
    argand_frames *frames;
    argand_array *image;
    argand_frames_info info;
    spokes_make(s, 0);
    s->delay = 0.8;
    argand_frames_options o = exact_options();
    argand_array *maps = spokes_maps(s, device);
    o.maps = maps;
    const double without = first_error(s, &o, &frames, &image);
    argand_array_destroy(image);
    argand_frames_destroy(frames);
    o.delays = true;
    CHECK_BELOW(first_error(s, &o, &frames, &image), 0.25 * without);
    argand_frames_describe(frames, &info);
    CHECK_BELOW(fabs(info.delay.xx - 0.8), 0.1);
    CHECK_BELOW(fabs(info.delay.yy) + fabs(info.delay.xy), 0.15);
    argand_array_destroy(image);
    argand_frames_destroy(frames);
    argand_array_destroy(maps);
    free(s);
}

/* Windows of eight spokes with few iterations: an image that halves is followed. */
static void changes(void **state)
{
    (void)state;
    spokes *s = malloc(sizeof *s);
    argand_frames *frames;
    argand_array *image;
    argand_frame about;
    spokes_make(s, 0);
    argand_frames_options o = spokes_options();
    argand_array *maps = spokes_maps(s, device);
    o.maps = maps;
    double before = 1, after = 1;
    OK(argand_frames_create(&frames, device, &o));
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    for (int i = 0; i < 48 + 8 * 8; i++) {
        spokes_push(s, frames, i, i < 48 + 32 ? 1 : 0.5);
        if (!argand_frames_wait(frames, 0)) continue;
        OK(argand_frames_run(frames, image, &about));
        if (about.number == 3) before = spokes_error(s, image, 1);
        if (about.number == 7) after = spokes_error(s, image, 0.5);
    }
    CHECK_BELOW(before, 0.1);
    CHECK_BELOW(after, 0.12); /* the image before is half forgotten */
    argand_array_destroy(image);
    argand_frames_destroy(frames);
    argand_array_destroy(maps);
    free(s);
}

/* Sliding frames on the device, where readouts go one by one, are those on the CPU: after readouts that were
 * never taken, after late frames that are dropped or merged, and with gaps between frames. */
static void as_on_cpu(int step, argand_late late)
{
    spokes *s = malloc(sizeof *s);
    argand_device *cpu;
    argand_frames *frames[2];
    argand_array *image[2];
    int made = 0;
    OK(argand_device_open(&cpu, "cpu"));
    spokes_make(s, 0);
    argand_frames_options o = spokes_options();
    argand_array *maps = spokes_maps(s, cpu);
    o.maps = maps;
    o.step = step;
    o.late = late;
    o.tolerance = 1e-5;
    for (int i = 0; i < 2; i++) {
        OK(argand_frames_create(&frames[i], i ? cpu : device, &o));
        OK(argand_array_create(&image[i], i ? cpu : device, ARGAND_C32, 2, (int64_t[]){N, N}));
    }
    for (int i = 0; i < 48 + 70; i++) {
        argand_frame about[2];
        const float *k[2] = {s->k[0], s->k[1]};
        spokes_read(s, i, 1 + 0.01 * i);
        for (int j = 0; j < 2; j++) OK(argand_frames_push(frames[j], s->data, k));
        if (i > 60 && i < 80) continue; /* late */
        for (int j = 0; j < 2; j++) do
                OK(argand_frames_run(frames[j], image[j], &about[j]));
            while (about[j].number < 0 && argand_frames_wait(frames[j], 0));
        assert_int_equal(about[0].number, about[1].number);
        assert_int_equal(about[0].first, about[1].first);
        if (about[0].number < 0) continue;
        made++;
        CHECK_BELOW(array_error(image[0], image[1]), 1e-4);
    }
    assert_true(made >= 5);
    for (int i = 0; i < 2; i++) {
        argand_array_destroy(image[i]);
        argand_frames_destroy(frames[i]);
    }
    argand_array_destroy(maps);
    argand_device_close(cpu);
    free(s);
}

static void sliding(void **state)
{
    (void)state;
    as_on_cpu(3, ARGAND_LATE_DROP);
    as_on_cpu(5, ARGAND_LATE_MERGE);
    as_on_cpu(11, ARGAND_LATE_DROP);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(known_maps), cmocka_unit_test(field_map),
                                          cmocka_unit_test(as_offline), cmocka_unit_test(delays),
                                          cmocka_unit_test(changes),    cmocka_unit_test(sliding)};
RUN_TESTS(tests)
