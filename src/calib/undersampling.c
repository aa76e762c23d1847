/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the g-factors of SENSE and GRAPPA, with defaults. */
#include "calib/undersampling.h"

#include "array/array.h"

argand_status undersampling_take(undersampling *u, const argand_undersampling *given)
{
    CHECK(given, ARGAND_ARGUMENT, "g-factor: the undersampling is NULL");
    u->shift = given->shift;
    for (int i = 0; i < 2; i++) u->factor[i] = given->factors[i] ? given->factors[i] : 1;
    for (int axis = 0; axis < 3; axis++) {
        u->extent[axis] = given->extent[axis] > 0 || given->extent[axis] < 0 ? given->extent[axis] : 1;
        CHECK(u->extent[axis] > 0.999 && u->extent[axis] < 1e3, ARGAND_ARGUMENT,
              "g-factor: an encoded field of view of %g times the images' along axis %d; give 1 or more",
              given->extent[axis], axis);
    }
    CHECK(u->factor[0] >= 1 && u->factor[1] >= 1 && u->factor[0] <= UNDERSAMPLING_MOST &&
              u->factor[1] <= UNDERSAMPLING_MOST && u->factor[0] * u->factor[1] <= UNDERSAMPLING_MOST &&
              u->shift >= 0 && u->shift < u->factor[0],
          ARGAND_ARGUMENT,
          "g-factor: factors %d and %d with a shift of %d; give factors from 1 on, whose product is at most "
          "%d, and a shift below the first",
          u->factor[0], u->factor[1], u->shift, UNDERSAMPLING_MOST);
    return ARGAND_OK;
}

argand_status undersampling_check_map(const argand_array *gfactor, const int64_t n[3])
{
    CHECK(!type_is_complex(argand_array_type(gfactor)) && argand_array_count(gfactor) == n[0] * n[1] * n[2],
          ARGAND_ARGUMENT, "g-factor: the result must be real, with one element for each pixel");
    return ARGAND_OK;
}
