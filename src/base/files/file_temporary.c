/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporary name of a draft: in a folder where it can be renamed to its target, unique, and with the
 * process that owns it. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/files/file_place.h"

/* File systems accept names of 255 bytes. A longer name is shortened to its end. */
enum { LONGEST_OF_NAME = 200 };

void file_temporary_folder(char folder[4096], const file_draft *draft)
{
    const char *spare = getenv("TMPDIR");
    if (draft->to_place)
        snprintf(folder, 4096, "%s/", spare && *spare ? spare : "/tmp");
    else
        place_folder(folder, draft->target);
}

/* Returns the start time of this process, which is read again after a fork. */
static unsigned long long own_start(void)
{
    static _Atomic long process;
    static _Atomic unsigned long long start;
    const long own = (long)getpid();
    if (atomic_load(&process) != own) {
        atomic_store(&start, stale_start(own));
        atomic_store(&process, own);
    }
    return atomic_load(&start);
}

/* Opens dir/.argand-<pid>.<its start>-<n>-name.nii.gz: hidden, unique, with the ending by which libraries
 * choose formats. */
int file_make_temporary(file_draft *draft, mode_t mode)
{
    static _Atomic unsigned number;
    const char *name = strrchr(draft->target, '/');
    char folder[sizeof draft->target];
    name = name ? name + 1 : draft->target;
    if (strlen(name) > LONGEST_OF_NAME) name += strlen(name) - LONGEST_OF_NAME;
    file_temporary_folder(folder, draft);
    for (int attempt = 0; attempt < 100; attempt++) {
        const int length = snprintf(draft->temporary, sizeof draft->temporary, "%s.argand-%ld.%llu-%u-%s",
                                    folder, (long)getpid(), own_start(), atomic_fetch_add(&number, 1), name);
        if (length < 0 || length >= (int)sizeof draft->temporary) return errno = ENAMETOOLONG, -1;
        if (draft->is_folder && mkdir(draft->temporary, mode)) {
            if (errno == EEXIST) continue;
            return -1;
        }
        const int how = draft->is_folder ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_EXCL;
        const int descriptor = open(draft->temporary, how | O_CLOEXEC, mode);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}
