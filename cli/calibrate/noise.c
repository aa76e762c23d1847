/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate noise. */
#include "calibrate/calibrate.h"
#include "common/path.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

typedef struct noise_settings {
    common_options common;
    scan_reading reading;
    const char *input, *output, *covariance;
    double factor;
} noise_settings;

static const char description[] = "Computes the matrix that whitens the noise of the coils: after "
                                  "multiplication by it, the noise of the coils is\n"
                                  "independent and has variance 1. The noise comes from the noise "
                                  "acquisitions of a scan, or from a file of noise samples\n"
                                  "{samples..., coils}.\n"
                                  "A noise scan may have another bandwidth than the image. --factor "
                                  "multiplies the noise variance to correct for this. By\n"
                                  "default, for scans, the factor is the dwell time of the noise samples "
                                  "over that of the image samples, times the\n"
                                  "receiver's relative noise bandwidth if the header has it.\n"
                                  "The output is complex {coils, coils}, lower triangular, for argand sense "
                                  "--whitener. A sidecar (.json) marks the file as\n"
                                  "a whitening matrix.";

static const char examples[] = "  argand calibrate noise scan.h5 whiten.npy\n"
                               "  argand sense scan.h5 image.nii.gz --whitener whiten.npy\n"
                               "  argand calibrate noise noise.npy whiten.npy --covariance covariance.npy\n";

static bool parse(noise_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        double_option(
            "factor", 0, &s->factor, "F", 0, 1e9,
            "multiply the noise variance by F; 0 computes F from the scan (see above), otherwise 1"),
        text_option("covariance", 0, &s->covariance, "FILE", "also write the covariance matrix"),
        SCAN_OPTIONS(s->reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand calibrate noise IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

static argand_status load(argand_array **noise, noise_settings *s, argand_device *device, report *out)
{
    argand_scan *scan;
    double sample_time;
    if (!path_is_scan(s->input)) return calibrate_read(noise, s->input, KIND_NOISE, device);
    s->reading.no_images = true;
    TRY(calibrate_open(&scan, s->input, &s->reading, out));
    const argand_status status = argand_scan_noise(noise, &sample_time, scan, device);
    if (!status && s->factor == 0 && scan->acquisition_count > 0 && scan->acquisitions[0].sample_time > 0) {
        const double bandwidth = scan->noise_bandwidth > 0 ? scan->noise_bandwidth : 1;
        s->factor = sample_time / scan->acquisitions[0].sample_time * bandwidth;
        report_note(
            out,
            "Noise is multiplied by %.4g: %.4g us a sample of noise, %.4g us of the image, bandwidth %.3g.",
            s->factor, 1e6 * sample_time, 1e6 * scan->acquisitions[0].sample_time, bandwidth);
    }
    argand_scan_destroy(scan);
    return status;
}

/* Prints the largest correlation of two coils, and the ratio of the noisiest coil to the quietest. */
static argand_status print_result(const argand_array *covariance, report *out)
{
    const int64_t n = argand_array_dim(covariance, 0);
    double complex *c = malloc((size_t)(n * n) * sizeof *c);
    double most = 0, low = INFINITY, high = 0;
    if (!c) return report_error(ARGAND_MEMORY, "no memory for the covariance of %lld coils", (long long)n);
    const argand_status status = argand_array_download(covariance, c);
    for (int64_t a = 0; a < n && !status; a++) {
        low = fmin(low, creal(c[a * n + a]));
        high = fmax(high, creal(c[a * n + a]));
        for (int64_t b = 0; b < a; b++)
            most = fmax(most, cabs(c[a * n + b]) / sqrt(creal(c[a * n + a]) * creal(c[b * n + b])));
    }
    if (!status)
        report_note(out,
                    "%lld coil%s: the noise levels differ by a factor of up to %.3g; the largest correlation "
                    "is %.3f.",
                    (long long)n, plural_s(n), sqrt(high / low), most);
    free(c);
    return status;
}

/* Refuses too few samples, from which the covariance is mostly chance. A square array is probably a
 * matrix. */
static argand_status check_count(const argand_array *noise)
{
    const int rank = argand_array_rank(noise);
    const int64_t coils = argand_array_dim(noise, rank - 1), samples = argand_array_count(noise) / coils;
    if (samples >= 2 * coils) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "%lld noise samples of %lld coils: give at least twice as many as coils, better a hundred "
        "times ({samples..., coils}, in NumPy [coils, samples])",
        (long long)samples, (long long)coils);
}

static argand_status whiten(const noise_settings *s, const argand_array *noise, argand_device *device,
                            report *out)
{
    const int rank = argand_array_rank(noise);
    const int64_t coils = rank > 0 ? argand_array_dim(noise, rank - 1) : 1, dims[2] = {coils, coils};
    argand_array *covariance = NULL, *matrix = NULL;
    argand_status status = check_count(noise);
    if (!status) status = argand_array_create(&covariance, device, ARGAND_C64, 2, dims);
    if (!status) status = argand_array_create(&matrix, device, ARGAND_C64, 2, dims);
    if (!status) status = argand_noise_covariance(covariance, noise, s->factor);
    if (!status) status = argand_noise_whitener(matrix, covariance);
    if (!status) status = print_result(covariance, out);
    const sidecar of_matrix = calibrate_facts(KIND_WHITENER, "", "whitened channel, channel", s->input),
                  of_covariance = calibrate_facts(KIND_COVARIANCE, "", "channel, channel", s->input);
    if (!status) status = calibrate_write(s->output, matrix, NULL, &of_matrix, out);
    if (!status && s->covariance)
        status = calibrate_write(s->covariance, covariance, NULL, &of_covariance, out);
    argand_array_destroy(matrix);
    argand_array_destroy(covariance);
    return status;
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    argand_array *noise = NULL;
    argand_status status = load(&noise, settings, device, out);
    if (!status) status = whiten(settings, noise, device, out);
    argand_array_destroy(noise);
    return status;
}

int calibrate_noise(int argc, char **argv)
{
    int exit_code;
    noise_settings s = {0};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){.name = "calibrate noise",
                                          .common = &s.common,
                                          .input = s.input,
                                          .output = s.output,
                                          .settings = &s,
                                          .work = work});
}
