/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a reconstructing command: opens scan, maps and session, reconstructs the volumes, writes the files. */
#include "sense/gradients.h"
#include "sense/inputs.h"
#include "sense/noise.h"

#include <stdlib.h>
#include <string.h>

argand_status sense_open_session(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                 sense_inputs *in, argand_sense **session, report *out)
{
    argand_sense_options o = s->session;
    o.type = s->precision ? ARGAND_C64 : ARGAND_C32;
    if (o.method == ARGAND_METHOD_SOLVE && s->iterations == 0) o.method = ARGAND_METHOD_ADJOINT;
    o.iterations = s->iterations > 0 ? s->iterations : 0;
    o.regularizers = s->regularizers;
    for (int axis = 0; axis < s->matrix.rank; axis++) o.matrix[axis] = s->matrix.n[axis];
    argand_status status = sense_inputs_find(in, s, device, scan, &o, out);
    if (status == ARGAND_OK) status = sense_places_fit(in, s, device, scan, &o, out);
    if (status == ARGAND_OK) status = argand_sense_create(session, device, scan, &o);
    sense_inputs_free(in); /* the session has copied the arrays */
    return status;
}

void sense_print_notes(report *out, const char *notes)
{
    while (*notes) {
        const int length = (int)strcspn(notes, "\n");
        if (length) report_note(out, "%.*s", length, notes);
        notes += length + (notes[length] == '\n');
    }
}

/* State of the monitor: the progress bar, the table of steps, the volume's number. */
typedef struct watch {
    report *out;
    output *images;
    int volume, volumes;
    int index, count; /* of the volumes that this process reconstructs */
} watch;

static void tell_volume(const watch *w)
{
    const output_place *at = &w->images->places[w->volume];
    const bool slices = w->images->images[at->image].slices > 1;
    if (w->volumes == 1) return report_where(w->out, "%s", "");
    if (!slices) return report_where(w->out, "volume %d of %d", w->volume + 1, w->volumes);
    report_where(w->out, "volume %d of %d, slice %lld", w->volume + 1, w->volumes, (long long)at->slice + 1);
}

static bool on_iteration(void *context, const argand_progress *p)
{
    watch *w = context;
    if (p->trial) {
        report_activity("choosing the weight", -1);
        return !interrupted();
    }
    if (p->iterations > 0) output_step_done(w->images, w->volume, p); /* an adjoint has no residual */
    w->out->penalty = p->penalty;
    report_step(w->out, p->iteration, p->iterations, p->residual);
    report_progress(w->out, (double)w->index * p->iterations + p->iteration,
                    (double)w->count * p->iterations);
    return !interrupted();
}

/* Reconstructs a volume and gives it to the output. */
static argand_status run_volume(watch *w, const sense_settings *s, argand_sense *session, argand_array *image,
                                sense_noise *noise)
{
    argand_status status = argand_sense_run(session, w->volume, image, on_iteration, w);
    const argand_status heard = output_hear(w->images, w->volume);
    if (status == ARGAND_OK) status = heard;
    if (status == ARGAND_OK && interrupted()) status = ARGAND_STOPPED;
    if (status == ARGAND_OK) status = output_put(w->images, w->volume, image);
    if (status == ARGAND_OK) report_preview(image);
    if (status == ARGAND_OK) status = output_keep_maps(w->images, w->volume);
    if (status == ARGAND_OK && s->noise_map)
        status = sense_noise_map(noise, session, w->images, w->volume, image);
    return status;
}

static argand_status run_volumes(const sense_settings *s, argand_device *device, argand_sense *session,
                                 output *images, kept_run *k, sense_noise *noise, report *out)
{
    int64_t n[3];
    argand_array *image;
    argand_sense_grid(session, n);
    argand_status status = argand_array_create(&image, device, s->precision ? ARGAND_C64 : ARGAND_C32, 3, n);
    if (status != ARGAND_OK) return status;
    watch w = {out, images, 0, argand_sense_volumes(session), 0, kept_lacking(k)};
    argand_sense_info info;
    argand_sense_describe(session, &info);
    report_stage(out, "reconstructing");
    for (; w.volume < w.volumes && status == ARGAND_OK; w.volume++) {
        if (!kept_lacks(k, w.volume)) continue;
        tell_volume(&w);
        report_progress(out, (double)w.index * info.iterations, (double)w.count * info.iterations);
        status = run_volume(&w, s, session, image, noise);
        if (status == ARGAND_OK) status = kept_save(k, w.volume);
        w.index++;
    }
    report_where(out, "%s", "");
    report_progress(out, 1, 1);
    argand_array_destroy(image);
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
    return status;
}

/* Records options in the sidecar. */
static void tell_options(output *images, const sense_settings *s)
{
    output_number(images, "Iterations", images->run.iterations);
    output_number(images, "Tolerance", s->session.tolerance);
    output_text(images, "Regularize", "%s", s->regularize ? s->regularize : "0");
    if (s->image_fov) output_text(images, "ImageFieldOfView", "%s", s->image_fov);
    if (s->field_map) output_text(images, "FieldMap", "%s", s->field_map);
    if (s->noise) output_text(images, "Noise", "%s", s->noise);
    if (s->whitener) output_text(images, "Whitener", "%s", s->whitener);
    if (s->covariance) output_text(images, "NoiseCovariance", "%s", s->covariance);
    if (s->compression) output_text(images, "CompressionMatrix", "%s", s->compression);
    if (s->weights) output_text(images, "Weights", "%s", s->weights);
    if (s->girf) output_text(images, "GradientResponse", "%s", s->girf);
    if (s->delay) output_text(images, "GradientDelay", "%s", s->delay);
    if (s->r2star) output_text(images, "R2Star", "%s", s->r2star);
    if (s->phase_terms) output_text(images, "PhaseTerms", "%s", s->phase_terms);
    if (s->session.partial_fourier > 0) output_number(images, "PartialFourier", s->session.partial_fourier);
    if (s->noise_map) output_number(images, "NoiseMapReplicas", s->noise_map);
    if (s->mask) output_text(images, "Mask", "%s", s->mask);
    if (s->phase_maps) output_text(images, "PhaseMaps", "%s", s->phase_maps);
}

/* Gives the maps in use to the report. */
static argand_status show_maps(output *images, const sense_settings *s, double field_scale)
{
    const double hertz = field_scale / (2 * 3.14159265358979323846);
    TRY(output_find_map(images, s->field_map, "FieldMap", "Field map", "Hz", hertz));
    TRY(output_find_map(images, s->mask, NULL, "Mask", "", 1));
    if (!images->run.sum_of_squares) TRY(output_coil_maps(images));
    if (output_info(images).coils == ARGAND_COILS_JOINT)
        output_text(images, "CoilMaps", "joint");
    else if (s->coil_maps)
        output_text(images, "CoilMaps", "%s", s->coil_maps);
    return s->session.phases == ARGAND_PHASES_NONE ? ARGAND_OK : output_phase_maps(images);
}

static argand_status begin_output(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                  argand_sense *session, output *images, report *out)
{
    argand_sense_info info;
    argand_sense_describe(session, &info);
    const output_run run = {.command = s->command,
                            .settings = &s->output,
                            .input = s->input,
                            .is_double = s->precision,
                            .iterations = info.iterations,
                            .device = device,
                            .scan = scan,
                            .session = session,
                            .sum_of_squares = s->session.method == ARGAND_METHOD_ADJOINT_RSS,
                            .noise = s->noise_map > 0,
                            .apart = s->kept.tasks > 0,
                            .stream = s->stream,
                            .console = out};
    const argand_status status = output_begin(images, &run);
    if (status == ARGAND_OK) tell_options(images, s);
    return status;
}

/* Refuses off-resonance correction of own arrays without sample times: its phase grows with time. */
static argand_status check_times(const sense_settings *s)
{
    const pack_settings *a = &s->arrays;
    const bool field = s->field_map && strcmp(s->field_map, "none") != 0;
    if (!(field || s->r2star) || a->times || a->sample_time > 0) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "--%s %s: nothing says when the samples of %s were taken: give --times FILE, or --sample-time and "
        "--echo-time",
        field ? "field-map" : "r2star", field ? s->field_map : s->r2star, a->kspace);
}

/* Applies a single number of --matrix to all encoded axes. */
static void spread_matrix(sense_settings *s, const argand_scan *scan)
{
    const int which = s->session.encoding;
    if (s->matrix.rank != 1 || which >= scan->encoding_count) return;
    const int64_t *encoded = scan->encodings[which].matrix;
    for (; s->matrix.rank < 3 && encoded[s->matrix.rank] > 1; s->matrix.rank++)
        s->matrix.n[s->matrix.rank] = s->matrix.n[0];
}

/* Opens a scan, or packs own arrays into one. */
static argand_status open_input(sense_settings *s, pack_scan *own, argand_scan **file,
                                const argand_scan **scan, argand_device *device, report *out)
{
    *scan = NULL;
    if (!s->arrays.kspace) {
        TRY(scan_open(file, s->input, &s->reading));
        *scan = *file;
        spread_matrix(s, *scan);
        return ARGAND_OK;
    }
    TRY(check_times(s));
    TRY(pack_scan_make(own, &s->arrays, device, out));
    *scan = &own->scan;
    spread_matrix(s, *scan);
    return ARGAND_OK;
}

/* Reconstructs what is not kept yet, and writes the files; a task writes its volumes only. */
static argand_status run_session(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                 argand_sense *session, const sense_inputs *in, sense_noise *noise,
                                 report *out)
{
    static output images;
    kept_run k = {0};
    sense_print_notes(out, argand_sense_notes(session));
    argand_status status = begin_output(s, device, argand_sense_scan(session), session, &images, out);
    if (status == ARGAND_OK) status = kept_begin(&k, &images, &s->kept, scan);
    if (status == ARGAND_OK) status = run_volumes(s, device, session, &images, &k, noise, out);
    if (status == ARGAND_OK && s->kept.tasks) {
        kept_close_task(&k);
    } else if (status == ARGAND_OK) {
        status = show_maps(&images, s, in->field_scale);
        if (status == ARGAND_OK) status = output_write(&images);
        if (status == ARGAND_OK) kept_remove(&k);
    }
    kept_end(&k);
    output_end(&images);
    return status;
}

static argand_status reconstruct(sense_settings *s, argand_device *device, report *out)
{
    static pack_scan own;
    static sense_noise noise;
    sense_inputs in = {0};
    argand_scan *file = NULL;
    const argand_scan *scan;
    argand_sense *session = NULL;
    report_stage(out, "reading");
    argand_status status = open_input(s, &own, &file, &scan, device, out);
    if (status != ARGAND_OK) return status;
    sense_print_notes(out, scan->notes);
    report_stage(out, "preparing");
    status = note_device(device, out);
    if (status == ARGAND_OK) status = sense_gradients_find(&in, s, out);
    if (status == ARGAND_OK && s->noise_map) status = sense_noise_begin(&noise, s, scan, out);
    if (status == ARGAND_OK) status = sense_open_session(s, device, scan, &in, &session, out);
    if (status == ARGAND_OK) status = run_session(s, device, scan, session, &in, &noise, out);
    argand_sense_destroy(session);
    sense_noise_end(&noise);
    sense_inputs_free(&in);
    argand_scan_destroy(file);
    pack_scan_free(&own);
    return status;
}

int sense_run(sense_settings *s)
{
    argand_device *device;
    report out;
    report_begin(&out, kept_gathering() ? "gather" : s->command, &s->common);
    interrupt_watch();
    const bool streams = mrd_is_pipe(s->output.path);
    mrd_sink stream = {.descriptor = -1, .held = -1};
    argand_status status = output_check(&s->output);
    if (status == ARGAND_OK) status = kept_check(&s->kept, s->input, s->output.path);
    if (status == ARGAND_OK && streams) status = mrd_sink_prepare(&stream, s->output.path);
    if (status == ARGAND_OK) status = common_open(&s->common, &device);
    if (status == ARGAND_OK) {
        s->stream = streams ? &stream : NULL;
        status = reconstruct(s, device, &out);
        argand_device_close(device);
    }
    mrd_sink_close(&stream);
    free(s->kept.options);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}
