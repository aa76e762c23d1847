/* SPDX-License-Identifier: BSD-3-Clause */
/* Failures of NCCL, over a fake of it (fake_nccl.c) and the fake CUDA driver: each call, each allocation,
 * two ranks with one device, a missing library. Nothing may leak, and NCCL's message must come through.
 * Failures of one rank's device while others exchange data with it: all ranks get the error. */
#include "dist/nccl_ranks.h"

#include <dlfcn.h>
#include "device/fakes/fake_gpu.h"
#include "dist/comm/nccl_calls.h"
#include "dist/comm/peers.h"
#include "dist/fake_nccl.h"
#include "dist/nccl_joins.h"

/* Bytes from which devices copy from each other, unless a test sets another number. */
enum { LARGE = 4 << 20 };

static struct fake_gpu *cuda;
static struct fake_nccl *fake;

static void *state_of(const char *library, const char *symbol)
{
    void *(*get)(void);
    void *address = dlsym(dlopen(library, RTLD_NOW), symbol);
    assert_non_null(address);
    memcpy(&get, &address, sizeof get);
    return get();
}

static int reset(void **state)
{
    (void)state;
    cuda = state_of("libcuda.so.1", "fake_cuda_state");
    fake = state_of("libnccl.so.2", "fake_nccl_state");
    fake->fail_function = NULL;
    fake->async_error = 0;
    return 0;
}

/* Opens, exchanges pieces with all ranks, sums, closes. `same_device`: all ranks take cuda:0. */
static argand_status everything(argand_comm *host, argand_device *cpu, void *context)
{
    const bool same_device = context != NULL;
    enum { COUNT = 64, HALF = COUNT / 2 };
    const int64_t count = COUNT;
    argand_device *own = NULL;
    argand_comm *comm = NULL;
    argand_array *a = NULL, *b = NULL;
    (void)cpu;
    argand_status status = same_device ? argand_device_open(&own, "cuda:0") : own_device(&own, host);
    status = argand_comm_agree(host, status);
    if (!status) status = argand_comm_nccl(&comm, host, own);
    if (status && comm) status = status_set(ARGAND_INTERNAL, "a failed call left a communicator");
    if (!status) status = argand_array_create(&a, own, ARGAND_R32, 1, &count);
    if (!status) status = argand_array_create(&b, own, ARGAND_R32, 1, &count);
    if (!status) {
        const int next = (argand_comm_rank(comm) + 1) % argand_comm_size(comm),
                  last = (argand_comm_rank(comm) + argand_comm_size(comm) - 1) % argand_comm_size(comm);
        const comm_block out = {next, comm_memory(a), 4, 8, HALF},
                         in = {last, comm_memory(b), 8, 16, HALF / 2};
        status = argand_comm_agree(comm, comm_exchange(comm, &out, 1, &in, 1));
    }
    if (!status) status = argand_comm_sum(comm, a);
    argand_array_destroy(b);
    argand_array_destroy(a);
    argand_comm_destroy(comm);
    argand_device_close(own);
    return status;
}

/* Runs on threads; returns the first status that is not ARGAND_OK, and its message. */
static argand_status on_threads(int ranks, rank_work work, void *context, char message[512])
{
    rank_run runs[8] = {0};
    argand_comm *comms[8];
    argand_status status = ARGAND_OK;
    OK(argand_comm_threads(comms, ranks));
    for (int r = 0; r < ranks; r++) {
        runs[r] = (rank_run){.work = work, .context = context, .comm = comms[r]};
        assert_int_equal(pthread_create(&runs[r].thread, NULL, rank_thread, &runs[r]), 0);
    }
    for (int r = 0; r < ranks; r++) pthread_join(runs[r].thread, NULL);
    message[0] = 0;
    for (int r = 0; r < ranks && !status; r++) {
        status = runs[r].status;
        if (status) memcpy(message, runs[r].message, 512);
    }
    return status;
}

static void no_leak(const char *after, int alive)
{
    if (cuda->alive != alive || fake->alive)
        fail_msg("%s: %d of the driver, %d communicators leak", after, cuda->alive - alive, fake->alive);
}

#define NAME(result, name, symbol, parameters) #name,
static const char *const functions[] = {NCCL_FUNCTIONS(NAME)};

static void each_call_fails(void **state)
{
    char message[512];
    int failed = 0;
    (void)state;
    const int alive = cuda->alive;
    assert_int_equal(on_threads(3, everything, NULL, message), ARGAND_OK);
    no_leak("without failures", alive);
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (int code = 1; code < 9; code++) {
            fake->fail_function = functions[f];
            fake->fail_with = code;
            const argand_status status = on_threads(2, everything, NULL, message);
            fake->fail_function = NULL;
            no_leak(functions[f], alive);
            if (!status) continue; /* a call that this test does not make, or that frees */
            failed++;
            if (status != ARGAND_DEVICE || !strstr(message, functions[f]) ||
                !strstr(message, code == 5 ? "invalid usage" : "so the test wants it"))
                fail_msg("%s, result %d: %s: %s", functions[f], code, argand_status_name(status), message);
        }
    assert_int_equal(failed, 8 * 8); /* all but GetVersion, CommDestroy, CommAbort and GetErrorString */
}

/* The driver's calls while devices of one process copy from each other, failing on all ranks. */
static void each_copy_fails(void **state)
{
    static const char *const calls[] = {"EventCreate", "EventRecord", "StreamWaitEvent"};
    char message[512];
    (void)state;
    const int alive = cuda->alive, waits = cuda->waits;
    argand_test_peer_bytes(1);
    assert_int_equal(on_threads(3, everything, NULL, message), ARGAND_OK);
    assert_int_equal(cuda->waits, waits + 3 * 2); /* for the sender's event, and for the receiver's */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        cuda->fail_function = calls[i];
        cuda->fail_after = 0;
        cuda->fail_with = 2;
        const argand_status status = on_threads(3, everything, NULL, message);
        cuda->fail_function = NULL;
        const bool is_told = strstr(message, "CUDA error 2") || strstr(message, "failed in an exchange");
        if (status != ARGAND_DEVICE || !is_told)
            fail_msg("%s: %s: %s", calls[i], argand_status_name(status), message);
        no_leak(calls[i], alive);
    }
    argand_test_peer_bytes(LARGE);
}

static void each_allocation_fails(void **state)
{
    char message[512];
    (void)state;
    const int alive = cuda->alive;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status; n++) {
        argand_comm *host;
        OK(argand_comm_self(&host));
        argand_test_fail_allocation(n);
        status = everything(host, NULL, NULL);
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        argand_comm_destroy(host);
        no_leak("an allocation", alive);
        assert_true(n < 500);
    }
    assert_int_equal(on_threads(2, everything, NULL, message), ARGAND_OK);
}

static void each_entry_fails(void **state)
{
    char message[512];
    int failed = 0;
    (void)state;
    const int alive = cuda->alive;
    for (long after = 0; after < 4; after++) { /* before NCCL's own identifier is used: it waits for all */
        nccl_join join = {cuda, after};
        const argand_status status = on_threads(2, joins, &join, message);
        if (status == ARGAND_INTERNAL) fail_msg("entry %ld: %s", after, message);
        failed += status != ARGAND_OK;
        no_leak("an entry", alive);
    }
    assert_int_equal(failed, 4);
}

static void one_device_for_two_ranks(void **state)
{
    char message[512];
    (void)state;
    const int alive = cuda->alive;
    assert_int_equal(on_threads(2, everything, "cuda:0", message), ARGAND_DEVICE);
    if (!strstr(message, "each rank needs a GPU of its own") ||
        !strstr(message, "Duplicate GPU detected : rank 0 and rank 1"))
        fail_msg("%s", message);
    no_leak("two ranks with one device", alive);
}

/* An error that comes later than its call: all further calls report it, and the communicator is ended by an
 * abort. */
static argand_status late(argand_comm *comm, argand_device *own, void *context)
{
    const int64_t count = 1;
    argand_array *a;
    void *pending;
    (void)context;
    TRY(argand_array_create(&a, own, ARGAND_R32, 1, &count));
    TRY(comm_start(comm, NULL, 0, NULL, 0, &pending));
    TRY(argand_comm_barrier(comm));
    fake->async_error = 6;
    argand_status status = comm_finish(comm, pending);
    RANK_CHECK(status == ARGAND_DEVICE &&
                   strstr(argand_message(), "earlier communication through NCCL failed"),
               "%s", argand_message());
    status = argand_comm_size(comm) > 1 ? argand_comm_sum(comm, a) : ARGAND_DEVICE;
    argand_array_destroy(a);
    RANK_CHECK(status == ARGAND_DEVICE, "%s", argand_status_name(status));
    return ARGAND_OK;
}

static void an_error_comes_late(void **state)
{
    (void)state;
    for (int ranks = 1; ranks < 3; ranks++) {
        char message[512];
        nccl_work w = {late, NULL};
        const int alive = cuda->alive, aborted = fake->aborted;
        if (on_threads(ranks, nccl_rank_run, &w, message)) fail_msg("%s", message);
        fake->async_error = 0;
        assert_int_equal(fake->aborted, aborted + ranks);
        no_leak("a late error", alive);
    }
}

/* After an abort, calls of the rank fail, and so do the host's calls of all ranks. */
static argand_status aborting(argand_comm *comm, argand_device *own, void *context)
{
    const comm_block none = {0};
    void *pending;
    char all[8], mine = 0;
    (void)own, (void)context;
    if (argand_comm_rank(comm) == 0) {
        argand_comm_abort(comm, 1);
        const argand_status status = comm_start(comm, &none, 0, &none, 0, &pending);
        RANK_CHECK(status == ARGAND_DEVICE && strstr(argand_message(), "argand_comm_abort"), "%s",
                   argand_message());
    } else {
        const argand_status status = argand_comm_gather(comm, all, &mine, 1);
        RANK_CHECK(status == ARGAND_DEVICE, "%s", argand_status_name(status));
    }
    return ARGAND_OK;
}

static void a_rank_aborts(void **state)
{
    char message[512];
    nccl_work w = {aborting, NULL};
    (void)state;
    const int alive = cuda->alive, aborted = fake->aborted;
    if (on_threads(2, nccl_rank_run, &w, message)) fail_msg("%s", message);
    assert_int_equal(fake->aborted, aborted + 1);
    no_leak("an abort", alive);
}

/* A rank without a CUDA device makes all ranks go on without NCCL. */
static argand_status one_on_cpu(argand_comm *host, argand_device *unused, void *context)
{
    argand_device *own, *cpu;
    argand_comm *comm;
    (void)unused, (void)context;
    TRY(own_device(&own, host));
    TRY(argand_device_open(&cpu, "cpu"));
    const argand_status status = argand_comm_nccl(&comm, host, argand_comm_rank(host) == 1 ? cpu : own);
    argand_device_close(cpu);
    argand_device_close(own);
    RANK_CHECK(
        status == ARGAND_UNSUPPORTED && !comm &&
            strstr(argand_message(), "rank 1 of 3: argand_comm_nccl: NCCL needs a CUDA device on each rank"),
        "%s", argand_message());
    return argand_comm_barrier(host);
}

/* The other devices of this process may use a rank's memory. */
static void memory_is_shared(void **state)
{
    char message[512];
    (void)state;
    const int *accesses = state_of("libcuda.so.1", "fake_pool_accesses"), before = *accesses;
    assert_int_equal(on_threads(3, everything, NULL, message), ARGAND_OK);
    assert_int_equal(*accesses, before + 3 * 2);
}

/* NCCL where each rank has a device, otherwise the communicator below. */
static argand_status chosen(argand_comm *host, argand_device *unused, void *context)
{
    static const char *const kinds[] = {"nccl", "threads", "threads"};
    (void)unused, (void)context;
    for (int i = 0; i < 3; i++) {
        const char *same = i == 1 ? "cuda:0" : i == 2 && argand_comm_rank(host) == 1 ? "cpu" : NULL;
        argand_device *own;
        argand_comm *comm, *again;
        argand_comm_info info;
        TRY(own_device(&own, host));
        if (same) {
            argand_device_close(own);
            TRY(argand_device_open(&own, same));
        }
        TRY(argand_comm_devices(&comm, host, own));
        TRY(argand_comm_describe(comm, &info));
        TRY(argand_comm_devices(&again, comm, own)); /* stays what it is */
        RANK_CHECK(again == comm, "another communicator");
        argand_comm_destroy(again);
        argand_comm_destroy(comm);
        argand_device_close(own);
        RANK_CHECK(!strcmp(info.kind, kinds[i]), "case %d: %s", i, info.kind);
    }
    return argand_comm_barrier(host);
}

static void the_best_is_chosen(void **state)
{
    char message[512];
    (void)state;
    if (on_threads(2, chosen, NULL, message)) fail_msg("%s", message);
}

static void refused(void **state)
{
    char message[512];
    argand_comm *host, *comm, *twice;
    (void)state;
    if (on_threads(3, one_on_cpu, NULL, message)) fail_msg("%s", message);
    if (on_threads(2, without_place, NULL, message)) fail_msg("%s", message);
    OK(argand_comm_self(&host));
    FAILS(argand_comm_nccl(&comm, host, NULL), ARGAND_ARGUMENT, "device is NULL");
    FAILS(argand_comm_nccl(&comm, NULL, device), ARGAND_ARGUMENT, "host is NULL");
    OK(argand_comm_nccl(&comm, host, device));
    FAILS(argand_comm_nccl(&twice, comm, device), ARGAND_ARGUMENT, "host is an NCCL communicator");
    argand_comm_destroy(comm);
    argand_comm_destroy(host);
}

/* ---- a rank's device fails during a redistribution or transform ---- */

typedef struct device_fails {
    bool is_nccl, is_fft; /* over NCCL, or through copies in host memory; a transform, or a redistribution */
    bool by_peers;        /* copies from memory to memory, in place of NCCL */
    const char *function; /* a call of the driver; the after-th of all ranks fails */
    long after;
    argand_status status[8];
} device_fails;

/* Lets the call fail while all ranks are between two barriers. */
static argand_status set_failure(argand_comm *comm, const char *function, long after)
{
    TRY(argand_comm_barrier(comm));
    if (argand_comm_rank(comm) == 0) {
        cuda->fail_after = after;
        cuda->fail_with = 999;
        cuda->fail_function = function;
    }
    return argand_comm_barrier(comm);
}

/* Rows that stay whole, from even slabs to others: what stays on a rank is copied by the driver. */
static argand_status copy_rows(argand_comm *comm, argand_device *own, device_fails *f)
{
    const int64_t n[2] = {8, 9};
    const int me = argand_comm_rank(comm), size = argand_comm_size(comm);
    argand_box from, to;
    argand_array *in, *out;
    TRY(argand_box_slab(&from, 2, n, 1, size, me));
    to = from;
    to.lower[1] -= me > 0;
    to.upper[1] -= me < size - 1;
    TRY(argand_array_create(&in, own, ARGAND_C32, 2, (int64_t[]){8, from.upper[1] - from.lower[1]}));
    TRY(argand_array_create(&out, own, ARGAND_C32, 2, (int64_t[]){8, to.upper[1] - to.lower[1]}));
    TRY(set_failure(comm, f->function, f->after));
    f->status[me] = argand_dist_copy(comm, 2, out, &to, in, &from);
    argand_array_destroy(out);
    argand_array_destroy(in);
    return set_failure(comm, NULL, 0);
}

static argand_status transform(argand_comm *comm, argand_device *own, device_fails *f)
{
    const argand_dist_fft_options o = {.type = ARGAND_C32, .rank = 3, .n = {6, 6, 6}, .groups = 2};
    argand_dist_fft *plan;
    argand_dist_fft_info info;
    argand_array *ends[2];
    TRY(argand_dist_fft_create(&plan, comm, own, &o));
    TRY(argand_dist_fft_describe(plan, &info));
    for (int i = 0; i < 2; i++) {
        const argand_box *b = i ? &info.out : &info.in;
        int64_t dims[3];
        for (int d = 0; d < 3; d++) dims[d] = b->upper[d] - b->lower[d];
        TRY(argand_array_create(&ends[i], own, ARGAND_C32, 3, dims));
    }
    TRY(set_failure(comm, f->function, f->after));
    f->status[argand_comm_rank(comm)] = argand_dist_fft_apply(plan, ends[1], ends[0], ARGAND_FORWARD);
    for (int i = 0; i < 2; i++) argand_array_destroy(ends[i]);
    argand_dist_fft_destroy(plan);
    return set_failure(comm, NULL, 0);
}

static argand_status failing_rank(argand_comm *host, argand_device *unused, void *context)
{
    device_fails *f = context;
    argand_device *own;
    argand_comm *comm = NULL;
    (void)unused;
    TRY(own_device(&own, host));
    argand_status status = f->is_nccl ? argand_comm_nccl(&comm, host, own) : ARGAND_OK;
    if (!status) status = (f->is_fft ? transform : copy_rows)(comm ? comm : host, own, f);
    argand_comm_destroy(comm);
    argand_device_close(own);
    return status;
}

static void a_device_fails(void **state)
{
    static const device_fails kinds[] = {{.function = "MemcpyDtoHAsync"},
                                         {.function = "MemcpyHtoDAsync"},
                                         {.function = "MemcpyDtoDAsync", .is_nccl = true},
                                         {.function = "MemcpyDtoDAsync", .is_nccl = true, .by_peers = true},
                                         {.function = "EventRecord", .is_nccl = true, .by_peers = true},
                                         {.function = "StreamWaitEvent", .is_nccl = true, .by_peers = true},
                                         {.function = "MemcpyDtoHAsync", .is_fft = true},
                                         {.function = "MemcpyHtoDAsync", .is_fft = true}};
    char message[512];
    (void)state;
    const int alive = cuda->alive;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int failed = 0;
        for (long after = 0; after < 8; after++) {
            device_fails f = kinds[i];
            f.after = after;
            argand_test_peer_bytes(f.by_peers ? 1 : LARGE);
            if (on_threads(3, failing_rank, &f, message)) fail_msg("%s", message);
            failed += f.status[0] == ARGAND_DEVICE;
            if (f.status[0] != f.status[1] || f.status[0] != f.status[2])
                fail_msg("%s %ld of case %zu: ranks get %d, %d, %d", f.function, after, i, f.status[0],
                         f.status[1], f.status[2]);
            no_leak(f.function, alive);
        }
        if (!failed) fail_msg("case %zu: %s is not called", i, kinds[i].function);
    }
    argand_test_peer_bytes(LARGE);
}

/* A rank that gives no device: no rank keeps a plan, nor its device. */
static argand_status without_device(argand_comm *host, argand_device *unused, void *context)
{
    const argand_dist_fft_options o = {.type = ARGAND_C32, .rank = 3, .n = {6, 6, 6}};
    argand_device *own;
    argand_dist_fft *plan;
    (void)unused, (void)context;
    TRY(own_device(&own, host));
    const argand_status status =
        argand_dist_fft_create(&plan, host, argand_comm_rank(host) == 1 ? NULL : own, &o);
    argand_device_close(own);
    RANK_CHECK(status == ARGAND_ARGUMENT && !plan && strstr(argand_message(), "device is NULL"), "%s",
               argand_message());
    return ARGAND_OK;
}

static void a_device_is_missing(void **state)
{
    char message[512];
    (void)state;
    const int alive = cuda->alive;
    if (on_threads(3, without_device, NULL, message)) fail_msg("%s", message);
    no_leak("a rank without a device", alive);
}

/* Run with ARGAND_NCCL set to a file that is not there, or to "off". */
static void missing(void **state)
{
    argand_comm *host, *comm;
    const char *named = getenv("ARGAND_NCCL");
    (void)state;
    if (!named) skip();
    OK(argand_comm_self(&host));
    FAILS(argand_comm_nccl(&comm, host, device), ARGAND_UNSUPPORTED,
          strcmp(named, "off") ? "NCCL cannot be opened: /nowhere" : "ARGAND_NCCL is off");
    assert_null(comm);
    argand_comm_destroy(host);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test_setup(each_call_fails, reset),
                                          cmocka_unit_test_setup(each_copy_fails, reset),
                                          cmocka_unit_test_setup(each_allocation_fails, reset),
                                          cmocka_unit_test_setup(each_entry_fails, reset),
                                          cmocka_unit_test_setup(one_device_for_two_ranks, reset),
                                          cmocka_unit_test_setup(an_error_comes_late, reset),
                                          cmocka_unit_test_setup(a_rank_aborts, reset),
                                          cmocka_unit_test_setup(memory_is_shared, reset),
                                          cmocka_unit_test_setup(the_best_is_chosen, reset),
                                          cmocka_unit_test_setup(refused, reset),
                                          cmocka_unit_test_setup(a_device_fails, reset),
                                          cmocka_unit_test_setup(a_device_is_missing, reset),
                                          cmocka_unit_test(missing)};
RUN_TESTS(tests)
