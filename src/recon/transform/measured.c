/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT with segments of measured phase, field map and R2*. */
#include "recon/transform/transform.h"

#include "base/memory.h"
#include "device/device.h"

/* Computes the phase basis at the grid's pixels, whose positions are in metres from the isocentre. */
static argand_status basis_of_slice(const argand_sense *s, int slice, argand_array **basis)
{
    const int64_t *n = s->grid.n, pixels = n[0] * n[1] * n[2];
    argand_device *host;
    double *h;
    int volume = 0;
    while (volume + 1 < s->volume_count && s->volumes[volume].counters.slice != slice) volume++;
    const argand_geometry g = argand_sense_geometry(s, volume);
    TRY(device_host(&host, s->device));
    TRY(NEW(h, pixels * s->term_count));
    for (int64_t i = 0; i < pixels; i++) {
        const double at[3] = {g.voxel[0] * (double)(i % n[0] - n[0] / 2),
                              g.voxel[1] * (double)(i / n[0] % n[1] - n[1] / 2),
                              g.voxel[2] * (double)(i / n[0] / n[1] - n[2] / 2)};
        double place[3], terms[ARGAND_PHASE_TERMS];
        for (int d = 0; d < 3; d++)
            place[d] = 1e-3 * (g.centre[d] + at[0] * g.read[d] + at[1] * g.phase[d] + at[2] * g.slice[d]);
        argand_phase_basis(terms, place);
        for (int64_t l = 0; l < s->term_count; l++) h[i + pixels * l] = terms[l];
    }
    argand_status status =
        argand_array_create(basis, host, ARGAND_R64, 2, (int64_t[]){pixels, s->term_count});
    if (!status) status = argand_array_upload(*basis, h);
    memory_free(h);
    return status;
}

argand_status measured_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                            argand_op **transform)
{
    argand_array *basis = NULL;
    argand_segments *segments = NULL;
    argand_nufft *plan = NULL;
    argand_status status;
    TRY_OR_DONE(basis_of_slice(s, p->slice, &basis));
    const argand_segments_phase_options options = {.type = s->options.type,
                                                   .tolerance = s->segment_tolerance,
                                                   .phase = at->phase,
                                                   .basis = basis,
                                                   .t = at->t,
                                                   .field_map = p->field,
                                                   .r2star = p->r2star,
                                                   .mask = p->mask};
    TRY_OR_DONE(argand_segments_create_phase(&segments, s->device, &options));
    argand_segments_describe(segments, &p->worst);
    TRY_OR_DONE(nufft_of_points(s, at, &plan));
    status = argand_op_segmented(transform, s->device, plan, segments, s->coils);
done:
    argand_segments_destroy(segments);
    argand_array_destroy(basis);
    return status;
}
