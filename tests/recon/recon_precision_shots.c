/* SPDX-License-Identifier: BSD-3-Clause */
/* As recon_precision.c, for a simulated scan: interleaved spirals, no density weights, a phase map for each
 * shot, noise. Plain, and with a roughness penalty and a preconditioner. */
#include "precision.h"

enum { N = 48, COILS = 6, SHOTS = 6, SAMPLES = 700, PIXELS = N * N, ALL = SHOTS * SAMPLES };

/* The scan in double on the cpu. */
typedef struct truth {
    argand_device *host;
    argand_array *k[3], *t, *maps, *phases, *y;
} truth;

/* A copy of values [first, first + count) in the given precision (real or complex as `from` is). */
static argand_array *part_of(argand_device *on, argand_type type, const argand_array *from, size_t first,
                             int rank, const int64_t *dims)
{
    argand_array *a;
    const bool is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    double *numbers = as_doubles(from), *mine;
    OK(argand_array_create(&a, on, type, rank, dims));
    const size_t count = (size_t)argand_array_count(a) * (is_complex ? 2 : 1);
    mine = numbers + first * (is_complex ? 2 : 1);
    if (type == ARGAND_R64 || type == ARGAND_C64) {
        OK(argand_array_upload(a, mine));
    } else {
        float *floats = malloc(count * sizeof *floats);
        for (size_t i = 0; i < count; i++) floats[i] = (float)mine[i];
        OK(argand_array_upload(a, floats));
        free(floats);
    }
    free(numbers);
    return a;
}

static argand_op *make_op(const truth *t, argand_device *on, argand_type type)
{
    const argand_type real = type == ARGAND_C32 ? ARGAND_R32 : ARGAND_R64;
    argand_op *shots[SHOTS], *op;
    argand_array *maps = part_of(on, type, t->maps, 0, 3, (int64_t[]){N, N, COILS}),
                 *phases = part_of(on, real, t->phases, 0, 3, (int64_t[]){N, N, SHOTS});
    for (int s = 0; s < SHOTS; s++) {
        argand_nufft *plan;
        argand_array *k[2];
        for (int axis = 0; axis < 2; axis++)
            k[axis] = part_of(on, real, t->k[axis], (size_t)s * SAMPLES, 1, (int64_t[]){SAMPLES});
        OK(argand_nufft_create(&plan, on, &(argand_nufft_options){.type = type, .rank = 2, .n = {N, N}}));
        OK(argand_nufft_set_points(plan, k));
        OK(argand_op_nufft(&shots[s], on, plan, COILS));
        for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    }
    OK(argand_op_pcsense(&op, SHOTS, shots, maps, phases));
    for (int s = 0; s < SHOTS; s++) argand_op_destroy(shots[s]);
    argand_array_destroy(phases);
    argand_array_destroy(maps);
    return op;
}

/* A constant, a ramp and a bend, other ones for each shot. */
static void fill_phases(argand_array *phases)
{
    double *p = malloc(sizeof *p * PIXELS * SHOTS);
    for (int s = 0; s < SHOTS; s++)
        for (int i = 0; i < PIXELS; i++) {
            const double x = (double)(i % N) / N - 0.5, y = floor((double)i / N) / N - 0.5;
            p[i + PIXELS * s] =
                sin(3. * s + 1) + 4 * cos(5. * s) * x + 3 * sin(2. * s + 0.3) * y + 2 * x * y * s;
        }
    OK(argand_array_upload(phases, p));
    free(p);
}

static void add_noise(argand_array *y)
{
    double *numbers = as_doubles(y), square = 0;
    random_state state = {1};
    for (int i = 0; i < 2 * ALL * COILS; i++) square += numbers[i] * numbers[i];
    const double sigma = 0.02 * sqrt(square / (2 * ALL * COILS));
    for (int i = 0; i < 2 * ALL * COILS; i++) numbers[i] += sigma * random_normal(&state);
    OK(argand_array_upload(y, numbers));
    free(numbers);
}

static truth simulate(void)
{
    truth t = {0};
    argand_array *image;
    OK(argand_device_open(&t.host, "cpu"));
    OK(argand_trajectory_make(t.k, &t.t, t.host, ARGAND_R64,
                              &(argand_trajectory_options){
                                  .kind = ARGAND_SPIRAL, .n = {N, N}, .shots = SHOTS, .samples = SAMPLES}));
    OK(argand_array_create(&t.maps, t.host, ARGAND_C64, 3, (int64_t[]){N, N, COILS}));
    OK(argand_coils_birdcage(t.maps));
    OK(argand_array_create(&t.phases, t.host, ARGAND_R64, 3, (int64_t[]){N, N, SHOTS}));
    fill_phases(t.phases);
    OK(argand_array_create(&image, t.host, ARGAND_C64, 2, (int64_t[]){N, N}));
    OK(argand_phantom_image(image, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_array_create(&t.y, t.host, ARGAND_C64, 2, (int64_t[]){ALL, COILS}));
    argand_op *op = make_op(&t, t.host, ARGAND_C64);
    OK(argand_op_apply(op, t.y, image));
    add_noise(t.y);
    argand_op_destroy(op);
    argand_array_destroy(image);
    return t;
}

static void free_truth(truth *t)
{
    argand_array *const all[] = {t->k[0], t->k[1], t->k[2], t->t, t->maps, t->phases, t->y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
    argand_device_close(t->host);
}

static void solve(const truth *t, argand_device *on, argand_type type, bool penalised, path_of_solver *path)
{
    argand_op *op = make_op(t, on, type), *roughness, *preconditioner;
    argand_array *x, *diagonal, *y = part_of(on, type, t->y, 0, 2, (int64_t[]){ALL, COILS});
    OK(argand_array_create(&x, on, type, 2, (int64_t[]){N, N}));
    OK(argand_array_create(&diagonal, on, type == ARGAND_C32 ? ARGAND_R32 : ARGAND_R64, 2,
                           (int64_t[]){N, N}));
    randomise(diagonal, 7, 0.5, 2);
    OK(argand_op_gradient(&roughness, on, argand_op_domain(op), 2));
    OK(argand_op_diagonal(&preconditioner, diagonal));
    const argand_penalty penalty = {roughness, 5};
    path->x = x;
    OK(argand_solve_cg(x, op, y,
                       &(argand_cg_options){.iterations = ITERATIONS,
                                            .penalties = penalised ? &penalty : NULL,
                                            .penalty_count = penalised,
                                            .preconditioner = penalised ? preconditioner : NULL,
                                            .monitor = keep_step,
                                            .monitor_context = path}));
    path->result = as_doubles(x);
    argand_op_destroy(preconditioner);
    argand_op_destroy(roughness);
    argand_op_destroy(op);
    argand_array *const all[] = {x, y, diagonal};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
}

static void compare_shots(bool penalised)
{
    truth t = simulate();
    path_of_solver single = {.last = 0}, wanted = {.last = 0};
    solve(&t, t.host, ARGAND_C64, penalised, &wanted);
    solve(&t, device, ARGAND_C32, penalised, &single);
    const distances d =
        compare(penalised ? "shots, penalty, preconditioner" : "shots", &single, &wanted, 2 * PIXELS);
    CHECK_BELOW(d.residual, 1e-4);
    CHECK_BELOW(d.image, 1e-3);
    free_path(&single);
    free_path(&wanted);
    free_truth(&t);
}

static void shots_with_phase_maps(void **state)
{
    (void)state;
    compare_shots(false);
}

static void penalty_and_preconditioner(void **state)
{
    (void)state;
    compare_shots(true);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(shots_with_phase_maps),
                                          cmocka_unit_test(penalty_and_preconditioner)};
RUN_TESTS(tests)
