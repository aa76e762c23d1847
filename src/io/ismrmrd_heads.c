/* SPDX-License-Identifier: BSD-3-Clause */
/* The heads of all acquisitions, read in one go (that touches none of the samples): which ones are kept, what
 * each of them holds, and how much memory all need. Nothing that a head promises is believed before it is
 * compared with the file's size. */
#include "io/ismrmrd_scan.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

static bool has(const ismrmrd_head *head, int flag)
{
    return head->flags & ismrmrd_flag(flag);
}

/* The counter of those that are set aside, or NULL for image data. */
static int64_t *set_aside(argand_scan *scan, const ismrmrd_head *head)
{
    static const int others[] = {
        ISMRMRD_PHASE_CORRECTION,   ISMRMRD_HP_FEEDBACK,  ISMRMRD_DUMMY,
        ISMRMRD_RT_FEEDBACK,        ISMRMRD_SURFACE_COIL, ISMRMRD_PHASE_STABILIZATION_REFERENCE,
        ISMRMRD_PHASE_STABILIZATION};
    if (has(head, ISMRMRD_NOISE)) return &scan->noise_count;
    if (has(head, ISMRMRD_NAVIGATION)) return &scan->navigator_count;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has(head, others[i])) return &scan->other_count;
    if (has(head, ISMRMRD_CALIBRATION) && !has(head, ISMRMRD_CALIBRATION_AND_IMAGING))
        return &scan->calibration_count;
    return NULL;
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
    const ismrmrd_head *first = scan_head(reader, reader->pieces);
    CHECK(head->active_channels == first->active_channels, ARGAND_FORMAT,
          ROW_FORMAT
          " has %d channels, acquisition %llu has %d. Image data must have the same channels throughout",
          ROW(reader, piece), head->active_channels, (unsigned long long)reader->pieces->row,
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
    for (int flag = ISMRMRD_COMPRESSED_FIRST; flag <= ISMRMRD_COMPRESSED_LAST; flag++)
        CHECK(!has(head, flag), ARGAND_UNSUPPORTED,
              ROW_FORMAT " holds compressed samples (flag %d). Write the file without compression",
              ROW(reader, piece), flag);
    return ARGAND_OK;
}

static bool is_cartesian(const char *trajectory)
{
    return !*trajectory || !strcmp(trajectory, "cartesian") || !strcmp(trajectory, "epi");
}

/* Of the samples that are kept and turned. Without a trajectory 0 stands for "not given", as most writers
 * have it. */
static int centre_sample(const ismrmrd_head *head, int samples)
{
    if (!head->center_sample && !head->trajectory_dimensions) return samples / 2;
    const int centre = head->center_sample - head->discard_pre;
    return scan_is_reversed(head) ? samples - 1 - centre : centre;
}

static void describe(argand_acquisition *a, const ismrmrd_head *head)
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
    a->encoding = head->encoding_space_ref;
    a->samples = head->number_of_samples - head->discard_pre - head->discard_post;
    a->channels = head->active_channels;
    a->centre_sample = centre_sample(head, (int)a->samples);
    a->sample_time = (double)head->sample_time_us * 1e-6;
    memcpy(a->position, head->position, sizeof a->position);
    memcpy(a->read_dir, head->read_dir, sizeof a->read_dir);
    memcpy(a->phase_dir, head->phase_dir, sizeof a->phase_dir);
    memcpy(a->slice_dir, head->slice_dir, sizeof a->slice_dir);
}

/* Checks and describes the kept ones; their sizes together give the memory, which the file must be able to
 * fill. */
static argand_status lay_out(scan_reader *reader)
{
    scan_owner *owner = reader->owner;
    double stored = 0;
    size_t samples = 0, floats = 0;
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        const ismrmrd_head *head = scan_head(reader, p);
        argand_acquisition *a = scan_acquisition(reader, p);
        TRY(check_head(reader, p));
        describe(a, head);
        CHECK(head->trajectory_dimensions || is_cartesian(owner->encodings[a->encoding].trajectory),
              ARGAND_FORMAT,
              ROW_FORMAT
              " has no trajectory (trajectory_dimensions is 0), but the header says \"%s\". Write k with the "
              "data",
              ROW(reader, p), owner->encodings[a->encoding].trajectory);
        stored += 4.0 * head->number_of_samples * (2.0 * head->active_channels + head->trajectory_dimensions);
        samples += (size_t)a->samples;
        floats += 2 * (size_t)a->samples * (size_t)a->channels;
    }
    CHECK(stored <= (double)reader->file_bytes, ARGAND_FORMAT,
          "%s: the acquisitions promise %.6g MB of samples, the file has %.6g MB. It is cut off or its heads "
          "are wrong",
          reader->path, stored / 1e6, (double)reader->file_bytes / 1e6);
    TRY(NEW(owner->samples, floats));
    TRY(memory_new(&owner->coordinates, samples, 4 * sizeof(float)));
    float *data = owner->samples, *place = owner->coordinates;
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        argand_acquisition *a = scan_acquisition(reader, p);
        a->data = p->data = data;
        data += 2 * a->samples * a->channels;
        for (int d = 0; d < 3; d++, place += a->samples) a->k[d] = p->k[d] = place;
        a->t = p->t = place;
        place += a->samples;
    }
    return ARGAND_OK;
}

static argand_status choose(scan_reader *reader)
{
    scan_owner *owner = reader->owner;
    argand_scan *scan = &owner->scan;
    TRY(NEW(reader->pieces, reader->row_count));
    for (hsize_t row = 0; row < reader->row_count; row++) {
        int64_t *count = set_aside(scan, &reader->heads[row]);
        if (count)
            ++*count;
        else
            reader->pieces[reader->count++].row = row;
    }
    CHECK(reader->count > 0, ARGAND_FORMAT,
          "%s: none of the %llu acquisitions is for an image: %lld noise, %lld navigator, %lld calibration, "
          "%lld other",
          reader->path, (unsigned long long)reader->row_count, (long long)scan->noise_count,
          (long long)scan->navigator_count, (long long)scan->calibration_count, (long long)scan->other_count);
    TRY(NEW(owner->acquisitions, reader->count));
    scan->acquisitions = owner->acquisitions;
    scan->acquisition_count = reader->count;
    scan->channels = scan_head(reader, reader->pieces)->active_channels;
    return lay_out(reader);
}

/* {head, traj, data} with the classes that they must have; HDF5 would convert anything else to zeros or fail
 * obscurely. */
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
    /* 1032 is the most that deflate can do; most writers compress nothing */
    CHECK((double)count * (double)size <= 1032.0 * (double)H5Dget_storage_size(dataset), ARGAND_FORMAT,
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
    return choose(reader);
}

argand_status scan_read_heads(scan_reader *reader)
{
    const hid_t dataset = H5Dopen2(reader->group, "data", H5P_DEFAULT);
    CHECK(dataset >= 0, ARGAND_FORMAT, "%s: holds no acquisitions: no table \"data\" in the group",
          reader->path);
    const argand_status status = read_table(reader, dataset);
    H5Dclose(dataset);
    return status;
}
