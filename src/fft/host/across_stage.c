/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages within the buffers. */
#include "fft/host/across_stage.inc.h"

ACROSS_STAGES_OF(across_stage, 0)
