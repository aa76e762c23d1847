/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the whitening and compression of the channels. A matrix must never be read as noise samples:
 * whitening by it would amplify noisy channels. */
#include <stdio.h>
#include <string.h>

#include "sense/inputs.h"
#include "common/path.h"
#include "files/maps.h"
#include "files/sidecar.h"

/* Reads the noise acquisitions of another scan. */
static argand_status noise_of_scan(sense_inputs *in, const char *path, argand_device *device)
{
    argand_scan *scan;
    TRY(scan_open(&scan, path, &(scan_reading){.no_images = true}));
    const argand_status status = argand_scan_noise(&in->noise, NULL, scan, device);
    argand_scan_destroy(scan);
    return status;
}

/* Computes the whitening matrix of a covariance {channels, channels}. */
static argand_status whitener_of(sense_inputs *in, const char *path, const argand_array *given)
{
    int first = 0; /* a BART file is {1, 1, 1, channels, channels} */
    while (first < argand_array_rank(given) - 2 && argand_array_dim(given, first) == 1) first++;
    const int64_t n = argand_array_dim(given, first), dims[2] = {n, n};
    argand_array *covariance = NULL, *square = NULL;
    argand_device *device = argand_array_device(given);
    if (argand_array_count(given) != n * n || argand_array_dim(given, first + 1) != n)
        return report_error(ARGAND_ARGUMENT, "%s: %lld numbers; a noise covariance is {channels, channels}",
                            path, (long long)argand_array_count(given));
    snprintf(in->whitener_name, sizeof in->whitener_name, "of the noise covariance %s", path);
    TRY(argand_array_create(&covariance, device, ARGAND_C64, 2, dims));
    argand_status status = argand_array_reshape(&square, given, 2, dims);
    if (!status) status = argand_array_copy(covariance, square);
    if (!status) status = argand_array_create(&in->whitener, device, ARGAND_C64, 2, dims);
    if (!status) status = argand_noise_whitener(in->whitener, covariance);
    if (status) report_error(status, "%s: %s", path, argand_message());
    argand_array_destroy(square);
    argand_array_destroy(covariance);
    return status;
}

/* Reads --noise: noise samples, unless the file's sidecar says that it is a matrix. */
static argand_status noise_of_file(sense_inputs *in, const char *path, argand_device *device)
{
    sidecar meta;
    TRY(array_file_read("--noise", path, device, &in->noise));
    TRY(sidecar_read(&meta, path));
    if (meta.kind == KIND_UNKNOWN)
        return sidecar_check(&meta, "--noise", path, in->noise, KIND_NOISE, KIND_UNKNOWN);
    TRY(sidecar_check(&meta, "--noise", path, in->noise,
                      meta.kind == KIND_COVARIANCE ? KIND_COVARIANCE : KIND_NOISE, KIND_WHITENER));
    if (meta.kind == KIND_WHITENER) {
        snprintf(in->whitener_name, sizeof in->whitener_name, "%s", path);
        in->whitener = in->noise;
        in->noise = NULL;
    } else if (meta.kind == KIND_COVARIANCE) {
        argand_array *covariance = in->noise;
        in->noise = NULL;
        const argand_status status = whitener_of(in, path, covariance);
        argand_array_destroy(covariance);
        return status;
    }
    return ARGAND_OK;
}

static argand_status find_whitener(sense_inputs *in, const sense_settings *s, argand_device *device)
{
    sidecar meta;
    argand_array *covariance = NULL;
    if (!!s->noise + !!s->whitener + !!s->covariance > 1)
        return report_error(ARGAND_ARGUMENT,
                            "--noise, --whitener and --noise-covariance: give one of them, or the channels "
                            "would be whitened twice");
    if (s->noise)
        return path_is_scan(s->noise) ? noise_of_scan(in, s->noise, device)
                                      : noise_of_file(in, s->noise, device);
    if (s->whitener) {
        snprintf(in->whitener_name, sizeof in->whitener_name, "%s", s->whitener);
        TRY(array_file_read("--whitener", s->whitener, device, &in->whitener));
        TRY(sidecar_read(&meta, s->whitener));
        return sidecar_check(&meta, "--whitener", s->whitener, in->whitener, KIND_WHITENER, KIND_UNKNOWN);
    }
    if (!s->covariance) return ARGAND_OK;
    TRY(array_file_read("--noise-covariance", s->covariance, device, &covariance));
    argand_status status = sidecar_read(&meta, s->covariance);
    if (!status)
        status = sidecar_check(&meta, "--noise-covariance", s->covariance, covariance, KIND_COVARIANCE,
                               KIND_UNKNOWN);
    if (!status) status = whitener_of(in, s->covariance, covariance);
    argand_array_destroy(covariance);
    return status;
}

/* Warns if the compression matrix was made from whitened channels and these are not, or the reverse. Then
 * the virtual coils keep less of the energy than it seems. */
static void note_whitening(const sense_inputs *in, const sense_settings *s, const sidecar *meta, report *out)
{
    const bool whitens = in->noise || in->whitener || s->session.whiten;
    if (whitens && !strcmp(meta->whitened, "no"))
        report_note(
            out,
            "%s was made from channels that were not whitened, but these are: argand calibrate compress "
            "--whitener makes one that fits.",
            s->compression);
    if (!whitens && !strcmp(meta->whitened, "yes"))
        report_note(out,
                    "%s was made from whitened channels, but these are not: give the whitening matrix too "
                    "(--whitener).",
                    s->compression);
}

static argand_status find_compression(sense_inputs *in, const sense_settings *s, argand_device *device,
                                      report *out)
{
    sidecar meta;
    if (!s->compression) return ARGAND_OK;
    TRY(array_file_read("--compress", s->compression, device, &in->compression));
    TRY(sidecar_read(&meta, s->compression));
    note_whitening(in, s, &meta, out);
    return sidecar_check(&meta, "--compress", s->compression, in->compression, KIND_COMPRESSION,
                         KIND_UNKNOWN);
}

argand_status sense_channels_find(sense_inputs *in, const sense_settings *s, argand_sense_options *o,
                                  report *out)
{
    argand_device *host; /* the CPU, because matrices are small and double, a type that some devices lack */
    TRY(argand_device_open(&host, "cpu"));
    argand_status status = find_whitener(in, s, host);
    if (!status) status = find_compression(in, s, host, out);
    argand_device_close(host);
    o->noise = in->noise;
    o->whitener = in->whitener;
    o->compression = in->compression;
    o->noise_name = s->noise;
    o->whitener_name = in->whitener_name;
    o->compression_name = s->compression;
    return status;
}
