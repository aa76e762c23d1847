/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes maps from correlations: the operator's matrix for each row of pixels, its eigenvectors, their
 * phases, and the crop by eigenvalue. */
#include "calib/espirit/espirit.h"

#include <complex.h>
#include <math.h>
#include "base/observe.h"
#include "base/pi.h"
#include "mri/host.h"

static void (*const find_block[2][CPU_LEVELS])(const espirit_row *, int64_t) = CPU_VARIANTS(espirit_block);

/* Computes exp(2 pi i lag r) for the pixels of a row, with zeros in the padding. */
static argand_status make_waves(const espirit_image *p, int64_t lags, void **waves)
{
    const int64_t padded = espirit_padded(p->n[0]);
    TRY(memory_new(waves, (size_t)(2 * lags * padded), p->is_double ? sizeof(double) : sizeof(float)));
    for (int64_t lag = 0; lag < lags; lag++)
        for (int64_t x = 0; x < p->n[0]; x++) {
            const double angle = TWO_PI * (double)(lag - lags / 2) * pixel_centre(x, p->n[0]);
            const int64_t at = 2 * lag * padded + x;
            if (p->is_double) {
                ((double *)*waves)[at] = cos(angle);
                ((double *)*waves)[at + padded] = sin(angle);
            } else {
                ((float *)*waves)[at] = (float)cos(angle);
                ((float *)*waves)[at + padded] = (float)sin(angle);
            }
        }
    return ARGAND_OK;
}

/* Computes out[i] = sum over lags of in[i + lag * inner] exp(2 pi i lag r), for i below inner. */
static void contract(const double *in, double *out, int64_t inner, int64_t lags, double r)
{
    for (int64_t i = 0; i < 2 * inner; i++) out[i] = 0;
    for (int64_t lag = 0; lag < lags; lag++) {
        const double angle = TWO_PI * (double)(lag - lags / 2) * r;
        const double re = cos(angle), im = sin(angle), *x = in + 2 * lag * inner;
        for (int64_t i = 0; i < 2 * inner; i += 2) {
            out[i] += re * x[i] - im * x[i + 1];
            out[i + 1] += re * x[i + 1] + im * x[i];
        }
    }
}

/* Returns the factor of a map at a pixel with this eigenvalue: 0 or 1 for a hard crop, between for a soft
 * one. */
static double weight(const espirit_image *p, double value)
{
    if (!p->options->soft) return value > p->crop;
    const double x = (sqrt(fmax(0, value)) - p->crop) / (1 - p->crop);
    return x <= -1 ? 0 : x >= 1 ? 1 : 0.5 + x / (1 + x * x);
}

static double get(const espirit_image *p, const void *block, int64_t at)
{
    return p->is_double ? ((const double *)block)[at] : (double)((const float *)block)[at];
}

static double complex coil_of(const espirit_image *p, const espirit_row *row, int64_t set, int64_t c,
                              int64_t lane)
{
    const int64_t at = (set * row->coils + c) * 2 * ESPIRIT_BLOCK + lane;
    return get(p, row->vectors, at) + I * get(p, row->vectors, at + ESPIRIT_BLOCK);
}

/* Stores one set of a pixel of the block. Returns its factor. */
static double store_set(const espirit_image *p, const espirit_row *row, int64_t set, int64_t lane,
                        int64_t pixel)
{
    const int64_t pixels = p->n[0] * p->n[1] * p->n[2];
    const double value = get(p, row->values, set * ESPIRIT_BLOCK + lane), factor = weight(p, value);
    double complex seen = 0;
    for (int64_t c = 0; c < row->coils; c++)
        seen += (p->reference[2 * c] - I * p->reference[2 * c + 1]) * coil_of(p, row, set, c, lane);
    const double complex phase_factor = cabs(seen) > 0 ? factor * conj(seen) / cabs(seen) : factor;
    for (int64_t c = 0; c < row->coils; c++) {
        const double complex map = phase_factor * coil_of(p, row, set, c, lane);
        if (p->is_double)
            ((double complex *)p->maps)[(set * row->coils + c) * pixels + pixel] = map;
        else
            ((float complex *)p->maps)[(set * row->coils + c) * pixels + pixel] = (float complex)map;
    }
    if (p->values) p->values[set * pixels + pixel] = value;
    return factor;
}

/* Stores one pixel of a block at `pixel` of the image. Sets keep the order of the iteration: sorted by
 * eigenvalue, the first set would jump where two eigenvalues cross. Returns true if the first map is kept. */
static bool store(const espirit_image *p, const espirit_row *row, int64_t lane, int64_t pixel)
{
    bool kept = false;
    for (int64_t s = 0; s < p->sets; s++)
        if (store_set(p, row, s, lane, pixel) > 0 && s == 0) kept = true;
    return kept;
}

/* Prepares the data of a row of pixels. `scratch`: memory for the row's coefficients and for blocks. */
static espirit_row set_row(const espirit_image *p, int64_t y, int64_t sets, double *scratch)
{
    const espirit_task *e = p->task;
    const int64_t lags = e->lags[0], frequencies = e->region[0];
    const int64_t element = p->is_double ? 1 : 2; /* REALs per double */
    double *image = scratch + 2 * e->pairs * lags, *blocks = image + 2 * e->coils * frequencies;
    for (int64_t pair = 0; pair < e->pairs; pair++)
        contract(p->plane + 2 * pair * lags * e->lags[1], scratch + 2 * pair * lags, lags, e->lags[1],
                 pixel_centre(y, p->n[1]));
    for (int64_t c = 0; c < e->coils; c++)
        contract(p->image_plane + 2 * c * frequencies * e->region[1], image + 2 * c * frequencies,
                 frequencies, e->region[1], pixel_centre(y, p->n[1]));
    const int64_t matrices = espirit_row_scratch(e->coils, sets),
                  vectors = 2 * e->coils * sets * ESPIRIT_BLOCK;
    return (espirit_row){.coils = e->coils,
                         .sets = sets,
                         .lags = lags,
                         .count = p->n[0],
                         .coefficients = scratch,
                         .waves = p->waves,
                         .frequencies = frequencies,
                         .image = image,
                         .image_waves = p->image_waves,
                         .crop = p->crop,
                         .scratch = blocks,
                         .vectors = blocks + matrices / element,
                         .values = blocks + (matrices + vectors) / element};
}

/* Computes a row of pixels. Returns the number of pixels that are kept. */
static int64_t find_row(const espirit_image *p, int64_t y, int64_t z, double *scratch)
{
    const espirit_row row = set_row(p, y, p->sets, scratch);
    int64_t kept = 0;
    for (int64_t start = 0; start < p->n[0]; start += ESPIRIT_BLOCK) {
        find_block[p->is_double][cpu_best()](&row, start);
        for (int64_t lane = 0; lane < ESPIRIT_BLOCK && start + lane < p->n[0]; lane++)
            kept += store(p, &row, lane, (z * p->n[1] + y) * p->n[0] + start + lane);
    }
    return kept;
}

/* Number of rows along each axis that are tested for a second eigenvalue. */
enum { LOOKS = 16 };

static bool is_looked_at(const espirit_image *p, int64_t y, int64_t z)
{
    const int64_t step[2] = {(p->n[1] + LOOKS - 1) / LOOKS, (p->n[2] + LOOKS - 1) / LOOKS};
    return p->task->coils > 1 && y % step[0] == step[0] / 2 && z % step[1] == step[1] / 2;
}

static void look_at_row(const espirit_image *p, int64_t y, double *scratch, int64_t *covered, int64_t *folded)
{
    const espirit_row row = set_row(p, y, 2, scratch);
    const double crop = p->crop > 0 ? p->crop : 0.8;
    for (int64_t start = 0; start < p->n[0]; start += ESPIRIT_BLOCK) {
        find_block[p->is_double][cpu_best()](&row, start);
        for (int64_t lane = 0; lane < ESPIRIT_BLOCK && start + lane < p->n[0]; lane++) {
            const double first = get(p, row.values, lane), second = get(p, row.values, ESPIRIT_BLOCK + lane);
            *covered += fmax(first, second) > crop;
            *folded += fmin(first, second) > crop;
        }
    }
}

static int64_t row_scratch(const espirit_image *p)
{
    const espirit_task *e = p->task;
    const int64_t sets = p->sets > 2 ? p->sets : 2;
    return 2 * (e->pairs * e->lags[0] + e->coils * e->region[0]) + espirit_row_scratch(e->coils, sets) +
           (2 * e->coils + 1) * sets * ESPIRIT_BLOCK;
}

/* Computes correlations and coil images of plane z, of which the third lag is summed. */
static void make_plane(espirit_image *p, int64_t z, int workers)
{
    const espirit_task *e = p->task;
    const int64_t face = e->lags[0] * e->lags[1], image_face = e->region[0] * e->region[1];
    const double at = pixel_centre(z, p->n[2]);
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int64_t pair = 0; pair < e->pairs; pair++)
        contract(e->correlations + 2 * pair * face * e->lags[2], p->plane + 2 * pair * face, face, e->lags[2],
                 at);
    for (int64_t c = 0; c < e->coils; c++)
        contract(e->data + 2 * c * image_face * e->region[2], p->image_plane + 2 * c * image_face, image_face,
                 e->region[2], at);
}

/* Finds the maps of plane z; adds to the counts. one: doubles of scratch for each worker. */
static void find_plane(espirit_image *p, int64_t z, int workers, double *scratch, int64_t one,
                       atomic_bool *cancelled)
{
    int64_t kept = 0, covered = 0, folded = 0;
#pragma omp parallel for schedule(static) num_threads(workers) reduction(+ : kept, covered, folded)
    for (int worker = 0; worker < workers; worker++)
        for (int64_t y = worker; y < p->n[1] && !observe_within(cancelled); y += workers) {
            kept += find_row(p, y, z, scratch + worker * one);
            if (is_looked_at(p, y, z)) look_at_row(p, y, scratch + worker * one, &covered, &folded);
        }
    p->kept += kept;
    p->covered += covered;
    p->folded += folded;
}

argand_status espirit_pixels(espirit_image *p)
{
    const espirit_task *e = p->task;
    const int workers = e->threads < p->n[1] ? e->threads : (int)p->n[1];
    const int64_t one = (row_scratch(p) + 7) / 8 * 8;
    double *scratch = NULL;
    atomic_bool cancelled = false;
    argand_status status;
    p->kept = p->covered = p->folded = 0;
    TRY_OR_DONE(make_waves(p, e->lags[0], &p->waves));
    TRY_OR_DONE(make_waves(p, e->region[0], &p->image_waves));
    TRY_OR_DONE(NEW(p->plane, 2 * e->lags[0] * e->lags[1] * e->pairs));
    TRY_OR_DONE(NEW(p->image_plane, 2 * e->region[0] * e->region[1] * e->coils));
    TRY_OR_DONE(NEW(scratch, workers * one));
    for (int64_t z = 0; z < p->n[2]; z++) {
        TRY_OR_DONE(observe("estimating coil maps", (double)z / (double)p->n[2]));
        make_plane(p, z, workers);
        find_plane(p, z, workers, scratch, one, &cancelled);
    }
    status = observe_end(&cancelled);
done:
    memory_free(scratch);
    memory_free(p->image_plane);
    memory_free(p->plane);
    memory_free(p->image_waves);
    memory_free(p->waves);
    return status;
}
