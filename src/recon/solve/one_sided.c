/* SPDX-License-Identifier: BSD-3-Clause */
/* A reconstructed image is completed by POCS or homodyne reconstruction, along the axes that the scan covers
 * on one side. */
#include "recon/solve/solve.h"

#include <math.h>

/* Finds the acquired range along each axis of the grid. axes: names of those that are covered on one side. */
static void find_range(const argand_sense *s, int64_t low[3], int64_t high[3], char axes[4])
{
    argand_coverage c;
    int count = 0;
    argand_scan_cover(s->scan, s->options.encoding, &c);
    for (int axis = 0; axis < s->grid.rank; axis++) {
        const int64_t n = s->grid.n[axis];
        const double scale = s->grid.k_scale[axis];
        low[axis] = -(n / 2);
        high[axis] = (n - 1) / 2;
        if (!(c.partial[axis] < 1)) continue;
        low[axis] = (int64_t)fmax((double)low[axis], ceil(c.low[axis] * scale - 1e-3));
        high[axis] = (int64_t)fmin((double)high[axis], floor(c.high[axis] * scale + 1e-3));
        axes[count++] = "xyz"[axis];
    }
    axes[count] = 0;
}

argand_status one_sided_check(argand_sense *s)
{
    int64_t low[3] = {0}, high[3] = {0};
    char axes[4];
    if (!s->options.homodyne) return ARGAND_OK;
    find_range(s, low, high, axes);
    CHECK(!axes[0] || !axes[1], ARGAND_UNSUPPORTED,
          "%s: k-space is covered on one side along %c and %c: homodyne reconstruction completes one axis; "
          "use POCS (--pocs 10), which completes several",
          s->scan->path, axes[0], axes[1]);
    return ARGAND_OK;
}

argand_status one_sided_complete(argand_sense *s, argand_array *x)
{
    const argand_homodyne homodyne = s->options.homodyne;
    int64_t low[3] = {0}, high[3] = {0};
    char axes[4];
    if (!s->options.pocs && !homodyne) return ARGAND_OK;
    find_range(s, low, high, axes);
    if (!*axes)
        note_once(s, "%s: no axis is covered on one side only, so that there is nothing to complete.",
                  homodyne ? "Homodyne" : "POCS");
    else if (homodyne)
        note_once(s, "Homodyne: the image has the phase of the symmetric part of k-space along %s.", axes);
    else
        note_once(s, "POCS: %d iterations along %s with the phase of the symmetric part of k-space.",
                  s->options.pocs, axes);
    TRY(s->notes.status);
    if (!*axes) return ARGAND_OK;
    return homodyne ? argand_image_homodyne(x, low, high, homodyne)
                    : argand_image_pocs(x, low, high, s->options.pocs);
}
