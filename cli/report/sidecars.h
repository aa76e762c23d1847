/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_REPORT_BESIDE_H
#define CLI_REPORT_BESIDE_H

#include "common/command.h"

/* Facts, notes, timings and curves of an image file's sidecars, where there are any. caption: behind the
 * names of sections and curves; NULL where there is one image only. */
argand_status report_sidecars(argand_report *page, const char *image, const char *caption);

#endif
