/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a report, for the files of this folder:
 *   report.c    what was added, kept as it came
 *   image.c     an image as JSON and packed pixels; reduce.c makes it smaller, quantise.c
 *               brings it to 16 bits
 *   chart.c, tables.c   curves, figures, facts and timings as HTML
 *   page.c      all of it put into page.html, with style and scripts
 *   escape.c, base64.c   bytes as text that can do no harm */
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

enum { REPORT_NUMBERS = 12000000 }; /* of images, in one report */

struct argand_report {
    char *title;
    report_rows figures, facts, timings, texts;
    text notes; /* lines */
    int64_t curve_count, curve_capacity;
    report_curve *curves;
    int64_t numbers_left;
    int image_count, part_count;
    text images; /* JSON objects with commas between them */
    text pixels; /* elements that hold the packed numbers */
};

/* escape.c: UTF-8 of any origin; what is no UTF-8 and no sign to be seen becomes U+FFFD. */
void add_html(text *t, const char *string);
void add_json(text *t, const char *string); /* with quotes; holds no '<', so it may stand in a <script> */
void add_number(text *t,
                double number); /* for JSON and SVG: a point whatever the locale; null if not finite */

void add_base64(text *t, const unsigned char *bytes, size_t count);

void add_figures(text *t, const argand_report *r);
void add_facts(text *t, const argand_report *r);
void add_timings(text *t, const argand_report *r);
void add_notes(text *t, const argand_report *r);
void add_texts(text *t, const argand_report *r);
/* The convergence chart as SVG; nothing where no curve has a number that can be drawn. */
argand_status add_chart(text *t, const argand_report *r);

#endif
