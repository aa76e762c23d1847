/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the missing lines of a scan before its reconstruction (argand_fill_create). */
#ifndef CLI_SENSE_FILL_H
#define CLI_SENSE_FILL_H

#include "sense/sense.h"

/* Finds the noise by which the session will whiten; *covariance stays NULL if there is too little of it. */
argand_status sense_fill_covariance(argand_array **covariance, const sense_settings *s,
                                    const argand_scan *scan, argand_device *host);
argand_status sense_fill(argand_fill **fill, const sense_settings *s, const argand_scan *scan, report *out);

#endif
