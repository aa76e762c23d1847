/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels that the report shows instead of the sidecar's names, in terms that a radiographer knows. */
#ifndef CLI_OUTPUT_LABELS_H
#define CLI_OUTPUT_LABELS_H

/* Returns the label of a fact, "StoppedBy": "Iterations ended because"; without a label, the name itself. */
const char *label_of_fact(const char *name);
/* Returns the label of a value, "noise": "more would add more noise than signal". */
const char *label_of_value(const char *name, const char *value);
/* Returns the label of a transform, "segmented": "corrected, in segments". */
const char *label_of_transform(const char *transform);
/* Returns the label of a file, "image-convergence.png": "Convergence, plot". */
const char *label_of_file(const char *path);

#endif
