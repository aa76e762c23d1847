/* SPDX-License-Identifier: BSD-3-Clause */
/* Points that are set again and again, for frames. */
#ifndef NUFFT_AGAIN_H
#define NUFFT_AGAIN_H

#include <argand/nufft.h>

/* Sets as many other points as the plan has. Positions must be finite: on GPUs with doubles this is not
 * checked. There it waits for nothing, and allocates nothing from the second time on, so that it can be
 * recorded (device_record), with the calls of the plan. If it fails, the plan has no useful points.
 * Elsewhere it is argand_nufft_set_points. */
argand_status nufft_set_points_again(argand_nufft *plan, argand_array *const k[]);

#endif
