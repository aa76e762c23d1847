/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process may do that reads a file which nobody vouches for. */
#ifndef IO_JAIL_H
#define IO_JAIL_H

#include <stddef.h>
#include <stdint.h>

/* From now on this process, which ends soon, gets so much more memory and processor time, opens for reading
 * the file and what programs need (/usr, /lib, /etc/ld.so.cache), writes to nothing that it has not open, and
 * starts nothing. Where a kernel lacks a part of it (Landlock, seccomp), the rest holds. */
void jail_enter(const char *path, uint64_t more_memory, uint64_t seconds);

#endif
