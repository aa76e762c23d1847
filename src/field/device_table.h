/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of four-element records in the plan's precision, filled on the host and uploaded. */
#ifndef FIELD_DEVICE_TABLE_H
#define FIELD_DEVICE_TABLE_H

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "device/device.h"

static inline void put_real(void *table, int64_t index, double value, bool is_double)
{
    if (is_double)
        ((double *)table)[index] = value;
    else
        ((float *)table)[index] = (float)value;
}

/* A value, and `apart` places later what its rounding lost. */
static inline void put_parts(void *table, int64_t index, int64_t apart, double value, bool is_double)
{
    put_real(table, index, value, is_double);
    put_real(table, index + apart, is_double ? 0 : value - (double)(float)value, is_double);
}

enum { TERM_ROWS = 64 }; /* STAGE of field/tensor.krn */

/* Puts factor k of a row into a table of `records` records of four a row: TERM_ROWS rows are together, one
 * record of each, then the next. Where `careful`, what the rounding lost stands as many records later. */
static inline void put_record(float *table, int64_t row, int records, int k, double value, bool careful)
{
    const int64_t at = row / TERM_ROWS * records * TERM_ROWS + row % TERM_ROWS;
    table[4 * (at + k / 4 * TERM_ROWS) + k % 4] = (float)value;
    if (careful)
        table[4 * (at + (records / 2 + k / 4) * TERM_ROWS) + k % 4] = (float)(value - (double)(float)value);
}

/* The fraction of a turn in 32 or 64 bits. */
static inline void put_turns(void *table, int64_t index, double turns, bool wide)
{
    const double fraction = turns - floor(turns);
    if (wide)
        ((uint64_t *)table)[index] = fraction < 1 ? (uint64_t)ldexp(fraction, 64) : 0;
    else
        ((uint32_t *)table)[index] = (uint32_t)(uint64_t)llround(ldexp(fraction, 32));
}

/* Frees the host's table, whose address is given. */
static inline argand_status upload_table(storage **out, argand_device *device, void *address_of_table,
                                         size_t bytes)
{
    void *table, *none = NULL;
    memcpy(&table, address_of_table, sizeof table);
    memcpy(address_of_table, &none, sizeof none);
    argand_status status = storage_new(out, device, bytes ? bytes : 1);
    if (status == ARGAND_OK && bytes) status = storage_upload(*out, 0, table, bytes);
    memory_free(table);
    return status;
}

#endif
