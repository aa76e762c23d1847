/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil maps from the data: chooses the part of k-space and the algorithm, and notes both.
 *
 *   ESPIRiT    from low-resolution coil images that are solved for (lowres.c), if a block of k-space is
 *              sampled fully; cropped where the eigenvalue is small, unless the object is there (choice.c)
 *   adaptive   local principal components of density-weighted adjoint images under a Hann window
 *   joint      image and maps together from all samples (joint.c): slow
 *
 * If ESPIRiT's block is small, or contains only a part of the object's signal, all are tried (choice.c). */
#include "recon/calibrate/calibrate.h"

#include <stdio.h>
#include "recon/calibrate/choice.h"

/* Block sizes in cells. ESPIRiT's patches of 6 cells need a block of twice that size (SOUND); from smaller
 * blocks maps are coarse, and uncertain if samples are off the grid. A block of fewer than LEAST lines does
 * not determine the coils, and images from its maps are aliased. REGION is the largest size by default. */
enum { REGION = 24, SOUND = 12, LEAST = 4 };

/* Returns true if the block has at least `least` cells along each axis, or all cells of the axis. */
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

/* Makes the block of the option `calibration`, whether it is sampled or not. */
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

/* Refuses blocks whose maps would give aliased images. */
static argand_status check_block(const argand_sense *s, const recon_block *block, argand_coils way)
{
    const size_text size = text_of(s, block->size);
    CHECK(is_wide(s, block, LEAST) || !s->cartesian, ARGAND_FORMAT,
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

/* Refuses a requested region that is not sampled. */
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

static argand_status find_block(const argand_sense *s, const recon_samples *data, recon_block *block)
{
    const argand_coils way = s->options.coils;
    int64_t most[3];
    if (s->options.calibration > 0) {
        given_block(s, block);
        return ARGAND_OK;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int given = s->options.espirit.calibration[axis];
        most[axis] = given > 0 ? given : REGION;
    }
    TRY(block_find(s, data, most, block));
    if (way == ARGAND_COILS_AUTO || way == ARGAND_COILS_ESPIRIT) TRY(check_region(s, block));
    return check_block(s, block,
                       way == ARGAND_COILS_AUTO && s->options.sets > 1 ? ARGAND_COILS_ESPIRIT : way);
}

/* ---- by each algorithm */

static void note_espirit(argand_sense *s, const calibration *c)
{
    const argand_espirit_report *r = &c->report;
    char cover[160];
    if (r->note[0]) note_once(s, "%s", r->note);
    if (r->inside < 1)
        snprintf(cover, sizeof cover,
                 "cover %.1f %% of the image, and the rest is 0 (--coils adaptive leaves nothing out)",
                 100 * r->inside);
    else
        snprintf(cover, sizeof cover, "cover the whole image: a crop by the eigenvalue would remove signal");
    note_once(s,
              "Coil maps by ESPIRiT from %s cells of k-space that are sampled fully (kernel %s, %lld of %lld "
              "patches' directions kept); they %s.",
              text_of(s, r->calibration).chars, text_of(s, r->kernel).chars, (long long)r->rank,
              (long long)r->patches, cover);
}

/* Refuses data that no maps explain: the calibration data are noise, or come from different scans. */
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

static argand_status by_adaptive(argand_sense *s, calibration *c)
{
    s->coils_by = ARGAND_COILS_ADAPTIVE;
    note_once(s, "Coil maps by adaptive combination.");
    return calibrate_adaptive(s, &c->from, &c->maps);
}

static argand_status by_joint(argand_sense *s, calibration *c)
{
    s->coils_by = ARGAND_COILS_JOINT;
    CHECK(
        s->bands < 2, ARGAND_UNSUPPORTED,
        "--coils joint cannot estimate maps of simultaneous slices; give a map for each slice (--coil-maps)");
    int64_t cells[3];
    TRY(joint_maps(s, &c->image, c->from.data == c->image.data ? NULL : c->from.data, &c->maps, cells));
    joint_note(s, cells);
    return ARGAND_OK;
}

/* Returns true if the object exceeds the field of view. Maps extend beyond the object by half of a
 * kernel's resolution. If the object ends at the edge of the field of view, its two ends therefore overlap
 * in this part of the image, and in no more. */
static bool exceeds_view(const argand_sense *s, const argand_espirit_report *r)
{
    return s->options.sets == 1 && r->folded * (double)r->kernel[0] > 1;
}

static argand_status estimate(argand_sense *s, calibration *c)
{
    const argand_espirit_options *o = &s->options.espirit;
    const bool chosen = o->crop == 0 && !o->soft && choice_is_possible(s, c);
    TRY(calibrate_espirit(s, c, chosen ? -1 : o->crop));
    return chosen ? choice_cut(s, c) : ARGAND_OK;
}

/* Finds a reason to doubt ESPIRiT's maps; an empty text means none. Off a grid, signal from beyond the
 * field of view spreads over the image, which no map of the block describes. */
static argand_status find_doubt(argand_sense *s, const calibration *c, char *why, size_t size)
{
    double excess = 0;
    why[0] = 0;
    if (!is_wide(s, &c->block, SOUND)) {
        snprintf(why, size, "only %s cells of k-space are sampled fully", text_of(s, c->block.size).chars);
        return ARGAND_OK;
    }
    if (exceeds_view(s, &c->report) && !s->cartesian) {
        snprintf(why, size,
                 "a second eigenvalue is near 1 in %.0f %% of the maps, as of an object larger than the "
                 "field of view",
                 100 * c->report.folded);
        return ARGAND_OK;
    }
    if (exceeds_view(s, &c->report)) return ARGAND_OK; /* on a grid, two sets of maps explain it */
    TRY(choice_doubts(s, c, &excess));
    if (excess > 0)
        snprintf(why, size, "ESPIRiT's maps leave %.2g %% of the data unexplained besides noise",
                 100 * excess);
    return ARGAND_OK;
}

static argand_status take_espirit(argand_sense *s, calibration *c)
{
    if (c->cut) {
        argand_array_destroy(c->maps);
        c->maps = c->cut;
        c->cut = NULL;
    }
    s->coils_by = ARGAND_COILS_ESPIRIT;
    TRY(check_report(s, &c->report));
    note_espirit(s, c);
    if (exceeds_view(s, &c->report))
        note_once(
            s,
            "Try --sets 2, an image for each of two places in a pixel: a second eigenvalue is near 1 in "
            "%.0f %% of the maps, as of an object larger than the field of view.",
            100 * c->report.folded);
    return ARGAND_OK;
}

static argand_status by_espirit(argand_sense *s, calibration *c)
{
    TRY(estimate(s, c));
    return take_espirit(s, c);
}

/* Estimates maps for shots with phase maps, without trials: these would need a transform for each shot,
 * and phase maps need reliable coil maps first. */
static argand_status without_trial(argand_sense *s, calibration *c)
{
    if (is_wide(s, &c->block, s->cartesian ? LEAST : SOUND)) return by_espirit(s, c);
    s->coils_doubtful = true;
    return choice_may_be_joint(s) ? by_joint(s, c) : by_adaptive(s, c);
}

static argand_status by_choice(argand_sense *s, calibration *c)
{
    char why[160];
    if (s->options.sets > 1 || s->options.calibration > 0) return by_espirit(s, c);
    if (!choice_is_possible(s, c)) return without_trial(s, c);
    if (is_wide(s, &c->block, LEAST)) TRY(estimate(s, c));
    TRY(find_doubt(s, c, why, sizeof why));
    if (!*why) return take_espirit(s, c);
    s->coils_doubtful = true;
    if (c->maps && exceeds_view(s, &c->report) && !s->cartesian)
        note_once(
            s, "The object reaches beyond the field of view of %.4gx%.4g mm. Give a larger one: --image-fov.",
            s->grid.field_of_view[0], s->grid.field_of_view[1]);
    return choice_of_maps(s, c, why);
}

argand_status calibrate_coils(argand_sense *s, const recon_source *from, const recon_source *image,
                              argand_array **maps, argand_array **values)
{
    calibration c = {.from = *from, .image = image ? *image : *from};
    *maps = NULL;
    s->coils_doubtful = false;
    TRY(find_block(s, from->data, &c.block));
    argand_status status = s->options.coils == ARGAND_COILS_ADAPTIVE  ? by_adaptive(s, &c)
                           : s->options.coils == ARGAND_COILS_ESPIRIT ? by_espirit(s, &c)
                           : s->options.coils == ARGAND_COILS_JOINT   ? by_joint(s, &c)
                                                                      : by_choice(s, &c);
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
    argand_array_destroy(c.cut);
    argand_array_destroy(c.maps);
    return status;
}
