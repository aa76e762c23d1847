/* SPDX-License-Identifier: BSD-3-Clause */
/* The options' arrays, checked and read as doubles. */
#ifndef FIELD_INPUT_H
#define FIELD_INPUT_H

#include <argand/field.h>

/* All inputs as doubles; NULL where absent. */
typedef struct field_input {
    const argand_field_options *options;
    int64_t n[3], pixels, samples;
    double *k[3], *t, *field_map, *r2star, *gradient[3], *mask;
    int terms; /* those that are not zero everywhere */
    double *term_time[ARGAND_FIELD_TERMS], *term_space[ARGAND_FIELD_TERMS];
    bool sinc;      /* B is asked for */
    bool separable; /* nothing depends on sample and pixel together but k . r */
} field_input;

argand_status field_input_read(field_input *input, const argand_field_options *options);
void field_input_release(field_input *input);

/* Any real array's elements as doubles, x first; memory_free() them. */
argand_status field_read_reals(double **values, const argand_array *array, const char *name);
/* The same numbers in single or double precision; memory_free() them. */
argand_status field_pack(void *pointer_to_pointer, const double *values, int64_t count, bool is_double);

static inline bool input_skips(const field_input *input, int64_t pixel)
{
    return input->mask && input->mask[pixel] == 0;
}

#endif
