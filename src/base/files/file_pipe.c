/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes drafts to a device or a FIFO. Waiting for a reader is limited: if nobody opens the FIFO, or the
 * reader takes nothing, an error is returned; the observer may cancel meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "base/files/file_place.h"
#include "base/observe.h"

/* Number of attempts, a hundredth of a second each: until a reader opens the FIFO, and until it takes
 * bytes. */
enum { LOOKS_FOR_READER = 300, LOOKS_FOR_SPACE = 6000, LOOK = 10 };

/* Opens the target for writing; *to is -1 if this is cancelled or refused. */
static argand_status open_place(const file_draft *draft, int *to)
{
    for (int look = 0; look < LOOKS_FOR_READER; look++) {
        *to = open(draft->target, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (*to >= 0) return ARGAND_OK;
        if (errno != ENXIO && errno != EINTR) return place_failed(draft, errno);
        TRY(observe("waiting for a program that reads the pipe", -1));
        nanosleep(&(struct timespec){.tv_nsec = LOOK * 1000000L}, NULL);
    }
    return status_set(
        ARGAND_FILE,
        "%s: is a pipe that no program reads: start the reading program first, or write to a file",
        draft->target);
}

static argand_status wait_until_writable(const file_draft *draft, int to)
{
    for (int look = 0; look < LOOKS_FOR_SPACE; look++) {
        struct pollfd one = {to, POLLOUT, 0};
        if (poll(&one, 1, LOOK) > 0) return ARGAND_OK;
        TRY(observe("waiting for a program that reads the pipe", -1));
    }
    return status_set(ARGAND_FILE, "%s: the program at the pipe's other end has read nothing for a minute",
                      draft->target);
}

static argand_status put(const file_draft *draft, int to, const char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t step = write(to, bytes + done, count - done);
        if (step > 0) {
            done += (size_t)step;
            continue;
        }
        if (step < 0 && errno != EAGAIN && errno != EINTR) return place_failed(draft, errno);
        TRY(wait_until_writable(draft, to));
    }
    return ARGAND_OK;
}

static argand_status copy_all(const file_draft *draft, int from, int to)
{
    static const size_t PIECE = 1 << 16;
    char *bytes = malloc(PIECE);
    argand_status status = bytes ? ARGAND_OK : place_failed(draft, ENOMEM);
    for (ssize_t count = 1; status == ARGAND_OK && count > 0;) {
        count = read(from, bytes, PIECE);
        if (count < 0) status = place_failed(draft, errno);
        if (count > 0) status = put(draft, to, bytes, (size_t)count);
    }
    free(bytes);
    return status;
}

argand_status pipe_copy(const file_draft *draft)
{
    int to = -1;
    const int from = open(draft->temporary, O_RDONLY | O_CLOEXEC);
    argand_status status = from < 0 ? place_failed(draft, errno) : open_place(draft, &to);
    if (status == ARGAND_OK) status = copy_all(draft, from, to);
    if (from >= 0) close(from);
    if (to >= 0 && close(to) && status == ARGAND_OK) status = place_failed(draft, errno);
    return status;
}
