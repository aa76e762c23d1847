/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps with a value for every pixel: field maps, coil maps, masks, gradients, phases of the shots, sets of
 * coil maps. They are found, checked, and cut to a slice here. */
#ifndef RECON_MAPS_H
#define RECON_MAPS_H

#include "recon/session/session.h"

/* Checks that the dimensions are those of a map with `vectors` numbers per pixel, and counts its slices. */
argand_status map_check_shape(const argand_sense *s, const char *what, int64_t vectors, int rank,
                              const int64_t *dims, int64_t *slices);
/* The source of a map: the caller's array, or the scan's array with the first name that is not NULL (""
 * means none); and its name in messages. */
typedef struct map_request {
    const char *what;
    const argand_array *given;
    const char *name, *default_name;
} map_request;
typedef struct map_title {
    char chars[600];
} map_title;
/* Writes a shape in the order that the program of its file shows: (3, 20, 24), slowest axis first, for titles
 * that end in .npy and for arrays of the scan (h5py); otherwise {24, 20, 3}. Returns chars. */
const char *map_shape_print(char *chars, size_t size, const char *title, int rank, const int64_t *dims);
/* Makes a view of the map where it lies, or NULL if there is none; and its title for messages, such as:
 * the field map "X" of the scan. */
argand_status map_open(argand_sense *s, const map_request *r, argand_array **out, map_title *what);
argand_status maps_find(argand_sense *s, const argand_sense_options *given);
/* Replaces zeros of the field map where nothing was measured by the smooth continuation of the other
 * values. */
argand_status field_zeros_continue(argand_sense *s, recon_map *m);
void maps_free(recon_maps *m);
/* Copies the map of a slice into a new array on the device: {grid}, or {grid, coils} for coil maps; NULL
 * if there is none. */
argand_status map_of_slice(const argand_sense *s, const recon_map *m, int slice, argand_array **out);
bool map_is_zero(const recon_map *m);
/* Replaces the map {grid} by its means over the pixels of the grid of `small`, inside the mask {grid}
 * (NULL: everywhere). A NULL map stays NULL. shrink.c */
argand_status map_shrink(const argand_sense *small, const argand_sense *s, const argand_array *mask,
                         argand_array **map);
/* Makes phase maps {small grid, shots} from those {grid, maps}: the phases of the means of exp(i P). The
 * `map` of each shot is the index of its phase map. */
argand_status phases_shrink(const argand_sense *small, const argand_sense *s, const argand_array *mask,
                            const argand_array *phases, const recon_samples *shots, argand_array **out);
argand_status phases_find(argand_sense *s, const argand_sense_options *given);
void phases_free(recon_phases *p);
/* Returns the index of the phase map of an acquisition. */
int64_t phases_index(const argand_sense *s, const argand_counters *c);
/* Copies the phase maps of the shots into a new array {grid, shots} on the host's device. */
argand_status phases_of_shots(const argand_sense *s, const recon_samples *data, argand_array **out);
/* sets.c: several coil maps for each coil and pixel, where each set has an image of its own. sets_shape
 * returns the shape of the maps; sets_adopt makes given maps {grid, coils, sets, slices} suitable for
 * maps.coils; the others make the operator {grid, sets} -> {samples, coils}, and the volume's image from
 * the images of the sets. */
argand_shape sets_shape(const argand_sense *s);
argand_status sets_adopt(const argand_sense *s, const char *what, const argand_array *given,
                         argand_array **as_vectors);
argand_status sets_of_slice(const argand_sense *s, argand_array **maps);

#endif
