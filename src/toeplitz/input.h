/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of the options, checked and read as doubles. */
#ifndef TOEPLITZ_INPUT_H
#define TOEPLITZ_INPUT_H

#include <argand/toeplitz.h>

/* Absent arrays are NULL. */
typedef struct toeplitz_input {
    const argand_toeplitz_options *options;
    int64_t n[3], pixels, samples;
    int shots;
    double *k[3], *weights, *t, *field_map, *r2star, *mask, *phase_maps;
    double *factors; /* complex {samples, images} */
    int images;
    bool is_complex; /* factors have imaginary parts */
} toeplitz_input;

argand_status toeplitz_input_read(toeplitz_input *input, const argand_toeplitz_options *options);
void toeplitz_input_release(toeplitz_input *input);

static inline bool input_skips(const toeplitz_input *input, int64_t pixel)
{
    return input->mask && input->mask[pixel] == 0;
}

static inline bool input_has_field(const toeplitz_input *input)
{
    return input->field_map || input->r2star;
}

#endif
