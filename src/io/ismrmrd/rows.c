/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the table of acquisitions, some hundred rows at a time. HDF5 takes samples from the caller's
 * memory; trajectories are interleaved, and reversed readouts reversed back, in a buffer. */
#include <string.h>
#include "base/memory.h"
#include "io/ismrmrd/write.h"

enum { ROWS = 256, CHUNK = 64 };

static int trajectory_dimensions(const argand_acquisition *a)
{
    if (!a->k[0]) return 0;
    return a->t ? 4 : 3;
}

static bool is_reversed(const argand_acquisition *a)
{
    return a->flags & ismrmrd_flag(ISMRMRD_REVERSE);
}

/* Returns the centre sample as stored; the format cannot store one outside the samples. */
static uint16_t stored_centre(const argand_acquisition *a)
{
    const int64_t centre = is_reversed(a) ? a->samples - 1 - a->centre_sample : a->centre_sample;
    return centre >= 0 && centre < a->samples ? (uint16_t)centre : 0;
}

static void fill_counters(ismrmrd_counters *idx, const argand_counters *c)
{
    *idx = (ismrmrd_counters){.kspace_encode_step_1 = c->shot,
                              .kspace_encode_step_2 = c->partition,
                              .average = c->average,
                              .slice = c->slice,
                              .contrast = c->contrast,
                              .phase = c->phase,
                              .repetition = c->repetition,
                              .set = c->set,
                              .segment = c->segment};
}

static void fill_head(ismrmrd_head *head, const argand_acquisition *a, uint64_t flag, int64_t number)
{
    *head = (ismrmrd_head){.version = 1,
                           .flags = a->flags | flag,
                           .measurement_uid = 1,
                           .scan_counter = (uint32_t)(number + 1),
                           .acquisition_time_stamp = a->time_stamp,
                           .number_of_samples = (uint16_t)a->samples,
                           .available_channels = (uint16_t)a->channels,
                           .active_channels = (uint16_t)a->channels,
                           .center_sample = stored_centre(a),
                           .encoding_space_ref = (uint16_t)a->encoding,
                           .trajectory_dimensions = (uint16_t)trajectory_dimensions(a),
                           .sample_time_us = (float)(a->sample_time * 1e6)};
    for (int c = 0; c < a->channels; c++) head->channel_mask[c / 64] |= UINT64_C(1) << c % 64;
    memcpy(head->position, a->position, sizeof head->position);
    memcpy(head->read_dir, a->read_dir, sizeof head->read_dir);
    memcpy(head->phase_dir, a->phase_dir, sizeof head->phase_dir);
    memcpy(head->slice_dir, a->slice_dir, sizeof head->slice_dir);
    memcpy(head->user_int, a->user_int, sizeof head->user_int);
    memcpy(head->user_float, a->user_float, sizeof head->user_float);
    fill_counters(&head->idx, &a->counters);
}

size_t scan_written_floats(const argand_acquisition *a)
{
    const size_t reversed = is_reversed(a) ? 2 * (size_t)a->channels : 0;
    return (size_t)a->samples * ((size_t)trajectory_dimensions(a) + reversed);
}

static void fill_trajectory(ismrmrd_row *row, float *buffer, const argand_acquisition *a)
{
    const int dimensions = trajectory_dimensions(a);
    const float *from[] = {a->k[0], a->k[1], a->k[2], a->t};
    for (int64_t i = 0; i < a->samples; i++) {
        const int64_t source = is_reversed(a) ? a->samples - 1 - i : i;
        for (int d = 0; d < dimensions; d++) buffer[i * dimensions + d] = from[d] ? from[d][source] : 0;
    }
    row->traj = (hvl_t){(size_t)a->samples * (size_t)dimensions, dimensions ? buffer : NULL};
}

static void fill_data(ismrmrd_row *row, float *buffer, const argand_acquisition *a)
{
    row->data = (hvl_t){2 * (size_t)a->samples * (size_t)a->channels, (void *)(uintptr_t)a->data};
    if (!is_reversed(a)) return;
    row->data.p = buffer;
    for (int64_t c = 0; c < a->channels; c++)
        for (int64_t i = 0; i < a->samples; i++)
            memcpy(buffer + 2 * (c * a->samples + i), a->data + 2 * ((c + 1) * a->samples - 1 - i),
                   2 * sizeof *buffer);
}

void scan_written_row(ismrmrd_row *row, float *buffer, const scan_written *w, int64_t number)
{
    fill_head(&row->head, w->acquisition, w->flag, number);
    fill_trajectory(row, buffer, w->acquisition);
    fill_data(row, buffer + row->traj.len, w->acquisition);
}

static argand_status write_rows(hid_t dataset, hid_t type, const ismrmrd_row *rows, hsize_t first,
                                hsize_t count)
{
    const hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL);
    const herr_t result = H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, rows);
    const char *reason = result < 0 ? hdf5_reason() : "";
    H5Sclose(memory);
    H5Sclose(space);
    CHECK(result >= 0, ARGAND_FILE, "acquisitions cannot be written: %s", reason);
    return ARGAND_OK;
}

static argand_status write_batch(hid_t dataset, hid_t type, ismrmrd_row *rows, const argand_scan *scan,
                                 int64_t first, int64_t count)
{
    size_t floats = 0;
    float *buffer;
    for (int64_t i = 0; i < count; i++)
        floats += scan_written_floats(scan_written_at(scan, first + i).acquisition);
    TRY(NEW(buffer, floats));
    float *place = buffer;
    for (int64_t i = 0; i < count; i++) {
        const scan_written written = scan_written_at(scan, first + i);
        scan_written_row(&rows[i], place, &written, first + i);
        place += scan_written_floats(written.acquisition);
    }
    const argand_status status = write_rows(dataset, type, rows, (hsize_t)first, (hsize_t)count);
    memory_free(buffer);
    return status;
}

typedef struct written_list {
    const argand_acquisition *first;
    int64_t count;
    uint64_t flag;
    const char *name;
} written_list;

enum { LISTS = 5 };

static void list_all(written_list lists[LISTS], const argand_scan *scan)
{
    const written_list all[LISTS] = {
        {scan->noise, scan->noise_count, ARGAND_FLAG_NOISE, "noise acquisition"},
        {scan->corrections, scan->correction_count, ARGAND_FLAG_PHASE_CORRECTION,
         "phase correction acquisition"},
        {scan->calibrations, scan->calibration_count, ARGAND_FLAG_CALIBRATION, "calibration acquisition"},
        {scan->navigators, scan->navigator_count, ARGAND_FLAG_NAVIGATION, "navigator acquisition"},
        {scan->acquisitions, scan->acquisition_count, 0, "acquisition"}};
    memcpy(lists, all, sizeof all);
}

int64_t scan_written_count(const argand_scan *scan)
{
    return scan->noise_count + scan->correction_count + scan->calibration_count + scan->navigator_count +
           scan->acquisition_count;
}

scan_written scan_written_at(const argand_scan *scan, int64_t i)
{
    written_list lists[LISTS];
    int l = 0;
    list_all(lists, scan);
    for (; l < LISTS - 1 && i >= lists[l].count; l++) i -= lists[l].count;
    return (scan_written){&lists[l].first[i], lists[l].flag, lists[l].name, (long long)i};
}

/* Creates the table with packed rows, because libismrmrd's Python package reads heads byte by byte. */
static hid_t create_table(hid_t group, hid_t memory, hsize_t count)
{
    const hsize_t unlimited = H5S_UNLIMITED, chunk = count < CHUNK ? count : CHUNK;
    const hid_t space = H5Screate_simple(1, &count, &unlimited), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    H5Pset_obj_track_times(creation, false); /* so that the same scan gives the same bytes */
    const hid_t type = H5Tcopy(memory);
    H5Tpack(type);
    const hid_t dataset = H5Dcreate2(group, "data", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Tclose(type);
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

argand_status scan_write_acquisitions(hid_t group, const argand_scan *scan)
{
    argand_status status;
    ismrmrd_row *rows;
    TRY(NEW(rows, ROWS));
    const hid_t type = ismrmrd_type_rows();
    const int64_t count = scan_written_count(scan);
    const hid_t dataset = create_table(group, type, (hsize_t)count);
    CHECK_OR_DONE(dataset >= 0, ARGAND_FILE, "acquisitions cannot be written: %s", hdf5_reason());
    for (int64_t i = 0; i < count; i += ROWS) {
        const int64_t left = count - i;
        TRY_OR_DONE(write_batch(dataset, type, rows, scan, i, left < ROWS ? left : ROWS));
    }
    status = ARGAND_OK;
done:
    if (dataset >= 0) H5Dclose(dataset);
    H5Tclose(type);
    memory_free(rows);
    return status;
}
