/* SPDX-License-Identifier: BSD-3-Clause */
#include "sense/noise.h"
#include "files/maps.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sense/inputs.h"

/* ---- how large and how correlated */

/* L of the covariance {channels, channels}, element [a, b] at a + channels b. */
static argand_status factor(sense_noise *n, const double complex *covariance)
{
    const int c = n->scan.channels;
    double complex *l = (double complex *)n->factor;
    for (int i = 0; i < c; i++)
        for (int j = 0; j <= i; j++) {
            double complex sum = covariance[i + c * j];
            for (int k = 0; k < j; k++) sum -= l[i * c + k] * conj(l[j * c + k]);
            if (i != j)
                l[i * c + j] = sum / l[j * c + j];
            else if (creal(sum) > 0)
                l[i * c + i] = sqrt(creal(sum));
            else
                return report_error(ARGAND_NUMERIC,
                                    "--noise-map: the noise of the channels is singular: fewer "
                                    "noise samples than channels, or a channel that is off");
        }
    return ARGAND_OK;
}

static argand_status read_noise(argand_array **noise, double *sample_time, const sense_settings *s,
                                const argand_scan *scan, argand_device *host)
{
    argand_scan *other;
    const size_t length = s->noise ? strlen(s->noise) : 0;
    if (!s->noise) return argand_scan_noise(noise, sample_time, scan, host);
    if (length < 4 || strcmp(s->noise + length - 3, ".h5") != 0)
        return array_file_read("--noise", s->noise, host, noise);
    TRY(scan_open(&other, s->noise, &(scan_reading){.no_images = true}));
    const argand_status status = argand_scan_noise(noise, sample_time, other, host);
    argand_scan_destroy(other);
    return status;
}

/* Noise of another bandwidth counts by the times between samples. */
static argand_status measure(sense_noise *n, const sense_settings *s, argand_device *host)
{
    const argand_scan *scan = n->original;
    const int64_t dims[2] = {scan->channels, scan->channels};
    const double step = scan->acquisitions[0].sample_time;
    double sample_time = 0;
    argand_array *noise = NULL, *covariance = NULL;
    double complex *values = malloc((size_t)(dims[0] * dims[1]) * sizeof *values);
    argand_status status = values ? ARGAND_OK : report_error(ARGAND_MEMORY, "out of memory");
    if (!status) status = read_noise(&noise, &sample_time, s, scan, host);
    if (!status) status = argand_array_create(&covariance, host, ARGAND_C64, 2, dims);
    if (!status)
        status =
            argand_noise_covariance(covariance, noise, sample_time > 0 && step > 0 ? sample_time / step : 1);
    if (!status) status = argand_array_download(covariance, values);
    if (!status) status = factor(n, values);
    argand_array_destroy(covariance);
    argand_array_destroy(noise);
    free(values);
    return status;
}

/* Without a measurement: independent, |n|^2 = 1 on average in each sample. */
static void assume_unit(sense_noise *n, report *out)
{
    const int c = n->scan.channels;
    for (int i = 0; i < c; i++) n->factor[2 * (i * c + i)] = 1;
    report_note(out,
                "There is no noise scan (--noise FILE names one): the noise map is for independent noise of "
                "1 in each sample and channel.");
}

/* ---- the copy */

static argand_status copy_samples(sense_noise *n)
{
    const argand_scan *scan = n->original;
    size_t floats = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        floats += 2 * (size_t)scan->acquisitions[i].samples * (size_t)scan->channels;
    n->acquisitions = malloc((size_t)scan->acquisition_count * sizeof *n->acquisitions);
    n->data = malloc(floats * sizeof *n->data);
    n->factor = calloc(2 * (size_t)scan->channels * (size_t)scan->channels, sizeof *n->factor);
    if (!n->acquisitions || !n->data || !n->factor)
        return report_error(ARGAND_MEMORY, "no memory for a second copy of the samples (--noise-map)");
    float *at = n->data;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const size_t count = 2 * (size_t)scan->acquisitions[i].samples * (size_t)scan->channels;
        n->acquisitions[i] = scan->acquisitions[i];
        n->acquisitions[i].data = memcpy(at, scan->acquisitions[i].data, count * sizeof *at);
        at += count;
    }
    n->scan.acquisitions = n->acquisitions;
    return ARGAND_OK;
}

argand_status sense_noise_begin(sense_noise *n, const sense_settings *s, const argand_scan *scan, report *out)
{
    argand_device *host;
    *n = (sense_noise){.scan = *scan, .original = scan, .replicas = s->noise_map};
    if (s->session.joint || s->basis ||
        scan->encodings[s->session.encoding < scan->encoding_count ? s->session.encoding : 0].bands.count > 1)
        return report_error(ARGAND_UNSUPPORTED,
                            "--noise-map: not with --joint, --basis or simultaneous slices, "
                            "whose volumes are solved together");
    TRY(copy_samples(n));
    if (!scan->noise_count && !s->noise) return assume_unit(n, out), ARGAND_OK;
    TRY(argand_device_open(&host, "cpu"));
    const argand_status status = measure(n, s, host);
    argand_device_close(host);
    return status;
}

/* ---- replicas */

static bool same_volume(const argand_counters *a, const argand_counters *b)
{
    return a->slice == b->slice && a->repetition == b->repetition && a->average == b->average &&
           a->contrast == b->contrast && a->phase == b->phase && a->set == b->set;
}

/* Adds L w to sample i of an acquisition, w independent with E |w|^2 = 1: {samples, channels}. */
static void add_noise(const sense_noise *n, float *to, const float *from, const float *w, int64_t i,
                      int64_t samples)
{
    const int c = n->scan.channels;
    for (int a = 0; a < c; a++) {
        double re = 0, im = 0;
        for (int b = 0; b <= a; b++) {
            const double *l = n->factor + 2 * (a * c + b);
            const float *v = w + 2 * (i + samples * b);
            re += l[0] * (double)v[0] - l[1] * (double)v[1];
            im += l[0] * (double)v[1] + l[1] * (double)v[0];
        }
        const int64_t at = 2 * (i + samples * a);
        to[at] = from[at] + (float)re;
        to[at + 1] = from[at + 1] + (float)im;
    }
}

/* Samples that were not measured remain 0, and so remain not measured. */
static void add_noise_to(const sense_noise *n, const argand_sense *session, const argand_acquisition *from,
                         float *to, const float *w)
{
    for (int64_t i = 0; i < from->samples; i++)
        if (argand_sense_is_measured(session, from, i)) add_noise(n, to, from->data, w, i, from->samples);
}

/* The volume's samples with other noise; or, without, as they were. */
static argand_status replace(sense_noise *n, const argand_sense *session, const argand_counters *volume,
                             argand_device *host, bool with)
{
    for (int64_t i = 0; i < n->scan.acquisition_count; i++) {
        const argand_acquisition *a = &n->acquisitions[i];
        const float *from = n->original->acquisitions[i].data;
        float *to = (float *)(uintptr_t)a->data;
        const int64_t count = a->samples * a->channels;
        argand_array *w;
        if (!same_volume(&a->counters, volume)) continue;
        memcpy(to, from, (size_t)count * 2 * sizeof *to);
        if (!with) continue;
        TRY(argand_array_create(&w, host, ARGAND_C32, 1, &count));
        const argand_status status = argand_noise_add(w, sqrt(0.5), ++n->seed);
        if (!status) add_noise_to(n, session, &n->original->acquisitions[i], to, argand_array_data(w));
        argand_array_destroy(w);
        if (status) return status;
    }
    return ARGAND_OK;
}

/* sum += |replica - image|^2 */
static argand_status accumulate(double *sum, argand_array *replica, const argand_array *image)
{
    const int64_t count = argand_array_count(replica);
    const bool wide = argand_array_type(replica) == ARGAND_C64;
    double complex *values = malloc((size_t)count * sizeof *values);
    if (!values) return report_error(ARGAND_MEMORY, "out of memory");
    argand_status status = argand_array_axpby(replica, (argand_scalar){-1, 0}, image, (argand_scalar){1, 0});
    if (!status) status = argand_array_download(replica, values);
    for (int64_t i = 0; i < count && !status; i++) {
        const double re = wide ? creal(values[i]) : (double)((float *)values)[2 * i];
        const double im = wide ? cimag(values[i]) : (double)((float *)values)[2 * i + 1];
        sum[i] += re * re + im * im;
    }
    free(values);
    return status;
}

static bool on_iteration(void *context, const argand_progress *p)
{
    (void)context, (void)p;
    return !interrupted();
}

static argand_status run_replicas(sense_noise *n, argand_sense *session, int volume, argand_array *replica,
                                  const argand_array *image, argand_device *host, double *sum)
{
    const argand_counters *at = argand_sense_counters(session, volume);
    argand_status status = ARGAND_OK;
    for (int i = 0; i < n->replicas && !status; i++) {
        report_activity("noise map", (double)i / n->replicas);
        status = replace(n, session, at, host, true);
        if (!status) status = argand_sense_run(session, volume, replica, on_iteration, NULL);
        if (!status) status = accumulate(sum, replica, image);
    }
    const argand_status restored = replace(n, session, at, host, false);
    return status ? status : restored;
}

/* The standard deviation of a complex number's real part, as of its imaginary part. */
static argand_status put_map(sense_noise *n, output *images, int volume, const argand_array *image,
                             double *sum)
{
    int64_t dims[3];
    argand_array *map = NULL;
    const int64_t count = argand_array_count(image);
    for (int d = 0; d < 3; d++) dims[d] = argand_array_dim(image, d);
    for (int64_t i = 0; i < count; i++) sum[i] = sqrt(sum[i] / (2 * n->replicas));
    argand_device *host;
    TRY(argand_device_open(&host, "cpu"));
    argand_status status = argand_array_create(&map, host, ARGAND_R64, 3, dims);
    if (!status) status = argand_array_upload(map, sum);
    if (!status) status = output_put_noise(images, volume, map);
    argand_array_destroy(map);
    argand_device_close(host);
    return status;
}

argand_status sense_noise_map(sense_noise *n, argand_sense *session, output *images, int volume,
                              const argand_array *image)
{
    int64_t dims[3];
    argand_array *replica = NULL;
    argand_device *host;
    double *sum = calloc((size_t)argand_array_count(image), sizeof *sum);
    if (!sum) return report_error(ARGAND_MEMORY, "out of memory");
    for (int d = 0; d < 3; d++) dims[d] = argand_array_dim(image, d);
    argand_status status = argand_device_open(&host, "cpu");
    if (!status)
        status = argand_array_create(&replica, argand_array_device(image), argand_array_type(image), 3, dims);
    if (!status) status = run_replicas(n, session, volume, replica, image, host, sum);
    if (!status) status = put_map(n, images, volume, image, sum);
    argand_array_destroy(replica);
    argand_device_close(host);
    free(sum);
    return status;
}

void sense_noise_end(sense_noise *n)
{
    free(n->acquisitions);
    free(n->data);
    free(n->factor);
    *n = (sense_noise){0};
}
