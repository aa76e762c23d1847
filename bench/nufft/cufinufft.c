/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures each method of cuFINUFFT on Argand's arrays and stream. */
#include <stdio.h>
#include "nufft/case.h"
#include "peers/cufinufft.h"

static argand_status call(void *peer, bool adjoint)
{
    (void)adjoint;
    return cufinufft_peer_execute(peer) ? ARGAND_OK : report_error(ARGAND_DEVICE, "cuFINUFFT failed");
}

/* Sets the points twice and times the second call, as for Argand. */
static argand_status set_points(const nufft_case *c, cufinufft_peer *peer, double *seconds)
{
    for (int i = 0; i < 2; i++) {
        const double start = seconds_now();
        if (!cufinufft_peer_set_points(peer))
            return report_error(ARGAND_DEVICE, "cuFINUFFT could not set its points");
        TRY(argand_device_wait(c->device));
        *seconds = seconds_now() - start;
    }
    return ARGAND_OK;
}

/* A run of one method of cuFINUFFT. */
typedef struct method_run {
    nufft_case *c;
    report *out;
    cufinufft_peer *peer;
    cufinufft_job *job;
    int type, method;
} method_run;

/* Makes plan and points for the job's tolerance, and measures the error of one call. */
static argand_status prepare(const method_run *m, double *points, double *error)
{
    nufft_case *c = m->c;
    argand_array *result = m->type == 1 ? c->image_out.array : c->samples_out.array;
    if (!cufinufft_peer_plan(m->peer, m->job, m->type, m->method))
        return report_error(ARGAND_UNSUPPORTED, "no plan");
    TRY(argand_array_fill(result, (argand_scalar){0, 0}));
    TRY(set_points(c, m->peer, points));
    TRY(call(m->peer, m->type == 1));
    return nufft_error(c, m->type == 1, error);
}

static argand_status time_method(const method_run *m, double points, double error)
{
    char name[48];
    double seconds;
    snprintf(name, sizeof name, "cuFINUFFT %s", cufinufft_method_names[m->method]);
    TRY(nufft_time(m->c, call, m->peer, m->type == 1, &seconds));
    if (interrupted()) return ARGAND_OK;
    nufft_print_line(m->c, m->out,
                     &(nufft_line){.who = name,
                                   .type = m->type,
                                   .tolerance = m->job->tolerance,
                                   .seconds = seconds,
                                   .error = error});
    if (!m->c->s->common.json) printf("  points set in %.2f ms\n", 1e3 * points);
    return ARGAND_OK;
}

/* Lowers the job's tolerance in steps of half a decade until the error is at most `wanted`. If no
 * tolerance reaches this, chooses the loosest one whose error is close to the least. */
static argand_status tighten(const method_run *m, double wanted, double error)
{
    const double step = 0.31622776601683794, least = m->job->is_double ? 1e-15 : 5e-8, hardly = 0.9;
    double points, best = m->job->tolerance, smallest = error;
    while (error > wanted && m->job->tolerance * step >= least && !interrupted()) {
        m->job->tolerance *= step;
        TRY(prepare(m, &points, &error));
        if (error > hardly * smallest) continue;
        smallest = error;
        best = m->job->tolerance;
    }
    if (error > wanted) m->job->tolerance = best;
    return ARGAND_OK;
}

/* Measures a method at the requested tolerance. If its error then exceeds Argand's, measures it again at a
 * tolerance where it does not. */
static argand_status run_method(const method_run *m)
{
    const double ours = m->c->error[m->type == 1];
    double points = 0, error;
    TRY(prepare(m, &points, &error));
    TRY(time_method(m, points, error));
    TRY(tighten(m, ours, error));
    if (m->job->tolerance < m->c->s->tolerance) {
        TRY(prepare(m, &points, &error));
        TRY(time_method(m, points, error));
    }
    if (error > ours)
        report_note(m->out, "cuFINUFFT does not reach the error %.1e by %s", ours,
                    cufinufft_method_names[m->method]);
    return ARGAND_OK;
}

/* Measures all methods. Reports a method that fails and goes on. */
static void run_methods(method_run *m)
{
    for (m->method = 1; m->method < CUFINUFFT_METHODS && !interrupted(); m->method++) {
        if (!cufinufft_serves(m->job->rank, m->type, m->method)) continue;
        m->job->tolerance = m->c->s->tolerance;
        if (run_method(m))
            report_note(m->out, "cuFINUFFT does not do this by %s: %s", cufinufft_method_names[m->method],
                        argand_message());
    }
}

void nufft_bench_cufinufft(nufft_case *c, report *out, int device)
{
    char why[512];
    cufinufft_job job = {.rank = c->rank,
                         .n = c->n,
                         .points = c->points,
                         .vectors = c->vectors,
                         .tolerance = c->s->tolerance,
                         .is_double = c->type == ARGAND_C64,
                         .device = device,
                         .stream = cuda_peer_stream(c->cuda),
                         .samples = {c->samples_out.memory, c->samples.memory},
                         .image = {c->image.memory, c->image_out.memory}};
    for (int axis = 0; axis < 3; axis++) job.k[axis] = c->k[axis].memory;
    cufinufft_peer *peer = cufinufft_peer_open(why, sizeof why);
    if (!peer) {
        report_note(out, "%s", why);
        return;
    }
    for (int type = 2; type >= 1; type--)
        run_methods(&(method_run){.c = c, .out = out, .peer = peer, .job = &job, .type = type});
    cufinufft_peer_close(peer);
}
