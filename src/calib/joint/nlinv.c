/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonlinear inversion for x = (rho, c^): an image rho, and coil maps c = F^-1 (W c^), whose coefficients
 * have the cost (1 + 220 |k|^2)^16, so that the maps are smooth. The equation is T (rho c) = y, where T is
 * the transform to the samples, weighted by their density D:
 *
 *     (DF^H D DF + a) dx = DF^H D (y - F(x)) + a (x_0 - x),   a = 1, 2^-1/2, 1/2, ...,   x_0 = (1, 0).
 *
 * The derivative DF maps dx to T (rho F^-1 (W dc^) + c drho). W spans so many orders of magnitude that
 * conjugate gradients need the diagonal of the matrix as a preconditioner. */
#include "calib/joint/joint.h"

#include <math.h>
#include <argand/mri.h>
#include <argand/solve.h>
#include "base/memory.h"
#include "base/observe.h"
#include "mri/coils_op.h"
#include "mri/host.h"

/* Many Newton steps of few iterations each. Images of single and double precision, and of all devices,
 * then agree to a few roundings. Iterations down to 1e-3 of the gradient would need all earlier gradients
 * for this, take four times as long, and give no better maps. */
enum { MOST_CG = 10 };
static const double ENOUGH = 0.03; /* relative gradient */

/* |D^1/2 y| is scaled to this value, independent of the scanner's units, so that all scans start with a =
 * 1. */
static const double NORM = 100;

static const argand_scalar zero = {0, 0}, one = {1, 0};

/* Views of x = (rho, c^) {grid, 1 + coils}. */
typedef struct parts {
    argand_array *image;        /* {grid} */
    argand_array *repeated;     /* view of the image that repeats for every coil: {grid, coils} */
    argand_array *coefficients; /* {grid, coils} */
} parts;

typedef struct model {
    const joint_problem *p;
    argand_device *device;
    argand_shape coils, unknowns; /* {grid, coils}, {grid, 1 + coils} */
    double a, scale;              /* scale: factor of the data */
    argand_array *smooth;         /* W {grid, coils}, repeated */
    argand_op *to_maps;           /* F^-1 W */
    argand_op *by_maps;           /* multiplies an image by the maps */
    argand_op *identity, *hessian, *inverse_diagonal;
    /* Inverse of the Hessian's diagonal {grid}: for the image, for every coil's coefficients. */
    argand_array *inverse[2];
    argand_array *repeated;       /* view of the latter as {grid, coils} */
    double *w;                    /* W */
    argand_array *maps;           /* maps of the present x {grid, coils} */
    argand_array *images, *spare; /* {grid, coils}: coil images, and T^H D T of them */
    argand_array *x, *dx, *b;     /* {grid, 1 + coils} */
    parts at;                     /* views of x */
} model;

static void parts_close(parts *v)
{
    argand_array_destroy(v->image);
    argand_array_destroy(v->repeated);
    argand_array_destroy(v->coefficients);
}

static argand_status parts_open(parts *v, const model *m, const argand_array *x)
{
    const int last = m->coils.rank - 1;
    const int64_t coils = m->coils.dims[last];
    int64_t strides[ARGAND_MAX_RANK];
    *v = (parts){NULL};
    for (int axis = 0; axis < last; axis++) strides[axis] = argand_array_stride(x, axis);
    strides[last] = 0;
    argand_status status = argand_array_view(&v->image, x, last, m->coils.dims, strides, 0);
    if (!status) status = argand_array_part(&v->coefficients, x, last, 1, coils);
    if (!status) status = argand_array_view(&v->repeated, x, m->coils.rank, m->coils.dims, strides, 0);
    if (status) parts_close(v);
    return status;
}

/* Computes out = DF^H of the coil images in spare: (sum_c conj(c) z_c, W F (conj(rho) z_c)). */
static argand_status back(const model *m, const parts *out)
{
    TRY(argand_op_adjoint(m->by_maps, out->image, m->spare));
    TRY(argand_array_multiply(m->spare, m->at.repeated, m->spare, ARGAND_PRODUCT_CONJ));
    return argand_op_adjoint(m->to_maps, out->coefficients, m->spare);
}

/* Computes the coil images DF dx, before T. */
static argand_status derivative(const model *m, const parts *dx)
{
    TRY(argand_op_apply(m->to_maps, m->images, dx->coefficients));
    TRY(argand_array_multiply(m->images, m->at.repeated, m->images, ARGAND_PRODUCT));
    return argand_array_multiply(m->images, m->maps, dx->repeated, ARGAND_PRODUCT_ADD);
}

/* Computes out = DF^H D DF dx + a dx. */
static argand_status apply_hessian(void *context, argand_array *out, const argand_array *dx)
{
    const model *m = context;
    parts from = {NULL}, to = {NULL};
    argand_status status;
    TRY_OR_DONE(parts_open(&from, m, dx));
    TRY_OR_DONE(parts_open(&to, m, out));
    TRY_OR_DONE(derivative(m, &from));
    TRY_OR_DONE(argand_op_apply(m->p->normal, m->spare, m->images));
    TRY_OR_DONE(back(m, &to));
    status = argand_array_axpby(out, (argand_scalar){m->a, 0}, dx, one);
done:
    parts_close(&from);
    parts_close(&to);
    return status;
}

/* Multiplies by the inverse of the Hessian's diagonal. D is scaled so that the diagonal of T^H D T is 1. */
static argand_status divide_by_diagonal(void *context, argand_array *out, const argand_array *r)
{
    const model *m = context;
    parts from = {NULL}, to = {NULL};
    argand_status status;
    TRY_OR_DONE(parts_open(&from, m, r));
    TRY_OR_DONE(parts_open(&to, m, out));
    TRY_OR_DONE(argand_array_multiply(to.image, m->inverse[0], from.image, ARGAND_PRODUCT));
    status = argand_array_multiply(to.coefficients, m->repeated, from.coefficients, ARGAND_PRODUCT);
done:
    parts_close(&from);
    parts_close(&to);
    return status;
}

/* Computes this inverse for the present x and its maps. */
static argand_status find_diagonal(const model *m)
{
    const int64_t pixels = argand_array_count(m->at.image);
    double norm, *diagonal = NULL;
    argand_status status;
    TRY(argand_array_norm(&norm, m->at.image));
    const double mean = norm * norm / (double)pixels;
    TRY(argand_coils_rss(m->inverse[0], m->maps));
    TRY(host_read(&diagonal, m->inverse[0]));
    for (int64_t i = 0; i < pixels; i++) diagonal[i] = 1 / (diagonal[i] * diagonal[i] + m->a);
    TRY_OR_DONE(host_write_real(m->inverse[0], diagonal));
    for (int64_t i = 0; i < pixels; i++) diagonal[i] = 1 / (m->w[i] * m->w[i] * mean + m->a);
    status = host_write_real(m->inverse[1], diagonal);
done:
    memory_free(diagonal);
    return status;
}

/* Computes b = DF^H D (y - F(x)), and updates the maps for x. */
static argand_status descend(const model *m)
{
    parts to;
    TRY(argand_op_apply(m->to_maps, m->maps, m->at.coefficients));
    TRY(argand_op_apply(m->by_maps, m->images, m->at.image));
    TRY(argand_op_apply(m->p->normal, m->spare, m->images));
    TRY(argand_array_axpby(m->spare, (argand_scalar){m->scale, 0}, m->p->right, (argand_scalar){-1, 0}));
    TRY(parts_open(&to, m, m->b));
    const argand_status status = back(m, &to);
    parts_close(&to);
    return status;
}

/* Fills x_0. */
static argand_status start_of(const model *m, argand_array *x)
{
    argand_array *image;
    TRY(argand_array_fill(x, zero));
    TRY(argand_array_part(&image, x, m->coils.rank - 1, 0, 1));
    const argand_status status = argand_array_fill(image, one);
    argand_array_destroy(image);
    return status;
}

/* Performs one Gauss-Newton step. With the identity in place of A, argand_solve_cg solves H dx = b. */
static argand_status newton(model *m)
{
    const argand_cg_options options = {.iterations = MOST_CG,
                                       .tolerance = ENOUGH,
                                       .normal = m->hessian,
                                       .preconditioner = m->inverse_diagonal,
                                       .kept_gradients = -1};
    TRY(descend(m));
    TRY(find_diagonal(m));
    TRY(start_of(m, m->dx));
    TRY(argand_array_axpby(m->dx, (argand_scalar){-1, 0}, m->x, one));
    TRY(argand_array_axpby(m->b, (argand_scalar){m->a, 0}, m->dx, one));
    TRY(argand_solve_cg(m->dx, m->identity, m->b, &options));
    return argand_array_axpby(m->x, one, m->dx, one);
}

/* ---- the model */

/* Computes W. Its factor gives a map of 1 everywhere at most the cost of one image pixel, so that the maps
 * change first. */
static argand_status make_smooth(model *m, argand_array *weights)
{
    const int64_t pixels = argand_array_count(weights);
    TRY(NEW(m->w, pixels));
    for (int64_t i = 0; i < pixels; i++) {
        double square = 0;
        int64_t stride = 1;
        for (int axis = 0; axis < m->coils.rank - 1; stride *= m->coils.dims[axis++]) {
            const double k = pixel_centre(i / stride % m->coils.dims[axis], m->coils.dims[axis]);
            square += k * k;
        }
        m->w[i] = pow(1 + 220 * square, -16) * sqrt((double)pixels);
    }
    return host_write_real(weights, m->w);
}

/* Creates a real array {grid}, and a view of it as {grid, coils} unless `repeated` is NULL. */
static argand_status new_weights(const model *m, argand_array **weights, argand_array **repeated)
{
    const int last = m->coils.rank - 1;
    int64_t strides[ARGAND_MAX_RANK];
    TRY(argand_array_create(weights, m->device, type_of(false, type_is_double(m->coils.type)), last,
                            m->coils.dims));
    for (int axis = 0; axis < last; axis++) strides[axis] = argand_array_stride(*weights, axis);
    strides[last] = 0;
    return repeated ? argand_array_view(repeated, *weights, m->coils.rank, m->coils.dims, strides, 0)
                    : ARGAND_OK;
}

static argand_status make_weights(model *m)
{
    argand_array *weights = NULL;
    argand_status status;
    TRY_OR_DONE(new_weights(m, &m->inverse[0], NULL));
    TRY_OR_DONE(new_weights(m, &m->inverse[1], &m->repeated));
    TRY_OR_DONE(new_weights(m, &weights, &m->smooth));
    status = make_smooth(m, weights);
done:
    argand_array_destroy(weights);
    return status;
}

static argand_status make_to_maps(model *m)
{
    const int last = m->coils.rank - 1;
    argand_op *smooth = NULL, *fourier = NULL;
    argand_fft_options options = {.type = m->coils.type,
                                  .rank = last,
                                  .batch = m->coils.dims[last],
                                  .centred = true,
                                  .scale = ARGAND_SCALE_UNITARY};
    argand_status status;
    for (int axis = 0; axis < last; axis++) options.n[axis] = m->coils.dims[axis];
    TRY_OR_DONE(argand_op_diagonal(&smooth, m->smooth));
    TRY_OR_DONE(argand_op_fft(&fourier, m->device, &options, ARGAND_INVERSE));
    status = argand_op_chain(&m->to_maps, fourier, smooth);
done:
    argand_op_destroy(fourier);
    argand_op_destroy(smooth);
    return status;
}

static argand_status new_array(const model *m, const argand_shape *shape, argand_array **array)
{
    return argand_array_create(array, m->device, shape->type, shape->rank, shape->dims);
}

static argand_status make_operators(model *m)
{
    argand_op_definition definition = {.name = "joint",
                                       .domain = m->unknowns,
                                       .range = m->unknowns,
                                       .apply = apply_hessian,
                                       .adjoint = apply_hessian,
                                       .context = m};
    TRY(make_to_maps(m));
    TRY(coils_op(&m->by_maps, m->maps));
    TRY(argand_op_identity(&m->identity, m->device, &m->unknowns));
    TRY(argand_op_create(&m->hessian, m->device, &definition));
    definition.apply = definition.adjoint = divide_by_diagonal;
    return argand_op_create(&m->inverse_diagonal, m->device, &definition);
}

static argand_status make(model *m)
{
    argand_array **const images[] = {&m->maps, &m->images, &m->spare};
    argand_array **const unknowns[] = {&m->x, &m->dx, &m->b};
    for (int i = 0; i < 3; i++) {
        TRY(new_array(m, &m->coils, images[i]));
        TRY(new_array(m, &m->unknowns, unknowns[i]));
    }
    TRY(make_weights(m));
    TRY(make_operators(m));
    TRY(start_of(m, m->x));
    return parts_open(&m->at, m, m->x);
}

static void free_model(model *m)
{
    argand_array *const arrays[] = {m->smooth, m->inverse[0], m->inverse[1], m->repeated, m->maps,
                                    m->images, m->spare,      m->x,          m->dx,       m->b};
    argand_op *const operators[] = {m->to_maps, m->by_maps, m->identity, m->hessian, m->inverse_diagonal};
    parts_close(&m->at);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) argand_op_destroy(operators[i]);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    memory_free(m->w);
}

argand_status joint_solve(argand_array *coefficients, const joint_problem *p)
{
    model m = {.p = p,
               .device = argand_op_device(p->normal),
               .coils = *argand_op_domain(p->normal),
               .a = 1,
               .scale = NORM / p->norm};
    argand_status status;
    CHECK(p->norm > 0 && isfinite(p->norm), ARGAND_NUMERIC,
          "image and coil maps together: the samples are all 0, or too large");
    m.unknowns = m.coils;
    m.unknowns.dims[m.coils.rank - 1]++;
    TRY_OR_DONE(make(&m));
    for (int step = 0; step < p->steps; step++, m.a *= sqrt(0.5)) {
        TRY_OR_DONE(observe("image and coil maps together", (double)step / p->steps));
        TRY_OR_DONE(newton(&m));
    }
    status = argand_array_multiply(coefficients, m.smooth, m.at.coefficients, ARGAND_PRODUCT);
done:
    free_model(&m);
    return status;
}
