/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil maps by each algorithm, and the choice among them by the samples. */
#ifndef RECON_CHOICE_H
#define RECON_CHOICE_H

#include "recon/calibrate/trial.h"

typedef struct calibration {
    recon_source from;  /* calibration data */
    recon_source image; /* the image's samples; equal to `from` without a separate calibration scan */
    recon_block block;
    argand_array *maps, *values; /* values: eigenvalues {grid[, sets]}; NULL: maps by another algorithm */
    argand_array *cut;           /* maps under the usual crop if it is to be used; otherwise NULL */
    argand_espirit_report report;
} calibration;

/* Computes maps, values and report by ESPIRiT. crop: as in argand_espirit_options. espirit.c */
argand_status calibrate_espirit(argand_sense *s, calibration *c, double crop);
/* Makes maps that are 0 where the eigenvalue is not above the crop, for one set. inside: the fraction of
 * the other pixels. */
argand_status espirit_cut(const argand_sense *s, const argand_array *maps, const argand_array *values,
                          double crop, argand_array **cut, double *inside);
/* Estimates maps by adaptive combination. adaptive.c */
argand_status calibrate_adaptive(const argand_sense *s, const recon_source *from, argand_array **maps);

/* Returns true if trials are possible: one transform for all samples, one set of maps. */
bool choice_is_possible(const argand_sense *s, const calibration *c);
/* Returns true if joint maps may replace others by default. */
bool choice_may_be_joint(const argand_sense *s);
/* Crops maps of ESPIRiT that were made without a crop, unless the samples favour uncropped maps. Sets
 * report.inside. */
argand_status choice_cut(argand_sense *s, calibration *c);
/* excess: the part of the data's norm that the maps leave unexplained in addition to noise. It is 0 unless
 * the maps are wrong: a part of the object has no signal in the block, or lies outside the field of view. */
argand_status choice_doubts(argand_sense *s, const calibration *c, double *excess);
/* Takes the maps that the samples favour among ESPIRiT's (if c->maps has them), adaptive and joint ones,
 * and adds a note. why: a clause of this note. */
argand_status choice_of_maps(argand_sense *s, calibration *c, const char *why);

#endif
