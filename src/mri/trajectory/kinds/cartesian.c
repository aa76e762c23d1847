/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines along x of a Cartesian grid. */
#include "mri/trajectory/kind.h"

#include <math.h>

/* Takes every line, or evenly spaced lines that include the centre, in ascending order. */
static argand_status points(plan_2d *plan, double **x, double **y)
{
    if (plan->shots == 0) plan->shots = (int64_t)ceil((double)plan->ny / plan->acceleration - 1e-9);
    CHECK(plan->shots <= plan->ny, ARGAND_ARGUMENT,
          "trajectory: %lld Cartesian lines, but the matrix has %lld", (long long)plan->shots,
          (long long)plan->ny);
    TRY(plan_allocate(plan, x, y));
    const int64_t before = plan->ny / 2 * plan->shots / plan->ny; /* lines below the centre */
    for (int64_t s = 0; s < plan->shots; s++)
        for (int64_t i = 0; i < plan->samples; i++) {
            (*x)[s * plan->samples + i] =
                (double)(i - plan->samples / 2) * ((double)plan->nx / (double)plan->samples);
            (*y)[s * plan->samples + i] = floor((double)((s - before) * plan->ny) / (double)plan->shots);
        }
    return ARGAND_OK;
}

static int64_t samples(const plan_2d *plan)
{
    return plan->nx;
}

const trajectory_kind trajectory_cartesian = {
    .id = ARGAND_CARTESIAN,
    .name = "cartesian",
    .summary = "lines along x, one for each row of the matrix",
    .shot = "cartesian",
    .is_flat = true,
    .is_volume = true,
    .readout = 0.005,
    .samples = samples,
    .points = points,
};
