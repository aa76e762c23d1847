/* SPDX-License-Identifier: BSD-3-Clause */
/* Restricts a process that reads an untrusted file. */
#ifndef IO_JAIL_H
#define IO_JAIL_H

#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

/* Restricts this process, which ends soon, for the rest of its life. It gets at most `more_memory` bytes
 * of further memory and `seconds` of processor time. It can open for reading only the file (of a scan of
 * ParaVision: its files), /usr, /lib, /lib64, /opt and /etc/ld.so.cache. It writes only to files that are
 * already open, and starts no program. If a kernel lacks Landlock or seccomp, the other restrictions still
 * hold. On macOS memory is not limited and all files can be read; ARGAND_UNSUPPORTED if its sandbox cannot
 * be entered: the caller must not read the file then. */
argand_status jail_enter(const char *path, uint64_t more_memory, uint64_t seconds);

#endif
