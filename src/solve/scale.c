/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the scales that give weights the same meaning in any units. */
#include <math.h>
#include "base/memory.h"
#include "base/random.h"
#include "solve/conjugacy.h"
#include "solve/pcg.h"
#include "op/spread.h"
#include "solve/problem.h"

enum { SCALE_STEPS = 10 };

static argand_status fill_signs(argand_array *z, random_state *random)
{
    const argand_type type = argand_array_type(z);
    const int64_t count = argand_array_count(z), width = type_is_complex(type) ? 2 : 1;
    char *host;
    TRY(memory_new(&host, (size_t)count, argand_type_size(type)));
    for (int64_t i = 0; i < count; i++) {
        const double sign = random_bits(random) >> 63 ? 1 : -1;
        if (type_is_double(type))
            ((double *)(void *)host)[i * width] = sign;
        else
            ((float *)(void *)host)[i * width] = (float)sign;
    }
    const argand_status status = argand_array_upload(z, host);
    memory_free(host);
    return status;
}

/* Estimates mean_n N_nn = E <z, N z> / n with random signs z (Hutchinson, Commun. Stat. Simul. 18:1059,
 * 1989). The error is about 1/sqrt(n), so small problems use more vectors z. */
argand_status scale_diagonal(smooth *s, double *diagonal)
{
    argand_array *z = NULL, *nz = NULL;
    argand_scalar product;
    argand_status status;
    random_state random = {1};
    double sum = 0;
    TRY_OR_DONE(smooth_new_image(s, &z));
    TRY_OR_DONE(smooth_new_image(s, &nz));
    const double n = (double)argand_array_count(z);
    const int probes = (int)fmin(16, fmax(1, 16384 / n));
    for (int i = 0; i < probes; i++) {
        TRY_OR_DONE(fill_signs(z, &random));
        TRY_OR_DONE(smooth_normal(s, nz, z));
        TRY_OR_DONE(argand_array_dot(&product, z, nz));
        TRY_OR_DONE(spread_same(s->op->spread, &product.re, 1));
        sum += product.re;
    }
    *diagonal = sum / (n * probes);
    CHECK_OR_DONE(*diagonal > 0 && isfinite(*diagonal), ARGAND_NUMERIC,
                  "argand_solve: the diagonal of A^H W A is %g on average; it must be above 0", *diagonal);
done:
    argand_array_destroy(nz);
    argand_array_destroy(z);
    return status;
}

/* Divides by a power of 2, which changes no digit, so that numbers are near 1: to = from / 2^*exponent. */
static argand_status bring_near_one(argand_array *to, const argand_array *from, int *exponent)
{
    double most;
    TRY(argand_array_max_abs(&most, from));
    *exponent = most > 0 ? ilogb(most) : 0;
    TRY(argand_array_copy(to, from));
    return argand_array_scale(to, (argand_scalar){ldexp(1, -*exponent), 0});
}

/* Returns sqrt(sum |b|^4 / sum |b|^2). Numbers are first brought near 1, so that nothing overflows and
 * rounding does not depend on the unit. */
static argand_status bright_magnitude(const argand_array *b, double *magnitude)
{
    argand_array *a = NULL, *near_one = NULL;
    argand_scalar fourth = {0, 0};
    double norm = 0;
    int exponent;
    const argand_type type = type_is_double(b->type) ? ARGAND_R64 : ARGAND_R32;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&near_one, argand_array_device(b), b->type, b->rank, b->dims));
    TRY_OR_DONE(argand_array_create(&a, argand_array_device(b), type, b->rank, b->dims));
    TRY_OR_DONE(bring_near_one(near_one, b, &exponent));
    TRY_OR_DONE(argand_array_abs(a, near_one));
    TRY_OR_DONE(argand_array_norm(&norm, a));
    TRY_OR_DONE(argand_array_multiply(a, a, a, ARGAND_PRODUCT));
    TRY_OR_DONE(argand_array_dot(&fourth, a, a));
    *magnitude = norm > 0 ? ldexp(sqrt(fourth.re) / norm, exponent) : 0;
done:
    argand_array_destroy(a);
    argand_array_destroy(near_one);
    return status;
}

/* Lanczos' tridiagonal matrix T, which each step of CG on N x = b extends by a row. */
typedef struct krylov {
    double diagonal[SCALE_STEPS], off_diagonal[SCALE_STEPS]; /* T_ii; T_i,i+1 squared */
    double first, alpha, beta;                               /* gamma of the first step; the last one's */
    int count;
} krylov;

static void krylov_add(krylov *k, double gamma, double delta, double next)
{
    const double alpha = gamma / delta;
    k->diagonal[k->count] = 1 / alpha + (k->count ? k->beta / k->alpha : 0);
    k->beta = next / gamma;
    k->off_diagonal[k->count++] = k->beta / (alpha * alpha);
    k->alpha = alpha;
}

/* Returns how many eigenvalues of T are above t, by the signs of the pivots of T - t (Sturm). */
static int krylov_above(const krylov *k, double t)
{
    int count = 0;
    double pivot = 1;
    for (int i = 0; i < k->count; i++) {
        pivot = k->diagonal[i] - t - (i ? k->off_diagonal[i - 1] / pivot : 0);
        if (pivot == 0) pivot = -1e-300;
        count += pivot > 0;
    }
    return count;
}

/* Returns T's largest eigenvalue, by bisection; it is at most that of N. */
static double krylov_largest(const krylov *k)
{
    double low = 0, high = 0;
    for (int i = 0; i < k->count; i++)
        high = fmax(high, k->diagonal[i] + sqrt(k->off_diagonal[i]) + (i ? sqrt(k->off_diagonal[i - 1]) : 0));
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(krylov_above(k, middle) ? &low : &high) = middle;
    }
    return high;
}

static argand_status run_start(pcg *c, argand_array *x, int steps, krylov *k)
{
    double now[PCG_NUMBERS];
    TRY(argand_array_copy(c->r, c->smooth->b));
    TRY(argand_array_fill(x, (argand_scalar){0, 0}));
    TRY(pcg_begin(c));
    for (int i = 0; i < steps; i++) {
        const int gamma = c->gamma;
        TRY(pcg_step(c, x));
        TRY(spread_read(c->smooth->op->spread, now, c->numbers));
        if (i == 0)
            CHECK(now[PCG_DELTA] > 0 && isfinite(now[PCG_DELTA]), ARGAND_NUMERIC,
                  "argand_solve: A^H W A gives <b, N b> = %g; it must be above 0: check the operator with "
                  "argand_op_check",
                  now[PCG_DELTA]);
        if (!(now[PCG_DELTA] > 0) || !isfinite(now[c->gamma])) break;
        if (i == 0) k->first = now[gamma];
        krylov_add(k, now[gamma], now[PCG_DELTA], now[c->gamma]);
        if (now[c->gamma] <= 1e-12 * k->first) break;
    }
    return ARGAND_OK;
}

/* Gradients are kept orthogonal here too: errors of these steps would enter the start and the unit of the
 * weights, and slow iterations would keep them. */
argand_status scale_start(smooth *s, const argand_op *preconditioner, argand_array *x, double *scale,
                          double *largest)
{
    const int steps = preconditioner ? SCALE_STEPS / 2 : SCALE_STEPS;
    pcg c = {0};
    krylov k = {.count = 0};
    argand_array *numbers = NULL;
    argand_status status;
    TRY_OR_DONE(scalars_create(&numbers, argand_op_device(s->op), PCG_NUMBERS));
    TRY_OR_DONE(pcg_make(&c, s, preconditioner, numbers, 0));
    TRY_OR_DONE(conjugacy_make(&c.gradients, s->op, &(argand_cg_options){.iterations = steps}));
    TRY_OR_DONE(run_start(&c, x, steps, &k));
    TRY_OR_DONE(bright_magnitude(x, scale));
    TRY_OR_DONE(spread_same(s->op->spread, scale, 1));
    *largest = preconditioner ? 0 : krylov_largest(&k);
done:
    pcg_release(&c);
    argand_array_destroy(numbers);
    return status;
}

/* The norm that rank 0 finds. */
static argand_status image_norm(const smooth *s, double *norm, const argand_array *image)
{
    TRY(argand_array_norm(norm, image));
    return spread_same(s->op->spread, norm, 1);
}

/* The power method from b, which N has already rotated towards its largest eigenvalues. */
argand_status scale_largest(smooth *s, double *largest)
{
    enum { MOST = 30 };
    argand_array *v = NULL, *hv = NULL;
    double norm, last = 0;
    argand_status status;
    *largest = 0;
    TRY_OR_DONE(smooth_new_image(s, &v));
    TRY_OR_DONE(smooth_new_image(s, &hv));
    TRY_OR_DONE(image_norm(s, &norm, s->b));
    TRY_OR_DONE(argand_array_copy(v, s->b));
    for (int i = 0; i < MOST && norm > 0; i++) {
        TRY_OR_DONE(argand_array_scale(v, (argand_scalar){1 / norm, 0}));
        TRY_OR_DONE(smooth_hessian(s, hv, v));
        TRY_OR_DONE(image_norm(s, &norm, hv));
        CHECK_OR_DONE(isfinite(norm), ARGAND_NUMERIC, "argand_solve: the operator gave NaN or infinity");
        last = *largest;
        *largest = norm;
        if (norm - last < 0.005 * norm) break;
        TRY_OR_DONE(argand_array_copy(v, hv));
    }
    *largest *= 1.02;
done:
    argand_array_destroy(hv);
    argand_array_destroy(v);
    return status;
}
