/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy of the image. */
#include "penalty/penalty.h"

const penalty_kind penalty_tikhonov = {.id = ARGAND_TIKHONOV,
                                       .name = "tikhonov",
                                       .other_name = "l2",
                                       .form = "tikhonov:WEIGHT",
                                       .summary = "the image's energy",
                                       .formula = "1/2 sum |x|^2",
                                       .usual = 0.01,
                                       .degree = 2};
