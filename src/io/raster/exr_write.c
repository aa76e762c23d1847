/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR, written: scan lines of half or float, compressed without loss (deflate, or as the picture that it
 * is made like). Attributes of that picture go along. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "io/raster/exr.h"

static int64_t write_bytes(exr_const_context_t context, void *user, const void *buffer, uint64_t count,
                           uint64_t place, exr_stream_error_func_ptr_t on_error)
{
    argand_picture *p = user;
    (void)context, (void)on_error;
    return raster_write_at(p, place, buffer, count) == ARGAND_OK ? (int64_t)count : -1;
}

static argand_status failed(const argand_picture *p, exr_result_t result)
{
    if (p->write_failed) return ARGAND_FILE; /* whose message stands already */
    return raster_exr_failed(p, result);
}

static exr_compression_t choose_compression(const raster_exr_state *like)
{
    return like && like->compression <= EXR_COMPRESSION_PIZ ? like->compression : EXR_COMPRESSION_ZIP;
}

static exr_result_t set_windows(const argand_picture *p, const argand_picture *like)
{
    raster_exr_state *s = p->state;
    const raster_exr_state *from = like ? like->state : NULL;
    const exr_compression_t compression = choose_compression(from);
    exr_attr_box2i_t shown = s->window;
    exr_attr_v2f_t centre = {{{0, 0}}};
    if (!from || like->info.width != p->info.width || like->info.height != p->info.height)
        return exr_initialize_required_attr_simple(s->context, s->part, (int)p->info.width,
                                                   (int)p->info.height, compression);
    float aspect = 1, screen = 1;
    s->window = from->window;
    exr_get_display_window(from->context, from->part, &shown);
    exr_get_pixel_aspect_ratio(from->context, from->part, &aspect);
    exr_get_screen_window_center(from->context, from->part, &centre);
    exr_get_screen_window_width(from->context, from->part, &screen);
    return exr_initialize_required_attr(s->context, s->part, &shown, &s->window, aspect, &centre, screen,
                                        EXR_LINEORDER_INCREASING_Y, compression);
}

/* A channel keeps its type where the other picture has one of its name. */
static exr_pixel_type_t choose_type(const argand_picture *p, const argand_picture *like, int channel)
{
    const raster_exr_state *from = like ? like->state : NULL;
    for (int i = 0; from && !from->chroma && i < from->stored; i++)
        if (!strcmp(like->info.names[from->place[i]], p->info.names[channel]) &&
            (from->type[i] != EXR_PIXEL_HALF || p->info.sample == ARGAND_SAMPLE_F16))
            return from->type[i];
    return p->info.sample == ARGAND_SAMPLE_F16 ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT;
}

static exr_result_t add_channels(argand_picture *p, const argand_picture *like)
{
    raster_exr_state *s = p->state;
    exr_result_t r = EXR_ERR_SUCCESS;
    s->stored = p->info.channels;
    for (int c = 0; c < s->stored && !r; c++) {
        s->type[c] = choose_type(p, like, c);
        r = exr_add_channel(s->context, s->part, p->info.names[c], s->type[c], EXR_PERCEPTUALLY_LOGARITHMIC,
                            1, 1);
    }
    return r;
}

static exr_result_t write_head(argand_picture *p, const argand_picture *like)
{
    raster_exr_state *s = p->state;
    const raster_exr_state *from = like ? like->state : NULL;
    exr_result_t r = exr_add_part(s->context, "", EXR_STORAGE_SCANLINE, &s->part);
    if (!r) r = set_windows(p, like);
    if (!r) r = add_channels(p, like);
    if (!r && from) r = raster_exr_copy_attributes(s, from);
    if (!r) r = exr_write_header(s->context);
    if (!r) r = exr_get_scanlines_per_chunk(s->context, s->part, &s->chunk_lines);
    return r;
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

argand_status raster_exr_create(argand_picture *p, const argand_picture *like)
{
    raster_exr_state *s;
    exr_context_initializer_t start = raster_exr_beginning(p);
    float *samples;
    TRY(check(p));
    TRY(NEW(s, 1));
    p->state = s;
    start.write_fn = write_bytes;
    start.zip_level = 4;
    s->window.max.x = (int)p->info.width - 1;
    s->window.max.y = (int)p->info.height - 1;
    exr_result_t r = exr_start_write(&s->context, p->path, EXR_WRITE_FILE_DIRECTLY, &start);
    if (!r) r = write_head(p, like);
    if (r) return failed(p, r);
    TRY(NEW(samples, p->info.width * s->chunk_lines * s->stored));
    s->samples = samples;
    return ARGAND_OK;
}

/* ---- samples ---- */

/* Where a channel's lines of the chunk begin: 4 bytes are kept for each sample. */
static void *lines_of(const argand_picture *p, int channel)
{
    const raster_exr_state *s = p->state;
    return (float *)s->samples + channel * s->chunk_lines * p->info.width;
}

static void put_line(void *to, const float *from, int64_t count, exr_pixel_type_t type, int64_t line)
{
    uint16_t *halves = (uint16_t *)to + line * count;
    uint32_t *wholes = (uint32_t *)to + line * count;
    for (int64_t x = 0; x < count; x++) {
        if (type == EXR_PIXEL_HALF)
            halves[x] = raster_half(from[x]);
        else if (type == EXR_PIXEL_FLOAT)
            memcpy(wholes + x, from + x, 4);
        else
            wholes[x] = from[x] > 0 ? from[x] < 4294967040.0f ? (uint32_t)from[x] : UINT32_MAX : 0;
    }
}

static int channel_of(const argand_picture *p, const char *name)
{
    for (int c = 0; c < p->info.channels; c++)
        if (!strcmp(p->info.names[c], name)) return c;
    return 0;
}

typedef struct lending {
    exr_result_t (*compress)(exr_encode_pipeline_t *e);
} lending;

static void lend_lines(const argand_picture *p, exr_encode_pipeline_t *e)
{
    const raster_exr_state *s = p->state;
    for (int i = 0; i < e->channel_count; i++) {
        exr_coding_channel_info_t *c = &e->channels[i];
        const int channel = channel_of(p, c->channel_name),
                  bytes = s->type[channel] == EXR_PIXEL_HALF ? 2 : 4;
        c->encode_from_ptr = lines_of(p, channel);
        c->user_bytes_per_element = (int16_t)bytes;
        c->user_data_type = (uint16_t)s->type[channel];
        c->user_pixel_stride = bytes;
        c->user_line_stride = (int32_t)(p->info.width * bytes);
    }
}

/* A chunk whose bytes are as many as without compression is read as one that is not compressed; OpenEXR 3.1.5
 * stores it compressed where the two are equal. */
static exr_result_t compress(exr_encode_pipeline_t *e)
{
    const lending *lent = e->encoding_user_data;
    const exr_result_t r = lent->compress(e);
    if (!r && e->compressed_buffer && e->compressed_bytes == e->packed_bytes)
        memcpy(e->compressed_buffer, e->packed_buffer, e->packed_bytes);
    return r;
}

static exr_result_t write_chunk(argand_picture *p)
{
    raster_exr_state *s = p->state;
    exr_encode_pipeline_t e = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_chunk_info_t chunk;
    exr_result_t r =
        exr_write_scanline_chunk_info(s->context, s->part, s->window.min.y + (int)s->chunk_start, &chunk);
    if (r) return r;
    r = exr_encoding_initialize(s->context, s->part, &chunk, &e);
    if (r) return r;
    lend_lines(p, &e);
    r = exr_encoding_choose_default_routines(s->context, s->part, &e);
    lending lent = {e.compress_fn};
    e.encoding_user_data = &lent;
    if (e.compress_fn) e.compress_fn = compress;
    if (!r) r = exr_encoding_run(s->context, s->part, &e);
    exr_encoding_destroy(s->context, &e);
    return r;
}

argand_status raster_exr_write(argand_picture *p, const float *row)
{
    raster_exr_state *s = p->state;
    const int64_t line = p->next - s->chunk_start;
    for (int c = 0; c < p->info.channels; c++)
        put_line(lines_of(p, c), row + c * p->info.width, p->info.width, s->type[c], line);
    if (line + 1 < s->chunk_lines && p->next + 1 < p->info.height) return ARGAND_OK;
    const exr_result_t r = write_chunk(p);
    s->chunk_start = p->next + 1;
    return r ? failed(p, r) : ARGAND_OK;
}

argand_status raster_exr_complete(argand_picture *p)
{
    raster_exr_state *s = p->state;
    const exr_result_t r = exr_finish(&s->context);
    return r ? failed(p, r) : ARGAND_OK;
}
#endif
