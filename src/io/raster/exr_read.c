/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR, read: scan lines chunk by chunk, all else whole (exr_whole.c). */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "io/raster/exr.h"

static int64_t file_size(exr_const_context_t context, void *user)
{
    (void)context;
    return (int64_t)((const argand_picture *)user)->size;
}

static int64_t read_bytes(exr_const_context_t context, void *user, void *buffer, uint64_t count,
                          uint64_t place, exr_stream_error_func_ptr_t on_error)
{
    const argand_picture *p = user;
    if (place > p->size) place = p->size; /* it reads ahead, and is told how much there was */
    if (count > p->size - place) count = p->size - place;
    if (raster_read_at(p, place, buffer, count) == ARGAND_OK) return (int64_t)count;
    on_error(context, EXR_ERR_READ_IO, "it cannot be read");
    return -1;
}

/* How much smaller than its pixels a file of each compression can be. Runs: 128 bytes in 2; deflate: 1032 to
 * 1; the wavelets' code: runs of 255 shorts in 10 bits; B44A: 32 bytes in 3. */
static uint64_t packing(exr_compression_t compression)
{
    static const uint64_t known[] = {
        [EXR_COMPRESSION_NONE] = 1,    [EXR_COMPRESSION_RLE] = 64,  [EXR_COMPRESSION_ZIPS] = 1040,
        [EXR_COMPRESSION_ZIP] = 1040,  [EXR_COMPRESSION_PIZ] = 512, [EXR_COMPRESSION_PXR24] = 2080,
        [EXR_COMPRESSION_B44] = 3,     [EXR_COMPRESSION_B44A] = 11, [EXR_COMPRESSION_DWAA] = 65536,
        [EXR_COMPRESSION_DWAB] = 65536};
    return (size_t)compression < sizeof known / sizeof *known ? known[compression] : 65536;
}

/* ---- channels ---- */

static const char *last_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* Layers by their names, colours before their coverage, the rest behind. */
static bool comes_before(const char *a, const char *b)
{
    static const char order[] = "RGBYA";
    const size_t layer_a = (size_t)(last_name(a) - a), layer_b = (size_t)(last_name(b) - b);
    const int layers = memcmp(a, b, layer_a < layer_b ? layer_a : layer_b);
    if (layers || layer_a != layer_b) return layers ? layers < 0 : layer_a < layer_b;
    const char *at = a[layer_a] && !a[layer_a + 1] ? strchr(order, a[layer_a]) : NULL;
    const char *bt = b[layer_b] && !b[layer_b + 1] ? strchr(order, b[layer_b]) : NULL;
    if (at && bt) return at < bt;
    return at ? true : bt ? false : strcmp(a, b) < 0;
}

static bool is_light(const char *name)
{
    const char *last = last_name(name);
    return last[0] && !last[1] && strchr("RGBY", last[0]);
}

static void name_channels(argand_picture *p, const exr_attr_chlist_t *list)
{
    raster_exr_state *s = p->state;
    for (int i = 0; i < list->num_channels; i++) {
        int before = 0;
        for (int k = 0; k < list->num_channels; k++)
            before += k != i && comes_before(list->entries[k].name.str, list->entries[i].name.str);
        s->place[i] = before;
        strcpy(p->info.names[before], list->entries[i].name.str);
        if (is_light(p->info.names[before])) p->info.light |= UINT32_C(1) << before;
        if (!strcmp(p->info.names[before], "A")) p->info.alpha = before;
    }
    for (int c = 0; c < list->num_channels && !p->info.light; c++) /* names of no meaning: all are light */
        if (c != p->info.alpha) p->info.light |= UINT32_C(1) << c;
}

/* Luminance and chroma: Y, and RY and BY of half as many samples along both axes. */
static bool is_chroma(const exr_attr_chlist_t *list)
{
    static const char *const names[] = {"BY", "RY", "Y"};
    bool is = list->num_channels == 3;
    for (int i = 0; i < 3 && is; i++) {
        const exr_attr_chlist_entry_t *e = &list->entries[i];
        is = !strcmp(e->name.str, names[i]) && e->x_sampling == (i < 2 ? 2 : 1) &&
             e->y_sampling == (i < 2 ? 2 : 1);
    }
    return is;
}

static argand_status check_channels(argand_picture *p, const exr_attr_chlist_t *list)
{
    raster_exr_state *s = p->state;
    CHECK(list->num_channels >= 1 && list->num_channels <= ARGAND_PICTURE_CHANNELS, ARGAND_UNSUPPORTED,
          "%s: %d channels; 1 to %d are read", p->path, list->num_channels, ARGAND_PICTURE_CHANNELS);
    s->stored = list->num_channels;
    s->chroma = is_chroma(list);
    p->info.sample = ARGAND_SAMPLE_F16;
    for (int i = 0; i < s->stored; i++) {
        const exr_attr_chlist_entry_t *e = &list->entries[i];
        s->type[i] = e->pixel_type;
        CHECK(e->pixel_type >= EXR_PIXEL_UINT && e->pixel_type <= EXR_PIXEL_FLOAT, ARGAND_FORMAT,
              "%s: channel %s has no known type", p->path, e->name.str);
        if (e->pixel_type != EXR_PIXEL_HALF) p->info.sample = ARGAND_SAMPLE_F32;
        CHECK(strlen(e->name.str) < sizeof p->info.names[0], ARGAND_UNSUPPORTED,
              "%s: the name of channel %.20s... is too long", p->path, e->name.str);
        CHECK(s->chroma || (e->x_sampling == 1 && e->y_sampling == 1), ARGAND_UNSUPPORTED,
              "%s: channel %s has one sample for %d x %d pixels; this is read of RY and BY beside Y alone",
              p->path, e->name.str, (int)e->x_sampling, (int)e->y_sampling);
    }
    return ARGAND_OK;
}

/* The luminance of each primary, from the colours that the file names (Rec. 709 where it names none). */
static void find_luminance(raster_exr_state *s)
{
    exr_attr_chromaticities_t c;
    const double rec709[3] = {0.2126, 0.7152, 0.0722};
    memcpy(s->luminance, rec709, sizeof rec709);
    if (exr_attr_get_chromaticities(s->context, s->part, "chromaticities", &c) != EXR_ERR_SUCCESS) return;
    const double r[3] = {c.red_x, c.red_y, 1 - c.red_x - c.red_y};
    const double g[3] = {c.green_x, c.green_y, 1 - c.green_x - c.green_y};
    const double b[3] = {c.blue_x, c.blue_y, 1 - c.blue_x - c.blue_y};
    const double w[3] = {c.white_x / c.white_y, 1, (1 - c.white_x - c.white_y) / c.white_y};
#define DET(u, v, t)                                                           \
    (u[0] * (v[1] * t[2] - v[2] * t[1]) - v[0] * (u[1] * t[2] - u[2] * t[1]) + \
     t[0] * (u[1] * v[2] - u[2] * v[1]))
    const double all = DET(r, g, b);
    const double y[3] = {DET(w, g, b) / all * r[1], DET(r, w, b) / all * g[1], DET(r, g, w) / all * b[1]};
#undef DET
    const double sum = y[0] + y[1] + y[2];
    if (sum > 0.999 && sum < 1.001 && y[1] > 1e-3) memcpy(s->luminance, y, sizeof y);
}

/* ---- opening ---- */

static int pixel_bytes(const raster_exr_state *s)
{
    int bytes = 0;
    for (int i = 0; i < s->stored; i++) bytes += s->type[i] == EXR_PIXEL_HALF ? 2 : 4;
    return bytes;
}

static argand_status describe(argand_picture *p)
{
    raster_exr_state *s = p->state;
    const exr_attr_chlist_t *list;
    exr_storage_t storage;
    exr_result_t r = exr_get_storage(s->context, s->part, &storage);
    if (!r) r = exr_get_channels(s->context, s->part, &list);
    if (!r) r = exr_get_data_window(s->context, s->part, &s->window);
    if (!r) r = exr_get_compression(s->context, s->part, &s->compression);
    if (r) return raster_exr_failed(p, r);
    CHECK(storage == EXR_STORAGE_SCANLINE || storage == EXR_STORAGE_TILED, ARGAND_UNSUPPORTED,
          "%s: its samples are deep (several for a pixel), which are not read; flatten it", p->path);
    TRY(check_channels(p, list));
    const int64_t width = (int64_t)s->window.max.x - s->window.min.x + 1,
                  height = (int64_t)s->window.max.y - s->window.min.y + 1;
    TRY(raster_check_size(p, width, height, s->stored, pixel_bytes(s),
                          packing(s->compression) * (s->chroma ? 2 : 1)));
    p->info.width = width;
    p->info.height = height;
    p->info.associated = true;
    s->whole = s->chroma || storage == EXR_STORAGE_TILED;
    if (!s->chroma) {
        p->info.channels = s->stored;
        name_channels(p, list);
        return ARGAND_OK;
    }
    CHECK(!(s->window.min.x % 2 || s->window.min.y % 2), ARGAND_FORMAT,
          "%s: its data window begins at an odd place, where chroma has no sample", p->path);
    s->place[0] = 2, s->place[1] = 1, s->place[2] = 0;
    find_luminance(s);
    return raster_name_channels(p, 3, false);
}

argand_status raster_exr_open(argand_picture *p)
{
    raster_exr_state *s;
    exr_context_initializer_t start = raster_exr_beginning(p);
    TRY(NEW(s, 1));
    p->state = s;
    start.read_fn = read_bytes;
    start.size_fn = file_size;
    exr_result_t r = exr_start_read(&s->context, p->path, &start);
    if (r) return raster_exr_failed(p, r);
    TRY(describe(p));
    if (s->whole) return raster_exr_read_whole(p);
    r = exr_get_scanlines_per_chunk(s->context, s->part, &s->chunk_lines);
    if (r) return raster_exr_failed(p, r);
    float *samples;
    TRY(NEW(samples, p->info.width * s->chunk_lines * s->stored));
    s->samples = samples;
    return ARGAND_OK;
}

/* ---- samples ---- */

/* Where the samples of a chunk go. */
typedef struct targets {
    float *const *to;
    const int64_t *lines;
} targets;

/* One line of a channel: halves, floats or whole numbers, low byte first. */
static void take_line(float *to, const unsigned char *from, int64_t count, exr_pixel_type_t type)
{
    for (int64_t x = 0; x < count; x++) {
        uint32_t bits = (uint32_t)from[0] | (uint32_t)from[1] << 8;
        if (type != EXR_PIXEL_HALF) bits |= (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
        if (type == EXR_PIXEL_HALF)
            to[x] = raster_from_half((uint16_t)bits);
        else if (type == EXR_PIXEL_UINT)
            to[x] = (float)bits;
        else
            memcpy(to + x, &bits, sizeof bits);
        from += type == EXR_PIXEL_HALF ? 2 : 4;
    }
}

/* In place of OpenEXR's own: those of 3.1.5 for three channels know no subsampling, and write beyond. Line
 * after line, and in each the channels that have samples there. */
static exr_result_t unpack(exr_decode_pipeline_t *d)
{
    const targets *target = d->decoding_user_data;
    const unsigned char *at = d->unpacked_buffer, *end = at + d->chunk.unpacked_size;
    for (int64_t y = 0; y < d->chunk.height; y++)
        for (int i = 0; i < d->channel_count; i++) {
            const exr_coding_channel_info_t *c = &d->channels[i];
            const int64_t step = c->y_samples > 1 ? c->y_samples : 1, count = c->width;
            const int size = c->data_type == EXR_PIXEL_HALF ? 2 : 4;
            if ((d->chunk.start_y + y) % step) continue;
            if (!at || count > target->lines[i] || count * size > end - at) return EXR_ERR_CORRUPT_CHUNK;
            take_line(target->to[i] + y / step * target->lines[i], at, count, (exr_pixel_type_t)c->data_type);
            at += count * size;
        }
    return EXR_ERR_SUCCESS;
}

argand_status raster_exr_decode(argand_picture *p, const exr_chunk_info_t *chunk, float *const *to,
                                const int64_t *lines)
{
    raster_exr_state *s = p->state;
    exr_decode_pipeline_t *d = &s->decode;
    targets target = {to, lines};
    exr_result_t r = s->decoding ? exr_decoding_update(s->context, s->part, chunk, d)
                                 : exr_decoding_initialize(s->context, s->part, chunk, d);
    if (r) return raster_exr_failed(p, r);
    CHECK(d->channel_count == s->stored, ARGAND_FORMAT,
          "%s: a block of its lines has %d channels, and should have %d", p->path, d->channel_count,
          s->stored);
    for (int i = 0; i < d->channel_count; i++) /* so that it is unpacked at all */
        d->channels[i].decode_to_ptr = (uint8_t *)to[i];
    if (!s->decoding) r = exr_decoding_choose_default_routines(s->context, s->part, d);
    s->decoding = true;
    d->unpack_and_convert_fn = unpack;
    d->decoding_user_data = &target;
    if (!r) r = exr_decoding_run(s->context, s->part, d);
    return r ? raster_exr_failed(p, r) : ARGAND_OK;
}

static argand_status read_chunk(argand_picture *p)
{
    raster_exr_state *s = p->state;
    exr_chunk_info_t chunk;
    float *to[ARGAND_PICTURE_CHANNELS];
    int64_t lines[ARGAND_PICTURE_CHANNELS];
    const exr_result_t r =
        exr_read_scanline_chunk_info(s->context, s->part, s->window.min.y + (int)p->next, &chunk);
    if (r) return raster_exr_failed(p, r);
    s->chunk_start = (int64_t)chunk.start_y - s->window.min.y;
    s->chunk_rows = chunk.height;
    CHECK(s->chunk_start <= p->next && p->next < s->chunk_start + s->chunk_rows &&
              s->chunk_rows <= s->chunk_lines && chunk.width == p->info.width,
          ARGAND_FORMAT, "%s: a block of its lines is not where it should be", p->path);
    for (int i = 0; i < s->stored; i++) {
        lines[i] = p->info.width;
        to[i] = (float *)s->samples + s->place[i] * s->chunk_lines * p->info.width;
    }
    return raster_exr_decode(p, &chunk, to, lines);
}

argand_status raster_exr_read(argand_picture *p, float *row)
{
    raster_exr_state *s = p->state;
    const size_t bytes = (size_t)p->info.width * sizeof *row;
    if (!s->whole && (p->next >= s->chunk_start + s->chunk_rows || p->next < s->chunk_start))
        TRY(read_chunk(p));
    const int64_t plane = p->info.width * (s->whole ? p->info.height : s->chunk_lines);
    for (int c = 0; c < p->info.channels; c++)
        memcpy(row + c * p->info.width,
               (const float *)s->samples + c * plane + (p->next - s->chunk_start) * p->info.width, bytes);
    return ARGAND_OK;
}
#endif
