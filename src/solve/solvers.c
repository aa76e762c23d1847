/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of solvers: which lists of regularizers each one takes, and which one a list gets. */
#include "solve/problem.h"

/* How many regularizers of each kind a list has, without entries of weight 0. */
typedef struct contents {
    int hyperbolas, image_rules, gradient_rules, maps; /* wavelet, low rank, maps; TV; denoisers */
} contents;

typedef struct solver_kind {
    const char *name;
    const char *summary; /* for a sentence: "the problem was solved by conjugate gradients" */
    const char *paper;   /* (optional) where the method comes from */
    bool (*takes)(contents c);
    const char *taken;                /* what it takes, for a message */
    bool is_chosen;                   /* among those that ARGAND_SOLVER_AUTO looks at */
    argand_status (*run)(problem *p); /* NULL: argand_solve_cg, which needs no problem */
} solver_kind;

static bool takes_quadratic(contents c)
{
    return !c.hyperbolas && !c.image_rules && !c.gradient_rules;
}

static bool takes_hyperbolas(contents c)
{
    return !c.image_rules && !c.gradient_rules;
}

static bool takes_one_map(contents c)
{
    return c.image_rules <= 1 && !c.gradient_rules && !c.hyperbolas;
}

/* A map alone fits one step: those of POGM vary. */
static bool takes_one_rule(contents c)
{
    return takes_one_map(c) && !c.maps;
}

static bool takes_all(contents c)
{
    (void)c;
    return true;
}

/* By argand_solver; ARGAND_SOLVER_AUTO is the first chosen row that takes the list. */
static const solver_kind solvers[] = {
    {.name = "auto", .summary = "a solver that takes the penalties", .takes = takes_all},
    {.name = "cg",
     .summary = "conjugate gradients",
     .takes = takes_quadratic,
     .taken = "quadratic regularizers alone; leave the solver to be chosen",
     .is_chosen = true},
    {.name = "half-quadratic",
     .summary = "half-quadratic steps of conjugate gradients",
     .paper =
         "Geman, Reynolds: Constrained restoration and the recovery of discontinuities. IEEE Trans. Pattern "
         "Anal. 14:367, 1992.",
     .takes = takes_hyperbolas,
     .taken = "quadratic regularizers and hyperbolas alone; leave the solver to be chosen",
     .is_chosen = true,
     .run = solve_half_quadratic},
    {.name = "fista",
     .summary = "FISTA",
     .paper =
         "Beck, Teboulle: A fast iterative shrinkage-thresholding algorithm for linear inverse problems. "
         "SIAM J. Imaging Sci. 2:183, 2009.",
     .takes = takes_one_map,
     .taken = "one wavelet, llr or denoiser besides quadratic regularizers; admm takes any list",
     .run = solve_proximal},
    {.name = "pogm",
     .summary = "POGM",
     .paper = "Taylor, Hendrickx, Glineur: Exact worst-case performance of first-order methods for composite "
              "convex optimization. SIAM J. Optim. 27:1283, 2017.",
     .takes = takes_one_rule,
     .taken = "one wavelet or llr besides quadratic regularizers; admm takes any list",
     .is_chosen = true,
     .run = solve_proximal},
    {.name = "admm",
     .summary = "ADMM",
     .paper =
         "Boyd, Parikh, Chu, Peleato, Eckstein: Distributed optimization and statistical learning via the "
         "alternating direction method of multipliers. Found. Trends Mach. Learn. 3:1, 2011.",
     .takes = takes_all,
     .is_chosen = true,
     .run = solve_admm},
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static bool is_known(argand_solver solver)
{
    return (int)solver >= 0 && (int)solver < SOLVERS;
}

const char *argand_solver_name(argand_solver solver)
{
    return is_known(solver) ? solvers[solver].name : "unknown";
}

argand_status argand_solver_describe(argand_solver solver, argand_kind_info *info)
{
    CHECK(info, ARGAND_ARGUMENT, "argand_solver_describe: info is NULL");
    CHECK(is_known(solver), ARGAND_ARGUMENT, "solver %d is not known; give 0 to %d", (int)solver,
          (int)SOLVERS - 1);
    const solver_kind *s = &solvers[solver];
    *info = (argand_kind_info){.name = s->name, .summary = s->summary, .paper = s->paper};
    return ARGAND_OK;
}

static contents look(const argand_regularizer *list, int count)
{
    contents c = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        if (list[i].weight == 0 || regularizer_is_quadratic(&list[i])) continue;
        const bool is_hyperbola = regularizer_is_half_quadratic(&list[i]);
        const bool has_gradient = regularizer_has_gradient(&list[i]);
        c.hyperbolas += is_hyperbola;
        c.image_rules += !has_gradient;
        c.gradient_rules += has_gradient && !is_hyperbola;
        c.maps += regularizer_is_map(&list[i]);
    }
    return c;
}

argand_solver argand_solver_choose(const argand_regularizer *regularizers, int count)
{
    const contents c = look(regularizers, regularizers ? count : 0);
    int solver = ARGAND_SOLVER_CG;
    while (!solvers[solver].is_chosen || !solvers[solver].takes(c)) solver++; /* the last one takes all */
    return (argand_solver)solver;
}

argand_status solve_problem_check_solver(const argand_solve_options *o)
{
    CHECK(is_known(o->solver), ARGAND_ARGUMENT,
          "argand_solve: solver %d is not known; give one of argand_solver", (int)o->solver);
    const solver_kind *s = &solvers[o->solver];
    CHECK(s->takes(look(o->regularizers, o->regularizer_count)), ARGAND_ARGUMENT, "argand_solve: %s takes %s",
          s->name, s->taken);
    return ARGAND_OK;
}

argand_status solve_problem_run(problem *p)
{
    return solvers[p->solver].run(p);
}
