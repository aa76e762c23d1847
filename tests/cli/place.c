/* SPDX-License-Identifier: BSD-3-Clause */
/* Where volumes go: slices in the order of space, oblique, with gaps; a file for each kind; what the NIfTI
 * header then says, read from its bytes. */
#include "harness.h"
#undef TRY /* the tool has its own */
#include "output/output.h"

#include <unistd.h>

static char note[512];

void report_note(report *r, const char *format, ...)
{
    (void)r;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
}

argand_status report_error(argand_status status, const char *format, ...)
{
    (void)format;
    return status;
}

enum { NX = 6, NY = 4, SAMPLES = 24, MOST = 64 };

/* A scan of single-shot slices in memory, and the session and places that follow from it. */
typedef struct fixture {
    argand_encoding encoding;
    argand_acquisition acquisitions[MOST];
    argand_scan scan;
    argand_sense *session;
    output images;
} fixture;

static float samples[2 * SAMPLES], k[2][SAMPLES], t[SAMPLES];
static const double along_read[3] = {0.8, 0.6, 0}, phase[3] = {-0.48, 0.64, -0.6},
                    normal[3] = {-0.36, 0.48, 0.8};

static argand_acquisition *add(fixture *f, int slice, const double place[3])
{
    argand_acquisition *a = &f->acquisitions[f->scan.acquisition_count++];
    *a = (argand_acquisition){
        .samples = SAMPLES, .channels = 1, .data = samples, .k = {k[0], k[1]}, .t = t, .sample_time = 1e-5};
    a->counters.slice = (uint16_t)slice;
    for (int i = 0; i < 3; i++) {
        a->position[i] = (float)place[i];
        a->read_dir[i] = (float)along_read[i];
        a->phase_dir[i] = (float)phase[i];
        a->slice_dir[i] = (float)normal[i];
    }
    return a;
}

/* So far along the normal from (5, -7, 11). */
static argand_acquisition *add_along(fixture *f, int slice, double distance)
{
    const double place[3] = {5 + distance * normal[0], -7 + distance * normal[1], 11 + distance * normal[2]};
    return add(f, slice, place);
}

static fixture *new_fixture(void)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->encoding = (argand_encoding){.matrix = {NX, NY, 1},
                                    .field_of_view = {12, 12, 4},
                                    .recon_matrix = {NX, NY, 1},
                                    .recon_field_of_view = {12, 12, 4},
                                    .step1_centre = -1,
                                    .step2_centre = -1};
    f->scan = (argand_scan){.encoding_count = 1,
                            .encodings = &f->encoding,
                            .acquisitions = f->acquisitions,
                            .channels = 1,
                            .system = "",
                            .header = "",
                            .notes = ""};
    for (int i = 0; i < SAMPLES; i++) {
        k[0][i] = (float)(i % NX - NX / 2);
        k[1][i] = (float)(i / NX - NY / 2);
        samples[2 * i] = 1;
    }
    return f;
}

static void arrange(fixture *f)
{
    note[0] = 0;
    OK(argand_sense_create(&f->session, device, &f->scan,
                           &(argand_sense_options){.transform = ARGAND_TRANSFORM_NUFFT}));
    const size_t volumes = (size_t)argand_sense_volumes(f->session);
    f->images.run.session = f->session;
    f->images.images = calloc(volumes, sizeof *f->images.images);
    f->images.places = calloc(volumes, sizeof *f->images.places);
    assert_true(f->images.images && f->images.places);
    OK(output_arrange(&f->images));
}

static void end(fixture *f)
{
    free(f->images.images);
    free(f->images.places);
    argand_sense_destroy(f->session);
    free(f);
}

static int64_t slice_of(const fixture *f, int counter)
{
    for (int v = 0; v < argand_sense_volumes(f->session); v++)
        if (argand_sense_counters(f->session, v)->slice == counter) return f->images.places[v].slice;
    return -1;
}

/* srow_x, srow_y, srow_z of a NIfTI-1 file with the image's geometry */
static void rows_of(float rows[3][4], const output_image *image)
{
    char path[64];
    argand_array *zeros;
    unsigned char head[352];
    snprintf(path, sizeof path, "/tmp/argand-place-%ld.nii", (long)getpid());
    OK(argand_array_create(&zeros, device, ARGAND_R32, 3, (int64_t[]){NX, NY, image->slices}));
    OK(argand_nifti_write(path, zeros, &image->geometry, 0));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    unlink(path);
    memcpy(rows, head + 280, 48);
    argand_array_destroy(zeros);
}

/* The voxel (x, y, slice) lies there: LPS in, RAS in the file. */
static void voxel_is_at(const output_image *image, int x, int y, int64_t slice, const double place[3])
{
    static const double signs[3] = {-1, -1, 1};
    float rows[3][4];
    rows_of(rows, image);
    for (int i = 0; i < 3; i++) {
        const double found = (double)rows[i][0] * x + (double)rows[i][1] * y +
                             (double)rows[i][2] * (double)slice + (double)rows[i][3];
        CHECK_BELOW(fabs(found - signs[i] * place[i]), 2e-5);
    }
}

/* Acquired 2, 0, 3, 1 along the normal; 4 mm thick, 5.5 mm apart: each slice's centre is where the scanner
 * had it. */
static void interleaved_oblique_with_gaps(void **state)
{
    (void)state;
    static const int order[4] = {2, 0, 3, 1};
    fixture *f = new_fixture();
    for (int repetition = 0; repetition < 2; repetition++)
        for (int i = 0; i < 4; i++)
            add_along(f, i, 5.5 * order[i])->counters.repetition = (uint16_t)repetition;
    arrange(f);
    assert_int_equal(f->images.image_count, 1);
    const output_image *image = &f->images.images[0];
    assert_int_equal(image->slices, 4);
    assert_int_equal(image->repetitions, 2);
    assert_string_equal(image->label, "");
    assert_string_equal(note, "");
    CHECK_BELOW(fabs(image->geometry.voxel[2] - 5.5), 1e-5);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(slice_of(f, i), order[i]);
        double place[3];
        for (int axis = 0; axis < 3; axis++)
            place[axis] = (const double[]){5, -7, 11}[axis] + 5.5 * order[i] * normal[axis];
        voxel_is_at(image, NX / 2, NY / 2, order[i], place);
        for (int axis = 0; axis < 3; axis++)
            place[axis] += -3 * 2 * along_read[axis] + 1 * 3 * phase[axis]; /* voxels of 2 x 3 mm */
        voxel_is_at(image, 0, 3, order[i], place);
    }
    end(f);
}

/* Counters with holes, and slices that go against their normal: no empty slices, and the file's third axis
 * follows the normal. */
static void holes_in_the_counters(void **state)
{
    (void)state;
    fixture *f = new_fixture();
    add_along(f, 1, 10);
    add_along(f, 4, 5);
    add_along(f, 9, 0)->counters.repetition = 7;
    arrange(f);
    const output_image *image = &f->images.images[0];
    assert_int_equal(image->slices, 3);
    assert_int_equal(image->repetitions, 2);
    assert_int_equal(slice_of(f, 1), 2);
    assert_int_equal(slice_of(f, 4), 1);
    assert_int_equal(slice_of(f, 9), 0);
    voxel_is_at(image, NX / 2, NY / 2, 0, (const double[]){5, -7, 11});
    CHECK_BELOW(fabs(image->geometry.slice[2] - 0.8), 1e-5);
    end(f);
}

static void uneven_slices_are_told(void **state)
{
    (void)state;
    fixture *f = new_fixture();
    add_along(f, 0, 0);
    add_along(f, 1, 5);
    add_along(f, 2, 14);
    arrange(f);
    assert_non_null(strstr(note, "distances between slices differ"));
    CHECK_BELOW(fabs(f->images.images[0].geometry.voxel[2] - 7), 1e-5);
    end(f);
}

/* Positions that nobody filled in: the order of the counters, one thickness apart. */
static void no_positions(void **state)
{
    (void)state;
    static const double nowhere[3];
    fixture *f = new_fixture();
    for (int i = 0; i < 3; i++) add(f, i, nowhere);
    arrange(f);
    for (int i = 0; i < 3; i++) {
        double place[3];
        assert_int_equal(slice_of(f, i), i);
        for (int axis = 0; axis < 3; axis++) place[axis] = 4 * i * normal[axis];
        voxel_is_at(&f->images.images[0], NX / 2, NY / 2, i, place);
    }
    end(f);
}

/* A localiser's slices look three ways: they cannot be one volume. */
static void localiser(void **state)
{
    (void)state;
    fixture *f = new_fixture();
    for (int i = 0; i < 3; i++) {
        argand_acquisition *a = add_along(f, i, 0);
        float kept[3];
        for (int rotation = 0; rotation < i; rotation++) {
            memcpy(kept, a->read_dir, sizeof kept);
            memcpy(a->read_dir, a->phase_dir, sizeof kept);
            memcpy(a->phase_dir, a->slice_dir, sizeof kept);
            memcpy(a->slice_dir, kept, sizeof kept);
        }
    }
    arrange(f);
    assert_int_equal(f->images.image_count, 3);
    for (int i = 0; i < 3; i++) {
        char expected[20];
        snprintf(expected, sizeof expected, "_slice-%d", i + 1);
        assert_string_equal(f->images.images[i].label, expected);
        assert_int_equal(f->images.images[i].slices, 1);
        voxel_is_at(&f->images.images[i], NX / 2, NY / 2, 0, (const double[]){5, -7, 11});
    }
    end(f);
}

static void a_file_for_each_kind(void **state)
{
    (void)state;
    fixture *f = new_fixture();
    for (int i = 0; i < 16; i++) {
        argand_acquisition *a = add_along(f, 0, 0);
        a->counters.contrast = i & 1;
        a->counters.phase = (i >> 1 & 1) * 3;
        a->counters.set = i >> 2 & 1;
        a->counters.average = i >> 3 & 1;
    }
    arrange(f);
    assert_int_equal(f->images.image_count, 16);
    for (int i = 0; i < 16; i++) {
        const argand_counters *c = &f->images.images[i].counters;
        char expected[96];
        snprintf(expected, sizeof expected, "_set-%d_phase-%d_contrast-%d_average-%d", c->set + 1,
                 c->phase + 1, c->contrast + 1, c->average + 1);
        assert_string_equal(f->images.images[i].label, expected);
    }
    end(f);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(interleaved_oblique_with_gaps),
                                          cmocka_unit_test(holes_in_the_counters),
                                          cmocka_unit_test(uneven_slices_are_told),
                                          cmocka_unit_test(no_positions),
                                          cmocka_unit_test(localiser),
                                          cmocka_unit_test(a_file_for_each_kind)};
RUN_TESTS(tests)
