/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h: one HTML file that shows images and how they came about, for a browser without a network. Images
 * can be paged through and windowed; everything else in it is plain HTML. See examples/report.c:
 *
 *     argand_report_create(&report, "Brain, spiral");
 *     argand_report_figure(report, "Residual", "0.021");
 *     argand_report_image(report, image, &(argand_report_view){.title = "Image", .geometry = &geometry});
 *     argand_report_write(report, "brain.html");
 *     argand_report_destroy(report);
 *
 * Texts are UTF-8 of any origin: they are shown as they are and never taken for HTML. What is added is
 * copied, and stands in the report in the order in which it came.
 *
 * Limits: 12 million numbers of images (argand_report_image). Threads: a report is for one thread at a time.
 * Refused with ARGAND_ARGUMENT: images that are storage types or have no dimension, times below 0, colours
 * that there are not; numbers that are not finite are shown as gaps. NULL: see argand.h; texts that are NULL
 * count as empty, and views may be NULL. */
#ifndef ARGAND_REPORT_H
#define ARGAND_REPORT_H

#include "io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_report argand_report;

ARGAND_API ARGAND_MUST_USE argand_status argand_report_create(argand_report **report, const char *title);
ARGAND_API void argand_report_destroy(argand_report *report);

/* A figure at the top: the few that one looks for first. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_figure(argand_report *report, const char *name,
                                                              const char *value);
/* A row of the table `section` ("Scan", "Options", "Versions"). */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_fact(argand_report *report, const char *section,
                                                            const char *name, const char *value);
/* What is to be read, a sentence a line. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_notes(argand_report *report, const char *lines);
/* Prose under a heading, a paragraph a line ("Methods", then its references). */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_text(argand_report *report, const char *heading,
                                                            const char *paragraphs);
/* Seconds that a stage took; stages of the same name are added up. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_timing(argand_report *report, const char *stage,
                                                              double seconds);
/* A curve of the convergence chart: y over 0, 1, ... count - 1, on a logarithmic axis. Numbers that are not
 * finite or not positive are gaps. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_curve(argand_report *report, const char *name,
                                                             int64_t count, const double *y);

typedef enum argand_report_colours {
    ARGAND_COLOURS_AUTO =
        0, /* grey; blue to red around 0 for maps with negative numbers; a circle for phases */
    ARGAND_COLOURS_GREY = 1,
    ARGAND_COLOURS_SIGNED = 2, /* blue, white, red; 0 in the middle of the automatic window */
    ARGAND_COLOURS_HEAT = 3,   /* dark violet to yellow, evenly brighter */
    ARGAND_COLOURS_CIRCLE = 4  /* for angles: -pi and pi look alike */
} argand_report_colours;

typedef struct argand_report_view {
    const char *title;               /* "Image", "Field map" */
    bool map;                        /* shown among the maps, below the images */
    const char *unit;                /* "Hz" */
    argand_report_colours colours;   /* of magnitudes and real numbers; phases have the circle */
    double low, high;                /* window; both 0: from 0, or symmetric, to the 99.7th percentile */
    const argand_geometry *geometry; /* sizes of voxels, letters at the edges; NULL: cubes, no letters */
    const char *volume_name;         /* what the fourth dimension counts: "coil"; NULL means "volume" */
    const char *const *volumes;      /* names of the volumes, `volume_count` of them; NULL: numbers */
    int64_t volume_count;
} argand_report_view;

/* image: {nx, ny, slices, volumes...}, real or complex (then shown as magnitude, phase, real or imaginary
 * part), on any device. Shown with 16 bits. A report holds up to 12 million numbers of images, and one image
 * at most half of what is left: larger ones are shown at half (quarter ...) the resolution or with some of
 * their slices and volumes, and the report says so. view may be NULL. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_image(argand_report *report, const argand_array *image,
                                                             const argand_report_view *view);

/* Whole or not at all; the report may be added to and written again. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_write(const argand_report *report, const char *path);

#ifdef __cplusplus
}
#endif
#endif
