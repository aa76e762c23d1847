/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists folders that may contain vendors' libraries: those of Python packages, the CUDA toolkit, ROCm. */
#include "device/libraries/places.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/system/system.h"

bool place_of_library(char folder[PLACE_PATH])
{
    static const char here;
    Dl_info found;
    if (!dladdr(&here, &found) || !found.dli_fname) return false;
    char *whole = realpath(found.dli_fname, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
    if (slash) *slash = 0;
    const bool fits = slash && snprintf(folder, PLACE_PATH, "%s", whole) < PLACE_PATH;
    free(whole);
    return fits;
}

/* Adds a folder. Skips paths that are too long: the library then counts as not found, and its user is
 * told. */
static void add(places *p, const char *folder, const char *below)
{
    char path[PLACE_PATH];
    if (p->count == MOST_PLACES || snprintf(path, sizeof path, "%s%s", folder, below) >= PLACE_PATH) return;
    p->folders[p->count] = strdup(path);
    if (p->folders[p->count]) p->count++;
}

/* Finds Python's folder of packages if this library is in its subfolder argand/lib. Otherwise returns
 * false: anybody may have made the folders above the library. */
static bool packages_folder(char folder[PLACE_PATH])
{
    static const char own[] = "/argand/lib";
    if (!place_of_library(folder)) return false;
    const size_t length = strlen(folder);
    if (length < sizeof own || strcmp(folder + length - (sizeof own - 1), own)) return false;
    folder[length - (sizeof own - 1)] = 0;
    return true;
}

static int is_named(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void add_pip(places *p)
{
    char folder[PLACE_PATH], nvidia[PLACE_PATH + 8], below[sizeof(((struct dirent *)0)->d_name) + 8];
    struct dirent **entries;
    if (!packages_folder(folder)) return;
    snprintf(nvidia, sizeof nvidia, "%s/nvidia", folder);
    const int count = scandir(nvidia, &entries, is_named, alphasort);
    if (count < 0) return;
    for (int i = 0; i < count; i++) {
        snprintf(below, sizeof below, "/%s/lib", entries[i]->d_name);
        add(p, nvidia, below);
        free(entries[i]);
    }
    free(entries);
}

void places_of_packages(places *p)
{
    const char *conda = system_trusted_variable("CONDA_PREFIX");
    p->count = 0;
    add_pip(p);
    if (conda && *conda) add(p, conda, "/lib");
}

static void add_named(places *p, const char *const *folders, int count, const char *below)
{
    p->count = 0;
    for (int i = 0; i < count; i++)
        if (folders[i] && *folders[i]) add(p, folders[i], below);
}

void places_of_toolkit(places *p)
{
    const char *const toolkits[] = {system_trusted_variable("CUDA_HOME"),
                                    system_trusted_variable("CUDA_PATH"), "/usr/local/cuda"};
    add_named(p, toolkits, 3, "/lib64");
}

void places_of_rocm(places *p)
{
    const char *const folders[] = {system_trusted_variable("ROCM_PATH"), system_trusted_variable("HIP_PATH"),
                                   "/opt/rocm"};
    add_named(p, folders, 3, "/lib");
}

void places_free(places *p)
{
    for (int i = 0; i < p->count; i++) free(p->folders[i]);
    p->count = 0;
}
