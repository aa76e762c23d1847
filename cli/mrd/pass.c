/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over the messages of a stream, for those who keep their bytes or do not need them. Sizes are what
 * the stream claims: nothing is allocated for them here. */
#include "mrd/mrd.h"

enum { WAVEFORM_HEAD = 40, MOST_RANK = 16, DATA_TYPES = 8 };

static uint64_t number_of(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

argand_status mrd_number(const mrd_source *s, uint64_t *number, int bytes)
{
    uint8_t raw[8];
    *number = 0;
    TRY(s->read(s->context, raw, (size_t)bytes));
    *number = number_of(raw, bytes);
    return ARGAND_OK;
}

static argand_status pass_text(const mrd_source *s)
{
    uint64_t length;
    TRY(mrd_number(s, &length, 4));
    if (length > MRD_MOST_TEXT)
        return report_error(ARGAND_FORMAT, "%s: a text of %.6g MB is too long; the stream is damaged",
                            s->name, (double)length / 1e6);
    return s->skip(s->context, length);
}

static argand_status pass_acquisition(const mrd_source *s)
{
    uint8_t head[ARGAND_SCAN_MESSAGE_HEAD];
    int64_t trajectory, data;
    TRY(s->read(s->context, head, sizeof head));
    argand_scan_message_sizes(head, &trajectory, &data);
    return s->skip(s->context, (uint64_t)(trajectory + data) * sizeof(float));
}

static argand_status pass_waveform(const mrd_source *s)
{
    uint8_t head[WAVEFORM_HEAD];
    TRY(s->read(s->context, head, sizeof head));
    return s->skip(s->context, 4 * number_of(head + 24, 2) * number_of(head + 26, 2));
}

/* Passes over numbers of ISMRMRD's data type. Claims beyond 64 bits cannot arrive. */
static argand_status pass_numbers(const mrd_source *s, const char *what, uint64_t type, uint64_t count)
{
    static const int sizes[DATA_TYPES + 1] = {0, 2, 2, 4, 4, 4, 8, 8, 16};
    uint64_t bytes;
    if (type < 1 || type > DATA_TYPES)
        return report_error(ARGAND_FORMAT,
                            "%s: %s has type %d, which ISMRMRD does not define; the stream is damaged",
                            s->name, what, (int)type);
    if (__builtin_mul_overflow(count, (uint64_t)sizes[type], &bytes)) bytes = UINT64_MAX;
    return s->skip(s->context, bytes);
}

static argand_status pass_array(const mrd_source *s)
{
    uint64_t type, version, rank, dim, count = 1;
    TRY(mrd_number(s, &type, 2));
    TRY(mrd_number(s, &version, 2));
    TRY(mrd_number(s, &rank, 2));
    if (rank > MOST_RANK)
        return report_error(ARGAND_FORMAT,
                            "%s: an array has type %d and %d dimensions, which ISMRMRD does not define; the "
                            "stream is damaged",
                            s->name, (int)type, (int)rank);
    for (uint64_t i = 0; i < rank; i++) {
        TRY(mrd_number(s, &dim, 8));
        if (__builtin_mul_overflow(count, dim, &count)) count = UINT64_MAX;
    }
    return pass_numbers(s, "an array", type, count);
}

/* Passes over an image. Its head is version, type, flags, measurement, matrix, field of view, channels. */
static argand_status pass_image(const mrd_source *s)
{
    uint8_t head[ARGAND_SCAN_IMAGE_HEAD];
    uint64_t attributes;
    TRY(s->read(s->context, head, sizeof head));
    TRY(mrd_number(s, &attributes, 8));
    TRY(s->skip(s->context, attributes));
    const uint64_t count =
        number_of(head + 16, 2) * number_of(head + 18, 2) * number_of(head + 20, 2) * number_of(head + 34, 2);
    return pass_numbers(s, "an image", number_of(head + 2, 2), count);
}

argand_status mrd_pass(const mrd_source *s, int message)
{
    switch (message) {
    case MRD_CONFIG_FILE:
        return s->skip(s->context, MRD_CONFIG_FILE_BYTES);
    case MRD_CONFIG_TEXT:
    case MRD_HEADER:
    case MRD_TEXT:
        return pass_text(s);
    case MRD_ACQUISITION:
        return pass_acquisition(s);
    case MRD_WAVEFORM:
        return pass_waveform(s);
    case MRD_ARRAY:
        return pass_array(s);
    case MRD_IMAGE:
        return pass_image(s);
    }
    return report_error(ARGAND_FORMAT, "%s: sent a message %d, which is none of ISMRMRD's", s->name, message);
}
