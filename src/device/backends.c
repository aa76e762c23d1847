/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of backends (backends.inc). */
#include "device/backend.h"

#define BACKEND(name) extern const backend backend_##name;
#include "device/backends.inc"
#undef BACKEND
extern const backend backend_offline;

/* "auto" does not reach those behind cpu: hip has not run on an AMD GPU yet, nor metal on a Mac; opencl lacks
 * transforms of its own, and its device may be the processor. */
#define BACKEND(name) &backend_##name,
const backend *const backends[] = {
#include "device/backends.inc"
    NULL};
#undef BACKEND

const backend *const backend_absent =
#ifdef ARGAND_CUDA
    &backend_offline;
#else
    NULL;
#endif

int argand_backend_count(void)
{
    return (int)(sizeof backends / sizeof *backends) - 1;
}

argand_status argand_backend_describe(int index, const char **name, int *devices, const char **reason)
{
    CHECK(index >= 0 && index < argand_backend_count(), ARGAND_ARGUMENT, "backend %d of %d", index,
          argand_backend_count());
    CHECK(name && devices && reason, ARGAND_ARGUMENT, "argand_backend_describe: a pointer is NULL");
    *name = backends[index]->name;
    *reason = "";
    *devices = backends[index]->count(reason);
    return ARGAND_OK;
}
