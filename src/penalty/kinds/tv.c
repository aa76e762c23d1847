/* SPDX-License-Identifier: BSD-3-Clause */
/* Total variation: the length of the vector of all differences at a pixel, or the sum of their magnitudes. */
#include "penalty/penalty.h"

static argand_status make_isotropic(prox **p, const argand_regularizer *r, argand_device *device,
                                    const argand_shape *shape, int space)
{
    (void)r, (void)device;
    return prox_make_pointwise(p, prox_run_soft, gradient_directions(shape, space));
}

static argand_status make_anisotropic(prox **p, const argand_regularizer *r, argand_device *device,
                                      const argand_shape *shape, int space)
{
    (void)r, (void)device, (void)shape, (void)space;
    return prox_make_pointwise(p, prox_run_soft, 1);
}

const penalty_kind penalty_tv = {
    .id = ARGAND_TV,
    .name = "tv",
    .form = "tv:WEIGHT",
    .summary = "total variation",
    .formula = "sum sqrt(sum_d |C_d x|^2)",
    .paper = "Rudin, Osher, Fatemi: Nonlinear total variation based noise removal algorithms. Physica D "
             "60:259, 1992.",
    .usual = 0.015,
    .of_gradient = true,
    .degree = 1,
    .threshold = 0.42,
    .keeps_to_noise = true,
    .prox = make_isotropic,
};

const penalty_kind penalty_tv_anisotropic = {
    .id = ARGAND_TV_ANISOTROPIC,
    .name = "tv-anisotropic",
    .form = "tv-anisotropic:WEIGHT",
    .summary = "anisotropic total variation",
    .formula = "sum_d sum |C_d x|",
    .paper =
        "Esedoglu, Osher: Decomposition of images by the anisotropic Rudin-Osher-Fatemi model. Comm. Pure "
        "Appl. Math. 57:1609, 2004.",
    .usual = 0.015,
    .of_gradient = true,
    .degree = 1,
    .threshold = 0.42,
    .keeps_to_noise = true,
    .prox = make_anisotropic,
};
