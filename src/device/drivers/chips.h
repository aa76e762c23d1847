/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of GPUs that were measured or that no driver reports. */
#ifndef DEVICE_DRIVERS_CHIPS_H
#define DEVICE_DRIVERS_CHIPS_H

#include "device/traits.h"

/* A chip for which kernels can be compiled without the device. The numbers are those of its driver. */
typedef struct device_chip {
    const char *word, *name; /* "h200" of "offline:h200", "NVIDIA H200" */
    int capability, units;
    uint64_t memory;     /* bytes */
    size_t group_memory; /* bytes, as in device_traits */
} device_chip;

/* Returns the offline chip of an index; NULL after the last. */
const device_chip *chips_absent(int index);

/* Fills the fields that traits.h attributes to chips.c. Lowers group_memory if only a part of it was
 * tested. name: as the driver reports it. units must be set. capability: 90 is 9.0 of NVIDIA chips; 0: a
 * GPU of which only the name is known. */
void chips_describe(device_traits *traits, const char *name, int capability);
/* The same for an AMD GPU. chip: as its compiler names it, "gfx90a:sramecc+:xnack-". */
void chips_describe_amd(device_traits *traits, const char *name, const char *chip);

#endif
