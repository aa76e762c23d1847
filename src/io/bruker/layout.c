/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds how the data of a ParaVision scan are laid out: the numbers' type, a line with its padding, and how
 * many lines there are for what. Then the matrix and the centre of k-space, and the trajectory if the folder
 * has one. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/plain.h"
#include "base/size.h"
#include "base/whole.h"
#include "io/bruker/bruker.h"

enum { MOST = 65535, MOST_LISTED = 1 << 24, KILOBYTE = 1024 };

/* Reads a whole number from 1 to 65535. */
static argand_status take_count(int64_t *count, const bruker_scan *b, const bruker_values *values,
                                const char *name, double otherwise)
{
    const double number = bruker_value(values, name, otherwise);
    CHECK(number >= 1 && number <= MOST && number == floor(number), ARGAND_FORMAT,
          "%s: %s is %.9g; a whole number from 1 to %d is expected", b->path, name, number, MOST);
    *count = (int64_t)number;
    return ARGAND_OK;
}

/* ---- a line */

static argand_status find_number(bruker_scan *b)
{
    char format[BRUKER_TEXT] = "", order[BRUKER_TEXT] = "";
    static const struct {
        const char *name;
        bruker_number number;
    } formats[] = {{"GO_32BIT_SGN_INT", BRUKER_INT32},
                   {"GO_16BIT_SGN_INT", BRUKER_INT16},
                   {"GO_32BIT_FLOAT", BRUKER_FLOAT32},
                   {"_32_BIT", BRUKER_INT32},
                   {"_16_BIT", BRUKER_INT16}};
    char store[BRUKER_TEXT];
    bruker_text(order, &b->acqp, "BYTORDA");
    b->big_endian = !strcmp(order, "big");
    if (b->job && bruker_text(store, &b->acqp, "ACQ_ScanPipeJobSettings") && strstr(store, "STORE_64bit")) {
        b->number = BRUKER_FLOAT64;
        return ARGAND_OK;
    }
    if (!bruker_text(format, &b->acqp, "GO_raw_data_format")) bruker_text(format, &b->acqp, "ACQ_word_size");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].name, format)) {
            b->number = formats[i].number;
            return ARGAND_OK;
        }
    return status_set(ARGAND_UNSUPPORTED,
                      "%s: GO_raw_data_format is \"%s\", which Argand does not know: it reads integers of 16 "
                      "or 32 bits and floats",
                      b->path, format);
}

static uint64_t bytes_of(bruker_number number)
{
    return number == BRUKER_INT16 ? 2 : number == BRUKER_FLOAT64 ? 8 : 4;
}

static argand_status find_block(bruker_scan *b)
{
    char block[BRUKER_TEXT] = "";
    double points = bruker_value(&b->acqp, "ACQ_size", 0);
    if (b->job) points = bruker_value(&b->acqp, "ACQ_jobs", points);
    CHECK(points >= 2 && points <= MOST_LISTED && points == 2 * floor(points / 2), ARGAND_FORMAT,
          "%s: a line has %.9g numbers (%s); an even number from 2 to %d is expected", b->path, points,
          b->job ? "ACQ_jobs" : "ACQ_size", MOST_LISTED);
    TRY(take_count(&b->channels, b, &b->method, "PVM_EncNReceivers", 1));
    b->samples = b->shot_samples = (int64_t)points / 2;
    b->shot_lines = 1;
    b->block = (uint64_t)points * (uint64_t)b->channels * bytes_of(b->number);
    bruker_text(block, &b->acqp, "GO_block_size");
    if (!b->job && !strcmp(block, "Standard_KBlock_Format"))
        b->block = (b->block + KILOBYTE - 1) / KILOBYTE * KILOBYTE;
    return ARGAND_OK;
}

/* ---- lines */

/* Finds how many lines a repetition has, and how many of them belong to one echo train. ParaVision 360 leaves
 * ACQ_size and ACQ_phase_factor at 1, and lists the steps of all lines in PVM_EncGenSteps1 and
 * PVM_EncGenSteps2. */
static argand_status find_lines(bruker_scan *b, int64_t *lines)
{
    double size[3] = {0, 1, 1};
    const double listed = bruker_value(&b->method, "PVM_EncGenTotalSteps", 0);
    bruker_numbers(size, 3, &b->acqp, "ACQ_size");
    *lines = b->trajectory_lines ? b->trajectory_lines : whole(size[1], 0, MOST + 1);
    b->partitions = b->trajectory || b->dimensions == 2 ? 1 : whole(size[2], 0, MOST + 1);
    TRY(take_count(&b->factor, b, &b->acqp, "ACQ_phase_factor", 1));
    b->listed = b->job && !b->trajectory && listed > 0;
    if (b->readout) {
        bruker_numbers(size, 3, &b->method, "PVM_EncMatrix");
        *lines = whole(size[1], 0, MOST + 1);
        b->factor = b->shot_lines;
    }
    if (b->listed) {
        CHECK(listed <= MOST_LISTED && listed == floor(listed), ARGAND_FORMAT,
              "%s: PVM_EncGenTotalSteps is %.9g; a whole number from 1 to %d is expected", b->path, listed,
              MOST_LISTED);
        *lines = (int64_t)listed;
        b->partitions = 1;
        if (b->factor == 1) TRY(take_count(&b->factor, b, &b->acqp, "ACQ_rare_factor", 1));
    }
    CHECK(*lines >= 1 && b->partitions >= 1 && (b->listed || (*lines <= MOST && b->partitions <= MOST)),
          ARGAND_FORMAT, "%s: ACQ_size is %.9g x %.9g x %.9g; sizes from 1 to %d are expected", b->path,
          size[0], size[1], size[2], MOST);
    CHECK(*lines % b->factor == 0, ARGAND_FORMAT, "%s: %lld lines are no multiple of %s, %lld", b->path,
          (long long)*lines,
          b->readout  ? "PVM_EpiNEchoes"
          : b->listed ? "ACQ_rare_factor"
                      : "ACQ_phase_factor",
          (long long)b->factor);
    return ARGAND_OK;
}

static argand_status find_counts(bruker_scan *b)
{
    double size[3];
    int64_t lines;
    const int64_t given = bruker_numbers(size, 3, &b->acqp, "ACQ_size");
    const double dimensions = bruker_value(&b->acqp, "ACQ_dim", (double)given);
    CHECK(dimensions == 2 || dimensions == 3, ARGAND_UNSUPPORTED,
          "%s: ACQ_dim is %.9g: images of 2 or 3 dimensions are read, no spectra", b->path, dimensions);
    b->dimensions = (int)dimensions;
    TRY(find_lines(b, &lines));
    TRY(take_count(&b->objects, b, &b->acqp, "NI", 1));
    TRY(take_count(&b->repetitions, b, &b->acqp, "NR", 1));
    TRY(take_count(&b->slices, b, &b->acqp, "NSLICES", (double)b->objects));
    CHECK(b->objects % b->slices == 0, ARGAND_UNSUPPORTED,
          "%s: NI, %lld, is no multiple of NSLICES, %lld: how slices and echoes are ordered is not known",
          b->path, (long long)b->objects, (long long)b->slices);
    b->trains = lines / b->factor;
    b->echoes = b->objects / b->slices;
    return ARGAND_OK;
}

/* Takes as many lines as the data have. */
static argand_status find_count(scan_reader *reader, bruker_scan *b)
{
    const int64_t counts[] = {b->factor, b->objects, b->trains, b->partitions, b->repetitions};
    const uint64_t there = b->size / b->block * (uint64_t)b->shot_lines;
    CHECK(size_of_shape(&b->count, counts, 5), ARGAND_FORMAT, "%s: the product of its counts makes no sense",
          b->path);
    CHECK(there, ARGAND_FORMAT, "%s: %s has no whole line of %llu bytes", b->path,
          b->job ? "rawdata.job0" : "fid", (unsigned long long)b->block);
    CHECK(there / 2 < (uint64_t)b->count, ARGAND_UNSUPPORTED,
          "%s: the data have %llu lines, of which acqp and method describe %lld: their order is not known. "
          "Convert the scan to ISMRMRD",
          b->path, (unsigned long long)there, (long long)b->count);
    if ((uint64_t)b->count > there) {
        scan_note(reader,
                  "ParaVision: the data have %llu of %lld lines: the scan was interrupted, or the file is "
                  "cut off.",
                  (unsigned long long)there, (long long)b->count);
        b->count = (int64_t)there;
    } else if (there > (uint64_t)b->count)
        scan_note(reader,
                  "ParaVision: the data have %llu lines, of which the parameters describe %lld: the others "
                  "are left out.",
                  (unsigned long long)there, (long long)b->count);
    return ARGAND_OK;
}

static argand_status take_steps(double **steps, int64_t *count, const bruker_scan *b, const char *name,
                                int64_t needed)
{
    const int64_t most = needed > MOST ? needed : MOST;
    TRY(NEW(*steps, most));
    *count = bruker_numbers(*steps, most, &b->method, name);
    CHECK((!*count && !b->listed) || *count >= needed, ARGAND_FORMAT, "%s: %s has %lld steps for %lld lines",
          b->path, name, (long long)*count, (long long)needed);
    for (int64_t i = 0; i < *count; i++)
        CHECK(fabs((*steps)[i]) <= MOST / 2, ARGAND_FORMAT, "%s: %s has the step %.9g", b->path, name,
              (*steps)[i]);
    return ARGAND_OK;
}

/* ---- k-space */

/* Finds the matrix along an axis: that of the image with its oversampling, but at least what was measured. */
static void find_axis(bruker_scan *b, int axis, const double *steps, int64_t lines)
{
    double matrix[3] = {0}, factor[3] = {1, 1, 1}, view[3] = {0};
    bruker_numbers(matrix, 3, &b->method, "PVM_Matrix");
    bruker_numbers(factor, 3, &b->method, "PVM_AntiAlias");
    bruker_numbers(view, 3, &b->method, "PVM_Fov");
    const double over = factor[axis] > 0 && factor[axis] < 64 ? factor[axis] : 1;
    int64_t size = whole(round(matrix[axis] * over), 1, MOST), needed = lines;
    for (int64_t i = 0; steps && i < lines; i++) {
        const int64_t least = (int64_t)(steps[i] < 0 ? -2 * floor(steps[i]) : 2 * floor(steps[i]) + 1);
        if (i == 0) needed = 1;
        if (least > needed) needed = least;
    }
    if (size < needed) size = needed;
    b->matrix[axis] = size < MOST ? size : MOST;
    b->view[axis] = view[axis] > 0 ? view[axis] * over : 0;
    b->centre[axis] = b->matrix[axis] / 2;
}

/* Finds the sample at the centre of k-space; echoes may be read asymmetrically. */
static void find_centre(scan_reader *reader, bruker_scan *b)
{
    const double position = bruker_value(&b->method, "PVM_EchoPosition", 50);
    if (b->readout) {
        find_axis(b, 0, NULL, 1);
        if (b->reach < b->matrix[0]) b->matrix[0] = b->reach;
        b->centre[0] = b->readout_centre;
        return;
    }
    find_axis(b, 0, NULL, b->trajectory ? 1 : b->samples);
    b->centre[0] = b->samples / 2;
    if (b->trajectory || b->matrix[0] <= b->samples) return;
    b->centre[0] = whole(round((double)b->samples * position / 100), 0, b->samples - 1);
    scan_note(reader,
              "ParaVision: the echo is read asymmetrically, %lld of %lld samples: its middle is at sample "
              "%lld (PVM_EchoPosition).",
              (long long)b->samples, (long long)b->matrix[0], (long long)b->centre[0]);
}

static argand_status find_matrix(scan_reader *reader, bruker_scan *b)
{
    const int64_t lines = b->factor * b->trains, partitions = b->listed ? lines : b->partitions;
    find_centre(reader, b);
    if (!b->trajectory) {
        TRY(take_steps(&b->steps1, &b->step1_count, b, b->listed ? "PVM_EncGenSteps1" : "PVM_EncSteps1",
                       lines));
        if (b->dimensions == 3 || !b->listed)
            TRY(take_steps(&b->steps2, &b->step2_count, b, b->listed ? "PVM_EncGenSteps2" : "PVM_EncSteps2",
                           partitions));
    }
    find_axis(b, 1, b->step1_count ? b->steps1 : NULL, b->trajectory ? 1 : lines);
    if (b->dimensions == 3) find_axis(b, 2, b->step2_count ? b->steps2 : NULL, partitions);
    if (b->dimensions == 2) {
        b->matrix[2] = 1;
        b->view[2] = bruker_value(&b->acqp, "ACQ_slice_thick", 0);
    }
    return ARGAND_OK;
}

/* ---- the trajectory */

/* Finds which samples of a line have points in the file of `bytes`. Spirals have PVM_SpiralSize points; a
 * line has also the samples of a navigator and of PVM_SpiralPreSize before them, and those of
 * PVM_SpiralPostSize behind. */
static argand_status find_points(bruker_scan *b, const char *path, uint64_t bytes, double dimensions)
{
    const uint64_t point = (uint64_t)dimensions * sizeof(double), line = (uint64_t)b->samples * point;
    const int64_t spiral = whole(bruker_value(&b->method, "PVM_SpiralSize", 0), 0, MOST + 1);
    b->points = b->samples;
    if (bytes % line && spiral > b->samples / 2 && spiral < b->samples) {
        const double before = bruker_value(&b->method, "PVM_SpiralNavSize", 0) +
                              bruker_value(&b->method, "PVM_SpiralPreSize", 0);
        b->points = spiral;
        CHECK(before >= 0 && before <= (double)(b->samples - spiral) && before == floor(before),
              ARGAND_FORMAT,
              "%s: PVM_SpiralNavSize, PVM_SpiralPreSize and PVM_SpiralSize (%.9g and %lld samples) are more "
              "than a line of %lld samples",
              b->path, before, (long long)spiral, (long long)b->samples);
        b->discard_before = (int64_t)before;
        b->discard_after = b->samples - spiral - b->discard_before;
    }
    const uint64_t each = (uint64_t)b->points * point;
    CHECK(bytes && bytes % each == 0 && bytes / each <= MOST, ARGAND_UNSUPPORTED,
          "%s: %llu bytes are no multiple of %lld points in %.0f dimensions, as a line of %s has them (%s)",
          path, (unsigned long long)bytes, (long long)b->points, dimensions, b->job ? "rawdata.job0" : "fid",
          b->points < b->samples ? "PVM_SpiralSize" : "ACQ_size and ACQ_dim");
    b->trajectory_lines = (int64_t)(bytes / each);
    return ARGAND_OK;
}

/* Copies the points of all lines; samples without a point, which are discarded, get 0. NaN is refused
 * later. */
static argand_status place_points(bruker_scan *b, const double *numbers, int64_t dimensions)
{
    const int64_t count = b->points * dimensions, step = b->samples * dimensions;
    TRY(NEW(b->trajectory, b->trajectory_lines * step));
    for (int64_t line = 0; line < b->trajectory_lines; line++) {
        float *to = b->trajectory + line * step + b->discard_before * dimensions;
        const double *from = numbers + line * count;
        for (int64_t i = 0; i < count; i++) to[i] = fabs(from[i]) < 1e6 ? (float)from[i] : NAN;
    }
    return ARGAND_OK;
}

static argand_status read_trajectory(bruker_scan *b, int descriptor, const char *path)
{
    struct stat found;
    double *numbers;
    CHECK(!fstat(descriptor, &found), ARGAND_FILE, "%s: cannot be read: %s", path, strerror(errno));
    const double dimensions = bruker_value(&b->acqp, "ACQ_dim", 0);
    CHECK(dimensions == 2 || dimensions == 3, ARGAND_UNSUPPORTED, "%s: ACQ_dim is %.9g: 2 or 3 is read",
          b->path, dimensions);
    const uint64_t bytes = (uint64_t)found.st_size;
    TRY(find_points(b, path, bytes, dimensions));
    TRY(memory_take(&numbers, (size_t)bytes));
    argand_status status = ARGAND_OK;
    for (uint64_t done = 0; done < bytes && status == ARGAND_OK;) {
        const ssize_t got = pread(descriptor, (char *)numbers + done, (size_t)(bytes - done), (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) status = status_set(ARGAND_FILE, "%s: cannot be read", path);
        done += got > 0 ? (uint64_t)got : 0;
    }
    if (status == ARGAND_OK) status = place_points(b, numbers, (int64_t)dimensions);
    memory_free(numbers);
    return status;
}

/* Reads the file `traj`, if there is one. */
static argand_status find_trajectory(bruker_scan *b)
{
    char path[BRUKER_PATH + 16];
    plain_print(path, sizeof path, "%s/traj", b->folder);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 && errno == ENOENT) return ARGAND_OK;
    CHECK(descriptor >= 0, ARGAND_FILE, "%s: cannot be read: %s", path, strerror(errno));
    const argand_status status = read_trajectory(b, descriptor, path);
    close(descriptor);
    return status;
}

/* Refuses what would be read as something else than it is. */
static argand_status check_method(const bruker_scan *b)
{
    static const char *const others[] = {"EPI", "SPIRAL", "UTE", "ZTE", "CSI", "EPSI", "PRESS", "STEAM"};
    char program[BRUKER_TEXT] = "", scans[BRUKER_TEXT] = "";
    bruker_text(program, &b->acqp, "PULPROG");
    bruker_text(scans, &b->acqp, "ACQ_scan_size");
    bool strange = !b->readout && !strcmp(scans, "ACQ_phase_factor_scans");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        strange |= !b->trajectory && !b->readout && strstr(program, others[i]) != NULL;
    CHECK(
        !strange, ARGAND_UNSUPPORTED,
        "%s: the pulse program is %.60s: Cartesian lines (RARE, FLASH, MSME...) and EPI are read, and others "
        "with a file traj. Convert the scan to ISMRMRD",
        b->path, program);
    return ARGAND_OK;
}

/* Finds gradients that run against their directions (phase encoding of EPI the other way), and echoes that
 * were read to and fro, of which ParaVision reverses every second one (EchoAcqMode of MGE). */
static void find_polarity(scan_reader *reader, bruker_scan *b)
{
    static const char *const names[] = {"ACQ_scaling_read", "ACQ_scaling_phase", "ACQ_scaling_slice"};
    char mode[BRUKER_TEXT] = "";
    bruker_text(mode, &b->method, "EchoAcqMode");
    b->to_and_fro = !b->trajectory && !b->readout && b->echoes > 1 && !strcmp(mode, "allEchoes");
    for (int d = 0; d < 3; d++)
        b->turned[d] = (d < 2 || b->dimensions == 3) && bruker_value(&b->acqp, names[d], 1) < 0 ? -1 : 1;
    if (b->to_and_fro)
        scan_note(reader, "ParaVision: every second echo was read backwards (EchoAcqMode) and is reversed.");
}

static argand_status find_offsets(bruker_scan *b)
{
    if (b->trajectory) return ARGAND_OK;
    TRY(NEW(b->phase_offsets, b->objects));
    b->phase_offset_count = bruker_numbers(b->phase_offsets, b->objects, &b->acqp, "ACQ_phase1_offset");
    if (b->dimensions == 3) b->partition_offset = bruker_value(&b->acqp, "ACQ_slice_offset", 0);
    for (int64_t i = 0; i < b->phase_offset_count; i++)
        CHECK(fabs(b->phase_offsets[i]) <= MOST, ARGAND_FORMAT, "%s: ACQ_phase1_offset has %.9g mm", b->path,
              b->phase_offsets[i]);
    CHECK(fabs(b->partition_offset) <= MOST, ARGAND_FORMAT, "%s: ACQ_slice_offset has %.9g mm", b->path,
          b->partition_offset);
    return ARGAND_OK;
}

argand_status bruker_find_layout(scan_reader *reader, bruker_scan *b)
{
    TRY(find_number(b));
    TRY(find_block(b));
    TRY(find_trajectory(b));
    if (b->trajectory && b->points < b->samples)
        scan_note(
            reader,
            "ParaVision: the trajectory has %lld points for the %lld samples of a line: %lld samples before "
            "them and %lld behind are left out.",
            (long long)b->points, (long long)b->samples, (long long)b->discard_before,
            (long long)b->discard_after);
    TRY(bruker_find_epi(reader, b));
    CHECK(b->samples <= MOST, ARGAND_UNSUPPORTED, "%s: a line has %lld samples; at most %d are read", b->path,
          (long long)b->samples, MOST);
    TRY(check_method(b));
    TRY(find_counts(b));
    TRY(find_count(reader, b));
    TRY(find_matrix(reader, b));
    find_polarity(reader, b);
    return find_offsets(b);
}
