/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans for a part of the oversampled grid: some planes across its last axis. Spreading and interpolation
 * alone (argand_nufft_spread, argand_nufft_interpolate) are meant for them. A part with enough ghost planes
 * at its ends is a periodic grid of which no window crosses the end, so that the ordinary kernels serve. */
#ifndef NUFFT_SLAB_H
#define NUFFT_SLAB_H

#include "nufft/plan.h"

/* Makes a plan for `planes` planes (an even number) of the grid that was chosen for the whole transform.
 * options: those of the whole transform, with defaults filled in. Positions are in cycles per field of view
 * with the sign of nufft_fill_defaults; on the last axis a position is half of the distance from plane 0, in
 * planes. Cells are in the order of an FFT's frequencies. */
argand_status nufft_slab_create(argand_nufft **plan, argand_device *device,
                                const argand_nufft_options *options, const choice *whole, int64_t planes);

#endif
