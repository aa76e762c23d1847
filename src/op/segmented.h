/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OP_SEGMENTED_H
#define OP_SEGMENTED_H

#include <stddef.h>

/* For tests: how much temporary memory an application may take; 0 is the default again. */
void argand_test_segmented_bytes(size_t bytes);

#endif
