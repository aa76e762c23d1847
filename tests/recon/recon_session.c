/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions on small scans made in memory by the plain double sum of the model: non-square Cartesian matrices
 * with two coils, so that conjugate gradients must find the true image again. */
#include "made_scan.h"

/* The tables of names have the order of their enums. */
static void names_of_methods(void **state)
{
    (void)state;
    argand_kind_info info;
    assert_string_equal(argand_transform_name(ARGAND_TRANSFORM_SEGMENTED), "segmented");
    assert_string_equal(argand_toeplitz_use_name(ARGAND_TOEPLITZ_OFF), "off");
    OK(argand_coils_describe(ARGAND_COILS_ESPIRIT, &info));
    assert_string_equal(info.name, "espirit");
    assert_non_null(strstr(info.paper, "ESPIRiT"));
    OK(argand_density_describe(ARGAND_DENSITY_DECONVOLVE, &info));
    assert_string_equal(info.name, "deconvolve");
    assert_string_equal(argand_density_name(ARGAND_DENSITY_FILE), "file");
    assert_string_equal(argand_density_name((argand_density)5), "unknown");
    assert_string_equal(argand_coils_name((argand_coils)-1), "unknown");
    FAILS(argand_coils_describe((argand_coils)4, &info), ARGAND_ARGUMENT, "4 is not known");
    FAILS(argand_density_describe((argand_density)5, &info), ARGAND_ARGUMENT, "density 5 is not known");
}

static void every_slice_repetition_and_contrast(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    add_coil_maps(m);
    for (uint16_t repetition = 2; repetition-- > 0;) /* not in the order of the counters */
        for (uint16_t contrast = 0; contrast < 2; contrast++)
            add_image(m, (argand_counters){.slice = 0, .repetition = repetition, .contrast = contrast}, 1,
                      1e-5, 0);
    argand_sense *session;
    OK(create_session(&session, &m->scan, &exact));
    assert_int_equal(argand_sense_volumes(session), 4);
    for (int v = 0; v < 4; v++) {
        const argand_counters *c = argand_sense_counters(session, v);
        assert_int_equal(c->contrast, v / 2); /* slowest first: contrast, then repetition */
        assert_int_equal(c->repetition, v % 2);
        double complex expected[PIXELS];
        truth(expected, 0, c->repetition);
        CHECK_BELOW(run_error(session, v, expected), stored_in_single);
    }
    assert_string_equal(argand_sense_transform(session), "nufft");
    argand_sense_destroy(session);
    free_scan(m);
}

static void slices_have_their_own_maps(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    const double fields[2] = {300, -700};
    float *maps = own(m, sizeof(float) * 2 * PIXELS * COILS * 2), *field = own(m, sizeof(float) * PIXELS * 2);
    for (int slice = 0, i = 0; slice < 2; slice++) {
        add_image(m, (argand_counters){.slice = (uint16_t)slice}, 1, 1e-4, fields[slice]);
        for (int c = 0; c < COILS; c++)
            for (int p = 0; p < PIXELS; p++) {
                maps[i++] = (float)creal(coil_at(c, p % NX, p / NX));
                maps[i++] = (float)cimag(coil_at(c, p % NX, p / NX));
            }
        for (int p = 0; p < PIXELS; p++) field[p + PIXELS * slice] = (float)fields[slice];
    }
    m->arrays[0] = (argand_scan_array){
        .name = "SENSEMap", .type = ARGAND_C32, .rank = 5, .dims = {NX, NY, 1, COILS, 2}, .data = maps};
    m->arrays[1] = (argand_scan_array){
        .name = "FieldMap", .type = ARGAND_R32, .rank = 3, .dims = {NX, NY, 2}, .data = field};
    m->scan.array_count = 2;
    argand_sense *session;
    OK(create_session(&session, &m->scan, &exact));
    assert_string_equal(argand_sense_transform(session), "dft"); /* because there is a field map */
    for (int slice = 0; slice < 2; slice++) {
        double complex expected[PIXELS];
        truth(expected, slice, 0);
        CHECK_BELOW(run_error(session, slice, expected), stored_in_single);
        assert_true(argand_sense_geometry(session, slice).centre[2] == 5. * slice);
    }
    argand_sense_destroy(session);
    free_scan(m);
}

/* Twice the readout samples over twice the field of view: the image is that of the inner half. */
static void readout_oversampling_is_cut_by_the_model(void **state)
{
    (void)state;
    made_scan *m = new_scan(2);
    add_coil_maps(m);
    add_image(m, (argand_counters){0}, 2, 1e-5, 0);
    argand_sense *session;
    int64_t n[3];
    double complex expected[PIXELS];
    OK(create_session(&session, &m->scan, &exact));
    argand_sense_grid(session, n);
    assert_int_equal(n[0], NX);
    assert_true(fabs(argand_sense_geometry(session, 0).voxel[0] - 20) < 1e-12);
    truth(expected, 0, 0);
    CHECK_BELOW(run_error(session, 0, expected), stored_in_single);
    argand_sense_destroy(session);
    free_scan(m);
}

/* s(k) = sum m exp(-i (2 pi k r + w t)) with t = t0 + k dwell is the transform of the image moved by f dwell
 * fields of view towards +x, times exp(-i w t0): f = 3 pixels / (N dwell) moves it by three pixels. (Noll et
 * al. 1991; the test that mri-nufft issue 254 asks for.) With the map, the image is back in its place. */
static void constant_field_shifts_the_image_as_textbooks_say(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    const double dwell = 1e-4, field = 2 * PI * 3 / (NX * dwell);
    add_image(m, (argand_counters){0}, 1, dwell, field);
    /* the first coil alone: its image is the object times its map, and moves as a whole */
    m->scan.channels = 1;
    for (int a = 0; a < m->scan.acquisition_count; a++) m->acquisitions[a].channels = 1;
    m->scan.array_count = 0;
    argand_sense *session;
    double complex expected[PIXELS], moved[PIXELS];
    truth(expected, 0, 0);
    for (int p = 0; p < PIXELS; p++) expected[p] *= coil_at(0, p % NX, p / NX);
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
            moved[(x + 3) % NX + NX * y] = expected[x + NX * y] * cexp(-I * field * 0.005);
    OK(create_session(&session, &m->scan, &exact));
    CHECK_BELOW(run_error(session, 0, moved), 2e-5); /* t in float: w t of 150 rad to 6e-8 relative */
    argand_sense_destroy(session);
    add_real_map(m, "FieldMap", 2, (int64_t[]){NX, NY}, field);
    OK(create_session(&session, &m->scan, &exact));
    CHECK_BELOW(run_error(session, 0, expected), 2e-5);
    argand_sense_destroy(session);
    free_scan(m);
}

/* The same picture for data in any units, with and without penalty. */
static void scale_of_the_data_does_not_matter(void **state)
{
    (void)state;
    double *images[2];
    for (int round = 0; round < 2; round++) {
        made_scan *m = new_scan(1);
        add_coil_maps(m);
        add_image(m, (argand_counters){0}, 1, 1e-5, 0);
        const float scale = round ? 0x1p-40f : 1;
        for (int a = 0; a < m->scan.acquisition_count; a++)
            for (int i = 0; i < 2 * NX * COILS; i++)
                ((float *)(uintptr_t)m->acquisitions[a].data)[i] *= scale;
        argand_sense *session;
        argand_array *image;
        argand_sense_options options = exact;
        options.regularizers = &(argand_regularizer){.kind = ARGAND_QUADRATIC, .weight = 0.01};
        options.regularizer_count = 1;
        options.iterations = 6;
        OK(argand_sense_create(&session, device, &m->scan, &options));
        OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
        OK(argand_sense_run(session, 0, image, NULL, NULL));
        images[round] = as_doubles(image);
        for (int i = 0; i < 2 * PIXELS; i++) images[round][i] /= (double)scale;
        argand_array_destroy(image);
        argand_sense_destroy(session);
        free_scan(m);
    }
    CHECK_BELOW(relative_error(images[1], images[0], 2 * PIXELS), 1e-12);
    free(images[0]);
    free(images[1]);
}

static void a_smaller_matrix_leaves_out_what_lies_beyond(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    add_image(m, (argand_counters){0}, 1, 1e-5, 0);
    m->scan.channels = 1;
    for (int a = 0; a < m->scan.acquisition_count; a++) m->acquisitions[a].channels = 1;
    argand_sense *session;
    argand_array *image;
    argand_sense_options options = exact;
    options.matrix[0] = 8;
    OK(argand_sense_create(&session, device, &m->scan, &options));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){8, NY, 1}));
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    bool finite;
    OK(argand_array_is_finite(&finite, image));
    assert_true(finite);
    assert_true(fabs(argand_sense_geometry(session, 0).voxel[0] - 30) < 1e-12);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    free_scan(m);
}

/* The image that options give, as doubles; *iterations: how many were done. */
static double *image_with(const made_scan *m, const argand_sense_options *options, int *iterations)
{
    argand_sense *session;
    argand_array *image;
    int last[1] = {0};
    OK(argand_sense_create(&session, device, &m->scan, options));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, 0, image, keep_iteration, last));
    *iterations = last[0];
    double *numbers = as_doubles(image);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return numbers;
}

/* The ancestor's programs took options and ignored them (peers' bug 13): here each one changes what comes
 * out. */
static void every_option_has_an_effect(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    int done;
    add_coil_maps(m);
    add_image(m, (argand_counters){0}, 1, 1e-4, 0);
    add_real_map(m, "Twenty", 2, (int64_t[]){NX, NY}, 20);
    add_real_map(m, "DensityCompensation", 2, (int64_t[]){NX, NY}, 1);
    for (int p = 0; p < PIXELS; p++) ((float *)(uintptr_t)m->arrays[2].data)[p] = (float)(1 + p % 3);
    argand_array *r2star, *half;
    float mask[PIXELS] = {0};
    for (int p = 0; p < PIXELS / 2; p++) mask[p] = 1;
    OK(argand_array_create(&r2star, device, ARGAND_R32, 2, (int64_t[]){NX, NY}));
    OK(argand_array_fill(r2star, (argand_scalar){50, 0}));
    OK(argand_array_create(&half, device, ARGAND_R32, 2, (int64_t[]){NX, NY}));
    OK(argand_array_upload(half, mask));

    argand_sense_options base = exact;
    base.iterations = 4;
    double *plain = image_with(m, &base, &done);
    assert_int_equal(done, 4);
    argand_sense_options changed[] = {base, base, base, base, base, base, base, base};
    changed[0].iterations = 2;
    changed[1].regularizers = &(argand_regularizer){.kind = ARGAND_QUADRATIC, .weight = 0.1};
    changed[1].regularizer_count = 1;
    changed[2].density = ARGAND_DENSITY_FILE;
    changed[3].field_map_name = "Twenty";
    changed[4].coil_maps_name = "";
    changed[5].mask = half;
    changed[6].r2star = r2star;
    changed[7].transform = ARGAND_TRANSFORM_DFT_GRADIENTS;
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        double *image = image_with(m, &changed[i], &done);
        if (relative_error(image, plain, 2 * PIXELS) < 1e-4) fail_msg("option %zu changes nothing", i);
        for (int p = PIXELS / 2; i == 5 && p < PIXELS; p++)
            assert_true(image[2 * p] == 0 && image[2 * p + 1] == 0);
        free(image);
    }
    argand_sense_options early = exact;
    early.tolerance = 0.1;
    free(image_with(m, &early, &done));
    assert_in_range(done, 1, 20);
    free(plain);
    argand_array_destroy(r2star);
    argand_array_destroy(half);
    free_scan(m);
}

/* A slice that was not measured is zeros and costs the others nothing, whichever comes first. */
static void an_empty_slice_is_zeros(void **state)
{
    (void)state;
    for (int empty = 0; empty < 2; empty++) {
        made_scan *m = new_scan(1);
        argand_sense *s;
        argand_array *image;
        add_image(m, (argand_counters){.slice = 0}, 1, 1e-5, 0);
        add_image(m, (argand_counters){.slice = 1}, 1, 1e-5, 0);
        for (int64_t q = 0; q < m->scan.acquisition_count; q++)
            if (m->acquisitions[q].counters.slice == empty)
                memset((void *)(uintptr_t)m->acquisitions[q].data, 0, sizeof(float) * 2 * NX * COILS);
        OK(argand_sense_create(&s, device, &m->scan, &(argand_sense_options){.type = ARGAND_C64}));
        OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
        for (int slice = 0; slice < 2; slice++) {
            double norm;
            OK(argand_array_fill(image, (argand_scalar){7, 7}));
            OK(argand_sense_run(s, slice, image, NULL, NULL));
            OK(argand_array_norm(&norm, image));
            assert_true(slice == empty ? norm == 0 : norm > 1 && isfinite(norm));
        }
        assert_non_null(strstr(argand_sense_notes(s), "All samples of slice"));
        argand_array_destroy(image);
        argand_sense_destroy(s);
        free_scan(m);
    }
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    argand_sense *s;
    add_image(m, (argand_counters){.slice = 1}, 1, 1e-5, 0);
    add_real_map(m, "Small", 2, (int64_t[]){NX, NY - 1}, 1);
    add_real_map(m, "Flat", 2, (int64_t[]){NX, NY}, 1);
    add_real_map(m, "Nan", 3, (int64_t[]){NX, NY, 2}, NAN);
    argand_sense_options o = exact;
    o.field_map_name = "Small";
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "\"Small\" of the scan is (6, 12), but the image is (7, 12)");
    o.field_map_name = "Flat";
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "1 slice(s), but the scan has 2");
    o.field_map_name = "Nan";
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "not finite");
    o.field_map_name = "Nowhere";
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "no array \"Nowhere\"");
    o.field_map_name = NULL;
    o.coil_maps_name = "Flat";
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "(2, 1, 7, 12)");
    o.coil_maps_name = NULL;
    o.regularizers = &(argand_regularizer){.kind = ARGAND_QUADRATIC, .weight = -1};
    o.regularizer_count = 1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "quadratic has the weight -1");
    o.regularizer_count = 0;
    o.encoding = 1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "encoding space 1");
    o.encoding = 0;
    argand_array *decay;
    double values[2 * NX * NY] = {0};
    values[4] = -3;
    OK(argand_array_create(&decay, device, ARGAND_R64, 3, (int64_t[]){NX, NY, 2}));
    OK(argand_array_upload(decay, values));
    o.r2star = decay;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "the R2* map is -3 at pixel 4");
    o.r2star = NULL;
    argand_array_destroy(decay);
    o.density = ARGAND_DENSITY_FILE;
    argand_array *image;
    add_coil_maps(m);
    o.coil_maps_name = "";
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "DensityCompensation");
    o.density = ARGAND_DENSITY_NONE;
    OK(argand_sense_create(&s, device, &m->scan, &o));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(s, 1, image, NULL, NULL), ARGAND_ARGUMENT, "volume 1 of 1");
    argand_array_destroy(image);
    argand_sense_destroy(s);
    free_scan(m);
}

/* A session goes on with the next repetition, after what it was made from is gone. */
static void a_session_goes_on_with_another_scan(void **state)
{
    (void)state;
    made_scan *m = new_scan(1), *next = new_scan(1), *other = new_scan(2);
    argand_sense *session;
    double complex expected[PIXELS];
    add_coil_maps(m);
    add_image(m, (argand_counters){.repetition = 0}, 1, 1e-5, 0);
    add_image(next, (argand_counters){.repetition = 1}, 1, 1e-5, 0);
    add_image(next, (argand_counters){.repetition = 2}, 1, 1e-5, 0);
    add_image(other, (argand_counters){.repetition = 3}, 2, 1e-5, 0);
    OK(create_session(&session, &m->scan, &exact));
    truth(expected, 0, 0);
    CHECK_BELOW(run_error(session, 0, expected), stored_in_single);
    FAILS(argand_sense_continue(session, &other->scan), ARGAND_ARGUMENT,
          "matrix or field of view differ from the session's first scan along axis 0");
    next->acquisitions[0].data = other->acquisitions[0].data; /* nothing finite */
    ((float *)(uintptr_t)other->acquisitions[0].data)[0] = INFINITY;
    FAILS(argand_sense_continue(session, &next->scan), ARGAND_FORMAT, "is not a finite number");
    CHECK_BELOW(run_error(session, 0, expected), stored_in_single); /* as it was */
    next->scan.acquisitions += NY;
    next->scan.acquisition_count -= NY;
    OK(argand_sense_continue(session, &next->scan));
    free_scan(m);
    assert_int_equal(argand_sense_volumes(session), 1);
    assert_int_equal(argand_sense_counters(session, 0)->repetition, 2);
    truth(expected, 0, 2);
    CHECK_BELOW(run_error(session, 0, expected), stored_in_single);
    argand_sense_destroy(session);
    free_scan(next);
    free_scan(other);
}

/* The same readouts without their first `first` and last `last` samples. */
static void cut_readouts(made_scan *m, int first, int last)
{
    for (int64_t q = 0; q < m->scan.acquisition_count; q++) {
        argand_acquisition *a = &m->acquisitions[q];
        const int64_t left = a->samples - first - last;
        float *data = own(m, sizeof(float) * 2 * (size_t)left * COILS);
        for (int64_t c = 0; c < COILS; c++)
            memcpy(data + 2 * left * c, a->data + 2 * (first + a->samples * c),
                   sizeof(float) * 2 * (size_t)left);
        a->data = data;
        a->samples = left;
        for (int axis = 0; axis < 3; axis++) a->k[axis] += first;
        a->t += first;
    }
}

static void fill_with_zeros(made_scan *m, int first, int last)
{
    for (int64_t q = 0; q < m->scan.acquisition_count; q++) {
        const argand_acquisition *a = &m->acquisitions[q];
        for (int64_t c = 0; c < COILS; c++)
            for (int64_t i = 0; i < a->samples; i++)
                if (i < first || i >= a->samples - last)
                    memset((float *)(uintptr_t)a->data + 2 * (i + a->samples * c), 0, 2 * sizeof(float));
    }
}

static double *image_of(made_scan *m, bool *noted)
{
    argand_sense *session;
    argand_array *image;
    OK(create_session(&session, &m->scan, &exact));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    *noted = strstr(argand_sense_notes(session), "an echo that was filled up");
    double *numbers = as_doubles(image);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    free_scan(m);
    return numbers;
}

/* An asymmetric echo gives the same image whether its samples are left out of the file or filled with zeros,
 * and another one than where samples that are not quite 0 are data. */
static void zeros_at_the_ends_of_readouts_are_not_measured(void **state)
{
    (void)state;
    double *image[3];
    bool noted[3];
    for (int kind = 0; kind < 3; kind++) {
        made_scan *m = new_scan(1);
        add_coil_maps(m);
        add_image(m, (argand_counters){0}, 1, 1e-5, 0);
        if (kind == 0) cut_readouts(m, 3, 1);
        if (kind > 0) fill_with_zeros(m, 3, 1);
        memset((float *)(uintptr_t)m->acquisitions[2].data, 0, sizeof(float) * 2 * NX * COILS * (kind == 1));
        if (kind == 0)
            memset((float *)(uintptr_t)m->acquisitions[2].data, 0, sizeof(float) * 2 * (NX - 4) * COILS);
        for (int64_t i = 0; kind == 2 && i < m->scan.acquisition_count * 2 * NX * COILS; i++) {
            float *data = (float *)(uintptr_t)m->acquisitions[i / (2 * NX * COILS)].data;
            float *at = data + i % (2 * NX * COILS);
            if (*at == 0) *at = 1e-20F;
        }
        image[kind] = image_of(m, &noted[kind]);
    }
    assert_true(noted[1] && !noted[0] && !noted[2]);
    assert_true(relative_error(image[1], image[0], 2 * PIXELS) == 0);
    assert_true(relative_error(image[2], image[0], 2 * PIXELS) > 0.01);
    for (int kind = 0; kind < 3; kind++) free(image[kind]);
}

/* Samples that a mask left out are found one by one; zeros of receivers that count in whole numbers are data,
 * and so is a volume of nothing else. */
static void single_zeros_are_not_measured(void **state)
{
    (void)state;
    for (int whole_numbers = 0; whole_numbers < 2; whole_numbers++) {
        made_scan *m = new_scan(1);
        argand_sense *s;
        int64_t zeros = 0;
        add_image(m, (argand_counters){0}, 1, 1e-5, 0);
        add_image(m, (argand_counters){.repetition = 1}, 1, 1e-5, 0);
        for (int64_t q = 0; q < m->scan.acquisition_count; q++)
            for (int64_t i = 0; i < NX; i++)
                for (int64_t part = 0; part < 2 * COILS; part++) {
                    float *at =
                        (float *)(uintptr_t)m->acquisitions[q].data + 2 * (i + NX * (part / 2)) + part % 2;
                    if (whole_numbers)
                        *at = roundf(*at / 16);
                    else if ((5 * q + 3 * i) % 7 == 0 || q >= NY)
                        *at = 0;
                }
        OK(argand_sense_create(&s, device, &m->scan, &(argand_sense_options){.type = ARGAND_C64}));
        for (int64_t q = 0; q < NY; q++)
            for (int64_t i = 0; i < NX; i++) {
                const argand_acquisition *a = &m->acquisitions[q];
                bool zero = true;
                for (int64_t c = 0; c < COILS; c++)
                    zero &= a->data[2 * (i + NX * c)] == 0 && a->data[2 * (i + NX * c) + 1] == 0;
                zeros += zero;
                assert_int_equal(argand_sense_is_measured(s, a, i), whole_numbers || !zero);
            }
        assert_true(zeros > 0 && !argand_sense_is_measured(s, m->acquisitions, NX));
        const bool noted = strstr(argand_sense_notes(s), "are exactly 0 in all channels");
        assert_true(noted != whole_numbers);
        argand_sense_destroy(s);
        free_scan(m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(single_zeros_are_not_measured),
    cmocka_unit_test(zeros_at_the_ends_of_readouts_are_not_measured),
    cmocka_unit_test(a_session_goes_on_with_another_scan),
    cmocka_unit_test(names_of_methods),
    cmocka_unit_test(every_slice_repetition_and_contrast),
    cmocka_unit_test(slices_have_their_own_maps),
    cmocka_unit_test(readout_oversampling_is_cut_by_the_model),
    cmocka_unit_test(constant_field_shifts_the_image_as_textbooks_say),
    cmocka_unit_test(scale_of_the_data_does_not_matter),
    cmocka_unit_test(an_empty_slice_is_zeros),
    cmocka_unit_test(a_smaller_matrix_leaves_out_what_lies_beyond),
    cmocka_unit_test(every_option_has_an_effect),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
