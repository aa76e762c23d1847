/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of an object of which a part moves: each readout is that of the part's place at its time. */
#include "frames/stream.h"

enum { MOST = 34, LAST = 16 /* frames */ };

/* A spot that goes to and fro over an object that stays. */
static void move(spokes *s, const double *still, double readout)
{
    for (int at = 0; at < PIXELS; at++) {
        const double u = (at % N - N / 2) / (0.5 * N) - 0.35 * sin(readout * 2 * M_PI / 180),
                     v = (at / N - N / 2) / (0.5 * N);
        s->image[at] = still[at] + 0.7 * exp(-12 * (u * u + v * v));
    }
}

/* Detail that few spokes do not measure: waves of random directions, within the circle of k-space. */
static void add_detail(double *still, double size)
{
    enum { WAVES = 60 };
    random_state random = {11};
    for (int wave = 0; wave < WAVES; wave++) {
        const double angle = 2 * M_PI * random_uniform(&random), k = 2 + 6 * random_uniform(&random),
                     phase = 2 * M_PI * random_uniform(&random);
        for (int at = 0; at < PIXELS; at++) {
            const double x = (at % N - N / 2) / (double)N, y = (at / N - N / 2) / (double)N;
            still[at] += size / sqrt(WAVES) * exp(-8 * (x * x + y * y)) *
                         cos(2 * M_PI * k * (x * cos(angle) + y * sin(angle)) + phase);
        }
    }
}

/* The newest readouts, as they came. */
typedef struct newest {
    float data[2 * MOST * SAMPLES * CHANNELS], k[2][MOST * SAMPLES];
    int readouts;
} newest;

static void keep(newest *to, const spokes *s, int readout)
{
    const int at = readout % to->readouts, points = to->readouts * SAMPLES;
    for (int c = 0; c < CHANNELS; c++)
        memcpy(to->data + 2 * (c * points + at * SAMPLES), s->data + 2 * c * SAMPLES, 8 * SAMPLES);
    for (int axis = 0; axis < 2; axis++) memcpy(to->k[axis] + at * SAMPLES, s->k[axis], 4 * SAMPLES);
}

/* The image of these readouts alone, by the solver of scans with the true maps. */
static double offline_error(const spokes *s, const newest *from, const argand_array *maps, int iterations)
{
    const int64_t points = from->readouts * SAMPLES;
    argand_array *k[2], *data, *image;
    argand_nufft *plan;
    argand_op *transform, *op;
    for (int axis = 0; axis < 2; axis++) {
        OK(argand_array_create(&k[axis], device, ARGAND_R32, 1, &points));
        OK(argand_array_upload(k[axis], from->k[axis]));
    }
    OK(argand_array_create(&data, device, ARGAND_C32, 2, (int64_t[]){points, CHANNELS}));
    OK(argand_array_upload(data, from->data));
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {N, N}}));
    OK(argand_nufft_set_points(plan, k));
    OK(argand_op_nufft(&transform, device, plan, CHANNELS));
    OK(argand_op_sense(&op, transform, maps));
    OK(argand_solve_cg(image, op, data, &(argand_cg_options){.iterations = iterations}));
    const double error = spokes_error(s, image, 1);
    argand_op_destroy(op);
    argand_op_destroy(transform);
    argand_array *const arrays[] = {k[0], k[1], data, image};
    for (int i = 0; i < 4; i++) argand_array_destroy(arrays[i]);
    return error;
}

/* The least error of some numbers of steps. */
static double best_offline(const spokes *s, const newest *from, const argand_array *maps)
{
    double best = 1e9;
    for (int iterations = 4; iterations <= 20; iterations += 4) {
        const double error = offline_error(s, from, maps, iterations);
        best = error < best ? error : best;
    }
    return best;
}

/* Means over the last frames, with this standard deviation of noise: of frames, and of offline images
 * (NULL: not made). */
static double moving_error(const argand_frames_options *options, double noise, double *offline)
{
    spokes *s = malloc(sizeof *s);
    newest *kept = calloc(1, sizeof *kept);
    double still[PIXELS], sum = 0;
    argand_frames_options o = *options;
    argand_frames *frames;
    argand_array *image;
    argand_frame about = {.number = -1};
    int count = 0;
    spokes_make(s, 0);
    memcpy(still, s->image, sizeof still);
    add_detail(still, 0.5);
    random_state random = {5};
    argand_array *maps = spokes_maps(s, device), *single;
    OK(argand_array_create(&single, device, ARGAND_C32, 3, (int64_t[]){N, N, CHANNELS}));
    OK(argand_array_copy(single, maps));
    o.maps = maps;
    o.calibration = 6 * o.window;
    kept->readouts = o.window;
    OK(argand_frames_create(&frames, device, &o));
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    for (int i = 0; i < (6 + LAST) * o.window; i++) {
        move(s, still, i);
        spokes_read(s, i, 1);
        for (int j = 0; j < 2 * SAMPLES * CHANNELS; j++)
            s->data[j] += (float)(noise * random_normal(&random));
        OK(argand_frames_push(frames, s->data, (const float *const[]){s->k[0], s->k[1]}));
        keep(kept, s, i);
        while (argand_frames_wait(frames, 0)) OK(argand_frames_run(frames, image, &about));
        if (about.number < LAST / 2 || about.last != i) continue;
        move(s, still, i - 0.5 * (o.window - 1));
        sum += spokes_error(s, image, 1);
        if (offline) *offline += best_offline(s, kept, single);
        count++;
    }
    assert_int_equal(count, LAST / 2);
    if (offline) *offline /= count;
    argand_array_destroy(single);
    argand_array_destroy(maps);
    argand_array_destroy(image);
    argand_frames_destroy(frames);
    free(kept);
    free(s);
    return sum / count;
}

/* Of the 31 spokes that 20 x 20 pixels need, few and all: the defaults do not blur what moves. */
static void as_good_as_offline(void **state)
{
    (void)state;
    argand_frames_options o = spokes_options();
    for (o.window = 13; o.window <= MOST; o.window += MOST - 13) {
        double offline = 0;
        const double error = moving_error(&o, 0, &offline);
        CHECK_BELOW(0.01, offline); /* motion within the frame */
        CHECK_BELOW(error, 1.05 * offline);
    }
}

/* Few spokes with noise: total variation over time takes nearly half of the error, if the weight is that
 * of few readouts. */
static void total_variation(void **state)
{
    (void)state;
    argand_frames_options o = spokes_options();
    o.window = 5;
    const double plain = moving_error(&o, 1, NULL);
    o.temporal_tv = 4;
    CHECK_BELOW(moving_error(&o, 1, NULL), 0.65 * plain);
    o.tv_frames = 3;
    CHECK_BELOW(moving_error(&o, 1, NULL), 0.75 * plain);
}

static void refused(void **state)
{
    (void)state;
    argand_frames *frames;
    argand_frames_options o = spokes_options();
    o.temporal_tv = -1;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "a temporal total variation of -1");
    o.temporal_tv = 1;
    o.tv_frames = 5;
    FAILS(argand_frames_create(&frames, device, &o), ARGAND_ARGUMENT, "over 5 earlier frames");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(as_good_as_offline),
                                          cmocka_unit_test(total_variation), cmocka_unit_test(refused)};
RUN_TESTS(tests)
