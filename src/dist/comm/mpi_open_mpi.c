/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: handles are pointers, and predefined handles are addresses of variables of the library. */
#define INTERFACE mpi_open_mpi
#define INTERFACE_NAME "Open MPI"
#define ANY_SOURCE (-1)
#define STATUSES_IGNORE ((void *)0)
#define PREDEFINED(library, variable, number) dlsym(library, variable)
typedef void *handle;
#include "dist/comm/mpi_calls.inc.h"
