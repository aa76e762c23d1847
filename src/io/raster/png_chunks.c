/* SPDX-License-Identifier: BSD-3-Clause */
/* PNG chunks that libpng hands over unread: cICP (coding of video and HDR), acTL (animation) and eXIf
 * (orientation). Older versions of libpng know none of them. */
#include <string.h>
#include "io/raster/png.h"

enum { LINEAR = 8, SRGB = 13, PQ = 16, HLG = 18 }; /* transfer characteristics of ITU-T H.273 */

void raster_png_keep_chunks(png_structp png)
{
    static const unsigned char names[] = "cICP\0acTL\0eXIf";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, names, 3);
}

/* Finds a chunk of at least `least` bytes before the samples. */
static const png_unknown_chunk *find(const raster_png_state *s, const char *name, size_t least)
{
    png_unknown_chunkp list = NULL;
    const int count = png_get_unknown_chunks(s->png, s->info, &list);
    for (int i = 0; i < count; i++)
        if (!memcmp(list[i].name, name, 4) && list[i].size >= least) return &list[i];
    return NULL;
}

int raster_png_orientation(const raster_png_state *s)
{
    const png_unknown_chunk *exif = find(s, "eXIf", 8);
    return exif ? raster_exif_orientation(exif->data, exif->size) : 1;
}

void raster_png_note_frames(argand_picture *p)
{
    if (find(p->state, "acTL", 0))
        raster_note(p, "is an animation: its first picture is read, the others are left out");
}

argand_status raster_png_use_coding(argand_picture *p, bool *known)
{
    const png_unknown_chunk *coding = find(p->state, "cICP", 4);
    *known = coding;
    if (!coding || p->options.stored) return ARGAND_OK;
    const int transfer = coding->data[1];
    CHECK(transfer != PQ && transfer != HLG, ARGAND_UNSUPPORTED,
          "%s: its samples are HDR (cICP transfer %d, %s), which is not decoded; convert the picture to "
          "linear light first, for example to OpenEXR",
          p->path, transfer, transfer == PQ ? "PQ" : "HLG");
    if (!coding->data[3])
        raster_note(p, "its samples are of narrow range (cICP): they are taken as those of full range");
    p->info.transfer = transfer == LINEAR ? ARGAND_TRANSFER_LINEAR : ARGAND_TRANSFER_SRGB;
    if (transfer != LINEAR && transfer != SRGB)
        raster_note(p, "its curve (cICP transfer %d) is not applied: its numbers are taken as sRGB",
                    transfer);
    return ARGAND_OK;
}

void raster_png_copy_coding(raster_png_state *to, const raster_png_state *from)
{
    const png_unknown_chunk *coding = find(from, "cICP", 4);
    if (!coding) return;
    png_unknown_chunk copy = *coding;
    copy.location = PNG_HAVE_IHDR;
    raster_png_keep_chunks(to->png);
    png_set_unknown_chunks(to->png, to->info, &copy, 1);
}
