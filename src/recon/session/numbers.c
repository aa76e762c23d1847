/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts arrays to doubles on the host and back. */
#include "recon/session/session.h"

#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "device/device.h"

argand_status numbers_of_array(const argand_array *a, double **out)
{
    const bool is_double = type_is_double(argand_array_type(a));
    const int64_t count = argand_array_count(a) * (type_is_complex(argand_array_type(a)) ? 2 : 1);
    TRY(NEW(*out, count));
    argand_status status = argand_array_download(a, *out);
    if (status == ARGAND_OK && !is_double) {
        const float *floats = (const float *)*out;
        /* From the end, because the doubles overwrite the floats. */
        for (int64_t i = count - 1; i >= 0; i--) {
            float value;
            memcpy(&value, floats + i, sizeof value);
            (*out)[i] = (double)value;
        }
    }
    if (status != ARGAND_OK) {
        memory_free(*out);
        *out = NULL;
    }
    return status;
}

/* Copies doubles of the host into a new array {count}. The conversion takes place on the host, because the
 * device may lack doubles. */
static argand_status array_from(const argand_sense *s, const double *numbers, int64_t count, bool is_complex,
                                argand_array **out)
{
    argand_array *wide = NULL;
    argand_status status;
    const argand_type type = is_complex                      ? s->options.type
                             : s->options.type == ARGAND_C64 ? ARGAND_R64
                                                             : ARGAND_R32;
    argand_device *host;
    *out = NULL;
    TRY(device_host(&host, s->device)); /* supports doubles on every machine */
    TRY(argand_array_create(&wide, host, is_complex ? ARGAND_C64 : ARGAND_R64, 1, &count));
    TRY_OR_DONE(argand_array_upload(wide, numbers));
    TRY_OR_DONE(argand_array_create(out, s->device, type, 1, &count));
    status = argand_array_copy(*out, wide);
done:
    argand_array_destroy(wide);
    if (status != ARGAND_OK) {
        argand_array_destroy(*out);
        *out = NULL;
    }
    return status;
}

argand_status array_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                               argand_array **out)
{
    return array_from(s, numbers, count, false, out);
}

argand_status complex_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                                 argand_array **out)
{
    return array_from(s, numbers, count, true, out);
}

argand_status arrays_equal(const argand_array *a, const argand_array *b, bool *result)
{
    *result = false;
    if (!a || !b || argand_array_count(a) != argand_array_count(b)) return ARGAND_OK;
    argand_array *difference;
    double most = 1;
    TRY(argand_array_create(&difference, argand_array_device(a), argand_array_type(a), 1,
                            (int64_t[]){argand_array_count(a)}));
    argand_status status = argand_array_copy(difference, a);
    if (status == ARGAND_OK)
        status = argand_array_axpby(difference, (argand_scalar){-1, 0}, b, (argand_scalar){1, 0});
    if (status == ARGAND_OK) status = argand_array_max_abs(&most, difference);
    argand_array_destroy(difference);
    *result = most == 0;
    return status;
}
