/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the simulated scan that is written to the file. */
#include "simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/report.h"

static const double TICK = 2.5; /* ms: of time stamps */

static argand_status new_floats(float **numbers, int64_t count)
{
    *numbers = calloc((size_t)count, sizeof **numbers);
    return *numbers ? ARGAND_OK
                    : report_error(ARGAND_MEMORY, "no memory for %lld numbers of the scan", (long long)count);
}

/* Returns the thickness of a plane. A volume of several slices has an additional plane above and below
 * (simulate.h). */
static double plane_thickness(const simulate_settings *s)
{
    if (simulate_is_volume(s)) return s->field_of_view;
    return s->slices > 1 ? s->field_of_view / (s->slices + 2) : 5;
}

static argand_encoding encoding_of(const simulate_settings *s)
{
    const double longest = (double)(s->matrix.n[0] > s->matrix.n[1] ? s->matrix.n[0] : s->matrix.n[1]);
    argand_encoding e = {.step1_centre = s->kind == ARGAND_CARTESIAN ? (int)(s->matrix.n[1] / 2) : 0,
                         .step2_centre = simulate_is_volume(s) ? (int)(s->matrix.n[2] / 2) : 0};
    for (int d = 0; d < 3; d++) {
        e.matrix[d] = e.recon_matrix[d] = s->matrix.n[d];
        e.field_of_view[d] = d < 2 ? s->field_of_view * (double)s->matrix.n[d] / longest : plane_thickness(s);
        e.recon_field_of_view[d] = e.field_of_view[d];
    }
    snprintf(e.trajectory, sizeof e.trajectory, "%s", s->trajectory.shot);
    return e;
}

/* Adds an array of the head under a name, without the planes above and below; slices last. */
static argand_status add_array(simulate_file *f, const simulate_settings *s, const char *name,
                               const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    const int64_t plane = s->matrix.n[0] * s->matrix.n[1], planes = argand_array_dim(array, 2),
                  coils = argand_array_dim(array, 3);
    const int64_t parts = type == ARGAND_C32 ? 2 : 1, kept = s->slices > 1 ? s->slices : planes,
                  first = s->slices > 1 ? 1 : 0;
    const int i = f->scan.array_count;
    float *all;
    argand_status status = new_floats(&all, parts * plane * planes * coils);
    if (!status) status = new_floats(&f->maps[i], parts * plane * kept * coils);
    if (!status) status = argand_array_download(array, all);
    for (int64_t z = 0; z < kept && !status; z++)
        for (int64_t c = 0; c < coils; c++) {
            const int64_t to = s->slices > 1 ? z * coils + c : c * kept + z;
            memcpy(f->maps[i] + parts * plane * to, all + parts * plane * (c * planes + z + first),
                   (size_t)(parts * plane) * sizeof *all);
        }
    free(all);
    if (status) return status;
    argand_scan_array *a = &f->arrays[i];
    *a = (argand_scan_array){.type = type, .data = f->maps[i], .rank = 3};
    snprintf(a->name, sizeof a->name, "%s", name);
    for (int d = 0; d < 3; d++) a->dims[d] = d == 2 && s->slices > 1 ? 1 : s->matrix.n[d];
    if (type == ARGAND_C32) a->dims[a->rank++] = coils;
    if (s->slices > 1) a->dims[a->rank++] = s->slices;
    f->scan.array_count++;
    return ARGAND_OK;
}

/* Fills each row from its first to its last nonzero pixel. The head is convex, so this includes the
 * ventricles. */
static void fill_rows(float *mask, int64_t rows, int64_t n)
{
    for (int64_t row = 0; row < rows; row++, mask += n) {
        int64_t first = 0, last = n - 1;
        while (first < n && mask[first] == 0) first++;
        while (last > first && mask[last] == 0) last--;
        for (int64_t x = 0; x < n; x++) mask[x] = x >= first && x <= last ? 1 : 0;
    }
}

static argand_status add_mask(simulate_file *f, const simulate_settings *s, const argand_array *image)
{
    const argand_status status = add_array(f, s, "Mask", image);
    if (status) return status;
    const argand_scan_array *a = &f->arrays[f->scan.array_count - 1];
    int64_t rows = 1;
    for (int d = 1; d < a->rank; d++) rows *= a->dims[d];
    fill_rows(f->maps[f->scan.array_count - 1], rows, a->dims[0]);
    return ARGAND_OK;
}

static argand_status take_trajectory(simulate_file *f, const simulate_settings *s,
                                     const simulate_points *points)
{
    const int64_t count = argand_array_count(points->t[0]);
    argand_status status = new_floats(&f->t, count * s->echoes);
    for (int echo = 0; echo < s->echoes && !status; echo++)
        status = argand_array_download(points->t[echo], f->t + count * echo);
    for (int d = 0; d < 3 && !status; d++) {
        status = new_floats(&f->k[d], count); /* k_z of a plane is 0 */
        if (!status && points->k[d]) status = argand_array_download(points->k[d], f->k[d]);
    }
    return status;
}

/* Adds the maps of all shots in the order of argand_sense_options.phase_maps. If echoes or repetitions
 * need more axes than an array has, the maps are one vector. */
static argand_status add_phases(simulate_file *f, const simulate_settings *s)
{
    const int64_t n[3] = {s->matrix.n[0], s->matrix.n[1], s->matrix.n[2]}, pixels = n[0] * n[1] * n[2];
    const int64_t maps = f->shots * f->partitions * s->slices * s->echoes * s->repetitions;
    float *phase;
    argand_status status = new_floats(&phase, pixels * maps);
    if (status) return status;
    f->maps[f->scan.array_count] = phase;
    for (int64_t m = 0; m < maps; m++, phase += pixels) {
        const int64_t slice = m / (f->shots * f->partitions), echo = slice / s->slices;
        const simulate_place at = {.shot = m % f->shots,
                                   .partition = m / f->shots % f->partitions,
                                   .slice = (int)(slice % s->slices),
                                   .echo = (int)(echo % s->echoes),
                                   .repetition = (int)(echo / s->echoes)};
        simulate_phase_map(phase, n, s, &at);
    }
    argand_scan_array *a = &f->arrays[f->scan.array_count];
    const bool vector = s->echoes > 1 || s->repetitions > 1;
    *a = (argand_scan_array){.name = "PhaseMaps",
                             .type = ARGAND_R32,
                             .data = f->maps[f->scan.array_count++],
                             .rank = vector ? 1 : 6,
                             .dims = {n[0], n[1], n[2], f->shots, f->partitions, s->slices}};
    if (vector) a->dims[0] = pixels * maps;
    return ARGAND_OK;
}

static argand_status take_arrays(simulate_file *f, const simulate_settings *s, const simulate_head *head)
{
    argand_status status = add_array(f, s, "FieldMap", head->field_map);
    if (!status) status = add_array(f, s, "SENSEMap", head->coil_maps);
    if (!status) status = add_array(f, s, "Truth", head->image);
    if (!status) status = add_mask(f, s, head->image);
    if (!status && s->phase_range > 0) status = add_phases(f, s);
    return status;
}

static int64_t centre_sample(const simulate_file *f, const simulate_settings *s)
{
    return s->trajectory.is_centre_out ? 0 : f->samples / 2;
}

argand_status simulate_file_create(simulate_file *f, const simulate_settings *s,
                                   const simulate_points *points, const simulate_head *head)
{
    const argand_array *t = points->t[0];
    f->samples = argand_array_dim(t, 0);
    f->shots = argand_array_dim(t, 1);
    f->partitions = argand_array_dim(t, 2);
    const int64_t volume = f->shots * f->partitions, count = volume * s->slices * s->repetitions * s->echoes;
    f->acquisitions = calloc((size_t)count, sizeof *f->acquisitions);
    if (!f->acquisitions)
        return report_error(ARGAND_MEMORY, "no memory for %lld acquisitions", (long long)count);
    argand_status status = new_floats(&f->data, 2 * f->samples * s->coils * count);
    if (!status) status = take_trajectory(f, s, points);
    if (!status) status = take_arrays(f, s, head);
    if (status) return status;
    f->sample_time =
        f->samples > 1 ? (double)(f->t[f->samples - 1] - f->t[0]) / (double)(f->samples - 1) : 1e-5;
    f->encoding = encoding_of(s);
    f->scan.encoding_count = 1;
    f->scan.encodings = &f->encoding;
    f->scan.acquisitions = f->acquisitions;
    f->scan.arrays = f->arrays;
    f->scan.channels = s->coils;
    f->scan.k_unit = ARGAND_K_CYCLES;
    f->scan.field_strength = 3;
    f->scan.repetition_time = 1e-3 * s->repetition_time;
    const int64_t centre = centre_sample(f, s);
    f->scan.echo_time = (double)f->t[centre];
    for (int echo = 0; echo < s->echoes; echo++)
        f->echo_times[echo] = (double)f->t[centre + volume * f->samples * echo];
    f->scan.echo_times = f->echo_times;
    f->scan.echo_count = s->echoes;
    return ARGAND_OK;
}

/* Returns the position of a slice (or of the volume) along z in mm: planes are at (i - floor(planes / 2))
 * thicknesses. */
static double slice_position(const simulate_settings *s, int slice)
{
    return s->slices > 1 ? plane_thickness(s) * (slice + 1 - (s->slices + 2) / 2) : 0;
}

/* Returns the number of a shot. Line ky of a Cartesian shot counts from 0 in the full grid. */
static int shot_number(const simulate_file *f, const simulate_settings *s, int64_t shot)
{
    if (s->kind != ARGAND_CARTESIAN) return (int)shot;
    return (int)lrintf(f->k[1][shot * f->samples]) + f->encoding.step1_centre;
}

static argand_acquisition make_acquisition(const simulate_file *f, const simulate_settings *s, int64_t row,
                                           const simulate_place *place)
{
    const int64_t shot = row % f->shots, partition = row / f->shots, at = row * f->samples;
    const int64_t volume = f->shots * f->partitions * f->samples;
    argand_acquisition a = {.counters = {.shot = (uint16_t)shot_number(f, s, shot),
                                         .partition = (uint16_t)partition,
                                         .slice = (uint16_t)place->slice,
                                         .contrast = (uint16_t)place->echo,
                                         .repetition = (uint16_t)place->repetition},
                            .samples = f->samples,
                            .channels = s->coils,
                            .sample_time = f->sample_time,
                            .time_stamp = (uint32_t)((double)f->added * s->repetition_time / TICK),
                            .centre_sample = (int)centre_sample(f, s),
                            .k = {f->k[0] + at, f->k[1] + at, f->k[2] + at},
                            .t = f->t + volume * place->echo + at,
                            .position = {0, 0, (float)slice_position(s, place->slice)},
                            .read_dir = {1, 0, 0},
                            .phase_dir = {0, 1, 0},
                            .slice_dir = {0, 0, 1}};
    return a;
}

argand_status simulate_file_add(simulate_file *f, const simulate_settings *s, const argand_array *samples,
                                const simulate_place *at)
{
    const int64_t rows = f->shots * f->partitions, length = 2 * f->samples;
    float *all;
    argand_status status = new_floats(&all, length * rows * s->coils);
    if (!status) status = argand_array_download(samples, all);
    for (int64_t row = 0; row < rows && !status; row++) {
        float *data = f->data + f->added * length * s->coils;
        for (int64_t c = 0; c < s->coils; c++)
            memcpy(data + c * length, all + (c * rows + row) * length, (size_t)length * sizeof *data);
        f->acquisitions[f->added] = make_acquisition(f, s, row, at);
        f->acquisitions[f->added++].data = data;
    }
    f->scan.acquisition_count = f->added;
    free(all);
    return status;
}

void simulate_file_free(simulate_file *f)
{
    for (int i = 0; i < 5; i++) free(f->maps[i]);
    for (int d = 0; d < 3; d++) free(f->k[d]);
    free(f->t);
    free(f->data);
    free(f->acquisitions);
    simulate_auxiliary_free(f);
    for (int d = 0; d < 3; d++) free(f->navigator_k[d]);
    free(f->navigator_t);
    free(f->navigator_data);
    free(f->navigators);
}
