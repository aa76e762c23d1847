/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of threads and of MPI: exchanges of pieces, sums, agreement, messages, division. */
#include "dist/ranks.h"

#include "dist/comm/comm.h"

static int rank_of(argand_comm *comm)
{
    return argand_comm_rank(comm);
}

/* Each rank sends rank r a matrix's columns as rows: pieces of different sizes at both ends. */
static argand_status pieces(argand_comm *comm, argand_device *own, void *context)
{
    enum { ROWS = 3, COLUMNS = 5 };
    const int size = argand_comm_size(comm), me = rank_of(comm);
    float(*sent)[ROWS][COLUMNS], (*got)[COLUMNS * ROWS];
    comm_block *blocks;
    (void)own, (void)context;
    TRY(NEW(sent, size));
    TRY(NEW(got, size));
    TRY(NEW(blocks, 2 * size));
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < ROWS * COLUMNS; i++)
            sent[r][i / COLUMNS][i % COLUMNS] = (float)(1000 * me + 100 * r + i);
        /* the first two columns of each row against one piece */
        blocks[r] = (comm_block){r, sent[r], 2 * sizeof(float), COLUMNS * sizeof(float), ROWS};
        blocks[size + r] = (comm_block){r, got[r], 3 * sizeof(float), 5 * sizeof(float), 2};
    }
    TRY(comm_exchange(comm, blocks, size, blocks + size, size));
    for (int r = 0; r < size; r++)
        for (int i = 0; i < 2 * ROWS; i++) {
            const float value = got[r][i / 3 * 5 + i % 3];
            const float wanted = (float)(1000 * r + 100 * me + i / 2 * COLUMNS + i % 2);
            RANK_CHECK(value == wanted, "from %d, element %d: %g instead of %g", r, i, (double)value,
                       (double)wanted);
        }
    memory_free(blocks);
    memory_free(got);
    memory_free(sent);
    return ARGAND_OK;
}

/* Several exchanges are under way at once, and finish in their order. */
static argand_status overlapping(argand_comm *comm, argand_device *own, void *context)
{
    enum { AT_ONCE = 5 };
    const int size = argand_comm_size(comm), me = rank_of(comm), to = (me + 1) % size,
              from = (me + size - 1) % size;
    int sent[AT_ONCE], got[AT_ONCE];
    void *pending[AT_ONCE];
    (void)own, (void)context;
    for (int i = 0; i < AT_ONCE; i++) {
        sent[i] = 10 * me + i;
        const comm_block out = {to, &sent[i], sizeof(int), 0, 1}, in = {from, &got[i], sizeof(int), 0, 1};
        TRY(comm_start(comm, &out, 1, &in, 1, &pending[i]));
    }
    for (int i = 0; i < AT_ONCE; i++) TRY(comm_finish(comm, pending[i]));
    for (int i = 0; i < AT_ONCE; i++)
        RANK_CHECK(got[i] == 10 * from + i, "exchange %d got %d from %d", i, got[i], from);
    return ARGAND_OK;
}

/* Numbers that every rank can make of every rank. */
static double number(int rank, int64_t i)
{
    return sin(1.7 * (double)i + 3.1 * rank);
}

static argand_status sum_of(argand_comm *comm, argand_device *own, argand_type type, int64_t count)
{
    const int size = argand_comm_size(comm);
    const bool is_double = type == ARGAND_R64 || type == ARGAND_C64;
    const int64_t reals = count * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
    argand_array *a;
    TRY(argand_array_create(&a, own, type, 1, &count));
    float *f = argand_array_data(a);
    double *d = argand_array_data(a), worst = 0;
    for (int64_t i = 0; i < reals; i++)
        if (is_double)
            d[i] = number(rank_of(comm), i);
        else
            f[i] = (float)number(rank_of(comm), i);
    TRY(argand_comm_sum(comm, a));
    for (int64_t i = 0; i < reals; i++) {
        double sum = 0;
        for (int r = 0; r < size; r++) sum += number(r, i);
        const double off = fabs((is_double ? d[i] : (double)f[i]) - sum);
        worst = isnan(off) ? INFINITY : fmax(worst, off);
    }
    /* every rank has rank 0's bits */
    unsigned char *bits, *first;
    const size_t bytes = (size_t)count * argand_type_size(type);
    TRY(memory_take(&bits, bytes * (size_t)size));
    TRY(argand_comm_gather(comm, bits, argand_array_data(a), bytes));
    first = bits;
    for (int r = 1; r < size; r++)
        RANK_CHECK(!memcmp(first, bits + bytes * (size_t)r, bytes), "rank %d has other bits", r);
    memory_free(bits);
    argand_array_destroy(a);
    /* size terms below 1 in magnitude, each rounded once */
    RANK_CHECK(worst <= (is_double ? 2.3e-16 : 1.2e-7) * size, "error %.3g of %lld", worst, (long long)count);
    return ARGAND_OK;
}

static argand_status sums(argand_comm *comm, argand_device *own, void *context)
{
    static const int64_t counts[] = {1, 2, 7, 511, 1024, 1025, 4099, 100003};
    static const argand_type types[] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};
    (void)context;
    for (size_t t = 0; t < 4; t++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            TRY(sum_of(comm, own, types[t], counts[i]));
    return ARGAND_OK;
}

/* Every rank in turn fails: all ranks get its status and its message. */
static argand_status agreement(argand_comm *comm, argand_device *own, void *context)
{
    const int size = argand_comm_size(comm);
    char wanted[64];
    (void)own, (void)context;
    for (int failing = 0; failing < size; failing++) {
        argand_status mine = ARGAND_OK;
        if (rank_of(comm) >= failing)
            mine = status_set(ARGAND_NUMERIC, "pixel %d is not finite", rank_of(comm));
        const argand_status all = argand_comm_agree(comm, mine);
        if (size == 1) return all == ARGAND_NUMERIC ? ARGAND_OK : ARGAND_INTERNAL;
        snprintf(wanted, sizeof wanted, "rank %d of %d: pixel %d is not finite", failing, size, failing);
        RANK_CHECK(all == ARGAND_NUMERIC && !strcmp(argand_message(), wanted), "%s: %s",
                   argand_status_name(all), argand_message());
    }
    return argand_comm_agree(comm, ARGAND_OK);
}

/* Every rank posts letters of several lengths to every rank, also to itself. */
static argand_status letters(argand_comm *comm, argand_device *own, void *context)
{
    static const size_t lengths[] = {0, 1, 70000, 3, 1 << 20};
    enum { LETTERS = sizeof lengths / sizeof *lengths };
    const int size = argand_comm_size(comm);
    int next[64] = {0}, left = size * LETTERS;
    char *text;
    (void)own, (void)context;
    TRY(NEW(text, lengths[LETTERS - 1]));
    memset(text, 'a' + rank_of(comm), lengths[LETTERS - 1]);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < LETTERS; i++) TRY(argand_comm_post(comm, r, text, lengths[i]));
    while (left) {
        int from;
        void *bytes;
        size_t count;
        TRY(argand_comm_collect(comm, &from, &bytes, &count));
        if (from < 0) continue;
        const size_t wanted = lengths[next[from]++];
        RANK_CHECK(count == wanted, "a letter of %zu bytes from %d instead of %zu", count, from, wanted);
        for (size_t i = 0; i < count; i++)
            RANK_CHECK(((char *)bytes)[i] == 'a' + from, "byte %zu of a letter from %d is wrong", i, from);
        argand_comm_free(bytes);
        left--;
    }
    memory_free(text);
    return argand_comm_barrier(comm);
}

/* Odd and even ranks in reversed order. */
static argand_status division(argand_comm *comm, argand_device *own, void *context)
{
    const int size = argand_comm_size(comm), me = rank_of(comm);
    argand_comm *part;
    double sum = me, wanted = 0;
    (void)own, (void)context;
    TRY(argand_comm_split(&part, comm, me % 2, -me));
    const int parts = (size + 1 - me % 2) / 2;
    RANK_CHECK(argand_comm_size(part) == parts, "%d ranks instead of %d", argand_comm_size(part), parts);
    RANK_CHECK(rank_of(part) == parts - 1 - me / 2, "rank %d became %d of %d", me, rank_of(part), parts);
    for (int r = me % 2; r < size; r += 2) wanted += r;
    TRY(argand_comm_sum_doubles(part, &sum, 1));
    RANK_CHECK(sum == wanted, "sum %g instead of %g", sum, wanted);
    argand_comm_destroy(part);
    return ARGAND_OK;
}

static argand_status broadcasts(argand_comm *comm, argand_device *own, void *context)
{
    argand_array *a;
    argand_comm_info info;
    (void)context;
    TRY(argand_array_create(&a, own, ARGAND_R32, 2, (const int64_t[]){31, 7}));
    for (int root = 0; root < argand_comm_size(comm); root++) {
        float *f = argand_array_data(a);
        TRY(argand_array_fill(a, (argand_scalar){rank_of(comm), 0}));
        TRY(argand_comm_broadcast(comm, root, a));
        for (int i = 0; i < 31 * 7; i++) RANK_CHECK(f[i] == (float)root, "element %d: %g", i, (double)f[i]);
    }
    argand_array_destroy(a);
    TRY(argand_comm_describe(comm, &info));
    const char *hosts = getenv("ARGAND_TEST_HOSTS"); /* of tools/two_hosts.sh; each has as many ranks */
    const int there = hosts ? atoi(hosts) : 1, local = argand_comm_size(comm) / there;
    RANK_CHECK(info.hosts == there && info.local_size == local && info.local_rank == rank_of(comm) % local,
               "rank %d of %d on %d hosts", info.local_rank, info.local_size, info.hosts);
    RANK_CHECK(strcmp(info.kind, "mpi") || *info.library, "the MPI library has no name");
    return ARGAND_OK;
}

/* A device that is missing on rank 0 is an error on all ranks. */
static argand_status without_device(argand_comm *comm, argand_device *own, void *context)
{
    argand_comm *chosen;
    (void)context;
    const argand_status status = argand_comm_devices(&chosen, comm, rank_of(comm) ? own : NULL);
    RANK_CHECK(status == ARGAND_ARGUMENT && !chosen && strstr(argand_message(), "device is NULL"), "%s",
               argand_message());
    return ARGAND_OK;
}

static void each(void **state, rank_work work)
{
    (void)state;
    for (int ranks = 1; ranks <= 8; ranks += ranks > 3 ? 3 : 1) run_ranks(ranks, work, NULL);
}

#define EACH(name)                        \
    static void test_##name(void **state) \
    {                                     \
        each(state, name);                \
    }
EACH(pieces)
    EACH(without_device)
        EACH(overlapping)
            EACH(sums)
                EACH(agreement)
                    EACH(letters)
                        EACH(division)
                            EACH(broadcasts) /* A rank that leaves makes those fail that wait for it. */
                                static argand_status leaving(argand_comm *comm, argand_device *own,
                                                             void *context)
                                {
                                    char all[8], mine = 0;
                                    (void)own, (void)context;
                                    if (rank_of(comm) == 1) return ARGAND_OK;
                                    const argand_status status = argand_comm_gather(comm, all, &mine, 1);
                                    RANK_CHECK(status == ARGAND_DEVICE &&
                                                   strstr(argand_message(), "has ended"),
                                               "%s", argand_message());
                                    return ARGAND_OK;
                                }

static void test_leaving(void **state)
{
    (void)state;
    if (!is_mpi_job()) run_ranks(3, leaving, NULL);
}

static void refused(void **state)
{
    argand_comm *comm, *none[1];
    (void)state;
    FAILS(argand_comm_threads(none, 0), ARGAND_ARGUMENT, "ranks is 0");
    OK(argand_comm_self(&comm));
    FAILS(argand_comm_post(comm, 1, "", 0), ARGAND_ARGUMENT, "no rank 1");
    FAILS(argand_comm_split(none, comm, -1, 0), ARGAND_ARGUMENT, "colour is -1");
    argand_comm_destroy(comm);
    for (long n = 1; n < 8; n++) { /* an allocation that fails leaves nothing */
        argand_comm *few[2] = {NULL, NULL};
        argand_test_fail_allocation(n);
        const argand_status status = argand_comm_threads(few, 2);
        argand_test_fail_allocation(0);
        if (status) assert_null(few[0]);
        argand_comm_destroy(few[0]);
        argand_comm_destroy(few[1]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_pieces),     cmocka_unit_test(test_overlapping),
    cmocka_unit_test(test_sums),       cmocka_unit_test(test_agreement),
    cmocka_unit_test(test_letters),    cmocka_unit_test(test_division),
    cmocka_unit_test(test_broadcasts), cmocka_unit_test(test_leaving),
    cmocka_unit_test(refused),         cmocka_unit_test(test_without_device),
    cmocka_unit_test(end_job)};
RUN_TESTS(tests)
