/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads OpenEXR row by row; luminance and chroma as a whole (exr_chroma.c). */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "io/raster/exr.h"

static int read_bytes(void *user, uint64_t place, void *bytes, size_t count)
{
    return (int)raster_read_at(user, place, bytes, count);
}

/* Returns the largest ratio of pixels to file size of a compression. Runs: 128 bytes in 2; deflate: 1032
 * to 1; wavelet code: runs of 255 shorts in 10 bits; B44A: 32 bytes in 3. */
static uint64_t packing(int compression)
{
    static const uint64_t known[] = {1, 64, 1040, 1040, 512, 2080, 3, 11};
    return (size_t)compression < sizeof known / sizeof *known ? known[compression] : 65536;
}

/* ---- opening ---- */

/* Computes the luminance of each primary from the file's chromaticities, or uses Rec. 709 if it has none. */
static void find_luminance(raster_exr_state *s)
{
    const double rec709[3] = {0.2126, 0.7152, 0.0722}, *c = s->head.colours;
    memcpy(s->luminance, rec709, sizeof rec709);
    if (!s->head.has_colours) return;
    const double r[3] = {c[0], c[1], 1 - c[0] - c[1]};
    const double g[3] = {c[2], c[3], 1 - c[2] - c[3]};
    const double b[3] = {c[4], c[5], 1 - c[4] - c[5]};
    const double w[3] = {c[6] / c[7], 1, (1 - c[6] - c[7]) / c[7]};
#define DET(u, v, t)                                                           \
    (u[0] * (v[1] * t[2] - v[2] * t[1]) - v[0] * (u[1] * t[2] - u[2] * t[1]) + \
     t[0] * (u[1] * v[2] - u[2] * v[1]))
    const double all = DET(r, g, b);
    const double y[3] = {DET(w, g, b) / all * r[1], DET(r, w, b) / all * g[1], DET(r, g, w) / all * b[1]};
#undef DET
    const double sum = y[0] + y[1] + y[2];
    if (sum > 0.999 && sum < 1.001 && y[1] > 1e-3) memcpy(s->luminance, y, sizeof y);
}

static int pixel_bytes(const raster_exr_head *head)
{
    int bytes = 0;
    for (int i = 0; i < head->channel_count; i++) bytes += head->channels[i].type == RASTER_EXR_HALF ? 2 : 4;
    return bytes;
}

static void tell_parts(argand_picture *p, const raster_exr_head *head)
{
    char name[80] = "";
    if (head->parts == 1) return;
    if (head->name[0]) snprintf(name, sizeof name, " (%s)", head->name);
    raster_note(p,
                "part %d%s of %d is read; the others are copied unchanged into an EXR file, and left out of "
                "other formats",
                head->part + 1, name, head->parts);
}

static argand_status describe(argand_picture *p)
{
    raster_exr_state *s = p->state;
    const raster_exr_head *head = &s->head;
    CHECK(head->part >= 0, ARGAND_ARGUMENT, "%s: there is no part %d; the file has %d", p->path,
          p->options.part, head->parts);
    CHECK(!head->deep, ARGAND_UNSUPPORTED,
          "%s: its samples are deep (several for a pixel), which are not read; flatten it", p->path);
    TRY(raster_exr_take_channels(p));
    TRY(raster_check_size(p, head->width, head->height, head->channel_count, pixel_bytes(head),
                          packing(head->compression) * (s->chroma ? 2 : 1)));
    p->info.width = head->width;
    p->info.height = head->height;
    p->info.associated = true;
    find_luminance(s);
    tell_parts(p, head);
    return ARGAND_OK;
}

argand_status raster_exr_open(argand_picture *p)
{
    raster_exr_state *s;
    TRY(raster_exr_check_headers(p));
    TRY(NEW(s, 1));
    p->state = s;
    s->bytes = (raster_exr_bytes){.path = p->path, .size = p->size, .user = p, .read = read_bytes};
    const raster_exr_outcome outcome = raster_exr_file_open(&s->file, &s->bytes, p->options.part, &s->head);
    if (outcome) return raster_exr_failed(p, outcome);
    return describe(p);
}

argand_status raster_exr_decode(argand_picture *p)
{
    raster_exr_state *s = p->state;
    void *lines[RASTER_EXR_CHANNELS];
    TRY(raster_exr_make_lines(p, lines));
    const raster_exr_outcome outcome = raster_exr_file_begin(s->file, &s->head, lines);
    if (outcome) return raster_exr_failed(p, outcome);
    return s->chroma ? raster_exr_read_chroma(p) : ARGAND_OK;
}

/* ---- samples ---- */

static void take_line(float *to, const void *from, int64_t count, bool numbers)
{
    const uint32_t *whole = from;
    if (!numbers) memcpy(to, from, (size_t)count * sizeof *to);
    for (int64_t x = 0; x < count && numbers; x++) to[x] = (float)whole[x];
}

argand_status raster_exr_read(argand_picture *p, float *row)
{
    const raster_exr_state *s = p->state;
    const int64_t width = p->info.width, plane = width * p->info.height;
    for (int c = 0; c < p->info.channels && s->chroma; c++)
        memcpy(row + c * width, s->planes + c * plane + p->next * width, (size_t)width * sizeof *row);
    if (s->chroma) return ARGAND_OK;
    const raster_exr_outcome outcome = raster_exr_file_read(s->file, p->next);
    if (outcome) return raster_exr_failed(p, outcome);
    for (int i = 0; i < s->head.channel_count; i++) {
        const bool numbers =
            s->head.channels[i].type == RASTER_EXR_UINT && !(p->info.bits >> s->place[i] & 1);
        take_line(row + s->place[i] * width, raster_exr_line(p, i), width, numbers);
    }
    return ARGAND_OK;
}
#endif
