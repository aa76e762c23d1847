/* SPDX-License-Identifier: BSD-3-Clause */
/* Water and fat of a scan's samples, with what happens during the readout. */
#ifndef CLI_MAP_READOUT_H
#define CLI_MAP_READOUT_H

#include "map/map.h"

/* Returns why the readout of a scan cannot be taken into account; NULL: it can. */
const char *readout_doubt(const map_echoes *e);
/* Computes water and fat (complex) again from the samples of the scan, and the fraction. R2* and field
 * stay. */
argand_status readout_solve(const map_echoes *e, const argand_water_fat_maps *maps,
                            const argand_water_fat_options *fat, argand_device *device, report *out);

#endif
