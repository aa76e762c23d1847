/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of CUDA devices over NCCL: exchanges of device memory, sums, broadcast, division, and what
 * goes over the communicator for host memory. Runs on real devices with NCCL, and on fake ones. */
#include "dist/nccl_ranks.h"

#include <argand/dist.h>
#include "dist/comm/peers.h"

/* An array of floats on the device, from numbers of this rank. */
static argand_status floats_new(argand_array **a, argand_device *own, const float *numbers, int64_t count)
{
    TRY(argand_array_create(a, own, ARGAND_R32, 1, &count));
    return numbers ? argand_array_upload(*a, numbers) : ARGAND_OK;
}

/* Downloads, which waits for the exchange. */
static argand_status floats_read(float *numbers, argand_array *a)
{
    return argand_array_download(a, numbers);
}

typedef struct piece_shape {
    int64_t send_length, send_stride, send_count; /* in floats */
    int64_t receive_length, receive_stride, receive_count;
} piece_shape;

/* The number that rank `from` sends to rank `to` at a place in the order of the pieces. */
static float piece_value(int from, int to, int64_t i)
{
    return (float)(10000 * from + 1000 * to + i);
}

/* Memory that no rank writes keeps this. */
static const float untouched = -1;

/* Each rank sends a block to every rank, also to itself; the pieces differ at both ends. */
static argand_status pieces_of(argand_comm *comm, argand_device *own, const piece_shape *shape)
{
    const int size = argand_comm_size(comm), me = argand_comm_rank(comm);
    const int64_t out = shape->send_stride * shape->send_count,
                  in = shape->receive_stride * shape->receive_count;
    float *numbers, *got;
    comm_block *blocks;
    argand_array *sent, *received;
    TRY(NEW(numbers, size * out));
    TRY(NEW(got, size * in));
    TRY(NEW(blocks, 2 * size));
    for (int64_t r = 0; r < size; r++)
        for (int64_t i = 0; i < shape->send_length * shape->send_count; i++)
            numbers[r * out + i / shape->send_length * shape->send_stride + i % shape->send_length] =
                piece_value(me, (int)r, i);
    for (int64_t i = 0; i < size * in; i++) got[i] = untouched;
    TRY(floats_new(&sent, own, numbers, size * out));
    TRY(floats_new(&received, own, got, size * in));
    for (int r = 0; r < size; r++) {
        blocks[r] =
            (comm_block){r, (float *)comm_memory(sent) + r * out, sizeof(float) * (size_t)shape->send_length,
                         sizeof(float) * (size_t)shape->send_stride, shape->send_count};
        blocks[size + r] = (comm_block){r, (float *)comm_memory(received) + r * in,
                                        sizeof(float) * (size_t)shape->receive_length,
                                        sizeof(float) * (size_t)shape->receive_stride, shape->receive_count};
    }
    TRY(comm_exchange(comm, blocks, size, blocks + size, size));
    TRY(floats_read(got, received));
    for (int64_t r = 0; r < size; r++)
        for (int64_t i = 0; i < in; i++) {
            const int64_t piece = i / shape->receive_stride, at = i % shape->receive_stride;
            const float wanted = at < shape->receive_length
                                     ? piece_value((int)r, me, piece * shape->receive_length + at)
                                     : untouched;
            RANK_CHECK(got[r * in + i] == wanted, "from %d, element %d: %g instead of %g", (int)r, (int)i,
                       (double)got[r * in + i], (double)wanted);
        }
    argand_array_destroy(received);
    argand_array_destroy(sent);
    memory_free(blocks);
    memory_free(got);
    memory_free(numbers);
    return ARGAND_OK;
}

static argand_status pieces(argand_comm *comm, argand_device *own, void *context)
{
    static const piece_shape shapes[] = {{6, 6, 1, 6, 6, 1},   /* whole blocks */
                                         {2, 5, 3, 6, 6, 1},   /* pieces to a whole block */
                                         {7, 7, 1, 1, 3, 7},   /* and back */
                                         {2, 4, 6, 3, 5, 4},   /* pieces of two sizes */
                                         {3, 3, 8, 24, 24, 1}, /* pieces without gaps */
                                         {1, 9, 700, 5, 6, 140}, {0, 1, 1, 0, 1, 1}};
    (void)context;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) TRY(pieces_of(comm, own, &shapes[i]));
    return ARGAND_OK;
}

/* Several exchanges with the next rank are started before the first one is finished, some of them in the
 * second stream. */
static argand_status overlapping(argand_comm *comm, argand_device *own, void *context)
{
    enum { AT_ONCE = 5 };
    const int size = argand_comm_size(comm), me = argand_comm_rank(comm), to = (me + 1) % size,
              from = (me + size - 1) % size;
    float numbers[AT_ONCE], got[AT_ONCE];
    void *pending[AT_ONCE];
    argand_array *sent, *received;
    (void)context;
    for (int i = 0; i < AT_ONCE; i++) numbers[i] = (float)(10 * me + i);
    TRY(floats_new(&sent, own, numbers, AT_ONCE));
    TRY(floats_new(&received, own, NULL, AT_ONCE));
    for (int i = 0; i < AT_ONCE; i++) {
        const comm_block out = {to, (float *)comm_memory(sent) + i, sizeof(float), 0, 1};
        const comm_block in = {from, (float *)comm_memory(received) + i, sizeof(float), 0, 1};
        TRY((i % 2 ? comm_start_aside : comm_start)(comm, &out, 1, &in, 1, &pending[i]));
    }
    for (int i = 0; i < AT_ONCE; i++) TRY(comm_finish(comm, pending[i]));
    TRY(floats_read(got, received));
    for (int i = 0; i < AT_ONCE; i++)
        RANK_CHECK(got[i] == (float)(10 * from + i), "exchange %d got %g", i, (double)got[i]);
    argand_array_destroy(received);
    argand_array_destroy(sent);
    return ARGAND_OK;
}

/* Numbers that every rank can make of every rank. */
static double number(int rank, int64_t i)
{
    return sin(1.7 * (double)i + 3.1 * rank);
}

/* Sums on the device or on the host; all ranks have the same bits. */
static argand_status sum_of(argand_comm *comm, argand_device *own, argand_type type, int64_t count)
{
    const int size = argand_comm_size(comm);
    const bool is_double = type == ARGAND_R64 || type == ARGAND_C64;
    const int64_t reals = count * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
    const size_t bytes = (size_t)count * argand_type_size(type);
    argand_array *a;
    float *f;
    double *d, worst = 0;
    unsigned char *bits;
    TRY(argand_array_create(&a, own, type, 1, &count));
    TRY(NEW(d, reals));
    TRY(memory_take(&bits, bytes * (size_t)size));
    f = (float *)d;
    for (int64_t i = 0; i < reals; i++)
        if (is_double)
            d[i] = number(argand_comm_rank(comm), i);
        else
            f[i] = (float)number(argand_comm_rank(comm), i);
    TRY(argand_array_upload(a, d));
    TRY(argand_comm_sum(comm, a));
    TRY(argand_array_download(a, d));
    for (int64_t i = 0; i < reals; i++) {
        double sum = 0;
        for (int r = 0; r < size; r++) sum += number(r, i);
        const double off = fabs((is_double ? d[i] : (double)f[i]) - sum);
        worst = isnan(off) ? INFINITY : fmax(worst, off);
    }
    TRY(argand_comm_gather(comm, bits, d, bytes));
    for (int r = 1; r < size; r++)
        RANK_CHECK(!memcmp(bits, bits + bytes * (size_t)r, bytes), "rank %d has other bits", r);
    memory_free(bits);
    memory_free(d);
    argand_array_destroy(a);
    /* size terms below 1 in magnitude, each rounded once */
    RANK_CHECK(worst <= (is_double ? 2.3e-16 : 1.2e-7) * size, "error %.3g of %lld", worst, (long long)count);
    return ARGAND_OK;
}

static argand_status sums(argand_comm *comm, argand_device *own, void *context)
{
    static const argand_type types[] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};
    argand_device *cpu;
    (void)context;
    TRY(argand_device_open(&cpu, "cpu"));
    for (size_t t = 0; t < 4; t++)
        for (int64_t count = 1; count < 200000; count = 3 * count + 7)
            TRY(sum_of(comm, own, types[t], count));
    TRY(sum_of(comm, cpu, ARGAND_C32, 3001));
    argand_device_close(cpu);
    double one = 1;
    TRY(argand_comm_sum_doubles(comm, &one, 1));
    RANK_CHECK(one == argand_comm_size(comm), "sum %g", one);
    return ARGAND_OK;
}

static argand_status no_transfers(const argand_device *own, const argand_transfers *before)
{
    const argand_transfers after = argand_device_transfers(own);
    RANK_CHECK(after.uploads == before->uploads && after.downloads == before->downloads,
               "there were transfers");
    return ARGAND_OK;
}

/* Sums and exchanges of device memory make no copies between device and host. */
static argand_status on_device(argand_comm *comm, argand_device *own, void *context)
{
    argand_array *a;
    float first = (float)argand_comm_rank(comm);
    (void)context;
    TRY(floats_new(&a, own, &first, 1));
    const argand_transfers before = argand_device_transfers(own);
    TRY(argand_comm_sum(comm, a));
    TRY(argand_comm_broadcast(comm, argand_comm_size(comm) - 1, a));
    argand_array_destroy(a);
    return no_transfers(own, &before);
}

static argand_status broadcasts(argand_comm *comm, argand_device *own, void *context)
{
    enum { COUNT = 217 };
    argand_device *cpu;
    (void)context;
    TRY(argand_device_open(&cpu, "cpu"));
    for (int root = 0; root < argand_comm_size(comm); root++)
        for (int on_host = 0; on_host < 2; on_host++) {
            float numbers[COUNT];
            argand_array *a;
            for (int i = 0; i < COUNT; i++) numbers[i] = (float)(1000 * argand_comm_rank(comm) + i);
            TRY(floats_new(&a, on_host ? cpu : own, numbers, COUNT));
            TRY(argand_comm_broadcast(comm, root, a));
            TRY(floats_read(numbers, a));
            for (int i = 0; i < COUNT; i++)
                RANK_CHECK(numbers[i] == (float)(1000 * root + i), "element %d: %g", i, (double)numbers[i]);
            argand_array_destroy(a);
        }
    argand_device_close(cpu);
    return ARGAND_OK;
}

/* Messages, agreement and the description go over the host's communicator. */
static argand_status host_calls(argand_comm *comm, argand_device *own, void *context)
{
    const int size = argand_comm_size(comm), me = argand_comm_rank(comm);
    argand_comm_info info;
    int from = -1;
    void *bytes;
    size_t count;
    (void)own, (void)context;
    TRY(argand_comm_describe(comm, &info));
    RANK_CHECK(!strcmp(info.kind, "nccl") && !strncmp(info.library, "NCCL 2.", 7), "%s, %s", info.kind,
               info.library);
    RANK_CHECK(info.local_rank == me && info.local_size == size, "rank %d of %d", info.local_rank,
               info.local_size);
    TRY(argand_comm_post(comm, (me + 1) % size, &me, sizeof me));
    while (from < 0) TRY(argand_comm_collect(comm, &from, &bytes, &count));
    RANK_CHECK(from == (me + size - 1) % size && count == sizeof me, "%zu bytes from %d", count, from);
    argand_comm_free(bytes);
    const argand_status all =
        argand_comm_agree(comm, me == size - 1 ? status_set(ARGAND_NUMERIC, "not finite") : ARGAND_OK);
    RANK_CHECK(all == ARGAND_NUMERIC && strstr(argand_message(), "not finite"), "%s", argand_message());
    return argand_comm_barrier(comm);
}

/* Even and odd ranks, in reversed order. */
static argand_status division(argand_comm *comm, argand_device *own, void *context)
{
    const int size = argand_comm_size(comm), me = argand_comm_rank(comm);
    argand_comm *part;
    argand_array *a;
    float mine = (float)me, wanted = 0;
    (void)context;
    TRY(argand_comm_split(&part, comm, me % 2, -me));
    const int parts = (size + 1 - me % 2) / 2;
    RANK_CHECK(argand_comm_size(part) == parts && argand_comm_rank(part) == parts - 1 - me / 2,
               "rank %d became %d of %d", me, argand_comm_rank(part), argand_comm_size(part));
    for (int r = me % 2; r < size; r += 2) wanted += (float)r;
    TRY(floats_new(&a, own, &mine, 1));
    TRY(argand_comm_sum(part, a));
    TRY(floats_read(&mine, a));
    RANK_CHECK(mine == wanted, "sum %g instead of %g", (double)mine, (double)wanted);
    argand_array_destroy(a);
    argand_comm_destroy(part);
    return ARGAND_OK;
}

/* From slabs along the last axis to slabs along the one before: each element has its number. */
static argand_status redistribution(argand_comm *comm, argand_device *own, void *context)
{
    static const int64_t n[3] = {5, 12, 8};
    const int size = argand_comm_size(comm), me = argand_comm_rank(comm);
    argand_box from, to;
    argand_array *in = NULL, *out = NULL;
    float *numbers;
    (void)context;
    TRY(argand_box_slab(&from, 3, n, 2, size, me));
    TRY(argand_box_slab(&to, 3, n, 1, size, me));
    const int64_t in_dims[3] = {n[0], n[1], from.upper[2] - from.lower[2]},
                  out_dims[3] = {n[0], to.upper[1] - to.lower[1], n[2]};
    TRY(argand_array_create(&in, own, ARGAND_R32, 3, in_dims));
    TRY(argand_array_create(&out, own, ARGAND_R32, 3, out_dims));
    TRY(NEW(numbers, n[0] * n[1] * n[2]));
    for (int64_t i = 0; i < argand_array_count(in); i++)
        numbers[i] = (float)(i + n[0] * n[1] * from.lower[2]);
    TRY(argand_array_upload(in, numbers));
    const argand_transfers before = argand_device_transfers(own);
    TRY(argand_dist_copy(comm, 3, out, &to, in, &from));
    TRY(no_transfers(own, &before));
    TRY(floats_read(numbers, out));
    for (int64_t i = 0; i < argand_array_count(out); i++) {
        const int64_t x = i % n[0], y = i / n[0] % out_dims[1] + to.lower[1], z = i / n[0] / out_dims[1];
        RANK_CHECK(numbers[i] == (float)(x + n[0] * (y + n[1] * z)), "element %d: %g", (int)i,
                   (double)numbers[i]);
    }
    memory_free(numbers);
    argand_array_destroy(out);
    argand_array_destroy(in);
    return ARGAND_OK;
}

/* Copies a box of a whole array on the CPU. */
static argand_status box_of(argand_array **part, argand_array *whole, const argand_box *box)
{
    int64_t dims[3], strides[3], at = 0;
    argand_array *view;
    for (int d = 0; d < 3; d++) {
        dims[d] = box->upper[d] - box->lower[d];
        strides[d] = argand_array_stride(whole, d);
        at += box->lower[d] * strides[d];
    }
    TRY(argand_array_create(part, argand_array_device(whole), ARGAND_C32, 3, dims));
    TRY(argand_array_view(&view, whole, 3, dims, strides, at));
    const argand_status status = argand_array_copy(*part, view);
    argand_array_destroy(view);
    return status;
}

/* Transforms this rank's part of `image`, and compares with the same part of `spectrum`. */
static argand_status transform_part(argand_comm *comm, argand_device *own, argand_array *image,
                                    argand_array *spectrum, const argand_dist_fft_options *o)
{
    argand_dist_fft *plan;
    argand_dist_fft_info info;
    argand_array *given, *wanted, *in, *out;
    int64_t dims[2][3];
    TRY(argand_dist_fft_create(&plan, comm, own, o));
    TRY(argand_dist_fft_describe(plan, &info));
    TRY(box_of(&given, image, &info.in));
    TRY(box_of(&wanted, spectrum, &info.out));
    for (int d = 0; d < 3; d++) {
        dims[0][d] = argand_array_dim(given, d);
        dims[1][d] = argand_array_dim(wanted, d);
    }
    TRY(argand_array_create(&in, own, ARGAND_C32, 3, dims[0]));
    TRY(argand_array_create(&out, own, ARGAND_C32, 3, dims[1]));
    TRY(argand_array_upload(in, argand_array_data(given)));
    const argand_transfers before = argand_device_transfers(own);
    TRY(argand_dist_fft_apply(plan, out, in, ARGAND_FORWARD));
    if (!argand_array_data(in)) TRY(no_transfers(own, &before));
    const double error = array_error(out, wanted);
    argand_array_destroy(out);
    argand_array_destroy(in);
    argand_array_destroy(wanted);
    argand_array_destroy(given);
    argand_dist_fft_destroy(plan);
    RANK_CHECK(error < 1e-6, "error %g", error);
    return ARGAND_OK;
}

/* Distributed transforms against one by the CPU. The fake device cannot compute: there the ranks' arrays
 * are in host memory, which goes over the communicator below. */
static argand_status transforms(argand_comm *comm, argand_device *own, void *context)
{
    const argand_fft_options whole = {.type = ARGAND_C32, .rank = 3, .n = {40, 36, 48}};
    argand_device_info info;
    argand_fft *plan;
    argand_device *cpu;
    argand_array *image, *spectrum;
    (void)context;
    TRY(argand_device_describe(own, &info));
    TRY(argand_device_open(&cpu, "cpu"));
    if (!strncmp(info.name, "Fake", 4)) own = cpu;
    TRY(argand_array_create(&image, cpu, ARGAND_C32, 3, whole.n));
    TRY(argand_array_create(&spectrum, cpu, ARGAND_C32, 3, whole.n));
    randomise(image, 7, 0, 0);
    TRY(argand_fft_create(&plan, cpu, &whole));
    TRY(argand_fft_apply(plan, spectrum, image, ARGAND_FORWARD));
    for (int form = 0; form < 4; form++) {
        const argand_dist_fft_options o = {.type = ARGAND_C32,
                                           .rank = 3,
                                           .n = {40, 36, 48},
                                           .transposed = form % 2,
                                           .groups = 3 * (form % 2),
                                           .division = form < 2 ? ARGAND_DIST_SLAB : ARGAND_DIST_PENCIL};
        TRY(transform_part(comm, own, image, spectrum, &o));
    }
    argand_fft_destroy(plan);
    argand_array_destroy(spectrum);
    argand_array_destroy(image);
    argand_device_close(cpu);
    return ARGAND_OK;
}

/* Runs with blocks by NCCL, and again with blocks that devices of one process copy from each other. */
static void run_both_ways(rank_work work)
{
    enum { LARGE = 4 << 20 };
    if (!nccl_is_there()) skip();
    run_devices(work, NULL);
    argand_test_peer_bytes(1);
    run_devices(work, NULL);
    argand_test_peer_bytes(LARGE);
}

#define EACH(name)                        \
    static void test_##name(void **state) \
    {                                     \
        (void)state;                      \
        run_both_ways(name);              \
    }
/* clang-format off */
EACH(pieces)
EACH(overlapping)
EACH(sums)
EACH(on_device)
EACH(broadcasts)
EACH(host_calls)
EACH(division)
EACH(redistribution)
EACH(transforms) /* clang-format on */

                                    static const struct CMUnitTest tests[] = {
                                        cmocka_unit_test(test_pieces),
                                        cmocka_unit_test(test_overlapping),
                                        cmocka_unit_test(test_sums),
                                        cmocka_unit_test(test_on_device),
                                        cmocka_unit_test(test_broadcasts),
                                        cmocka_unit_test(test_host_calls),
                                        cmocka_unit_test(test_division),
                                        cmocka_unit_test(test_redistribution),
                                        cmocka_unit_test(test_transforms),
                                        cmocka_unit_test(end_job)};
RUN_TESTS(tests)
