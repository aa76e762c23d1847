/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoding operator of a volume: with maps, phases and weights, of one slice or of several at once, its
 * normal operator by Toeplitz embedding, the constraint of partial Fourier. */
#ifndef RECON_MODEL_H
#define RECON_MODEL_H

#include "recon/session/session.h"

/* The encoding of one slice; transforms and weights that are there are kept. */
argand_status model_of_slice(argand_sense *s, const recon_volume *v, int slice, const recon_samples *data,
                             recon_model *m);
/* The stack of the slices that share a volume's samples. */
argand_status bands_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data,
                            recon_model *m);
/* Takes the phase of its band away from what a slice was calibrated by; nothing where kz is 0. */
argand_status bands_straighten(const argand_sense *s, int slice, const recon_samples *samples);
/* The penalty of partial Fourier, from the phase of the samples that lie on both sides of k-space. */
argand_status partial_prepare(argand_sense *s, const recon_samples *data, recon_model *m);
void partial_note(argand_sense *s);
/* The multiplication by a slice's mask; NULL where there is none. */
argand_status model_mask(const argand_sense *s, const recon_model *m, argand_op **mask);
argand_status model_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data);
void model_free(recon_model *m);
argand_status sets_operator(const argand_sense *s, recon_model *m);
/* Whether iterations use a normal operator, as asked for or predicted to pay; the tolerances that transforms
 * are made to. */
argand_status normal_choose(argand_sense *s);
/* m->normal and m->spectrum, where they are used. */
argand_status normal_make(const argand_sense *s, const recon_samples *data, recon_model *m);
/* Spectra of images that are solved together, {grid, images}, 0 at first, of the type and on the device of
 * one of them; += factor `spectrum` of one. */
argand_status spectrum_new(const argand_sense *s, const argand_array *like, int64_t images,
                           argand_array **all);
argand_status spectrum_add(argand_array *all, int64_t image, double factor, const argand_array *spectrum);

#endif
