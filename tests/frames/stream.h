/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream of golden-angle spokes of a known object, by sums of exponentials. */
#ifndef TESTS_FRAMES_STREAM_H
#define TESTS_FRAMES_STREAM_H

#include "harness.h"

enum { N = 20, SAMPLES = 40, CHANNELS = 4, PIXELS = N * N };

typedef struct spokes {
    double image[PIXELS], field[PIXELS]; /* field: rad/s */
    double maps[2 * PIXELS * CHANNELS];  /* complex */
    double times[SAMPLES];
    double delay; /* samples: displacement along k of the x gradient */
    float k[2][SAMPLES], true_k[2][SAMPLES], data[2 * SAMPLES * CHANNELS];
} spokes;

/* A smooth object, as spokes do not measure the corners of k-space, and smooth coils. */
static inline void spokes_make(spokes *s, double field)
{
    memset(s, 0, sizeof *s);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            const int at = y * N + x;
            const double u = (x - N / 2) / (0.5 * N), v = (y - N / 2) / (0.5 * N);
            s->image[at] = exp(-4 * (u * u + v * v)) * (1 + 0.5 * u + 0.3 * v);
            s->field[at] = field * (u * u - v);
            double norm = 0;
            for (int c = 0; c < CHANNELS; c++) {
                const double angle = 2 * M_PI * c / CHANNELS, near = u * cos(angle) + v * sin(angle);
                s->maps[2 * (c * PIXELS + at)] = exp(near) * cos(0.5 * near + c);
                s->maps[2 * (c * PIXELS + at) + 1] = exp(near) * sin(0.5 * near + c);
                norm += exp(2 * near);
            }
            for (int c = 0; c < CHANNELS; c++)
                for (int part = 0; part < 2; part++) s->maps[2 * (c * PIXELS + at) + part] /= sqrt(norm);
        }
    for (int i = 0; i < SAMPLES; i++) s->times[i] = 1e-3 + 1e-4 * i;
}

/* Makes readout `number` of an image that is `scale` times as bright. */
static inline void spokes_read(spokes *s, int number, double scale)
{
    const double angle = number * M_PI * (sqrt(5) - 1) / 2;
    for (int i = 0; i < SAMPLES; i++) {
        const double radius = (double)(i - SAMPLES / 2) * N / SAMPLES, kx = radius * cos(angle),
                     ky = radius * sin(angle), step = (double)N / SAMPLES;
        s->k[0][i] = (float)kx;
        s->k[1][i] = (float)ky;
        double sums[2 * CHANNELS] = {0};
        for (int at = 0; at < PIXELS; at++) {
            const double x = (at % N - N / 2) / (double)N, y = (at / N - N / 2) / (double)N;
            const double phase =
                -2 * M_PI * ((kx + s->delay * cos(angle) * step) * x + ky * y) - s->field[at] * s->times[i];
            const double re = scale * s->image[at] * cos(phase), im = scale * s->image[at] * sin(phase);
            for (int c = 0; c < CHANNELS; c++) {
                const double *m = s->maps + 2 * (c * PIXELS + at);
                sums[2 * c] += m[0] * re - m[1] * im;
                sums[2 * c + 1] += m[0] * im + m[1] * re;
            }
        }
        for (int c = 0; c < CHANNELS; c++)
            for (int part = 0; part < 2; part++)
                s->data[2 * (c * SAMPLES + i) + part] = (float)sums[2 * c + part];
    }
}

static inline void spokes_push(spokes *s, argand_frames *frames, int number, double scale)
{
    const float *k[2] = {s->k[0], s->k[1]};
    spokes_read(s, number, scale);
    OK(argand_frames_push(frames, s->data, k));
}

/* Complex C32 {N, N, CHANNELS}; the caller destroys it. */
static inline argand_array *spokes_maps(const spokes *s, argand_device *on)
{
    argand_array *maps;
    OK(argand_array_create(&maps, on, ARGAND_C64, 3, (int64_t[]){N, N, CHANNELS}));
    OK(argand_array_upload(maps, s->maps));
    return maps;
}

/* The error of a complex image relative to `scale` times the object. */
static inline double spokes_error(const spokes *s, const argand_array *image, double scale)
{
    double *x = as_doubles(image), error = 0, norm = 0;
    for (int i = 0; i < PIXELS; i++) {
        const double re = x[2 * i] - scale * s->image[i], im = x[2 * i + 1];
        error += re * re + im * im;
        norm += scale * scale * s->image[i] * s->image[i];
    }
    free(x);
    return sqrt(error / norm);
}

static inline argand_frames_options spokes_options(void)
{
    return (argand_frames_options){
        .n = {N, N}, .channels = CHANNELS, .samples = SAMPLES, .window = 8, .alone = true};
}

#endif
