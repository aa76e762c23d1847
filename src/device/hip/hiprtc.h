/* SPDX-License-Identifier: BSD-3-Clause */
/* hipRTC, AMD's compiler as a library, opened at run time. */
#ifndef DEVICE_HIP_HIPRTC_H
#define DEVICE_HIP_HIPRTC_H

#include "device/backend.h"

/* Opens hipRTC on first use; *reason says why it is missing. */
bool hiprtc_open(const char **reason);
void hiprtc_version(int *major, int *minor); /* 0.0 if it is missing */
/* Compiles a kernel for a chip ("gfx90a"). bytes: a code object, from memory_new. */
argand_status hiprtc_compile(const kernel_source *source, const char *chip, unsigned char **bytes,
                             size_t *count);

#endif
