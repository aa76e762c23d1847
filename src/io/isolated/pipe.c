/* SPDX-License-Identifier: BSD-3-Clause */
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

static bool send_all(int to, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t done = write(to, bytes, count);
        if (done < 0 && errno != EINTR) return false;
        if (done <= 0) continue;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

void scan_pipe_send(int to, const char *block, size_t bytes)
{
    if (send_all(to, (const char *)&bytes, sizeof bytes)) send_all(to, block, bytes);
}

static bool receive_all(int from, char *bytes, size_t count, bool (*stop)(void))
{
    while (count > 0) {
        const ssize_t done = read(from, bytes, count);
        if (done == 0 || (done < 0 && (errno != EINTR || (stop && stop())))) return false;
        if (done < 0) continue;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

char *scan_pipe_receive(size_t *bytes, int from, size_t most, bool (*stop)(void))
{
    if (!receive_all(from, (char *)bytes, sizeof *bytes, stop) || *bytes == 0 || *bytes > most) return NULL;
    char *block = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return NULL;
    if (receive_all(from, block, *bytes, stop)) return block;
    munmap(block, *bytes);
    return NULL;
}
