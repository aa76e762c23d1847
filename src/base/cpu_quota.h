/* SPDX-License-Identifier: BSD-3-Clause */
/* How many processors a control group grants: containers and batch systems set it. */
#ifndef BASE_CPU_QUOTA_H
#define BASE_CPU_QUOTA_H

/* Processors' time per time of the group that this process is in, and of those above it, as /proc and /sys
 * say (cgroup v2's cpu.max, v1's cpu.cfs_quota_us; cgroups(7)), rounded up; 0: no limit is known. `root`
 * stands before both paths: "" but in tests. */
int cpu_quota(const char *root);

#endif
