/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators whose ranks have a CUDA device each. NCCL, opened at run time, moves blocks of device
 * memory and adds arrays, in the device's stream and without copies in host memory. What lies in host
 * memory goes over the communicator that it is made on. */
#include "dist/comm/nccl_calls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "array/array.h"
#include "base/memory.h"
#include "device/foreign.h"
#include "dist/comm/comm.h"
#include "dist/comm/spares.h"

static nccl_library nccl;
static cuda_copies copies;
static char reason[512]; /* why NCCL cannot be used; "" if it can */
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define NEEDED(result, name, symbol, parameters) {symbol, offsetof(nccl_library, name), true},
#define OPTIONAL(result, name, symbol, parameters) {symbol, offsetof(nccl_library, name), false},
static const foreign_function functions[] = {NCCL_FUNCTIONS(NEEDED)
                                                 NCCL_OPTIONAL_FUNCTIONS(OPTIONAL){NULL, 0, false}};
static const foreign_function copy_functions[] = {
    {"cuMemcpy2DAsync_v2", offsetof(cuda_copies, rows), true},
    {"cuMemcpyDtoDAsync_v2", offsetof(cuda_copies, piece), true},
    {"cuStreamCreate", offsetof(cuda_copies, stream_create), true},
    {"cuStreamDestroy_v2", offsetof(cuda_copies, stream_destroy), true},
    {"cuEventCreate", offsetof(cuda_copies, event_create), true},
    {"cuEventDestroy_v2", offsetof(cuda_copies, event_destroy), true},
    {"cuEventRecord", offsetof(cuda_copies, event_record), true},
    {"cuStreamWaitEvent", offsetof(cuda_copies, event_wait), true},
    {"cuCtxGetDevice", offsetof(cuda_copies, device), false},
    {"cuDeviceGetMemPool", offsetof(cuda_copies, pool), false},
    {"cuMemPoolSetAccess", offsetof(cuda_copies, pool_access), false},
    {NULL, 0, false}};

typedef struct nccl_rank {
    ncclComm_t comm; /* NULL after an abort */
    argand_comm *host;
    argand_device *device;
    void *aside; /* a second stream, made on first use */
    comm_spares spares;
} nccl_rank;

static void open_library(void)
{
    const char *own = getenv("ARGAND_NCCL");
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
    else if (!foreign_open((const char *const[]){"libcuda.so.1", NULL}, FOREIGN_DRIVER, copy_functions,
                           &copies, why, sizeof why))
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

static size_t block_bytes(const comm_block *b)
{
    return b->length * (size_t)b->count;
}

/* Returns where a block lies whole: at its own place, or at the next free place of the scratch memory. */
static char *whole_place(const comm_block *b, char *scratch, size_t *used)
{
    enum { ALIGNMENT = 256 };
    if (comm_is_whole(b)) return b->memory;
    char *place = scratch + *used;
    *used += (block_bytes(b) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return place;
}

static argand_status check_copy(int result)
{
    CHECK(!result, ARGAND_DEVICE, "pieces cannot be copied on the device: CUDA error %d", result);
    return ARGAND_OK;
}

/* Copies pieces from a whole block or into one. */
static argand_status copy_pieces(const comm_block *b, char *whole, bool gathers, void *stream)
{
    const unsigned long long apart = (uintptr_t)b->memory, close = (uintptr_t)whole;
    if (comm_is_whole(b)) return ARGAND_OK;
    if (b->stride <= INT32_MAX) {
        enum { DEVICE_MEMORY = 2 };
        const cuda_copy_end pieces = {.kind = DEVICE_MEMORY, .device = apart, .pitch = b->stride},
                            packed = {.kind = DEVICE_MEMORY, .device = close, .pitch = b->length};
        const cuda_copy_rows copy = {gathers ? pieces : packed, gathers ? packed : pieces, b->length,
                                     (size_t)b->count};
        return check_copy(copies.rows(&copy, stream));
    }
    for (int64_t i = 0; i < b->count; i++) {
        const unsigned long long piece = apart + (size_t)i * b->stride, place = close + (size_t)i * b->length;
        TRY(check_copy(copies.piece(gathers ? place : piece, gathers ? piece : place, b->length, stream)));
    }
    return ARGAND_OK;
}

typedef struct block_list {
    const comm_block *blocks;
    int count;
} block_list;

/* Copies the pieces of all blocks of a list that have gaps. */
static argand_status copy_list(block_list list, char *scratch, bool gathers, void *stream)
{
    size_t used = 0;
    for (int i = 0; i < list.count; i++) {
        char *place = whole_place(&list.blocks[i], scratch, &used);
        if (block_bytes(&list.blocks[i])) TRY(copy_pieces(&list.blocks[i], place, gathers, stream));
    }
    return ARGAND_OK;
}

static argand_status send_list(const nccl_rank *me, block_list list, char *scratch, bool sends, void *stream)
{
    size_t used = 0;
    for (int i = 0; i < list.count; i++) {
        const comm_block *b = &list.blocks[i];
        char *place = whole_place(b, scratch, &used);
        if (!block_bytes(b)) continue;
        TRY(sends ? NCCL(Send, place, block_bytes(b), NCCL_BYTES, b->rank, me->comm, stream)
                  : NCCL(Recv, place, block_bytes(b), NCCL_BYTES, b->rank, me->comm, stream));
    }
    return ARGAND_OK;
}

static size_t scratch_bytes(block_list list)
{
    size_t used = 0;
    for (int i = 0; i < list.count; i++) whole_place(&list.blocks[i], NULL, &used);
    return used;
}

/* Queues the exchange. A group that was begun is always ended: NCCL counts them. */
static argand_status queue(const nccl_rank *me, block_list sends, block_list receives, char *scratch,
                           void *stream)
{
    char *receive_scratch = scratch + scratch_bytes(sends);
    TRY(copy_list(sends, scratch, true, stream));
    TRY(NCCL(GroupStart));
    argand_status status = send_list(me, receives, receive_scratch, false, stream);
    if (!status) status = send_list(me, sends, scratch, true, stream);
    const int ended = nccl.GroupEnd();
    if (!status) status = check(me, ended, "ncclGroupEnd");
    return status ? status : copy_list(receives, receive_scratch, false, stream);
}

/* The scratch memory is free again for later work in the same stream. */
static argand_status nccl_start(void *context, const comm_block *sends, int send_count,
                                const comm_block *receives, int receive_count, void **pending)
{
    const nccl_rank *me = context;
    const block_list out = {sends, send_count}, in = {receives, receive_count};
    const size_t bytes = scratch_bytes(out) + scratch_bytes(in);
    storage *scratch = NULL;
    void *stream;
    *pending = NULL;
    TRY(check_earlier(me));
    if (bytes) TRY(storage_scratch(&scratch, me->device, bytes));
    argand_status status = device_enter(me->device, &stream);
    if (!status) {
        status = queue(me, out, in, scratch ? storage_native(scratch) : NULL, stream);
        device_leave(me->device);
    }
    storage_release(scratch);
    return status;
}

/* An exchange in the second stream. */
typedef struct aside_exchange {
    comm_spare spare;
    storage *scratch;
    void *event; /* behind the exchange */
} aside_exchange;

static argand_status check_event(int result)
{
    CHECK(!result, ARGAND_DEVICE, "a second stream cannot be used: CUDA error %d", result);
    return ARGAND_OK;
}

/* Queues the exchange in the second stream, behind all earlier work of the device. */
static argand_status queue_aside(nccl_rank *me, block_list sends, block_list receives, aside_exchange *e,
                                 void *stream)
{
    enum { NON_BLOCKING = 1, WITHOUT_TIME = 2 };
    if (!me->aside) TRY(check_event(copies.stream_create(&me->aside, NON_BLOCKING)));
    TRY(check_event(copies.event_create(&e->event, WITHOUT_TIME)));
    TRY(check_event(copies.event_record(e->event, stream)));
    TRY(check_event(copies.event_wait(me->aside, e->event, 0)));
    const argand_status status =
        queue(me, sends, receives, e->scratch ? storage_native(e->scratch) : NULL, me->aside);
    const argand_status recorded = check_event(copies.event_record(e->event, me->aside));
    /* what was queued before the failure still uses the scratch memory, which the device's stream frees */
    if (status) copies.event_wait(stream, e->event, 0);
    return status ? status : recorded;
}

static void aside_free(nccl_rank *me, aside_exchange *e)
{
    if (e->event) copies.event_destroy(e->event);
    storage_release(e->scratch);
    spares_give_back(&me->spares, e);
}

/* The scratch memory is kept until later work of the device waits for the exchange. */
static argand_status nccl_start_aside(void *context, const comm_block *sends, int send_count,
                                      const comm_block *receives, int receive_count, void **pending)
{
    nccl_rank *me = context;
    const block_list out = {sends, send_count}, in = {receives, receive_count};
    const size_t bytes = scratch_bytes(out) + scratch_bytes(in);
    void *stream, *taken;
    TRY(check_earlier(me));
    TRY(spares_take(&me->spares, 0, &taken));
    aside_exchange *e = taken;
    e->scratch = NULL;
    e->event = NULL;
    argand_status status = bytes ? storage_scratch(&e->scratch, me->device, bytes) : ARGAND_OK;
    if (!status) status = device_enter(me->device, &stream);
    if (!status) {
        status = queue_aside(me, out, in, e, stream);
        device_leave(me->device);
    }
    if (status)
        aside_free(me, e);
    else
        *pending = e;
    return status;
}

/* Later work of the device finds the data. */
static argand_status nccl_finish(void *context, void *pending)
{
    nccl_rank *me = context;
    aside_exchange *e = pending;
    void *stream;
    if (e) {
        argand_status status = device_enter(me->device, &stream);
        if (!status) {
            status = check_event(copies.event_wait(stream, e->event, 0));
            aside_free(me, e);
            device_leave(me->device);
        } else {
            aside_free(me, e);
        }
        TRY(status);
    }
    return check_earlier(me);
}

/* Memory of the device for pieces is not reserved: it is as much as is exchanged. */
static argand_status nccl_reserve(void *context, int blocks, int at_once)
{
    (void)blocks;
    return spares_reserve(&((nccl_rank *)context)->spares, 0, at_once);
}

static argand_status nccl_copy(void *context, const comm_block *to, const comm_block *from)
{
    const nccl_rank *me = context;
    void *stream;
    if (!block_bytes(from)) return ARGAND_OK;
    TRY(device_enter(me->device, &stream));
    argand_status status;
    if (!comm_is_whole(from))
        status = copy_pieces(from, to->memory, true, stream);
    else if (!comm_is_whole(to))
        status = copy_pieces(to, from->memory, false, stream);
    else
        status = check_copy(
            copies.piece((uintptr_t)to->memory, (uintptr_t)from->memory, block_bytes(from), stream));
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
        copies.stream_destroy(me->aside);
        device_leave(me->device);
    }
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

typedef struct seat {
    int32_t process, device;
} seat;

/* Between threads of one process NCCL reads and writes the ranks' arrays directly, also those that the
 * driver gave out in stream order, which other devices cannot use unless they are allowed to. A refusal
 * means that the devices do not reach each other's memory; NCCL then copies. */
static argand_status share_memory(const nccl_rank *me)
{
    enum { ON_DEVICE = 1, READ_AND_WRITE = 3 };
    seat mine = {getpid(), -1}, *all = me->host->work;
    void *pool = NULL, *stream;
    int device = -1;
    const argand_status entered = device_enter(me->device, &stream);
    if (!entered && copies.device && copies.pool && copies.pool_access && !copies.device(&device)) {
        mine.device = device;
        if (copies.pool(&pool, device)) pool = NULL;
    }
    if (!entered) device_leave(me->device);
    /* the others wait for this rank, whatever has become of it */
    TRY(argand_comm_gather(me->host, all, &mine, sizeof mine));
    TRY(entered);
    for (int r = 0; r < me->host->size && pool; r++) {
        const cuda_pool_access who = {ON_DEVICE, all[r].device, READ_AND_WRITE};
        if (all[r].process == mine.process && all[r].device >= 0 && all[r].device != device)
            copies.pool_access(pool, &who, 1);
    }
    return ARGAND_OK;
}

/* Spreads rank 0's identifier and joins the ranks. */
static argand_status join(nccl_rank *me)
{
    argand_comm *host = me->host;
    ncclUniqueId id = {{0}};
    void *stream;
    argand_status status = share_memory(me);
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
                          .spares = {NULL, sizeof(aside_exchange), 0}};
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
