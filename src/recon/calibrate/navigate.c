/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase maps estimated from one low-resolution image per shot: of its navigator, or of the middle of its
 * own samples if these are dense enough. Phases are relative to the coil maps if there are any, P_s = arg
 * sum_c conj(S_c) m_cs, otherwise to the first shot, P_s = arg sum_c conj(m_c1) m_cs. Coils are weighted
 * by their signal. The Hann window on k-space smooths the phases. Miller, Pauly, Magn. Reson. Med. 50:343,
 * 2003; Liu, Moseley, Bammer, 54:1412, 2005. A shot whose samples are too sparse is unaliased by known
 * coil maps first: MUSE, Chen et al., NeuroImage 72:41, 2013. */
#include "recon/calibrate/calibrate.h"

#include <math.h>
#include "base/memory.h"
#include "device/device.h"
#include "recon/maps/maps.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"

/* Source of the estimates: samples with one shot (a navigator or the shot itself) for each shot of the
 * volume. */
typedef struct estimate {
    const argand_sense *s;
    const recon_samples *data;
    argand_op *const *transforms;
    double *reference; /* complex {grid, coils} */
    double *phases;    /* {grid, shots} */
    bool unaliases;    /* shots are too sparse, so that the coil maps unalias them */
} estimate;

/* Cells of k-space from which phases of unaliased shots are made. On simulated spirals of 2 to 6 shots, 4
 * to 8 cells give equal results. */
enum { REACH = 5 };

static int64_t pixels_of(const argand_sense *s)
{
    return s->grid.n[0] * s->grid.n[1] * s->grid.n[2];
}

/* Sets *dense to true if at least half of the cells within 1.5 of the middle hold a sample. */
static argand_status is_dense(const argand_sense *s, const recon_points *at, double *radius, bool *dense)
{
    TRY(calibrate_radius(s, at, 0, radius));
    *dense = 0.5 * *radius * (double)s->grid.n[0] >= 1.5 && 0.5 * *radius * (double)s->grid.n[1] >= 1.5;
    return ARGAND_OK;
}

/* Makes weights with which the adjoint gives a low-resolution image without aliasing. */
static argand_status low_pass(const argand_sense *s, const recon_points *at, int64_t shot,
                              argand_array **weights)
{
    double radius;
    argand_array *hann = NULL;
    argand_status status;
    *weights = NULL;
    bool dense;
    TRY(is_dense(s, at, &radius, &dense));
    CHECK(dense, ARGAND_ARGUMENT,
          "%s: shot %lld covers too little of the middle of k-space (%.3g of its radius) to tell its phase "
          "by itself: give %sphase maps (--phase-maps FILE)",
          s->scan->path, (long long)shot, radius,
          s->scan->channels > 1 ? "coil maps (--coil-maps FILE), by which it is unaliased, or " : "");
    TRY_OR_DONE(density_of_points(s, at, weights));
    TRY_OR_DONE(calibrate_window(s, at, radius, &hann));
    status = argand_array_multiply(*weights, hann, *weights, ARGAND_PRODUCT);
done:
    argand_array_destroy(hann);
    if (status) {
        argand_array_destroy(*weights);
        *weights = NULL;
    }
    return status;
}

/* Computes the coil images of a shot on the host. */
static argand_status shot_images(const estimate *e, int shot, double **images)
{
    const argand_shape *shape = argand_op_domain(e->transforms[shot]);
    const recon_shot *one = &e->data->shots[shot];
    recon_points at = {0};
    argand_array *weights = NULL, *y = NULL, *rows = NULL, *made = NULL;
    argand_status status;
    const int64_t dims[2] = {one->count, e->s->coils}, strides[2] = {1, argand_array_dim(e->data->y, 0)};
    TRY_OR_DONE(points_of_shot(&e->data->at, one, &at));
    TRY_OR_DONE(low_pass(e->s, &at, one->map & 0xFFFF, &weights));
    TRY_OR_DONE(argand_array_view(&rows, e->data->y, 2, dims, strides, one->first));
    TRY_OR_DONE(argand_array_create(&y, e->s->device, e->s->options.type, 2, dims));
    TRY_OR_DONE(argand_array_copy(y, rows));
    TRY_OR_DONE(argand_array_create(&made, e->s->device, shape->type, shape->rank, shape->dims));
    TRY_OR_DONE(combine_one(e->s, y, &(recon_shot){0, 0, one->count}, weights, e->transforms[shot], made));
    status = numbers_of_array(made, images);
done:
    argand_array_destroy(made);
    argand_array_destroy(y);
    argand_array_destroy(rows);
    argand_array_destroy(weights);
    points_free(&at);
    return status;
}

/* Computes arg sum_c conj(reference) image; 0 where there is no signal. */
static void compare(const estimate *e, const double *images, double *phase)
{
    const int64_t pixels = pixels_of(e->s);
    for (int64_t i = 0; i < pixels; i++) {
        double re = 0, im = 0;
        for (int64_t c = 0; c < e->s->coils; c++) {
            const double *r = e->reference + 2 * (i + pixels * c), *m = images + 2 * (i + pixels * c);
            re += r[0] * m[0] + r[1] * m[1];
            im += r[0] * m[1] - r[1] * m[0];
        }
        phase[i] = re != 0 || im != 0 ? atan2(im, re) : 0;
    }
}

/* Takes the coil maps as reference if there are any; otherwise the first shot's images will be the
 * reference. */
static argand_status take_reference(estimate *e, int slice)
{
    argand_array *maps;
    if (!e->s->maps.coils.array) return ARGAND_OK;
    TRY(map_of_slice(e->s, &e->s->maps.coils, slice, &maps));
    const argand_status status = numbers_of_array(maps, &e->reference);
    argand_array_destroy(maps);
    return status;
}

/* Decides if shots are unaliased. This needs coil maps that are known without the phases. Navigators are
 * dense and do not need it. */
static argand_status choose_unaliasing(estimate *e)
{
    const argand_sense *s = e->s;
    double radius;
    bool dense = true;
    if (s->options.phases != ARGAND_PHASES_SHOTS || !s->maps.coils.array || s->coils < 2) return ARGAND_OK;
    for (int i = 0; i < e->data->shot_count && dense; i++) {
        recon_points at;
        argand_status status = points_of_shot(&e->data->at, &e->data->shots[i], &at);
        if (!status) status = is_dense(s, &at, &radius, &dense);
        points_free(&at);
        TRY(status);
    }
    e->unaliases = !dense;
    return ARGAND_OK;
}

/* Computes the fraction of the grid's cells within REACH of the middle that hold a sample. */
static argand_status covered_part(const argand_sense *s, const recon_points *at, double *part)
{
    enum { SIDE = 2 * REACH + 1 };
    double *k[3] = {NULL}, within = 0, held = 0;
    bool cells[SIDE * SIDE * SIDE] = {false};
    const bool flat = s->grid.n[2] < 2;
    argand_status status;
    for (int axis = 0; axis < (flat ? 2 : 3); axis++) TRY_OR_DONE(numbers_of_array(at->k[axis], &k[axis]));
    for (int64_t i = 0; i < at->count; i++) {
        const double x = nearbyint(k[0][i]), y = nearbyint(k[1][i]), z = flat ? 0 : nearbyint(k[2][i]);
        if (fabs(x) <= REACH && fabs(y) <= REACH && fabs(z) <= REACH)
            cells[(int)(x + REACH + SIDE * (y + REACH + SIDE * (z + REACH)))] = true;
    }
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int x = i % SIDE - REACH, y = i / SIDE % SIDE - REACH, z = i / (SIDE * SIDE) - REACH;
        if (x * x + y * y + z * z > REACH * REACH || (flat && z)) continue;
        within++;
        held += cells[i];
    }
    *part = held / within;
done:
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    return status;
}

/* Refuses shots so sparse that more pixels overlap than there are coils to separate them. */
static argand_status check_coverage(const estimate *e, int shot)
{
    const argand_sense *s = e->s;
    recon_points at;
    double part = 0;
    argand_status status = points_of_shot(&e->data->at, &e->data->shots[shot], &at);
    if (!status) status = covered_part(s, &at, &part);
    points_free(&at);
    TRY(status);
    CHECK(part * s->coils >= 1, ARGAND_ARGUMENT,
          "%s: shot %lld holds %.2g of the middle of k-space, too little to tell its phase with %d coils: "
          "give phase maps (--phase-maps FILE), or reconstruct without (--phase-maps none)",
          s->scan->path, (long long)(e->data->shots[shot].map & 0xFFFF), part, s->coils);
    return ARGAND_OK;
}

/* Computes the image of one shot alone, by SENSE. */
static argand_status solve_shot(const estimate *e, int shot, const argand_array *maps, argand_array *image)
{
    enum { STEPS = 15 };
    const argand_sense *s = e->s;
    const recon_shot *one = &e->data->shots[shot];
    const int64_t dims[2] = {one->count, s->coils}, strides[2] = {1, argand_array_dim(e->data->y, 0)};
    argand_array *rows = NULL, *y = NULL;
    argand_op *op = NULL;
    argand_penalty penalty = {NULL, 1e-3 * (double)one->count / s->coils};
    argand_status status;
    TRY_OR_DONE(argand_array_view(&rows, e->data->y, 2, dims, strides, one->first));
    TRY_OR_DONE(argand_array_create(&y, s->device, s->options.type, 2, dims));
    TRY_OR_DONE(argand_array_copy(y, rows));
    TRY_OR_DONE(argand_op_sense(&op, e->transforms[shot], maps));
    TRY_OR_DONE(argand_op_identity(&penalty.op, s->device, argand_op_domain(op)));
    status = argand_solve_cg(
        image, op, y, &(argand_cg_options){.iterations = STEPS, .penalties = &penalty, .penalty_count = 1});
done:
    argand_op_destroy(penalty.op);
    argand_op_destroy(op);
    argand_array_destroy(y);
    argand_array_destroy(rows);
    return status;
}

/* Estimates phases relative to the coil maps, from the shots' own images under a window of few cells. */
static argand_status run_unaliased(estimate *e, int slice)
{
    static const double reach[3] = {REACH, REACH, REACH};
    const int64_t pixels = pixels_of(e->s);
    argand_array *maps = NULL, *image = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(e->phases, pixels * e->data->shot_count));
    TRY_OR_DONE(map_of_slice(e->s, &e->s->maps.coils, slice, &maps));
    TRY_OR_DONE(argand_array_create(&image, e->s->device, e->s->options.type, e->s->grid.rank, e->s->grid.n));
    for (int i = 0; i < e->data->shot_count; i++) {
        double *numbers;
        TRY_OR_DONE(check_coverage(e, i));
        TRY_OR_DONE(solve_shot(e, i, maps, image));
        TRY_OR_DONE(partial_low_pass(e->s, image, reach));
        TRY_OR_DONE(numbers_of_array(image, &numbers));
        for (int64_t n = 0; n < pixels; n++)
            e->phases[i * pixels + n] = atan2(numbers[2 * n + 1], numbers[2 * n]);
        memory_free(numbers);
    }
    status = ARGAND_OK;
done:
    argand_array_destroy(image);
    argand_array_destroy(maps);
    return status;
}

static argand_status run(estimate *e, int slice)
{
    double *images;
    TRY(choose_unaliasing(e));
    if (e->unaliases) return run_unaliased(e, slice);
    TRY(take_reference(e, slice));
    TRY(NEW(e->phases, pixels_of(e->s) * e->data->shot_count));
    for (int i = 0; i < e->data->shot_count; i++) {
        TRY(shot_images(e, i, &images));
        if (!e->reference) {
            e->reference = images;
            continue; /* the first shot is the reference: phase 0 */
        }
        compare(e, images, e->phases + i * pixels_of(e->s));
        memory_free(images);
    }
    return ARGAND_OK;
}

/* Copies the phases to an R64 array {grid, shots} on the host's device. */
static argand_status to_array(const estimate *e, argand_array **out)
{
    int64_t dims[4] = {e->s->grid.n[0], e->s->grid.n[1], e->s->grid.n[2]};
    argand_device *host;
    dims[e->s->grid.rank] = e->data->shot_count;
    TRY(device_host(&host, e->s->device));
    TRY(argand_array_create(out, host, ARGAND_R64, e->s->grid.rank + 1, dims));
    const argand_status status = argand_array_upload(*out, e->phases);
    if (status) {
        argand_array_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* Loads the navigators of the volume's shots as samples, one shot each in the same order. */
static argand_status load_navigators(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                                     recon_samples *navigators)
{
    recon_row *rows;
    int64_t count, kept = 0;
    argand_status status;
    TRY(navigators_of(s, v, &rows, &count));
    for (int i = 0, shot = 0; shot < data->shot_count; shot++) {
        const int64_t map = data->shots[shot].map, before = kept;
        while (i < count && rows[i].map < map) i++;
        while (i < count && rows[i].map == map) rows[kept++] = rows[i++];
        CHECK_OR_DONE(
            kept > before, ARGAND_ARGUMENT,
            "%s: shot %lld of partition %lld has no navigator whose trajectory is known (there are %lld "
            "navigators): give phase maps (--phase-maps FILE); where shots sample the middle of k-space "
            "densely, --phase-maps shots estimates them",
            s->scan->path, (long long)(map & 0xFFFF), (long long)(map >> 16),
            (long long)s->scan->navigator_count);
    }
    status = samples_of_rows(s, rows, kept, navigators);
    if (!status && navigators->shot_count != data->shot_count)
        status =
            status_set(ARGAND_ARGUMENT, "%s: a navigator has no sample within the matrix", s->scan->path);
done:
    memory_free(rows);
    return status;
}

static argand_status from_navigators(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                                     estimate *e)
{
    recon_samples navigators = {0};
    recon_physics physics = {0};
    argand_op **transforms = NULL;
    const int slice = v->counters.slice;
    argand_status status;
    TRY_OR_DONE(load_navigators(s, v, data, &navigators));
    TRY_OR_DONE(NEW(transforms, data->shot_count));
    TRY_OR_DONE(physics_of_slice(s, slice, &physics));
    for (int i = 0; i < data->shot_count; i++) {
        recon_points at;
        TRY_OR_DONE(points_of_shot(&navigators.at, &navigators.shots[i], &at));
        status = transform_make(s, &at, &physics, &transforms[i]);
        points_free(&at);
        if (status) goto done;
    }
    e->data = &navigators;
    e->transforms = transforms;
    status = run(e, slice);
done:
    e->data = data;
    for (int i = 0; transforms && i < data->shot_count; i++) argand_op_destroy(transforms[i]);
    memory_free(transforms);
    physics_free(&physics);
    samples_free(&navigators);
    return status;
}

argand_status phases_estimate(argand_sense *s, const recon_volume *v, const recon_samples *data,
                              argand_op *const *transforms, argand_array **out)
{
    estimate e = {.s = s, .data = data, .transforms = transforms};
    argand_status status = s->options.phases == ARGAND_PHASES_NAVIGATORS ? from_navigators(s, v, data, &e)
                                                                         : run(&e, v->counters.slice);
    if (!status) status = to_array(&e, out);
    if (!status && e.unaliases && !s->unaliasing_is_noted)
        text_add(&s->notes,
                 "The shots are too sparse to tell their phases by themselves: each is unaliased by the coil "
                 "maps first (SENSE), as far as these tell pixels apart.\n");
    s->unaliasing_is_noted = s->unaliasing_is_noted || e.unaliases;
    memory_free(e.reference);
    memory_free(e.phases);
    return status;
}
