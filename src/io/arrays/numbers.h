/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of foreign files: any common type and byte order, converted to ours. */
#ifndef IO_NUMBERS_H
#define IO_NUMBERS_H

#include <argand/array.h>

typedef struct number_format {
    char kind;    /* 'i' signed, 'u' unsigned, 'f' floating, 'c' complex of two floating parts; 0: none */
    int size;     /* bytes of the whole number: 1, 2, 4, 8; complex: 8, 16 */
    bool swapped; /* the file's bytes are in the other order than this machine's */
} number_format;

bool numbers_host_is_little(void);

/* What we read it as: double files keep their precision, all else becomes single. */
argand_type numbers_type(number_format format);

/* out[n] = slope * in[n] + intercept, in the type of numbers_type; complex: both parts alike (as NIfTI has
 * it). */
void numbers_convert(void *out, const unsigned char *in, size_t count, number_format format, double slope,
                     double intercept);

/* Single numbers out of a header. size 1, 2, 4, 8; real ones from 2 on. */
int64_t numbers_integer(const unsigned char *bytes, int size, bool swapped);
double numbers_real(const unsigned char *bytes, int size, bool swapped);

#endif
