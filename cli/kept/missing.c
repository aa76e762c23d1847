/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which tasks and volumes are missing, and the commands that make them. */
#include "kept/kept.h"

#include <stdlib.h>
#include <string.h>

int kept_count(const kept_run *k)
{
    int count = 0;
    for (int v = 0; v < k->volumes; v++) count += k->there[v];
    return count;
}

static void list_volumes(FILE *to, const kept_run *k, int task)
{
    int count = 0;
    for (int v = 0; v < k->volumes; v++)
        if (!k->there[v] && (!task || k->task_of[v] == task) && count++ < 12)
            fprintf(to, "%s%d", count > 1 ? ", " : "", v + 1);
    if (count > 12) fprintf(to, " and %d more", count - 12);
}

static void list_task(FILE *to, const kept_run *k, int task, int tasks)
{
    char more[64];
    fprintf(to, "\ntask %d of %d is missing (volumes ", task, tasks);
    list_volumes(to, k, task);
    snprintf(more, sizeof more, "--task %d/%d", task, tasks);
    char *line = kept_command(more);
    fprintf(to, "): %s", line ? line : "");
    free(line);
}

/* Lists tasks with missing volumes, a line each, with the command that makes them. */
static void list_tasks(FILE *to, const kept_run *k, int tasks)
{
    enum { MOST_LINES = 8 };
    int count = 0;
    bool *seen = calloc((size_t)tasks + 1, sizeof *seen);
    if (!seen || kept_deal(k->task_of, k->images->run.session, tasks) != ARGAND_OK) {
        free(seen);
        return;
    }
    for (int v = 0; v < k->volumes; v++) seen[k->task_of[v]] |= !k->there[v];
    for (int task = 1; task <= tasks; task++)
        if (seen[task] && count++ < MOST_LINES) list_task(to, k, task, tasks);
    if (count > MOST_LINES) fprintf(to, "\nand %d more tasks", count - MOST_LINES);
    free(seen);
}

argand_status kept_refuse_missing(const kept_run *k)
{
    char *text = NULL;
    size_t size;
    kept_job job;
    TRY(kept_job_read(&job, k->folder));
    FILE *to = open_memstream(&text, &size);
    if (!to) {
        kept_job_free(&job);
        return report_error(ARGAND_MEMORY, "out of memory");
    }
    fprintf(to, "%d of %d volumes are not there: ", k->volumes - kept_count(k), k->volumes);
    list_volumes(to, k, 0);
    if (job.tasks) {
        list_tasks(to, k, job.tasks);
    } else {
        char *line = kept_command("--resume");
        fprintf(to, "\nto reconstruct them: %s", line ? line : "");
        free(line);
    }
    if (k->damage) fprintf(to, "\n%.*s", (int)strlen(k->damage) - 1, k->damage);
    kept_job_free(&job);
    if (fclose(to)) text = NULL;
    const argand_status status = report_error(ARGAND_ARGUMENT, "%s: %s", k->folder, text ? text : "");
    free(text);
    return status;
}
