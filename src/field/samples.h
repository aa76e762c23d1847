/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of a plan: sorted by time, in padded blocks. */
#ifndef FIELD_SAMPLES_H
#define FIELD_SAMPLES_H

#include "field/input.h"
#include "field/plan.h"

argand_status field_samples_make(field_samples *samples, const field_input *input);
void field_samples_release(field_samples *samples);

#endif
