/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that a header claims and its samples cannot fill is refused before it begins. A size that the caller
 * gives is the caller's own. */
#include "made_scan.h"

static void claims(made_scan *m, int64_t nx, int64_t ny)
{
    m->encoding.matrix[0] = m->encoding.recon_matrix[0] = nx;
    m->encoding.matrix[1] = m->encoding.recon_matrix[1] = ny;
}

static void a_matrix_of_a_few_samples(void **state)
{
    (void)state;
    argand_sense *session = NULL;
    made_scan *m = new_scan(1);
    add_image(m, (argand_counters){0}, 1, 1e-5, 0);
    add_coil_maps(m);
    m->scan.array_count = 0; /* maps are of another size */
    claims(m, 8192, 8192);
    FAILS(argand_sense_create(&session, device, &m->scan, &exact), ARGAND_UNSUPPORTED,
          "made.h5: the header claims 1 image(s) of 8192 x 8192 x 1 pixels for 84 samples of each channel, "
          "which can fill 8400 pixels at most (100 for each): if the matrix is right, give it yourself "
          "(--matrix)");
    assert_null(session);
    argand_sense_options own = exact;
    own.matrix[0] = own.matrix[1] = 16;
    OK(argand_sense_create(&session, device, &m->scan, &own));
    argand_sense_destroy(session);
    free_scan(m);
}

/* A session for a scan of 84 samples whose header claims that many pixels. */
static argand_status asked(int64_t nx, int64_t ny)
{
    argand_sense *session = NULL;
    made_scan *m = new_scan(1);
    add_image(m, (argand_counters){0}, 1, 1e-5, 0);
    claims(m, nx, ny);
    const argand_status status = argand_sense_create(&session, device, &m->scan, &exact);
    argand_sense_destroy(session);
    free_scan(m);
    return status;
}

static void what_is_small_passes(void **state)
{
    (void)state;
    assert_int_equal(asked(1024, 1024), ARGAND_OK); /* of 2 channels: 2^21 in all */
    assert_int_equal(asked(1025, 1024), ARGAND_UNSUPPORTED);
    assert_int_equal(asked(65536, 65536), ARGAND_UNSUPPORTED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_matrix_of_a_few_samples),
    cmocka_unit_test(what_is_small_passes),
};
RUN_TESTS(tests)
