/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH, Intel MPI, MVAPICH, Cray MPICH: handles are ints, and predefined handles are fixed numbers (the
 * MPICH ABI Compatibility Initiative, mpich.org/abi). */
#define INTERFACE mpi_mpich
#define INTERFACE_NAME "MPICH"
#define ANY_SOURCE (-2)
#define STATUSES_IGNORE ((void *)1)
#define PREDEFINED(library, variable, number) (number)
typedef int handle;
#include "dist/comm/mpi_calls.inc.h"
