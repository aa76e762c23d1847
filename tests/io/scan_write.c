/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written reads back bit for bit; what the format cannot hold is refused; failures leave nothing
 * behind. */
#include "harness.h"
#include <dirent.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "scan_build.h"
#include "scan_file.h"
#include "scan_near.h"

enum { SAMPLES = 50, CHANNELS = 3, SHOTS = 300 };

/* Random, of two encodings; some acquisitions reversed, some without time, some without trajectory. */
typedef struct made {
    argand_scan scan;
    argand_encoding encodings[2];
    argand_acquisition acquisitions[SHOTS];
    argand_scan_array arrays[3];
    double echoes[2];
    float data[SHOTS][2 * SAMPLES * CHANNELS], k[3][SHOTS][SAMPLES], t[SHOTS][SAMPLES];
    double field[4 * 6 * 2], maps[2 * 4 * 6];
    float mask[4 * 6];
} made;

static void fill(float *x, size_t n, random_state *random, double size)
{
    for (size_t i = 0; i < n; i++) x[i] = (float)(size * (2 * random_uniform(random) - 1));
}

static void fill_doubles(double *x, size_t n, random_state *random)
{
    for (size_t i = 0; i < n; i++) x[i] = random_normal(random);
}

static void make_acquisition(made *m, int i, random_state *random)
{
    argand_acquisition *a = &m->acquisitions[i];
    const bool counted = i % 5 == 4;
    *a = (argand_acquisition){.flags = i % 3 == 0 ? ismrmrd_flag(ISMRMRD_REVERSE) | 64 : 128,
                              .encoding = counted ? 1 : 0,
                              .samples = SAMPLES - i % 7,
                              .channels = CHANNELS,
                              .centre_sample = 1 + i % 40,
                              .sample_time = (double)4e-6f,
                              .data = m->data[i],
                              .position = {1.5f, -2, (float)i},
                              .read_dir = {0, 1, 0},
                              .phase_dir = {1, 0, 0},
                              .slice_dir = {0, 0, -1}};
    a->sample_time = (double)4.0f * 1e-6;
    a->counters = (argand_counters){.shot = (uint16_t)(i % 20),
                                    .partition = (uint16_t)(i % 3),
                                    .average = (uint16_t)(i % 2),
                                    .slice = (uint16_t)(i / 100),
                                    .contrast = (uint16_t)(i % 2),
                                    .phase = (uint16_t)(i % 4),
                                    .repetition = (uint16_t)(i / 7),
                                    .set = 5,
                                    .segment = 6};
    fill(m->data[i], 2 * SAMPLES * CHANNELS, random, 1e-3);
    for (int d = 0; d < 3; d++) fill(m->k[d][i], SAMPLES, random, d < 2 ? 30 : 2);
    fill(m->t[i], SAMPLES, random, 0.01);
    for (int d = 0; d < 3 && !counted; d++) a->k[d] = m->k[d][i];
    if (!counted) a->t = m->t[i];
}

static made *make(void)
{
    made *m = calloc(1, sizeof *m);
    random_state random = {5};
    m->encodings[0] = (argand_encoding){.matrix = {64, 62, 4},
                                        .field_of_view = {240.125, 1.0 / 3, 60},
                                        .recon_matrix = {32, 31, 4},
                                        .recon_field_of_view = {120, 0.1, 60},
                                        .trajectory = "spiral",
                                        .step1_centre = -1,
                                        .step2_centre = 2};
    m->encodings[1] = (argand_encoding){.matrix = {128, 64, 5},
                                        .field_of_view = {240, 240, 60},
                                        .recon_matrix = {64, 64, 5},
                                        .recon_field_of_view = {240, 240, 60},
                                        .trajectory = "cartesian",
                                        .step1_centre = 33,
                                        .step2_centre = -1};
    for (int i = 0; i < SHOTS; i++) make_acquisition(m, i, &random);
    fill_doubles(m->field, 48, &random);
    fill_doubles(m->maps, 48, &random);
    fill(m->mask, 24, &random, 1);
    m->arrays[0] = (argand_scan_array){"FieldMap", ARGAND_R64, 3, {4, 6, 2}, m->field};
    m->arrays[1] = (argand_scan_array){"Mask", ARGAND_R32, 2, {4, 6}, m->mask};
    m->arrays[2] = (argand_scan_array){"SENSEMap", ARGAND_C64, 3, {4, 6, 1}, m->maps};
    m->echoes[0] = 0.0046;
    m->echoes[1] = 0.1 / 3;
    m->scan = (argand_scan){.encoding_count = 2,
                            .encodings = m->encodings,
                            .acquisition_count = SHOTS,
                            .acquisitions = m->acquisitions,
                            .array_count = 3,
                            .arrays = m->arrays,
                            .channels = CHANNELS,
                            .echo_time = m->echoes[0],
                            .echo_count = 2,
                            .echo_times = m->echoes,
                            .field_strength = 2.8936,
                            .repetition_time = 1.25,
                            .system = "Maker & <Sons> T\xc3\xbcrk"};
    return m;
}

static void same(const void *a, const void *b, size_t bytes)
{
    assert_memory_equal(a, b, bytes);
}

static void same_acquisition(const argand_acquisition *a, const argand_acquisition *b)
{
    const size_t n = (size_t)b->samples;
    same(&a->counters, &b->counters, sizeof a->counters);
    assert_true(a->flags == b->flags);
    assert_int_equal(a->encoding, b->encoding);
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->channels, b->channels);
    assert_int_equal(a->centre_sample, b->centre_sample);
    assert_true(a->sample_time == b->sample_time);
    same(a->data, b->data, 2 * n * CHANNELS * sizeof(float));
    for (int d = 0; d < 3 && b->k[d]; d++) same(a->k[d], b->k[d], n * sizeof(float));
    if (b->t) same(a->t, b->t, n * sizeof(float));
    same(a->position, b->position, sizeof a->position);
    same(a->slice_dir, b->slice_dir, sizeof a->slice_dir);
}

static void same_scan(const argand_scan *a, const argand_scan *b)
{
    assert_int_equal(a->encoding_count, b->encoding_count);
    for (int i = 0; i < a->encoding_count; i++)
        same(&a->encodings[i], &b->encodings[i], offsetof(argand_encoding, limits));
    assert_int_equal(a->acquisition_count, b->acquisition_count);
    for (int64_t i = 0; i < a->acquisition_count; i++)
        same_acquisition(&a->acquisitions[i], &b->acquisitions[i]);
    assert_int_equal(a->array_count, b->array_count);
    for (int i = 0; i < a->array_count; i++) {
        const argand_scan_array *x = &a->arrays[i], *y = argand_scan_find(b, x->name);
        size_t count = argand_type_size(x->type);
        assert_non_null(y);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->rank, y->rank);
        for (int d = 0; d < x->rank; d++) {
            assert_int_equal(x->dims[d], y->dims[d]);
            count *= (size_t)x->dims[d];
        }
        same(x->data, y->data, count);
    }
    assert_int_equal(a->echo_count, b->echo_count);
    for (int i = 0; i < a->echo_count; i++) /* milliseconds in the file: two roundings */
        NEAR(a->echo_times[i], b->echo_times[i], 4e-16 * b->echo_times[i]);
    assert_true(a->field_strength == b->field_strength && a->repetition_time == b->repetition_time);
    assert_string_equal(a->system, b->system);
}

static void round_trip(void **state)
{
    (void)state;
    made *m = make();
    argand_scan *first, *second;
    OK(argand_scan_write(&m->scan, path));
    OK(argand_scan_read(&first, path, NULL));
    same_scan(first, &m->scan);
    OK(argand_scan_write(first, path)); /* now with the computed trajectories as well */
    OK(argand_scan_read(&second, path, NULL));
    same_scan(second, first);
    argand_scan_destroy(second);
    argand_scan_destroy(first);
    free(m);
}

static argand_status write_to(void *file, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, file) == count ? ARGAND_OK : ARGAND_FILE;
}

static argand_status refuse_third(void *calls, const void *bytes, size_t count)
{
    (void)bytes, (void)count;
    return ++*(int *)calls == 3 ? ARGAND_STOPPED : ARGAND_OK;
}

/* A stream holds the file's acquisitions; it has no arrays. */
static void messages(void **state)
{
    (void)state;
    made *m = make();
    argand_scan *scan;
    int calls = 0;
    FILE *file = fopen(path, "wb");
    m->scan.array_count = 0;
    OK(argand_scan_write_messages(&m->scan, write_to, file));
    fclose(file);
    OK(argand_scan_read(&scan, path, NULL));
    assert_null(strstr(scan->notes, "closing"));
    same_scan(scan, &m->scan);
    argand_scan_destroy(scan);
    assert_int_equal(argand_scan_write_messages(&m->scan, refuse_third, &calls), ARGAND_STOPPED);
    assert_int_equal(calls, 3);
    m->acquisitions[9].data = NULL;
    FAILS(argand_scan_write_messages(&m->scan, refuse_third, &calls), ARGAND_ARGUMENT, "has no data");
    free(m);
}

static void real_files(void **state)
{
    (void)state;
    static const char *const names[] = {"brain_spiral_2d/brain_spiral_2d.h5",
                                        "phantom_cartesian/phantom_cartesian.h5"};
    for (int i = 0; i < 2; i++) {
        const char *real = test_data(names[i]);
        argand_scan *first, *second;
        if (!real) skip();
        OK(argand_scan_read(&first, real, NULL));
        OK(argand_scan_write(first, path));
        OK(argand_scan_read(&second, path, NULL));
        assert_int_equal(first->acquisition_count, second->acquisition_count);
        for (int64_t j = 0; j < first->acquisition_count; j++) {
            const argand_acquisition *a = &first->acquisitions[j], *b = &second->acquisitions[j];
            const size_t n = (size_t)a->samples * sizeof(float);
            assert_int_equal(a->samples, b->samples);
            same(a->data, b->data, 2 * n * (size_t)a->channels);
            for (int d = 0; d < 3; d++) same(a->k[d], b->k[d], n);
            same(a->t, b->t, n);
        }
        argand_scan_destroy(second);
        argand_scan_destroy(first);
    }
}

#define REFUSED(status, message, ...)                              \
    do {                                                           \
        made *m = make();                                          \
        __VA_ARGS__;                                               \
        FAILS(argand_scan_write(&m->scan, path), status, message); \
        assert_int_not_equal(access(path, F_OK), 0);               \
        free(m);                                                   \
    } while (0)

static void refusals(void **state)
{
    (void)state;
    REFUSED(ARGAND_ARGUMENT, "needs an encoding", m->scan.encoding_count = 0);
    REFUSED(ARGAND_ARGUMENT, "needs acquisitions", m->scan.acquisition_count = 0);
    REFUSED(ARGAND_ARGUMENT, "matrix sizes", m->encodings[1].matrix[2] = 70000);
    REFUSED(ARGAND_ARGUMENT, "fields of view", m->encodings[1].field_of_view[0] = 0);
    REFUSED(ARGAND_UNSUPPORTED, "acquisition 7 has 65536 samples", m->acquisitions[7].samples = 65536);
    REFUSED(ARGAND_UNSUPPORTED, "2000 channels", m->acquisitions[0].channels = 2000);
    REFUSED(ARGAND_ARGUMENT, "the first one has 3", m->acquisitions[9].channels = 2);
    REFUSED(ARGAND_ARGUMENT, "encoding 2 of 2", m->acquisitions[9].encoding = 2);
    REFUSED(ARGAND_ARGUMENT, "has no data", m->acquisitions[9].data = NULL);
    REFUSED(ARGAND_ARGUMENT, "both kx and ky", m->acquisitions[0].k[1] = NULL);
    REFUSED(ARGAND_ARGUMENT, "sample_time is nan", m->acquisitions[0].sample_time = NAN);
    REFUSED(ARGAND_ARGUMENT, "cannot be named \"data\"", strcpy(m->arrays[1].name, "data"));
    REFUSED(ARGAND_ARGUMENT, "cannot be named \"a/b\"", strcpy(m->arrays[1].name, "a/b"));
    REFUSED(ARGAND_ARGUMENT, "dimension 1 is 0", m->arrays[1].dims[1] = 0);
    REFUSED(ARGAND_FILE, "array Mask cannot be written", strcpy(m->arrays[0].name, "Mask"));
    made *m = make();
    FAILS(argand_scan_write(&m->scan, "/nowhere/at/all.h5"), ARGAND_FILE,
          "/nowhere/at/all.h5: cannot be written");
    free(m);
}

/* Every allocation of reading and of writing fails once. (The sanitizer's build looks for leaks.) */
static void no_memory(void **state)
{
    (void)state;
    made *m = make();
    argand_scan *scan;
    argand_status status = ARGAND_MEMORY;
    m->scan.acquisition_count = 12;
    long n = 1;
    for (; status != ARGAND_OK; n++) {
        argand_test_fail_allocation(n);
        status = argand_scan_write(&m->scan, path);
        argand_test_fail_allocation(0);
        if (status != ARGAND_OK) {
            assert_int_equal(status, ARGAND_MEMORY);
            assert_int_not_equal(access(path, F_OK), 0);
        }
    }
    assert_true(n > 5);
    for (n = 1, status = ARGAND_MEMORY; status != ARGAND_OK; n++) {
        argand_test_fail_allocation(n);
        status = argand_scan_read(&scan, path, NULL);
        argand_test_fail_allocation(0);
        if (status != ARGAND_OK) assert_int_equal(status, ARGAND_MEMORY);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    }
    assert_true(n > 30); /* the reader's own blocks, and two for each acquisition that HDF5 asks for */
    argand_scan_destroy(scan);
    free(m);
}

static const struct CMUnitTest tests[] = {TEST(round_trip), TEST(messages), TEST(real_files), TEST(refusals),
                                          TEST(no_memory)};
RUN_TESTS(tests)
