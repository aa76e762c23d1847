/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of another writer: ismrmrd_generate_cartesian_shepp_logan (Debian: ismrmrd-tools), with and without
 * trajectory and noise calibration. Counted and stored trajectories must agree, and reading our copy back its
 * reconstruction tool must see the same image. Skipped where the tools are not installed. */
#include "harness.h"
#include <hdf5.h>
#include <unistd.h>

static char folder[64], plain[64], with_k[64], copy[64];

static bool run(const char *format, const char *path)
{
    char command[256];
    snprintf(command, sizeof command, format, path);
    strcat(command, " >/dev/null 2>&1");
    return system(command) == 0;
}

static int generate(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/argand-foreign-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(plain, sizeof plain, "%s/plain.h5", folder);
    snprintf(with_k, sizeof with_k, "%s/k.h5", folder);
    snprintf(copy, sizeof copy, "%s/copy.h5", folder);
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    unlink(plain);
    unlink(with_k);
    unlink(copy);
    rmdir(folder);
    return 0;
}

static bool generated(void)
{
    return run("ismrmrd_generate_cartesian_shepp_logan -m 32 -c 3 -o %s", plain) &&
           run("ismrmrd_generate_cartesian_shepp_logan -m 32 -c 3 -r 2 -a 2 -w 8 -C -k -o %s", with_k);
}

static void lines(const argand_scan *scan)
{
    for (int64_t n = 0; n < scan->acquisition_count; n++) {
        const argand_acquisition *a = &scan->acquisitions[n];
        assert_int_equal(a->samples, 64);
        assert_int_equal(a->channels, 3);
        for (int i = 0; i < 64; i++) {
            CHECK_BELOW(fabs((double)a->k[0][i] - (i - 32)), 1e-5);
            CHECK_BELOW(fabs((double)a->k[1][i] - (a->counters.shot - 16)), 1e-5);
            CHECK_BELOW(fabs((double)a->k[2][i]), 0);
        }
    }
}

static void counted_and_stored(void **state)
{
    (void)state;
    argand_scan *scan;
    if (!generated()) skip();
    OK(argand_scan_read(&scan, plain, NULL));
    assert_int_equal(scan->acquisition_count, 32);
    assert_int_equal(scan->k_unit, ARGAND_K_CYCLES);
    lines(scan);
    argand_scan_destroy(scan);
    OK(argand_scan_read(&scan, with_k, NULL));
    assert_int_equal(scan->noise_count, 1);
    assert_int_equal(scan->k_unit, ARGAND_K_NORMALISED);
    lines(scan);
    argand_scan_destroy(scan);
}

/* The image that the tool's reconstruction adds to a file (group "cpp"). */
static double *reconstructed(const char *path, size_t *count)
{
    double *image = NULL;
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "dataset/cpp/data", H5P_DEFAULT), space = H5Dget_space(dataset);
    *count = (size_t)H5Sget_simple_extent_npoints(space);
    image = calloc(*count, sizeof *image);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, image) >= 0);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    return image;
}

static void its_tool_reads_ours(void **state)
{
    (void)state;
    argand_scan *scan;
    size_t count, copied;
    if (!generated()) skip();
    OK(argand_scan_read(&scan, plain, NULL));
    OK(argand_scan_write(scan, copy));
    argand_scan_destroy(scan);
    if (!run("ismrmrd_recon_cartesian_2d %s", plain)) skip();
    assert_true(run("ismrmrd_recon_cartesian_2d %s", copy));
    double *image = reconstructed(plain, &count), *ours = reconstructed(copy, &copied);
    assert_int_equal(count, copied);
    assert_memory_equal(image, ours, count * sizeof *image); /* the same numbers on the same way */
    free(ours);
    free(image);
    OK(argand_scan_read(&scan, plain, NULL)); /* now with a group of images */
    assert_non_null(strstr(scan->notes, "cpp is left out"));
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(counted_and_stored, generate, remove_all),
    cmocka_unit_test_setup_teardown(its_tool_reads_ours, generate, remove_all),
};
RUN_TESTS(tests)
