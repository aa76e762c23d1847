/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the heads of all acquisitions at once, without their samples, and decides which are kept and what
 * each of them holds. */
#include "io/ismrmrd/scan.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/size.h"
#include "io/hdf5/dataset.h"

static bool has(const ismrmrd_head *head, int flag)
{
    return head->flags & ismrmrd_flag(flag);
}

scan_purpose scan_purpose_of(const ismrmrd_head *head)
{
    static const int others[] = {ISMRMRD_HP_FEEDBACK, ISMRMRD_DUMMY, ISMRMRD_RT_FEEDBACK,
                                 ISMRMRD_PHASE_STABILIZATION_REFERENCE, ISMRMRD_PHASE_STABILIZATION};
    if (has(head, ISMRMRD_NOISE)) return SCAN_NOISE;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has(head, others[i])) return SCAN_OTHER;
    if (has(head, ISMRMRD_NAVIGATION)) return SCAN_NAVIGATOR;
    if (has(head, ISMRMRD_PHASE_CORRECTION)) return SCAN_CORRECTION;
    if (has(head, ISMRMRD_CALIBRATION) && !has(head, ISMRMRD_CALIBRATION_AND_IMAGING))
        return SCAN_CALIBRATION;
    return SCAN_IMAGE;
}

static argand_status check_sizes(const scan_reader *reader, const scan_piece *piece)
{
    const ismrmrd_head *head = scan_head(reader, piece);
    const int kept = head->number_of_samples - head->discard_pre - head->discard_post;
    CHECK(head->active_channels > 0, ARGAND_FORMAT,
          ROW_FORMAT " has no channels (active_channels is 0). Correct its head", ROW(reader, piece));
    CHECK(head->number_of_samples > 0, ARGAND_FORMAT,
          ROW_FORMAT " has no samples (number_of_samples is 0). Correct its head", ROW(reader, piece));
    CHECK(kept > 0, ARGAND_FORMAT,
          ROW_FORMAT " discards all its samples: discard_pre %d and discard_post %d of %d. Correct its head",
          ROW(reader, piece), head->discard_pre, head->discard_post, head->number_of_samples);
    const ismrmrd_head *first = scan_head(reader, reader->first);
    CHECK(
        head->active_channels == first->active_channels, ARGAND_FORMAT,
        ROW_FORMAT
        " has %d channels, acquisition %llu has %d. Image data must have the same channels throughout: write "
        "what was received by other coils to a file of its own",
        ROW(reader, piece), head->active_channels, (unsigned long long)reader->first->row,
        first->active_channels);
    return ARGAND_OK;
}

static argand_status check_head(const scan_reader *reader, const scan_piece *piece)
{
    const ismrmrd_head *head = scan_head(reader, piece);
    const int dimensions = head->trajectory_dimensions;
    TRY(check_sizes(reader, piece));
    CHECK(head->encoding_space_ref < reader->owner->scan.encoding_count, ARGAND_FORMAT,
          ROW_FORMAT " refers to encoding %d, but the header has %d (counted from 0)", ROW(reader, piece),
          head->encoding_space_ref, reader->owner->scan.encoding_count);
    CHECK(dimensions == 0 || (dimensions >= 2 && dimensions <= 4), ARGAND_FORMAT,
          ROW_FORMAT
          " has trajectory_dimensions %d; 0, 2 (kx, ky), 3 (kx, ky, kz) and 4 (kx, ky, kz, t) can be read",
          ROW(reader, piece), dimensions);
    CHECK(isfinite(head->sample_time_us) && head->sample_time_us >= 0, ARGAND_FORMAT,
          ROW_FORMAT ": sample_time_us is %g; it must be positive. Correct its head", ROW(reader, piece),
          (double)head->sample_time_us);
    CHECK((double)head->sample_time_us <= SCAN_LONGEST_TIME * 1e6, ARGAND_FORMAT,
          ROW_FORMAT ": sample_time_us is %g, longer than any scan. Correct its head", ROW(reader, piece),
          (double)head->sample_time_us);
    for (int flag = ISMRMRD_COMPRESSED_FIRST; flag <= ISMRMRD_COMPRESSED_LAST; flag++)
        CHECK(!has(head, flag), ARGAND_UNSUPPORTED,
              ROW_FORMAT " holds compressed samples (flag %d). Write the file without compression",
              ROW(reader, piece), flag);
    return ARGAND_OK;
}

/* Requires k except for noise and acquisitions that are set aside. */
static argand_status check_trajectory(const scan_reader *reader, const scan_piece *piece)
{
    const ismrmrd_head *head = scan_head(reader, piece);
    const argand_encoding *e = &reader->owner->encodings[head->encoding_space_ref];
    CHECK(head->trajectory_dimensions || scan_is_cartesian(e) || piece->purpose != SCAN_IMAGE ||
              reader->options.no_trajectory,
          ARGAND_FORMAT,
          ROW_FORMAT
          " has no trajectory (trajectory_dimensions is 0), but the header says \"%s\". Write k with "
          "the data, or give its Pulseq sequence (argand sense --sequence FILE.seq)",
          ROW(reader, piece), e->trajectory);
    return ARGAND_OK;
}

/* Returns the centre among the kept samples, in forward order. Without a trajectory, 0 means "not given",
 * as most writers use it. Siemens states the same centre for readouts to and fro, half a sample behind the
 * true one in both: mrpro found this with bipolar echoes, and mapVBVD and twixtools reverse lines so. */
static int centre_sample(const ismrmrd_head *head, int samples, bool siemens)
{
    if (!head->center_sample && !head->trajectory_dimensions) return samples / 2;
    const int centre = head->center_sample - head->discard_pre;
    const int last = siemens && !head->trajectory_dimensions ? samples : samples - 1;
    return scan_is_reversed(head) ? last - centre : centre;
}

static void describe(argand_acquisition *a, const ismrmrd_head *head, bool siemens)
{
    const ismrmrd_counters *idx = &head->idx;
    a->counters = (argand_counters){.shot = idx->kspace_encode_step_1,
                                    .partition = idx->kspace_encode_step_2,
                                    .average = idx->average,
                                    .slice = idx->slice,
                                    .contrast = idx->contrast,
                                    .phase = idx->phase,
                                    .repetition = idx->repetition,
                                    .set = idx->set,
                                    .segment = idx->segment};
    a->flags = head->flags;
    a->time_stamp = head->acquisition_time_stamp;
    memcpy(a->user_int, head->user_int, sizeof a->user_int);
    memcpy(a->user_float, head->user_float, sizeof a->user_float);
    a->encoding = head->encoding_space_ref;
    a->samples = head->number_of_samples - head->discard_pre - head->discard_post;
    a->channels = head->active_channels;
    a->centre_sample = centre_sample(head, (int)a->samples, siemens);
    a->sample_time = (double)head->sample_time_us * 1e-6;
    memcpy(a->position, head->position, sizeof a->position);
    memcpy(a->read_dir, head->read_dir, sizeof a->read_dir);
    memcpy(a->phase_dir, head->phase_dir, sizeof a->phase_dir);
    memcpy(a->slice_dir, head->slice_dir, sizeof a->slice_dir);
}

static argand_status check_and_describe(scan_reader *reader)
{
    const bool siemens = scan_is_siemens(text_chars(&reader->owner->system));
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        argand_status status = check_head(reader, p);
        if (status == ARGAND_OK) status = check_trajectory(reader, p);
        TRY(scan_spare(reader, p, status));
        p->acquisition->row = (int64_t)p->row;
        if (!p->dropped) describe(p->acquisition, scan_head(reader, p), siemens);
    }
    scan_unwrap_steps(reader);
    return scan_check_promises(reader);
}

/* Orders acquisitions by purpose, so that each purpose is a contiguous array. */
static argand_status place_acquisitions(scan_reader *reader)
{
    scan_owner *owner = reader->owner;
    int64_t next[SCAN_PURPOSES] = {0};
    TRY(NEW(owner->acquisitions, reader->count));
    for (int64_t i = 0; i < reader->count; i++)
        for (int later = (int)reader->pieces[i].purpose + 1; later < SCAN_PURPOSES; later++) next[later]++;
    for (int64_t i = 0; i < reader->count; i++)
        reader->pieces[i].acquisition = &owner->acquisitions[next[reader->pieces[i].purpose]++];
    return ARGAND_OK;
}

/* Returns true if image lines without the flag of surface coil corrections stand next to some with it, which
 * are then no image. If all have the flag, they are the image: siemens_to_ismrmrd sets the flag for lines to
 * which the scanner applies correction factors (MDH_RAWDATACORRECTION), such as all lines of an MPRAGE. */
static bool has_correction_scan(scan_reader *reader)
{
    hsize_t with = 0, without = 0;
    for (hsize_t row = 0; row < reader->row_count; row++) {
        const bool image = scan_purpose_of(&reader->heads[row]) == SCAN_IMAGE;
        with += image && has(&reader->heads[row], ISMRMRD_SURFACE_COIL);
        without += image && !has(&reader->heads[row], ISMRMRD_SURFACE_COIL);
    }
    if (with && without)
        scan_note(reader,
                  "%llu acquisitions are flagged as surface coil corrections (flag 29), %llu others are not: "
                  "the flagged ones are left out.",
                  (unsigned long long)with, (unsigned long long)without);
    return with && without;
}

argand_status scan_choose_heads(scan_reader *reader)
{
    argand_scan *scan = &reader->owner->scan;
    int64_t counts[SCAN_PURPOSES] = {0};
    const bool corrections = has_correction_scan(reader);
    TRY(NEW(reader->pieces, reader->row_count));
    for (hsize_t row = 0; row < reader->row_count; row++) {
        scan_purpose purpose = scan_purpose_of(&reader->heads[row]);
        if (corrections && purpose == SCAN_IMAGE && has(&reader->heads[row], ISMRMRD_SURFACE_COIL))
            purpose = SCAN_OTHER;
        counts[purpose]++;
        if (purpose == SCAN_OTHER) continue;
        if (purpose == SCAN_IMAGE && !reader->first) reader->first = &reader->pieces[reader->count];
        reader->pieces[reader->count++] = (scan_piece){.row = row, .purpose = purpose};
    }
    CHECK(counts[SCAN_IMAGE] || (reader->options.no_images && reader->count), ARGAND_FORMAT,
          "%s: none of the %llu acquisitions is for an image: %lld noise, %lld navigator, %lld calibration, "
          "%lld phase correction, %lld other",
          reader->path, (unsigned long long)reader->row_count, (long long)counts[SCAN_NOISE],
          (long long)counts[SCAN_NAVIGATOR], (long long)counts[SCAN_CALIBRATION],
          (long long)counts[SCAN_CORRECTION], (long long)counts[SCAN_OTHER]);
    if (!reader->first) reader->first = reader->pieces;
    scan->other_count = counts[SCAN_OTHER];
    scan->channels = scan_head(reader, reader->first)->active_channels;
    TRY(place_acquisitions(reader));
    TRY(check_and_describe(reader));
    return scan_lay_out(reader);
}

/* Checks that the type is {head, traj, data} with the right classes; HDF5 would convert anything else to
 * zeros, or fail without a clear reason. */
static argand_status check_type(const scan_reader *reader, hid_t type)
{
    static const struct {
        const char *name;
        H5T_class_t class;
        bool needed;
    } members[] = {{"head", H5T_COMPOUND, true}, {"data", H5T_VLEN, true}, {"traj", H5T_VLEN, false}};
    const bool is_compound = H5Tget_class(type) == H5T_COMPOUND;
    CHECK(is_compound, ARGAND_FORMAT, "%s: \"data\" is not a table of acquisitions. Is it an ISMRMRD file?",
          reader->path);
    CHECK(hdf5_type_is_sound(type), ARGAND_FORMAT,
          "%s: the type of the acquisitions makes no sense. The file is damaged", reader->path);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const int at = H5Tget_member_index(type, members[i].name);
        CHECK(at >= 0 || !members[i].needed, ARGAND_FORMAT, "%s: the acquisitions have no member \"%s\"",
              reader->path, members[i].name);
        CHECK(at < 0 || H5Tget_member_class(type, (unsigned)at) == members[i].class, ARGAND_FORMAT,
              "%s: the acquisitions' member \"%s\" has another type than in ISMRMRD", reader->path,
              members[i].name);
    }
    return ARGAND_OK;
}

/* Least bytes of an acquisition: 8 bytes of samples in the heap, and a reference of 16. A row without
 * samples may be packed to nothing, but its head takes memory. */
enum { LEAST_BYTES = 24 };

/* Returns true if the file can hold the claimed rows. A reference to samples has 16 bytes in memory, by
 * which HDF5 counts, and 8 bytes and an address in the file. */
static bool can_hold_rows(const scan_reader *reader, hid_t dataset, size_t count, size_t row)
{
    size_t bytes;
    return count <= reader->file_bytes / LEAST_BYTES && size_multiply(&bytes, count, row) &&
           hdf5_can_hold(dataset, reader->file_bytes, bytes / 2);
}

static argand_status count_rows(scan_reader *reader, hid_t dataset)
{
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const size_t size = H5Tget_size(type);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const int rank = H5Sget_simple_extent_ndims(space);
    argand_status status = check_type(reader, type);
    H5Sclose(space);
    H5Tclose(type);
    TRY(status);
    CHECK(rank == 1, ARGAND_FORMAT, "%s: \"data\" has %d dimensions instead of one", reader->path, rank);
    CHECK(count > 0, ARGAND_FORMAT, "%s: holds no acquisitions", reader->path);
    CHECK(can_hold_rows(reader, dataset, (size_t)count, size), ARGAND_FORMAT,
          "%s: promises %lld acquisitions of %zu bytes, but stores %.6g MB for them. It is damaged",
          reader->path, (long long)count, size, (double)H5Dget_storage_size(dataset) / 1e6);
    reader->row_count = (hsize_t)count;
    return ARGAND_OK;
}

static argand_status read_table(scan_reader *reader, hid_t dataset)
{
    TRY(count_rows(reader, dataset));
    TRY(NEW(reader->heads, reader->row_count));
    const hid_t type = ismrmrd_type_heads();
    const herr_t result = H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, reader->heads);
    const char *reason = result < 0 ? hdf5_reason() : "";
    H5Tclose(type);
    CHECK(result >= 0, ARGAND_FORMAT, "%s: the heads of the acquisitions cannot be read: %s", reader->path,
          reason);
    return scan_choose_heads(reader);
}

argand_status scan_read_heads(scan_reader *reader)
{
    hid_t dataset;
    TRY(hdf5_open_dataset(&dataset, reader->group, reader->path, "data"));
    if (dataset < 0) return scan_refuse_images(reader);
    const argand_status status = read_table(reader, dataset);
    H5Dclose(dataset);
    return status;
}
