/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads scans from ISMRMRD streams (MRD messages), by the same steps as files. The head of an acquisition
 * has the layout of libismrmrd's packed struct, little-endian. */
#include <string.h>

#include "base/memory.h"
#include "io/ismrmrd/scan.h"

static uint64_t take(const uint8_t **at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)(*at)[i] << (8 * i);
    *at += bytes;
    return value;
}

static uint16_t take16(const uint8_t **at)
{
    return (uint16_t)take(at, 2);
}

static void take_floats(float *to, int count, const uint8_t **at)
{
    for (int i = 0; i < count; i++) {
        const uint32_t bits = (uint32_t)take(at, 4);
        memcpy(&to[i], &bits, sizeof bits);
    }
}

static void take_counters(ismrmrd_counters *c, const uint8_t **at)
{
    uint16_t *const all[] = {&c->kspace_encode_step_1,
                             &c->kspace_encode_step_2,
                             &c->average,
                             &c->slice,
                             &c->contrast,
                             &c->phase,
                             &c->repetition,
                             &c->set,
                             &c->segment};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = take16(at);
    for (int i = 0; i < 8; i++) c->user[i] = take16(at);
}

void scan_decode_head(ismrmrd_head *h, const void *bytes)
{
    const uint8_t *at = bytes;
    h->version = take16(&at);
    h->flags = take(&at, 8);
    h->measurement_uid = (uint32_t)take(&at, 4);
    h->scan_counter = (uint32_t)take(&at, 4);
    h->acquisition_time_stamp = (uint32_t)take(&at, 4);
    for (int i = 0; i < 3; i++) h->physiology_time_stamp[i] = (uint32_t)take(&at, 4);
    h->number_of_samples = take16(&at);
    h->available_channels = take16(&at);
    h->active_channels = take16(&at);
    for (int i = 0; i < 16; i++) h->channel_mask[i] = take(&at, 8);
    uint16_t *const rest[] = {&h->discard_pre, &h->discard_post, &h->center_sample, &h->encoding_space_ref,
                              &h->trajectory_dimensions};
    for (int i = 0; i < 5; i++) *rest[i] = take16(&at);
    take_floats(&h->sample_time_us, 1, &at);
    float *const places[] = {h->position, h->read_dir, h->phase_dir, h->slice_dir, h->patient_table_position};
    for (int i = 0; i < 5; i++) take_floats(places[i], 3, &at);
    take_counters(&h->idx, &at);
    for (int i = 0; i < 8; i++) h->user_int[i] = (int32_t)take(&at, 4);
    take_floats(h->user_float, 8, &at);
}

void argand_scan_message_sizes(const void *head, int64_t *trajectory, int64_t *data)
{
    ismrmrd_head h;
    if (!head) return;
    scan_decode_head(&h, head);
    if (trajectory) *trajectory = (int64_t)h.number_of_samples * h.trajectory_dimensions;
    if (data) *data = (int64_t)2 * h.number_of_samples * h.active_channels;
}

void argand_scan_message_describe(const void *head, argand_scan_message_info *info)
{
    ismrmrd_head h;
    if (info) *info = (argand_scan_message_info){0};
    if (!head || !info) return;
    scan_decode_head(&h, head);
    const ismrmrd_counters *c = &h.idx;
    *info = (argand_scan_message_info){.counters = {c->kspace_encode_step_1, c->kspace_encode_step_2,
                                                    c->average, c->slice, c->contrast, c->phase,
                                                    c->repetition, c->set, c->segment},
                                       .flags = h.flags,
                                       .encoding = h.encoding_space_ref,
                                       .is_image = scan_purpose_of(&h) == SCAN_IMAGE};
}

static argand_status take_heads(scan_reader *reader, int64_t count, const argand_scan_message *messages)
{
    TRY(NEW(reader->heads, count));
    reader->row_count = (hsize_t)count;
    for (int64_t i = 0; i < count; i++) {
        int64_t trajectory, data;
        CHECK(messages[i].head && messages[i].data, ARGAND_ARGUMENT,
              "argand_scan_read_messages: message %lld has no head or no data", (long long)i);
        scan_decode_head(&reader->heads[i], messages[i].head);
        argand_scan_message_sizes(messages[i].head, &trajectory, &data);
        CHECK(!trajectory || messages[i].trajectory, ARGAND_ARGUMENT,
              "argand_scan_read_messages: message %lld has no trajectory, but its head says so",
              (long long)i);
        reader->file_bytes += (hsize_t)(trajectory + data) * sizeof(float);
    }
    return scan_choose_heads(reader);
}

static argand_status take_samples(scan_reader *reader, const argand_scan_message *messages)
{
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        int64_t trajectory, data;
        const argand_scan_message *m = &messages[p->row];
        if (p->dropped) continue;
        argand_scan_message_sizes(m->head, &trajectory, &data);
        const hvl_t stored = {(size_t)data, (void *)(uintptr_t)m->data},
                    positions = {(size_t)trajectory, (void *)(uintptr_t)m->trajectory};
        TRY(scan_place_samples(reader, p, &stored, &positions));
    }
    return ARGAND_OK;
}

static argand_status read_all(scan_reader *reader, const char *header, int64_t count,
                              const argand_scan_message *messages)
{
    text_add(&reader->owner->header, "%s", header);
    TRY(reader->owner->header.status);
    TRY(scan_parse_header(reader));
    TRY(take_heads(reader, count, messages));
    TRY(take_samples(reader, messages));
    return scan_finish(reader);
}

argand_status argand_scan_read_messages(argand_scan **scan, const char *name, const char *header,
                                        int64_t count, const argand_scan_message *messages,
                                        const argand_scan_options *options)
{
    if (scan) *scan = NULL;
    CHECK(scan && name && header && messages, ARGAND_ARGUMENT,
          "argand_scan_read_messages: scan, name, header and messages must not be NULL");
    CHECK(count > 0, ARGAND_FORMAT, "%s: holds no acquisitions", name);
    TRY(scan_check_options(options));
    scan_reader reader = {.path = name, .options = options ? *options : (argand_scan_options){0}};
    TRY(NEW(reader.owner, 1));
    const argand_status status = read_all(&reader, header, count, messages);
    memory_free(reader.pieces);
    memory_free(reader.heads);
    scan_publish(reader.owner, name);
    if (status == ARGAND_OK)
        *scan = &reader.owner->scan;
    else
        argand_scan_destroy(&reader.owner->scan);
    return status;
}
