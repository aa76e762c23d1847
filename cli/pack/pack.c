/* SPDX-License-Identifier: BSD-3-Clause */
/* argand pack: writes own arrays as an ISMRMRD scan. */
#include "pack/pack.h"

#include <string.h>

typedef struct settings {
    pack_settings arrays;
    const char *noise, *coil_maps, *field_map, *weights, *output;
    int field_unit; /* 1: hz */
    common_options common;
} settings;

static argand_status add_all(pack_scan *p, const settings *s, argand_device *device)
{
    const double scale = s->field_unit ? 2 * 3.14159265358979323846 : 1;
    if (s->noise) TRY(pack_scan_noise(p, s->noise, device));
    if (s->coil_maps) TRY(pack_scan_array(p, "SENSEMap", "--coil-maps", s->coil_maps, device, 1));
    if (s->field_map) TRY(pack_scan_array(p, "FieldMap", "--field-map", s->field_map, device, scale));
    if (s->weights) TRY(pack_scan_array(p, "DensityCompensation", "--weights", s->weights, device, 1));
    return ARGAND_OK;
}

static argand_status pack(const settings *s, argand_device *device, report *out)
{
    static pack_scan p;
    char path[4200];
    TRY(scan_name_check(s->output));
    TRY(pack_scan_make(&p, &s->arrays, device, out));
    argand_status status = add_all(&p, s, device);
    if (!status && interrupted()) status = ARGAND_STOPPED;
    if (!status && !s->arrays.trajectory) status = pack_scan_forget_positions(&p);
    if (!status) status = argand_scan_write(&p.scan, s->output);
    if (!status) {
        const int64_t *n = p.scan.encodings->matrix;
        report_note(
            out, "%s: %lld acquisition%s of %lld sample%s and %d channel%s, matrix %lld x %lld x %lld.",
            s->output, (long long)p.scan.acquisition_count, plural_s(p.scan.acquisition_count),
            (long long)p.scan.acquisitions->samples, plural_s(p.scan.acquisitions->samples), p.scan.channels,
            plural_s(p.scan.channels), (long long)n[0], (long long)n[1], (long long)n[2]);
        report_result(out, "\"output\":%s,\"acquisitions\":%lld", json_string(path, sizeof path, s->output),
                      (long long)p.scan.acquisition_count);
    }
    pack_scan_free(&p);
    return status;
}

static const char description[] =
    "Writes arrays as an ISMRMRD scan, which all other commands and other programs read. Files are .npy, "
    ".cfl (BART) or .nii.\n"
    "Argand recognises the axes: k-space has the samples and shots of the trajectory, then coils, then "
    "repetitions:\n"
    "  NumPy, SigPy, mri-nufft   k-space [repetition, coil, shot, sample], trajectory [shot, sample, 2 or "
    "3]\n"
    "  BART                      k-space {1, sample, shot, coil}, trajectory {3, sample, shot}\n"
    "Without a trajectory, k-space is a Cartesian grid: [coil, y, x] or [coil, z, y, x], or BART's {x, y, z, "
    "coil}. Points\n"
    "that are 0 in all coils count as unmeasured. A note says what was recognised; --axes overrides it. "
    "Positions are in\n"
    "cycles per field of view (|k| up to N/2, as in BART and SigPy) or normalised to [-0.5, 0.5) "
    "(mri-nufft).\n"
    "argand convert extracts the arrays again: OUT.h5:kspace, OUT.h5:trajectory, OUT.h5:times, OUT.h5:noise.";

static const char examples[] =
    "  argand pack scan.h5 --kspace k.npy --trajectory t.npy --times t_s.npy --fov 240\n"
    "  argand pack scan.h5 --kspace k.cfl --trajectory t.cfl --matrix 128\n"
    "  argand pack scan.h5 --kspace grid.npy --noise noise.npy\n"
    "  argand pack scan.h5 --kspace k.npy --trajectory t.npy --axes shot,coil,sample --trajectory-axes "
    "k,shot,sample\n";

static int run(int argc, char **argv)
{
    static settings s;
    const option options[] = {
        PACK_OPTIONS(s.arrays),
        sizes_option("matrix", 'x', &s.arrays.matrix, "N[xN[xN]]",
                     "image size in pixels; one number is for all axes. Default: the size that the extent of "
                     "the trajectory gives"),
        K_UNIT_OPTION(s.arrays.k_unit),
        text_option("noise", 0, &s.noise, "FILE", "noise samples [channel, sample] to store with the scan"),
        text_option("coil-maps", 'c', &s.coil_maps, "FILE",
                    "coil sensitivity maps to store with the scan (array SENSEMap)"),
        text_option("field-map", 'f', &s.field_map, "FILE",
                    "field map to store with the scan (array FieldMap)"),
        choice_option("field-unit", 0, &s.field_unit, "UNIT", "rad/s|hz", "unit of --field-map"),
        text_option("weights", 0, &s.weights, "FILE",
                    "density weights [shot, sample] to store with the scan (array DensityCompensation)"),
        COMMON_OPTIONS(s.common),
    };
    const char *positional[1] = {NULL};
    command_line line = {.usage = "argand pack OUT.h5 --kspace FILE [--trajectory FILE] [options]",
                         .description = description,
                         .examples = examples,
                         .options = options,
                         .option_count = sizeof options / sizeof *options,
                         .positional_least = 1,
                         .positional_most = 1,
                         .positional = positional};
    int exit_code;
    report out;
    argand_device *device = NULL;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    s.output = positional[0];
    report_begin(&out, "pack", &s.common);
    interrupt_watch();
    argand_status status = s.arrays.kspace ? common_open_host(&s.common, &device)
                                           : report_error(ARGAND_ARGUMENT, "give the samples: --kspace FILE");
    if (!status) status = pack(&s, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

const command command_pack = {
    .name = "pack", .summary = "write arrays (npy, cfl) as an ISMRMRD scan", .run = run};
