/* SPDX-License-Identifier: BSD-3-Clause */
/* The same problem gives the same bits: again, from other arrays, side by side on two handles of the device,
 * from arrays of the host. */
#include "problem.h"

static void same_bits(const argand_array *a, const argand_array *b)
{
    double *x = as_doubles(a), *y = as_doubles(b);
    assert_memory_equal(x, y, (size_t)argand_array_count(a) * 2 * sizeof *x);
    free(y);
    free(x);
}

static const problem repeated[] = {
    {.rank = 1, .n = {30}, .samples = 3000, .coils = 1},
    {.rank = 2, .n = {40, 30}, .samples = 100, .coils = 3, .features = FIELD},
    {.rank = 2, .n = {20, 30}, .samples = 501, .coils = 16, .features = FIELD | MASK, .terms = 2},
    {.rank = 2, .n = {45, 30}, .samples = 501, .coils = 32, .features = FIELD | GRADIENTS},
    {.rank = 2, .n = {90, 91}, .samples = 7, .coils = 8, .features = FIELD | DECAY},
    {.type = ARGAND_C32, .rank = 2, .n = {100, 52}, .samples = 1300, .coils = 32, .features = FIELD}};
enum { REPEATED = sizeof repeated / sizeof *repeated };

/* Few where each kind of kernel takes seconds to compile. */
static size_t repeated_here(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return strcmp(info.backend, "opencl") && !getenv("ARGAND_TEST_FEW") ? REPEATED : 2;
}

static void same_on_repeat(void **state)
{
    (void)state;
    for (size_t i = 0; i < repeated_here(); i++)
        for (int t = 0; t < precision_count(); t++) {
            problem p = repeated[i];
            p.type = t ? ARGAND_C64 : ARGAND_C32;
            p.seed = seed_of_run();
            made m = make(p), twin = make(p);
            argand_array *forward = like(m.samples), *back = like(m.image), *again = like(m.samples),
                         *back_again = like(m.image);
            OK(argand_field_apply(m.plan, forward, m.image));
            OK(argand_field_adjoint(m.plan, back, m.samples));
            for (int round = 0; round < 3; round++) {
                const argand_field *plan = round < 2 ? m.plan : twin.plan;
                OK(argand_array_fill(again, (argand_scalar){NAN, NAN}));
                OK(argand_array_fill(back_again, (argand_scalar){NAN, NAN}));
                OK(argand_field_apply(plan, again, m.image));
                OK(argand_field_adjoint(plan, back_again, m.samples));
                same_bits(again, forward);
                same_bits(back_again, back);
            }
            argand_array *const all[] = {forward, back, again, back_again};
            for (size_t a = 0; a < 4; a++) argand_array_destroy(all[a]);
            unmake(&twin);
            unmake(&m);
        }
}

static argand_array *copy_on(argand_device *where, const argand_array *array)
{
    argand_array *copy = like_on(where, array);
    void *values = malloc((size_t)argand_array_count(array) * argand_type_size(argand_array_type(array)));
    OK(argand_array_download(array, values));
    OK(argand_array_upload(copy, values));
    free(values);
    return copy;
}

/* Launches that are started together (device_launch.c) take the arrays of each call: others alternately, and
 * sets of other sizes between. */
static void same_from_others(void **state)
{
    (void)state;
    static const int64_t counts[] = {4, 16, 40};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        made m = make((problem){.type = ARGAND_C32,
                                .rank = 2,
                                .n = {52, 50},
                                .samples = 700,
                                .coils = counts[c],
                                .features = FIELD,
                                .seed = seed_of_run()});
        argand_array *const image[] = {m.image, copy_on(device, m.image)};
        argand_array *const samples[] = {m.samples, copy_on(device, m.samples)};
        argand_array *forward[2], *back[2];
        for (int i = 0; i < 2; i++) {
            forward[i] = like(m.samples);
            back[i] = like(m.image);
            OK(argand_field_apply(m.plan, forward[i], image[i]));
            OK(argand_field_adjoint(m.plan, back[i], samples[i]));
            OK(argand_array_fill(image[i], (argand_scalar){NAN, NAN})); /* the next call reads the other */
            OK(argand_array_fill(samples[i], (argand_scalar){NAN, NAN}));
        }
        same_bits(forward[0], forward[1]);
        same_bits(back[0], back[1]);
        argand_array *const all[] = {image[1], samples[1], forward[0], forward[1], back[0], back[1]};
        for (size_t a = 0; a < 6; a++) argand_array_destroy(all[a]);
        unmake(&m);
    }
}

/* Two handles of the device, whose work goes on side by side: plans share nothing, such as counters. */
static void same_concurrently(void **state)
{
    (void)state;
    argand_device_info info;
    argand_device *const first = device;
    char name[32];
    OK(argand_device_describe(first, &info));
    snprintf(name, sizeof name, on_cpu() ? "%s" : "%s:0", info.backend);
    for (int64_t coils = 2; coils < 32; coils += 14) { /* general and matrix kernels */
        problem p = repeated[REPEATED - 1];
        argand_array *forward[3], *back[3];
        made m[2];
        p.coils = coils;
        OK(argand_device_open(&device, name));
        for (int i = 0; i < 3; i++) { /* the third: the second's again, when nothing else is under way */
            if (i < 2) m[i] = make(p);
            forward[i] = like(m[i > 0].samples);
            back[i] = like(m[i > 0].image);
            if (i == 0) argand_device_close(device);
            device = first;
        }
        const int runs = strcmp(info.backend, "cuda") ? 2 : 24;
        for (int i = 0; i <= runs; i++) {
            const int plan = i == runs || i % 2, to = i == runs ? 2 : plan;
            if (to == 2) OK(argand_device_wait(first));
            OK(argand_field_apply(m[plan].plan, forward[to], m[plan].image));
            OK(argand_field_adjoint(m[plan].plan, back[to], m[plan].samples));
        }
        for (int i = 0; i < 3; i++) {
            same_bits(forward[i], forward[2]);
            same_bits(back[i], back[2]);
            argand_array_destroy(forward[i]);
            argand_array_destroy(back[i]);
        }
        unmake(&m[0]);
        unmake(&m[1]);
    }
}

/* Arrays in host memory give the same bits as arrays on the plan's device, in any mixture; the plan's own
 * inputs may live there too. */
static void same_from_host(void **state)
{
    (void)state;
    argand_device *cpu;
    OK(argand_device_open(&cpu, "cpu"));
    for (size_t i = 0; i < repeated_here(); i++) {
        problem p = repeated[i];
        p.type = ARGAND_C32;
        p.seed = seed_of_run();
        made m = make(p);
        argand_array *forward = like(m.samples), *back = like(m.image);
        OK(argand_field_apply(m.plan, forward, m.image));
        OK(argand_field_adjoint(m.plan, back, m.samples));
        argand_array *image = copy_on(cpu, m.image), *samples = copy_on(cpu, m.samples),
                     *out = like_on(cpu, m.samples), *back_out = like_on(cpu, m.image);
        OK(argand_field_apply(m.plan, out, image));
        OK(argand_field_adjoint(m.plan, back_out, samples));
        same_bits(out, forward);
        same_bits(back_out, back);
        OK(argand_field_apply(m.plan, samples, m.image));
        OK(argand_field_adjoint(m.plan, m.image, out));
        same_bits(samples, forward);
        OK(argand_field_adjoint(m.plan, back, forward));
        same_bits(m.image, back);
        argand_array *const all[] = {image, samples, out, back_out, forward, back};
        for (size_t a = 0; a < 6; a++) argand_array_destroy(all[a]);
        unmake(&m);
    }
    argand_device_close(cpu);
}

/* The options' arrays on the host: the same plan. */
static void plan_from_host(void **state)
{
    (void)state;
    argand_device *cpu;
    OK(argand_device_open(&cpu, "cpu"));
    made m = make((problem){.type = ARGAND_C32,
                            .rank = 2,
                            .n = {14, 9},
                            .samples = 100,
                            .coils = 2,
                            .features = FIELD | DECAY | MASK,
                            .terms = 1,
                            .seed = seed_of_run()});
    const argand_array *const given[] = {m.k[0],         m.k[1],         m.t, m.field, m.r2star, m.mask,
                                         m.term_time[0], m.term_space[0]};
    argand_array *here[8];
    for (size_t i = 0; i < 8; i++) here[i] = copy_on(cpu, given[i]);
    argand_field *plan;
    OK(argand_field_create(&plan, device,
                           &(argand_field_options){.type = ARGAND_C32,
                                                   .rank = 2,
                                                   .n = {14, 9},
                                                   .k = {here[0], here[1]},
                                                   .t = here[2],
                                                   .field_map = here[3],
                                                   .r2star = here[4],
                                                   .mask = here[5],
                                                   .terms = 1,
                                                   .term_time = {here[6]},
                                                   .term_space = {here[7]}}));
    argand_array *a = like(m.samples), *b = like(m.samples);
    OK(argand_field_apply(m.plan, a, m.image));
    OK(argand_field_apply(plan, b, m.image));
    same_bits(a, b);
    argand_field_destroy(plan);
    for (size_t i = 0; i < 8; i++) argand_array_destroy(here[i]);
    argand_array_destroy(a);
    argand_array_destroy(b);
    unmake(&m);
    argand_device_close(cpu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_on_repeat), cmocka_unit_test(same_from_others), cmocka_unit_test(same_concurrently),
    cmocka_unit_test(same_from_host), cmocka_unit_test(plan_from_host)};

RUN_TESTS(tests)
