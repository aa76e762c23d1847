/* SPDX-License-Identifier: BSD-3-Clause */
/* More than 2^31 elements: no index may be 32 bits wide. Needs a device with 40 GiB of memory and
 * ARGAND_TEST_HUGE=1; skipped elsewhere. The array is zero but for a few transforms, which must be right, and
 * nothing else may appear. */
#include "direct.h"
#include "reference/fft.h"

static const int64_t edge = 1300; /* 1300^3 is a little more than 2^31 */

static bool is_wanted(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (getenv("ARGAND_TEST_HUGE") && info.memory >= UINT64_C(40) << 30) return true;
    printf("needs ARGAND_TEST_HUGE=1 and 40 GiB of memory: skipped\n");
    return false;
}

static argand_array *make_array(argand_type type, int64_t count)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, 1, &count));
    return array;
}

static argand_array *part_of(const argand_array *array, int64_t first, int64_t count, int64_t stride)
{
    argand_array *part;
    OK(argand_array_view(&part, array, 1, &count, &stride, first));
    return part;
}

/* Random numbers into n elements, and their transform as it must come out. */
static exact *plant(argand_array *array, int64_t first, int64_t n, int64_t stride)
{
    argand_array *part = part_of(array, first, n, stride), *line = make_array(argand_array_type(array), n);
    reference_fft *t = reference_fft_create(n);
    assert_non_null(t);
    randomise(line, (uint64_t)first + 1, -0.5, 0.5);
    OK(argand_array_copy(part, line));
    exact *x = exact_of(line);
    reference_fft_apply(t, x, -1);
    reference_fft_destroy(t);
    argand_array_destroy(line);
    argand_array_destroy(part);
    return x;
}

static void check(const argand_array *array, int64_t first, int64_t n, int64_t stride, const exact *wanted)
{
    argand_array *part = part_of(array, first, n, stride), *line = make_array(argand_array_type(array), n);
    OK(argand_array_copy(line, part));
    CHECK_BELOW(distance(line, wanted, 1), fft_tolerance(ARGAND_C32, (double)n));
    argand_array_destroy(line);
    argand_array_destroy(part);
}

static long double energy(const exact *x, int64_t n)
{
    long double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += creall(x[i]) * creall(x[i]) + cimagl(x[i]) * cimagl(x[i]);
    return sum;
}

/* Planted lines `first[i]`, stride, and the plan that does all lines in place. */
static void check_lines(const argand_fft_options *options, argand_array *array, argand_array *shaped,
                        const int64_t *first, int count, int64_t n, int64_t stride)
{
    exact *wanted[8];
    long double all = 0;
    double norm;
    argand_fft *plan;
    OK(argand_fft_create(&plan, device, options));
    for (int i = 0; i < count; i++) {
        wanted[i] = plant(array, first[i], n, stride);
        all += energy(wanted[i], n);
    }
    OK(argand_fft_apply(plan, shaped, shaped, ARGAND_FORWARD));
    for (int i = 0; i < count; i++) {
        check(array, first[i], n, stride, wanted[i]);
        free(wanted[i]);
    }
    OK(argand_array_norm(&norm, array)); /* and nothing is anywhere else */
    CHECK_BELOW(fabs(norm / (double)sqrtl(all) - 1), 1e-5);
    argand_fft_destroy(plan);
}

static void a_large_batch(void **state)
{
    (void)state;
    if (!is_wanted()) skip();
    const int64_t n = 1024, batch = (INT64_C(1) << 21) + 3,
                  first[] = {0, n << 20, n * ((INT64_C(1) << 21) - 1), n << 21, n * (batch - 1)};
    argand_array *array = make_array(ARGAND_C32, n * batch), *shaped;
    OK(argand_array_reshape(&shaped, array, 2, (int64_t[]){n, batch}));
    check_lines(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {n}, .batch = batch}, array, shaped,
                first, 5, n, 1);
    argand_array_destroy(shaped);
    argand_array_destroy(array);
}

/* Lines of 60 whose elements have strides of 2^25 and more, and loops that go on beyond. */
static void large_strides(void **state)
{
    (void)state;
    if (!is_wanted()) skip();
    const int64_t n = 65, stride = (INT64_C(1) << 25) + 1, lines = 1000, first[] = {0, 1, 500, 999};
    argand_array *array = make_array(ARGAND_C32, stride * (n - 1) + lines);
    check_lines(&(argand_fft_options){.type = ARGAND_C32,
                                      .rank = 1,
                                      .axes_given = true,
                                      .axes = {{n, stride, stride}},
                                      .loops = 1,
                                      .loop = {{lines, 1, 1}}},
                array, array, first, 4, n, stride);
    argand_array_destroy(array);
}

/* The wave that an impulse becomes, at a few thousand places. */
static void a_large_volume(void **state)
{
    (void)state;
    if (!is_wanted()) skip();
    const int64_t at[3] = {11, 1299, 650}, all = edge * edge * edge, one = 1;
    argand_array *array = make_array(ARGAND_C32, all), *shaped;
    argand_array *impulse = part_of(array, at[0] + edge * (at[1] + edge * at[2]), one, 1);
    argand_fft *plan;
    random_state r = {3};
    OK(argand_array_reshape(&shaped, array, 3, (int64_t[]){edge, edge, edge}));
    OK(argand_array_fill(impulse, (argand_scalar){1, 0}));
    OK(argand_fft_create(&plan, device,
                         &(argand_fft_options){.type = ARGAND_C32, .rank = 3, .n = {edge, edge, edge}}));
    OK(argand_fft_apply(plan, shaped, shaped, ARGAND_FORWARD));
    for (int i = 0; i < 3000; i++) {
        const int64_t place = i ? (int64_t)(random_uniform(&r) * (double)all) : all - 1;
        const int64_t turns =
            (place % edge * at[0] + place / edge % edge * at[1] + place / edge / edge * at[2]) % edge;
        const double angle = -6.283185307179586476925 * (double)turns / (double)edge;
        float value[2];
        argand_array *element = part_of(array, place, one, 1);
        OK(argand_array_download(element, value));
        argand_array_destroy(element);
        CHECK_BELOW(hypot((double)value[0] - cos(angle), (double)value[1] - sin(angle)), 1e-6);
    }
    argand_fft_destroy(plan);
    argand_array_destroy(impulse);
    argand_array_destroy(shaped);
    argand_array_destroy(array);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(a_large_batch), cmocka_unit_test(large_strides),
                                          cmocka_unit_test(a_large_volume)};
RUN_TESTS(tests)
