/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of lines whose accessors are done by the line transform itself, as it reads and writes
 * (line/callback.h). */
#ifndef FFT_CPU_ACCESS_FUSED_H
#define FFT_CPU_ACCESS_FUSED_H

#include "fft/cpu/access/chain.h"

/* Whether a pass with lines so arranged can be done thus; *lines: how many make a block. */
bool access_fused_can(const access_pass *pass, int line_dim, bool columns, int64_t *lines);
/* Memory that it takes, for any arrangement. */
size_t access_fused_bytes(const access_pass *pass);
/* b->work: so much. */
void access_fused_run(const block_state *b);

#endif
