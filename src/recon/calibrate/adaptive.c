/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates coil maps by adaptive combination of density-weighted adjoint images under a Hann window. */
#include "recon/calibrate/choice.h"

#include "recon/maps/maps.h"
#include "recon/transform/transform.h"

/* Makes the Hann window: over the fully sampled block in Cartesian scans, otherwise up to the radius of
 * dense sampling. */
static argand_status window_of(const argand_sense *s, const recon_samples *data, argand_array **window)
{
    recon_block block;
    double most = s->options.calibration;
    if (most == 0 && s->cartesian) {
        TRY(block_find(s, data, (int64_t[3]){0}, &block));
        return calibrate_block_window(s, &data->at, &block, window);
    }
    if (most == 0) TRY(calibrate_radius(s, &data->at, 0.25, &most));
    return calibrate_window(s, &data->at, most, window);
}

argand_status calibrate_adaptive(const argand_sense *s, const recon_source *from, argand_array **maps)
{
    const recon_samples *data = from->data;
    const argand_shape shape = sets_shape(s);
    argand_array *weights = NULL, *window = NULL, *images = NULL;
    argand_status status;
    TRY_OR_DONE(density_of_points(s, &data->at, &weights));
    TRY_OR_DONE(window_of(s, data, &window));
    TRY_OR_DONE(argand_array_multiply(weights, window, weights, ARGAND_PRODUCT));
    TRY_OR_DONE(combine_shots(s, data, from->transforms, weights, from->phases, &images));
    TRY_OR_DONE(argand_array_create(maps, s->device, shape.type, shape.rank, shape.dims));
    status = argand_coils_estimate(*maps, images, s->options.coil_sigma);
done:
    argand_array_destroy(images);
    argand_array_destroy(window);
    argand_array_destroy(weights);
    return status;
}
