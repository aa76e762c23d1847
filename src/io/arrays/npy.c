/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes NumPy's files: magic, version, length, a Python dictionary as text, the numbers.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "io/arrays/npy.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "io/arrays/sink.h"
#include "io/arrays/transfer.h"

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
enum { MOST_TEXT = 1 << 16 }; /* numpy itself refuses more than 10000 characters */

typedef struct npy_header {
    number_format format;
    int rank;
    int64_t dims[ARGAND_MAX_RANK]; /* first dimension fastest */
    bool fortran;
} npy_header;

/* --------------------------------------------------------------- reading */

/* Returns the text after 'key': in the dictionary, or NULL. */
static const char *value_of(const char *dictionary, const char *key)
{
    char quoted[32];
    for (const char *quote = "'\""; *quote; quote++) {
        snprintf(quoted, sizeof quoted, "%c%s%c", *quote, key, *quote);
        const char *at = strstr(dictionary, quoted);
        if (!at) continue;
        at += strlen(quoted);
        at += strspn(at, " \t");
        if (*at != ':') continue;
        return at + 1 + strspn(at + 1, " \t");
    }
    return NULL;
}

static argand_status parse_type(npy_header *header, const char *header_text, const char *path)
{
    static const char known[] = " b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 ";
    char order, kind;
    int size, used = 0;
    CHECK(*header_text != '[', ARGAND_UNSUPPORTED, "%s: holds records (a structured dtype); save one field",
          path);
    CHECK(strncmp(header_text, "'|O", 3) && strncmp(header_text, "\"|O", 3), ARGAND_UNSUPPORTED,
          "%s: holds Python objects (dtype object); save an array of numbers", path);
    CHECK(sscanf(header_text, "%*1['\"]%c%c%2d%*1['\"]%n", &order, &kind, &size, &used) == 3 && used &&
              strchr("<>|=", order),
          ARGAND_FORMAT, "%s: its type cannot be understood: %.20s", path, header_text);
    char code[8]; /* with spaces around it, so that "16" is not found in "c16" */
    snprintf(code, sizeof code, " %c%d ", kind, size);
    CHECK(strstr(known, code), ARGAND_UNSUPPORTED, "%s: numbers of type%.*s are not read; save as one of%s",
          path, (int)strlen(code) - 1, code, known);
    const bool little = order == '<' || (order != '>' && numbers_host_is_little());
    header->format = (number_format){kind == 'b' ? 'u' : kind, size, little != numbers_host_is_little()};
    return ARGAND_OK;
}

/* Parses a shape such as "(3, 4)", "(5,)", "()". */
static argand_status parse_shape(npy_header *header, const char *header_text, const char *path)
{
    CHECK(*header_text == '(', ARGAND_FORMAT, "%s: its shape cannot be understood: %.20s", path, header_text);
    for (header_text++; *(header_text += strspn(header_text, " \t,")) != ')';) {
        CHECK(header->rank < ARGAND_MAX_RANK, ARGAND_UNSUPPORTED, "%s: has more than %d dimensions", path,
              ARGAND_MAX_RANK);
        int64_t dim = 0;
        CHECK(isdigit((unsigned char)*header_text), ARGAND_FORMAT,
              "%s: its shape cannot be understood: %.20s", path, header_text);
        for (; isdigit((unsigned char)*header_text); header_text++)
            CHECK(!__builtin_mul_overflow(dim, 10, &dim) &&
                      !__builtin_add_overflow(dim, *header_text - '0', &dim),
                  ARGAND_FORMAT, "%s: its dimensions are too large to be true", path);
        header_text += *header_text == 'L'; /* Python 2 */
        header->dims[header->rank++] = dim;
    }
    return ARGAND_OK;
}

static void reverse(npy_header *header)
{
    for (int i = 0, k = header->rank - 1; i < k; i++, k--) {
        const int64_t kept = header->dims[i];
        header->dims[i] = header->dims[k];
        header->dims[k] = kept;
    }
}

static argand_status parse_dictionary(npy_header *header, const char *header_text, const char *path)
{
    *header = (npy_header){0};
    const char *type = value_of(header_text, "descr"), *order = value_of(header_text, "fortran_order"),
               *shape = value_of(header_text, "shape");
    CHECK(type && order && shape, ARGAND_FORMAT, "%s: its header lacks descr, fortran_order or shape", path);
    TRY(parse_type(header, type, path));
    TRY(parse_shape(header, shape, path));
    const bool fortran = !strncmp(order, "True", 4);
    CHECK(fortran || !strncmp(order, "False", 5), ARGAND_FORMAT,
          "%s: fortran_order is neither True nor False: %.20s", path, order);
    header->fortran = fortran;
    if (!fortran) reverse(header);
    return ARGAND_OK;
}

static argand_status read_header(npy_header *header, source *in)
{
    unsigned char start[12];
    char *header_text = NULL;
    size_t got;
    TRY(source_read(in, start, 10, &got));
    CHECK(got >= sizeof magic && !memcmp(start, magic, sizeof magic), ARGAND_FORMAT, "%s: is not a .npy file",
          in->path);
    CHECK(got == 10, ARGAND_FORMAT, "%s: truncated: it ends within its header", in->path);
    CHECK(start[6] >= 1 && start[6] <= 3, ARGAND_UNSUPPORTED, "%s: .npy version %d; 1 to 3 are read",
          in->path, start[6]);
    if (start[6] > 1) TRY(source_need(in, start + 10, 2, "header"));
    const size_t low = start[8] | (size_t)start[9] << 8;
    const size_t length = start[6] == 1 ? low : low | (size_t)start[10] << 16 | (size_t)start[11] << 24;
    CHECK(length <= MOST_TEXT, ARGAND_FORMAT, "%s: a header of %zu characters is too long to be true",
          in->path, length);
    TRY(NEW(header_text, length + 1));
    argand_status status = source_need(in, header_text, length, "header");
    if (status == ARGAND_OK) status = parse_dictionary(header, header_text, in->path);
    memory_free(header_text);
    return status;
}

/* Transposes an array in Fortran order: an index [z, y, x] means the same pixel in either order of memory. */
static argand_status transpose(argand_array **array)
{
    argand_array *stored = *array, *transposed = NULL, *view = NULL;
    const int rank = argand_array_rank(stored);
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK];
    argand_status status;
    for (int axis = 0; axis < rank; axis++) {
        dims[axis] = argand_array_dim(stored, rank - 1 - axis);
        strides[axis] = argand_array_stride(stored, rank - 1 - axis);
    }
    TRY_OR_DONE(argand_array_view(&view, stored, rank, dims, strides, 0));
    TRY_OR_DONE(
        argand_array_create(&transposed, argand_array_device(stored), argand_array_type(stored), rank, dims));
    status = argand_array_copy(transposed, view);
done:
    argand_array_destroy(view);
    argand_array_destroy(stored);
    *array = transposed;
    if (status != ARGAND_OK) {
        argand_array_destroy(transposed);
        *array = NULL;
    }
    return status;
}

argand_status npy_read(argand_array **array, const char *path, argand_device *device)
{
    npy_header header;
    source in;
    argand_status status = source_open(&in, path, true);
    TRY_OR_DONE(status);
    TRY_OR_DONE(read_header(&header, &in));
    const file_array a = {.format = header.format, .rank = header.rank, .dims = header.dims, .slope = 1};
    TRY_OR_DONE(transfer_in(array, &in, device, &a));
    if (header.fortran && header.rank > 1) status = transpose(array);
done:
    source_close(&in);
    return status;
}

/* --------------------------------------------------------------- writing */

static argand_status write_header(sink *out, const argand_array *array)
{
    const int rank = argand_array_rank(array);
    text header = {0};
    text_add(&header, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
             numbers_host_is_little() ? '<' : '>', transfer_is_complex(array) ? 'c' : 'f',
             argand_type_size(argand_array_type(array)));
    for (int axis = rank - 1; axis >= 0; axis--)
        text_add(&header, "%lld%s", (long long)argand_array_dim(array, axis), axis || rank == 1 ? ", " : "");
    text_add(&header, "), }");
    while (header.status == ARGAND_OK && (header.length + 11) % 64)
        text_add(&header, " "); /* aligns the numbers */
    text_add(&header, "\n");
    const unsigned char start[10] = {0x93,
                                     'N',
                                     'U',
                                     'M',
                                     'P',
                                     'Y',
                                     1,
                                     0,
                                     (unsigned char)(header.length & 255),
                                     (unsigned char)(header.length >> 8)};
    argand_status status = header.status;
    if (status == ARGAND_OK) status = sink_write(out, start, sizeof start);
    if (status == ARGAND_OK) status = sink_write(out, text_chars(&header), header.length);
    text_free(&header);
    return status;
}

argand_status npy_write(const char *path, const argand_array *array)
{
    void *numbers = NULL;
    sink out = {0};
    argand_status status = transfer_out(&numbers, array);
    TRY_OR_DONE(status);
    TRY_OR_DONE(sink_open(&out, path, false));
    TRY_OR_DONE(write_header(&out, array));
    TRY_OR_DONE(sink_write(&out, numbers,
                           (size_t)argand_array_count(array) * argand_type_size(argand_array_type(array))));
    status = sink_finish(&out);
done:
    sink_abandon(&out);
    memory_free(numbers);
    return status;
}
