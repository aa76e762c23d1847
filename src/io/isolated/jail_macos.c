/* SPDX-License-Identifier: BSD-3-Clause */
/* Restricts a process by the resource limits of macOS and a sandbox. Nothing limits the memory of a process
 * there, and the sandbox leaves all files readable: HDF5 opens the scan and its filters itself. The sandbox
 * refuses a process that is in one already. */
#include "io/isolated/jail.h"

#include <stdlib.h>
#include <sys/resource.h>

/* Declared here: the header that names it is not in every SDK. Apple calls it deprecated and has named no
 * replacement for programs without a bundle. */
int sandbox_init(const char *profile, uint64_t flags, char **error);
void sandbox_free_error(char *error);

static void limit(int what, uint64_t most)
{
    struct rlimit r;
    if (getrlimit(what, &r)) return;
    if (r.rlim_cur == RLIM_INFINITY || r.rlim_cur > most) r.rlim_cur = most;
    setrlimit(what, &r);
}

argand_status jail_enter(const char *path, uint64_t more_memory, uint64_t seconds)
{
    static const char profile[] = "(version 1)\n(allow default)\n(deny file-write*)\n(deny network*)\n"
                                  "(deny process-exec*)\n(deny process-fork)\n";
    char *error = NULL;
    (void)more_memory;
    limit(RLIMIT_CORE, 0); /* a core file would hold the patient's data */
    limit(RLIMIT_CPU, seconds);
    if (!sandbox_init(profile, 0, &error)) return ARGAND_OK;
    const argand_status status =
        status_set(ARGAND_UNSUPPORTED,
                   "%s: the process that reads it cannot enter macOS's sandbox (%s): start Argand outside of "
                   "another sandbox (for a scan that you trust, ARGAND_ISOLATE=off does without)",
                   path, error ? error : "no reason is given");
    sandbox_free_error(error);
    return status;
}
