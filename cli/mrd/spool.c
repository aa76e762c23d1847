/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a stream from a pipe into memory without a name on any disk, from which the library reads it as it
 * reads files, in a child process. A pipe cannot be read twice, and the samples that are kept are known only
 * after all heads. Messages are followed on the way: the closing one ends the stream, whether or not its
 * sender closes the pipe. Nothing is allocated for what a message claims; only what arrives is kept. */
#include "mrd/mrd.h"
#include "common/path.h"
#include "common/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 20, PART_OF_MEMORY = 3 };

/* A stream that is being received. */
typedef struct intake {
    mrd_spool *spool;
    int from;
    uint8_t *chunk;
    size_t at, end;         /* what is left of the chunk */
    uint64_t before;        /* bytes of all chunks before this one */
    uint64_t most;          /* bytes that fit into memory */
    long long message;      /* index of the message that is followed */
    int64_t reserved;       /* capacity of spool->places */
    bool has_ended, header; /* the pipe's end was seen; a header has come */
} intake;

static struct {
    char path[4096];
    mrd_spool spool;
    bool is_open, took_input;
} kept = {.spool.memory = -1};

bool mrd_is_pipe(const char *path)
{
    struct stat found;
    if (!strcmp(path, "-")) return true;
    return !path_is_array(path) && !stat(path, &found) && S_ISFIFO(found.st_mode);
}

/* ---- bytes */

static argand_status keep(const intake *t, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t put = write(t->spool->memory, t->chunk + done, count - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0)
            return report_error(
                ARGAND_MEMORY, "%s: no memory for %.6g MB%s: %s", t->spool->name, (double)t->before / 1e6,
                errno == EFBIG ? " (ulimit -f also limits what is taken from a pipe)" : "", strerror(errno));
        done += (size_t)put;
    }
    return ARGAND_OK;
}

/* Reads the next chunk, as much as there is. */
static argand_status fill(intake *t)
{
    ssize_t got;
    t->before += t->end;
    t->at = t->end = 0;
    do {
        got = read(t->from, t->chunk, CHUNK);
        if (interrupted()) return ARGAND_STOPPED;
        if (got < 0 && errno == EAGAIN) poll(&(struct pollfd){t->from, POLLIN, 0}, 1, 200);
    } while (got < 0 && (errno == EINTR || errno == EAGAIN));
    if (got < 0) return report_error(ARGAND_FILE, "%s: cannot be read: %s", t->spool->name, strerror(errno));
    t->has_ended = got == 0;
    t->end = (size_t)got;
    if (t->before + t->end > t->most)
        return report_error(ARGAND_MEMORY,
                            "%s: sent more than %.6g MB, a third of the memory here, where a scan from "
                            "a pipe must fit: write it to a file, and give its name",
                            t->spool->name, (double)t->most / 1e6);
    return keep(t, t->end);
}

static argand_status ended_within(const intake *t)
{
    return report_error(ARGAND_FORMAT,
                        "%s: ended within message %lld, after %llu bytes: the program that writes it failed "
                        "or was stopped",
                        t->spool->name, t->message, (unsigned long long)(t->before + t->at));
}

static argand_status take(void *context, void *to, size_t bytes)
{
    intake *t = context;
    for (size_t done = 0; done < bytes;) {
        const size_t there = t->end - t->at, some = bytes - done < there ? bytes - done : there;
        memcpy((char *)to + done, t->chunk + t->at, some);
        t->at += some;
        done += some;
        if (done == bytes) break;
        TRY(fill(t));
        if (t->has_ended) return ended_within(t);
    }
    return ARGAND_OK;
}

static argand_status pass_by(void *context, uint64_t bytes)
{
    intake *t = context;
    for (;;) {
        const size_t there = t->end - t->at, some = bytes < there ? (size_t)bytes : there;
        t->at += some;
        bytes -= some;
        if (!bytes) return ARGAND_OK;
        TRY(fill(t));
        if (t->has_ended) return ended_within(t);
    }
}

/* ---- messages */

/* Returns true if the pipe has ended between two messages. */
static argand_status at_end(intake *t, bool *ends)
{
    if (t->at == t->end) TRY(fill(t));
    *ends = t->has_ended;
    return ARGAND_OK;
}

static argand_status note_image(intake *t)
{
    mrd_spool *s = t->spool;
    if (s->images == t->reserved) {
        const int64_t most = t->reserved ? 2 * t->reserved : 64;
        uint64_t *more = realloc(s->places, (size_t)most * sizeof *more);
        if (!more) return report_error(ARGAND_MEMORY, "%s: no memory for its images", s->name);
        s->places = more;
        t->reserved = most;
    }
    s->places[s->images++] = t->before + t->at;
    return ARGAND_OK;
}

static argand_status refuse_first(const intake *t, int message)
{
    return report_error(ARGAND_FORMAT,
                        "%s: begins with something else than a scan (its first two bytes are %d): give an "
                        "ISMRMRD file (HDF5), a stream of MRD 2, or one of MRD's messages, version 1, as "
                        "argand convert SCAN.h5 - writes it",
                        t->spool->name, message);
}

static argand_status follow_message(intake *t, const mrd_source *s, int message)
{
    const char *name = t->spool->name;
    const bool known = message == MRD_CONFIG_FILE || message == MRD_CONFIG_TEXT || message == MRD_HEADER ||
                       message == MRD_TEXT;
    if (!t->message && !known && message != MRD_ACQUISITION && message != MRD_IMAGE)
        return refuse_first(t, message);
    if (message == MRD_ACQUISITION && !t->header)
        return report_error(ARGAND_FORMAT, "%s: message %lld is an acquisition before the header", name,
                            t->message);
    t->header |= message == MRD_HEADER;
    t->spool->acquisitions += message == MRD_ACQUISITION;
    if (message == MRD_IMAGE) TRY(note_image(t));
    return mrd_pass(s, message);
}

static argand_status follow(intake *t)
{
    const mrd_source source = {take, pass_by, t, t->spool->name};
    for (;; t->message++) {
        uint64_t message;
        bool ends;
        TRY(at_end(t, &ends));
        if (ends)
            return report_error(
                ARGAND_FORMAT,
                "%s: ended after %lld messages without the closing one: the program that writes it "
                "failed or was stopped, and data may be missing",
                t->spool->name, t->message);
        TRY(mrd_number(&source, &message, 2));
        if (message == MRD_CLOSE && t->message) return ARGAND_OK;
        TRY(follow_message(t, &source, (int)message));
    }
}

/* Takes an HDF5 file or a stream of MRD 2, whose messages are not followed, up to the pipe's end. */
static argand_status take_all(intake *t)
{
    t->spool->is_whole = true;
    while (!t->has_ended) TRY(fill(t));
    return ARGAND_OK;
}

/* Returns the bytes of memory of this machine, or of this container if that is less. */
static uint64_t memory_here(void)
{
    static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t most = pages > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        unsigned long long bytes;
        FILE *file = fopen(limits[i], "re");
        if (file && fscanf(file, "%llu", &bytes) == 1 && bytes > 0 && bytes < most) most = bytes;
        if (file) fclose(file);
    }
    return most;
}

static argand_status receive(intake *t)
{
    static const uint8_t hdf5[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'},
                         mrd2[] = {'y', 'a', 'r', 'd', 'l'};
    t->most = memory_here() / PART_OF_MEMORY;
    TRY(fill(t));
    if (t->has_ended)
        return report_error(ARGAND_FORMAT,
                            "%s: is empty: the program that should write a scan to it wrote nothing",
                            t->spool->name);
    if (t->end >= sizeof hdf5 && !memcmp(t->chunk, hdf5, sizeof hdf5)) return take_all(t);
    if (t->end >= sizeof mrd2 && !memcmp(t->chunk, mrd2, sizeof mrd2)) return take_all(t);
    TRY(follow(t));
    /* what follows the close is not the stream's */
    if (ftruncate(t->spool->memory, (off_t)(t->before + t->at)))
        return report_error(ARGAND_MEMORY, "%s: %s", t->spool->name, strerror(errno));
    return ARGAND_OK;
}

/* ---- the pipe */

static argand_status open_pipe(int *from, const char *path)
{
    if (strcmp(path, "-")) {
        *from = open(path, O_RDONLY | O_CLOEXEC);
        if (*from >= 0) return ARGAND_OK;
        return report_error(ARGAND_FILE, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (kept.took_input)
        return report_error(ARGAND_ARGUMENT, "standard input (-) was read already: name one input \"-\"");
    if (isatty(STDIN_FILENO))
        return report_error(
            ARGAND_ARGUMENT,
            "standard input (-) is a terminal: pipe a scan into this command, or name a file");
    kept.took_input = true;
    *from = STDIN_FILENO;
    return ARGAND_OK;
}

argand_status mrd_spool_open(mrd_spool **spool, const char *path)
{
    mrd_spool *s = *spool = &kept.spool;
    intake t = {.spool = s};
    if (kept.is_open && !strcmp(kept.path, path)) return ARGAND_OK;
    mrd_spool_close(s);
    TRY(open_pipe(&t.from, path));
    snprintf(kept.path, sizeof kept.path, "%s", path);
    *s = (mrd_spool){.name = strcmp(path, "-") ? kept.path : "standard input"};
    s->memory = system_unnamed_file("argand stream");
    system_descriptor_path(s->path, sizeof s->path, s->memory);
    t.chunk = malloc(CHUNK);
    argand_status status = s->memory >= 0 && t.chunk
                               ? receive(&t)
                               : report_error(ARGAND_MEMORY, "%s: no memory for it", s->name);
    free(t.chunk);
    if (t.from != STDIN_FILENO) close(t.from);
    kept.is_open = true;
    if (status) mrd_spool_close(s);
    return status;
}

void mrd_spool_close(mrd_spool *s)
{
    if (!kept.is_open) return;
    if (s->memory >= 0) close(s->memory);
    free(s->places);
    *s = (mrd_spool){.name = s->name, .memory = -1};
    kept.is_open = false;
}

argand_status mrd_spool_read(const mrd_spool *s, uint64_t at, void *to, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(s->memory, (char *)to + done, bytes - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return report_error(ARGAND_FILE, "%s: ended early", s->name);
        done += (size_t)got;
    }
    return ARGAND_OK;
}
