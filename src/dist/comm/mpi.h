/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI libraries. An MPI library has one of two binary interfaces: handles are pointers (Open MPI) or ints
 * (MPICH and its relatives). mpi_calls.inc.h is compiled once for each. */
#ifndef DIST_MPI_H
#define DIST_MPI_H

#include "dist/comm/comm.h"

/* Functions of one binary interface. `library` comes from dlopen. */
typedef struct mpi_interface {
    const char *name;
    /* Makes a communicator from a copy of *mpi_comm, or of MPI_COMM_WORLD if it is NULL; starts MPI if
     * needed. */
    argand_status (*make)(void *library, const void *mpi_comm, argand_comm **comm);
} mpi_interface;

extern const mpi_interface mpi_open_mpi, mpi_mpich;

#endif
