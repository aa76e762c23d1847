/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the limits of this process's control group and of the groups above it, versions 1 and 2
 * (cgroups(7)). */
#include "base/cgroup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 4096 };

bool cgroup_line(const char *folder, const char *name, char *line, int size)
{
    char path[PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    const bool found = fgets(line, size, file) != NULL;
    fclose(file);
    return found;
}

/* Returns the smallest limit of a group and all groups above it, up to the mount point. In a container the
 * group's own folder may be invisible. */
static double least_of(const char *mount, const char *group, bool v2, cgroup_limit *limit)
{
    char folder[PATH];
    double least = INFINITY;
    const int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || length >= PATH) return INFINITY;
    for (;;) {
        least = fmin(least, limit(folder, v2));
        char *slash = strrchr(folder + strlen(mount), '/');
        if (!slash) return least;
        *slash = 0;
    }
}

/* Returns true if the list of controllers of version 1, such as "cpu,cpuacct", contains the name. */
static bool has_name(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (!strncmp(list, name, length) && (!list[length] || list[length] == ',')) return true;
    return false;
}

/* Returns the limit for a line of /proc/self/cgroup, "0::/user.slice" or "4:cpu,cpuacct:/docker/1f":
 * number, controllers, group. */
static double least_of_line(const char *root, char *line, const char *controller, cgroup_limit *limit)
{
    char mount[PATH];
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    if (!group) return INFINITY;
    line[strcspn(line, "\n")] = 0;
    *group++ = 0;
    list++;
    if (*list && !has_name(list, controller)) return INFINITY;
    snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s%s", root, *list ? "/" : "", *list ? controller : "");
    return least_of(mount, strcmp(group, "/") ? group : "", !*list, limit);
}

double cgroup_least(const char *root, const char *controller, cgroup_limit *limit)
{
    char line[PATH];
    double least = INFINITY;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "re");
    if (!file) return INFINITY;
    while (fgets(line, sizeof line, file)) least = fmin(least, least_of_line(root, line, controller, limit));
    fclose(file);
    return least;
}
