/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of the field-corrected DFT: samples in blocks, pixels in rows, and what is known of each, prepared
 * once on the host for whichever engine computes the sums (engine.h).
 *
 * Samples are sorted by time (where it is given and matters) and cut into blocks of BLOCK_BYTES per real
 * plane, the last one padded. Unmasked pixels lie in rows of at most SEGMENT neighbours along x, so that k .
 * r = rate_x offset + rate_x middle(segment) + rate_y y' + rate_z z',   rate_d = k_d / N_d: the first term
 * changes inside a row, the others are one factor for each row and sample.
 *
 * A column is what one phasor of the row's line is used for. Without anything that depends on sample and
 * pixel together (separable), a column may be the two pixels at plus and minus the same offset from the
 * segment's middle, whose phasors are conjugate: half the work (paired). Otherwise it is one pixel. */
#ifndef FIELD_PLAN_H
#define FIELD_PLAN_H

#include <argand/field.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BLOCK_BYTES = 512, /* of one real plane of one block: 128 samples in single, 64 in double precision */
    SEGMENT = 64       /* pixels of a row, at most */
};

typedef struct field_row {
    int32_t segment, y, z, count;
    int64_t first; /* column */
} field_row;

typedef struct field_samples {
    int64_t count, padded, blocks;
    int per_block;
    int64_t *source;     /* [padded] place in the caller's order, -1 for padding */
    double *rate[3];     /* [padded] k_d / N_d: turns per voxel */
    double *centre;      /* [blocks] time that the block's offsets count from, s */
    void *offset;        /* REAL [padded] t - centre */
    void *time;          /* REAL [padded] t */
    void *weight;        /* REAL [padded] product of the sincs without a gradient; NULL if 1 */
    void *real_rate[3];  /* REAL [padded], for axes with a gradient */
    double *rate_max[3]; /* [blocks] largest |rate|, for axes with a gradient */
    double *time_max;    /* [blocks] largest |t| */
    double *term;        /* [terms][padded] c_i / (2 pi); NULL without */
} field_samples;

typedef struct field_pixels {
    int64_t unmasked, rows, columns;
    field_row *row;
    uint16_t *line;        /* [columns] the phase line of the row that belongs to the column */
    int32_t *plus, *minus; /* [columns] x of the pixels at + and - the line's offset; -1 for none */
    double *turns;         /* [columns] field in Hz */
    void *real_turns;      /* REAL [columns], the same */
    void *decay;           /* REAL [columns] R2*, 1/s; NULL without */
    void *gradient[3];     /* REAL [columns], cycles per voxel per second; NULL for axes without */
    double *term;          /* [terms][columns] b_i; NULL without */
} field_pixels;

/* One value per row of the phase tables: offset from the image's centre (segment, y, z) or from the middle
 * (line). */
typedef struct field_axes {
    int lines, segments, ny, nz;
    double *line, *segment, *y, *z;
} field_axes;

struct argand_field {
    argand_device *device;
    argand_type type;
    int rank;
    int64_t n[3];
    bool separable; /* no phase or factor depends on sample and pixel together but k . r */
    bool paired;    /* a column is two pixels */
    field_samples samples;
    field_pixels pixels;
    field_axes axes;
    int terms;
    double tolerance;
    bool on_host; /* the device's arrays are host memory */
    const struct field_engine *engine;
    void *engine_state; /* the engine's own */
};

static inline bool field_is_double(const argand_field *plan)
{
    return plan->type == ARGAND_C64;
}

static inline size_t field_real_size(const argand_field *plan)
{
    return field_is_double(plan) ? sizeof(double) : sizeof(float);
}

/* Real planes of one coil's image: sums and differences of the pairs, or the pixels. */
static inline int field_planes(const argand_field *plan)
{
    return plan->paired ? 4 : 2;
}

#endif
