/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders that may contain libraries and data of other packages. */
#ifndef DEVICE_LIBRARIES_PLACES_H
#define DEVICE_LIBRARIES_PLACES_H

#include <stdbool.h>

enum { PLACE_PATH = 4096, MOST_PLACES = 64 };

typedef struct places {
    int count;
    char *folders[MOST_PLACES];
} places;

/* Sets the folder of this library, or of the program that contains it, without symbolic links. */
bool place_of_library(char folder[PLACE_PATH]);

/* Lists folders to search before the system's loader: first lib of pip's nvidia packages next to the
 * Python package of this library, then lib of the active conda environment. */
void places_of_packages(places *p);

/* Lists folders to search after the loader: the toolkit's, by CUDA_HOME, by CUDA_PATH and by default. */
void places_of_toolkit(places *p);
/* The same for ROCm: by ROCM_PATH, by HIP_PATH and by default. */
void places_of_rocm(places *p);

void places_free(places *p);

#endif
