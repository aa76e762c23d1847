/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes exact sums in double at a few outputs, with which all libraries are compared. */
#include "nufft/case.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* Returns the position of pixel i along an axis; 0 is the centre. */
static double place(const nufft_case *c, int axis, int64_t i)
{
    return (double)(i - c->n[axis] / 2);
}

/* Returns sum_i in_i exp(-i k_j . r_i). Sums rows along x, then multiplies each row by the phase of y and
 * z. */
static double complex sum_of_image(const nufft_case *c, const double *in, int64_t j)
{
    double complex sum = 0;
    double *x = malloc((size_t)c->n[0] * 2 * sizeof *x);
    if (!x) return NAN;
    for (int64_t i = 0; i < c->n[0]; i++) {
        const double phase = -c->at[0][j] * place(c, 0, i);
        x[2 * i] = cos(phase);
        x[2 * i + 1] = sin(phase);
    }
    for (int64_t row = 0; row < c->pixels / c->n[0]; row++) {
        const double *p = in + 2 * row * c->n[0];
        double re = 0, im = 0, phase = 0;
        for (int64_t i = 0; i < c->n[0]; i++) {
            re += p[2 * i] * x[2 * i] - p[2 * i + 1] * x[2 * i + 1];
            im += p[2 * i] * x[2 * i + 1] + p[2 * i + 1] * x[2 * i];
        }
        if (c->rank > 1) phase -= c->at[1][j] * place(c, 1, row % c->n[1]);
        if (c->rank > 2) phase -= c->at[2][j] * place(c, 2, row / c->n[1]);
        sum += (re + I * im) * (cos(phase) + I * sin(phase));
    }
    free(x);
    return sum;
}

/* Returns sum_j in_j exp(i k_j . r_i). */
static double complex sum_of_samples(const nufft_case *c, const double *in, int64_t i)
{
    double r[3] = {0}, re = 0, im = 0;
    for (int axis = 0; axis < c->rank; axis++) {
        r[axis] = place(c, axis, i % c->n[axis]);
        i /= c->n[axis];
    }
    for (int64_t j = 0; j < c->points; j++) {
        double phase = c->at[0][j] * r[0];
        for (int axis = 1; axis < c->rank; axis++) phase += c->at[axis][j] * r[axis];
        const double x = cos(phase), y = sin(phase);
        re += in[2 * j] * x - in[2 * j + 1] * y;
        im += in[2 * j] * y + in[2 * j + 1] * x;
    }
    return re + I * im;
}

typedef struct one_sum {
    pthread_t thread;
    bool on_its_own; /* true: the thread was started */
    const nufft_case *c;
    const double *in;
    bool adjoint;
    int64_t output;
    double complex sum;
} one_sum;

static void *find_one(void *context)
{
    one_sum *o = context;
    o->sum = o->adjoint ? sum_of_samples(o->c, o->in, o->output) : sum_of_image(o->c, o->in, o->output);
    return NULL;
}

/* Computes the sums once for all libraries, with one thread per output. */
static argand_status find_sums(nufft_case *c, bool adjoint)
{
    nufft_exact *e = &c->exact[adjoint];
    const int64_t outputs = adjoint ? c->pixels : c->points;
    double *in = NULL;
    if (e->count) return ARGAND_OK;
    const argand_status status = nufft_fetch_first(&in, adjoint ? c->samples.array : c->image.array);
    const int count = c->pixels + c->points > 40000000 ? 4 : NUFFT_CHECKED;
    one_sum sums[NUFFT_CHECKED];
    for (int n = 0; n < count && !status; n++) {
        sums[n] = (one_sum){.c = c, .in = in, .adjoint = adjoint, .output = (outputs - 1) * n / (count - 1)};
        sums[n].on_its_own = !pthread_create(&sums[n].thread, NULL, find_one, &sums[n]);
        if (!sums[n].on_its_own) find_one(&sums[n]);
    }
    for (int n = 0; n < count && !status; n++) {
        if (sums[n].on_its_own) (void)pthread_join(sums[n].thread, NULL);
        e->output[n] = sums[n].output;
        e->sum[n] = sums[n].sum;
    }
    if (!status) e->count = count;
    free(in);
    return status;
}

static double mean_square(const double *numbers, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < 2 * count; i++) sum += numbers[i] * numbers[i];
    return sum / (double)count;
}

argand_status nufft_error(nufft_case *c, bool adjoint, double *error)
{
    const nufft_exact *e = &c->exact[adjoint];
    double *out = NULL, wrong = 0;
    TRY(find_sums(c, adjoint));
    const argand_status status = nufft_fetch_first(&out, adjoint ? c->image_out.array : c->samples_out.array);
    for (int n = 0; n < e->count && !status; n++) {
        const double *o = out + 2 * e->output[n], difference = cabs(o[0] + I * o[1] - e->sum[n]);
        wrong += difference * difference;
    }
    if (!status) *error = sqrt(wrong / (e->count * mean_square(out, adjoint ? c->pixels : c->points)));
    free(out);
    return status;
}
