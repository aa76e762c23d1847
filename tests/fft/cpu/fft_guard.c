/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans without axes on arrays whose axis 0 is far and another one lies together, as a transposed array of
 * NumPy has it: the library's memory and the arrays between pages that end the program when touched. And that
 * these pages do so. */
#include "fft/direct.h"
#include "guarded.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the guards ---- */

/* Whether a process that writes there is ended. */
static bool ends_at(volatile char *at)
{
    int how = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL);
        *at = 1;
        _exit(0);
    }
    assert_true(waitpid(child, &how, 0) == child);
    return WIFSIGNALED(how);
}

static void guards_guard(void **state)
{
    (void)state;
    for (int guard = ARGAND_TEST_GUARD_BEHIND; guard <= ARGAND_TEST_GUARD_BEFORE; guard++)
        for (size_t bytes = 1; bytes < 9000; bytes = bytes * 3 + 1) {
            char *block;
            argand_test_guard_memory((argand_test_guard)guard);
            OK(memory_take(&block, bytes));
            assert_int_equal((uintptr_t)block % 64, 0);
            const bool behind = guard == ARGAND_TEST_GUARD_BEHIND;
            assert_false(ends_at(block));
            assert_false(ends_at(block + bytes - 1));
            assert_true(ends_at(behind ? block + (bytes + 63) / 64 * 64 : block - 1));
            memory_free(block);
        }
    assert_int_equal(argand_test_guard_damage(), 0);
}

/* ---- transposed arrays ---- */

typedef struct trial {
    argand_type type;
    int64_t n[3], batch;
    int last[3]; /* axes, the one that lies together first */
    int64_t gap; /* elements behind each row */
    bool centred, in_place;
} trial;

/* Strides of an array of these dims, and how many elements it spans. */
static int64_t strides_of(const trial *t, const int64_t *dims, int64_t *strides)
{
    int64_t reach = 1;
    for (int i = 0; i < 3; i++) {
        strides[t->last[i]] = reach;
        reach = reach * dims[t->last[i]] + (i == 0 ? t->gap : 0);
    }
    strides[3] = reach;
    return reach * dims[3];
}

static argand_array *strided(const trial *t, argand_type type, const int64_t *dims, argand_array **whole)
{
    int64_t strides[4];
    const int64_t count = strides_of(t, dims, strides);
    argand_array *view;
    *whole = guarded_array(type, count - t->gap);
    OK(argand_array_view(&view, *whole, 4, dims, strides, 0));
    return view;
}

/* ---- the reference: sums of products of lines, whose transforms are sums of products ---- */

enum { TERMS = 2 };

typedef struct products {
    exact *line[TERMS][3]; /* along each axis */
} products;

static products random_products(const trial *t)
{
    products p;
    random_state r = {17};
    for (int term = 0; term < TERMS; term++)
        for (int axis = 0; axis < 3; axis++) {
            exact *x = p.line[term][axis] = malloc((size_t)t->n[axis] * sizeof *x);
            assert_non_null(x);
            for (int64_t i = 0; i < t->n[axis]; i++)
                x[i] = random_normal(&r) + (t->type < ARGAND_C32 ? 0 : I * random_normal(&r));
        }
    return p;
}

static void transform_products(products *p, const trial *t)
{
    for (int term = 0; term < TERMS; term++)
        for (int axis = 0; axis < 3; axis++) direct_line(p->line[term][axis], t->n[axis], 1, -1, t->centred);
}

static void free_products(products *p)
{
    for (int i = 0; i < 3 * TERMS; i++) free(p->line[i / 3][i % 3]);
}

/* The numbers of an array of these dims, one behind the other; transform b of the batch is (b + 1) times
 * that. */
static double *numbers_of(const products *p, const int64_t *dims, bool real, double factor)
{
    const int64_t count = dims[0] * dims[1] * dims[2] * dims[3], width = real ? 1 : 2;
    double *numbers = malloc((size_t)(count * width) * sizeof *numbers);
    assert_non_null(numbers);
    for (int64_t i = 0; i < count; i++) {
        const int64_t at[] = {i % dims[0], i / dims[0] % dims[1], i / dims[0] / dims[1] % dims[2]},
                      b = i / dims[0] / dims[1] / dims[2];
        exact sum = 0;
        for (int term = 0; term < TERMS; term++)
            sum += p->line[term][0][at[0]] * p->line[term][1][at[1]] * p->line[term][2][at[2]];
        sum *= factor * (double)(b + 1);
        numbers[i * width] = (double)creall(sum);
        if (!real) numbers[2 * i + 1] = (double)cimagl(sum);
    }
    return numbers;
}

/* ---- a trial ---- */

static void put(argand_array *to, const double *numbers, const int64_t *dims)
{
    const bool real = argand_array_type(to) < ARGAND_C32;
    argand_array *whole = new_array(real ? ARGAND_R64 : ARGAND_C64, 4, dims);
    OK(argand_array_upload(whole, numbers));
    OK(argand_array_copy(to, whole));
    argand_array_destroy(whole);
}

static double *get(const argand_array *from, const int64_t *dims)
{
    argand_array *whole = new_array(argand_array_type(from), 4, dims);
    OK(argand_array_copy(whole, from));
    double *numbers = as_doubles(whole);
    argand_array_destroy(whole);
    return numbers;
}

/* The spectrum of inverse transforms was rounded, too. */
static void check_apply(const argand_fft *plan, const trial *t, argand_array *to, const double *right,
                        const int64_t *to_dims, argand_array *from, const double *numbers,
                        const int64_t *from_dims, argand_direction direction)
{
    put(from, numbers, from_dims);
    OK(argand_fft_apply(plan, to, from, direction));
    double *result = get(to, to_dims);
    const size_t count = (size_t)argand_array_count(to) * (argand_array_type(to) < ARGAND_C32 ? 1 : 2);
    CHECK_BELOW(relative_error(result, right, count),
                2 * fft_tolerance(t->type, (double)(t->n[0] * t->n[1] * t->n[2])));
    free(result);
}

static void check(const trial *t, argand_test_guard guard)
{
    const bool real = t->type < ARGAND_C32;
    const int64_t dims[] = {t->n[0], t->n[1], t->n[2], t->batch},
                  half[] = {real ? t->n[0] / 2 + 1 : t->n[0], t->n[1], t->n[2], t->batch};
    argand_array *in_whole, *out_whole = NULL;
    products p = random_products(t);
    double *back = numbers_of(&p, dims, real, (double)(t->n[0] * t->n[1] * t->n[2])),
           *signal = numbers_of(&p, dims, real, 1);
    transform_products(&p, t);
    double *spectrum = numbers_of(&p, half, false, 1);
    argand_test_guard_memory(guard);
    argand_fft *plan = new_plan(&(argand_fft_options){.type = t->type,
                                                      .rank = 3,
                                                      .n = {t->n[0], t->n[1], t->n[2]},
                                                      .batch = t->batch,
                                                      .centred = t->centred});
    argand_array *in = strided(t, t->type, dims, &in_whole),
                 *out = t->in_place ? in : strided(t, real ? t->type + 2 : t->type, half, &out_whole);
    check_apply(plan, t, out, spectrum, half, in, signal, dims, ARGAND_FORWARD);
    check_apply(plan, t, in, back, dims, out, spectrum, half, ARGAND_INVERSE);
    argand_fft_destroy(plan);
    if (out != in) argand_array_destroy(out);
    argand_array_destroy(in);
    argand_array_destroy(in_whole);
    argand_array_destroy(out_whole);
    guarded_free();
    free_products(&p);
    free(back);
    free(signal);
    free(spectrum);
    assert_int_equal(argand_test_guard_damage(), 0);
}

static const int64_t sizes[][2] = {{512, 496}, {512, 256}, {500, 510}, {512, 600}, {503, 498},
                                   {37, 600},  {600, 37},  {128, 300}, {45, 531}};

static void transposed(void **state)
{
    (void)state;
    for (int guard = ARGAND_TEST_GUARD_BEHIND; guard <= ARGAND_TEST_GUARD_BEFORE; guard++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++) {
                trial t = {.type = type, .n = {sizes[i][0], sizes[i][1], 1}, .batch = 1, .last = {1, 0, 2}};
                t.centred = type >= ARGAND_C32 && i % 2;
                t.gap = (int64_t)(i % 3);
                check(&t, (argand_test_guard)guard);
                t.in_place = type >= ARGAND_C32;
                if (t.in_place) check(&t, (argand_test_guard)guard);
            }
}

/* Each of three axes in turn is contiguous, with a batch. */
static void transposed_volumes(void **state)
{
    (void)state;
    static const int orders[][3] = {{1, 2, 0}, {2, 1, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++) {
            trial t = {.type = type, .n = {24, 70, 66}, .batch = 2, .gap = 3};
            memcpy(t.last, orders[i], sizeof t.last);
            check(&t, ARGAND_TEST_GUARD_BEHIND);
        }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(guards_guard), cmocka_unit_test(transposed),
                                          cmocka_unit_test(transposed_volumes)};
RUN_TESTS(tests)
