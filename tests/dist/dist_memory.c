/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocations that fail on one rank: all ranks get the same status, none waits for ever, nothing leaks. And
 * communicators on a communicator of the caller's MPI, which every rank gets or none. */
#include "dist/copies.h"

#include <argand/dist.h>
#include <argand/dist_conv.h>
#include <dlfcn.h>
#include "dist/comm/comm.h"

enum { FEW_RANKS = 3 };

/* Exchanges whose memory was taken before allocate nothing, whatever was reserved in between. */
static argand_status reserved(argand_comm *comm, argand_device *own, void *context)
{
    enum { AT_ONCE = 3, BLOCKS = 40 };
    const int size = argand_comm_size(comm), me = argand_comm_rank(comm), to = (me + 1) % size,
              from = (me + size - 1) % size;
    int sent[AT_ONCE][BLOCKS], got[AT_ONCE][BLOCKS];
    comm_block out[BLOCKS], in[BLOCKS];
    void *pending[AT_ONCE];
    argand_status status = ARGAND_OK;
    (void)own, (void)context;
    TRY(comm_reserve(comm, 2 * BLOCKS, AT_ONCE));
    TRY(comm_reserve(comm, BLOCKS, AT_ONCE));
    TRY(comm_reserve(comm, 3 * BLOCKS, 1));
    for (int repeat = 0; repeat < 2; repeat++) {
        TRY(argand_comm_barrier(comm));
        if (!me) argand_test_fail_allocation(1);
        TRY(argand_comm_barrier(comm));
        for (int i = 0; i < AT_ONCE; i++) {
            for (int b = 0; b < BLOCKS; b++) {
                sent[i][b] = 1000 * me + BLOCKS * i + b;
                out[b] = (comm_block){to, &sent[i][b], sizeof(int), 0, 1};
                in[b] = (comm_block){from, &got[i][b], sizeof(int), 0, 1};
            }
            if (!status) status = comm_start(comm, out, BLOCKS, in, BLOCKS, &pending[i]);
        }
        for (int i = 0; i < AT_ONCE && !status; i++) status = comm_finish(comm, pending[i]);
        argand_test_fail_allocation(0);
        TRY(status);
        for (int i = 0; i < AT_ONCE * BLOCKS; i++) {
            const int value = got[i / BLOCKS][i % BLOCKS];
            RANK_CHECK(value == 1000 * from + i, "block %d: %d", i, value);
        }
    }
    return ARGAND_OK;
}

/* Lets rank 0's n-th allocation from now fail, on communicators that kept nothing of earlier calls. */
static argand_status arm(argand_comm *comm, const long *n)
{
    if (!n) return ARGAND_OK;
    TRY(argand_comm_barrier(comm));
    if (argand_comm_rank(comm) == 0) argand_test_fail_allocation(*n);
    return argand_comm_barrier(comm);
}

/* Each ghost plane of a clamped border is a block of its own. */
static argand_status clamped(argand_comm *comm, argand_device *own, void *context)
{
    argand_conv_options o = {.type = ARGAND_R32, .rank = 2, .n = {8, 9}, .kernel = {3, 21}};
    int64_t first, planes;
    argand_dist_conv *conv = NULL;
    argand_array *kernel = NULL, *in = NULL, *out = NULL;
    for (int d = 0; d < 2; d++) o.border[d] = (argand_conv_border){ARGAND_BORDER_CLAMP, ARGAND_BORDER_CLAMP};
    comm_share(9, argand_comm_size(comm), argand_comm_rank(comm), &first, &planes);
    argand_status status = argand_array_create(&kernel, own, ARGAND_R32, 2, (const int64_t[]){3, 21});
    if (!status) status = argand_array_create(&in, own, ARGAND_R32, 2, (const int64_t[]){8, planes});
    if (!status) status = argand_array_create(&out, own, ARGAND_R32, 2, (const int64_t[]){8, planes});
    if (!status) status = argand_array_fill(kernel, (argand_scalar){1, 0});
    status = argand_comm_agree(comm, status);
    if (!status) status = argand_dist_conv_create(&conv, comm, own, &o);
    if (!status) status = argand_dist_conv_set_kernel(conv, kernel);
    if (!status) status = arm(comm, context);
    if (!status) status = argand_dist_conv_apply(conv, out, in);
    argand_dist_conv_destroy(conv);
    argand_array_destroy(out);
    argand_array_destroy(in);
    argand_array_destroy(kernel);
    return status;
}

static argand_status box_array(argand_array **array, argand_device *own, const argand_box *box)
{
    int64_t n[3], span = 1, strides[3];
    argand_array *memory = NULL;
    *array = NULL;
    for (int d = 0; d < 3; d++) {
        n[d] = box->upper[d] - box->lower[d];
        strides[d] = box->strides[d];
        span += (n[d] - 1) * strides[d];
    }
    TRY(argand_array_create(&memory, own, ARGAND_C32, 1, &span));
    const argand_status status = argand_array_view(array, memory, 3, n, strides, 0);
    argand_array_destroy(memory);
    return status;
}

/* Several exchanges are under way at once. */
static argand_status grouped(argand_comm *comm, argand_device *own, void *context)
{
    const argand_dist_fft_options o = {
        .type = ARGAND_C32, .rank = 3, .n = {8, 8, 16}, .groups = 4, .transposed = true};
    argand_dist_fft *plan = NULL;
    argand_dist_fft_info info;
    argand_array *in = NULL, *out = NULL;
    TRY(argand_dist_fft_create(&plan, comm, own, &o));
    argand_status status = argand_dist_fft_describe(plan, &info);
    if (!status) status = box_array(&in, own, &info.in);
    if (!status) status = box_array(&out, own, &info.out);
    status = argand_comm_agree(comm, status);
    if (!status) status = arm(comm, context);
    for (int d = 0; d < 2 && !status; d++)
        status = argand_dist_fft_apply(plan, d ? in : out, d ? out : in, d ? ARGAND_INVERSE : ARGAND_FORWARD);
    argand_array_destroy(out);
    argand_array_destroy(in);
    argand_dist_fft_destroy(plan);
    return status;
}

/* Another order of axes takes many blocks for each rank. */
static argand_status turned(argand_comm *comm, argand_device *own, void *context)
{
    static const int64_t n[3] = {8, 8, 8};
    const int size = argand_comm_size(comm), me = argand_comm_rank(comm);
    argand_box in_box, out_box;
    argand_array *in = NULL, *out = NULL;
    argand_status status = argand_box_slab(&in_box, 3, n, 2, size, me);
    if (!status) status = argand_box_slab(&out_box, 3, n, 1, size, me);
    if (!status) {
        const int64_t rows = out_box.upper[1] - out_box.lower[1];
        out_box.strides[0] = 8 * rows;
        out_box.strides[1] = 1;
        out_box.strides[2] = rows;
        in_box.strides[0] = 1;
        in_box.strides[1] = 8;
        in_box.strides[2] = 64;
        status = box_array(&in, own, &in_box);
    }
    if (!status) status = box_array(&out, own, &out_box);
    status = argand_comm_agree(comm, status);
    if (!status) status = arm(comm, context);
    if (!status) status = argand_dist_copy(comm, 3, out, &out_box, in, &in_box);
    argand_array_destroy(out);
    argand_array_destroy(in);
    return status;
}

static argand_status divided(argand_comm *comm, argand_device *own, void *context)
{
    const int me = argand_comm_rank(comm);
    argand_comm *part = NULL;
    (void)own, (void)context;
    const argand_status status = argand_comm_split(&part, comm, me != 0, 0);
    RANK_CHECK(!status == !!part, "a failed call left a communicator, or the reverse");
    argand_comm_destroy(part);
    return status;
}

static argand_status on_world(argand_comm *comm, argand_device *own, void *context)
{
    argand_comm *made = NULL;
    (void)comm, (void)own, (void)context;
    const argand_status status = argand_comm_mpi(&made, NULL);
    RANK_CHECK(!status == !!made, "a failed call left a communicator, or the reverse");
    argand_comm_destroy(made);
    return status;
}

/* Lets each of the first allocations of rank 0 fail once, as fail_allocations does. */
static argand_status first_fail(argand_comm *comm, argand_device *own, rank_work life)
{
    enum { ALLOCATIONS = 7, MOST = 64 };
    argand_status all[MOST];
    for (long n = 1; n <= ALLOCATIONS; n++) {
        TRY(argand_comm_barrier(comm));
        if (argand_comm_rank(comm) == 0) argand_test_fail_allocation(n);
        TRY(argand_comm_barrier(comm));
        const argand_status now = life(comm, own, NULL);
        argand_test_fail_allocation(0);
        RANK_CHECK(!now || now == ARGAND_MEMORY, "allocation %ld: %s", n, argand_message());
        TRY(argand_comm_gather(comm, all, &now, sizeof now));
        RANK_CHECK(all[0] == all[argand_comm_size(comm) - 1], "allocation %ld: ranks differ", n);
        RANK_CHECK(n > 1 || now, "the first allocation did not fail");
    }
    return ARGAND_OK;
}

/* All allocations fail once on rank 0; then none is left over. What the first round leaves is memory for
 * exchanges, and what plans keep for the next one. */
static argand_status each_fails(argand_comm *comm, argand_device *own, void *context)
{
    rank_work *life = context;
    TRY(is_mpi_job() ? (*life)(comm, own, NULL) : fail_allocations(comm, own, *life, NULL));
    TRY(argand_comm_barrier(comm));
    const long before = argand_test_live_allocations();
    TRY(argand_comm_barrier(comm));
    TRY(is_mpi_job() ? first_fail(comm, own, *life) : fail_allocations(comm, own, *life, NULL));
    TRY(argand_comm_barrier(comm));
    const long left = argand_test_live_allocations() - before;
    RANK_CHECK(!left, "%ld allocations more than before", left);
    return argand_comm_barrier(comm);
}

/* MPI with fewer cores than ranks is slow: what differs between kinds of communicators is tested there. */
static void run_life(rank_work life)
{
    run_ranks(FEW_RANKS, each_fails, &life);
}

typedef struct first_use {
    rank_work life;
    long n;
} first_use;

static argand_status armed(argand_comm *comm, argand_device *own, void *context)
{
    first_use *use = context;
    const argand_status status = use->life(comm, own, &use->n);
    argand_test_fail_allocation(0);
    return status == ARGAND_MEMORY ? ARGAND_OK : status;
}

static void run_first(rank_work life)
{
    for (long n = 1; n < 100; n++) {
        first_use use = {life, n};
        if (!is_mpi_job()) run_ranks(FEW_RANKS, armed, &use);
    }
    if (!is_mpi_job()) run_life(life);
}

static void test_reserved(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= FEW_RANKS; ranks++) run_ranks(ranks, reserved, NULL);
}

static void test_convolution(void **state)
{
    (void)state;
    run_first(clamped);
}

static void test_groups(void **state)
{
    (void)state;
    run_first(grouped);
}

static void test_copy(void **state)
{
    (void)state;
    run_first(turned);
}

static void test_split(void **state)
{
    (void)state;
    run_life(divided);
}

static void test_world(void **state)
{
    (void)state;
    if (is_mpi_job()) run_life(on_world);
}

/* Handles of MPI: pointers with Open MPI, ints with MPICH. */
typedef union mpi_handle {
    void *pointer;
    int number;
} mpi_handle;

static void find(const char *name, void *function)
{
    void *address = dlsym(RTLD_DEFAULT, name);
    assert_non_null(address);
    memcpy(function, &address, sizeof address);
}

/* Splits the world in reversed order, by the caller's own calls of MPI. */
static int reversed_world(mpi_handle *own, int key)
{
    void *open_mpi = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    if (open_mpi) {
        int (*split)(void *, int, int, void **);
        find("MPI_Comm_split", &split);
        return split(open_mpi, 0, key, &own->pointer);
    }
    int (*split)(int, int, int, int *);
    find("MPI_Comm_split", &split);
    return split(0x44000000, 0, key, &own->number); /* MPI_COMM_WORLD of MPICH */
}

/* The communicator is a copy: the caller may free its own. */
static void test_callers_mpi(void **state)
{
    mpi_handle own;
    argand_comm *comm;
    argand_comm_info info;
    int (*release)(mpi_handle *);
    (void)state;
    if (!is_mpi_job()) return;
    const int size = argand_comm_size(job), me = argand_comm_rank(job);
    assert_int_equal(reversed_world(&own, size - me), 0);
    OK(argand_comm_mpi(&comm, &own));
    find("MPI_Comm_free", &release);
    assert_int_equal(release(&own), 0);
    assert_int_equal(argand_comm_size(comm), size);
    assert_int_equal(argand_comm_rank(comm), size - 1 - me);
    OK(argand_comm_describe(comm, &info));
    assert_string_equal(info.kind, "mpi");
    int32_t all[64];
    OK(argand_comm_gather(comm, all, &(int32_t){me}, sizeof *all));
    for (int r = 0; r < size; r++) assert_int_equal(all[r], size - 1 - r);
    argand_comm_destroy(comm);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_reserved),    cmocka_unit_test(test_convolution), cmocka_unit_test(test_groups),
    cmocka_unit_test(test_copy),        cmocka_unit_test(test_split),       cmocka_unit_test(test_world),
    cmocka_unit_test(test_callers_mpi), cmocka_unit_test(end_job)};
RUN_TESTS(tests)
