/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of processors that a control group grants, as containers and batch systems set it. */
#ifndef BASE_CPU_QUOTA_H
#define BASE_CPU_QUOTA_H

/* Returns CPU time per wall time of this process's group and all groups above it, rounded up, from /proc
 * and /sys (cgroup v2: cpu.max, v1: cpu.cfs_quota_us; cgroups(7)); 0: no limit is known. root: prefix of
 * all paths, "" except in tests. */
int cpu_quota(const char *root);

#endif
