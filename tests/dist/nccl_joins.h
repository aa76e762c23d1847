/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that join over NCCL while one of them fails. */
#ifndef TESTS_DIST_NCCL_JOINS_H
#define TESTS_DIST_NCCL_JOINS_H

#include "dist/nccl_ranks.h"

#include "device/fakes/fake_gpu.h"

typedef struct nccl_join {
    struct fake_gpu *cuda;
    long after; /* entries of devices that succeed */
} nccl_join;

/* One rank cannot enter its device: at each of its entries while the ranks join. */
static inline argand_status joins(argand_comm *host, argand_device *cpu, void *context)
{
    const nccl_join *join = context;
    argand_device *own = NULL;
    argand_comm *comm = NULL;
    (void)cpu;
    argand_status all[8], status = argand_comm_agree(host, own_device(&own, host));
    TRY(argand_comm_barrier(host));
    if (argand_comm_rank(host) == 0) {
        join->cuda->fail_after = join->after;
        join->cuda->fail_with = 2;
        join->cuda->fail_function = "CtxPushCurrent";
    }
    TRY(argand_comm_barrier(host));
    if (!status) status = argand_comm_nccl(&comm, host, own);
    TRY(argand_comm_barrier(host));
    join->cuda->fail_function = NULL;
    TRY(argand_comm_gather(host, all, &status, sizeof status));
    argand_comm_destroy(comm);
    argand_device_close(own);
    RANK_CHECK(all[0] == all[1], "rank 0: %s, rank 1: %s", argand_status_name(all[0]),
               argand_status_name(all[1]));
    return status;
}

/* One rank gives no place for its communicator: all get the error. */
static inline argand_status without_place(argand_comm *host, argand_device *unused, void *context)
{
    argand_device *own;
    argand_comm *comm = NULL;
    (void)unused, (void)context;
    TRY(own_device(&own, host));
    const argand_status status = argand_comm_nccl(argand_comm_rank(host) ? &comm : NULL, host, own);
    argand_device_close(own);
    RANK_CHECK(status == ARGAND_ARGUMENT && !comm, "%s", argand_status_name(status));
    return argand_comm_barrier(host);
}

#endif
