/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of every type, on which plans are measured. */
#include <string.h>
#include "base/memory.h"
#include "base/random.h"
#include "fft/planner/measure.h"

/* Returns an integer, or random bits with the exponent of values from 1/2 to 1. */
static uint16_t storage_bits(argand_type type, random_state *random)
{
    const uint16_t bits = (uint16_t)(65536 * random_uniform(random));
    return type == ARGAND_U8                            ? bits
           : type == ARGAND_RB16 || type == ARGAND_CB16 ? (uint16_t)(0x3f00 | (bits & 0x807f))
                                                        : (uint16_t)(0x3800 | (bits & 0x83ff));
}

static void put_number(char *at, argand_type type, random_state *random)
{
    const double x = type_is_storage(type) ? 0 : random_uniform(random) - 0.5;
    const float single = (float)x;
    const uint16_t bits = type_is_storage(type) ? storage_bits(type, random) : 0;
    if (type_is_storage(type))
        memcpy(at, &bits, type == ARGAND_U8 ? 1 : sizeof bits);
    else if (type_is_double(type))
        memcpy(at, &x, sizeof x);
    else
        memcpy(at, &single, sizeof single);
}

argand_status measure_fill(argand_array *memory)
{
    enum { PERIOD = 65521 };
    const argand_type type = memory->type;
    const size_t each = argand_type_size(type),
                 number = each / (type_is_complex(type) || type_has_pairs(type) ? 2 : 1),
                 all = (size_t)memory->count * each,
                 first = memory->count < PERIOD ? all : (size_t)PERIOD * each;
    random_state random = {7};
    char *host;
    TRY(NEW(host, first));
    for (size_t at = 0; at < first; at += number) put_number(host + at, type, &random);
    argand_status status = storage_upload(memory->storage, 0, host, first);
    for (size_t done = first; done < all && status == ARGAND_OK; done *= 2)
        status =
            storage_copy(memory->storage, done, memory->storage, 0, done < all - done ? done : all - done);
    memory_free(host);
    return status;
}
