/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the contents of a report until it is written. */
#include <string.h>
#include "base/memory.h"
#include "report/inside.h"

static argand_status copy_string(char **copy, const char *string)
{
    const size_t length = strlen(string ? string : "");
    TRY(NEW(*copy, length + 1));
    memcpy(*copy, string ? string : "", length);
    return ARGAND_OK;
}

/* Makes space for one more element; existing elements keep their values. */
static argand_status reserve(void *pointer_to_elements, int64_t count, int64_t *capacity, size_t size)
{
    if (count < *capacity) return ARGAND_OK;
    const int64_t more = 2 * count + 8;
    void *old, *new;
    memcpy(&old, pointer_to_elements, sizeof old);
    TRY(memory_new(&new, (size_t)more, size));
    if (old) memcpy(new, old, (size_t)count * size);
    memory_free(old);
    memcpy(pointer_to_elements, &new, sizeof new);
    *capacity = more;
    return ARGAND_OK;
}

static void row_free(report_row *row)
{
    memory_free(row->section);
    memory_free(row->name);
    memory_free(row->value);
}

static argand_status add_row(report_rows *to, const char *section, const char *name, const char *value,
                             double number)
{
    report_row row = {.number = number};
    argand_status status;
    TRY(reserve(&to->rows, to->count, &to->capacity, sizeof *to->rows));
    TRY_OR_DONE(copy_string(&row.section, section));
    TRY_OR_DONE(copy_string(&row.name, name));
    TRY_OR_DONE(copy_string(&row.value, value));
    to->rows[to->count++] = row;
    return ARGAND_OK;
done:
    row_free(&row);
    return status;
}

static void rows_free(report_rows *rows)
{
    for (int64_t i = 0; i < rows->count; i++) row_free(&rows->rows[i]);
    memory_free(rows->rows);
}

argand_status argand_report_create(argand_report **report, const char *title)
{
    CHECK(report, ARGAND_ARGUMENT, "argand_report_create: nowhere to put the report");
    *report = NULL;
    argand_report *r;
    TRY(NEW(r, 1));
    r->numbers_left = REPORT_NUMBERS;
    const argand_status status = copy_string(&r->title, title);
    if (status == ARGAND_OK)
        *report = r;
    else
        argand_report_destroy(r);
    return status;
}

void argand_report_destroy(argand_report *r)
{
    if (!r) return;
    rows_free(&r->figures);
    rows_free(&r->facts);
    rows_free(&r->timings);
    rows_free(&r->texts);
    for (int64_t i = 0; i < r->curve_count; i++) {
        memory_free(r->curves[i].name);
        memory_free(r->curves[i].y);
    }
    memory_free(r->curves);
    text_free(&r->notes);
    text_free(&r->images);
    text_free(&r->pixels);
    memory_free(r->title);
    memory_free(r);
}

argand_status argand_report_figure(argand_report *r, const char *name, const char *value)
{
    CHECK(r, ARGAND_ARGUMENT, "argand_report_figure: no report");
    return add_row(&r->figures, NULL, name, value, 0);
}

argand_status argand_report_fact(argand_report *r, const char *section, const char *name, const char *value)
{
    CHECK(r, ARGAND_ARGUMENT, "argand_report_fact: no report");
    return add_row(&r->facts, section, name, value, 0);
}

argand_status argand_report_notes(argand_report *r, const char *lines)
{
    CHECK(r, ARGAND_ARGUMENT, "argand_report_notes: no report");
    const size_t length = strlen(lines ? lines : "");
    if (!length) return ARGAND_OK;
    text_add_bytes(&r->notes, lines, length);
    if (lines[length - 1] != '\n') text_add_bytes(&r->notes, "\n", 1);
    return r->notes.status;
}

argand_status argand_report_text(argand_report *r, const char *heading, const char *paragraphs)
{
    CHECK(r, ARGAND_ARGUMENT, "argand_report_text: no report");
    return add_row(&r->texts, NULL, heading, paragraphs, 0);
}

argand_status argand_report_timing(argand_report *r, const char *stage, double seconds)
{
    CHECK(r, ARGAND_ARGUMENT, "argand_report_timing: no report");
    CHECK(seconds >= 0 && seconds < 1e12, ARGAND_ARGUMENT,
          "argand_report_timing: %s took %g s; give 0 or more", stage ? stage : "a stage", seconds);
    for (int64_t i = 0; i < r->timings.count; i++)
        if (!strcmp(r->timings.rows[i].name, stage ? stage : "")) {
            r->timings.rows[i].number += seconds;
            return ARGAND_OK;
        }
    return add_row(&r->timings, NULL, stage, NULL, seconds);
}

argand_status argand_report_curve(argand_report *r, const char *name, int64_t count, const double *y)
{
    CHECK(r && count >= 0 && (y || !count), ARGAND_ARGUMENT, "argand_report_curve: %s",
          r ? "no numbers" : "no report");
    report_curve curve = {.count = count};
    argand_status status;
    TRY(reserve(&r->curves, r->curve_count, &r->curve_capacity, sizeof *r->curves));
    TRY_OR_DONE(copy_string(&curve.name, name));
    TRY_OR_DONE(NEW(curve.y, count));
    if (count) memcpy(curve.y, y, (size_t)count * sizeof *y);
    r->curves[r->curve_count++] = curve;
    return ARGAND_OK;
done:
    memory_free(curve.name);
    return status;
}
