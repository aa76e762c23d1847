/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil maps by each algorithm, and which of them the samples choose. */
#ifndef RECON_CHOICE_H
#define RECON_CHOICE_H

#include "recon/calibrate/trial.h"

typedef struct calibration {
    recon_source from;  /* what calibrates */
    recon_source image; /* the image's samples: the same, where no calibration scan is apart */
    recon_block block;
    argand_array *maps, *values; /* values: eigenvalues {grid[, sets]}; NULL: maps are not by ESPIRiT */
    argand_array *cut;           /* maps under the usual crop, where that is to be taken; else NULL */
    argand_espirit_report report;
} calibration;

/* Fills maps, values and report. crop as argand_espirit_options has it. espirit.c */
argand_status calibrate_espirit(argand_sense *s, calibration *c, double crop);
/* New maps, 0 where the eigenvalue is not above the crop; inside: the part of the pixels where it is. One set
 * alone. */
argand_status espirit_cut(const argand_sense *s, const argand_array *maps, const argand_array *values,
                          double crop, argand_array **cut, double *inside);
/* New maps by adaptive combination. adaptive.c */
argand_status calibrate_adaptive(const argand_sense *s, const recon_source *from, argand_array **maps);

/* Returns true if trials are possible: one transform for all samples, one set of maps. */
bool choice_is_possible(const argand_sense *s, const calibration *c);
/* Returns true if joint maps may replace others by default. */
bool choice_may_be_joint(const argand_sense *s);
/* Cuts maps by ESPIRiT that were made without a crop, unless the samples speak against it. Sets
 * report.inside. */
argand_status choice_cut(argand_sense *s, calibration *c);
/* excess: the part of the data (of their norm) that the maps leave unexplained besides noise. It is 0 unless
 * the maps are wrong: a part of the object has no signal in the block, or lies beyond the field of view. */
argand_status choice_doubts(argand_sense *s, const calibration *c, double *excess);
/* Takes the maps that the samples prefer among ESPIRiT's (where c->maps has them), adaptive and joint ones,
 * and tells. why: a clause. */
argand_status choice_of_maps(argand_sense *s, calibration *c, const char *why);

#endif
