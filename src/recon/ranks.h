/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions that several ranks run together (ranks.c). */
#ifndef RECON_RANKS_H
#define RECON_RANKS_H

#include "recon/session/session.h"

/* Ends the creation of a session: all ranks get `status` if one failed, and otherwise agree on what they
 * share. Collective. */
argand_status ranks_take(argand_sense *s, argand_status status, argand_comm *comm, int asked);
void ranks_release(argand_sense *s);
typedef argand_status ranks_function(argand_sense *s, int volume, argand_array *image, argand_monitor monitor,
                                     void *context);
/* Runs a volume on the ranks that share it; all ranks get the image, or the same error. */
argand_status ranks_run(argand_sense *s, int volume, argand_array *image, argand_monitor monitor,
                        void *context, ranks_function *run);

#endif
