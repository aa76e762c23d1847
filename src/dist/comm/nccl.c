/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators whose ranks have a CUDA device each. NCCL, opened at run time, moves blocks of device
 * memory and adds arrays, in the device's stream and without copies in host memory. What lies in host
 * memory goes over the communicator that it is made on. */
#include "dist/comm/nccl_calls.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/system/system.h"
#include "device/libraries/foreign.h"
#include "dist/comm/comm.h"
#include "dist/comm/peers.h"
#include "dist/comm/spares.h"

static nccl_library nccl;
static char reason[512]; /* why NCCL cannot be used; "" if it can */
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define NEEDED(result, name, symbol, parameters) {symbol, offsetof(nccl_library, name), true},
#define OPTIONAL(result, name, symbol, parameters) {symbol, offsetof(nccl_library, name), false},
static const foreign_function functions[] = {NCCL_FUNCTIONS(NEEDED)
                                                 NCCL_OPTIONAL_FUNCTIONS(OPTIONAL){NULL, 0, false}};
typedef struct nccl_rank {
    ncclComm_t comm; /* NULL after an abort */
    argand_comm *host;
    argand_device *device;
    void *aside; /* a second stream, made on first use */
    peers peers;
    comm_spares spares;
} nccl_rank;

static void open_library(void)
{
    const char *own = system_trusted_variable("ARGAND_NCCL");
    const char *const names[] = {own ? own : "libnccl.so.2", NULL};
    char why[320];
    if (own && !strcmp(own, "off"))
        snprintf(reason, sizeof reason, "ARGAND_NCCL is off");
    else if (!foreign_open(names, FOREIGN_PACKAGE, functions, &nccl, why, sizeof why))
        snprintf(
            reason, sizeof reason,
            "NCCL cannot be opened: %s: install NCCL (for Python: nvidia-nccl-cu13), or give its file in "
            "ARGAND_NCCL",
            why);
    else if (!cuda_calls_open(why, sizeof why))
        snprintf(reason, sizeof reason, "the NVIDIA driver cannot be used with NCCL: %s", why);
}

static argand_status check(const nccl_rank *me, int result, const char *what)
{
    if (!result) return ARGAND_OK;
    const char *last = nccl.GetLastError ? nccl.GetLastError(me->comm) : NULL;
    return status_set(ARGAND_DEVICE, "%s failed: %s%s%s", what, nccl.GetErrorString(result),
                      last && *last ? ": " : "", last ? last : "");
}

#define NCCL(name, ...) check(me, nccl.name(__VA_ARGS__), "nccl" #name)

/* Reports failures of earlier work. */
static argand_status check_earlier(const nccl_rank *me)
{
    int error = 0;
    CHECK(me->comm, ARGAND_DEVICE, "another call has ended the communication (argand_comm_abort)");
    TRY(NCCL(CommGetAsyncError, me->comm, &error));
    return check(me, error, "earlier communication through NCCL");
}

/* Returns where a block lies whole: at its own place, or at the next free place of the scratch memory. */
static char *whole_place(const comm_block *b, char *scratch, size_t *used)
{
    enum { ALIGNMENT = 256 };
    if (comm_is_whole(b)) return b->memory;
    char *place = scratch + *used;
    *used += (comm_block_bytes(b) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return place;
}

/* Copies pieces from a whole block or into one. */
static argand_status copy_pieces(const comm_block *b, char *place, bool gathers, void *stream)
{
    const comm_block whole = {b->rank, place, comm_block_bytes(b), comm_block_bytes(b), 1};
    if (comm_is_whole(b)) return ARGAND_OK;
    return cuda_copy_block(gathers ? &whole : b, gathers ? b : &whole, stream);
}

/* Blocks that are sent, or received. NCCL moves those that peers_takes leaves. */
typedef struct block_list {
    const comm_block *blocks;
    int count;
    bool are_sends;
} block_list;

static bool is_left(const nccl_rank *me, block_list list, int i)
{
    return comm_block_bytes(&list.blocks[i]) && !peers_takes(&me->peers, &list.blocks[i], list.are_sends);
}

/* Packs the pieces of blocks that have gaps, or unpacks them. */
static argand_status copy_list(const nccl_rank *me, block_list list, char *scratch, void *stream)
{
    size_t used = 0;
    for (int i = 0; i < list.count; i++) {
        if (!is_left(me, list, i)) continue;
        char *place = whole_place(&list.blocks[i], scratch, &used);
        TRY(copy_pieces(&list.blocks[i], place, list.are_sends, stream));
    }
    return ARGAND_OK;
}

static argand_status send_list(const nccl_rank *me, block_list list, char *scratch, void *stream)
{
    size_t used = 0;
    for (int i = 0; i < list.count; i++) {
        const comm_block *b = &list.blocks[i];
        if (!is_left(me, list, i)) continue;
        char *place = whole_place(b, scratch, &used);
        TRY(list.are_sends ? NCCL(Send, place, comm_block_bytes(b), NCCL_BYTES, b->rank, me->comm, stream)
                           : NCCL(Recv, place, comm_block_bytes(b), NCCL_BYTES, b->rank, me->comm, stream));
    }
    return ARGAND_OK;
}

static size_t scratch_bytes(const nccl_rank *me, block_list list)
{
    size_t used = 0;
    for (int i = 0; i < list.count; i++)
        if (is_left(me, list, i)) whole_place(&list.blocks[i], NULL, &used);
    return used;
}

static bool is_any_left(const nccl_rank *me, block_list list)
{
    for (int i = 0; i < list.count; i++)
        if (is_left(me, list, i)) return true;
    return false;
}

/* An exchange that is under way, with memory for its blocks if the devices share theirs. */
typedef struct nccl_exchange {
    comm_spare spare;
    peer_exchange peer;
    argand_status status; /* failure at the start, which finish returns if peers take part */
    storage *scratch;     /* of blocks with gaps */
    void *event;          /* behind an exchange in the second stream; otherwise NULL */
    peer_entry entries[];
} nccl_exchange;

/* Queues what NCCL moves. A group that was begun is always ended: NCCL counts them. */
static argand_status queue_left(const nccl_rank *me, block_list sends, block_list receives, char *scratch,
                                void *stream)
{
    char *receive_scratch = scratch + scratch_bytes(me, sends);
    if (!is_any_left(me, sends) && !is_any_left(me, receives)) return ARGAND_OK;
    TRY(copy_list(me, sends, scratch, stream));
    TRY(NCCL(GroupStart));
    argand_status status = send_list(me, receives, receive_scratch, stream);
    if (!status) status = send_list(me, sends, scratch, stream);
    const int ended = nccl.GroupEnd();
    if (!status) status = check(me, ended, "ncclGroupEnd");
    return status ? status : copy_list(me, receives, receive_scratch, stream);
}

/* status: a failure before, of which the peers must hear. */
static argand_status queue(const nccl_rank *me, block_list sends, block_list receives, nccl_exchange *e,
                           void *stream, argand_status status)
{
    void *scratch = e->scratch ? storage_native(e->scratch) : NULL;
    if (!status) status = queue_left(me, sends, receives, scratch, stream);
    return peers_start(&me->peers, &e->peer, me->device, stream, status);
}

/* Makes the second stream wait for all earlier work of the device. */
static argand_status follow(nccl_rank *me, nccl_exchange *e, void *stream)
{
    enum { NON_BLOCKING = 1, WITHOUT_TIME = 2 };
    if (!me->aside) TRY(cuda_check_event(cuda_copies.stream_create(&me->aside, NON_BLOCKING)));
    TRY(cuda_check_event(cuda_copies.event_create(&e->event, WITHOUT_TIME)));
    TRY(cuda_check_event(cuda_copies.event_record(e->event, stream)));
    return cuda_check_event(cuda_copies.event_wait(me->aside, e->event, 0));
}

/* Queues the exchange in the second stream. */
static argand_status queue_aside(nccl_rank *me, block_list sends, block_list receives, nccl_exchange *e,
                                 void *stream)
{
    const argand_status followed = follow(me, e, stream);
    const argand_status status = queue(me, sends, receives, e, me->aside, followed);
    if (followed) return status;
    const argand_status recorded = cuda_check_event(cuda_copies.event_record(e->event, me->aside));
    /* what was queued before the failure still uses the scratch memory, which the device's stream frees */
    if (status) cuda_copies.event_wait(stream, e->event, 0);
    return status ? status : recorded;
}

static void exchange_free(nccl_rank *me, nccl_exchange *e)
{
    if (e->event) cuda_copies.event_destroy(e->event);
    storage_release(e->scratch);
    peers_end(&e->peer);
    spares_give_back(&me->spares, e);
}

/* Blocks of each exchange for which memory is kept. */
static int kept_blocks(const nccl_rank *me, int blocks)
{
    return me->peers.events ? blocks : 0;
}

static argand_status start(nccl_rank *me, block_list out, block_list in, bool is_aside, void **pending)
{
    void *stream, *taken;
    TRY(check_earlier(me));
    TRY(spares_take(&me->spares, kept_blocks(me, out.count + in.count), &taken));
    nccl_exchange *e = taken;
    e->scratch = NULL;
    e->event = NULL;
    peers_begin(&me->peers, &e->peer, e->entries, out.blocks, out.count, in.blocks, in.count);
    const size_t bytes = scratch_bytes(me, out) + scratch_bytes(me, in);
    argand_status status = bytes ? storage_scratch(&e->scratch, me->device, bytes) : ARGAND_OK;
    if (!status) status = device_enter(me->device, &stream);
    if (status) {
        status = peers_start(&me->peers, &e->peer, me->device, NULL, status);
    } else {
        status = is_aside ? queue_aside(me, out, in, e, stream) : queue(me, out, in, e, stream, ARGAND_OK);
        device_leave(me->device);
    }
    e->status = status;
    if (status && !peers_has(&e->peer)) {
        exchange_free(me, e);
        return status;
    }
    *pending = e;
    return ARGAND_OK;
}

static argand_status nccl_start(void *context, const comm_block *sends, int send_count,
                                const comm_block *receives, int receive_count, void **pending)
{
    return start(context, (block_list){sends, send_count, true}, (block_list){receives, receive_count, false},
                 false, pending);
}

static argand_status nccl_start_aside(void *context, const comm_block *sends, int send_count,
                                      const comm_block *receives, int receive_count, void **pending)
{
    return start(context, (block_list){sends, send_count, true}, (block_list){receives, receive_count, false},
                 true, pending);
}

/* Later work of the device finds the data. The scratch memory is free for later work of its stream. */
static argand_status nccl_finish(void *context, void *pending)
{
    nccl_rank *me = context;
    nccl_exchange *e = pending;
    void *stream;
    const argand_status entered = device_enter(me->device, &stream);
    argand_status status = e->status ? e->status : entered;
    if (!status && e->event) status = cuda_check_event(cuda_copies.event_wait(stream, e->event, 0));
    status = peers_finish(&me->peers, &e->peer, stream, status);
    exchange_free(me, e);
    if (!entered) device_leave(me->device);
    TRY(status);
    return check_earlier(me);
}

/* Memory of the device for pieces is not reserved: it is as much as is exchanged. */
static argand_status nccl_reserve(void *context, int blocks, int at_once)
{
    nccl_rank *me = context;
    TRY(spares_reserve(&me->spares, kept_blocks(me, blocks), at_once));
    return me->peers.events ? comm_reserve(me->host, blocks, 1) : ARGAND_OK;
}

static argand_status nccl_copy(void *context, const comm_block *to, const comm_block *from)
{
    const nccl_rank *me = context;
    void *stream;
    if (!comm_block_bytes(from)) return ARGAND_OK;
    TRY(device_enter(me->device, &stream));
    const argand_status status = cuda_copy_block(to, from, stream);
    device_leave(me->device);
    return status;
}

static argand_status nccl_sum(void *context, argand_array *array)
{
    const nccl_rank *me = context;
    void *stream, *memory = comm_memory(array);
    const int type = type_is_double(array->type) ? NCCL_FLOAT64 : NCCL_FLOAT32;
    const size_t count = (size_t)array->count * (type_is_complex(array->type) ? 2 : 1);
    TRY(check_earlier(me));
    if (!count) return ARGAND_OK;
    TRY(device_enter(me->device, &stream));
    const argand_status status = NCCL(AllReduce, memory, memory, count, type, NCCL_SUM, me->comm, stream);
    device_leave(me->device);
    return status;
}

static argand_status nccl_split(argand_comm *parent, int colour, int key, argand_comm **part)
{
    argand_comm *host;
    TRY(argand_comm_split(&host, parent->host, colour, key));
    argand_status status = argand_comm_nccl(part, host, parent->device);
    argand_comm_destroy(host);
    status = argand_comm_agree(parent->host, status);
    if (status) {
        argand_comm_destroy(*part);
        *part = NULL;
    }
    return status;
}

static void nccl_version(void *context, char *text, size_t size)
{
    enum { MAJOR = 10000, MINOR = 100 };
    int version = 0;
    (void)context;
    if (nccl.GetVersion(&version)) version = 0;
    snprintf(text, size, "NCCL %d.%d.%d", version / MAJOR, version % MAJOR / MINOR, version % MINOR);
}

static void nccl_abort(void *context, int exit_code)
{
    nccl_rank *me = context;
    if (me->comm) nccl.CommAbort(me->comm);
    me->comm = NULL;
    argand_comm_abort(me->host, exit_code);
}

static void nccl_free(void *context)
{
    nccl_rank *me = context;
    void *stream;
    int error = 0;
    if (me->comm && !nccl.CommGetAsyncError(me->comm, &error) && !error && !argand_device_wait(me->device))
        nccl.CommDestroy(me->comm);
    else if (me->comm)
        nccl.CommAbort(me->comm);
    if (me->aside && !device_enter(me->device, &stream)) {
        cuda_copies.stream_destroy(me->aside);
        device_leave(me->device);
    }
    peers_leave(&me->peers);
    spares_free(&me->spares);
    argand_device_close(me->device);
    argand_comm_destroy(me->host);
    memory_free(me);
}

static const comm_engine nccl_engine = {.kind = "nccl",
                                        .device_memory = true,
                                        .reserve = nccl_reserve,
                                        .start = nccl_start,
                                        .finish = nccl_finish,
                                        .start_aside = nccl_start_aside,
                                        .copy = nccl_copy,
                                        .split = nccl_split,
                                        .library = nccl_version,
                                        .sum = nccl_sum,
                                        .abort = nccl_abort,
                                        .free = nccl_free};

/* Checks what this rank needs, so that no rank waits for one that cannot take part. */
static argand_status check_device(argand_device *device)
{
    argand_device_info info;
    void *stream;
    CHECK(device, ARGAND_ARGUMENT, "argand_comm_nccl: device is NULL");
    TRY(argand_device_describe(device, &info));
    CHECK(!strcmp(info.backend, "cuda"), ARGAND_UNSUPPORTED,
          "argand_comm_nccl: NCCL needs a CUDA device on each rank, and %s has the backend %s", info.name,
          info.backend);
    pthread_once(&once, open_library);
    CHECK(!*reason, ARGAND_UNSUPPORTED, "%s", reason);
    TRY(device_enter(device, &stream));
    device_leave(device);
    return ARGAND_OK;
}

/* Spreads rank 0's identifier and joins the ranks. */
static argand_status join(nccl_rank *me)
{
    argand_comm *host = me->host;
    ncclUniqueId id = {{0}};
    void *stream;
    argand_status status = peers_join(&me->peers, host, me->device);
    if (!status && !host->rank) status = NCCL(GetUniqueId, &id);
    TRY(argand_comm_agree(host, status));
    TRY(argand_comm_gather(host, host->work, &id, sizeof id));
    memcpy(&id, host->work, sizeof id);
    status = device_enter(me->device, &stream);
    if (!status) {
        const int result = nccl.CommInitRank(&me->comm, host->size, id, host->rank);
        if (result) me->comm = NULL;
        status = check(me, result, "ncclCommInitRank");
        if (result == NCCL_INVALID_USAGE)
            status = status_prefix(status, "each rank needs a GPU of its own: ");
        device_leave(me->device);
    }
    return argand_comm_agree(host, status);
}

argand_status argand_comm_nccl(argand_comm **comm, argand_comm *host, argand_device *device)
{
    nccl_rank *me = NULL;
    if (comm) *comm = NULL;
    CHECK(host && !host->host, ARGAND_ARGUMENT,
          "argand_comm_nccl: host is %s; give one of argand_comm_open, "
          "argand_comm_threads or argand_comm_mpi",
          host ? "an NCCL communicator" : "NULL");
    argand_status status =
        comm ? check_device(device) : status_set(ARGAND_ARGUMENT, "argand_comm_nccl: comm is NULL");
    if (!status) status = NEW(me, 1);
    if (!status) {
        *me = (nccl_rank){.host = argand_comm_keep(host),
                          .device = device_keep(device),
                          .spares = {NULL, sizeof(nccl_exchange), sizeof(peer_entry)}};
        status = comm_new(comm, &nccl_engine, me, host->rank, host->size);
        if (status) nccl_free(me);
    }
    status = argand_comm_agree(host, status);
    if (!status) status = join(me);
    if (status) {
        if (comm) argand_comm_destroy(*comm);
        if (comm) *comm = NULL;
        return status;
    }
    (*comm)->host = host;
    (*comm)->device = device;
    return ARGAND_OK;
}

argand_status argand_comm_devices(argand_comm **comm, argand_comm *host, argand_device *device)
{
    CHECK(comm, ARGAND_ARGUMENT, "argand_comm_devices: comm is NULL");
    *comm = NULL;
    CHECK(host && (device || host->size > 1), ARGAND_ARGUMENT, "argand_comm_devices: %s is NULL",
          host ? "device" : "host");
    argand_status status =
        host->size > 1 && !host->host ? argand_comm_nccl(comm, host, device) : ARGAND_UNSUPPORTED;
    if (status != ARGAND_UNSUPPORTED && status != ARGAND_DEVICE) return status;
    *comm = argand_comm_keep(host);
    return ARGAND_OK;
}
