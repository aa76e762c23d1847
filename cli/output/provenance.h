/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that an independent reader needs to repeat a reconstruction and to describe it, for report and
 * sidecar. */
#ifndef CLI_OUTPUT_PROVENANCE_H
#define CLI_OUTPUT_PROVENANCE_H

#include "output/output.h"

/* provenance.c: command line, version and commit, environment, SHA-256 of the inputs. Calls the function
 * for each input. */
argand_status provenance_inputs(const output *o,
                                argand_status (*with)(void *context, const char *path, const char *sha256),
                                void *context);
argand_status provenance_report(argand_report *page, const output *o);

/* methods.c: adds a paragraph about how the images were made, with references. */
argand_status methods_report(argand_report *page, const output *o);

/* kspace.c: adds pictures of the density and magnitude of the samples. */
argand_status kspace_report(argand_report *page, const output *o);

#endif
