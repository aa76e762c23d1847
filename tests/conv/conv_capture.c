/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions captured into a CUDA graph, by transforms and by sums: replayed on other images, and with
 * another kernel and sharpness, which were set after the capture. */
#include "graph.h"
#include "reference.h"

static argand_array *new_array(int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, streamed, ARGAND_R32, rank, dims));
    randomise(array, seed, 0, 1);
    return array;
}

static void launch(void *executable)
{
    assert_int_equal(g.launch(executable, cuda_peer_stream(cuda)), 0);
}

/* What the graph makes of the image is what a call makes of it. */
static void compare(const argand_conv *conv, void *executable, argand_array *out, argand_array *image,
                    uint64_t seed, const char *title)
{
    randomise(image, seed, 0, 1);
    OK(argand_conv_apply(conv, out, image));
    double *wanted = as_doubles(out);
    OK(argand_array_fill(out, (argand_scalar){-7, 0}));
    launch(executable);
    double *got = as_doubles(out);
    for (int64_t i = 0; i < argand_array_count(out); i++)
        if (wanted[i] != got[i])
            fail_msg("%s: result %lld is %g, not %g", title, (long long)i, got[i], wanted[i]);
    free(wanted);
    free(got);
}

static void check(argand_conv_method method, argand_border border)
{
    const int64_t n[3] = {150, 121, 3}, k[2] = {9, 8};
    argand_conv *conv;
    char title[300];
    argand_conv_options o = {.type = ARGAND_R32,
                             .rank = 2,
                             .n = {n[0], n[1]},
                             .kernel = {k[0], k[1]},
                             .channels = n[2],
                             .method = method};
    for (int d = 0; d < 2; d++) o.border[d] = (argand_conv_border){border, border};
    argand_array *image = new_array(3, n, 1), *out = new_array(3, n, 2), *kernel = new_array(2, k, 3),
                 *other = new_array(2, k, 4);
    OK(argand_conv_create(&conv, streamed, &o));
    OK(argand_conv_set_kernel(conv, kernel));
    OK(argand_conv_set_sharpness(conv, 0.25));
    OK(argand_conv_apply(conv, out, image)); /* what it keeps between calls is made */
    argand_conv_print(conv, title, sizeof title);
    OK(argand_device_wait(streamed));
    graph_begin();
    void *executable = graph_end(argand_conv_apply(conv, out, image), title);
    compare(conv, executable, out, image, 5, title);
    OK(argand_conv_set_kernel(conv, other));
    compare(conv, executable, out, image, 6, title);
    OK(argand_conv_set_sharpness(conv, 0.5));
    compare(conv, executable, out, image, 7, title);
    assert_int_equal(g.destroy_executable(executable), 0);
    argand_conv_destroy(conv);
    argand_array_destroy(image);
    argand_array_destroy(out);
    argand_array_destroy(kernel);
    argand_array_destroy(other);
}

static void captured(void **state)
{
    (void)state;
    if (!streamed) skip();
    for (int border = ARGAND_BORDER_ZERO; border <= ARGAND_BORDER_MIRROR; border += 2) {
        check(ARGAND_CONV_FFT, (argand_border)border);
        check(ARGAND_CONV_DIRECT, (argand_border)border);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(captured, open_stream, close_stream)};
RUN_TESTS(tests)
