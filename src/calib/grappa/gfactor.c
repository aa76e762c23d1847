/* SPDX-License-Identifier: BSD-3-Clause */
/* The g-factor of GRAPPA (Breuer et al., MRM 62:739, 2009). The image of the completed k-space is W times
 * the image of the acquired samples, with a matrix W(r) = sum_d K(d) exp(-2 pi i d r) for each pixel r. With
 * the combination p and the noise covariance C of the coils, g^2 = (p W C W^H p^H) / (R^2 p C p^H). */
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include "base/observe.h"
#include "base/pi.h"
#include "calib/calib.h"
#include "calib/undersampling.h"
#include "mri/host.h"

typedef struct noise_gain {
    undersampling u;
    int64_t n[3], coils, size[3], taps; /* pixels; of the kernel */
    const float *kernel;                /* planes re, im of {source, x of the kernel, target, y, z} */
    const double *combination;          /* p, complex {n..., coils} */
    const double *covariance;           /* complex {coils, coils}; NULL: the unit matrix */
    double *values;                     /* {n...} */
} noise_gain;

/* Memory of a thread. */
typedef struct scratch {
    float *row;         /* the kernel at the y and z of a line of pixels: re, im of {source, x, target} */
    float *q_re, *q_im; /* p W {source} */
    double *at;         /* p or p W {coil}, re and im */
} scratch;

static double phase_of(int64_t distance, int64_t pixel, int64_t n, double extent)
{
    return -TWO_PI * (double)distance * (double)(pixel - n / 2) / ((double)n * extent);
}

/* Sums the kernel over y and z with the phases of a line of pixels. */
static void contract(const noise_gain *g, scratch *s, int64_t y, int64_t z)
{
    const int64_t part = g->size[0] * g->coils * g->coils, all = part * g->size[1] * g->size[2];
    memset(s->row, 0, (size_t)(2 * part) * sizeof *s->row);
    for (int64_t b = 0; b < g->size[1]; b++)
        for (int64_t c = 0; c < g->size[2]; c++) {
            const double phase = phase_of(b - g->size[1] / 2, y, g->n[1], g->u.extent[1]) +
                                 phase_of(c - g->size[2] / 2, z, g->n[2], g->u.extent[2]);
            const float re = (float)cos(phase), im = (float)sin(phase);
            const float *k_re = g->kernel + (c * g->size[1] + b) * part, *k_im = k_re + all;
            for (int64_t i = 0; i < part; i++) {
                s->row[i] += re * k_re[i] - im * k_im[i];
                s->row[part + i] += re * k_im[i] + im * k_re[i];
            }
        }
}

/* q = p W of a pixel */
static void multiply(const noise_gain *g, scratch *s, const double *p, int64_t pixels, int64_t x)
{
    const int64_t coils = g->coils, part = g->size[0] * coils * coils;
    float *restrict q_re = s->q_re, *restrict q_im = s->q_im;
    memset(q_re, 0, (size_t)coils * sizeof *q_re);
    memset(q_im, 0, (size_t)coils * sizeof *q_im);
    for (int64_t t = 0; t < coils; t++)
        for (int64_t a = 0; a < g->size[0]; a++) {
            const double phase = phase_of(a - g->size[0] / 2, x, g->n[0], g->u.extent[0]);
            const double c = cos(phase), d = sin(phase), re = p[2 * t * pixels], im = p[2 * t * pixels + 1];
            const float w_re = (float)(re * c - im * d), w_im = (float)(re * d + im * c);
            const float *k_re = s->row + (t * g->size[0] + a) * coils, *k_im = k_re + part;
            for (int64_t i = 0; i < coils; i++) {
                q_re[i] += w_re * k_re[i] - w_im * k_im[i];
                q_im[i] += w_re * k_im[i] + w_im * k_re[i];
            }
        }
}

/* Returns q C q^H. */
static double energy_of(const noise_gain *g, const double *q)
{
    double sum = 0;
    for (int64_t i = 0; i < g->coils; i++) {
        double re = q[2 * i], im = q[2 * i + 1]; /* (q C)_i */
        for (int64_t j = 0; j < g->coils && g->covariance; j++) {
            const double *c = g->covariance + 2 * (j + g->coils * i), *v = q + 2 * j;
            if (!j) re = im = 0;
            re += v[0] * c[0] - v[1] * c[1];
            im += v[0] * c[1] + v[1] * c[0];
        }
        sum += re * q[2 * i] + im * q[2 * i + 1];
    }
    return sum;
}

static double at_pixel(const noise_gain *g, scratch *s, int64_t x, const double *p)
{
    const int64_t pixels = g->n[0] * g->n[1] * g->n[2];
    for (int64_t c = 0; c < g->coils; c++) memcpy(s->at + 2 * c, p + 2 * c * pixels, 2 * sizeof *s->at);
    const double complete = energy_of(g, s->at);
    if (!(complete > 0)) return 0;
    multiply(g, s, p, pixels, x);
    for (int64_t c = 0; c < g->coils; c++) {
        s->at[2 * c] = (double)s->q_re[c];
        s->at[2 * c + 1] = (double)s->q_im[c];
    }
    return sqrt(fmax(0, energy_of(g, s->at)) / complete) / (g->u.factor[0] * g->u.factor[1]);
}

static argand_status compute(const noise_gain *g, int workers)
{
    const int64_t lines = g->n[1] * g->n[2], row = 2 * g->size[0] * g->coils * g->coils,
                  own = row + 2 * g->coils;
    float *floats = NULL;
    double *doubles = NULL;
    atomic_bool cancelled = false;
    argand_status status;
    TRY_OR_DONE(NEW(floats, workers * own));
    TRY_OR_DONE(NEW(doubles, workers * 2 * g->coils));
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++) {
        float *f = floats + worker * own;
        scratch s = {f, f + row, f + row + g->coils, doubles + worker * 2 * g->coils};
        for (int64_t line = worker; line < lines && !observe_within(&cancelled); line += workers) {
            contract(g, &s, line % g->n[1], line / g->n[1]);
            for (int64_t x = 0; x < g->n[0]; x++)
                g->values[line * g->n[0] + x] = at_pixel(g, &s, x, g->combination + 2 * (line * g->n[0] + x));
        }
    }
    status = observe_end(&cancelled);
done:
    memory_free(doubles);
    memory_free(floats);
    return status;
}

/* Makes planes {source, x, target, y, z} of the kernel {x, y, z, source, target}. */
static argand_status take_kernel(float **planes, noise_gain *g, const argand_array *kernel)
{
    double *read;
    const int64_t all = argand_array_count(kernel), *m = g->size, coils = g->coils;
    TRY(NEW(*planes, 2 * all));
    TRY(host_read(&read, kernel));
    for (int64_t i = 0; i < all; i++) {
        const int64_t a = i % m[0], b = i / m[0] % m[1], c = i / (m[0] * m[1]) % m[2],
                      s = i / g->taps % coils, t = i / (g->taps * coils);
        const int64_t to = (((c * m[1] + b) * coils + t) * m[0] + a) * coils + s;
        (*planes)[to] = (float)read[2 * i];
        (*planes)[all + to] = (float)read[2 * i + 1];
    }
    memory_free(read);
    return ARGAND_OK;
}

static argand_status check(noise_gain *g, const argand_array *gfactor, const argand_array *kernel,
                           const argand_array *combination, const argand_array *covariance)
{
    TRY(calib_coil_shape(combination, "g-factor: the combination", g->n, &g->coils));
    TRY(undersampling_check_map(gfactor, g->n));
    TRY(calib_check_finite(combination, "g-factor: the combination"));
    CHECK(argand_array_rank(kernel) == 5 && type_is_complex(argand_array_type(kernel)) &&
              argand_array_dim(kernel, 3) == g->coils && argand_array_dim(kernel, 4) == g->coils,
          ARGAND_ARGUMENT, "g-factor: the kernel must be complex {kx, ky, kz, coils, coils} of %lld coils",
          (long long)g->coils);
    CHECK(!covariance ||
              (argand_array_type(covariance) == ARGAND_C64 && argand_array_rank(covariance) == 2 &&
               argand_array_dim(covariance, 0) == g->coils && argand_array_dim(covariance, 1) == g->coils),
          ARGAND_ARGUMENT, "g-factor: the noise covariance must be c64 {coils, coils} of %lld coils",
          (long long)g->coils);
    for (int axis = 0; axis < 3; axis++) g->size[axis] = argand_array_dim(kernel, axis);
    g->taps = g->size[0] * g->size[1] * g->size[2];
    return calib_check_finite(kernel, "g-factor: the kernel");
}

argand_status argand_grappa_gfactor(argand_array *gfactor, const argand_array *kernel,
                                    const argand_array *combination, const argand_array *covariance,
                                    const argand_undersampling *given)
{
    noise_gain g = {0};
    float *planes = NULL;
    double *p = NULL, *noise = NULL;
    argand_status status;
    CHECK_ARRAY(gfactor);
    CHECK_ARRAY(kernel);
    CHECK_ARRAY(combination);
    TRY(undersampling_take(&g.u, given));
    TRY(check(&g, gfactor, kernel, combination, covariance));
    TRY_OR_DONE(take_kernel(&planes, &g, kernel));
    TRY_OR_DONE(host_read(&p, combination));
    if (covariance) TRY_OR_DONE(host_read(&noise, covariance));
    TRY_OR_DONE(NEW(g.values, argand_array_count(gfactor)));
    g.kernel = planes;
    g.combination = p;
    g.covariance = noise;
    TRY_OR_DONE(compute(&g, argand_device_threads(argand_array_device(combination))));
    status = host_write_real(gfactor, g.values);
done:
    memory_free(g.values);
    memory_free(noise);
    memory_free(p);
    memory_free(planes);
    return status;
}
