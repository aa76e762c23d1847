/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes known rigid motion out of a scan (--motion). */
#ifndef CLI_SENSE_MOTION_H
#define CLI_SENSE_MOTION_H

#include "sense/sense.h"

/* Makes a scan of the object that does not move; `moving` must outlive it. Prints a note. */
argand_status sense_motion_still(argand_scan **scan, const sense_settings *s, const argand_scan *moving,
                                 report *out);

#endif
