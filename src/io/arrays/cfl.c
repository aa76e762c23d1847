/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes BART's pair of files NAME.hdr and NAME.cfl. */
#include "io/arrays/cfl.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "io/arrays/sink.h"
#include "io/arrays/transfer.h"

enum { BART_RANK = 16, MOST_TEXT = 1 << 20 };

static argand_status header_name(char *name, size_t capacity, const char *path)
{
    const size_t length = strlen(path);
    CHECK(length < capacity, ARGAND_ARGUMENT, "file name of %zu characters is too long", length);
    memcpy(name, path, length + 1);
    memcpy(name + length - 4, ".hdr", 4); /* replaces .cfl */
    return ARGAND_OK;
}

/* Reduces more than eight dimensions to eight by removing dimensions of 1, the last first: BART counts
 * repetitions in its eleventh. */
static argand_status squeeze(int *rank, int64_t *dims, int64_t *all, int count, const char *path)
{
    while (count && all[count - 1] == 1) count--;
    for (int i = count - 1; i >= 0 && count > ARGAND_MAX_RANK; i--) {
        if (all[i] != 1) continue;
        memmove(all + i, all + i + 1, (size_t)(count - 1 - i) * sizeof *all);
        count--;
    }
    CHECK(count <= ARGAND_MAX_RANK, ARGAND_UNSUPPORTED, "%s: has more than %d dimensions that are not 1",
          path, ARGAND_MAX_RANK);
    *rank = count ? count : 1;
    memcpy(dims, all, (size_t)*rank * sizeof *dims);
    return ARGAND_OK;
}

/* Parses the line after "# Dimensions". */
static argand_status parse_dimensions(int *rank, int64_t *dims, const char *text, const char *path)
{
    const char *at = strstr(text, "# Dimensions");
    CHECK(at, ARGAND_FORMAT, "%s: has no line \"# Dimensions\"", path);
    at = strchr(at, '\n');
    CHECK(at, ARGAND_FORMAT, "%s: ends before its dimensions", path);
    int64_t all[BART_RANK] = {1};
    int count = 0;
    for (at++; *(at += strspn(at, " \t\r")) && *at != '\n'; count++) {
        int64_t dim = 0;
        CHECK(isdigit((unsigned char)*at), ARGAND_FORMAT, "%s: dimension %d is not a number: %.10s", path,
              count, at);
        for (; isdigit((unsigned char)*at); at++)
            CHECK(!__builtin_mul_overflow(dim, 10, &dim) && !__builtin_add_overflow(dim, *at - '0', &dim),
                  ARGAND_FORMAT, "%s: its dimensions are too large to be true", path);
        CHECK(dim >= 1, ARGAND_FORMAT, "%s: dimension %d is 0; it must be at least 1", path, count);
        CHECK(count < BART_RANK || dim == 1, ARGAND_UNSUPPORTED, "%s: has more than %d dimensions", path,
              BART_RANK);
        if (count < BART_RANK) all[count] = dim;
    }
    CHECK(count > 0, ARGAND_FORMAT, "%s: has no dimensions", path);
    return squeeze(rank, dims, all, count < BART_RANK ? count : BART_RANK, path);
}

static argand_status read_dimensions(int *rank, int64_t *dims, const char *path)
{
    char name[4096];
    char *text = NULL;
    size_t length;
    TRY(header_name(name, sizeof name, path));
    TRY(file_read(name, MOST_TEXT, &text, &length));
    const argand_status status = parse_dimensions(rank, dims, text, name);
    memory_free(text);
    return status;
}

argand_status cfl_read(argand_array **array, const char *path, argand_device *device)
{
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    source in;
    argand_status status = source_open(&in, path, false);
    TRY_OR_DONE(status);
    TRY_OR_DONE(read_dimensions(&rank, dims, path));
    const number_format format = {'c', 8, !numbers_host_is_little()};
    size_t bytes = 8;
    for (int i = 0; i < rank; i++) bytes = memory_product(bytes, (size_t)dims[i]);
    CHECK_OR_DONE(bytes >= in.size, ARGAND_FORMAT, "%s: %zu bytes expected from its .hdr, %llu found", path,
                  bytes, (unsigned long long)in.size);
    const file_array a = {.format = format, .rank = rank, .dims = dims, .slope = 1};
    TRY_OR_DONE(transfer_in(array, &in, device, &a));
done:
    source_close(&in);
    return status;
}

static argand_status write_numbers(sink *out, const argand_array *array)
{
    void *numbers = NULL;
    argand_status status = transfer_out(&numbers, array);
    TRY_OR_DONE(status);
    const size_t parts = transfer_parts(array);
    const bool doubles = transfer_is_double(array);
    if (transfer_is_complex(array)) {
        TRY_OR_DONE(sink_write_floats(out, numbers, doubles, parts));
        goto done;
    }
    for (size_t i = 0; i < parts; i++) {
        const float pair[2] = {doubles ? (float)((double *)numbers)[i] : ((float *)numbers)[i], 0};
        TRY_OR_DONE(sink_write(out, pair, sizeof pair));
    }
done:
    memory_free(numbers);
    return status;
}

static argand_status write_dimensions(sink *out, const argand_array *array)
{
    char header[512];
    int used = snprintf(header, sizeof header, "# Dimensions\n");
    for (int i = 0; i < BART_RANK; i++)
        used += snprintf(header + used, sizeof header - (size_t)used, "%lld ",
                         (long long)(i < ARGAND_MAX_RANK ? argand_array_dim(array, i) : 1));
    used +=
        snprintf(header + used, sizeof header - (size_t)used, "\n# Creator\nargand %s\n", argand_version());
    return sink_write(out, header, (size_t)used);
}

argand_status cfl_write(const char *path, const argand_array *array)
{
    char name[4096];
    sink numbers = {0}, header = {0};
    argand_status status;
    TRY(header_name(name, sizeof name, path));
    file_set_begin(); /* both files or none */
    TRY_OR_DONE(sink_open(&numbers, path, false));
    TRY_OR_DONE(sink_open(&header, name, false));
    TRY_OR_DONE(write_numbers(&numbers, array));
    TRY_OR_DONE(write_dimensions(&header, array));
    TRY_OR_DONE(sink_finish(&numbers));
    TRY_OR_DONE(sink_finish(&header));
done:
    sink_abandon(&header);
    sink_abandon(&numbers);
    if (status == ARGAND_OK) return file_set_commit();
    file_set_abandon();
    return status;
}
