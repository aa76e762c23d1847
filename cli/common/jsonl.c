/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/jsonl.h"

#include <argand/argand.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/print.h"

enum { MOST_PIXELS = 128 }; /* of a plane, along the longer side */

static bool on;
static int bar = -1; /* of the volume that is being reconstructed */
static int next_bar, last_step;

static void finish_line(void)
{
    fputc('\n', stderr);
    fflush(stderr);
}

void jsonl_start(const char *command)
{
    char app[256], quoted[600];
    on = true;
    snprintf(app, sizeof app, "argand %.200s", command);
    fprintf(stderr, "{\"type\":\"start\",\"app\":%s,\"version\":\"%s\"}",
            json_string(quoted, sizeof quoted, app), argand_version());
    finish_line();
}

bool jsonl_is_on(void)
{
    return on;
}

void jsonl_log(const char *level, const char *text)
{
    struct timespec now;
    struct tm utc;
    char stamp[32], quoted[6 * 2048];
    if (!on) return;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &utc);
    fprintf(
        stderr,
        "{\"type\":\"log\",\"ts\":\"%s.%03dZ\",\"level\":\"%s\",\"file\":\"argand\",\"line\":0,\"msg\":%s}",
        stamp, (int)(now.tv_nsec / 1000000), level, json_string(quoted, sizeof quoted, text));
    finish_line();
}

/* Returns 0 in place of a number that is not finite: JSON cannot express it. */
static double or_zero(double value)
{
    return isfinite(value) ? value : 0;
}

void jsonl_step(const char *postfix, int step, int steps, double residual, double penalty)
{
    char quoted[600];
    if (!on) return;
    if (bar < 0) {
        bar = next_bar++;
        fprintf(stderr, "{\"type\":\"progress\",\"action\":\"add\",\"id\":%d,\"label\":\"PCG\",\"max\":%d}\n",
                bar, steps);
    }
    fprintf(stderr, "{\"type\":\"progress\",\"action\":\"tick\",\"id\":%d,\"current\":%d,\"postfix\":%s}\n",
            bar, step, json_string(quoted, sizeof quoted, postfix));
    fprintf(stderr, "{\"type\":\"metrics\",\"bar_id\":%d,\"iter\":%d,\"error_norm\":%.6e,\"penalty\":%.6e}",
            bar, step, or_zero(residual), or_zero(penalty));
    last_step = step;
    finish_line();
}

void jsonl_done(void)
{
    if (!on || bar < 0) return;
    fprintf(stderr, "{\"type\":\"progress\",\"action\":\"done\",\"id\":%d}", bar);
    bar = -1;
    finish_line();
}

/* ---- previews */

typedef struct plane {
    const char *label;
    int64_t nx, ny, step_x, step_y, from;
} plane;

/* A plane made smaller, of w times h pixels */
typedef struct picture {
    plane of;
    int64_t w, h;
    float *pixels;
} picture;

/* Returns the mean over the volume's pixels that a pixel of the preview covers. */
static float mean_of(const float *v, const plane *p, int64_t x0, int64_t x1, int64_t y0, int64_t y1)
{
    double sum = 0;
    for (int64_t y = y0; y < y1; y++)
        for (int64_t x = x0; x < x1; x++) sum += (double)v[p->from + x * p->step_x + y * p->step_y];
    return (float)(sum / (double)((x1 - x0) * (y1 - y0)));
}

static int64_t shrink(const plane *p, int64_t n)
{
    const int64_t longer = p->nx > p->ny ? p->nx : p->ny;
    const int64_t small = longer > MOST_PIXELS ? n * MOST_PIXELS / longer : n;
    return small > 0 ? small : 1;
}

static void fill(float *to, const float *v, const plane *p, int64_t w, int64_t h)
{
    for (int64_t y = 0; y < h; y++)
        for (int64_t x = 0; x < w; x++)
            to[y * w + x] =
                mean_of(v, p, x * p->nx / w, (x + 1) * p->nx / w, y * p->ny / h, (y + 1) * p->ny / h);
}

static void print_base64(const void *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *b = bytes;
    for (size_t i = 0; i < count; i += 3) {
        const uint32_t three = (uint32_t)b[i] << 16 | (i + 1 < count ? (uint32_t)b[i + 1] << 8 : 0) |
                               (i + 2 < count ? b[i + 2] : 0);
        fputc(digits[three >> 18], stderr);
        fputc(digits[three >> 12 & 63], stderr);
        fputc(i + 1 < count ? digits[three >> 6 & 63] : '=', stderr);
        fputc(i + 2 < count ? digits[three & 63] : '=', stderr);
    }
}

/* Makes the small pictures of the planes, and returns their largest value; false if there is no memory. */
static bool shrink_all(picture *pictures, int count, const float *magnitude, float *most)
{
    *most = 0;
    for (int i = 0; i < count; i++) {
        picture *p = &pictures[i];
        p->w = shrink(&p->of, p->of.nx);
        p->h = shrink(&p->of, p->of.ny);
        p->pixels = malloc((size_t)(p->w * p->h) * sizeof *p->pixels);
        if (!p->pixels) return false;
        fill(p->pixels, magnitude, &p->of, p->w, p->h);
        for (int64_t j = 0; j < p->w * p->h; j++) *most = fmaxf(*most, p->pixels[j]);
    }
    return true;
}

static void print_picture(picture *p, float most)
{
    for (int64_t j = 0; j < p->w * p->h && most > 0; j++) p->pixels[j] /= most;
    fprintf(stderr, "{\"label\":\"%s\",\"nx\":%d,\"ny\":%d,\"data\":\"", p->of.label, (int)p->w, (int)p->h);
    print_base64(p->pixels, (size_t)(p->w * p->h) * sizeof *p->pixels);
    fputs("\"}", stderr);
}

void jsonl_preview(const float *magnitude, const int64_t n[3])
{
    const int64_t nx = n[0], ny = n[1], nz = n[2];
    const int count = nz > 1 ? 3 : 1;
    picture pictures[] = {{.of = {nz > 1 ? "Axial" : "Image", nx, ny, 1, nx, nz / 2 * nx * ny}},
                          {.of = {"Coronal", nx, nz, 1, nx * ny, ny / 2 * nx}},
                          {.of = {"Sagittal", ny, nz, nx, nx * ny, nx / 2}}};
    float most;
    if (!on || bar < 0) return;
    if (shrink_all(pictures, count, magnitude, &most)) {
        fprintf(stderr, "{\"type\":\"image_preview\",\"bar_id\":%d,\"iter\":%d,\"planes\":[", bar, last_step);
        for (int i = 0; i < count; i++) {
            if (i) fputs(",", stderr);
            print_picture(&pictures[i], most);
        }
        fputs("]}", stderr);
        finish_line();
    }
    for (int i = 0; i < count; i++) free(pictures[i].pixels);
}

void jsonl_exit(int code)
{
    if (!on) return;
    jsonl_done();
    fprintf(stderr, "{\"type\":\"exit\",\"code\":%d}", code);
    finish_line();
    on = false;
}
