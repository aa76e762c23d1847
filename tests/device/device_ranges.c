/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiler sees a range around every plan's execution. */
#include "harness.h"

#include <dlfcn.h>
#include "device/range.h"

static const char *ranges(void)
{
    const char *(*get)(void);
    void *library = dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_NOW);
    assert_non_null(library);
    void *address = dlsym(library, "fake_nvtx_ranges");
    memcpy(&get, &address, sizeof get);
    return get();
}

static void a_plan_is_a_range(void **state)
{
    (void)state;
    argand_fft *plan;
    argand_array *x;
    const int64_t n[] = {8};
    OK(argand_array_create(&x, device, ARGAND_C32, 1, n));
    OK(argand_fft_create(&plan, device, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {8}}));
    range_push("mine");
    OK(argand_fft_apply(plan, x, x, ARGAND_FORWARD));
    OK(argand_fft_apply(plan, x, x, ARGAND_INVERSE));
    range_pop();
    assert_string_equal(ranges(), "mine{argand fft forward{}argand fft inverse{}}");
    argand_fft_destroy(plan);
    argand_array_destroy(x);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(a_plan_is_a_range)};

RUN_TESTS(tests)
