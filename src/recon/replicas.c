/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise of an image by pseudo-replicas (Robson et al., MRM 60:895, 2008). A volume is reconstructed many
 * times with noise added to its samples, of the scan's variance and correlation. The standard deviation of
 * the images is the noise. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "base/observe.h"
#include "mri/host.h"
#include "recon/solve/solve.h"

/* Rows of a volume, whose acquisitions are replaced temporarily. */
typedef struct replicas {
    argand_sense *session;
    argand_device *host;
    recon_volume *volume;
    int64_t count;
    recon_row **rows;               /* in the file's order */
    const argand_acquisition **own; /* original acquisition of each row */
    argand_acquisition *changed;    /* noisy acquisition of each row */
    double *factor;                 /* C64 {channels, channels}; NULL: the unit matrix */
    double *sum;                    /* sum of |replica - image|^2 for each pixel */
} replicas;

static int by_address(const void *left, const void *right)
{
    const recon_row *const *a = left, *const *b = right;
    return ((*a)->acquisition > (*b)->acquisition) - ((*a)->acquisition < (*b)->acquisition);
}

/* Takes the volume's rows; calibration lines that complete the image keep their data. */
static argand_status take_rows(replicas *r, const recon_volume *v)
{
    TRY(NEW(r->rows, v->count));
    TRY(NEW(r->own, v->count));
    TRY(NEW(r->changed, v->count));
    for (int64_t i = 0; i < v->count; i++)
        if (!v->rows[i].calibration) r->rows[r->count++] = &v->rows[i];
    qsort(r->rows, (size_t)r->count, sizeof *r->rows, by_address);
    for (int64_t i = 0; i < r->count; i++) {
        float *data;
        r->own[i] = r->rows[i]->acquisition;
        TRY(memory_new(&data, (size_t)(r->own[i]->samples * r->own[i]->channels), 2 * sizeof *data));
        r->changed[i] = *r->own[i];
        r->changed[i].data = data;
    }
    return ARGAND_OK;
}

static void give_back(replicas *r)
{
    for (int64_t i = 0; i < r->count && r->own; i++) {
        if (r->own[i]) r->rows[i]->acquisition = r->own[i];
        memory_free((void *)(uintptr_t)r->changed[i].data);
    }
    memory_free(r->rows);
    memory_free(r->own);
    memory_free(r->changed);
    memory_free(r->factor);
    memory_free(r->sum);
    argand_device_close(r->host);
}

/* ---- noise */

/* Adds L w to sample i of an acquisition {samples, channels}, where w is independent noise with E |w|^2 =
 * 1. */
static void add_to_sample(const replicas *r, const argand_acquisition *a, float *to, const float *w,
                          int64_t i)
{
    const int64_t channels = a->channels;
    for (int64_t row = 0; row < channels; row++) {
        double re = 0, im = 0;
        for (int64_t column = r->factor ? 0 : row; column <= row; column++) {
            const double *l = r->factor ? r->factor + 2 * (column * channels + row) : (double[2]){1, 0};
            const float *v = w + 2 * (i + a->samples * column);
            re += l[0] * (double)v[0] - l[1] * (double)v[1];
            im += l[0] * (double)v[1] + l[1] * (double)v[0];
        }
        const int64_t at = 2 * (i + a->samples * row);
        to[at] = a->data[at] + (float)re;
        to[at + 1] = a->data[at + 1] + (float)im;
    }
}

/* Makes a noisy copy of a row. Samples that were not measured stay 0, so that they still count as not
 * measured. */
static argand_status make_noisy(const replicas *r, int64_t row, uint64_t seed)
{
    const argand_acquisition *a = r->own[row];
    const int64_t count = a->samples * a->channels;
    float *to = (float *)(uintptr_t)r->changed[row].data;
    argand_array *w;
    TRY(argand_array_create(&w, r->host, ARGAND_C32, 1, &count));
    const argand_status status = argand_noise_add(w, sqrt(0.5), seed);
    memcpy(to, a->data, (size_t)count * 2 * sizeof *to);
    for (int64_t i = 0; i < a->samples && status == ARGAND_OK; i++)
        if (argand_sense_is_measured(r->session, a, i)) add_to_sample(r, a, to, argand_array_data(w), i);
    argand_array_destroy(w);
    return status;
}

static bool is_of_volume(const argand_counters *a, const argand_counters *b)
{
    return a->slice == b->slice && a->repetition == b->repetition && a->average == b->average &&
           a->contrast == b->contrast && a->phase == b->phase && a->set == b->set;
}

/* Returns a seed that no other acquisition has, in any order of the volumes. Every acquisition of the volume
 * takes one, including those of other encoding spaces. */
static uint64_t next_seed(const replicas *r)
{
    const uint64_t number = (uint64_t)(r->volume - r->session->volumes);
    return (number << 40) + r->session->replicas + ++r->volume->replicas;
}

/* Makes the noisy rows of a replica. */
static argand_status make_replica(const replicas *r)
{
    const argand_scan *scan = r->session->scan;
    int64_t row = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        if (!is_of_volume(&scan->acquisitions[i].counters, &r->volume->counters)) continue;
        const uint64_t seed = next_seed(r);
        if (row == r->count || r->own[row] != &scan->acquisitions[i]) continue;
        TRY(make_noisy(r, row++, seed));
    }
    return ARGAND_OK;
}

/* ---- images */

static void exchange(replicas *r, bool noisy)
{
    for (int64_t i = 0; i < r->count; i++) r->rows[i]->acquisition = noisy ? &r->changed[i] : r->own[i];
}

/* Adds |replica - image|^2 to the sum. */
static argand_status accumulate(replicas *r, argand_array *replica, const argand_array *image)
{
    double *values;
    TRY(argand_array_axpby(replica, (argand_scalar){-1, 0}, image, (argand_scalar){1, 0}));
    TRY(host_read(&values, replica));
    for (int64_t i = 0; i < argand_array_count(replica); i++)
        r->sum[i] += values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1];
    memory_free(values);
    return ARGAND_OK;
}

static argand_status run(replicas *r, int volume, int count, const argand_array *image, argand_array *replica,
                         argand_monitor monitor, void *context)
{
    for (int i = 0; i < count; i++) {
        TRY(observe("noise map", (double)i / count));
        exchange(r, false);
        TRY(make_replica(r));
        exchange(r, true);
        TRY(argand_sense_run(r->session, volume, replica, monitor, context));
        TRY(accumulate(r, replica, image));
    }
    return ARGAND_OK;
}

static argand_status check(const argand_sense *s, int volume, const argand_array *image, int count,
                           const argand_array *deviation, const argand_array *factor)
{
    CHECK(s && image && deviation, ARGAND_ARGUMENT, "argand_sense_noise: a pointer is NULL");
    CHECK(volume >= 0 && volume < s->volume_count, ARGAND_ARGUMENT, "volume %d of %d", volume,
          s->volume_count);
    CHECK(count > 0, ARGAND_ARGUMENT, "argand_sense_noise: %d replicas; give one at least", count);
    CHECK(argand_array_rank(image) <= 3 && argand_array_type(image) == s->options.type, ARGAND_ARGUMENT,
          "argand_sense_noise: the image is %s of rank %d; argand_sense_run makes %s {nx, ny, nz}",
          argand_type_name(argand_array_type(image)), argand_array_rank(image),
          argand_type_name(s->options.type));
    for (int axis = 0; axis < 3; axis++)
        CHECK(argand_array_dim(image, axis) == s->grid.n[axis], ARGAND_ARGUMENT,
              "argand_sense_noise: dimension %d of the image is %lld, but the grid's is %lld", axis,
              (long long)argand_array_dim(image, axis), (long long)s->grid.n[axis]);
    CHECK(argand_array_type(deviation) == ARGAND_R32 || argand_array_type(deviation) == ARGAND_R64,
          ARGAND_ARGUMENT, "argand_sense_noise: the array of deviations is %s; give r32 or r64",
          argand_type_name(argand_array_type(deviation)));
    CHECK(argand_array_count(image) == argand_array_count(deviation), ARGAND_ARGUMENT,
          "argand_sense_noise: the image has %lld pixels, but the array of deviations %lld",
          (long long)argand_array_count(image), (long long)argand_array_count(deviation));
    CHECK(!factor || (argand_array_rank(factor) == 2 && argand_array_dim(factor, 0) == s->channels &&
                      argand_array_dim(factor, 1) == s->channels && argand_array_type(factor) == ARGAND_C64),
          ARGAND_ARGUMENT, "argand_sense_noise: the factor must be c64 {channels, channels} of %d channels",
          s->channels);
    CHECK(!s->comm, ARGAND_UNSUPPORTED,
          "argand_sense_noise: not in a session of several ranks; make one without options.comm");
    CHECK(
        !s->options.joint && !s->basis && s->bands < 2, ARGAND_UNSUPPORTED,
        "argand_sense_noise: volumes that are solved together are not supported; reconstruct each by itself");
    return ARGAND_OK;
}

argand_status argand_sense_noise(argand_sense *s, int volume, const argand_array *image, int count,
                                 const argand_array *factor, argand_array *deviation, argand_monitor monitor,
                                 void *context)
{
    argand_array *replica = NULL;
    replicas r = {.session = s};
    argand_status status;
    TRY(check(s, volume, image, count, deviation, factor));
    r.volume = &s->volumes[volume];
    TRY(volume_prepare(s, r.volume)); /* with the scan's own samples */
    const int64_t pixels = argand_array_count(image);
    TRY_OR_DONE(argand_device_open(&r.host, "cpu"));
    TRY_OR_DONE(take_rows(&r, &s->volumes[volume]));
    TRY_OR_DONE(NEW(r.sum, pixels));
    if (factor) TRY_OR_DONE(host_read(&r.factor, factor));
    TRY_OR_DONE(argand_array_create(&replica, argand_array_device(image), argand_array_type(image), 3,
                                    (const int64_t[3]){argand_array_dim(image, 0), argand_array_dim(image, 1),
                                                       argand_array_dim(image, 2)}));
    TRY_OR_DONE(run(&r, volume, count, image, replica, monitor, context));
    for (int64_t i = 0; i < pixels; i++) r.sum[i] = sqrt(r.sum[i] / (2 * count));
    status = host_write_real(deviation, r.sum);
done:
    argand_array_destroy(replica);
    give_back(&r);
    return status;
}
