/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and literature of the methods that argand_sense offers, with a row for each value of an enum.
 * Help, messages, reports and Python read these tables. */
#include "recon/session/session.h"

static const argand_kind_info transforms[] = {
    {.name = "auto"}, {.name = "nufft"}, {.name = "dft"}, {.name = "dft-gradients"}, {.name = "segmented"}};

static const argand_kind_info uses[] = {{.name = "auto"}, {.name = "on"}, {.name = "off"}};

static const argand_kind_info coils[] = {
    {.name = "auto"},
    {"adaptive", "adaptive combination",
     "Walsh, Gmitro, Marcellin: Adaptive reconstruction of phased array MR imagery. Magn. Reson. Med. "
     "43:682, "
     "2000."},
    {"espirit", "ESPIRiT",
     "Uecker, Lai, Murphy, Virtue, Elad, Pauly, Vasanawala, Lustig: ESPIRiT - an eigenvalue approach to "
     "autocalibrating parallel MRI. Magn. Reson. Med. 71:990, 2014."},
    {"joint", "nonlinear inversion, together with an image",
     "Uecker, Hohage, Block, Frahm: Image reconstruction by regularized nonlinear inversion - joint "
     "estimation of "
     "coil sensitivities and image content. Magn. Reson. Med. 60:674, 2008."},
};

static const argand_kind_info densities[] = {
    {.name = "auto"},
    {.name = "none"},
    {"pipe", "their inverse density",
     "Pipe, Menon: Sampling density compensation in MRI: rationale and an iterative numerical solution. "
     "Magn. "
     "Reson. Med. 41:179, 1999."},
    {"file", "given density weights", NULL},
    {"deconvolve", "their inverse density, found by Fourier deconvolution",
     "Luo, Hu, Qi: arXiv 2510.14873, 2025."},
};

/* Returns row `value` of a table, or NULL where it has none. */
static const argand_kind_info *row_of(const argand_kind_info *table, size_t bytes, int value)
{
    return value >= 0 && (size_t)value < bytes / sizeof *table ? &table[value] : NULL;
}

static const char *name_of(const argand_kind_info *row)
{
    return row ? row->name : "unknown";
}

static argand_status describe(argand_kind_info *info, const argand_kind_info *row, const char *what,
                              int value)
{
    CHECK(info, ARGAND_ARGUMENT, "%s: nowhere to put the description", what);
    CHECK(row, ARGAND_ARGUMENT, "%s %d is not known", what, value);
    *info = *row;
    return ARGAND_OK;
}

const char *argand_transform_name(argand_transform transform)
{
    return name_of(row_of(transforms, sizeof transforms, (int)transform));
}

const char *argand_toeplitz_use_name(argand_toeplitz_use use)
{
    return name_of(row_of(uses, sizeof uses, (int)use));
}

const char *argand_coils_name(argand_coils way)
{
    return name_of(row_of(coils, sizeof coils, (int)way));
}

argand_status argand_coils_describe(argand_coils way, argand_kind_info *info)
{
    return describe(info, row_of(coils, sizeof coils, (int)way), "coil maps by way", (int)way);
}

const char *argand_density_name(argand_density density)
{
    return name_of(row_of(densities, sizeof densities, (int)density));
}

argand_status argand_density_describe(argand_density density, argand_kind_info *info)
{
    return describe(info, row_of(densities, sizeof densities, (int)density), "density", (int)density);
}
