/* SPDX-License-Identifier: BSD-3-Clause */
/* job.json: the command line of the volumes in a folder, where it was run, in how many tasks, and the
 * fingerprint. argand gather runs this command again; scripts may read it. */
#include "kept/kept.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/json_flat.h"
#include "common/json_write.h"
#include "common/origin.h"

static void job_path(char path[KEPT_PATH], const char *folder)
{
    snprintf(path, KEPT_PATH, "%s/job.json", folder);
}

/* ---- the command line without --task and --resume */

static bool is_word(const char *argument, const char *name)
{
    return !strcmp(argument, name);
}

/* Returns the number of arguments to leave out from this one on. */
static int to_skip(int left, char **argument)
{
    if (is_word(*argument, "--resume") || !strncmp(*argument, "--task=", 7)) return 1;
    return is_word(*argument, "--task") && left > 1 ? 2 : 0;
}

char **kept_arguments(int *count)
{
    char **all;
    const int given = origin_arguments(&all);
    char **own = calloc((size_t)given + 1, sizeof *own);
    *count = 0;
    for (int i = 1; own && i < given;) {
        const int skip = to_skip(given - i, all + i);
        if (!skip) own[(*count)++] = all[i];
        i += skip ? skip : 1;
    }
    return own;
}

char *kept_command(const char *more)
{
    int count;
    size_t size;
    char *text = NULL, **arguments = kept_arguments(&count);
    FILE *to = arguments ? open_memstream(&text, &size) : NULL;
    if (to) {
        fputs("argand", to);
        for (int i = 0; i < count; i++) {
            fputc(' ', to);
            origin_quote(to, arguments[i]);
        }
        fprintf(to, " %s", more);
        if (fclose(to)) {
            free(text);
            text = NULL;
        }
    }
    free(arguments);
    return text;
}

/* ---- reading */

static char **append(char **list, int count, const char *text)
{
    char **longer = realloc(list, ((size_t)count + 2) * sizeof *longer);
    if (!longer) return NULL;
    longer[count] = strdup(text);
    longer[count + 1] = NULL;
    return longer;
}

static bool see(void *context, const char *group, const char *name, const char *value)
{
    kept_job *job = context;
    (void)group;
    if (!strcmp(name, "Folder")) {
        free(job->folder);
        return (job->folder = strdup(value)) != NULL;
    }
    if (!strcmp(name, "Tasks")) job->tasks = atoi(value);
    if (!strcmp(name, "Arguments")) {
        char **longer = append(job->arguments, job->argument_count, value);
        if (!longer) return false;
        job->arguments = longer;
        return longer[job->argument_count++] != NULL;
    }
    if (strcmp(name, "Fingerprint") != 0) return true;
    return output_add_notes(&job->label, value, NULL) == ARGAND_OK;
}

void kept_job_free(kept_job *job)
{
    for (int i = 0; i < job->argument_count; i++) free(job->arguments[i]);
    free(job->arguments);
    free(job->folder);
    free(job->label);
    *job = (kept_job){0};
}

static bool parse(kept_job *job, const char *text)
{
    *job = (kept_job){0};
    return json_walk(text, see, job) && job->folder && job->label && job->argument_count > 1 &&
           job->tasks >= 0 && job->tasks <= KEPT_MOST_TASKS;
}

argand_status kept_job_read(kept_job *job, const char *folder)
{
    char path[KEPT_PATH];
    unsigned char *text;
    size_t size;
    *job = (kept_job){0};
    job_path(path, folder);
    TRY(kept_file_read(path, &text, &size));
    if (!text) return ARGAND_OK;
    const bool good = strlen((const char *)text) == size && parse(job, (const char *)text);
    free(text);
    if (good) return ARGAND_OK;
    return report_error(ARGAND_FORMAT,
                        "%s: is damaged: remove it, and repeat the command of the volumes with --resume",
                        path);
}

/* ---- writing */

static argand_status print_job(json_writer *j, int tasks, const char *label)
{
    int count;
    bool first = true;
    char **arguments = kept_arguments(&count), *folder = getcwd(NULL, 0);
    argand_status status =
        arguments && folder ? ARGAND_OK : report_error(ARGAND_FILE, "the present folder has no name");
    if (status == ARGAND_OK) {
        json_text(j, "Folder", folder);
        json_key(j, "Tasks");
        fprintf(j->to, "%d", tasks);
        json_list(j, "Arguments", count, (const char *const *)arguments);
        json_key(j, "Fingerprint");
        fputc('[', j->to);
        json_lines(j, label, &first);
        fprintf(j->to, "\n%*s]", 2 * j->depth, "");
    }
    free(arguments);
    free(folder);
    return status;
}

/* Returns an error if the text does not give back what it was made of: arguments that are not UTF-8, or too
 * long. */
static argand_status check(const char *text, const char *label)
{
    int count;
    kept_job job;
    char **arguments = kept_arguments(&count);
    bool good = arguments && parse(&job, text) && !strcmp(job.label, label) && job.argument_count == count;
    for (int i = 0; good && i < count; i++) good = !strcmp(arguments[i], job.arguments[i]);
    free(arguments);
    kept_job_free(&job);
    return good ? ARGAND_OK
                : report_error(ARGAND_UNSUPPORTED,
                               "--task and --resume: the command line has names that are too long or not "
                               "UTF-8, so that job.json cannot hold it");
}

argand_status kept_job_write(const char *folder, int tasks, const char *label)
{
    char path[KEPT_PATH];
    json_writer j;
    job_path(path, folder);
    TRY(json_begin(&j));
    argand_status status = print_job(&j, tasks, label);
    const argand_status closed = json_finish(&j);
    if (status == ARGAND_OK) status = closed;
    if (status == ARGAND_OK) status = check(j.text, label);
    if (status == ARGAND_OK) status = kept_file_write(path, j.text, j.size);
    free(j.text);
    return status;
}
