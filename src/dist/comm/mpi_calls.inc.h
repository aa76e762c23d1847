/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator on MPI, for one binary interface. Set before: INTERFACE, INTERFACE_NAME, the type handle,
 * ANY_SOURCE, STATUSES_IGNORE, PREDEFINED. Data are bytes, so that MPI_BYTE is the only type needed. */
#include "dist/comm/mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "dist/comm/spares.h"

/* Functions that every MPI library has. */
typedef struct mpi_calls {
    int (*MPI_Init_thread)(int *, char ***, int, int *);
    int (*MPI_Initialized)(int *);
    int (*MPI_Finalized)(int *);
    int (*MPI_Finalize)(void);
    int (*MPI_Abort)(handle, int);
    int (*MPI_Comm_rank)(handle, int *);
    int (*MPI_Comm_size)(handle, int *);
    int (*MPI_Comm_dup)(handle, handle *);
    int (*MPI_Comm_split)(handle, int, int, handle *);
    int (*MPI_Comm_free)(handle *);
    int (*MPI_Comm_set_errhandler)(handle, handle);
    int (*MPI_Isend)(const void *, int, handle, int, int, handle, handle *);
    int (*MPI_Irecv)(void *, int, handle, int, int, handle, handle *);
    int (*MPI_Recv)(void *, int, handle, int, int, handle, void *);
    int (*MPI_Iprobe)(int, int, handle, int *, void *);
    int (*MPI_Waitall)(int, handle *, void *);
    int (*MPI_Testall)(int, handle *, int *, void *);
    int (*MPI_Type_contiguous)(int, handle, handle *);
    int (*MPI_Type_create_hvector)(int, int, ptrdiff_t, handle, handle *);
    int (*MPI_Type_create_struct)(int, const int *, const ptrdiff_t *, const handle *, handle *);
    int (*MPI_Type_commit)(handle *);
    int (*MPI_Type_free)(handle *);
    int (*MPI_Error_string)(int, char *, int *);
    int (*MPI_Get_library_version)(char *, int *);
} mpi_calls;

#define CALL(name)                       \
    {                                    \
#name, offsetof(mpi_calls, name) \
    }
static const struct {
    const char *name;
    size_t offset;
} names[] = {CALL(MPI_Init_thread),
             CALL(MPI_Initialized),
             CALL(MPI_Finalized),
             CALL(MPI_Finalize),
             CALL(MPI_Abort),
             CALL(MPI_Comm_rank),
             CALL(MPI_Comm_size),
             CALL(MPI_Comm_dup),
             CALL(MPI_Comm_split),
             CALL(MPI_Comm_free),
             CALL(MPI_Comm_set_errhandler),
             CALL(MPI_Isend),
             CALL(MPI_Irecv),
             CALL(MPI_Recv),
             CALL(MPI_Iprobe),
             CALL(MPI_Waitall),
             CALL(MPI_Testall),
             CALL(MPI_Type_contiguous),
             CALL(MPI_Type_create_hvector),
             CALL(MPI_Type_create_struct),
             CALL(MPI_Type_commit),
             CALL(MPI_Type_free),
             CALL(MPI_Error_string),
             CALL(MPI_Get_library_version)};

/* The opened library, of which a process has one. */
static struct {
    mpi_calls call;
    handle world, byte, errors_return;
    bool open, started; /* started: by us, so that the last communicator ends MPI */
    int users;
} mpi;

enum { TAG_BLOCK = 1, TAG_HEAD = 2, TAG_LETTER = 3, MPI_ERROR_TEXT = 1024 };

/* Head of a letter, which is received from any rank; the bytes follow from this rank. */
typedef struct letter_head {
    int64_t from, count;
} letter_head;

/* A letter that is being sent. */
typedef struct letter {
    struct letter *next;
    handle requests[2];
    int sends; /* of the two that were started */
    letter_head head;
    char *bytes;
} letter;

/* A started exchange. */
typedef struct exchange {
    comm_spare spare;
    int count;
    handle requests[];
} exchange;

typedef struct mpi_rank {
    handle comm;
    int rank, size;
    letter *letters;
    comm_spares spares;
} mpi_rank;

static argand_status check(int code, const char *what)
{
    char text[MPI_ERROR_TEXT] = "";
    int length = 0;
    if (!code) return ARGAND_OK;
    mpi.call.MPI_Error_string(code, text, &length);
    return status_set(ARGAND_DEVICE, "%s failed: %s", what, text);
}

#define MPI(name, ...) check(mpi.call.name(__VA_ARGS__), #name)

static argand_status open_calls(void *library)
{
    if (mpi.open) return ARGAND_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *address = dlsym(library, names[i].name);
        CHECK(address, ARGAND_UNSUPPORTED, "the MPI library lacks %s", names[i].name);
        memcpy((char *)&mpi.call + names[i].offset, &address, sizeof address);
    }
    mpi.world = PREDEFINED(library, "ompi_mpi_comm_world", 0x44000000);
    mpi.byte = PREDEFINED(library, "ompi_mpi_byte", 0x4c00010d);
    mpi.errors_return = PREDEFINED(library, "ompi_mpi_errors_return", 0x54000001);
    mpi.open = true;
    return ARGAND_OK;
}

static argand_status start_mpi(void)
{
    enum { SERIALIZED = 2 };
    int is_started = 0, is_ended = 0, level;
    mpi.call.MPI_Finalized(&is_ended);
    CHECK(!is_ended, ARGAND_UNSUPPORTED, "MPI was ended in this process and cannot be started again");
    mpi.call.MPI_Initialized(&is_started);
    if (is_started) return ARGAND_OK;
    TRY(MPI(MPI_Init_thread, NULL, NULL, SERIALIZED, &level));
    mpi.started = true;
    return ARGAND_OK;
}

/* A committed type of one block. Pieces longer than an int counts are units of 2^20 bytes and a rest. */
static argand_status piece_type(size_t length, handle *piece)
{
    enum { UNIT = 1 << 20 };
    handle unit, parts[2];
    if (length <= INT32_MAX) return MPI(MPI_Type_contiguous, (int)length, mpi.byte, piece);
    const size_t units = length / UNIT;
    const int counts[2] = {1, (int)(length % UNIT)};
    const ptrdiff_t at[2] = {0, (ptrdiff_t)(units * UNIT)};
    CHECK(units <= INT32_MAX, ARGAND_UNSUPPORTED, "a piece of %zu bytes is too long for MPI", length);
    TRY(MPI(MPI_Type_contiguous, UNIT, mpi.byte, &unit));
    argand_status status = MPI(MPI_Type_contiguous, (int)units, unit, &parts[0]);
    mpi.call.MPI_Type_free(&unit);
    TRY(status);
    parts[1] = mpi.byte;
    status = MPI(MPI_Type_create_struct, 2, counts, at, parts, piece);
    mpi.call.MPI_Type_free(&parts[0]);
    return status;
}

static argand_status block_type(const comm_block *b, handle *type)
{
    handle piece;
    CHECK(b->count <= INT32_MAX, ARGAND_UNSUPPORTED, "%lld pieces are too many for MPI", (long long)b->count);
    TRY(piece_type(b->length, &piece));
    argand_status status = MPI(MPI_Type_create_hvector, (int)b->count, 1, (ptrdiff_t)b->stride, piece, type);
    mpi.call.MPI_Type_free(&piece);
    TRY(status);
    return MPI(MPI_Type_commit, type);
}

static argand_status start_block(const mpi_rank *me, const comm_block *b, bool sends, handle *request)
{
    handle type = mpi.byte;
    const bool plain = b->count == 1 && b->length <= INT32_MAX;
    const int count = plain ? (int)b->length : 1;
    if (!plain) TRY(block_type(b, &type));
    const argand_status status =
        sends ? MPI(MPI_Isend, b->memory, count, type, b->rank, TAG_BLOCK, me->comm, request)
              : MPI(MPI_Irecv, b->memory, count, type, b->rank, TAG_BLOCK, me->comm, request);
    if (!plain) mpi.call.MPI_Type_free(&type);
    return status;
}

static argand_status mpi_start(void *context, const comm_block *sends, int send_count,
                               const comm_block *receives, int receive_count, void **pending)
{
    void *taken;
    argand_status status = spares_take(&((mpi_rank *)context)->spares, send_count + receive_count, &taken);
    TRY(status);
    exchange *e = taken;
    e->count = 0;
    for (int i = 0; i < receive_count && !status; i++)
        status = start_block(context, &receives[i], false, &e->requests[e->count++]);
    for (int i = 0; i < send_count && !status; i++)
        status = start_block(context, &sends[i], true, &e->requests[e->count++]);
    if (!status) {
        *pending = e;
        return ARGAND_OK;
    }
    memory_free(e); /* MPI is unusable after an error: requests that were started stay with it */
    return status;
}

static argand_status mpi_finish(void *context, void *pending)
{
    exchange *e = pending;
    const argand_status status = MPI(MPI_Waitall, e->count, e->requests, STATUSES_IGNORE);
    spares_give_back(&((mpi_rank *)context)->spares, e);
    return status;
}

static argand_status mpi_reserve(void *context, int blocks, int at_once)
{
    return spares_reserve(&((mpi_rank *)context)->spares, blocks, at_once);
}

/* Frees letters that have been sent; waits for all of them if `wait` is set. */
static argand_status letters_done(mpi_rank *me, bool wait)
{
    for (letter **at = &me->letters; *at;) {
        letter *l = *at;
        int done = 1;
        TRY(wait ? MPI(MPI_Waitall, l->sends, l->requests, STATUSES_IGNORE)
                 : MPI(MPI_Testall, l->sends, l->requests, &done, STATUSES_IGNORE));
        if (!done) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        memory_free(l->bytes);
        memory_free(l);
    }
    return ARGAND_OK;
}

/* Starts both sends, and counts those that MPI accepted. */
static argand_status send_letter(const mpi_rank *me, letter *l, int to)
{
    const comm_block block = {to, l->bytes, (size_t)l->head.count, 0, 1};
    handle type;
    TRY(block_type(&block, &type));
    argand_status status =
        MPI(MPI_Isend, &l->head, (int)sizeof l->head, mpi.byte, to, TAG_HEAD, me->comm, &l->requests[0]);
    l->sends = !status;
    if (!status) status = MPI(MPI_Isend, l->bytes, 1, type, to, TAG_LETTER, me->comm, &l->requests[1]);
    l->sends += !status;
    mpi.call.MPI_Type_free(&type);
    return status;
}

/* MPI reads a letter of which a send was started, also if the other failed. */
static argand_status mpi_post(void *context, int to, const void *bytes, size_t count)
{
    mpi_rank *me = context;
    letter *l;
    TRY(letters_done(me, false));
    TRY(NEW(l, 1));
    *l = (letter){.head = {me->rank, (int64_t)count}};
    argand_status status = memory_take(&l->bytes, count + 1);
    if (count && !status) memcpy(l->bytes, bytes, count);
    if (!status) status = send_letter(me, l, to);
    if (l->sends) {
        l->next = me->letters;
        me->letters = l;
    } else {
        memory_free(l->bytes);
        memory_free(l);
    }
    return status;
}

static argand_status mpi_collect(void *context, int *from, void **bytes, size_t *count)
{
    mpi_rank *me = context;
    letter_head head;
    int there = 0;
    handle type;
    TRY(letters_done(me, false));
    TRY(MPI(MPI_Iprobe, ANY_SOURCE, TAG_HEAD, me->comm, &there, STATUSES_IGNORE));
    if (!there) return ARGAND_OK;
    TRY(MPI(MPI_Recv, &head, (int)sizeof head, mpi.byte, ANY_SOURCE, TAG_HEAD, me->comm, STATUSES_IGNORE));
    CHECK(head.from >= 0 && head.from < me->size && head.count >= 0, ARGAND_DEVICE,
          "a message from rank %lld of %lld bytes arrived", (long long)head.from, (long long)head.count);
    void *letter_bytes;
    TRY(memory_take(&letter_bytes, (size_t)head.count + 1));
    const comm_block block = {(int)head.from, letter_bytes, (size_t)head.count, 0, 1};
    argand_status status = block_type(&block, &type);
    if (!status) {
        status = MPI(MPI_Recv, letter_bytes, 1, type, (int)head.from, TAG_LETTER, me->comm, STATUSES_IGNORE);
        mpi.call.MPI_Type_free(&type);
    }
    if (status) {
        memory_free(letter_bytes);
        return status;
    }
    *from = (int)head.from;
    *bytes = letter_bytes;
    *count = (size_t)head.count;
    return ARGAND_OK;
}

static void mpi_library(void *context, char *text, size_t size)
{
    char *version; /* MPI_MAX_LIBRARY_VERSION_STRING is at most 8192 */
    int length = 0;
    (void)context;
    snprintf(text, size, "%s", INTERFACE_NAME);
    if (NEW(version, 8193)) return;
    if (!mpi.call.MPI_Get_library_version(version, &length))
        snprintf(text, size, "%.*s", (int)strcspn(version, "\n,"), version);
    for (char *c = text; *c; c++)
        if (*c == '\t') *c = ' ';
    memory_free(version);
}

static void mpi_abort(void *context, int exit_code)
{
    mpi.call.MPI_Abort(((mpi_rank *)context)->comm, exit_code);
}

static void mpi_free(void *context)
{
    mpi_rank *me = context;
    int is_ended = 0;
    mpi.call.MPI_Finalized(&is_ended);
    if (!is_ended) {
        if (letters_done(me, true)) me->letters = NULL; /* MPI keeps what it could not send */
        mpi.call.MPI_Comm_free(&me->comm);
        if (--mpi.users == 0 && mpi.started) mpi.call.MPI_Finalize();
    }
    spares_free(&me->spares);
    memory_free(me);
}

static argand_status mpi_split(argand_comm *parent, int colour, int key, argand_comm **part);

static const comm_engine engine = {.kind = "mpi",
                                   .reserve = mpi_reserve,
                                   .start = mpi_start,
                                   .finish = mpi_finish,
                                   .post = mpi_post,
                                   .collect = mpi_collect,
                                   .split = mpi_split,
                                   .library = mpi_library,
                                   .abort = mpi_abort,
                                   .free = mpi_free};

/* Makes a handle of a communicator of MPI, which stays the caller's on failure. */
static argand_status wrap(handle own, argand_comm **comm)
{
    mpi_rank *me = NULL;
    argand_status status = NEW(me, 1);
    if (!status) {
        *me = (mpi_rank){.comm = own, .spares = {NULL, sizeof(exchange), sizeof(handle)}};
        status = MPI(MPI_Comm_rank, own, &me->rank);
    }
    if (!status) status = MPI(MPI_Comm_size, own, &me->size);
    if (!status) status = spares_reserve(&me->spares, 2 * me->size, 1);
    if (!status) status = comm_new(comm, &engine, me, me->rank, me->size);
    if (status) {
        if (me) spares_free(&me->spares);
        memory_free(me);
        return status;
    }
    mpi.users++;
    return ARGAND_OK;
}

/* Gives up what this rank has made if another rank has not. MPI stays started for another attempt. */
static argand_status settle(handle own, argand_status mine, argand_status all, argand_comm **comm)
{
    if (!all) return ARGAND_OK;
    mpi.users++;
    if (mine)
        mpi.call.MPI_Comm_free(&own);
    else
        argand_comm_destroy(*comm);
    mpi.users--;
    *comm = NULL;
    return all;
}

static argand_status mpi_split(argand_comm *parent, int colour, int key, argand_comm **part)
{
    const mpi_rank *me = parent->context;
    handle own;
    TRY(MPI(MPI_Comm_split, me->comm, colour, key, &own));
    argand_status mine = MPI(MPI_Comm_set_errhandler, own, mpi.errors_return);
    if (!mine) mine = wrap(own, part);
    return settle(own, mine, argand_comm_agree(parent, mine), part);
}

/* Agrees on a communicator of which some ranks may have no handle: one number to and from one rank after the
 * other, without memory. */
static argand_status agree_first(handle own, argand_status mine)
{
    int rank, size, failed = -1;
    int32_t sent = (int32_t)mine, theirs, reason = 0;
    TRY(MPI(MPI_Comm_rank, own, &rank));
    TRY(MPI(MPI_Comm_size, own, &size));
    for (int step = 1; step < size; step++) {
        const int to = (rank + step) % size, from = (rank + size - step) % size;
        handle request;
        TRY(MPI(MPI_Isend, &sent, (int)sizeof sent, mpi.byte, to, TAG_BLOCK, own, &request));
        TRY(MPI(MPI_Recv, &theirs, (int)sizeof theirs, mpi.byte, from, TAG_BLOCK, own, STATUSES_IGNORE));
        TRY(MPI(MPI_Waitall, 1, &request, STATUSES_IGNORE));
        if (theirs && (failed < 0 || from < failed)) failed = from, reason = theirs;
    }
    if (mine || failed < 0) return mine;
    return status_set((argand_status)reason, "rank %d of %d could not make its communicator", failed, size);
}

static argand_status make(void *library, const void *mpi_comm, argand_comm **comm)
{
    handle from, own;
    TRY(open_calls(library));
    TRY(start_mpi());
    from = mpi.world;
    if (mpi_comm) memcpy(&from, mpi_comm, sizeof from);
    TRY(MPI(MPI_Comm_dup, from, &own));
    argand_status mine = MPI(MPI_Comm_set_errhandler, own, mpi.errors_return);
    if (!mine) mine = wrap(own, comm);
    return settle(own, mine, agree_first(own, mine), comm);
}

const mpi_interface INTERFACE = {.name = INTERFACE_NAME, .make = make};
