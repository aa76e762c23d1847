/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of the cuda backend over a fake driver: what is passed on, early starts, replays. */
#include "gpu_fake.h"

/* The fake driver's answers are ten times the attribute's number, and 2048 items, less a group where shared
 * memory is asked for. */
static void what_a_kernel_needs_is_told(void **state)
{
    (void)state;
    kernel_launch launch = {.items = 256};
    kernel_needs needs;
    OK(kernel_get(device, "axpby REAL=float", launch.items, &launch.kernel));
    OK(device->backend->needs(device->context, &launch, &needs));
    assert_int_equal(needs.registers, 40);
    assert_int_equal(needs.spilled, 30);
    assert_int_equal(needs.shared, 10);
    assert_int_equal(needs.groups, 8);
    launch.shared_bytes = 100000;
    OK(device->backend->needs(device->context, &launch, &needs));
    assert_int_equal(needs.shared, 100010);
    assert_int_equal(needs.groups, 7);
    kernel_run run = {.key = "axpby REAL=float", .items = 256, .shared_bytes = 100000};
    int occupancy = 0;
    OK(kernel_occupancy(device, &run, &occupancy));
    assert_int_equal(occupancy, 7);
    run.shared_bytes = 0; /* asked anew */
    OK(kernel_occupancy(device, &run, &occupancy));
    assert_int_equal(occupancy, 8);
    run.key = "axpbx REAL=float";
    FAILS(kernel_occupancy(device, &run, &occupancy), ARGAND_INTERNAL, "axpbx");
}

static void a_launch_passes_everything_on(void **state)
{
    (void)state;
    storage *s;
    OK(storage_new(&s, device, 64));
    OK(run(device, 77, 0, 0, s));
    assert_int_equal(fake->groups, 77);
    assert_int_equal(fake->items, 256);
    assert_string_equal(fake->function, "axpby");
    assert_int_equal(fake->first_scalar, 4711);
    assert_ptr_equal((void *)(uintptr_t)fake->first_buffer, storage_native(s));
    const int launches = fake->launches, attributes = fake->attribute_calls;
    OK(run(device, 0, 0, 0, s)); /* nothing to do */
    assert_int_equal(fake->launches, launches);
    OK(run(device, 1, 96, 49142, s));
    assert_int_equal(fake->attribute_calls, attributes);
    OK(run(device, 1, 96, 49143, s)); /* and 10 of its own: more than 48 KB */
    assert_int_equal(fake->attribute_calls, attributes + 1);
    OK(run(device, 1, 128, 200000, s));
    OK(run(device, 1, 128, 190000, s)); /* raised once */
    assert_int_equal(fake->attribute_calls, attributes + 2);
    assert_int_equal(fake->shared_attribute, 200000);
    assert_int_equal(fake->shared_bytes, 190000);
    assert_int_equal(fake->items, 128);
    FAILS(run(device, 1, 128, 300000, s), ARGAND_UNSUPPORTED,
          "wants 300010 bytes of shared memory, a group has 232448");
    FAILS(run(device, (int64_t)1 << 31, 0, 0, s), ARGAND_UNSUPPORTED, "groups are too many");
    storage_release(s);
}

/* By the call with attributes, or by the usual one where the driver is too old to have it. */
static void a_launch_may_begin_early(void **state)
{
    (void)state;
    storage *s;
    OK(storage_new(&s, device, 64));
    OK(run(device, 5, 64, 60000, s));
    const int early = fake->early_launches, launches = fake->launches;
    OK(run_early(device, s));
    assert_int_equal(fake->early_launches, early + 1);
    assert_int_equal(fake->launches, launches + 1);
    assert_int_equal(fake->groups, 6);
    assert_int_equal(fake->items, 64);
    assert_int_equal(fake->shared_bytes, 60000);
    assert_int_equal(fake->first_scalar, 4712);
    OK(run(device, 5, 64, 60000, s));
    assert_int_equal(fake->early_launches, early + 1);
    ((gpu_context *)device->context)->overlaps = false;
    OK(run_early(device, s));
    ((gpu_context *)device->context)->overlaps = true;
    assert_int_equal(fake->early_launches, early + 1);
    assert_int_equal(fake->launches, launches + 3);
    storage_release(s);
}

/* Two runs that begin early, the second with this scalar. */
static argand_status replay(kernel_replay **made, const kernel_replay *start, storage *buffer,
                            long long scalar)
{
    const long long params[2][8] = {{1}, {scalar}};
    kernel_run runs[2];
    for (int i = 0; i < 2; i++)
        runs[i] = (kernel_run){.key = "axpby REAL=float",
                               .groups = 3 + i,
                               .memory = &buffer,
                               .memory_count = 1,
                               .params = params[i],
                               .params_bytes = sizeof params[i],
                               .items = 64,
                               .overlaps = true};
    return made ? kernel_replay_new(made, device, runs, 2)
                : kernel_replay_start((kernel_replay *)(uintptr_t)start, runs);
}

static void nothing_is_no_replay(void **state)
{
    (void)state;
    kernel_replay *r;
    const kernel_run runs[2] = {{.key = "axpby REAL=float", .groups = 3}, {.key = "axpby REAL=float"}};
    OK(kernel_replay_new(&r, device, runs, 2));
    assert_null(r);
}

/* In one go, with what has changed passed before; one by one where the stream is captured; with an error
 * where the driver has one; and given back. */
static void launches_are_replayed(void **state)
{
    (void)state;
    kernel_replay *r;
    storage *s, *other;
    OK(storage_new(&s, device, 64));
    OK(storage_new(&other, device, 64));
    const int edges = fake->early_edges;
    OK(replay(&r, NULL, s, 5));
    assert_non_null(r);
    assert_int_equal(fake->early_edges, edges + 1);
    const int graphs = fake->graphs, launches = fake->launches, updates = fake->updates;
    OK(replay(NULL, r, s, 5));
    assert_int_equal(fake->graphs, graphs + 1);
    assert_int_equal(fake->launches, launches + 2);
    assert_int_equal(fake->updates, updates);
    OK(replay(NULL, r, s, 6)); /* the second one's scalar */
    assert_int_equal(fake->updates, updates + 1);
    assert_int_equal(fake->groups, 4);
    assert_int_equal(fake->first_scalar, 6);
    OK(replay(NULL, r, other, 6)); /* both buffers */
    assert_int_equal(fake->updates, updates + 3);
    assert_int_equal(fake->first_buffer, (uintptr_t)storage_native(other));
    fake->capturing = 1;
    OK(replay(NULL, r, other, 7));
    fake->capturing = 0;
    assert_int_equal(fake->graphs, graphs + 3);
    assert_int_equal(fake->launches, launches + 8);
    assert_int_equal(fake->first_scalar, 7);
    fail_call("GraphLaunch", 0, 700);
    FAILS(replay(NULL, r, other, 7), ARGAND_DEVICE, "a graph of launches cannot be started");
    fail_call("GraphExecSetKernel", 0, 700);
    FAILS(replay(NULL, r, other, 8), ARGAND_DEVICE, "cannot be given other arrays");
    OK(replay(NULL, r, other, 8));
    assert_int_equal(fake->first_scalar, 8);
    kernel_replay_free(r);
    const int alive = fake->alive;
    static const char *const steps[] = {"GraphCreate", "GraphAddKernelNode", "GraphAddDependencies",
                                        "GraphInstantiate"};
    for (int i = 0; i < 4; i++) {
        fail_call(steps[i], 0, 700);
        assert_int_equal(replay(&r, NULL, s, 5), ARGAND_DEVICE);
        assert_int_equal(fake->alive, alive);
    }
    storage_release(s);
    storage_release(other);
}

/* A call of some launches, the last after an upload if asked for, and then a failure */
static argand_status joined(call_graph *joint, storage *s, int count, bool uploads, argand_status end)
{
    const uint32_t number = 1;
    OK(kernels_collect(device));
    for (int i = 0; i < count; i++) {
        if (uploads && i == count - 1) OK(storage_upload(s, 0, &number, sizeof number));
        OK(run(device, 5 + i, 64, 0, s));
    }
    return kernels_start_collected(joint, end);
}

/* Launches of a call that comes again are one graph. The first call, one with other launches, one that does
 * something else meanwhile and one with too many start them one by one, a call that failed none. */
static void launches_of_a_call_are_joined(void **state)
{
    (void)state;
    call_graph *joint;
    storage *s, *other;
    OK(storage_new(&s, device, 64));
    OK(storage_new(&other, device, 64));
    OK(call_graph_new(&joint));
    int graphs = fake->graphs, launches = fake->launches;
    OK(joined(joint, s, 2, false, ARGAND_OK));
    assert_int_equal(fake->graphs, graphs);
    assert_int_equal(fake->launches, launches + 2);
    for (int i = 1; i < 3; i++) {
        OK(joined(joint, i > 1 ? other : s, 2, false, ARGAND_OK));
        assert_int_equal(fake->graphs, graphs + i);
        assert_int_equal(fake->launches, launches + 2 + 2 * i);
        assert_ptr_equal((void *)(uintptr_t)fake->first_buffer, storage_native(i > 1 ? other : s));
    }
    graphs = fake->graphs, launches = fake->launches;
    OK(joined(joint, s, 2, true, ARGAND_OK));
    assert_int_equal(fake->launches, launches + 2);
    OK(joined(joint, s, 3, false, ARGAND_OK));
    assert_int_equal(fake->launches, launches + 5);
    OK(joined(joint, s, KERNELS_REPLAYED + 1, false, ARGAND_OK));
    assert_int_equal(fake->launches, launches + 6 + KERNELS_REPLAYED);
    assert_int_equal(joined(joint, s, 3, false, ARGAND_MEMORY), ARGAND_MEMORY);
    assert_int_equal(fake->launches, launches + 6 + KERNELS_REPLAYED);
    assert_int_equal(fake->graphs, graphs);
    OK(joined(joint, s, 3, false, ARGAND_OK));
    assert_int_equal(fake->graphs, graphs + 1);
    call_graph_free(joint);
    storage_release(s);
    storage_release(other);
}

/* A plan with accessors starts both passes in one go, and passes the one whose arguments have changed. */
static void fused_passes_are_replayed(void **state)
{
    (void)state;
    argand_fft *plan;
    argand_array *a, *b, *map[2];
    const int64_t dims[4] = {256, 256, 1, 1};
    OK(argand_array_create(&a, device, ARGAND_C32, 2, dims)); /* one that needs no loop */
    OK(argand_array_create(&b, device, ARGAND_C32, 4, dims));
    for (int i = 0; i < 2; i++) OK(argand_array_create(&map[i], device, ARGAND_C32, 2, dims));
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {256, 256}};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map[0]};
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.6, 0.8}};
    setenv("ARGAND_FFT_TUNING", "separate_axes 1 no_cluster 1 chunk_kib 0", 1);
    OK(argand_fft_create(&plan, device, &o));
    unsetenv("ARGAND_FFT_TUNING");
    const int loads = fake->loads;
    OK(argand_fft_apply(plan, b, a, ARGAND_FORWARD));
    assert_int_equal(fake->loads, loads); /* by the plan's own kernels */
    const int graphs = fake->graphs, launches = fake->launches, updates = fake->updates;
    OK(argand_fft_apply(plan, b, a, ARGAND_FORWARD));
    assert_int_equal(fake->graphs, graphs + 1);
    assert_int_equal(fake->launches, launches + 2);
    assert_int_equal(fake->updates, updates);
    o.access.load[0].array = map[1];
    OK(argand_fft_apply_access(plan, b, a, ARGAND_FORWARD, &o.access));
    assert_int_equal(fake->updates, updates + 1);
    o.access.store[0].scalar.im = 0.9;
    OK(argand_fft_apply_access(plan, b, a, ARGAND_FORWARD, &o.access));
    assert_int_equal(fake->updates, updates + 2);
    fake->capturing = 1;
    OK(argand_fft_apply(plan, b, a, ARGAND_FORWARD));
    fake->capturing = 0;
    assert_int_equal(fake->graphs, graphs + 3);
    assert_int_equal(fake->launches, launches + 8);
    argand_fft_destroy(plan);
    argand_array_destroy(a);
    argand_array_destroy(b);
    for (int i = 0; i < 2; i++) argand_array_destroy(map[i]);
}

/* Launches of a storage; `refused` also allocates, which no capture can. */
typedef struct recorded_work {
    storage *s;
    bool refused;
    int runs;
} recorded_work;

static argand_status work(void *context)
{
    recorded_work *w = context;
    storage *more;
    w->runs++;
    OK(run(device, 5, 64, 0, w->s));
    return w->refused ? storage_new(&more, device, 64) : ARGAND_OK;
}

/* Work runs once while it is recorded, and is then one call of the driver. Work that cannot be recorded
 * has no graph; a driver's failure is one, and all is given back. */
static void work_is_recorded(void **state)
{
    (void)state;
    device_graph *g;
    recorded_work w = {0};
    OK(storage_new(&w.s, device, 64));
    OK(work(&w));
    const int alive = fake->alive;
    OK(device_record(&g, device, work, &w));
    assert_non_null(g);
    assert_int_equal(w.runs, 2);
    const int graphs = fake->graphs;
    OK(device_graph_start(g));
    OK(device_graph_start(g));
    assert_int_equal(fake->graphs, graphs + 2);
    assert_int_equal(w.runs, 2);
    fail_call("GraphLaunch", 0, 700);
    FAILS(device_graph_start(g), ARGAND_DEVICE, "a recorded graph cannot be started");
    device_graph_free(g);
    assert_int_equal(fake->alive, alive);
    w.refused = true;
    OK(device_record(&g, device, work, &w));
    assert_null(g);
    w.refused = false;
    fail_call("StreamBeginCapture", 0, 700);
    FAILS(device_record(&g, device, work, &w), ARGAND_DEVICE, "no graph can be recorded");
    fail_call("GraphInstantiate", 0, 700);
    FAILS(device_record(&g, device, work, &w), ARGAND_DEVICE, "a recorded graph cannot be made");
    fail_call("StreamEndCapture", 0, 900);
    OK(device_record(&g, device, work, &w));
    assert_null(g);
    fake->captured = NULL; /* a capture that failed has ended */
    assert_int_equal(fake->alive, alive);
    storage_release(w.s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(what_a_kernel_needs_is_told, reset),
    cmocka_unit_test_setup(a_launch_passes_everything_on, reset),
    cmocka_unit_test_setup(a_launch_may_begin_early, reset),
    cmocka_unit_test_setup(nothing_is_no_replay, reset),
    cmocka_unit_test_setup(launches_are_replayed, reset),
    cmocka_unit_test_setup(work_is_recorded, reset),
    cmocka_unit_test_setup(launches_of_a_call_are_joined, reset),
    cmocka_unit_test_setup(fused_passes_are_replayed, reset),
};

RUN_TESTS(tests)
