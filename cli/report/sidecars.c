/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an image's sidecars for `argand report`: its facts (.json) and the table of iterations (.csv).
 * Either may be missing. Invalid content is skipped, because any program may have written it. */
#include "report/sidecars.h"
#include "common/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_flat.h"
#include "output/labels.h"
#include "output/output.h"

enum { LARGEST = 16 << 20 };

/* Reads a whole file into memory that the caller frees; NULL if it is missing or too large. */
static char *read_text(const char *path)
{
    FILE *file = open_plain_file(path);
    if (!file) return NULL;
    char *text = malloc(LARGEST + 1);
    const size_t count = text ? fread(text, 1, LARGEST, file) : 0;
    const bool good = text && !ferror(file) && count < LARGEST;
    fclose(file);
    if (good) {
        text[count] = 0;
        char *fitting = realloc(text, count + 1);
        return fitting ? fitting : text;
    }
    free(text);
    return NULL;
}

static char *read_sidecar(const char *image, const char *ending)
{
    char path[4200];
    snprintf(path, sizeof path, "%.*s%s", (int)path_stem(image), image, ending);
    return read_text(path);
}

/* ------------------------------------------------------------------------------------------------ sidecar */

typedef struct gatherer {
    argand_report *page;
    const char *suffix; /* appended to the names of sections */
    char group[JSON_NAME], name[JSON_NAME],
        value[2 * JSON_VALUE]; /* not added yet: further elements of a list may follow */
    argand_status status;
} gatherer;

static void add_pending(gatherer *g)
{
    char section[600];
    const bool own = !strcmp(g->group, "Argand");
    if (!g->name[0] || g->status != ARGAND_OK) return;
    snprintf(section, sizeof section, "%s%s",
             own         ? "Reconstruction"
             : *g->group ? label_of_fact(g->group)
                         : "Scan",
             g->suffix);
    g->status = argand_report_fact(g->page, section, own ? label_of_fact(g->name) : g->name,
                                   own ? label_of_value(g->name, g->value) : g->value);
    g->name[0] = 0;
}

/* Joins the elements of a list in one row. */
static void gather(gatherer *g, const char *group, const char *name, const char *value)
{
    const size_t used = strlen(g->value);
    if (g->name[0] && !strcmp(g->group, group) && !strcmp(g->name, name)) {
        snprintf(g->value + used, sizeof g->value - used, ", %s", value);
        return;
    }
    add_pending(g);
    snprintf(g->group, sizeof g->group, "%s", group);
    snprintf(g->name, sizeof g->name, "%s", name);
    snprintf(g->value, sizeof g->value, "%s", value);
}

static bool visit(void *context, const char *group, const char *name, const char *value)
{
    gatherer *g = context;
    char *end;
    const double number = strtod(value, &end);
    if (!strcmp(group, "Timings") && end > value && !*end && number >= 0)
        g->status = argand_report_timing(g->page, name, number);
    else if (!strcmp(group, "Argand") && !strcmp(name, "Notes"))
        g->status = argand_report_notes(g->page, value);
    else
        gather(g, group, name, value);
    return g->status == ARGAND_OK;
}

static argand_status add_sidecar(argand_report *page, const char *image, const char *suffix)
{
    char *text = read_sidecar(image, ".json");
    gatherer g = {.page = page, .suffix = suffix, .status = ARGAND_OK};
    if (!text) return ARGAND_OK;
    json_walk(text, visit, &g);
    add_pending(&g);
    free(text);
    return g.status;
}

/* -------------------------------------------------------------------------------------------------- table */

/* Returns the column of a line with this heading; -1: none. */
static int column_of(const char *line, const char *head)
{
    for (int column = 0;; column++) {
        const size_t length = strcspn(line, ",\r\n");
        if (length == strlen(head) && !strncmp(line, head, length)) return column;
        if (line[length] != ',') return -1;
        line += length + 1;
    }
}

static double number_at(const char *line, int column)
{
    while (column-- > 0) {
        line += strcspn(line, ",\n");
        if (*line == ',') line++;
    }
    return strtod(line, NULL);
}

static argand_status add_curve(argand_report *page, const char *suffix, double volume,
                               const double *residuals, int64_t count)
{
    char name[600];
    snprintf(name, sizeof name, "volume %.0f%s", volume + 1, suffix);
    return count ? argand_report_curve(page, name, count, residuals) : ARGAND_OK;
}

static argand_status add_curves(argand_report *page, const char *text, double *residuals, const char *suffix)
{
    const int volumes = column_of(text, "volume"), values = column_of(text, "residual");
    double volume = 0;
    int64_t count = 0;
    if (volumes < 0 || values < 0) return ARGAND_OK;
    while ((text = strchr(text, '\n')) && *++text) {
        const double here = number_at(text, volumes);
        if (here != volume) {
            TRY(add_curve(page, suffix, volume, residuals, count));
            count = 0;
        }
        volume = here;
        residuals[count++] = number_at(text, values);
    }
    return add_curve(page, suffix, volume, residuals, count);
}

static argand_status add_table(argand_report *page, const char *image, const char *suffix)
{
    char *text = read_sidecar(image, ".csv");
    if (!text) return ARGAND_OK;
    double *residuals = malloc((strlen(text) + 1) * sizeof *residuals); /* each line has at least one byte */
    const argand_status status =
        residuals ? add_curves(page, text, residuals, suffix) : report_error(ARGAND_MEMORY, "out of memory");
    free(residuals);
    free(text);
    return status;
}

argand_status report_sidecars(argand_report *page, const char *image, const char *caption)
{
    char suffix[500];
    snprintf(suffix, sizeof suffix, "%s%s", caption ? ", " : "", caption ? caption : "");
    TRY(add_sidecar(page, image, suffix));
    return add_table(page, image, suffix);
}
