/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of segments. */
#ifndef SEGMENTS_SEGMENTS_H
#define SEGMENTS_SEGMENTS_H

#include <argand/segments.h>
#include "segments/design.h"

struct argand_segments {
    argand_array *time, *space; /* {samples, terms}, {pixels, terms} */
    argand_segments_info info;
};

/* choose.c: chooses interpolator and number of terms by the options. optimum: terms that the SVD needs. */
argand_status segments_choose(design *d, problem *p, int *optimum);

#endif
