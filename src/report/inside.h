/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of a report, for the files of this folder:
 *
 *   report.c    collects what is added
 *   image.c     writes an image as JSON and packed pixels; reduce.c makes it smaller, quantise.c
 *               converts to 16 bits
 *   chart.c, tables.c   curves, figures, facts and timings as HTML
 *   page.c      puts all parts into page.html, with style and scripts
 *   escape.c, base64.c   safe text from any bytes */
#ifndef REPORT_INSIDE_H
#define REPORT_INSIDE_H

#include <argand/report.h>
#include "base/text.h"

typedef struct report_row {
    char *section, *name, *value;
    double number;
} report_row;

typedef struct report_rows {
    int64_t count, capacity;
    report_row *rows;
} report_rows;

typedef struct report_curve {
    char *name;
    int64_t count;
    double *y;
} report_curve;

enum { REPORT_NUMBERS = 12000000 }; /* limit of image values in one report */

struct argand_report {
    char *title;
    report_rows figures, facts, timings, texts;
    text notes; /* lines */
    int64_t curve_count, curve_capacity;
    report_curve *curves;
    int64_t numbers_left;
    int image_count, part_count;
    text images; /* JSON objects separated by commas */
    text pixels; /* elements with the packed values */
};

/* escape.c: writes UTF-8 of any origin; invalid bytes and invisible characters become U+FFFD. */
void add_html(text *t, const char *string);
void add_json(text *t,
              const char *string); /* with quotes; contains no '<', so that it is safe inside <script> */
void add_number(text *t,
                double number); /* for JSON and SVG: decimal point in every locale; null if not finite */

void add_base64(text *t, const unsigned char *bytes, size_t count);

void add_figures(text *t, const argand_report *r);
void add_facts(text *t, const argand_report *r);
void add_timings(text *t, const argand_report *r);
void add_notes(text *t, const argand_report *r);
void add_texts(text *t, const argand_report *r);
/* Writes the convergence chart as SVG; writes nothing if no curve has a finite value. */
argand_status add_chart(text *t, const argand_report *r);

#endif
