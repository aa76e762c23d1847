/* SPDX-License-Identifier: BSD-3-Clause */
/* What moves positions in k-space: delays of the gradients (--delay), and a measured gradient impulse
 * response (--girf). The session plays them (argand_sense_options.girf). */
#ifndef CLI_SENSE_GRADIENTS_H
#define CLI_SENSE_GRADIENTS_H

#include "sense/inputs.h"

/* Reads what the options name into the inputs, for sense_inputs_find, and says so. */
argand_status sense_gradients_find(sense_inputs *in, const sense_settings *s, report *out);
/* Says it of a further scan of the session. */
void sense_gradients_tell(const sense_settings *s, report *out);

#endif
