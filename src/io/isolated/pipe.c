/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends a block of bytes from one process to another through a pipe. */
#include "io/isolated/pipe.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

bool scan_pipe_is_needed(void)
{
    struct rlimit r;
    return !getrlimit(RLIMIT_FSIZE, &r) && r.rlim_cur != RLIM_INFINITY;
}

bool scan_pipe_write(int to, const void *bytes, size_t count)
{
    const char *at = bytes;
    while (count > 0) {
        const ssize_t done = write(to, at, count);
        if (done < 0 && errno != EINTR) return false;
        if (done <= 0) continue;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

void scan_pipe_send(int to, const char *block, size_t bytes)
{
    if (scan_pipe_write(to, &bytes, sizeof bytes)) scan_pipe_write(to, block, bytes);
}

bool scan_pipe_read(int from, void *bytes, size_t count, bool (*stop)(void))
{
    char *at = bytes;
    while (count > 0) {
        const ssize_t done = read(from, at, count);
        if (done == 0 || (done < 0 && (errno != EINTR || (stop && stop())))) return false;
        if (done < 0) continue;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

char *scan_pipe_receive(size_t *bytes, int from, size_t most, bool (*stop)(void))
{
    if (!scan_pipe_read(from, bytes, sizeof *bytes, stop) || *bytes == 0 || *bytes > most) return NULL;
    char *block = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return NULL;
    if (scan_pipe_read(from, block, *bytes, stop)) return block;
    munmap(block, *bytes);
    return NULL;
}
