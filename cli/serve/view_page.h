/* SPDX-License-Identifier: BSD-3-Clause */
/* The live page, embedded by cmake/embed.cmake. */
#ifndef CLI_VIEW_PAGE_H
#define CLI_VIEW_PAGE_H

typedef struct view_file {
    const char *file; /* "view.html" */
    const char *text;
} view_file;

extern const view_file view_page[]; /* ended by a NULL file */

#endif
