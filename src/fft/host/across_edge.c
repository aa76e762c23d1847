/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages that read or write columns of memory: neighbouring lines side by side. */
#include "fft/host/across_stage.inc.h"

ACROSS_STAGES_OF(across_stage_from_columns, FROM_COLUMNS)
ACROSS_STAGES_OF(across_stage_to_columns, TO_COLUMNS)
ACROSS_STAGES_OF(across_stage_columns, FROM_COLUMNS | TO_COLUMNS)
