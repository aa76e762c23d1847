/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank's reconstruction: opens session and output, runs the rank's volumes, sends them to rank 0 or
 * collects those of the others, and writes the files. */
#include "sense/gradients.h"
#include "sense/job.h"

#include <stdlib.h>
#include <string.h>

/* State of the monitor: the progress bar, the table of steps, the volume's number. */
typedef struct watch {
    job *job;
    int volume, volumes;
    int lacking, finished; /* volumes to reconstruct by all ranks; those that this rank has finished */
    int iterations;        /* at most, of a volume */
} watch;

static void tell_volume(const watch *w)
{
    const output *images = &w->job->images;
    const output_place *at = &images->places[w->volume];
    report *out = w->job->out;
    if (w->volumes == 1) return report_where(out, "%s", "");
    if (images->images[at->image].slices <= 1)
        return report_where(out, "volume %d of %d", w->volume + 1, w->volumes);
    report_where(out, "volume %d of %d, slice %lld", w->volume + 1, w->volumes, (long long)at->slice + 1);
}

/* Shows the progress of all ranks. */
static void show_progress(watch *w, int iteration)
{
    const double done = ranks_progress(w->job->ranks, (double)w->finished * w->iterations + iteration);
    report_progress(w->job->out, done, (double)w->lacking * w->iterations);
}

static bool on_iteration(void *context, const argand_progress *p)
{
    watch *w = context;
    job *j = w->job;
    const bool go_on = ranks_listen(j->ranks, &j->images) && !interrupted();
    if (p->trial) {
        report_activity("choosing the weight", -1);
        return go_on;
    }
    if (p->iterations > 0) output_step_done(&j->images, w->volume, p); /* an adjoint has no residual */
    j->out->penalty = p->penalty;
    report_step(j->out, p->iteration, p->iterations, p->residual);
    show_progress(w, p->iteration);
    return go_on;
}

/* Computes the g-factor of a volume, with the notes about it. Before the volume is solved: scans that have no
 * formula are refused at once. */
static argand_status gfactor_of(job *j, int volume)
{
    const argand_status status = sense_gfactor_map(&j->gfactor, j->session, &j->images, volume),
                        heard = output_hear(&j->images, volume);
    return status ? status : heard;
}

static argand_status run_volume(watch *w, argand_array *image)
{
    job *j = w->job;
    tell_volume(w);
    show_progress(w, 0);
    argand_status status = j->settings->gfactor_map ? gfactor_of(j, w->volume) : ARGAND_OK;
    if (status == ARGAND_OK) status = argand_sense_run(j->session, w->volume, image, on_iteration, w);
    const argand_status heard = output_hear(&j->images, w->volume);
    if (status == ARGAND_OK) status = heard;
    if (status == ARGAND_OK && interrupted()) status = ARGAND_STOPPED;
    if (status == ARGAND_OK) status = output_put(&j->images, w->volume, image);
    if (status == ARGAND_OK && !j->out->silent) report_preview(image);
    if (status == ARGAND_OK) status = output_keep_maps(&j->images, w->volume);
    if (status == ARGAND_OK && j->settings->noise_map)
        status = sense_noise_map(&j->noise, j->session, &j->images, w->volume, image);
    if (status == ARGAND_OK && j->ranks->leads) status = kept_save(&j->kept, w->volume);
    return status == ARGAND_OK ? ranks_send(j->ranks, &j->images, w->volume) : status;
}

static void while_waiting(void *context)
{
    show_progress(context, 0);
}

/* Lists all volumes so that those that are solved together follow each other. */
static argand_status order_of(int **order, const argand_sense *session)
{
    *order = calloc((size_t)argand_sense_volumes(session), sizeof **order);
    if (!*order) return report_error(ARGAND_MEMORY, "out of memory");
    argand_sense_deal(session, 0, 1, *order);
    return ARGAND_OK;
}

static argand_status run_volumes(job *j)
{
    int64_t n[3];
    int *order;
    argand_array *image = NULL;
    argand_sense_info info;
    argand_sense_grid(j->session, n);
    argand_status status = order_of(&order, j->session);
    if (status == ARGAND_OK)
        status =
            argand_array_create(&image, j->device, j->settings->precision ? ARGAND_C64 : ARGAND_C32, 3, n);
    argand_sense_describe(j->session, &info);
    watch w = {.job = j,
               .volumes = argand_sense_volumes(j->session),
               .lacking = kept_lacking(&j->kept),
               .iterations = info.iterations};
    report_stage(j->out, "reconstructing");
    for (int i = 0; i < w.volumes && status == ARGAND_OK; i++) {
        w.volume = order[i];
        if (!ranks_own(j->ranks, w.volume)) continue;
        status = run_volume(&w, image);
        w.finished++;
    }
    argand_array_destroy(image);
    free(order);
    report_where(j->out, "%s", j->ranks->missing ? "waiting for other ranks" : "");
    if (status == ARGAND_OK) status = ranks_wait(j->ranks, &j->images, while_waiting, &w);
    report_where(j->out, "%s", "");
    report_progress(j->out, 1, 1);
    return status;
}

static argand_status note_device(argand_device *device, report *out)
{
    argand_device_info info;
    const int threads = argand_device_threads(device);
    const argand_status status = argand_device_describe(device, &info);
    if (status == ARGAND_OK)
        report_note(out, "Computing on %s (%s, %d thread%s).", info.name, info.backend, threads,
                    threads == 1 ? "" : "s");
    if (status == ARGAND_OK && info.is_absent)
        report_note(out,
                    "The device is not there: kernels are compiled for it, and the results are no images.");
    return status;
}

static void tell_denoiser(output *images, const sense_settings *s, const argand_regularizer *denoiser)
{
    output_text(images, "Denoiser", "%s", s->denoiser);
    output_number(images, "DenoiserNoise", denoiser->level);
    output_number(images, "DenoiserWeight", denoiser->weight);
}

/* Records options in the sidecar. */
static void tell_options(output *images, const sense_settings *s)
{
    output_number(images, "Iterations", images->run.iterations);
    output_number(images, "Tolerance", s->session.tolerance);
    output_text(images, "Regularize", "%s", s->regularize ? s->regularize : "0");
    if (s->denoiser) tell_denoiser(images, s, &s->regularizers[s->session.regularizer_count - 1]);
    if (s->image_fov) output_text(images, "ImageFieldOfView", "%s", s->image_fov);
    if (s->field_map) output_text(images, "FieldMap", "%s", s->field_map);
    if (s->noise) output_text(images, "Noise", "%s", s->noise);
    if (s->calibration_scan) output_text(images, "CalibrationScan", "%s", s->calibration_scan);
    if (s->whitener) output_text(images, "Whitener", "%s", s->whitener);
    if (s->covariance) output_text(images, "NoiseCovariance", "%s", s->covariance);
    if (s->compression) output_text(images, "CompressionMatrix", "%s", s->compression);
    if (s->weights) output_text(images, "Weights", "%s", s->weights);
    if (s->sequence) output_text(images, "PulseqSequence", "%s", s->sequence);
    if (s->girf) output_text(images, "GradientResponse", "%s", s->girf);
    if (s->delay) output_text(images, "GradientDelay", "%s", s->delay);
    if (s->motion) output_text(images, "Motion", "%s", s->motion);
    if (s->r2star) output_text(images, "R2Star", "%s", s->r2star);
    if (s->phase_terms) output_text(images, "PhaseTerms", "%s", s->phase_terms);
    if (s->concomitant) output_text(images, "ConcomitantFields", "%s", s->concomitant);
    if (s->session.partial_fourier > 0) output_number(images, "PartialFourier", s->session.partial_fourier);
    if (s->session.pocs) output_number(images, "POCSIterations", s->session.pocs);
    if (s->session.homodyne)
        output_text(images, "Homodyne", "%s", s->session.homodyne == ARGAND_HOMODYNE_STEP ? "step" : "ramp");
    if (s->session.spirit > 0) output_number(images, "SPIRiT", s->session.spirit);
    if (s->noise_map) output_number(images, "NoiseMapReplicas", s->noise_map);
    if (s->gfactor_map) output_text(images, "GFactorMap", "%s", s->fills ? "GRAPPA" : "SENSE");
    if (s->mask) output_text(images, "Mask", "%s", s->mask);
    if (s->phase_maps) output_text(images, "PhaseMaps", "%s", s->phase_maps);
}

/* Records the errors of EPI's reversed lines. */
static void tell_ghosts(output *images, const argand_epi *epi)
{
    argand_epi_info info;
    argand_epi_describe(epi, &info);
    if (!info.corrected) return;
    output_number(images, "EPIGhostShift", info.shift[0]);
    output_number(images, "EPIGhostPhase", info.phase[0]);
    images->run.ghosts = argand_epi_estimates(epi, &images->run.ghost);
}

/* Gives the maps in use to the report. */
static argand_status show_maps(output *images, const sense_settings *s, double field_scale)
{
    const double hertz = field_scale / (2 * 3.14159265358979323846);
    TRY(output_find_map(images, s->field_map, "FieldMap", "Field map", "Hz", hertz));
    TRY(output_find_map(images, s->mask, NULL, "Mask", "", 1));
    if (!images->run.sum_of_squares) TRY(output_coil_maps(images));
    if (s->coil_maps && output_info(images).coils != ARGAND_COILS_JOINT)
        output_text(images, "CoilMapsFile", "%s", s->coil_maps);
    return s->session.phases == ARGAND_PHASES_NONE ? ARGAND_OK : output_phase_maps(images);
}

static argand_status begin_output(job *j, const argand_scan *scan)
{
    const sense_settings *s = j->settings;
    argand_sense_info info;
    argand_sense_describe(j->session, &info);
    const output_run run = {
        .command = s->command,
        .settings = &s->output,
        .input = s->input,
        .is_double = s->precision,
        .iterations = info.iterations,
        .device = j->device,
        .scan = scan,
        .session = j->session,
        .sum_of_squares = s->session.method == ARGAND_METHOD_ADJOINT_RSS || s->session.spirit_rss,
        .pixel_maps = {[OUTPUT_NOISE] = s->noise_map > 0, [OUTPUT_GFACTOR] = s->gfactor_map},
        .apart = j->ranks->rank > 0 || s->kept.tasks > 0,
        .stream = s->stream,
        .console = j->out};
    TRY(output_begin(&j->images, &run));
    tell_options(&j->images, s);
    tell_ghosts(&j->images, j->epi);
    return ARGAND_OK;
}

argand_status job_begin(job *j, const argand_scan *scan)
{
    const sense_settings *s = j->settings;
    j->scan = scan;
    TRY(note_device(j->device, j->out));
    TRY(sense_gradients_find(&j->in, s, j->out));
    if (s->noise_map) TRY(sense_noise_begin(&j->noise, s, scan, j->out));
    if (s->gfactor_map) TRY(sense_gfactor_begin(&j->gfactor, s, scan, j->out));
    return sense_find_options(s, j->device, scan, &j->in, &j->options, j->out);
}

/* Opens session and output. The ranks of a group do this together. */
static argand_status open_session(job *j)
{
    j->options.comm = j->ranks->team;
    const argand_status status = argand_sense_create(&j->session, j->device, j->scan, &j->options);
    sense_inputs_free(&j->in); /* the session has copied the arrays */
    TRY(status);
    sense_print_notes(j->out, argand_sense_notes(j->session));
    TRY(begin_output(j, argand_sense_scan(j->session)));
    const sense_settings *s = j->settings;
    if (s->study_options && !j->ranks->rank) {
        study_mark(j->mark, s->study_options, s->input, kept_scan_hash(j->scan));
        j->images.run.mark = j->mark;
    }
    return kept_begin(&j->kept, &j->images, &s->kept, j->scan);
}

argand_status job_run(job *j)
{
    TRY(ranks_meet(j->ranks, open_session(j)));
    argand_status status = ranks_deal(j->ranks, j->session, &j->kept, j->out);
    if (status == ARGAND_OK) status = run_volumes(j);
    return ranks_fail(j->ranks, status);
}

argand_status job_write(job *j)
{
    argand_status status = ARGAND_OK;
    if (j->settings->kept.tasks) {
        kept_close_task(&j->kept);
        return ARGAND_OK;
    }
    if (!j->ranks->group) /* all ranks of the group make maps together */
        status = show_maps(&j->images, j->settings, j->in.field_scale);
    if (!j->ranks->rank && status == ARGAND_OK) status = output_write(&j->images);
    if (!j->ranks->rank && status == ARGAND_OK) kept_remove(&j->kept);
    if (j->ranks->rank)
        ranks_rest(j->ranks);
    else
        ranks_release(j->ranks);
    return ranks_agree(j->ranks, status);
}

void job_end(job *j)
{
    kept_end(&j->kept);
    output_end(&j->images);
    argand_sense_destroy(j->session);
    sense_noise_end(&j->noise);
    sense_gfactor_end(&j->gfactor);
    sense_inputs_free(&j->in);
    free(j);
}
