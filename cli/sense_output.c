/* SPDX-License-Identifier: BSD-3-Clause */
/* What `argand sense` writes: images, picture, convergence, sidecar. */
#include "sense.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcmp(path + length - tail, ending);
}

/* "dir/brain.nii.gz" is stem "dir/brain" and ending ".nii.gz" */
static size_t stem_length(const char *path)
{
    static const char *const endings[] = {".nii.gz", ".nii", ".npy", ".cfl"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (has_ending(path, endings[i])) return strlen(path) - strlen(endings[i]);
    return strlen(path);
}

static void side_path(char *path, size_t size, const sense_settings *s, const char *ending)
{
    snprintf(path, size, "%.*s%s", (int)stem_length(s->output), s->output, ending);
}

/* Found out before the work, not after it. */
static argand_status check_output(const sense_settings *s)
{
    const size_t stem = stem_length(s->output);
    const char *slash = strrchr(s->output, '/');
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - s->output) + 1 : 2,
             slash ? s->output : "./");
    if (!s->output[stem])
        return report_error(ARGAND_ARGUMENT,
                            "%s: give an image file name that ends in .nii.gz, .nii, .npy or .cfl",
                            s->output);
    if (strlen(s->output) > 3900) return report_error(ARGAND_ARGUMENT, "the output's name is too long");
    if (access(folder, W_OK))
        return report_error(ARGAND_FILE, "%s: the folder %s cannot be written: %s", s->output, folder,
                            strerror(errno));
    return ARGAND_OK;
}

static bool same_file(const argand_counters *a, const argand_counters *b, bool by_slice)
{
    return a->set == b->set && a->phase == b->phase && a->contrast == b->contrast &&
           a->average == b->average && (!by_slice || a->slice == b->slice);
}

/* Which image a volume belongs to; a new one where it is the first of its kind. */
static sense_image *image_of(sense_results *r, const argand_counters *counters, bool by_slice)
{
    for (int i = 0; i < r->image_count; i++)
        if (same_file(&r->images[i].counters, counters, by_slice)) return &r->images[i];
    sense_image *image = &r->images[r->image_count++];
    *image = (sense_image){.counters = *counters};
    return image;
}

/* OUT_contrast-2_phase-1.nii.gz: only the counters that differ between files, counted from 1 as BIDS does */
static void name_file(sense_results *r, const sense_settings *s, sense_image *image, bool by_slice)
{
    bool set = false, phase = false, contrast = false, average = false, slice = false;
    for (int i = 0; i < r->image_count; i++) {
        const argand_counters *other = &r->images[i].counters;
        set |= other->set != image->counters.set;
        phase |= other->phase != image->counters.phase;
        contrast |= other->contrast != image->counters.contrast;
        average |= other->average != image->counters.average;
        slice |= by_slice && other->slice != image->counters.slice;
    }
    const size_t stem = stem_length(s->output);
    size_t used = (size_t)snprintf(image->path, sizeof image->path, "%.*s", (int)stem, s->output);
    const struct {
        bool differs;
        const char *name;
        int number;
    } parts[] = {{set, "set", image->counters.set},
                 {phase, "phase", image->counters.phase},
                 {contrast, "contrast", image->counters.contrast},
                 {average, "average", image->counters.average},
                 {slice, "slab", image->counters.slice}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].differs)
            used += (size_t)snprintf(image->path + used, sizeof image->path - used, "_%s-%d", parts[i].name,
                                     parts[i].number + 1);
    snprintf(image->path + used, sizeof image->path - used, "%s", s->output + stem);
}

static argand_type output_type(const sense_settings *s)
{
    if (s->part == PART_COMPLEX) return s->precision ? ARGAND_C64 : ARGAND_C32;
    return s->precision ? ARGAND_R64 : ARGAND_R32;
}

/* Sizes of the images from their volumes. */
static void survey(sense_results *r, bool by_slice)
{
    for (int v = 0; v < argand_sense_volumes(r->session); v++) {
        const argand_counters *c = argand_sense_counters(r->session, v);
        sense_image *image = image_of(r, c, by_slice);
        const argand_geometry place = argand_sense_geometry(r->session, v);
        if (!image->slices) {
            image->geometry = place;
            memcpy(image->centre_first, place.centre, sizeof place.centre);
        }
        if (!by_slice && c->slice + 1 > image->slices) {
            image->slices = c->slice + 1;
            memcpy(image->centre_last, place.centre, sizeof place.centre);
        }
        if (by_slice) image->slices = 1;
        if (c->repetition + 1 > image->repetitions) image->repetitions = c->repetition + 1;
    }
}

/* Stacked slices: the third voxel size is their distance, the third direction the way from the first to the
 * last. */
static void stack_geometry(sense_image *image)
{
    argand_geometry *g = &image->geometry;
    if (image->slices < 2) return;
    double way[3], length = 0;
    const double steps = (double)(image->slices - 1), middle = (double)(image->slices / 2);
    for (int i = 0; i < 3; i++) {
        way[i] = (image->centre_last[i] - image->centre_first[i]) / steps;
        length += way[i] * way[i];
    }
    length = sqrt(length);
    if (length == 0) { /* positions not filled in: slices lie one slice thickness apart */
        length = g->voxel[2];
        for (int i = 0; i < 3; i++) way[i] = g->slice[i] * length;
    }
    for (int i = 0; i < 3; i++) {
        g->slice[i] = length > 0 ? way[i] / length : g->slice[i];
        g->centre[i] = image->centre_first[i] + middle * way[i];
    }
    if (length > 0) g->voxel[2] = length;
}

argand_status sense_results_create(sense_results *r, const sense_settings *s, argand_device *device,
                                   argand_sense *session)
{
    const int volumes = argand_sense_volumes(session);
    int64_t n[3];
    *r = (sense_results){.device = device, .session = session};
    argand_status status = check_output(s);
    if (status != ARGAND_OK) return status;
    r->images = calloc((size_t)volumes, sizeof *r->images);
    r->steps = calloc((size_t)volumes * (size_t)(s->iterations + 1), sizeof *r->steps);
    if (!r->images || !r->steps) return report_error(ARGAND_MEMORY, "out of memory");
    argand_sense_grid(session, n);
    survey(r, n[2] > 1);
    for (int i = 0; i < r->image_count && status == ARGAND_OK; i++) {
        sense_image *image = &r->images[i];
        name_file(r, s, image, n[2] > 1);
        stack_geometry(image);
        const int64_t dims[4] = {n[0], n[1], n[2] * image->slices, image->repetitions};
        status = argand_array_create(&image->array, device, output_type(s), 4, dims);
    }
    return status;
}

void sense_results_free(sense_results *r)
{
    for (int i = 0; i < r->image_count; i++) argand_array_destroy(r->images[i].array);
    free(r->images);
    free(r->steps);
    free(r->written);
}

static argand_status take_part(const sense_settings *s, argand_array *to, const argand_array *from)
{
    if (s->part == PART_COMPLEX) return argand_array_copy(to, from);
    return s->part == PART_PHASE ? argand_array_phase(to, from) : argand_array_abs(to, from);
}

argand_status sense_results_put(sense_results *r, const sense_settings *s, int volume,
                                const argand_array *image)
{
    int64_t n[3];
    argand_sense_grid(r->session, n);
    const argand_counters *c = argand_sense_counters(r->session, volume);
    const bool by_slice = n[2] > 1;
    const sense_image *to = image_of(r, c, by_slice);
    const int64_t slice = by_slice ? 0 : c->slice, pixels = n[0] * n[1] * n[2];
    const int64_t at = pixels * (slice + to->slices * c->repetition);
    argand_array *place;
    argand_status status = argand_array_view(&place, to->array, 3, n, (int64_t[]){1, n[0], n[0] * n[1]}, at);
    if (status != ARGAND_OK) return status;
    status = take_part(s, place, image);
    argand_array_destroy(place);
    return status;
}

/* Passes the status on, and remembers a file that is complete. */
static argand_status note_file(sense_results *r, const char *path, argand_status status)
{
    if (status == ARGAND_OK) snprintf(r->written[r->written_count++], sizeof *r->written, "%s", path);
    return status;
}

static void remove_files(sense_results *r)
{
    while (r->written_count) {
        char *path = r->written[--r->written_count];
        remove(path);
        if (has_ending(path, ".cfl")) {
            memcpy(path + strlen(path) - 4, ".hdr", 4);
            remove(path);
        }
    }
}

static argand_status write_convergence(sense_results *r, const sense_settings *s)
{
    char path[4200];
    const size_t room = 200 * ((size_t)r->step_count + 1);
    char *table = malloc(room);
    double *residuals = malloc(((size_t)r->step_count + 1) * sizeof *residuals);
    if (!table || !residuals) {
        free(table);
        free(residuals);
        return report_error(ARGAND_MEMORY, "out of memory");
    }
    size_t used = (size_t)snprintf(
        table, room,
        "volume,slice,repetition,average,contrast,phase,set,iteration,residual,gradient,penalty,seconds\n");
    int64_t first_volume = 0;
    for (int64_t i = 0; i < r->step_count; i++) {
        const sense_step *step = &r->steps[i];
        const argand_counters *c = argand_sense_counters(r->session, step->volume);
        const argand_progress *p = &step->progress;
        used += (size_t)snprintf(table + used, room - used, "%d,%d,%d,%d,%d,%d,%d,%d,%.9e,%.9e,%.9e,%.6f\n",
                                 step->volume, c->slice, c->repetition, c->average, c->contrast, c->phase,
                                 c->set, p->iteration, p->residual, p->gradient, p->penalty, p->seconds);
        if (step->volume == 0) residuals[first_volume++] = p->residual;
    }
    side_path(path, sizeof path, s, ".csv");
    argand_status status = note_file(r, path, argand_bytes_write(path, table, used));
    side_path(path, sizeof path, s, "-convergence.png");
    if (status == ARGAND_OK && first_volume > 1)
        status = note_file(
            r, path,
            argand_plot_write(path, "residual by iteration (first volume)", first_volume, residuals, true));
    free(residuals);
    free(table);
    return status;
}

static argand_status write_picture(sense_results *r, const sense_settings *s)
{
    char path[4200];
    argand_array *first, *real = NULL;
    const argand_array *image = r->images[0].array;
    argand_status status = argand_array_part(&first, image, 3, 0, 1);
    if (status != ARGAND_OK) return status;
    const int64_t dims[3] = {argand_array_dim(image, 0), argand_array_dim(image, 1),
                             argand_array_dim(image, 2)};
    argand_array *shown = NULL;
    status = argand_array_reshape(&shown, first, 3, dims);
    if (status == ARGAND_OK && s->part == PART_COMPLEX) {
        status = argand_array_create(&real, r->device, s->precision ? ARGAND_R64 : ARGAND_R32, 3, dims);
        if (status == ARGAND_OK) status = argand_array_abs(real, shown);
    }
    side_path(path, sizeof path, s, ".png");
    argand_montage_options options = {0};
    if (s->part == PART_PHASE)
        options = (argand_montage_options){.low = -3.14159265358979, .high = 3.14159265358979};
    if (status == ARGAND_OK)
        status = note_file(r, path, argand_montage_write(path, real ? real : shown, &options));
    argand_array_destroy(real);
    argand_array_destroy(shown);
    argand_array_destroy(first);
    return status;
}

/* "NVIDIA H200 (cuda)", as a JSON string */
static const char *device_text(const sense_results *r, char *text, size_t size)
{
    argand_device_info info = {0};
    char words[160];
    if (argand_device_describe(r->device, &info) != ARGAND_OK) info.name[0] = 0;
    snprintf(words, sizeof words, "%s (%s)", info.name, info.backend);
    return json_string(text, size, words);
}

/* BIDS names where there are such. */
static argand_status write_sidecar(sense_results *r, const sense_settings *s, const argand_scan *scan)
{
    char path[4200], input[4200], notes[8192], device[400];
    int64_t n[3];
    const size_t room = 32768;
    char *json = malloc(room);
    if (!json) return report_error(ARGAND_MEMORY, "out of memory");
    argand_sense_grid(r->session, n);
    const argand_progress *last = r->step_count ? &r->steps[r->step_count - 1].progress : NULL;
    int used = snprintf(
        json, room,
        "{\n  \"GeneratedBy\": \"argand %s\",\n  \"Source\": %s,\n  \"EchoTime\": %.9g,\n"
        "  \"RepetitionTime\": %.9g,\n  \"MagneticFieldStrength\": %.9g,\n  \"Transform\": \"%s\",\n"
        "  \"Precision\": \"%s\",\n  \"Device\": %s,\n  \"Matrix\": [%lld, %lld, %lld],\n  \"Coils\": %d,\n  "
        "\"Volumes\": %d,\n"
        "  \"Iterations\": %d,\n  \"Tolerance\": %.9g,\n  \"Regularize\": %.9g,\n",
        argand_version(), json_string(input, sizeof input, s->input), scan->echo_time, scan->repetition_time,
        scan->field_strength, argand_sense_transform(r->session), s->precision ? "double" : "single",
        device_text(r, device, sizeof device), (long long)n[0], (long long)n[1], (long long)n[2],
        scan->channels, argand_sense_volumes(r->session), s->iterations, s->tolerance, s->regularize);
    char together[4096];
    snprintf(together, sizeof together, "%s%s", scan->notes, argand_sense_notes(r->session));
    used += snprintf(json + used, room - (size_t)used,
                     "  \"Residual\": %.9g,\n  \"Seconds\": %.3f,\n  \"Notes\": %s\n}\n",
                     last ? last->residual : 0, r->seconds, json_string(notes, sizeof notes, together));
    side_path(path, sizeof path, s, ".json");
    const argand_status status = note_file(r, path, argand_bytes_write(path, json, (size_t)used));
    free(json);
    return status;
}

static argand_status write_image(const sense_image *image, double repetition_time)
{
    if (has_ending(image->path, ".nii") || has_ending(image->path, ".nii.gz"))
        return argand_nifti_write(image->path, image->array, &image->geometry, repetition_time);
    return argand_array_write(image->path, image->array);
}

static argand_status write_files(sense_results *r, const sense_settings *s, const argand_scan *scan)
{
    enum { SIDE_FILES = 4 };
    r->written = calloc((size_t)r->image_count + SIDE_FILES, sizeof *r->written);
    if (!r->written) return report_error(ARGAND_MEMORY, "out of memory");
    argand_status status = ARGAND_OK;
    for (int i = 0; i < r->image_count && status == ARGAND_OK; i++)
        status = note_file(r, r->images[i].path, write_image(&r->images[i], scan->repetition_time));
    if (status == ARGAND_OK) status = write_picture(r, s);
    if (status == ARGAND_OK) status = write_convergence(r, s);
    if (status == ARGAND_OK) status = write_sidecar(r, s, scan);
    if (status != ARGAND_OK) remove_files(r);
    return status;
}

argand_status sense_results_write(sense_results *r, const sense_settings *s, const argand_scan *scan,
                                  report *out)
{
    const argand_status status = write_files(r, s, scan);
    if (status != ARGAND_OK) return status;
    const argand_progress *last = &r->steps[r->step_count - 1].progress;
    char quoted[4200], device[400];
    const argand_transfers moved = argand_device_transfers(r->device);
    const int stem = (int)stem_length(s->output);
    for (int i = 0; i < r->image_count; i++) report_note(out, "%s", r->images[i].path);
    report_note(out, "%.*s.png, .csv, -convergence.png, .json", stem, s->output);
    report_note(out, "%d volume(s) in %.2f s, residual %.4e after %d iterations%s",
                argand_sense_volumes(r->session), r->seconds, last->residual, last->iteration,
                last->iteration < s->iterations ? " (converged)" : "");
    report_result(out,
                  "\"output\":%s,\"volumes\":%d,\"iterations\":%d,\"residual\":%.9e,\"device\":%s,"
                  "\"uploads\":%lld,\"upload_bytes\":%lld,\"downloads\":%lld,\"download_bytes\":%lld",
                  json_string(quoted, sizeof quoted, r->images[0].path), argand_sense_volumes(r->session),
                  last->iteration, last->residual, device_text(r, device, sizeof device),
                  (long long)moved.uploads, (long long)moved.upload_bytes, (long long)moved.downloads,
                  (long long)moved.download_bytes);
    return ARGAND_OK;
}
