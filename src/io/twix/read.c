/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads Siemens raw files (twix, .dat) of VB, VD, VE and XA: one measurement of the file as a scan, with the
 * noise of an earlier one if it has none itself. Heads are read first; samples, once it is known which are
 * kept. */
#include "io/twix/twix.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/observe.h"

/* ---- noise of another measurement */

static int find_coil(const twix_protocol *p, const char *name)
{
    for (int i = 0; i < p->coil_count; i++)
        if (!strcmp(p->coils[i].name, name)) return i;
    return -1;
}

/* Finds the channel of noise lines for each channel of the image, by the names of the coil elements. Without
 * names, the channels are the same if there are as many. Returns false if channels have no noise. */
static argand_status map_channels(bool *mapped, twix_file *file, int stored)
{
    const twix_protocol *image = &file->measurements[file->image].protocol,
                        *noise = &file->measurements[file->noise].protocol;
    *mapped = stored == file->channels;
    if (image->coil_count != file->channels || noise->coil_count != stored) return ARGAND_OK;
    TRY(NEW(file->noise_channels, file->channels));
    *mapped = true;
    for (int i = 0; i < file->channels; i++) {
        file->noise_channels[i] = find_coil(noise, image->coils[i].name);
        *mapped &= file->noise_channels[i] >= 0;
    }
    return ARGAND_OK;
}

/* Drops the noise lines that were appended behind the image's `count` lines, and says why. */
static void drop_noise(scan_reader *reader, const twix_file *file, hsize_t count)
{
    scan_note(reader,
              "Siemens: measurement %d has noise of other coil elements than measurement %d: it is not used.",
              file->noise + 1, file->image + 1);
    reader->row_count = count;
}

static argand_status use_noise(scan_reader *reader, twix_file *file, hsize_t count)
{
    bool mapped = true;
    const int stored = file->places[count].stored;
    for (hsize_t i = count; i < reader->row_count; i++) mapped &= file->places[i].stored == stored;
    if (mapped) TRY(map_channels(&mapped, file, stored));
    if (!mapped) {
        drop_noise(reader, file, count);
        return ARGAND_OK;
    }
    for (hsize_t i = count; i < reader->row_count; i++)
        reader->heads[i].active_channels = reader->heads[i].available_channels = (uint16_t)file->channels;
    scan_note(reader, "Siemens: the noise is that of measurement %d: %llu lines.", file->noise + 1,
              (unsigned long long)(reader->row_count - count));
    return ARGAND_OK;
}

/* Takes noise from the last measurement before the image's that has some, if the image's has none. */
static argand_status find_noise(scan_reader *reader, twix_file *file)
{
    const hsize_t count = reader->row_count;
    for (hsize_t i = 0; i < count; i++)
        if (scan_purpose_of(&reader->heads[i]) == SCAN_NOISE) return ARGAND_OK;
    for (file->noise = file->image - 1; file->noise >= 0 && reader->row_count == count; file->noise--) {
        TRY(twix_read_protocol(file, file->noise));
        TRY(twix_read_lines(reader, file, file->noise, true));
        if (reader->row_count > count) return use_noise(reader, file, count);
    }
    return ARGAND_OK;
}

/* ---- times between samples */

/* Returns the time between samples of noise, which the protocol does not state, in microseconds: as
 * siemens_to_ismrmrd assumes it. */
static double noise_time(const twix_file *file, int measurement, int samples)
{
    const twix_protocol *p = &file->measurements[measurement].protocol;
    char value[TWIX_VALUE];
    const bool named = twix_yaps(value, p, "tProtocolName");
    if (named && !strcmp(value, "AdjCoilSens")) return 5;
    if (named && !strcmp(value, "AdjQuietCoilSens")) return 4;
    if (file->old) return 1e6 / samples / 130;
    if (twix_meas(value, p, "SoftwareVersions") && strstr(value, "XA")) return 5;
    return (int)(76800.0 / samples) / 10.0;
}

static void set_times(scan_reader *reader, const twix_file *file)
{
    const double dwell =
        twix_yaps_number(&file->measurements[file->image].protocol, "sRXSPEC.alDwellTime[0]", 0) * 1e-3;
    for (hsize_t i = 0; i < reader->row_count; i++) {
        ismrmrd_head *head = &reader->heads[i];
        const int measurement = file->places[i].of_noise ? file->noise : file->image;
        const bool noise = scan_purpose_of(head) == SCAN_NOISE;
        head->sample_time_us =
            (float)(noise ? noise_time(file, measurement, head->number_of_samples) : dwell);
    }
}

/* ---- reference lines of EPI */

/* Returns true if a line is a reference line that was read forward, with as many samples as image lines. */
static bool is_forward_reference(const ismrmrd_head *head, int samples)
{
    return scan_purpose_of(head) == SCAN_CALIBRATION && !scan_is_reversed(head) &&
           head->number_of_samples == samples;
}

/* Reference lines of EPI may be those of a gradient echo, read without ramps. They are recognised because
 * none was read backwards, and get positions of their own: the header's trapezoid is not theirs. */
static void find_plain_references(scan_reader *reader, const twix_file *file)
{
    int64_t count = 0, forward = 0;
    const int samples = twix_first_image(reader)->number_of_samples;
    if (!twix_has_ramps(&file->measurements[file->image].protocol)) return;
    for (hsize_t i = 0; i < reader->row_count; i++) {
        count += scan_purpose_of(&reader->heads[i]) == SCAN_CALIBRATION;
        forward += is_forward_reference(&reader->heads[i], samples);
    }
    if (!count || forward < count) return;
    for (hsize_t i = 0; i < reader->row_count; i++)
        if (is_forward_reference(&reader->heads[i], samples)) reader->heads[i].trajectory_dimensions = 2;
    scan_note(reader,
              "Siemens: none of the %lld reference lines was read backwards: they are taken as lines of a "
              "gradient echo, without ramps.",
              (long long)count);
}

/* Fills kx and ky of a line without ramps. */
static void put_positions(float *k, const ismrmrd_head *head)
{
    const int samples = head->number_of_samples;
    const int centre = head->center_sample ? head->center_sample : samples / 2;
    for (int i = 0; i < samples; i++) {
        k[2 * i] = (float)(i - centre);
        k[2 * i + 1] = (float)(head->idx.kspace_encode_step_1 - head->idx.user[5]);
    }
}

/* ---- samples */

/* Copies the channels of a line, which a header precedes each, one after the other. */
static void gather(float *to, const char *block, const twix_file *file, const twix_place *place,
                   const ismrmrd_head *head)
{
    const size_t samples = (size_t)head->number_of_samples * 2 * sizeof(float), skip = file->old ? 128 : 32;
    for (int c = 0; c < head->active_channels; c++) {
        const int from = place->of_noise && file->noise_channels ? file->noise_channels[c] : c;
        memcpy((char *)to + (size_t)c * samples, block + (size_t)from * (skip + samples) + skip, samples);
    }
}

static argand_status take_line(scan_reader *reader, const twix_file *file, scan_piece *piece, char **buffer,
                               size_t *size)
{
    const ismrmrd_head *head = scan_head(reader, piece);
    const twix_place *place = &file->places[piece->row];
    const size_t samples = head->number_of_samples, floats = samples * 2 * head->active_channels,
                 bytes = (samples * 8 + (file->old ? 128 : 32)) * place->stored,
                 positions = samples * head->trajectory_dimensions,
                 needed = bytes + (floats + positions) * sizeof(float);
    if (needed > *size) {
        memory_free(*buffer);
        *buffer = NULL;
        TRY(memory_take(buffer, needed));
        *size = needed;
    }
    float *line = (float *)(void *)*buffer;
    char *block = *buffer + (floats + positions) * sizeof(float);
    TRY(twix_take(file, block, place->at, bytes, "a line"));
    gather(line, block, file, place, head);
    if (positions) put_positions(line + floats, head);
    const hvl_t stored = {floats, line}, k = {positions, line + floats};
    return scan_place_samples(reader, piece, &stored, &k);
}

static argand_status take_samples(scan_reader *reader, const twix_file *file)
{
    char *buffer = NULL;
    size_t size = 0;
    argand_status status = ARGAND_OK;
    for (int64_t i = 0; i < reader->count && status == ARGAND_OK; i++) {
        if (i % 256 == 0) status = observe("reading samples", (double)i / (double)reader->count);
        if (status == ARGAND_OK && !reader->pieces[i].dropped)
            status = take_line(reader, file, &reader->pieces[i], &buffer, &size);
    }
    memory_free(buffer);
    return status;
}

/* ---- the file */

static void tell(scan_reader *reader, const twix_file *file)
{
    char name[TWIX_VALUE];
    const bool named = twix_yaps(name, &file->measurements[file->image].protocol, "tProtocolName");
    if (file->count > 1)
        scan_note(reader, "Siemens: measurement %d of %d is read (%.60s); --group N reads another.",
                  file->image + 1, file->count, named ? name : "no name");
    if (file->cut)
        scan_note(reader,
                  "Siemens: the measurement has no end mark (ACQEND): the scan was interrupted, or the file "
                  "is cut off. Its %llu whole lines are used.",
                  (unsigned long long)reader->row_count);
    if (file->syncs)
        scan_note(reader, "Siemens: %lld block%s of physiology (SYNCDATA) %s left out.",
                  (long long)file->syncs, plural_s(file->syncs), file->syncs == 1 ? "is" : "are");
}

static argand_status read_open(scan_reader *reader, twix_file *file)
{
    TRY(twix_find_measurements(file));
    TRY(twix_choose(file, reader->options.group));
    TRY(twix_read_protocol(file, file->image));
    TRY(twix_read_lines(reader, file, file->image, false));
    CHECK(reader->row_count, ARGAND_FORMAT, "%s: measurement %d has no whole line: it holds no raw data",
          file->path, file->image + 1);
    file->channels = twix_first_image(reader)->active_channels;
    tell(reader, file);
    TRY(find_noise(reader, file));
    set_times(reader, file);
    find_plain_references(reader, file);
    TRY(twix_make_header(reader, file));
    TRY(scan_parse_header(reader));
    reader->file_bytes = 2 * file->size; /* all lines are whole; positions are not stored */
    TRY(scan_choose_heads(reader));
    TRY(take_samples(reader, file));
    return scan_finish(reader);
}

static void close_file(twix_file *file)
{
    for (int i = 0; i < file->count && file->measurements; i++) {
        memory_free(file->measurements[i].protocol.chars);
        memory_free(file->measurements[i].protocol.coils);
    }
    memory_free(file->measurements);
    memory_free(file->places);
    memory_free(file->noise_channels);
    close(file->descriptor);
}

argand_status scan_read_twix(scan_reader *reader)
{
    struct stat found;
    twix_file file = {.path = reader->path,
                      .descriptor = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    CHECK(file.descriptor >= 0, ARGAND_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
    argand_status status = ARGAND_OK;
    CHECK_OR_DONE(!fstat(file.descriptor, &found), ARGAND_FILE, "%s: cannot be read: %s", reader->path,
                  strerror(errno));
    file.size = (uint64_t)found.st_size;
    status = read_open(reader, &file);
done:
    close_file(&file);
    return status;
}

/* ---- recognising a file */

enum { SNIFFED = 24 };

/* VD and later: 0, then the number of measurements, then two numbers of the first one and where it begins,
 * behind the table. VB: the length of the header, the number of its texts, then the name of the first. */
static bool begins_like_twix(const uint8_t *bytes)
{
    const uint64_t first = twix_number(bytes, 4), second = twix_number(bytes + 4, 4),
                   begin = twix_number(bytes + 16, 8);
    /* A wrong number or place is refused with its name, but a place within the table or of petabytes is
     * that of another format whose file begins with a 0. */
    if (!first) return second > 0 && second <= UINT16_MAX && begin > SNIFFED && begin >> 48 == 0;
    static const char *const names[] = {"Config", "Dicom", "Meas", "Phoenix", "Spice"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp((const char *)bytes + 8, names[i], strlen(names[i]))) return true;
    return false;
}

bool scan_is_twix(const char *path)
{
    struct stat found;
    uint8_t bytes[SNIFFED] = {0};
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return false;
    const bool whole = !fstat(descriptor, &found) && S_ISREG(found.st_mode) &&
                       pread(descriptor, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes;
    close(descriptor);
    return whole && begins_like_twix(bytes);
}
