/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a library when the program runs, and fills a table of its functions by name. */
#include "device/libraries/foreign.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "device/libraries/places.h"

static void *open_first(const char *const *names, int more)
{
    void *library = NULL;
    for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL | more);
    return library;
}

static void *open_in(const char *folder, const char *const *names)
{
    void *library = NULL;
    for (; *names && !library; names++) {
        char path[PLACE_PATH];
        if (snprintf(path, sizeof path, "%s/%s", folder, *names) < (int)sizeof path)
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

static void *open_places(void (*find)(places *), const char *const *names)
{
    void *library = NULL;
    places p;
    find(&p);
    for (int i = 0; i < p.count && !library; i++) library = open_in(p.folders[i], names);
    places_free(&p);
    return library;
}

/* Sets `why` to the loader's error for the first name. */
static void explain(const char *name, char *why, size_t why_size)
{
    dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *reason = dlerror();
    snprintf(why, why_size, "%s", reason ? reason : name);
}

/* Opens a library. Prefers one that the program has already loaded: two versions in one process would
 * conflict. */
static void *find(const char *const *names, foreign_place place)
{
    void *library = open_first(names, RTLD_NOLOAD);
    if (!library && place != FOREIGN_DRIVER) library = open_places(places_of_packages, names);
    if (!library) library = open_first(names, 0);
    if (!library && place == FOREIGN_TOOLKIT) library = open_places(places_of_toolkit, names);
    if (!library && place == FOREIGN_ROCM) library = open_places(places_of_rocm, names);
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

bool foreign_open(const char *const *names, foreign_place place, const foreign_function *functions,
                  void *table, char *why, size_t why_size)
{
    void *library = find(names, place);
    if (!library) {
        explain(names[0], why, why_size);
        return false;
    }
    if (fill(library, functions, table, why, why_size)) return true;
    clear(functions, table);
    dlclose(library);
    return false;
}
