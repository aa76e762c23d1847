/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of macOS. */
#include <errno.h>
#include <fcntl.h>
#include <mach/mach.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sysctl.h>
#include <unistd.h>
#include "base/system/system.h"

const char *system_trusted_variable(const char *name)
{
    return issetugid() ? NULL : getenv(name);
}

int system_exchange_names(const char *a, const char *b)
{
    return renamex_np(a, b, RENAME_SWAP);
}

int system_processors(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN); /* macOS binds no process to processors */
}

void system_processor_name(char *name, size_t size)
{
    char found[256];
    size_t length = sizeof found;
    if (!sysctlbyname("machdep.cpu.brand_string", found, &length, NULL, 0)) snprintf(name, size, "%s", found);
}

/* Returns the bytes that are in use and cannot be moved: wired and compressed pages, and this process's
 * own. macOS moves pages of other programs out of the way. */
static double used_memory(void)
{
    const double page = (double)sysconf(_SC_PAGESIZE);
    struct mach_task_basic_info own;
    vm_statistics64_data_t all;
    mach_msg_type_number_t own_count = MACH_TASK_BASIC_INFO_COUNT, all_count = HOST_VM_INFO64_COUNT;
    const mach_port_t host = mach_host_self();
    double used = 0;
    if (host_statistics64(host, HOST_VM_INFO64, (host_info64_t)&all, &all_count) == KERN_SUCCESS)
        used += page * ((double)all.wire_count + (double)all.compressor_page_count);
    mach_port_deallocate(mach_task_self(), host);
    if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&own, &own_count) == KERN_SUCCESS)
        used += (double)own.resident_size;
    return used;
}

void system_memory(double *all, double *left, const char *root)
{
    uint64_t bytes = 0;
    size_t length = sizeof bytes;
    *all = *left = 0;
    if (*root || sysctlbyname("hw.memsize", &bytes, &length, NULL, 0)) return;
    *all = (double)bytes;
    *left = fmax(1, *all - used_memory()); /* 0 would mean that it is not known */
}

int system_pipe(int ends[2])
{
    if (pipe(ends)) return -1;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
}

/* Shared memory of macOS has no seals: its sender could change what the receiver has checked. */
int system_shared_memory(const char *name)
{
    (void)name;
    errno = ENOTSUP;
    return -1;
}

bool system_seal(int memory)
{
    (void)memory;
    return false;
}

bool system_reserve(int memory, size_t bytes)
{
    (void)memory, (void)bytes;
    return false;
}

void system_close_range(int first, int last)
{
    struct rlimit open;
    if (getrlimit(RLIMIT_NOFILE, &open)) return;
    const int most = open.rlim_cur < OPEN_MAX ? (int)open.rlim_cur : OPEN_MAX;
    for (int i = first; i <= last && i < most; i++) close(i);
}

void system_end_with_parent(void) {}
