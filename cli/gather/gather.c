/* SPDX-License-Identifier: BSD-3-Clause */
/* argand gather: writes the images of a reconstruction whose volumes are all on disk, by the command in
 * job.json with its volumes taken from there. */
#include "common/origin.h"
#include "common/path.h"
#include "kept/kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char description[] =
    "Writes the images of a reconstruction that ran in tasks (--task I/N of sense, pcsense and grid), each "
    "of which left its\n"
    "volumes in the folder OUT.parts. The images are those of a single run. If volumes are missing, the "
    "command names them and\n"
    "the commands that make them. OUT.parts is removed when all files are written.";

static const char examples[] = "  for i in 1 2 3 4; do argand sense brain.h5 brain.nii.gz --task $i/4; done; "
                               "argand gather brain.nii.gz\n"
                               "  argand gather brain.nii.gz --device cpu\n";

enum { OWN_ARGUMENTS = 8 };

/* Adds gather's own common options to the command's. They stand before a "--", which ends options. */
static int add_common(const char *more[OWN_ARGUMENTS], const common_options *c)
{
    static char threads[16];
    int count = 0;
    if (c->device) more[count++] = "--device", more[count++] = c->device;
    snprintf(threads, sizeof threads, "%d", c->threads);
    if (c->threads) more[count++] = "--threads", more[count++] = threads;
    if (c->json) more[count++] = "--json";
    if (c->quiet) more[count++] = "--quiet";
    if (c->progress) more[count++] = "--progress=jsonl";
    return count;
}

/* Runs the command of a job, in its folder. */
static int run_job(const kept_job *job, const common_options *common)
{
    const char *more[OWN_ARGUMENTS];
    const command *c = command_find(job->arguments[0]);
    const int added = add_common(more, common), given = job->argument_count;
    char **main_arguments = calloc((size_t)given + 2, sizeof *main_arguments),
         **arguments = calloc((size_t)(given + added) + 1, sizeof *arguments);
    int count = 0, code = ARGAND_MEMORY;
    if (main_arguments && arguments) {
        main_arguments[0] = "argand";
        memcpy(main_arguments + 1, job->arguments, (size_t)given * sizeof *main_arguments);
        origin_keep(given + 1, main_arguments); /* sidecars name the command that made the volumes */
        int end = 0;
        while (end < given && strcmp(job->arguments[end], "--") != 0) end++;
        for (int i = 0; i < end; i++) arguments[count++] = job->arguments[i];
        for (int i = 0; i < added; i++) arguments[count++] = (char *)more[i];
        for (int i = end; i < given; i++) arguments[count++] = job->arguments[i];
        code = c->run(count, arguments);
        origin_keep(0, NULL);
    }
    free(arguments);
    free(main_arguments);
    return code;
}

/* Returns true for commands that keep volumes: job.json may be anybody's. */
static bool is_reconstruction(const char *name)
{
    return !strcmp(name, "sense") || !strcmp(name, "pcsense") || !strcmp(name, "grid");
}

static argand_status open_job(kept_job *job, const char *out)
{
    char folder[KEPT_PATH];
    kept_folder(folder, out);
    TRY(kept_job_read(job, folder));
    if (!job->label)
        return report_error(ARGAND_FILE,
                            "%s: there are no finished volumes (%s/job.json): give the OUT of a command that "
                            "ran with --task",
                            out, folder);
    if (!is_reconstruction(job->arguments[0]))
        return report_error(ARGAND_FORMAT, "%s/job.json: its command is not sense, pcsense or grid", folder);
    kept_gather(folder);
    if (!chdir(job->folder)) return ARGAND_OK;
    return report_error(
        ARGAND_FILE,
        "%s: its command ran in the folder %s, which cannot be entered: %s. Repeat the command "
        "with --resume where the files are now",
        folder, job->folder, strerror(errno));
}

static int run(int argc, char **argv)
{
    static common_options common;
    const char *out = NULL;
    const option options[] = {COMMON_OPTIONS(common)};
    command_line line = {.usage = "argand gather OUT.nii.gz [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&out, NULL},
                         .positional_least = 1};
    int exit_code;
    kept_job job = {0};
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    const argand_status status = open_job(&job, out);
    if (status == ARGAND_OK) {
        exit_code = run_job(&job, &common);
    } else {
        report r;
        report_begin(&r, "gather", &common);
        exit_code = report_failure(&r, status);
    }
    kept_job_free(&job);
    return exit_code;
}

const command command_gather = {
    .name = "gather", .summary = "write the images of a reconstruction that ran in tasks", .run = run};
