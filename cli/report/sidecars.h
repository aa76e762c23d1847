/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_REPORT_BESIDE_H
#define CLI_REPORT_BESIDE_H

#include "common/command.h"

/* Adds facts, notes, timings and curves from an image file's sidecars, if there are any. caption: appended
 * to the names of sections and curves; NULL for a single image. */
argand_status report_sidecars(argand_report *page, const char *image, const char *caption);

#endif
