/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR: errors and line buffers, shared by reading and writing. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include "base/memory.h"
#include "io/raster/exr.h"

argand_status raster_exr_failed(const argand_picture *p, raster_exr_outcome outcome)
{
    const raster_exr_state *s = p->state;
    const char *reason = s->bytes.reason;
    if (p->write_failed) return ARGAND_FILE; /* its message is already set */
    CHECK(outcome != RASTER_EXR_NO_MEMORY, ARGAND_MEMORY,
          "%s: no memory for its samples, or a block of them is larger than 1 GB", p->path);
    CHECK(outcome != RASTER_EXR_UNSUPPORTED, ARGAND_UNSUPPORTED, "%s: OpenEXR %s does not read this kind: %s",
          p->path, raster_exr_file_version(), reason);
    return status_set(ARGAND_FORMAT, "%s: damaged or truncated: %s", p->path, reason);
}

void *raster_exr_line(const argand_picture *p, int channel)
{
    const raster_exr_state *s = p->state;
    return (float *)s->row + channel * p->info.width;
}

argand_status raster_exr_make_lines(argand_picture *p, void **lines)
{
    raster_exr_state *s = p->state;
    float *row;
    TRY(NEW(row, p->info.width * s->head.channel_count));
    s->row = row;
    for (int i = 0; i < s->head.channel_count; i++) lines[i] = raster_exr_line(p, i);
    return ARGAND_OK;
}

void raster_exr_close(argand_picture *p)
{
    raster_exr_state *s = p->state;
    p->state = NULL;
    if (!s) return;
    raster_exr_file_close(s->file);
    raster_exr_draft_close(s->draft);
    memory_free(s->row);
    memory_free(s->planes);
    memory_free(s);
}
#endif
