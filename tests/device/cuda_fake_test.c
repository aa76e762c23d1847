/* SPDX-License-Identifier: BSD-3-Clause */
/* The cuda backend over a fake driver (fake_cuda.c): what can be known of it without a GPU. Each call of the
 * driver fails once; nothing may leak, and the words of the driver and the device's name must come through.
 */
#include "harness.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "device/cuda/context.h"
#include "device/handle.h"
#include "fake_cuda.h"

static struct fake_cuda *fake;

static int reset(void **state)
{
    (void)state;
    if (!fake) {
        struct fake_cuda *(*get)(void);
        void *address = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fake_cuda_state");
        assert_non_null(address);
        memcpy(&get, &address, sizeof get);
        fake = get();
    }
    fake->fail_function = NULL;
    fake->room = (size_t)1 << 30;
    return 0;
}

static void fail_call(const char *function, long after, CUresult with)
{
    fake->fail_function = function;
    fake->fail_after = after;
    fake->fail_with = with;
}

static void it_describes_itself(void **state)
{
    (void)state;
    argand_device *second;
    argand_device_info info;
    OK(argand_device_open(&second, "cuda:1"));
    OK(argand_device_describe(second, &info));
    assert_string_equal(info.name, "Fake 1");
    assert_string_equal(info.backend, "cuda");
    assert_string_equal(info.detail, "capability 9.0, driver CUDA 13.0, NVRTC 13.0");
    assert_int_equal(info.capability, 90);
    assert_int_equal(info.units, 132);
    assert_int_equal(info.memory, 1 << 30);
    assert_true(info.has_double && !info.host_addressable);
    argand_device_close(second);
    FAILS(argand_device_open(&second, "cuda:2"), ARGAND_DEVICE, "there are 2, counted from 0");
    OK(argand_device_open(&second, "auto"));
    OK(argand_device_describe(second, &info));
    assert_string_equal(info.backend, "cuda");
    argand_device_close(second);
}

/* Sizes around what is small, a piece, and the whole ring of stages; there and back, at an offset. */
static void transfers_bring_back_what_was_sent(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 65536, 65537, 4 << 20, (4 << 20) + 1, (40 << 20) + 13};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t bytes = sizes[i];
        unsigned char *sent = malloc(bytes), *got = calloc(bytes, 1);
        assert_true(sent && got);
        for (size_t k = 0; k < bytes; k++) sent[k] = (unsigned char)(k * 31 + k / 251);
        storage *s;
        OK(storage_new(&s, device, bytes + 24));
        OK(storage_upload(s, 16, sent, bytes));
        OK(storage_download(s, 16, got, bytes));
        assert_memory_equal(sent, got, bytes);
        OK(storage_download(s, bytes + 16, got, 8 < bytes ? 8 : 1));
        assert_int_equal(got[0], 0); /* zeroed, and not written beyond the end */
        storage_release(s);
        free(sent);
        free(got);
    }
}

static void pinned_memory_is_read_directly(void **state)
{
    (void)state;
    storage *from, *to;
    char got[256] = {0};
    OK(storage_new(&from, device, 256));
    OK(storage_new(&to, device, 256));
    const int before = fake->direct_copies;
    memset(storage_native(from), 5, 256); /* the fake's device memory, which the driver knows as its own */
    OK(storage_upload(to, 0, storage_native(from), 256));
    assert_int_equal(fake->direct_copies, before + 1);
    OK(storage_download(to, 0, got, 256));
    assert_int_equal(got[255], 5);
    storage_release(from);
    storage_release(to);
}

static void without_stages_the_driver_copies(void **state)
{
    (void)state;
    argand_device *fresh;
    storage *s;
    static char bytes[100000], got[100000];
    memset(bytes, 3, sizeof bytes);
    OK(argand_device_open(&fresh, "cuda:0"));
    OK(storage_new(&s, fresh, sizeof bytes));
    fail_call("MemHostAlloc", 2, 2);
    OK(storage_upload(s, 0, bytes, sizeof bytes));
    fail_call("EventCreate", 0, 2);
    OK(storage_download(s, 0, got, sizeof got));
    assert_memory_equal(bytes, got, sizeof got);
    storage_release(s);
    argand_device_close(fresh);
}

static void wrapped_memory_is_checked_and_not_freed(void **state)
{
    (void)state;
    argand_device *second;
    storage *own, *view;
    static float host[16];
    OK(argand_device_open(&second, "cuda:1"));
    OK(storage_new(&own, device, 4096));
    char *address = storage_native(own);
    FAILS(storage_wrap(&view, device, host, 0, sizeof host), ARGAND_ARGUMENT, "is not device memory");
    FAILS(storage_wrap(&view, second, address, 0, 4096), ARGAND_ARGUMENT, "is memory of cuda:0");
    FAILS(storage_wrap(&view, device, address + 1000, 0, 4096), ARGAND_ARGUMENT,
          "the buffer ends after 3096");
    const int alive = fake->alive;
    OK(storage_wrap(&view, device, address + 96, 0, 4000));
    assert_ptr_equal(storage_native(view), address + 96);
    storage_release(view);
    assert_int_equal(fake->alive, alive);
    storage_release(own);
    argand_device_close(second);
}

static void no_memory_says_how_much(void **state)
{
    (void)state;
    storage *s, *kept;
    fake->room = 3000000;
    FAILS(storage_new(&s, device, (size_t)1 << 40), ARGAND_MEMORY,
          "cuda:0 (Fake 0): no memory for 1099511627776 bytes");
    FAILS(storage_new(&s, device, (size_t)1 << 40), ARGAND_MEMORY,
          "CUDA_ERROR_OUT_OF_MEMORY (2: out of memory)");
    OK(storage_scratch(&kept, device, 2000000));
    storage_release(kept);
    OK(storage_new(&s, device, 2500000)); /* what the arena kept made room */
    storage_release(s);
}

static argand_status run(argand_device *on, int64_t groups, int items, size_t shared, storage *buffer)
{
    const long long params[8] = {4711};
    const kernel_run r = {.key = "axpby REAL=float",
                          .groups = groups,
                          .memory = &buffer,
                          .memory_count = 1,
                          .params = params,
                          .params_bytes = sizeof params,
                          .items = items,
                          .shared_bytes = shared};
    return kernel_start(on, &r);
}

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
    int room = 0;
    OK(kernel_room(device, &run, &room));
    assert_int_equal(room, 7);
    run.shared_bytes = 0; /* asked anew */
    OK(kernel_room(device, &run, &room));
    assert_int_equal(room, 8);
    run.key = "axpbx REAL=float";
    FAILS(kernel_room(device, &run, &room), ARGAND_INTERNAL, "axpbx");
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

/* A launch that may begin before the one before has ended, of a kernel that is known. */
static argand_status run_early(argand_device *on, storage *buffer)
{
    const long long params[8] = {4712};
    kernel_run r = {.key = "what is built needs no key ITEMS=64",
                    .groups = 6,
                    .memory = &buffer,
                    .memory_count = 1,
                    .params = params,
                    .params_bytes = sizeof params,
                    .shared_bytes = 60000,
                    .overlaps = true};
    TRY(kernel_get(on, "axpby REAL=float", 64, &r.kernel));
    return kernel_start(on, &r);
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
    ((cuda_context *)device->context)->overlaps = false;
    OK(run_early(device, s));
    ((cuda_context *)device->context)->overlaps = true;
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

/* In one go, with what has changed told before; one by one where the stream is captured; with an error where
 * the driver has one; and given back. */
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

static void a_users_stream_is_used(void **state)
{
    (void)state;
    CUstream (*stream_of)(int other_context);
    void *address = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fake_cuda_stream");
    memcpy(&stream_of, &address, sizeof stream_of);
    argand_device *mine;
    storage *s;
    OK(argand_device_open_stream(&mine, "cuda:0", stream_of(0)));
    OK(storage_new(&s, mine, 64));
    OK(run(mine, 1, 0, 0, s));
    assert_ptr_equal(fake->stream, stream_of(0));
    storage_release(s);
    argand_device_close(mine);
    FAILS(argand_device_open_stream(&mine, "cuda:0", stream_of(1)), ARGAND_ARGUMENT,
          "belongs to another context");
    assert_null(mine);
    FAILS(argand_device_open_stream(&mine, "cpu", NULL), ARGAND_UNSUPPORTED, "\"cpu\" has no streams");
}

static void timers_read_events(void **state)
{
    (void)state;
    argand_timer *timer;
    double milliseconds = 0;
    OK(argand_timer_create(&timer, device));
    FAILS(argand_timer_milliseconds(timer, &milliseconds), ARGAND_ARGUMENT, "not started and stopped");
    OK(argand_timer_start(timer));
    OK(argand_timer_stop(timer));
    OK(argand_timer_milliseconds(timer, &milliseconds));
    assert_true(milliseconds == 12.5);
    argand_timer_destroy(timer);
}

/* All that a program does, so that every call of the driver is met. */
static argand_status everything(void)
{
    argand_device *d = NULL;
    storage *a = NULL, *b = NULL, *view = NULL;
    argand_timer *timer = NULL;
    double milliseconds;
    char *host = calloc(1, 200000);
    argand_status status = argand_device_open(&d, "cuda:0");
    if (status == ARGAND_OK) status = storage_new(&a, d, 200000);
    if (status == ARGAND_OK) status = storage_scratch(&b, d, 200000);
    if (status == ARGAND_OK) status = storage_wrap(&view, d, storage_native(a), 0, 100);
    if (status == ARGAND_OK) status = storage_upload(a, 0, host, 200000);
    if (status == ARGAND_OK) status = storage_upload(a, 0, host, 10);
    if (status == ARGAND_OK) status = argand_timer_create(&timer, d);
    if (status == ARGAND_OK) status = argand_timer_start(timer);
    if (status == ARGAND_OK) status = run(d, 3, 64, 100000, a);
    if (status == ARGAND_OK) status = run_early(d, a);
    if (status == ARGAND_OK) status = argand_timer_stop(timer);
    if (status == ARGAND_OK) status = argand_timer_milliseconds(timer, &milliseconds);
    if (status == ARGAND_OK) status = storage_download(a, 0, host, 200000);
    if (status == ARGAND_OK) status = storage_download(a, 0, host, 10);
    if (status == ARGAND_OK) status = argand_device_wait(d);
    argand_timer_destroy(timer);
    storage_release(view);
    storage_release(b);
    storage_release(a);
    argand_device_close(d);
    free(host);
    return status;
}

#define NAME(name, symbol, parameters) #name,
static const char *const functions[] = {CUDA_FUNCTIONS(NAME) CUDA_OPTIONAL_FUNCTIONS(NAME)};

static void each_call_fails_once(void **state)
{
    (void)state;
    const int alive = fake->alive;
    int failed = 0;
    OK(everything());
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (long after = 0; after < 200; after++) {
            fail_call(functions[f], after, 719);
            const argand_status status = everything();
            if (fake->alive != alive)
                fail_msg("%s, call %ld: %d leak", functions[f], after, fake->alive - alive);
            if (fake->fail_after >= 0) break; /* it was not called so often */
            if (!status) continue;            /* there was another way */
            failed++;
            if (status == ARGAND_ARGUMENT) continue; /* a pointer that the driver does not know */
            if (!strstr(argand_message(), "CUDA_ERROR_FAKE (719: so the test wants it)") ||
                !strstr(argand_message(), "cuda:0 ("))
                fail_msg("%s, call %ld: %s", functions[f], after, argand_message());
        }
    print_message("%d failures\n", failed);
    assert_true(failed > 40);
}

static void each_allocation_fails_once(void **state)
{
    (void)state;
    const int alive = fake->alive;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status; n++) {
        argand_test_fail_allocation(n);
        status = everything();
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        assert_int_equal(fake->alive, alive);
        assert_true(n < 500);
    }
}

static void a_text_that_does_not_compile_says_where(void **state)
{
    (void)state;
    char folder[] = "/tmp/argand-cuda-XXXXXX", path[256], array[256];
    const char *const names[] = {"portable.h", "params.h", "array/rows.krn", "array/axpby.krn"};
    assert_non_null(mkdtemp(folder));
    snprintf(array, sizeof array, "%s/array", folder);
    assert_int_equal(mkdir(array, 0700), 0);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(i == 3 ? "SYNTAX_ERROR" : "/* */", file);
        fclose(file);
    }
    argand_device *fresh;
    storage *s;
    OK(argand_device_open(&fresh, "cuda:0"));
    OK(storage_new(&s, fresh, 64));
    setenv("ARGAND_KERNEL_DIR", folder, 1);
    FAILS(run(fresh, 1, 0, 0, s), ARGAND_BUILD, "kernel \"axpby REAL=float\" for sm_90a");
    FAILS(run(fresh, 1, 0, 0, s), ARGAND_BUILD, "pointwise.krn(7): error: SYNTAX_ERROR is no word");
    unsetenv("ARGAND_KERNEL_DIR");
    OK(run(fresh, 1, 0, 0, s)); /* the device is still good */
    storage_release(s);
    argand_device_close(fresh);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    remove(array);
    remove(folder);
}

static int compilations(void)
{
    int (*get)(void);
    void *address = dlsym(dlopen("libnvrtc.so", RTLD_NOW), "fake_nvrtc_compilations");
    memcpy(&get, &address, sizeof get);
    return get();
}

/* How many kernels a new device compiles for one launch. */
static int compiled_by_a_new_device(const char *name)
{
    argand_device *fresh;
    storage *s;
    const int before = compilations();
    OK(argand_device_open(&fresh, name));
    OK(storage_new(&s, fresh, 64));
    OK(run(fresh, 1, 0, 0, s));
    storage_release(s);
    argand_device_close(fresh);
    return compilations() - before;
}

static void the_cache_saves_compilations(void **state)
{
    (void)state;
    char folder[] = "/tmp/argand-cuda-XXXXXX", command[64];
    assert_non_null(mkdtemp(folder));
    setenv("ARGAND_CACHE", folder, 1);
    assert_int_equal(compiled_by_a_new_device("cuda:0"), 1);
    assert_int_equal(compiled_by_a_new_device("cuda:0"), 0);
    assert_int_equal(compiled_by_a_new_device("cuda:1"), 1); /* another name is another device */
    fail_call("ModuleLoadData", 0, 218); /* the driver does not take what was kept: built again */
    assert_int_equal(compiled_by_a_new_device("cuda:0"), 1);
    assert_int_equal(compiled_by_a_new_device("cuda:0"), 0);
    setenv("ARGAND_CACHE", "off", 1);
    assert_int_equal(compiled_by_a_new_device("cuda:0"), 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Several at a time, and once only: what was prepared is not built again. */
static void common_kernels_are_prepared(void **state)
{
    (void)state;
    argand_device *own;
    void *first, *second;
    OK(argand_device_open(&own, "cuda:1"));
    kernels_prepare(own, "float");
    OK(kernel_get(own, "axpby REAL=float", 256, &first));
    kernels_prepare(own, "float");
    OK(kernel_get(own, "axpby REAL=float", 256, &second));
    assert_ptr_equal(first, second);
    argand_device_close(own);
}

/* A plan with accessors starts both passes in one go, and tells the one whose numbers have changed. */
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(common_kernels_are_prepared, reset),
    cmocka_unit_test_setup(it_describes_itself, reset),
    cmocka_unit_test_setup(transfers_bring_back_what_was_sent, reset),
    cmocka_unit_test_setup(pinned_memory_is_read_directly, reset),
    cmocka_unit_test_setup(without_stages_the_driver_copies, reset),
    cmocka_unit_test_setup(wrapped_memory_is_checked_and_not_freed, reset),
    cmocka_unit_test_setup(no_memory_says_how_much, reset),
    cmocka_unit_test_setup(a_launch_passes_everything_on, reset),
    cmocka_unit_test_setup(a_launch_may_begin_early, reset),
    cmocka_unit_test_setup(what_a_kernel_needs_is_told, reset),
    cmocka_unit_test_setup(launches_are_replayed, reset),
    cmocka_unit_test_setup(nothing_is_no_replay, reset),
    cmocka_unit_test_setup(fused_passes_are_replayed, reset),
    cmocka_unit_test_setup(a_users_stream_is_used, reset),
    cmocka_unit_test_setup(timers_read_events, reset),
    cmocka_unit_test_setup(the_cache_saves_compilations, reset),
    cmocka_unit_test_setup(each_call_fails_once, reset),
    cmocka_unit_test_setup(each_allocation_fails_once, reset),
    cmocka_unit_test_setup(a_text_that_does_not_compile_says_where, reset),
};

RUN_TESTS(tests)
