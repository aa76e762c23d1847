/* SPDX-License-Identifier: BSD-3-Clause */
/* Corrects positions in k-space for delays of the gradients (--delay) and for a measured gradient impulse
 * response (--girf). The session applies both (argand_sense_options.girf). */
#ifndef CLI_SENSE_GRADIENTS_H
#define CLI_SENSE_GRADIENTS_H

#include "sense/inputs.h"

/* Reads the files of these options into the inputs, for sense_inputs_find, and prints a note. */
argand_status sense_gradients_find(sense_inputs *in, const sense_settings *s, report *out);
/* Prints the same note for a further scan of the session. */
void sense_gradients_tell(const sense_settings *s, report *out);

#endif
