/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of the scan with the positions that its gradients played (calib/delays/response.h). Only the
 * lists of acquisitions with positions are copied; the other members point to the scan's own data. */
#include <math.h>
#include "base/memory.h"
#include "calib/delays/response.h"
#include "recon/samples/samples.h"

enum { LISTS = 3 }; /* image data, calibrations, navigators */

struct recon_played {
    argand_scan scan;
    argand_acquisition *lists[LISTS];
    float *positions;
};

/* Finds the time between samples: from the head, otherwise from the sample times. */
static argand_status find_sample_time(double *sample_time, const argand_acquisition *a,
                                      const argand_scan *scan)
{
    const int64_t last = a->samples - 1;
    *sample_time = a->sample_time;
    if (last > 0 && a->t && fabs((double)(a->t[last] - a->t[0])) > 0)
        *sample_time = fabs((double)a->t[last] - (double)a->t[0]) / (double)last;
    CHECK(*sample_time > 0, ARGAND_ARGUMENT,
          "%s: nothing says how far samples are apart in time, which --girf and --delay need: give "
          "--times or --sample-time",
          scan->path);
    return ARGAND_OK;
}

static argand_status play_list(gradient_filter *f, argand_acquisition *list, int64_t count,
                               const argand_scan *scan, float **at)
{
    for (int64_t i = 0; i < count; i++) {
        argand_acquisition *a = &list[i];
        double sample_time;
        float *to[3];
        if (!a->k[0] || !a->k[1] || !a->k[2] || a->samples < 2) continue;
        TRY(find_sample_time(&sample_time, a, scan));
        for (int d = 0; d < 3; d++, *at += a->samples) to[d] = *at;
        TRY(gradient_filter_play(f, to, a->k, a->samples, a->flags & ARGAND_FLAG_REVERSE, sample_time));
        for (int d = 0; d < 3; d++) a->k[d] = to[d];
    }
    return ARGAND_OK;
}

static argand_status copy_lists(struct recon_played *p, const argand_scan *scan)
{
    const argand_acquisition *const from[LISTS] = {scan->acquisitions, scan->calibrations, scan->navigators};
    const int64_t counts[LISTS] = {scan->acquisition_count, scan->calibration_count, scan->navigator_count};
    int64_t floats = 0;
    p->scan = *scan;
    for (int l = 0; l < LISTS; l++) {
        TRY(NEW(p->lists[l], counts[l]));
        for (int64_t i = 0; i < counts[l]; i++) {
            p->lists[l][i] = from[l][i];
            floats += 3 * from[l][i].samples;
        }
    }
    TRY(NEW(p->positions, floats));
    p->scan.acquisitions = p->lists[0];
    p->scan.calibrations = p->lists[1];
    p->scan.navigators = p->lists[2];
    return ARGAND_OK;
}

argand_status gradients_take(argand_sense *s, const argand_sense_options *given)
{
    const double *delay = given->gradient_delay;
    if (!given->girf && delay[0] == 0 && delay[1] == 0 && delay[2] == 0) return ARGAND_OK;
    TRY(NEW(s->response, 1));
    return gradient_response_take(s->response, given->girf, given->girf_step, delay,
                                  given->girf_name ? given->girf_name : "the response of the gradients");
}

argand_status gradients_play(argand_sense *s, const argand_scan *scan)
{
    s->scan = scan;
    s->played = NULL;
    if (!s->response) return ARGAND_OK;
    TRY(NEW(s->played, 1));
    gradient_filter f = {.response = s->response};
    float *at;
    argand_status status;
    TRY_OR_DONE(copy_lists(s->played, scan));
    const int64_t counts[LISTS] = {scan->acquisition_count, scan->calibration_count, scan->navigator_count};
    at = s->played->positions;
    for (int l = 0; l < LISTS; l++) TRY_OR_DONE(play_list(&f, s->played->lists[l], counts[l], scan, &at));
    s->scan = &s->played->scan;
done:
    gradient_filter_end(&f);
    return status;
}

void gradients_forget(recon_played *p)
{
    for (int l = 0; p && l < LISTS; l++) memory_free(p->lists[l]);
    if (p) memory_free(p->positions);
    memory_free(p);
}

void gradients_free(argand_sense *s)
{
    gradients_forget(s->played);
    if (s->response) gradient_response_free(s->response);
    memory_free(s->response);
}
