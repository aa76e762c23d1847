/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a session of a scan, gives it another scan, and reconstructs. queries.c tells what it holds. */
#include "recon/maps/maps.h"

#include <stdio.h>

#include "array/copy.h"
#include "base/memory.h"
#include "base/observe.h"
#include "device/device.h"
#include "op/spread.h"
#include "recon/ranks.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"
#include "recon/model/model.h"
#include "recon/solve/solve.h"

static argand_status check_device(const argand_sense *s, argand_device_info *info)
{
    TRY(argand_device_describe(s->device, info));
    CHECK(s->options.type != ARGAND_C64 || info->has_double, ARGAND_UNSUPPORTED,
          "%s (%s) has no double precision: reconstruct in single, or on the cpu device", info->name,
          info->backend);
    return ARGAND_OK;
}

/* Slices that were excited together exclude some options. */
static argand_status check_bands(const argand_sense *s)
{
    const argand_sense_options *o = &s->options;
    if (s->bands == 1) return ARGAND_OK;
    CHECK(o->phases == ARGAND_PHASES_NONE, ARGAND_UNSUPPORTED,
          "%s: phase maps of shots are not supported for simultaneous slices; leave them out", s->scan->path);
    CHECK(o->sets < 2, ARGAND_UNSUPPORTED,
          "%s: simultaneous slices support one set of coil maps only; give sets 1", s->scan->path);
    CHECK(!(o->spirit > 0), ARGAND_UNSUPPORTED,
          "%s: SPIRiT does not separate slices that were excited together; leave it out", s->scan->path);
    CHECK(o->method != ARGAND_METHOD_ADJOINT_RSS, ARGAND_UNSUPPORTED,
          "%s: slices that were excited together can only be separated by coil maps: use sense, not the root "
          "of the sum of squares",
          s->scan->path);
    return ARGAND_OK;
}

/* Chooses the encoding space; finds the scale of the samples, the volumes, the grid. */
static argand_status prepare_scan(argand_sense *s, const argand_sense_options *given)
{
    TRY(gradients_take(s, given));
    TRY(gradients_play(s, s->scan));
    CHECK(given->encoding >= 0 && given->encoding < s->scan->encoding_count, ARGAND_ARGUMENT,
          "there is no encoding space %d; the last one of the scan is %d", given->encoding,
          s->scan->encoding_count - 1);
    s->encoding = &s->scan->encodings[given->encoding];
    s->cartesian = grid_is_cartesian(s->scan, given->encoding);
    CHECK(s->scan->acquisition_count > 0, ARGAND_FORMAT, "%s: has no image data", s->scan->path);
    TRY(scale_find(s));
    TRY(subspace_find(s, given));
    TRY(volumes_find(s));
    TRY(check_bands(s));
    TRY(grid_choose(s));
    return bound_check(s);
}

/* Takes weights, terms, matrices and maps of the options or the scan. */
static argand_status prepare_inputs(argand_sense *s, const argand_sense_options *given)
{
    TRY(density_choose(s));
    TRY(weights_take(s, given));
    TRY(terms_take(s, given));
    TRY(concomitant_take(s, given));
    TRY(channels_find(s, given));
    TRY(maps_find(s, given));
    TRY(phases_find(s, given));
    TRY(shots_find(s));
    return joint_find(s, given);
}

static argand_status prepare(argand_sense *s, const argand_sense_options *given)
{
    argand_device_info info;
    TRY(check_device(s, &info));
    TRY(prepare_scan(s, given));
    TRY(prepare_inputs(s, given));
    TRY(transform_choose(s));
    TRY(normal_choose(s));
    TRY(note_planes(s));
    if (!s->maps.coils.array && s->coils > 1) calibrations_note(s);
    TRY(partial_note(s));
    TRY(one_sided_check(s));
    TRY(order_find(s));
    grid_note(s);
    TRY(enough_note(s));
    TRY(missing_note(s));
    if (s->bands > 1)
        text_add(&s->notes, "%d slices were excited together: they are reconstructed together.\n", s->bands);
    return s->notes.status;
}

static argand_status create(argand_sense **session, argand_device *device, const argand_scan *scan,
                            const argand_sense_options *options)
{
    CHECK(session && device && scan, ARGAND_ARGUMENT, "argand_sense_create: a pointer is NULL");
    TRY(options_check(options));
    argand_sense *s;
    TRY(NEW(s, 1));
    *s =
        (argand_sense){.device = device, .scan = scan, .options = options_with_defaults(options), .ranks = 1};
    for (int i = 0; i < options->regularizer_count; i++) s->regularizers[i] = options->regularizers[i];
    s->options.regularizers = s->regularizers;
    s->outcome.iteration = -1; /* nothing has been solved */
    s->noise_of = s->led_by = s->shared_of = s->made_for = s->empty = -1;
    s->judges_noise = !options->iterations && options->tolerance == 0 && !options->precondition &&
                      s->options.solver <= ARGAND_SOLVER_CG && !options->regularizer_count;
    kernels_prepare(device, s->options.type == ARGAND_C64 ? "double" : "float");
    const argand_status status = prepare(s, options);
    if (status != ARGAND_OK)
        argand_sense_destroy(s);
    else
        *session = s;
    return status;
}

argand_status argand_sense_create(argand_sense **session, argand_device *device, const argand_scan *scan,
                                  const argand_sense_options *options)
{
    static const argand_sense_options defaults = {0};
    if (session) *session = NULL;
    if (!options) options = &defaults;
    argand_status status = create(session, device, scan, options);
    if (argand_comm_size(options->comm) == 1) return status;
    status = ranks_take(session ? *session : NULL, status, options->comm, options->ranks);
    if (status == ARGAND_OK || !session) return status;
    argand_sense_destroy(*session);
    *session = NULL;
    return status;
}

/* Checks that the session's choices also hold for the new scan. */
static argand_status check_continues(const argand_sense *s, const argand_scan *scan)
{
    const argand_encoding *a = s->encoding, *b;
    CHECK(!s->options.joint && s->options.phases == ARGAND_PHASES_NONE, ARGAND_UNSUPPORTED,
          "%s: a session that solves repetitions together or uses phase maps of shots cannot continue with "
          "another scan; create a new session",
          scan->path);
    CHECK(scan->encoding_count > s->options.encoding && scan->acquisition_count > 0, ARGAND_ARGUMENT,
          "%s: has no image data of encoding space %d", scan->path, s->options.encoding);
    b = &scan->encodings[s->options.encoding];
    for (int d = 0; d < 3; d++)
        CHECK(a->matrix[d] == b->matrix[d] && a->field_of_view[d] == b->field_of_view[d] &&
                  a->recon_field_of_view[d] == b->recon_field_of_view[d],
              ARGAND_ARGUMENT,
              "%s: matrix or field of view differ from the session's first scan along axis %d; create a new "
              "session",
              scan->path, d);
    CHECK(!strcmp(a->trajectory, b->trajectory) && a->bands.count == b->bands.count, ARGAND_ARGUMENT,
          "%s: trajectory kind or simultaneous slices differ from the session's first scan; create a new "
          "session",
          scan->path);
    CHECK(scan->channels == s->channels, ARGAND_ARGUMENT,
          "%s: has %d channels, but the session's first scan had %d; create a new session", scan->path,
          scan->channels, s->channels);
    return ARGAND_OK;
}

/* Checks that given maps and weights fit the new volumes. */
static argand_status check_volumes(const argand_sense *s, const argand_sense *before)
{
    const recon_map *maps[] = {&s->maps.field, &s->maps.coils, &s->maps.mask, &s->maps.r2star};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        CHECK(!maps[i]->array || maps[i]->slices < 2 || s->slices <= maps[i]->slices, ARGAND_ARGUMENT,
              "%s: %d slices, but there are maps of %lld", s->scan->path, s->slices,
              (long long)maps[i]->slices);
    for (int v = 0; v < s->volume_count && s->weights; v++)
        CHECK(s->volumes[v].samples == before->volumes[0].samples, ARGAND_ARGUMENT,
              "%s: volume %d has %lld samples, the weights are %lld", s->scan->path, v,
              (long long)s->volumes[v].samples, (long long)before->volumes[0].samples);
    for (int v = 0; v < s->volume_count && s->terms; v++)
        CHECK(s->volumes[v].samples == s->term_samples, ARGAND_ARGUMENT,
              "%s: volume %d has %lld samples, the phase terms are of %lld", s->scan->path, v,
              (long long)s->volumes[v].samples, (long long)s->term_samples);
    return ARGAND_OK;
}

static argand_status take_scan(argand_sense *s, const argand_scan *scan, const argand_sense *before)
{
    s->continued = true;
    for (int v = 0; v < before->volume_count; v++) s->replicas += before->volumes[v].replicas;
    s->volumes = NULL;
    s->rows = NULL;
    s->units = NULL;
    s->volume_count = 0;
    s->exponent = 0;
    TRY(gradients_play(s, scan));
    s->encoding = &scan->encodings[s->options.encoding];
    s->cartesian = grid_is_cartesian(s->scan, s->options.encoding);
    TRY(scale_find(s));
    TRY(volumes_find(s));
    TRY(bound_check(s));
    s->coils = before->coils;
    if (s->slices < before->slices) s->slices = before->slices;
    TRY(check_volumes(s, before));
    return order_find(s);
}

argand_status argand_sense_continue(argand_sense *s, const argand_scan *scan)
{
    CHECK(s && scan, ARGAND_ARGUMENT, "argand_sense_continue: session and scan must not be NULL");
    TRY(argand_comm_agree(s->comm, check_continues(s, scan)));
    s->made_for = s->empty = -1;
    const argand_sense before = *s;
    const argand_status status = argand_comm_agree(s->comm, take_scan(s, scan, &before));
    if (status == ARGAND_OK) kept_continue(s, before.scan);
    memory_free(status == ARGAND_OK ? before.volumes : s->volumes);
    memory_free(status == ARGAND_OK ? before.rows : s->rows);
    memory_free(status == ARGAND_OK ? before.units : s->units);
    gradients_forget(status == ARGAND_OK ? before.played : s->played);
    if (status == ARGAND_OK) {
        s->solved = NULL; /* the volumes have new addresses */
        return ARGAND_OK;
    }
    const text notes = s->notes;
    *s = before;
    s->notes = notes;
    return status;
}

void argand_sense_destroy(argand_sense *s)
{
    if (!s) return;
    argand_array_destroy(s->band_images);
    joint_forget(s);
    memory_free(s->basis);
    memory_free(s->weights);
    memory_free(s->terms);
    argand_array_destroy(s->mix);
    model_free(&s->model);
    kept_free(s);
    maps_free(&s->maps);
    phases_free(&s->phases);
    memory_free(s->volumes);
    memory_free(s->rows);
    memory_free(s->units);
    gradients_free(s);
    text_free(&s->notes);
    ranks_release(s);
    memory_free(s);
}

/* Copies the result to the caller's device. A failed copy is an error; otherwise the solver's status is
 * returned, with its message. */
static argand_status bring(argand_array *image, const argand_array *place, argand_status solved)
{
    TRY(argand_array_copy(image, place));
    return solved;
}

/* Scales and checks the image. If the solver was stopped, its status and message take precedence. */
static argand_status finish(argand_sense *s, int volume, argand_array *image, argand_status solved)
{
    char message[256];
    snprintf(message, sizeof message, "%s", argand_message());
    const argand_status finished = scale_finish(s, volume, image);
    return solved == ARGAND_OK ? finished : status_set(solved, "%s", message);
}

static argand_status check_run(const argand_sense *s, int volume, const argand_array *image)
{
    TRY(session_check_volume(s, volume));
    CHECK(image, ARGAND_ARGUMENT, "argand_sense_run: no image");
    CHECK(argand_array_type(image) == s->options.type, ARGAND_ARGUMENT,
          "the image is %s, the reconstruction %s", argand_type_name(argand_array_type(image)),
          argand_type_name(s->options.type));
    return ARGAND_OK;
}

static argand_status run(argand_sense *s, int volume, argand_array *image, argand_monitor monitor,
                         void *context)
{
    argand_array *place = NULL, *x = NULL;
    argand_status status;
    TRY_OR_DONE(array_like_on_device(&place, image, s->device));
    TRY_OR_DONE(argand_array_reshape(&x, place, s->grid.rank, s->grid.n));
    status = (s->options.joint ? joint_run
              : s->bands > 1   ? bands_run
                               : sense_solve)(s, &s->volumes[volume], x, monitor, context);
    if (status == ARGAND_OK) status = one_sided_complete(s, x);
    if (status == ARGAND_OK || status == ARGAND_STOPPED) status = finish(s, volume, x, status);
    if (argand_array_device(image) != s->device && (status == ARGAND_OK || status == ARGAND_STOPPED))
        status = bring(image, place, status);
done:
    argand_array_destroy(x);
    argand_array_destroy(place);
    return status;
}

argand_status argand_sense_run(argand_sense *s, int volume, argand_array *image, argand_monitor monitor,
                               void *context)
{
    const argand_status status = check_run(s, volume, image);
    if (!s || !s->comm) return status == ARGAND_OK ? run(s, volume, image, monitor, context) : status;
    TRY(argand_comm_agree(s->comm, status));
    return ranks_run(s, volume, image, monitor, context, run);
}
