/* SPDX-License-Identifier: BSD-3-Clause */
/* Downloads from an https address by curl or wget, because these know the system's proxies and
 * certificates. */
#include "fetch/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { WORDS = 16, LOOK_AGAIN = 200 }; /* milliseconds between checks for Ctrl-C */

/* Starts a program with its standard output in a pipe. Returns 0 or an errno. */
static int start(pid_t *child, int *from, char *const words[])
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe(ends)) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int reason = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (reason)
        close(ends[0]);
    else
        *from = ends[0];
    return reason;
}

/* Reads until the end of the pipe, `capacity` bytes, or Ctrl-C. */
static size_t read_all(int from, unsigned char *bytes, size_t capacity)
{
    size_t count = 0;
    while (count < capacity && !interrupted()) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, LOOK_AGAIN) <= 0) continue;
        const ssize_t more = read(from, bytes + count, capacity - count);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) break;
        count += (size_t)more;
    }
    return count;
}

/* Runs a program. Returns its exit code; 127 if there is no such program, -1 if a signal ended it. */
static int run(char *const words[], unsigned char *bytes, size_t capacity, size_t *count)
{
    pid_t child;
    int from = -1, status = 0;
    const int reason = start(&child, &from, words);
    if (reason) return 127;
    *count = read_all(from, bytes, capacity);
    close(from);
    if (interrupted() || *count == capacity) kill(child, SIGTERM);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

argand_status fetch_download(unsigned char **bytes, size_t *count, const char *address, size_t most)
{
    char curl[] = "curl", wget[] = "wget", place[512];
    char options[][24] = {"--fail", "--silent",          "--show-error", "--location", "--proto",
                          "=https", "--connect-timeout", "20",           "--max-time", "600"};
    char quiet[] = "--quiet", https[] = "--https-only", tries[] = "--tries=2", time[] = "--timeout=20",
         out[] = "--output-document=-";
    if (snprintf(place, sizeof place, "%s", address) >= (int)sizeof place)
        return report_error(ARGAND_ARGUMENT, "%.40s...: the address is too long", address);
    char *by_curl[WORDS] = {curl}, *by_wget[WORDS] = {wget, quiet, https, tries, time, out, place};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) by_curl[i + 1] = options[i];
    by_curl[1 + sizeof options / sizeof *options] = place;
    *bytes = malloc(most + 1);
    if (!*bytes) return report_error(ARGAND_MEMORY, "no memory for %zu bytes", most);
    int code = run(by_curl, *bytes, most + 1, count);
    const char *program = code == 127 ? wget : curl;
    if (code == 127) code = run(by_wget, *bytes, most + 1, count);
    if (!code || *count > most) return ARGAND_OK; /* the caller, who knows the size, reports too many bytes */
    free(*bytes);
    *bytes = NULL;
    if (interrupted()) return report_error(ARGAND_STOPPED, "stopped by Ctrl-C; nothing was written");
    if (code == 127)
        return report_error(ARGAND_FILE,
                            "%s: cannot be downloaded, because neither curl nor wget is installed; copy the "
                            "file to this machine and give it by --from",
                            address);
    return report_error(ARGAND_FILE,
                        "%s: could not be fetched: %s ended with exit code %d; without a network, copy the "
                        "file to this machine and give it by --from",
                        address, program, code);
}
