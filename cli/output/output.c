/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output.h"
#include "common/path.h"
#include "output/bids.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static argand_status check_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
    if (!access(folder, W_OK)) return ARGAND_OK;
    return report_error(ARGAND_FILE, "%s: the folder %s cannot be written: %s", path, folder,
                        strerror(errno));
}

static argand_status check_path(const output_settings *s)
{
    if (mrd_is_pipe(s->path)) return output_check_stream(s);
    if (!s->path[path_stem(s->path)])
        return report_error(ARGAND_ARGUMENT,
                            "%s: give an image file name that ends in .nii.gz, .nii, .npy, .cfl, .dcm or "
                            ".h5",
                            s->path);
    TRY(check_folder(s->path));
    TRY(output_check_dicom(s));
    return output_check_ismrmrd(s);
}

argand_status output_check(const output_settings *s)
{
    TRY(bids_check(s));
    if (s->bids) return ARGAND_OK; /* the names come from the scan */
    if (strlen(s->path) > 3900 || (s->report && strlen(s->report) > 3900))
        return report_error(ARGAND_ARGUMENT, "the output's name is too long");
    TRY(check_path(s));
    if (s->save_maps) TRY(array_name_check(s->save_maps));
    if (!s->report || !*s->report) return ARGAND_OK;
    if (!has_ending(s->report, ".html"))
        return report_error(ARGAND_ARGUMENT, "--report %s: give a name that ends in .html", s->report);
    return check_folder(s->report);
}

/* Returns the type that images are kept in. A single real part takes half the memory of complex numbers. */
static argand_type kept_type(const output *o)
{
    const bool real = output_parts(o) == OUTPUT_MAGNITUDE && !output_wants_report(o);
    if (o->run.is_double) return real ? ARGAND_R64 : ARGAND_C64;
    return real ? ARGAND_R32 : ARGAND_C32;
}

/* Refuses counters with large gaps, which would spread a few volumes over many empty slices and
 * repetitions. */
static argand_status check_spread(const output *o, const output_image *image, const int64_t n[3])
{
    enum { MOST_OF_A_VOLUME = 16, SMALL = 1 << 24 };
    const int64_t places = image->slices * image->repetitions, volumes = argand_sense_volumes(o->run.session);
    if ((double)places * (double)n[0] * (double)n[1] * (double)n[2] <= SMALL ||
        places <= MOST_OF_A_VOLUME * volumes)
        return ARGAND_OK;
    return report_error(ARGAND_UNSUPPORTED,
                        "the counters spread %lld volumes over %lld slices and %lld repetitions, so most of "
                        "the image would be empty: correct the counters, or divide the scan",
                        (long long)volumes, (long long)image->slices, (long long)image->repetitions);
}

static argand_status make_arrays(output *o)
{
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    for (int i = 0; i < o->image_count; i++) {
        output_image *image = &o->images[i];
        TRY(check_spread(o, image, n));
        const int64_t dims[4] = {n[0], n[1], o->run.apart ? n[2] : n[2] * image->slices,
                                 o->run.apart ? 1 : image->repetitions};
        TRY(argand_array_create(&image->array, o->run.device, kept_type(o), 4, dims));
        TRY(argand_array_fill(image->array,
                              (argand_scalar){0, 0})); /* a slice may have no volume for a repetition */
        for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++)
            if (o->run.pixel_maps[m])
                TRY(argand_array_create(&image->pixel_map[m], o->run.device,
                                        o->run.is_double ? ARGAND_R64 : ARGAND_R32, 4, dims));
    }
    return ARGAND_OK;
}

argand_status output_begin(output *o, const output_run *run)
{
    const int volumes = argand_sense_volumes(run->session);
    o->run = *run;
    if (!run->apart && !run->stream) TRY(output_check(run->settings));
    o->images = calloc((size_t)volumes, sizeof *o->images);
    o->places = calloc((size_t)volumes, sizeof *o->places);
    o->volumes = calloc((size_t)volumes, sizeof *o->volumes);
    if (!o->images || !o->places || !o->volumes) return report_error(ARGAND_MEMORY, "out of memory");
    TRY(output_arrange(o));
    TRY(output_check_places(o));
    TRY(output_add_notes(&o->notes, argand_sense_notes(run->session), NULL));
    o->first_notes = strlen(o->notes);
    o->notes_heard = strlen(argand_sense_notes(run->session));
    return make_arrays(o);
}

void output_end(output *o)
{
    for (int64_t i = 0; o->coil_maps && i < o->images[0].slices; i++) argand_array_destroy(o->coil_maps[i]);
    for (int i = 0; i < o->image_count; i++) {
        argand_array_destroy(o->images[i].array);
        for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++) argand_array_destroy(o->images[i].pixel_map[m]);
    }
    free(o->coil_maps);
    for (int i = 0; i < o->map_count; i++) argand_array_destroy(o->maps[i].array);
    for (int v = 0; o->volumes && v < argand_sense_volumes(o->run.session); v++) {
        free(o->volumes[v].steps);
        free(o->volumes[v].notes);
    }
    free(o->volumes);
    free(o->notes);
    free(o->images);
    free(o->places);
    free(o->steps);
    free(o->written);
    *o = (output){0};
}

static void print_session(output *o)
{
    if (o->density) output_text(o, "Density", "%s", o->density);
    if (o->density && strcmp(o->density, "none")) output_number(o, "DensityPower", o->density_power);
    if (o->stop) {
        output_text(o, "StoppedBy", "%s", o->stop);
        output_number(o, "Iterate", o->stopped_last);
    }
    if (o->noise > 0) output_number(o, "EstimatedNoise", o->noise);
    if (o->shots > 1) output_number(o, "Shots", o->shots);
    if (!o->segments) return;
    output_number(o, "Segments", o->segments);
    output_number(o, "SegmentError", o->segment_error);
    output_text(o, "Interpolator", "%s", o->interpolator);
}

/* Says in the last line which iterations were written and why iterations ended. */
static void say_stop(const output *o, const argand_progress *last, char *text, size_t size)
{
    const bool noise = o->stop && !strcmp(o->stop, "noise"), one = o->stopped_first == o->stopped_last;
    char range[64];
    snprintf(range, sizeof range, "%d", o->stopped_last);
    if (!one) snprintf(range, sizeof range, "%d to %d", o->stopped_first, o->stopped_last);
    if (noise) {
        snprintf(text, size,
                 "Wrote iteration%s %s (residual %.4e): later iterations added more noise than signal; "
                 "set --iterations to override.",
                 one ? "" : "s", range, output_residual(o));
        return;
    }
    const char *why = o->stop && !strcmp(o->stop, "iterations")
                          ? (o->noise > 0 ? ", the maximum without --iterations" : "")
                          : (last->iteration < o->run.iterations ? " (converged)" : "");
    snprintf(text, size, "Residual %.4e after %d iteration%s%s.", output_residual(o), last->iteration,
             last->iteration == 1 ? "" : "s", why);
}

/* Prints advice if the residual is large or if noise exceeds 3 % of the image. From there on total
 * variation lowers the error by more than a fifth. */
static void advise(const output *o, double residual)
{
    if (residual > 0.5)
        report_note(
            o->run.console,
            "The image explains little of the data (residual %.2f): they are mostly noise, or coil maps, "
            "trajectory or field map do not fit them, or the object is larger than the field of view.",
            residual);
    if (o->noise > 0.03)
        report_note(o->run.console,
                    "Noise is estimated at %.0f %% of the image. --regularize tv:auto or wavelet:auto lowers "
                    "noise by a penalty whose weight follows from the data.",
                    100 * o->noise);
}

static void announce(const output *o)
{
    const argand_progress none = {0}, *last = o->step_count ? &o->steps[o->step_count - 1].progress : &none;
    const argand_transfers moved = argand_device_transfers(o->run.device);
    const int volumes = argand_sense_volumes(o->run.session);
    char first[4200], quoted[4300], text[200], device[420], why[256], residual[48] = "";
    report *out = o->run.console;
    for (int i = 0; i < o->written_count; i++) report_note(out, "%s", o->written[i]);
    say_stop(o, last, why, sizeof why);
    report_note(out, "%d volume%s in %.2f s.%s%s", volumes, volumes == 1 ? "" : "s", o->seconds,
                o->step_count ? " " : "", o->step_count ? why : "");
    advise(o, last->iteration ? output_residual(o) : 0);
    if (o->step_count) snprintf(residual, sizeof residual, "\"residual\":%.9e,", output_residual(o));
    snprintf(first, sizeof first, "%s", o->written[0]);
    output_device(o, text, sizeof text);
    report_result(out,
                  "\"output\":%s,\"files\":%d,\"volumes\":%d,\"iterations\":%d,%s\"stop\":\"%"
                  "s\",\"iterate\":%d,"
                  "\"noise\":%.4g,\"device\":%s,"
                  "\"uploads\":%lld,\"upload_bytes\":%lld,\"downloads\":%lld,\"download_bytes\":%lld",
                  json_string(quoted, sizeof quoted, first), o->written_count, volumes, last->iteration,
                  residual, o->stop ? o->stop : "", o->stop ? o->stopped_last : last->iteration, o->noise,
                  json_string(device, sizeof device, text), (long long)moved.uploads,
                  (long long)moved.upload_bytes, (long long)moved.downloads, (long long)moved.download_bytes);
}

argand_status output_write(output *o)
{
    enum { SIDE_FILES = 5 };
    bids_folders folders = {0};
    report_stage(o->run.console, "writing");
    TRY(output_total(o));
    print_session(o);
    o->seconds = report_seconds(o->run.console);
    o->written = calloc((2 * OUTPUT_PARTS + OUTPUT_PIXEL_MAPS) * (size_t)o->image_count + SIDE_FILES,
                        sizeof *o->written);
    if (!o->written) return report_error(ARGAND_MEMORY, "out of memory");
    argand_status status = o->run.stream ? ARGAND_OK : bids_make_folders(&folders, o->run.settings);
    if (status == ARGAND_OK && !o->run.stream) status = output_files(o);
    if (status == ARGAND_OK && o->coil_maps) status = output_saved_maps(o);
    if (status == ARGAND_OK && !o->run.stream) status = output_sidecars(o);
    if (status == ARGAND_OK && output_wants_report(o)) status = output_report(o);
    if (status == ARGAND_OK && o->run.stream) status = output_stream(o); /* last, as it cannot be undone */
    if (status == ARGAND_OK) status = report_commit();
    if (status && folders.count) {
        argand_files_abandon(); /* drafts would keep the folders; main's own call then finds none */
        bids_remove_folders(&folders);
    }
    report_stage_end(o->run.console);
    if (status == ARGAND_OK) announce(o);
    return status;
}
