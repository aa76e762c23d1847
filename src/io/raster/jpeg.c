/* SPDX-License-Identifier: BSD-3-Clause */
/* JPEG through libjpeg-turbo: its errors, bytes and limits. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_JPEG
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "io/raster/jpeg.h"

#include <jerror.h>

/* Limits, because a small progressive file can require thousands of passes over a large picture. */
enum { MOST_SCANS = 500, MOST_MEMORY = 1 << 30 };

static argand_status status_of(int code)
{
    static const int lacks[] = {JERR_BAD_PRECISION,      JERR_SOF_UNSUPPORTED,      JERR_NOT_COMPILED,
                                JERR_CONVERSION_NOTIMPL, JERR_FRACT_SAMPLE_NOTIMPL, JERR_CCIR601_NOTIMPL};
    if (code == JERR_OUT_OF_MEMORY || code == JERR_NO_BACKING_STORE) return ARGAND_MEMORY;
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (code == lacks[i]) return ARGAND_UNSUPPORTED;
    return ARGAND_FORMAT;
}

static void leave(j_common_ptr jpeg)
{
    argand_picture *p = jpeg->client_data;
    raster_jpeg_state *s = p->state;
    if (!s->failure) s->failure = status_of(jpeg->err->msg_code);
    jpeg->err->format_message(jpeg, s->reason);
    longjmp(s->back, 1);
}

/* Reports damage if libjpeg guesses samples because the file ends early or its code is invalid. Ignores
 * other warnings, such as odd markers. */
static void warn(j_common_ptr jpeg, int level)
{
    static const int damage[] = {JWRN_HIT_MARKER,     JWRN_HUFF_BAD_CODE, JWRN_JPEG_EOF,
                                 JWRN_NOT_SEQUENTIAL, JWRN_MUST_RESYNC,   JWRN_ARITH_BAD_CODE};
    for (size_t i = 0; i < sizeof damage / sizeof *damage && level < 0; i++)
        if (jpeg->err->msg_code == damage[i]) leave(jpeg);
}

static void print_nothing(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void look_again(j_common_ptr jpeg)
{
    argand_picture *p = jpeg->client_data;
    raster_jpeg_state *s = p->state;
    s->failure = observe_again();
    if (s->failure) leave(jpeg);
    if (s->jpeg.input_scan_number <= MOST_SCANS) return;
    s->failure = ARGAND_UNSUPPORTED;
    leave(jpeg);
}

/* ---- bytes of the file ---- */

static void begin_bytes(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

static boolean take_bytes(j_decompress_ptr jpeg)
{
    argand_picture *p = jpeg->client_data;
    raster_jpeg_state *s = p->state;
    const uint64_t left = s->place < p->size ? p->size - s->place : 0;
    const size_t count = left < sizeof s->bytes ? (size_t)left : sizeof s->bytes;
    if (!count) ERREXIT(jpeg, JERR_INPUT_EOF);
    s->failure = raster_read_at(p, s->place, s->bytes, count);
    if (s->failure) ERREXIT(jpeg, JERR_FILE_READ);
    s->place += count;
    s->source.next_input_byte = s->bytes;
    s->source.bytes_in_buffer = count;
    return TRUE;
}

static void skip_bytes(j_decompress_ptr jpeg, long count)
{
    argand_picture *p = jpeg->client_data;
    raster_jpeg_state *s = p->state;
    const size_t here = s->source.bytes_in_buffer, wanted = count > 0 ? (size_t)count : 0;
    const size_t step = wanted < here ? wanted : here;
    s->source.next_input_byte += step;
    s->source.bytes_in_buffer -= step;
    s->place += wanted - step;
}

static void end_bytes(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

void raster_jpeg_prepare(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    s->jpeg.err = jpeg_std_error(&s->errors);
    s->errors.error_exit = leave;
    s->errors.emit_message = warn;
    s->errors.output_message = print_nothing;
    s->jpeg.client_data = p;
    s->source = (struct jpeg_source_mgr){.init_source = begin_bytes,
                                         .fill_input_buffer = take_bytes,
                                         .skip_input_data = skip_bytes,
                                         .resync_to_restart = jpeg_resync_to_restart,
                                         .term_source = end_bytes};
    s->progress.progress_monitor = look_again;
}

bool raster_jpeg_guarded(argand_picture *p, void (*step)(argand_picture *p))
{
    raster_jpeg_state *s = p->state;
    if (setjmp(s->back)) return false;
    step(p);
    return true;
}

argand_status raster_jpeg_failed(const argand_picture *p)
{
    const raster_jpeg_state *s = p->state;
    if (s->failure == ARGAND_FILE || s->failure == ARGAND_STOPPED)
        return s->failure; /* its message is already set */
    CHECK(s->failure != ARGAND_MEMORY, ARGAND_MEMORY, "%s: no memory to read it, or more than 1 GB", p->path);
    CHECK(s->failure != ARGAND_UNSUPPORTED || s->jpeg.input_scan_number <= MOST_SCANS, ARGAND_UNSUPPORTED,
          "%s: has more than %d passes over its pixels; write the file again", p->path, MOST_SCANS);
    CHECK(s->failure != ARGAND_UNSUPPORTED, ARGAND_UNSUPPORTED, "%s: libjpeg does not read this kind: %s",
          p->path, s->reason);
    return status_set(ARGAND_FORMAT, "%s: damaged or truncated: %s", p->path, s->reason);
}

void raster_jpeg_close(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    if (!s) return;
    if (s->jpeg.mem) jpeg_destroy_decompress(&s->jpeg); /* this call raises no error */
    p->state = NULL;
    memory_free(s->line);
    memory_free(s->whole);
    memory_free(s);
}
#endif
