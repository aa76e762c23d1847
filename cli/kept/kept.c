/* SPDX-License-Identifier: BSD-3-Clause */
#include "kept/kept.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what is asked for */

static struct {
    bool on;
    dev_t device;
    ino_t number;
} gathering;

void kept_gather(const char *folder)
{
    struct stat found;
    if (stat(folder, &found)) return;
    gathering.on = true;
    gathering.device = found.st_dev;
    gathering.number = found.st_ino;
}

bool kept_gathering(void)
{
    return gathering.on;
}

bool kept_asked(const kept_settings *s)
{
    return s->tasks || s->resume || gathering.on;
}

/* Reads I/N. */
static bool read_task(kept_settings *s)
{
    char end;
    return sscanf(s->task_text, "%7d/%7d%c", &s->task, &s->tasks, &end) == 2 && s->task >= 1 &&
           s->task <= s->tasks && s->tasks <= KEPT_MOST_TASKS;
}

static bool is_share(const char *text)
{
    int part, parts;
    char end;
    return sscanf(text, "%7d/%7d%c", &part, &parts, &end) == 2;
}

void kept_part_is_task(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const bool apart = !strcmp(argv[i], "--part") && i + 1 < argc && is_share(argv[i + 1]);
        if (apart || (!strncmp(argv[i], "--part=", 7) && is_share(argv[i] + 7)))
            memcpy(argv[i] + 2, "task", 4);
    }
}

bool kept_parse(kept_settings *s, const char *name, const option *table, int count, bool always)
{
    if (s->task_text && (!isdigit((unsigned char)*s->task_text) || !read_task(s))) {
        report_misuse(name, "--task %s: give I/N, such as 3/8, with I from 1 to N", s->task_text);
        return false;
    }
    if ((!kept_asked(s) && !always) || kept_option_values(&s->options, table, count) == ARGAND_OK)
        return true;
    report_misuse(name, "%s", report_message());
    return false;
}

argand_status kept_check(const kept_settings *s, const char *in, const char *out)
{
    if (kept_asked(s) && mrd_is_pipe(out))
        return report_error(ARGAND_ARGUMENT,
                            "--task and --resume: volumes are kept next to a file, and %s is "
                            "a pipe: give the name of a file",
                            out);
    if (s->tasks && mrd_is_pipe(in))
        return report_error(ARGAND_ARGUMENT,
                            "--task: each task and argand gather read the scan, and %s is a "
                            "pipe: give a file",
                            in);
    return ARGAND_OK;
}

/* Returns true if the volume belongs to this process. */
static bool is_mine(const kept_run *k, int volume)
{
    return !k->settings->tasks || k->task_of[volume] == k->settings->task;
}

bool kept_lacks(const kept_run *k, int volume)
{
    return !k->on || (is_mine(k, volume) && !k->there[volume]);
}

int kept_lacking(const kept_run *k)
{
    int count = 0;
    for (int v = 0; v < argand_sense_volumes(k->images->run.session); v++) count += kept_lacks(k, v);
    return count;
}

/* Returns the command line that goes on from here; the caller frees it. */
static char *command_to_go_on(const kept_run *k)
{
    char more[64] = "--resume";
    if (k->settings->go_on) return strdup(k->settings->go_on);
    if (k->settings->tasks)
        snprintf(more, sizeof more, "--task %d/%d", k->settings->task, k->settings->tasks);
    return kept_command(more);
}

/* Sets what Ctrl-C says. */
static void tell_interrupt(const kept_run *k)
{
    const report *console = k->images->run.console;
    if (console && console->silent) return;
    char text[KEPT_PATH + 2000], *line = command_to_go_on(k);
    const int count = kept_count(k), all = count + kept_lacking(k);
    snprintf(text, sizeof text, "%d of %d volumes%s %s in %s; to go on: %s", count, all,
             k->settings->tasks ? " of this task" : "", count == 1 ? "is" : "are", k->folder,
             line ? line : "repeat the command with --resume");
    interrupt_left(text);
    free(line);
}

/* ---- the folder, opened */

static argand_status refuse_other(const kept_run *k, const char *what, const char *label)
{
    char differs[700];
    kept_difference(differs, sizeof differs, k->label, label);
    return report_error(ARGAND_ARGUMENT,
                        "%s: belongs to another reconstruction: %s. Give the same program, scan and options, "
                        "or remove the folder %s",
                        what, differs, k->folder);
}

/* Compares job.json; writes it if it is not there, or has another number of tasks. */
static argand_status open_job(kept_run *k)
{
    kept_job job;
    const int tasks = k->settings->tasks;
    TRY(kept_job_read(&job, k->folder));
    argand_status status = ARGAND_OK;
    if (job.label && strcmp(job.label, k->label) != 0) status = refuse_other(k, k->folder, job.label);
    if (status == ARGAND_OK && !gathering.on && (!job.label || (tasks && tasks != job.tasks)))
        status = kept_job_write(k->folder, tasks, k->label);
    kept_job_free(&job);
    return status;
}

argand_status kept_same_folder(const char *folder)
{
    struct stat found;
    if (!stat(folder, &found) && found.st_dev == gathering.device && found.st_ino == gathering.number)
        return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s: the command in job.json wrote to this folder, which is another one now: move it "
                        "back, or repeat that command with --resume where the files are",
                        folder);
}

/* ---- volumes, taken */

/* Takes a volume whose bytes were read. ARGAND_FORMAT: the file is damaged. */
static argand_status take(kept_run *k, int volume, const char *path, const unsigned char *data, size_t size)
{
    char *label = NULL;
    int found = -1;
    argand_status status = k->images->run.apart
                               ? output_examine(k->images, path, data, size, k->label, &found, &label)
                               : output_unpack(k->images, path, data, size, k->label, &found, &label);
    if (label) status = refuse_other(k, path, label);
    free(label);
    if (status == ARGAND_OK && found != volume)
        status = report_error(ARGAND_FORMAT, "%s: is damaged: it holds volume %d", path, found + 1);
    if (status == ARGAND_OK) k->there[volume] = true;
    return status;
}

static argand_status look_for(kept_run *k, int volume)
{
    char path[KEPT_PATH];
    unsigned char *data;
    size_t size;
    kept_volume_path(path, k->folder, volume);
    TRY(kept_file_read(path, &data, &size));
    if (!data) return ARGAND_OK;
    argand_status status = take(k, volume, path, data, size);
    free(data);
    if (status != ARGAND_FORMAT) return status;
    if (gathering.on) return output_add_notes(&k->damage, report_message(), NULL);
    report_note(k->images->run.console, "%s. Its volume is reconstructed again.", report_message());
    return ARGAND_OK;
}

/* ---- for run.c */

/* Says that there is a folder which this run does not use. */
static void mention(const kept_run *k)
{
    const int count = kept_folder_count(k->folder);
    if (!kept_folder_exists(k->folder) || !count) return;
    report_note(k->images->run.console,
                "%s holds %d finished volume%s of another run, which this run does not use: --resume uses "
                "them, rm -r %s removes them.",
                k->folder, count, plural_s(count), k->folder);
}

static argand_status look_for_all(kept_run *k)
{
    for (int v = 0; v < k->volumes; v++)
        if (is_mine(k, v)) TRY(look_for(k, v));
    k->taken = kept_count(k);
    if (k->taken && !gathering.on)
        report_note(k->images->run.console, "%d of %d volume%s %s in %s already.", k->taken, k->volumes,
                    plural_s(k->volumes), k->taken == 1 ? "is" : "are", k->folder);
    if (gathering.on && k->taken < k->volumes) return kept_refuse_missing(k);
    return ARGAND_OK;
}

argand_status kept_begin(kept_run *k, output *images, const kept_settings *s, const argand_scan *scan)
{
    *k = (kept_run){.images = images,
                    .settings = s,
                    .on = kept_asked(s),
                    .volumes = argand_sense_volumes(images->run.session)};
    kept_folder(k->folder, images->run.settings->path);
    if (!k->on) {
        if (!images->run.stream) mention(k);
        return ARGAND_OK;
    }
    k->there = calloc((size_t)k->volumes, sizeof *k->there);
    k->task_of = calloc((size_t)k->volumes, sizeof *k->task_of);
    if (!k->there || !k->task_of) return report_error(ARGAND_MEMORY, "out of memory");
    if (s->tasks) TRY(kept_deal(k->task_of, images->run.session, s->tasks));
    if (!kept_lacking(k)) return ARGAND_OK; /* a task without volumes */
    TRY(kept_label(&k->label, &images->run, scan, s->options));
    if (gathering.on)
        TRY(kept_same_folder(k->folder));
    else
        TRY(kept_folder_make(k->folder));
    TRY(open_job(k));
    TRY(look_for_all(k));
    if (!gathering.on) tell_interrupt(k);
    return ARGAND_OK;
}

argand_status kept_save(kept_run *k, int volume)
{
    char path[KEPT_PATH], why[2100];
    byte_buffer blob = {0};
    if (!k->on) return ARGAND_OK;
    kept_volume_path(path, k->folder, volume);
    argand_status status = output_pack(k->images, volume, k->label, &blob);
    if (status == ARGAND_OK) status = kept_folder_make(k->folder); /* another run may have finished with it */
    if (status == ARGAND_OK) {
        status = kept_file_write(path, blob.data, blob.size);
        snprintf(why, sizeof why, "%s", report_message());
    }
    free(blob.data);
    if (status == ARGAND_OK) {
        k->there[volume] = true;
        tell_interrupt(k);
        return ARGAND_OK;
    }
    if (status != ARGAND_FILE) return status;
    char *line = command_to_go_on(k);
    status = report_error(status, "%s; %d of %d volumes are kept. To go on when there is space: %s", why,
                          kept_count(k), k->volumes, line ? line : "");
    free(line);
    return status;
}

/* Tells a task without volumes that this is in order. */
static void say_idle(const kept_run *k)
{
    report_note(k->images->run.console, "Task %d of %d has nothing to do: the scan has %d volume%s.",
                k->settings->task, k->settings->tasks, k->volumes, plural_s(k->volumes));
}

void kept_close_task(const kept_run *k)
{
    const kept_settings *s = k->settings;
    char folder[2 * KEPT_PATH];
    int mine = 0;
    for (int v = 0; v < k->volumes; v++) mine += is_mine(k, v);
    report_stage_end(k->images->run.console);
    if (!mine)
        say_idle(k);
    else
        report_note(k->images->run.console,
                    "Task %d of %d is done: its volumes (%d of %d) are in %s. When all tasks are done: "
                    "argand gather %s",
                    s->task, s->tasks, mine, k->volumes, k->folder, k->images->run.settings->path);
    report_result(k->images->run.console,
                  "\"output\":%s,\"files\":%d,\"volumes\":%d,\"task\":%d,\"tasks\":%d",
                  json_string(folder, sizeof folder, k->folder), mine, mine, s->task, s->tasks);
}

void kept_remove(const kept_run *k)
{
    if (k->on && !k->settings->tasks) kept_folder_remove(k->folder, k->images->run.console);
}

void kept_end(kept_run *k)
{
    free(k->label);
    free(k->damage);
    free(k->there);
    free(k->task_of);
    *k = (kept_run){0};
}
