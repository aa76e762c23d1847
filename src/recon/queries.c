/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers queries about a session: volumes, notes, methods, and the maps of a volume. */
#include "recon/model/model.h"

#include "op/spread.h"
#include "recon/samples/samples.h"
#include "recon/solve/solve.h"

int argand_sense_volumes(const argand_sense *s)
{
    return s ? s->volume_count : 0;
}

const argand_counters *argand_sense_counters(const argand_sense *s, int volume)
{
    return s && volume >= 0 && volume < s->volume_count ? &s->volumes[volume].counters : NULL;
}

const argand_scan *argand_sense_scan(const argand_sense *s)
{
    return s ? s->scan : NULL;
}

const char *argand_sense_notes(const argand_sense *s)
{
    return s ? text_chars(&s->notes) : "";
}

const char *argand_sense_transform(const argand_sense *s)
{
    return s ? argand_transform_name(s->transform) : "";
}

void argand_sense_describe(const argand_sense *s, argand_sense_info *info)
{
    static const char *const stops[] = {"iterations", "converged", "noise"};
    if (info) *info = (argand_sense_info){0};
    if (!s || !info) return;
    const recon_model *m = &s->model;
    *info = (argand_sense_info){
        .transform = argand_sense_transform(s),
        .shots = s->has_model ? m->shot_count : 1,
        .segments = m->segments.terms,
        .segment_error = m->segments.error,
        .convolutions = m->normal ? m->toeplitz.shots * m->toeplitz.segments : 0,
        .solver = argand_solver_name(
            s->options.solver ? s->options.solver
                              : argand_solver_choose(s->options.regularizers, s->options.regularizer_count)),
        .density = argand_density_name(s->has_model ? m->density : s->options.density),
        .density_power = s->options.density_power,
        .iterations = s->options.method == ARGAND_METHOD_SOLVE ? s->options.iterations : 0,
        .stop = s->has_model && s->outcome.iteration >= 0 ? stops[s->outcome.stop] : "",
        .iteration = s->outcome.iteration,
        .noise = s->outcome.noise,
        .coils_doubtful = s->coils_doubtful,
        .coils = s->coils_by,
        .ranks = s->ranks,
        .by_shots = s->ranks > 1 && s->split.shots,
        .interpolator = m->segments.terms ? argand_interpolator_name(m->segments.interpolator) : ""};
}

argand_status session_check_volume(const argand_sense *s, int volume)
{
    CHECK(s, ARGAND_ARGUMENT, "no session");
    CHECK(volume >= 0 && volume < s->volume_count, ARGAND_ARGUMENT, "volume %d of %d", volume,
          s->volume_count);
    return ARGAND_OK;
}

static argand_status make_model(argand_sense *s, const recon_volume *v)
{
    recon_samples data;
    if (s->options.joint) TRY(joint_prepare(s, v));
    TRY(samples_load(s, v, &data));
    const argand_status status = model_prepare(s, v, &data);
    samples_free(&data);
    return status;
}

/* Brings the model up to date with a volume. */
static argand_status prepare_volume(argand_sense *s, int volume)
{
    TRY(session_check_volume(s, volume));
    if (s->comm && s->made_for == volume) return ARGAND_OK;
    CHECK(!s->meeting || s->empty != volume, ARGAND_ARGUMENT,
          "volume %d: all samples are 0, and the ranks that share it have made no maps", volume);
    if (s->meeting) s->solved = NULL; /* the next run of a band makes its model again */
    meeting_begin(s->meeting);
    const argand_status status = meeting_end(s->meeting, make_model(s, &s->volumes[volume]));
    s->made_for = status == ARGAND_OK ? volume : -1;
    return status;
}

argand_status argand_sense_coil_maps(argand_sense *s, int volume, argand_array **maps)
{
    CHECK(maps, ARGAND_ARGUMENT, "argand_sense_coil_maps: no place for the maps");
    *maps = NULL;
    TRY(prepare_volume(s, volume));
    const int64_t dims[5] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], s->coils, s->options.sets};
    CHECK(s->options.method != ARGAND_METHOD_ADJOINT_RSS && !s->options.spirit_rss, ARGAND_UNSUPPORTED,
          "there are no coil maps: the root of the sum of squares uses none");
    const recon_model *m = s->bands > 1 ? &s->model.bands[s->volumes[volume].band] : &s->model;
    return argand_array_reshape(maps, m->coil_maps, s->options.sets > 1 ? 5 : 4, dims);
}

argand_status argand_sense_eigenvalues(argand_sense *s, int volume, argand_array **values)
{
    CHECK(values, ARGAND_ARGUMENT, "argand_sense_eigenvalues: no place for the eigenvalues");
    *values = NULL;
    TRY(prepare_volume(s, volume));
    const int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], s->options.sets};
    const recon_model *m = s->bands > 1 ? &s->model.bands[s->volumes[volume].band] : &s->model;
    return m->eigenvalues ? argand_array_reshape(values, m->eigenvalues, s->options.sets > 1 ? 4 : 3, dims)
                          : ARGAND_OK;
}

argand_status argand_sense_phase_maps(argand_sense *s, int volume, argand_array **maps)
{
    CHECK(maps, ARGAND_ARGUMENT, "argand_sense_phase_maps: no place for the maps");
    *maps = NULL;
    TRY(prepare_volume(s, volume));
    if (!s->model.phases) return ARGAND_OK;
    const int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], s->model.shot_count};
    return argand_array_reshape(maps, s->model.phases, 4, dims);
}
