/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports each iteration's residual, gradient and penalty to the caller's monitor. */
#include "solve/watch.h"

#include <math.h>
#include "base/clock.h"
#include "op/spread.h"

argand_status watch_report(const watch *w, int iteration, double data_energy, double gradient, double penalty)
{
    CHECK(isfinite(data_energy) && isfinite(gradient) && isfinite(penalty), ARGAND_NUMERIC,
          "argand_solve: NaN or overflow in iteration %d: an operator gave it", iteration);
    const argand_progress progress = {.iteration = iteration,
                                      .iterations = w->iterations,
                                      .residual = watch_ratio(sqrt(data_energy), w->residual_unit),
                                      .gradient = watch_ratio(gradient, w->gradient_unit),
                                      .penalty = penalty,
                                      .seconds = clock_seconds() - w->started};
    const bool goes_on = !w->monitor || w->monitor(w->context, &progress);
    return spread_meet(
        w->spread, goes_on ? ARGAND_OK : status_set(ARGAND_STOPPED, "stopped after iteration %d", iteration));
}
