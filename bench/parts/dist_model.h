/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_DIST_MODEL_H
#define BENCH_DIST_MODEL_H

#include "common/report.h"

/* Prints predicted times for several numbers of ranks, of the given size or of several. */
argand_status dist_model_print(const char *name, const argand_dist_machine *m,
                               const argand_dist_fft_options *o, bool is_given);

#endif
