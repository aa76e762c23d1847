/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_bench_plain DEVICE NXxNYxNZ SAMPLES GRADIENTS REPEAT: measures plain_dft.krn on a device that
 * compiles kernels. The library's own code builds the kernel. `argand bench field` runs this program and
 * reads its lines:
 *
 *   forward SECONDS ERROR
 *   adjoint SECONDS ERROR
 *
 * SECONDS is the median of REPEAT runs after a warm-up; ERROR compares some outputs with sums in double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "device/handle.h"
#include "kernels/texts.h"
#include "median.h"

extern const kernel_text bench_texts[];

enum { KX, KY, KZ, T, IX, IY, IZ, FIELD, GX, GY, GZ, IMAGE, DATA, OUT, BUFFERS, ITEMS = 256, CHECKED = 16 };

struct plain_params {
    int samples, pixels;
    float size[3];
    int pad;
};

typedef struct plain {
    argand_device *device;
    argand_timer *timer;
    struct plain_params params;
    int64_t n[3], pixels, samples;
    int gradients, repeat;
    float *host[BUFFERS];
    void *memory[BUFFERS];
} plain;

static int64_t count_of(const plain *p, int buffer)
{
    if (buffer == IMAGE) return 2 * p->pixels;
    if (buffer == DATA) return 2 * p->samples;
    if (buffer == OUT) return 2 * (p->pixels > p->samples ? p->pixels : p->samples);
    return buffer <= T ? p->samples : p->pixels;
}

static float value_of(const plain *p, int buffer, int64_t i, random_state *random)
{
    const double u = random_uniform(random) - 0.5;
    switch (buffer) {
    case KX:
    case KY:
    case KZ:
        return (float)(u * (double)p->n[buffer - KX]);
    case T:
        return (float)(0.002 + 0.02 * (double)i / (double)p->samples);
    case IX:
        return (float)(i % p->n[0] - p->n[0] / 2) / (float)p->n[0];
    case IY:
        return (float)(i / p->n[0] % p->n[1] - p->n[1] / 2) / (float)p->n[1];
    case IZ:
        return (float)(i / p->n[0] / p->n[1] - p->n[2] / 2) / (float)p->n[2];
    case FIELD:
        return (float)(2000 * u);
    case GX:
    case GY:
    case GZ:
        return (float)(20 * u);
    default:
        return (float)u;
    }
}

static argand_status make(plain *p)
{
    random_state random = {1};
    const backend *b = p->device->backend;
    for (int i = 0; i < BUFFERS; i++) {
        const int64_t count = count_of(p, i);
        p->host[i] = malloc((size_t)count * sizeof(float));
        CHECK(p->host[i], ARGAND_MEMORY, "no host memory");
        for (int64_t j = 0; j < count; j++) p->host[i][j] = value_of(p, i, j, &random);
        TRY(b->alloc(p->device->context, (size_t)count * sizeof(float), &p->memory[i]));
        TRY(b->upload(p->device->context, p->memory[i], 0, p->host[i], (size_t)count * sizeof(float)));
    }
    return argand_timer_create(&p->timer, p->device);
}

static void release(plain *p)
{
    for (int i = 0; i < BUFFERS; i++) {
        if (p->memory[i]) p->device->backend->free(p->device->context, p->memory[i]);
        free(p->host[i]);
    }
    argand_timer_destroy(p->timer);
    argand_device_close(p->device);
}

/* ---- the kernel ---- */

static const char *portable_text(void)
{
    const kernel_text *t = kernel_texts;
    while (strcmp(t->file, "portable.h") != 0) t++;
    return t->text;
}

static argand_status build(const plain *p, int adjoint, void **kernel)
{
    text source = {0};
    text_add(&source, "#define REAL float\n#define REAL_BITS 32\n#define ITEMS %d\n#define ADJOINT %d\n",
             ITEMS, adjoint);
    text_add(&source, "#define GRADIENTS %d\n", p->gradients);
    text_add_bytes(&source, portable_text(), strlen(portable_text()));
    text_add_bytes(&source, bench_texts[0].text, strlen(bench_texts[0].text));
    kernel_binary binary = {0};
    argand_status status = source.status;
    if (!status)
        status = p->device->backend->build(
            p->device->context,
            &(kernel_source){.key = "plain_dft", .name = "plain_dft", .text = source.chars, .items = ITEMS},
            &binary, kernel);
    memory_free(binary.bytes);
    text_free(&source);
    return status;
}

static argand_status launch(const plain *p, int adjoint, void *kernel)
{
    void *memory[OUT];
    memcpy(memory, p->memory, sizeof memory);
    memory[IMAGE] = p->memory[adjoint ? DATA : IMAGE];
    memory[DATA] = p->memory[OUT];
    const int64_t outputs = adjoint ? p->pixels : p->samples;
    return p->device->backend->launch(p->device->context,
                                      &(kernel_launch){.kernel = kernel,
                                                       .groups = (outputs + ITEMS - 1) / ITEMS,
                                                       .items = ITEMS,
                                                       .memory = memory,
                                                       .memory_count = OUT,
                                                       .params = &p->params,
                                                       .params_bytes = sizeof p->params});
}

static argand_status measure(const plain *p, int adjoint, void *kernel, double *seconds)
{
    double times[64];
    for (int i = -1; i < p->repeat; i++) {
        double milliseconds;
        TRY(argand_timer_start(p->timer));
        TRY(launch(p, adjoint, kernel));
        TRY(argand_timer_stop(p->timer));
        TRY(argand_timer_milliseconds(p->timer, &milliseconds));
        *seconds = 1e-3 * milliseconds;
        if (i < 0 && *seconds > 5) return ARGAND_OK; /* a slow kernel needs no further warm-up */
        if (i >= 0) times[i] = *seconds;
    }
    *seconds = median_of(times, p->repeat);
    return ARGAND_OK;
}

/* ---- the error ---- */

static double sinc(double x)
{
    const double angle = 3.14159265358979323846 * x;
    return angle == 0 ? 1 : sin(angle) / angle;
}

static void add_pair(const plain *p, int adjoint, int64_t j, int64_t n, double *sum)
{
    double phase = (double)p->host[FIELD][n] * (double)p->host[T][j], weight = 1;
    for (int d = 0; d < 3; d++) {
        const double k = (double)p->host[KX + d][j];
        phase += 6.283185307179586477 * k * (double)p->host[IX + d][n];
        if (p->gradients)
            weight *= sinc(k / (double)p->n[d] + (double)p->host[GX + d][n] * (double)p->host[T][j]);
    }
    const float *in = adjoint ? p->host[DATA] + 2 * j : p->host[IMAGE] + 2 * n;
    const double c = weight * cos(phase), s = weight * (adjoint ? sin(phase) : -sin(phase));
    sum[0] += c * (double)in[0] - s * (double)in[1];
    sum[1] += s * (double)in[0] + c * (double)in[1];
}

static argand_status error_of(const plain *p, int adjoint, double *error)
{
    const int64_t outputs = adjoint ? p->pixels : p->samples, terms = adjoint ? p->samples : p->pixels;
    float *out = p->host[OUT];
    double wrong = 0, norm = 0;
    TRY(p->device->backend->download(p->device->context, out, p->memory[OUT], 0,
                                     (size_t)(2 * outputs) * sizeof *out));
    for (int i = 0; i < CHECKED; i++) {
        const int64_t o = outputs * i / CHECKED;
        double sum[2] = {0};
        for (int64_t k = 0; k < terms; k++) add_pair(p, adjoint, adjoint ? k : o, adjoint ? o : k, sum);
        for (int part = 0; part < 2; part++) {
            wrong += (sum[part] - (double)out[2 * o + part]) * (sum[part] - (double)out[2 * o + part]);
            norm += sum[part] * sum[part];
        }
    }
    *error = sqrt(wrong / norm);
    return ARGAND_OK;
}

static argand_status run(plain *p)
{
    TRY(make(p));
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        void *kernel;
        double seconds = 0, error = 0;
        TRY(build(p, adjoint, &kernel));
        argand_status status = measure(p, adjoint, kernel, &seconds);
        if (!status) status = error_of(p, adjoint, &error);
        p->device->backend->discard(p->device->context, kernel);
        TRY(status);
        printf("%s %.9g %.3g\n", adjoint ? "adjoint" : "forward", seconds, error);
        fflush(stdout);
    }
    return ARGAND_OK;
}

static argand_status begin(plain *p, char **argv)
{
    long long n[3] = {1, 1, 1};
    TRY(argand_device_open(&p->device, argv[1]));
    CHECK(p->device->backend->items, ARGAND_UNSUPPORTED, "%s compiles no kernels", argv[1]);
    CHECK(sscanf(argv[2], "%lldx%lldx%lld", &n[0], &n[1], &n[2]) >= 1, ARGAND_ARGUMENT, "size %s", argv[2]);
    p->pixels = 1;
    for (int d = 0; d < 3; d++) {
        p->pixels *= p->n[d] = n[d];
        p->params.size[d] = (float)n[d];
    }
    p->samples = atoll(argv[3]);
    p->gradients = atoi(argv[4]) != 0;
    p->repeat = atoi(argv[5]);
    CHECK(p->pixels > 0 && p->pixels < 1 << 28 && p->samples > 0 && p->samples < 1 << 28 && p->repeat > 0 &&
              p->repeat <= 64,
          ARGAND_ARGUMENT, "a number is out of range");
    p->params.pixels = (int)p->pixels;
    p->params.samples = (int)p->samples;
    return ARGAND_OK;
}

int main(int argc, char **argv)
{
    plain p = {0};
    if (argc != 6) {
        fprintf(stderr, "usage: %s DEVICE NXxNYxNZ SAMPLES GRADIENTS(0|1) REPEAT\n", argv[0]);
        return ARGAND_ARGUMENT;
    }
    argand_status status = begin(&p, argv);
    if (!status) status = run(&p);
    if (status) fprintf(stderr, "%s: %s\n", argv[0], argand_message());
    release(&p);
    return (int)status;
}
