/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix from the receiver's channels to the model's coils, which whitens by the noise and then
 * compresses to virtual coils. It mixes samples when they are loaded, and given coil maps when they are
 * cut to a slice. */
#include "recon/samples/samples.h"

#include <math.h>
#include "base/memory.h"
#include "device/device.h"
#include "recon/maps/maps.h"

/* Refuses noise with fewer than two samples per channel. A square matrix in place of noise would amplify
 * noisy channels. */
static argand_status check_noise(const argand_sense *s, const argand_sense_options *given)
{
    const argand_array *a = given->noise;
    const int rank = argand_array_rank(a);
    const int64_t channels = rank > 0 ? argand_array_dim(a, rank - 1) : 0,
                  samples = channels ? argand_array_count(a) / channels : 0;
    map_title what;
    matrix_title(&what, "the noise", given->noise_name);
    CHECK(rank >= 2 && channels == s->channels, ARGAND_ARGUMENT,
          "%s: %s has %lld channels, the scan %d: give {samples, channels}, in NumPy [channels, "
          "samples]",
          s->scan->path, what.chars, (long long)channels, s->channels);
    CHECK(samples != channels, ARGAND_ARGUMENT,
          "%s: %s is %lld x %lld: this looks like a matrix, not like noise samples; give a whitening matrix "
          "by --whitener, a noise covariance by --noise-covariance, or more samples",
          s->scan->path, what.chars, (long long)samples, (long long)channels);
    CHECK(samples >= 2 * channels, ARGAND_ARGUMENT,
          "%s: %s has %lld samples for %lld channels: give at least twice as many, better a "
          "hundred times",
          s->scan->path, what.chars, (long long)samples, (long long)channels);
    return ARGAND_OK;
}

/* Finds the noise samples of the caller or the scan. *factor: variance of the images' noise relative to
 * that of the noise scan. */
static argand_status find_noise(argand_sense *s, const argand_sense_options *given, argand_array **noise,
                                double *factor)
{
    argand_device *host;
    double sample_time = 0;
    const double own = s->rows[0].acquisition->sample_time, bandwidth = s->scan->noise_bandwidth;
    *factor = 1;
    TRY(device_host(&host, s->device));
    if (given->noise) {
        TRY(check_noise(s, given));
        const int rank = argand_array_rank(given->noise);
        int64_t dims[ARGAND_MAX_RANK];
        for (int d = 0; d < rank; d++) dims[d] = argand_array_dim(given->noise, d);
        TRY(argand_array_create(noise, host, argand_array_type(given->noise), rank, dims));
        return argand_array_copy(*noise, given->noise);
    }
    CHECK(s->scan->noise_count > 0, ARGAND_ARGUMENT,
          "%s: the scan holds no noise acquisitions for whitening; give a noise scan by --noise FILE",
          s->scan->path);
    TRY(argand_scan_noise(noise, &sample_time, s->scan, host));
    if (sample_time > 0 && own > 0) *factor = sample_time / own * (bandwidth > 0 ? bandwidth : 1);
    return ARGAND_OK;
}

/* Scales the whitener so that the total noise of all channels stays the same, which preserves the units of
 * images. */
static argand_status keep_scale(argand_array *whitener, const argand_array *covariance)
{
    double *numbers, trace = 0;
    const int64_t n = argand_array_dim(covariance, 0);
    TRY(numbers_of_array(covariance, &numbers));
    for (int64_t i = 0; i < n; i++) trace += numbers[2 * (i + n * i)];
    memory_free(numbers);
    return argand_array_scale(whitener, (argand_scalar){sqrt(trace / (double)n), 0});
}

static argand_status make_whitener(argand_sense *s, const argand_sense_options *given,
                                   argand_array **whitener)
{
    argand_array *noise = NULL, *covariance = NULL;
    argand_device *host;
    double factor;
    argand_status status;
    const int64_t dims[2] = {s->channels, s->channels};
    TRY(device_host(&host, s->device));
    TRY_OR_DONE(find_noise(s, given, &noise, &factor));
    TRY_OR_DONE(argand_array_create(&covariance, host, ARGAND_C64, 2, dims));
    TRY_OR_DONE(argand_noise_covariance(covariance, noise, factor));
    TRY_OR_DONE(argand_array_create(whitener, host, ARGAND_C64, 2, dims));
    TRY_OR_DONE(argand_noise_whitener(*whitener, covariance));
    TRY_OR_DONE(keep_scale(*whitener, covariance));
    text_add(&s->notes, "The channels are whitened by %lld noise samples.\n",
             (long long)(argand_array_count(noise) / s->channels));
done:
    argand_array_destroy(covariance);
    argand_array_destroy(noise);
    return status;
}

/* Computes product {rows, n} = a {rows, m} b {m, n}; NULL stands for the identity. */
static argand_status multiply_matrices(const argand_array *a, const argand_array *b, double **out,
                                       int64_t *rows)
{
    double *x = NULL, *y = NULL;
    argand_status status;
    const int64_t m = argand_array_dim(b, 0), n = argand_array_dim(b, 1);
    *rows = a ? argand_array_dim(a, 0) : m;
    if (!a) return numbers_of_array(b, out);
    TRY_OR_DONE(numbers_of_array(a, &x));
    TRY_OR_DONE(numbers_of_array(b, &y));
    TRY_OR_DONE(NEW(*out, 2 * *rows * n));
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < m; k++)
            for (int64_t i = 0; i < *rows; i++) {
                const double *p = x + 2 * (i + *rows * k), *q = y + 2 * (k + m * j);
                double *to = *out + 2 * (i + *rows * j);
                to[0] += p[0] * q[0] - p[1] * q[1];
                to[1] += p[0] * q[1] + p[1] * q[0];
            }
done:
    memory_free(y);
    memory_free(x);
    return status;
}

/* Computes the compression matrix from the first volume's samples, whitened before. */
static argand_status make_compression(argand_sense *s, argand_array **matrix)
{
    recon_samples data;
    argand_compress_report report;
    const argand_compress_options options = {.coils = s->options.compress};
    CHECK(s->options.compress <= s->channels, ARGAND_ARGUMENT, "compression to %d coils: the scan has %d",
          s->options.compress, s->channels);
    TRY(samples_of_rows(s, s->volumes[0].rows, s->volumes[0].count, &data));
    const argand_status status = argand_coils_compress(matrix, data.y, &options, &report);
    samples_free(&data);
    TRY(status);
    text_add(&s->notes, "%d channels are compressed to %d virtual coil%s with %.4g %% of the energy.\n",
             s->channels, report.coils, plural_s(report.coils), 100 * report.energy);
    return ARGAND_OK;
}

/* Notes how much of the first volume's energy a given matrix keeps. */
static argand_status note_compression(argand_sense *s, const argand_array *matrix)
{
    recon_samples data;
    argand_array *mixed = NULL;
    double before = 0, after = 0;
    argand_status status;
    TRY(samples_of_rows(s, s->volumes[0].rows, s->volumes[0].count, &data));
    const int64_t rows = argand_array_dim(matrix, 0);
    TRY_OR_DONE(argand_array_create(&mixed, s->device, s->options.type, 2,
                                    (int64_t[]){argand_array_dim(data.y, 0), rows}));
    TRY_OR_DONE(argand_coils_mix(mixed, matrix, data.y));
    TRY_OR_DONE(argand_array_norm(&before, data.y));
    TRY_OR_DONE(argand_array_norm(&after, mixed));
    const double kept = before > 0 ? after * after / (before * before) : 0;
    text_add(&s->notes,
             "%d channels are compressed to %lld virtual coil%s by a given matrix, with %.4g %% of the "
             "energy%s.\n",
             s->channels, (long long)rows, plural_s(rows), 100 * kept,
             kept < 0.8 ? ", which is little: was the matrix made from this scan, with the same whitening?"
                        : "");
done:
    argand_array_destroy(mixed);
    samples_free(&data);
    return status;
}

static argand_status keep_matrix(argand_sense *s, const double *numbers, int64_t rows)
{
    argand_device *host;
    argand_array_destroy(s->mix);
    s->mix = NULL;
    TRY(device_host(&host, s->device));
    TRY(argand_array_create(&s->mix, host, ARGAND_C64, 2, (int64_t[]){rows, s->channels}));
    s->coils = (int)rows;
    return argand_array_upload(s->mix, numbers);
}

/* Counts the samples in the scan's noise acquisitions. */
static int64_t noise_samples(const argand_scan *scan)
{
    int64_t samples = 0;
    for (int64_t i = 0; i < scan->noise_count; i++) samples += scan->noise[i].samples;
    return samples;
}

/* Whitens by the scan's noise if the options do not say otherwise. A covariance of n channels from m
 * samples costs a fraction n/m of the signal-to-noise ratio; with m of 10 n the gain is larger. An
 * unusable noise scan is not an error here. */
static argand_status whiten_by_default(argand_sense *s, const argand_sense_options *given,
                                       argand_array **whitener)
{
    const int64_t samples = noise_samples(s->scan);
    if (given->as_received || s->channels < 2 || !samples) return ARGAND_OK;
    if (given->compression) {
        text_add(&s->notes,
                 "The scan has noise acquisitions, but the channels are not whitened, as a compression "
                 "matrix is given: --whiten does.\n");
        return ARGAND_OK;
    }
    if (samples < 10 * s->channels) {
        text_add(&s->notes,
                 "The channels are not whitened: the scan has %lld noise sample%s for %d channel%s (--whiten "
                 "does).\n",
                 (long long)samples, plural_s(samples), s->channels, plural_s(s->channels));
        return ARGAND_OK;
    }
    const argand_status status = make_whitener(s, given, whitener);
    if (!status || status == ARGAND_MEMORY) return status;
    argand_array_destroy(*whitener);
    *whitener = NULL;
    text_add(&s->notes, "The channels are not whitened: %s\n", argand_message());
    return ARGAND_OK;
}

/* Computes sqrt(E |n|^2) of a sample, averaged over channels, from the given noise or the scan's.
 * Whitening and compression preserve this value. */
static argand_status find_noise_level(argand_sense *s, const argand_sense_options *given)
{
    argand_array *noise = NULL;
    double norm, factor;
    argand_status status;
    s->sample_noise = 0;
    if (!given->noise && s->scan->noise_count == 0) return ARGAND_OK;
    TRY_OR_DONE(find_noise(s, given, &noise, &factor));
    TRY_OR_DONE(argand_array_norm(&norm, noise));
    s->sample_noise = norm * sqrt(factor / (double)argand_array_count(noise));
    if (!isfinite(s->sample_noise)) s->sample_noise = 0;
done:
    argand_array_destroy(noise);
    /* treat unusable noise as missing */
    return status == ARGAND_MEMORY ? status : ARGAND_OK;
}

/* Returns true if the noise determines the weight of a regularizer. */
static bool wants_noise_level(const argand_sense *s)
{
    for (int i = 0; i < s->options.regularizer_count; i++)
        if (s->options.regularizers[i].automatic) return true;
    return false;
}

argand_status channels_find(argand_sense *s, const argand_sense_options *given)
{
    argand_array *whitener = NULL, *compression = NULL;
    double *numbers = NULL;
    int64_t rows;
    argand_status status = ARGAND_OK;
    const bool asked = s->options.whiten || given->noise;
    TRY_OR_DONE(given->whitener ? matrix_whitener(s, given, &whitener)
                : asked         ? make_whitener(s, given, &whitener)
                                : whiten_by_default(s, given, &whitener));
    if (whitener) {
        TRY_OR_DONE(multiply_matrices(NULL, whitener, &numbers, &rows));
        TRY_OR_DONE(keep_matrix(s, numbers, rows));
    }
    if (s->options.compress || given->compression) {
        TRY_OR_DONE(given->compression ? matrix_compression(s, given, &compression)
                                       : make_compression(s, &compression));
        if (given->compression) TRY_OR_DONE(note_compression(s, compression));
        memory_free(numbers);
        numbers = NULL;
        TRY_OR_DONE(multiply_matrices(whitener ? compression : NULL, whitener ? whitener : compression,
                                      &numbers, &rows));
        TRY_OR_DONE(keep_matrix(s, numbers, rows));
    }
    if (wants_noise_level(s)) status = find_noise_level(s, given);
done:
    memory_free(numbers);
    argand_array_destroy(compression);
    argand_array_destroy(whitener);
    return status;
}
