/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioned conjugate gradients for least squares, CGLS form:
 * Hestenes and Stiefel, J. Res. NBS 49:409, 1952; Bjorck, Numerical Methods for Least Squares Problems,
 * 1996, 7.4. Everything is an operation on arrays, so the numbers stay on their device; only dot products
 * come to the host. No number is compared with a constant that has the data's unit: scaled data give scaled
 * iterates. */
#include "solve/cg.h"

#include <float.h>
#include <math.h>
#include "base/clock.h"
#include "base/memory.h"

static const argand_scalar zero = {0, 0}, one = {1, 0};

typedef struct solver {
    const argand_cg_options *options;
    const argand_op *op;
    argand_array *x;
    cg_term *terms; /* the data, then the penalties */
    int count;
    argand_array *s;                     /* the negative gradient: sum_i scale_i C_i^H W_i residual_i */
    argand_array *z;                     /* M s; s itself without a preconditioner */
    argand_array *p;                     /* the search direction */
    argand_array *work;                  /* x's shape; only with penalties */
    double gamma;                        /* <s, z> */
    double data_energy, penalty;         /* |W^1/2 (y - A x)|^2, R(x) */
    double gradient;                     /* |s| */
    double residual_unit, gradient_unit; /* |W^1/2 y|, |gradient at x = 0| */
    double norm;     /* a lower bound of the largest singular value of all terms together */
    double shortest; /* the least length of all residuals so far */
    double started;
} solver;

/* ---- checks ---- */

static bool same_shape(const argand_array *array, const argand_shape *shape)
{
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
        if (argand_array_dim(array, axis) != (axis < shape->rank ? shape->dims[axis] : 1)) return false;
    return true;
}

static argand_status check_array(const argand_array *array, const argand_op *op, const argand_shape *shape,
                                 const char *what)
{
    CHECK(array, ARGAND_ARGUMENT, "argand_solve_cg: %s is NULL", what);
    CHECK(argand_array_device(array) == argand_op_device(op), ARGAND_ARGUMENT,
          "argand_solve_cg: %s and the operator live on different devices", what);
    CHECK(same_shape(array, shape), ARGAND_ARGUMENT,
          "argand_solve_cg: %s does not have the shape of the operator's side", what);
    return ARGAND_OK;
}

static argand_status check_finite(const argand_array *array, const char *what)
{
    bool finite;
    TRY(argand_array_is_finite(&finite, array));
    CHECK(finite, ARGAND_NUMERIC, "argand_solve_cg: %s holds NaN or infinity", what);
    return ARGAND_OK;
}

/* |w| - w is exactly 0 where w is not negative. */
static argand_status check_not_negative(const argand_array *w)
{
    int64_t dims[ARGAND_MAX_RANK];
    argand_array *excess;
    double most;
    argand_status status;
    for (int axis = 0; axis < argand_array_rank(w); axis++) dims[axis] = argand_array_dim(w, axis);
    TRY(argand_array_create(&excess, argand_array_device(w), argand_array_type(w), argand_array_rank(w),
                            dims));
    TRY_OR_DONE(argand_array_abs(excess, w));
    TRY_OR_DONE(argand_array_axpby(excess, (argand_scalar){-1, 0}, w, one));
    TRY_OR_DONE(argand_array_max_abs(&most, excess));
    CHECK_OR_DONE(most == 0, ARGAND_ARGUMENT, "argand_solve_cg: a weight is negative");
done:
    argand_array_destroy(excess);
    return status;
}

static argand_status check_weights(const argand_array *weights, const argand_op *op)
{
    if (!weights) return ARGAND_OK;
    TRY(check_array(weights, op, argand_op_range(op), "weights"));
    const argand_type type = argand_array_type(weights);
    CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
          "argand_solve_cg: weights are %s, but must be real", argand_type_name(type));
    TRY(check_finite(weights, "weights"));
    return check_not_negative(weights);
}

static argand_status check_domain(const argand_op *part, const argand_op *op, const char *what)
{
    CHECK(part, ARGAND_ARGUMENT, "argand_solve_cg: a %s has no operator", what);
    const argand_shape *a = argand_op_domain(part), *b = argand_op_domain(op);
    bool equal = a->type == b->type && argand_op_device(part) == argand_op_device(op);
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
        equal = equal && (axis < a->rank ? a->dims[axis] : 1) == (axis < b->rank ? b->dims[axis] : 1);
    CHECK(equal, ARGAND_ARGUMENT,
          "argand_solve_cg: a %s has another domain, type or device than the operator", what);
    return ARGAND_OK;
}

static argand_status check_options(const argand_cg_options *o, const argand_op *op)
{
    CHECK(o->iterations >= 0, ARGAND_ARGUMENT, "argand_solve_cg: %d iterations", o->iterations);
    CHECK(o->tolerance >= 0 && isfinite(o->tolerance), ARGAND_ARGUMENT, "argand_solve_cg: tolerance %g",
          o->tolerance);
    CHECK(o->penalty_count >= 0 && (o->penalties || !o->penalty_count), ARGAND_ARGUMENT,
          "argand_solve_cg: %d penalties, but no list of them", o->penalty_count);
    for (int i = 0; i < o->penalty_count; i++) {
        TRY(check_domain(o->penalties[i].op, op, "penalty"));
        CHECK(o->penalties[i].beta >= 0 && isfinite(o->penalties[i].beta), ARGAND_ARGUMENT,
              "argand_solve_cg: penalty %d has beta %g; it must be 0 or more", i, o->penalties[i].beta);
    }
    return o->preconditioner ? check_domain(o->preconditioner, op, "preconditioner") : ARGAND_OK;
}

static argand_status check_all(const argand_array *x, const argand_op *op, const argand_array *y,
                               const argand_cg_options *o)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_solve_cg: no operator");
    TRY(check_array(x, op, argand_op_domain(op), "x"));
    TRY(check_array(y, op, argand_op_range(op), "y"));
    CHECK(argand_array_type(x) == argand_op_domain(op)->type, ARGAND_ARGUMENT,
          "argand_solve_cg: x is %s, but the operator's domain %s", argand_type_name(argand_array_type(x)),
          argand_type_name(argand_op_domain(op)->type));
    TRY(check_options(o, op));
    TRY(check_weights(o->weights, op));
    TRY(check_finite(y, "the data"));
    return o->use_start ? check_finite(x, "the start") : ARGAND_OK;
}

/* ---- parts of the iteration ---- */

static argand_status new_domain_array(argand_array **array, const argand_op *op)
{
    const argand_shape *domain = argand_op_domain(op);
    return argand_array_create(array, argand_op_device(op), domain->type, domain->rank, domain->dims);
}

static argand_status solver_make(solver *v)
{
    const argand_cg_options *o = v->options;
    TRY(NEW(v->terms, o->penalty_count + 1));
    v->count = 1;
    TRY(cg_term_make(&v->terms[0], v->op, 1, o->weights));
    for (int i = 0; i < o->penalty_count; i++)
        if (o->penalties[i].beta > 0)
            TRY(cg_term_make(&v->terms[v->count++], o->penalties[i].op, o->penalties[i].beta, NULL));
    TRY(new_domain_array(&v->s, v->op));
    TRY(new_domain_array(&v->p, v->op));
    if (o->preconditioner) TRY(new_domain_array(&v->z, v->op));
    return v->count > 1 ? new_domain_array(&v->work, v->op) : ARGAND_OK;
}

static void solver_release(solver *v)
{
    argand_array_destroy(v->work);
    argand_array_destroy(v->z);
    argand_array_destroy(v->p);
    argand_array_destroy(v->s);
    for (int i = 0; i < v->count; i++) cg_term_release(&v->terms[i]);
    memory_free(v->terms);
}

/* From the residuals: energies, s = gradient, z = M s, gamma = <s, z>. */
static argand_status evaluate(solver *v)
{
    argand_scalar product;
    v->penalty = 0;
    for (int i = 0; i < v->count; i++) {
        double value;
        TRY(cg_term_energy(&v->terms[i], &value));
        if (i == 0)
            v->data_energy = value;
        else
            v->penalty += v->terms[i].scale / 2 * value;
        TRY(cg_term_gradient(&v->terms[i], v->s, v->work, i == 0));
    }
    TRY(argand_array_dot(&product, v->s, v->s));
    v->gradient = sqrt(product.re);
    v->gamma = product.re;
    if (!v->options->preconditioner) return ARGAND_OK;
    TRY(argand_op_apply(v->options->preconditioner, v->z, v->s));
    TRY(argand_array_dot(&product, v->s, v->z));
    v->gamma = product.re;
    return ARGAND_OK;
}

static const argand_array *preconditioned(const solver *v)
{
    return v->z ? v->z : v->s;
}

/* residual_i -= C_i x for a given start; p carries x, as operators want contiguous arrays. */
static argand_status subtract_start(solver *v)
{
    TRY(argand_array_copy(v->p, v->x));
    for (int i = 0; i < v->count; i++) {
        TRY(argand_op_apply(v->terms[i].op, v->terms[i].step, v->p));
        TRY(cg_term_advance(&v->terms[i], 1));
    }
    return evaluate(v);
}

/* Residuals and gradient at x = 0, which are the units of all that is reported, then at the start. */
static argand_status begin(solver *v, const argand_array *y)
{
    TRY(argand_array_copy(v->terms[0].residual, y));
    TRY(evaluate(v));
    v->residual_unit = sqrt(v->data_energy);
    v->gradient_unit = v->gradient;
    if (v->options->use_start) {
        TRY(subtract_start(v));
        if (v->residual_unit == 0)
            v->residual_unit = sqrt(v->data_energy); /* y = 0: against the start instead */
        if (v->gradient_unit == 0) v->gradient_unit = v->gradient;
    } else
        TRY(argand_array_fill(v->x, zero));
    return argand_array_copy(v->p, preconditioned(v));
}

static double ratio(double value, double unit)
{
    return value == 0 ? 0 : value / unit;
}

static argand_status report(const solver *v, int iteration, int iterations)
{
    const argand_progress progress = {.iteration = iteration,
                                      .iterations = iterations,
                                      .residual = ratio(sqrt(v->data_energy), v->residual_unit),
                                      .gradient = ratio(v->gradient, v->gradient_unit),
                                      .penalty = v->penalty,
                                      .seconds = clock_seconds() - v->started};
    if (!v->options->monitor || v->options->monitor(v->options->monitor_context, &progress)) return ARGAND_OK;
    return status_set(ARGAND_STOPPED, "stopped after iteration %d", iteration);
}

static double rounding(const solver *v)
{
    const argand_type type = argand_op_domain(v->op)->type;
    return type == ARGAND_R64 || type == ARGAND_C64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

/* alpha = gamma / delta, or *solved where nothing is left but rounding. */
static argand_status step_length(const solver *v, double delta, int iteration, double *alpha, bool *solved)
{
    CHECK(isfinite(delta), ARGAND_NUMERIC,
          "argand_solve_cg: NaN or overflow in iteration %d: the operator gave it", iteration);
    CHECK(delta >= 0, ARGAND_NUMERIC, "argand_solve_cg: negative curvature %g in iteration %d", delta,
          iteration);
    *solved = delta == 0 && v->gradient <= rounding(v) * v->gradient_unit;
    CHECK(delta > 0 || *solved, ARGAND_NUMERIC,
          "argand_solve_cg: the operator maps a direction to 0 that its adjoint gave in iteration %d; check "
          "it with argand_op_check",
          iteration);
    *alpha = *solved ? 0 : v->gamma / delta;
    return ARGAND_OK;
}

static argand_status check_gamma(const solver *v, int iteration)
{
    CHECK(isfinite(v->gamma) && isfinite(v->gradient), ARGAND_NUMERIC,
          "argand_solve_cg: NaN or overflow in iteration %d: the adjoint or the preconditioner gave it",
          iteration);
    CHECK(v->gamma > 0 || v->gradient == 0, ARGAND_NUMERIC,
          "argand_solve_cg: the preconditioner is not positive (%g in iteration %d)", v->gamma, iteration);
    return ARGAND_OK;
}

/* sqrt(2 objective): the length of all residuals together. */
static double residual_length(const solver *v)
{
    return sqrt(v->data_energy + 2 * v->penalty);
}

/* The gradient that rounding alone makes. Past it the recurrence does not merely stand still: its directions
 * lose their orthogonality and may grow without bound. Where the residual itself goes to 0 (consistent data),
 * s shrinks far below the true gradient instead, and its steps below the last bit of x: the second bound. */
static double gradient_floor(const solver *v)
{
    const double eps = rounding(v);
    return fmax(4 * eps * v->norm * residual_length(v), eps * eps * v->gradient_unit);
}

static bool converged(const solver *v)
{
    return v->gamma == 0 || v->gradient <= fmax(v->options->tolerance * v->gradient_unit, gradient_floor(v));
}

/* In exact arithmetic each step lowers the objective. A rise by a percent means an adjoint that is none. */
static argand_status check_descent(solver *v, int iteration)
{
    const double length = residual_length(v);
    CHECK(length <= 1.01 * v->shortest + rounding(v) * v->residual_unit, ARGAND_NUMERIC,
          "argand_solve_cg: the residual grew in iteration %d: adjoint and operator (or preconditioner) do "
          "not belong "
          "together; see argand_op_check",
          iteration);
    v->shortest = fmin(v->shortest, length);
    return ARGAND_OK;
}

/* 1 / alpha never exceeds the largest eigenvalue of the normal operator, and comes near it in few iterations.
 */
static void learn_norm(solver *v, double alpha)
{
    if (!v->options->preconditioner) v->norm = fmax(v->norm, sqrt(1 / alpha));
}

/* q = C p;  alpha = gamma / <q, W q>;  x += alpha p;  r -= alpha q;  s = C^H W r;  z = M s;  p = z +
 * (gamma'/gamma) p */
static argand_status iterate(solver *v, int iteration, bool *solved)
{
    double delta = 0, alpha = 0;
    const double gamma = v->gamma;
    for (int i = 0; i < v->count; i++) TRY(cg_term_step(&v->terms[i], v->p, &delta));
    TRY(step_length(v, delta, iteration, &alpha, solved));
    if (*solved) return ARGAND_OK;
    learn_norm(v, alpha);
    TRY(argand_array_axpby(v->x, (argand_scalar){alpha, 0}, v->p, one));
    for (int i = 0; i < v->count; i++) TRY(cg_term_advance(&v->terms[i], alpha));
    TRY(evaluate(v));
    TRY(check_gamma(v, iteration));
    TRY(check_descent(v, iteration));
    return argand_array_axpby(v->p, one, preconditioned(v), (argand_scalar){v->gamma / gamma, 0});
}

static argand_status run(solver *v, const argand_array *y)
{
    const int iterations = v->options->iterations ? v->options->iterations : 10;
    bool solved = false;
    TRY(begin(v, y));
    TRY(check_gamma(v, 0));
    v->shortest = residual_length(v);
    v->norm = ratio(v->gradient_unit, v->residual_unit);
    TRY(report(v, 0, iterations));
    for (int iteration = 1; iteration <= iterations && !converged(v); iteration++) {
        TRY(iterate(v, iteration, &solved));
        if (solved) return ARGAND_OK;
        TRY(report(v, iteration, iterations));
    }
    return ARGAND_OK;
}

argand_status argand_solve_cg(argand_array *x, const argand_op *op, const argand_array *y,
                              const argand_cg_options *options)
{
    static const argand_cg_options defaults;
    const argand_cg_options *o = options ? options : &defaults;
    TRY(check_all(x, op, y, o));
    solver v = {.options = o, .op = op, .x = x, .started = clock_seconds()};
    argand_status status = solver_make(&v);
    if (status == ARGAND_OK) status = run(&v, y);
    solver_release(&v);
    return status;
}
