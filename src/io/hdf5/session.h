/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5, kept quiet and to one thread at a time. Its usual build is not thread safe: all of Argand's calls
 * happen between hdf5_enter and hdf5_leave, which hold one lock, put HDF5's printing of errors off, and make
 * numbers in text use the point whatever the program's language. A program that calls the same HDF5 library
 * itself from other threads has to take care of that itself. */
#ifndef IO_HDF5_SESSION_H
#define IO_HDF5_SESSION_H

#include <hdf5.h>
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"
#include "base/text.h"

typedef struct hdf5_session {
    H5E_auto2_t print;
    void *print_data;
    locale_t plain, before;
} hdf5_session;

argand_status hdf5_enter(hdf5_session *session);
void hdf5_leave(hdf5_session *session);

/* status, unless HDF5 has lacked memory since hdf5_enter: then ARGAND_MEMORY, with a message that names the
 * file. HDF5's functions say that they have failed, few callers can tell why, and a file that is sound would
 * be called damaged, or what could not be read left out. */
argand_status hdf5_blame(argand_status status, const char *path);

/* Nobody works in HDF5 between the two: so that a process may fork. */
void hdf5_hold(void);
void hdf5_let_go(void);

/* The innermost reason of HDF5's last failure, as HDF5 says it; call it at once. Valid until the next call.
 */
const char *hdf5_reason(void);

/* Opens for reading, and says how long the file is. Not there, no file, not HDF5 (and what it looks like
 * instead), truncated, locked: each has its message. */
argand_status hdf5_open(hid_t *file, hsize_t *bytes, const char *path);
/* What a file that is not HDF5 looks like from its first bytes: "a Siemens raw file (twix)"; NULL: no format
 * that is known. */
const char *hdf5_looks_like(const unsigned char *bytes, size_t count);

/* Inside the file: no link is followed out of it. */
argand_status hdf5_open_group(hid_t *group, hid_t file, const char *path, const char *name);
/* The names in a group, "a, b, c"; at most 20 of them. */
void hdf5_list(text *names, hid_t group);

/* Whether all members of a type, at any depth, lie inside it, and the depth is one that formats have. HDF5
 * (1.10) opens damaged files without looking, and then converts beyond its buffers. */
bool hdf5_type_is_sound(hid_t type);

/* Memory that HDF5 fills with data of varying length. All blocks are freed together, also those that a failed
 * read left behind, and no more than `allowance` bytes are given out (damaged files ask for absurd lengths).
 */
typedef struct hdf5_arena {
    struct arena_block *blocks;
    size_t allowance, used;
    bool failed;  /* no memory was left */
    bool refused; /* the allowance was spent */
} hdf5_arena;

/* A transfer property list that reads into the arena; negative where HDF5 fails. The caller closes it. */
hid_t hdf5_arena_transfer(hdf5_arena *arena);
void hdf5_arena_clear(hdf5_arena *arena);

#endif
