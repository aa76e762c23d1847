/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR: finds the channels of a file, their order in the picture, and which of them are light. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <string.h>
#include "io/raster/exr.h"

static const char *last_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* Orders channels by the names of their layers. In a layer, colours come first, then alpha, then other
 * channels. */
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

/* Treats all channels but alpha as light, without channels of integers: these are object numbers. If all
 * are integers, all are light. */
static void guess_light(argand_picture *p)
{
    const raster_exr_state *s = p->state;
    uint32_t numbers = 0;
    const uint32_t alpha = p->info.alpha < 0 ? 0 : UINT32_C(1) << p->info.alpha,
                   all = (uint32_t)((UINT64_C(1) << s->head.channel_count) - 1) & ~alpha;
    for (int i = 0; i < s->head.channel_count; i++)
        if (s->head.channels[i].type == RASTER_EXR_UINT) numbers |= UINT32_C(1) << s->place[i];
    p->info.light = all & ~numbers ? all & ~numbers : all;
}

static void name_channels(argand_picture *p)
{
    raster_exr_state *s = p->state;
    const raster_exr_channel *list = s->head.channels;
    p->info.channels = s->head.channel_count;
    for (int i = 0; i < p->info.channels; i++) {
        int before = 0;
        for (int k = 0; k < p->info.channels; k++)
            before += k != i && comes_before(list[k].name, list[i].name);
        s->place[i] = before;
        strcpy(p->info.names[before], list[i].name);
        if (is_light(list[i].name)) p->info.light |= UINT32_C(1) << before;
        if (!strcmp(list[i].name, "A")) p->info.alpha = before;
    }
    if (!p->info.light) guess_light(p);
}

/* Marks the channels whose 32 bits are passed on unchanged. */
static void find_bits(argand_picture *p)
{
    const raster_exr_state *s = p->state;
    for (int i = 0; i < s->head.channel_count && p->options.bits; i++)
        if (s->head.channels[i].type == RASTER_EXR_UINT) p->info.bits |= UINT32_C(1) << s->place[i];
    p->info.bits &= ~p->info.light;
}

/* Returns true for luminance and chroma: Y, and RY and BY with half as many samples along both axes. */
static bool is_chroma(const raster_exr_head *head)
{
    static const char *const names[] = {"BY", "RY", "Y"};
    bool is = head->channel_count == 3;
    for (int i = 0; i < 3 && is; i++) {
        const raster_exr_channel *c = &head->channels[i];
        is = !strcmp(c->name, names[i]) && c->x_step == (i < 2 ? 2 : 1) && c->y_step == (i < 2 ? 2 : 1);
    }
    return is;
}

static argand_status take_colour(argand_picture *p)
{
    raster_exr_state *s = p->state;
    CHECK(!(s->head.left % 2 || s->head.top % 2), ARGAND_FORMAT,
          "%s: its data window begins at an odd coordinate, where chroma has no sample", p->path);
    s->place[0] = 2, s->place[1] = 1, s->place[2] = 0;
    return raster_name_channels(p, 3, false);
}

argand_status raster_exr_take_channels(argand_picture *p)
{
    raster_exr_state *s = p->state;
    const raster_exr_head *head = &s->head;
    CHECK(head->channel_count >= 1 && head->channel_count <= ARGAND_PICTURE_CHANNELS, ARGAND_UNSUPPORTED,
          "%s: %d channels; 1 to %d are read", p->path, head->channel_count, ARGAND_PICTURE_CHANNELS);
    s->chroma = is_chroma(head);
    p->info.sample = ARGAND_SAMPLE_F16;
    for (int i = 0; i < head->channel_count; i++) {
        const raster_exr_channel *c = &head->channels[i];
        CHECK(c->type <= RASTER_EXR_FLOAT, ARGAND_FORMAT, "%s: channel %s has no known type", p->path,
              c->name);
        if (c->type != RASTER_EXR_HALF) p->info.sample = ARGAND_SAMPLE_F32;
        CHECK(s->chroma || (c->x_step == 1 && c->y_step == 1), ARGAND_UNSUPPORTED,
              "%s: channel %s has one sample for %d x %d pixels; only RY and BY next to Y may have fewer "
              "samples",
              p->path, c->name, c->x_step, c->y_step);
    }
    if (s->chroma) return take_colour(p);
    name_channels(p);
    find_bits(p);
    return ARGAND_OK;
}
#endif
