/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5, silent and used by one thread at a time, because its usual build is not thread safe. All calls of
 * Argand are between hdf5_enter and hdf5_leave, which hold a lock, switch error messages off, and make
 * numbers in text use the decimal point in every locale. A program that calls the same HDF5 library from
 * other threads must synchronise itself. */
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

/* Returns status, or ARGAND_MEMORY with a message that names the file if HDF5 lacked memory since
 * hdf5_enter. HDF5's functions report failure without a reason: without this a sound file would be called
 * damaged, or its unreadable parts left out. */
argand_status hdf5_blame(argand_status status, const char *path);

/* Hold and release HDF5. Between both calls no other thread works in HDF5, so that the process may fork. */
void hdf5_hold(void);
void hdf5_let_go(void);

/* Returns the innermost reason of HDF5's last failure. Call it at once; the text is valid until the next
 * call. */
const char *hdf5_reason(void);

/* Opens a file for reading; *bytes: its length. Missing files, folders, other formats (with what they look
 * like), truncated and locked files have a message each. */
argand_status hdf5_open(hid_t *file, hsize_t *bytes, const char *path);
/* Returns what a file looks like by its first bytes, such as "a NIfTI image"; NULL: unknown format. */
const char *hdf5_looks_like(const unsigned char *bytes, size_t count);

/* Opens a group inside the file; no link is followed out of the file. */
argand_status hdf5_open_group(hid_t *group, hid_t file, const char *path, const char *name);
/* Lists the names in a group as "a, b, c", at most 20. */
void hdf5_list(text *names, hid_t group);

/* Returns true if all members of a type, at any depth, lie inside it, and the depth is plausible. HDF5
 * (1.10) opens damaged files unchecked, and then converts beyond its buffers. */
bool hdf5_type_is_sound(hid_t type);

/* Memory for data of varying length that HDF5 reads. All blocks are freed together, also after a failed
 * read, and at most `allowance` bytes are given out, because damaged files claim absurd lengths. */
typedef struct hdf5_arena {
    struct arena_block *blocks;
    size_t allowance, used;
    bool failed;  /* no memory was left */
    bool refused; /* the allowance was exceeded */
} hdf5_arena;

/* Creates a transfer property list that reads into the arena; negative: HDF5 failed. The caller closes it. */
hid_t hdf5_arena_transfer(hdf5_arena *arena);
void hdf5_arena_clear(hdf5_arena *arena);

#endif
