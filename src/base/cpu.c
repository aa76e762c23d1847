/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/cpu.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const level_names[CPU_LEVELS] = {"baseline", "avx2", "avx512"};

static cpu_level hardware_level(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return CPU_BASELINE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return CPU_AVX512;
    return CPU_AVX2;
#else
    return CPU_BASELINE;
#endif
}

cpu_level cpu_best(void)
{
    const cpu_level hardware = hardware_level();
    const char *wanted = getenv("ARGAND_CPU");
    if (!wanted) return hardware;
    for (cpu_level level = CPU_BASELINE; level < hardware; level++)
        if (!strcmp(wanted, level_names[level])) return level;
    return hardware;
}

const char *cpu_level_name(cpu_level level)
{
    return level < CPU_LEVELS ? level_names[level] : "unknown";
}

const char *cpu_name(void)
{
    static _Thread_local char name[128];
    if (name[0]) return name;
    snprintf(name, sizeof name, "CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) return name;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "model name", 10)) continue;
        const char *value = strchr(line, ':');
        if (value) snprintf(name, sizeof name, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        break;
    }
    fclose(file);
    return name;
}

/* A process that was forked has one thread, and OpenMP's others, which its memory speaks of, are none of its:
 * a parallel region would wait for them for ever. Whatever made the parent's threads (Argand, the program's
 * own OpenMP), where it had several when it forked the child does with the one that it has. */
static bool had_several, alone;

static void before_fork(void)
{
    struct stat threads; /* a folder for each of them: as many links, but for two */
    had_several = stat("/proc/self/task", &threads) || threads.st_nlink != 3;
}

static void in_child(void)
{
    alone = alone || had_several;
}

__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, NULL, in_child); /* without memory for it the program has not begun */
}

int cpu_threads(int wanted)
{
    if (alone) return 1;
    return wanted > 0 ? wanted : omp_get_max_threads();
}
