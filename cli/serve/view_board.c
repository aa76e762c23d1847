/* SPDX-License-Identifier: BSD-3-Clause */
/* The newest frame, in memory that workers and the page's process share. A lock on an unnamed file guards it,
 * which the system releases when a process ends for any reason. Nobody waits for it: where the other side
 * holds it, a frame is not shown. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/system.h"
#include "serve/view.h"

static struct {
    int file, wake[2];
    view_board *board;
    int64_t connection; /* of this worker; 0: it shows nothing */
} shared = {.file = -1, .wake = {-1, -1}};

static bool lock_board(short type)
{
    struct flock one = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    return !fcntl(shared.file, F_SETLK, &one);
}

argand_status view_board_open(void)
{
    void *memory =
        mmap(NULL, sizeof *shared.board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared.file = system_unnamed_file("argand view");
    if (memory == MAP_FAILED || shared.file < 0 || pipe(shared.wake))
        return report_error(ARGAND_MEMORY, "no memory for the page of frames: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(shared.wake[i], F_SETFL, O_NONBLOCK);
        fcntl(shared.wake[i], F_SETFD, FD_CLOEXEC);
    }
    shared.board = memory;
    return ARGAND_OK;
}

bool view_board_read(view_board *to)
{
    if (!lock_board(F_RDLCK)) return false;
    const view_board *b = shared.board;
    memcpy(to, b, offsetof(view_board, pixels));
    memcpy(to->pixels, b->pixels, (size_t)(b->n[0] * b->n[1]) * 2 * sizeof(float));
    lock_board(F_UNLCK);
    return true;
}

int view_board_changed(void)
{
    return shared.wake[0];
}

/* ---- in a worker */

/* Ends a change and wakes the page's process. If the pipe is full, it is awake. */
static void changed(void)
{
    shared.board->changes++;
    lock_board(F_UNLCK);
    (void)!write(shared.wake[1], "", 1);
}

/* Takes the lock; waits a tenth of a second for it at most. Not for the thread that makes frames. */
static bool lock_soon(void)
{
    for (int i = 0; i < 100; i++) {
        if (lock_board(F_WRLCK)) return true;
        poll(NULL, 0, 1);
    }
    return false;
}

void view_begin(const char *client, const argand_scan_image *about, const char *notes, report *out)
{
    view_board *b = shared.board;
    if (!b) return;
    if (about->n[0] * about->n[1] > VIEW_PIXELS) {
        report_note(out, "%s: the page (--view) does not show images of more than %d pixels.", client,
                    VIEW_PIXELS);
        return;
    }
    if (!lock_soon()) return;
    const int64_t number = b->connection + 1, changes = b->changes;
    memset(b, 0, offsetof(view_board, pixels));
    b->changes = changes;
    shared.connection = b->connection = number;
    b->open = true;
    snprintf(b->client, sizeof b->client, "%s", client);
    snprintf(b->notes, sizeof b->notes, "%s", notes ? notes : "");
    changed();
}

void view_see(void *context, const served_frame *frame)
{
    view_board *b = shared.board;
    if (!shared.connection || !lock_board(F_WRLCK)) return;
    if (b->connection != shared.connection) { /* a newer connection is shown */
        lock_board(F_UNLCK);
        return;
    }
    for (int axis = 0; axis < 2; axis++) {
        b->n[axis] = frame->about.n[axis];
        b->voxel[axis] = frame->about.geometry.voxel[axis];
    }
    b->frame = frame->frame.number;
    b->made = frame->made;
    b->dropped = frame->frame.number + 1 - frame->made;
    b->unsent = outbox_lost(context);
    b->latencies[b->latency_count++ % VIEW_LATENCIES] =
        (view_latency){frame->frame.number, seconds_now() - frame->received};
    memcpy(b->pixels, frame->pixels, (size_t)(b->n[0] * b->n[1]) * 2 * sizeof(float));
    changed();
}

void view_end(int64_t made, int64_t dropped, int64_t unsent)
{
    view_board *b = shared.board;
    if (!shared.connection || !lock_soon()) return;
    if (b->connection != shared.connection) {
        lock_board(F_UNLCK);
        return;
    }
    b->open = false;
    b->made = made;
    b->dropped = dropped;
    b->unsent = unsent;
    changed();
}
