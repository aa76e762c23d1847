/* SPDX-License-Identifier: BSD-3-Clause */
/* Volumes as bytes: what was packed comes back, and no change of the bytes is taken for a volume; bytes that
 * were changed and given a right checksum are refused or taken, without harm. */
#include "harness.h"
#undef TRY /* the tool has its own */
#include "output/output.h"

static char said[512];

void report_note(report *r, const char *format, ...)
{
    (void)r, (void)format;
}

argand_status report_error(argand_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    return status;
}

bool output_saves_maps(const output *o, int volume)
{
    return o->run.settings->save_maps && volume == 0;
}

enum { N = 6, VOLUMES = 2, HEAD = 40 };

/* A scan of two slices, and outputs of its session; volume 0 has coil maps to save. */
typedef struct fixture {
    argand_encoding encoding;
    argand_acquisition acquisitions[VOLUMES];
    argand_scan scan;
    argand_sense *session;
    output_settings settings;
} fixture;

static void set_up(fixture *f)
{
    static float samples[2 * N * N], k[2][N * N], t[N * N];
    for (int i = 0; i < N * N; i++) {
        samples[2 * i] = (float)(i % 5 + 1);
        k[0][i] = (float)(i % N - N / 2);
        k[1][i] = (float)(i / N - N / 2);
    }
    *f = (fixture){.encoding = {.matrix = {N, N, 1}, .field_of_view = {240, 240, 5}, .trajectory = "spiral"},
                   .settings = {.path = "out.npy", .parts = OUTPUT_COMPLEX, .save_maps = "maps.npy"}};
    for (int v = 0; v < VOLUMES; v++)
        f->acquisitions[v] = (argand_acquisition){.counters = {.slice = (uint16_t)v},
                                                  .samples = N * N,
                                                  .channels = 1,
                                                  .data = samples,
                                                  .k = {k[0], k[1]},
                                                  .t = t,
                                                  .sample_time = 1e-5};
    f->scan = (argand_scan){.encoding_count = 1,
                            .encodings = &f->encoding,
                            .acquisition_count = VOLUMES,
                            .acquisitions = f->acquisitions,
                            .channels = 1,
                            .header = "",
                            .notes = ""};
    OK(argand_sense_create(&f->session, device, &f->scan,
                           &(argand_sense_options){.iterations = 2, .sets = 1}));
}

static void make_output(output *o, fixture *f)
{
    const int64_t dims[4] = {N, N, VOLUMES, 1};
    *o = (output){
        .run = {.settings = &f->settings, .device = device, .scan = &f->scan, .session = f->session}};
    o->image_count = 1;
    o->images = calloc(1, sizeof *o->images);
    o->places = calloc(VOLUMES, sizeof *o->places);
    o->volumes = calloc(VOLUMES, sizeof *o->volumes);
    o->images[0].slices = VOLUMES;
    o->images[0].repetitions = 1;
    o->places[1].slice = 1;
    OK(argand_array_create(&o->images[0].array, device, ARGAND_C32, 4, dims));
    OK(argand_array_create(&o->images[0].pixel_map[OUTPUT_NOISE], device, ARGAND_R32, 4, dims));
    OK(argand_array_fill(o->images[0].array, (argand_scalar){0, 0}));
    OK(argand_array_fill(o->images[0].pixel_map[OUTPUT_NOISE], (argand_scalar){0, 0}));
}

static void free_output(output *o)
{
    for (int v = 0; v < VOLUMES; v++) {
        free(o->volumes[v].steps);
        free(o->volumes[v].notes);
        if (o->coil_maps) argand_array_destroy(o->coil_maps[v]);
    }
    argand_array_destroy(o->images[0].array);
    argand_array_destroy(o->images[0].pixel_map[OUTPUT_NOISE]);
    free(o->coil_maps);
    free(o->images);
    free(o->places);
    free(o->volumes);
    free(o->notes);
}

/* Fills a volume by hand, with a step, a note, noise and maps. */
static void fill_volume(output *o, int v)
{
    const int64_t n[4] = {N, N, 1, 1};
    argand_array *image, *maps;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, n));
    OK(argand_array_fill(image, (argand_scalar){v + 1, -1}));
    output_step_done(o, v,
                     &(argand_progress){.iteration = 3, .iterations = 5, .residual = 0.25, .seconds = 1});
    OK(output_put(o, v, image));
    OK(argand_array_fill(image, (argand_scalar){0, 0}));
    argand_array_destroy(image);
    o->volumes[v].notes = strdup("a note\n");
    OK(argand_array_create(&maps, device, ARGAND_C32, 4, n));
    OK(argand_array_fill(maps, (argand_scalar){7, 0}));
    o->coil_maps = calloc(VOLUMES, sizeof *o->coil_maps);
    o->coil_maps[v] = maps;
}

static void comes_back(void **state)
{
    fixture f;
    output from, to;
    byte_buffer blob = {0};
    int volume = -1;
    float numbers[2 * N * N * VOLUMES];
    (void)state;
    set_up(&f);
    make_output(&from, &f);
    make_output(&to, &f);
    fill_volume(&from, 0);
    OK(output_pack(&from, 0, "label", &blob));
    OK(output_examine(&to, "x", blob.data, blob.size, "label", &volume, NULL));
    assert_false(to.volumes[0].done);
    OK(output_unpack(&to, "x", blob.data, blob.size, "label", &volume, NULL));
    assert_int_equal(volume, 0);
    assert_true(to.volumes[0].done && !to.volumes[1].done && to.volumes[0].step_count == 1);
    assert_true(to.volumes[0].steps[0].residual == 0.25 && to.volumes[0].residual == 0.25);
    assert_true(to.volumes[0].energy == from.volumes[0].energy && to.volumes[0].energy > 70);
    assert_string_equal(to.volumes[0].notes, "a note\n");
    assert_string_equal(to.notes, "a note\n");
    assert_string_equal(output_info(&to).transform, output_info(&from).transform);
    OK(argand_array_download(to.images[0].array, numbers));
    assert_true(numbers[0] == 1 && numbers[1] == -1 && numbers[2 * N * N] == 0);
    OK(argand_array_download(to.coil_maps[0], numbers));
    assert_true(numbers[2 * N * N - 2] == 7);
    free(blob.data);
    free_output(&from);
    free_output(&to);
    argand_sense_destroy(f.session);
}

static void labels(void **state)
{
    fixture f;
    output from;
    byte_buffer blob = {0};
    int volume = -1;
    char *found = NULL;
    (void)state;
    set_up(&f);
    make_output(&from, &f);
    fill_volume(&from, 0);
    OK(output_pack(&from, 0, "theirs", &blob));
    assert_int_equal(output_examine(&from, "x", blob.data, blob.size, "ours", &volume, &found),
                     ARGAND_ARGUMENT);
    assert_string_equal(found, "theirs");
    free(found);
    free(blob.data);
    free_output(&from);
    argand_sense_destroy(f.session);
}

/* Gives changed bytes a right size and checksum. */
static void sign(unsigned char *data, size_t size)
{
    const int64_t length = (int64_t)size;
    const uint64_t hash = bytes_hash(data + HEAD, size - HEAD, 0);
    memcpy(data + 24, &length, sizeof length);
    memcpy(data + 32, &hash, sizeof hash);
}

/* Takes a copy of `size` bytes, of which sanitizers watch the end. */
static argand_status take(fixture *f, const unsigned char *data, size_t size, size_t at, int change,
                          bool signs)
{
    output to;
    int volume = -1;
    unsigned char *copy = malloc(size + !size);
    memcpy(copy, data, size);
    if (at < size) copy[at] = (unsigned char)(copy[at] ^ change);
    if (signs && size >= HEAD) sign(copy, size);
    make_output(&to, f);
    const argand_status status = output_unpack(&to, "x", copy, size, "", &volume, NULL);
    free_output(&to);
    free(copy);
    return status;
}

static void changes(void **state)
{
    fixture f;
    output from;
    byte_buffer blob = {0};
    (void)state;
    set_up(&f);
    make_output(&from, &f);
    fill_volume(&from, 0);
    OK(output_pack(&from, 0, NULL, &blob));
    OK(take(&f, blob.data, blob.size, blob.size, 0, false));
    for (size_t at = 0; at < blob.size; at++)
        assert_int_equal(take(&f, blob.data, blob.size, at, 1 << at % 8, false), ARGAND_FORMAT);
    for (size_t size = 0; size < blob.size; size++) {
        assert_int_equal(take(&f, blob.data, size, size, 0, false), ARGAND_FORMAT);
        assert_int_equal(take(&f, blob.data, size, size, 0, true), ARGAND_FORMAT);
    }
    for (size_t at = HEAD; at < blob.size; at++)
        for (int bit = 0; bit < 8; bit += 7) (void)take(&f, blob.data, blob.size, at, 1 << bit, true);
    free(blob.data);
    free_output(&from);
    argand_sense_destroy(f.session);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back), cmocka_unit_test(labels),
                                          cmocka_unit_test(changes)};
RUN_TESTS(tests)
