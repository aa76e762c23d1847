/* SPDX-License-Identifier: BSD-3-Clause */
/* The pixels of a plan: the unmasked ones, in rows of columns. */
#ifndef FIELD_PIXELS_H
#define FIELD_PIXELS_H

#include "field/input.h"
#include "field/plan.h"

argand_status field_axes_make(field_axes *axes, const field_input *input, bool paired);
void field_axes_release(field_axes *axes);
/* Rows of x that a segment of the axes covers: from segment * length on. */
int field_segment_length(int64_t nx);
argand_status field_pixels_make(field_pixels *pixels, const field_axes *axes, const field_input *input,
                                bool paired);
void field_pixels_release(field_pixels *pixels);

#endif
