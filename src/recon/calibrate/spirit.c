/* SPDX-License-Identifier: BSD-3-Clause */
/* SPIRiT's operator of a session, from low-resolution coil images as ESPIRiT's maps. */
#include "recon/calibrate/calibrate.h"

/* Views the block of k-space {n..., coils}: around its centre, or where it lies on the image's grid. */
static argand_status cut_block(const argand_sense *s, const recon_block *block, const argand_array *kspace,
                               argand_array **cut)
{
    const int rank = argand_array_rank(kspace);
    int64_t dims[4], strides[4], start = 0, stride = 1;
    for (int d = 0; d < rank; d++) {
        const int64_t n = argand_array_dim(kspace, d);
        const bool whole = s->transform != ARGAND_TRANSFORM_NUFFT;
        dims[d] = d < rank - 1 ? block->size[d] : n;
        strides[d] = stride;
        if (d < rank - 1) start += stride * (whole ? block->first[d] : n / 2 - block->size[d] / 2);
        stride *= n;
    }
    return argand_array_view(cut, kspace, rank, dims, strides, start);
}

static argand_status note(argand_sense *s, const argand_spirit_report *r)
{
    note_once(s,
              "SPIRiT: window of %d x %d x %d from a calibration region of %lld x %lld x %lld samples; the "
              "matrices of %d coils take %.3g MB.",
              r->kernel[0], r->kernel[1], r->kernel[2], (long long)r->calibration[0],
              (long long)r->calibration[1], (long long)r->calibration[2], s->coils, 1e-6 * r->bytes);
    if (r->equations < 2 * r->unknowns)
        note_once(s,
                  "SPIRiT: the calibration region gives %lld equations for %lld weights: expect noise and "
                  "aliasing; more calibration lines or fewer channels (--compress) help.",
                  (long long)r->equations, (long long)r->unknowns);
    return s->notes.status;
}

argand_status calibrate_spirit(argand_sense *s, const recon_source *from, argand_op **op)
{
    enum { REGION = 32 };
    const int64_t most[3] = {REGION, REGION, REGION};
    recon_block block;
    argand_shape shape = {s->options.type, s->grid.rank, {s->grid.n[0], s->grid.n[1], s->grid.n[2]}};
    argand_array *images = NULL, *cut = NULL, *region = NULL;
    argand_spirit_report report;
    argand_status status;
    shape.dims[shape.rank++] = s->coils;
    TRY(block_find(s, from->data, most, &block));
    TRY_OR_DONE(lowres_images(s, &block, from->data, from->transforms, from->phases, &images));
    TRY_OR_DONE(lowres_kspace(s, images));
    TRY_OR_DONE(cut_block(s, &block, images, &cut));
    int64_t dims[4] = {0};
    for (int d = 0; d < argand_array_rank(cut); d++) dims[d] = argand_array_dim(cut, d);
    TRY_OR_DONE(argand_array_create(&region, s->device, s->options.type, argand_array_rank(cut), dims));
    TRY_OR_DONE(argand_array_copy(region, cut));
    TRY_OR_DONE(argand_op_spirit(op, s->device, &shape, region, NULL, &report));
    status = note(s, &report);
done:
    argand_array_destroy(region);
    argand_array_destroy(cut);
    argand_array_destroy(images);
    return status;
}
