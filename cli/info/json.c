/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a scan as one line of JSON: {"event":"result","kind":"scan",...}. */
#include "info/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_string(FILE *to, const char *name, const char *text)
{
    char quoted[1200];
    fprintf(to, "\"%s\":%s,", name, json_string(quoted, sizeof quoted, text));
}

static void add_numbers(FILE *to, const char *name, const double *x, int count)
{
    fprintf(to, "\"%s\":[", name);
    for (int i = 0; i < count; i++) fprintf(to, "%s%.9g", i ? "," : "", x[i]);
    fprintf(to, "],");
}

static void add_sizes(FILE *to, const char *name, const int64_t *n, int count)
{
    fprintf(to, "\"%s\":[", name);
    for (int i = 0; i < count; i++) fprintf(to, "%s%lld", i ? "," : "", (long long)n[i]);
    fprintf(to, "],");
}

static void add_range(FILE *to, const char *name, const info_range *range)
{
    fprintf(to, "\"%s\":[%.9g,%.9g],", name, range->low, range->high);
}

static void add_limits(FILE *to, const argand_limits *l)
{
    const struct {
        const char *name;
        const argand_limit *limit;
    } all[] = {{"shot", &l->shot},
               {"partition", &l->partition},
               {"average", &l->average},
               {"slice", &l->slice},
               {"contrast", &l->contrast},
               {"phase", &l->phase},
               {"repetition", &l->repetition},
               {"set", &l->set},
               {"segment", &l->segment}};
    fprintf(to, "\"limits\":{");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fprintf(to, "\"%s\":[%d,%d,%d],", all[i].name, all[i].limit->lowest, all[i].limit->highest,
                all[i].limit->centre);
    fprintf(to, "\"derived\":%s},", l->derived ? "true" : "false");
}

static void add_coverage(FILE *to, const argand_scan *scan, int encoding)
{
    const argand_encoding *e = &scan->encodings[encoding];
    argand_coverage c;
    argand_scan_cover(scan, encoding, &c);
    fprintf(to,
            "\"acquisitions\":%lld,\"calibrating\":%lld,\"calibrations\":%lld,\"navigators\":%lld,"
            "\"corrections\":%lld,\"samples\":[%lld,%lld],",
            (long long)c.acquisitions, (long long)c.calibrating, (long long)c.calibrations,
            (long long)c.navigators, (long long)c.corrections, (long long)c.fewest_samples,
            (long long)c.most_samples);
    add_numbers(to, "k_low", c.low, 3);
    add_numbers(to, "k_high", c.high, 3);
    add_numbers(to, "k_symmetric", c.symmetric, 3);
    add_numbers(to, "partial", c.partial, 3);
    add_numbers(to, "calibration_low", c.calibration_low, 3);
    add_numbers(to, "calibration_high", c.calibration_high, 3);
    fprintf(to, "\"bands\":%d,\"band_spacing_mm\":%.9g,\"band_calibration\":%d,\"acceleration\":[%d,%d],",
            e->bands.count, e->bands.spacing, e->bands.calibration_encoding, e->acceleration[0],
            e->acceleration[1]);
    add_string(to, "calibration_mode", e->calibration_mode);
    add_string(to, "k_unit", argand_k_unit_name(e->k_unit));
    add_limits(to, &e->limits);
}

static void add_parameters(FILE *to, const argand_scan *scan)
{
    static const char *const kinds[] = {"long", "double", "string", "base64"};
    fprintf(to, "\"parameters\":[");
    for (int i = 0; i < scan->parameter_count; i++) {
        fprintf(to, "%s{", i ? "," : "");
        add_string(to, "name", scan->parameters[i].name);
        add_string(to, "value", scan->parameters[i].value);
        fprintf(to, "\"kind\":\"%s\"}", kinds[scan->parameters[i].kind]);
    }
    fprintf(to, "],");
}

static void add_encodings(FILE *to, const argand_scan *scan)
{
    fprintf(to, "\"encodings\":[");
    for (int i = 0; i < scan->encoding_count; i++) {
        const argand_encoding *e = &scan->encodings[i];
        fprintf(to, "%s{", i ? "," : "");
        add_sizes(to, "matrix", e->matrix, 3);
        add_numbers(to, "field_of_view_mm", e->field_of_view, 3);
        add_sizes(to, "recon_matrix", e->recon_matrix, 3);
        add_numbers(to, "recon_field_of_view_mm", e->recon_field_of_view, 3);
        add_string(to, "trajectory", e->trajectory);
        add_coverage(to, scan, i);
        fprintf(to, "\"step1_centre\":%d,\"step2_centre\":%d}", e->step1_centre, e->step2_centre);
    }
    fprintf(to, "],");
}

static void add_acquisitions(FILE *to, const argand_scan *scan, const info_figures *f)
{
    fprintf(to,
            "\"acquisitions\":%lld,\"noise\":%lld,\"navigators\":%lld,\"calibrations\":%lld,"
            "\"corrections\":%lld,\"others\":%lld,"
            "\"shots\":%d,\"partitions\":%d,\"slices\":%d,\"averages\":%d,\"contrasts\":%d,\"phases\":%d,"
            "\"repetitions\":%d,\"sets\":%d,\"segments\":%d,\"channels\":%d,",
            (long long)scan->acquisition_count, (long long)scan->noise_count,
            (long long)scan->navigator_count, (long long)scan->calibration_count,
            (long long)scan->correction_count, (long long)scan->other_count, f->shots, f->partitions,
            f->slices, f->averages, f->contrasts, f->phases, f->repetitions, f->sets, f->segments,
            scan->channels);
    if (!scan->acquisition_count) return;
    add_range(to, "samples", &f->samples);
    add_range(to, "centre_sample", &f->centre);
    add_range(to, "dwell_s", &f->dwell);
    add_range(to, "duration_s", &f->duration);
    add_range(to, "t_s", &f->t);
    add_range(to, "kx", &f->k[0]);
    add_range(to, "ky", &f->k[1]);
    add_range(to, "kz", &f->k[2]);
}

static void add_arrays(FILE *to, const argand_scan *scan)
{
    fprintf(to, "\"arrays\":[");
    for (int i = 0; i < scan->array_count; i++) {
        const argand_scan_array *a = &scan->arrays[i];
        int64_t count = 1, shape[ARGAND_MAX_RANK];
        for (int d = 0; d < a->rank; d++) count *= a->dims[d];
        const info_array figures = info_look_at(a->data, count, a->type);
        fprintf(to, "%s{", i ? "," : "");
        add_string(to, "name", a->name);
        add_string(to, "type", argand_type_name(a->type));
        add_sizes(to, "dims", a->dims, a->rank);
        for (int d = 0; d < a->rank; d++) shape[d] = a->dims[a->rank - 1 - d];
        add_sizes(to, "shape", shape, a->rank);
        if (figures.not_finite < count) add_range(to, "range", &figures.values);
        add_string(to, "meaning", info_meaning(a->name));
        fprintf(to, "\"not_finite\":%lld}", (long long)figures.not_finite);
    }
    fprintf(to, "],");
}

static void add_notes(FILE *to, const char *notes)
{
    char line[1000], quoted[2100];
    fprintf(to, "\"notes\":[");
    for (const char *from = notes; *from;) {
        const size_t length = strcspn(from, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, from);
        fprintf(to, "%s%s", from == notes ? "" : ",", json_string(quoted, sizeof quoted, line));
        from += length + (from[length] == '\n');
    }
    fprintf(to, "]");
}

void info_write_json(report *r, const argand_scan *scan, double file_bytes)
{
    info_figures f;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to) return;
    info_figure_out(&f, scan);
    add_string(to, "kind", "scan");
    add_string(to, "path", scan->path);
    fprintf(to, "\"bytes\":%.0f,", file_bytes);
    add_string(to, "system", scan->system);
    fprintf(to, "\"field_strength_T\":%.9g,\"repetition_time_s\":%.9g,", scan->field_strength,
            scan->repetition_time);
    add_numbers(to, "echo_times_s", scan->echo_times, scan->echo_count);
    add_string(to, "protocol", scan->protocol);
    add_string(to, "patient_position", scan->patient_position);
    fprintf(to,
            "\"inversion_time_s\":%.9g,\"flip_angle_deg\":%.9g,\"echo_spacing_s\":%.9g,"
            "\"noise_bandwidth\":%.9g,",
            scan->inversion_time, scan->flip_angle, scan->echo_spacing, scan->noise_bandwidth);
    add_parameters(to, scan);
    add_encodings(to, scan);
    add_acquisitions(to, scan, &f);
    add_arrays(to, scan);
    add_notes(to, scan->notes);
    fclose(to);
    report_result(r, "%s", text);
    free(text);
}
