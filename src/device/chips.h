/* SPDX-License-Identifier: BSD-3-Clause */
/* The chips that were measured, and what no driver reports. */
#ifndef DEVICE_CHIPS_H
#define DEVICE_CHIPS_H

#include "device/traits.h"

/* A chip that kernels are compiled for where it is not there; the numbers are its driver's. */
typedef struct device_chip {
    const char *word, *name; /* "h200" of "offline:h200", "NVIDIA H200" */
    int capability, units;
    uint64_t memory;     /* bytes */
    size_t group_memory; /* bytes, as in device_traits */
} device_chip;

/* The chip of that number; NULL behind the last. */
const device_chip *chips_absent(int index);

/* Fills the fields that device_traits.h says are from chips.c, and lowers group_memory where more of it was
 * not measured. name: as the driver has it; units is filled already. capability: of NVIDIA chips, 90 is 9.0;
 * 0: a GPU of which only its name is known. */
void chips_describe(device_traits *traits, const char *name, int capability);

#endif
