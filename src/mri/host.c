/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies numbers between arrays of any real or complex type and doubles on the host. */
#include "mri/host.h"

#include <string.h>

/* Widens `count` floats at the start of the buffer to doubles, from the end, in place. */
static void widen(double *buffer, size_t count)
{
    const char *bytes = (const char *)buffer;
    for (size_t i = count; i-- > 0;) {
        float value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        buffer[i] = (double)value;
    }
}

static size_t numbers(const argand_array *array)
{
    return (size_t)argand_array_count(array) * (type_is_complex(argand_array_type(array)) ? 2 : 1);
}

argand_status host_read(double **values, const argand_array *array)
{
    double *buffer;
    *values = NULL;
    TRY(NEW(buffer, numbers(array)));
    const argand_status status = argand_array_download(array, buffer);
    if (status) {
        memory_free(buffer);
        return status;
    }
    if (!type_is_double(argand_array_type(array))) widen(buffer, numbers(array));
    *values = buffer;
    return ARGAND_OK;
}

/* Writes values[i / repeat] as real number i; if repeat is 2, odd ones (imaginary parts) are 0. */
static argand_status write_numbers(argand_array *array, const double *values, size_t repeat)
{
    const size_t count = numbers(array);
    const bool is_double = type_is_double(argand_array_type(array));
    void *buffer;
    TRY(memory_new(&buffer, count, is_double ? sizeof(double) : sizeof(float)));
    for (size_t i = 0; i < count; i++) {
        const double value = i % repeat ? 0 : values[i / repeat];
        if (is_double)
            ((double *)buffer)[i] = value;
        else
            ((float *)buffer)[i] = (float)value;
    }
    const argand_status status = argand_array_upload(array, buffer);
    memory_free(buffer);
    return status;
}

argand_status host_write_real(argand_array *array, const double *values)
{
    return write_numbers(array, values, type_is_complex(argand_array_type(array)) ? 2 : 1);
}

argand_status host_write_complex(argand_array *array, const double *values)
{
    return write_numbers(array, values, 1);
}

argand_status host_open_new(host_view *view, const argand_array *array)
{
    view->data = argand_array_is_contiguous(array) ? argand_array_data(array) : NULL;
    view->copied = !view->data;
    if (!view->copied) return argand_device_wait(argand_array_device(array));
    return memory_new(&view->data, (size_t)argand_array_count(array),
                      argand_type_size(argand_array_type(array)));
}

argand_status host_open(host_view *view, const argand_array *array)
{
    TRY(host_open_new(view, array));
    if (!view->copied) return ARGAND_OK;
    const argand_status status = argand_array_download(array, view->data);
    if (status) host_close(view);
    return status;
}

argand_status host_put(const host_view *view, argand_array *array)
{
    return view->copied ? argand_array_upload(array, view->data) : ARGAND_OK;
}

void host_close(host_view *view)
{
    if (view->copied) memory_free(view->data);
    *view = (host_view){0};
}
