/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads scans of ParaVision (Bruker): a folder with acqp, method, and fid or rawdata.job0, or the name of
 * one of the latter two. */
#include "io/bruker/bruker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/observe.h"
#include "base/pi.h"
#include "base/plain.h"

static const char *const data_names[] = {"fid", "rawdata.job0"};

/* ---- recognising a folder */

static bool has_file(const char *folder, const char *name)
{
    struct stat found;
    char path[BRUKER_PATH + 16];
    plain_print(path, sizeof path, "%s/%s", folder, name);
    return !stat(path, &found) && S_ISREG(found.st_mode);
}

/* Finds the folder and the data of a name; false: it is no scan of ParaVision. */
static bool find_files(char folder[BRUKER_PATH], char data[BRUKER_PATH], bool *job, const char *path)
{
    struct stat found;
    if (strlen(path) > BRUKER_PATH - 32 || stat(path, &found)) return false;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const bool is_folder = S_ISDIR(found.st_mode);
    int which = -1;
    if (is_folder)
        plain_print(folder, BRUKER_PATH, "%s", path);
    else if (slash)
        plain_print(folder, BRUKER_PATH, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    else
        plain_print(folder, BRUKER_PATH, ".");
    for (int i = 1; i >= 0; i--)
        if (is_folder ? has_file(folder, data_names[i]) : !strcmp(name, data_names[i])) which = i;
    if (which < 0 || !has_file(folder, "acqp") || !has_file(folder, "method")) return false;
    *job = which == 1;
    plain_print(data, BRUKER_PATH, "%s/%s", folder, data_names[which]);
    return true;
}

bool scan_bruker_data(uint64_t *bytes, const char *path)
{
    struct stat found;
    char folder[BRUKER_PATH], data[BRUKER_PATH];
    bool job;
    if (!find_files(folder, data, &job, path) || stat(data, &found) || !S_ISREG(found.st_mode)) return false;
    if (bytes) *bytes = (uint64_t)found.st_size;
    return true;
}

bool scan_bruker_file(char file[SCAN_BRUKER_PATH], int i, const char *path)
{
    static const char *const names[] = {"acqp", "method", "traj", "fid", "rawdata.job0"};
    char folder[BRUKER_PATH], data[BRUKER_PATH];
    bool job;
    if (i >= (int)(sizeof names / sizeof *names) || !find_files(folder, data, &job, path)) return false;
    plain_print(file, SCAN_BRUKER_PATH, "%s/%s", folder, names[i]);
    return true;
}

/* ---- samples */

static double number_at(const uint8_t *bytes, bruker_number number, bool big_endian)
{
    const int size = number == BRUKER_INT16 ? 2 : number == BRUKER_FLOAT64 ? 8 : 4;
    uint64_t bits = 0;
    float single;
    double value;
    for (int i = 0; i < size; i++) bits |= (uint64_t)bytes[big_endian ? size - 1 - i : i] << 8 * i;
    const uint32_t half = (uint32_t)bits;
    switch (number) {
    case BRUKER_INT16:
        return (int16_t)(uint16_t)bits;
    case BRUKER_INT32:
        return (int32_t)half;
    case BRUKER_FLOAT32:
        memcpy(&single, &half, sizeof single);
        return (double)single;
    default:
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

static argand_status take(const bruker_scan *b, void *to, uint64_t at)
{
    for (uint64_t done = 0; done < b->block;) {
        const ssize_t got =
            pread(b->descriptor, (char *)to + done, (size_t)(b->block - done), (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        CHECK(got > 0, ARGAND_FILE, "%s: cannot be read: %s", b->data,
              got ? strerror(errno) : "it was shortened");
        done += (uint64_t)got;
    }
    return ARGAND_OK;
}

/* Returns the phase, in cycles, that shifts the image by its offsets. y runs against its
 * gradient, z along it (heads.c). */
static double shift_phase(const bruker_scan *b, const ismrmrd_head *head)
{
    const int64_t object = (int64_t)head->idx.slice * b->echoes + head->idx.contrast;
    const double offsets[2] = {-b->turned[1] *
                                   bruker_of_object(b->phase_offsets, b->phase_offset_count, object, b),
                               b->turned[2] * b->partition_offset};
    const double steps[2] = {(double)(head->idx.kspace_encode_step_1 - b->centre[1]),
                             (double)(head->idx.kspace_encode_step_2 - b->centre[2])};
    double cycles = 0;
    for (int i = 0; i < b->dimensions - 1; i++)
        if (b->view[i + 1] > 0) cycles += steps[i] * offsets[i] / b->view[i + 1];
    return cycles - round(cycles);
}

/* Multiplies the samples of a line by exp(2 pi i cycles). */
static void rotate(float *line, size_t count, double cycles)
{
    const double re = cos(2 * PI * cycles), im = sin(2 * PI * cycles);
    for (size_t i = 0; cycles != 0 && i + 1 < count; i += 2) {
        const double a = (double)line[i], c = (double)line[i + 1];
        line[i] = (float)(a * re - c * im);
        line[i + 1] = (float)(a * im + c * re);
    }
}

/* Copies a line of all channels, as floats. */
static void copy_line(float *line, const bruker_scan *b, const uint8_t *raw, int64_t echo)
{
    const int64_t size = b->number == BRUKER_INT16     ? 2
                         : b->number == BRUKER_FLOAT64 ? 8
                                                       : 4,
                  count = 2 * b->samples;
    for (int64_t c = 0; c < b->channels; c++) {
        const uint8_t *from = raw + 2 * size * (c * b->shot_samples + b->shot_first + echo * b->samples);
        for (int64_t i = 0; i < count; i++)
            line[c * count + i] = (float)number_at(from + i * size, b->number, b->big_endian);
    }
}

/* Returns the positions of a line's samples in the order in which they were acquired, interleaved. */
static float *positions(float *k, const bruker_scan *b, const ismrmrd_head *head)
{
    const float sign = head->flags & ismrmrd_flag(ISMRMRD_REVERSE) ? -1 : 1;
    if (b->trajectory)
        return b->trajectory + head->idx.kspace_encode_step_1 * b->samples * (int64_t)b->dimensions;
    for (int64_t i = 0; b->readout && i < b->samples; i++) {
        k[2 * i] = sign * b->readout[i];
        k[2 * i + 1] = (float)(head->idx.kspace_encode_step_1 - b->centre[1]);
    }
    return b->readout ? k : NULL;
}

static argand_status take_line(scan_reader *reader, bruker_scan *b, scan_piece *piece, char *buffer)
{
    const ismrmrd_head *head = scan_head(reader, piece);
    const size_t count = 2 * (size_t)b->samples * (size_t)b->channels,
                 points = (size_t)b->samples * head->trajectory_dimensions;
    const int64_t shot = (int64_t)piece->row / b->shot_lines, echo = (int64_t)piece->row % b->shot_lines;
    float *line = (float *)(void *)buffer, *k = line + count;
    uint8_t *raw = (uint8_t *)(k + 2 * b->samples);
    if (b->loaded != shot + 1) TRY(take(b, raw, (uint64_t)shot * b->block));
    b->loaded = shot + 1;
    copy_line(line, b, raw, echo);
    if (!b->trajectory) rotate(line, count, shift_phase(b, head));
    const hvl_t stored = {count, line}, at = {points, positions(k, b, head)};
    return scan_place_samples(reader, piece, &stored, &at);
}

static argand_status take_samples(scan_reader *reader, bruker_scan *b)
{
    char *buffer;
    argand_status status = ARGAND_OK;
    TRY(memory_take(&buffer, (size_t)b->block + 8 * (size_t)b->samples * (size_t)(b->channels + 1)));
    for (int64_t i = 0; i < reader->count && status == ARGAND_OK; i++) {
        if (i % 256 == 0) status = observe("reading samples", (double)i / (double)reader->count);
        if (status == ARGAND_OK && !reader->pieces[i].dropped)
            status = take_line(reader, b, &reader->pieces[i], buffer);
    }
    memory_free(buffer);
    return status;
}

/* ---- the scan */

static argand_status read_open(scan_reader *reader, bruker_scan *b)
{
    struct stat found;
    CHECK(find_files(b->folder, b->data, &b->job, reader->path), ARGAND_FORMAT,
          "%s: has no acqp, method and fid (or rawdata.job0), as a scan of ParaVision has them", b->path);
    b->descriptor = open(b->data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    CHECK(b->descriptor >= 0 && !fstat(b->descriptor, &found), ARGAND_FILE, "%s: cannot be read: %s", b->data,
          strerror(errno));
    b->size = (uint64_t)found.st_size;
    TRY(bruker_read_values(&b->acqp, b->folder, "acqp"));
    TRY(bruker_read_values(&b->method, b->folder, "method"));
    TRY(bruker_find_layout(reader, b));
    TRY(bruker_make_heads(reader, b));
    TRY(bruker_make_header(reader, b));
    TRY(scan_parse_header(reader));
    /* all lines are whole; as floats they are larger than short integers */
    reader->file_bytes = (uint64_t)b->count * (uint64_t)b->samples *
                         (uint64_t)(8 * b->channels + 4 * (b->trajectory || b->readout ? b->dimensions : 0));
    TRY(scan_choose_heads(reader));
    TRY(take_samples(reader, b));
    return scan_finish(reader);
}

argand_status scan_read_bruker(scan_reader *reader)
{
    bruker_scan *b;
    TRY(NEW(b, 1));
    b->path = reader->path;
    b->descriptor = -1;
    const argand_status status = read_open(reader, b);
    if (b->descriptor >= 0) close(b->descriptor);
    memory_free(b->acqp.chars);
    memory_free(b->method.chars);
    memory_free(b->steps1);
    memory_free(b->steps2);
    memory_free(b->trajectory);
    memory_free(b->phase_offsets);
    memory_free(b->readout);
    memory_free(b);
    return status;
}
