/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks HDF5, silences its messages, and converts its errors to statuses. */
#include "io/hdf5/session.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local char lacked[240]; /* HDF5's message of its first lack of memory */

/* Finds the error that HDF5 reports for lack of memory; for lack of space in a file it reports the same
 * with a file. */
static herr_t look_for_memory(unsigned n, const H5E_error2_t *error, void *data)
{
    (void)n, (void)data;
    const bool is_memory = error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
    if (is_memory && error->desc && !*lacked && !strstr(error->desc, "file"))
        snprintf(lacked, sizeof lacked, "%s", error->desc);
    return 0;
}

/* Handles every failure in place of printing. */
static herr_t on_failure(hid_t stack, void *data)
{
    H5Ewalk2(stack, H5E_WALK_UPWARD, look_for_memory, data);
    return 0;
}

/* Returns true if memory is exhausted, because not all failures of HDF5 name memory as their reason. */
static bool nothing_is_left(void)
{
    enum { LITTLE = 1 << 22 };
    void *volatile probe = malloc(LITTLE);
    free(probe);
    return !probe;
}

argand_status hdf5_blame(argand_status status, const char *path)
{
    if (!*lacked && status != ARGAND_OK && nothing_is_left())
        snprintf(lacked, sizeof lacked, "not even 4 MB are left");
    if (!*lacked) return status;
    return status_set(
        ARGAND_MEMORY,
        "%s: there is no memory for what HDF5 needs for it (%s). Free some or raise the limit; if "
        "the file is small, it is damaged and claims more than it holds",
        path, lacked);
}

argand_status hdf5_enter(hdf5_session *session)
{
    session->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    CHECK(session->plain, ARGAND_MEMORY, "no memory for the number format of the C language");
    pthread_mutex_lock(&lock);
    session->before = uselocale(session->plain);
    H5Eget_auto2(H5E_DEFAULT, &session->print, &session->print_data);
    H5Eset_auto2(H5E_DEFAULT, on_failure, NULL);
    lacked[0] = 0;
    return ARGAND_OK;
}

void hdf5_leave(hdf5_session *session)
{
    H5Eset_auto2(H5E_DEFAULT, session->print, session->print_data);
    uselocale(session->before);
    pthread_mutex_unlock(&lock);
    freelocale(session->plain);
}

void hdf5_hold(void)
{
    pthread_mutex_lock(&lock);
}

void hdf5_let_go(void)
{
    pthread_mutex_unlock(&lock);
}

static herr_t take_first(unsigned n, const H5E_error2_t *error, void *data)
{
    (void)n;
    char *reason = data;
    if (!*reason && error->desc) snprintf(reason, 240, "%s", error->desc);
    return 0;
}

const char *hdf5_reason(void)
{
    static _Thread_local char reason[240];
    reason[0] = 0;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, reason);
    return *reason ? reason : "HDF5 gives no reason";
}

typedef struct arena_block {
    struct arena_block *next;
    max_align_t bytes[];
} arena_block;

static void *arena_take(size_t size, void *info)
{
    hdf5_arena *arena = info;
    if (size > arena->allowance - arena->used) {
        arena->refused = true;
        return NULL;
    }
    arena_block *block;
    if (memory_new(&block, sizeof *block + size, 1) != ARGAND_OK) {
        arena->failed = true;
        return NULL;
    }
    arena->used += size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block->bytes;
}

static void arena_give_back(void *memory, void *info)
{
    (void)memory; /* freed with all blocks in hdf5_arena_clear */
    (void)info;
}

hid_t hdf5_arena_transfer(hdf5_arena *arena)
{
    const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    if (H5Pset_vlen_mem_manager(transfer, arena_take, arena, arena_give_back, arena) >= 0) return transfer;
    H5Pclose(transfer);
    return -1;
}

void hdf5_arena_clear(hdf5_arena *arena)
{
    while (arena->blocks) {
        arena_block *next = arena->blocks->next;
        memory_free(arena->blocks);
        arena->blocks = next;
    }
    arena->used = 0;
}
