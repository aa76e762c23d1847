/* SPDX-License-Identifier: BSD-3-Clause */
/* The session: made from a scan, asked for its volumes, run. */
#include "recon/session.h"

#include "array/across.h"
#include "base/memory.h"
#include "device/device.h"

static argand_status check_options(const argand_sense_options *o)
{
    CHECK(o->type == 0 || o->type == ARGAND_C32 || o->type == ARGAND_C64, ARGAND_ARGUMENT,
          "reconstruction in %s: give ARGAND_C32 or ARGAND_C64", argand_type_name(o->type));
    CHECK(o->transform >= ARGAND_TRANSFORM_AUTO && o->transform <= ARGAND_TRANSFORM_DFT_GRADIENTS,
          ARGAND_ARGUMENT, "transform %d is not known", (int)o->transform);
    CHECK(o->density >= ARGAND_DENSITY_NONE && o->density <= ARGAND_DENSITY_FILE, ARGAND_ARGUMENT,
          "density %d is not known", (int)o->density);
    CHECK(o->iterations >= 0, ARGAND_ARGUMENT, "%d iterations: give 1 or more", o->iterations);
    CHECK(o->tolerance >= 0, ARGAND_ARGUMENT, "tolerance %g: give 0 or more", o->tolerance);
    CHECK(o->nufft_tolerance >= 0, ARGAND_ARGUMENT, "NUFFT tolerance %g: give 0 or more", o->nufft_tolerance);
    CHECK(o->calibration >= 0 && o->calibration <= 1, ARGAND_ARGUMENT, "calibration radius %g: give 0 to 1",
          o->calibration);
    CHECK(o->regularize >= 0, ARGAND_ARGUMENT, "regularize %g: give 0 or more", o->regularize);
    return ARGAND_OK;
}

static argand_sense_options with_defaults(const argand_sense_options *given)
{
    argand_sense_options o = *given;
    if (!o.type) o.type = ARGAND_C32;
    if (!o.iterations) o.iterations = 10;
    if (o.nufft_tolerance == 0) o.nufft_tolerance = o.type == ARGAND_C64 ? 1e-9 : 1e-5;
    o.field_map = o.coil_maps = o.mask = o.r2star = NULL;
    for (int axis = 0; axis < 3; axis++) o.gradient[axis] = NULL;
    return o;
}

static void choose_transform(argand_sense *s)
{
    const bool has_field = !map_is_zero(&s->maps.field) || !map_is_zero(&s->maps.r2star);
    s->transform = s->options.transform;
    if (s->transform == ARGAND_TRANSFORM_AUTO) {
        s->transform = has_field ? ARGAND_TRANSFORM_DFT : ARGAND_TRANSFORM_NUFFT;
        text_add(&s->notes, has_field ? "There is a field map: the exact DFT corrects for it.\n"
                                      : "There is no field map to correct for: the NUFFT is used.\n");
    } else if (s->transform == ARGAND_TRANSFORM_NUFFT && has_field) {
        text_add(&s->notes, "The NUFFT does not correct for the field map; --transform dft does.\n");
    }
}

/* The NUFFT computes on the host whatever the device: slower, and to be seen. */
static void note_host(argand_sense *s, const argand_device_info *info)
{
    const bool density = s->options.density == ARGAND_DENSITY_PIPE || (!s->maps.coils.array && s->coils > 1);
    if (device_is_host(s->device)) return;
    if (s->transform == ARGAND_TRANSFORM_NUFFT)
        text_add(
            &s->notes,
            "There is no NUFFT for %s devices yet: it runs on the CPU, and its data go there and back each "
            "time.\n",
            info->backend);
    else if (density)
        text_add(&s->notes,
                 "There is no NUFFT for %s devices yet: density weights are computed on the CPU.\n",
                 info->backend);
}

static argand_status check_device(const argand_sense *s, argand_device_info *info)
{
    TRY(argand_device_describe(s->device, info));
    CHECK(s->options.type != ARGAND_C64 || info->has_double, ARGAND_UNSUPPORTED,
          "%s (%s) has no double precision: reconstruct in single, or on the cpu device", info->name,
          info->backend);
    return ARGAND_OK;
}

static argand_status prepare(argand_sense *s, const argand_sense_options *given)
{
    argand_device_info info;
    TRY(check_device(s, &info));
    CHECK(given->encoding >= 0 && given->encoding < s->scan->encoding_count, ARGAND_ARGUMENT,
          "encoding space %d: the scan has %d, counted from 0", given->encoding, s->scan->encoding_count);
    s->encoding = &s->scan->encodings[given->encoding];
    TRY(volumes_find(s));
    TRY(grid_choose(s));
    TRY(maps_find(s, given));
    choose_transform(s);
    if (!s->maps.coils.array && s->coils > 1)
        text_add(&s->notes, "The coil maps are estimated from the centre of k-space.\n");
    note_host(s, &info);
    return s->notes.status;
}

argand_status argand_sense_create(argand_sense **session, argand_device *device, const argand_scan *scan,
                                  const argand_sense_options *options)
{
    static const argand_sense_options defaults = {0};
    CHECK(session && device && scan, ARGAND_ARGUMENT, "argand_sense_create: a pointer is NULL");
    if (!options) options = &defaults;
    *session = NULL;
    TRY(check_options(options));
    argand_sense *s;
    TRY(NEW(s, 1));
    *s = (argand_sense){.device = device, .scan = scan, .options = with_defaults(options)};
    kernels_prepare(device, s->options.type == ARGAND_C64 ? "double" : "float");
    const argand_status status = prepare(s, options);
    if (status != ARGAND_OK)
        argand_sense_destroy(s);
    else
        *session = s;
    return status;
}

void argand_sense_destroy(argand_sense *s)
{
    if (!s) return;
    model_free(&s->model);
    maps_free(&s->maps);
    volumes_free(s);
    text_free(&s->notes);
    memory_free(s);
}

int argand_sense_volumes(const argand_sense *s)
{
    return s->volume_count;
}

const argand_counters *argand_sense_counters(const argand_sense *s, int volume)
{
    return &s->volumes[volume].counters;
}

const char *argand_sense_notes(const argand_sense *s)
{
    return text_chars(&s->notes);
}

const char *argand_sense_transform(const argand_sense *s)
{
    static const char *const names[] = {"auto", "nufft", "dft", "dft-gradients"};
    return names[s->transform];
}

static argand_status check_volume(const argand_sense *s, int volume)
{
    CHECK(s, ARGAND_ARGUMENT, "no session");
    CHECK(volume >= 0 && volume < s->volume_count, ARGAND_ARGUMENT, "volume %d of %d", volume,
          s->volume_count);
    return ARGAND_OK;
}

static argand_status solve(argand_sense *s, const recon_samples *data, argand_array *x,
                           argand_monitor monitor, void *context)
{
    const recon_model *m = &s->model;
    argand_array *weights = NULL;
    argand_penalty penalties[3];
    argand_cg_options options = {.iterations = s->options.iterations,
                                 .tolerance = s->options.tolerance,
                                 .penalties = penalties,
                                 .monitor = monitor,
                                 .monitor_context = context};
    for (int axis = 0; axis < 3; axis++)
        if (m->difference[axis])
            penalties[options.penalty_count++] =
                (argand_penalty){m->difference[axis], s->options.regularize * m->diagonal};
    if (m->weights)
        TRY(argand_array_view(&weights, m->weights, 2, (int64_t[]){data->count, s->coils}, (int64_t[]){1, 0},
                              0));
    options.weights = weights;
    const argand_status status = argand_solve_cg(x, m->sense, data->y, &options);
    argand_array_destroy(weights);
    return status;
}

/* A failed copy counts; that a monitor stopped the solve stays known, with its words. */
static argand_status bring(argand_array *image, const argand_array *place, argand_status solved)
{
    TRY(argand_array_copy(image, place));
    return solved;
}

argand_status argand_sense_run(argand_sense *s, int volume, argand_array *image, argand_monitor monitor,
                               void *context)
{
    recon_samples data = {0};
    argand_array *place = NULL, *x = NULL;
    argand_status status;
    TRY(check_volume(s, volume));
    CHECK(image, ARGAND_ARGUMENT, "argand_sense_run: no image");
    CHECK(argand_array_type(image) == s->options.type, ARGAND_ARGUMENT,
          "the image is %s, the reconstruction %s", argand_type_name(argand_array_type(image)),
          argand_type_name(s->options.type));
    TRY_OR_DONE(array_like_on_device(&place, image, s->device));
    TRY_OR_DONE(argand_array_reshape(&x, place, s->grid.rank, s->grid.n));
    TRY_OR_DONE(samples_load(s, &s->volumes[volume], &data));
    TRY_OR_DONE(model_prepare(s, &s->volumes[volume], &data));
    status = solve(s, &data, x, monitor, context);
    if (argand_array_device(image) != s->device && (status == ARGAND_OK || status == ARGAND_STOPPED))
        status = bring(image, place, status);
done:
    samples_free(&data);
    argand_array_destroy(x);
    argand_array_destroy(place);
    return status;
}

argand_status argand_sense_coil_maps(argand_sense *s, int volume, argand_array **maps)
{
    recon_samples data = {0};
    argand_status status;
    TRY(check_volume(s, volume));
    *maps = NULL;
    const int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], s->coils};
    TRY_OR_DONE(samples_load(s, &s->volumes[volume], &data));
    TRY_OR_DONE(model_prepare(s, &s->volumes[volume], &data));
    status = argand_array_reshape(maps, s->model.coil_maps, 4, dims);
done:
    samples_free(&data);
    return status;
}
