/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand info`: figures of a scan (figures.c), printed as text (scan.c, encoding.c) or as
 * JSON (json.c); arrays and images (array.c). */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "common/report.h"

typedef struct info_range {
    double low, high;
} info_range;

typedef struct info_figures {
    int shots, partitions, slices, averages, contrasts, phases, repetitions, sets,
        segments;                                /* different values */
    info_range samples, centre, dwell, duration; /* of an acquisition; s */
    info_range k[3], t;
    double megabytes; /* of samples, in memory */
} info_figures;

void info_figure_out(info_figures *figures, const argand_scan *scan);

typedef struct info_array {
    info_range values; /* of the magnitude, if complex */
    int64_t count, zeros, not_finite;
} info_array;

/* parts: 2 for complex numbers; is_double: of the parts */
info_array info_look_at(const void *numbers, int64_t count, argand_type type);
/* Returns the meaning and unit of an array of this name; "" if unknown. */
const char *info_meaning(const char *name);

/* Parts of info_print_scan: an encoding, acquisitions other than image data, userParameters. */
void info_print_encoding(const argand_scan *scan, int i);
void info_print_auxiliary(const argand_scan *scan);
void info_print_parameters(const argand_scan *scan);
void info_print_scan(const argand_scan *scan, double file_bytes);
void info_write_json(report *r, const argand_scan *scan, double file_bytes);
/* npy, cfl, NIfTI */
argand_status info_print_file(report *r, const char *path);

#endif
