/* SPDX-License-Identifier: BSD-3-Clause */
/* The precisions that the tests' device has. */
#ifndef TESTS_PRECISIONS_H
#define TESTS_PRECISIONS_H

#include "harness.h"

/* Returns 2 for single and double precision, 1 for single alone. */
static inline int precision_count(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.has_double ? 2 : 1;
}

#endif
