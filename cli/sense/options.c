/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that the reconstructing commands share, and what they mean to a session. */
#include "sense/sense.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the image is found. */
static int method_options(option *table, sense_settings *s)
{
    const option options[] = {
        {.name = "transform",
         .letter = 't',
         .kind = OPTION_CHOICE,
         .value = &s->transform,
         .argument = "NAME",
         .help = "how k-space is computed",
         .choices = "auto|nufft|dft|dft-gradients|segmented"},
        {.name = "iterations",
         .letter = 'n',
         .kind = OPTION_INT,
         .value = &s->iterations,
         .argument = "N",
         .help = "so many at most; 0: the density-weighted adjoint alone; if not given, until more would add "
                 "more noise "
                 "than signal, 50 at most",
         .low = 0,
         .high = 100000},
        {.name = "tolerance",
         .kind = OPTION_DOUBLE,
         .value = &s->tolerance,
         .argument = "E",
         .help = "stop when the relative gradient falls below E",
         .low = 0,
         .high = 1},
        {.name = "nufft-tolerance",
         .kind = OPTION_DOUBLE,
         .value = &s->nufft_tolerance,
         .argument = "E",
         .help = "relative error of the NUFFT; 1e-5 in single, 1e-9 in double precision",
         .low = 0,
         .high = 0.5},
        {.name = "segments",
         .kind = OPTION_TEXT,
         .value = &s->segments,
         .argument = "N",
         .help = "of the segmented NUFFT; auto: as many as the tolerance needs"},
        {.name = "segment-tolerance",
         .kind = OPTION_DOUBLE,
         .value = &s->segment_tolerance,
         .argument = "E",
         .help = "relative error of the field's exponential; 1e-3 in single, 1e-6 in double precision",
         .low = 0,
         .high = 0.5},
        {.name = "interpolator",
         .kind = OPTION_CHOICE,
         .value = &s->interpolator,
         .argument = "NAME",
         .help = "between segments",
         .choices = "auto|linear|hann|min-max|svd"},
        {.name = "frequency-segments",
         .kind = OPTION_FLAG,
         .value = &s->frequency_segments,
         .help = "segments of frequency instead of time"},
        {.name = "regularize",
         .letter = 'r',
         .kind = OPTION_TEXT,
         .value = &s->regularize,
         .argument = "LIST",
         .help =
             "KIND:WEIGHT,...: tikhonov, quadratic, hyperbola, tv, tv-anisotropic, wavelet, llr; a "
             "number alone is quadratic roughness. WEIGHT means the same for any scan; auto chooses it by "
             "the noise (auto alone: tv:auto). Try auto, tv:0.015 or wavelet:0.02"},
        {.name = "solver",
         .kind = OPTION_CHOICE,
         .value = &s->solver,
         .argument = "NAME",
         .help = "of the iteration",
         .choices = "auto|cg|half-quadratic|fista|pogm|admm"},
        {.name = "toeplitz",
         .kind = OPTION_CHOICE,
         .value = &s->toeplitz,
         .argument = "WHEN",
         .help = "iterate by convolutions on a doubled grid; auto: where that is predicted to pay",
         .choices = "auto|on|off"},
        {.name = "precondition",
         .kind = OPTION_FLAG,
         .value = &s->precondition,
         .help = "conjugate gradients with a circulant preconditioner, from Toeplitz kernels: about half of "
                 "the iterations"},
        {.name = "partial-fourier",
         .kind = OPTION_DOUBLE,
         .value = &s->partial_fourier,
         .argument = "W",
         .help = "weight of the phase constraint for partial Fourier and asymmetric echoes; 0: none; try 0.3",
         .low = 0,
         .high = 1e6},
        {.name = "joint",
         .kind = OPTION_FLAG,
         .value = &s->joint,
         .help = "all repetitions in one problem, as --regularize llr and --basis need"},
        {.name = "basis",
         .kind = OPTION_TEXT,
         .value = &s->basis,
         .argument = "MAP",
         .help = "temporal basis {repetitions, columns}: few images span all repetitions"},
        {.name = "rank",
         .kind = OPTION_INT,
         .value = &s->rank,
         .argument = "N",
         .help = "columns of the basis in use; 0: all",
         .low = 0,
         .high = 65535},
        {.name = "density",
         .kind = OPTION_CHOICE,
         .value = &s->density,
         .argument = "NAME",
         .help = "weights of the samples; auto: none on a Cartesian grid, else the scan's, else pipe",
         .choices = "auto|none|pipe|file"},
        {.name = "density-power",
         .kind = OPTION_DOUBLE,
         .value = &s->density_power,
         .argument = "P",
         .help = "weights to this power; 0: 0.5 for --density auto, else 1",
         .low = 0,
         .high = 2},
        {.name = "weights",
         .kind = OPTION_TEXT,
         .value = &s->weights,
         .argument = "FILE",
         .help = "weights of a volume's samples from a file, sample fastest, then shot: of argand calibrate "
                 "density"},
        {.name = "precision",
         .letter = 'p',
         .kind = OPTION_CHOICE,
         .value = &s->precision,
         .argument = "NAME",
         .help = "of all computations",
         .choices = "single|double"},
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Maps, and what is made of the scan. */
static int input_options(option *table, sense_settings *s)
{
    const option options[] = {
        {.name = "field-map",
         .letter = 'f',
         .kind = OPTION_TEXT,
         .value = &s->field_map,
         .argument = "MAP",
         .help = "field map, or none; FieldMap of the scan if not given"},
        {.name = "field-unit",
         .kind = OPTION_CHOICE,
         .value = &s->field_unit,
         .argument = "UNIT",
         .help = "unit of a field map's file; auto: as its sidecar says, else rad/s",
         .choices = "auto|rad/s|hz"},
        {.name = "keep-field-zeros",
         .kind = OPTION_FLAG,
         .value = &s->keep_field_zeros,
         .help = "zeros that a field map jumps to are values; else they are taken as not measured and filled "
                 "in smoothly"},
        {.name = "coil-maps",
         .letter = 'c',
         .kind = OPTION_TEXT,
         .value = &s->coil_maps,
         .argument = "MAP",
         .help = "coil sensitivities, or none to estimate them; SENSEMap of the scan if not given"},
        {.name = "coils",
         .kind = OPTION_CHOICE,
         .value = &s->coils,
         .argument = "NAME",
         .help = "how coil maps are estimated; auto: ESPIRiT where k-space's centre is sampled fully",
         .choices = "auto|adaptive|espirit"},
        {.name = "sets",
         .kind = OPTION_INT,
         .value = &s->sets,
         .argument = "N",
         .help = "of coil maps, given or by ESPIRiT, with an image each, where the object is larger than the "
                 "field of view; written is the root of the sum of their squares",
         .low = 1,
         .high = 16},
        {.name = "compress",
         .kind = OPTION_TEXT,
         .value = &s->compress_text,
         .argument = "N|FILE",
         .help = "compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a "
                 "file"},
        {.name = "whiten",
         .kind = OPTION_FLAG,
         .value = &s->whiten,
         .help = "whiten the channels by the scan's noise acquisitions, or fail; if not given, where there "
                 "are enough"},
        {.name = "no-whiten",
         .kind = OPTION_FLAG,
         .value = &s->as_received,
         .help = "channels as they were received, though the scan has noise acquisitions"},
        {.name = "noise",
         .kind = OPTION_TEXT,
         .value = &s->noise,
         .argument = "FILE",
         .help = "whiten the channels by these samples {samples, channels}: .npy, .cfl, or noise of another "
                 "scan, .h5"},
        {.name = "whitener",
         .kind = OPTION_TEXT,
         .value = &s->whitener,
         .argument = "FILE",
         .help = "whiten the channels by this matrix {channels, channels}, of argand calibrate noise"},
        {.name = "noise-covariance",
         .kind = OPTION_TEXT,
         .value = &s->covariance,
         .argument = "FILE",
         .help = "whiten the channels by the noise covariance {channels, channels}"},
        {.name = "calibration",
         .kind = OPTION_DOUBLE,
         .value = &s->calibration,
         .argument = "R",
         .help = "estimate coil maps from k-space up to R of its radius, whatever is sampled there; 0: as "
                 "far as it "
                 "is sampled fully",
         .low = 0,
         .high = 1},
        {.name = "mask",
         .letter = 'm',
         .kind = OPTION_TEXT,
         .value = &s->mask,
         .argument = "MAP",
         .help = "reconstruct only where it is not 0"},
        {.name = "matrix",
         .letter = 'x',
         .kind = OPTION_SIZES,
         .value = &s->matrix,
         .argument = "N[xN[xN]]",
         .help = "image size; the encoded matrix if not given"},
        {.name = "encoding",
         .kind = OPTION_INT,
         .value = &s->encoding,
         .argument = "N",
         .help = "encoding space to reconstruct",
         .low = 0,
         .high = 64},
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* What every command has. */
static int last_options(option *table, sense_settings *s)
{
    const option options[] = {OUTPUT_OPTIONS(s->output), SCAN_OPTIONS(s->reading), COMMON_OPTIONS(s->common)};
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* "auto" or a number. */
static bool read_segments(sense_settings *s)
{
    char *end;
    s->segment_count = 0;
    if (!s->segments || !strcmp(s->segments, "auto")) return true;
    const long count = strtol(s->segments, &end, 10);
    s->segment_count = (int)count;
    if (end != s->segments && !*end && count >= 1 && count <= 511) return true;
    fprintf(stderr, "argand %s: --segments %s: give a number from 1 to 511, or auto\n", s->command,
            s->segments);
    return false;
}

/* A number of virtual coils, or the file of a matrix. */
static bool read_compression(sense_settings *s)
{
    char *end;
    s->compress = 0;
    if (!s->compress_text) return true;
    const long count = strtol(s->compress_text, &end, 10);
    if (end == s->compress_text || *end) {
        s->compression = s->compress_text;
        return true;
    }
    s->compress = (int)count;
    if (count >= 0 && count <= 1024) return true;
    fprintf(stderr, "argand %s: --compress %s: give a number from 0 to 1024, or a matrix's file\n",
            s->command, s->compress_text);
    return false;
}

static bool is_given(int argc, char **argv, const char *name, char letter)
{
    for (int i = 1; i < argc; i++) {
        const size_t length = strlen(name);
        if (argv[i][0] == '-' && argv[i][1] == letter) return true;
        if (!strncmp(argv[i], "--", 2) && !strncmp(argv[i] + 2, name, length) &&
            (!argv[i][2 + length] || argv[i][2 + length] == '='))
            return true;
    }
    return false;
}

static bool read_regularizers(sense_settings *s)
{
    if (s->regularize &&
        argand_regularizers_parse(s->regularize, s->regularizers, &s->regularizer_count) != ARGAND_OK) {
        fprintf(stderr, "argand %s: --regularize %s: %s\n", s->command, s->regularize, argand_message());
        return false;
    }
    return true;
}

static bool check_weights(const sense_settings *s, int argc, char **argv)
{
    if (!s->weights || !is_given(argc, argv, "density", 0)) return true;
    fprintf(stderr, "argand %s: --weights %s and --density: give one of them\n", s->command, s->weights);
    return false;
}

bool sense_parse(command_line *line, sense_settings *s, const option *own, int own_count, int argc,
                 char **argv, int *exit_code)
{
    option table[MOST_SENSE_OPTIONS];
    const char *positional[2] = {NULL};
    int count = method_options(table, s);
    for (int i = 0; i < own_count; i++) table[count++] = own[i];
    count += input_options(table + count, s);
    count += last_options(table + count, s);
    line->options = table;
    line->option_count = count;
    line->positional_least = line->positional_most = 2;
    line->positional = positional;
    if (!command_parse(line, argc, argv, exit_code)) return false;
    s->input = positional[0];
    s->output.path = positional[1];
    *exit_code = ARGAND_ARGUMENT;
    return read_segments(s) && read_compression(s) && check_weights(s, argc, argv) && read_regularizers(s);
}
