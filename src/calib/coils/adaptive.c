/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil sensitivities from coil images v: the local principal component of v v^H in a Gaussian window
 * (Walsh, Gmitro, Marcellin, Magn. Reson. Med. 43:682, 2000), by the iteration of Inati, Hansen, Kellman
 * (Proc. ISMRM 2014, 4407):
 *
 *     p = sum_c conj(m_c) v_c;   m_c = G(v_c conj(p));   m scaled to sum |m_c|^2 = 1.
 *
 * If m varies little over the window, G(v v^H) m is G(v conj(p)). This is therefore the power method on
 * the local covariance, without its storage of coils^2 / 2 images. The iteration keeps the phase of the
 * first maps, which must have no vortices (start.c). */
#include <argand/calib.h>

#include <math.h>
#include "base/observe.h"
#include "mri/host.h"
#include "calib/coils/start.h"

enum { PASSES = 6, WINDOW_SIGMAS = 4 };

static void (*const combine[2][CPU_LEVELS])(const smooth_task *, void *, const void *,
                                            const void *) = CPU_VARIANTS(smooth_combine);
static void (*const correlate[2][CPU_LEVELS])(const smooth_task *, void *, const void *, const void *,
                                              void *) = CPU_VARIANTS(smooth_correlate);
static void (*const normalise[2][CPU_LEVELS])(const smooth_task *, void *) = CPU_VARIANTS(smooth_normalise);

typedef struct estimate {
    smooth_task task;
    bool is_double;
    size_t element; /* bytes of a complex number */
    double sigma;   /* of the window, in pixels */
    const void *images;
    void *maps;
} estimate;

/* Performs one pass. sum: one image; scratch: one image for each thread that works on a coil. */
static void one_pass(const estimate *e, void *sum, char *scratch, int workers)
{
    const size_t image = (size_t)e->task.pixels * e->element;
    combine[e->is_double][cpu_best()](&e->task, sum, e->maps, e->images);
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++)
        for (int64_t c = worker; c < e->task.coils; c += workers)
            correlate[e->is_double][cpu_best()](&e->task, (char *)e->maps + (size_t)c * image,
                                                (const char *)e->images + (size_t)c * image, sum,
                                                scratch + (size_t)worker * image);
    normalise[e->is_double][cpu_best()](&e->task, e->maps);
}

static argand_status iterate(const estimate *e)
{
    void *sum = NULL, *scratch = NULL;
    argand_status status;
    const int workers = e->task.threads < e->task.coils ? e->task.threads : (int)e->task.coils;
    TRY_OR_DONE(memory_new(&sum, (size_t)e->task.pixels, e->element));
    TRY_OR_DONE(memory_new(&scratch, (size_t)e->task.pixels, (size_t)workers * e->element));
    TRY_OR_DONE(coils_start(&e->task, e->is_double, e->images, e->sigma, e->maps));
    for (int pass = 0; pass < PASSES; pass++) {
        TRY_OR_DONE(observe("estimating coil maps", (double)pass / PASSES));
        one_pass(e, sum, scratch, workers);
    }
done:
    memory_free(scratch);
    memory_free(sum);
    return status;
}

static argand_status make_window(double **taps, int *half, double sigma)
{
    *half = (int)(WINDOW_SIGMAS * sigma + 0.5);
    TRY(NEW(*taps, *half + 1));
    for (int d = 0; d <= *half; d++)
        (*taps)[d] = exp(-0.5 * d * d / (sigma * sigma)) / (sigma * sqrt(2 * M_PI));
    return ARGAND_OK;
}

static argand_status check_arguments(const argand_array *maps, const argand_array *images, double sigma)
{
    CHECK_ARRAY(maps);
    CHECK_ARRAY(images);
    const int rank = argand_array_rank(images);
    CHECK((rank == 3 || rank == 4) && type_is_complex(argand_array_type(images)), ARGAND_ARGUMENT,
          "coil maps: the images must be complex {nx, ny, coils} or {nx, ny, nz, coils}");
    CHECK(argand_array_type(maps) == argand_array_type(images) && argand_array_rank(maps) == rank,
          ARGAND_ARGUMENT, "coil maps: the maps must have the images' type and shape");
    for (int d = 0; d < rank; d++)
        CHECK(argand_array_dim(maps, d) == argand_array_dim(images, d), ARGAND_ARGUMENT,
              "coil maps: the maps' dimension %d is %lld, the images' %lld", d,
              (long long)argand_array_dim(maps, d), (long long)argand_array_dim(images, d));
    CHECK(sigma == 0 || (sigma >= 0.25 && sigma <= 1000), ARGAND_ARGUMENT,
          "coil maps: a window of %g pixels; give 0.25 to 1000, or 0 for 3", sigma);
    return ARGAND_OK;
}

argand_status argand_coils_estimate(argand_array *maps, const argand_array *images, double sigma)
{
    host_view from = {0}, to = {0};
    double *taps = NULL, largest;
    bool finite;
    argand_status status;

    TRY(check_arguments(maps, images, sigma));
    TRY(argand_array_is_finite(&finite, images));
    CHECK(finite, ARGAND_NUMERIC, "coil maps: the images hold numbers that are not finite");
    TRY(argand_array_max_abs(&largest, images));
    if (!(largest > 0)) return argand_array_fill(maps, (argand_scalar){0, 0});
    const int rank = argand_array_rank(images);
    const argand_type type = argand_array_type(images);
    estimate e = {
        .is_double = type_is_double(type), .element = argand_type_size(type), .sigma = sigma > 0 ? sigma : 3};
    e.task = (smooth_task){.n = {argand_array_dim(images, 0), argand_array_dim(images, 1),
                                 rank == 4 ? argand_array_dim(images, 2) : 1},
                           .coils = argand_array_dim(images, rank - 1),
                           .scale = 1 / largest,
                           .threads = argand_device_threads(argand_array_device(images))};
    e.task.pixels = e.task.n[0] * e.task.n[1] * e.task.n[2];
    TRY_OR_DONE(make_window(&taps, &e.task.half, e.sigma));
    e.task.taps = taps;
    TRY_OR_DONE(host_open(&from, images));
    TRY_OR_DONE(host_open_new(&to, maps));
    e.images = from.data;
    e.maps = to.data;
    TRY_OR_DONE(iterate(&e));
    status = host_put(&to, maps);
done:
    host_close(&to);
    host_close(&from);
    memory_free(taps);
    return status;
}
