/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h: a report in one HTML file, which shows images and how they were made and needs no network. The
 * reader can page through images and change their window; the rest is plain HTML. See examples/report.c:
 *
 *     argand_report_create(&report, "Brain, spiral");
 *     argand_report_figure(report, "Residual", "0.021");
 *     argand_report_image(report, image, &(argand_report_view){.title = "Image", .geometry = &geometry});
 *     argand_report_write(report, "brain.html");
 *     argand_report_destroy(report);
 *
 * Texts are UTF-8 and may come from any source: they are shown literally and never interpreted as HTML. Each
 * item is copied when it is added; items of a kind appear in the order in which they were added.
 *
 * Limits: 12 million numbers of images (argand_report_image). Threads: a report is used by one thread at a
 * time. Refused with ARGAND_ARGUMENT: images of a storage type or without dimensions, negative times, unknown
 * colours. Numbers that are not finite are shown as gaps. NULL: see argand.h; a NULL text counts as empty,
 * and views may be NULL. */
#ifndef ARGAND_REPORT_H
#define ARGAND_REPORT_H

#include "io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_report argand_report;

ARGAND_API ARGAND_MUST_USE argand_status argand_report_create(argand_report **report, const char *title);
ARGAND_API void argand_report_destroy(argand_report *report);

/* Adds a figure to the top of the report, for the few most important results. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_figure(argand_report *report, const char *name,
                                                              const char *value);
/* Adds a row to the table `section` ("Scan", "Options", "Versions"). */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_fact(argand_report *report, const char *section,
                                                            const char *name, const char *value);
/* Adds notes for the reader, one sentence per line. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_notes(argand_report *report, const char *lines);
/* Adds prose under a heading, one paragraph per line ("Methods", then its references). */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_text(argand_report *report, const char *heading,
                                                            const char *paragraphs);
/* Adds the duration of a stage in seconds. Durations of stages with the same name are summed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_timing(argand_report *report, const char *stage,
                                                              double seconds);
/* Adds a curve to the convergence chart: y over 0, 1, ... count - 1, on a logarithmic axis. Numbers that
 * are not finite or not positive are gaps. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_curve(argand_report *report, const char *name,
                                                             int64_t count, const double *y);

typedef enum argand_report_colours {
    ARGAND_COLOURS_AUTO =
        0, /* grey; blue to red around 0 for maps with negative numbers; circle for phases */
    ARGAND_COLOURS_GREY = 1,
    ARGAND_COLOURS_SIGNED = 2, /* blue, white, red; 0 in the middle of the automatic window */
    ARGAND_COLOURS_HEAT = 3,   /* dark violet to yellow, with even steps in brightness */
    ARGAND_COLOURS_CIRCLE = 4  /* for angles: -pi and pi have the same colour */
} argand_report_colours;

typedef struct argand_report_view {
    const char *title;             /* "Image", "Field map" */
    bool map;                      /* show among the maps, below the images */
    const char *unit;              /* "Hz" */
    argand_report_colours colours; /* for magnitudes and real numbers; phases always use the circle */
    /* Window; both 0: from 0 to the 99.7th percentile, or symmetric around 0. */
    double low, high;
    const argand_geometry *geometry; /* voxel sizes and letters at the edges; NULL: cubes without letters */
    const char *volume_name;         /* name of the fourth dimension, such as "coil"; NULL means "volume" */
    const char *const *volumes;      /* names of the volumes, `volume_count` of them; NULL: numbers */
    int64_t volume_count;
} argand_report_view;

/* Adds an image {nx, ny, slices, volumes...}, real or complex, on any device, stored with 16 bits. A
 * complex image is shown as magnitude, phase, real or imaginary part. A report holds up to 12 million
 * numbers of images, and one image at most half of the rest. Larger images are shown at half (a quarter,
 * ...) of the resolution or with some of their slices and volumes; the report says so. view may be NULL. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_image(argand_report *report, const argand_array *image,
                                                             const argand_report_view *view);

/* Writes the report, completely or not at all. More may be added afterwards, and the report written again. */
ARGAND_API ARGAND_MUST_USE argand_status argand_report_write(const argand_report *report, const char *path);

#ifdef __cplusplus
}
#endif
#endif
