/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/foreign.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *open_in(const char *folder, const char *const *names)
{
    void *library = NULL;
    for (; *names && !library; names++) {
        char path[4096];
        if (snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", *names) < (int)sizeof path)
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

static bool fill(void *library, const foreign_function *functions, void *table, char *why, size_t why_size)
{
    for (const foreign_function *f = functions; f->symbol; f++) {
        void *address = dlsym(library, f->symbol);
        if (!address && f->needed) {
            snprintf(why, why_size, "it is too old: it has no %s", f->symbol);
            return false;
        }
        memcpy((char *)table + f->offset, &address, sizeof address);
    }
    return true;
}

static void clear(const foreign_function *functions, void *table)
{
    for (const foreign_function *f = functions; f->symbol; f++)
        memset((char *)table + f->offset, 0, sizeof(void *));
}

bool foreign_open(const char *const *names, const char *const *folders, const foreign_function *functions,
                  void *table, char *why, size_t why_size)
{
    void *library = open_in("", names);
    if (!library) { /* what the loader said of the first name, before other names are tried */
        dlopen(names[0], RTLD_NOW | RTLD_LOCAL);
        const char *reason = dlerror();
        snprintf(why, why_size, "%s", reason ? reason : names[0]);
    }
    for (; !library && folders && *folders; folders++) library = open_in(*folders, names);
    if (!library) return false;
    if (fill(library, functions, table, why, why_size)) return true;
    clear(functions, table);
    dlclose(library);
    return false;
}
