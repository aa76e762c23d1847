/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds complex Gaussian noise to an array. */
#include <argand/mri.h>

#include <math.h>
#include "base/random.h"
#include "mri/host.h"

argand_status argand_noise_add(argand_array *array, double sigma, uint64_t seed)
{
    double *values;
    random_state state = {seed};
    CHECK_ARRAY(array);
    CHECK(type_is_complex(argand_array_type(array)), ARGAND_ARGUMENT, "noise: the array must be complex");
    CHECK(isfinite(sigma) && sigma >= 0, ARGAND_ARGUMENT, "noise: a standard deviation of %g; give 0 or more",
          sigma);
    if (sigma == 0) return ARGAND_OK;
    TRY(host_read(&values, array));
    for (int64_t i = 0; i < 2 * argand_array_count(array); i++) values[i] += sigma * random_normal(&state);
    const argand_status status = host_write_complex(array, values);
    memory_free(values);
    return status;
}
