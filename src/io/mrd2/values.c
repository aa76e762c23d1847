/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and skips values by their types: https://microsoft.github.io/yardl/reference/binary. Each size is
 * compared with the rest of the file before it is used. */
#include <errno.h>
#include <unistd.h>

#include "base/size.h"
#include "io/mrd2/mrd2.h"

/* ---- bytes */

static argand_status take_from_disk(const mrd2_file *f, void *to, uint64_t at, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes;) {
        const ssize_t got =
            pread(f->descriptor, (char *)to + done, (size_t)(bytes - done), (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        CHECK(got > 0, ARGAND_FILE, "%s: cannot be read: %s", f->path,
              got ? strerror(errno) : "it was shortened");
        done += (uint64_t)got;
    }
    return ARGAND_OK;
}

/* Makes sure that a few bytes at the position are kept. */
static argand_status keep(mrd2_file *f, uint64_t bytes)
{
    if (f->at >= f->kept_at && f->at + bytes <= f->kept_at + f->kept_count) return ARGAND_OK;
    const uint64_t left = f->size - f->at, count = left < sizeof f->kept ? left : sizeof f->kept;
    f->kept_count = 0;
    TRY(take_from_disk(f, f->kept, f->at, count));
    f->kept_at = f->at;
    f->kept_count = (size_t)count;
    return ARGAND_OK;
}

argand_status mrd2_take(mrd2_file *f, void *to, uint64_t bytes, const char *what)
{
    CHECK(bytes <= f->size - f->at, ARGAND_FORMAT,
          "%s: is cut off or damaged: %s of %llu bytes is expected at byte %llu, but the file has %llu. Copy "
          "it again",
          f->path, what, (unsigned long long)bytes, (unsigned long long)f->at, (unsigned long long)f->size);
    if (to && bytes > sizeof f->kept / 4)
        TRY(take_from_disk(f, to, f->at, bytes));
    else if (to) {
        TRY(keep(f, bytes));
        memcpy(to, f->kept + (f->at - f->kept_at), bytes);
    }
    f->at += bytes;
    return ARGAND_OK;
}

argand_status mrd2_take_whole(uint64_t *value, mrd2_file *f)
{
    *value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        uint8_t byte = 0;
        TRY(mrd2_take(f, &byte, 1, "a number"));
        if (shift < 64) *value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128)) return ARGAND_OK;
    }
    return status_set(ARGAND_FORMAT, "%s: the number at byte %llu does not end. The file is damaged", f->path,
                      (unsigned long long)f->at);
}

static argand_status take_signed(int64_t *value, mrd2_file *f)
{
    uint64_t zigzag;
    TRY(mrd2_take_whole(&zigzag, f));
    *value = (int64_t)(zigzag >> 1 ^ (~(zigzag & 1) + 1));
    return ARGAND_OK;
}

/* ---- values that are used */

argand_status mrd2_take_case(const mrd2_part **chosen, mrd2_file *f, const mrd2_type **type)
{
    uint64_t index;
    *chosen = NULL;
    if ((*type)->kind != MRD2_UNION) return ARGAND_OK;
    TRY(mrd2_take_whole(&index, f));
    CHECK(index < (uint64_t)(*type)->part_count, ARGAND_FORMAT,
          "%s: case %llu of a union of %d at byte %llu. The file is damaged", f->path,
          (unsigned long long)index, (*type)->part_count, (unsigned long long)f->at);
    *chosen = &(*type)->parts[index];
    *type = (*chosen)->type;
    return ARGAND_OK;
}

static double from_bytes(const uint8_t *bytes, int size)
{
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) bits |= (uint64_t)bytes[i] << 8 * i;
    if (size == 1) return (double)bits;
    if (size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
}

argand_status mrd2_take_number(double *value, mrd2_file *f, const mrd2_type *type)
{
    uint8_t bytes[8];
    int64_t number;
    uint64_t whole;
    switch (type->kind) {
    case MRD2_WHOLE:
        TRY(mrd2_take_whole(&whole, f));
        *value = (double)whole;
        return ARGAND_OK;
    case MRD2_SIGNED:
        TRY(take_signed(&number, f));
        *value = (double)number;
        return ARGAND_OK;
    default:
        CHECK(type->kind == MRD2_BYTES && type->name[0] != 'c', ARGAND_UNSUPPORTED,
              "%s: a number is expected at byte %llu, but the schema has another type there", f->path,
              (unsigned long long)f->at);
        TRY(mrd2_take(f, bytes, (uint64_t)type->size, "a number"));
        *value = from_bytes(bytes, type->size);
        return ARGAND_OK;
    }
}

argand_status mrd2_take_string(char *chars, size_t size, mrd2_file *f)
{
    uint64_t length;
    TRY(mrd2_take_whole(&length, f));
    CHECK(length < size, ARGAND_FORMAT, "%s: a text of %.6g MB at byte %llu makes no sense", f->path,
          (double)length / 1e6, (unsigned long long)f->at);
    TRY(mrd2_take(f, chars, length, "a text"));
    chars[length] = 0;
    return ARGAND_OK;
}

argand_status mrd2_take_length(uint64_t *length, mrd2_file *f, const mrd2_type *type)
{
    *length = type->length;
    if (!*length) TRY(mrd2_take_whole(length, f));
    CHECK(*length <= f->size - f->at, ARGAND_FORMAT,
          "%s: is cut off or damaged: a list of %llu elements at byte %llu of %llu", f->path,
          (unsigned long long)*length, (unsigned long long)f->at, (unsigned long long)f->size);
    return ARGAND_OK;
}

argand_status mrd2_take_dims(uint64_t dims[MRD2_MOST_RANK], int *rank, mrd2_file *f, const mrd2_type *type)
{
    uint64_t count = (uint64_t)type->rank;
    if (type->rank < 0) TRY(mrd2_take_whole(&count, f));
    CHECK(count <= MRD2_MOST_RANK, ARGAND_FORMAT, "%s: an array of %llu dimensions at byte %llu", f->path,
          (unsigned long long)count, (unsigned long long)f->at);
    *rank = (int)count;
    for (int i = 0; i < *rank; i++) {
        dims[i] = type->rank < 0 ? 0 : type->dims[i];
        if (!dims[i]) TRY(mrd2_take_whole(&dims[i], f));
    }
    return ARGAND_OK;
}

/* ---- values that are not used */

static argand_status skip_many(mrd2_file *f, const mrd2_type *item, uint64_t count, int depth)
{
    size_t bytes;
    if (item->kind == MRD2_BYTES) {
        size_multiply(&bytes, (size_t)count, (size_t)item->size);
        return mrd2_take(f, NULL, bytes, "an array");
    }
    for (uint64_t i = 0; i < count; i++) TRY(mrd2_skip(f, item, depth));
    return ARGAND_OK;
}

static argand_status skip_array(mrd2_file *f, const mrd2_type *type, int depth)
{
    uint64_t dims[MRD2_MOST_RANK];
    size_t count = 1;
    int rank;
    TRY(mrd2_take_dims(dims, &rank, f, type));
    for (int i = 0; i < rank; i++) size_multiply(&count, count, (size_t)dims[i]);
    return skip_many(f, type->item, count, depth);
}

static argand_status skip_map(mrd2_file *f, const mrd2_type *type, int depth)
{
    uint64_t count;
    TRY(mrd2_take_length(&count, f, type));
    for (uint64_t i = 0; i < count; i++) {
        TRY(mrd2_skip(f, type->key, depth));
        TRY(mrd2_skip(f, type->item, depth));
    }
    return ARGAND_OK;
}

static argand_status skip_stream(mrd2_file *f, const mrd2_type *type, int depth)
{
    for (;;) {
        uint64_t count;
        TRY(mrd2_take_length(&count, f, type));
        if (!count) return ARGAND_OK;
        TRY(skip_many(f, type->item, count, depth));
    }
}

static argand_status skip_parts(mrd2_file *f, const mrd2_type *type, int depth)
{
    const mrd2_part *chosen;
    if (type->kind == MRD2_UNION) {
        TRY(mrd2_take_case(&chosen, f, &type));
        return type ? mrd2_skip(f, type, depth) : ARGAND_OK;
    }
    for (int i = 0; i < type->part_count; i++) TRY(mrd2_skip(f, type->parts[i].type, depth));
    return ARGAND_OK;
}

argand_status mrd2_skip(mrd2_file *f, const mrd2_type *type, int depth)
{
    uint64_t number;
    CHECK(++depth < MRD2_DEEPEST, ARGAND_FORMAT, "%s: is nested too deep at byte %llu", f->path,
          (unsigned long long)f->at);
    switch (type->kind) {
    case MRD2_BYTES:
        return mrd2_take(f, NULL, (uint64_t)type->size, "a number");
    case MRD2_WHOLE:
    case MRD2_SIGNED:
        return mrd2_take_whole(&number, f);
    case MRD2_STRING:
        TRY(mrd2_take_whole(&number, f));
        return mrd2_take(f, NULL, number, "a text");
    case MRD2_VECTOR:
        TRY(mrd2_take_length(&number, f, type));
        return skip_many(f, type->item, number, depth);
    case MRD2_ARRAY:
        return skip_array(f, type, depth);
    case MRD2_MAP:
        return skip_map(f, type, depth);
    case MRD2_STREAM:
        return skip_stream(f, type, depth);
    default:
        return skip_parts(f, type, depth);
    }
}
