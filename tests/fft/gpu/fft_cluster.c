/* SPDX-License-Identifier: BSD-3-Clause */
/* Which lines and planes a cluster of groups takes, and that both halves fit: every group has a part, every
 * point its place, for all lengths with radices. (What the kernel computes is fft_tile's to show, on a device
 * that has clusters.) */
#include "fft/engine/primes.h"
#include "fft/large_chip.h"

#include <string.h>
#include "device/source.h"

static void make(pass_program *p, int rank, const int64_t *n, bool centred, const block_limits *l)
{
    fft_problem problem = {.type = l->is_double ? ARGAND_C64 : ARGAND_C32,
                           .rank = rank,
                           .batch = 3,
                           .points = 1,
                           .centred = centred};
    fft_geometry g;
    for (int i = 0; i < rank; i++) problem.points *= problem.n[i] = n[i];
    problem_contiguous(&g, &problem, ARGAND_FORWARD);
    OK(program_make(p, &problem, &g, ARGAND_FORWARD, l, true));
}

/* A program without tables that has its keys (block_limits.keyed) names the kernels that the whole program
 * wants, so that what is compiled for it beforehand is what will be used. */
static void keys_are_foreseen(void **state)
{
    (void)state;
    static const struct {
        argand_type type;
        int rank;
        int64_t n[3], batch;
    } problems[] = {
        {ARGAND_C32, 1, {1000}, 50},     {ARGAND_C32, 1, {1009}, 50},        {ARGAND_C64, 1, {65536}, 9},
        {ARGAND_C32, 1, {10007}, 20},    {ARGAND_C32, 2, {256, 256}, 30},    {ARGAND_C32, 3, {96, 96, 96}, 1},
        {ARGAND_C64, 2, {384, 384}, 30}, {ARGAND_R32, 1, {65536}, 200},      {ARGAND_R64, 1, {1001}, 4},
        {ARGAND_R32, 2, {256, 256}, 40}, {ARGAND_C32, 3, {192, 192, 192}, 1}};
    int launches = 0;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (int inverse = 0; inverse < 2; inverse++) {
            const argand_direction direction = inverse ? ARGAND_INVERSE : ARGAND_FORWARD;
            fft_problem problem = {
                .type = problems[i].type, .rank = problems[i].rank, .batch = problems[i].batch, .points = 1};
            fft_geometry g;
            pass_program keyed, whole;
            block_limits l = limits_of("", problem.type == ARGAND_C64 || problem.type == ARGAND_R64, 8);
            l.persistent = true;
            l.units = 132;
            l.keyed = true;
            for (int d = 0; d < problem.rank; d++) problem.points *= problem.n[d] = problems[i].n[d];
            problem_contiguous(&g, &problem, direction);
            OK(program_make(&keyed, &problem, &g, direction, &l, true));
            l.keyed = false;
            OK(program_make(&whole, &problem, &g, direction, &l, false));
            assert_int_equal(keyed.count, whole.count);
            assert_int_equal(keyed.persistent.count, whole.persistent.count);
            assert_true(!keyed.tables.elements && whole.tables.elements);
            for (int k = 0; k < whole.count; k++) {
                const char *a = program_launch_key(&keyed, k), *b = program_launch_key(&whole, k);
                assert_int_equal(!a, !b);
                if (!a) continue;
                assert_string_equal(a, b);
                launches++;
            }
            program_release(&keyed);
            program_release(&whole);
        }
    assert_true(launches > 25);
}

/* The halves of a cluster that is all of the program; false where there is none. */
static bool check_halves(const pass_program *p, int64_t points, const block_limits *l)
{
    const tile_pass *half = p->pass;
    const pass_exchange *c = &half->exchange;
    text source = {0};
    if (!c->blocks) return false;
    assert_int_equal(p->count, 2);
    assert_int_equal((int64_t)c->u * c->v, points);
    assert_true(c->blocks <= l->cluster && c->shared_elements * l->element_bytes / 2 <= l->shared_bytes);
    assert_true(c->row * c->u_tile * 2 <= c->shared_elements);
    assert_true(p->work == 0 && half[0].key && !half[1].key && half[1].scaled);
    for (int i = 0; i < 2; i++) {
        const tile_shape *s = &half[i].shape;
        int product = 1;
        for (int k = 0; k < s->stages; k++) product *= s->stage[k].radix;
        assert_int_equal(product, i ? c->v : c->u);
        assert_int_equal(half[i].params.n[0], c->blocks);
        assert_int_equal(half[i].blocks, 3 * c->blocks);
        assert_int_equal(half[i].params.lines, i ? c->u : c->v);
        assert_int_equal(s->size[0], i ? c->u_tile : c->v_tile);
        assert_true(s->threads <= l->threads && s->points_per_thread <= 27 && s->stages > 1);
    }
    assert_int_equal(half[0].shape.threads, half[1].shape.threads);
    OK(source_assemble(&source, half->key, half->shape.threads));
    text_free(&source);
    return true;
}

static bool takes(int rank, const int64_t *n, bool centred, const char *variant, bool is_double, int cluster)
{
    const block_limits l = limits_of(variant, is_double, cluster);
    pass_program p;
    make(&p, rank, n, centred, &l);
    const bool taken = check_halves(&p, rank == 1 ? n[0] : n[0] * n[1], &l);
    program_release(&p);
    return taken;
}

static void lines_and_planes(void **state)
{
    (void)state;
    static const int64_t lines[] = {32768, 65536, 131072, 59049, 46656, 100000, 78125};
    static const int64_t planes[][2] = {{256, 256}, {240, 256}, {225, 243}, {320, 400}, {128, 512}};
    static const char *const variants[] = {
        "", "send_order 1", "send_order 2", "cluster_exchange 2", "cluster_exchange 3", "send_order 3"};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            assert_true(takes(1, &lines[i], false, variants[v], false, 8));
        for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
            for (int centred = 0; centred < 2; centred++)
                assert_true(takes(2, planes[i], centred, variants[v], false, 8));
    }
    assert_true(takes(1, lines, true, "", true, 8));
    assert_true(takes(1, lines + 1, true, "", false, 8));
}

static void none(void **state)
{
    (void)state;
    static const int64_t small = 16384, large = 1 << 18, medium = 65536, thin[2] = {4, 32768};
    assert_false(takes(1, &small, false, "", false, 8));
    assert_false(takes(1, &large, false, "", false, 8));
    assert_false(takes(2, thin, false, "no_cluster 1", false, 8));
    assert_false(takes(1, &medium, false, "no_cluster 1", false, 8));
    assert_false(takes(1, &medium, false, "", false, 0));
}

static void every_length(void **state)
{
    (void)state;
    int taken = 0;
    for (int64_t n = 16385; n <= 131072; n++)
        if (has_radices(n)) taken += takes(1, &n, false, "", false, 8);
    print_message("%d lengths\n", taken);
    assert_true(taken > 500);
}

/* The three parts of a convolution that a cluster holds; false where there is none. */
static bool check_convolution(const pass_program *p, int64_t n, bool rader, const block_limits *l)
{
    const tile_pass *part = p->pass;
    const pass_exchange *c = &part->exchange;
    text source = {0};
    if (c->passes != 3) return false;
    assert_int_equal(p->count, 3);
    if (rader)
        assert_int_equal((int64_t)c->u * c->v, n - 1);
    else
        assert_true((int64_t)c->u * c->v >= 2 * n - 1);
    assert_true(c->blocks <= l->cluster && c->shared_elements * l->element_bytes / 2 <= l->shared_bytes);
    assert_true(c->row >= c->v && 2 * c->row * c->u_tile <= c->shared_elements);
    assert_true(c->row_inverse >= c->u && 2 * c->row_inverse * c->v_tile <= c->shared_elements);
    assert_true(p->work == 0 && part->key && !part[1].key && !part[2].key && part[2].scaled &&
                !part[0].scaled);
    for (int i = 0; i < 3; i++) {
        const tile_shape *s = &part[i].shape;
        int product = 1;
        for (int k = 0; k < s->stages; k++) product *= s->stage[k].radix;
        assert_int_equal(product, i == 1 ? c->v : c->u);
        assert_int_equal(s->size[0], i == 1 ? c->u_tile : c->v_tile);
        assert_int_equal(part[i].params.n[0], c->blocks);
        assert_int_equal(part[i].blocks, 3 * c->blocks);
        assert_int_equal(s->chirp, i == 0 ? CHIRP_IN : i == 1 ? CHIRP_MIDDLE : CHIRP_OUT);
        assert_true(s->rader == rader && s->threads == part->shape.threads && s->threads <= l->threads);
    }
    OK(source_assemble(&source, part->key, part->shape.threads));
    text_free(&source);
    return true;
}

static bool convolves(int64_t n, bool rader, const char *variant, bool is_double, int cluster)
{
    const block_limits l = limits_of(variant, is_double, cluster);
    pass_program p;
    make(&p, 1, &n, false, &l);
    const bool taken = check_convolution(&p, n, rader, &l);
    program_release(&p);
    return taken;
}

static void convolutions(void **state)
{
    (void)state;
    assert_true(convolves(65537, true, "", false, 8));
    assert_true(convolves(12289, true, "max_convolution 8192", false, 8));
    int primes = 0;
    for (int64_t n = 10501; n <= 65521; n += 2310) /* no multiples of primes below 13 */
        if (is_prime(n) && !has_radices(n - 1)) {
            assert_true(convolves(n, false, "", false, 8));
            primes++;
        }
    assert_true(primes > 2);
    assert_false(convolves(19703, false, "", false, 8)); /* 17 x 19 by radices, 61 convolved */
    assert_true(convolves(10007, false, "max_convolution 8192", false, 8));
    assert_true(convolves(10007, false, "", true, 8));
    assert_false(convolves(10007, false, "", false, 8)); /* it fits one group */
    assert_false(convolves(20011, false, "no_cluster 1", false, 8));
    assert_false(convolves(20011, false, "", false, 0));
    assert_false(convolves(65539, false, "", false, 8));
}

static int rounds(int64_t n, const char *variant, bool is_double, pass_exchange *cross)
{
    block_limits l = limits_of(variant, is_double, 16);
    pass_program p;
    char word[32];
    l.persistent = true;
    l.units = 132;
    l.keyed = true;
    make(&p, 1, &n, false, &l);
    *cross = p.pass->exchange;
    snprintf(word, sizeof word, " CLUSTER_LOOPED=%d ", (int)cross->round);
    assert_non_null(p.pass->key);
    assert_non_null(strstr(p.pass->key, word));
    program_release(&p);
    return (int)cross->round;
}

/* Stages of rows and columns that are the same are once in the kernel, and lengths are taken so that they
 * are, or that those of rows are a loop. */
static void stages_once(void **state)
{
    (void)state;
    pass_exchange c;
    assert_int_equal(rounds(65537, "", false, &c), LOOP_ALL);
    assert_int_equal(rounds(65537, "", true, &c), LOOP_ALL);
    assert_int_equal(rounds(32003, "", false, &c), LOOP_ALL);
    assert_int_equal(rounds(10007, "", true, &c), LOOP_ALL);
    assert_true(c.u == 144 && c.v == 144);
    assert_int_equal(rounds(20011, "", false, &c), LOOP_COLUMNS);
    assert_true(c.u == 160 && c.v == 256);
    assert_int_equal(rounds(65537, "stage_loop 0", false, &c), LOOP_COLUMNS);
    assert_int_equal(rounds(65537, "cluster_loop 0", false, &c), LOOP_NONE);
    assert_int_equal(rounds(20011, "cluster_loop 0", false, &c), LOOP_NONE);
    assert_true(c.u == 128 && c.v == 320);
}

static int product_along(const tile_shape *s, int axis)
{
    int product = 1;
    for (int i = 0; i < s->stages; i++)
        if (s->stage[i].axis == axis) product *= s->stage[i].radix;
    return product;
}

/* Two passes for all lengths that fit tiles, never in place; as many tiles as points need. */
static void shared_axes(void **state)
{
    (void)state;
    int taken = 0, shared = 0;
    for (int64_t n = 84; n <= 320; n += 4) {
        const int64_t dims[3] = {n, n, n};
        if (!has_radices(n)) continue;
        for (int way = 0; way < 4; way++) {
            block_limits l = limits_of("", way & 2, 8);
            pass_program p;
            l.out_of_place = !(way & 1);
            l.units = 132;
            make(&p, 3, dims, false, &l);
            taken++;
            assert_true(!p.out_of_place || l.out_of_place);
            if (p.out_of_place) {
                const tile_shape *rows = &p.pass[0].shape, *columns = &p.pass[1].shape;
                shared++;
                assert_true(p.count == 2 && p.work == 0 && p.pass[1].scaled && rows->twiddle &&
                            !columns->twiddle);
                assert_int_equal(product_along(rows, 0), n);
                assert_int_equal((int64_t)product_along(rows, 1) * product_along(columns, 1), n);
                assert_int_equal(product_along(columns, 2), n);
                assert_int_equal(p.pass[0].blocks * tile_points(rows), 3 * n * n * n);
                assert_true(p.pass[1].blocks * tile_points(columns) >= 3 * n * n * n);
                assert_true(rows->threads <= l.threads && columns->threads <= l.threads);
                assert_true(rows->points_per_thread <= 20 && columns->points_per_thread <= 20);
            }
            program_release(&p);
        }
    }
    print_message("%d of %d share an axis\n", shared, taken);
    assert_true(shared > 10 && 2 * shared < taken + 1);
}

/* Where launches overlap, a multiprocessor holds its share of a launch, and no more. */
static void shares(void **state)
{
    (void)state;
    for (int64_t n = 32; n <= 160; n += 32) {
        const int64_t dims[3] = {n, n, n};
        block_limits l = limits_of("split_second 1 no_cluster 1", false, 8);
        pass_program p;
        l.units = 132;
        l.overlaps = true;
        make(&p, 3, dims, false, &l);
        for (int i = 0; i < p.count; i++) {
            const tile_pass *pass = &p.pass[i];
            const int64_t share = (pass->blocks + 131) / 132, all = 228 * 1024;
            const int64_t bytes = (int64_t)pass_shared_bytes(pass, &l);
            assert_true(bytes >= (int64_t)pass->shared_bytes && bytes <= l.shared_bytes);
            if (share * pass->shape.threads > 2048) continue;
            assert_true((share + 1) * (bytes + 1024) > all);
            if (bytes > (int64_t)pass->shared_bytes) assert_true(share * (bytes + 1024) <= all);
        }
        program_release(&p);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shared_axes),       cmocka_unit_test(shares),     cmocka_unit_test(lines_and_planes),
    cmocka_unit_test(keys_are_foreseen), cmocka_unit_test(none),       cmocka_unit_test(every_length),
    cmocka_unit_test(convolutions),      cmocka_unit_test(stages_once)};
RUN_TESTS(tests)
