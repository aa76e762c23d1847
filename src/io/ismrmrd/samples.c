/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the samples in runs of acquisitions, compares them with the claims of their heads, and stores
 * them: discarded samples are left out, reversed readouts put in forward order. Trajectories are treated
 * in the same way. */
#include "io/hdf5/heap.h"
#include "io/ismrmrd/scan.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "io/hdf5/dataset.h"

/* Large enough that a call of HDF5 costs little; small enough to stay in the cache and to reuse its memory:
 * runs of 64 MB take twice as long. */
enum { RUN_ROWS = 1024, RUN_BYTES = 4 << 20 };

/* Returns the index in the file of the i-th sample in memory. */
static int64_t stored_index(const ismrmrd_head *head, int64_t i)
{
    if (!scan_is_reversed(head)) return head->discard_pre + i;
    return head->number_of_samples - 1 - head->discard_post - i;
}

/* Returns true if all numbers are finite. Has no branches, so that compilers vectorise it. */
static bool all_finite(const float *x, int64_t n)
{
    int bad = 0;
    for (int64_t i = 0; i < n; i++) bad |= !(fabsf(x[i]) <= FLT_MAX);
    return !bad;
}

static argand_status refuse_sample(const scan_reader *reader, const scan_piece *piece)
{
    const argand_acquisition *a = scan_acquisition(reader, piece);
    int64_t i = 0;
    while (all_finite(piece->data + i, 1)) i++;
    return status_set(
        ARGAND_FORMAT,
        ROW_FORMAT ", sample %lld, channel %lld: the %s part is %g. Leave this acquisition out or "
                   "correct it",
        ROW(reader, piece), (long long)stored_index(scan_head(reader, piece), i / 2 % a->samples),
        (long long)(i / 2 / a->samples), i % 2 ? "imaginary" : "real", (double)piece->data[i]);
}

static argand_status place_data(const scan_reader *reader, const scan_piece *piece, const hvl_t *stored)
{
    const ismrmrd_head *head = scan_head(reader, piece);
    const argand_acquisition *a = scan_acquisition(reader, piece);
    const int64_t length = head->number_of_samples, n = a->samples;
    CHECK(stored->len == 2 * (size_t)length * head->active_channels && stored->p, ARGAND_FORMAT,
          ROW_FORMAT
          " stores %zu numbers; %lld samples of %d channels need %lld. Its head is wrong or the file is "
          "damaged",
          ROW(reader, piece), stored->len, (long long)length, head->active_channels,
          (long long)(2 * length * head->active_channels));
    for (int64_t c = 0; c < a->channels; c++) {
        const float *from = (const float *)stored->p + 2 * c * length;
        float *to = piece->data + 2 * c * n;
        if (!scan_is_reversed(head))
            memcpy(to, from + 2 * head->discard_pre, (size_t)n * 2 * sizeof *to);
        else
            for (int64_t i = 0; i < n; i++)
                memcpy(to + 2 * i, from + 2 * stored_index(head, i), 2 * sizeof *to);
    }
    return all_finite(piece->data, 2 * n * a->channels) ? ARGAND_OK : refuse_sample(reader, piece);
}

static argand_status place_trajectory(const scan_reader *reader, const scan_piece *piece, const hvl_t *stored)
{
    const ismrmrd_head *head = scan_head(reader, piece);
    const int dimensions = head->trajectory_dimensions;
    const size_t expected = (size_t)dimensions * head->number_of_samples;
    static const char *const names[] = {"kx", "ky", "kz", "t"};
    float *const targets[] = {piece->k[0], piece->k[1], piece->k[2], piece->t};
    if (!dimensions) return ARGAND_OK;
    CHECK(stored->len == expected && stored->p, ARGAND_FORMAT,
          ROW_FORMAT
          " stores %zu numbers of trajectory; %d samples of %d dimensions need %zu. Its head is wrong or "
          "the file is damaged",
          ROW(reader, piece), stored->len, head->number_of_samples, dimensions, expected);
    const int64_t n = scan_acquisition(reader, piece)->samples;
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = stored_index(head, i);
        const float *from = (const float *)stored->p + at * dimensions;
        for (int d = 0; d < dimensions; d++) {
            CHECK(isfinite(from[d]), ARGAND_FORMAT,
                  ROW_FORMAT
                  ", sample %lld: %s of the trajectory is %g. Leave this acquisition out or correct it",
                  ROW(reader, piece), (long long)at, names[d], (double)from[d]);
            targets[d][i] = from[d];
        }
    }
    return ARGAND_OK;
}

argand_status scan_place_samples(scan_reader *reader, scan_piece *piece, const hvl_t *data,
                                 const hvl_t *trajectory)
{
    argand_status status = place_data(reader, piece, data);
    if (status == ARGAND_OK) status = place_trajectory(reader, piece, trajectory);
    return scan_spare(reader, piece, status);
}

/* Returns the number of pieces from `first` on that lie in consecutive rows and can be read together. */
static int64_t run_length(const scan_reader *reader, int64_t first)
{
    size_t bytes = 0;
    int64_t i = first;
    for (; i < reader->count && i - first < RUN_ROWS && bytes < RUN_BYTES; i++) {
        const ismrmrd_head *head = scan_head(reader, &reader->pieces[i]);
        if (reader->pieces[i].row != reader->pieces[first].row + (hsize_t)(i - first)) break;
        bytes += sizeof(float) * head->number_of_samples *
                 (2u * head->active_channels + head->trajectory_dimensions);
    }
    return i - first;
}

typedef struct table { /* open while samples are read */
    hid_t dataset, space, type, transfer;
    ismrmrd_samples *rows;
} table;

static argand_status read_rows(scan_reader *reader, const table *t, hsize_t first, hsize_t count)
{
    const hid_t memory = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(t->space, H5S_SELECT_SET, &first, NULL, &count, NULL);
    memset(t->rows, 0, count * sizeof *t->rows); /* remains zero if the file has no "traj" */
    const herr_t result = H5Dread(t->dataset, t->type, memory, t->space, t->transfer, t->rows);
    const char *reason = result < 0 ? hdf5_reason() : "";
    H5Sclose(memory);
    CHECK(!reader->arena.failed, ARGAND_MEMORY, "%s: no memory for %llu acquisitions", reader->path,
          (unsigned long long)count);
    CHECK(!reader->arena.refused, ARGAND_FORMAT,
          "%s: acquisitions %llu to %llu ask for more samples than the whole file has. It is damaged",
          reader->path, (unsigned long long)first, (unsigned long long)(first + count - 1));
    CHECK(result >= 0, ARGAND_FORMAT,
          "%s: acquisitions %llu to %llu cannot be read (%s). The file is damaged", reader->path,
          (unsigned long long)first, (unsigned long long)(first + count - 1), reason);
    return ARGAND_OK;
}

static argand_status read_run(scan_reader *reader, const table *t, int64_t first, int64_t count)
{
    argand_status status = read_rows(reader, t, reader->pieces[first].row, (hsize_t)count);
    for (int64_t i = 0; i < count && status == ARGAND_OK; i++) {
        scan_piece *piece = &reader->pieces[first + i];
        if (!piece->dropped) status = scan_place_samples(reader, piece, &t->rows[i].data, &t->rows[i].traj);
    }
    hdf5_arena_clear(&reader->arena);
    return status;
}

static bool has_expected_layout(hid_t type)
{
    const int head = H5Tget_member_index(type, "head");
    const hid_t member = H5Tget_member_type(type, (unsigned)head);
    const bool fixed = H5Tdetect_class(member, H5T_VLEN) == 0 && H5Tdetect_class(member, H5T_STRING) == 0;
    H5Tclose(member);
    return fixed && H5Tget_nmembers(type) == (H5Tget_member_index(type, "traj") < 0 ? 2 : 3);
}

/* Checks references before HDF5 follows them. HDF5 reports sizes and offsets in memory; these are the
 * file's if a row has the usual members and a reference has 16 bytes in both. */
static argand_status check_references(const scan_reader *reader, hid_t dataset)
{
    static const char *const names[] = {"data", "traj"};
    hdf5_varying members[2];
    int count = 0;
    size_t addresses = 0, sizes;
    const hid_t creation = H5Fget_create_plist(reader->file), type = H5Dget_type(dataset);
    H5Pget_sizes(creation, &addresses, &sizes);
    H5Pclose(creation);
    for (int i = 0; i < 2; i++) {
        const int at = H5Tget_member_index(type, names[i]);
        if (at < 0) continue;
        const hid_t member = H5Tget_member_type(type, (unsigned)at), base = H5Tget_super(member);
        members[count++] =
            (hdf5_varying){names[i], H5Tget_member_offset(type, (unsigned)at), H5Tget_size(base)};
        H5Tclose(base);
        H5Tclose(member);
    }
    const bool same_places = addresses + 8 == sizeof(hvl_t) && has_expected_layout(type);
    const size_t bytes = H5Tget_size(type);
    H5Tclose(type);
    return same_places ? hdf5_check_varying(reader->path, dataset, bytes, members, count) : ARGAND_OK;
}

argand_status scan_read_samples(scan_reader *reader)
{
    argand_status status = ARGAND_OK;
    table t = {0};
    TRY(hdf5_open_dataset(&t.dataset, reader->group, reader->path, "data"));
    t.type = ismrmrd_type_samples();
    t.space = H5Dget_space(t.dataset);
    t.transfer = hdf5_arena_transfer(&reader->arena);
    TRY_OR_DONE(check_references(reader, t.dataset));
    TRY_OR_DONE(NEW(t.rows, RUN_ROWS));
    for (int64_t i = 0, count; i < reader->count && status == ARGAND_OK; i += count) {
        count = run_length(reader, i);
        status = observe("reading samples", (double)i / (double)reader->count);
        if (status == ARGAND_OK) status = read_run(reader, &t, i, count);
    }
done:
    memory_free(t.rows);
    H5Pclose(t.transfer);
    H5Sclose(t.space);
    H5Tclose(t.type);
    H5Dclose(t.dataset);
    return status;
}
