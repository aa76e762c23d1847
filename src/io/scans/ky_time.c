/* SPDX-License-Identifier: BSD-3-Clause */
/* The speed of EPI through ky, from the times of two lines of a train that follow one another. */
#include <argand/epi.h>
#include <math.h>
#include <string.h>

/* Returns the time of the sample nearest to kx = 0. */
static double centre_time(const argand_acquisition *a)
{
    int64_t nearest = 0;
    for (int64_t i = 1; i < a->samples; i++)
        if (fabsf(a->k[0][i]) < fabsf(a->k[0][nearest])) nearest = i;
    return (double)a->t[nearest];
}

static bool is_line(const argand_acquisition *a, int encoding)
{
    return a->encoding == encoding && a->samples > 0 && a->k[0] && a->k[1] && a->t;
}

/* Returns the time between the centres of two lines; the exact echo spacing if that is what it is. */
static double time_between(const argand_acquisition *a, const argand_acquisition *b, double spacing)
{
    const double time = centre_time(b) - centre_time(a);
    return fabs(time - spacing) < 1e-3 * spacing ? spacing : time;
}

double argand_scan_ky_time(const argand_scan *scan, int encoding)
{
    bool reversed = false;
    double found = 0;
    if (!scan || encoding < 0 || encoding >= scan->encoding_count) return 0;
    for (int64_t i = 1; i < scan->acquisition_count && (found == 0 || !reversed); i++) {
        const argand_acquisition *a = &scan->acquisitions[i - 1], *b = &scan->acquisitions[i];
        if (!is_line(a, encoding) || !is_line(b, encoding) || b->row != a->row + 1) continue;
        const double step = (double)b->k[1][0] - (double)a->k[1][0],
                     time = time_between(a, b, scan->encodings[encoding].readout.echo_spacing);
        reversed |= (b->flags & ARGAND_FLAG_REVERSE) != 0;
        if (found == 0 && step != 0 && time > 0) found = time / step;
    }
    return reversed || !strcmp(scan->encodings[encoding].trajectory, "epi") ? found : 0;
}
