/* SPDX-License-Identifier: BSD-3-Clause */
/* The problems of FINUFFT's tests (its python/finufft/test and test/, release 2.5.1), written anew: sizes,
 * numbers of points, tolerances, positions in radians, types 1 to 3, both signs and orders. The truth is the
 * sum itself in long double; the limit is the tolerance, without a factor, or the error that the plan
 * announced where rounding alone is more. */
#include "truth.h"
#include "sample.h"

typedef struct finufft_case {
    int kind; /* type 1, 2 or 3 */
    argand_type type;
    int rank;
    int64_t n[3]; /* modes; of type 3 the range of frequencies */
    int64_t points, targets, vectors;
    double tolerance;
    int sign;               /* iflag */
    bool fft_order, offset; /* modeord; positions of type 3 away from 0 */
    argand_type real;       /* of positions */
    double (*place)(random_state *random, int64_t j, int axis, const struct finufft_case *c);
} finufft_case;

typedef struct finufft_data {
    argand_array *x[3], *s[3], *in, *out;
    double expected_error;
} finufft_data;

static double uniform_place(random_state *random, int64_t j, int axis, const finufft_case *c)
{
    (void)j, (void)axis, (void)c;
    return (random_uniform(random) - 0.5) * two_pi;
}

static argand_array *new_places(const finufft_case *c, bool targets, int axis, random_state *random)
{
    argand_array *array;
    const int64_t count = targets ? c->targets : c->points;
    OK(argand_array_create(&array, device, c->real, 1, &count));
    for (int64_t j = 0; j < count; j++) {
        double value = c->place(random, j, axis, c);
        if (targets) value *= (double)c->n[axis] / two_pi;
        if (c->offset) value += targets ? 1.2 * (double)c->n[axis] : 2;
        if (c->real == ARGAND_R64)
            ((double *)argand_array_data(array))[j] = value;
        else
            ((float *)argand_array_data(array))[j] = (float)value;
    }
    return array;
}

static int64_t modes(const finufft_case *c)
{
    int64_t count = 1;
    for (int axis = 0; axis < c->rank; axis++) count *= c->n[axis];
    return count;
}

static void make_data(finufft_data *d, const finufft_case *c)
{
    random_state random = {(uint64_t)(c->rank + 10 * c->kind)};
    int64_t image[4] = {c->n[0], c->n[1], c->n[2]};
    const int64_t samples[2] = {c->points, c->vectors}, targets[2] = {c->targets, c->vectors};
    *d = (finufft_data){0};
    image[c->rank] = c->vectors;
    for (int axis = 0; axis < c->rank; axis++) {
        d->x[axis] = new_places(c, false, axis, &random);
        if (c->kind == 3) d->s[axis] = new_places(c, true, axis, &random);
    }
    OK(argand_array_create(&d->in, device, c->type, c->kind == 2 ? c->rank + 1 : 2,
                           c->kind == 2 ? image : samples));
    OK(argand_array_create(&d->out, device, c->type, c->kind == 1 ? c->rank + 1 : 2,
                           c->kind == 1   ? image
                           : c->kind == 2 ? samples
                                          : targets));
    randomise(d->in, 3, 0, 0);
}

static void free_data(finufft_data *d)
{
    for (int axis = 0; axis < 3; axis++) {
        argand_array_destroy(d->x[axis]);
        argand_array_destroy(d->s[axis]);
    }
    argand_array_destroy(d->in);
    argand_array_destroy(d->out);
}

/* iflag is the sign of the exponent that is summed, whatever the type. */
static void run_case(finufft_data *d, const finufft_case *c)
{
    if (c->kind == 3) {
        argand_nufft3 *plan;
        argand_nufft3_info info;
        OK(argand_nufft3_create(&plan, device,
                                &(argand_nufft3_options){.type = c->type,
                                                         .rank = c->rank,
                                                         .tolerance = c->tolerance,
                                                         .sign = c->sign,
                                                         .units = ARGAND_NUFFT_RADIANS}));
        OK(argand_nufft3_set_points(plan, d->x, d->s));
        OK(argand_nufft3_apply(plan, d->out, d->in));
        argand_nufft3_describe(plan, &info);
        d->expected_error = info.expected_error;
        argand_nufft3_destroy(plan);
        return;
    }
    argand_nufft *plan;
    argand_nufft_info info;
    OK(argand_nufft_create(
        &plan, device,
        &(argand_nufft_options){.type = c->type,
                                .rank = c->rank,
                                .n = {c->n[0], c->n[1], c->n[2]},
                                .tolerance = c->tolerance,
                                .sign = c->kind == 1 ? -c->sign : c->sign,
                                .units = ARGAND_NUFFT_RADIANS,
                                .order = c->fft_order ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED}));
    OK(argand_nufft_set_points(plan, d->x));
    OK(c->kind == 1 ? argand_nufft_adjoint(plan, d->out, d->in) : argand_nufft_apply(plan, d->out, d->in));
    argand_nufft_describe(plan, &info);
    d->expected_error = info.expected_error;
    argand_nufft_destroy(plan);
}

/* x s of output `o` and input `i`, in radians */
static long double angle(const finufft_case *c, const finufft_data *d, int64_t o, int64_t i)
{
    const int64_t at = c->kind == 2 ? o : i;
    int64_t mode = c->kind == 1 ? o : i;
    long double sum = 0;
    for (int axis = 0; axis < c->rank; axis++) {
        const int64_t n = c->n[axis], pixel = mode % n;
        const int64_t frequency = !c->fft_order ? pixel - n / 2 : pixel < n - n / 2 ? pixel : pixel - n;
        mode /= n;
        sum += (long double)point(d->x[axis], at) *
               (c->kind == 3 ? (long double)point(d->s[axis], o) : (long double)frequency);
    }
    return sum;
}

/* Relative l2 of outputs `step` apart, over all vectors; an image's edge, where the error is largest, is one
 * pixel of all and must not be one of a few */
static double error_of(const finufft_case *c, const finufft_data *d, int64_t step)
{
    enum { MOST = 16 };
    double *in = as_doubles(d->in), *out = as_doubles(d->out), wrong = 0, norm = 0;
    const int64_t ins = argand_array_count(d->in) / c->vectors,
                  outs = argand_array_count(d->out) / c->vectors;
    assert_true(c->vectors <= MOST);
    for (int64_t o = step / 2; o < outs; o += step) {
        double complex sum[MOST] = {0};
        for (int64_t i = 0; i < ins; i++) {
            const long double a = c->sign * angle(c, d, o, i);
            const double complex phasor = CMPLX(cosl(a), sinl(a));
            for (int64_t v = 0; v < c->vectors; v++) {
                const double *number = in + 2 * (v * ins + i);
                sum[v] += CMPLX(number[0], number[1]) * phasor;
            }
        }
        for (int64_t v = 0; v < c->vectors; v++) {
            const double *number = out + 2 * (v * outs + o);
            const double complex difference = CMPLX(number[0], number[1]) - sum[v];
            wrong += creal(difference * conj(difference));
            norm += creal(sum[v] * conj(sum[v]));
        }
    }
    free(out);
    free(in);
    return sqrt(wrong / norm);
}

static void check(const finufft_case *given, int64_t step)
{
    static int64_t number;
    finufft_case c = *given;
    finufft_data d;
    if (!in_sample(number++, 3)) return;
    if (!c.place) c.place = uniform_place;
    if (!c.real) c.real = c.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    make_data(&d, &c);
    run_case(&d, &c);
    const double error = error_of(&c, &d, step), limit = fmax(c.tolerance, d.expected_error);
    if (getenv("VERBOSE") || !(error <= limit))
        fprintf(stderr,
                "type %d %s %lldx%lldx%lld points %lld vectors %lld: error %.2e, asked %.0e, expected %.2e\n",
                c.kind, argand_type_name(c.type), (long long)c.n[0], (long long)c.n[1], (long long)c.n[2],
                (long long)c.points, (long long)c.vectors, error, c.tolerance, d.expected_error);
    assert_true(isfinite(error));
    CHECK_BELOW(error, limit);
    free_data(&d);
}

/* ---- python/finufft/test: test_finufft_plan.py, test_finufft_simple.py ---- */

static void of_python(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{7}, {8}, {7, 7}, {8, 7}, {8, 8}, {7, 7, 7}, {8, 8, 7}, {8, 8, 8}};
    for (int shape = 0; shape < 8; shape++)
        for (int i = 0; i < 16; i++)
            for (int kind = 1; kind <= 3; kind++) {
                finufft_case c = {.kind = kind,
                                  .type = i & 1 ? ARGAND_C64 : ARGAND_C32,
                                  .rank = shape < 2   ? 1
                                          : shape < 5 ? 2
                                                      : 3,
                                  .points = i & 2 ? 10 : 11,
                                  .targets = i & 4 ? 10 : 11,
                                  .vectors = i & 8 ? 2 : 1,
                                  .tolerance = 1e-6,
                                  .sign = kind == 2 ? -1 : 1,
                                  .fft_order = i & 4};
                memcpy(c.n, shapes[shape], sizeof c.n);
                for (int axis = c.rank; axis < 3; axis++) c.n[axis] = 1;
                check(&c, 1);
            }
}

/* ---- test/CMakeLists.txt: finufft?d_test and finufft?dmany_test, both signs ---- */

static const struct {
    int rank;
    int64_t n[3], points, vectors;
} sizes[] = {{1, {100, 1, 1}, 200, 1},   {1, {100, 1, 1}, 200, 3}, {2, {100, 10, 1}, 1000, 1},
             {2, {100, 10, 1}, 1000, 3}, {3, {5, 10, 20}, 100, 1}, {3, {5, 10, 20}, 100, 2}};

static void of_its_makefile(void **state)
{
    (void)state;
    static const double single[] = {1e-3, 1e-5, 1e-6}, twice[] = {1e-6, 1e-9, 1e-12};
    for (int size = 0; size < 6; size++)
        for (int i = 0; i < 6; i++)
            for (int kind = 1; kind <= 3; kind++) {
                finufft_case c = {.kind = kind,
                                  .type = i & 1 ? ARGAND_C64 : ARGAND_C32,
                                  .rank = sizes[size].rank,
                                  .points = sizes[size].points,
                                  .vectors = sizes[size].vectors,
                                  .tolerance = i & 1 ? twice[i / 2] : single[i / 2],
                                  .sign = i & 2 ? 1 : -1,
                                  .offset = kind == 3};
                memcpy(c.n, sizes[size].n, sizeof c.n);
                c.targets = modes(&c);
                check(&c, 7);
            }
}

/* ---- test/tolsweep.cpp: every digit, all types ---- */

static void every_digit(void **state)
{
    (void)state;
    for (int rank = 1; rank <= 3; rank++)
        for (int kind = 1; kind <= 3; kind++)
            for (double tolerance = 1e-1; tolerance > 5e-13; tolerance /= 10) {
                finufft_case c = {.kind = kind,
                                  .type = ARGAND_C64,
                                  .rank = rank,
                                  .n = {rank == 1   ? 1000
                                        : rank == 2 ? 50
                                                    : 12,
                                        rank > 1 ? 20 : 1, rank > 2 ? 9 : 1},
                                  .points = 300,
                                  .targets = 500,
                                  .vectors = 1,
                                  .tolerance = tolerance,
                                  .sign = 1};
                check(&c, 5);
                c.type = ARGAND_C32;
                if (tolerance > 5e-7) check(&c, 5);
            }
}

/* ---- test/basicpassfail.cpp: many modes, a few of them looked at ---- */

static void many_modes(void **state)
{
    (void)state;
    finufft_case c = {.kind = 1,
                      .type = ARGAND_C64,
                      .rank = 1,
                      .n = {100000, 1, 1},
                      .points = 100000,
                      .vectors = 1,
                      .tolerance = 1e-6,
                      .sign = 1};
    check(&c, 14251);
    c.type = ARGAND_C32;
    c.tolerance = 1e-5;
    check(&c, 14251);
}

/* ---- single precision, 2^18 modes, positions in float: what is computed in float radians is off by 1e-2,
 * since 1e5 modes times the rounding of pi is that; here only the caller's rounding is left. ---- */

static void long_lines_in_single(void **state)
{
    (void)state;
    for (int kind = 1; kind <= 2; kind++)
        for (int real = 0; real < 2; real++) {
            const finufft_case c = {.kind = kind,
                                    .type = ARGAND_C32,
                                    .rank = 1,
                                    .n = {1 << 18, 1, 1},
                                    .points = 2000,
                                    .vectors = 1,
                                    .tolerance = 1e-5,
                                    .sign = -1,
                                    .real = real ? ARGAND_R64 : ARGAND_R32};
            check(&c, kind == 1 ? 8737 : 67);
        }
}

/* ---- positions on the grid and at its ends, where aliases add up and windows wrap around ---- */

static double aligned_place(random_state *random, int64_t j, int axis, const finufft_case *c)
{
    const int64_t n = c->n[axis];
    const double whole = floor(random_uniform(random) * (double)n) - (double)(n / 2);
    return two_pi * (whole + (j % 3 == 0 ? 0.5 : 0)) / (double)n;
}

static double end_place(random_state *random, int64_t j, int axis, const finufft_case *c)
{
    static const double places[] = {-0.5, 0.5, 1.5, -1.5};
    const int count = c->kind == 3 ? 2 : 4; /* type 3 has no period: its grid grows with the extents */
    return two_pi * (places[(j + axis) % count] + (j % 5 ? 1e-9 * (random_uniform(random) - 0.5) : 0));
}

static double one_place(random_state *random, int64_t j, int axis, const finufft_case *c)
{
    (void)j;
    return two_pi * (0.1234 * (axis + 1) + 0.2 * random_uniform(random) / (double)c->n[axis]);
}

static void places_that_are_special(void **state)
{
    (void)state;
    static double (*const places[])(random_state *, int64_t, int,
                                    const finufft_case *) = {aligned_place, end_place, one_place};
    for (int i = 0; i < 3; i++)
        for (int size = 0; size < 6; size++)
            for (int kind = 1; kind <= 3; kind++)
                for (int twice = 0; twice < 2; twice++) {
                    finufft_case c = {.kind = kind,
                                      .type = twice ? ARGAND_C64 : ARGAND_C32,
                                      .rank = sizes[size].rank,
                                      .points = 60,
                                      .targets = 70,
                                      /* random sums over one place may cancel */
                                      .vectors = 8,
                                      .tolerance = twice ? 1e-12 : 1e-6,
                                      .sign = 1,
                                      .place = places[i]};
                    for (int axis = 0; axis < 3; axis++)
                        c.n[axis] = sizes[size].n[axis] - (axis < c.rank && size % 2);
                    check(&c, 1);
                }
}

/* ---- test/dumbinputs.cpp, error_handling.c ---- */

static void inputs_that_make_no_sense(void **state)
{
    (void)state;
    argand_nufft *plan;
    argand_nufft3 *plan3;
    argand_array *x, *wrapped, *in, *out, *other;
    const int64_t points = 100, modes_count = 10;
    argand_nufft_options o = {.type = ARGAND_C64, .rank = 1, .n = {modes_count}, .tolerance = 0};
    OK(argand_array_create(&x, device, ARGAND_R64, 1, &points));
    OK(argand_array_create(&wrapped, device, ARGAND_R64, 1, &points));
    OK(argand_array_create(&in, device, ARGAND_C64, 1, &points));
    OK(argand_array_create(&out, device, ARGAND_C64, 1, &modes_count));
    OK(argand_array_create(&other, device, ARGAND_C64, 1, &modes_count));
    randomise(in, 1, 0, 0);
    for (int64_t j = 0; j < points; j++) ((double *)argand_array_data(x))[j] = 5 * cos((double)j);
    o.n[0] = 0;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "n[0] = 0");
    o.n[0] = -1;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "n[0] = -1");
    o.n[0] = INT64_C(100000000000);
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "n[0] = 100000000000");
    o.n[0] = modes_count;
    o.oversampling = 1;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "oversampling 1");
    o.oversampling = 0;
    OK(argand_nufft_create(&plan, device, &o));
    OK(argand_nufft_set_points(plan, &x));
    OK(argand_nufft_adjoint(plan, out, in));
    /* a period further: refused by FINUFFT, the same here */
    OK(argand_array_copy(wrapped, x));
    ((double *)argand_array_data(wrapped))[3] += 30 * (double)modes_count;
    OK(argand_nufft_set_points(plan, &wrapped));
    OK(argand_nufft_adjoint(plan, other, in));
    double *a = as_doubles(out), *b = as_doubles(other);
    CHECK_BELOW(relative_error(b, a, 2 * (size_t)modes_count), 1e-12);
    free(b);
    free(a);
    argand_nufft_destroy(plan);
    /* XK product too big */
    OK(argand_nufft3_create(&plan3, device, &(argand_nufft3_options){.type = ARGAND_C64, .rank = 1}));
    ((double *)argand_array_data(wrapped))[3] = 1e11;
    FAILS(argand_nufft3_set_points(plan3, &x, &wrapped), ARGAND_UNSUPPORTED, "at most 2^26");
    argand_nufft3_destroy(plan3);
    argand_array *const all[] = {other, out, in, wrapped, x};
    for (int i = 0; i < 5; i++) argand_array_destroy(all[i]);
}

/* One source, one target, both, many vectors of them */
static void one_point_of_type_3(void **state)
{
    (void)state;
    for (int rank = 1; rank <= 3; rank++)
        for (int i = 0; i < 8; i++) {
            const finufft_case c = {.kind = 3,
                                    .type = i & 4 ? ARGAND_C32 : ARGAND_C64,
                                    .rank = rank,
                                    .n = {10, 10, 10},
                                    .points = i & 1 ? 1 : 100,
                                    .targets = i & 2 ? 1 : 10,
                                    .vectors = i & 4 ? 10 : 1,
                                    .tolerance = i & 4 ? 1e-5 : 1e-8,
                                    .sign = 1,
                                    .offset = i & 1};
            check(&c, 1);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(of_python),
    cmocka_unit_test(of_its_makefile),
    cmocka_unit_test(every_digit),
    cmocka_unit_test(many_modes),
    cmocka_unit_test(long_lines_in_single),
    cmocka_unit_test(places_that_are_special),
    cmocka_unit_test(inputs_that_make_no_sense),
    cmocka_unit_test(one_point_of_type_3),
};
RUN_TESTS(tests)
