/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a stream to standard output or to a named pipe. Standard output is then nothing but data: its
 * descriptor is moved away, and standard error takes its place, so that neither notes nor events nor what a
 * library prints can come between the messages. */
#include "mrd/mrd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static argand_status prepare_output(mrd_sink *sink)
{
    if (isatty(STDOUT_FILENO))
        return report_error(
            ARGAND_ARGUMENT,
            "standard output (-) is a terminal, and what is written is binary: pipe it into "
            "a program, or name a file (a named pipe under mpirun, which may give ranks a terminal)");
    fflush(stdout);
    sink->descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (sink->descriptor < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return report_error(ARGAND_FILE, "standard output (-) cannot be written: %s", strerror(errno));
    return ARGAND_OK;
}

/* Returns true for "-" and for other names of standard output, such as /dev/stdout. */
static bool is_output(const char *path)
{
    struct stat named, output;
    if (!strcmp(path, "-")) return true;
    return !stat(path, &named) && !fstat(STDOUT_FILENO, &output) && named.st_dev == output.st_dev &&
           named.st_ino == output.st_ino;
}

argand_status mrd_sink_prepare(mrd_sink *sink, const char *path)
{
    *sink = (mrd_sink){.name = "standard output", .descriptor = -1, .held = -1};
    if (is_output(path)) return prepare_output(sink);
    sink->name = sink->path = path;
    /* both directions, which Linux opens without waiting: a reader's open() returns, and its read() waits */
    sink->held = open(path, O_RDWR | O_CLOEXEC);
    if (sink->held >= 0) return ARGAND_OK;
    return report_error(ARGAND_FILE, "%s: cannot be written: %s", path, strerror(errno));
}

static int open_waiting(const char *path)
{
    int descriptor;
    do descriptor = open(path, O_WRONLY | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR && !interrupted());
    return descriptor;
}

/* Waits until a program reads the pipe. At each moment one descriptor can write: without any, a reader would
 * see the end of the file. */
argand_status mrd_sink_open(mrd_sink *sink)
{
    if (!sink->path) return ARGAND_OK;
    sink->descriptor = open_waiting(sink->path); /* not yet waiting: `held` counts as a reader */
    close(sink->held);
    sink->held = -1;
    struct pollfd one = {sink->descriptor, POLLOUT, 0};
    if (sink->descriptor >= 0 && poll(&one, 1, 0) > 0 && one.revents & POLLERR) {
        const int first = sink->descriptor;
        sink->descriptor = open_waiting(sink->path);
        close(first);
    }
    if (interrupted()) return ARGAND_STOPPED;
    if (sink->descriptor >= 0) return ARGAND_OK;
    return report_error(ARGAND_FILE, "%s: cannot be written: %s", sink->path, strerror(errno));
}

argand_status mrd_sink_write(void *context, const void *bytes, size_t count)
{
    const mrd_sink *sink = context;
    for (const char *at = bytes; count;) {
        const ssize_t put = write(sink->descriptor, at, count);
        if (interrupted()) return ARGAND_STOPPED;
        if (put < 0 && errno == EAGAIN) poll(&(struct pollfd){sink->descriptor, POLLOUT, 0}, 1, 200);
        if (put < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (put < 0 && errno == EPIPE)
            return report_error(ARGAND_FILE, "%s: the program that reads it ended before all was written",
                                sink->name);
        if (put < 0)
            return report_error(ARGAND_FILE, "%s: cannot be written: %s", sink->name, strerror(errno));
        at += put;
        count -= (size_t)put;
    }
    return ARGAND_OK;
}

argand_status mrd_sink_message(mrd_sink *sink, int message)
{
    const uint8_t raw[2] = {(uint8_t)message, (uint8_t)(message >> 8)};
    return mrd_sink_write(sink, raw, sizeof raw);
}

argand_status mrd_sink_header(mrd_sink *sink, const char *xml)
{
    const size_t length = strlen(xml);
    const uint8_t raw[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
                            (uint8_t)(length >> 24)};
    TRY(mrd_sink_message(sink, MRD_HEADER));
    TRY(mrd_sink_write(sink, raw, sizeof raw));
    return mrd_sink_write(sink, xml, length);
}

void mrd_sink_close(mrd_sink *sink)
{
    if (sink->descriptor >= 0) close(sink->descriptor);
    if (sink->held >= 0) close(sink->held);
    sink->descriptor = sink->held = -1;
}
