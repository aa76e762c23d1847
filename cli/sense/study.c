/* SPDX-License-Identifier: BSD-3-Clause */
/* Reconstructs the scans of a folder one after the other; each rank of an MPI job has some of them. A scan
 * that fails is named at the end. With --task and --resume, scans whose images are there are skipped, and
 * the volumes of the scan in work are kept, as for a single one. argand gather looks whether all images
 * are there. */
#include "sense/ranks.h"
#include "sense/study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/origin.h"
#include "common/path.h"

typedef struct work {
    const sense_settings *settings;
    report *out;
    sense_ranks *ranks;
    study scans;
    uint64_t options;
    char *label;      /* of the options, for job.json */
    char *go_on;      /* command line that continues */
    char **arguments; /* main's, with the names of a scan and its image in place of the folders */
    int argument_count, input_at, image_at;
    int written, failed;
    argand_status first; /* of the scans that failed here */
} work;

/* What a rank tells the others of a scan. */
typedef struct study_outcome {
    bool done;
    char failure[500];
} study_outcome;

/* ---- what is done for all scans */

static argand_status check_options(const sense_settings *s)
{
    struct stat found;
    const bool named = s->output.report && *s->output.report;
    if (named || s->output.save_maps)
        return report_error(ARGAND_ARGUMENT, "%s: each scan of the folder would write this file: %s",
                            named ? s->output.report : s->output.save_maps,
                            named ? "give --report without a name" : "leave out --save-maps");
    if (mrd_is_pipe(s->output.path))
        return report_error(ARGAND_ARGUMENT,
                            "%s is a folder of scans: give a folder for the images, not a pipe", s->input);
    if (!stat(s->output.path, &found) && !S_ISDIR(found.st_mode))
        return report_error(ARGAND_ARGUMENT, "%s is a folder of scans: give a folder for the images, not %s",
                            s->input, s->output.path);
    if (path_is_array(s->output.path) || path_is_scan(s->output.path))
        return report_error(ARGAND_ARGUMENT, "%s is a folder of scans: give a folder for the images, not %s",
                            s->input, s->output.path);
    return ARGAND_OK;
}

static argand_status make_folder(const char *path)
{
    if (kept_gathering() || !mkdir(path, 0777) || errno == EEXIST) return ARGAND_OK;
    return report_error(ARGAND_FILE, "%s: the folder cannot be made: %s", path, strerror(errno));
}

/* Refuses ranks that see other scans in the folder, or have other options. */
static argand_status compare_ranks(work *w)
{
    char text[128];
    uint64_t hash = 0;
    for (int i = 0; i < w->scans.count; i++)
        hash = bytes_hash(w->scans.scans[i].path, strlen(w->scans.scans[i].path), hash);
    snprintf(text, sizeof text, "%d scans, hash of their names %016llx", w->scans.count,
             (unsigned long long)hash);
    TRY(ranks_compare(w->ranks, "list of scans", text));
    snprintf(text, sizeof text, "argand %s, hash of all values %016llx", w->settings->command,
             (unsigned long long)w->options);
    return ranks_compare(w->ranks, "command or options", text);
}

/* Hashes what decides the images of a scan, but for the scan. */
static argand_status find_options(work *w)
{
    if (asprintf(&w->label, "version=%s %s\ncommand=%s\n%s", argand_version(), origin_commit(),
                 w->settings->command, w->settings->kept.options) < 0) {
        w->label = NULL;
        return report_error(ARGAND_MEMORY, "out of memory");
    }
    w->options = bytes_hash(w->label, strlen(w->label), 0) | 1;
    return ARGAND_OK;
}

/* Finds the folders' names among main's arguments, so that each sidecar can hold the command of its own
 * image. */
static argand_status find_arguments(work *w)
{
    const kept_settings *k = &w->settings->kept;
    char more[64] = "--resume";
    if (k->tasks) snprintf(more, sizeof more, "--task %d/%d", k->task, k->tasks);
    w->go_on = kept_command(more);
    char **own = kept_arguments(&w->argument_count);
    w->arguments = calloc((size_t)w->argument_count + 2, sizeof *w->arguments);
    if (!w->go_on || !own || !w->arguments) {
        free(own);
        return report_error(ARGAND_MEMORY, "out of memory");
    }
    w->arguments[0] = "argand";
    for (int i = 0; i < w->argument_count; i++) {
        w->arguments[i + 1] = own[i];
        if (!strcmp(own[i], w->settings->input) && !w->input_at) w->input_at = i + 1;
        if (!strcmp(own[i], w->settings->output.path)) w->image_at = i + 1;
    }
    w->argument_count++;
    free(own);
    return ARGAND_OK;
}

/* Compares or writes job.json for tasks. */
static argand_status open_job(const work *w)
{
    char folder[KEPT_PATH];
    kept_job job;
    const int tasks = w->settings->kept.tasks;
    kept_folder(folder, w->settings->output.path);
    if (kept_gathering()) TRY(kept_same_folder(folder));
    if (!kept_gathering() && !tasks) return ARGAND_OK;
    TRY(kept_folder_make(folder));
    TRY(kept_job_read(&job, folder));
    argand_status status = ARGAND_OK;
    if (job.label && strcmp(job.label, w->label) != 0) {
        char differs[700];
        kept_difference(differs, sizeof differs, w->label, job.label);
        status =
            report_error(ARGAND_ARGUMENT,
                         "%s: belongs to another reconstruction: %s. Give the same program and options, or "
                         "remove the folder %s",
                         folder, differs, folder);
    }
    if (status == ARGAND_OK && tasks && tasks != job.tasks) status = kept_job_write(folder, tasks, w->label);
    kept_job_free(&job);
    return status;
}

/* ---- the scans */

/* Returns true if the scan belongs to this task. */
static bool is_of_task(const work *w, const study_scan *scan)
{
    return !w->settings->kept.tasks || scan->task == w->settings->kept.task;
}

/* Returns true if this rank reconstructs the scan: the ranks have every size-th scan. */
static bool is_mine(const work *w, const study_scan *scan)
{
    return is_of_task(w, scan) && (scan - w->scans.scans) % w->ranks->size == w->ranks->rank;
}

static int count_done(const work *w)
{
    int count = 0;
    for (int i = 0; i < w->scans.count; i++) count += w->scans.scans[i].done;
    return count;
}

static const char *has_image(int count)
{
    return count == 1 ? "has its image" : "have their images";
}

/* Sets what Ctrl-C says. */
static void tell_interrupt(const work *w)
{
    char text[2000];
    snprintf(text, sizeof text, "%d of %d scans %s in %s; to go on: %s", count_done(w), w->scans.count,
             has_image(count_done(w)), w->settings->output.path, w->go_on);
    interrupt_left(text);
}

/* Finds the scans whose images are there, if they are to be skipped. */
static void find_done(work *w)
{
    const sense_settings *s = w->settings;
    if (!kept_asked(&s->kept)) return;
    for (int i = 0; i < w->scans.count; i++) {
        study_scan *scan = &w->scans.scans[i];
        if (is_of_task(w, scan)) scan->done = study_is_done(scan, w->options, &s->reading);
    }
    const int count = count_done(w);
    if (count && !kept_gathering())
        report_note(w->out, "%d of %d scans %s in %s already.", count, w->scans.count, has_image(count),
                    s->output.path);
}

/* Reconstructs a scan with settings of its own, since these change with a scan. */
static argand_status run_scan(work *w, const study_scan *scan)
{
    sense_settings s = *w->settings;
    const bool keeps = kept_asked(&s.kept);
    s.input = scan->path;
    s.output.path = scan->image;
    s.study_options = w->options;
    s.kept.task = s.kept.tasks = 0;
    s.kept.resume = keeps;
    s.kept.go_on = w->go_on;
    w->arguments[w->input_at] = scan->path;
    w->arguments[w->image_at] = scan->image;
    origin_keep(w->argument_count, w->arguments);
    return sense_reconstruct(&s, w->out);
}

/* Does a scan and remembers its failure. ARGAND_STOPPED ends the loop. */
static argand_status do_scan(work *w, int index)
{
    study_scan *scan = &w->scans.scans[index];
    report_next(w->out, index, w->scans.count);
    report_note(w->out, "Scan %d of %d: %s", index + 1, w->scans.count, scan->path);
    argand_files_begin();
    const argand_status status = run_scan(w, scan);
    if (status != ARGAND_OK) argand_files_abandon(); /* after success, output_write has committed */
    if (status == ARGAND_OK) {
        scan->done = true;
        w->written++;
    } else if (!interrupted()) {
        scan->failure = strdup(report_message());
        w->failed++;
        report_note(w->out, "Failed: %s", report_message());
    }
    tell_interrupt(w);
    return interrupted() ? ARGAND_STOPPED : status;
}

/* Returns an error that names the scans that failed. */
static argand_status refuse_failed(const work *w, argand_status first)
{
    enum { MOST_NAMES = 12 };
    char text[3000];
    int used = 0, count = 0;
    for (int i = 0; i < w->scans.count; i++) {
        const study_scan *scan = &w->scans.scans[i];
        if (!scan->failure || count++ >= MOST_NAMES) continue;
        const bool named = !strncmp(scan->failure, scan->path, strlen(scan->path));
        used += snprintf(text + used, sizeof text - (size_t)used, "\n%.100s%s%.120s", named ? "" : scan->path,
                         named ? "" : ": ", scan->failure);
    }
    return report_error(first, "%d of %d scans failed:%s%s", w->failed, w->scans.count, text,
                        count > MOST_NAMES ? "\nand more" : "");
}

/* Takes the outcome of a scan from the rank that reconstructed it. */
static void hear(work *w, study_scan *scan, const study_outcome *outcome)
{
    const bool was_done = scan->done;
    scan->done = outcome->done;
    w->written += scan->done && !was_done;
    if (*outcome->failure && !scan->failure) {
        scan->failure = strndup(outcome->failure, sizeof outcome->failure - 1);
        w->failed++;
        report_note(w->out, "Failed: %s", scan->failure);
    }
}

/* Tells all ranks the outcomes of each other's scans. */
static argand_status exchange_outcomes(work *w)
{
    const sense_ranks *r = w->ranks;
    study_outcome mine, *all;
    if (r->size == 1) return ARGAND_OK;
    if (!(all = calloc((size_t)r->size, sizeof *all))) return report_error(ARGAND_MEMORY, "out of memory");
    argand_status status = ARGAND_OK;
    for (int first = 0; first < w->scans.count && !status; first += r->size) {
        const int own = first + r->rank;
        mine = (study_outcome){0};
        if (own < w->scans.count) {
            const study_scan *scan = &w->scans.scans[own];
            mine.done = scan->done;
            if (scan->failure) snprintf(mine.failure, sizeof mine.failure, "%s", scan->failure);
        }
        status = argand_comm_gather(r->comm, all, &mine, sizeof mine);
        for (int rank = 0; rank < r->size && first + rank < w->scans.count && !status; rank++)
            if (rank != r->rank) hear(w, &w->scans.scans[first + rank], &all[rank]);
    }
    free(all);
    return status;
}

static argand_status run_all(work *w)
{
    argand_files_abandon(); /* ends main's pair, which is still empty: each scan has its own */
    tell_interrupt(w);
    for (int i = 0; i < w->scans.count; i++) {
        const study_scan *scan = &w->scans.scans[i];
        if (scan->done || !is_mine(w, scan)) continue;
        const argand_status status = do_scan(w, i);
        if (status == ARGAND_STOPPED && interrupted()) return status;
        if (w->first == ARGAND_OK) w->first = status;
    }
    report_next(w->out, 0, 0);
    TRY(exchange_outcomes(w));
    return w->failed ? refuse_failed(w, w->first ? w->first : ARGAND_FORMAT) : ARGAND_OK;
}

/* ---- the end */

static void announce(const work *w)
{
    const sense_settings *s = w->settings;
    char folder[2 * KEPT_PATH];
    const int done = count_done(w);
    int mine = 0;
    for (int i = 0; i < w->scans.count; i++) mine += is_of_task(w, &w->scans.scans[i]);
    if (s->kept.tasks)
        report_note(w->out,
                    "Task %d of %d: %d of %d scans %s done. When all tasks are done: argand gather %s",
                    s->kept.task, s->kept.tasks, done, mine, done == 1 ? "is" : "are", s->output.path);
    else
        report_note(w->out, "%d of %d scans %s in %s.", done, w->scans.count, has_image(done),
                    s->output.path);
    report_result(w->out, "\"output\":%s,\"scans\":%d,\"written\":%d",
                  json_string(folder, sizeof folder, s->output.path), done, w->written);
}

/* Returns an error that names scans without images, and the tasks that make them. */
static argand_status refuse_missing(const work *w, int tasks)
{
    enum { MOST_NAMES = 12 };
    char text[3000], more[64] = "--resume";
    int used = 0, count = 0;
    text[0] = 0;
    for (int i = 0; i < w->scans.count; i++) {
        if (w->scans.scans[i].done || count++ >= MOST_NAMES) continue;
        if (tasks) snprintf(more, sizeof more, "--task %d/%d", i % tasks + 1, tasks);
        char *line = kept_command(more);
        used += snprintf(text + used, sizeof text - (size_t)used, "\n%.80s: %.150s", w->scans.scans[i].path,
                         line ? line : "");
        free(line);
    }
    return report_error(ARGAND_ARGUMENT, "%d of %d scans %s no image in %s. To make %s:%s%s", count,
                        w->scans.count, count == 1 ? "has" : "have", w->settings->output.path,
                        count == 1 ? "it" : "them", text, count > MOST_NAMES ? "\nand more" : "");
}

static argand_status gather(const work *w)
{
    char folder[KEPT_PATH];
    kept_job job;
    kept_folder(folder, w->settings->output.path);
    TRY(kept_job_read(&job, folder));
    const int tasks = job.tasks;
    kept_job_free(&job);
    if (count_done(w) < w->scans.count) return refuse_missing(w, tasks);
    kept_folder_remove(folder, w->out);
    announce(w);
    return ARGAND_OK;
}

static argand_status begin(work *w)
{
    const sense_settings *s = w->settings;
    TRY(check_options(s));
    TRY(study_list(&w->scans, s->input, s->output.path, s->kept.tasks));
    TRY(make_folder(s->output.path));
    TRY(find_options(w));
    TRY(find_arguments(w));
    TRY(open_job(w));
    find_done(w);
    return ARGAND_OK;
}

static argand_status run_study(work *w)
{
    const sense_settings *s = w->settings;
    argand_device *device = NULL;
    device_name_text names[DEVICES_MOST];
    TRY(ranks_agree(w->ranks, begin(w)));
    TRY(compare_ranks(w));
    if (kept_gathering()) return gather(w);
    /* an open device keeps its context for the scans, which open it again */
    argand_status status =
        devices_list(s->common.device, names) <= 1 ? common_open(&s->common, &device) : ARGAND_OK;
    status = ranks_agree(w->ranks, status);
    if (status == ARGAND_OK) status = run_all(w);
    argand_device_close(device);
    if (status == ARGAND_OK) announce(w);
    return status;
}

/* Refuses tasks on several ranks. Then sets the device of this rank. */
static argand_status take_place(sense_ranks *r, sense_settings *s, device_name_text name)
{
    common_options own;
    if (r->size > 1 && (s->kept.tasks || kept_gathering()))
        return report_error(ARGAND_ARGUMENT,
                            "--task: a task is one process, and there are %d ranks: start one, or "
                            "leave out --task",
                            r->size);
    TRY(ranks_place(r, &s->common, &own, name));
    s->common = own;
    return ARGAND_OK;
}

int sense_start(sense_settings *s)
{
    report out;
    sense_ranks ranks;
    device_name_text name;
    work w = {.settings = s, .out = &out, .ranks = &ranks};
    if (s->arrays.kspace || !study_is_folder(s->input)) return sense_run(s);
    report_begin(&out, kept_gathering() ? "gather" : s->command, &s->common);
    interrupt_watch();
    argand_status status = ranks_open(&ranks);
    if (ranks.rank) report_silent(&out, s->command);
    if (ranks.rank) interrupt_silent();
    if (status == ARGAND_OK) status = ranks_agree(&ranks, take_place(&ranks, s, name));
    if (status == ARGAND_OK) status = run_study(&w);
    study_free(&w.scans);
    free(w.label);
    free(w.go_on);
    if (w.arguments) origin_keep(0, NULL);
    free(w.arguments);
    free(s->kept.options);
    const int exit_code = status == ARGAND_OK ? 0 : report_failure(&out, status);
    ranks_close(&ranks, status);
    return exit_code;
}
