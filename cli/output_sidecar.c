/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON beside each image: how it was measured, in BIDS's names and units (s, T, degrees, mm), and under
 * "Argand" how it was reconstructed. What the scan does not say is left out.
 * https://bids-specification.readthedocs.io, MRI metadata. */
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct json {
    FILE *to;
    int depth;
    bool first;
} json;

static void key(json *j, const char *name)
{
    fprintf(j->to, "%s\n%*s\"%s\": ", j->first ? "" : ",", 2 * j->depth, "", name);
    j->first = false;
}

static void put_string(json *j, const char *words)
{
    char quoted[9000];
    fputs(json_string(quoted, sizeof quoted, words), j->to);
}

static void words(json *j, const char *name, const char *value)
{
    if (!value || !*value) return;
    key(j, name);
    put_string(j, value);
}

/* 0 and what is no number counts as unknown. */
static void number(json *j, const char *name, double value)
{
    if (!(value * value > 0) || value - value != 0) return;
    key(j, name);
    fprintf(j->to, "%.7g", value);
}

static void three(json *j, const char *name, const double *values)
{
    key(j, name);
    fprintf(j->to, "[%.9g, %.9g, %.9g]", values[0], values[1], values[2]);
}

static void sizes(json *j, const char *name, const int64_t *n)
{
    key(j, name);
    fprintf(j->to, "[%lld, %lld, %lld]", (long long)n[0], (long long)n[1], (long long)n[2]);
}

static void open_object(json *j, const char *name)
{
    if (name) key(j, name);
    fputc('{', j->to);
    j->first = true;
    j->depth++;
}

static void close_object(json *j)
{
    j->depth--;
    fprintf(j->to, "\n%*s}", 2 * j->depth, "");
    j->first = false;
}

/* --------------------------------------------------------------------------------------- how it was measured
 */

static void from_header(json *j, const argand_scan *scan)
{
    static const struct {
        const char *name, *element;
        double unit; /* 0: words */
    } entries[] = {{"Manufacturer", "systemVendor", 0},
                   {"ManufacturersModelName", "systemModel", 0},
                   {"InstitutionName", "institutionName", 0},
                   {"ProtocolName", "protocolName", 0},
                   {"PulseSequenceType", "sequence_type", 0},
                   {"PatientPosition", "patientPosition", 0},
                   {"FlipAngle", "flipAngle_deg", 1},
                   {"InversionTime", "TI", 1e-3},
                   {"ImagingFrequency", "H1resonanceFrequency_Hz", 1e-6}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char text[400];
        double value;
        if (entries[i].unit == 0 && scan_words(scan, entries[i].element, text, sizeof text))
            words(j, entries[i].name, text);
        if (entries[i].unit > 0 && scan_number(scan, entries[i].element, &value))
            number(j, entries[i].name, value * entries[i].unit);
    }
}

double output_echo_time(const output *o, const output_image *image)
{
    const argand_scan *scan = o->run.scan;
    return image->counters.contrast < scan->echo_count ? scan->echo_times[image->counters.contrast]
                                                       : scan->echo_time;
}

static void describe_grid(json *j, const output *o, const output_image *image, int64_t nz)
{
    const argand_encoding *e = &o->run.scan->encodings[o->run.scan->acquisitions[0].encoding];
    const argand_geometry slice = argand_sense_geometry(o->run.session, 0);
    words(j, "MRAcquisitionType", nz > 1 ? "3D" : "2D");
    number(j, "SliceThickness", slice.voxel[2]);
    if (nz == 1 && image->slices > 1) number(j, "SpacingBetweenSlices", image->geometry.voxel[2]);
    number(j, "AcquisitionMatrixPE", (double)e->matrix[1]);
    number(j, "ReconMatrixPE", (double)argand_array_dim(image->array, 1));
    words(j, "NonCartesianTrajectory", !strcmp(e->trajectory, "cartesian") ? NULL : e->trajectory);
}

static void describe_scan(json *j, const output *o, const output_image *image, int part)
{
    static const char *const types[OUTPUT_PARTS] = {"M", "P", "REAL", "IMAGINARY", "COMPLEX"};
    const argand_scan *scan = o->run.scan;
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    number(j, "EchoTime", output_echo_time(o, image));
    if (scan->echo_count > 1) number(j, "EchoNumber", image->counters.contrast + 1);
    number(j, "RepetitionTime", scan->repetition_time);
    number(j, "MagneticFieldStrength", scan->field_strength);
    from_header(j, scan);
    number(j, "DwellTime", scan->acquisitions[0].sample_time);
    describe_grid(j, o, image, n[2]);
    key(j, "ImageType");
    fprintf(j->to, "[\"DERIVED\", \"PRIMARY\", \"%s\"]", types[part]);
    words(j, "Units", part == 1 ? "rad" : "arbitrary");
    words(j, "ConversionSoftware", "argand");
    words(j, "ConversionSoftwareVersion", argand_version());
}

/* --------------------------------------------------------------------------------- how it was reconstructed
 */

static void write_lines(json *j, const char *lines, bool *first)
{
    while (*lines) {
        char line[4096];
        const size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        if (length) {
            fprintf(j->to, "%s\n%*s", *first ? "" : ",", 2 * (j->depth + 1), "");
            put_string(j, line);
            *first = false;
        }
        lines += length + (lines[length] == '\n');
    }
}

static void write_notes(json *j, const output *o)
{
    bool first = true;
    key(j, "Notes");
    fputc('[', j->to);
    write_lines(j, o->run.scan->notes, &first);
    write_lines(j, argand_sense_notes(o->run.session), &first);
    fprintf(j->to, first ? "]" : "\n%*s]", 2 * j->depth, "");
}

static void write_facts(json *j, const output *o)
{
    for (int i = 0; i < o->fact_count; i++) {
        const output_fact *fact = &o->facts[i];
        key(j, fact->name);
        if (fact->is_number)
            fputs(fact->value, j->to);
        else
            put_string(j, fact->value);
    }
}

static void write_times(json *j, const output *o)
{
    const report *r = o->run.console;
    open_object(j, "Timings");
    for (int i = 0; i < r->stage_count; i++) {
        key(j, r->stages[i].name);
        fprintf(j->to, "%.3f", r->stages[i].seconds);
    }
    close_object(j);
    key(j, "Seconds");
    fprintf(j->to, "%.3f", o->seconds);
}

static void describe_run(json *j, const output *o, const output_image *image)
{
    const argand_encoding *e = &o->run.scan->encodings[o->run.scan->acquisitions[0].encoding];
    const int64_t n[3] = {argand_array_dim(image->array, 0), argand_array_dim(image->array, 1),
                          argand_array_dim(image->array, 2)};
    char device[200];
    output_device(o, device, sizeof device);
    open_object(j, "Argand");
    words(j, "Version", argand_version());
    words(j, "Command", o->run.command);
    words(j, "Source", o->run.input);
    words(j, "Transform", argand_sense_transform(o->run.session));
    words(j, "Precision", o->run.is_double ? "double" : "single");
    words(j, "Device", device);
    sizes(j, "Matrix", n);
    sizes(j, "EncodingMatrix", e->matrix);
    three(j, "EncodingFieldOfView", e->field_of_view);
    words(j, "Trajectory", e->trajectory);
    number(j, "Coils", o->run.scan->channels);
    number(j, "Repetitions", (double)image->repetitions);
    number(j, "Volumes", argand_sense_volumes(o->run.session));
    write_facts(j, o);
    if (o->step_count) number(j, "Residual", o->steps[o->step_count - 1].progress.residual);
    write_times(j, o);
    write_notes(j, o);
    close_object(j);
}

static argand_status write_sidecar(output *o, int index, int part)
{
    char path[4200], *text = NULL;
    size_t size = 0;
    json j = {.to = open_memstream(&text, &size)};
    if (!j.to) return report_error(ARGAND_MEMORY, "out of memory");
    open_object(&j, NULL);
    describe_scan(&j, o, &o->images[index], part);
    describe_run(&j, o, &o->images[index]);
    close_object(&j);
    fputc('\n', j.to);
    const bool written = !ferror(j.to), closed = !fclose(j.to), good = written && closed;
    output_name(path, sizeof path, o, index, part, ".json");
    const argand_status status =
        good ? argand_bytes_write(path, text, size) : report_error(ARGAND_MEMORY, "out of memory");
    free(text);
    return output_note_file(o, path, status);
}

argand_status output_sidecars(output *o)
{
    for (int i = 0; i < o->image_count; i++)
        for (int part = 0; part < OUTPUT_PARTS; part++)
            if (output_parts(o) & 1 << part) TRY(write_sidecar(o, i, part));
    return ARGAND_OK;
}
