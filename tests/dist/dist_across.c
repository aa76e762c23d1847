/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators whose data are spread over ranks, and every solver with them: the image is that of one operator
 * of all coils, with the same bits on every rank, and all ranks stop in the same iteration. A rank that
 * fails makes all fail. */
#include "dist/coils.h"

#include <argand/mri.h>

/* Sums of seven coils differ by a few roundings of 1e-16; problems are well conditioned. */
static const double rounding = 1e-12;

static argand_status as_one_operator(argand_comm *comm, argand_device *own, void *context)
{
    coil_problem c;
    double error;
    argand_op *chained, *scaled, *mask;
    argand_shape image = {ARGAND_C64, 2, {NX, NY}};
    (void)context;
    TRY(coils_make(&c, comm, own, 0.1));
    TRY(argand_op_adjoint(c.across, c.x, c.y));
    TRY(argand_op_adjoint(c.all, c.x_all, c.y_all));
    TRY(difference(&error, c.x, c.x_all));
    RANK_CHECK(error < rounding, "adjoint: error %.3g", error);
    TRY(same_array(comm, c.x));
    argand_array *z;
    TRY(argand_array_create(&z, own, ARGAND_C64, 2, image.dims));
    TRY(argand_op_normal(c.across, z, c.x));
    TRY(argand_op_normal(c.all, c.x_all, c.x));
    TRY(difference(&error, z, c.x_all));
    RANK_CHECK(error < rounding, "normal operator: error %.3g", error);
    /* combinations carry the places along */
    TRY(argand_op_identity(&mask, own, &image));
    TRY(argand_op_chain(&chained, c.across, mask));
    TRY(argand_op_scale(&scaled, (argand_scalar){0.3, 2}, chained));
    argand_op *const checked[] = {c.across, chained, scaled};
    for (int i = 0; i < 3; i++) {
        TRY(argand_op_check(checked[i], 2, 5, &error));
        RANK_CHECK(error < rounding, "check %d: error %.3g", i, error);
        TRY(same_bits(comm, &error, sizeof error));
    }
    argand_op_destroy(scaled);
    argand_op_destroy(chained);
    TRY(argand_op_adjoint_of(&chained, c.across));
    TRY(argand_op_check(chained, 2, 5, &error));
    RANK_CHECK(error < rounding, "check of the adjoint: error %.3g", error);
    argand_op_destroy(chained);
    argand_op_destroy(mask);
    argand_array_destroy(z);
    coils_free(&c);
    return ARGAND_OK;
}

/* What a solve tells: both runs must tell the same. */
typedef struct told {
    int calls, last;
    double residual;
} told;

static bool keep(void *context, const argand_progress *p)
{
    told *t = context;
    t->calls++;
    t->last = p->iteration;
    t->residual = p->residual;
    return true;
}

typedef argand_status (*solve_function)(argand_array *x, argand_op *op, const argand_array *y,
                                        const argand_array *weights, told *t);

static argand_status by_cg_until_noise(argand_array *x, argand_op *op, const argand_array *y,
                                       const argand_array *weights, told *t)
{
    argand_noise_spectrum noise;
    argand_outcome outcome;
    TRY(argand_solve_noise(&noise, op, weights, NULL));
    TRY(argand_solve_cg(x, op, y,
                        &(argand_cg_options){.iterations = 50,
                                             .tolerance = 1e-4,
                                             .weights = weights,
                                             .noise = &noise,
                                             .outcome = &outcome,
                                             .monitor = keep,
                                             .monitor_context = t}));
    CHECK(outcome.stop == ARGAND_STOP_NOISE, ARGAND_INTERNAL, "stopped by %d", (int)outcome.stop);
    t->last = outcome.iteration;
    return ARGAND_OK;
}

static argand_status by_cg(argand_array *x, argand_op *op, const argand_array *y, const argand_array *weights,
                           told *t)
{
    return argand_solve_cg(
        x, op, y,
        &(argand_cg_options){
            .iterations = 40, .tolerance = 1e-6, .weights = weights, .monitor = keep, .monitor_context = t});
}

static argand_status by_cg_normal(argand_array *x, argand_op *op, const argand_array *y,
                                  const argand_array *weights, told *t)
{
    argand_op *normal;
    (void)weights;
    TRY(argand_op_normal_of(&normal, op));
    const argand_status status = argand_solve_cg(
        x, op, y,
        &(argand_cg_options){
            .iterations = 40, .tolerance = 1e-6, .normal = normal, .monitor = keep, .monitor_context = t});
    argand_op_destroy(normal);
    return status;
}

static argand_status regularized(argand_array *x, argand_op *op, const argand_array *y,
                                 const argand_array *weights, told *t, argand_solver solver, const char *text)
{
    argand_regularizer r[ARGAND_MAX_REGULARIZERS];
    int count;
    TRY(argand_regularizers_parse(text, r, &count));
    const argand_solve_options options = {.solver = solver,
                                          .iterations = 12,
                                          .weights = weights,
                                          .regularizers = r,
                                          .regularizer_count = count,
                                          .monitor = keep,
                                          .monitor_context = t};
    argand_weight_choice choice;
    if (!r[0].automatic) return argand_solve(x, op, y, &options);
    TRY(argand_solve_weight(x, op, y, &options, 0, 0, &choice));
    t->residual = choice.weight;
    return ARGAND_OK;
}

#define BY(name, solver, text)                                                       \
    static argand_status name(argand_array *x, argand_op *op, const argand_array *y, \
                              const argand_array *weights, told *t)                  \
    {                                                                                \
        return regularized(x, op, y, weights, t, solver, text);                      \
    }
BY(by_admm, ARGAND_SOLVER_ADMM, "tv:0.01")
BY(by_pogm, ARGAND_SOLVER_POGM, "wavelet:0.01")
BY(by_fista, ARGAND_SOLVER_FISTA, "wavelet:0.01")
BY(by_half_quadratic, ARGAND_SOLVER_HALF_QUADRATIC, "hyperbola:0.01")
BY(by_tikhonov, ARGAND_SOLVER_CG, "l2:0.01")
BY(by_tv_auto, ARGAND_SOLVER_AUTO, "tv:auto")

static const struct {
    const char *name;
    solve_function solve;
    bool weighted;
} solves[] = {{"cg until noise", by_cg_until_noise, true},
              {"cg until noise, unweighted", by_cg_until_noise, false},
              {"cg to a tolerance", by_cg, true},
              {"cg with a normal operator", by_cg_normal, false},
              {"admm", by_admm, true},
              {"pogm", by_pogm, true},
              {"fista", by_fista, true},
              {"half-quadratic", by_half_quadratic, true},
              {"l2", by_tikhonov, true},
              {"tv:auto", by_tv_auto, true}};
enum { SOLVES = sizeof solves / sizeof *solves };

/* MPI on fewer cores than ranks is slow, since ranks that wait compute: it runs cg, its normal form, admm. */
static bool takes(int solve)
{
    return !is_mpi_job() || solve == 0 || solve == 3 || solve == 4;
}

static argand_status every_solver(argand_comm *comm, argand_device *own, void *context)
{
    coil_problem c;
    (void)context;
    TRY(coils_make(&c, comm, own, 0.3));
    for (int i = 0; i < SOLVES; i++) {
        if (!takes(i)) continue;
        double error;
        told mine = {0}, one = {0};
        TRY(solves[i].solve(c.x, c.across, c.y, solves[i].weighted ? c.weights : NULL, &mine));
        TRY(solves[i].solve(c.x_all, c.all, c.y_all, solves[i].weighted ? c.weights_all : NULL, &one));
        TRY(difference(&error, c.x, c.x_all));
        RANK_CHECK(error < 1e-8, "%s: error %.3g", solves[i].name, error);
        RANK_CHECK(mine.last == one.last && mine.calls == one.calls, "%s: %d iterations instead of %d",
                   solves[i].name, mine.last, one.last);
        RANK_CHECK(fabs(mine.residual - one.residual) <= 1e-8 * one.residual, "%s: tells %.12g, not %.12g",
                   solves[i].name, mine.residual, one.residual);
        TRY(same_array(comm, c.x));
        TRY(same_bits(comm, &mine, sizeof mine));
    }
    coils_free(&c);
    return ARGAND_OK;
}

/* A rank's monitor stops all. */
static bool stop_on_rank(void *context, const argand_progress *p)
{
    return p->iteration < 3 || argand_comm_rank(context) != argand_comm_size(context) - 1;
}

static argand_status stopped(argand_comm *comm, argand_device *own, void *context)
{
    coil_problem c;
    (void)context;
    TRY(coils_make(&c, comm, own, 0.3));
    const argand_status status = argand_solve_cg(
        c.x, c.across, c.y,
        &(argand_cg_options){.iterations = 9, .monitor = stop_on_rank, .monitor_context = comm});
    RANK_CHECK(status == ARGAND_STOPPED && strstr(argand_message(), "stopped after iteration 3"), "%s",
               argand_message());
    TRY(same_array(comm, c.x));
    coils_free(&c);
    return ARGAND_OK;
}

/* A local operator that fails on the last rank at a given call. */
typedef struct failing {
    argand_op *op;
    int calls, at;
    bool here;
} failing;

static argand_status maybe(failing *f)
{
    const bool fails = f->here && ++f->calls == f->at;
    return fails ? status_set(ARGAND_MEMORY, "no memory for call %d", f->at) : ARGAND_OK;
}

static argand_status failing_apply(void *context, argand_array *y, const argand_array *x)
{
    failing *f = context;
    TRY(maybe(f));
    return argand_op_apply(f->op, y, x);
}

static argand_status failing_adjoint(void *context, argand_array *x, const argand_array *y)
{
    failing *f = context;
    TRY(maybe(f));
    return argand_op_adjoint(f->op, x, y);
}

static argand_status one_fails(argand_comm *comm, argand_device *own, void *context)
{
    coil_problem c;
    const int size = argand_comm_size(comm), last = size - 1;
    (void)context;
    TRY(coils_make(&c, comm, own, 0.3));
    for (int i = 0; i < SOLVES; i++)
        for (int at = 1; takes(i) && at < 40; at += 1 + (is_mpi_job() || is_first_tier() ? 4 * at : at) / 2) {
            failing f = {.op = c.own, .at = at, .here = argand_comm_rank(comm) == last};
            const argand_op_definition d = {.name = "failing",
                                            .domain = *argand_op_domain(c.own),
                                            .range = *argand_op_range(c.own),
                                            .apply = failing_apply,
                                            .adjoint = failing_adjoint,
                                            .context = &f};
            argand_op *local, *op;
            told t = {0};
            char wanted[64];
            TRY(argand_op_create(&local, own, &d));
            TRY(argand_op_across(&op, local, comm));
            const argand_status status =
                solves[i].solve(c.x, op, c.y, solves[i].weighted ? c.weights : NULL, &t);
            snprintf(wanted, sizeof wanted, "rank %d of %d: no memory for call %d", last, size, at);
            RANK_CHECK(status == ARGAND_OK ||
                           (status == ARGAND_MEMORY && (size == 1 || !strcmp(argand_message(), wanted))),
                       "%s, call %d: %s", solves[i].name, at, argand_message());
            TRY(same_bits(comm, &status, sizeof status));
            argand_op_destroy(op);
            argand_op_destroy(local);
        }
    coils_free(&c);
    return ARGAND_OK;
}

/* Each allocation of a solve fails once, on whichever rank it is: all ranks return, and say the same. */
static argand_status allocations(argand_comm *comm, argand_device *own, void *context)
{
    coil_problem c;
    const bool threads = !is_mpi_job();
    (void)context;
    TRY(coils_make(&c, comm, own, 0.3));
    const long part = is_mpi_job() || is_first_tier() ? 2 : 8;
    for (long n = 1, failed = 1; failed && n < 4000; n += 1 + n / part) {
        told t = {0};
        TRY(argand_comm_barrier(comm));
        if (argand_comm_rank(comm) == 0) argand_test_fail_allocation(n);
        if (threads) TRY(argand_comm_barrier(comm));
        const argand_status status = by_cg_until_noise(c.x, c.across, c.y, c.weights, &t);
        failed = status != ARGAND_OK;
        RANK_CHECK(!failed || status == ARGAND_MEMORY, "allocation %ld: %s", n, argand_message());
        argand_test_fail_allocation(0);
        TRY(same_bits(comm, &status, sizeof status));
    }
    coils_free(&c);
    return ARGAND_OK;
}

/* The sum of the normal operators of the ranks is that of all coils, and a solver may use it. */
static argand_status sums(argand_comm *comm, argand_device *own, void *context)
{
    coil_problem c;
    double error;
    argand_op *normal, *sum;
    argand_array *z;
    (void)context;
    TRY(coils_make(&c, comm, own, 0.1));
    TRY(argand_op_normal_of(&normal, c.own));
    TRY(argand_op_sum_across(&sum, normal, comm));
    TRY(argand_array_create(&z, own, ARGAND_C64, 2, (int64_t[]){NX, NY}));
    TRY(argand_op_adjoint(c.all, c.x, c.y_all));
    TRY(argand_op_normal(c.all, c.x_all, c.x));
    TRY(argand_op_apply(sum, z, c.x));
    TRY(difference(&error, z, c.x_all));
    RANK_CHECK(error < rounding, "sum: error %.3g", error);
    TRY(same_array(comm, z));
    TRY(argand_op_adjoint(sum, z, c.x));
    TRY(difference(&error, z, c.x_all));
    RANK_CHECK(error < rounding, "adjoint of the sum: error %.3g", error);
    const argand_cg_options o = {.iterations = 6, .normal = sum}, one = {.iterations = 6};
    TRY(argand_solve_cg(z, c.across, c.y, &o));
    TRY(argand_solve_cg(c.x_all, c.all, c.y_all, &one));
    TRY(difference(&error, z, c.x_all));
    RANK_CHECK(error < 1e-8, "cg: error %.3g", error);
    TRY(same_array(comm, z));
    argand_array_destroy(z);
    argand_op_destroy(sum);
    argand_op_destroy(normal);
    coils_free(&c);
    return ARGAND_OK;
}

static bool is_refusal(argand_status status, argand_op *const *op)
{
    return status == ARGAND_UNSUPPORTED && !*op && strstr(argand_message(), "are spread over ranks");
}

/* Operators that cannot keep the places of the data refuse such parts: they lost them before. */
static argand_status lost_places(argand_comm *comm, argand_device *own, void *context)
{
    coil_problem c;
    argand_op *op, *transform;
    argand_array *maps, *phases;
    const argand_shape images = {ARGAND_C64, 3, {NX, NY, 2}};
    (void)context;
    if (argand_comm_size(comm) == 1) return ARGAND_OK;
    TRY(coils_make(&c, comm, own, 0.1));
    argand_op *const parts[2] = {c.across, c.across};
    RANK_CHECK(is_refusal(argand_op_repetitions(&op, parts, 2, NULL), &op), "repetitions");
    RANK_CHECK(is_refusal(argand_op_multiband(&op, parts, 2, NULL), &op), "multiband");
    RANK_CHECK(is_refusal(argand_op_across(&op, c.across, comm), &op), "across");
    argand_op_destroy(c.across);
    TRY(argand_op_identity(&transform, own, &images));
    TRY(argand_op_across(&c.across, transform, comm));
    TRY(argand_array_create(&maps, own, ARGAND_C64, 3, images.dims));
    TRY(argand_array_create(&phases, own, ARGAND_R64, 3, (int64_t[]){NX, NY, 1}));
    RANK_CHECK(is_refusal(argand_op_pcsense(&op, 1, &c.across, maps, phases), &op), "pcsense");
    argand_array_destroy(phases);
    argand_array_destroy(maps);
    argand_op_destroy(transform);
    coils_free(&c);
    return ARGAND_OK;
}

/* Rank 0 has host memory, and the others have not: sums, broadcasts and a solver. */
static argand_status mixed_devices(argand_comm *comm, argand_device *own, void *context)
{
    coil_problem c;
    argand_device *host, *mine = own;
    argand_array *a;
    double error, numbers[700];
    told t = {0};
    (void)context;
    TRY(argand_device_open(&host, "cpu"));
    if (argand_comm_rank(comm) == 0) mine = host;
    const int64_t count = 700;
    TRY(argand_array_create(&a, mine, ARGAND_R64, 1, &count));
    TRY(argand_array_fill(a, (argand_scalar){argand_comm_rank(comm) + 1, 0}));
    TRY(argand_comm_sum(comm, a));
    TRY(argand_array_download(a, numbers));
    const double sum = argand_comm_size(comm) * (argand_comm_size(comm) + 1) / 2;
    for (int i = 0; i < count; i++) RANK_CHECK(numbers[i] == sum, "sum %g, not %g", numbers[i], sum);
    TRY(argand_array_fill(a, (argand_scalar){argand_comm_rank(comm), 0}));
    TRY(argand_comm_broadcast(comm, 1, a));
    TRY(argand_array_download(a, numbers));
    for (int i = 0; i < count; i++) RANK_CHECK(numbers[i] == 1, "rank 1 gave %g", numbers[i]);
    argand_array_destroy(a);
    TRY(coils_make(&c, comm, mine, 0.1));
    TRY(by_cg(c.x, c.across, c.y, c.weights, &t));
    TRY(by_cg(c.x_all, c.all, c.y_all, c.weights_all, &t));
    TRY(difference(&error, c.x, c.x_all));
    RANK_CHECK(error < 1e-8, "cg: error %.3g", error);
    coils_free(&c);
    argand_device_close(host);
    return ARGAND_OK;
}

static argand_status refused(argand_comm *comm, argand_device *own, void *context)
{
    const int rank = argand_comm_rank(comm);
    argand_op *local, *op;
    const argand_shape image = {ARGAND_C64, 2, {NX, NY + (rank == argand_comm_size(comm) - 1)}};
    (void)context;
    if (argand_comm_size(comm) == 1) return ARGAND_OK;
    TRY(argand_op_identity(&local, own, &image));
    const argand_status status = argand_op_across(&op, local, comm);
    RANK_CHECK(status == ARGAND_ARGUMENT && strstr(argand_message(), "the domain of rank"), "%s",
               argand_message());
    /* wrong on one rank only */
    const bool last = rank == argand_comm_size(comm) - 1;
    const argand_status without = argand_op_across(&op, last ? NULL : local, comm);
    RANK_CHECK(without == ARGAND_ARGUMENT && !op && strstr(argand_message(), "a pointer is NULL"), "%s",
               argand_message());
    argand_op_destroy(local);
    return ARGAND_OK;
}

static void each(rank_work work)
{
    static const int counts[] = {3, 1, 2, 4, 7};
    for (size_t i = 0; i < sizeof counts / sizeof *counts && !(i && (is_mpi_job() || !on_cpu())); i++)
        run_ranks(counts[i], work, NULL);
}

#define EACH(name)                        \
    static void test_##name(void **state) \
    {                                     \
        (void)state;                      \
        each(name);                       \
    }
/* clang-format off */
EACH(as_one_operator)
EACH(every_solver)
EACH(stopped)
EACH(sums)
EACH(lost_places)
EACH(refused) /* clang-format on */

                        static void test_one_fails(void **state)
                        {
                            (void)state;
                            if (on_cpu()) run_ranks(3, one_fails, NULL);
                        }

static void test_allocations(void **state)
{
    (void)state;
    if (on_cpu()) run_ranks(3, allocations, NULL);
}

static void test_mixed_devices(void **state)
{
    (void)state;
    if (!on_cpu()) run_ranks(2, mixed_devices, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_as_one_operator), cmocka_unit_test(test_every_solver),
    cmocka_unit_test(test_stopped),         cmocka_unit_test(test_sums),
    cmocka_unit_test(test_lost_places),     cmocka_unit_test(test_mixed_devices),
    cmocka_unit_test(test_one_fails),       cmocka_unit_test(test_allocations),
    cmocka_unit_test(test_refused),         cmocka_unit_test(end_job)};
RUN_TESTS(tests)
