/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that plans announce against what is really taken: all of the library's host memory comes from
 * posix_memalign, which this program has in place of the C library's and counts. */
#include "truth.h"

#include <argand/toeplitz.h>
#include <errno.h>
#include <pthread.h>
#include "base/memory_pool.h"

extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *pointer);

enum { MOST_BLOCKS = 1 << 14 };

static struct block {
    void *pointer;
    size_t bytes;
} blocks[MOST_BLOCKS];
static int block_count;
static size_t live, peak;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    void *pointer = *out = __libc_memalign(alignment, bytes);
    pthread_mutex_lock(&lock);
    if (pointer && block_count < MOST_BLOCKS) {
        blocks[block_count++] = (struct block){pointer, bytes};
        live += bytes;
        peak = live > peak ? live : peak;
    }
    pthread_mutex_unlock(&lock);
    return pointer ? 0 : ENOMEM;
}

void free(void *pointer)
{
    pthread_mutex_lock(&lock);
    for (int i = block_count - 1; pointer && i >= 0; i--)
        if (blocks[i].pointer == pointer) {
            live -= blocks[i].bytes;
            blocks[i] = blocks[--block_count];
            break;
        }
    pthread_mutex_unlock(&lock);
    __libc_free(pointer);
}

/* Besides: what marks where each block of it begins, and what is smaller than that */
enum { SMALL = 16 << 10, FFT_PLANS = 256 << 10 }; /* of stacks: plans of the FFT announce nothing */

/* The points of the first plane in all of them along z; or those of each plane as they are */
static void stack_up(const made *m, const problem *p, bool differ)
{
    const int64_t each = p->count / p->n[2];
    for (int axis = 0; axis < 3; axis++) {
        double *k = as_doubles(m->k[axis]);
        for (int64_t j = 0; j < p->count; j++)
            k[j] = axis == 2 ? (double)(j / each - p->n[2] / 2) : k[differ ? j : j % each];
        argand_array *exact;
        OK(argand_array_wrap(&exact, device, ARGAND_R64, 1, &p->count, (int64_t[]){1}, k));
        OK(argand_array_copy(m->k[axis], exact));
        argand_array_destroy(exact);
        free(k);
    }
}

typedef enum stacking { NONE, ALIKE, DIFFERING } stacking;

static void check_plan(const problem *p, bool real, stacking stack)
{
    made m = make(p);
    if (stack) stack_up(&m, p, stack == DIFFERING);
    argand_nufft_options o = {.type = p->type,
                              .rank = p->rank,
                              .n = {p->n[0], p->n[1], p->n[2]},
                              .tolerance = p->tolerance,
                              .window_only = !stack,
                              .real_image = real};
    argand_array *image = m.image;
    if (real) {
        const int64_t dims[4] = {p->n[0], p->n[1], p->n[2], p->vectors};
        OK(argand_array_create(&image, device, p->type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32, 4, dims));
    }
    argand_nufft *plan;
    argand_nufft_info info;
    const size_t before = live, small = SMALL + (stack ? FFT_PLANS : 0);
    OK(argand_nufft_create(&plan, device, &o));
    OK(argand_nufft_set_points(plan, m.k));
    argand_nufft_describe(plan, &info);
    const int64_t together = p->vectors < info.batch ? p->vectors : info.batch;
    CHECK_BELOW((double)(live - before), (double)(info.bytes + small));
    peak = live;
    OK(argand_nufft_apply(plan, m.samples, image));
    OK(argand_nufft_adjoint(plan, image, m.samples));
    CHECK_BELOW((double)(peak - before),
                (double)info.bytes + (double)together * (double)info.scratch_bytes + (double)small);
    argand_nufft_destroy(plan);
    if (!stack) assert_true(live <= before); /* the device keeps scratch memory of array operations */
    if (real) argand_array_destroy(image);
    unmake(&m);
}

static void plans(void **state)
{
    (void)state;
    static const int64_t shapes[][4] = {{1, 100000, 1, 1}, {2, 300, 256, 1}, {3, 48, 50, 40}};
    for (int shape = 0; shape < 3; shape++)
        for (int64_t vectors = 1; vectors < 20; vectors += 9)
            for (int real = 0; real < 2; real++) {
                problem p =
                    problem_of(shapes[shape], real ? ARGAND_C64 : ARGAND_C32, 1e-4, UNIFORM, 60000, vectors);
                check_plan(&p, real, NONE);
                p.type = ARGAND_C32;
                check_plan(&p, real, NONE);
            }
}

static void stacks(void **state)
{
    (void)state;
    for (int64_t vectors = 1; vectors < 20; vectors += 9) {
        const problem p = problem_of((int64_t[4]){3, 48, 50, 40}, ARGAND_C32, 1e-4, UNIFORM, 40000, vectors);
        for (int real = 0; real < 2; real++) {
            check_plan(&p, real, ALIKE);
            check_plan(&p, real, DIFFERING);
        }
    }
}

/* Type 3 announces what it holds. */
static void type3(void **state)
{
    (void)state;
    const problem p = problem_of((int64_t[4]){3, 20, 21, 22}, ARGAND_C64, 1e-7, UNIFORM, 30000, 1);
    made m = make(&p);
    const argand_nufft3_options o = {
        .type = ARGAND_C64, .rank = 3, .tolerance = 1e-7, .units = ARGAND_NUFFT_RADIANS};
    argand_nufft3 *plan;
    argand_nufft3_info info;
    const size_t before = live;
    OK(argand_nufft3_create(&plan, device, &o));
    OK(argand_nufft3_set_points(plan, m.k, m.k));
    argand_nufft3_describe(plan, &info);
    CHECK_BELOW((double)(live - before), (double)(info.bytes + SMALL));
    argand_nufft3_destroy(plan);
    unmake(&m);
}

/* Toeplitz kernels, once they are made */
static void toeplitz(void **state)
{
    (void)state;
    const problem p = problem_of((int64_t[4]){2, 150, 160, 0}, ARGAND_C32, 1e-4, UNIFORM, 30000, 1);
    made m = make(&p);
    const argand_toeplitz_options o = {
        .type = ARGAND_C32, .rank = 2, .n = {p.n[0], p.n[1]}, .k = {m.k[0], m.k[1]}, .tolerance = 1e-4};
    argand_toeplitz *kernels;
    argand_toeplitz_info info;
    const size_t before = live;
    OK(argand_toeplitz_create(&kernels, device, &o));
    argand_toeplitz_describe(kernels, &info);
    CHECK_BELOW((double)(live - before), (double)(info.bytes + FFT_PLANS));
    argand_toeplitz_destroy(kernels);
    unmake(&m);
}

/* The device's pool keeps memory of destroyed plans, which no plan announces. A thread with a pool of its own
 * leaves it alone; this one keeps nothing. */
static void without_pool(void **state)
{
    static memory_pool *none;
    (void)state;
    if (!none) OK(memory_pool_create(&none));
    memory_pool_limit(none, 0);
    memory_pool_use(none);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(without_pool), cmocka_unit_test(plans),    cmocka_unit_test(stacks),
    cmocka_unit_test(type3),        cmocka_unit_test(toeplitz),
};
RUN_TESTS(tests)
