/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the trajectory and the noiseless samples. */
#include "simulate/simulate.h"

#include <math.h>
#include <stdlib.h>
#include "common/report.h"

/* Converts milliseconds to seconds. Without an echo time, the readout begins 1 ms after the excitation. */
static argand_status trajectory_options(argand_trajectory_options *o, const simulate_settings *s)
{
    *o = (argand_trajectory_options){.kind = (argand_trajectory)s->kind,
                                     .shots = s->shots,
                                     .samples = s->samples,
                                     .readout = 1e-3 * s->readout,
                                     .echo = 1e-3 * s->echo,
                                     .acceleration = simulate_acceleration(s),
                                     .field_of_view = 1e-3 * s->field_of_view,
                                     .golden = s->golden};
    for (int d = 0; d < 3; d++) o->n[d] = s->matrix.n[d];
    if (s->echo > 0) return ARGAND_OK;
    TRY(argand_trajectory_shortest_echo(&o->echo, o));
    o->echo += 1e-3;
    return ARGAND_OK;
}

/* Computes t of a later echo. */
static argand_status shift_times(argand_array **later, const argand_array *t, double seconds)
{
    int64_t dims[3];
    for (int d = 0; d < argand_array_rank(t); d++) dims[d] = argand_array_dim(t, d);
    argand_status status =
        argand_array_create(later, argand_array_device(t), ARGAND_R32, argand_array_rank(t), dims);
    if (!status) status = argand_array_fill(*later, (argand_scalar){seconds, 0});
    if (!status) status = argand_array_axpby(*later, (argand_scalar){1, 0}, t, (argand_scalar){1, 0});
    return status;
}

argand_status simulate_points_make(simulate_points *p, argand_device *device, const simulate_settings *s)
{
    argand_trajectory_options options;
    argand_status status = trajectory_options(&options, s);
    if (!status) status = argand_trajectory_make(p->k, &p->t[0], device, ARGAND_R32, &options);
    for (int echo = 1; echo < s->echoes && !status; echo++)
        status = shift_times(&p->t[echo], p->t[0], 1e-3 * s->echo_spacing * echo);
    return status;
}

void simulate_points_free(simulate_points *p)
{
    for (int echo = 0; echo < SIMULATE_MOST_ECHOES; echo++) argand_array_destroy(p->t[echo]);
    for (int d = 0; d < 3; d++) argand_array_destroy(p->k[d]);
    *p = (simulate_points){0};
}

/* Computes the samples of one coil without a field map from the phantom's analytic transform. */
static argand_status analytic(argand_array *samples, const simulate_settings *s,
                              const simulate_points *points)
{
    double pixels = 1;
    for (int d = 0; d < 3; d++) pixels *= (double)s->matrix.n[d];
    return argand_phantom_kspace(
        samples, simulate_is_volume(s) ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D, points->k, pixels);
}

static argand_simulation simulation_of(const simulate_settings *s, const simulate_head *head)
{
    argand_simulation simulation = {.image = head->image,
                                    .coil_maps = head->coil_maps,
                                    .field_map = s->field_range > 0 ? head->field_map : NULL};
    for (int d = 0; d < 3; d++) simulation.n[d] = s->matrix.n[d];
    return simulation;
}

/* Computes image exp(i P). */
static argand_status modulate_image(argand_array **modulated, const argand_array *image,
                                    const simulate_settings *s, const simulate_place *at)
{
    const int64_t n[3] = {argand_array_dim(image, 0), argand_array_dim(image, 1), argand_array_dim(image, 2)};
    const int64_t pixels = n[0] * n[1] * n[2];
    *modulated = NULL;
    float *phase = malloc((size_t)pixels * sizeof *phase),
          *numbers = malloc((size_t)pixels * 2 * sizeof *numbers);
    argand_status status =
        phase && numbers ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for a phase map");
    if (!status) {
        simulate_phase_map(phase, n, s, at);
        for (int64_t i = 0; i < pixels; i++) {
            numbers[2 * i] = cosf(phase[i]);
            numbers[2 * i + 1] = sinf(phase[i]);
        }
        status = argand_array_create(modulated, argand_array_device(image), ARGAND_C32,
                                     argand_array_rank(image), n);
    }
    if (!status) status = argand_array_upload(*modulated, numbers);
    if (!status) status = argand_array_multiply(*modulated, image, *modulated, ARGAND_PRODUCT);
    free(numbers);
    free(phase);
    if (status) {
        argand_array_destroy(*modulated);
        *modulated = NULL;
    }
    return status;
}

/* Creates a view {samples} of a row of an array {samples, shots[, partitions]}. */
static argand_status row_of(argand_array **row, const argand_array *array, int64_t number)
{
    const int64_t samples = argand_array_dim(array, 0), stride = 1;
    return argand_array_view(row, array, 1, &samples, &stride, number * samples);
}

argand_status simulate_shot(argand_array *samples, const simulate_settings *s, const simulate_head *head,
                            argand_array *const k[3], const argand_array *t, const simulate_place *at)
{
    argand_array *image;
    argand_simulation simulation = simulation_of(s, head);
    argand_status status = modulate_image(&image, head->image, s, at);
    if (status) return status;
    for (int d = 0; d < 3; d++) simulation.k[d] = k[d];
    simulation.image = image;
    simulation.t = t;
    status = argand_simulate(samples, &simulation);
    argand_array_destroy(image);
    return status;
}

/* Computes one shot of one partition, whose image has its own phase, into its rows among all samples. */
static argand_status modulated_row(argand_array *samples, const simulate_settings *s,
                                   const simulate_head *head, const simulate_points *points,
                                   const simulate_place *at)
{
    const int64_t length = argand_array_dim(points->t[0], 0),
                  rows = argand_array_count(points->t[0]) / length;
    const int64_t row = at->shot + at->partition * argand_array_dim(points->t[0], 1);
    const int64_t dims[2] = {length, s->coils}, strides[2] = {1, length * rows};
    argand_array *k[3] = {NULL}, *t = NULL, *own = NULL, *to = NULL;
    argand_status status = row_of(&t, points->t[at->echo], row);
    for (int d = 0; d < 3 && points->k[d] && !status; d++) status = row_of(&k[d], points->k[d], row);
    if (!status) status = argand_array_create(&own, argand_array_device(samples), ARGAND_C32, 2, dims);
    if (!status) status = argand_array_view(&to, samples, 2, dims, strides, row * length);
    if (!status) status = simulate_shot(own, s, head, k, t, at);
    if (!status) status = argand_array_copy(to, own);
    argand_array_destroy(to);
    argand_array_destroy(own);
    argand_array_destroy(t);
    for (int d = 0; d < 3; d++) argand_array_destroy(k[d]);
    return status;
}

static argand_status all_rows(argand_array *samples, const simulate_settings *s, const simulate_head *head,
                              const simulate_points *points, simulate_place at)
{
    const int64_t shots = argand_array_dim(points->t[0], 1), partitions = argand_array_dim(points->t[0], 2);
    argand_status status = ARGAND_OK;
    for (at.partition = 0; at.partition < partitions && !status; at.partition++)
        for (at.shot = 0; at.shot < shots && !status; at.shot++) {
            status = modulated_row(samples, s, head, points, &at);
            if (!status && interrupted()) status = ARGAND_STOPPED;
        }
    return status;
}

argand_status simulate_signal(argand_array *samples, const simulate_settings *s, const simulate_head *fine,
                              const simulate_points *points, const simulate_place *at)
{
    simulate_head head;
    if (s->coils == 1 && s->field_range == 0 && s->slices == 1 && s->phase_range == 0)
        return analytic(samples, s, points);
    argand_status status = simulate_head_view(&head, fine, s, at->slice);
    if (status) return status;
    argand_simulation simulation = simulation_of(s, &head);
    for (int d = 0; d < 3; d++) simulation.k[d] = points->k[d];
    simulation.t = points->t[at->echo];
    status =
        s->phase_range > 0 ? all_rows(samples, s, &head, points, *at) : argand_simulate(samples, &simulation);
    simulate_head_free(&head);
    return status;
}
