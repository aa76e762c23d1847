/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversion of the numbers of files: any common type and byte order to float or double. */
#ifndef IO_NUMBERS_H
#define IO_NUMBERS_H

#include <argand/array.h>

typedef struct number_format {
    char kind;    /* 'i' signed, 'u' unsigned, 'f' floating point, 'c' complex; 0: none */
    int size;     /* bytes of an element: 1, 2, 4, 8; complex: 8, 16 */
    bool swapped; /* the byte order of the file is not this machine's */
} number_format;

bool numbers_host_is_little(void);

/* Returns the array type for a format: double precision for doubles, otherwise single. */
argand_type numbers_type(number_format format);

/* out[n] = slope * in[n] + intercept, in the type of numbers_type; for complex numbers applied to both
 * parts, as NIfTI defines it. */
void numbers_convert(void *out, const unsigned char *in, size_t count, number_format format, double slope,
                     double intercept);

/* Read a single number of a header. size: 1, 2, 4, 8; real numbers from 2 on. */
int64_t numbers_integer(const unsigned char *bytes, int size, bool swapped);
double numbers_real(const unsigned char *bytes, int size, bool swapped);

#endif
