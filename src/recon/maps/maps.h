/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known for every pixel: field maps, coil maps, masks and gradients, phases of the shots, sets of
 * coil maps. Found, checked, and cut to a slice. */
#ifndef RECON_MAPS_H
#define RECON_MAPS_H

#include "recon/session/session.h"

/* Whether the dimensions are those of a map of that many numbers a pixel; how many slices it has. */
argand_status map_check_shape(const argand_sense *s, const char *what, int64_t vectors, int rank,
                              const int64_t *dims, int64_t *slices);
/* A map's name in messages, and where it comes from: given, or the scan's array of the first name that is not
 * NULL; "" is none. */
typedef struct map_request {
    const char *what;
    const argand_array *given;
    const char *name, *default_name;
} map_request;
typedef struct map_title {
    char chars[600];
} map_title;
/* A view of the map where it lies, or NULL where there is none; and what to call it: the field map "X" of the
 * scan. */
argand_status map_open(argand_sense *s, const map_request *r, argand_array **out, map_title *what);
argand_status maps_find(argand_sense *s, const argand_sense_options *given);
/* Zeros of the field map where nothing was measured become the smooth continuation of the rest. */
argand_status field_zeros_continue(argand_sense *s, recon_map *m);
void maps_free(recon_maps *m);
/* The map of a slice as a new array on the device: {grid} or, for coil maps, {grid, coils}; NULL where there
 * is none. */
argand_status map_of_slice(const argand_sense *s, const recon_map *m, int slice, argand_array **out);
bool map_is_zero(const recon_map *m);
/* The map {grid} becomes one on the grid of `small`: means over its pixels, inside the mask {grid} (NULL:
 * everywhere). A map that is NULL stays NULL. shrink.c */
argand_status map_shrink(const argand_sense *small, const argand_sense *s, const argand_array *mask,
                         argand_array **map);
/* New phase maps {small grid, shots} from those {grid, maps}: phases of the means of exp(i P). A shot's `map`
 * says which is its. */
argand_status phases_shrink(const argand_sense *small, const argand_sense *s, const argand_array *mask,
                            const argand_array *phases, const recon_samples *shots, argand_array **out);
argand_status phases_find(argand_sense *s, const argand_sense_options *given);
void phases_free(recon_phases *p);
/* Which map belongs to an acquisition. */
int64_t phases_index(const argand_sense *s, const argand_counters *c);
/* The maps of the shots {grid, shots} as a new array on the host's device. */
argand_status phases_of_shots(const argand_sense *s, const recon_samples *data, argand_array **out);
/* sets.c: several coil maps for each coil and pixel, each set with an image of its own. The maps' shape; the
 * given ones {grid, coils, sets, slices} as maps.coils; the operator {grid, sets} -> {samples, coils}; the
 * volume's image from those of the sets. */
argand_shape sets_shape(const argand_sense *s);
argand_status sets_adopt(const argand_sense *s, const char *what, const argand_array *given,
                         argand_array **as_vectors);
argand_status sets_of_slice(const argand_sense *s, argand_array **maps);

#endif
