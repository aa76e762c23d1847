/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits how many connections compute and how many are open. A connection needs a place only while its
 * images are computed, so a slow sender or reader delays nobody. Places are locks on the bytes of an
 * unnamed file; the system releases them when a process ends for any reason. The table of connections is
 * memory that server and workers share. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/system.h"
#include "serve/serve.h"

enum { PER_PLACE = 4, MOST = PER_PLACE * SERVE_MOST_PLACES, WAIT = 20 /* ms */ };

/* Limits of a slow connection: bytes a second, below any scanner's stream, and the seconds before this is
 * judged. */
static const double slow = 4096, while_new = 2;

static struct {
    int file, count, taken; /* taken: number of this process's place, from 1 */
    connection *table;
} places = {.file = -1};

argand_status places_open(int count)
{
    void *memory =
        mmap(NULL, MOST * sizeof(connection), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    places.file = system_unnamed_file("argand places");
    if (memory == MAP_FAILED || places.file < 0)
        return report_error(ARGAND_MEMORY, "no memory for the table of connections: %s", strerror(errno));
    places.table = memory;
    places.count = count;
    return ARGAND_OK;
}

connection *places_find(void)
{
    for (int i = 0; i < PER_PLACE * places.count; i++)
        if (!places.table[i].process) return &places.table[i];
    return NULL;
}

int places_used(void)
{
    int used = 0;
    for (int i = 0; i < MOST; i++) used += places.table[i].process != 0;
    return used;
}

int places_index(const connection *c)
{
    return (int)(c - places.table);
}

/* Returns a connection whose process has ended, with its exit code; NULL: none. */
static connection *collect_one(int *code)
{
    for (int i = 0; i < MOST; i++) {
        connection *c = &places.table[i];
        int ended = 0;
        if (!c->process || waitpid(c->process, &ended, WNOHANG) != c->process) continue;
        *code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
        if (WIFSIGNALED(ended)) {
            char text[160];
            snprintf(text, sizeof text, "%s: its process was ended by signal %d; other connections continue",
                     c->name, WTERMSIG(ended));
            print_whole(stderr, "argand serve: ", text);
        }
        return c;
    }
    return NULL;
}

void places_collect(int *code)
{
    for (connection *c = collect_one(code); c; c = collect_one(code)) memset(c, 0, sizeof *c);
}

void places_end_all(void)
{
    for (int i = 0; i < MOST; i++)
        if (places.table && places.table[i].process) kill(places.table[i].process, SIGTERM);
    for (int i = 0; i < MOST; i++)
        if (places.table && places.table[i].process) waitpid(places.table[i].process, NULL, 0);
}

void places_end_slowest(void)
{
    connection *slowest = NULL;
    double least = slow;
    for (int i = 0; i < MOST; i++) {
        connection *c = &places.table[i];
        const double age = seconds_now() - c->since - 1e-3 * (double)atomic_load(&c->computed);
        const double rate = (double)atomic_load(&c->bytes) / (age > 0 ? age : 1);
        if (!c->process || atomic_load(&c->leaves)) continue;
        if (atomic_load(&c->computes) || age < while_new || rate >= least) continue;
        slowest = c;
        least = rate;
    }
    if (!slowest) return;
    atomic_store(&slowest->leaves, true);
    kill(slowest->process, SIGTERM);
}

/* ---- in a worker */

static bool lock_byte(int place, short type)
{
    struct flock one = {.l_type = type, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
    return !fcntl(places.file, F_SETLK, &one);
}

static double computes_since; /* time at which this worker began to compute */

argand_status place_take(connection *own)
{
    computes_since = seconds_now();
    atomic_store(&own->computes, true);
    while (!interrupted()) {
        for (int i = 0; i < places.count; i++)
            if (lock_byte(i, F_WRLCK)) {
                places.taken = i + 1;
                return ARGAND_OK;
            }
        poll(NULL, 0, WAIT);
    }
    return ARGAND_STOPPED;
}

void place_leave(connection *own)
{
    if (places.taken) lock_byte(places.taken - 1, F_UNLCK);
    places.taken = 0;
    atomic_fetch_add(&own->computed, (int64_t)(1e3 * (seconds_now() - computes_since)));
    atomic_store(&own->computes, false);
}
