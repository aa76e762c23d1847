/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes rigid motion out of a scan (--motion): known, or found in the samples. */
#ifndef CLI_SENSE_MOTION_H
#define CLI_SENSE_MOTION_H

#include "sense/sense.h"

/* Makes a scan of the object that does not move; `moving` must outlive it. *scan stays NULL if no motion was
 * found. Prints notes; writes the motion that was found next to the image, if `writes`. */
argand_status sense_motion_still(argand_scan **scan, const sense_settings *s, const argand_scan *moving,
                                 argand_device *host, bool writes, report *out);

#endif
