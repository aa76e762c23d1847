/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of an array: a view of reference-counted storage. */
#ifndef ARRAY_ARRAY_H
#define ARRAY_ARRAY_H

#include <argand/array.h>
#include "device/device.h"

struct argand_array {
    storage *storage;
    argand_type type;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    int64_t strides[ARGAND_MAX_RANK]; /* in elements */
    int64_t offset;                   /* first element, counted from the start of the storage */
    int64_t count;
};

static inline bool type_is_complex(argand_type type)
{
    return type == ARGAND_C32 || type == ARGAND_C64;
}

static inline bool type_is_double(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64;
}

/* Returns true if the type is a storage type, with which nothing computes. */
static inline bool type_is_storage(argand_type type)
{
    return type < ARGAND_R32 || type > ARGAND_C64;
}

static inline bool type_has_pairs(argand_type type)
{
    return type_is_complex(type) || type == ARGAND_C16 || type == ARGAND_CB16;
}

/* Makes a contiguous temporary array, not zeroed, in memory that the device keeps for this purpose:
 * nothing is allocated if an earlier call took as much. Destroy it after the last work with it was queued. */
argand_status array_scratch(argand_array **array, argand_device *device, argand_type type, int rank,
                            const int64_t *dims);

/* Computes the distance in bytes from b's first element to a's, if their memory can be compared
 * (storage_distance). */
bool array_distance(int64_t *bytes, const argand_array *a, const argand_array *b);

/* Writes dimensions as "64x64x16" into text; returns text. */
const char *dims_print(char *text, size_t size, int rank, const int64_t *dims);

/* Refuses a missing array with a message that names the argument. */
#define CHECK_ARRAY(array) CHECK(array, ARGAND_ARGUMENT, "%s: no array given for " #array, __func__)

#endif
