/* SPDX-License-Identifier: BSD-3-Clause */
/* Recipes and texts of the ladder's kernels, for source_more. */
#ifndef BENCH_LADDER_TEXTS_H
#define BENCH_LADDER_TEXTS_H

#include "kernels/texts.h"

extern const kernel_recipe ladder_recipes[];
extern const kernel_text ladder_texts[];

#endif
