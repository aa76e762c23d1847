/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans with a limit of memory: tile by tile they give what all at once gives, from arrays and box by box;
 * all of an image is read within its bounds, and each result is written once. */
#include "reference.h"
#include "array/array.h"

static argand_conv_options problem(int i)
{
    argand_conv_options o = {.type = i % 2 ? ARGAND_R64 : ARGAND_R32,
                             .rank = 1 + i % 3,
                             .n = {40 + i, 33 - i % 4, 12},
                             .kernel = {5 + i % 4, 6, 1 + i % 3},
                             .channels = 1 + i % 2,
                             .batch = 1 + i % 4 / 3,
                             .interleaved = i % 5 > 2,
                             .mode = (argand_conv_mode)(i / 3 % 3),
                             .constant = {2, 0},
                             .correlate = i % 7 == 2};
    if (i % 6 == 5) o.type = ARGAND_C32;
    if (o.rank == 1) o.n[0] = 1000;
    for (int d = 0; d < 3; d++) {
        o.border[d].before = (argand_border)((i + d) % 5);
        o.border[d].after = (argand_border)(i % 4 == 1 ? (i + 2) % 5 : (i + d) % 5);
    }
    return o;
}

/* The smallest limit that the plan takes, by what it says; then a few times that. */
static size_t limit_for(argand_conv_options o, int i)
{
    argand_conv *conv;
    size_t bytes = 2048;
    for (o.memory = bytes; argand_conv_create(&conv, device, &o); o.memory = bytes) bytes += bytes / 2;
    argand_conv_destroy(conv);
    return bytes * (size_t)(1 + i % 3);
}

/* An image in memory of ours, and results. */
typedef struct files {
    const argand_conv_options *o;
    const argand_array *image;
    argand_array *out;
    int reads, writes;
    unsigned char *written; /* how often, for each result */
} files;

static argand_array *part_of(const argand_array *x, const argand_conv_options *o, const argand_array *box,
                             const int64_t *first, int64_t image)
{
    argand_array *view;
    int64_t dims[4], at = image * x->strides[o->rank + 1];
    const int begin = o->interleaved ? 1 : 0;
    for (int d = 0; d <= o->rank; d++) dims[d] = argand_array_dim(box, d);
    for (int d = 0; d < o->rank; d++) {
        assert_true(first[d] >= 0 && first[d] + dims[begin + d] <= x->dims[begin + d]);
        at += first[d] * x->strides[begin + d];
    }
    OK(argand_array_view(&view, x, o->rank + 1, dims, x->strides, at));
    return view;
}

static argand_status read_box(void *context, argand_array *box, const int64_t first[3], int64_t image)
{
    files *f = context;
    argand_array *view = part_of(f->image, f->o, box, first, image);
    OK(argand_array_copy(box, view));
    argand_array_destroy(view);
    f->reads++;
    return ARGAND_OK;
}

static argand_status write_box(void *context, const argand_array *box, const int64_t first[3], int64_t image)
{
    files *f = context;
    argand_array *view = part_of(f->out, f->o, box, first, image);
    OK(argand_array_copy(view, box));
    for (int64_t i = 0; i < argand_array_count(view); i++) {
        int64_t at = view->offset;
        for (int64_t d = 0, rest = i; d < view->rank; rest /= view->dims[d++])
            at += rest % view->dims[d] * view->strides[d];
        f->written[at]++;
    }
    argand_array_destroy(view);
    f->writes++;
    return ARGAND_OK;
}

static double difference(const argand_array *a, const double *wanted)
{
    double *y = as_doubles(a);
    const double error =
        relative_error(y, wanted, (size_t)argand_array_count(a) * (is_pairs(a->type) ? 2 : 1));
    free(y);
    return error;
}

static double stored_error(const argand_conv_options *o, const argand_array *out, const double *wanted)
{
    argand_array *floats = new_images(o, o->type, true);
    OK(argand_array_copy(floats, out));
    const double error = difference(floats, wanted);
    argand_array_destroy(floats);
    return error;
}

static void check_boxes(const argand_conv *conv, const argand_conv_options *o, const argand_array *image,
                        const double *wanted, double limit)
{
    const argand_type type = o->out_type ? o->out_type : o->type;
    files f = {.o = o, .image = image, .out = new_images(o, type, true)};
    const size_t results = (size_t)argand_array_count(f.out);
    f.written = calloc(results, 1);
    OK(argand_conv_apply_boxes(conv, write_box, read_box, &f));
    for (size_t i = 0; i < results; i++) assert_int_equal(f.written[i], 1);
    CHECK_BELOW(stored_error(o, f.out, wanted), limit);
    free(f.written);
    argand_array_destroy(f.out);
}

static void same_as_whole(void **state)
{
    (void)state;
    int cut = 0;
    for (int i = 0; i < 36; i += few() ? 7 : 1) {
        argand_conv_options o = problem(i);
        argand_conv_info info;
        if ((o.type == ARGAND_R64 || o.type == ARGAND_C64) && !device_has_double(device)) continue;
        convolved c = convolved_new(&o);
        randomise(c.image, 3, 0, 0);
        randomise(c.kernel, 4, 0, 0);
        o.method = i % 2 ? ARGAND_CONV_FFT : ARGAND_CONV_AUTO;
        o.memory = limit_for(o, i);
        convolved_run(&c, &o);
        argand_conv_describe(c.conv, &info);
        cut += info.tile[0] < info.out[0] || info.tile[1] < info.out[1];
        const double limit = o.type == ARGAND_R64 ? 4e-15 : 2e-6;
        double *wanted = reference_conv(&o, c.x, o.type, c.h, o.type);
        CHECK_BELOW(difference(c.out, wanted), limit);
        if (device_is_host(device)) check_boxes(c.conv, &o, c.image, wanted, limit);
        free(wanted);
        convolved_free(&c);
    }
    assert_true(cut > (few() ? 1 : 20));
}

/* Every image of `type`, element by element from floats that it has exactly. */
static argand_array *stored(const argand_conv_options *o, argand_type type, argand_array **floats)
{
    argand_array *image = new_images(o, type, false);
    *floats = new_images(o, o->type, false);
    const int64_t count = argand_array_count(*floats) * (is_pairs(o->type) ? 2 : 1);
    float *numbers = malloc((size_t)count * sizeof *numbers);
    random_state random = {11};
    assert_non_null(numbers);
    for (int64_t i = 0; i < count; i++) numbers[i] = (float)(int)(200 * random_uniform(&random));
    OK(argand_array_upload(*floats, numbers));
    OK(argand_array_copy(image, *floats));
    free(numbers);
    return image;
}

/* Halves and bytes, whole and in tiles and box by box, with borders that copies make. */
static void storage_types(void **state)
{
    static const argand_type reals[] = {ARGAND_R16, ARGAND_U8, ARGAND_RB16, ARGAND_R32},
                             pairs[] = {ARGAND_C16, ARGAND_CB16, ARGAND_C32};
    (void)state;
    for (int i = 0; i < 12; i++) {
        const bool is_complex = i % 4 == 3;
        argand_conv_options o = {.type = is_complex ? ARGAND_C32 : ARGAND_R32,
                                 .rank = 2,
                                 .n = {41, 33},
                                 .kernel = {7, 6},
                                 .channels = 2,
                                 .interleaved = i % 2,
                                 .normalise = ARGAND_CONV_PER_CHANNEL,
                                 .constant = {7, 0},
                                 .in_type = is_complex ? pairs[i % 3] : reals[i % 3],
                                 .out_type = is_complex ? pairs[(i + 1) % 2] : reals[(i + 1 + i / 4) % 4]};
        argand_array *floats, *image = stored(&o, o.in_type, &floats), *kernel = new_kernel(&o, ARGAND_R32),
                              *out = new_images(&o, o.out_type, true);
        double *x = as_doubles(floats), sum = 0;
        randomise(kernel, 4, 0, 1);
        for (int d = 0; d < 2; d++) {
            o.border[d].before = (argand_border)((i + d) % 5);
            o.border[d].after = (argand_border)((i + 2 * d) % 5);
        }
        double *h = as_doubles(kernel);
        for (int j = 0; j < 42; j++) sum += h[j];
        for (int j = 0; j < 42; j++) h[j] /= sum;
        double *wanted = reference_conv(&o, x, o.type, h, ARGAND_R32);
        const double limit = o.out_type == ARGAND_R32 || o.out_type == ARGAND_C32   ? 2e-6
                             : o.out_type == ARGAND_U8                              ? 5e-3
                             : o.out_type == ARGAND_R16 || o.out_type == ARGAND_C16 ? 4e-4
                                                                                    : 3e-3;
        for (int tiles = 0; tiles < 2; tiles++) {
            argand_conv *conv;
            if (tiles) o.memory = limit_for(o, 0);
            OK(argand_conv_create(&conv, device, &o));
            OK(argand_conv_set_kernel(conv, kernel));
            OK(argand_conv_apply(conv, out, image));
            CHECK_BELOW(stored_error(&o, out, wanted), limit);
            if (tiles && device_is_host(device)) check_boxes(conv, &o, image, wanted, limit);
            argand_conv_destroy(conv);
        }
        free(x);
        free(h);
        free(wanted);
        argand_array_destroy(floats);
        argand_array_destroy(image);
        argand_array_destroy(kernel);
        argand_array_destroy(out);
    }
}

static argand_status fail_box(void *context, argand_array *box, const int64_t first[3], int64_t image)
{
    (void)context, (void)box, (void)first, (void)image;
    return ARGAND_FILE;
}

/* What a reader returns is what the call returns; no limit, no boxes; too small a limit is said. */
static void refused(void **state)
{
    (void)state;
    argand_conv *conv;
    argand_array *kernel;
    argand_conv_options o = {
        .type = ARGAND_R32, .rank = 2, .n = {64, 64}, .kernel = {9, 9}, .memory = SIZE_MAX};
    const int64_t dims[2] = {9, 9};
    OK(argand_array_create(&kernel, device, ARGAND_R32, 2, dims));
    randomise(kernel, 1, 1, 2);
    OK(argand_conv_create(&conv, device, &o));
    FAILS(argand_conv_apply_boxes(conv, write_box, fail_box, NULL), ARGAND_ARGUMENT, "no kernel yet");
    OK(argand_conv_set_kernel(conv, kernel));
    assert_int_equal(argand_conv_apply_boxes(conv, write_box, fail_box, NULL), ARGAND_FILE);
    argand_conv_destroy(conv);
    o.memory = 100;
    FAILS(argand_conv_create(&conv, device, &o), ARGAND_MEMORY, "too little");
    o.memory = 0;
    OK(argand_conv_create(&conv, device, &o));
    OK(argand_conv_set_kernel(conv, kernel));
    FAILS(argand_conv_apply_boxes(conv, write_box, fail_box, NULL), ARGAND_ARGUMENT, ".memory");
    argand_conv_destroy(conv);
    argand_array_destroy(kernel);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_whole), cmocka_unit_test(storage_types),
                                          cmocka_unit_test(refused)};
RUN_TESTS(tests)
