/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals against values of another program and closed forms; the basis against what it has to be; matches
 * of signals whose parameters are known, and their errors against the spread of simulated noise. */
#include "harness.h"

enum { TIMES = 8 };

static argand_array *reals_of(int rank, const int64_t *dims, const double *values)
{
    argand_array *array;
    OK(argand_array_create(&array, device, ARGAND_R64, rank, dims));
    if (values) OK(argand_array_upload(array, values));
    return array;
}

static argand_array *signals_of(const double *values, int64_t atoms, const argand_signal_options *o)
{
    argand_array *signals = reals_of(2, (const int64_t[2]){o->time_count, atoms}, NULL);
    OK(argand_signal_make(signals, values, o));
    return signals;
}

/* Of another method: Bloch equations of 720 spins that dephase by 2 pi in half an echo spacing, with full
 * recovery of their magnetisation; T2 70 ms, echo spacing 12 ms. */
static const struct train {
    double angle, t1, echoes[TIMES];
} trains[] = {
    {120,
     0.9,
     {0.63184533, 0.71096684, 0.52041464, 0.47772788, 0.40849426, 0.35348499, 0.29100519, 0.27126204}},
    {60,
     0.9,
     {0.21061511, 0.35609705, 0.37854448, 0.35820788, 0.29574854, 0.25850117, 0.22456895, 0.21529213}},
    {90, 0, {0.42123022, 0.59866512, 0.50435168, 0.42136621, 0.35498437, 0.34788016, 0.29307528, 0.26276647}},
};

static void fill_times(double *times, double step)
{
    for (int i = 0; i < TIMES; i++) times[i] = step * (i + 1);
}

static void echoes_of_spins(void **state)
{
    (void)state;
    double times[TIMES];
    fill_times(times, 0.012);
    for (int q = 0; q < 3; q++) {
        const argand_signal_options o = {.kind = ARGAND_SIGNAL_T2,
                                         .times = times,
                                         .time_count = TIMES,
                                         .angle = trains[q].angle,
                                         .t1 = trains[q].t1};
        argand_array *signals = signals_of((const double[1]){0.07}, 1, &o);
        double *got = as_doubles(signals);
        for (int i = 0; i < TIMES; i++) CHECK_BELOW(fabs(got[i] - trains[q].echoes[i]), 1e-8);
        free(got);
        argand_array_destroy(signals);
    }
}

/* Refocusing by 180 degrees, and by nearly 180, is an exponential whatever T1. */
static void exponential(void **state)
{
    (void)state;
    double times[TIMES];
    fill_times(times, 0.01);
    for (int nearly = 0; nearly < 2; nearly++) {
        const argand_signal_options o = {.kind = ARGAND_SIGNAL_T2,
                                         .times = times,
                                         .time_count = TIMES,
                                         .angle = nearly ? 180 - 1e-7 : 0,
                                         .t1 = 0.3};
        argand_array *signals = signals_of((const double[2]){0.05, 1}, 2, &o);
        double *got = as_doubles(signals);
        for (int i = 0; i < TIMES; i++) {
            CHECK_BELOW(fabs(got[i] - exp(-times[i] / 0.05)), 1e-12);
            CHECK_BELOW(fabs(got[TIMES + i] - exp(-times[i])), 1e-12);
        }
        free(got);
        argand_array_destroy(signals);
    }
}

/* The magnetisation before each of the pulses, pulse by pulse. */
static void look_locker(void **state)
{
    (void)state;
    const double repetition = 0.02, t1 = 0.8, angle = 7, left = exp(-repetition / t1);
    double times[TIMES], z = -0.95;
    fill_times(times, repetition);
    const argand_signal_options o = {.kind = ARGAND_SIGNAL_T1,
                                     .times = times,
                                     .time_count = TIMES,
                                     .angle = angle,
                                     .repetition = repetition,
                                     .efficiency = 0.95};
    argand_array *signals = signals_of(&t1, 1, &o);
    double *got = as_doubles(signals);
    for (int i = 0; i < TIMES; i++) {
        z = 1 - (1 - z * cos(angle * 3.14159265358979323846 / 180)) * left;
        CHECK_BELOW(fabs(got[i] - z), 1e-12);
    }
    free(got);
    argand_array_destroy(signals);
}

enum { ATOMS = 150, COLUMNS = 4 };

typedef struct fixture {
    double times[TIMES], values[ATOMS];
    argand_array *signals, *basis, *parameters;
    double left;
} fixture;

static fixture make_fixture(void)
{
    fixture f;
    fill_times(f.times, 0.015);
    for (int a = 0; a < ATOMS; a++) f.values[a] = 0.02 * pow(20, a / (ATOMS - 1.0));
    const argand_signal_options o = {
        .kind = ARGAND_SIGNAL_T2, .times = f.times, .time_count = TIMES, .angle = 150, .t1 = 1};
    f.signals = signals_of(f.values, ATOMS, &o);
    f.parameters = reals_of(2, (const int64_t[2]){1, ATOMS}, f.values);
    f.basis = reals_of(2, (const int64_t[2]){TIMES, COLUMNS}, NULL);
    OK(argand_subspace_basis(f.basis, f.signals, &f.left));
    return f;
}

static void free_fixture(fixture *f)
{
    argand_array_destroy(f->signals);
    argand_array_destroy(f->basis);
    argand_array_destroy(f->parameters);
}

/* Columns are orthonormal, and leave out of each signal what is announced at most; a column fewer leaves
 * out more. */
static void basis_spans_the_signals(void **state)
{
    (void)state;
    fixture f = make_fixture();
    double *v = as_doubles(f.basis), *s = as_doubles(f.signals), worst = 0, fewer;
    for (int k = 0; k < COLUMNS; k++)
        for (int l = 0; l < COLUMNS; l++) {
            double product = 0;
            for (int i = 0; i < TIMES; i++) product += v[k * TIMES + i] * v[l * TIMES + i];
            CHECK_BELOW(fabs(product - (k == l)), 1e-12);
        }
    for (int a = 0; a < ATOMS; a++) {
        double rest = 0, all = 0;
        for (int i = 0; i < TIMES; i++) {
            double inside = 0;
            for (int k = 0; k < COLUMNS; k++)
                for (int j = 0; j < TIMES; j++)
                    inside += v[k * TIMES + i] * v[k * TIMES + j] * s[a * TIMES + j];
            rest += (s[a * TIMES + i] - inside) * (s[a * TIMES + i] - inside);
            all += s[a * TIMES + i] * s[a * TIMES + i];
        }
        worst = fmax(worst, sqrt(rest / all));
    }
    CHECK_BELOW(fabs(worst - f.left), 1e-9);
    argand_array *less = reals_of(2, (const int64_t[2]){TIMES, COLUMNS - 1}, NULL);
    OK(argand_subspace_basis(less, f.signals, &fewer));
    assert_true(fewer > 2 * f.left);
    argand_array_destroy(less);
    free(v);
    free(s);
    free_fixture(&f);
}

/* Coefficients rho V^H d of some atoms, with noise, are matched with these atoms; the errors that are told
 * are those that are found. */
static void matches(void **state)
{
    (void)state;
    enum { ATOM = 70, PIXELS = 2000 };
    fixture f = make_fixture();
    double *v = as_doubles(f.basis), *s = as_doubles(f.signals);
    argand_array *images, *noise, *density;
    argand_array *values = reals_of(2, (const int64_t[2]){PIXELS, 1}, NULL),
                 *errors = reals_of(2, (const int64_t[2]){PIXELS, 1}, NULL),
                 *misfit = reals_of(1, (const int64_t[1]){PIXELS}, NULL);
    OK(argand_array_create(&images, device, ARGAND_C64, 2, (const int64_t[2]){PIXELS, COLUMNS}));
    OK(argand_array_create(&noise, device, ARGAND_C64, 2, (const int64_t[2]){PIXELS, COLUMNS}));
    OK(argand_array_create(&density, device, ARGAND_C64, 1, (const int64_t[1]){PIXELS}));
    double complex *x = calloc(PIXELS * COLUMNS, sizeof *x);
    for (int k = 0; k < COLUMNS; k++)
        for (int i = 0; i < TIMES; i++)
            for (int p = 1; p < PIXELS; p++)
                x[p + PIXELS * k] += (2 - 3 * I) * v[k * TIMES + i] * s[ATOM * TIMES + i];
    OK(argand_array_upload(images, x));
    const argand_match to = {values, errors, density, misfit};
    OK(argand_dictionary_match(&to, images, f.basis, f.signals, f.parameters));
    double *t2 = as_doubles(values), *rho = as_doubles(density), *left = as_doubles(misfit);
    assert_true(t2[0] == 0 && t2[1] == f.values[ATOM]); /* pixel 0 is empty */
    CHECK_BELOW(hypot(rho[2] - 2, rho[3] + 3), 1e-9);
    CHECK_BELOW(left[1], 1e-7);
    free(t2);
    free(rho);
    free(left);
    OK(argand_noise_add(noise, 0.02, 5));
    OK(argand_array_axpby(images, (argand_scalar){1, 0}, noise, (argand_scalar){1, 0}));
    OK(argand_dictionary_match(&to, images, f.basis, f.signals, f.parameters));
    double *told = as_doubles(errors), mean = 0, square = 0;
    t2 = as_doubles(values);
    for (int p = 1; p < PIXELS; p++) {
        mean += told[p] / (PIXELS - 1);
        square += (t2[p] - f.values[ATOM]) * (t2[p] - f.values[ATOM]) / (PIXELS - 1);
    }
    printf("T2 %.4g s: spread %.3g, told %.3g\n", f.values[ATOM], sqrt(square), mean);
    assert_true(mean > 0.75 * sqrt(square) && mean < 1.33 * sqrt(square));
    free(t2);
    free(told);
    free(v);
    free(s);
    free(x);
    argand_array *const all[] = {images, noise, density, values, errors, misfit};
    for (int i = 0; i < 6; i++) argand_array_destroy(all[i]);
    free_fixture(&f);
}

static void refusals(void **state)
{
    (void)state;
    fixture f = make_fixture();
    argand_array *wide = reals_of(2, (const int64_t[2]){TIMES, TIMES + 1}, NULL);
    argand_signal_options o = {.kind = ARGAND_SIGNAL_T2, .times = f.times, .time_count = TIMES, .angle = 150};
    const double one = 1, none = 0;
    argand_array *signals = signals_of(&one, 1, &o);
    FAILS(argand_signal_make(signals, &none, &o), ARGAND_ARGUMENT, "value 0 is 0 s");
    f.times[3] += 1e-3;
    FAILS(argand_signal_make(signals, &one, &o), ARGAND_ARGUMENT, "echo 3");
    f.times[3] = f.times[2];
    FAILS(argand_signal_make(signals, &one, &o), ARGAND_ARGUMENT, "positive and rise");
    o = (argand_signal_options){.kind = ARGAND_SIGNAL_T1, .times = f.times, .time_count = 2, .angle = 5};
    FAILS(argand_signal_make(signals, &one, &o), ARGAND_ARGUMENT, "from pulse to pulse");
    o.kind = (argand_signal)3;
    FAILS(argand_signal_make(signals, &one, &o), ARGAND_ARGUMENT, "signal 3");
    FAILS(argand_subspace_basis(wide, f.signals, NULL), ARGAND_ARGUMENT, "not more columns");
    OK(argand_array_fill(f.signals, (argand_scalar){NAN, 0}));
    FAILS(argand_subspace_basis(f.basis, f.signals, NULL), ARGAND_NUMERIC, "not finite");
    argand_array_destroy(signals);
    argand_array_destroy(wide);
    free_fixture(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(echoes_of_spins),         cmocka_unit_test(exponential), cmocka_unit_test(look_locker),
    cmocka_unit_test(basis_spans_the_signals), cmocka_unit_test(matches),     cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
