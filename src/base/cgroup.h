/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of control groups, which containers and batch systems set (cgroups(7)). */
#ifndef BASE_CGROUP_H
#define BASE_CGROUP_H

#include <stdbool.h>

/* Returns the limit in one group's folder, or INFINITY if there is none. v2: files of the second version. */
typedef double cgroup_limit(const char *folder, bool v2);

/* The least of the group that this process is in and of those above it, as /proc and /sys say; INFINITY: no
 * limit is known. `controller` is its name in version 1. `root` stands before all paths: "" but in tests. */
double cgroup_least(const char *root, const char *controller, cgroup_limit *limit);
/* The first line of a file of a folder; false: there is none. */
bool cgroup_line(const char *folder, const char *file, char *line, int size);

#endif
