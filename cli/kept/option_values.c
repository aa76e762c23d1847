/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of options as text, to find out whether two runs make the same images. A default that is given
 * is no difference. A file counts by its contents, so that it may be moved. */
#include "kept/kept.h"

#include <stdlib.h>
#include <string.h>

#include "common/origin.h"

/* Options that do not change the values of images; and arrays that are part of the scan's hash. */
static const char *const without[] = {"device", "threads", "json",       "quiet", "progress", "report",
                                      "part",   "dicom",   "save-maps",  "task",  "bids",     "bids-name",
                                      "resume", "kspace",  "trajectory", "times", NULL};

static bool counts(const option *o)
{
    if (o->kind == OPTION_GROUP) return false;
    for (const char *const *n = without; *n; n++)
        if (!strcmp(o->name, *n)) return false;
    return true;
}

static bool may_be_file(const option *o)
{
    return o->argument && (strstr(o->argument, "FILE") || strstr(o->argument, "MAP"));
}

/* Prints the SHA-256 of a file and of those that belong to it, and the name of an array in it. */
static argand_status print_file(FILE *to, const char *value, char path[ORIGIN_PATH])
{
    char sum[ARGAND_SHA256_TEXT], companion[ORIGIN_PATH];
    const char *inside = value + (strlen(path) < strlen(value) ? strlen(path) : strlen(value));
    TRY(argand_file_sha256(sum, path));
    fprintf(to, "sha256:%s%s", sum, inside);
    for (int i = 1; i < 3; i++) {
        snprintf(companion, sizeof companion, "%s", path);
        if (!origin_companion_of(companion, i)) continue;
        TRY(argand_file_sha256(sum, companion));
        fprintf(to, ",%s", sum);
    }
    return ARGAND_OK;
}

static argand_status print_text_value(FILE *to, const option *o)
{
    const char *value = *(const char **)o->value;
    char path[ORIGIN_PATH];
    if (value && may_be_file(o) && origin_file_of(value, path)) return print_file(to, value, path);
    for (; value && *value; value++) fputc(*value == '\n' ? ' ' : *value, to);
    return ARGAND_OK;
}

/* Prints the name of a choice. */
static void print_choice(FILE *to, const option *o)
{
    const char *at = o->choices;
    for (int i = *(const int *)o->value; i > 0 && *at; i--) {
        at += strcspn(at, "|");
        at += *at == '|';
    }
    fprintf(to, "%.*s", (int)strcspn(at, "|"), at);
}

static void print_sizes(FILE *to, const option_sizes *sizes)
{
    for (int i = 0; i < sizes->rank; i++) fprintf(to, "%s%lld", i ? "x" : "", (long long)sizes->n[i]);
}

static argand_status print_value(FILE *to, const option *o)
{
    switch (o->kind) {
    case OPTION_FLAG:
        fputs(*(const bool *)o->value ? "yes" : "no", to);
        break;
    case OPTION_INT: /* -1 stands for an option that was not given */
        if (*(const int *)o->value != -1) fprintf(to, "%d", *(const int *)o->value);
        break;
    case OPTION_SET:
        fprintf(to, "%d", *(const int *)o->value);
        break;
    case OPTION_DOUBLE:
        fprintf(to, "%.17g", *(const double *)o->value);
        break;
    case OPTION_TEXT:
        return print_text_value(to, o);
    case OPTION_CHOICE:
        print_choice(to, o);
        break;
    case OPTION_SIZES:
        print_sizes(to, o->value);
        break;
    case OPTION_GROUP:
        break;
    }
    return ARGAND_OK;
}

argand_status kept_option_values(char **values, const option *table, int count)
{
    size_t size;
    argand_status status = ARGAND_OK;
    FILE *to = open_memstream(values, &size);
    if (!to) return report_error(ARGAND_MEMORY, "out of memory");
    for (int i = 0; i < count && status == ARGAND_OK; i++) {
        if (!counts(&table[i])) continue;
        fprintf(to, "--%s=", table[i].name);
        status = print_value(to, &table[i]);
        fputc('\n', to);
    }
    if (fclose(to) && status == ARGAND_OK) status = report_error(ARGAND_MEMORY, "out of memory");
    return status;
}
