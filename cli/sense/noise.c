/* SPDX-License-Identifier: BSD-3-Clause */
#include "sense/noise.h"

#include "common/path.h"
#include "files/maps.h"
#include "sense/inputs.h"

static argand_status read_noise(argand_array **noise, double *sample_time, const sense_settings *s,
                                const argand_scan *scan, argand_device *host)
{
    argand_scan *other;
    if (!s->noise) return argand_scan_noise(noise, sample_time, scan, host);
    if (!path_is_scan(s->noise)) return array_file_read("--noise", s->noise, host, noise);
    TRY(scan_open(&other, s->noise, &(scan_reading){.no_images = true}));
    const argand_status status = argand_scan_noise(noise, sample_time, other, host);
    argand_scan_destroy(other);
    return status;
}

/* Computes the Cholesky factor L of the covariance {channels, channels}. */
static argand_status factor_of(sense_noise *n, const argand_array *covariance, argand_device *host)
{
    const int64_t channels = argand_array_dim(covariance, 0), dims[2] = {channels, channels};
    TRY(argand_array_create(&n->factor, host, ARGAND_C64, 2, dims));
    const argand_status status = argand_noise_factor(n->factor, covariance);
    if (status != ARGAND_NUMERIC) return status;
    return report_error(ARGAND_NUMERIC, "--noise-map: the noise of the channels is singular: fewer "
                                        "noise samples than channels, or a channel that is off");
}

argand_status sense_noise_covariance(argand_array **covariance, const sense_settings *s,
                                     const argand_scan *scan, argand_device *host)
{
    const int64_t dims[2] = {scan->channels, scan->channels};
    const double step = scan->acquisitions[0].sample_time;
    double sample_time = 0;
    argand_array *noise = NULL;
    argand_status status = read_noise(&noise, &sample_time, s, scan, host);
    if (!status) status = argand_array_create(covariance, host, ARGAND_C64, 2, dims);
    if (!status)
        status =
            argand_noise_covariance(*covariance, noise, sample_time > 0 && step > 0 ? sample_time / step : 1);
    argand_array_destroy(noise);
    return status;
}

static argand_status measure(sense_noise *n, const sense_settings *s, const argand_scan *scan,
                             argand_device *host)
{
    argand_array *covariance = NULL;
    argand_status status = sense_noise_covariance(&covariance, s, scan, host);
    if (!status) status = factor_of(n, covariance, host);
    argand_array_destroy(covariance);
    return status;
}

argand_status sense_noise_begin(sense_noise *n, const sense_settings *s, const argand_scan *scan, report *out)
{
    argand_device *host;
    *n = (sense_noise){.replicas = s->noise_map};
    if (s->session.joint || s->basis ||
        scan->encodings[s->session.encoding < scan->encoding_count ? s->session.encoding : 0].bands.count > 1)
        return report_error(ARGAND_UNSUPPORTED,
                            "--noise-map: not with --joint, --basis or simultaneous slices, "
                            "whose volumes are solved together");
    if (!scan->noise_count && !s->noise) {
        report_note(
            out, "There is no noise scan (--noise FILE names one): the noise map is for independent noise of "
                 "1 in each sample and channel.");
        return ARGAND_OK;
    }
    TRY(argand_device_open(&host, "cpu"));
    const argand_status status = measure(n, s, scan, host);
    argand_device_close(host);
    return status;
}

static bool on_iteration(void *context, const argand_progress *p)
{
    (void)context, (void)p;
    return !interrupted();
}

argand_status sense_noise_map(const sense_noise *n, argand_sense *session, output *images, int volume,
                              const argand_array *image)
{
    int64_t dims[3];
    argand_array *map = NULL;
    argand_device *host;
    for (int d = 0; d < 3; d++) dims[d] = argand_array_dim(image, d);
    TRY(argand_device_open(&host, "cpu"));
    argand_status status = argand_array_create(&map, host, ARGAND_R64, 3, dims);
    if (!status)
        status = argand_sense_noise(session, volume, image, n->replicas, n->factor, map, on_iteration, NULL);
    if (!status) status = output_put_pixel_map(images, volume, OUTPUT_NOISE, map);
    argand_array_destroy(map);
    argand_device_close(host);
    return status;
}

void sense_noise_end(sense_noise *n)
{
    argand_array_destroy(n->factor);
    *n = (sense_noise){0};
}
