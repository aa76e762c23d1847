/* SPDX-License-Identifier: BSD-3-Clause */
/* Trajectories keep what they promise: extent, spacing, gradient and slew limits, counts, times. */
#include "harness.h"

static const double pi = 3.14159265358979323846;

typedef struct made {
    int rank;
    int64_t samples, shots, partitions;
    double *k[3], *t;
} made;

static made make(argand_trajectory_options options)
{
    argand_array *k[3], *t;
    made m = {0};
    OK(argand_trajectory_make(k, &t, device, ARGAND_R64, &options));
    m.rank = options.n[2] > 1 ? 3 : 2;
    m.samples = argand_array_dim(t, 0);
    m.shots = argand_array_dim(t, 1);
    m.partitions = argand_array_dim(t, 2);
    for (int d = 0; d < m.rank; d++) {
        assert_non_null(k[d]);
        assert_int_equal(argand_array_count(k[d]), m.samples * m.shots * m.partitions);
        m.k[d] = as_doubles(k[d]);
        argand_array_destroy(k[d]);
    }
    if (m.rank == 2) assert_null(k[2]);
    m.t = as_doubles(t);
    argand_array_destroy(t);
    return m;
}

static void release(made *m)
{
    for (int d = 0; d < 3; d++) free(m->k[d]);
    free(m->t);
}

static void cartesian_covers_the_grid(void **state)
{
    (void)state;
    const int64_t sizes[][2] = {{8, 6}, {7, 5}, {16, 9}};
    for (int i = 0; i < 3; i++) {
        made m = make((argand_trajectory_options){
            .kind = ARGAND_CARTESIAN, .n = {sizes[i][0], sizes[i][1]}, .echo = 0.005});
        assert_int_equal(m.samples, sizes[i][0]);
        assert_int_equal(m.shots, sizes[i][1]);
        for (int64_t y = 0; y < m.shots; y++)
            for (int64_t x = 0; x < m.samples; x++) {
                assert_true(m.k[0][y * m.samples + x] == (double)(x - m.samples / 2));
                assert_true(m.k[1][y * m.samples + x] == (double)(y - m.shots / 2));
            }
        CHECK_BELOW(fabs(m.t[m.samples / 2] - 0.005), 1e-15);          /* the echo is where k_x = 0 */
        CHECK_BELOW(fabs(m.t[m.samples - 1] - m.t[0] - 0.005), 1e-15); /* the default readout */
        release(&m);
    }
}

static void cartesian_undersampled(void **state)
{
    (void)state;
    for (int64_t n = 5; n < 40; n++)
        for (double r = 1; r < 5; r += 0.5) {
            made m =
                make((argand_trajectory_options){.kind = ARGAND_CARTESIAN, .n = {4, n}, .acceleration = r});
            int centre = 0;
            assert_int_equal(m.shots, (int64_t)ceil((double)n / r));
            for (int64_t s = 0; s < m.shots; s++) {
                const double line = m.k[1][s * 4];
                centre += line == 0;
                assert_true(line == rint(line) && line >= (double)(-(n / 2)) && line < (double)(n - n / 2));
                if (s) assert_true(line > m.k[1][(s - 1) * 4] && line <= m.k[1][(s - 1) * 4] + ceil(r));
            }
            assert_int_equal(centre, 1);
            release(&m);
        }
}

static void radial_spokes(void **state)
{
    (void)state;
    made m = make(
        (argand_trajectory_options){.kind = ARGAND_RADIAL, .n = {64, 64}, .echo = 0.004, .readout = 0.006});
    assert_int_equal(m.samples, 128);
    assert_int_equal(m.shots, 101); /* ceil(pi/2 64): neighbours at the rim are one cycle apart */
    double reach = 0;
    for (int64_t j = 0; j < m.samples * m.shots; j++) reach = fmax(reach, hypot(m.k[0][j], m.k[1][j]));
    CHECK_BELOW(fabs(reach - 32), 1e-12);
    for (int64_t s = 0; s < m.shots; s++) {
        const double *x = m.k[0] + s * m.samples, *y = m.k[1] + s * m.samples;
        assert_true(x[64] == 0 && y[64] == 0);
        CHECK_BELOW(fabs(hypot(x[1] - x[0], y[1] - y[0]) - 0.5), 1e-12);
    }
    CHECK_BELOW(hypot(m.k[0][0] - m.k[0][m.samples], m.k[1][0] - m.k[1][m.samples]), 1);
    CHECK_BELOW(fabs(m.t[64] - 0.004), 1e-15);
    release(&m);

    m = make((argand_trajectory_options){
        .kind = ARGAND_RADIAL, .n = {32, 32}, .shots = 5, .samples = 33, .golden = true});
    for (int s = 0; s < 5; s++) { /* 111.246 degrees from spoke to spoke */
        const double angle = atan2(-m.k[1][33 * s], -m.k[0][33 * s]) - 111.24611797498108 * s * pi / 180;
        CHECK_BELOW(fabs(remainder(angle, 2 * pi)), 1e-12);
    }
    release(&m);
}

/* The largest gradient (T/m) and slew rate (T/m/s) of a shot, from differences of the samples. */
static void gradients(const made *m, int64_t shot, double field_of_view, double *gradient, double *slew)
{
    const double per_field = 42.577478518e6 * field_of_view, dwell = m->t[1] - m->t[0];
    const double *x = m->k[0] + shot * m->samples, *y = m->k[1] + shot * m->samples;
    *gradient = *slew = 0;
    for (int64_t i = 1; i + 1 < m->samples; i++) {
        *gradient = fmax(*gradient, hypot(x[i] - x[i - 1], y[i] - y[i - 1]) / (dwell * per_field));
        *slew = fmax(*slew, hypot(x[i + 1] - 2 * x[i] + x[i - 1], y[i + 1] - 2 * y[i] + y[i - 1]) /
                                (dwell * dwell * per_field));
    }
}

/* Second differences of samples are means of the true second derivative: they cannot exceed its limit by more
 * than what the integration (steps of 1 us at most) is off, 1 %. */
static void spiral_within_limits(void **state)
{
    (void)state;
    const struct {
        int64_t n;
        int shots;
        double readout, gradient, slew, acceleration;
    } cases[] = {{128, 0, 0.020, 0, 0, 0}, {64, 0, 0.020, 0, 0, 0},       {192, 0, 0.005, 0, 0, 0},
                 {128, 4, 0.020, 0, 0, 0}, {64, 0, 0.030, 0.022, 120, 0}, {128, 2, 0.020, 0, 0, 2},
                 {33, 1, 0.010, 0, 0, 0},  {96, 24, 0.003, 0.08, 200, 0}, {256, 1, 0.3, 0.03, 100, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made m = make((argand_trajectory_options){.kind = ARGAND_SPIRAL,
                                                  .n = {cases[i].n, cases[i].n},
                                                  .shots = cases[i].shots,
                                                  .readout = cases[i].readout,
                                                  .acceleration = cases[i].acceleration,
                                                  .gradient_limit = cases[i].gradient,
                                                  .slew_limit = cases[i].slew,
                                                  .echo = 0.003});
        double gradient, slew, step = 0;
        const int64_t last = m.samples - 1;
        gradients(&m, m.shots - 1, 0.24, &gradient, &slew);
        CHECK_BELOW(gradient, (cases[i].gradient > 0 ? cases[i].gradient : 0.040) * 1.001);
        CHECK_BELOW(slew, (cases[i].slew > 0 ? cases[i].slew : 150) * 1.01);
        assert_true(m.k[0][0] == 0 && m.k[1][0] == 0);
        CHECK_BELOW(fabs(hypot(m.k[0][last], m.k[1][last]) - (double)cases[i].n / 2), 1e-6);
        CHECK_BELOW(fabs(m.t[0] - 0.003), 1e-15);
        CHECK_BELOW(fabs(m.t[last] - 0.003 - cases[i].readout), 1e-12);
        for (int64_t j = 1; j < m.samples; j++)
            step = fmax(step, hypot(m.k[0][j] - m.k[0][j - 1], m.k[1][j] - m.k[1][j - 1]));
        CHECK_BELOW(step, 1.0001);
        release(&m);
    }
}

/* The least time is used where it must be: with the smallest number of shots the limits are approached, and
 * one shot less does not fit. */
static void spiral_uses_the_limits(void **state)
{
    (void)state;
    argand_trajectory_options options = {.kind = ARGAND_SPIRAL, .n = {128, 128}, .readout = 0.020};
    argand_array *k[3], *t;
    made m = make(options);
    double gradient, slew;
    gradients(&m, 0, 0.24, &gradient, &slew);
    assert_true(m.shots >= 2 && m.shots <= 4);
    assert_true(slew > 0.3 * 150 || gradient > 0.3 * 0.040);
    options.shots = (int)m.shots - 1;
    release(&m);
    FAILS(argand_trajectory_make(k, &t, device, ARGAND_R64, &options), ARGAND_ARGUMENT, "more shots");
}

/* Turns of all interleaves together are one cycle per field of view apart: along any ray. */
static void spiral_turns_meet_nyquist(void **state)
{
    (void)state;
    enum { N = 64, MOST = 200 };
    made m =
        make((argand_trajectory_options){.kind = ARGAND_SPIRAL, .n = {N, N}, .shots = 3, .samples = 20000});
    double crossing[MOST];
    int count = 0;
    for (int64_t s = 0; s < m.shots; s++)
        for (int64_t i = 1; i < m.samples; i++) { /* crossings of the positive x axis */
            const int64_t j = s * m.samples + i;
            if (m.k[0][j] > 0 && m.k[1][j - 1] < 0 && m.k[1][j] >= 0 && count < MOST)
                crossing[count++] = m.k[0][j];
        }
    assert_in_range(count, N / 2 - 2, N / 2);
    for (int i = 0; i < count; i++) { /* each one has a neighbour one cycle further out */
        double nearest = INFINITY;
        for (int j = 0; j < count; j++)
            if (crossing[j] > crossing[i] + 0.5) nearest = fmin(nearest, crossing[j] - crossing[i]);
        if (crossing[i] < N / 2 - 1.5) CHECK_BELOW(fabs(nearest - 1), 0.02);
    }
    release(&m);
}

static void stacks_repeat_the_plane(void **state)
{
    (void)state;
    const argand_trajectory kinds[][2] = {{ARGAND_STACK_OF_SPIRALS, ARGAND_SPIRAL},
                                          {ARGAND_STACK_OF_STARS, ARGAND_RADIAL}};
    for (int i = 0; i < 2; i++) {
        made plane = make((argand_trajectory_options){.kind = kinds[i][1], .n = {32, 24}, .echo = 0.01});
        made stack = make((argand_trajectory_options){.kind = kinds[i][0], .n = {32, 24, 5}, .echo = 0.01});
        const int64_t count = plane.samples * plane.shots;
        assert_int_equal(stack.partitions, 5);
        assert_int_equal(stack.samples * stack.shots, count);
        for (int64_t p = 0; p < 5; p++)
            for (int64_t j = 0; j < count; j++) {
                assert_true(stack.k[0][p * count + j] == plane.k[0][j] &&
                            stack.k[1][p * count + j] == plane.k[1][j]);
                assert_true(stack.k[2][p * count + j] == (double)(p - 2) &&
                            stack.t[p * count + j] == plane.t[j]);
                CHECK_BELOW(fabs(plane.k[0][j]), 16 + 1e-6);
                CHECK_BELOW(fabs(plane.k[1][j]), 12 + 1e-6);
            }
        release(&plane);
        release(&stack);
    }
}

/* The table of kinds: its numbers, what it says of a shot's centre, and of partitions. */
static void kinds(void **state)
{
    (void)state;
    argand_trajectory_info info;
    assert_int_equal(argand_trajectory_count(), ARGAND_STACK_OF_STARS + 1);
    for (int kind = 0; kind < argand_trajectory_count(); kind++) {
        double shortest;
        argand_array *k[3], *t;
        OK(argand_trajectory_describe((argand_trajectory)kind, &info));
        assert_true(info.name[0] && info.summary[0] && info.shot[0] && (info.is_flat || info.is_volume));
        argand_trajectory_options o = {.kind = (argand_trajectory)kind, .n = {16, 12}, .readout = 0.01};
        OK(argand_trajectory_shortest_echo(&shortest, &o));
        made m = make(o);
        const int64_t centre = info.is_centre_out ? 0 : m.samples / 2;
        assert_true(m.k[0][centre] == 0 && m.t[centre] == 0);
        CHECK_BELOW(fabs(m.t[0] + shortest), 1e-15);
        release(&m);
        o.n[2] = 4;
        if (!info.is_volume)
            FAILS(argand_trajectory_make(k, &t, device, ARGAND_R64, &o), ARGAND_ARGUMENT, info.name);
    }
    FAILS(argand_trajectory_describe((argand_trajectory)-1, &info), ARGAND_ARGUMENT, "give 0 to 4");
    FAILS(argand_trajectory_shortest_echo(NULL, &(argand_trajectory_options){.n = {8, 8}}), ARGAND_ARGUMENT,
          "nowhere");
}

static void refusals(void **state)
{
    (void)state;
    argand_array *k[3], *t;
    const struct {
        argand_trajectory_options options;
        const char *message;
    } wrong[] = {
        {{.kind = (argand_trajectory)9, .n = {8, 8}}, "number 9"},
        {{.kind = ARGAND_SPIRAL, .n = {0, 8}}, "matrix"},
        {{.kind = ARGAND_SPIRAL, .n = {8, 8, 8}}, "stack"},
        {{.kind = ARGAND_RADIAL, .n = {8, 8}, .shots = -1}, "shots"},
        {{.kind = ARGAND_RADIAL, .n = {8, 8}, .readout = NAN}, "finite"},
        {{.kind = ARGAND_RADIAL, .n = {8, 8}, .readout = 20}, "second"},
        {{.kind = ARGAND_RADIAL, .n = {8, 8}, .acceleration = 0.5}, "below 1"},
        {{.kind = ARGAND_RADIAL, .n = {8, 8}, .echo = 0.001}, "too short"},
        {{.kind = ARGAND_CARTESIAN, .n = {8, 8}, .shots = 9}, "9 Cartesian lines"},
        {{.kind = ARGAND_SPIRAL, .n = {256, 256}, .shots = 1}, "longer readout"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        FAILS(argand_trajectory_make(k, &t, device, ARGAND_R64, &wrong[i].options), ARGAND_ARGUMENT,
              wrong[i].message);
    FAILS(argand_trajectory_make(k, &t, device, ARGAND_C64, &wrong[2].options), ARGAND_ARGUMENT,
          "R32 or R64");
    FAILS(argand_trajectory_make(k, &t, device, ARGAND_R64, NULL), ARGAND_ARGUMENT, "options");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cartesian_covers_the_grid),
    cmocka_unit_test(cartesian_undersampled),
    cmocka_unit_test(radial_spokes),
    cmocka_unit_test(spiral_within_limits),
    cmocka_unit_test(spiral_uses_the_limits),
    cmocka_unit_test(spiral_turns_meet_nyquist),
    cmocka_unit_test(stacks_repeat_the_plane),
    cmocka_unit_test(kinds),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
