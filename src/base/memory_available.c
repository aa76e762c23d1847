/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads how much memory the machine, the control group and the process's limits allow, and refuses
 * requests for more. */
#include "base/memory_available.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/cgroup.h"
#include "base/system/system.h"

enum { CHECKED_FROM = 64 << 20 }; /* bytes; smaller requests are not checked */

static _Atomic uint64_t told;

void argand_test_memory_available(uint64_t bytes)
{
    atomic_store(&told, bytes);
}

/* Reads the limit of one control group: a number, or "max" */
static double group_limit(const char *folder, bool v2)
{
    char line[128];
    double bytes;
    if (!cgroup_line(folder, v2 ? "memory.max" : "memory.limit_in_bytes", line, sizeof line)) return INFINITY;
    return sscanf(line, "%lf", &bytes) == 1 && bytes > 0 ? bytes : INFINITY;
}

/* Reads the machine's memory, total and unused. */
static void machine(double *all, double *left, const char *root)
{
    system_memory(all, left, root);
    if (*all <= 0) *all = INFINITY;
    if (*left <= 0) *left = *all;
}

/* Reads the process's address space, resident memory, and data. */
static void process(double *mapped, double *resident, double *data, const char *root)
{
    char path[4096], line[128] = "";
    double pages[3] = {0, 0, 0};
    snprintf(path, sizeof path, "%s/proc/self", root);
    if (cgroup_line(path, "statm", line, sizeof line))
        (void)sscanf(line, "%lf %lf %*f %*f %*f %lf", &pages[0], &pages[1], &pages[2]);
    const double page = (double)sysconf(_SC_PAGESIZE);
    *mapped = page * pages[0];
    *resident = page * pages[1];
    *data = page * pages[2];
}

static double own_limit(int which)
{
    struct rlimit r;
    return getrlimit(which, &r) || r.rlim_cur == RLIM_INFINITY ? INFINITY : (double)r.rlim_cur;
}

static uint64_t bytes_of(double bytes)
{
    return !(bytes < 0x1p63) ? UINT64_MAX : bytes > 0 ? (uint64_t)bytes : 0;
}

memory_amounts memory_available(const char *root)
{
    const uint64_t forced = atomic_load(&told);
    double all, left, mapped, resident, data;
    if (forced) return (memory_amounts){forced, forced};
    machine(&all, &left, root);
    process(&mapped, &resident, &data, root);
    const double group = cgroup_least(root, "memory", group_limit), most_mapped = own_limit(RLIMIT_AS),
                 most_data = own_limit(RLIMIT_DATA), own = fmin(most_mapped, most_data);
    const double own_left = fmin(most_mapped - mapped, most_data - data);
    return (memory_amounts){bytes_of(fmin(all, fmin(group, own))),
                            bytes_of(fmin(left, fmin(group - resident, own_left)))};
}

static argand_status refuse(size_t bytes, uint64_t there, const char *what, const char *which)
{
    CHECK(bytes <= there, ARGAND_MEMORY, "%s%sno memory for %.6g MB; %s %.6g MB", what ? what : "",
          what ? ": " : "", (double)bytes / 1e6, which, (double)there / 1e6);
    return ARGAND_OK;
}

argand_status memory_check_all(size_t bytes, const char *what)
{
    return bytes < CHECKED_FROM ? ARGAND_OK
                                : refuse(bytes, memory_available("").all, what, "this process may use");
}

argand_status memory_check_left(size_t bytes, const char *what)
{
    return bytes < CHECKED_FROM
               ? ARGAND_OK
               : refuse(bytes, memory_available("").left, what, "this process may still use");
}
