/* SPDX-License-Identifier: BSD-3-Clause */
/* cuFINUFFT by each of its methods, on the arrays and in the stream of ours. */
#include <stdio.h>
#include "nufft/case.h"
#include "peers/cufinufft.h"

static argand_status call(void *peer, bool adjoint)
{
    (void)adjoint;
    return cufinufft_peer_execute(peer) ? ARGAND_OK : report_error(ARGAND_DEVICE, "cuFINUFFT failed");
}

/* The second time counts, as with ours. */
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

static argand_status run_method(nufft_case *c, report *out, cufinufft_peer *peer, int type, int method)
{
    char name[48];
    double seconds, points = 0, error;
    argand_array *result = type == 1 ? c->image_out.array : c->samples_out.array;
    snprintf(name, sizeof name, "cuFINUFFT %s", cufinufft_method_names[method]);
    TRY(argand_array_fill(result, (argand_scalar){0, 0}));
    TRY(set_points(c, peer, &points));
    TRY(nufft_time(c, call, peer, type == 1, &seconds));
    TRY(nufft_error(c, type == 1, &error));
    if (interrupted()) return ARGAND_OK;
    nufft_print_line(c, out, name, type, seconds, error);
    if (!c->s->common.json) printf("  points set in %.2f ms\n", 1e3 * points);
    return ARGAND_OK;
}

/* A method that fails is told and left out. */
static void run_methods(nufft_case *c, report *out, cufinufft_peer *peer, const cufinufft_job *job, int type)
{
    for (int method = 1; method < CUFINUFFT_METHODS && !interrupted(); method++) {
        if (!cufinufft_serves(job->rank, type, method)) continue;
        const bool planned = cufinufft_peer_plan(peer, job, type, method);
        if (!planned || run_method(c, out, peer, type, method))
            report_note(out, "cuFINUFFT does not do this by %s: %s", cufinufft_method_names[method],
                        planned ? argand_message() : "no plan");
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
    for (int type = 2; type >= 1; type--) run_methods(c, out, peer, &job, type);
    cufinufft_peer_close(peer);
}
