/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil maps from the data: which part of k-space they can come from, by which of the two ways, and what is
 * said about it.
 *   ESPIRiT    from low-resolution coil images that are solved for (lowres.c), where a block of k-space is
 *              sampled fully
 *   adaptive   local principal components of density-weighted adjoint images under a Hann window: where it is
 *              asked for, and for scans whose centre is too small for ESPIRiT
 * A few calibration lines of a Cartesian scan are samples as good as any, and ESPIRiT's maps of them far
 * better than adaptive ones. Where curves or spokes are too sparse, the block's images are guesses
 * themselves: then both ways are tried. */
#include "recon/calibrate/calibrate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include "base/memory.h"
#include "recon/maps/maps.h"
#include "recon/transform/transform.h"

/* ESPIRiT's patches of 6 cells need a block of twice that; below that the maps are coarse, and those of
 * samples off a grid uncertain; a block of fewer than LEAST lines says nothing of the coils, and images from
 * maps of it fold. */
enum { REGION = 24, SOUND = 12, LEAST = 4 };

/* Whether the block has at least so many cells along each axis, or all. */
static bool is_wide(const argand_sense *s, const recon_block *block, int64_t least)
{
    for (int axis = 0; axis < 3; axis++)
        if (block->size[axis] < least && block->size[axis] < s->grid.n[axis]) return false;
    return true;
}

typedef struct size_text {
    char chars[96];
} size_text;

static size_text text_of(const argand_sense *s, const int64_t size[3])
{
    size_text w;
    if (s->grid.n[2] > 1)
        snprintf(w.chars, sizeof w.chars, "%lld x %lld x %lld", (long long)size[0], (long long)size[1],
                 (long long)size[2]);
    else
        snprintf(w.chars, sizeof w.chars, "%lld x %lld", (long long)size[0], (long long)size[1]);
    return w;
}

/* The block that --calibration names, sampled or not. */
static void given_block(const argand_sense *s, recon_block *block)
{
    *block = (recon_block){.size = {1, 1, 1}};
    for (int axis = 0; axis < s->grid.rank; axis++) {
        const int64_t n = s->grid.n[axis], wanted = (int64_t)(s->options.calibration * (double)n);
        const int64_t least = n < 6 ? n : 6;
        block->size[axis] = wanted < least ? least : wanted > REGION ? REGION : wanted;
        if (block->size[axis] > n) block->size[axis] = n;
        block->first[axis] = n / 2 - block->size[axis] / 2;
    }
}

/* No maps from what would fold. */
static argand_status check_block(const argand_sense *s, const recon_block *block, argand_coils way)
{
    const size_text size = text_of(s, block->size);
    CHECK(is_wide(s, block, LEAST) || !encoding_is_cartesian(s->encoding), ARGAND_FORMAT,
          "%s: there is nothing to estimate coil maps from: k-space is complete over %s cells around its "
          "centre "
          "alone, and images from maps of these would fold. Give coil maps (--coil-maps), a scan with "
          "calibration lines (flags 20 and 21), or the radius of the k-space to be used all the same "
          "(--calibration)",
          s->scan->path, size.chars);
    CHECK(
        way != ARGAND_COILS_ESPIRIT || is_wide(s, block, LEAST), ARGAND_FORMAT,
        "%s: ESPIRiT has nothing to calibrate by: k-space is sampled fully over %s cells around its centre. "
        "Give coil maps (--coil-maps), take --coils adaptive, or name the radius to be used all the same "
        "(--calibration)",
        s->scan->path, size.chars);
    return ARGAND_OK;
}

/* A region that is asked for must be there. */
static argand_status check_region(const argand_sense *s, const recon_block *block)
{
    for (int axis = 0; axis < s->grid.rank; axis++)
        CHECK(
            !s->options.espirit.calibration[axis] || s->grid.n[axis] == 1 ||
                block->size[axis] >= s->options.espirit.calibration[axis],
            ARGAND_ARGUMENT,
            "%s: a calibration region of %d along axis %d, but k-space is sampled fully over %lld around its "
            "centre",
            s->scan->path, s->options.espirit.calibration[axis], axis, (long long)block->size[axis]);
    return ARGAND_OK;
}

/* AUTO: it is to be tried which is better. */
static argand_status find_block(const argand_sense *s, const recon_samples *data, recon_block *block,
                                argand_coils *way)
{
    int64_t most[3];
    *way = s->options.coils;
    if (s->options.calibration > 0) {
        given_block(s, block);
        if (*way == ARGAND_COILS_AUTO) *way = ARGAND_COILS_ESPIRIT;
        return ARGAND_OK;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int given = s->options.espirit.calibration[axis];
        most[axis] = given > 0 ? given : REGION;
    }
    TRY(block_find(s, data, most, block));
    if (*way != ARGAND_COILS_ADAPTIVE) TRY(check_region(s, block));
    const bool sound = is_wide(s, block, encoding_is_cartesian(s->encoding) ? LEAST : SOUND);
    if (*way == ARGAND_COILS_AUTO && (sound || s->options.sets > 1)) *way = ARGAND_COILS_ESPIRIT;
    TRY(check_block(s, block, *way));
    if (*way == ARGAND_COILS_AUTO && !is_wide(s, block, LEAST)) *way = ARGAND_COILS_ADAPTIVE;
    return ARGAND_OK;
}

/* ---- ESPIRiT */

/* Images {n..., coils} to k-space in place. */
static argand_status to_kspace(const argand_sense *s, argand_array *images)
{
    const int rank = argand_array_rank(images);
    argand_fft *plan = NULL;
    argand_fft_options options = {.type = s->options.type,
                                  .rank = rank - 1,
                                  .batch = argand_array_dim(images, rank - 1),
                                  .centred = true};
    for (int axis = 0; axis < 3; axis++)
        options.n[axis] = axis < rank - 1 ? argand_array_dim(images, axis) : 1;
    TRY(argand_fft_create(&plan, s->device, &options));
    const argand_status status = argand_fft_apply(plan, images, images, ARGAND_FORWARD);
    argand_fft_destroy(plan);
    return status;
}

static argand_status espirit(argand_sense *s, const recon_block *block, const recon_samples *data,
                             argand_op *const *transforms, const argand_array *phases, argand_array *maps,
                             argand_array *values, argand_espirit_report *report)
{
    argand_array *images = NULL;
    argand_status status;
    argand_espirit_options options = s->options.espirit;
    options.images = false;
    /* Noise differs from scan to scan; what is solved for has an error besides it. */
    if (options.threshold == 0) options.threshold = encoding_is_cartesian(s->encoding) ? -1e-4 : -1e-3;
    for (int axis = 0; axis < s->grid.rank; axis++) options.calibration[axis] = (int)block->size[axis];
    TRY_OR_DONE(lowres_images(s, block, data, transforms, phases, &images));
    TRY_OR_DONE(to_kspace(s, images));
    status = argand_coils_espirit(maps, values, images, &options, report);
done:
    argand_array_destroy(images);
    return status;
}

static void note_espirit(argand_sense *s, const argand_espirit_report *r)
{
    note_once(s,
              "Coil maps by ESPIRiT from %s cells of k-space that are sampled fully (kernel %s, %lld of %lld "
              "patches' directions kept); they cover %.1f %% of the image, and the rest is 0 (--coils "
              "adaptive leaves nothing out).",
              text_of(s, r->calibration).chars, text_of(s, r->kernel).chars, (long long)r->rank,
              (long long)r->patches, 100 * r->inside);
}

/* ---- adaptive combination */

/* Cartesian samples are even: what is to be cut off is what the block does not hold. Others are dense up to
 * some radius. */
static argand_status window_of(const argand_sense *s, const recon_samples *data, argand_array **window)
{
    recon_block block;
    double most = s->options.calibration;
    if (most == 0 && encoding_is_cartesian(s->encoding)) {
        TRY(block_find(s, data, (int64_t[3]){0}, &block));
        return calibrate_block_window(s, &data->at, &block, window);
    }
    if (most == 0) TRY(calibrate_radius(s, &data->at, 0.25, &most));
    return calibrate_window(s, &data->at, most, window);
}

static argand_status adaptive(argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                              const argand_array *phases, argand_array *maps)
{
    argand_array *weights = NULL, *window = NULL, *images = NULL;
    argand_status status;
    TRY_OR_DONE(density_of_points(s, &data->at, &weights));
    TRY_OR_DONE(window_of(s, data, &window));
    TRY_OR_DONE(argand_array_multiply(weights, window, weights, ARGAND_PRODUCT));
    TRY_OR_DONE(combine_shots(s, data, transforms, weights, phases, &images));
    status = argand_coils_estimate(maps, images, s->options.coil_sigma);
done:
    argand_array_destroy(images);
    argand_array_destroy(window);
    argand_array_destroy(weights);
    return status;
}

static void note_adaptive(argand_sense *s, const recon_block *block)
{
    const size_text size = text_of(s, block->size);
    if (s->options.coils == ARGAND_COILS_ADAPTIVE)
        note_once(s, "Coil maps by adaptive combination.");
    else
        note_once(
            s,
            "Coil maps by adaptive combination: k-space is sampled fully over %s cells alone, too few for "
            "ESPIRiT. The image may fold; give coil maps if there are any, or let argand sense --coils joint "
            "estimate them together with an image.",
            size.chars);
}

/* {grid[, sets]} */
static argand_status new_values(const argand_sense *s, argand_array **values)
{
    const int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.rank > 2 ? s->grid.n[2] : s->options.sets,
                             s->options.sets};
    const argand_type type = s->options.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    return argand_array_create(values, s->device, type, s->grid.rank + (s->options.sets > 1), dims);
}

/* Nothing is explained by any map: the calibration data are noise, or not of one scan. */
static argand_status check_report(const argand_sense *s, const argand_espirit_report *r)
{
    CHECK(r->inside > 0, ARGAND_NUMERIC,
          "%s: ESPIRiT finds no coil maps: nowhere does an eigenvalue reach the crop, so that the samples "
          "around "
          "k-space's centre do not agree with each other (noise, motion, lines of another scan). Give coil "
          "maps, "
          "take --coils adaptive, or a lower crop",
          s->scan->path);
    return ARGAND_OK;
}

/* What both ways need, and what comes out. */
typedef struct calibration {
    const recon_block *block;
    const recon_samples *data;
    argand_op *const *transforms;
    const argand_array *phases;
    argand_array *maps, *values; /* values: NULL of adaptive maps */
} calibration;

static argand_status new_maps(const argand_sense *s, argand_array **maps)
{
    const argand_shape shape = sets_shape(s);
    return argand_array_create(maps, s->device, shape.type, shape.rank, shape.dims);
}

static argand_status estimate(argand_sense *s, calibration *c, argand_espirit_report *report)
{
    TRY(new_maps(s, &c->maps));
    TRY(new_values(s, &c->values));
    return espirit(s, c->block, c->data, c->transforms, c->phases, c->maps, c->values, report);
}

static argand_status by_adaptive(argand_sense *s, calibration *c)
{
    TRY(new_maps(s, &c->maps));
    TRY(adaptive(s, c->data, c->transforms, c->phases, c->maps));
    note_adaptive(s, c->block);
    return ARGAND_OK;
}

/* ---- both ways on trial */

/* Iterations of a trial. What is not explained by then is not explained by more. */
enum { TRIAL = 5 };

/* sum over samples and coils of w |z|^2 */
static argand_status energy_of(const argand_array *samples, const argand_array *weights, double *energy)
{
    const int64_t count = argand_array_dim(samples, 0), coils = argand_array_dim(samples, 1);
    double *z = NULL, *w = NULL;
    argand_status status;
    TRY_OR_DONE(numbers_of_array(samples, &z));
    TRY_OR_DONE(numbers_of_array(weights, &w));
    *energy = 0;
    for (int64_t c = 0; c < coils; c++)
        for (int64_t i = 0; i < count; i++) {
            const double *at = z + 2 * (c * count + i);
            *energy += w[i] * (at[0] * at[0] + at[1] * at[1]);
        }
done:
    memory_free(w);
    memory_free(z);
    return status;
}

/* The part of the data that an image through these maps leaves over, |W^1/2 (y - A x)| / |W^1/2 y| with the
 * density weights W: all of k-space counts alike, not its middle, where curves are dense and any maps fit. */
static argand_status misfit_of(const argand_sense *s, const recon_samples *data, argand_op *transform,
                               const argand_array *maps, double *left)
{
    const argand_shape *domain = argand_op_domain(transform);
    argand_array *weights = NULL, *each = NULL, *image = NULL, *rest = NULL;
    argand_op *sense = NULL;
    double all, remaining;
    argand_status status;
    TRY_OR_DONE(argand_op_sense(&sense, transform, maps));
    TRY_OR_DONE(density_of_points(s, &data->at, &each));
    TRY_OR_DONE(density_of_samples(s, data, &weights));
    TRY_OR_DONE(argand_array_create(&image, s->device, domain->type, s->grid.rank, domain->dims));
    TRY_OR_DONE(
        argand_array_create(&rest, s->device, domain->type, 2, (const int64_t[2]){data->at.count, s->coils}));
    const argand_cg_options options = {.iterations = TRIAL, .weights = weights};
    TRY_OR_DONE(argand_solve_cg(image, sense, data->y, &options));
    TRY_OR_DONE(argand_op_apply(sense, rest, image));
    TRY_OR_DONE(argand_array_axpby(rest, (argand_scalar){1, 0}, data->y, (argand_scalar){-1, 0}));
    TRY_OR_DONE(energy_of(rest, each, &remaining));
    TRY_OR_DONE(energy_of(data->y, each, &all));
    *left = all > 0 ? sqrt(remaining / all) : 0;
done:
    argand_op_destroy(sense);
    argand_array_destroy(rest);
    argand_array_destroy(image);
    argand_array_destroy(each);
    argand_array_destroy(weights);
    return status;
}

/* Adaptive maps take the place of ESPIRiT's where they leave less of the data over. why: a clause; hint: a
 * sentence. */
static argand_status try_adaptive(argand_sense *s, calibration *c, const char *why, const char *hint)
{
    argand_array *other = NULL;
    double left[2];
    argand_status status;
    TRY_OR_DONE(new_maps(s, &other));
    TRY_OR_DONE(adaptive(s, c->data, c->transforms, NULL, other));
    TRY_OR_DONE(misfit_of(s, c->data, c->transforms[0], other, &left[1]));
    TRY_OR_DONE(misfit_of(s, c->data, c->transforms[0], c->maps, &left[0]));
    const bool better = left[1] < left[0];
    note_once(s,
              "Coil maps by %s: %s, so both ways were tried. ESPIRiT's leave %.3g %% of the data over, those "
              "of adaptive combination %.3g %%. %s",
              better ? "adaptive combination" : "ESPIRiT", why, 100 * left[0], 100 * left[1], hint);
    if (better) {
        argand_array_destroy(c->values);
        argand_array_destroy(c->maps);
        c->values = NULL;
        c->maps = other;
        other = NULL;
    }
done:
    argand_array_destroy(other);
    return status;
}

static argand_status by_trial(argand_sense *s, calibration *c)
{
    argand_espirit_report report;
    char why[160];
    snprintf(why, sizeof why, "k-space is sampled fully over %s cells alone",
             text_of(s, c->block->size).chars);
    TRY(estimate(s, c, &report));
    return try_adaptive(
        s, c, why,
        "Where the two are near each other, look at both (--coils espirit, --coils adaptive). The image may "
        "fold; give coil maps if there are any, or let argand sense --coils joint estimate them together "
        "with an image.");
}

/* Maps reach beyond the object by half of a kernel's resolution, so that an object which ends at the edge of
 * the field of view meets itself there in so much of the image, and no more. */
static bool is_folded(const argand_sense *s, const argand_espirit_report *r)
{
    return s->options.sets == 1 && r->folded * (double)r->kernel[0] > 1;
}

/* Off a grid what lies beyond the field of view does not fold: it is spread over the image, which no map of
 * the block describes, and adaptive maps may do less harm. */
static argand_status by_espirit(argand_sense *s, calibration *c)
{
    argand_espirit_report report;
    char why[160];
    TRY(estimate(s, c, &report));
    TRY(check_report(s, &report));
    if (!is_folded(s, &report)) {
        note_espirit(s, &report);
        return ARGAND_OK;
    }
    snprintf(why, sizeof why,
             "a second eigenvalue is near 1 in %.0f %% of the maps, as of an object larger than the field of "
             "view",
             100 * report.folded);
    if (s->options.coils == ARGAND_COILS_AUTO && !encoding_is_cartesian(s->encoding) && !c->phases) {
        char hint[128];
        snprintf(hint, sizeof hint, "A larger field of view than %.4gx%.4g mm would be right: --image-fov.",
                 s->grid.field_of_view[0], s->grid.field_of_view[1]);
        return try_adaptive(s, c, why, hint);
    }
    note_espirit(s, &report);
    note_once(s, "Try --sets 2, an image for each of two places in a pixel: %s.", why);
    return ARGAND_OK;
}

argand_status calibrate_coils(argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                              const argand_array *phases, argand_array **maps, argand_array **values)
{
    recon_block block;
    argand_coils way;
    *maps = NULL;
    TRY(find_block(s, data, &block, &way));
    s->coils_doubtful = s->options.coils == ARGAND_COILS_AUTO && way != ARGAND_COILS_ESPIRIT;
    calibration c = {.block = &block, .data = data, .transforms = transforms, .phases = phases};
    /* phase maps of shots need sound maps, and have a transform for each shot */
    if (way == ARGAND_COILS_AUTO && phases) way = ARGAND_COILS_ADAPTIVE;
    argand_status status = way == ARGAND_COILS_AUTO      ? by_trial(s, &c)
                           : way == ARGAND_COILS_ESPIRIT ? by_espirit(s, &c)
                                                         : by_adaptive(s, &c);
    if (status == ARGAND_OK) status = s->notes.status;
    if (status == ARGAND_OK && values) {
        argand_array_destroy(*values);
        *values = c.values;
        c.values = NULL;
    }
    if (status == ARGAND_OK) {
        *maps = c.maps;
        c.maps = NULL;
    }
    argand_array_destroy(c.values);
    argand_array_destroy(c.maps);
    return status;
}
