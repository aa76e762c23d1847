/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench bloom: convolves images with large kernels. Also measures a pipeline of cuFFT's or FFTW's
 * transforms of the same padded size: copy into zeros, forward, product, inverse, copy out. */
#include "fft/fft.h"
#include "peers/scipy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bench_bloom(int argc, char **argv);

typedef struct settings {
    common_options common;
    int channels, repeat, border, method, storage, range;
    option_sizes size, kernel;
    bool alone, measure, explain;
} settings;

typedef struct bloom {
    const settings *s;
    fft_buffers g;
    int64_t n[2], k[2];
    argand_conv *conv;
    argand_conv_info info;
    argand_array *image, *out, *kernel;
    /* of the peer: padded image, its half spectrum, padded result, spectrum of the kernel */
    argand_array *padded, *half, *back, *spectrum;
    void *memory[3];
    fft_peer there, inverse;
} bloom;

static void free_case(bloom *b)
{
    argand_array *const arrays[] = {b->image, b->out, b->kernel, b->padded, b->half, b->back, b->spectrum};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    argand_conv_destroy(b->conv);
    fft_peer_close(&b->there);
    fft_peer_close(&b->inverse);
    for (int i = 0; i < 3; i++) {
        if (b->g.cuda)
            cuda_peer_free(b->g.cuda, b->memory[i]);
        else
            free(b->memory[i]);
    }
}

/* Fills an array of any type with numbers from 0 to 1. */
static argand_status fill(argand_array *array)
{
    const int64_t count = argand_array_count(array);
    const argand_type type = argand_array_type(array);
    unsigned short *halves = calloc((size_t)count, sizeof(float));
    float *floats = (float *)(void *)halves;
    if (!halves) return report_error(ARGAND_MEMORY, "no memory for an image");
    for (int64_t i = 0; i < count; i++) {
        if (type == ARGAND_R16)
            halves[i] = (unsigned short)(0x3000 + i * 7919 % 2048); /* 1/8 to 1/2 */
        else if (type == ARGAND_U8)
            ((unsigned char *)halves)[i] = (unsigned char)(i * 7919 % 251);
        else
            floats[i] = (float)(i * 7919 % 10007) / 10007;
    }
    const argand_status status = argand_array_upload(array, halves);
    free(halves);
    return status;
}

static argand_status make_ours(bloom *b)
{
    static const argand_type types[] = {ARGAND_R32, ARGAND_R16, ARGAND_U8};
    const argand_type type = types[b->s->storage];
    const int64_t dims[3] = {b->n[0], b->n[1], b->s->channels};
    argand_conv_options o = {.type = ARGAND_R32,
                             .in_type = type,
                             .out_type = type,
                             .rank = 2,
                             .n = {b->n[0], b->n[1]},
                             .kernel = {b->k[0], b->k[1]},
                             .channels = b->s->channels,
                             .normalise = ARGAND_CONV_PER_CHANNEL,
                             .method = (argand_conv_method)b->s->method,
                             .range = (argand_conv_range)b->s->range,
                             .effort = b->s->measure ? ARGAND_MEASURE : ARGAND_ESTIMATE};
    for (int d = 0; d < 2; d++) o.border[d].before = o.border[d].after = (argand_border)b->s->border;
    TRY(argand_array_create(&b->image, b->g.device, type, 3, dims));
    TRY(argand_array_create(&b->out, b->g.device, type, 3, dims));
    TRY(argand_array_create(&b->kernel, b->g.device, ARGAND_R32, 2, b->k));
    TRY(fill(b->image));
    TRY(fill(b->kernel));
    TRY(argand_conv_create(&b->conv, b->g.device, &o));
    argand_conv_describe(b->conv, &b->info);
    return argand_conv_set_kernel(b->conv, b->kernel);
}

/* Returns the index in the image of an element at `at`, extended by the border's rule; -1: the element is
 * 0. */
static int64_t inside(int64_t at, int64_t n, int border)
{
    const int64_t period = border == ARGAND_BORDER_MIRROR ? 2 * n : n;
    if (at >= 0 && at < n) return at;
    if (border == ARGAND_BORDER_CLAMP) return at < 0 ? 0 : n - 1;
    if (border != ARGAND_BORDER_WRAP && border != ARGAND_BORDER_MIRROR) return -1;
    at = (at % period + period) % period;
    return at < n ? at : period - 1 - at;
}

/* Computes one result of the first channel by its sum in double. */
static double exact_result(const bloom *b, const float *image, const float *kernel, int64_t x, int64_t y)
{
    double sum = 0, weights = 0;
    for (int64_t j = 0; j < b->k[1]; j++)
        for (int64_t i = 0; i < b->k[0]; i++) {
            const double weight = kernel[j * b->k[0] + i];
            const int64_t from_x = inside(x - i + b->k[0] / 2, b->n[0], b->s->border),
                          from_y = inside(y - j + b->k[1] / 2, b->n[1], b->s->border);
            if (from_x >= 0 && from_y >= 0) sum += weight * image[from_y * b->n[0] + from_x];
            weights += weight;
        }
    return sum / weights;
}

/* Downloads the first channel in single precision. */
static argand_status first_channel(float **out, const bloom *b, const argand_array *array)
{
    const int64_t dims[3] = {b->n[0], b->n[1], 1};
    argand_array *first = NULL, *floats = NULL;
    *out = malloc((size_t)(dims[0] * dims[1]) * sizeof **out);
    if (!*out) return report_error(ARGAND_MEMORY, "no memory for a result");
    argand_status status = argand_array_part(&first, array, 2, 0, 1);
    if (!status) status = argand_array_create(&floats, b->g.device, ARGAND_R32, 3, dims);
    if (!status) status = argand_array_copy(floats, first);
    if (!status) status = argand_array_download(floats, *out);
    argand_array_destroy(floats);
    argand_array_destroy(first);
    return status;
}

/* Computes the relative l2 error of results in all parts of the first channel, corners included. */
static argand_status error_of(const bloom *b, double *error)
{
    enum { ALONG = 5 };
    float *image = NULL, *result = NULL, *kernel = malloc((size_t)(b->k[0] * b->k[1]) * sizeof *kernel);
    double wrong = 0, whole = 0;
    argand_status status = argand_conv_apply(b->conv, b->out, b->image);
    if (!status && !kernel) status = report_error(ARGAND_MEMORY, "no memory for a kernel");
    if (!status) status = argand_array_download(b->kernel, kernel);
    if (!status) status = first_channel(&image, b, b->image);
    if (!status) status = first_channel(&result, b, b->out);
    for (int64_t i = 0; i < ALONG * ALONG && !status; i++) {
        const int64_t x = i % ALONG * (b->n[0] - 1) / (ALONG - 1),
                      y = i / ALONG * (b->n[1] - 1) / (ALONG - 1);
        const double exact = exact_result(b, image, kernel, x, y);
        wrong += pow(result[y * b->n[0] + x] - exact, 2);
        whole += exact * exact;
    }
    *error = sqrt(wrong / whole);
    free(result);
    free(image);
    free(kernel);
    return status;
}

static void *take(bloom *b, int i, int64_t bytes)
{
    const size_t whole = ((size_t)bytes + 4095) / 4096 * 4096;
    b->memory[i] = b->g.cuda ? cuda_peer_allocate(b->g.cuda, whole) : aligned_alloc(4096, whole);
    return b->memory[i];
}

/* Makes arrays of the padded size in memory that the peer's plans use. */
static argand_status make_padded(bloom *b)
{
    const int64_t channels = b->s->channels, *p = b->info.padded;
    const int64_t real[3] = {p[0], p[1], channels}, half[3] = {p[0] / 2 + 1, p[1], channels};
    const int64_t bytes = 4 * p[0] * p[1] * channels, half_bytes = 8 * half[0] * p[1] * channels;
    if (!take(b, 0, bytes) || !take(b, 1, half_bytes) || !take(b, 2, bytes))
        return report_error(ARGAND_MEMORY, "no memory for the peer's padded images");
    TRY(argand_array_wrap(&b->padded, b->g.device, ARGAND_R32, 3, real, NULL, b->memory[0]));
    TRY(argand_array_wrap(&b->half, b->g.device, ARGAND_C32, 3, half, NULL, b->memory[1]));
    TRY(argand_array_wrap(&b->back, b->g.device, ARGAND_R32, 3, real, NULL, b->memory[2]));
    TRY(argand_array_create(&b->spectrum, b->g.device, ARGAND_C32, 2, half));
    return argand_array_fill(b->padded, (argand_scalar){0, 0});
}

static bool plan_peer(bloom *b)
{
    fft_case c = {
        .type = ARGAND_R32, .rank = 2, .n = {b->info.padded[0], b->info.padded[1]}, .batch = b->s->channels};
    fft_buffers g = b->g;
    c.points = c.n[0] * c.n[1];
    fft_peer_open(&b->there, &b->g, false);
    fft_peer_open(&b->inverse, &b->g, false);
    if (!b->there.self || !b->inverse.self) return false;
    g.memory[0] = b->memory[0];
    g.memory[1] = b->memory[1];
    if (!b->there.plan(b->there.self, &c, &g)) return false;
    c.back = true;
    g.memory[0] = b->memory[1];
    g.memory[1] = b->memory[2];
    return b->inverse.plan(b->inverse.self, &c, &g);
}

/* Returns a view of count0 x count1 elements at the start of x, with all channels. */
static argand_status window(argand_array **view, const bloom *b, const argand_array *x, int64_t count0,
                            int64_t count1)
{
    const int64_t dims[3] = {count0, count1, argand_array_dim(x, 2)},
                  strides[3] = {1, argand_array_stride(x, 1), argand_array_stride(x, 2)};
    (void)b;
    return argand_array_view(view, x, 3, dims, strides, 0);
}

/* Computes the kernel's spectrum by the peer, divided by the number of points. The cropped result is
 * shifted, which does not change the time. */
static argand_status peer_kernel(bloom *b)
{
    argand_array *view;
    const double points = (double)b->info.padded[0] * (double)b->info.padded[1];
    double sum = 0;
    argand_scalar total;
    TRY(argand_array_sum(&total, b->kernel));
    sum = total.re;
    TRY(argand_array_fill(b->padded, (argand_scalar){0, 0}));
    TRY(window(&view, b, b->padded, b->k[0], b->k[1]));
    argand_array *first;
    argand_status status = argand_array_part(&first, view, 2, 0, 1);
    if (!status) {
        argand_array *flat;
        status =
            argand_array_view(&flat, first, 2, b->k, (const int64_t[2]){1, argand_array_stride(first, 1)}, 0);
        if (!status) status = argand_array_copy(flat, b->kernel);
        argand_array_destroy(flat);
        argand_array_destroy(first);
    }
    argand_array_destroy(view);
    if (!status && !b->there.execute(b->there.self))
        status = report_error(ARGAND_DEVICE, "%s failed", b->there.name);
    if (!status) {
        argand_array *one;
        status = argand_array_view(
            &one, b->half, 2, (const int64_t[2]){argand_array_dim(b->half, 0), argand_array_dim(b->half, 1)},
            (const int64_t[2]){1, argand_array_dim(b->half, 0)}, 0);
        if (!status) status = argand_array_copy(b->spectrum, one);
        argand_array_destroy(one);
    }
    if (!status) status = argand_array_scale(b->spectrum, (argand_scalar){1 / (points * sum), 0});
    return status ? status : argand_array_fill(b->padded, (argand_scalar){0, 0});
}

static argand_status peer_once(const bloom *b, argand_array *in, argand_array *repeated, argand_array *cut)
{
    TRY(argand_array_copy(in, b->image));
    if (!b->there.execute(b->there.self)) return report_error(ARGAND_DEVICE, "%s failed", b->there.name);
    TRY(argand_array_multiply(b->half, repeated, b->half, ARGAND_PRODUCT));
    if (!b->inverse.execute(b->inverse.self))
        return report_error(ARGAND_DEVICE, "%s failed", b->inverse.name);
    return argand_array_copy(b->out, cut);
}

static argand_status peer_transforms(const bloom *b)
{
    if (b->there.execute(b->there.self) && b->inverse.execute(b->inverse.self)) return ARGAND_OK;
    return report_error(ARGAND_DEVICE, "%s failed", b->there.name);
}

/* A timed call: Argand's convolution, the peer's pipeline, or its two transforms alone. */
typedef struct timed_call {
    bloom *b;
    int which;
    argand_array *in, *repeated, *cut;
} timed_call;

static argand_status run_call(const timed_call *t)
{
    if (t->which == 0) return argand_conv_apply(t->b->conv, t->b->out, t->b->image);
    return t->which == 1 ? peer_once(t->b, t->in, t->repeated, t->cut) : peer_transforms(t->b);
}

static argand_status time_call(double *seconds, const timed_call *t, int repeat)
{
    const fft_buffers *g = &t->b->g;
    double milliseconds, once = INFINITY;
    *seconds = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double start = seconds_now();
        TRY(run_call(t));
        TRY(argand_device_wait(g->device));
        once = fmin(once, seconds_now() - start);
    }
    const int times = g->is_gpu ? (int)fmin(200, 2e-3 / once) + 1 : 1;
    for (int i = 0; i < repeat && !interrupted(); i++) {
        const double start = seconds_now();
        TRY(argand_timer_start(g->timer));
        for (int j = 0; j < times; j++) TRY(run_call(t));
        TRY(argand_timer_stop(g->timer));
        TRY(argand_timer_milliseconds(g->timer, &milliseconds));
        const double elapsed = g->is_gpu ? 1e-3 * milliseconds : seconds_now() - start;
        *seconds = fmin(*seconds, elapsed / times);
    }
    return ARGAND_OK;
}

static argand_status time_peer(bloom *b, double *pipeline, double *transforms)
{
    timed_call t = {.b = b, .which = 1};
    const int64_t half[3] = {argand_array_dim(b->half, 0), argand_array_dim(b->half, 1), b->s->channels},
                  strides[3] = {1, half[0], 0};
    argand_status status = window(&t.in, b, b->padded, b->n[0], b->n[1]);
    if (!status) status = window(&t.cut, b, b->back, b->n[0], b->n[1]);
    if (!status) status = argand_array_view(&t.repeated, b->spectrum, 3, half, strides, 0);
    if (!status) status = time_call(pipeline, &t, b->s->repeat);
    t.which = 2;
    if (!status) status = time_call(transforms, &t, b->s->repeat);
    argand_array_destroy(t.in);
    argand_array_destroy(t.cut);
    argand_array_destroy(t.repeated);
    return status;
}

static void print_line(const bloom *b, report *out, double error, double ours, double pipeline,
                       double transforms)
{
    const double rate = b->g.bytes_per_second, moved = (double)b->info.moved;
    const double share = rate > 0 && moved > 0 ? moved / rate / ours : 0;
    char size[64], kernel[64], points[64];
    snprintf(size, sizeof size, "%lldx%lldx%d", (long long)b->n[0], (long long)b->n[1], b->s->channels);
    snprintf(kernel, sizeof kernel, "%lldx%lld", (long long)b->k[0], (long long)b->k[1]);
    snprintf(points, sizeof points, "%lldx%lld", (long long)b->info.padded[0], (long long)b->info.padded[1]);
    report_result(out,
                  "\"image\":\"%s\",\"kernel\":\"%s\",\"padded\":\"%s\",\"method\":\"%s\",\"time\":%.6g,"
                  "\"passes\":%d,\"bytes\":%lld,\"copy_share\":%.3g,\"peer_pipeline\":%.6g,"
                  "\"peer_transforms\":%.6g,\"error\":%.3g",
                  size, kernel, points, b->info.method, ours, b->info.passes, (long long)b->info.moved, share,
                  pipeline, transforms, error);
    if (!b->s->common.json)
        printf("%-16s %-9s %-11s %-6s %9.4f %6d %9.1f %6.2f %10.4f %10.4f %8.1e\n", size, kernel, points,
               b->info.method, 1e3 * ours, b->info.passes, 1e-6 * moved, share, 1e3 * pipeline,
               1e3 * transforms, error);
    fflush(stdout);
}

/* Measures SciPy and OpenCV if they are installed; reports a missing one once. */
static void measure_python(const bloom *b, report *out)
{
    static bool told[SCIPY_PEERS];
    const scipy_job job = {.n = b->n,
                           .kernel = b->k,
                           .channels = b->s->channels,
                           .threads = argand_device_threads(b->g.device),
                           .repeat = b->s->repeat};
    scipy_result r[SCIPY_PEERS] = {{.seconds = 0}};
    const bool ran = scipy_measure(&job, r);
    for (int i = 0; i < SCIPY_PEERS; i++) {
        const char *package = i == OPENCV_FILTER ? "opencv-python-headless" : "scipy";
        if (!ran || r[i].seconds <= 0) {
            if (!told[i] && i != SCIPY_OVERLAP_ADD)
                report_note(out, "%s was not found: python3 -m pip install %s puts it next to these figures",
                            i == OPENCV_FILTER ? "OpenCV" : "SciPy", package);
            told[i] = true;
            continue;
        }
        report_result(out, "\"peer\":\"%s\",\"version\":\"%s\",\"time\":%.6g,\"error\":%.3g", r[i].name,
                      r[i].version, r[i].seconds, r[i].error);
        if (!b->s->common.json)
            printf("  %-18s %-18s %9.4f  error %.1e\n", r[i].name, r[i].version, 1e3 * r[i].seconds,
                   r[i].error);
    }
    fflush(stdout);
}

static argand_status measure(bloom *b, report *out)
{
    double error, ours, pipeline = 0, transforms = 0;
    const timed_call t = {.b = b};
    TRY(error_of(b, &error));
    TRY(time_call(&ours, &t, b->s->repeat));
    const bool fits = b->k[0] <= b->info.padded[0] && b->k[1] <= b->info.padded[1];
    const bool peer = !b->s->alone && b->s->storage == 0 && fits && b->g.info.backend[0] != 'o';
    if (peer) {
        TRY(make_padded(b));
        if (plan_peer(b)) {
            TRY(peer_kernel(b));
            TRY(time_peer(b, &pipeline, &transforms));
        }
    }
    print_line(b, out, error, ours, pipeline, transforms);
    if (!b->s->alone && !strcmp(b->g.info.backend, "cpu") && b->s->storage == 0 &&
        b->s->border == ARGAND_BORDER_ZERO)
        measure_python(b, out);
    if (b->s->explain && !b->s->common.json) {
        char text[4096];
        argand_conv_print(b->conv, text, sizeof text);
        printf("%s\n", text);
        argand_conv_explain(b->conv, text, sizeof text);
        printf("%s", text);
    }
    return ARGAND_OK;
}

static argand_status run_all(const settings *s, const fft_buffers *g, report *out)
{
    static const int64_t cases[][4] = {
        {1280, 720, 256, 256}, {1280, 720, 512, 512}, {1920, 1080, 256, 256}, {3840, 2160, 512, 512}};
    const bool own = s->size.rank > 0;
    argand_status status = ARGAND_OK;
    if (!s->common.json)
        printf("%-16s %-9s %-11s %-6s %9s %6s %9s %6s %10s %10s %8s\n", "image", "kernel", "padded", "method",
               "ms", "passes", "MB moved", "copy", "peer", "transforms", "error");
    for (int i = 0; i < (own ? 1 : 4) && !status && !interrupted(); i++) {
        bloom b = {.s = s, .g = *g, .n = {cases[i][0], cases[i][1]}, .k = {cases[i][2], cases[i][3]}};
        if (own)
            for (int d = 0; d < 2; d++) {
                b.n[d] = d < s->size.rank ? s->size.n[d] : 1;
                b.k[d] = d < s->kernel.rank ? s->kernel.n[d] : 1;
            }
        status = make_ours(&b);
        if (!status) status = measure(&b, out);
        free_case(&b);
    }
    return status;
}

static int bench(const settings *s)
{
    report out;
    fft_buffers g;
    fft_peer peer;
    report_begin(&out, "bench bloom", &s->common);
    argand_status status = fft_buffers_open(&g, &s->common);
    if (status) return report_failure(&out, status);
    fft_case copied = {.type = ARGAND_C32, .rank = 1, .n = {1 << 24}, .batch = 1, .points = 1 << 24};
    int count = 1;
    status = fft_buffers_reserve(&g, &out, &copied, &count);
    if (!status && count) status = fft_buffers_measure_copy(&g);
    fft_peer_open(&peer, &g, false);
    if (!status && !s->common.json)
        printf("%s (%s), copies %.0f GB/s, peer %s\n", g.info.name, g.info.detail, 1e-9 * g.bytes_per_second,
               peer.self ? peer.name : peer.missing);
    if (!status) status = run_all(s, &g, &out);
    fft_peer_close(&peer);
    fft_buffers_close(&g);
    return status ? report_failure(&out, status) : 0;
}

int bench_bloom(int argc, char **argv)
{
    settings s = {.repeat = 20, .channels = 3};
    const option options[] = {
        sizes_option("size", 0, &s.size, "NXxNY", "size of the image. Default: a list of sizes"),
        sizes_option("kernel", 0, &s.kernel, "KXxKY", "size of the kernel"),
        int_option("channels", 0, &s.channels, "N", 1, 64, "number of channels, which share the kernel"),
        choice_option("border", 0, &s.border, "RULE", choices_of(CHOICE_BORDERS), "values outside the image"),
        choice_option("method", 0, &s.method, "NAME", "auto|direct|fft", "method of the convolution"),
        choice_option("dynamic-range", 0, &s.range, "HOW", "auto|narrow|wide",
                      "precision for a high dynamic range. auto: double where dark parts of an image need "
                      "it; narrow: never; wide: always"),
        choice_option("storage", 0, &s.storage, "TYPE", "float|half|byte", "type of the images"),
        int_option("repeat", 0, &s.repeat, "N", 1, 1000, "number of runs; the shortest counts"),
        flag_option("measure", 0, &s.measure, "choose the plans of transforms by measurement"),
        flag_option("alone", 0, &s.alone, "do not time cuFFT or FFTW"),
        flag_option("explain", 0, &s.explain, "print passes, padding, and transforms in each order of axes"),
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench bloom [options]",
        .description = "Times convolutions of images with large kernels, with the error against sums in "
                       "double precision. Next to each it times\n"
                       "the same by cuFFT (CUDA) or FFTW (processors; FFTW_MEASURE for 60 s at most) at the "
                       "same padded size: copy, forward,\n"
                       "product, inverse, copy; and the two transforms alone. On processors, with zeros "
                       "beyond the image, it also times SciPy's\n"
                       "fftconvolve and oaconvolve and OpenCV's filter2D, if Python has them.",
        .examples = "  argand bench bloom\n  argand bench bloom --size 1920x1080 --kernel 31x31 --explain\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    interrupt_watch();
    return bench(&s);
}
