/* SPDX-License-Identifier: BSD-3-Clause */
/* How numbers may lie in memory (half, bfloat16, bytes, split parts), and functions of the user's own at
 * load, store and spectrum. */
#include "access_reference.h"

/* ---- storage types, decoded by their definitions ---- */

static double decode_half(unsigned h)
{
    const int exponent = (int)(h >> 10 & 31), sign = h >> 15 ? -1 : 1;
    const double fraction = (double)(h & 1023);
    if (exponent == 31) return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static double decode_bfloat(unsigned b)
{
    const int exponent = (int)(b >> 7 & 255), sign = b >> 15 ? -1 : 1;
    const double fraction = (double)(b & 127);
    if (exponent == 255) return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(128 + fraction, exponent - 134) : ldexp(fraction, -133));
}

static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Transforms of one point do nothing but convert. */
static argand_array *converted(const argand_array *x, argand_type type, argand_type from, argand_type to)
{
    const int64_t count = argand_array_count(x);
    argand_fft_options o = {
        .type = type, .rank = 1, .n = {1}, .batch = count, .input = {.type = from}, .output = {.type = to}};
    argand_array *y = new_array(to, 2, (int64_t[]){1, count});
    argand_fft *plan = new_plan(&o);
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    argand_fft_destroy(plan);
    return y;
}

/* Every 16-bit pattern becomes the number that it stands for, and that number the pattern. */
static void all_patterns(void **state)
{
    (void)state;
    enum { ALL = 65536 };
    for (int kind = 0; kind < 2; kind++) {
        const argand_type type = kind ? ARGAND_RB16 : ARGAND_R16;
        uint16_t *bits = malloc(ALL * sizeof *bits), *again = malloc(ALL * sizeof *again);
        for (int i = 0; i < ALL; i++) bits[i] = (uint16_t)i;
        argand_array *x = new_array(type, 2, (int64_t[]){1, ALL});
        OK(argand_array_upload(x, bits));
        argand_array *y = converted(x, ARGAND_C32, type, ARGAND_R32),
                     *z = converted(y, ARGAND_C32, ARGAND_R32, type);
        double *numbers = as_doubles(y);
        OK(argand_array_download(z, again));
        for (unsigned i = 0; i < ALL; i++) {
            const double wanted = kind ? decode_bfloat(i) : decode_half(i);
            if (!same_value(numbers[i], wanted)) fail_msg("pattern %x: %g, not %g", i, numbers[i], wanted);
            const double back = kind ? decode_bfloat(again[i]) : decode_half(again[i]);
            if (!same_value(back, wanted)) fail_msg("pattern %x comes back as %x", i, again[i]);
        }
        free(bits);
        free(again);
        free(numbers);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_array_destroy(z);
    }
}

/* The same of numbers that are converted many at a time: the spectrum of a line whose first number alone is
 * not zero is that number throughout. */
static void patterns_in_lines(void **state)
{
    (void)state;
    enum { ALL = 65536, N = 16 };
    argand_fft_options o = {.type = ARGAND_C32,
                            .rank = 1,
                            .n = {N},
                            .batch = ALL,
                            .input = {.type = ARGAND_C16},
                            .output = {.type = ARGAND_C16}};
    uint16_t *bits = calloc(2 * N * ALL, sizeof *bits);
    for (int i = 0; i < ALL; i++) bits[2 * N * i] = (uint16_t)i;
    argand_array *x = new_array(ARGAND_C16, 2, (int64_t[]){N, ALL}),
                 *y = new_array(ARGAND_C16, 2, (int64_t[]){N, ALL});
    argand_fft *plan = new_plan(&o);
    OK(argand_array_upload(x, bits));
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    OK(argand_array_download(y, bits));
    for (unsigned i = 0; i < ALL; i++)
        for (int k = 0; k < N; k++) {
            const double wanted = decode_half(i), have = decode_half(bits[2 * (N * i + (unsigned)k)]);
            if (isfinite(wanted) ? have != wanted : isfinite(have))
                fail_msg("pattern %x: number %d is %g, not %g", i, k, have, wanted);
        }
    free(bits);
    argand_fft_destroy(plan);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

/* Between two neighbours the nearer one is taken, the even one half way; beyond the largest half comes
 * infinity; bytes are cut off. */
static void rounding(void **state)
{
    (void)state;
    static const struct {
        float x;
        uint16_t half, bfloat;
        uint8_t byte;
    } cases[] = {{1, 0x3c00, 0x3f80, 1},
                 {1 + 0x1p-11f, 0x3c00, 0x3f80, 1},     /* half way between two halves: the even one */
                 {1 + 3 * 0x1p-11f, 0x3c02, 0x3f80, 1}, /* again, upwards */
                 {1 + 0x1p-11f + 0x1p-20f, 0x3c01, 0x3f80, 1},
                 {1 + 0x1p-8f, 0x3c04, 0x3f80, 1}, /* half way between two bfloat16 */
                 {1 + 3 * 0x1p-8f, 0x3c0c, 0x3f82, 1},
                 {65504, 0x7bff, 0x4780, 255},
                 {65519, 0x7bff, 0x4780, 255},
                 {65520, 0x7c00, 0x4780, 255},
                 {0x1p-24f, 0x0001, 0x3380, 0},
                 {0x1p-25f, 0x0000, 0x3300, 0},
                 {3 * 0x1p-25f, 0x0002, 0x33c0, 0},
                 {-0x1p-14f, 0x8400, 0xb880, 0},
                 {-3, 0xc200, 0xc040, 0},
                 {254.4f, 0x5bf3, 0x437e, 254},
                 {254.6f, 0x5bf5, 0x437f, 255},
                 {0.5f, 0x3800, 0x3f00, 1}};
    enum { COUNT = sizeof cases / sizeof *cases };
    float x[COUNT];
    uint16_t half[COUNT], bfloat[COUNT];
    uint8_t byte[COUNT];
    for (int i = 0; i < COUNT; i++) x[i] = cases[i].x;
    argand_array *in = new_array(ARGAND_R32, 2, (int64_t[]){1, COUNT});
    OK(argand_array_upload(in, x));
    argand_array *h = converted(in, ARGAND_C32, ARGAND_R32, ARGAND_R16),
                 *b = converted(in, ARGAND_C32, ARGAND_R32, ARGAND_RB16),
                 *u = converted(in, ARGAND_C32, ARGAND_R32, ARGAND_U8);
    OK(argand_array_download(h, half));
    OK(argand_array_download(b, bfloat));
    OK(argand_array_download(u, byte));
    for (int i = 0; i < COUNT; i++)
        if (half[i] != cases[i].half || bfloat[i] != cases[i].bfloat || byte[i] != cases[i].byte)
            fail_msg("%.9g: %04x %04x %d", (double)x[i], half[i], bfloat[i], byte[i]);
    argand_array_destroy(in);
    argand_array_destroy(h);
    argand_array_destroy(b);
    argand_array_destroy(u);
}

/* A transform kept in halves, both sides: 2^-11 a number at most, and that is what is left of the error. */
static void half_transform(void **state)
{
    (void)state;
    enum { N = 64, M = 18 };
    argand_array *x = new_array(ARGAND_C32, 2, (int64_t[]){N, M}),
                 *y = new_array(ARGAND_C32, 2, (int64_t[]){N, M}),
                 *back = new_array(ARGAND_C32, 2, (int64_t[]){N, M});
    argand_array *half_x = new_array(ARGAND_C16, 2, (int64_t[]){N, M}),
                 *half_y = new_array(ARGAND_C16, 2, (int64_t[]){N, M});
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {N, M}, .scale = ARGAND_SCALE_UNITARY};
    argand_fft *plain = new_plan(&o);
    o.output.type = ARGAND_C16;
    argand_fft *to_half = new_plan(&o);
    o.input.type = ARGAND_C16;
    argand_fft *halves = new_plan(&o);
    o.output.type = 0;
    argand_fft *from_half = new_plan(&o);
    randomise(x, 1, 0, 0);
    OK(argand_fft_apply(plain, y, x, ARGAND_FORWARD));
    exact *expected = exact_of(y);
    OK(argand_fft_apply(to_half, half_x, x, ARGAND_FORWARD));
    OK(argand_fft_apply(halves, half_y, half_x, ARGAND_INVERSE)); /* x again */
    OK(argand_fft_apply(from_half, back, half_y, ARGAND_FORWARD));
    CHECK_BELOW(distance(back, expected, 1), 1e-3);
    free(expected);
    argand_array *const made[] = {x, y, back, half_x, half_y};
    for (int i = 0; i < 5; i++) argand_array_destroy(made[i]);
    argand_fft *const plans[] = {plain, to_half, halves, from_half};
    for (int i = 0; i < 4; i++) argand_fft_destroy(plans[i]);
}

/* ---- split parts ---- */

/* Two real images as one complex one through a real filter: each is filtered alone. One left over has no
 * partner. */
static void two_images(void **state)
{
    (void)state;
    enum { NX = 9, NY = 6 };
    for (int pair = 0; pair < 2; pair++) {
        argand_array *images = new_array(ARGAND_R64, 3, (int64_t[]){NX, NY, 1 + pair}),
                     *out = new_array(ARGAND_R64, 3, (int64_t[]){NX, NY, 1 + pair}),
                     *window = new_array(ARGAND_R64, 2, (int64_t[]){NX, NY});
        randomise(images, 2, 0, 0);
        double w[NX * NY]; /* even in k: a real kernel */
        for (int i = 0; i < NX * NY; i++)
            w[i] = 1 + cos(6.283185307179586 * (i % NX) / NX) * (i / NX == 0 ? 1 : 0.5);
        OK(argand_array_upload(window, w));
        argand_fft_options o = {.type = ARGAND_C64,
                                .rank = 2,
                                .scale = ARGAND_SCALE_INVERSE,
                                .axes_given = true,
                                .axes = {{NX, 1, 1}, {NY, NX, NX}},
                                .input = {.type = ARGAND_R64, .imaginary = pair ? NX * NY : 0},
                                .output = {.type = ARGAND_R64, .imaginary = pair ? NX * NY : 0}};
        o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
        argand_fft *plan = new_plan(&o);
        OK(argand_fft_apply(plan, out, images, ARGAND_FORWARD));
        exact *x = exact_of(images), *y = exact_of(out);
        for (int i = 0; i <= pair; i++) {
            exact *one = x + i * NX * NY;
            direct_fft(one, 2, (int64_t[]){NX, NY}, 1, -1, false);
            for (int j = 0; j < NX * NY; j++) one[j] *= w[j];
            direct_fft(one, 2, (int64_t[]){NX, NY}, 1, 1, false);
            for (int j = 0; j < NX * NY; j++)
                CHECK_BELOW((double)cabsl(one[j] / (NX * NY) - y[i * NX * NY + j]), 1e-13);
        }
        free(x);
        free(y);
        argand_fft_destroy(plan);
        argand_array_destroy(images);
        argand_array_destroy(out);
        argand_array_destroy(window);
    }
}

/* ---- functions of the user's own ---- */

/* v e^(i p0) (1 + p1 x) + p2 (y + 3 loop) conj(mirror), the same three times over. */
static exact own(exact v, exact mirror, const int64_t *at, const double *p)
{
    return v * (cosl((long double)p[0]) + I * sinl((long double)p[0])) * (1 + (long double)p[1] * at[0]) +
           (long double)p[2] * (at[1] + 3 * at[2]) * conjl(mirror);
}

static void own_double(void *values, const void *mirror, const argand_access_run *run)
{
    double complex *v = values;
    const double complex *m = mirror;
    int64_t at[ARGAND_ACCESS_DIMS];
    memcpy(at, run->coordinate, sizeof at);
    for (int64_t i = 0; i < run->count; i++, at[run->axis]++)
        v[i] = (double complex)own(v[i], m ? m[i] : 0, at, run->parameters);
}

static void own_float(void *values, const void *mirror, const argand_access_run *run)
{
    float complex *v = values;
    const float complex *m = mirror;
    int64_t at[ARGAND_ACCESS_DIMS];
    memcpy(at, run->coordinate, sizeof at);
    for (int64_t i = 0; i < run->count; i++, at[run->axis]++)
        v[i] = (float complex)own(v[i], m ? m[i] : 0, at, run->parameters);
}

static const char own_text[] =
    "DEVICE struct pair own(struct pair v, struct pair mirror, struct access_point at)\n"
    "{\n"
    "    const REAL c = COS(at.p[0]), s = SIN(at.p[0]), f = 1 + at.p[1] * (REAL)at.i[0];\n"
    "    const REAL g = at.p[2] * (REAL)(at.i[1] + 3 * at.i[2]);\n"
    "    return make_pair((v.re * c - v.im * s) * f + g * mirror.re, (v.re * s + v.im * c) * f - g * "
    "mirror.im);\n"
    "}\n";

static argand_accessor own_accessor(argand_type type, bool mirror)
{
    return (argand_accessor){.kind = ARGAND_ACCESS_CALL,
                             .mirror = mirror,
                             .parameters = {0.7, 0.25, 0.5},
                             .function = type == ARGAND_C64 ? own_double : own_float,
                             .source = own_text,
                             .name = "own"};
}

static void functions(void **state)
{
    (void)state;
    enum { B = 5 };
    own_function = own;
    for (int t = 0; t < precisions(); t++) {
        const argand_type type = t ? ARGAND_C64 : ARGAND_C32;
        argand_fft_options o = {.type = type,
                                .rank = 2,
                                .n = {10, 9},
                                .batch = B,
                                .scale = ARGAND_SCALE_UNITARY,
                                .input = {.window = {{7, -3, ARGAND_BORDER_WRAP}, {9, 2}}},
                                .output = {.window = {{6, 8}, {9}}}};
        o.access.load[0] = own_accessor(type, false);
        o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0, 1}};
        o.access.store[1] = own_accessor(type, false);
        argand_array *x = new_array(type, 3, (int64_t[]){7, 9, B}),
                     *y = new_array(type, 3, (int64_t[]){6, 9, B});
        randomise(x, 3, 0, 0);
        CHECK_BELOW(access_error(&o, y, x, ARGAND_FORWARD), 4 * fft_tolerance(type, 90));
        argand_array_destroy(x);
        argand_array_destroy(y);
    }
}

/* X[-k], with one axis and with three: both halves of the spectrum see each other's old values. */
static void mirrors(void **state)
{
    (void)state;
    own_function = own;
    for (int rank = 1; rank <= 3; rank += 2)
        for (int t = 0; t < precisions(); t++) {
            const argand_type type = t ? ARGAND_C64 : ARGAND_C32;
            const int64_t loops = rank == 1 ? 19 : 2,
                          dims[4] = {7, rank == 1 ? loops : 6, rank == 1 ? 1 : 5, rank == 1 ? 1 : loops};
            argand_fft_options o = {
                .type = type, .rank = rank, .n = {7, 6, 5}, .batch = loops, .scale = ARGAND_SCALE_INVERSE};
            o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 1}};
            o.access.spectrum[1] = own_accessor(type, true);
            argand_array *x = new_array(type, 4, dims), *y = new_array(type, 4, dims);
            randomise(x, 4, 0, 0);
            /* the reference's mirror is of the spectrum before the chain: put the scalar into it */
            exact *expected;
            argand_fft_options same = o;
            same.access.spectrum[0] = o.access.spectrum[1];
            same.access.spectrum[1] = (argand_accessor){0};
            same.access.load[0] = o.access.spectrum[0];
            expected = access_reference(&same, y, x, ARGAND_FORWARD);
            argand_fft *plan = new_plan(&o);
            OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
            CHECK_BELOW(distance(y, expected, 1), 8 * fft_tolerance(type, 210));
            free(expected);
            argand_fft_destroy(plan);
            argand_array_destroy(x);
            argand_array_destroy(y);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_patterns),   cmocka_unit_test(patterns_in_lines), cmocka_unit_test(rounding),
    cmocka_unit_test(half_transform), cmocka_unit_test(two_images),        cmocka_unit_test(functions),
    cmocka_unit_test(mirrors),
};
RUN_TESTS(tests)
