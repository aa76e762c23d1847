/* SPDX-License-Identifier: BSD-3-Clause */
/* Alternating directions for f(x) + sum_i R_i(K_i x), f quadratic: Boyd, Parikh, Chu, Peleato, Eckstein,
 * Found. Trends Mach. Learn. 3:1, 2011, with over-relaxation. The image update is a few CG steps from the
 * last image; each splitting has a penalty rho of its own, balanced by relative residuals: Wohlberg,
 * arXiv:1704.06209, 2017. */
#include <math.h>
#include "base/memory.h"
#include "op/spread.h"
#include "solve/descent.h"
#include "solve/problem.h"
#include "solve/spectral.h"

/* Numbers of the whole, then SPLIT of each splitting. */
enum { DATA = DESCENT_NUMBERS, QUADRATIC, RULES, GRADIENT, WHOLE };
enum { PRIMAL, IMAGE, SPLITTING, MOVED, DUAL, SPLIT };
enum { NUMBERS = WHOLE + ARGAND_MAX_REGULARIZERS * SPLIT };

enum { REFRESH = 20 }; /* iterations between two gradients from x itself */
static const double relaxation = 1.6;
static const argand_scalar one = {1, 0}, minus_one = {-1, 0};

/* R(K x): v = K x, z its copy that R is applied to, u the scaled dual. K NULL is the identity. */
typedef struct split {
    prox *prox;
    argand_op *op;
    smooth_term *term; /* rho K^H K in the Hessian */
    double beta;
    bool tells_v; /* R is reported of K x; of z where that would cost another transform */
    bool is_map;  /* R is given by its map: rho stays */
    argand_array *v, *z, *z_old, *u, *work;
    int pause, wait; /* iterations between two changes of rho, and left of these */
} split;

typedef struct solver {
    problem *problem;
    descent descent;     /* of the image update */
    argand_array *image; /* a place */
    argand_array *numbers;
    double now[NUMBERS];
    split splits[ARGAND_MAX_REGULARIZERS];
    int count;
    bool rho_is_new;
} solver;

static argand_status split_make(problem *p, split *s, const argand_regularizer *r)
{
    argand_device *device = argand_op_device(p->op);
    s->beta = solve_problem_beta(p, r);
    s->tells_v = regularizer_has_gradient(r);
    TRY(prox_make(&s->prox, r, device, argand_op_domain(p->op), p->space));
    s->prox->delta = solve_problem_delta(p, r);
    s->prox->scale = solve_problem_scale(p);
    s->is_map = regularizer_is_map(r);
    if (s->tells_v) TRY(argand_op_gradient(&s->op, device, argand_op_domain(p->op), p->space));
    /* thresholds begin at a tenth of the image's magnitude; a smooth penalty has curvature beta */
    const double rho =
        regularizer_is_half_quadratic(r) || s->is_map ? s->beta : s->beta / (0.1 * p->image_scale);
    TRY(smooth_add(&p->smooth, s->op, rho, true, &s->term));
    const argand_shape *shape = s->op ? argand_op_range(s->op) : argand_op_domain(p->op);
    argand_array **const arrays[] = {&s->v, &s->z, &s->z_old, &s->u, &s->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        TRY(argand_array_create(arrays[i], device, shape->type, shape->rank, shape->dims));
    return ARGAND_OK;
}

static void split_release(split *s)
{
    argand_array *const arrays[] = {s->v, s->z, s->z_old, s->u, s->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    argand_op_destroy(s->op);
    prox_destroy(s->prox);
}

static argand_status make(solver *a)
{
    problem *p = a->problem;
    const argand_regularizer *r;
    TRY(smooth_new_image(&p->smooth, &a->image));
    for (int i = 0; (r = solve_problem_regularizer(p, i)); i++)
        if (!regularizer_is_quadratic(r) && r->weight > 0) TRY(split_make(p, &a->splits[a->count++], r));
    TRY(scalars_create(&a->numbers, argand_op_device(p->op), NUMBERS));
    return descent_make(&a->descent, &p->smooth, p->preconditioner, a->numbers);
}

static void release(solver *a)
{
    descent_release(&a->descent);
    for (int i = 0; i < a->count; i++) split_release(&a->splits[i]);
    argand_array_destroy(a->numbers);
    argand_array_destroy(a->image);
}

static argand_status forward(const split *s, argand_array *v, const argand_array *x)
{
    return s->op ? argand_op_apply(s->op, v, x) : argand_array_copy(v, x);
}

/* Adds a K^H v to y. */
static argand_status add_back(solver *a, const split *s, argand_array *y, double factor,
                              const argand_array *v)
{
    if (!s->op) return argand_array_axpby(y, (argand_scalar){factor, 0}, v, one);
    TRY(argand_op_adjoint(s->op, a->image, v));
    return argand_array_axpby(y, (argand_scalar){factor, 0}, a->image, one);
}

/* Updates a preconditioner that was made from a spectrum to the new rho. */
static argand_status update_preconditioner(const solver *a)
{
    const smooth *s = &a->problem->smooth;
    double identity, laplacian;
    if (!a->problem->spectral) return ARGAND_OK;
    smooth_weights(s, &identity, &laplacian);
    return spectral_set(a->problem->spectral, identity, laplacian);
}

/* r = -(grad f + sum rho K^H (K x - z + u)), and steps of CG from there */
static argand_status update_image(solver *a)
{
    argand_array *r = a->descent.r;
    TRY(argand_array_copy(r, a->descent.g));
    TRY(smooth_add_quadratic(&a->problem->smooth, r, a->problem->x));
    for (int i = 0; i < a->count; i++) {
        const split *s = &a->splits[i];
        TRY(argand_array_copy(s->work, s->v));
        TRY(argand_array_axpby(s->work, minus_one, s->z, one));
        TRY(argand_array_axpby(s->work, one, s->u, one));
        TRY(add_back(a, s, r, s->term->beta, s->work));
    }
    TRY(argand_array_scale(r, minus_one));
    return descent_steps(&a->descent, a->problem->x, a->problem->inner);
}

/* R(K x) into the numbers: a proximal map of threshold 0, into work */
static argand_status tell_rule(solver *a, split *s, bool add)
{
    const tally sum = {a->numbers, RULES, s->beta, add};
    return s->prox->run(s->prox, s->work, s->v, 0, &sum);
}

/* v = K x;  z = prox(relaxed v + u);  u += relaxed v - z */
static argand_status update_split(solver *a, int i)
{
    split *s = &a->splits[i];
    const tally sum = {s->tells_v ? NULL : a->numbers, RULES, s->beta, i > 0};
    argand_array *const swap = s->z_old;
    s->z_old = s->z;
    s->z = swap;
    TRY(forward(s, s->v, a->problem->x));
    TRY(argand_array_axpby(s->u, (argand_scalar){relaxation, 0}, s->v, one));
    TRY(argand_array_axpby(s->u, (argand_scalar){1 - relaxation, 0}, s->z_old, one));
    if (s->prox->move) s->prox->move(s->prox);
    TRY(s->prox->run(s->prox, s->z, s->u, s->beta / s->term->beta, &sum));
    TRY(argand_array_axpby(s->u, minus_one, s->z, one));
    return s->tells_v ? tell_rule(a, s, i > 0) : ARGAND_OK;
}

/* Computes the five lengths from which a splitting's residuals and balance follow. */
static argand_status measure(solver *a, int i)
{
    const split *s = &a->splits[i];
    const int at = WHOLE + i * SPLIT;
    TRY(argand_array_copy(s->work, s->v));
    TRY(argand_array_axpby(s->work, minus_one, s->z, one));
    TRY(scalars_dot(a->numbers, at + PRIMAL, 1, s->work, s->work, false));
    TRY(argand_array_copy(s->work, s->z_old));
    TRY(argand_array_axpby(s->work, minus_one, s->z, one));
    TRY(scalars_dot(a->numbers, at + MOVED, 1, s->work, s->work, false));
    TRY(scalars_dot(a->numbers, at + IMAGE, 1, s->v, s->v, false));
    TRY(scalars_dot(a->numbers, at + SPLITTING, 1, s->z, s->z, false));
    return scalars_dot(a->numbers, at + DUAL, 1, s->u, s->u, false);
}

/* Computes the Lagrangian's gradient from the duals, then copies all numbers to the host. */
static argand_status evaluate(solver *a)
{
    smooth *s = &a->problem->smooth;
    argand_array *r = a->descent.r;
    TRY(descent_data(&a->descent, a->problem->x, DATA));
    TRY(smooth_penalty(s, a->problem->x, a->numbers, QUADRATIC));
    TRY(argand_array_copy(r, a->descent.g));
    TRY(smooth_add_quadratic(s, r, a->problem->x));
    for (int i = 0; i < a->count; i++)
        TRY(add_back(a, &a->splits[i], r, a->splits[i].term->beta, a->splits[i].u));
    TRY(scalars_dot(a->numbers, GRADIENT, 1, r, r, false));
    return spread_read(a->problem->op->spread, a->now, a->numbers);
}

/* |K x - z| relative to the larger of the two */
static double primal(const solver *a, int i)
{
    const double *n = a->now + WHOLE + i * SPLIT, size = fmax(n[IMAGE], n[SPLITTING]);
    return size > 0 ? sqrt(n[PRIMAL] / size) : 0;
}

static double dual(const solver *a, int i)
{
    const double *n = a->now + WHOLE + i * SPLIT;
    return n[DUAL] > 0 ? sqrt(n[MOVED] / n[DUAL]) : 0;
}

/* Returns the gradient's length relative to that at x = 0. */
static double distance(const solver *a)
{
    double most = sqrt(a->now[GRADIENT]);
    for (int i = 0; i < a->count; i++) most = fmax(most, primal(a, i) * a->problem->watch.gradient_unit);
    return most;
}

/* Changes rho so that the larger of the two residuals shrinks. The intervals between changes grow, so that
 * rho comes to rest. */
static argand_status balance(solver *a, int i)
{
    split *s = &a->splits[i];
    const double p = primal(a, i), d = dual(a, i);
    if (s->is_map || s->wait-- > 0 || p == 0 || d == 0 || (p < 2 * d && d < 2 * p)) return ARGAND_OK;
    const double factor = fmin(4, fmax(0.25, sqrt(p / d)));
    s->wait = ++s->pause;
    s->term->beta *= factor;
    a->rho_is_new = true;
    return argand_array_scale(s->u, (argand_scalar){1 / factor, 0});
}

static argand_status balance_all(solver *a)
{
    a->rho_is_new = false;
    for (int i = 0; i < a->count; i++) TRY(balance(a, i));
    return a->rho_is_new ? update_preconditioner(a) : ARGAND_OK;
}

static argand_status report(const solver *a, int iteration)
{
    return watch_report(&a->problem->watch, iteration, smooth_data(&a->problem->smooth, a->now[DATA]),
                        distance(a), a->now[QUADRATIC] + a->now[RULES]);
}

static argand_status begin(solver *a)
{
    TRY(descent_refresh(&a->descent, a->problem->x));
    TRY(update_preconditioner(a));
    for (int i = 0; i < a->count; i++) {
        split *s = &a->splits[i];
        TRY(forward(s, s->v, a->problem->x));
        TRY(argand_array_copy(s->z, s->v));
        TRY(tell_rule(a, s, i > 0));
    }
    TRY(evaluate(a));
    return report(a, 0);
}

static argand_status run(solver *a)
{
    const problem *p = a->problem;
    TRY(begin(a));
    for (int k = 1; k <= p->watch.iterations; k++) {
        TRY(update_image(a));
        for (int i = 0; i < a->count; i++) TRY(update_split(a, i));
        for (int i = 0; i < a->count; i++) TRY(measure(a, i));
        TRY(evaluate(a));
        TRY(report(a, k));
        if (distance(a) <= p->options->tolerance * p->watch.gradient_unit) break;
        if (k % REFRESH == 0) TRY(descent_refresh(&a->descent, p->x));
        TRY(balance_all(a));
    }
    return ARGAND_OK;
}

argand_status solve_admm(problem *p)
{
    solver *a;
    TRY(NEW(a, 1));
    a->problem = p;
    argand_status status = make(a);
    if (status == ARGAND_OK) status = run(a);
    release(a);
    memory_free(a);
    return status;
}
