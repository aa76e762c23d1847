/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks options of frames and fills in their defaults; names. */
#include "frames/frames.h"

#include <math.h>

enum {
    MOST_PIXELS = 4096,
    MOST_CHANNELS = 1024,
    MOST_SAMPLES = 65535,
    MOST_READOUTS = 65536,
    COILS = 8,
    CALIBRATION = 6,
    ITERATIONS = 5
};

static argand_status check_sizes(const argand_frames_options *o)
{
    for (int axis = 0; axis < 2; axis++)
        CHECK(o->n[axis] >= 2 && o->n[axis] <= MOST_PIXELS, ARGAND_ARGUMENT,
              "frames: %lld pixels on axis %d: give 2 to %d", (long long)o->n[axis], axis, MOST_PIXELS);
    CHECK(o->channels >= 1 && o->channels <= MOST_CHANNELS, ARGAND_ARGUMENT,
          "frames: %d channels: give 1 to %d", o->channels, MOST_CHANNELS);
    CHECK(o->samples >= 1 && o->samples <= MOST_SAMPLES, ARGAND_ARGUMENT,
          "frames: %lld samples of a readout: give 1 to %d", (long long)o->samples, MOST_SAMPLES);
    CHECK(o->window >= 1 && o->window <= MOST_READOUTS, ARGAND_ARGUMENT,
          "frames: a window of %d readouts: give 1 to %d", o->window, MOST_READOUTS);
    CHECK(o->step >= 0 && o->step <= MOST_READOUTS, ARGAND_ARGUMENT,
          "frames: a step of %d readouts: give 1 to %d, or 0 for a window", o->step, MOST_READOUTS);
    CHECK(o->calibration == 0 || (o->calibration >= o->window && o->calibration <= 64 * MOST_READOUTS),
          ARGAND_ARGUMENT, "frames: %d readouts for calibration: give a window (%d) or more, or 0",
          o->calibration, o->window);
    return ARGAND_OK;
}

static argand_status check_numbers(const argand_frames_options *o)
{
    CHECK(o->coils >= 0 && o->coils <= o->channels, ARGAND_ARGUMENT,
          "frames: %d virtual coils of %d channels: give as many at most, or 0", o->coils, o->channels);
    CHECK(o->iterations >= 0 && o->iterations <= 1000, ARGAND_ARGUMENT,
          "frames: %d iterations: give 1 to 1000, or 0", o->iterations);
    CHECK(isfinite(o->temporal), ARGAND_ARGUMENT, "frames: temporal: %g", o->temporal);
    CHECK(isfinite(o->temporal_tv) && o->temporal_tv >= 0, ARGAND_ARGUMENT,
          "frames: a temporal total variation of %g: give 0 or more", o->temporal_tv);
    CHECK(o->tv_frames >= 0 && o->tv_frames <= FRAMES_MOST_EARLIER, ARGAND_ARGUMENT,
          "frames: total variation over %d earlier frames: give 1 to %d, or 0", o->tv_frames,
          FRAMES_MOST_EARLIER);
    CHECK(o->late == ARGAND_LATE_DROP || o->late == ARGAND_LATE_MERGE, ARGAND_ARGUMENT,
          "frames: late %d: give ARGAND_LATE_DROP or ARGAND_LATE_MERGE", (int)o->late);
    CHECK(o->refresh >= 0, ARGAND_ARGUMENT, "frames: new maps each %d frames: give 0 or more", o->refresh);
    CHECK(!o->refresh || !o->maps, ARGAND_ARGUMENT, "frames: coil maps are given, so none are refreshed");
    CHECK(!o->field_map == !o->times, ARGAND_ARGUMENT, "frames: a field map needs the times of the samples");
    return ARGAND_OK;
}

static argand_status check_known(const argand_frames_options *o)
{
    const argand_array *s = o->known_maps, *a = o->known_matrix;
    CHECK(!s == !a && !(s && o->maps), ARGAND_ARGUMENT,
          "frames: known maps need a known matrix, and no other maps");
    CHECK(!a || (argand_array_rank(a) == 2 && argand_array_dim(a, 1) == o->channels &&
                 argand_array_dim(a, 0) <= o->channels && argand_array_type(a) == ARGAND_C64),
          ARGAND_ARGUMENT, "frames: the known matrix is not c64 {virtual coils, %d}", o->channels);
    CHECK(!s || (argand_array_rank(s) == 3 && argand_array_dim(s, 0) == o->n[0] &&
                 argand_array_dim(s, 1) == o->n[1] && argand_array_dim(s, 2) == argand_array_dim(a, 0) &&
                 argand_array_type(s) == ARGAND_C32),
          ARGAND_ARGUMENT, "frames: the known maps are not c32 {%lld, %lld, virtual coils of the matrix}",
          (long long)o->n[0], (long long)o->n[1]);
    return ARGAND_OK;
}

static argand_status check_arrays(const argand_frames_options *o)
{
    const argand_array *w = o->field_map, *s = o->maps;
    CHECK(!w || (argand_array_count(w) == o->n[0] * o->n[1] && argand_array_dim(w, 0) == o->n[0]),
          ARGAND_ARGUMENT, "frames: the field map has not %lld x %lld pixels", (long long)o->n[0],
          (long long)o->n[1]);
    CHECK(!w || argand_array_type(w) == ARGAND_R32 || argand_array_type(w) == ARGAND_R64, ARGAND_ARGUMENT,
          "frames: the field map is not real");
    CHECK(!s || (argand_array_rank(s) == 3 && argand_array_dim(s, 0) == o->n[0] &&
                 argand_array_dim(s, 1) == o->n[1] && argand_array_dim(s, 2) == o->channels),
          ARGAND_ARGUMENT, "frames: the coil maps are not {%lld, %lld, %d}", (long long)o->n[0],
          (long long)o->n[1], o->channels);
    CHECK(!s || argand_array_type(s) == ARGAND_C32 || argand_array_type(s) == ARGAND_C64, ARGAND_ARGUMENT,
          "frames: the coil maps are not complex");
    TRY(check_known(o));
    for (int64_t i = 0; i < o->samples && o->times; i++)
        CHECK(isfinite(o->times[i]), ARGAND_NUMERIC, "frames: time of sample %lld is %g", (long long)i,
              o->times[i]);
    return ARGAND_OK;
}

argand_status frames_options_check(argand_frames_options *o)
{
    TRY(check_sizes(o));
    TRY(check_numbers(o));
    TRY(check_arrays(o));
    if (!o->step) o->step = o->window;
    if (!o->calibration) o->calibration = (o->known_maps && !o->refresh ? 1 : CALIBRATION) * o->window;
    if (o->known_matrix) o->coils = (int)argand_array_dim(o->known_matrix, 0);
    if (!o->coils) o->coils = o->channels < COILS ? o->channels : COILS;
    if (!o->iterations) o->iterations = ITERATIONS;
    if (o->temporal == 0) o->temporal = 0.02;
    if (o->temporal < 0) o->temporal = 0;
    if (!o->tv_frames) o->tv_frames = 1;
    if (o->tolerance == 0) o->tolerance = 1e-3;
    return ARGAND_OK;
}

const char *argand_late_name(argand_late late)
{
    return late == ARGAND_LATE_DROP ? "drop" : late == ARGAND_LATE_MERGE ? "merge" : "unknown";
}

const char *argand_frame_stage_name(argand_frame_stage stage)
{
    static const char *const names[ARGAND_FRAME_STAGES] = {
        [ARGAND_FRAME_COMPRESS] = "compress", [ARGAND_FRAME_TAKE] = "take",
        [ARGAND_FRAME_POINTS] = "set points", [ARGAND_FRAME_SOLVE] = "iterate",
        [ARGAND_FRAME_STORE] = "store",
    };
    return stage >= 0 && stage < ARGAND_FRAME_STAGES ? names[stage] : "unknown";
}
