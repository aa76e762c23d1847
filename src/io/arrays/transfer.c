/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the numbers of a file into a new array, and copies the numbers of an array to the host for
 * writing. */
#include "io/arrays/transfer.h"

#include "base/memory.h"

enum { CHUNK = 1 << 20 };

bool transfer_is_complex(const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    return type == ARGAND_C32 || type == ARGAND_C64;
}

bool transfer_is_double(const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    return type == ARGAND_R64 || type == ARGAND_C64;
}

size_t transfer_parts(const argand_array *array)
{
    return (size_t)argand_array_count(array) * (transfer_is_complex(array) ? 2 : 1);
}

argand_status transfer_out(void **numbers, const argand_array *array)
{
    *numbers = NULL;
    CHECK(argand_array_type(array) <= ARGAND_C64, ARGAND_UNSUPPORTED,
          "%s numbers are not written to files; convert them", argand_type_name(argand_array_type(array)));
    TRY(memory_new(numbers, (size_t)argand_array_count(array), argand_type_size(argand_array_type(array))));
    const argand_status status = argand_array_download(array, *numbers);
    if (status == ARGAND_OK) return ARGAND_OK;
    memory_free(*numbers);
    *numbers = NULL;
    return status;
}

static argand_status count_elements(size_t *count, const source *in, const file_array *a)
{
    *count = 1;
    for (int i = 0; i < a->rank; i++) {
        CHECK(a->dims[i] >= 1, ARGAND_FORMAT, "%s: dimension %d is %lld; it must be at least 1", in->path, i,
              (long long)a->dims[i]);
        *count = memory_product(*count, (size_t)a->dims[i]);
    }
    const size_t bytes = memory_product(*count, (size_t)a->format.size);
    CHECK(bytes < SIZE_MAX / 2, ARGAND_FORMAT, "%s: its dimensions are too large to be true", in->path);
    CHECK(bytes <= source_left(in), ARGAND_FORMAT,
          "%s: truncated: %zu bytes of numbers expected, %s%llu found", in->path, bytes,
          in->packed ? "at most " : "", (unsigned long long)source_left(in));
    return ARGAND_OK;
}

static argand_status read_converted(char *numbers, source *in, size_t count, const file_array *a)
{
    const size_t size = (size_t)a->format.size, step = CHUNK / size;
    const size_t out_size = argand_type_size(numbers_type(a->format));
    unsigned char *raw = NULL;
    argand_status status = NEW(raw, CHUNK);
    const uint64_t start = in->position;
    for (size_t done = 0; done < count && status == ARGAND_OK; done += step) {
        const size_t now = count - done < step ? count - done : step;
        size_t got;
        TRY_OR_DONE(source_read(in, raw, now * size, &got));
        CHECK_OR_DONE(got == now * size, ARGAND_FORMAT,
                      "%s: truncated: %zu bytes of numbers expected, %llu found", in->path, count * size,
                      (unsigned long long)(in->position - start));
        numbers_convert(numbers + done * out_size, raw, now, a->format, a->slope, a->intercept);
    }
done:
    memory_free(raw);
    return status;
}

argand_status transfer_in(argand_array **array, source *in, argand_device *device, const file_array *a)
{
    const argand_type type = numbers_type(a->format);
    argand_status status = ARGAND_OK;
    char *numbers = NULL;
    size_t count;
    *array = NULL;
    TRY(count_elements(&count, in, a));
    /* not zeroed, so that memory is only touched as far as the file has data */
    TRY_OR_DONE(memory_take(&numbers, memory_product(count, argand_type_size(type))));
    TRY_OR_DONE(read_converted(numbers, in, count, a));
    TRY_OR_DONE(source_verify(in));
    TRY_OR_DONE(argand_array_create(array, device, type, a->rank, a->dims));
    TRY_OR_DONE(argand_array_upload(*array, numbers));
done:
    memory_free(numbers);
    if (status != ARGAND_OK) {
        argand_array_destroy(*array);
        *array = NULL;
    }
    return status;
}
