/* SPDX-License-Identifier: BSD-3-Clause */
/* ESPIRiT on a device makes the maps, eigenvalues and counts of the host: planes and volumes of odd sizes, 1
 * to 64 coils, several sets, in one launch or in many. If the device lacks something, the host steps in, and
 * a note says so. */
#include "harness.h"

#include "device/device.h"
#include "device/handle.h"

typedef struct plan {
    int rank;
    int64_t dims[4], sets;
    argand_type type;
    argand_espirit_options options;
    double noise;
} plan;

/* One run: maps, eigenvalues and report. */
typedef struct result {
    double *maps, *values;
    argand_espirit_report report;
} result;

static int64_t pixels_of(const plan *p)
{
    return p->dims[0] * p->dims[1] * (p->rank == 4 ? p->dims[2] : 1);
}

static int64_t coils_of(const plan *p)
{
    return p->dims[p->rank - 1];
}

/* K-space or coil images of a phantom with birdcage coils and noise, as numbers of the host. */
static double *make_data(const plan *p, double **object)
{
    argand_device *host;
    argand_array *maps, *image;
    argand_fft *fft;
    OK(argand_device_open(&host, "cpu"));
    OK(argand_array_create(&maps, host, ARGAND_C64, p->rank, p->dims));
    OK(argand_array_create(&image, host, ARGAND_R64, p->rank - 1, p->dims));
    OK(argand_coils_birdcage(maps));
    OK(argand_phantom_image(image, p->rank == 4 ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D));
    double *m = as_doubles(image);
    double complex *v = (double complex *)as_doubles(maps);
    for (int64_t i = 0; i < pixels_of(p) * coils_of(p); i++)
        v[i] *= m[i % pixels_of(p)] * cexp(I * 2.0 * (double)(i % p->dims[0]) / (double)p->dims[0]);
    OK(argand_array_upload(maps, v));
    OK(argand_fft_create(&fft, host,
                         &(argand_fft_options){.type = ARGAND_C64,
                                               .rank = p->rank - 1,
                                               .n = {p->dims[0], p->dims[1], p->rank == 4 ? p->dims[2] : 1},
                                               .batch = coils_of(p),
                                               .centred = true,
                                               .scale = ARGAND_SCALE_UNITARY}));
    OK(argand_fft_apply(fft, maps, maps, ARGAND_FORWARD));
    OK(argand_noise_add(maps, p->noise, 5));
    if (p->options.images) OK(argand_fft_apply(fft, maps, maps, ARGAND_INVERSE));
    free(v);
    v = (double complex *)as_doubles(maps);
    argand_fft_destroy(fft);
    argand_array_destroy(image);
    argand_array_destroy(maps);
    argand_device_close(host);
    *object = m;
    return (double *)v;
}

static result run(const plan *p, argand_device *d, argand_device *data_device, const double *numbers)
{
    result r;
    argand_array *data, *wide, *maps, *values;
    int64_t dims[5] = {0}, size[4] = {0};
    const bool is_double = p->type == ARGAND_C64;
    const int more = p->sets > 1;
    memcpy(dims, p->dims, sizeof p->dims);
    memcpy(size, p->dims, sizeof p->dims);
    dims[p->rank] = p->sets;
    size[p->rank - 1] = p->sets;
    argand_device *host;
    OK(argand_device_open(&host, "cpu"));
    OK(argand_array_create(&wide, host, ARGAND_C64, p->rank, p->dims));
    OK(argand_array_upload(wide, numbers));
    OK(argand_array_create(&data, data_device, p->type, p->rank, p->dims));
    OK(argand_array_copy(data, wide));
    OK(argand_array_create(&maps, d, p->type, p->rank + more, dims));
    OK(argand_array_create(&values, d, is_double ? ARGAND_R64 : ARGAND_R32, p->rank - 1 + more, size));
    OK(argand_coils_espirit(maps, values, data, &p->options, &r.report));
    r.maps = as_doubles(maps);
    r.values = as_doubles(values);
    argand_array_destroy(values);
    argand_array_destroy(maps);
    argand_array_destroy(data);
    argand_array_destroy(wide);
    argand_device_close(host);
    return r;
}

static void release(result *r)
{
    free(r->maps);
    free(r->values);
}

/* Maps agree to `small` where there is an object; wherever there are maps, to `small` by their mean; cropped
 * are the same pixels, except where the eigenvalue is at the crop. */
static void compare(const plan *p, const result *a, const result *b, const double *object, double small)
{
    const int64_t pixels = pixels_of(p), coils = coils_of(p);
    const double crop = p->options.crop == 0 ? 0.8 : p->options.crop;
    double inside = 0, square = 0, norm = 0, values = 0;
    int64_t other = 0;
    for (int64_t i = 0; i < pixels * p->sets; i++) {
        const bool at_crop = fabs(b->values[i] - crop) < 10 * small;
        double difference = 0, size[2] = {0};
        for (int64_t c = 0; c < coils; c++)
            for (int part = 0; part < 2; part++) {
                const int64_t at = 2 * ((i / pixels * coils + c) * pixels + i % pixels) + part;
                difference += pow(a->maps[at] - b->maps[at], 2);
                size[0] += a->maps[at] * a->maps[at];
                size[1] += b->maps[at] * b->maps[at];
            }
        if (at_crop) continue;
        other += (size[0] > 0) != (size[1] > 0);
        square += difference;
        norm += size[1];
        values = fmax(values, b->values[i] > crop ? fabs(a->values[i] - b->values[i]) : 0);
        if (object[i % pixels] > 0.1 && i < pixels) inside = fmax(inside, sqrt(difference));
    }
    printf("%lld x %lld, %lld coils: inside %.1e at most, everywhere %.1e, eigenvalues %.1e; %.4f kept\n",
           (long long)p->dims[0], (long long)p->dims[1], (long long)coils, inside, sqrt(square / norm),
           values, a->report.inside);
    CHECK_BELOW(inside, small);
    CHECK_BELOW(sqrt(square / norm), small);
    CHECK_BELOW(values, small);
    assert_int_equal(other, 0);
    assert_int_equal(a->report.rank, b->report.rank);
    CHECK_BELOW(fabs(a->report.inside - b->report.inside) * (double)pixels, 0.5 + 1e-4 * (double)pixels);
    CHECK_BELOW(fabs(a->report.folded - b->report.folded), 0.02);
}

/* Runs a plan on both devices. `memory`: of the device, as far as it says; 0: what it has. */
static void check(const plan *p, uint64_t memory)
{
    double *object, *data = make_data(p, &object);
    argand_device *host;
    const device_traits own = *device_traits_of(device);
    device_traits described = own;
    OK(argand_device_open(&host, "cpu"));
    if (memory) described.memory = memory;
    argand_test_device_traits(device, &described);
    result a = run(p, device, device, data), b = run(p, host, host, data);
    argand_test_device_traits(device, &own);
    assert_string_equal(a.report.note, "");
    compare(p, &a, &b, object, p->type == ARGAND_C64 ? 1e-9 : 1e-5);
    release(&a);
    release(&b);
    argand_device_close(host);
    free(data);
    free(object);
}

static void planes(void **state)
{
    (void)state;
    const plan plans[] = {
        {.rank = 3, .dims = {65, 84, 5}, .sets = 1, .type = ARGAND_C32, .noise = 2e-3},
        {.rank = 3,
         .dims = {51, 48, 12},
         .sets = 1,
         .type = ARGAND_C32,
         .noise = 2e-3,
         .options = {.crop = -1}},
        {.rank = 3,
         .dims = {48, 37, 8},
         .sets = 1,
         .type = ARGAND_C32,
         .noise = 2e-3,
         .options = {.soft = true}},
        {.rank = 3, .dims = {33, 40, 1}, .sets = 1, .type = ARGAND_C32, .noise = 2e-3},
        {.rank = 3,
         .dims = {40, 33, 6},
         .sets = 1,
         .type = ARGAND_C32,
         .noise = 2e-3,
         .options = {.images = true}},
        {.rank = 3, .dims = {44, 31, 7}, .sets = 1, .type = ARGAND_C64, .noise = 2e-3},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        if (plans[i].type == ARGAND_C32 || device_has_double(device)) check(&plans[i], 0);
}

static void many_coils(void **state)
{
    (void)state;
    const plan p = {.rank = 3,
                    .dims = {40, 41, 64},
                    .sets = 1,
                    .type = ARGAND_C32,
                    .noise = 2e-3,
                    .options = {.calibration = {16, 16}, .kernel = {4, 5}}};
    check(&p, 0);
}

/* The second set is orthogonal to the first. */
static void sets(void **state)
{
    (void)state;
    const plan p = {.rank = 3, .dims = {64, 60, 8}, .sets = 2, .type = ARGAND_C32, .noise = 1e-3};
    check(&p, 0);
}

static void volume(void **state)
{
    (void)state;
    const plan p = {.rank = 4,
                    .dims = {30, 21, 17, 4},
                    .sets = 1,
                    .type = ARGAND_C32,
                    .noise = 2e-3,
                    .options = {.calibration = {14, 13, 12}, .kernel = {4, 4, 3}}};
    check(&p, 0);
}

/* Little memory: launches of parts of rows, of several rows of a plane, and of several planes. */
static void slabs(void **state)
{
    (void)state;
    const plan plane = {.rank = 3, .dims = {65, 44, 5}, .sets = 2, .type = ARGAND_C32, .noise = 2e-3};
    const plan volume = {.rank = 4,
                         .dims = {19, 8, 13, 3},
                         .sets = 1,
                         .type = ARGAND_C32,
                         .noise = 2e-3,
                         .options = {.calibration = {10, 8, 9}, .kernel = {3, 4, 3}}};
    for (uint64_t memory = (uint64_t)1 << 20; memory <= (uint64_t)1 << 26; memory *= 8) {
        check(&plane, memory);
        check(&volume, memory);
    }
}

/* The device of the data serves if the maps are on the host. */
static void maps_elsewhere(void **state)
{
    (void)state;
    const plan p = {.rank = 3, .dims = {36, 40, 4}, .sets = 1, .type = ARGAND_C32, .noise = 2e-3};
    double *object, *data = make_data(&p, &object);
    argand_device *host;
    OK(argand_device_open(&host, "cpu"));
    result a = run(&p, host, device, data), b = run(&p, device, host, data), c = run(&p, host, host, data);
    assert_string_equal(a.report.note, "");
    compare(&p, &a, &c, object, 1e-5);
    assert_memory_equal(a.maps, b.maps, sizeof *a.maps * 2 * (size_t)(pixels_of(&p) * coils_of(&p)));
    release(&a);
    release(&b);
    release(&c);
    argand_device_close(host);
    free(data);
    free(object);
}

/* Maps of the plan's type from data in single precision. */
static double *maps_of(const plan *p, argand_device *maps_on, argand_device *data_on, const double *numbers,
                       argand_espirit_report *report)
{
    argand_device *host;
    argand_array *wide, *data, *maps;
    OK(argand_device_open(&host, "cpu"));
    OK(argand_array_create(&wide, host, ARGAND_C64, p->rank, p->dims));
    OK(argand_array_upload(wide, numbers));
    OK(argand_array_create(&data, data_on, ARGAND_C32, p->rank, p->dims));
    OK(argand_array_copy(data, wide));
    OK(argand_array_create(&maps, maps_on, p->type, p->rank, p->dims));
    OK(argand_coils_espirit(maps, NULL, data, &p->options, report));
    double *found = as_doubles(maps);
    argand_array_destroy(maps);
    argand_array_destroy(data);
    argand_array_destroy(wide);
    argand_device_close(host);
    return found;
}

/* The device cannot: the note says why, and the maps are the host's to the last bit. */
static void check_host(const plan *p, argand_device *maps_on, argand_device *data_on, const char *why)
{
    argand_espirit_report report, other;
    double *object, *data = make_data(p, &object);
    argand_device *host;
    OK(argand_device_open(&host, "cpu"));
    double *found = maps_of(p, maps_on ? maps_on : host, data_on ? data_on : host, data, &report),
           *expected = maps_of(p, host, host, data, &other);
    if (!strstr(report.note, "the host computed") || !strstr(report.note, why))
        fail_msg("the note is \"%s\"", report.note);
    assert_memory_equal(found, expected, sizeof *found * 2 * (size_t)(pixels_of(p) * coils_of(p)));
    free(expected);
    free(found);
    argand_device_close(host);
    free(data);
    free(object);
}

static void host_steps_in(void **state)
{
    (void)state;
    argand_device_info info;
    plan p = {.rank = 3, .dims = {36, 40, 4}, .sets = 1, .type = ARGAND_C32, .noise = 2e-3};
    if (device_is_host(device)) skip();
    (void)arena_empty(device);
    atomic_store(&device->limit, atomic_load(&device->held) + 65536);
    check_host(&p, device, NULL, "no memory for");
    atomic_store(&device->limit, 0);
    OK(argand_device_describe(device, &info));
    if (strcmp(info.backend, "opencl")) return;
    argand_device *single;
    setenv("ARGAND_OPENCL_DOUBLE", "off", 1);
    OK(argand_device_open(&single, "opencl:0"));
    unsetenv("ARGAND_OPENCL_DOUBLE");
    p.type = ARGAND_C64;
    check_host(&p, NULL, single, "no double precision");
    argand_device_close(single);
}

/* A device without doubles: sums along y and z are in single precision, too. */
static void without_doubles(void **state)
{
    (void)state;
    const plan p = {.rank = 3, .dims = {51, 44, 6}, .sets = 1, .type = ARGAND_C32, .noise = 2e-3};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (strcmp(info.backend, "opencl")) skip();
    argand_device *own = device;
    setenv("ARGAND_OPENCL_DOUBLE", "off", 1);
    OK(argand_device_open(&device, "opencl:0"));
    unsetenv("ARGAND_OPENCL_DOUBLE");
    check(&p, 0);
    argand_device_close(device);
    device = own;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(planes),        cmocka_unit_test(many_coils),      cmocka_unit_test(sets),
    cmocka_unit_test(volume),        cmocka_unit_test(slabs),           cmocka_unit_test(maps_elsewhere),
    cmocka_unit_test(host_steps_in), cmocka_unit_test(without_doubles),
};
RUN_TESTS(tests)
