/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a function on every rank: threads of this process, or the processes of an MPI job if mpirun started
 * the test (mpirun.sh). cmocka's assertions belong to its own thread, so that a rank returns a status
 * instead. */
#ifndef TESTS_DIST_RANKS_H
#define TESTS_DIST_RANKS_H

#include "harness.h"

#include <pthread.h>
#include "base/status.h"

/* Ends a rank's function if the condition does not hold. */
#define RANK_CHECK(condition, ...) CHECK(condition, ARGAND_INTERNAL, __VA_ARGS__)

typedef argand_status (*rank_work)(argand_comm *comm, argand_device *own, void *context);

typedef struct rank_run {
    rank_work work;
    void *context;
    argand_comm *comm;
    pthread_t thread;
    argand_status status;
    char message[512];
} rank_run;

/* True if the test runs on host memory: argv[1] is cpu. */
static inline bool on_cpu(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !strcmp(info.backend, "cpu");
}

/* Opens a device of a rank: of the kind of the test's device. */
static inline argand_status open_own(argand_device **own)
{
    argand_device_info info;
    TRY(argand_device_describe(device, &info));
    TRY(argand_device_open(own, info.backend));
    return strcmp(info.backend, "cpu") ? ARGAND_OK : argand_device_set_threads(*own, 1);
}

static inline void *rank_thread(void *context)
{
    rank_run *r = context;
    argand_device *own = NULL;
    r->status = open_own(&own);
    if (!r->status) r->status = r->work(r->comm, own, r->context);
    if (r->status) snprintf(r->message, sizeof r->message, "%s", argand_message());
    argand_device_close(own);
    argand_comm_destroy(r->comm);
    return NULL;
}

static argand_comm *job; /* the MPI job, kept so that MPI ends once */

/* Returns true if mpirun started this test. */
static inline bool is_mpi_job(void)
{
    if (!job) OK(argand_comm_open(&job));
    return argand_comm_size(job) > 1;
}

/* Runs on `count` threads, and fails with the message of the first rank that failed. In an MPI job all ranks
 * run whatever the count. */
static inline void run_ranks(int count, rank_work work, void *context)
{
    rank_run runs[64] = {0};
    argand_comm *comms[64];
    if (is_mpi_job()) {
        rank_run one = {.work = work, .context = context, .comm = argand_comm_keep(job)};
        rank_thread(&one);
        if (one.status) fail_msg("rank %d: %s", argand_comm_rank(job), one.message);
        return;
    }
    OK(argand_comm_threads(comms, count));
    for (int r = 0; r < count; r++) {
        runs[r] = (rank_run){.work = work, .context = context, .comm = comms[r]};
        assert_int_equal(pthread_create(&runs[r].thread, NULL, rank_thread, &runs[r]), 0);
    }
    for (int r = 0; r < count; r++) pthread_join(runs[r].thread, NULL);
    for (int r = 0; r < count; r++)
        if (runs[r].status) fail_msg("rank %d of %d: %s", r, count, runs[r].message);
}

/* Ends the job: the last test of each program. */
static inline void end_job(void **state)
{
    (void)state;
    argand_comm_destroy(job);
    job = NULL;
}

#endif
