/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a twix measurement. Each has a measurement data header (MDH) of 192 bytes, then for each
 * channel a header of 32 bytes and samples (VD, VE, XA); or an MDH of 128 bytes before the samples of each
 * channel (VB). An MDH with the bit ACQEND ends the measurement. */
#include "io/twix/twix.h"

#include "base/memory.h"

enum { HEAD = 192, CHANNEL_HEAD = 32, OLD_HEAD = 128, SAMPLE = 8 };
static const uint32_t dma_length = 0x1ffffff, packed_lines = 0x2000000;

/* ---- one line */

static uint16_t take16(const uint8_t **at)
{
    *at += 2;
    return (uint16_t)twix_number(*at - 2, 2);
}

static uint32_t take32(const uint8_t **at)
{
    *at += 4;
    return (uint32_t)twix_number(*at - 4, 4);
}

static void take_floats(float *to, int count, const uint8_t **at)
{
    for (int i = 0; i < count; i++) {
        const uint32_t bits = take32(at);
        memcpy(&to[i], &bits, sizeof bits);
    }
}

/* Decodes an MDH; VD's has the position of the table in its middle, and the slice before the parameters. */
static void decode(twix_line *l, const uint8_t *at, bool old)
{
    uint32_t *const first[] = {&l->bytes, &l->uid, &l->counter, &l->time_stamp, &l->physiology};
    *l = (twix_line){0};
    for (int i = 0; i < 5; i++) *first[i] = take32(&at);
    if (!old) {
        at += 4;
        for (int i = 0; i < 3; i++) l->table[i] = (float)(int32_t)take32(&at);
        at += 4;
    }
    l->mask = take32(&at);
    l->mask |= (uint64_t)take32(&at) << 32;
    l->samples = take16(&at);
    l->channels = take16(&at);
    for (int i = 0; i < 14; i++) l->counters[i] = take16(&at);
    l->cut_pre = take16(&at);
    l->cut_post = take16(&at);
    l->centre_column = take16(&at);
    at += 6; /* coil selection, off-centre of the readout */
    l->since_pulse = take32(&at);
    l->centre_line = take16(&at);
    l->centre_partition = take16(&at);
    for (int i = 0; i < 8 && old; i++) l->ice[i] = take16(&at);
    take_floats(l->position, 3, &at);
    take_floats(l->quaternion, 4, &at);
    for (int i = 0; i < 24 && !old; i++) l->ice[i] = take16(&at);
}

static bool has(const twix_line *l, int bit)
{
    return l->mask >> bit & 1;
}

static uint64_t flags_of(const twix_line *l)
{
    static const struct {
        int bit, flag;
    } same[] = {{TWIX_NOISE, ISMRMRD_NOISE},
                {TWIX_REFLECT, ISMRMRD_REVERSE},
                {TWIX_HP_FEEDBACK, ISMRMRD_HP_FEEDBACK},
                {TWIX_DUMMY, ISMRMRD_DUMMY},
                {TWIX_STABILIZATION_REFERENCE, ISMRMRD_PHASE_STABILIZATION_REFERENCE},
                {TWIX_STABILIZATION, ISMRMRD_PHASE_STABILIZATION},
                {TWIX_FIRST_IN_SLICE, ISMRMRD_FIRST_IN_SLICE},
                {TWIX_LAST_IN_SLICE, ISMRMRD_LAST_IN_SLICE},
                {TWIX_LAST_IN_MEASUREMENT, ISMRMRD_LAST_IN_REPETITION},
                {TWIX_LAST_IN_MEASUREMENT, ISMRMRD_LAST_IN_MEASUREMENT},
                {TWIX_RETRO_END, ISMRMRD_LAST_IN_MEASUREMENT}};
    uint64_t flags = 0;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (has(l, same[i].bit)) flags |= ismrmrd_flag(same[i].flag);
    if (has(l, TWIX_REFERENCE_AND_IMAGE))
        flags |= ismrmrd_flag(ISMRMRD_CALIBRATION_AND_IMAGING);
    else if (has(l, TWIX_REFERENCE))
        flags |= ismrmrd_flag(ISMRMRD_CALIBRATION);
    /* Reference lines of EPI are feedback as well; other feedback lines are navigators. */
    if (has(l, TWIX_PHASE_CORRECTION))
        flags |= ismrmrd_flag(ISMRMRD_PHASE_CORRECTION);
    else if (has(l, TWIX_RT_FEEDBACK))
        flags |= ismrmrd_flag(ISMRMRD_NAVIGATION);
    return flags;
}

/* Computes the directions from the quaternion (w, x, y, z): the columns of its matrix are phase, read,
 * slice. */
static void set_directions(ismrmrd_head *h, const float q[4])
{
    const float w = q[0], x = q[1], y = q[2], z = q[3];
    const float phase[] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)};
    const float read[] = {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)};
    const float slice[] = {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)};
    memcpy(h->phase_dir, phase, sizeof phase);
    memcpy(h->read_dir, read, sizeof read);
    memcpy(h->slice_dir, slice, sizeof slice);
}

/* Fills ISMRMRD's head as siemens_to_ismrmrd does, but for the flags. */
static void describe(ismrmrd_head *h, const twix_line *l, int channels)
{
    const uint16_t *c = l->counters;
    *h = (ismrmrd_head){
        .version = 1,
        .flags = flags_of(l),
        .measurement_uid = l->uid,
        .scan_counter = l->counter,
        .acquisition_time_stamp = l->time_stamp,
        .physiology_time_stamp = {l->physiology},
        .number_of_samples = l->samples,
        .available_channels = (uint16_t)channels,
        .active_channels = (uint16_t)channels,
        .discard_pre = l->cut_pre,
        .discard_post = l->cut_post,
        .center_sample = l->centre_column,
        .idx = {.kspace_encode_step_1 = c[0],
                .kspace_encode_step_2 = c[3],
                .average = c[1],
                .slice = c[2],
                .contrast = c[4],
                .phase = c[5],
                .repetition = c[6],
                .set = c[7],
                .segment = c[8],
                .user = {c[9], c[10], c[11], c[12], c[13], l->centre_line, l->centre_partition}}};
    memcpy(h->position, l->position, sizeof h->position);
    memcpy(h->patient_table_position, l->table, sizeof l->table);
    set_directions(h, l->quaternion);
    for (int i = 0; i < 7; i++) h->user_int[i] = l->ice[i];
    h->user_int[7] = (int32_t)l->since_pulse;
    for (int i = 0; i < 8; i++) h->user_float[i] = l->ice[8 + i];
}

/* ---- all lines */

static argand_status reserve(scan_reader *reader, twix_file *file)
{
    const int64_t count = (int64_t)reader->row_count;
    int64_t heads = file->reserved;
    TRY(GROW(reader->heads, count, heads));
    return GROW(file->places, count, file->reserved);
}

/* Returns the bytes of a line, computed from its samples: the DMA length is that of several lines if they
 * are packed, as in EPI. Blocks without samples have no other length. */
static argand_status line_bytes(uint64_t *bytes, const twix_file *file, const twix_line *l, uint64_t at)
{
    const uint64_t dma = l->bytes & dma_length, head = file->old ? OLD_HEAD : HEAD;
    const uint64_t channel = (file->old ? OLD_HEAD : CHANNEL_HEAD) + (uint64_t)SAMPLE * l->samples;
    *bytes = dma;
    if (has(l, TWIX_SYNC)) {
        CHECK(dma >= head, ARGAND_FORMAT,
              "%s: the SYNCDATA block at byte %llu has %llu bytes (ulDMALength); its head alone has %llu. "
              "The file is damaged",
              file->path, (unsigned long long)at, (unsigned long long)dma, (unsigned long long)head);
        return ARGAND_OK;
    }
    CHECK(l->samples && l->channels, ARGAND_FORMAT,
          "%s: the line at byte %llu has %d samples (ushSamplesInScan) of %d channels (ushUsedChannels). The "
          "file is damaged",
          file->path, (unsigned long long)at, l->samples, l->channels);
    *bytes = (file->old ? 0 : HEAD) + channel * l->channels;
    /* The length has 25 bits, those of a larger line are cut off. */
    CHECK(file->old || l->bytes & packed_lines || dma >= *bytes || *bytes > dma_length, ARGAND_FORMAT,
          "%s: the line at byte %llu has %llu bytes (ulDMALength), but its %d samples (ushSamplesInScan) of "
          "%d channels (ushUsedChannels) need %llu. The file is damaged",
          file->path, (unsigned long long)at, (unsigned long long)dma, l->samples, l->channels,
          (unsigned long long)*bytes);
    return ARGAND_OK;
}

static argand_status keep_line(scan_reader *reader, twix_file *file, const twix_line *l, uint64_t at,
                               bool of_noise)
{
    TRY(reserve(reader, file));
    const int channels = of_noise && file->noise_channels ? file->channels : l->channels;
    describe(&reader->heads[reader->row_count], l, channels);
    file->places[reader->row_count++] =
        (twix_place){.at = at + (file->old ? 0 : HEAD), .of_noise = of_noise, .stored = l->channels};
    return ARGAND_OK;
}

argand_status twix_read_lines(scan_reader *reader, twix_file *file, int measurement, bool noise_only)
{
    const twix_measurement *m = &file->measurements[measurement];
    const uint64_t head = file->old ? OLD_HEAD : HEAD;
    uint64_t bytes, at = m->first_line;
    uint8_t raw[HEAD];
    twix_line l;
    file->cut = true;
    for (int64_t n = 0; at <= m->end && head <= m->end - at; at += bytes, n++) {
        TRY(twix_take(file, raw, at, head, "the head of a line"));
        decode(&l, raw, file->old);
        file->cut = !has(&l, TWIX_END);
        if (!file->cut) break;
        if (!l.bytes && !l.mask && !l.samples && !l.channels) break; /* padding: the end is not marked */
        TRY(line_bytes(&bytes, file, &l, at));
        if (bytes > m->end - at) break;
        file->syncs += has(&l, TWIX_SYNC) && !noise_only;
        if (has(&l, TWIX_SYNC) || (noise_only && !has(&l, TWIX_NOISE))) continue;
        TRY(keep_line(reader, file, &l, at, noise_only));
    }
    return ARGAND_OK;
}
