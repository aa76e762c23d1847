/* SPDX-License-Identifier: BSD-3-Clause */
#include "sense/gfactor.h"

#include "sense/fill.h"

argand_status sense_gfactor_begin(sense_gfactor *g, const sense_settings *s, const argand_scan *scan,
                                  report *out)
{
    argand_device *host;
    argand_status status = ARGAND_OK;
    if (g->fill) {
        TRY(argand_device_open(&host, "cpu"));
        status = sense_fill_covariance(&g->covariance, s, scan, host);
        argand_device_close(host);
    }
    const bool whitened =
        !s->session.as_received && (scan->noise_count || s->noise || s->whitener || s->covariance);
    if (!status && (g->fill ? !g->covariance : !whitened))
        report_note(out, "The g-factor is for channels with equal, independent noise: there is no noise scan "
                         "in use (--noise FILE names one).");
    return status;
}

argand_status sense_gfactor_map(const sense_gfactor *g, argand_sense *session, output *images, int volume)
{
    int64_t n[3];
    argand_array *map = NULL;
    argand_device *host;
    argand_sense_grid(session, n);
    TRY(argand_device_open(&host, "cpu"));
    argand_status status = argand_array_create(&map, host, ARGAND_R64, 3, n);
    if (!status) status = argand_sense_gfactor(session, volume, g->fill, g->covariance, map);
    if (!status) status = output_put_pixel_map(images, volume, OUTPUT_GFACTOR, map);
    argand_array_destroy(map);
    argand_device_close(host);
    return status;
}

void sense_gfactor_end(sense_gfactor *g)
{
    argand_array_destroy(g->covariance);
    *g = (sense_gfactor){0};
}
