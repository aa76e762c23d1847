/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the image files, the picture of the first image, and the convergence as a table and as a plot. */
#include "output/output.h"
#include "common/path.h"
#include "output/bids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes an array of an image, of a part or one of its maps, in the format of the name. */
static argand_status write_array(output *o, const char *path, int index, int part,
                                 const argand_array *numbers)
{
    const argand_geometry *geometry = &o->images[index].geometry;
    if (path_is_dicom(path)) return output_dicom(o, path, index, part, numbers);
    const argand_status status =
        path_is_nifti(path) ? argand_nifti_write(path, numbers, geometry, o->run.scan->repetition_time)
                            : argand_array_write(path, numbers);
    return output_note_file(o, path, status);
}

static argand_status write_image(output *o, int index, int part)
{
    char path[4200];
    argand_array *numbers;
    output_name(path, sizeof path, o, index, part, NULL);
    TRY(output_part_of(&numbers, o, o->images[index].array, part));
    const argand_status status = write_array(o, path, index, part, numbers);
    argand_array_destroy(numbers);
    return status;
}

/* Writes a map of an image, OUT_noise.nii.gz. */
static argand_status write_map(output *o, int index, int part)
{
    const output_image *image = &o->images[index];
    const char *base = o->run.settings->path;
    const size_t stem = path_stem(base);
    char path[4200];
    if (o->run.settings->bids)
        output_name(path, sizeof path, o, index, part, NULL);
    else
        snprintf(path, sizeof path, "%.*s_%s%s%s", (int)stem, base, output_part_name(part), image->label,
                 base + stem);
    return write_array(o, path, index, part, output_array_of(image, part));
}

/* Writes a picture of all slices of the first repetition, from the first part that is written. */
static argand_status write_picture(output *o)
{
    static const double pi = 3.14159265358979323846;
    const argand_array *image = o->images[0].array;
    argand_array *part = NULL, *first = NULL, *shown = NULL;
    const int asked = output_parts(o);
    const int which = asked & OUTPUT_MAGNITUDE || asked == OUTPUT_COMPLEX ? 0
                      : asked & OUTPUT_PHASE                              ? 1
                      : asked & OUTPUT_REAL                               ? 2
                                                                          : 3;
    const int64_t dims[3] = {argand_array_dim(image, 0), argand_array_dim(image, 1),
                             argand_array_dim(image, 2)};
    char path[4200];
    argand_montage_options options = {0};
    if (which == 1) options = (argand_montage_options){.low = -pi, .high = pi};
    output_sidecar_path(path, sizeof path, o, ".png");
    argand_status status = output_part_of(&part, o, image, which);
    if (status == ARGAND_OK) status = argand_array_part(&first, part, 3, 0, 1);
    if (status == ARGAND_OK) status = argand_array_reshape(&shown, first, 3, dims);
    if (status == ARGAND_OK) status = output_note_file(o, path, argand_montage_write(path, shown, &options));
    argand_array_destroy(shown);
    argand_array_destroy(first);
    argand_array_destroy(part);
    return status;
}

static size_t print_step(const output *o, const output_step *step, char *to, size_t capacity)
{
    const argand_counters *c = argand_sense_counters(o->run.session, step->volume);
    const argand_progress *p = &step->progress;
    return (size_t)snprintf(to, capacity, "%d,%d,%d,%d,%d,%d,%d,%d,%.9e,%.9e,%.9e,%.6f\n", step->volume,
                            c->slice, c->repetition, c->average, c->contrast, c->phase, c->set, p->iteration,
                            p->residual, p->gradient, p->penalty, p->seconds);
}

static argand_status write_table(output *o)
{
    static const char head[] =
        "volume,slice,repetition,average,contrast,phase,set,iteration,residual,gradient,penalty,seconds\n";
    const size_t capacity = 200 * ((size_t)o->step_count + 1);
    char path[4200], *table = malloc(capacity);
    if (!table) return report_error(ARGAND_MEMORY, "out of memory");
    size_t used = (size_t)snprintf(table, capacity, "%s", head);
    for (int64_t i = 0; i < o->step_count; i++)
        used += print_step(o, &o->steps[i], table + used, capacity - used);
    output_sidecar_path(path, sizeof path, o, ".csv");
    const argand_status status = output_note_file(o, path, argand_bytes_write(path, table, used));
    free(table);
    return status;
}

static argand_status write_plot(output *o)
{
    char path[4200];
    int64_t count = 0;
    double *residuals = malloc(((size_t)o->step_count + 1) * sizeof *residuals);
    if (!residuals) return report_error(ARGAND_MEMORY, "out of memory");
    for (int64_t i = 0; i < o->step_count; i++)
        if (o->steps[i].volume == 0) residuals[count++] = o->steps[i].progress.residual;
    output_sidecar_path(path, sizeof path, o, "-convergence.png");
    argand_status status = ARGAND_OK;
    if (count > 1)
        status = output_note_file(
            o, path, argand_plot_write(path, "residual by iteration (first volume)", count, residuals, true));
    free(residuals);
    return status;
}

/* Writes the errors of EPI's reversed lines as a table, and their phases as a plot. */
static argand_status write_ghosts(output *o)
{
    const argand_epi_estimate *g = o->run.ghost;
    const size_t capacity = 100 * ((size_t)o->run.ghosts + 1);
    char path[4200], *table = malloc(capacity);
    double *phases = malloc(((size_t)o->run.ghosts + 1) * sizeof *phases);
    argand_status status =
        table && phases ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for the table of ghosts");
    size_t used = status ? 0 : (size_t)snprintf(table, capacity, "slice,row,shift_samples,phase_rad\n");
    for (int64_t i = 0; i < o->run.ghosts && !status; i++) {
        used += (size_t)snprintf(table + used, capacity - used, "%d,%lld,%.6f,%.6f\n", g[i].slice,
                                 (long long)g[i].row, g[i].shift, g[i].phase);
        phases[i] = g[i].phase;
    }
    output_sidecar_path(path, sizeof path, o, "-ghosts.csv");
    if (!status) status = output_note_file(o, path, argand_bytes_write(path, table, used));
    output_sidecar_path(path, sizeof path, o, "-ghosts.png");
    if (!status && o->run.ghosts > 1)
        status =
            output_note_file(o, path,
                             argand_plot_write(path, "phase of reversed lines by set of reference lines, rad",
                                               o->run.ghosts, phases, false));
    free(phases);
    free(table);
    return status;
}

static argand_status write_images(output *o)
{
    if (output_is_ismrmrd(o->run.settings)) return output_ismrmrd(o);
    for (int i = 0; i < o->image_count; i++)
        for (int part = 0; part < OUTPUT_PARTS; part++)
            if (output_parts(o) & 1 << part) TRY(write_image(o, i, part));
    for (int i = 0; i < o->image_count; i++)
        for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++)
            if (o->images[i].pixel_map[m]) TRY(write_map(o, i, OUTPUT_PARTS + m));
    if (path_is_dicom(o->run.settings->path)) output_note_dicom(o);
    return ARGAND_OK;
}

argand_status output_files(output *o)
{
    TRY(write_images(o));
    if (o->run.settings->bids) return bids_describe(o); /* BIDS has no place for the other files */
    TRY(write_picture(o));
    if (o->run.ghosts) TRY(write_ghosts(o));
    if (!o->step_count) return ARGAND_OK; /* the adjoint has no iterations */
    TRY(write_table(o));
    return write_plot(o);
}
