/* SPDX-License-Identifier: BSD-3-Clause */
/* Extensions of blocks: rotations of the gradients, and labels that count. */
#include <math.h>

#include "io/pulseq/pulseq.h"

enum { MOST = 256 }; /* extensions of a block */

/* Sets the rotation matrix of a quaternion. */
static argand_status rotate(pulseq_effects *to, const pulseq_file *file, double id)
{
    const int64_t at = pulseq_find(&file->rotations, id);
    CHECK(at >= 0, ARGAND_FORMAT, "%s: a block has the rotation %.9g, which the file does not have",
          file->path, id);
    const double *q = file->rotations.rows[at].v + 1;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    CHECK(fabs(square - 1) < 1e-3, ARGAND_FORMAT,
          "%s: the rotation %.9g is no quaternion of length 1, its square is %.6g", file->path, id, square);
    const double w = q[0] / sqrt(square), x = q[1] / sqrt(square), y = q[2] / sqrt(square),
                 z = q[3] / sqrt(square);
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(to->rotation, r, sizeof r);
    to->rotated = true;
    return ARGAND_OK;
}

/* Sets a label, or adds to it. Labels that are no counters are in no table. */
static void count(pulseq_effects *to, const pulseq_table *table, double id, bool adds)
{
    const int64_t at = pulseq_find(table, id);
    if (at < 0) return;
    const double *v = table->rows[at].v;
    to->label[(int)v[2]] = v[1] + (adds ? to->label[(int)v[2]] : 0);
}

argand_status pulseq_extend(pulseq_effects *to, const pulseq_file *file, double id)
{
    to->rotated = false;
    for (int64_t steps = 0; id != 0; steps++) {
        const int64_t at = pulseq_find(&file->extensions, id);
        CHECK(at >= 0 && steps < MOST, ARGAND_FORMAT,
              at < 0 ? "%s: a block has the extension %.9g, which [EXTENSIONS] does not have"
                     : "%s: a block has more than 256 extensions, or they go in a circle, at %.9g",
              file->path, id);
        const double *v = file->extensions.rows[at].v;
        if (v[1] == file->rotation_type && file->rotation_type > 0) TRY(rotate(to, file, v[2]));
        if (v[1] == file->set_type && file->set_type > 0) count(to, &file->set, v[2], false);
        if (v[1] == file->increased_type && file->increased_type > 0) count(to, &file->increased, v[2], true);
        id = v[3];
    }
    return ARGAND_OK;
}
