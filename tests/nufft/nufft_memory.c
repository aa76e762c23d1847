/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that runs out in a call: devices go on with fewer vectors at a time, and where one is too many the
 * call says how much is missing. The result is right or there is none. */
#include "truth.h"

enum { VECTORS = 4, MOST = 400 };

static problem usual(int64_t vectors)
{
    static const int64_t shape[4] = {2, 31, 24, 0};
    return problem_of(shape, ARGAND_C32, 1e-4, SPIRAL, 300, vectors);
}

static void assert_same(const argand_array *a, const argand_array *b)
{
    double *x = as_doubles(a), *y = as_doubles(b);
    CHECK_BELOW(relative_error(x, y, 2 * (size_t)argand_array_count(b)), 1e-5);
    free(y);
    free(x);
}

/* Calls in which the n-th allocation fails, n = 1, 2 ..., until none does. Returns how many came through with
 * fewer vectors at a time. */
static int with_failures(int64_t vectors, bool adjoint)
{
    const problem p = usual(vectors);
    made m = make(&p);
    argand_array *good = like(adjoint ? m.image : m.samples), *out = adjoint ? m.image : m.samples,
                 *in = adjoint ? m.samples : m.image;
    int smaller = 0, in_a_row = 0;
    randomise(in, 5, 0, 0);
    OK((adjoint ? argand_nufft_adjoint : argand_nufft_apply)(m.plan, good, in));
    for (long n = 1; n < MOST && in_a_row < 3; n++) {
        argand_nufft_info before, after;
        OK(argand_nufft_set_points(m.plan, m.k)); /* which forgets that memory was little */
        argand_nufft_describe(m.plan, &before);
        OK(argand_array_fill(out, (argand_scalar){0, 0}));
        argand_test_fail_allocation(n);
        const argand_status status = (adjoint ? argand_nufft_adjoint : argand_nufft_apply)(m.plan, out, in);
        argand_test_fail_allocation(0);
        argand_nufft_describe(m.plan, &after);
        if (status) {
            assert_int_equal(status, ARGAND_MEMORY);
            assert_non_null(strstr(argand_message(), "no memory for"));
            in_a_row = 0;
            continue;
        }
        assert_same(out, good);
        const bool fewer = after.batch < before.batch;
        smaller += fewer;
        in_a_row = fewer ? 0 : in_a_row + 1;
    }
    assert_true(in_a_row >= 3);
    argand_array_destroy(good);
    unmake(&m);
    return smaller;
}

static void fewer_vectors_or_a_message(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        const int many = with_failures(VECTORS, adjoint), one = with_failures(1, adjoint);
        assert_int_equal(one, 0);
        assert_true(info.host_addressable || many > 0);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(fewer_vectors_or_a_message),
};
RUN_TESTS(tests)
