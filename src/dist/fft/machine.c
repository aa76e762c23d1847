/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of machines for predictions: of known devices, or measured. */
#include "dist/fft/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory.h"
#include "fft/plan/waiting.h"

/* GPUs: memory bandwidth that passes of an FFT reach (0.8 to 0.85 of the nominal one), 0.7 of NVLink's
 * nominal bandwidth in each direction, 0.7 of one 200 or 400 Gb/s InfiniBand port for each GPU. fft_rate
 * does not limit there. The cpu: one core of a server that shares memory with the other ranks. */
static const struct {
    const char *name;
    argand_dist_machine machine;
} named[] = {
    {"cpu", {8e9, 12e9, 2e-6, 5e-6, 2e9, 10e-6, 1e9, 0, 0, 0}},
    {"a100", {6e12, 1.6e12, 8e-6, 6e-6, 192e9, 12e-6, 17.5e9, 8, 1, 80e9}},
    {"h100", {12e12, 2.7e12, 8e-6, 6e-6, 288e9, 12e-6, 35e9, 8, 1, 80e9}},
    {"h200", {12e12, 3.8e12, 8e-6, 6e-6, 288e9, 12e-6, 35e9, 8, 1, 141e9}},
    /* ranks that are threads of one process: copies from memory to memory, which need no packing */
    {"h200-threads", {12e12, 3.8e12, 8e-6, 20e-6, 385e9, 12e-6, 35e9, 8, 0, 141e9}},
};
enum { NAMED = sizeof named / sizeof *named };

argand_status argand_dist_machine_named(argand_dist_machine *machine, const char *name)
{
    CHECK(machine && name, ARGAND_ARGUMENT, "argand_dist_machine_named: a pointer is NULL");
    for (int i = 0; i < NAMED; i++)
        if (!strcmp(named[i].name, name)) {
            *machine = named[i].machine;
            return ARGAND_OK;
        }
    return status_set(ARGAND_ARGUMENT, "there is no machine %s; give cpu, a100, h100, h200 or h200-threads",
                      name);
}

const argand_dist_machine *dist_machine_of(argand_device *device)
{
    argand_device_info info;
    int best = 0;
    if (argand_device_describe(device, &info)) return &named[0].machine;
    if (!info.host_addressable && !info.is_processor) best = 2; /* other GPUs are taken for an H100 */
    if (strstr(info.name, "A100")) best = 1;
    if (strstr(info.name, "H200")) best = 3;
    return &named[best].machine;
}

/* Seconds of an exchange of `bytes` with every other rank; the shortest of a few. */
static argand_status time_exchange(argand_comm *comm, comm_block *blocks, char *memory, size_t bytes,
                                   int repeats, double *seconds)
{
    const int ranks = argand_comm_size(comm), me = argand_comm_rank(comm);
    int count = 0;
    for (int step = 1; step < ranks; step++, count++) {
        blocks[count] = (comm_block){(me + step) % ranks, memory + bytes * (size_t)count, bytes, 0, 1};
        blocks[ranks - 1 + count] = (comm_block){(me + ranks - step) % ranks,
                                                 memory + bytes * (size_t)(ranks - 1 + count), bytes, 0, 1};
    }
    *seconds = HUGE_VAL;
    for (int i = 0; i < repeats; i++) {
        TRY(argand_comm_barrier(comm));
        const double start = clock_seconds();
        TRY(comm_exchange(comm, blocks, count, blocks + count, count));
        *seconds = fmin(*seconds, clock_seconds() - start);
    }
    return ARGAND_OK;
}

/* Host memory; the messages of a communicator on devices begin and end there too. */
static argand_status measure_exchange(argand_dist_machine *m, argand_comm *comm)
{
    enum { FEW = 8, MANY = 1 << 20, MOST_RANKS = 64 };
    const int ranks = argand_comm_size(comm);
    comm_block *blocks;
    char *memory = NULL;
    double few, many;
    if (ranks == 1 || ranks > MOST_RANKS || comm->engine->device_memory) return ARGAND_OK;
    argand_status status = NEW(blocks, 2 * ranks);
    if (!status) status = NEW(memory, 2 * (size_t)ranks * MANY);
    status = argand_comm_agree(comm, status);
    if (!status) status = time_exchange(comm, blocks, memory, FEW, 20, &few);
    if (!status) status = time_exchange(comm, blocks, memory, MANY, 5, &many);
    if (!status) {
        m->latency = m->far_latency = few / (ranks - 1);
        m->bandwidth = m->far_bandwidth = (double)(ranks - 1) * MANY / fmax(many - few, 1e-9);
    }
    memory_free(memory);
    memory_free(blocks);
    return status;
}

/* Seconds of one call, the shortest of a few after one that is not counted. */
static argand_status time_local(argand_device *device, const argand_fft *plan, argand_array *out,
                                const argand_array *in, double *seconds)
{
    *seconds = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        const double start = clock_seconds();
        TRY(plan ? argand_fft_apply(plan, out, in, ARGAND_FORWARD) : argand_array_copy(out, in));
        TRY(argand_device_wait(device));
        if (i) *seconds = fmin(*seconds, clock_seconds() - start);
    }
    return ARGAND_OK;
}

/* Times the transform of an array of these dimensions, and its copy unless `copy` is NULL. */
static argand_status time_transform(argand_device *device, int rank, int64_t n, double *fft, double *copy)
{
    const argand_fft_options o = {.type = ARGAND_C32, .rank = rank, .n = {n, n, n}};
    const int64_t dims[3] = {n, n, n};
    argand_array *in = NULL, *out = NULL;
    argand_fft *plan = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&in, device, ARGAND_C32, rank, dims));
    TRY_OR_DONE(argand_array_create(&out, device, ARGAND_C32, rank, dims));
    TRY_OR_DONE(fft_create_waiting(&plan, device, &o));
    TRY_OR_DONE(time_local(device, plan, out, in, fft));
    if (copy) TRY_OR_DONE(time_local(device, NULL, out, in, copy));
done:
    argand_fft_destroy(plan);
    argand_array_destroy(out);
    argand_array_destroy(in);
    return status;
}

/* Measures rates by a cube beyond the caches, and the start of a transform by a short line. */
static argand_status measure_local(argand_dist_machine *m, argand_device *device)
{
    enum { N = 192, FEW = 4 };
    const double points = (double)N * N * N;
    double fft, copy, start;
    TRY(time_transform(device, 3, N, &fft, &copy));
    TRY(time_transform(device, 1, FEW, &start, NULL));
    m->start = start;
    m->fft_rate = 5 * points * log2(points) / fft;
    m->memory_bandwidth = 16 * points / copy;
    return ARGAND_OK;
}

/* All ranks take the slowest rank's values. */
static argand_status slowest(argand_dist_machine *m, argand_comm *comm)
{
    const int ranks = argand_comm_size(comm);
    argand_dist_machine *all;
    argand_status status = argand_comm_agree(comm, NEW(all, ranks));
    if (!status) status = argand_comm_gather(comm, all, m, sizeof *m);
    for (int r = 0; r < ranks && !status; r++) {
        m->fft_rate = fmin(m->fft_rate, all[r].fft_rate);
        m->memory_bandwidth = fmin(m->memory_bandwidth, all[r].memory_bandwidth);
        m->start = fmax(m->start, all[r].start);
        m->latency = m->far_latency = fmax(m->latency, all[r].latency);
        m->bandwidth = m->far_bandwidth = fmin(m->bandwidth, all[r].bandwidth);
    }
    memory_free(all);
    return status;
}

/* The known constants, which are then replaced by measured ones. */
static argand_status begin(argand_dist_machine *m, argand_device *device)
{
    argand_device_info info;
    CHECK(m && device, ARGAND_ARGUMENT, "argand_dist_machine_measure: a pointer is NULL");
    TRY(argand_device_describe(device, &info));
    *m = *dist_machine_of(device);
    m->node_ranks = 0;
    m->memory = (double)info.memory;
    return ARGAND_OK;
}

argand_status argand_dist_machine_measure(argand_dist_machine *machine, argand_comm *comm,
                                          argand_device *device)
{
    argand_dist_machine m;
    TRY(argand_comm_agree(comm, begin(machine ? &m : NULL, device)));
    if (comm) TRY(measure_exchange(&m, comm));
    /* all ranks at once, as in a transform */
    TRY(argand_comm_barrier(comm));
    TRY(argand_comm_agree(comm, measure_local(&m, device)));
    if (argand_comm_size(comm) > 1) TRY(slowest(&m, comm));
    *machine = m;
    return ARGAND_OK;
}
