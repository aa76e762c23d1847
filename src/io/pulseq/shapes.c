/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes, which are packed as repeated differences. */
#include "base/memory.h"
#include "io/pulseq/pulseq.h"

enum { MOST_VALUES = 1 << 24, MOST_SHAPES = 1 << 20 };

/* Unpacks: two equal values are followed by how often the value comes again; the results are differences. */
static bool unpack(double *values, int64_t samples, const double *packed, int64_t count)
{
    int64_t to = 0;
    for (int64_t i = 0; i < count;) {
        const bool repeats = i + 2 < count && packed[i] == packed[i + 1];
        const double times = repeats ? packed[i + 2] + 2 : 1;
        if (!(times >= 1 && times <= (double)(samples - to))) return false;
        for (int64_t n = (int64_t)times; n > 0; n--) values[to++] = packed[i];
        i += repeats ? 3 : 1;
    }
    for (int64_t i = 1; i < to; i++) values[i] += values[i - 1];
    return to == samples;
}

argand_status pulseq_add_shape(pulseq_file *file, int64_t id, int64_t samples, const double *packed,
                               int64_t count)
{
    CHECK(samples <= MOST_VALUES - file->shape_values && file->shape_count < MOST_SHAPES, ARGAND_UNSUPPORTED,
          "%s: its shapes have more than %d values", file->path, MOST_VALUES);
    TRY(GROW(file->shapes, file->shape_count, file->shape_reserved));
    pulseq_shape *shape = &file->shapes[file->shape_count];
    *shape = (pulseq_shape){.id = id, .count = samples};
    TRY(NEW(shape->values, samples));
    file->shape_count++;
    file->shape_values += samples;
    if (count == samples && file->minor >= 4) /* earlier ones are always packed */
        memcpy(shape->values, packed, (size_t)samples * sizeof *packed);
    else
        CHECK(unpack(shape->values, samples, packed, count), ARGAND_FORMAT,
              "%s: the shape %lld does not unpack to its %lld samples", file->path, (long long)id,
              (long long)samples);
    return ARGAND_OK;
}

argand_status pulseq_find_shape(const pulseq_shape **shape, const pulseq_file *file, double id,
                                const char *what)
{
    *shape = NULL;
    for (int64_t i = 0; i < file->shape_count && !*shape; i++)
        if ((double)file->shapes[i].id == id) *shape = &file->shapes[i];
    CHECK(*shape, ARGAND_FORMAT, "%s: %s has the shape %.9g, which the file does not have", file->path, what,
          id);
    return ARGAND_OK;
}
