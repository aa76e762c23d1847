/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of control groups, which containers and batch systems set (cgroups(7)). */
#ifndef BASE_CGROUP_H
#define BASE_CGROUP_H

#include <stdbool.h>

/* Returns the limit in one group's folder, or INFINITY if there is none. v2: files of the second version. */
typedef double cgroup_limit(const char *folder, bool v2);

/* Returns the smallest limit of this process's group and all groups above it, from /proc and /sys;
 * INFINITY: no limit is known. controller: its name in version 1. root: prefix of all paths, "" except in
 * tests. */
double cgroup_least(const char *root, const char *controller, cgroup_limit *limit);
/* Reads the first line of a file in a folder; returns false if there is none. */
bool cgroup_line(const char *folder, const char *file, char *line, int size);

#endif
