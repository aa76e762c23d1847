/* SPDX-License-Identifier: BSD-3-Clause */
/* The four real files. Sums of what is read are compared with sums that NumPy made of what h5py reads:
 *   data: sum |x|, sum x^2, sum x cos(i) over all floats in the file's order; trajectory: sum |x| and sum i x
 * of each column; arrays: sum of real parts and sum |x|^2. Both sum the same floats in double, in other
 * orders: 1e-11 is 1e5 roundings of the sum of magnitudes. */
#include "harness.h"
#include "scan_near.h"

static void near(double value, double expected, double scale)
{
    CHECK_BELOW(fabs(value - expected), 1e-11 * scale);
}

static argand_scan *read_scan(const char *name)
{
    argand_scan *scan = NULL;
    const char *path = test_data(name);
    if (!path) skip();
    OK(argand_scan_read(&scan, path, NULL));
    return scan;
}

static void check_data(const argand_scan *scan, double sum, double squares, double weighted)
{
    double got_sum = 0, got_squares = 0, got_weighted = 0;
    int64_t at = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        for (int64_t j = 0; j < 2 * a->samples * a->channels; j++, at++) {
            const double x = (double)a->data[j];
            got_sum += fabs(x);
            got_squares += x * x;
            got_weighted += x * cos((double)at);
        }
    }
    near(got_sum, sum, sum);
    near(got_squares, squares, squares);
    near(got_weighted, weighted, sum);
}

static void check_column(const argand_scan *scan, int column, double sum, double weighted)
{
    double got_sum = 0, got_weighted = 0;
    int64_t at = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        const float *x = column < 3 ? a->k[column] : a->t;
        for (int64_t j = 0; j < a->samples; j++, at++) {
            got_sum += fabs((double)x[j]);
            got_weighted += (double)at * (double)x[j];
        }
    }
    near(got_sum, sum, sum);
    near(got_weighted, weighted, sum * (double)at);
}

static void check_array(const argand_scan *scan, const char *name, const int64_t *dims, int rank, double sum,
                        double squares)
{
    const argand_scan_array *a = argand_scan_find(scan, name);
    assert_non_null(a);
    assert_int_equal(a->rank, rank);
    int64_t count = a->type == ARGAND_C32 ? 2 : 1;
    const int64_t step = count;
    assert_true(a->type == ARGAND_C32 || a->type == ARGAND_R32);
    for (int d = 0; d < rank; d++) {
        assert_int_equal(a->dims[d], dims[d]);
        count *= dims[d];
    }
    const float *x = a->data;
    double got_sum = 0, got_squares = 0, magnitudes = 0;
    for (int64_t i = 0; i < count; i++) {
        got_squares += (double)x[i] * (double)x[i];
        magnitudes += fabs((double)x[i]);
        if (i % step == 0) got_sum += (double)x[i];
    }
    near(got_sum, sum, magnitudes);
    near(got_squares, squares, squares);
}
#define DIMS(...) (const int64_t[]){__VA_ARGS__}, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void brain_2d(void **state)
{
    (void)state;
    argand_scan *scan = read_scan("brain_spiral_2d/brain_spiral_2d.h5");
    assert_int_equal(scan->acquisition_count, 1);
    assert_int_equal(scan->channels, 1);
    assert_int_equal(scan->acquisitions[0].samples, 3770);
    assert_int_equal(scan->acquisitions[0].centre_sample, 3769);
    NEAR(scan->acquisitions[0].sample_time, 5e-6, 1e-12);
    assert_int_equal(scan->encoding_count, 1);
    assert_int_equal(scan->encodings[0].matrix[0], 64);
    NEAR(scan->encodings[0].field_of_view[2], 3, 0);
    assert_string_equal(scan->encodings[0].trajectory, "spiral");
    assert_int_equal(scan->k_unit, ARGAND_K_CYCLES);
    assert_int_equal(scan->echo_count, 0);
    check_data(scan, 16709169.423643798, 182868943346.94409, 12945.851194788042);
    check_column(scan, 0, 46453.868208999862, -37279.466532986495);
    check_column(scan, 1, 46504.551091346948, 141.71342217802885);
    check_column(scan, 2, 0, 0);
    check_column(scan, 3, 75.673325000330806, 164932.47647410072);
    assert_int_equal(scan->array_count, 10);
    check_array(scan, "FieldGradientX", DIMS(64, 64, 1), -248.12786586582661, 36420.231190431943);
    check_array(scan, "FieldGradientY", DIMS(64, 64, 1), -432.07943659291777, 91412.737888449192);
    check_array(scan, "FieldGradientZ", DIMS(64, 64, 1), 1557.0796074552345, 46038.568730750165);
    check_array(scan, "FieldMapDerived", DIMS(64, 64, 1), 55649.617267288268, 30065139.012417957);
    check_array(scan, "FieldMap", DIMS(64, 64, 1), 0, 0);
    check_array(scan, "Mask", DIMS(64, 64, 1), 1227, 1227);
    check_array(scan, "SENSEMap", DIMS(64, 64, 1, 1), 4096, 4096);
    assert_null(argand_scan_find(scan, "PhaseMaps"));
    argand_scan_destroy(scan);
}

static void brain_3d(void **state)
{
    (void)state;
    argand_scan *scan = read_scan("brain_stack_of_spirals_3d/brain_stack_of_spirals_3d.h5");
    assert_int_equal(scan->acquisition_count, 16);
    assert_int_equal(scan->channels, 4);
    assert_int_equal(scan->encodings[0].step2_centre, 8);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(scan->acquisitions[i].samples, 4162);
        assert_int_equal(scan->acquisitions[i].counters.partition, i);
        assert_int_equal(scan->acquisitions[i].centre_sample, 0);
        NEAR(scan->acquisitions[i].k[2][17], i - 8, 0);
    }
    check_data(scan, 6.2591169006191194, 0.005312278673259359, -0.0032554719545561045);
    check_column(scan, 0, 810825.94450362399, -75169233.749140099);
    check_column(scan, 1, 812790.47438291647, -557009826.56690252);
    check_column(scan, 2, 266368, 4780955992);
    check_column(scan, 3, 1385.446560025739, 47090404.944239631);
    check_array(scan, "SENSEMap", DIMS(64, 64, 16, 4), -1761.9015456971465, 59686.179228382047);
    argand_scan_destroy(scan);
}

static void b0_phantom(void **state)
{
    (void)state;
    argand_scan *scan = read_scan("spiral_b0_phantom/spiral_b0_phantom.h5");
    assert_int_equal(scan->acquisition_count, 54);
    assert_int_equal(scan->channels, 20);
    assert_int_equal(scan->acquisitions[53].counters.shot, 53);
    assert_int_equal(scan->acquisitions[53].samples, 310);
    NEAR(scan->field_strength, 3, 0);
    NEAR(scan->echo_time, 0.0046, 1e-15);
    assert_string_equal(scan->system, "SIEMENS Prisma");
    assert_non_null(
        strstr(scan->notes, "4.6 ms away from the header's echo time")); /* they start with the readout */
    check_data(scan, 16.227161973714828, 0.0032776503070808677, 0.0072888426159164535);
    check_column(scan, 0, 387829.14021044213, 297299662.55343354);
    check_column(scan, 3, 25.863300009070372, 217803.47047680765);
    check_array(scan, "FieldMapFilled", DIMS(192, 192, 1), 591325.0187214613, 339727865906.87396);
    check_array(scan, "DensityCompensation", DIMS(310, 54), 4955.066300922429, 2818.3278453609582);
    argand_scan_destroy(scan);
}

static void time_from_echo(void **state)
{
    (void)state;
    const char *path = test_data("spiral_b0_phantom/spiral_b0_phantom.h5");
    argand_scan *scan;
    if (!path) skip();
    OK(argand_scan_read(&scan, path, &(argand_scan_options){.time_from_echo = true}));
    NEAR(scan->acquisitions[0].t[0], -0.0046, 1e-9);
    assert_non_null(strstr(scan->notes, "subtracted"));
    argand_scan_destroy(scan);
}

/* No trajectory: k counted, the centre line from the header's limits, t from the dwell time. */
static void phantom_cartesian(void **state)
{
    (void)state;
    argand_scan *scan = read_scan("phantom_cartesian/phantom_cartesian.h5");
    assert_int_equal(scan->acquisition_count, 128);
    assert_int_equal(scan->channels, 8);
    assert_int_equal(scan->encodings[0].matrix[0], 256);
    assert_int_equal(scan->encodings[0].recon_matrix[0], 128);
    assert_int_equal(scan->encodings[0].step1_centre, 64);
    assert_int_equal(scan->encodings[0].step2_centre, -1);
    for (int i = 0; i < 128; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        assert_int_equal(a->samples, 256);
        assert_int_equal(a->centre_sample, 128);
        NEAR(a->k[0][0], -128, 0);
        NEAR(a->k[0][255], 127, 0);
        NEAR(a->k[1][100], a->counters.shot - 64, 0);
        NEAR(a->k[2][5], 0, 0);
        NEAR(a->t[130], 10e-6, 1e-12);
    }
    check_data(scan, 32879.572067958405, 6095.5372383962094, -29.238073513626446);
    check_array(scan, "coil_images", DIMS(256, 128, 8), 0.0014078401718506939, 4786.4952323659199);
    check_array(scan, "phantom", DIMS(128, 128), 2031.1999029964209, 1005.3999660640968);
    assert_non_null(strstr(scan->notes, "no trajectory"));
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(brain_2d),       cmocka_unit_test(brain_3d),          cmocka_unit_test(b0_phantom),
    cmocka_unit_test(time_from_echo), cmocka_unit_test(phantom_cartesian),
};
RUN_TESTS(tests)
