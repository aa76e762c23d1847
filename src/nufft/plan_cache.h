/* SPDX-License-Identifier: BSD-3-Clause */
/* The small plans of calls that plan, set points and transform at once (once.c), kept with the device: a
 * program that makes such a call often makes it with few options. */
#ifndef NUFFT_PLAN_CACHE_H
#define NUFFT_PLAN_CACHE_H

#include "nufft/plan.h"

typedef struct plan_cache plan_cache;

/* Takes a cache that no other thread uses from the device, or makes one. Give it back after the call. */
argand_status plan_cache_take(plan_cache **cache, argand_device *device);
void plan_cache_give_back(plan_cache *cache, argand_device *device);
/* Takes out a plan with these options, whose defaults are filled in; one for so many points if there is one.
 * NULL: there is none. */
argand_nufft *plan_cache_find(plan_cache *cache, const argand_nufft_options *options, double points_count);
/* Puts a plan in, without its points; frees it if it is large, and the oldest ones if there are many. */
void plan_cache_keep(plan_cache *cache, argand_nufft *plan);

#endif
