/* SPDX-License-Identifier: BSD-3-Clause */
/* Each refusal, with the message that says what to do; and no leak when memory runs out. */
#include "problem.h"
#include "base/memory.h"

enum { SAMPLES = 6, PIXELS = 12 };

static argand_array *kx, *ky, *t, *map, *short_of, *complexes;

static int begin(void **state)
{
    (void)state;
    const int64_t samples = SAMPLES, image[2] = {4, 3}, five = 5;
    argand_array **const reals[] = {&kx, &ky, &t};
    for (int i = 0; i < 3; i++) {
        OK(argand_array_create(reals[i], device, ARGAND_R32, 1, &samples));
        randomise(*reals[i], 1 + (uint64_t)i, 0, 1);
    }
    OK(argand_array_create(&map, device, ARGAND_R32, 2, image));
    OK(argand_array_fill(map, (argand_scalar){1, 0}));
    OK(argand_array_create(&short_of, device, ARGAND_R32, 1, &five));
    OK(argand_array_create(&complexes, device, ARGAND_C32, 1, &samples));
    return 0;
}

static int end(void **state)
{
    (void)state;
    argand_array *const all[] = {kx, ky, t, map, short_of, complexes};
    for (size_t i = 0; i < 6; i++) argand_array_destroy(all[i]);
    return 0;
}

static argand_field_options good(void)
{
    return (argand_field_options){.type = ARGAND_C32, .rank = 2, .n = {4, 3}, .k = {kx, ky}};
}

static void refuse(argand_field_options options, argand_status status, const char *message)
{
    argand_field *plan = (argand_field *)&options;
    FAILS(argand_field_create(&plan, device, &options), status, message);
    assert_null(plan);
}

#define REFUSE(change, status, message)  \
    do {                                 \
        argand_field_options o = good(); \
        change;                          \
        refuse(o, status, message);      \
    } while (0)

static void options(void **state)
{
    (void)state;
    argand_field *plan;
    FAILS(argand_field_create(&plan, device, NULL), ARGAND_ARGUMENT, "no options");
    REFUSE(o.type = ARGAND_R32, ARGAND_ARGUMENT, "type must be");
    REFUSE(o.rank = 0, ARGAND_ARGUMENT, "rank must be 1, 2 or 3, not 0");
    REFUSE(o.rank = 4, ARGAND_ARGUMENT, "not 4");
    REFUSE(o.n[1] = 0, ARGAND_ARGUMENT, "n[1] is 0");
    REFUSE(o.n[0] = -3, ARGAND_ARGUMENT, "n[0] is -3");
    REFUSE(o.k[1] = NULL, ARGAND_ARGUMENT, "k[1] is missing");
    REFUSE(o.rank = 1, ARGAND_ARGUMENT, "k[1] is given, but the image has rank 1");
    REFUSE(o.gradient[2] = map, ARGAND_ARGUMENT, "gradient[2] is given");
    REFUSE(o.field_map = map, ARGAND_ARGUMENT, "t is missing");
    REFUSE(o.r2star = map, ARGAND_ARGUMENT, "t is missing");
    REFUSE(o.gradient[0] = map, ARGAND_ARGUMENT, "t is missing");
    REFUSE(o.k[0] = complexes, ARGAND_ARGUMENT, "must be a real array");
    REFUSE(o.tolerance = -1e-3, ARGAND_ARGUMENT, "a tolerance of -0.001");
    REFUSE(o.tolerance = NAN, ARGAND_ARGUMENT, "a tolerance of");
    REFUSE(o.terms = -1, ARGAND_ARGUMENT, "-1 terms; there may be 0 to 32");
    REFUSE(o.terms = 33, ARGAND_ARGUMENT, "33 terms");
    REFUSE((o.terms = 1, o.term_time[0] = kx), ARGAND_ARGUMENT, "term_space[0] is missing");
    REFUSE((o.terms = 1, o.term_space[0] = map), ARGAND_ARGUMENT, "term_time[0] is missing");
}

static void counts(void **state)
{
    (void)state;
    REFUSE(o.k[1] = short_of, ARGAND_ARGUMENT, "k[1] has 5 values, but k[0] has 6 samples");
    REFUSE((o.field_map = map, o.t = short_of), ARGAND_ARGUMENT, "t has 5 values, but k[0] has 6 samples");
    REFUSE((o.field_map = short_of, o.t = t), ARGAND_ARGUMENT,
           "field_map has 5 values, but the image has 12 (4x3x1)");
    REFUSE((o.r2star = short_of, o.t = t), ARGAND_ARGUMENT, "r2star has 5 values");
    REFUSE((o.gradient[1] = short_of, o.t = t), ARGAND_ARGUMENT, "gradient[1] has 5 values");
    REFUSE(o.mask = short_of, ARGAND_ARGUMENT, "mask has 5 values");
    REFUSE((o.terms = 1, o.term_time[0] = short_of, o.term_space[0] = map), ARGAND_ARGUMENT,
           "term_time[0] has 5 values");
    REFUSE((o.terms = 1, o.term_time[0] = t, o.term_space[0] = short_of), ARGAND_ARGUMENT,
           "term_space[0] has 5 values");
}

static void set(argand_array *array, int64_t i, double value)
{
    double *values = as_doubles(array);
    values[i] = value;
    put_reals(array, values);
    free(values);
}

static void numbers(void **state)
{
    (void)state;
    double *before = as_doubles(ky);
    const double k = before[3];
    free(before);
    set(ky, 3, NAN);
    REFUSE((void)o, ARGAND_NUMERIC, "k[1] of sample 3 is ");
    set(ky, 3, 1e9);
    REFUSE((void)o, ARGAND_ARGUMENT, "is its unit right?");
    set(ky, 3, k);
    set(map, 6, INFINITY);
    REFUSE((o.field_map = map, o.t = t), ARGAND_NUMERIC, "field_map at pixel (2, 1, 0) is inf");
    set(map, 6, 1e9);
    REFUSE((o.field_map = map, o.t = t), ARGAND_ARGUMENT, "are the units right?");
    REFUSE((o.gradient[0] = map, o.t = t), ARGAND_ARGUMENT, "cycles per voxel");
    REFUSE((o.terms = 1, o.term_time[0] = t, o.term_space[0] = map), ARGAND_ARGUMENT, "phase term 0 reaches");
    set(map, 6, -1e4);
    REFUSE((o.r2star = map, o.t = t), ARGAND_ARGUMENT, "grows instead of decaying");
    set(map, 6, 1);
}

/* Values under the mask do not matter, not even NaN. */
static void masked_nan(void **state)
{
    (void)state;
    argand_array *mask;
    argand_field *plan;
    OK(argand_array_create(&mask, device, ARGAND_R32, 2, (int64_t[]){4, 3}));
    OK(argand_array_fill(mask, (argand_scalar){1, 0}));
    set(mask, 6, 0);
    set(map, 6, NAN);
    argand_field_options o = good();
    o.field_map = map;
    o.t = t;
    o.mask = mask;
    OK(argand_field_create(&plan, device, &o));
    argand_field_info info;
    argand_field_describe(plan, &info);
    assert_int_equal(info.pairs, SAMPLES * (PIXELS - 1));
    set(map, 6, 1);
    argand_field_destroy(plan);
    argand_array_destroy(mask);
}

static void shapes(void **state)
{
    (void)state;
    argand_field *plan;
    argand_field_options o = good();
    argand_array *image, *samples, *wrong, *doubles, *deep;
    OK(argand_field_create(&plan, device, &o));
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){4, 3, 2}));
    OK(argand_array_create(&samples, device, ARGAND_C32, 2, (int64_t[]){SAMPLES, 2}));
    OK(argand_array_create(&wrong, device, ARGAND_C32, 3, (int64_t[]){3, 4, 2}));
    OK(argand_array_create(&doubles, device, ARGAND_C64, 3, (int64_t[]){4, 3, 2}));
    OK(argand_array_create(&deep, device, ARGAND_C32, 4, (int64_t[]){4, 3, 2, 2}));
    OK(argand_field_apply(plan, samples, image));
    FAILS(argand_field_apply(NULL, samples, image), ARGAND_ARGUMENT, "no plan");
    FAILS(argand_field_apply(plan, NULL, image), ARGAND_ARGUMENT, "no array given for samples");
    FAILS(argand_field_adjoint(plan, NULL, samples), ARGAND_ARGUMENT, "no array given for image");
    FAILS(argand_field_apply(plan, samples, wrong), ARGAND_ARGUMENT,
          "dimension 0 of image is 3; the plan's image has 4");
    FAILS(argand_field_apply(plan, samples, doubles), ARGAND_ARGUMENT, "but the plan is for");
    FAILS(argand_field_apply(plan, samples, deep), ARGAND_ARGUMENT, "has 4 dimensions");
    FAILS(argand_field_apply(plan, complexes, image), ARGAND_ARGUMENT, "image holds 2 vectors, samples 1");
    FAILS(argand_field_adjoint(plan, image, wrong), ARGAND_ARGUMENT,
          "samples has 3 per vector; the plan has 6");
    argand_array *const all[] = {image, samples, wrong, doubles, deep};
    for (size_t i = 0; i < 5; i++) argand_array_destroy(all[i]);
    argand_field_destroy(plan);
}

static void gradient(void **state)
{
    (void)state;
    argand_array *out;
    OK(argand_array_create(&out, device, ARGAND_R32, 2, (int64_t[]){4, 3}));
    FAILS(argand_field_gradient(out, map, NULL, 2), ARGAND_ARGUMENT, "axis 2 of a map of rank 2");
    FAILS(argand_field_gradient(out, map, NULL, -1), ARGAND_ARGUMENT, "axis -1");
    FAILS(argand_field_gradient(short_of, map, NULL, 0), ARGAND_ARGUMENT,
          "dimension 0 is 5 in the gradient and 4 in the map");
    FAILS(argand_field_gradient(out, map, short_of, 0), ARGAND_ARGUMENT, "mask has 5 values");
    FAILS(argand_field_gradient(out, NULL, NULL, 0), ARGAND_ARGUMENT, "needs a map");
    argand_array_destroy(out);
}

/* Every allocation fails once; the sanitizers see leaks. */
static void out_of_memory(void **state)
{
    (void)state;
    argand_field_options o = good();
    o.field_map = o.r2star = o.gradient[0] = map;
    o.t = o.term_time[0] = t;
    o.terms = 1;
    o.term_space[0] = map;
    long n = 1;
    for (argand_status status = ARGAND_MEMORY; status; n++) {
        argand_array *image = NULL, *samples = NULL;
        argand_field *plan = NULL;
        OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){4, 3}));
        OK(argand_array_create(&samples, device, ARGAND_C32, 1, (int64_t[]){SAMPLES}));
        argand_test_fail_allocation(n);
        status = argand_field_create(&plan, device, &o);
        if (!status) status = argand_field_apply(plan, samples, image);
        if (!status) status = argand_field_adjoint(plan, image, samples);
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        argand_field_destroy(plan);
        argand_array_destroy(samples);
        argand_array_destroy(image);
    }
    assert_true(n > 20);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(options, begin, end),
    cmocka_unit_test_setup_teardown(counts, begin, end),
    cmocka_unit_test_setup_teardown(numbers, begin, end),
    cmocka_unit_test_setup_teardown(masked_nan, begin, end),
    cmocka_unit_test_setup_teardown(shapes, begin, end),
    cmocka_unit_test_setup_teardown(gradient, begin, end),
    cmocka_unit_test_setup_teardown(out_of_memory, begin, end),
};

RUN_TESTS(tests)
