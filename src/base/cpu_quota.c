/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns how many processors a control group grants, from cpu.max (version 2) or cpu.cfs_quota_us
 * (version 1). */
#include "base/cpu_quota.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include "base/cgroup.h"

/* Reads "max 100000" or "150000 100000" in version 2, two files in version 1. */
static double quota_of(const char *folder, bool v2)
{
    char line[128];
    double quota = 0, period = 0;
    if (!cgroup_line(folder, v2 ? "cpu.max" : "cpu.cfs_quota_us", line, sizeof line)) return INFINITY;
    const int numbers = sscanf(line, "%lf %lf", &quota, &period);
    if (!v2 && numbers == 1 &&
        (!cgroup_line(folder, "cpu.cfs_period_us", line, sizeof line) || sscanf(line, "%lf", &period) != 1))
        return INFINITY;
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

int cpu_quota(const char *root)
{
    const double least = cgroup_least(root, "cpu", quota_of);
    return least < INT_MAX ? (int)ceil(least) : 0;
}
