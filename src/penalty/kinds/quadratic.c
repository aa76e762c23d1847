/* SPDX-License-Identifier: BSD-3-Clause */
/* Roughness: the energy of all first differences. */
#include "penalty/penalty.h"

const penalty_kind penalty_quadratic = {.id = ARGAND_QUADRATIC,
                                        .name = "quadratic",
                                        .other_name = "roughness",
                                        .form = "quadratic:WEIGHT",
                                        .summary = "quadratic roughness",
                                        .formula = "1/2 sum_d sum |C_d x|^2",
                                        .usual = 0.01,
                                        .of_gradient = true,
                                        .degree = 2};
