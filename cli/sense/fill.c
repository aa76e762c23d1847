/* SPDX-License-Identifier: BSD-3-Clause */
#include "sense/fill.h"

#include "sense/inputs.h"
#include "sense/noise.h"

argand_status sense_fill_covariance(argand_array **covariance, const sense_settings *s,
                                    const argand_scan *scan, argand_device *host)
{
    int64_t samples = 0;
    for (int64_t i = 0; i < scan->noise_count; i++) samples += scan->noise[i].samples;
    if (s->session.as_received || s->whitener || s->covariance) return ARGAND_OK;
    if (!s->noise && samples < 10 * (int64_t)scan->channels) return ARGAND_OK;
    return sense_noise_covariance(covariance, s, scan, host);
}

argand_status sense_fill(argand_fill **fill, const sense_settings *s, const argand_scan *scan, report *out)
{
    argand_device *host;
    argand_fill_options o = {.encoding = s->session.encoding,
                             .keep_kernels = s->gfactor_map,
                             .grappa.regularization = s->kernel_regularization};
    argand_array *covariance = NULL;
    for (int axis = 0; axis < s->kernel.rank; axis++) o.grappa.kernel[axis] = (int)s->kernel.n[axis];
    TRY(argand_device_open(&host, "cpu"));
    argand_status status = sense_fill_covariance(&covariance, s, scan, host);
    o.grappa.covariance = covariance;
    if (status == ARGAND_OK) status = argand_fill_create(fill, scan, &o);
    if (status == ARGAND_OK) sense_print_notes(out, argand_fill_notes(*fill));
    argand_array_destroy(covariance);
    argand_device_close(host);
    return status;
}
