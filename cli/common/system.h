/* SPDX-License-Identifier: BSD-3-Clause */
/* What Linux and macOS do by different calls, as far as the tool needs it (base/system/system.h: the
 * library's). */
#ifndef CLI_SYSTEM_H
#define CLI_SYSTEM_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec /* macOS's name for the time of struct stat */
enum {
    SYSTEM_POLL_HALF_CLOSED =
        0,               /* macOS does not report it: a client that left is noticed when it is sent to */
    SYSTEM_NO_SIGNAL = 0 /* the tool ignores SIGPIPE */
};
#else
enum { SYSTEM_POLL_HALF_CLOSED = POLLRDHUP, SYSTEM_NO_SIGNAL = MSG_NOSIGNAL };
#endif

enum { SYSTEM_PROCESSORS = 1024 };

/* A set of processors, a bit for each. */
typedef struct system_processors {
    uint64_t words[SYSTEM_PROCESSORS / 64];
} system_processors;

/* Returns the processors that this process may use; macOS: all that run. */
system_processors system_own_processors(void);
/* Lets the calling thread run on these processors only. Returns false if the system cannot. */
bool system_pin(const system_processors *to);
/* Opens a file that no folder names: memory on Linux, an unlinked temporary file on macOS. Returns its
 * descriptor, or -1 with errno. */
int system_unnamed_file(const char *label);
/* Writes a path by which this process can open a descriptor's file again. */
void system_descriptor_path(char *path, size_t size, int descriptor);
/* Open sockets that started programs do not inherit. Return -1 with errno. */
int system_socket(void);
int system_accept(int listener, struct sockaddr *from, socklen_t *length);
/* Makes TCP probe a peer that is silent for `idle` seconds, every `between` seconds, and give it up after
 * `times` probes. */
void system_keep_alive(int socket, int idle, int between, int times);
/* Returns a sentence about protection that this system lacks against malicious files; NULL: nothing. */
const char *system_missing_protection(void);

#endif
