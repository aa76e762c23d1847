/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators over ranks whose place among the data the caller knows. */
#ifndef DIST_OP_ACROSS_H
#define DIST_OP_ACROSS_H

#include <argand/dist.h>
#include "op/spread.h"

/* The meetings of a communicator's ranks, which operators share so that a failure is told once. */
argand_status op_meeting_new(op_meeting **m, argand_comm *comm);
op_meeting *op_meeting_keep(op_meeting *m);
void op_meeting_destroy(op_meeting *m); /* NULL is allowed */
argand_comm *op_meeting_comm(const op_meeting *m);
/* argand_op_across for a place that is known. Not collective. Keeps a reference to m. */
argand_status op_across_at(argand_op **op, argand_op *local, op_meeting *m, const op_place *place);
/* argand_op_sum_across, not collective. */
argand_status op_sum_across(argand_op **op, argand_op *local, op_meeting *m);

#endif
