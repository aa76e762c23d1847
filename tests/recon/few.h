/* SPDX-License-Identifier: BSD-3-Clause */
/* The same tests with less work (ARGAND_TEST_FEW), for tools that slow kernels down a hundred times. */
#ifndef TESTS_RECON_FEW_H
#define TESTS_RECON_FEW_H

#include "harness.h"

/* Iterations end where further ones change nothing that the tests look at. */
static inline argand_status create_session(argand_sense **session, const argand_scan *scan,
                                           const argand_sense_options *options)
{
    argand_sense_options o = options ? *options : (argand_sense_options){0};
    if (few() && o.tolerance == 0) o.tolerance = o.type == ARGAND_C64 ? 1e-7 : 1e-5;
    return argand_sense_create(session, device, scan, few() ? &o : options);
}

/* Which allocation fails after the n-th: each step is 1 / part of n. */
static inline long next_allocation(long n, long part)
{
    return n + 1 + n / (few() ? 2 : part);
}

#endif
