/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FFT_CPU_ACCESS_MIRROR_H
#define FFT_CPU_ACCESS_MIRROR_H

#include "fft/cpu/access/pass.h"

/* The middle chain on a whole spectrum, in place, with X[-k] for those that ask: lines along axis 0 and their
 * mirror images in turn. buffers: access_pass_bytes. */
void access_mirror_run(const access_pass *pass, const int64_t *coordinate, void *buffers);

#endif
