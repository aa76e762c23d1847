/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of an array: a view of counted storage. */
#ifndef ARRAY_ARRAY_H
#define ARRAY_ARRAY_H

#include <argand/array.h>
#include "device/device.h"

struct argand_array {
    storage *storage;
    argand_type type;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    int64_t strides[ARGAND_MAX_RANK]; /* elements */
    int64_t offset;                   /* elements from the storage's start */
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

/* Not one of the four types that everything computes with. */
static inline bool type_is_storage(argand_type type)
{
    return type < ARGAND_R32 || type > ARGAND_C64;
}

static inline bool type_has_pairs(argand_type type)
{
    return type_is_complex(type) || type == ARGAND_C16 || type == ARGAND_CB16;
}

/* A contiguous array for the time of a call, in memory that the device keeps for such: not zeroed, nothing
 * allocated where a call before it had as much. To be destroyed once the last work with it was given. */
argand_status array_scratch(argand_array **array, argand_device *device, argand_type type, int rank,
                            const int64_t *dims);

/* How many bytes a's first element is behind b's, where their memory can be compared (storage_distance). */
bool array_distance(int64_t *bytes, const argand_array *a, const argand_array *b);

/* "64x64x16" into text; returns text. */
const char *dims_print(char *text, size_t size, int rank, const int64_t *dims);

/* Names the argument and what is wrong with it: for use with arguments that must be arrays. */
#define CHECK_ARRAY(array) CHECK(array, ARGAND_ARGUMENT, "%s: no array given for " #array, __func__)

#endif
