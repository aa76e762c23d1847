/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over arrays: every work group writes two partial sums, which the host adds in order. */
#include "array/array.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "array/layout.h"
#include "base/memory.h"

/* Downloads 2 * groups numbers as doubles; a device without doubles has written floats. */
static argand_status fetch(const storage *from, int64_t groups, double *numbers)
{
    const size_t count = (size_t)groups * 2;
    if (device_has_double(storage_device(from)))
        return storage_download(from, 0, numbers, count * sizeof *numbers);
    float *floats = (float *)numbers;
    TRY(storage_download(from, 0, floats, count * sizeof *floats));
    for (size_t i = count; i-- > 0;) {
        float value;
        memcpy(&value, floats + i, sizeof value);
        numbers[i] = (double)value;
    }
    return ARGAND_OK;
}

/* Runs a kernel and downloads its 2 * *groups numbers; free them with memory_free. */
static argand_status partials(const char *who, const char *kernel, int operands, const argand_array *const *x,
                              double **numbers, int64_t *groups)
{
    struct pointwise_params params = {0};
    storage *memory[3] = {NULL};
    char key[64];
    argand_status status = ARGAND_OK;
    *numbers = NULL;
    TRY(layout_make(&params.at, groups, who, 1, operands, x));
    const size_t bytes = (size_t)*groups * 2 * sizeof(double);
    TRY(storage_new(&memory[0], argand_array_device(x[0]), bytes));
    for (int i = 0; i < operands; i++) memory[1 + i] = x[i]->storage;
    snprintf(key, sizeof key, "%s REAL=%s", kernel, type_is_double(x[0]->type) ? "double" : "float");
    const kernel_run run = {.key = key,
                            .groups = *groups,
                            .memory = memory,
                            .memory_count = 1 + operands,
                            .params = &params,
                            .params_bytes = sizeof params};
    TRY_OR_DONE(kernel_start(argand_array_device(x[0]), &run));
    TRY_OR_DONE(memory_new(numbers, bytes, 1));
    status = fetch(memory[0], *groups, *numbers);
done:
    if (status != ARGAND_OK) {
        memory_free(*numbers);
        *numbers = NULL;
    }
    storage_release(memory[0]);
    return status;
}

static argand_status add_up(const char *who, const char *kernel, int operands, const argand_array *const *x,
                            argand_scalar *result)
{
    double *numbers;
    int64_t groups;
    TRY(partials(who, kernel, operands, x, &numbers, &groups));
    *result = (argand_scalar){0, 0};
    for (int64_t i = 0; i < groups; i++) {
        result->re += numbers[2 * i];
        result->im += numbers[2 * i + 1];
    }
    memory_free(numbers);
    return ARGAND_OK;
}

argand_status argand_array_dot(argand_scalar *result, const argand_array *x, const argand_array *y)
{
    CHECK_ARRAY(x);
    CHECK_ARRAY(y);
    CHECK(type_is_double(x->type) == type_is_double(y->type), ARGAND_ARGUMENT,
          "argand_array_dot: %s and %s arrays", argand_type_name(x->type), argand_type_name(y->type));
    return add_up(__func__, "dot_product", 2, (const argand_array *const[]){x, y}, result);
}

argand_status argand_array_norm(double *result, const argand_array *x)
{
    argand_scalar square;
    CHECK_ARRAY(x);
    TRY(argand_array_dot(&square, x, x));
    *result = sqrt(square.re);
    return ARGAND_OK;
}

argand_status argand_array_sum(argand_scalar *result, const argand_array *x)
{
    CHECK_ARRAY(x);
    return add_up(__func__, "sum", 1, &x, result);
}

/* Finds the largest |x| and the number of elements that are not finite. */
static argand_status extent(const char *who, const argand_array *x, double *most, double *nonfinite)
{
    double *numbers;
    int64_t groups;
    *most = *nonfinite = 0;
    TRY(partials(who, "extent", 1, &x, &numbers, &groups));
    for (int64_t i = 0; i < groups; i++) {
        *most = fmax(*most, numbers[2 * i]);
        *nonfinite += numbers[2 * i + 1];
    }
    *most = sqrt(*most);
    memory_free(numbers);
    return ARGAND_OK;
}

argand_status argand_array_max_abs(double *result, const argand_array *x)
{
    double nonfinite;
    CHECK_ARRAY(x);
    return extent(__func__, x, result, &nonfinite);
}

argand_status argand_array_is_finite(bool *result, const argand_array *x)
{
    double most, nonfinite;
    CHECK_ARRAY(x);
    TRY(extent(__func__, x, &most, &nonfinite));
    *result = nonfinite == 0;
    return ARGAND_OK;
}
