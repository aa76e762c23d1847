/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that the reconstructing commands share, and their translation into session options. */
#include "sense/sense.h"
#include "sense/ranks.h"
#include "sense/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the options of the method. */
static int method_options(option *table, sense_settings *s)
{
    const option options[] = {
        group_option("How the image is found"),
        choice_option("transform", 't', ENUM(s->session.transform), "NAME", choices_of(CHOICE_TRANSFORMS),
                      "transform from image to k-space. auto: without a field map the NUFFT; with one the "
                      "exact DFT or the segmented NUFFT, whichever is predicted to be faster"),
        int_option("iterations", 'n', &s->iterations, "N", 0, 100000,
                   "stop after N iterations; 0 writes the density-weighted adjoint without iterating. "
                   "Default: stop before noise grows faster than signal, at the latest after 50"),
        double_option("tolerance", 0, &s->session.tolerance, "E", 0, 1,
                      "stop when the relative gradient falls below E"),
        double_option(
            "nufft-tolerance", 0, &s->session.nufft_tolerance, "E", 0, 0.5,
            "relative error of the NUFFT. Default: 1e-5 in single precision, 1e-9 in double precision"),
        text_option("segments", 0, &s->segments, "N",
                    "number of time segments; auto (default) uses as many as --segment-tolerance requires"),
        double_option("segment-tolerance", 0, &s->session.segment_tolerance, "E", 0, 0.5,
                      "relative error of the off-resonance phase factor with --transform segmented. Default: "
                      "1e-3 in single precision, 1e-6 in double precision"),
        choice_option("interpolator", 0, ENUM(s->session.interpolator), "NAME",
                      choices_of(CHOICE_INTERPOLATORS), "temporal interpolator between segments"),
        flag_option("frequency-segments", 0, &s->session.frequency_segments,
                    "segment the off-resonance frequency instead of time"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Returns the help of --regularize, with every penalty of the library and a weight to begin with. */
static const char *regularize_help(void)
{
    static char help[640];
    argand_regularizer_info info;
    int used = snprintf(help, sizeof help, "penalties KIND:WEIGHT,... Try auto");
    for (int kind = 1; kind <= argand_regularizer_count() && used < 400; kind++)
        if (argand_regularizer_describe((argand_regularizer_kind)kind, &info) == ARGAND_OK)
            used += snprintf(help + used, sizeof help - (size_t)used, "%s%s:%g",
                             kind < argand_regularizer_count() ? ", " : " or ", info.name, info.weight);
    snprintf(help + used, sizeof help - (size_t)used,
             ". A number alone means quadratic:NUMBER. WEIGHT does not depend on the scale of the data; auto "
             "computes it from the noise; auto alone means tv:auto");
    return help;
}

/* Adds the options of penalties and denoisers. */
static int penalty_options(option *table, sense_settings *s)
{
    const option options[] = {
        text_option("regularize", 'r', &s->regularize, "LIST", regularize_help()),
        text_option(
            "denoiser", 0, &s->denoiser, "FILE.onnx",
            "use a neural network as penalty (plug-and-play): ADMM or FISTA denoise the image once an "
            "iteration. ONNX Runtime runs it in this process: use only files that you trust. Real and "
            "imaginary part are two channels of the network's image, or two images"),
        double_option(
            "denoiser-noise", 0, &s->denoise.level, "S", 0, 1e3,
            "standard deviation of the noise that the denoiser is told to remove, relative to the "
            "bright parts of the image. Default (0): 0.05. Denoisers without an input for it ignore "
            "it"),
        double_option("denoiser-weight", 0, &s->denoise.weight, "W", 0, 1e6,
                      "weight of the denoiser against the data. Default (0): 1"),
        double_option("denoiser-scale", 0, &s->denoise.brightness, "B", 0, 1e6,
                      "value that the bright parts of the image have in the denoiser's input. Default (0): "
                      "0.5, for networks that were trained on images from 0 to 1"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options of the solver, and of images that are solved together. */
static int solver_options(option *table, sense_settings *s)
{
    const option options[] = {
        choice_option("solver", 0, ENUM(s->session.solver), "NAME", choices_of(CHOICE_SOLVERS),
                      "iterative solver"),
        choice_option("toeplitz", 0, ENUM(s->session.toeplitz), "WHEN", choices_of(CHOICE_TOEPLITZ_USES),
                      "apply A^H A as a convolution on a grid of twice the size (Toeplitz embedding); auto "
                      "does so if this is predicted to be faster"),
        flag_option("precondition", 0, &s->session.precondition,
                    "use a circulant preconditioner, computed from the Toeplitz kernels. CG then needs about "
                    "half of the iterations"),
        flag_option("joint", 0, &s->session.joint,
                    "solve all repetitions as one problem. --regularize llr and --basis imply this"),
        text_option("basis", 0, &s->basis, "MAP",
                    "temporal basis {repetitions, columns} for a subspace reconstruction: all repetitions "
                    "are linear combinations of a few images"),
        text_option("subspace", 0, &s->subspace, "MAP",
                    "temporal basis {times, columns}, as argand basis writes it: write the coefficient image "
                    "of each column, from all samples together. The times are the scan's contrasts, phases, "
                    "repetitions, sets, segments or (not Cartesian) shots, whichever are as many as the rows "
                    "of the basis"),
        int_option("rank", 0, &s->session.rank, "N", 0, 65535,
                   "number of columns of the basis to use; 0 uses all"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options of density weights and precision. */
static int weight_options(option *table, sense_settings *s)
{
    const option options[] = {
        text_option("density", 0, &s->density_text, "NAME|FILE",
                    "density weights: auto, none, pipe, deconvolve (without iteration), file (those of the "
                    "scan), or a file name as with --weights. auto: none on a Cartesian grid, otherwise "
                    "those of the scan, otherwise pipe"),
        double_option(
            "density-power", 0, &s->session.density_power, "P", 0, 2,
            "raise the density weights to the power P. Default (0): 0.5 with --density auto, otherwise 1"),
        text_option("weights", 0, &s->weights, "FILE",
                    "read the density weights of one volume from FILE, sample fastest, then shot, as argand "
                    "calibrate density writes them"),
        choice_option("precision", 'p', &s->precision, "NAME", "single|double",
                      "precision of all computation"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options that complete partial Fourier scans. */
static int partial_options(option *table, sense_settings *s)
{
    const option options[] = {
        double_option("partial-fourier", 0, &s->session.partial_fourier, "W", 0, 1e6,
                      "weight of the phase constraint for partial Fourier and asymmetric echoes; 0 switches "
                      "the constraint off; try 0.3"),
        int_option("pocs", 0, &s->session.pocs, "N", 0, 10000,
                   "complete images of partial Fourier scans by N iterations of POCS, which give the image "
                   "the phase of the symmetric part of k-space and keep the acquired part; 0: none; try 10"),
        choice_option("homodyne", 0, ENUM(s->session.homodyne), "NAME", "none|ramp|step",
                      "complete images of partial Fourier scans by homodyne detection: samples that were "
                      "acquired on one side only count twice, and the image gets the phase of the symmetric "
                      "part of k-space, whose samples are weighted by a ramp or by 1 (step)")};
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options that each command has. */
static int last_options(option *table, sense_settings *s)
{
    const option options[] = {group_option("Own arrays in place of a scan"),
                              PACK_OPTIONS(s->arrays),
                              group_option("What is written"),
                              OUTPUT_OPTIONS(s->output),
                              group_option("Job arrays and interrupted runs"),
                              KEPT_OPTIONS(s->kept),
                              int_option("ranks", 0, &s->session.ranks, "N", 0, 4096,
                                         "ranks or devices that share a volume, by its coils or shots, if "
                                         "there are more of them than volumes; "
                                         "0: as many as are predicted to be fastest"),
                              group_option("How the scan is read"),
                              SCAN_OPTIONS(s->reading),
                              group_option("Where it runs, and what it says"),
                              COMMON_OPTIONS(s->common)};
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Coefficients have signs and phases, so that complex images are written unless other parts are named. */
static bool take_subspace(sense_settings *s)
{
    if (!s->subspace) return true;
    if (s->basis) {
        report_misuse(s->command, "--subspace %s and --basis %s: give one of them", s->subspace, s->basis);
        return false;
    }
    if (!s->output.parts) s->output.parts = OUTPUT_COMPLEX;
    return true;
}

/* Refuses options that have no effect on the given input, and says what each is for. */
static bool check_input_options(const sense_settings *s)
{
    const pack_settings *a = &s->arrays;
    const scan_reading *r = &s->reading;
    const struct {
        const char *name;
        bool given, of_arrays;
    } options[] = {{"fov", a->fov, true},
                   {"like", a->like, true},
                   {"times", a->times, true},
                   {"axes", a->axes, true},
                   {"trajectory-axes", a->trajectory_axes, true},
                   {"k-order", a->k_order, true},
                   {"sample-time", a->sample_time > 0, true},
                   {"echo-time", a->echo_time > 0, true},
                   {"group", r->group, false},
                   {"y-fastest", r->y_fastest, false},
                   {"time-from-echo", r->time_from_echo, false},
                   {"bands", r->bands, false},
                   {"sequence", s->sequence, false},
                   {"encoding", s->session.encoding, false}};
    if (s->sequence && r->time_from_echo) {
        report_misuse(s->command,
                      "--time-from-echo: times of --sequence %s count from the excitation: leave it out",
                      s->sequence);
        return false;
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (!options[i].given || options[i].of_arrays == (a->kspace != NULL)) continue;
        report_misuse(s->command,
                      options[i].of_arrays
                          ? "--%s describes --kspace FILE, but the input is a scan: leave it out%s"
                          : "--%s says how to read a scan, but the input is --kspace FILE: leave it out%s",
                      options[i].name,
                      a->fov && !i ? " (--image-fov is the field of view of the image)" : "");
        return false;
    }
    return true;
}

/* Takes the name IN.h5 alone: --bids FOLDER stands in the place of OUT. */
static bool take_bids(sense_settings *s, const char *const positional[2])
{
    const char *more = s->arrays.kspace ? positional[0] : positional[1];
    s->output.path = s->output.bids;
    if (more)
        report_misuse(s->command, "\"%s\" is one name too many: --bids stands in the place of the image",
                      more);
    else if (study_is_folder(s->input))
        report_misuse(s->command, "%s is a folder of scans, and --bids names the image of one: give a scan",
                      s->input);
    else if (kept_asked(&s->kept))
        report_misuse(s->command, "--task and --resume keep volumes next to OUT: leave out --bids");
    else
        return true;
    return false;
}

/* Takes the names IN.h5 OUT, or OUT alone with --kspace FILE. */
static bool take_names(sense_settings *s, const char *const positional[2])
{
    s->input = s->arrays.kspace ? s->arrays.kspace : positional[0];
    s->output.path = positional[s->arrays.kspace ? 0 : 1];
    s->arrays.matrix = s->matrix;
    s->arrays.k_unit = s->reading.k_unit;
    s->reading.no_trajectory = s->sequence != NULL;
    if (s->output.bids) return take_bids(s, positional);
    if (s->output.path && !(s->arrays.kspace && positional[1])) {
        if (s->arrays.kspace || !s->arrays.trajectory) return true;
        report_misuse(s->command, "--trajectory %s: give the samples that it belongs to, --kspace FILE",
                      s->arrays.trajectory);
    } else if (s->arrays.kspace) {
        report_misuse(s->command, "\"%s\" is one name too many: --kspace stands in the place of the scan",
                      positional[0] ? positional[1] : "");
    } else {
        report_misuse(s->command, "an argument is missing: IN.h5 OUT.nii.gz, or --kspace FILE OUT.nii.gz");
    }
    return false;
}

/* Removes the options of these names from the table. Returns the number of options left. */
static int leave_out(option *table, int count, const char *const *names)
{
    int left = 0;
    for (int i = 0; i < count; i++) {
        bool has = true;
        for (const char *const *n = names; n && *n; n++)
            has &= !table[i].name || strcmp(table[i].name, *n) != 0;
        if (has) table[left++] = table[i];
    }
    return left;
}

/* Other commands leave ARGAND_DEVICE to the library, which knows no lists. */
static void take_device_list(common_options *common)
{
    device_name_text names[DEVICES_MOST];
    const char *given = getenv("ARGAND_DEVICE");
    if (!common->device && given && devices_list(given, names) != 1) common->device = given;
}

bool sense_parse_options(command_line *line, sense_settings *s, const option *own, int own_count, int argc,
                         char **argv, int *exit_code)
{
    option table[MOST_SENSE_OPTIONS];
    int count = method_options(table, s);
    count += penalty_options(table + count, s);
    count += solver_options(table + count, s);
    count += weight_options(table + count, s);
    count += partial_options(table + count, s);
    for (int i = 0; i < own_count; i++) table[count++] = own[i];
    count += sense_data_options(table + count, s);
    count += last_options(table + count, s);
    line->options = table;
    line->option_count = count = leave_out(table, count, s->without);
    kept_part_is_task(argc, argv);
    const bool good = command_parse(line, argc, argv, exit_code);
    line->options = NULL;
    if (!good) return false;
    take_device_list(&s->common);
    *exit_code = ARGAND_ARGUMENT;
    const bool folder = line->positional && study_is_folder(line->positional[0]);
    return kept_parse(&s->kept, s->command, table, count, folder || ranks_expected()) &&
           sense_read_values(s) && take_subspace(s) && check_input_options(s);
}

bool sense_parse(command_line *line, sense_settings *s, const option *own, int own_count, int argc,
                 char **argv, int *exit_code)
{
    const char *positional[2] = {NULL};
    line->positional_least = 1;
    line->positional_most = 2;
    line->positional = positional;
    return sense_parse_options(line, s, own, own_count, argc, argv, exit_code) && take_names(s, positional);
}
