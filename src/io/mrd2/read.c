/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files and streams of MRD version 2: header and acquisitions. Heads are read first. Samples are read
 * once it is known which are kept. */
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/observe.h"
#include "io/mrd2/mrd2.h"

enum { MOST_SCHEMA = 1 << 20, VERSION = 1 };
static const char magic[5] = {'y', 'a', 'r', 'd', 'l'};

/* ---- the schema */

static argand_status read_schema(mrd2_file *f)
{
    uint8_t head[sizeof magic + 4];
    uint64_t length;
    char *chars;
    TRY(mrd2_take(f, head, sizeof head, "the head of the file"));
    CHECK(head[5] == VERSION && !head[6] && !head[7] && !head[8], ARGAND_UNSUPPORTED,
          "%s: is in version %d of yardl's encoding, of which version %d is read", f->path,
          head[5] | head[6] << 8, VERSION);
    TRY(mrd2_take_whole(&length, f));
    CHECK(length && length <= MOST_SCHEMA, ARGAND_FORMAT, "%s: a schema of %.6g MB makes no sense", f->path,
          (double)length / 1e6);
    CHECK(length <= f->size - f->at, ARGAND_FORMAT, "%s: is cut off in its schema", f->path);
    TRY(memory_new(&chars, (size_t)length + 1, 1));
    const argand_status status = mrd2_take(f, chars, length, "the schema");
    if (status == ARGAND_OK) return mrd2_schema_read(&f->schema, chars, (size_t)length);
    memory_free(chars);
    return status;
}

/* ---- the stream */

static argand_status reserve(scan_reader *reader, mrd2_file *f)
{
    int64_t heads = f->reserved;
    TRY(GROW(reader->heads, f->count, heads));
    return memory_grow(&f->places, f->count, &f->reserved, 2 * sizeof *f->places); /* two of each line */
}

/* Takes one item; `stream`: type of all items. */
static argand_status take_item(scan_reader *reader, mrd2_file *f, const mrd2_type *item)
{
    const mrd2_part *chosen;
    TRY(mrd2_take_case(&chosen, f, &item));
    const char *name = chosen ? chosen->name : "Acquisition";
    if (!item) return ARGAND_OK;
    if (!strcasecmp(name, "Acquisition") && item->kind == MRD2_RECORD) {
        TRY(reserve(reader, f));
        TRY(mrd2_take_acquisition(&reader->heads[f->count], &f->places[2 * f->count], f, item));
        f->count++;
        return ARGAND_OK;
    }
    if (!strncasecmp(name, "Image", 5))
        f->images++;
    else if (!strncasecmp(name, "Waveform", 8))
        f->waveforms++;
    else
        f->others++;
    return mrd2_skip(f, item, 0);
}

static argand_status take_items(scan_reader *reader, mrd2_file *f, const mrd2_type *stream)
{
    while (f->at < f->size) {
        uint64_t count;
        TRY(mrd2_take_length(&count, f, stream));
        f->closed = !count;
        if (f->closed) return ARGAND_OK;
        for (uint64_t i = 0; i < count; i++) TRY(take_item(reader, f, stream->item));
    }
    return ARGAND_OK;
}

static argand_status take_step(scan_reader *reader, mrd2_file *f, json_node *step)
{
    const mrd2_type *type;
    const json_node *name = json_member(step, "name");
    json_node *of = json_member(step, "type");
    CHECK(name && of, ARGAND_FORMAT, "%s: its schema has a step without name or type", f->path);
    TRY(mrd2_type_of(&type, &f->schema, of));
    text *header = &reader->owner->header;
    if (!strcmp(name->chars, "header") && !header->length) return mrd2_take_header(header, f, type);
    if (strcmp(name->chars, "data") || type->kind != MRD2_STREAM) return mrd2_skip(f, type, 0);
    return take_items(reader, f, type);
}

static argand_status take_steps(scan_reader *reader, mrd2_file *f)
{
    const json_node *protocol = json_member(f->schema.root, "protocol"),
                    *name = json_member(protocol, "name"), *steps = json_member(protocol, "sequence");
    CHECK(name && steps && !strcmp(name->chars, "Mrd"), ARGAND_FORMAT,
          "%s: holds the protocol \"%.60s\", not a scan (\"Mrd\")", f->path, name ? name->chars : "");
    for (json_node *n = steps->child; n; n = n->next) TRY(take_step(reader, f, n));
    return ARGAND_OK;
}

static void tell(scan_reader *reader, const mrd2_file *f)
{
    if (!f->closed)
        scan_note(reader, "MRD 2: the stream has no end: data after acquisition %lld may be missing.",
                  (long long)f->count);
    if (f->images || f->waveforms || f->others)
        scan_note(reader, "MRD 2: %lld image%s, %lld waveform%s and %lld other item%s are left out.",
                  (long long)f->images, plural_s(f->images), (long long)f->waveforms, plural_s(f->waveforms),
                  (long long)f->others, plural_s(f->others));
    if (f->centred)
        scan_note(reader, "MRD 2: acquisitions without centerSample: the middle sample is taken.");
    if (f->offsets)
        scan_note(reader, "MRD 2: acquisitions have phase offsets of their samples: these are not used.");
    if (f->extra)
        scan_note(reader,
                  "MRD 2: acquisitions have more values of the user or of physiology than version 1 can "
                  "hold: the first ones are kept.");
}

/* ---- samples */

/* Swaps the axes of a trajectory, which version 2 stores dimension by dimension. */
static void transpose(float *to, const float *from, int64_t dimensions, int64_t samples)
{
    for (int64_t d = 0; d < dimensions; d++)
        for (int64_t i = 0; i < samples; i++) to[i * dimensions + d] = from[d * samples + i];
}

static argand_status take_arrays(scan_reader *reader, mrd2_file *f, scan_piece *p, float *numbers)
{
    const ismrmrd_head *head = scan_head(reader, p);
    const size_t data = (size_t)2 * head->number_of_samples * head->active_channels,
                 trajectory = (size_t)head->number_of_samples * head->trajectory_dimensions;
    float *k = numbers + data, *stored = k + trajectory;
    f->at = f->places[2 * p->row];
    TRY(mrd2_take(f, numbers, data * sizeof *numbers, "samples"));
    if (trajectory) {
        f->at = f->places[2 * p->row + 1];
        TRY(mrd2_take(f, stored, trajectory * sizeof *stored, "a trajectory"));
        transpose(k, stored, head->trajectory_dimensions, head->number_of_samples);
    }
    return scan_place_samples(reader, p, &(hvl_t){data, numbers}, &(hvl_t){trajectory, k});
}

static argand_status take_samples(scan_reader *reader, mrd2_file *f)
{
    float *numbers = NULL;
    int64_t most = 0;
    argand_status status = ARGAND_OK;
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count && status == ARGAND_OK; p++) {
        const ismrmrd_head *head = scan_head(reader, p);
        const int64_t needed =
            (int64_t)2 * head->number_of_samples * (head->active_channels + head->trajectory_dimensions);
        if (p->dropped) continue;
        if (needed > most) {
            memory_free(numbers);
            numbers = NULL;
            most = needed;
            TRY_OR_DONE(NEW(numbers, most));
        }
        TRY_OR_DONE(observe("reading samples", (double)(p - reader->pieces) / (double)reader->count));
        status = take_arrays(reader, f, p, numbers);
    }
done:
    memory_free(numbers);
    return status;
}

/* ---- the file */

static argand_status read_open(scan_reader *reader, mrd2_file *f)
{
    TRY(read_schema(f));
    TRY(take_steps(reader, f));
    CHECK(f->count, ARGAND_FORMAT,
          "%s: is a stream of MRD 2 with %lld images and no acquisitions: it holds no raw data", f->path,
          (long long)f->images);
    tell(reader, f);
    TRY(scan_parse_header(reader));
    reader->row_count = (hsize_t)f->count;
    reader->file_bytes = f->size;
    TRY(scan_choose_heads(reader));
    TRY(take_samples(reader, f));
    return scan_finish(reader);
}

argand_status scan_read_mrd2(scan_reader *reader)
{
    struct stat found;
    mrd2_file *f;
    argand_status status = ARGAND_OK;
    TRY(NEW(f, 1));
    f->path = f->schema.path = reader->path;
    f->descriptor = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    CHECK_OR_DONE(f->descriptor >= 0 && !fstat(f->descriptor, &found), ARGAND_FILE, "%s: cannot be read: %s",
                  reader->path, strerror(errno));
    f->size = (uint64_t)found.st_size;
    status = read_open(reader, f);
done:
    if (f->descriptor >= 0) close(f->descriptor);
    mrd2_schema_free(&f->schema);
    memory_free(f->places);
    memory_free(f);
    return status;
}

bool scan_is_mrd2(const char *path)
{
    struct stat found;
    char bytes[sizeof magic];
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return false;
    const bool whole = !fstat(descriptor, &found) && S_ISREG(found.st_mode) &&
                       pread(descriptor, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes;
    close(descriptor);
    return whole && !memcmp(bytes, magic, sizeof magic);
}
