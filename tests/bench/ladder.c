/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of `argand bench ladder`: right results on every device that compiles kernels; the document's
 * rule of twiddles against the exponents that a transform's definition gives; occupancy against the
 * document's and NVIDIA's own figures. */
#include "../harness.h"
#include "ladder/ladder.h"
#include "ladder/offline.h"

/* Single precision, 2.2e-16 to 6e-8 a rounding: a radix-2 stage adds u sqrt(2) or so to the relative l2
 * error, fast sines and cosines add 2^-21 of a twiddle's size once a stage; 21 stages of the largest cube
 * stay below. */
#define LIMIT 2e-6

/* Decimation in time halves the points by their lowest bit again and again. After p stages over points in
 * order, block b of 2^p holds the transform of those n whose p lowest bits are b reversed; the point at k
 * is about to be multiplied, in a transform of 2^(p+1) parts, by exp(-2 pi i n / 2^(p+1)), if it stands in
 * its block's upper half. */
static int direct_exponent(int k, int p, int bits)
{
    int n = 0;
    const int block = k >> (bits - p);
    for (int bit = 0; bit < p; bit++)
        if (block >> (p - 1 - bit) & 1) n += 1 << bit;
    return n << (bits - p - 1);
}

static void twiddle_rule_is_the_definition(void **state)
{
    (void)state;
    for (int bits = 2; bits <= 10; bits++)
        for (int p = 1; p < bits; p++)
            for (int k = 0; k < 1 << bits; k++)
                assert_int_equal(ladder_exponent(k, p, bits), direct_exponent(k, p, bits));
}

/* A whole transform by the document's stages, with this rule: the rule's meaning, not only its numbers. */
static void twiddle_rule_transforms(void **state)
{
    enum { BITS = 7, N = 1 << BITS };
    double complex x[N], y[N];
    random_state random = {3};
    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = y[i] = CMPLX(random_uniform(&random) - 0.5, random_uniform(&random) - 0.5);
    for (int p = 1; p <= BITS; p++) {
        const int span = N >> p;
        for (int i = 0; i < N; i++)
            if (!(i & span)) {
                const double complex a = y[i], b = y[i + span];
                y[i] = a + b;
                y[i + span] = a - b;
            }
        for (int i = 0; i < N; i++)
            if (i & span >> 1)
                y[i] *= cexp(CMPLX(0, -2 * 3.14159265358979323846 * ladder_exponent(i, p, BITS) / N));
    }
    for (int k = 0; k < N; k++) {
        double complex sum = 0;
        int place = 0;
        for (int n = 0; n < N; n++)
            sum += x[n] * cexp(CMPLX(0, -2 * 3.14159265358979323846 * (n * k % N) / N));
        for (int bit = 0; bit < BITS; bit++) place |= (k >> bit & 1) << (BITS - 1 - bit);
        CHECK_BELOW(cabs(sum - y[place]), 1e-12);
    }
}

static int groups_of(int registers, size_t shared, int items, int capability)
{
    kernel_needs needs = {.registers = registers, .shared = shared};
    assert_true(occupancy_fill(&needs, items, capability));
    return needs.groups;
}

static void occupancy_is_as_published(void **state)
{
    (void)state;
    /* the document, 4.1: 128 threads of a C2050; 8 KB for H = 8 makes 6 blocks, 16 KB for H = 16 makes 3, H =
     * 4 the limit of 8 */
    assert_int_equal(groups_of(20, 4 << 10, 128, 20), 8);
    assert_int_equal(groups_of(20, 8 << 10, 128, 20), 6);
    assert_int_equal(groups_of(20, 16 << 10, 128, 20), 3);
    /* the tuning guides of 8.0 and 9.0: 2048 threads; 64 K registers; a group's shared memory and 1 KB more
     * out of 164 and 228 KB */
    assert_int_equal(groups_of(32, 0, 256, 90), 8);
    assert_int_equal(groups_of(33, 0, 256, 90), 6);
    assert_int_equal(groups_of(255, 0, 256, 90), 1);
    assert_int_equal(groups_of(32, 163 << 10, 256, 80), 1);
    assert_int_equal(groups_of(32, 227 << 10, 256, 90), 1);
    assert_int_equal(groups_of(32, 113 << 10, 256, 90), 2);
    assert_int_equal(groups_of(16, 0, 32, 90), 32);
    assert_false(occupancy_fill(&(kernel_needs){.registers = 1}, 32, 13));
}

static void damaged_machine_code_is_refused(void **state)
{
    unsigned char bytes[128] = "\177ELF";
    kernel_needs needs;
    (void)state;
    FAILS(cubin_needs((const unsigned char *)"//", 3, &needs), ARGAND_FORMAT, "no ELF file");
    memset(bytes + 4, 0xff, sizeof bytes - 4);
    FAILS(cubin_needs(bytes, sizeof bytes, &needs), ARGAND_FORMAT, "damaged");
}

static bool compiles_kernels(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return strcmp(info.backend, "cpu") != 0;
}

/* Whether a slow compiler is to be spared this step. */
static bool is_spared(const ladder_step *r, const char *const *wanted)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!strcmp(info.backend, "cuda")) return false;
    for (; *wanted; wanted++)
        if (!strcmp(r->name, *wanted)) return false;
    return true;
}

/* On a processor, compiled without its optimiser, they take ten minutes. */
static bool takes_too_long(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!info.is_processor || getenv("ARGAND_TEST_ALL")) return false;
    print_message("skipped: takes minutes on a processor; ARGAND_TEST_ALL=1 does it\n");
    return true;
}

static int check_steps(const ladder_case *c, const char *const *wanted)
{
    static ladder_step steps[LADDER_STEPS];
    ladder_run *run;
    int checked = 0;
    const int count = ladder_steps(steps, c);
    OK(ladder_begin(&run, device, c));
    for (int i = 0; i < count; i++) {
        ladder_figures f;
        if (steps[i].engine != LADDER_KERNELS || is_spared(&steps[i], wanted)) continue;
        OK(ladder_measure(run, &steps[i], 512, 0, &f));
        if (!(f.error < LIMIT)) fail_msg("n = %d, %s: error %.3g", c->n, steps[i].name, f.error);
        checked++;
    }
    ladder_end(run);
    return checked;
}

static void steps_of_rows_are_right(void **state)
{
    const char *const wanted[] = {"a thread a row",
                                  "2012, a block a row, H = 1",
                                  "2012, H = 4",
                                  "2012, H = 16",
                                  "in frequency, H = 8",
                                  "2 N threads, H = 4",
                                  "left scrambled, H = 4",
                                  "Stockham, H = 16",
                                  "twiddles from a table, H = 4",
                                  "shuffles below 32, H = 16",
                                  "a warp a row, no shared memory",
                                  NULL};
    (void)state;
    if (!compiles_kernels() || takes_too_long()) skip();
    assert_true(check_steps(&(ladder_case){1, 64, 64}, wanted) >= 11);
}

static void steps_of_cubes_are_right(void **state)
{
    const char *const wanted[] = {"7 passes, H = 4",
                                  "6 passes, H = 4",
                                  "6 passes, next axis begun, H = 8",
                                  "3 passes, columns by tiles",
                                  "2 passes, planes and tiles",
                                  NULL};
    (void)state;
    if (!compiles_kernels() || takes_too_long()) skip();
    assert_true(check_steps(&(ladder_case){3, 32, 32 * 32}, wanted) >= 5);
}

static void other_cases_are_refused(void **state)
{
    ladder_run *run;
    (void)state;
    FAILS(ladder_begin(&run, device, &(ladder_case){1, 100, 64}), ARGAND_ARGUMENT, "power of two");
    FAILS(ladder_begin(&run, device, &(ladder_case){3, 64, 64}), ARGAND_ARGUMENT, "cubes");
    FAILS(ladder_begin(&run, device, &(ladder_case){1, 32, 3}), ARGAND_ARGUMENT, "multiple of 2048");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(twiddle_rule_is_the_definition), cmocka_unit_test(twiddle_rule_transforms),
    cmocka_unit_test(occupancy_is_as_published),      cmocka_unit_test(damaged_machine_code_is_refused),
    cmocka_unit_test(steps_of_rows_are_right),        cmocka_unit_test(steps_of_cubes_are_right),
    cmocka_unit_test(other_cases_are_refused),
};
RUN_TESTS(tests)
