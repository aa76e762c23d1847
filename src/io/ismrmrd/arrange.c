/* SPDX-License-Identifier: BSD-3-Clause */
/* Restores shape and order of image arrays. Files of the forge, PowerGrid and RecoIL family store them y
 * fastest and as one long vector; the shape is the matrix of the first encoding that fits. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "io/ismrmrd/scan.h"

static int64_t count_of(const argand_scan_array *a)
{
    int64_t count = 1;
    for (int d = 0; d < a->rank; d++) count *= a->dims[d];
    return count;
}

static bool is_image_name(const char *name)
{
    static const char *const beginnings[] = {"FieldMap", "SENSEMap", "PhaseMap", "Mask", "FieldGradient"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!strncmp(name, beginnings[i], strlen(beginnings[i]))) return true;
    return false;
}

/* Returns the first encoding whose number of pixels divides the length of a vector; NULL: none. */
static const argand_encoding *encoding_of_vector(const scan_reader *reader, int64_t count)
{
    for (int i = 0; i < reader->owner->scan.encoding_count; i++) {
        const argand_encoding *e = &reader->owner->encodings[i];
        if (count % (e->matrix[0] * e->matrix[1] * e->matrix[2]) == 0) return e;
    }
    return NULL;
}

/* Shapes a vector as {x, y, z} or {x, y, z, rest} ({y, x, z, rest} before it is transposed). */
static void shape_vector(scan_reader *reader, argand_scan_array *a)
{
    if (a->rank != 1 || !is_image_name(a->name)) return;
    const argand_encoding *e = encoding_of_vector(reader, a->dims[0]);
    if (!e) return;
    const int64_t *matrix = e->matrix;
    const int64_t rest = a->dims[0] / (matrix[0] * matrix[1] * matrix[2]);
    const bool transposed = reader->options.y_fastest;
    a->dims[0] = matrix[transposed];
    a->dims[1] = matrix[!transposed];
    a->dims[2] = matrix[2];
    a->dims[3] = rest;
    a->rank = rest > 1 ? 4 : 3;
    scan_note(reader, "%s is a vector: it is read as %lldx%lldx%lld voxels, %lld times.", a->name,
              (long long)matrix[0], (long long)matrix[1], (long long)matrix[2], (long long)rest);
}

static bool is_plane(const argand_scan_array *a, const int64_t *matrix)
{
    return a->rank >= 2 && a->dims[0] == matrix[1] && a->dims[1] == matrix[0];
}

static argand_status transpose_planes(argand_scan_array *a)
{
    const size_t size = argand_type_size(a->type);
    const int64_t ny = a->dims[0], nx = a->dims[1], planes = count_of(a) / (nx * ny);
    char *reordered;
    TRY(memory_new(&reordered, (size_t)count_of(a), size));
    for (int64_t p = 0; p < planes; p++)
        for (int64_t y = 0; y < ny; y++)
            for (int64_t x = 0; x < nx; x++)
                memcpy(reordered + (size_t)(x + nx * (y + ny * p)) * size,
                       (const char *)a->data + (size_t)(y + ny * (x + nx * p)) * size, size);
    memory_free((void *)(uintptr_t)a->data);
    a->data = reordered;
    a->dims[0] = nx;
    a->dims[1] = ny;
    return ARGAND_OK;
}

static argand_status transpose_if_asked(scan_reader *reader, argand_scan_array *a)
{
    bool plane = false;
    if (!reader->options.y_fastest) return ARGAND_OK;
    for (int i = 0; i < reader->owner->scan.encoding_count; i++)
        plane = plane || is_plane(a, reader->owner->encodings[i].matrix) ||
                is_plane(a, reader->owner->encodings[i].recon_matrix);
    if (!plane) {
        scan_note(reader, "%s is not turned to x fastest: it has not the shape of an image.", a->name);
        return ARGAND_OK;
    }
    scan_note(reader, "%s is turned from y fastest to x fastest.", a->name);
    return transpose_planes(a);
}

static void note_not_finite(scan_reader *reader, const argand_scan_array *a)
{
    const int64_t parts = count_of(a) * (a->type == ARGAND_C32 || a->type == ARGAND_C64 ? 2 : 1);
    const bool is_double = a->type == ARGAND_R64 || a->type == ARGAND_C64;
    int64_t bad = 0;
    for (int64_t i = 0; i < parts; i++)
        bad += is_double ? !isfinite(((const double *)a->data)[i]) : !isfinite(((const float *)a->data)[i]);
    if (bad) scan_note(reader, "%s: %lld of its numbers are not finite.", a->name, (long long)bad);
}

argand_status scan_arrange_array(scan_reader *reader, argand_scan_array *array)
{
    shape_vector(reader, array);
    TRY(transpose_if_asked(reader, array));
    note_not_finite(reader, array);
    return ARGAND_OK;
}
