/* SPDX-License-Identifier: BSD-3-Clause */
/* across.h: operators whose data are spread over the ranks of a communicator (comm.h): the coils or shots of
 * one volume, say. Each rank has the same image x, and its own part y_r = A_r x of the data.
 *
 *     argand_op_across(&op, own, comm);               on each rank, `own` is its A_r
 *     argand_solve_cg(image, op, y, &options);        y: the data of this rank; the image is that of all
 *
 * Solvers take these operators as any other: inner products of data are sums over the ranks, and all ranks
 * stop in the same iteration with the same bits in the image (on processors that differ: up to rounding).
 * Calls of these operators, of argand_op_check and of the functions of solve.h are collective: all ranks make
 * them in the same order. If one rank fails, all fail, with its message.
 *
 * argand_op_chain, _sum, _scale, _adjoint_of and _normal_of keep the places of the data. Operators for
 * several shots, bands or repetitions refuse such parts (ARGAND_UNSUPPORTED). Operators of your own that call
 * these lose the places: a solver would take inner products of one rank. Apply argand_op_across to them
 * instead.
 *
 * Limits: those of comm.h. Threads: those of op.h; each rank is one thread at a time. Refused: images that
 * differ between ranks (ARGAND_ARGUMENT). NULL: see argand.h; a NULL communicator is one rank. */
#ifndef ARGAND_ACROSS_H
#define ARGAND_ACROSS_H

#include "comm.h"
#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates A of all ranks from this rank's `local` A_r. Apply: y_r = A_r x on each rank. Adjoint: x = sum_r
 * A_r^H y_r on all. The normal operator sum_r A_r^H A_r uses the one of `local`, and needs one sum over the
 * ranks. The data of the ranks count as one array, in the order of the ranks. Devices may differ. Keeps
 * references to both. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_across(argand_op **op, argand_op *local,
                                                          argand_comm *comm);
/* Creates the sum over the ranks, y = sum_r B_r x on all ranks, from this rank's `local` B_r: for normal
 * operators B_r = A_r^H W_r A_r, such as Toeplitz operators. The adjoint is sum_r B_r^H. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_sum_across(argand_op **op, argand_op *local,
                                                              argand_comm *comm);

#ifdef __cplusplus
}
#endif
#endif
