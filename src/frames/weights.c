/* SPDX-License-Identifier: BSD-3-Clause */
/* Density weights of a readout. Readouts of a window are alike but for their angle, so that one set of
 * weights, the mean over a window of the calibration, serves all frames. */
#include "frames/frames.h"

#include "base/memory.h"

static void average(float *mean, const float *all, int64_t samples, int64_t readouts)
{
    for (int64_t i = 0; i < samples; i++) {
        double sum = 0;
        for (int64_t r = 0; r < readouts; r++) sum += (double)all[r * samples + i];
        mean[i] = (float)(sum / (double)readouts);
    }
}

argand_status frames_weights(float *weights, argand_frames *f, argand_array *const k[2], int64_t readouts)
{
    const int64_t samples = f->options.samples, points = samples * readouts;
    argand_nufft *plan = NULL;
    argand_array *all = NULL;
    float *host = NULL;
    argand_status status;
    TRY_OR_DONE(argand_density_plan(&plan, f->host, ARGAND_C32, k, 2, f->options.n));
    TRY_OR_DONE(argand_array_create(&all, f->host, ARGAND_R32, 1, &points));
    TRY_OR_DONE(argand_density_pipe(all, plan, 0, 1e-2, NULL));
    TRY_OR_DONE(NEW(host, points));
    TRY_OR_DONE(argand_array_download(all, host));
    average(weights, host, samples, readouts);
done:
    memory_free(host);
    argand_array_destroy(all);
    argand_nufft_destroy(plan);
    return status;
}
