/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the HTML report: the facts of the sidecar and the pictures, on one page. */
#include "output/labels.h"
#include "output/provenance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static argand_status figure(argand_report *page, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static argand_status fact(argand_report *page, const char *section, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define PRINT_TEXT(text, format)                         \
    do {                                                 \
        va_list arguments;                               \
        va_start(arguments, format);                     \
        vsnprintf(text, sizeof text, format, arguments); \
        va_end(arguments);                               \
    } while (0)

static argand_status figure(argand_report *page, const char *name, const char *format, ...)
{
    char text[512];
    PRINT_TEXT(text, format);
    return argand_report_figure(page, name, text);
}

static argand_status fact(argand_report *page, const char *section, const char *name, const char *format, ...)
{
    char text[4200];
    PRINT_TEXT(text, format);
    return *text ? argand_report_fact(page, section, name, text) : ARGAND_OK;
}

/* --------------------------------------------------------------------------------------------------- figures
 */

static argand_status add_figures(argand_report *page, const output *o)
{
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    if (n[2] > 1)
        TRY(figure(page, "Pixels", "%lld \xC3\x97 %lld \xC3\x97 %lld", (long long)n[0], (long long)n[1],
                   (long long)n[2]));
    else
        TRY(figure(page, "Pixels", "%lld \xC3\x97 %lld", (long long)n[0], (long long)n[1]));
    TRY(figure(page, "Images", "%d", argand_sense_volumes(o->run.session)));
    TRY(figure(page, "Receive channels", "%d", o->run.scan->channels));
    TRY(figure(page, "Off-resonance", "%s", label_of_transform(output_info(o).transform)));
    if (o->step_count) TRY(figure(page, "Not explained", "%.2g %%", 100 * output_residual(o)));
    if (o->noise > 0) TRY(figure(page, "Noise", "%.2g %%", 100 * o->noise));
    return figure(page, "Time", "%.3g s", o->seconds);
}

/* Adds the figures of quality, each with its usual range, so that a reader can judge them. */
static argand_status add_quality(argand_report *page, const output *o)
{
    static const char section[] = "Is it good?";
    if (o->step_count)
        TRY(fact(page, section, "Part of the data that the image does not explain (residual)",
                 "%.3g %%. Usual is what the noise is, 1 to 15 %%. Above 30 %% something does not fit: "
                 "trajectory, "
                 "times, coil maps or field",
                 100 * output_residual(o)));
    if (o->noise > 0)
        TRY(fact(
            page, section, "Noise in the image, estimated",
            "%.3g %% of the signal. Usual is 1 to 10 %%. Above, average, or take a penalty (--regularize)",
            100 * o->noise));
    if (o->segments)
        TRY(fact(page, section, "Error of the off-resonance correction", "%.2g. Usual is below 1e-3",
                 o->segment_error));
    if (!o->step_count) return ARGAND_OK;
    return fact(page, section, "Iterations", "%d. Usual are 5 to 30%s%s",
                o->steps[o->step_count - 1].progress.iteration, o->stop ? ". Ended because " : "",
                o->stop ? label_of_value("StoppedBy", o->stop) : "");
}

/* ---------------------------------------------------------------------------------------------------- images
 */

static void name_image(char *text, size_t size, const output_image *image)
{
    size_t used = 0;
    snprintf(text, size, "Image");
    if (!*image->label) return;
    for (const char *at = image->label + 1; *at && used + 2 < size; at++) {
        text[used++] = (char)(*at == '-' ? ' ' : *at == '_' ? ',' : *at);
        if (*at == '_') text[used++] = ' ';
    }
    text[used] = 0;
}

static const double pi = 3.14159265358979323846;

static argand_status add_images(argand_report *page, const output *o)
{
    for (int i = 0; i < o->image_count; i++) {
        char title[200];
        const output_image *image = &o->images[i];
        name_image(title, sizeof title, image);
        const argand_report_view view = {
            .title = title, .geometry = &image->geometry, .volume_name = "repetition"};
        TRY(argand_report_image(page, image->array, &view));
    }
    for (int i = 0; i < o->map_count; i++) {
        const output_map *map = &o->maps[i];
        const bool angle = !strcmp(map->unit, "rad");
        const argand_report_view view = {.title = map->title,
                                         .unit = map->unit,
                                         .map = true,
                                         .geometry = &o->images[0].geometry,
                                         .colours = angle ? ARGAND_COLOURS_CIRCLE : ARGAND_COLOURS_AUTO,
                                         .low = angle ? -pi : 0,
                                         .high = angle ? pi : 0,
                                         .volume_name = map->volume_name};
        TRY(argand_report_image(page, map->array, &view));
    }
    return ARGAND_OK;
}

static void name_volume(char *text, size_t size, const output *o, int volume)
{
    const output_place *at = &o->places[volume];
    const output_image *image = &o->images[at->image];
    size_t used = 0;
    text[0] = 0;
    if (*image->label) used += (size_t)snprintf(text, size, "%s", image->label + 1);
    if (image->slices > 1 && used < size)
        used += (size_t)snprintf(text + used, size - used, "%sslice %lld", used ? ", " : "",
                                 (long long)at->slice + 1);
    if (image->repetitions > 1 && used < size)
        used += (size_t)snprintf(text + used, size - used, "%srepetition %lld", used ? ", " : "",
                                 (long long)at->repetition + 1);
    if (!used) snprintf(text, size, "residual");
}

static argand_status add_curves(argand_report *page, const output *o)
{
    double *residuals = malloc(((size_t)o->step_count + 1) * sizeof *residuals);
    if (!residuals) return report_error(ARGAND_MEMORY, "out of memory");
    argand_status status = ARGAND_OK;
    for (int64_t i = 0, next; i < o->step_count && status == ARGAND_OK; i = next) {
        char name[200];
        for (next = i; next < o->step_count && o->steps[next].volume == o->steps[i].volume; next++)
            residuals[next - i] = o->steps[next].progress.residual;
        name_volume(name, sizeof name, o, o->steps[i].volume);
        status = argand_report_curve(page, name, next - i, residuals);
    }
    free(residuals);
    return status;
}

/* ----------------------------------------------------------------------------------------------------- facts
 */

static argand_status add_scan(argand_report *page, const output *o)
{
    static const struct {
        const char *name, *element;
    } entries[] = {{"Manufacturer", "systemVendor"},
                   {"Model", "systemModel"},
                   {"Institution", "institutionName"},
                   {"Protocol", "protocolName"},
                   {"Sequence", "sequence_type"},
                   {"Patient position", "patientPosition"},
                   {"Flip angle, degrees", "flipAngle_deg"},
                   {"Inversion time, ms", "TI"}};
    const argand_scan *scan = o->run.scan;
    const argand_encoding *e = &scan->encodings[scan->acquisitions[0].encoding];
    char text[400];
    TRY(fact(page, "Scan", "File", "%s", o->run.input));
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (scan_element(scan, entries[i].element, text, sizeof text))
            TRY(fact(page, "Scan", entries[i].name, "%s", text));
    if (scan->field_strength > 0) TRY(fact(page, "Scan", "Field strength", "%.4g T", scan->field_strength));
    if (scan->echo_time > 0) TRY(fact(page, "Scan", "Echo time", "%.4g ms", 1e3 * scan->echo_time));
    if (scan->repetition_time > 0)
        TRY(fact(page, "Scan", "Repetition time", "%.5g ms", 1e3 * scan->repetition_time));
    TRY(fact(page, "Scan", "Trajectory", "%s", e->trajectory));
    TRY(fact(page, "Scan", "Encoded matrix", "%lld \xC3\x97 %lld \xC3\x97 %lld", (long long)e->matrix[0],
             (long long)e->matrix[1], (long long)e->matrix[2]));
    TRY(fact(page, "Scan", "Encoded field of view", "%.4g \xC3\x97 %.4g \xC3\x97 %.4g mm",
             e->field_of_view[0], e->field_of_view[1], e->field_of_view[2]));
    TRY(fact(page, "Scan", "Acquisitions", "%lld", (long long)scan->acquisition_count));
    return fact(page, "Scan", "Channels", "%d", scan->channels);
}

/* Returns true for facts that the table of quality already contains. */
static bool is_quality(const char *name)
{
    return !strcmp(name, "StoppedBy") || !strcmp(name, "EstimatedNoise") || !strcmp(name, "SegmentError");
}

static argand_status add_facts(argand_report *page, const output *o)
{
    char device[200], when[64];
    const time_t now = time(NULL);
    struct tm local;
    output_device(o, device, sizeof device);
    TRY(add_quality(page, o));
    TRY(add_scan(page, o));
    for (int i = 0; i < o->fact_count; i++) {
        const output_fact *f = &o->facts[i];
        if (is_quality(f->name)) continue;
        TRY(fact(page, "Reconstruction", label_of_fact(f->name), "%s", label_of_value(f->name, f->value)));
    }
    TRY(fact(page, "Reconstruction", "Precision", "%s", o->run.is_double ? "double" : "single"));
    TRY(provenance_report(page, o));
    TRY(fact(page, "How to repeat it", "Computed on", "%s", device));
    if (!localtime_r(&now, &local) || !strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local)) when[0] = 0;
    TRY(fact(page, "How to repeat it", "Time", "%s", when));
    for (int i = 0; i < o->written_count; i++)
        TRY(fact(page, "Files", label_of_file(o->written[i]), "%s", o->written[i]));
    return ARGAND_OK;
}

static argand_status fill(argand_report *page, const output *o)
{
    const report *r = o->run.console;
    TRY(add_figures(page, o));
    TRY(add_images(page, o));
    TRY(kspace_report(page, o));
    TRY(methods_report(page, o));
    TRY(add_curves(page, o));
    for (int i = 0; i < r->stage_count; i++)
        TRY(argand_report_timing(page, r->stages[i].name, r->stages[i].seconds));
    TRY(argand_report_notes(page, o->run.scan->notes));
    TRY(argand_report_notes(page, o->notes));
    return add_facts(page, o);
}

argand_status output_report(output *o)
{
    char path[4200];
    argand_report *page = NULL;
    snprintf(path, sizeof path, "%s", o->run.settings->report);
    if (!*path) output_sidecar_path(path, sizeof path, o, ".html");
    argand_status status = argand_report_create(&page, last_name(o->run.input));
    if (status == ARGAND_OK) status = fill(page, o);
    if (status == ARGAND_OK) status = output_note_file(o, path, argand_report_write(page, path));
    argand_report_destroy(page);
    return status;
}
