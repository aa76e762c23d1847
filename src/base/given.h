/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of required arguments that functions which create objects share. */
#ifndef BASE_GIVEN_H
#define BASE_GIVEN_H

#include <argand/status.h>

/* Refuses a call without a place for what it makes, a device or options, by the caller's name: "nufft: no
 * device given". */
argand_status check_given(const char *name, const void *place, const void *device, const void *options);

#endif
