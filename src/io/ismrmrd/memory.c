/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates memory for the kept acquisitions. First compares the sizes in the acquisitions' headers with the
 * size of the file, because a damaged header may claim any size. */
#include "base/memory.h"
#include "io/ismrmrd/scan.h"

static uint64_t stored_bytes(const ismrmrd_head *head)
{
    return UINT64_C(4) * head->number_of_samples *
           (UINT64_C(2) * head->active_channels + head->trajectory_dimensions);
}

static argand_status check_images(uint64_t *left, const scan_reader *reader)
{
    uint64_t images = 0;
    for (const scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++)
        if (p->purpose == SCAN_IMAGE &&
            __builtin_add_overflow(images, stored_bytes(scan_head(reader, p)), &images))
            images = UINT64_MAX;
    CHECK(images <= reader->file_bytes, ARGAND_FORMAT,
          "%s: the acquisitions promise %.6g MB of samples, the file has %.6g MB. It is cut off or its heads "
          "are wrong",
          reader->path, (double)images / 1e6, (double)reader->file_bytes / 1e6);
    *left = reader->file_bytes - images;
    return ARGAND_OK;
}

/* Checks that the file is large enough for the samples that headers claim: first for the image data, then for
 * other acquisitions in the remaining bytes. */
argand_status scan_check_promises(scan_reader *reader)
{
    uint64_t left = 0;
    TRY(check_images(&left, reader));
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        const uint64_t bytes = stored_bytes(scan_head(reader, p));
        if (p->purpose == SCAN_IMAGE || p->dropped) continue;
        if (bytes <= left)
            left -= bytes;
        else
            TRY(scan_spare(
                reader, p,
                status_set(ARGAND_FORMAT, ROW_FORMAT " promises %.6g MB of samples, the file has %.6g MB",
                           ROW(reader, p), (double)bytes / 1e6, (double)reader->file_bytes / 1e6)));
    }
    return ARGAND_OK;
}

/* Returns true if k is stored or can be computed. */
static bool has_k(const scan_reader *reader, const scan_piece *p)
{
    if (scan_head(reader, p)->trajectory_dimensions) return true;
    return p->purpose != SCAN_NOISE &&
           (reader->options.no_trajectory ||
            scan_is_cartesian(&reader->owner->encodings[p->acquisition->encoding]));
}

/* Allocates zeros, in large pages if there are many. */
static argand_status take_floats(float **floats, size_t count)
{
    const size_t bytes = memory_product(count, sizeof **floats);
    TRY(memory_take_pages(floats, bytes));
    memset(*floats, 0, bytes);
    return ARGAND_OK;
}

/* Allocates memory for the kept acquisitions. */
argand_status scan_lay_out(scan_reader *reader)
{
    scan_owner *owner = reader->owner;
    size_t samples = 0, floats = 0;
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        if (p->dropped) continue;
        samples += (size_t)p->acquisition->samples;
        floats += 2 * (size_t)p->acquisition->samples * (size_t)p->acquisition->channels;
    }
    TRY(take_floats(&owner->samples, floats));
    TRY(take_floats(&owner->coordinates, memory_product(samples, 4)));
    float *data = owner->samples, *place = owner->coordinates;
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        argand_acquisition *a = p->acquisition;
        if (p->dropped) continue;
        a->data = p->data = data;
        data += 2 * a->samples * a->channels;
        for (int d = 0; d < 3; d++, place += a->samples) {
            p->k[d] = place;
            if (has_k(reader, p)) a->k[d] = place;
        }
        a->t = p->t = place;
        place += a->samples;
    }
    return ARGAND_OK;
}
