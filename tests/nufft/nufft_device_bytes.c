/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that plans announce against what the device's allocator counts, where the host cannot address it:
 * points set once and again, both types, one and many vectors; and less memory than they announce. */
#include "truth.h"
#include "device/handle.h"

static const int64_t shapes[][4] = {{1, 3000}, {2, 96, 80}, {3, 24, 20, 30}};

static size_t held(void)
{
    arena_empty(device);
    atomic_store(&device->most_held, atomic_load(&device->held));
    return atomic_load(&device->held);
}

static size_t most(void)
{
    return atomic_load(&device->most_held);
}

static bool is_elsewhere(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !info.host_addressable && info.has_double;
}

/* At least as much as is taken, and within a factor of it where that is more than small arrays' blocks */
static void check_near(size_t taken, size_t announced, double factor)
{
    enum { SMALL = 1 << 19 };
    if (getenv("VERBOSE")) printf("    taken %zu announced %zu\n", taken, announced);
    CHECK_BELOW((double)taken, (double)announced);
    CHECK_BELOW((double)announced, factor * (double)taken + SMALL);
}

static void make_image_real(const problem *p, made *m)
{
    int64_t dims[4] = {p->n[0], p->n[1], p->n[2]};
    dims[p->rank] = p->vectors;
    argand_array_destroy(m->image);
    OK(argand_array_create(&m->image, device, p->type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32, p->rank + 1,
                           dims));
}

static void check_calls(const problem *p, made *m, size_t before)
{
    const int64_t together = p->vectors < m->info.batch ? p->vectors : m->info.batch;
    const size_t scratch = (size_t)together * m->info.scratch_bytes;
    held();
    OK(argand_nufft_apply(m->plan, m->samples, m->image));
    OK(argand_nufft_adjoint(m->plan, m->image, m->samples));
    CHECK_BELOW((double)(most() - before), (double)(m->info.bytes + scratch)); /* first calls make plans */
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        const size_t kept = held();
        OK(adjoint ? argand_nufft_adjoint(m->plan, m->image, m->samples)
                   : argand_nufft_apply(m->plan, m->samples, m->image));
        if (getenv("VERBOSE"))
            printf("    %s: taken %zu, announced %.2f times as much\n", adjoint ? "adjoint" : "apply",
                   most() - kept, (double)scratch / (double)(most() - kept));
        CHECK_BELOW((double)(most() - kept), (double)scratch);
    }
}

static void put_in_planes(const problem *p, made *m)
{
    float *k = malloc((size_t)p->count * sizeof *k);
    assert_non_null(k);
    for (int64_t j = 0; j < p->count; j++) k[j] = (float)(j % p->n[2]);
    OK(argand_array_upload(m->k[2], k));
    free(k);
}

/* planes: points have whole k along the last axis */
static void check_plan(const problem *p, bool planes, bool real)
{
    made m = make(p);
    if (planes) put_in_planes(p, &m);
    argand_nufft_destroy(m.plan);
    if (real) make_image_real(p, &m);
    const argand_nufft_options o = {.type = p->type,
                                    .rank = p->rank,
                                    .n = {p->n[0], p->n[1], p->n[2]},
                                    .tolerance = p->tolerance,
                                    .window_only = !planes,
                                    .real_image = real};
    const size_t before = held();
    OK(argand_nufft_create(&m.plan, device, &o));
    OK(argand_nufft_set_points(m.plan, m.k));
    argand_nufft_describe(m.plan, &m.info);
    check_near(most() - before, m.info.bytes + m.info.points_bytes, 3);
    check_near(held() - before, m.info.bytes, 3);
    OK(argand_nufft_set_points(m.plan, m.k)); /* the last ones are kept until the new ones are there */
    check_near(most() - before, 2 * m.info.bytes + m.info.points_bytes, 3);
    check_calls(p, &m, before);
    unmake(&m);
}

static void plans(void **state)
{
    (void)state;
    if (!is_elsewhere()) skip();
    for (int shape = 0; shape < 3; shape++)
        for (int64_t vectors = 1; vectors < 20; vectors += 9)
            for (int64_t count = 3000; count < 100000; count *= 20) {
                const problem p = problem_of(shapes[shape], ARGAND_C32, 1e-4, UNIFORM, count, vectors);
                check_plan(&p, false, false);
                if (vectors == 1) check_plan(&p, false, true);
                if (shape == 2 && vectors > 1) check_plan(&p, true, false);
            }
    const problem p = problem_of(shapes[1], ARGAND_C64, 1e-9, MIDDLE, 20000, 3);
    check_plan(&p, false, false);
    check_plan(&p, false, true);
}

static void type3(void **state)
{
    (void)state;
    if (!is_elsewhere()) skip();
    const problem p = problem_of(shapes[1], ARGAND_C64, 1e-5, UNIFORM, 20000, 1);
    made m = make(&p);
    const argand_nufft3_options o = {
        .type = ARGAND_C64, .rank = 2, .tolerance = 1e-5, .units = ARGAND_NUFFT_RADIANS};
    argand_nufft3 *plan;
    argand_nufft3_info info;
    const size_t before = held();
    OK(argand_nufft3_create(&plan, device, &o));
    OK(argand_nufft3_set_points(plan, m.k, m.k));
    argand_nufft3_describe(plan, &info);
    check_near(held() - before, info.bytes, 3);
    argand_nufft3_destroy(plan);
    unmake(&m);
}

/* With memory for some of the vectors fewer go at a time; with none for one the message says so. */
static void too_little(void **state)
{
    (void)state;
    if (!is_elsewhere()) skip();
    const problem p = problem_of(shapes[1], ARGAND_C32, 1e-4, UNIFORM, 3000, 12);
    made m = make(&p);
    argand_array *good = like(m.samples);
    randomise(m.image, 5, 0, 0);
    OK(argand_nufft_apply(m.plan, good, m.image));
    OK(argand_nufft_set_points(m.plan, m.k));
    const size_t before = held();
    argand_nufft_describe(m.plan, &m.info);
    atomic_store(&device->limit, before + 4 * m.info.scratch_bytes);
    OK(argand_nufft_apply(m.plan, m.samples, m.image));
    CHECK_BELOW((double)most(), (double)(before + 4 * m.info.scratch_bytes));
    double *a = as_doubles(m.samples), *b = as_doubles(good);
    CHECK_BELOW(relative_error(a, b, 2 * (size_t)argand_array_count(good)), 1e-5);
    free(b);
    free(a);
    held();
    atomic_store(&device->limit, before + 4096);
    FAILS(argand_nufft_apply(m.plan, m.samples, m.image), ARGAND_MEMORY, "no memory for");
    atomic_store(&device->limit, 0);
    OK(argand_nufft_apply(m.plan, m.samples, m.image));
    argand_array_destroy(good);
    unmake(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plans),
    cmocka_unit_test(type3),
    cmocka_unit_test(too_little),
};
RUN_TESTS(tests)
