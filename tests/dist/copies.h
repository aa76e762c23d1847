/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of host arrays on the device under test, and back. */
#ifndef TESTS_DIST_COPIES_H
#define TESTS_DIST_COPIES_H

#include "dist/ranks.h"

#include "array/array.h"
#include "base/memory.h"
#include "sample.h"

/* Kernels of PoCL take long to compile: OpenCL gets the first problem of each test alone, on 3 ranks. */
static inline bool on_opencl(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !strcmp(info.backend, "opencl");
}

static inline bool on_cuda(void)
{
    return !on_cpu() && !on_opencl();
}

/* Runs each of the problems on several numbers of ranks. */
static inline void run_problems(rank_work work, const void *problems, size_t count, size_t size)
{
    static const int ranks[] = {3, 1, 2, 4, 7};
    const int counts = is_mpi_job() || on_opencl() ? 1 : on_cpu() ? 5 : 2;
    for (int r = 0; r < counts; r++)
        for (size_t i = 0; i < (on_opencl() ? 1 : count); i++)
            run_ranks(ranks[r], work, (char *)(uintptr_t)problems + i * size);
}

/* Lets each allocation of the ranks fail once during `life`: all ranks get the same status, and none waits
 * for ever. Some failures are no errors: another algorithm of the FFT serves. */
static inline argand_status fail_allocations(argand_comm *comm, argand_device *own, rank_work life,
                                             void *context)
{
    enum { MOST = 64 };
    argand_status status = life(comm, own, context), all[MOST];
    for (long n = 1; !status && n < 500; n += is_first_tier() ? 1 + n / 8 : 1) {
        TRY(argand_comm_barrier(comm));
        if (argand_comm_rank(comm) == 0) argand_test_fail_allocation(n);
        TRY(argand_comm_barrier(comm));
        const argand_status now = life(comm, own, context);
        argand_test_fail_allocation(0);
        RANK_CHECK(!now || now == ARGAND_MEMORY, "allocation %ld: %s", n, argand_message());
        TRY(argand_comm_gather(comm, all, &now, sizeof now));
        RANK_CHECK(all[0] == all[argand_comm_size(comm) - 1], "allocation %ld: ranks differ", n);
    }
    return status;
}

/* Runs a test of refusals, and one that calls fail_allocations, which is not for the processes of MPI. */
static inline void run_failures(rank_work refusals, rank_work allocations)
{
    if (!on_cpu()) skip();
    for (int ranks = 1; ranks <= 3; ranks++) run_ranks(ranks, refusals, NULL);
    for (int ranks = 1; ranks <= 2 && !is_mpi_job(); ranks++) run_ranks(ranks, allocations, NULL);
}

/* NULL remains NULL. */
static inline argand_status copy_to(argand_array **copy, const argand_array *host, argand_device *own)
{
    *copy = NULL;
    if (!host) return ARGAND_OK;
    TRY(argand_array_create(copy, own, host->type, host->rank, host->dims));
    return argand_array_copy(*copy, host);
}

/* Copies the result to the host and destroys both copies. */
static inline argand_status copy_back(argand_array *host, argand_array *result, argand_array *other)
{
    argand_status status = ARGAND_OK;
    if (host) status = argand_array_copy(host, result);
    argand_array_destroy(result);
    argand_array_destroy(other);
    return status;
}

#endif
