/* SPDX-License-Identifier: BSD-3-Clause */
/* Records how to repeat a reconstruction. The inputs are all files among the arguments except those that
 * the command writes. */
#include "output/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/origin.h"

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return b && *b && !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns true for OUT.nii.gz and the files that belong to it, which an earlier run may have left. */
static bool is_output(const output *o, const char *path)
{
    const output_settings *s = o->run.settings;
    char sidecar_path[ORIGIN_PATH];
    output_sidecar_path(sidecar_path, sizeof sidecar_path, o, ".json");
    return is_same_file(path, s->path) || is_same_file(path, s->report) || is_same_file(path, s->save_maps) ||
           is_same_file(path, sidecar_path);
}

argand_status provenance_inputs(const output *o,
                                argand_status (*with)(void *context, const char *path, const char *sha256),
                                void *context)
{
    char path[ORIGIN_PATH], sum[ARGAND_SHA256_TEXT];
    for (int at = 0; origin_next_file(&at, path);) {
        if (is_output(o, path)) continue;
        TRY(argand_file_sha256(sum, path));
        TRY(with(context, path, sum));
    }
    return ARGAND_OK;
}

static const char section[] = "How to repeat it";

static argand_status add_input(void *context, const char *path, const char *sum)
{
    char name[ORIGIN_PATH + 32];
    snprintf(name, sizeof name, "SHA-256 of %s", path);
    return argand_report_fact(context, section, name, sum);
}

/* Adds a text to the report and frees it. */
static argand_status add_owned(argand_report *page, const char *name, char *text)
{
    if (!text) return report_error(ARGAND_MEMORY, "out of memory");
    const argand_status status = *text ? argand_report_fact(page, section, name, text) : ARGAND_OK;
    free(text);
    return status;
}

argand_status provenance_report(argand_report *page, const output *o)
{
    char program[200];
    const char *commit = origin_commit();
    snprintf(program, sizeof program, "argand %s%s%s", argand_version(), *commit ? ", commit " : "", commit);
    TRY(add_owned(page, "Command", origin_command()));
    TRY(add_owned(page, "Environment", origin_environment()));
    TRY(argand_report_fact(page, section, "Program", program));
    return provenance_inputs(o, add_input, page);
}
