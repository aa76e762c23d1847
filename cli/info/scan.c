/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a scan as text. */
#include "info/info.h"
#include "files/shape.h"

#include <stdio.h>
#include <string.h>

#define LABEL "  %-14s"

static void print_system(const argand_scan *scan)
{
    if (!*scan->system && !(scan->field_strength > 0)) return;
    print(LABEL "%s%s", "system", scan->system, *scan->system && scan->field_strength > 0 ? ", " : "");
    if (scan->field_strength > 0) print("%.4g T", scan->field_strength);
    print("\n");
}

static void print_measurement(const argand_scan *scan)
{
    if (*scan->protocol) print(LABEL "%s\n", "protocol", scan->protocol);
    if (*scan->patient_position) print(LABEL "%s\n", "patient", scan->patient_position);
}

static void print_sequence(const argand_scan *scan)
{
    if (scan->repetition_time > 0) print(LABEL "%.5g ms\n", "TR", scan->repetition_time * 1e3);
    if (scan->inversion_time > 0) print(LABEL "%.5g ms\n", "TI", scan->inversion_time * 1e3);
    if (scan->echo_spacing > 0) print(LABEL "%.5g ms\n", "echo spacing", scan->echo_spacing * 1e3);
    if (scan->flip_angle > 0) print(LABEL "%.5g degrees\n", "flip angle", scan->flip_angle);
}

static void print_counts(const argand_scan *scan, const info_figures *f)
{
    const struct {
        int count;
        const char *one, *many;
    } counts[] = {{f->shots, "shot", "shots"},          {f->partitions, "partition", "partitions"},
                  {f->slices, "slice", "slices"},       {f->repetitions, "repetition", "repetitions"},
                  {f->averages, "average", "averages"}, {f->contrasts, "contrast", "contrasts"},
                  {f->phases, "phase", "phases"},       {f->sets, "set", "sets"},
                  {f->segments, "segment", "segments"}};
    print(LABEL "%lld for images: ", "acquisitions", (long long)scan->acquisition_count);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (i < 3 || counts[i].count > 1)
            print("%s%d %s", i ? ", " : "", counts[i].count,
                  counts[i].count == 1 ? counts[i].one : counts[i].many);
    print("\n");
}

/* Prints "310" or "300 to 310", scaled to a readable unit. */
static void print_range(const info_range *range, double scale, const char *unit)
{
    print("%.6g", range->low * scale);
    if (range->high > range->low) print(" to %.6g", range->high * scale);
    print("%s", unit);
}

static void print_readout(const argand_scan *scan, const info_figures *f)
{
    print(LABEL, "readout");
    print_range(&f->samples, 1, " samples");
    print(", %d channel%s, ", scan->channels, scan->channels == 1 ? "" : "s");
    print_range(&f->dwell, 1e6, " us apart, ");
    print_range(&f->duration, 1e3, " ms long; centre at sample ");
    print_range(&f->centre, 1, "\n");
    print(LABEL "%.4g ms to %.4g ms\n", "times", f->t.low * 1e3, f->t.high * 1e3);
    if (scan->echo_count) {
        print(LABEL, "echo times");
        for (int i = 0; i < scan->echo_count; i++)
            print("%s%.5g ms", i ? ", " : "", scan->echo_times[i] * 1e3);
        print("\n");
    }
}

/* Prints the extent of k-space and the matrix of the first encoding, whose half k may reach. kz of a slice
 * is left out. */
static void print_k_space(const argand_scan *scan, const info_figures *f)
{
    for (int d = 0; d < 3; d++) {
        const int64_t n = scan->encodings[0].matrix[d];
        if (n == 1 && !(f->k[d].high > f->k[d].low)) continue;
        print(LABEL "k%c from %.5g to %.5g%s (the matrix: %lld to %.4g)\n", d ? "" : "k-space", "xyz"[d],
              f -> k[d].low, f->k[d].high, d ? "" : " cycles per field of view", (long long)-(n / 2),
              (double)(n - 1) / 2);
    }
}

/* Prints shapes as h5py shows the file's arrays, without the first axis, which counts further ones. */
static void print_arrays(const argand_scan *scan)
{
    for (int i = 0; i < scan->array_count; i++) {
        const argand_scan_array *a = &scan->arrays[i];
        int64_t count = 1;
        char shape[256];
        for (int d = 0; d < a->rank; d++) count *= a->dims[d];
        const info_array figures = info_look_at(a->data, count, a->type);
        const bool is_complex = a->type == ARGAND_C32 || a->type == ARGAND_C64;
        print(LABEL "%-20s %-17s %-8s ", i ? "" : "arrays", a->name,
              shape_text(shape, sizeof shape, "scan.h5", a->rank, a->dims), argand_type_name(a->type));
        if (figures.not_finite < count)
            print("%s%.4g to %.4g", is_complex ? "|.| " : "", figures.values.low, figures.values.high);
        else
            print("no finite number");
        print("%s%s\n", *info_meaning(a->name) ? "; " : "", info_meaning(a->name));
    }
    if (scan->array_count) print(LABEL "shapes end with the fastest axis, as h5py shows them\n", "");
}

static bool is_zero(const argand_scan_array *a)
{
    int64_t count = 1;
    for (int d = 0; d < a->rank; d++) count *= a->dims[d];
    return info_look_at(a->data, count, a->type).zeros == count;
}

static bool has_matrix(const argand_scan *scan, const argand_scan_array *a)
{
    const argand_encoding *e = scan->encodings;
    return a->rank >= 2 && ((a->dims[0] == e->matrix[0] && a->dims[1] == e->matrix[1]) ||
                            (a->dims[0] == e->recon_matrix[0] && a->dims[1] == e->recon_matrix[1]));
}

static void print_field_map(const argand_scan *scan)
{
    const argand_scan_array *map = argand_scan_find(scan, "FieldMap");
    if (!map)
        print(
            "no FieldMap: nothing is corrected for off-resonance unless a map is given (--field-map FILE)\n");
    else if (!has_matrix(scan, map))
        print("FieldMap has another matrix than the encoding and is not used: give another map (--field-map "
              "FILE)\n");
    else if (is_zero(map))
        print("FieldMap is 0 everywhere: there is no off-resonance to correct\n");
    else
        print("FieldMap is there: off-resonance is corrected\n");
    for (int i = 0; i < scan->array_count; i++)
        if (!strncmp(scan->arrays[i].name, "FieldMap", 8) && scan->arrays[i].name[8])
            print(LABEL "%s may be used instead (--field-map :%s)\n", "", scan->arrays[i].name,
                  scan->arrays[i].name);
}

static void print_coil_maps(const argand_scan *scan)
{
    const argand_scan_array *maps = argand_scan_find(scan, "SENSEMap");
    bool fits = false;
    for (int d = 2; maps && d < maps->rank; d++) fits |= maps->dims[d] == scan->channels;
    if (scan->channels == 1 && !maps)
        print(LABEL "one channel: no coil maps are needed\n", "");
    else if (!maps && scan->calibration_count)
        print(LABEL "no SENSEMap: coil maps are estimated from the calibration acquisitions\n", "");
    else if (!maps)
        print(LABEL "no SENSEMap: coil maps are estimated, or given (--coil-maps FILE)\n", "");
    else if (!fits && scan->channels > 1)
        print(LABEL "SENSEMap has not the %d channels of the data: give others (--coil-maps FILE|none)\n", "",
              scan->channels);
    else
        print(LABEL "SENSEMap is there: its coil maps are used\n", "");
}

static void print_partial(const argand_scan *scan)
{
    argand_coverage c;
    argand_scan_cover(scan, 0, &c);
    if (c.partial[0] < 1 || c.partial[1] < 1 || c.partial[2] < 1)
        print(LABEL "part of k-space is missing: --partial-fourier 0.3 fills it in by the phase\n", "");
}

static void print_needs(const argand_scan *scan)
{
    print(LABEL, "argand sense");
    if (!scan->acquisition_count) {
        print("there are no image data\n");
        return;
    }
    print_field_map(scan);
    print_coil_maps(scan);
    if (argand_scan_find(scan, "FieldGradientX"))
        print(LABEL "FieldGradientX, Y and Z are there for --transform dft-gradients\n", "");
    if (argand_scan_find(scan, "PhaseMaps")) print(LABEL "PhaseMaps are there for argand pcsense\n", "");
    print_partial(scan);
}

static void print_notes(const char *notes)
{
    for (const char *line = notes; *line;) {
        const int length = (int)strcspn(line, "\n");
        print(LABEL "%.*s\n", line == notes ? "notes" : "", length, line);
        line += length + (line[length] == '\n');
    }
}

void info_print_scan(const argand_scan *scan, double file_bytes)
{
    info_figures f;
    info_figure_out(&f, scan);
    print("%s: raw data of a scan (ISMRMRD)", scan->path);
    if (file_bytes > 0) print(", %.4g MB", file_bytes / 1e6); /* a pipe has no size */
    print("; samples in memory %.4g MB\n", f.megabytes);
    print_system(scan);
    print_measurement(scan);
    for (int i = 0; i < scan->encoding_count; i++) info_print_encoding(scan, i);
    print_counts(scan, &f);
    if (scan->acquisition_count) {
        print_readout(scan, &f);
        print_k_space(scan, &f);
    }
    print_sequence(scan);
    info_print_auxiliary(scan);
    print_arrays(scan);
    info_print_parameters(scan);
    print_needs(scan);
    print_notes(scan->notes);
}
