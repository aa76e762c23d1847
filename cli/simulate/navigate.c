/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes navigators: for each shot the centre of k-space on a grid, read at one time, so that its
 * low-resolution image has the phase of the shot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/report.h"
#include "simulate/simulate.h"

enum { WIDTH = 16, DEPTH = 8 };

static void sizes(int64_t n[3], const simulate_settings *s)
{
    for (int d = 0; d < 3; d++) {
        const int64_t most = d < 2 ? WIDTH : DEPTH;
        n[d] = s->matrix.n[d] < most ? s->matrix.n[d] : most;
    }
}

static argand_status new_floats(float **numbers, int64_t count)
{
    *numbers = calloc((size_t)count, sizeof **numbers);
    return *numbers ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for the navigators");
}

/* Computes k and t of each navigator and allocates memory for all. */
static argand_status begin(simulate_file *f, const simulate_settings *s, int64_t length)
{
    const int64_t all = f->shots * f->partitions * s->slices * s->repetitions * s->echoes;
    int64_t n[3];
    sizes(n, s);
    f->navigators = calloc((size_t)all, sizeof *f->navigators);
    if (!f->navigators) return report_error(ARGAND_MEMORY, "no memory for %lld navigators", (long long)all);
    f->scan.navigators = f->navigators;
    argand_status status = new_floats(&f->navigator_data, 2 * length * s->coils * all);
    for (int d = 0; d < 3 && !status; d++) status = new_floats(&f->navigator_k[d], length);
    if (!status) status = new_floats(&f->navigator_t, length);
    for (int64_t i = 0; i < length && !status; i++) {
        const int64_t place[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        for (int d = 0; d < 3; d++) f->navigator_k[d][i] = (float)(place[d] - n[d] / 2);
        f->navigator_t[i] = f->t[0];
    }
    return status;
}

static argand_status upload(argand_array **array, argand_device *device, const float *numbers, int64_t count)
{
    argand_status status = argand_array_create(array, device, ARGAND_R32, 1, &count);
    if (!status) status = argand_array_upload(*array, numbers);
    return status;
}

static void add(simulate_file *f, const simulate_settings *s, int64_t length, const simulate_place *at)
{
    argand_acquisition *a = &f->navigators[f->scan.navigator_count];
    *a = f->acquisitions[f->added - 1]; /* takes the volume's position in the patient */
    a->counters = (argand_counters){.shot = (uint16_t)at->shot,
                                    .partition = (uint16_t)at->partition,
                                    .slice = (uint16_t)at->slice,
                                    .contrast = (uint16_t)at->echo,
                                    .repetition = (uint16_t)at->repetition};
    a->flags = ARGAND_FLAG_NAVIGATION;
    a->samples = length;
    a->centre_sample = 0;
    a->data = f->navigator_data + 2 * length * s->coils * f->scan.navigator_count++;
    for (int d = 0; d < 3; d++) a->k[d] = f->navigator_k[d];
    a->t = f->navigator_t;
}

argand_status simulate_file_navigate(simulate_file *f, const simulate_settings *s, const simulate_head *fine,
                                     argand_device *device, double sigma, simulate_place at)
{
    int64_t n[3];
    simulate_head head = {0};
    argand_array *k[3] = {NULL}, *t = NULL, *samples = NULL;
    sizes(n, s);
    const int64_t length = n[0] * n[1] * n[2], dims[2] = {length, s->coils};
    argand_status status = f->navigators ? ARGAND_OK : begin(f, s, length);
    if (!status) status = simulate_head_view(&head, fine, s, at.slice);
    for (int d = 0; d < 3 && !status; d++) status = upload(&k[d], device, f->navigator_k[d], length);
    if (!status) status = upload(&t, device, f->navigator_t, length);
    if (!status) status = argand_array_create(&samples, device, ARGAND_C32, 2, dims);
    for (at.partition = 0; at.partition < f->partitions; at.partition++)
        for (at.shot = 0; at.shot < f->shots && !status; at.shot++) {
            const int64_t number = f->scan.navigator_count;
            status = simulate_shot(samples, s, &head, k, t, &at);
            if (!status)
                status = argand_noise_add(samples, sigma,
                                          ((uint64_t)s->seed << 32) + 0x80000000u + (uint64_t)number);
            if (!status)
                status = argand_array_download(samples, f->navigator_data + 2 * length * s->coils * number);
            if (!status) add(f, s, length, &at);
        }
    argand_array_destroy(samples);
    argand_array_destroy(t);
    for (int d = 0; d < 3; d++) argand_array_destroy(k[d]);
    simulate_head_free(&head);
    return status;
}
