/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of Linux and of macOS that the tool makes. */
#include "common/system.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void system_keep_alive(int socket, int idle, int between, int times)
{
    const int yes = 1;
    (void)setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
#ifdef __APPLE__
    (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPALIVE, &idle, sizeof idle);
#else
    (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
#endif
    (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &between, sizeof between);
    (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

#ifdef __APPLE__

static int close_in_programs(int descriptor)
{
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

system_processors system_own_processors(void)
{
    system_processors own = {0};
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    for (long p = 0; p < count && p < SYSTEM_PROCESSORS; p++) own.words[p / 64] |= UINT64_C(1) << p % 64;
    return own;
}

bool system_pin(const system_processors *to)
{
    (void)to;
    return false;
}

int system_unnamed_file(const char *label)
{
    char path[1024];
    const char *folder = getenv("TMPDIR");
    (void)label;
    snprintf(path, sizeof path, "%s/argand.XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = mkstemp(path);
    if (file >= 0) unlink(path);
    return close_in_programs(file);
}

void system_descriptor_path(char *path, size_t size, int descriptor)
{
    snprintf(path, size, "/dev/fd/%d", descriptor);
}

int system_socket(void)
{
    return close_in_programs(socket(AF_INET, SOCK_STREAM, 0));
}

int system_accept(int listener, struct sockaddr *from, socklen_t *length)
{
    return close_in_programs(accept(listener, from, length));
}

const char *system_missing_protection(void)
{
    return "scans are read by a child process with limited time that cannot write files; its memory is not "
           "limited and it can read all files, unlike on Linux";
}

#else
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

system_processors system_own_processors(void)
{
    cpu_set_t set;
    system_processors own = {0};
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (size_t p = 0; p < CPU_SETSIZE && p < SYSTEM_PROCESSORS; p++)
        if (CPU_ISSET(p, &set)) own.words[p / 64] |= UINT64_C(1) << p % 64;
    return own;
}

bool system_pin(const system_processors *to)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t p = 0; p < CPU_SETSIZE && p < SYSTEM_PROCESSORS; p++)
        if (to->words[p / 64] >> p % 64 & 1) CPU_SET(p, &set);
    return !sched_setaffinity(0, sizeof set, &set);
}

int system_unnamed_file(const char *label)
{
    return memfd_create(label, MFD_CLOEXEC);
}

void system_descriptor_path(char *path, size_t size, int descriptor)
{
    snprintf(path, size, "/proc/self/fd/%d", descriptor);
}

int system_socket(void)
{
    return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

int system_accept(int listener, struct sockaddr *from, socklen_t *length)
{
    return accept4(listener, from, length, SOCK_CLOEXEC);
}

/* Returns true if the kernel filters system calls: it then looks at the filter, whose address is wrong. */
static bool has_seccomp(void)
{
    return prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, NULL) && errno == EFAULT;
}

static bool has_landlock(void)
{
#ifdef SYS_landlock_create_ruleset
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */) > 0;
#else
    return false;
#endif
}

const char *system_missing_protection(void)
{
    const bool calls = has_seccomp(), files = has_landlock();
    if (calls && files) return NULL;
    return files
               ? "scans are read by a child process with limited memory, time and files; this kernel has no "
                 "seccomp, so that its system calls are not limited"
           : calls
               ? "scans are read by a child process with limited memory, time and system calls; this kernel "
                 "has no Landlock, so that it can read all files"
               : "scans are read by a child process with limited memory and time; this kernel has neither "
                 "seccomp nor Landlock, so that its system calls and files are not limited";
}
#endif
