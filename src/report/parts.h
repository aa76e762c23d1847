/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the page that are embedded in the library (cmake/embed.cmake). */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

typedef struct report_part {
    const char *file; /* "page.html" */
    const char *text;
} report_part;

extern const report_part report_parts[]; /* ended by a NULL file */

#endif
