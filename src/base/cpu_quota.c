/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/cpu_quota.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 4096 };

/* The line of a file that holds numbers; false: there is none. */
static bool read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "re");
    if (!file) return false;
    const bool found = fgets(line, size, file) != NULL;
    fclose(file);
    return found;
}

/* Of one group: "max 100000" or "150000 100000" in v2, two files in v1; infinite where nothing is said. */
static double quota_of(const char *folder, bool v2)
{
    char path[PATH + 32], line[128];
    double quota = 0, period = 0;
    snprintf(path, sizeof path, "%s/%s", folder, v2 ? "cpu.max" : "cpu.cfs_quota_us");
    if (!read_line(path, line, sizeof line)) return INFINITY;
    const int numbers = sscanf(line, "%lf %lf", &quota, &period);
    if (!v2 && numbers == 1) {
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
        if (!read_line(path, line, sizeof line) || sscanf(line, "%lf", &period) != 1) return INFINITY;
    }
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* The least of a group and of all above it, up to the mount. In a container the group's own folder may be out
 * of sight. */
static double least_quota(const char *mount, const char *group, bool v2)
{
    char folder[PATH];
    double least = INFINITY;
    const int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || length >= PATH) return INFINITY;
    for (;;) {
        least = fmin(least, quota_of(folder, v2));
        char *slash = strrchr(folder + strlen(mount), '/');
        if (!slash) return least;
        *slash = 0;
    }
}

/* Whether v1's list of controllers, "cpu,cpuacct", names cpu. */
static bool names_cpu(const char *list)
{
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (!strncmp(list, "cpu", 3) && (!list[3] || list[3] == ',')) return true;
    return false;
}

/* A line of /proc/self/cgroup, "0::/user.slice" or "4:cpu,cpuacct:/docker/1f": number, controllers, group. */
static double quota_of_line(const char *root, char *line)
{
    char mount[PATH];
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    if (!group) return INFINITY;
    line[strcspn(line, "\n")] = 0;
    *group++ = 0;
    list++;
    if (*list && !names_cpu(list)) return INFINITY;
    snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s", root, *list ? "/cpu" : "");
    return least_quota(mount, strcmp(group, "/") ? group : "", !*list);
}

int cpu_quota(const char *root)
{
    char line[PATH];
    double least = INFINITY;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "re");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) least = fmin(least, quota_of_line(root, line));
    fclose(file);
    return least < INT_MAX ? (int)ceil(least) : 0;
}
