/* SPDX-License-Identifier: BSD-3-Clause */
/* The measurements of a twix file. Files of VB hold one. Files of VD, VE and XA begin with a table of
 * measurements: 0, their number, then 152 bytes for each. A measurement begins with its header: length,
 * number of texts, then each text's name, length and characters. */
#include "io/twix/twix.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/memory.h"

enum { TABLE_HEAD = 8, TABLE_ENTRY = 152, MOST_TEXTS = 64, LONGEST_NAME = 48 };
static const uint32_t most_header = UINT32_C(64) << 20;
/* Every value is searched for from the beginning, so that a huge text would take minutes. Real ones have less
 * than 1 MB. */
static const uint32_t most_protocol = UINT32_C(8) << 20;

uint64_t twix_number(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

argand_status twix_take(const twix_file *file, void *to, uint64_t at, uint64_t bytes, const char *what)
{
    CHECK(at <= file->size && bytes <= file->size - at, ARGAND_FORMAT,
          "%s: is cut off: %s of %llu bytes is expected at byte %llu, but the file has %llu. Copy it again",
          file->path, what, (unsigned long long)bytes, (unsigned long long)at,
          (unsigned long long)file->size);
    for (uint64_t done = 0; done < bytes;) {
        const ssize_t got =
            pread(file->descriptor, (char *)to + done, (size_t)(bytes - done), (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        CHECK(got > 0, ARGAND_FILE, "%s: cannot be read: %s", file->path,
              got ? strerror(errno) : "it was shortened");
        done += (uint64_t)got;
    }
    return ARGAND_OK;
}

/* ---- the table */

static argand_status take_entry(twix_file *file, int i)
{
    uint8_t bytes[TABLE_ENTRY];
    twix_measurement *m = &file->measurements[i];
    TRY(twix_take(file, bytes, TABLE_HEAD + (uint64_t)TABLE_ENTRY * (uint64_t)i, sizeof bytes,
                  "the table of measurements"));
    const uint64_t at = twix_number(bytes + 8, 8), length = twix_number(bytes + 16, 8);
    CHECK(at >= TABLE_HEAD && at < file->size, ARGAND_FORMAT,
          "%s: measurement %d begins at byte %llu (off_ of the table), but the file has %llu. It is damaged "
          "or cut off: copy it again",
          file->path, i + 1, (unsigned long long)at, (unsigned long long)file->size);
    /* The length of a scan that was interrupted may be 0 or too large. */
    m->at = at;
    m->end = !length || length > file->size - at ? file->size : at + length;
    return ARGAND_OK;
}

argand_status twix_find_measurements(twix_file *file)
{
    uint8_t head[TABLE_HEAD];
    TRY(twix_take(file, head, 0, sizeof head, "the head of the file"));
    const uint64_t first = twix_number(head, 4), second = twix_number(head + 4, 4);
    file->old = first != 0;
    file->count = file->old ? 1 : (int)(second <= TWIX_MOST_MEASUREMENTS ? second : 0);
    CHECK(file->count > 0, ARGAND_FORMAT,
          "%s: its table says %llu measurements (count_): 1 to %d are read. It is damaged", file->path,
          (unsigned long long)second, TWIX_MOST_MEASUREMENTS);
    TRY(NEW(file->measurements, file->count));
    file->measurements[0] = (twix_measurement){.end = file->size};
    for (int i = 0; i < file->count && !file->old; i++) TRY(take_entry(file, i));
    return ARGAND_OK;
}

argand_status twix_choose(twix_file *file, const char *name)
{
    file->image = file->count - 1;
    file->noise = -1;
    if (!name || !strcmp(name, "dataset")) return ARGAND_OK; /* the default */
    char *end;
    const long number = strtol(name, &end, 10);
    CHECK(*name && !*end && number >= 1 && number <= file->count, ARGAND_ARGUMENT,
          "%s: there is no measurement \"%s\": the group of a Siemens raw file is a number from 1 to %d",
          file->path, name, file->count);
    file->image = (int)number - 1;
    return ARGAND_OK;
}

/* ---- a measurement's header */

/* Keeps the places of the texts that are used. ASCCONV is also a part of "Phoenix". */
static void keep_text(twix_protocol *p, const char *name, const char *chars, size_t length)
{
    const bool own = !strcmp(name, "MeasYaps");
    if (own || (!p->yaps && !strcmp(name, "Phoenix"))) {
        p->yaps = chars;
        p->yaps_length = length;
    }
    if (!strcmp(name, "Meas")) {
        p->meas = chars;
        p->meas_length = length;
    }
}

static argand_status find_texts(const twix_file *file, int measurement, size_t length)
{
    twix_protocol *p = &file->measurements[measurement].protocol;
    const uint64_t count = twix_number((const uint8_t *)p->chars + 4, 4);
    size_t at = 8;
    CHECK(count > 0 && count <= MOST_TEXTS, ARGAND_FORMAT,
          "%s: measurement %d: its header has %llu texts; 1 to %d are read. It is damaged", file->path,
          measurement + 1, (unsigned long long)count, MOST_TEXTS);
    for (uint64_t i = 0; i < count; i++) {
        const char *name = p->chars + at, *end = memchr(name, 0, length - at);
        CHECK(end && end > name && end - name <= LONGEST_NAME && length - at - (size_t)(end - name) >= 5,
              ARGAND_FORMAT, "%s: measurement %d: text %llu of its header has no name. It is damaged",
              file->path, measurement + 1, (unsigned long long)i + 1);
        const uint64_t bytes = twix_number((const uint8_t *)end + 1, 4);
        at += (size_t)(end - name) + 5;
        CHECK(bytes <= length - at, ARGAND_FORMAT,
              "%s: measurement %d: text \"%.*s\" of its header has %llu bytes, but %zu are left. It is "
              "damaged",
              file->path, measurement + 1, (int)(end - name), name, (unsigned long long)bytes, length - at);
        keep_text(p, name, p->chars + at, (size_t)bytes);
        at += (size_t)bytes;
    }
    return ARGAND_OK;
}

argand_status twix_read_protocol(const twix_file *file, int measurement)
{
    uint8_t head[4];
    twix_measurement *m = &file->measurements[measurement];
    if (m->protocol.chars) return ARGAND_OK;
    TRY(twix_take(file, head, m->at, sizeof head, "a measurement's header"));
    const uint64_t length = twix_number(head, 4);
    CHECK(length >= 16 && length <= most_header, ARGAND_FORMAT,
          "%s: measurement %d: its header has %llu bytes, which makes no sense. It is damaged", file->path,
          measurement + 1, (unsigned long long)length);
    CHECK(length <= file->size - m->at, ARGAND_FORMAT,
          "%s: is cut off in the header of measurement %d: %llu bytes are expected, %llu are there. Copy it "
          "again",
          file->path, measurement + 1, (unsigned long long)length, (unsigned long long)(file->size - m->at));
    m->first_line = m->at + length;
    TRY(memory_new(&m->protocol.chars, (size_t)length + 1, 1));
    TRY(twix_take(file, m->protocol.chars, m->at, length, "a measurement's header"));
    TRY(find_texts(file, measurement, (size_t)length));
    CHECK(
        m->protocol.yaps, ARGAND_FORMAT,
        "%s: measurement %d: its header has neither \"MeasYaps\" nor \"Phoenix\", so the protocol is unknown",
        file->path, measurement + 1);
    const twix_protocol *p = &m->protocol;
    const size_t longer = p->yaps_length > p->meas_length ? p->yaps_length : p->meas_length;
    CHECK(longer <= most_protocol, ARGAND_FORMAT,
          "%s: measurement %d: the protocol of its header has %zu bytes, at most %u are read. It is damaged",
          file->path, measurement + 1, longer, (unsigned)most_protocol);
    return twix_read_coils(&m->protocol);
}
