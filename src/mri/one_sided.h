/* SPDX-License-Identifier: BSD-3-Clause */
/* What POCS (pocs.c) and homodyne reconstruction (homodyne.c) share: the acquired range of k-space, windows
 * over it, the transform. */
#ifndef MRI_ONE_SIDED_H
#define MRI_ONE_SIDED_H

#include <argand/mri.h>

typedef struct one_sided {
    const char *method; /* for messages */
    int rank;
    int64_t n[3], low[3], high[3], count;
    argand_fft *fft;
} one_sided;

/* Takes and checks the image and its acquired range, and plans the transform. */
argand_status one_sided_open(one_sided *p, const char *method, const argand_array *image,
                             const int64_t low[3], const int64_t high[3]);
void one_sided_close(one_sided *p);
/* Returns true if all cells along the axis were acquired. */
bool one_sided_is_whole(const one_sided *p, int axis);
bool one_sided_is_acquired(const one_sided *p, int axis, int64_t k);
/* Returns the last cell that was acquired on both sides of the centre. */
int64_t one_sided_reach(const one_sided *p, int axis);
/* Makes real windows on the image's device, one for each function of axis and k: the product over all axes
 * of its values. */
typedef double (*one_sided_window)(const one_sided *p, int axis, int64_t k);
argand_status one_sided_windows(const one_sided *p, const argand_array *image, int count,
                                const one_sided_window *functions, argand_array **windows);
/* The Hann window up to the nearer end of the acquired range. */
double one_sided_hann(const one_sided *p, int axis, int64_t k);
/* Transforms in place; the inverse is scaled. */
argand_status one_sided_transform(const one_sided *p, argand_array *x, argand_direction direction);
/* Makes the phase of the image at low resolution, of magnitude 1, from its k-space and the Hann window. */
argand_status one_sided_phase(const one_sided *p, argand_array *phase, const argand_array *kspace,
                              const argand_array *hann);

#endif
