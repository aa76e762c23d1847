/* SPDX-License-Identifier: BSD-3-Clause */
/* The g-factor of SENSE for uniform undersampling, pixel group by pixel group (Pruessmann et al., MRM
 * 42:952, 1999). */
#include "calib/calib.h"
#include "calib/hermitian.h"

#include <math.h>
#include <string.h>
#include "mri/host.h"

enum { MOST = 64 };

typedef struct aliasing {
    int64_t n[3], coils, factor[2], shift;
    const double *maps; /* complex {n..., coils} */
} aliasing;

/* Lists the pixels that alias onto (x, y, z), itself first. */
static int64_t find_group(int64_t group[MOST], const aliasing *a, int64_t x, int64_t y, int64_t z)
{
    const int64_t *n = a->n, step_y = n[1] / a->factor[0], step_z = n[2] / a->factor[1];
    int64_t count = 0;
    for (int64_t i = 0; i < a->factor[0]; i++)
        for (int64_t j = 0; j < a->factor[1]; j++) {
            const int64_t back = a->shift * i * step_z / a->factor[0];
            const int64_t at_z = ((z + j * step_z - back) % n[2] + n[2]) % n[2];
            group[count++] = (at_z * n[1] + (y + i * step_y) % n[1]) * n[0] + x;
        }
    return count;
}

/* Returns the g-factor of the first pixel of a group; 0: its maps are 0, or others see the same. */
static double of_group(const aliasing *a, const int64_t *group, int64_t count)
{
    double re[MOST * MOST], im[MOST * MOST], x_re[MOST] = {1}, x_im[MOST] = {0};
    const int64_t pixels = a->n[0] * a->n[1] * a->n[2];
    int64_t kept[MOST], size = 0;
    for (int64_t i = 0; i < count; i++) { /* pixels outside the maps hold no signal */
        double energy = 0;
        for (int64_t c = 0; c < a->coils; c++) {
            const double *s = a->maps + 2 * (c * pixels + group[i]);
            energy += s[0] * s[0] + s[1] * s[1];
        }
        if (energy > 0) kept[size++] = group[i];
        if (!i && !size) return 0;
    }
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) {
            double sum_re = 0, sum_im = 0;
            for (int64_t c = 0; c < a->coils; c++) {
                const double *p = a->maps + 2 * (c * pixels + kept[i]),
                             *q = a->maps + 2 * (c * pixels + kept[j]);
                sum_re += p[0] * q[0] + p[1] * q[1];
                sum_im += p[0] * q[1] - p[1] * q[0];
            }
            re[i * size + j] = sum_re;
            im[i * size + j] = sum_im;
        }
    const double own = re[0];
    if (hermitian_solve((hermitian_planes){re, im}, size, (hermitian_planes){x_re, x_im}, 1)) return 0;
    return sqrt(x_re[0] * own);
}

static argand_status check(const argand_array *gfactor, const aliasing *a)
{
    CHECK(a->factor[0] >= 1 && a->factor[1] >= 1 && a->factor[0] <= MOST && a->factor[1] <= MOST &&
              a->factor[0] * a->factor[1] <= MOST && a->shift >= 0 && a->shift < a->factor[0],
          ARGAND_ARGUMENT,
          "g-factor: factors %lld and %lld with a shift of %lld; give factors from 1 on, whose product is at "
          "most "
          "%d, and a shift below the first",
          (long long)a->factor[0], (long long)a->factor[1], (long long)a->shift, MOST);
    CHECK(a->n[1] % a->factor[0] == 0 && a->n[2] % (a->factor[1] * (a->shift ? a->factor[0] : 1)) == 0,
          ARGAND_ARGUMENT,
          "g-factor: maps of %lld x %lld pixels along the phase-encode directions are no multiple of the "
          "factors "
          "%lld and %lld: pixels would alias between pixels",
          (long long)a->n[1], (long long)a->n[2], (long long)a->factor[0], (long long)a->factor[1]);
    CHECK(!type_is_complex(argand_array_type(gfactor)) &&
              argand_array_count(gfactor) == a->n[0] * a->n[1] * a->n[2],
          ARGAND_ARGUMENT, "g-factor: the result must be real, with one element for each pixel");
    return ARGAND_OK;
}

argand_status argand_coils_gfactor(argand_array *gfactor, const argand_array *maps, const int factors[2],
                                   int shift)
{
    aliasing a = {.shift = shift};
    double *values = NULL, *read = NULL;
    argand_status status;
    CHECK_ARRAY(gfactor);
    CHECK_ARRAY(maps);
    CHECK(factors, ARGAND_ARGUMENT, "argand_coils_gfactor: factors is NULL");
    a.factor[0] = factors[0];
    a.factor[1] = factors[1];
    TRY(calib_coil_shape(maps, "g-factor: the maps", a.n, &a.coils));
    TRY(check(gfactor, &a));
    TRY(calib_check_finite(maps, "g-factor: the maps"));
    TRY_OR_DONE(host_read(&read, maps));
    a.maps = read;
    TRY_OR_DONE(NEW(values, argand_array_count(gfactor)));
    const int64_t lines = a.n[1] * a.n[2];
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(argand_array_device(maps)))
    for (int64_t line = 0; line < lines; line++)
        for (int64_t x = 0; x < a.n[0]; x++) {
            int64_t group[MOST];
            const int64_t count = find_group(group, &a, x, line % a.n[1], line / a.n[1]);
            values[line * a.n[0] + x] = of_group(&a, group, count);
        }
    status = host_write_real(gfactor, values);
done:
    memory_free(values);
    memory_free(read);
    return status;
}
