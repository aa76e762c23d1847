/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan's samples as arrays, in BART's order. SCAN.h5:kspace of a Cartesian scan is a grid (grid.c), that of
 * others and with --list {1, samples, acquisitions, coils}. SCAN.h5:trajectory is {3, samples, acquisitions}
 * in cycles per field of view, SCAN.h5:times {samples, acquisitions} in seconds. SCAN.h5:calibration holds
 * calibration acquisitions as a list, SCAN.h5:noise {samples, coils} of all noise acquisitions. */
#include "convert/samples.h"
#include "common/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool convert_is_samples(const char *name)
{
    static const char *const names[] = {"kspace", "trajectory", "times", "noise", "calibration"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name && !strcmp(name, names[i])) return true;
    return false;
}

/* ---- which acquisitions */

/* Refuses acquisitions of different sizes: one array cannot hold them. */
static argand_status check_alike(const kspace_lines *lines)
{
    const argand_acquisition *first = lines->at[0];
    for (int64_t i = 1; i < lines->count; i++) {
        const argand_acquisition *a = lines->at[i];
        if (a->samples != first->samples || a->channels != first->channels)
            return report_error(ARGAND_FORMAT,
                                "%s: acquisition %lld has %lld samples of %d channels, acquisition %lld has "
                                "%lld of %d: in one array, all must have the same size",
                                lines->scan->path, (long long)a->row, (long long)a->samples, a->channels,
                                (long long)first->row, (long long)first->samples, first->channels);
        for (int d = 0; d < 3; d++)
            if (!a->k[d] != !first->k[d])
                return report_error(ARGAND_FORMAT, "%s: acquisition %lld has no positions in k-space",
                                    lines->scan->path, (long long)(a->k[d] ? first : a)->row);
    }
    return ARGAND_OK;
}

/* Merges two lists that are in the file's order. */
static void merge(kspace_lines *lines, const argand_acquisition *more, int64_t more_count)
{
    const argand_scan *scan = lines->scan;
    int64_t i = 0, j = 0;
    while (i < scan->acquisition_count || j < more_count) {
        const bool image =
            j == more_count || (i < scan->acquisition_count && scan->acquisitions[i].row <= more[j].row);
        lines->at[lines->count++] = image ? &scan->acquisitions[i++] : &more[j++];
    }
}

static argand_status find_lines(kspace_lines *lines, const argand_scan *scan, const char *name,
                                bool *embedded)
{
    const bool calibration = !strcmp(name, "calibration");
    const int64_t images = scan->acquisition_count, all = images + scan->calibration_count;
    *lines = (kspace_lines){.scan = scan};
    *embedded = false;
    if (calibration ? !scan->calibration_count : !images)
        return report_error(ARGAND_FORMAT, "%s: no %s to write as k-space", scan->path,
                            calibration ? "calibration acquisitions" : "image data");
    lines->at = malloc((size_t)all * sizeof *lines->at);
    if (!lines->at) return report_error(ARGAND_MEMORY, "%s: no memory for its acquisitions", scan->path);
    if (calibration) {
        for (int64_t i = 0; i < scan->calibration_count; i++) lines->at[i] = &scan->calibrations[i];
        lines->count = scan->calibration_count;
        return ARGAND_OK;
    }
    TRY(argand_scan_embedded(embedded, scan, scan->acquisitions->encoding));
    merge(lines, scan->calibrations, *embedded ? scan->calibration_count : 0);
    return ARGAND_OK;
}

/* Notes which acquisitions of the scan are not in the array. */
static void tell_left_out(const kspace_lines *lines, bool embedded, report *out)
{
    const argand_scan *scan = lines->scan;
    const struct {
        int64_t count;
        const char *name;
    } apart[] = {{embedded ? 0 : scan->calibration_count, "calibration (:calibration)"},
                 {scan->noise_count, "noise (:noise)"},
                 {scan->navigator_count, "navigator"},
                 {scan->correction_count, "phase correction"},
                 {scan->other_count, "other"}};
    char text[300] = "";
    size_t used = 0;
    if (embedded)
        report_note(
            out, "%lld calibration acquisitions lie between the image's lines: they are written with them.",
            (long long)scan->calibration_count);
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (apart[i].count)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld %s", used ? ", " : "",
                                     (long long)apart[i].count, apart[i].name);
    if (*text) report_note(out, "Acquisitions of other kinds are not written: %s.", text);
}

/* ---- arrays */

static argand_status give(argand_array **array, argand_device *device, argand_type type, int rank,
                          const int64_t *dims, float *values)
{
    argand_status status = argand_array_create(array, device, type, rank, dims);
    if (status == ARGAND_OK) status = argand_array_upload(*array, values);
    free(values);
    return status;
}

/* Allocates zeros for complex or real numbers. */
static argand_status take_memory(float **values, const kspace_lines *lines, int64_t count, int64_t parts)
{
    int64_t bytes;
    *values = NULL;
    if (!__builtin_mul_overflow(count, parts * (int64_t)sizeof **values, &bytes))
        *values = calloc(1, (size_t)bytes);
    return *values ? ARGAND_OK
                   : report_error(ARGAND_MEMORY, "%s: no memory for its samples", lines->scan->path);
}

/* Makes {1, samples, acquisitions, coils}, as BART has it; NumPy's files have no axis of 1. */
static argand_status kspace_list(convert_image *image, const kspace_lines *lines, bool npy,
                                 argand_device *device)
{
    const argand_acquisition *first = lines->at[0];
    const int64_t n = first->samples, dims[4] = {1, n, lines->count, first->channels};
    float *values;
    TRY(take_memory(&values, lines, n * lines->count * first->channels, 2));
    for (int64_t i = 0; i < lines->count; i++)
        for (int c = 0; c < first->channels; c++)
            memcpy(values + 2 * n * (i + lines->count * c), lines->at[i]->data + 2 * n * c,
                   (size_t)n * 2 * sizeof *values);
    if (npy) snprintf(image->described.axes, sizeof image->described.axes, "sample, acquisition, coil");
    return npy ? give(&image->array, device, ARGAND_C32, 3, dims + 1, values)
               : give(&image->array, device, ARGAND_C32, 4, dims, values);
}

/* Returns 2 if kz is 0 everywhere, otherwise 3. */
static int count_components(const kspace_lines *lines)
{
    for (int64_t i = 0; i < lines->count; i++)
        for (int64_t j = 0; lines->at[i]->k[2] && j < lines->at[i]->samples; j++)
            if (lines->at[i]->k[2][j] != 0) return 3;
    return 2;
}

/* Makes the trajectory of a .npy: real, the components in the order of NumPy's image axes, (kz,) ky, kx. */
static argand_status trajectory_numpy(convert_image *image, const kspace_lines *lines, argand_device *device)
{
    const int components = count_components(lines);
    const int64_t n = lines->at[0]->samples, dims[3] = {components, n, lines->count};
    float *values, *to;
    TRY(take_memory(&values, lines, components * n * lines->count, 1));
    to = values;
    for (int64_t i = 0; i < lines->count; i++)
        for (int64_t j = 0; j < n; j++)
            for (int axis = components - 1; axis >= 0; axis--) {
                const float *k = lines->at[i]->k[axis];
                *to++ = k ? k[j] : 0;
            }
    return give(&image->array, device, ARGAND_R32, 3, dims, values);
}

/* Makes the trajectory complex and x first, as BART stores it. */
static argand_status trajectory_list(convert_image *image, const kspace_lines *lines, argand_device *device)
{
    const int64_t n = lines->at[0]->samples, dims[3] = {3, n, lines->count};
    float *values;
    TRY(take_memory(&values, lines, 3 * n * lines->count, 2));
    for (int64_t i = 0; i < lines->count; i++)
        for (int64_t j = 0; j < n; j++)
            for (int axis = 0; axis < 3; axis++) {
                const float *k = lines->at[i]->k[axis];
                values[2 * (axis + 3 * (j + n * i))] = k ? k[j] : 0;
            }
    return give(&image->array, device, ARGAND_C32, 3, dims, values);
}

/* Makes the list of times; {samples} if all lines of a grid share them. */
static argand_status times_list(convert_image *image, const kspace_lines *lines, bool shared,
                                argand_device *device)
{
    const int64_t n = lines->at[0]->samples, rows = shared ? 1 : lines->count, dims[2] = {n, rows};
    float *values;
    TRY(take_memory(&values, lines, n * rows, 1));
    for (int64_t i = 0; i < rows; i++) memcpy(values + i * n, lines->at[i]->t, (size_t)n * sizeof *values);
    return give(&image->array, device, ARGAND_R32, shared ? 1 : 2, dims, values);
}

static bool share_times(const kspace_lines *lines)
{
    const argand_acquisition *first = lines->at[0];
    for (int64_t i = 1; i < lines->count; i++)
        if (memcmp(lines->at[i]->t, first->t, (size_t)first->samples * sizeof *first->t) != 0) return false;
    return true;
}

static argand_status kspace_on_grid(convert_image *image, const kspace_lines *lines, const kspace_grid *grid,
                                    argand_device *device)
{
    float *values;
    TRY(take_memory(&values, lines, grid->points, 2 * grid->dims[3]));
    kspace_grid_fill(values, grid, lines);
    return give(&image->array, device, ARGAND_C32, grid->rank, grid->dims, values);
}

/* Notes the --axes that argand sense needs for further dimensions, in the file's order. */
static void tell_axes(convert_image *image, const kspace_grid *grid, const convert_settings *s, report *out)
{
    char axes[200];
    kspace_grid_axes(image->described.axes, sizeof image->described.axes, grid, false);
    if (grid->rank == 4 || !kspace_grid_is_named(grid) || !s->output) return;
    kspace_grid_axes(axes, sizeof axes, grid, has_ending(s->output, ".npy"));
    report_note(out, "To reconstruct it: argand sense --kspace %s --axes %s.", s->output, axes);
}

static argand_status write_grid(convert_image *image, const kspace_lines *lines, const kspace_grid *grid,
                                const char *name, const convert_settings *s, argand_device *device,
                                report *out)
{
    if (!strcmp(name, "kspace")) {
        tell_axes(image, grid, s, out);
        return kspace_on_grid(image, lines, grid, device);
    }
    if (!strcmp(name, "times") && share_times(lines)) return times_list(image, lines, true, device);
    return report_error(ARGAND_ARGUMENT,
                        "%s:%s: the k-space of this Cartesian scan is written as a grid, which needs no "
                        "trajectory or times; --list writes all three, acquisition by acquisition",
                        lines->scan->path, name);
}

static argand_status write_list(convert_image *image, const kspace_lines *lines, const char *name,
                                const convert_settings *s, argand_device *device)
{
    const bool npy = s->output && has_ending(s->output, ".npy");
    if (!strcmp(name, "trajectory"))
        return npy ? trajectory_numpy(image, lines, device) : trajectory_list(image, lines, device);
    if (!strcmp(name, "times")) return times_list(image, lines, false, device);
    return kspace_list(image, lines, npy, device);
}

/* Decides if the lines are written as a grid. Notes the reason if a Cartesian scan cannot be. */
static argand_status choose_grid(bool *on_grid, kspace_grid *grid, const kspace_lines *lines, report *out)
{
    const char *reason;
    *on_grid = false;
    if (strcmp(lines->scan->encodings[lines->at[0]->encoding].trajectory, "cartesian") != 0) return ARGAND_OK;
    TRY(kspace_grid_find(grid, &reason, lines));
    *on_grid = !reason;
    if (reason)
        report_note(out, "%s: k-space is written acquisition by acquisition, not as a grid: %s.",
                    lines->scan->path, reason);
    return ARGAND_OK;
}

argand_status convert_samples(convert_image *image, const argand_scan *scan, const char *name,
                              const convert_settings *s, argand_device *device, report *out)
{
    kspace_lines lines;
    kspace_grid grid;
    bool embedded, on_grid = false;
    if (!strcmp(name, "noise")) return argand_scan_noise(&image->array, NULL, scan, device);
    argand_status status = find_lines(&lines, scan, name, &embedded);
    if (!status) status = check_alike(&lines);
    if (!status && strcmp(name, "calibration") != 0) {
        tell_left_out(&lines, embedded, out);
        if (!s->list) status = choose_grid(&on_grid, &grid, &lines, out);
    }
    if (!status)
        status = on_grid ? write_grid(image, &lines, &grid, name, s, device, out)
                         : write_list(image, &lines, name, s, device);
    free(lines.at);
    return status;
}
