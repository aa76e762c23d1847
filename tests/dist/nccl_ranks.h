/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a function on ranks that have a CUDA device each, over NCCL: threads of this process, or the
 * processes of an MPI job. The devices are real, or those of the fake driver. */
#ifndef TESTS_DIST_NCCL_RANKS_H
#define TESTS_DIST_NCCL_RANKS_H

#include "dist/ranks.h"

#include "array/array.h"
#include "dist/comm/comm.h"

/* Returns the number of CUDA devices of this machine. */
static inline int cuda_devices(void)
{
    for (int i = 0; i < argand_backend_count(); i++) {
        const char *kind, *reason;
        int devices;
        OK(argand_backend_describe(i, &kind, &devices, &reason));
        if (!strcmp(kind, "cuda")) return devices;
    }
    return 0;
}

/* Opens the device of this rank's number among the ranks of its host. */
static inline argand_status own_device(argand_device **own, argand_comm *comm)
{
    argand_comm_info info;
    char name[32];
    TRY(argand_comm_describe(comm, &info));
    snprintf(name, sizeof name, "cuda:%d", info.local_rank);
    return argand_device_open(own, name);
}

typedef struct nccl_work {
    rank_work work;
    void *context;
} nccl_work;

static inline argand_status nccl_rank_run(argand_comm *host, argand_device *cpu, void *context)
{
    const nccl_work *w = context;
    argand_device *own = NULL;
    argand_comm *comm = NULL;
    (void)cpu;
    argand_status status = argand_comm_agree(host, own_device(&own, host));
    if (!status) status = argand_comm_nccl(&comm, host, own);
    if (!status) status = w->work(comm, own, w->context);
    argand_comm_destroy(comm);
    argand_device_close(own);
    return status;
}

/* Runs on 1 to all devices (4 at most). An MPI job must have a device for each of its ranks. */
static inline void run_devices(rank_work work, void *context)
{
    enum { MOST = 4 };
    nccl_work w = {work, context};
    const int devices = cuda_devices();
    if (is_mpi_job() && argand_comm_size(job) > devices) {
        printf("%d ranks and %d devices: skipped\n", argand_comm_size(job), devices);
        skip();
    }
    for (int ranks = 1; ranks <= devices && ranks <= MOST; ranks++) {
        run_ranks(ranks, nccl_rank_run, &w);
        if (is_mpi_job()) return;
    }
}

/* Returns true if NCCL can be used; says why not. */
static inline bool nccl_is_there(void)
{
    static bool asked, there;
    argand_comm *host, *comm = NULL;
    if (asked) return there;
    OK(argand_comm_self(&host));
    asked = true;
    there = !argand_comm_nccl(&comm, host, device);
    if (!there) printf("no NCCL: %s\n", argand_message());
    argand_comm_destroy(comm);
    argand_comm_destroy(host);
    return there;
}

#endif
