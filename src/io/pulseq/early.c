/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts tables of Pulseq 1.2 and 1.3 into the form of 1.4: times of shapes are not given, delays may be left
 * out, and a block names a delay instead of its duration, which is that of its longest event. */
#include <math.h>

#include "io/pulseq/pulseq.h"

/* Inserts a 0 at a column. */
static void insert(pulseq_table *table, int column)
{
    for (int64_t i = 0; i < table->count; i++) {
        pulseq_row *row = &table->rows[i];
        for (int c = PULSEQ_COLUMNS - 1; c > column; c--) row->v[c] = row->v[c - 1];
        row->v[column] = 0;
        row->count++;
    }
}

/* Finds the row that a block names; NULL: it names none. */
static argand_status find(const pulseq_row **row, const pulseq_file *file, const pulseq_table *table,
                          const pulseq_row *block, int column, const char *section)
{
    const double id = block->v[column];
    *row = NULL;
    if (id == 0) return ARGAND_OK;
    const int64_t at = pulseq_find(table, id);
    CHECK(at >= 0, ARGAND_FORMAT, "%s: block %.9g has the event %.9g, which %s does not have", file->path,
          block->v[0], id, section);
    *row = &table->rows[at];
    return ARGAND_OK;
}

static argand_status shape_length(double *seconds, const pulseq_file *file, double id, double raster,
                                  double delay, const char *what)
{
    const pulseq_shape *shape;
    TRY(pulseq_find_shape(&shape, file, id, what));
    *seconds = fmax(*seconds, delay * 1e-6 + (double)shape->count * raster);
    return ARGAND_OK;
}

static argand_status gradient_length(double *seconds, const pulseq_file *file, double id)
{
    const int64_t other = pulseq_find(&file->gradients, id), at = pulseq_find(&file->trapezoids, id);
    if (other >= 0) {
        const double *v = file->gradients.rows[other].v;
        return shape_length(seconds, file, v[2], file->gradient_raster, v[4], "a gradient");
    }
    if (at >= 0) {
        const double *v = file->trapezoids.rows[at].v;
        *seconds = fmax(*seconds, 1e-6 * (v[2] + v[3] + v[4] + v[5]));
    }
    return ARGAND_OK; /* what is missing is refused when the block is taken */
}

/* Sets the duration of a block, in units of the raster. */
static argand_status measure(const pulseq_file *file, pulseq_row *block)
{
    const pulseq_row *delay, *pulse, *readout;
    double seconds = 0;
    TRY(find(&delay, file, &file->delays, block, 1, "[DELAYS]"));
    TRY(find(&pulse, file, &file->pulses, block, 2, "[RF]"));
    TRY(find(&readout, file, &file->readouts, block, 6, "[ADC]"));
    if (delay) seconds = delay->v[1] * 1e-6;
    if (pulse) TRY(shape_length(&seconds, file, pulse->v[2], file->pulse_raster, pulse->v[5], "an RF pulse"));
    for (int d = 0; d < 3; d++)
        if (block->v[3 + d] != 0) TRY(gradient_length(&seconds, file, block->v[3 + d]));
    if (readout) seconds = fmax(seconds, readout->v[3] * 1e-6 + readout->v[1] * readout->v[2] * 1e-9);
    block->v[1] = seconds / file->block_raster;
    return ARGAND_OK;
}

argand_status pulseq_from_early(pulseq_file *file)
{
    insert(&file->pulses, 4);
    insert(&file->gradients, 3);
    for (int64_t i = 0; i < file->blocks.count; i++) TRY(measure(file, &file->blocks.rows[i]));
    return ARGAND_OK;
}
