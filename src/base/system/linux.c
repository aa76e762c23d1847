/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of Linux. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "base/system/system.h"
#include "base/system/cpu_model.h"

const char *system_trusted_variable(const char *name)
{
    return secure_getenv(name);
}

int system_exchange_names(const char *a, const char *b)
{
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
}

int system_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);
}

void system_processor_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file) return;
#ifdef __aarch64__
    if (!cpu_model_read(name, size, file, true)) snprintf(name, size, "Arm processor");
#else
    cpu_model_read(name, size, file, false);
#endif
    fclose(file);
}

/* Reads lines "MemAvailable: 123 kB". */
void system_memory(double *all, double *left, const char *root)
{
    char path[4096], line[256], name[64];
    double kilobytes;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    FILE *file = fopen(path, "re");
    double found[4] = {0};
    static const char *const names[4] = {"MemTotal:", "SwapTotal:", "MemAvailable:", "SwapFree:"};
    while (file && fgets(line, sizeof line, file)) {
        const bool is_number = sscanf(line, "%63s %lf", name, &kilobytes) == 2;
        for (int i = 0; i < 4 && is_number; i++)
            if (!strcmp(name, names[i])) found[i] = 1024 * kilobytes;
    }
    if (file) fclose(file);
    *all = found[0] > 0 ? found[0] + found[1] : 0;
    *left = found[2] > 0 ? found[2] + found[3] : 0;
}

int system_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

int system_shared_memory(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

bool system_seal(int memory)
{
    return !fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}

bool system_reserve(int memory, size_t bytes)
{
    return !posix_fallocate(memory, 0, (off_t)bytes);
}

void system_close_range(int first, int last)
{
    if (first <= last) close_range((unsigned)first, (unsigned)last, 0);
}

void system_end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}
