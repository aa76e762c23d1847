/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the processor's instruction sets and how many processors this process may use, and chooses among
 * the compiled variants. */
#include "base/cpu.h"

#ifndef ARGAND_OWN_THREADS
#include <pthread.h>
#include <sys/stat.h>
#endif
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cpu_hardware.h"
#include "base/cpu_quota.h"
#include "base/system/system.h"

#ifdef __aarch64__ /* every such processor has NEON and FMA */
#define BASELINE_NAME "neon"
enum { BASELINE_BYTES = 16, BASELINE_REGISTERS = 32 };
#else
#define BASELINE_NAME "baseline"
enum { BASELINE_BYTES = 32, BASELINE_REGISTERS = 16 }; /* two halves of SSE2 */
#endif
static const char *const level_names[CPU_LEVELS] = {BASELINE_NAME, "avx2", "avx512"};

static cpu_level allowed_level(void)
{
    const cpu_level hardware = cpu_hardware_level();
    const char *wanted = getenv("ARGAND_CPU");
    if (!wanted) return hardware;
    for (cpu_level level = CPU_BASELINE; level < hardware; level++)
        if (!strcmp(wanted, level_names[level])) return level;
    return hardware;
}

static const bool built[CPU_LEVELS] = {
#ifndef ARGAND_WITHOUT_BASELINE
    [CPU_BASELINE] = true,
#endif
#ifndef ARGAND_WITHOUT_AVX2
    [CPU_AVX2] = true,
#endif
#ifndef ARGAND_WITHOUT_AVX512
    [CPU_AVX512] = true,
#endif
};

bool cpu_has(cpu_level level)
{
    return level < CPU_LEVELS && built[level];
}

static cpu_level lowest_built(void)
{
    cpu_level level = CPU_BASELINE;
    while (!cpu_has(level) && level < CPU_LEVELS) level++;
    return level;
}

cpu_level cpu_best(void)
{
    const cpu_level lowest = lowest_built();
    for (cpu_level level = allowed_level(); level > lowest; level--)
        if (cpu_has(level)) return level;
    return lowest;
}

bool cpu_is_served(const char **reason)
{
    static const char *const reasons[CPU_LEVELS] = {
        [CPU_AVX2] = "libargand was compiled for processors with AVX2 and FMA alone, which this one lacks "
                     "(or ARGAND_CPU says so); compile it with -DARGAND_LEVELS=all",
        [CPU_AVX512] = "libargand was compiled for processors with AVX-512 alone, which this one lacks (or "
                       "ARGAND_CPU says so); compile it with -DARGAND_LEVELS=all"};
    const cpu_level lowest = lowest_built();
    *reason = reasons[lowest];
    return allowed_level() >= lowest;
}

const char *cpu_level_name(cpu_level level)
{
    return level < CPU_LEVELS ? level_names[level] : "unknown";
}

int cpu_vector_bytes(void)
{
    static const int bytes[CPU_LEVELS] = {BASELINE_BYTES, 32, 64};
    return bytes[cpu_best()];
}

int cpu_registers(void)
{
    static const int registers[CPU_LEVELS] = {BASELINE_REGISTERS, 16, 32};
    return registers[cpu_best()];
}

const char *cpu_name(void)
{
    static _Thread_local char name[128];
    if (name[0]) return name;
    snprintf(name, sizeof name, "CPU");
    system_processor_name(name, sizeof name);
    return name;
}

/* The library's own teams (base/threads/team.h) handle forks. */
#ifdef ARGAND_OWN_THREADS
static const bool alone = false;
#else
/* Detects a fork. The child has one thread, but the OpenMP runtime's memory still lists the parent's
 * threads, and a parallel region would wait for them forever. If the parent had several threads when it
 * forked, whoever created them, the child therefore computes in its one thread. */
static bool had_several, alone;

static void before_fork(void)
{
    struct stat threads; /* the folder of threads has a link for each thread, plus two */
    had_several = stat("/proc/self/task", &threads) || threads.st_nlink != 3;
}

static void in_child(void)
{
    alone = alone || had_several;
}

__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, NULL,
                         in_child); /* fails only if there is no memory, before the program has begun */
}
#endif

static int count_allowed(void)
{
    int count = system_processors();
    const int quota = cpu_quota("");
    if (quota > 0 && quota < count) count = quota;
    return count > 0 ? count : 1;
}

int cpu_allowed(void)
{
    static _Atomic int allowed;
    int count = atomic_load_explicit(&allowed, memory_order_relaxed);
    if (!count) {
        count = count_allowed();
        atomic_store_explicit(&allowed, count, memory_order_relaxed);
    }
    return count;
}

/* Returns the first number of OMP_NUM_THREADS; 0: the variable is not set to a valid number. */
static int asked_for(void)
{
    const char *asked = getenv("OMP_NUM_THREADS");
    char *end;
    const long number = asked ? strtol(asked, &end, 10) : 0;
    return number > 0 && number < 1 << 20 && (!*end || *end == ',') ? (int)number : 0;
}

int cpu_threads(int wanted)
{
    if (alone) return 1;
    const int asked = wanted > 0 ? wanted : asked_for();
    return asked > 0 ? asked : cpu_allowed();
}
