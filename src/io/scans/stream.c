/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads ISMRMRD's messages from a file: https://ismrmrd.github.io/ismrmrd, "MR Data Message Format",
 * version 1. A 2-byte number names the type of each message; all numbers are little-endian. Heads are read
 * first. Samples are read once it is known which are kept. Each size is compared with the rest of the file
 * before it is used. */
#include "io/scans/scans.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/observe.h"

enum {
    MESSAGE_CONFIG_FILE = 1,
    MESSAGE_CONFIG_TEXT = 2,
    MESSAGE_HEADER = 3,
    MESSAGE_CLOSE = 4,
    MESSAGE_TEXT = 5,
    MESSAGE_ACQUISITION = 1008,
    MESSAGE_IMAGE = 1022,
    MESSAGE_WAVEFORM = 1026,
    MESSAGE_ARRAY = 1030
};
enum { CONFIG_FILE_BYTES = 1024, MOST_TEXT = 16 << 20, WAVEFORM_HEAD = 40, MOST_RANK = 16 };

typedef struct stream {
    const char *path;
    int descriptor;
    uint64_t at, size;       /* position in the file and size of the file, bytes */
    long long message;       /* index of the current message, from 0 */
    uint64_t *places;        /* offset of each acquisition's trajectory and samples */
    int64_t count, reserved; /* number of acquisitions; capacity of `places` */
    int64_t images, others;
    bool closed;
} stream;

/* ---- bytes */

static argand_status take(stream *s, void *to, uint64_t bytes, const char *what)
{
    CHECK(bytes <= s->size - s->at, ARGAND_FORMAT,
          "%s: is cut off in message %lld: %s of %llu bytes expected, %llu found. Copy it again", s->path,
          s->message, what, (unsigned long long)bytes, (unsigned long long)(s->size - s->at));
    for (uint64_t done = 0; to && done < bytes;) {
        const ssize_t got =
            pread(s->descriptor, (char *)to + done, (size_t)(bytes - done), (off_t)(s->at + done));
        if (got < 0 && errno == EINTR) continue;
        CHECK(got > 0, ARGAND_FILE, "%s: cannot be read: %s", s->path,
              got ? strerror(errno) : "it was shortened");
        done += (uint64_t)got;
    }
    s->at += bytes;
    return ARGAND_OK;
}

static argand_status skip(stream *s, uint64_t bytes, const char *what)
{
    return take(s, NULL, bytes, what);
}

static uint64_t number_of(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static argand_status take_number(stream *s, uint64_t *value, int bytes, const char *what)
{
    uint8_t raw[8];
    TRY(take(s, raw, (uint64_t)bytes, what));
    *value = number_of(raw, bytes);
    return ARGAND_OK;
}

/* ---- messages */

static argand_status skip_text(stream *s, const char *what)
{
    uint64_t length;
    TRY(take_number(s, &length, 4, "the length of a text"));
    return skip(s, length, what);
}

static argand_status take_header(scan_reader *reader, stream *s)
{
    uint64_t length;
    char *chars;
    CHECK(
        !reader->owner->header.length, ARGAND_UNSUPPORTED,
        "%s: message %lld is a second header: several scans in one stream are not read. Write each to a file",
        s->path, s->message);
    TRY(take_number(s, &length, 4, "the length of the header"));
    CHECK(length && length <= MOST_TEXT, ARGAND_FORMAT, "%s: a header of %.6g MB makes no sense", s->path,
          (double)length / 1e6);
    CHECK(length <= s->size - s->at, ARGAND_FORMAT, "%s: is cut off in its header", s->path);
    TRY(memory_new(&chars, (size_t)length + 1, 1));
    const argand_status status = take(s, chars, length, "the header");
    if (status == ARGAND_OK) text_add(&reader->owner->header, "%s", chars);
    memory_free(chars);
    TRY(status);
    return reader->owner->header.status;
}

static argand_status reserve(scan_reader *reader, stream *s)
{
    int64_t heads = s->reserved;
    TRY(GROW(reader->heads, s->count, heads));
    return GROW(s->places, s->count, s->reserved);
}

static argand_status take_acquisition(scan_reader *reader, stream *s)
{
    uint8_t head[ARGAND_SCAN_MESSAGE_HEAD];
    int64_t trajectory, data;
    CHECK(reader->owner->header.length, ARGAND_FORMAT, "%s: message %lld is an acquisition before the header",
          s->path, s->message);
    TRY(reserve(reader, s));
    TRY(take(s, head, sizeof head, "the head of an acquisition"));
    scan_decode_head(&reader->heads[s->count], head);
    argand_scan_message_sizes(head, &trajectory, &data);
    s->places[s->count++] = s->at;
    return skip(s, (uint64_t)(trajectory + data) * sizeof(float), "an acquisition");
}

static argand_status skip_waveform(stream *s)
{
    uint8_t head[WAVEFORM_HEAD];
    s->others++;
    TRY(take(s, head, sizeof head, "the head of a waveform"));
    return skip(s, 4 * number_of(head + 24, 2) * number_of(head + 26, 2), "a waveform");
}

static argand_status skip_elements(stream *s, uint64_t type, int rank, const uint64_t *dims, const char *what)
{
    static const int sizes[] = {0, 2, 2, 4, 4, 4, 8, 8, 16};
    CHECK(type >= 1 && type <= 8, ARGAND_FORMAT,
          "%s: message %lld is %s of type %llu, which is none of ISMRMRD's", s->path, s->message, what,
          (unsigned long long)type);
    uint64_t bytes = (uint64_t)sizes[type];
    for (int i = 0; i < rank; i++)
        if (__builtin_mul_overflow(bytes, dims[i], &bytes)) bytes = UINT64_MAX;
    return skip(s, bytes, what);
}

static argand_status skip_array(stream *s)
{
    uint64_t type, version, rank, dims[MOST_RANK];
    s->others++;
    TRY(take_number(s, &type, 2, "the type of an array"));
    TRY(take_number(s, &version, 2, "the version of an array"));
    TRY(take_number(s, &rank, 2, "the dimensions of an array"));
    CHECK(rank <= MOST_RANK, ARGAND_FORMAT, "%s: message %lld is an array of %llu dimensions", s->path,
          s->message, (unsigned long long)rank);
    for (uint64_t i = 0; i < rank; i++) TRY(take_number(s, &dims[i], 8, "the dimensions of an array"));
    return skip_elements(s, type, (int)rank, dims, "an array");
}

/* Skips an image. Its head is version, type, flags, measurement, then matrix and channels. */
static argand_status skip_image(stream *s)
{
    uint8_t head[ARGAND_SCAN_IMAGE_HEAD];
    uint64_t attributes, dims[4];
    s->images++;
    TRY(take(s, head, sizeof head, "the head of an image"));
    for (int i = 0; i < 3; i++) dims[i] = number_of(head + 16 + 2 * i, 2);
    dims[3] = number_of(head + 34, 2);
    TRY(take_number(s, &attributes, 8, "the length of an image's attributes"));
    TRY(skip(s, attributes, "an image's attributes"));
    return skip_elements(s, number_of(head + 2, 2), 4, dims, "an image");
}

static argand_status take_message(scan_reader *reader, stream *s, uint64_t id)
{
    switch (id) {
    case MESSAGE_CONFIG_FILE:
        return skip(s, CONFIG_FILE_BYTES, "the name of a configuration");
    case MESSAGE_CONFIG_TEXT:
        return skip_text(s, "a configuration");
    case MESSAGE_HEADER:
        return take_header(reader, s);
    case MESSAGE_TEXT:
        s->others++;
        return skip_text(s, "a text");
    case MESSAGE_ACQUISITION:
        return take_acquisition(reader, s);
    case MESSAGE_IMAGE:
        return skip_image(s);
    case MESSAGE_WAVEFORM:
        return skip_waveform(s);
    case MESSAGE_ARRAY:
        return skip_array(s);
    }
    return status_set(ARGAND_FORMAT,
                      "%s: message %lld has the number %llu, which is none of ISMRMRD's. It is damaged",
                      s->path, s->message, (unsigned long long)id);
}

static argand_status take_messages(scan_reader *reader, stream *s)
{
    while (!s->closed && s->at < s->size) {
        uint64_t id;
        TRY(take_number(s, &id, 2, "the number of a message"));
        s->closed = id == MESSAGE_CLOSE;
        if (!s->closed) TRY(take_message(reader, s, id));
        s->message++;
    }
    return ARGAND_OK;
}

static void tell(scan_reader *reader, const stream *s)
{
    if (!s->closed)
        scan_note(reader, "The stream has no closing message: data after message %lld may be missing.",
                  s->message);
    else if (s->at < s->size)
        scan_note(reader, "%llu bytes after the stream's closing message are left out.",
                  (unsigned long long)(s->size - s->at));
    if (s->images) scan_note(reader, "%lld images of the stream are left out.", (long long)s->images);
    if (s->others)
        scan_note(reader, "%lld waveforms, arrays and texts of the stream are left out.",
                  (long long)s->others);
}

/* ---- samples */

static argand_status take_samples(scan_reader *reader, stream *s)
{
    float *numbers = NULL;
    int64_t most = 0;
    argand_status status = ARGAND_OK;
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count && status == ARGAND_OK; p++) {
        const ismrmrd_head *head = scan_head(reader, p);
        const int64_t trajectory = (int64_t)head->number_of_samples * head->trajectory_dimensions,
                      data = (int64_t)2 * head->number_of_samples * head->active_channels;
        if (p->dropped) continue;
        if (trajectory + data > most) {
            memory_free(numbers);
            numbers = NULL;
            most = trajectory + data;
            TRY_OR_DONE(NEW(numbers, most));
        }
        s->at = s->places[p->row];
        TRY_OR_DONE(take(s, numbers, (uint64_t)(trajectory + data) * sizeof *numbers, "an acquisition"));
        TRY_OR_DONE(observe("reading samples", (double)(p - reader->pieces) / (double)reader->count));
        const hvl_t stored = {(size_t)data, numbers + trajectory}, positions = {(size_t)trajectory, numbers};
        status = scan_place_samples(reader, p, &stored, &positions);
    }
done:
    memory_free(numbers);
    return status;
}

static argand_status read_open(scan_reader *reader, stream *s)
{
    TRY(take_messages(reader, s));
    CHECK(reader->owner->header.length, ARGAND_FORMAT,
          "%s: is a stream of ISMRMRD's messages without a header", s->path);
    CHECK(s->count, ARGAND_FORMAT, "%s: is a stream of %lld images and no acquisitions: it holds no raw data",
          s->path, (long long)s->images);
    tell(reader, s);
    TRY(scan_parse_header(reader));
    reader->row_count = (hsize_t)s->count;
    reader->file_bytes = s->size;
    TRY(scan_choose_heads(reader));
    TRY(take_samples(reader, s));
    return scan_finish(reader);
}

argand_status scan_read_stream(scan_reader *reader)
{
    struct stat found;
    stream s = {.path = reader->path, .descriptor = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    CHECK(s.descriptor >= 0, ARGAND_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
    argand_status status = ARGAND_OK;
    CHECK_OR_DONE(!fstat(s.descriptor, &found), ARGAND_FILE, "%s: cannot be read: %s", reader->path,
                  strerror(errno));
    s.size = (uint64_t)found.st_size;
    status = read_open(reader, &s);
done:
    close(s.descriptor);
    memory_free(s.places);
    return status;
}

/* ---- recognising a stream */

/* Returns true if the bytes start like a header: XML, perhaps after a byte order mark. */
static bool is_markup(const uint8_t *bytes, size_t count)
{
    size_t at = count >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (at < count && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t'))
        at++;
    return at < count && bytes[at] == '<';
}

/* Returns true if a header, or a text followed by one, starts at this position of the file. */
static bool begins_at(int descriptor, uint64_t at, int deep)
{
    uint8_t bytes[64];
    const ssize_t count = pread(descriptor, bytes, sizeof bytes, (off_t)at);
    if (count < 8 || deep > 4) return false;
    const uint64_t id = number_of(bytes, 2), length = number_of(bytes + 2, 4);
    if (id == MESSAGE_HEADER) return is_markup(bytes + 6, (size_t)count - 6);
    if (id == MESSAGE_CONFIG_FILE) return begins_at(descriptor, at + 2 + CONFIG_FILE_BYTES, deep + 1);
    if (id == MESSAGE_CONFIG_TEXT || id == MESSAGE_TEXT)
        return length <= MOST_TEXT && begins_at(descriptor, at + 6 + length, deep + 1);
    return false;
}

bool scan_is_stream(const char *path)
{
    struct stat found;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return false;
    const bool is_stream =
        !fstat(descriptor, &found) && S_ISREG(found.st_mode) && begins_at(descriptor, 0, 0);
    close(descriptor);
    return is_stream;
}
