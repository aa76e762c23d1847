/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens regular files for reading. Pipes and devices are refused: another program could make the open
 * wait. */
#include "common/command.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *open_plain_file(const char *path)
{
    struct stat found;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return NULL;
    if (fstat(descriptor, &found) || !S_ISREG(found.st_mode)) {
        close(descriptor);
        errno = EISDIR;
        return NULL;
    }
    return fdopen(descriptor, "rb");
}
