/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars of chains in the passes of our kernels: where all that follows is linear they are factors of the
 * results, real ones without accessors in any pass; elsewhere they stay where they are. */
#include "fused.h"

static const argand_accessor rotate = {.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, -2}},
                             back = {.kind = ARGAND_ACCESS_SCALE, .scalar = {0.25, 0.75}, .conjugate = true},
                             half = {.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, 0}},
                             mine = {.kind = ARGAND_ACCESS_CALL,
                                     .parameters = {0.7, 0.25, 0.5},
                                     .source = own_text,
                                     .name = "own"};

/* Against the sums; and whether passes have accessors at load and at store, as the plan says. */
static void check(const argand_fft_options *o, argand_direction direction, bool load, bool store)
{
    char chars[1024];
    int64_t in_dims[ARGAND_MAX_RANK], out_dims[ARGAND_MAX_RANK];
    double points = 1;
    layout_dims(in_dims, o, &o->input);
    layout_dims(out_dims, o, &o->output);
    for (int d = 0; d < o->rank; d++) points *= (double)o->n[d];
    argand_array *in = random_array(o->type, o->rank + 1, in_dims, 3),
                 *out = new_array(o->type, o->rank + 1, out_dims);
    exact *expected = access_reference(o, out, in, direction);
    argand_fft *plan = new_plan(o);
    check_engine(plan, "fused", "taken");
    argand_fft_print(plan, chars, sizeof chars);
    if ((strstr(chars, "load") != NULL) != load || (strstr(chars, "store") != NULL) != store)
        fail_msg("%s: at load %d, at store %d", chars, load, store);
    OK(argand_fft_apply(plan, out, in, direction));
    CHECK_BELOW(distance(out, expected, 1), tolerance(o->type, points));
    argand_fft_destroy(plan);
    free(expected);
    argand_array_destroy(in);
    argand_array_destroy(out);
}

/* One pass and two, planes, prime lengths, a scale and none, centred, each way: real factors leave nothing in
 * the passes, complex ones the last pass's results. */
static void become_factors(void **state)
{
    (void)state;
    static const struct {
        int rank;
        int64_t n[3];
        argand_fft_scale scale;
    } cases[] = {{1, {96}, ARGAND_SCALE_UNITARY},        {1, {9000}, ARGAND_SCALE_NONE},
                 {2, {20, 18}, ARGAND_SCALE_NONE},       {1, {37}, ARGAND_SCALE_UNITARY},
                 {3, {12, 10, 9}, ARGAND_SCALE_UNITARY}, {1, {4621}, ARGAND_SCALE_INVERSE},
                 {2, {256, 256}, ARGAND_SCALE_INVERSE}};
    enum { QUICK = 5 }; /* whose kernels PoCL compiles in a second or two each */
    if (is_host()) return;
    for (size_t i = 0; i < (is_cuda() ? sizeof cases / sizeof *cases : QUICK); i++) {
        argand_fft_options o = {.type = i % 3 && types() > 1 ? ARGAND_C64 : ARGAND_C32,
                                .rank = cases[i].rank,
                                .batch = 2,
                                .centred = i % 4 == 1,
                                .scale = cases[i].scale};
        const argand_direction direction = i % 2 ? ARGAND_FORWARD : ARGAND_INVERSE;
        memcpy(o.n, cases[i].n, sizeof cases->n);
        o.access.load[0] = half;
        if (i % 3 == 0) check(&o, direction, o.centred, o.centred);
        o.access.load[0] = o.access.store[0] = rotate;
        o.access.store[0].conjugate = true; /* whose product is real */
        if (i == 0) check(&o, direction, false, false);
        o.access.store[0] = back;
        o.access.load[1] = half;
        check(&o, direction, o.centred, true);
    }
}

/* Next to arrays, at load, store and spectrum. */
static void leave_arrays(void **state)
{
    (void)state;
    const int64_t dims[3] = {24, 20, 3};
    if (is_host()) return;
    argand_array *map = random_array(ARGAND_C32, 2, dims, 5), *window = random_array(ARGAND_R32, 1, dims, 6);
    const argand_accessor times = {.kind = ARGAND_ACCESS_MULTIPLY, .array = map, .conjugate = true},
                          shaped = {.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
    argand_fft_options o = {.type = ARGAND_C32,
                            .rank = 2,
                            .n = {dims[0], dims[1]},
                            .batch = dims[2],
                            .scale = ARGAND_SCALE_UNITARY};
    for (int i = 0; i < 2; i++) {
        argand_accessor *load = o.access.load, *store = o.access.store;
        load[0] = rotate, load[1] = times, load[2] = back, load[3] = shaped;
        store[0] = shaped, store[1] = i ? half : rotate, store[2] = times;
        check(&o, i ? ARGAND_FORWARD : ARGAND_INVERSE, true, true);
    }
    o.access.spectrum[0] = rotate;
    o.access.spectrum[1] = times;
    check(&o, ARGAND_FORWARD, true, true);
    o.access.spectrum[1].kind = ARGAND_ACCESS_NONE; /* forward and inverse all the same */
    check(&o, ARGAND_FORWARD, true, true);
    argand_array_destroy(map);
    argand_array_destroy(window);
}

/* Before a function of the user's own, and where something stands around the array. */
static void stay(void **state)
{
    (void)state;
    if (is_host()) return;
    own_function = own;
    argand_fft_options o = {
        .type = ARGAND_C32, .rank = 2, .n = {10, 9}, .batch = 3, .scale = ARGAND_SCALE_UNITARY};
    o.access.store[0] = rotate;
    o.access.store[1] = mine;
    o.access.store[2] = back;
    o.access.load[0] = rotate;
    check(&o, ARGAND_FORWARD, true, true);
    memset(o.access.store, 0, sizeof o.access.store);
    o.access.load[1] = mine;
    o.access.load[2] = rotate;
    check(&o, ARGAND_INVERSE, true, true);
    o.access.spectrum[0] = rotate;
    o.access.spectrum[1] = mine;
    o.access.spectrum[2] = back;
    check(&o, ARGAND_FORWARD, true, true);
    o = (argand_fft_options){.type = ARGAND_C32,
                             .rank = 1,
                             .n = {96},
                             .batch = 2,
                             .input = {.constant = {2.5, -1}, .window = {{50, 7, ARGAND_BORDER_CONSTANT}}}};
    o.access.load[0] = rotate;
    check(&o, ARGAND_FORWARD, true, false);
}

/* Each call may bring others: real ones where the plan's are complex, and the other way round. */
static void of_a_call(void **state)
{
    (void)state;
    enum { N = 96, B = 2 };
    if (is_host()) return;
    const int64_t dims[2] = {N, B};
    argand_array *in = random_array(ARGAND_C32, 2, dims, 3), *out = new_array(ARGAND_C32, 2, dims);
    for (int i = 0; i < 2; i++) {
        argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {N}, .batch = B};
        o.access.load[0] = i ? rotate : half;
        argand_fft *plan = new_plan(&o);
        check_engine(plan, "fused", "taken");
        for (int k = 0; k < 3; k++) {
            o.access.load[0].scalar = k % 2 ? rotate.scalar : half.scalar;
            exact *expected = access_reference(&o, out, in, ARGAND_INVERSE);
            OK(argand_fft_apply_access(plan, out, in, ARGAND_INVERSE, &o.access));
            CHECK_BELOW(distance(out, expected, 1), tolerance(ARGAND_C32, N));
            free(expected);
        }
        argand_fft_destroy(plan);
    }
    argand_array_destroy(in);
    argand_array_destroy(out);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(become_factors, set_up), cmocka_unit_test_setup(leave_arrays, set_up),
    cmocka_unit_test_setup(stay, set_up), cmocka_unit_test_setup(of_a_call, set_up)};
RUN_TESTS(tests)
