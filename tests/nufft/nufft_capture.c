/* SPDX-License-Identifier: BSD-3-Clause */
/* NUFFTs captured into a CUDA graph: both directions, and an iteration of conjugate gradients with operators
 * made of them, as one. Replayed on other numbers they give the bits of the calls one by one. */
#include "truth.h"
#include "graph.h"

#include "array/scalars.h"
#include "nufft/on_device.h"

static const struct {
    problem of;
    bool rows; /* vectors written side by side first */
} cases[] = {
    {{.type = ARGAND_C32, .rank = 2, .n = {64, 48}, .tolerance = 1e-4, .count = 5000, .vectors = 1}, false},
    {{.type = ARGAND_C32, .rank = 2, .n = {64, 48}, .tolerance = 1e-4, .count = 9000, .vectors = 12}, true},
    {{.type = ARGAND_C32, .rank = 3, .n = {24, 20, 22}, .tolerance = 1e-4, .count = 4000, .vectors = 3},
     false},
    {{.type = ARGAND_C64,
      .rank = 3,
      .n = {24, 20, 22},
      .tolerance = 1e-9,
      .kind = MIDDLE,
      .count = 9000,
      .vectors = 1},
     false}};

static unsigned char *bytes_of(const argand_array *array, size_t *count)
{
    *count = (size_t)argand_array_count(array) * argand_type_size(argand_array_type(array));
    unsigned char *bytes = malloc(*count);
    assert_non_null(bytes);
    OK(argand_array_download(array, bytes));
    return bytes;
}

static void assert_same(const argand_array *array, unsigned char *wanted)
{
    size_t count;
    unsigned char *got = bytes_of(array, &count);
    assert_memory_equal(got, wanted, count);
    free(got);
    free(wanted);
}

static argand_status both(const made *m)
{
    const argand_status status = argand_nufft_apply(m->plan, m->samples, m->image);
    return status ? status : argand_nufft_adjoint(m->plan, m->image, m->samples);
}

static void both_directions(void **state)
{
    (void)state;
    if (!streamed) skip();
    argand_device *const usual = device;
    device = streamed;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        problem p = cases[i].of;
        p.threads = 1;
        argand_test_nufft_scattered_bytes(cases[i].rows ? 1 : 0);
        made m = make(&p);
        randomise(m.image, 1, -1, 1);
        OK(both(&m)); /* what it keeps between calls is made */
        OK(argand_device_wait(streamed));
        graph_begin();
        void *graph = graph_end(both(&m), "apply and adjoint");
        for (uint64_t seed = 2; seed < 4; seed++) {
            size_t count;
            randomise(m.image, seed, -1, 1);
            OK(both(&m));
            unsigned char *wanted = bytes_of(m.image, &count);
            randomise(m.samples, 9, -1, 1);
            randomise(m.image, seed, -1, 1);
            assert_int_equal(g.launch(graph, cuda_peer_stream(cuda)), 0);
            assert_same(m.image, wanted);
        }
        assert_int_equal(g.destroy_executable(graph), 0);
        unmake(&m);
    }
    argand_test_nufft_scattered_bytes(0);
    device = usual;
}

/* ---- an iteration ---- */

enum { GAMMA, GAMMA_BEFORE, DELTA, NUMBERS };

typedef struct iteration {
    argand_op *op;
    argand_array *x, *r, *p, *q, *s, *numbers;
} iteration;

static argand_array *array_of(const argand_shape *shape)
{
    argand_array *array;
    OK(argand_array_create(&array, device, shape->type, shape->rank, shape->dims));
    return array;
}

/* gamma before = gamma; q = A p; x += alpha p; r -= alpha q; s = A^H r; gamma = |s|^2; p = s + beta p */
static argand_status iterate(const iteration *it)
{
    argand_array *const numbers = it->numbers;
    argand_status status = scalars_dot(numbers, GAMMA_BEFORE, 1, it->s, it->s, false);
    if (!status) status = argand_op_apply(it->op, it->q, it->p);
    if (!status) status = scalars_dot(numbers, DELTA, 1, it->q, it->q, false);
    if (!status) status = scalars_add_ratio(it->x, 1, numbers, GAMMA_BEFORE, DELTA, it->p);
    if (!status) status = scalars_add_ratio(it->r, -1, numbers, GAMMA_BEFORE, DELTA, it->q);
    if (!status) status = argand_op_adjoint(it->op, it->s, it->r);
    if (!status) status = scalars_dot(numbers, GAMMA, 1, it->s, it->s, false);
    return status ? status : scalars_scale_ratio(it->p, numbers, GAMMA, GAMMA_BEFORE, it->s);
}

static void begin(const iteration *it, uint64_t seed)
{
    OK(argand_array_fill(it->x, (argand_scalar){0, 0}));
    randomise(it->r, seed, -1, 1);
    OK(argand_op_adjoint(it->op, it->s, it->r));
    OK(argand_array_copy(it->p, it->s));
}

/* SENSE with 5 coils: every vector has the same image */
static iteration make_iteration(made *m, argand_array **maps)
{
    iteration it = {NULL};
    argand_op *nufft;
    OK(argand_op_nufft(&nufft, device, m->plan, 5));
    m->plan = NULL; /* the operator's */
    OK(argand_array_create(maps, device, ARGAND_C32, 3, (int64_t[]){64, 48, 5}));
    OK(argand_coils_birdcage(*maps));
    OK(argand_op_sense(&it.op, nufft, *maps));
    argand_op_destroy(nufft);
    it.x = array_of(argand_op_domain(it.op));
    it.p = array_of(argand_op_domain(it.op));
    it.s = array_of(argand_op_domain(it.op));
    it.r = array_of(argand_op_range(it.op));
    it.q = array_of(argand_op_range(it.op));
    OK(scalars_create(&it.numbers, device, NUMBERS));
    return it;
}

static void iteration_of_cg(void **state)
{
    (void)state;
    if (!streamed) skip();
    argand_device *const usual = device;
    const problem p = {.type = ARGAND_C32,
                       .rank = 2,
                       .n = {64, 48},
                       .tolerance = 1e-4,
                       .kind = RADIAL,
                       .count = 9000,
                       .vectors = 5,
                       .threads = 1};
    argand_array *maps;
    device = streamed;
    made m = make(&p);
    iteration it = make_iteration(&m, &maps);
    begin(&it, 1);
    OK(iterate(&it));
    OK(argand_device_wait(streamed));
    graph_begin();
    void *graph = graph_end(iterate(&it), "an iteration");
    for (uint64_t seed = 2; seed < 4; seed++) {
        enum { ITERATIONS = 4 };
        size_t count;
        begin(&it, seed);
        for (int i = 0; i < ITERATIONS; i++) OK(iterate(&it));
        unsigned char *wanted = bytes_of(it.x, &count);
        begin(&it, seed);
        for (int i = 0; i < ITERATIONS; i++) assert_int_equal(g.launch(graph, cuda_peer_stream(cuda)), 0);
        assert_same(it.x, wanted);
    }
    assert_int_equal(g.destroy_executable(graph), 0);
    argand_array *const arrays[] = {it.x, it.p, it.s, it.r, it.q, it.numbers, maps};
    argand_op_destroy(it.op);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    unmake(&m);
    device = usual;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(both_directions, open_stream, close_stream),
    cmocka_unit_test_setup_teardown(iteration_of_cg, open_stream, close_stream)};
RUN_TESTS(tests)
