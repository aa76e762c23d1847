/* SPDX-License-Identifier: BSD-3-Clause */
/* POCS of a reconstructed image, along the axes that the scan covers on one side. */
#include "recon/solve/solve.h"

#include <math.h>

argand_status pocs_complete(argand_sense *s, argand_array *x)
{
    argand_coverage c;
    int64_t low[3] = {0}, high[3] = {0};
    char axes[4] = "";
    if (!s->options.pocs) return ARGAND_OK;
    argand_scan_cover(s->scan, s->options.encoding, &c);
    for (int axis = 0; axis < s->grid.rank; axis++) {
        const int64_t n = s->grid.n[axis];
        const double scale = s->grid.k_scale[axis];
        low[axis] = -(n / 2);
        high[axis] = (n - 1) / 2;
        if (!(c.partial[axis] < 1)) continue;
        low[axis] = (int64_t)fmax((double)low[axis], ceil(c.low[axis] * scale - 1e-3));
        high[axis] = (int64_t)fmin((double)high[axis], floor(c.high[axis] * scale + 1e-3));
        axes[strlen(axes)] = "xyz"[axis];
    }
    if (!*axes) {
        note_once(s, "POCS: no axis is covered on one side only, so that there is nothing to complete.");
        return s->notes.status;
    }
    note_once(s, "POCS: %d iterations along %s with the phase of the symmetric part of k-space.",
              s->options.pocs, axes);
    TRY(s->notes.status);
    return argand_image_pocs(x, low, high, s->options.pocs);
}
