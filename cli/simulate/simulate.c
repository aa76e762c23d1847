/* SPDX-License-Identifier: BSD-3-Clause */
/* argand simulate: simulates a scan of a head. */
#include "simulate/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/report.h"

static const char description[] = "Simulates a scan of the Shepp-Logan head (modified contrast; 2-D, or 3-D "
                                  "with --matrix NxNxN or several slices) and\n"
                                  "writes it as an ISMRMRD file: smooth coils on a ring, a field map that is "
                                  "strongest above the sinus and at the ears, a\n"
                                  "trajectory within gradient limits (40 mT/m, 150 T/m/s), and noise. The "
                                  "signal is computed by the exact field-corrected\n"
                                  "DFT on a grid finer than that of the reconstruction; for one coil without "
                                  "off-resonance, from the analytic k-space of\n"
                                  "the phantom.\n"
                                  "The file also holds, on the grid of the reconstruction, FieldMap (rad/s), "
                                  "SENSEMap, Mask, Truth (the image that a\n"
                                  "reconstruction should find) and, if shots differ in phase, PhaseMaps; and "
                                  "the time of every sample after excitation.";

static const char examples[] =
    "  argand simulate head.h5\n"
    "  argand simulate head.h5 --matrix 128 --coils 8 --shots 4 --readout 20 --field-range 150\n"
    "  argand simulate volume.h5 --matrix 64x64x16 --trajectory stack-of-spirals --fineness 1\n"
    "  argand simulate diffusion.h5 --shots 8 --phase-range 3\n"
    "  argand simulate echoes.h5 --echoes 2 --echo-spacing 1\n"
    "  argand simulate partial.h5 --trajectory cartesian --partial-fourier 0.65 --acceleration 2 "
    "--calibration "
    "24\n"
    "  argand simulate together.h5 --slices 6 --bands 3 --coils 12 --noise-scan 4\n"
    "  argand simulate grid.h5 --trajectory cartesian --coils 1 --field-range 0 --snr 0\n";

enum { MOST_OPTIONS = 48 };

/* Adds the options of the measurement. */
static int sampling_options(option *table, simulate_settings *s)
{
    const option options[] = {
        sizes_option("matrix", 'x', &s->matrix, "N[xN[xN]]",
                     "image size in pixels; one number is for all encoded axes. Default: 128x128"),
        int_option("coils", 'c', &s->coils, "N", 1, 1024, "number of coils on a ring around the head"),
        choice_option("trajectory", 't', &s->kind, "NAME", choices_of(CHOICE_TRAJECTORIES),
                      "k-space trajectory"),
        int_option(
            "shots", 's', &s->shots, "N", 0, 65535,
            "number of interleaves, spokes or lines per partition; 0 takes as many as full sampling needs"),
        int_option("samples", 0, &s->samples, "N", 0, 65535,
                   "number of samples per shot; 0 takes as many as the matrix needs"),
        double_option("readout", 0, &s->readout, "MS", 0, 1000,
                      "readout duration of a shot in ms; 0 uses 20 for spirals and 5 otherwise"),
        double_option("echo", 0, &s->echo, "MS", 0, 1000,
                      "echo time in ms; 0 uses the shortest: the readout begins 1 ms after the excitation"),
        double_option("acceleration", 0, &s->acceleration, "R", 1, 64,
                      "undersampling factor: acquire 1/R of the shots"),
        flag_option("golden", 0, &s->golden, "order radial spokes by the golden angle"),
        double_option(
            "partial-fourier", 0, &s->partial_fourier, "PART", 0.5, 1,
            "acquire only this fraction of the phase-encode lines; the first lines are left out (cartesian)"),
        int_option("calibration", 0, &s->calibration, "N", 0, 4096,
                   "number of central lines that --acceleration does not skip, for calibration (cartesian)"),
        choice_option("calibration-flags", 0, &s->calibration_flags, "HOW",
                      "standard|imaging|calibration|separate|none",
                      "ISMRMRD flags of the calibration lines. standard: 21 (calibration and imaging) on "
                      "lines that the image also uses, 20 (calibration) on the others; imaging: 21 on all; "
                      "calibration: 20 on lines that the image does not use; separate: a separate "
                      "calibration scan with 20 on all lines; none: no flags"),
        int_option("bands", 0, &s->bands, "N", 1, 64,
                   "number of simultaneously excited slices (multiband factor), shifted against each other "
                   "by FOV/N"),
        int_option("noise-scan", 0, &s->noise_scan, "N", 0, 65535,
                   "number of noise acquisitions at the start, for whitening"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options of the signal. */
static int signal_options(option *table, simulate_settings *s)
{
    const option options[] = {
        double_option("field-range", 'f', &s->field_range, "HZ", 0, 100000,
                      "range of the field map: -HZ to HZ; 0 simulates no off-resonance"),
        double_option("phase-range", 0, &s->phase_range, "RAD", 0, 100,
                      "give each shot a smooth random phase map between -RAD and RAD, as in diffusion "
                      "imaging; 0: no phase"),
        flag_option("navigators", 0, &s->navigators, "write a low-resolution navigator with each shot"),
        int_option("echoes", 0, &s->echoes, "N", 1, SIMULATE_MOST_ECHOES,
                   "number of echoes, each a contrast of the scan"),
        double_option("echo-spacing", 0, &s->echo_spacing, "MS", 0.001, 1000, "time from echo to echo in ms"),
        double_option("snr", 0, &s->snr, "X", 0, 1e9,
                      "signal-to-noise ratio: mean signal of the head over the noise of a fully sampled "
                      "image; 0: no noise"),
        double_option("noise", 0, &s->noise, "SIGMA", -1, 1e30,
                      "standard deviation of the noise in the real and the imaginary part of each sample, "
                      "instead of --snr; -1 uses --snr"),
        int_option("repetitions", 'r', &s->repetitions, "N", 1, 65535,
                   "number of repetitions; only their noise differs"),
        double_option(
            "tr", 0, &s->repetition_time, "MS", 0, 100000,
            "time from shot to shot (TR) in ms, for the header and the time stamps of acquisitions, "
            "whose ticks are 2.5 ms; 0: neither"),
        int_option("slices", 0, &s->slices, "N", 1, 1024, "number of 2-D slices through the 3-D head"),
        int_option("fineness", 0, &s->fineness, "N", 1, 8,
                   "simulate on a grid N times finer along each axis"),
        double_option("fov", 0, &s->field_of_view, "MM", 1, 10000, "field of view along the longest axis"),
        int_option("seed", 0, &s->seed, "N", 0, 2147483647, "seed of the random numbers"),
        COMMON_OPTIONS(s->common),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

static bool parse(simulate_settings *s, int argc, char **argv, int *exit_code)
{
    option options[MOST_OPTIONS];
    int count = sampling_options(options, s);
    count += signal_options(options + count, s);
    const char *positional[1] = {NULL};
    command_line line = {.usage = "argand simulate OUT.h5 [options]",
                         .description = description,
                         .examples = examples,
                         .options = options,
                         .option_count = count,
                         .positional_least = 1,
                         .positional_most = 1,
                         .positional = positional};
    if (!command_parse(&line, argc, argv, exit_code)) return false;
    s->output = positional[0];
    return true;
}

static argand_status check_settings(simulate_settings *s)
{
    TRY(scan_name_check(s->output));
    TRY(argand_trajectory_describe((argand_trajectory)s->kind, &s->trajectory));
    const bool stack = !s->trajectory.is_flat;
    if (s->matrix.rank == 0) s->matrix = (option_sizes){2, {128, 128, 1}};
    const int64_t n = s->matrix.n[0]; /* a single number holds for all encoded axes, as in sense */
    if (s->matrix.rank == 1) s->matrix = (option_sizes){stack ? 3 : 2, {n, n, stack ? n : 1}};
    if (s->matrix.rank == 2) s->matrix.n[2] = 1;
    if (s->matrix.n[2] == 1) s->matrix.rank = 2;
    for (int d = 0; d < s->matrix.rank; d++)
        if (s->matrix.n[d] < 2 || s->matrix.n[d] > 4096)
            return report_error(ARGAND_ARGUMENT, "--matrix: %lld along %c; give 2 to 4096",
                                (long long)s->matrix.n[d], "xyz"[d]);
    if (stack && !simulate_is_volume(s))
        return report_error(
            ARGAND_ARGUMENT,
            "a stack needs a matrix with three sizes, such as --matrix 64x64x16, or one for all three");
    if (simulate_is_volume(s) && s->slices > 1)
        return report_error(ARGAND_ARGUMENT,
                            "--slices needs a 2-D scan, but --matrix has three sizes: give two");
    return simulate_auxiliary_check(s);
}

/* The mean of the truth where it is not 0, over the noise of an image from M samples whose parts have the
 * standard deviation sigma: a least squares image of full k-space has sigma / sqrt(M). */
static argand_status noise_level(double *sigma, const simulate_settings *s, const argand_array *truth,
                                 int64_t samples)
{
    const int64_t count = argand_array_count(truth);
    double sum = 0;
    int64_t inside = 0;
    *sigma = s->noise;
    if (s->noise >= 0) return ARGAND_OK;
    float *pixels = malloc((size_t)count * sizeof *pixels);
    if (!pixels) return report_error(ARGAND_MEMORY, "no memory for the noise level");
    const argand_status status = argand_array_download(truth, pixels);
    for (int64_t i = 0; i < count && !status; i++) {
        sum += (double)pixels[i];
        inside += pixels[i] > 0;
    }
    free(pixels);
    *sigma = s->snr > 0 && inside ? sum / (double)inside * sqrt((double)samples) / s->snr : 0;
    return status;
}

/* A scan while it is simulated. */
typedef struct simulation {
    const simulate_settings *s;
    simulate_file file;
    simulate_head fine; /* the phantom that is sampled */
    simulate_points points;
    argand_array *signal, *noisy; /* samples of one slice */
    double sigma;                 /* standard deviation of the noise */
    report *out;
} simulation;

/* Computes one echo of one slice in one repetition. Simultaneous slices share one noise. */
static argand_status fill_repetition(simulation *m, const simulate_place *at)
{
    const simulate_settings *s = m->s;
    const int volume = (at->echo * s->slices + at->slice) * s->repetitions + at->repetition;
    if (at->repetition == 0 || s->phase_range > 0)
        TRY(simulate_signal(m->signal, s, &m->fine, &m->points, at));
    TRY(argand_array_copy(m->noisy, m->signal));
    TRY(argand_noise_add(m->noisy, m->sigma / sqrt(s->bands), ((uint64_t)s->seed << 32) + (uint64_t)volume));
    TRY(simulate_file_add(&m->file, s, m->noisy, at));
    if (s->navigators)
        TRY(simulate_file_navigate(&m->file, s, &m->fine, argand_array_device(m->signal), m->sigma, *at));
    report_progress(m->out, volume + 1, s->slices * s->repetitions * s->echoes);
    return interrupted() ? ARGAND_STOPPED : ARGAND_OK;
}

static argand_status fill_file(simulation *m)
{
    const simulate_settings *s = m->s;
    report_stage(m->out, "simulating");
    for (int echo = 0; echo < s->echoes; echo++)
        for (int slice = 0; slice < s->slices; slice++)
            for (int r = 0; r < s->repetitions; r++)
                TRY(fill_repetition(m, &(simulate_place){.slice = slice, .echo = echo, .repetition = r}));
    return ARGAND_OK;
}

static argand_status create_samples(argand_array **samples, const simulate_settings *s, argand_device *device,
                                    const argand_array *t)
{
    int64_t dims[4] = {argand_array_dim(t, 0), argand_array_dim(t, 1), argand_array_dim(t, 2), 0};
    dims[argand_array_rank(t)] = s->coils;
    return argand_array_create(samples, device, ARGAND_C32, argand_array_rank(t) + 1, dims);
}

static void describe(report *out, const simulate_settings *s, const simulate_file *f, double sigma)
{
    report_note(out, "%lld shot%s of %lld samples, %.2f us apart, %s%d coil%s, noise %.3g",
                (long long)f->shots, f->shots == 1 ? "" : "s", (long long)f->samples, 1e6 * f->sample_time,
                f->partitions > 1 ? "for each partition, " : "", s->coils, s->coils == 1 ? "" : "s", sigma);
    const int64_t all = f->shots * f->partitions * s->slices * s->repetitions * s->echoes;
    if (f->scan.acquisition_count < all)
        report_note(out, "%lld of %lld acquisitions are measured", (long long)f->scan.acquisition_count,
                    (long long)all);
    report_result(out,
                  "\"file\":\"written\",\"shots\":%lld,\"samples\":%lld,\"partitions\":%lld,\"coils\":%d,"
                  "\"noise\":%.9g",
                  (long long)f->shots, (long long)f->samples, (long long)f->partitions, s->coils, sigma);
}

static argand_status simulate(const simulate_settings *s, argand_device *device, report *out)
{
    simulation m = {.s = s, .out = out};
    simulate_head coarse = {0};
    argand_status status = simulate_points_make(&m.points, device, s);
    if (!status) status = simulate_head_make(&coarse, device, s, 1);
    if (!status) status = simulate_head_make(&m.fine, device, s, s->fineness);
    if (!status) status = simulate_file_create(&m.file, s, &m.points, &coarse);
    if (!status) status = create_samples(&m.signal, s, device, m.points.t[0]);
    if (!status) status = create_samples(&m.noisy, s, device, m.points.t[0]);
    if (!status) status = noise_level(&m.sigma, s, coarse.image, argand_array_count(m.points.t[0]));
    if (!status) status = fill_file(&m);
    if (!status) status = simulate_auxiliary(&m.file, s, device, m.sigma);
    if (!status) status = argand_scan_write(&m.file.scan, s->output);
    if (!status) describe(out, s, &m.file, m.sigma);
    argand_array_destroy(m.noisy);
    argand_array_destroy(m.signal);
    simulate_file_free(&m.file);
    simulate_head_free(&m.fine);
    simulate_head_free(&coarse);
    simulate_points_free(&m.points);
    return status;
}

static int run(int argc, char **argv)
{
    int exit_code;
    argand_device *device;
    report out;
    simulate_settings s = {.kind = ARGAND_SPIRAL,
                           .coils = 8,
                           .repetitions = 1,
                           .slices = 1,
                           .echoes = 1,
                           .echo_spacing = 1,
                           .fineness = 2,
                           .acceleration = 1,
                           .partial_fourier = 1,
                           .bands = 1,
                           .field_range = 150,
                           .snr = 40,
                           .noise = -1,
                           .field_of_view = 240};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "simulate", &s.common);
    interrupt_watch();
    argand_status status = check_settings(&s);
    if (!status) status = common_open(&s.common, &device);
    if (!status) {
        status = simulate(&s, device, &out);
        argand_device_close(device);
    }
    return status ? report_failure(&out, status) : 0;
}

const command command_simulate = {
    .name = "simulate", .summary = "simulate a scan of a head phantom", .run = run};
