/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR: the table of functions, and what every context begins with. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "io/raster/exr.h"

enum { LARGEST_BLOCK = 1 << 30 }; /* a chunk of a picture at our limits has less */

static _Thread_local char reason[200];

static void keep_reason(exr_const_context_t context, exr_result_t code, const char *message)
{
    (void)context, (void)code;
    snprintf(reason, sizeof reason, "%s", message ? message : "");
}

static void *take(size_t bytes)
{
    return bytes <= LARGEST_BLOCK ? malloc(bytes) : NULL;
}

static void give_back(void *pointer)
{
    free(pointer);
}

exr_context_initializer_t raster_exr_beginning(argand_picture *p)
{
    exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
    reason[0] = 0;
    start.error_handler_fn = keep_reason;
    start.alloc_fn = take;
    start.free_fn = give_back;
    start.user_data = p;
    start.max_image_width = start.max_image_height = RASTER_LONGEST;
    start.max_tile_width = start.max_tile_height = 1 << 14;
    return start;
}

argand_status raster_exr_failed(const argand_picture *p, exr_result_t result)
{
    const argand_status code = result == EXR_ERR_OUT_OF_MEMORY             ? ARGAND_MEMORY
                               : result == EXR_ERR_FEATURE_NOT_IMPLEMENTED ? ARGAND_UNSUPPORTED
                                                                           : ARGAND_FORMAT;
    return status_set(code, "%s: %s: %s", p->path,
                      code == ARGAND_MEMORY        ? "no memory to read it"
                      : code == ARGAND_UNSUPPORTED ? "OpenEXR does not read this kind"
                                                   : "damaged or truncated",
                      *reason ? reason : exr_get_default_error_message(result));
}

static void close_exr(argand_picture *p)
{
    raster_exr_state *s = p->state;
    p->state = NULL;
    if (!s) return;
    if (s->decoding) exr_decoding_destroy(s->context, &s->decode);
    if (s->context) exr_finish(&s->context);
    memory_free(s->samples);
    memory_free(s);
}
#endif

const raster_format raster_exr = {
    .endings = {".exr"},
#ifdef ARGAND_HAVE_OPENEXR
    .open = raster_exr_open,
    .read_row = raster_exr_read,
    .create = raster_exr_create,
    .write_row = raster_exr_write,
    .finish = raster_exr_complete,
    .close = close_exr,
#else
    .lacks = "Argand was built without OpenEXR (Debian: libopenexr-dev); install it and build again",
#endif
};
