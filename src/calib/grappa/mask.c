/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which samples were acquired, and how far apart they are. */
#include "calib/grappa/grappa.h"

#include "mri/host.h"

static void mark(unsigned char *there, const void *data, bool is_double, int64_t positions, int64_t coils)
{
    const float *f = data;
    const double *d = data;
    for (int64_t c = 0; c < coils; c++)
        for (int64_t i = 0; i < positions; i++) {
            const int64_t at = 2 * (c * positions + i);
            there[i] |= is_double ? d[at] != 0 || d[at + 1] != 0 : f[at] != 0 || f[at + 1] != 0;
        }
}

/* Returns true if a line's samples are acquired together. */
static bool are_lines(const grappa_mask *m)
{
    for (int64_t i = 0; i < m->n[0] * m->n[1] * m->n[2]; i++)
        if (m->there[i] != m->there[i - i % m->n[0]]) return false;
    return true;
}

/* Updates the largest distance of neighbours among `count` positions that are `step` apart. */
static void widen(int64_t *gap, const unsigned char *there, int64_t count, int64_t step)
{
    int64_t last = -1;
    for (int64_t i = 0; i < count; i++) {
        if (!there[i * step]) continue;
        if (last >= 0 && i - last > *gap) *gap = i - last;
        last = i;
    }
}

/* Along x and y, within the lines of samples of the axis; along z, from plane to plane, because samples of
 * neighbouring planes may be shifted (CAIPIRINHA). */
static argand_status find_gaps(grappa_mask *m)
{
    const int64_t *n = m->n, plane = n[0] * n[1];
    unsigned char *planes;
    for (int axis = 0; axis < 3; axis++) m->gap[axis] = 1;
    for (int64_t i = 0; i < n[1] * n[2]; i++) widen(&m->gap[0], m->there + i * n[0], n[0], 1);
    for (int64_t z = 0; z < n[2]; z++)
        for (int64_t x = 0; x < (m->lines ? 1 : n[0]); x++)
            widen(&m->gap[1], m->there + z * plane + x, n[1], n[0]);
    TRY(NEW(planes, n[2]));
    for (int64_t i = 0; i < plane * n[2]; i++) planes[i / plane] |= m->there[i];
    widen(&m->gap[2], planes, n[2], 1);
    memory_free(planes);
    for (int axis = 0; axis < 3; axis++)
        if (m->gap[axis] > GRAPPA_MOST_GAP) m->gap[axis] = GRAPPA_MOST_GAP;
    return ARGAND_OK;
}

argand_status grappa_mask_find(grappa_mask *m, const argand_array *kspace, const int64_t n[3], int64_t coils)
{
    host_view from = {0};
    const int64_t positions = n[0] * n[1] * n[2];
    for (int axis = 0; axis < 3; axis++) m->n[axis] = n[axis];
    TRY(NEW(m->there, positions));
    TRY(host_open(&from, kspace));
    mark(m->there, from.data, type_is_double(argand_array_type(kspace)), positions, coils);
    host_close(&from);
    m->lines = are_lines(m);
    return find_gaps(m);
}
