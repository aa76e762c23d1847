/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals of tissue: echoes by extended phase graphs, inversion recovery. */
#include "calib/calib.h"

#include <math.h>
#include <string.h>
#include "mri/host.h"

enum { MOST_TIMES = 65536, MOST_ATOMS = 1 << 24 };
static const double DEGREE = 0.017453292519943295;

static const argand_kind_info kinds[] = {
    {.name = "t2",
     .summary = "echoes of a train of spin echoes",
     .paper = "Weigel: Extended phase graphs, J. Magn. Reson. Imaging 41:266-295, 2015"},
    {.name = "t1",
     .summary = "recovery after inversion, also read by a train of pulses (Look-Locker)",
     .paper = "Deichmann, Haase: Quantification of T1 values by SNAPSHOT-FLASH NMR imaging, J. Magn. Reson. "
              "96:608-612, 1992"},
};

int argand_signal_count(void)
{
    return (int)(sizeof kinds / sizeof *kinds);
}

argand_status argand_signal_describe(argand_signal kind, argand_kind_info *info)
{
    CHECK(info, ARGAND_ARGUMENT, "argand_signal_describe: no place for the description");
    *info = (argand_kind_info){0};
    CHECK(kind >= ARGAND_SIGNAL_T2 && kind <= ARGAND_SIGNAL_T1, ARGAND_ARGUMENT, "signal %d is not known",
          (int)kind);
    *info = kinds[kind - 1];
    return ARGAND_OK;
}

/* Configuration states of orders 0, 1, ... of half an echo spacing. With the phase of CPMG the transverse
 * states are real and the longitudinal ones imaginary. Recovered magnetisation never has an echo: its
 * orders are even at the pulses, those of the echoes odd. */
typedef struct graph {
    double *plus, *minus, *z;
    int64_t orders;
    double cosine, sine, relax1, relax2; /* of the angle; over half an echo spacing */
} graph;

static void half_spacing(const graph *g)
{
    for (int64_t k = 0; k < g->orders; k++) {
        g->plus[k] *= g->relax2;
        g->minus[k] *= g->relax2;
        g->z[k] *= g->relax1;
    }
    memmove(g->plus + 1, g->plus, (size_t)(g->orders - 1) * sizeof *g->plus);
    memmove(g->minus, g->minus + 1, (size_t)(g->orders - 1) * sizeof *g->minus);
    g->minus[g->orders - 1] = 0;
    g->plus[0] = g->minus[0];
}

static void refocus(const graph *g)
{
    const double even = (1 + g->cosine) / 2, odd = (1 - g->cosine) / 2;
    for (int64_t k = 0; k < g->orders; k++) {
        const double plus = g->plus[k], minus = g->minus[k], z = g->z[k];
        g->plus[k] = even * plus + odd * minus + g->sine * z;
        g->minus[k] = odd * plus + even * minus - g->sine * z;
        g->z[k] = g->cosine * z - g->sine * (plus - minus) / 2;
    }
}

static void echoes(graph *g, double *signal, double t2, const argand_signal_options *o)
{
    const double half = o->times[0] / 2;
    memset(g->plus, 0, (size_t)(3 * g->orders) * sizeof *g->plus);
    g->plus[0] = g->minus[0] = 1;
    g->relax2 = exp(-half / t2);
    g->relax1 = o->t1 > 0 ? exp(-half / o->t1) : 1;
    for (int64_t i = 0; i < o->time_count; i++) {
        half_spacing(g);
        refocus(g);
        half_spacing(g);
        signal[i] = g->plus[0];
    }
}

static double angle_of(const argand_signal_options *o)
{
    return DEGREE * (o->kind == ARGAND_SIGNAL_T2 && o->angle == 0 ? 180 : o->angle);
}

static bool is_exponential(const argand_signal_options *o)
{
    return o->angle == 0 || o->angle == 180;
}

static argand_status make_t2(double *signals, const double *values, int64_t atoms,
                             const argand_signal_options *o)
{
    graph g = {.orders = 2 * o->time_count + 2, .cosine = cos(angle_of(o)), .sine = sin(angle_of(o))};
    if (!is_exponential(o)) TRY(NEW(g.plus, 3 * g.orders));
    if (g.plus) g.minus = g.plus + g.orders, g.z = g.minus + g.orders;
    for (int64_t a = 0; a < atoms; a++) {
        double *signal = signals + a * o->time_count;
        if (!is_exponential(o))
            echoes(&g, signal, values[a], o);
        else
            for (int64_t i = 0; i < o->time_count; i++) signal[i] = exp(-o->times[i] / values[a]);
    }
    memory_free(g.plus);
    return ARGAND_OK;
}

static void make_t1(double *signals, const double *values, int64_t atoms, const argand_signal_options *o)
{
    const double start = o->efficiency > 0 ? -o->efficiency : -1, cosine = cos(angle_of(o));
    for (int64_t a = 0; a < atoms; a++) {
        double rate = 1 / values[a], end = 1;
        if (o->angle > 0) {
            const double left = exp(-o->repetition * rate);
            end = (1 - left) / (1 - left * cosine);
            rate -= log(cosine) / o->repetition;
        }
        for (int64_t i = 0; i < o->time_count; i++)
            signals[i + a * o->time_count] = end + (start - end) * exp(-o->times[i] * rate);
    }
}

static argand_status check_times(const argand_signal_options *o)
{
    CHECK(o->times && o->time_count >= 1 && o->time_count <= MOST_TIMES, ARGAND_ARGUMENT,
          "signals at %lld times; give 1 to %d", (long long)o->time_count, MOST_TIMES);
    for (int64_t i = 0; i < o->time_count; i++) {
        CHECK(o->times[i] > 0 && o->times[i] < 1e6 && (!i || o->times[i] > o->times[i - 1]), ARGAND_ARGUMENT,
              "time %lld of the signals is %g s; times are positive and rise", (long long)i, o->times[i]);
        CHECK(o->kind != ARGAND_SIGNAL_T2 || is_exponential(o) ||
                  fabs(o->times[i] - (double)(i + 1) * o->times[0]) <= 1e-3 * o->times[0],
              ARGAND_ARGUMENT,
              "echo %lld is at %g s: with refocusing pulses of %g degrees the echoes have equal distances, "
              "of the first echo time %g s",
              (long long)i, o->times[i], o->angle, o->times[0]);
    }
    return ARGAND_OK;
}

static argand_status check_options(const argand_signal_options *o)
{
    argand_kind_info info;
    CHECK(o, ARGAND_ARGUMENT, "signals: no options given");
    TRY(argand_signal_describe(o->kind, &info));
    const double most = o->kind == ARGAND_SIGNAL_T2 ? 360 : 90;
    CHECK(o->angle >= 0 && o->angle < most, ARGAND_ARGUMENT, "an angle of %g degrees; give 0 to below %g",
          o->angle, most);
    CHECK(o->kind == ARGAND_SIGNAL_T2 || o->angle == 0 || (o->repetition > 0 && o->repetition < 1e6),
          ARGAND_ARGUMENT, "readout pulses of %g degrees need the time from pulse to pulse; it is %g s",
          o->angle, o->repetition);
    CHECK(o->t1 >= 0 && o->efficiency >= 0 && o->efficiency <= 1, ARGAND_ARGUMENT,
          "T1 %g s, efficiency %g: give 0 or more, and an efficiency of at most 1", o->t1, o->efficiency);
    return check_times(o);
}

argand_status argand_signal_make(argand_array *signals, const double *values,
                                 const argand_signal_options *options)
{
    double *numbers;
    CHECK_ARRAY(signals);
    TRY(check_options(options));
    const int64_t atoms = argand_array_dim(signals, 1);
    CHECK(values && argand_array_rank(signals) == 2 && argand_array_dim(signals, 0) == options->time_count &&
              atoms <= MOST_ATOMS && !type_is_complex(argand_array_type(signals)),
          ARGAND_ARGUMENT, "signals: give values and a real array {%lld times, atoms}",
          (long long)options->time_count);
    for (int64_t a = 0; a < atoms; a++)
        CHECK(values[a] > 0 && values[a] < 1e6, ARGAND_ARGUMENT, "value %lld is %g s; give more than 0",
              (long long)a, values[a]);
    TRY(NEW(numbers, atoms * options->time_count));
    argand_status status = ARGAND_OK;
    if (options->kind == ARGAND_SIGNAL_T2)
        status = make_t2(numbers, values, atoms, options);
    else
        make_t1(numbers, values, atoms, options);
    if (!status) status = host_write_real(signals, numbers);
    memory_free(numbers);
    return status;
}
