/* SPDX-License-Identifier: BSD-3-Clause */
/* What an independent reader needs to repeat a reconstruction and to write it up, for report and sidecar. */
#ifndef CLI_OUTPUT_PROVENANCE_H
#define CLI_OUTPUT_PROVENANCE_H

#include "output/output.h"

/* provenance.c: command line, version and commit, environment, SHA-256 of the inputs. The function is called
 * for each input. */
argand_status provenance_inputs(const output *o,
                                argand_status (*with)(void *context, const char *path, const char *sha256),
                                void *context);
argand_status provenance_report(argand_report *page, const output *o);

/* methods.c: a paragraph of how images were made, and the papers that it cites. */
argand_status methods_report(argand_report *page, const output *o);

/* kspace.c: where samples lie, and how large they are. */
argand_status kspace_report(argand_report *page, const output *o);

#endif
