/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes OpenEXR: scan lines of half or float, compressed without loss (deflate, or the method of the
 * picture given as `like`). Attributes and other parts of that picture are copied. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "io/raster/exr.h"

enum { ZIP = 3, LAST_OF_NO_LOSS = 4 };

static int write_bytes(void *user, uint64_t place, const void *bytes, size_t count)
{
    return (int)raster_write_at(user, place, bytes, count);
}

/* Returns the type of a channel: that of the channel of the same name in `like`. But if floats are wanted
 * and `like` has only halves, the type is float. */
static raster_exr_type choose_type(const argand_picture *p, const argand_picture *like, int channel)
{
    const raster_exr_state *from = like ? like->state : NULL;
    const bool halves = p->info.sample == ARGAND_SAMPLE_F16,
               same = like && like->info.sample == p->info.sample;
    if (p->info.bits >> channel & 1) return RASTER_EXR_UINT;
    for (int i = 0; from && !from->chroma && i < from->head.channel_count; i++) {
        const raster_exr_channel *c = &from->head.channels[i];
        if (!strcmp(c->name, p->info.names[channel]) && (c->type != RASTER_EXR_HALF || halves || same))
            return c->type;
    }
    return halves ? RASTER_EXR_HALF : RASTER_EXR_FLOAT;
}

static void describe(argand_picture *p, const argand_picture *like)
{
    const raster_exr_state *from = like ? like->state : NULL;
    raster_exr_state *s = p->state;
    s->head.width = p->info.width;
    s->head.height = p->info.height;
    s->head.compression = from && from->head.compression <= LAST_OF_NO_LOSS ? from->head.compression : ZIP;
    s->head.channel_count = p->info.channels;
    for (int c = 0; c < p->info.channels; c++) {
        strcpy(s->head.channels[c].name, p->info.names[c]);
        s->head.channels[c].type = choose_type(p, like, c);
    }
}

static argand_status check(const argand_picture *p)
{
    CHECK(p->info.sample == ARGAND_SAMPLE_F16 || p->info.sample == ARGAND_SAMPLE_F32, ARGAND_ARGUMENT,
          "%s: OpenEXR has floats of 16 or 32 bits for light, and no whole numbers", p->path);
    for (int c = 0; c < p->info.channels; c++) {
        CHECK(p->info.names[c][0], ARGAND_ARGUMENT, "%s: channel %d has no name", p->path, c);
        for (int k = 0; k < c; k++)
            CHECK(strcmp(p->info.names[c], p->info.names[k]) != 0, ARGAND_ARGUMENT,
                  "%s: two channels have the name %s", p->path, p->info.names[c]);
    }
    return ARGAND_OK;
}

/* Reports a failure, which may come from copying the other parts of `like`. */
static argand_status failed(const argand_picture *p, const argand_picture *like, raster_exr_outcome outcome)
{
    const raster_exr_state *s = p->state, *from = like ? like->state : NULL;
    if (!from || from->head.parts == 1 || p->write_failed) return raster_exr_failed(p, outcome);
    CHECK(outcome != RASTER_EXR_NO_MEMORY, ARGAND_MEMORY, "%s: no memory to copy its other parts",
          like->path);
    return status_set(ARGAND_FORMAT, "%s: its other parts cannot be copied: %s", like->path, s->bytes.reason);
}

argand_status raster_exr_create(argand_picture *p, const argand_picture *like)
{
    raster_exr_state *s, *from = like ? like->state : NULL;
    void *lines[RASTER_EXR_CHANNELS];
    TRY(check(p));
    TRY(NEW(s, 1));
    p->state = s;
    s->bytes = (raster_exr_bytes){.path = p->path, .user = p, .write = write_bytes};
    describe(p, like);
    TRY(raster_exr_make_lines(p, lines));
    const raster_exr_outcome outcome =
        raster_exr_draft_create(&s->draft, &s->bytes, &s->head, from ? from->file : NULL, lines);
    return outcome ? failed(p, like, outcome) : ARGAND_OK;
}

/* ---- samples ---- */

static uint32_t whole_number(float value)
{
    return value > 0 ? value < 4294967040.0f ? (uint32_t)value : UINT32_MAX : 0;
}

static void put_line(void *to, const float *from, int64_t count, raster_exr_type type)
{
    uint16_t *halves = to;
    uint32_t *wholes = to;
    for (int64_t x = 0; x < count && type == RASTER_EXR_HALF; x++) halves[x] = raster_half(from[x]);
    for (int64_t x = 0; x < count && type == RASTER_EXR_UINT; x++) wholes[x] = whole_number(from[x]);
    if (type == RASTER_EXR_FLOAT) memcpy(to, from, (size_t)count * sizeof *from);
}

argand_status raster_exr_write(argand_picture *p, const float *row)
{
    const raster_exr_state *s = p->state;
    for (int c = 0; c < p->info.channels; c++) {
        const bool bits = p->info.bits >> c & 1;
        put_line(raster_exr_line(p, c), row + c * p->info.width, p->info.width,
                 bits ? RASTER_EXR_FLOAT : s->head.channels[c].type);
    }
    const raster_exr_outcome outcome = raster_exr_draft_write(s->draft);
    return outcome ? raster_exr_failed(p, outcome) : ARGAND_OK;
}

argand_status raster_exr_complete(argand_picture *p)
{
    raster_exr_state *s = p->state;
    raster_exr_draft_close(s->draft);
    s->draft = NULL;
    return p->write_failed ? ARGAND_FILE : ARGAND_OK;
}
#endif
