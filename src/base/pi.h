/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants pi and 2 pi. */
#ifndef BASE_PI_H
#define BASE_PI_H

#define PI 3.14159265358979323846
#define TWO_PI 6.283185307179586476925
#define LONG_TWO_PI 6.283185307179586476925286766559005768L

#endif
