/* SPDX-License-Identifier: BSD-3-Clause */
/* What the report calls the names of the sidecar, as a radiographer knows it. */
#ifndef CLI_OUTPUT_LABELS_H
#define CLI_OUTPUT_LABELS_H

/* "StoppedBy": "Iterations ended because"; the name itself where there is no better one. */
const char *label_of_fact(const char *name);
/* "noise": "more would add more noise than signal". */
const char *label_of_value(const char *name, const char *value);
/* "segmented": "corrected, in segments". */
const char *label_of_transform(const char *transform);
/* "image-convergence.png": "Convergence, plot". */
const char *label_of_file(const char *path);

#endif
