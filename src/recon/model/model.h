/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoding operator of a volume with maps, phases and weights, of one or several slices; its normal
 * operator by Toeplitz embedding; the constraint of partial Fourier. */
#ifndef RECON_MODEL_H
#define RECON_MODEL_H

#include "recon/session/session.h"

/* model_of_slice makes the encoding of one slice; existing transforms and weights are kept.
 * model_make_operator makes only the parts that also depend on the shots' phases. */
argand_status model_of_slice(argand_sense *s, const recon_volume *v, int slice, const recon_samples *data,
                             recon_model *m);
argand_status model_make_operator(argand_sense *s, const recon_volume *v, const recon_samples *data,
                                  recon_model *m);
/* Makes the stack of the slices that share a volume's samples. */
argand_status bands_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data,
                            recon_model *m);
/* Makes the phases {samples, bands} of the slices that share a volume's samples. */
argand_status bands_phases(const argand_sense *s, const recon_samples *data, argand_array **phases);
/* Removes the phase of a slice's band from its calibration samples; no effect where kz is 0. */
argand_status bands_straighten(const argand_sense *s, int slice, const recon_samples *samples);
/* Makes the penalty of partial Fourier, from the phase of the samples that cover both sides of k-space. */
argand_status partial_prepare(argand_sense *s, const recon_samples *data, recon_model *m);
argand_status partial_note(argand_sense *s);
/* Makes the operator that multiplies by a slice's mask; NULL if there is no mask. */
argand_status model_mask(const argand_sense *s, const recon_model *m, argand_op **mask);
/* Makes the session's model for a volume. Coil maps, weights and transforms are those of its leader. */
argand_status model_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data);
void model_free(recon_model *m);
void model_free_operator(recon_model *m); /* only the parts that depend on the shots' phases */
/* Copies the positions of the samples, for later comparisons. */
argand_status model_keep_points(recon_model *m, const recon_samples *data);
/* Returns true if the shots have the same lengths and, with maps_too, the same phase maps. */
bool model_has_shots(const recon_model *m, const recon_samples *data, bool maps_too);
/* Sets *result to true if a model has the slice and positions of a volume, whatever made it. */
argand_status model_is_alike(const recon_model *m, const recon_volume *v, const recon_samples *data,
                             bool *result);
/* kept.c: puts the session's model among those that are kept, or frees it; the session then has none.
 * kept_take and kept_find make a kept one the session's: that of a leader, or of a volume's slice and
 * positions. kept_of returns that of a leader, or NULL. */
void kept_put(argand_sense *s);
bool kept_take(argand_sense *s, int leader);
argand_status kept_find(argand_sense *s, const recon_volume *v, const recon_samples *data, bool *found);
recon_model *kept_of(const argand_sense *s, int leader);
/* For a session that continues with another scan than `before`: forgets the leaders of kept models, or the
 * models if the scan has other calibration data. */
void kept_continue(argand_sense *s, const argand_scan *before);
void kept_free(argand_sense *s);
argand_status sets_operator(const argand_sense *s, const recon_samples *data, recon_model *m);
/* share.c: makes the operator of the rank's share; views of coil maps {grid, coils} and weights {samples} for
 * it (NULL without a share); the transform of a shot for it (NULL: not in the share). */
argand_status share_sense(const argand_sense *s, const recon_samples *data, recon_model *m);
argand_status share_maps(const recon_share *share, const argand_array *maps, argand_array **own);
argand_status share_weights(const argand_sense *s, const recon_samples *data, const argand_array *weights,
                            argand_array **own);
argand_status share_transform(const recon_share *share, int shot, argand_op *whole, argand_op **own);
/* Makes the operator of a rank without a share: 0, of an image or several. */
argand_status share_zero(const argand_sense *s, int64_t images, argand_op **op);
/* Replaces the operators of the shares by those of the volume. */
argand_status share_join(const argand_sense *s, const recon_samples *data, recon_model *m);
/* Predicts the seconds of one application of the normal operator for so many shots and coils. */
argand_status normal_seconds(const argand_sense *s, int64_t shots, int64_t coils, double *seconds);
/* Decides if iterations use a Toeplitz normal operator, as requested or predicted, and sets the tolerances
 * of the transforms. */
argand_status normal_choose(argand_sense *s);
/* Returns true if the solver's image updates can use the spectrum of the nearest circulant matrix. Grids
 * of gigabytes do without it. So do simultaneous slices: no spectrum describes their coupling, and a
 * single step with it is worse than without. */
bool normal_wants_spectrum(const argand_sense *s);
/* Makes m->normal and m->spectrum if they are used. */
argand_status normal_make(const argand_sense *s, const recon_samples *data, recon_model *m);
/* Makes coil maps {pixels, coils}, with 0 outside the mask. */
argand_status masked_maps(const argand_sense *s, const recon_model *m, argand_array **maps);
/* aliased.c: makes m->normal of simultaneous slices if their samples lie on complete lines without a field
 * map. */
argand_status aliased_make(argand_sense *s, const recon_samples *data, recon_model *m);
/* Makes m->normal for the images of a basis, with factors {samples, images}. */
argand_status normal_of_factors(const argand_sense *s, const recon_samples *data, recon_model *m,
                                const argand_array *factors);

#endif
