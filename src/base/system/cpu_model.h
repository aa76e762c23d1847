/* SPDX-License-Identifier: BSD-3-Clause */
/* The name of a processor by Linux's /proc/cpuinfo. */
#ifndef BASE_SYSTEM_CPU_MODEL_H
#define BASE_SYSTEM_CPU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the processor's name: the line "model name", or on Arm the core that the numbers of implementer and
 * part stand for. If a machine has several kinds of cores, it is the one listed last. Leaves the text as it
 * is and returns false if the file has no such line. An emulator may show the file of another processor. */
bool cpu_model_read(char *name, size_t size, FILE *cpuinfo, bool is_arm);

#endif
