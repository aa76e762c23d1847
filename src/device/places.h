/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders where libraries and data of other packages may lie. */
#ifndef DEVICE_PLACES_H
#define DEVICE_PLACES_H

#include <stdbool.h>

enum { PLACE_PATH = 4096, MOST_PLACES = 64 };

typedef struct places {
    int count;
    char *folders[MOST_PLACES];
} places;

/* The folder of this library, or of the program that holds it, without symbolic links. */
bool place_of_library(char folder[PLACE_PATH]);

/* What goes before the system's loader: lib of pip's nvidia packages next to the Python package that holds
 * this library, then of the conda environment that is active. */
void places_of_packages(places *p);

/* What goes after it: the toolkit's folders by CUDA_HOME, CUDA_PATH and by default. */
void places_of_toolkit(places *p);

void places_free(places *p);

#endif
