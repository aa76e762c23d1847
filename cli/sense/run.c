/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a reconstructing command: opens scan, maps and session, reconstructs the volumes, writes the files. */
#include "common/origin.h"
#include "output/bids.h"
#include "sense/fill.h"
#include "sense/job.h"
#include "sense/motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* What is reconstructed, and its owners. */
typedef struct opened_input {
    pack_scan own;
    argand_scan *file, *placed; /* placed: with the positions of --sequence */
    argand_epi *epi;
    argand_scan *reference, *joined; /* of --calibration-scan */
    argand_epi *reference_epi;
    argand_scan *still; /* of --motion */
    argand_fill *fill;
    const argand_scan *scan;
} opened_input;

/* Takes positions and times from a Pulseq sequence. */
static argand_status take_sequence(const sense_settings *s, opened_input *in)
{
    argand_sequence *sequence;
    if (!s->sequence) return ARGAND_OK;
    TRY(argand_sequence_read(&sequence, s->sequence));
    const argand_status status = argand_scan_place(&in->placed, in->scan, sequence);
    argand_sequence_destroy(sequence);
    in->scan = in->placed;
    return status;
}

/* Opens a scan, or packs own arrays into one. */
static argand_status open_input(sense_settings *s, opened_input *in, argand_device *device, report *out)
{
    if (!s->arrays.kspace) {
        TRY(scan_open(&in->file, s->input, &s->reading));
        in->scan = in->file;
        spread_matrix(s, in->scan);
        return take_sequence(s, in);
    }
    TRY(check_times(s));
    TRY(pack_scan_make(&in->own, &s->arrays, device, out));
    in->scan = &in->own.scan;
    spread_matrix(s, in->scan);
    return ARGAND_OK;
}

/* Corrects the lines of EPI. Errors of the encoding are left to the session, which knows more about it. */
static argand_status correct_lines(const sense_settings *s, opened_input *in, report *out)
{
    const argand_epi_options o = {.choice = (argand_epi_choice)s->epi, .encoding = s->session.encoding};
    if (o.encoding >= in->scan->encoding_count) return ARGAND_OK;
    TRY(argand_epi_create(&in->epi, in->scan, &o));
    sense_print_notes(out, argand_epi_notes(in->epi));
    in->scan = argand_epi_scan(in->epi);
    return ARGAND_OK;
}

/* Takes the calibration of another scan, whose own lines may be those of EPI. */
static argand_status join_reference(const sense_settings *s, opened_input *in, report *out)
{
    const int encoding = s->session.encoding;
    if (!s->calibration_scan || encoding >= in->scan->encoding_count) return ARGAND_OK;
    TRY(scan_open(&in->reference, s->calibration_scan, &(scan_reading){.k_unit = s->reading.k_unit}));
    if (!in->reference->acquisition_count)
        return report_error(ARGAND_FORMAT, "--calibration-scan %s: has no image data", s->calibration_scan);
    report_note(out, "Reading %s, which calibrates the coils:", s->calibration_scan);
    sense_print_notes(out, in->reference->notes);
    const argand_epi_options o = {.encoding = in->reference->acquisitions[0].encoding};
    TRY(argand_epi_create(&in->reference_epi, in->reference, &o));
    sense_print_notes(out, argand_epi_notes(in->reference_epi));
    TRY(argand_scan_join_reference(&in->joined, in->scan, encoding, argand_epi_scan(in->reference_epi)));
    in->scan = in->joined;
    return ARGAND_OK;
}

/* Takes motion out, known or found in the samples. */
static argand_status still_object(const sense_settings *s, opened_input *in, argand_device *host, bool writes,
                                  report *out)
{
    if (!s->motion || s->session.encoding >= in->scan->encoding_count) return ARGAND_OK;
    TRY(sense_motion_still(&in->still, s, in->scan, host, writes, out));
    if (in->still) in->scan = in->still;
    return ARGAND_OK;
}

/* Computes missing lines, if the command does. */
static argand_status fill_lines(const sense_settings *s, opened_input *in, report *out)
{
    if (!s->fills) return ARGAND_OK;
    TRY(sense_fill(&in->fill, s, in->scan, out));
    in->scan = argand_fill_scan(in->fill);
    return ARGAND_OK;
}

static void close_input(opened_input *in)
{
    argand_fill_destroy(in->fill);
    argand_scan_destroy(in->still);
    argand_epi_destroy(in->epi);
    argand_scan_destroy(in->joined);
    argand_epi_destroy(in->reference_epi);
    argand_scan_destroy(in->reference);
    argand_scan_destroy(in->placed);
    argand_scan_destroy(in->file);
    pack_scan_free(&in->own);
    *in = (opened_input){0};
}

/* Refuses ranks with another version, other options or another scan. */
static argand_status compare_ranks(sense_ranks *ranks, const sense_settings *s, const argand_scan *scan)
{
    char text[128];
    const char *options = s->kept.options ? s->kept.options : "";
    if (ranks->size == 1 || ranks->threads) return ARGAND_OK;
    snprintf(text, sizeof text, "%s %s", argand_version(), origin_commit());
    TRY(ranks_compare(ranks, "version of Argand", text));
    snprintf(text, sizeof text, "argand %s, hash of all values %016llx", s->command,
             (unsigned long long)bytes_hash(options, strlen(options), 0));
    TRY(ranks_compare(ranks, "command or options", text));
    snprintf(text, sizeof text, "%lld acquisitions, hash %016llx", (long long)scan->acquisition_count,
             (unsigned long long)kept_scan_hash(scan));
    return ranks_compare(ranks, "scan", text);
}

/* The jobs of this process: one, or one for each device of a list, with a thread each. The main thread
 * prepares them one after the other, because preparations start processes that read files. */
typedef struct team {
    int count;
    sense_ranks ranks[DEVICES_MOST];
    job *jobs[DEVICES_MOST];
} team;

/* alone: without the other processes of an MPI job. */
static argand_status team_open(team *t, const sense_settings *s, bool alone)
{
    device_name_text names[DEVICES_MOST];
    t->count = 1;
    ranks_alone(&t->ranks[0]);
    if (!alone) TRY(ranks_open(&t->ranks[0]));
    const int devices = devices_list(s->common.device, names);
    if (devices == 0 && s->common.device)
        return report_error(ARGAND_ARGUMENT,
                            "--device %s: give 1 to %d names, such as cuda:0-3 or cuda:0,cuda:2",
                            s->common.device, DEVICES_MOST);
    if (t->ranks[0].size > 1 || devices < 2) return ARGAND_OK;
    ranks_close(&t->ranks[0], ARGAND_OK);
    t->count = devices;
    return ranks_open_threads(t->ranks, devices);
}

static argand_status team_begin(team *t, const sense_settings *s, const opened_input *in, report *out)
{
    for (int i = 0; i < t->count; i++) {
        job *j = calloc(1, sizeof *j);
        if (!j) return report_error(ARGAND_MEMORY, "out of memory");
        *j = (job){
            .settings = s, .ranks = &t->ranks[i], .out = out, .epi = in->epi, .gfactor = {.fill = in->fill}};
        t->jobs[i] = j;
        if (i) report_silent(&j->own, s->command), j->out = &j->own;
        TRY(ranks_device(j->ranks, &s->common, &j->device));
        TRY(job_begin(j, in->scan));
    }
    return ARGAND_OK;
}

/* Forms the groups of ranks. Errors of the scan are left to the sessions, which know more about it. */
static argand_status team_group(team *t, const sense_settings *s, argand_device *host,
                                const argand_scan *scan)
{
    int volumes;
    if (t->ranks[0].size == 1) return ARGAND_OK;
    if (sense_count_volumes(s, host, scan, &volumes)) volumes = t->ranks[0].size;
    const bool share = !s->noise_map && !s->gfactor_map; /* these are for one rank */
    return t->ranks[0].threads ? ranks_group_threads(t->ranks, t->count, volumes, share)
                               : ranks_group(&t->ranks[0], volumes, share);
}

static bool go_on(void *context, const argand_activity *activity)
{
    (void)activity;
    job *j = context;
    return ranks_listen(j->ranks, &j->images) && !interrupted();
}

static void *run_thread(void *context)
{
    job *j = context;
    argand_observer_set(go_on, j);
    (void)!job_run(j); /* rank 0 hears of a failure */
    return NULL;
}

/* Runs all jobs, the first in this thread. A failure ends the others. */
static argand_status team_run(team *t)
{
    int started = 1;
    for (; started < t->count; started++)
        if (pthread_create(&t->jobs[started]->thread, NULL, run_thread, t->jobs[started])) break;
    argand_status status =
        started < t->count ? report_error(ARGAND_MEMORY, "no thread for device %d of the list", started + 1)
                           : job_run(t->jobs[0]);
    if (status && t->count > 1) argand_comm_abort(t->ranks[0].comm, (int)status);
    for (int i = 1; i < started; i++) pthread_join(t->jobs[i]->thread, NULL);
    return status;
}

static void team_end(team *t)
{
    for (int i = 0; i < t->count; i++) {
        if (!t->jobs[i]) continue;
        argand_device *device = t->jobs[i]->device;
        job_end(t->jobs[i]);
        argand_device_close(device);
    }
}

static argand_status reconstruct(sense_settings *s, team *t, argand_device *host, report *out)
{
    static opened_input in;
    sense_ranks *ranks = &t->ranks[0];
    report_stage(out, "reading");
    argand_status status = ranks_agree(ranks, open_input(s, &in, host, out));
    if (status == ARGAND_OK) status = ranks_agree(ranks, join_reference(s, &in, out));
    if (status == ARGAND_OK) status = compare_ranks(ranks, s, in.scan);
    if (status == ARGAND_OK) {
        sense_print_notes(out, in.scan->notes);
        report_stage(out, "preparing");
        status = bids_find(&s->output, in.scan, out);
        if (status == ARGAND_OK) status = ranks_agree(ranks, correct_lines(s, &in, out));
        if (status == ARGAND_OK) status = ranks_agree(ranks, still_object(s, &in, host, !ranks->rank, out));
        if (status == ARGAND_OK) status = ranks_agree(ranks, fill_lines(s, &in, out));
    }
    if (status == ARGAND_OK) status = team_group(t, s, host, in.scan);
    if (status == ARGAND_OK) status = ranks_agree(ranks, team_begin(t, s, &in, out));
    if (status == ARGAND_OK) status = team_run(t);
    if (status == ARGAND_OK) status = job_write(t->jobs[0]);
    team_end(t);
    close_input(&in);
    return status;
}

/* Refuses what cannot be written or shared, before anything is read. */
static argand_status check(const sense_settings *s, const sense_ranks *ranks)
{
    if (ranks->size > 1 && s->kept.tasks)
        return report_error(
            ARGAND_ARGUMENT,
            "--task: a task is one process on one device, and there are %d ranks: leave out --task, "
            "or start one rank",
            ranks->size);
    if (ranks->size > 1 && !ranks->threads && mrd_is_pipe(s->input))
        return report_error(ARGAND_ARGUMENT,
                            "%s: each of %d ranks reads the scan, and this is a pipe: give a file", s->input,
                            ranks->size);
    TRY(kept_check(&s->kept, s->input, s->output.path));
    return ranks->rank ? ARGAND_OK : output_check(&s->output);
}

argand_status sense_reconstruct(sense_settings *s, report *out)
{
    static team t;
    argand_device *host = NULL;
    t = (team){0};
    argand_status status = team_open(&t, s, true);
    if (status == ARGAND_OK) status = check(s, &t.ranks[0]);
    if (status == ARGAND_OK) status = argand_device_open(&host, "cpu");
    if (status == ARGAND_OK) status = reconstruct(s, &t, host, out);
    argand_device_close(host);
    for (int i = 0; i < t.count; i++) ranks_close(&t.ranks[i], status);
    return status;
}

int sense_run(sense_settings *s)
{
    static team t;
    argand_device *host = NULL;
    report out;
    mrd_sink stream = {.descriptor = -1, .held = -1};
    report_begin(&out, kept_gathering() ? "gather" : s->command, &s->common);
    interrupt_watch();
    argand_status status = team_open(&t, s, false);
    sense_ranks *ranks = &t.ranks[0];
    const bool streams = mrd_is_pipe(s->output.path) && !ranks->rank;
    if (ranks->rank) report_silent(&out, s->command);
    if (ranks->rank) interrupt_silent();
    if (status == ARGAND_OK) status = check(s, ranks);
    if (status == ARGAND_OK && streams) status = mrd_sink_prepare(&stream, s->output.path);
    if (status == ARGAND_OK) status = argand_device_open(&host, "cpu");
    status = ranks_agree(ranks, status);
    if (status == ARGAND_OK) {
        s->stream = streams ? &stream : NULL;
        status = reconstruct(s, &t, host, &out);
    }
    argand_device_close(host);
    mrd_sink_close(&stream);
    free(s->kept.options);
    const int exit_code = status == ARGAND_OK ? 0 : report_failure(&out, status);
    for (int i = 0; i < t.count; i++) ranks_close(&t.ranks[i], status);
    return exit_code;
}
