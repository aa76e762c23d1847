/* SPDX-License-Identifier: BSD-3-Clause */
/* Spokes through the centre of k-space, in a plane or in each partition of a stack. */
#include "mri/trajectory/kind.h"

#include <math.h>

static const double GOLDEN_ANGLE =
    1.9416110387254666; /* pi / golden ratio (Winkelmann et al., IEEE TMI 26:68, 2007) */

/* Makes spokes through the centre, at sample floor(samples/2). pi/2 N spokes sample the rim fully. */
static argand_status points(plan_2d *plan, double **x, double **y)
{
    const double n = plan_longest(plan);
    if (plan->shots == 0) plan->shots = (int64_t)ceil(M_PI / 2 * n / plan->acceleration - 1e-9);
    TRY(plan_allocate(plan, x, y));
    for (int64_t s = 0; s < plan->shots; s++) {
        const double angle = (double)s * (plan->golden ? GOLDEN_ANGLE : M_PI / (double)plan->shots);
        for (int64_t i = 0; i < plan->samples; i++) {
            const double k = (double)(i - plan->samples / 2) * (n / (double)plan->samples);
            (*x)[s * plan->samples + i] = k * cos(angle);
            (*y)[s * plan->samples + i] = k * sin(angle);
        }
    }
    plan_fit(plan, *x, *y);
    return ARGAND_OK;
}

static int64_t samples(const plan_2d *plan)
{
    return 2 * (int64_t)plan_longest(plan);
}

const trajectory_kind trajectory_radial = {
    .id = ARGAND_RADIAL,
    .name = "radial",
    .summary = "spokes through the centre of k-space",
    .paper = "Winkelmann, Schaeffter, Koehler, Eggers, Doessel: An optimal radial profile order based on the "
             "golden ratio for time-resolved MRI. IEEE Trans. Med. Imaging 26:68, 2007.",
    .shot = "radial",
    .is_flat = true,
    .readout = 0.005,
    .samples = samples,
    .points = points,
};

const trajectory_kind trajectory_stack_of_stars = {
    .id = ARGAND_STACK_OF_STARS,
    .name = "stack-of-stars",
    .summary = "the same radial spokes in each partition of a volume",
    .shot = "radial",
    .is_volume = true,
    .readout = 0.005,
    .samples = samples,
    .points = points,
};
