/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_scan_write_messages: a scan as a stream of ISMRMRD's messages, for `argand convert SCAN.h5 -`.
 * https://ismrmrd.github.io/ismrmrd, "MR Data Message Format", version 1. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/ismrmrd/write.h"

enum { HEADER = 3, CLOSE = 4, ACQUISITION = 1008 };

typedef struct receiver {
    argand_status (*write)(void *context, const void *bytes, size_t count);
    void *context;
} receiver;

static argand_status give(const receiver *to, const void *bytes, size_t count)
{
    return count ? to->write(to->context, bytes, count) : ARGAND_OK;
}

/* ---- heads as bytes */

static void put(uint8_t **at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) *(*at)++ = (uint8_t)(value >> (8 * i));
}

static void put_floats(uint8_t **at, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put(at, bits, 4);
    }
}

static void put_counters(uint8_t **at, const ismrmrd_counters *c)
{
    const uint16_t all[] = {c->kspace_encode_step_1,
                            c->kspace_encode_step_2,
                            c->average,
                            c->slice,
                            c->contrast,
                            c->phase,
                            c->repetition,
                            c->set,
                            c->segment};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) put(at, all[i], 2);
    for (int i = 0; i < 8; i++) put(at, c->user[i], 2);
}

/* The inverse of scan_decode_head. */
static void encode_head(uint8_t bytes[ARGAND_SCAN_MESSAGE_HEAD], const ismrmrd_head *h)
{
    uint8_t *at = bytes;
    put(&at, h->version, 2);
    put(&at, h->flags, 8);
    put(&at, h->measurement_uid, 4);
    put(&at, h->scan_counter, 4);
    put(&at, h->acquisition_time_stamp, 4);
    for (int i = 0; i < 3; i++) put(&at, h->physiology_time_stamp[i], 4);
    put(&at, h->number_of_samples, 2);
    put(&at, h->available_channels, 2);
    put(&at, h->active_channels, 2);
    for (int i = 0; i < 16; i++) put(&at, h->channel_mask[i], 8);
    const uint16_t rest[] = {h->discard_pre, h->discard_post, h->center_sample, h->encoding_space_ref,
                             h->trajectory_dimensions};
    for (int i = 0; i < 5; i++) put(&at, rest[i], 2);
    put_floats(&at, &h->sample_time_us, 1);
    const float *const places[] = {h->position, h->read_dir, h->phase_dir, h->slice_dir,
                                   h->patient_table_position};
    for (int i = 0; i < 5; i++) put_floats(&at, places[i], 3);
    put_counters(&at, &h->idx);
    for (int i = 0; i < 8; i++) put(&at, (uint32_t)h->user_int[i], 4);
    put_floats(&at, h->user_float, 8);
}

/* ---- messages */

static argand_status give_number(const receiver *to, uint64_t number, int bytes)
{
    uint8_t raw[8], *at = raw;
    put(&at, number, bytes);
    return give(to, raw, (size_t)bytes);
}

static argand_status give_header(const receiver *to, const argand_scan *scan)
{
    text xml = {0};
    argand_status status;
    TRY_OR_DONE(scan_make_header(&xml, scan));
    TRY_OR_DONE(give_number(to, HEADER, 2));
    TRY_OR_DONE(give_number(to, xml.length, 4));
    status = give(to, text_chars(&xml), xml.length);
done:
    text_free(&xml);
    return status;
}

static argand_status give_acquisition(const receiver *to, const scan_written *w, int64_t number)
{
    ismrmrd_row row;
    uint8_t head[ARGAND_SCAN_MESSAGE_HEAD];
    float *buffer;
    argand_status status;
    TRY(NEW(buffer, scan_written_floats(w->acquisition)));
    scan_written_row(&row, buffer, w, number);
    encode_head(head, &row.head);
    TRY_OR_DONE(give_number(to, ACQUISITION, 2));
    TRY_OR_DONE(give(to, head, sizeof head));
    TRY_OR_DONE(give(to, row.traj.p, row.traj.len * sizeof(float)));
    status = give(to, row.data.p, row.data.len * sizeof(float));
done:
    memory_free(buffer);
    return status;
}

/* ---- their order */

typedef struct placed {
    int64_t row, index;
} placed;

static int by_row(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static argand_status give_acquisitions(const receiver *to, const argand_scan *scan)
{
    const int64_t count = scan_written_count(scan);
    placed *order;
    argand_status status = ARGAND_OK;
    TRY(NEW(order, count));
    for (int64_t i = 0; i < count; i++) order[i] = (placed){scan_written_at(scan, i).acquisition->row, i};
    qsort(order, (size_t)count, sizeof *order, by_row);
    for (int64_t i = 0; i < count && status == ARGAND_OK; i++) {
        const scan_written w = scan_written_at(scan, order[i].index);
        status = give_acquisition(to, &w, i);
    }
    memory_free(order);
    return status;
}

argand_status argand_scan_write_messages(const argand_scan *scan,
                                         argand_status (*write)(void *context, const void *bytes,
                                                                size_t count),
                                         void *context)
{
    CHECK(scan && write, ARGAND_ARGUMENT, "argand_scan_write_messages: scan and write must not be NULL");
    const receiver to = {write, context};
    TRY(scan_check_writable(scan));
    TRY(give_header(&to, scan));
    TRY(give_acquisitions(&to, scan));
    return give_number(&to, CLOSE, 2);
}
