/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the JSON sidecar of each image: acquisition parameters with BIDS's names and units (s, T,
 * degrees, mm), and under "Argand" the reconstruction. Facts that the scan lacks are left out.
 * https://bids-specification.readthedocs.io, MRI metadata. */
#include "common/json_write.h"
#include "output/provenance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/origin.h"

static void three(json_writer *j, const char *name, const double *values)
{
    json_key(j, name);
    fprintf(j->to, "[%.9g, %.9g, %.9g]", values[0], values[1], values[2]);
}

/* --------------------------------------------------------------------------------------- how it was measured
 */

static void from_header(json_writer *j, const argand_scan *scan)
{
    static const struct {
        const char *name, *element;
        double unit; /* 0: text */
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
        if (entries[i].unit == 0 && scan_element(scan, entries[i].element, text, sizeof text))
            json_text(j, entries[i].name, text);
        if (entries[i].unit > 0 && scan_number(scan, entries[i].element, &value))
            json_number(j, entries[i].name, value * entries[i].unit);
    }
}

/* Returns the echo time of an image in seconds, by its contrast. */
static double echo_time_of(const output *o, const output_image *image)
{
    const argand_scan *scan = o->run.scan;
    return image->counters.contrast < scan->echo_count ? scan->echo_times[image->counters.contrast]
                                                       : scan->echo_time;
}

static void describe_grid(json_writer *j, const output *o, const output_image *image, int64_t nz)
{
    const argand_encoding *e = &o->run.scan->encodings[o->run.scan->acquisitions[0].encoding];
    const argand_geometry slice = argand_sense_geometry(o->run.session, 0);
    json_text(j, "MRAcquisitionType", nz > 1 ? "3D" : "2D");
    json_number(j, "SliceThickness", slice.voxel[2]);
    if (nz == 1 && image->slices > 1) json_number(j, "SpacingBetweenSlices", image->geometry.voxel[2]);
    json_number(j, "AcquisitionMatrixPE", (double)e->matrix[1]);
    json_number(j, "ReconMatrixPE", (double)argand_array_dim(image->array, 1));
    json_text(j, "NonCartesianTrajectory", !strcmp(e->trajectory, "cartesian") ? NULL : e->trajectory);
}

/* How fast EPI went through ky, along which images are distorted. */
static void describe_train(json_writer *j, const output *o, const output_image *image)
{
    const argand_scan *scan = o->run.scan;
    const int encoding = scan->acquisitions[0].encoding;
    const argand_encoding *e = &scan->encodings[encoding];
    const double step = argand_scan_ky_time(scan, encoding), seen = e->recon_field_of_view[1];
    if (step == 0) return;
    const double spacing =
        fabs(step) * (seen > 0 && e->field_of_view[1] > seen ? e->field_of_view[1] / seen : 1);
    json_text(j, "PhaseEncodingDirection", step > 0 ? "j" : "j-");
    json_number(j, "EffectiveEchoSpacing", spacing);
    json_number(j, "TotalReadoutTime", spacing * (double)(argand_array_dim(image->array, 1) - 1));
}

static void describe_scan(json_writer *j, const output *o, const output_image *image, int part)
{
    static const char *const types[OUTPUT_PARTS] = {"M", "P", "REAL", "IMAGINARY", "COMPLEX"};
    const argand_scan *scan = o->run.scan;
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    json_number(j, "EchoTime", echo_time_of(o, image));
    if (scan->echo_count > 1) json_number(j, "EchoNumber", image->counters.contrast + 1);
    json_number(j, "RepetitionTime", scan->repetition_time);
    json_text(j, "TaskName", o->run.settings->bids_task);
    if (o->run.settings->bids) json_key(j, "SkullStripped"), fputs("false", j->to); /* asked of derivatives */
    json_number(j, "MagneticFieldStrength", scan->field_strength);
    from_header(j, scan);
    json_number(j, "DwellTime", scan->acquisitions[0].sample_time);
    describe_grid(j, o, image, n[2]);
    describe_train(j, o, image);
    json_key(j, "ImageType");
    fprintf(j->to, "[\"DERIVED\", \"PRIMARY\", \"%s\"]", types[part]);
    json_text(j, "Units", part == 1 ? "rad" : "arbitrary");
    json_text(j, "ConversionSoftware", "argand");
    json_text(j, "ConversionSoftwareVersion", argand_version());
}

/* --------------------------------------------------------------------------------- how it was reconstructed
 */

static void write_notes(json_writer *j, const output *o)
{
    bool first = true;
    json_key(j, "Notes");
    fputc('[', j->to);
    json_lines(j, o->run.scan->notes, &first);
    json_lines(j, o->notes, &first);
    fprintf(j->to, first ? "]" : "\n%*s]", 2 * j->depth, "");
}

static void write_facts(json_writer *j, const output *o)
{
    for (int i = 0; i < o->fact_count; i++) {
        const output_fact *fact = &o->facts[i];
        json_key(j, fact->name);
        if (fact->is_number)
            fputs(fact->value, j->to);
        else
            json_put_string(j, fact->value);
    }
}

static void write_times(json_writer *j, const output *o)
{
    const report *r = o->run.console;
    json_open(j, "Timings");
    for (int i = 0; i < r->stage_count; i++) {
        json_key(j, r->stages[i].name);
        fprintf(j->to, "%.3f", r->stages[i].seconds);
    }
    json_close(j);
    json_key(j, "Seconds");
    fprintf(j->to, "%.3f", o->seconds);
}

/* Adds the SHA-256 of an input, to repeat the reconstruction. Only with a report, because hashing takes
 * time. */
static argand_status add_sum(void *context, const char *path, const char *sum)
{
    json_text(context, path, sum);
    return ARGAND_OK;
}

static argand_status describe_origin(json_writer *j, const output *o)
{
    char *line = origin_command();
    if (!line) return report_error(ARGAND_MEMORY, "out of memory");
    json_text(j, "CommandLine", line);
    free(line);
    json_text(j, "Commit", *origin_commit() ? origin_commit() : NULL);
    if (!output_wants_report(o)) return ARGAND_OK;
    json_open(j, "InputSHA256");
    const argand_status status = provenance_inputs(o, add_sum, j);
    json_close(j);
    return status;
}

/* Writes what the session chose: transform, solver, and where the coil maps come from. */
static void write_method(json_writer *j, const output *o)
{
    const argand_sense_info info = output_info(o);
    json_text(j, "Transform", info.transform);
    if (!o->step_count) return; /* an adjoint has no solver, and may have no maps */
    json_text(j, "Solver", info.solver);
    json_number(j, "ToeplitzConvolutions", info.convolutions);
    json_text(j, "CoilMaps", info.coils == ARGAND_COILS_AUTO ? "given" : argand_coils_name(info.coils));
}

static argand_status describe_run(json_writer *j, const output *o, const output_image *image)
{
    const argand_encoding *e = &o->run.scan->encodings[o->run.scan->acquisitions[0].encoding];
    const int64_t n[3] = {argand_array_dim(image->array, 0), argand_array_dim(image->array, 1),
                          argand_array_dim(image->array, 2)};
    char device[200];
    output_device(o, device, sizeof device);
    json_open(j, "Argand");
    json_text(j, "Version", argand_version());
    json_text(j, "Command", o->run.command);
    json_text(j, "Source", o->run.input);
    write_method(j, o);
    json_text(j, "Precision", o->run.is_double ? "double" : "single");
    json_text(j, "Device", device);
    json_sizes(j, "Matrix", 3, n);
    json_sizes(j, "EncodingMatrix", 3, e->matrix);
    three(j, "EncodingFieldOfView", e->field_of_view);
    json_text(j, "Trajectory", e->trajectory);
    json_number(j, "Coils", o->run.scan->channels);
    json_number(j, "Repetitions", (double)image->repetitions);
    json_number(j, "Volumes", argand_sense_volumes(o->run.session));
    write_facts(j, o);
    json_text(j, "Fingerprint", o->run.mark);
    if (o->step_count) json_number(j, "Residual", o->steps[o->step_count - 1].progress.residual);
    write_times(j, o);
    const argand_status status = describe_origin(j, o);
    write_notes(j, o);
    json_close(j);
    return status;
}

static argand_status write_sidecar(output *o, int index, int part)
{
    char path[4200];
    const bool one = output_is_ismrmrd(o->run.settings);
    json_writer j;
    TRY(json_begin(&j));
    describe_scan(&j, o, &o->images[index], part);
    const argand_status described = describe_run(&j, o, &o->images[index]);
    if (one)
        output_sidecar_path(path, sizeof path, o, ".json");
    else
        output_name(path, sizeof path, o, index, part, ".json");
    const argand_status status = json_end(&j, path);
    return output_note_file(o, path, described == ARGAND_OK ? status : described);
}

/* Writes the sidecar of an ISMRMRD file, for its first image. The heads and the header describe the other
 * images. */
static argand_status write_one(output *o)
{
    for (int part = 0; part < OUTPUT_PARTS; part++)
        if (output_parts(o) & 1 << part) return write_sidecar(o, 0, part);
    return ARGAND_OK;
}

argand_status output_sidecars(output *o)
{
    if (output_is_ismrmrd(o->run.settings)) return write_one(o);
    for (int i = 0; i < o->image_count; i++)
        for (int part = 0; part < OUTPUT_PARTS; part++)
            if (output_parts(o) & 1 << part) TRY(write_sidecar(o, i, part));
    return ARGAND_OK;
}
