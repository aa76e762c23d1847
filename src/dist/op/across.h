/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators over ranks whose place among the data the caller knows. */
#ifndef DIST_OP_ACROSS_H
#define DIST_OP_ACROSS_H

#include <argand/across.h>
#include "op/spread.h"

/* argand_op_across for a place that is known. Not collective. */
argand_status op_across_at(argand_op **op, argand_op *local, argand_comm *comm, const op_place *place);
/* argand_op_sum_across, not collective. */
argand_status op_sum_across(argand_op **op, argand_op *local, argand_comm *comm);

#endif
