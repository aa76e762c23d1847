/* SPDX-License-Identifier: BSD-3-Clause */
/* Tuning parameters of the native GPU engine (parameters.inc), and their text: "threads 128
 * points_per_thread 10". MEASURE compares a list of variants (candidates.h), wisdom names one, and
 * ARGAND_FFT_TUNING sets that of ESTIMATE, for experiments. */
#ifndef FFT_GPU_TUNING_TUNING_H
#define FFT_GPU_TUNING_TUNING_H

#include "fft/engine/engine.h"

/* How real and imaginary parts go through shared memory: chosen by size; one after the other; together;
 * together, as one access of both. */
enum exchange_mode { EXCHANGE_BY_SIZE, EXCHANGE_ONE_BY_ONE, EXCHANGE_BOTH, EXCHANGE_PAIRS };
/* Accesses that bypass the caches (streaming access). */
enum streaming { STREAMING_NONE, STREAMING_PERSISTENT, STREAMING_ALL, STREAMING_ENDS, STREAMING_LAST };
enum bulk_copy { BULK_NONE, BULK_STORE, BULK_LOAD, BULK_BOTH, BULK_STORE_HALF };
/* Strides that are constants of the kernel. Clusters also have those of rows, which no tuning text sets. */
enum constant_strides { STRIDES_NONE, STRIDES_OF_COLUMNS, STRIDES_OF_ROWS };
/* Where the elements that come from other blocks of a cluster go: to an area apart from that of the block's
 * own stages, or to the same one, so that blocks wait until all have read (kernels/fft/cluster/cluster.krn);
 * EXCHANGE_ANY: the cheaper one. */
enum cluster_exchange { EXCHANGE_DISJOINT = 2, EXCHANGE_IN_PLACE, EXCHANGE_ANY };

typedef struct gpu_tuning {
#define PARAMETER(name, least, most, default_value, help) int name;
#include "fft/gpu/tuning/parameters.inc"
#undef PARAMETER
} gpu_tuning;

/* The text of a variant that changes nothing. */
#define TUNING_STANDARD "standard"
/* Parses a text; returns false if a key is unknown or its value invalid. "": the first variant of
 * ARGAND_FFT_TUNING, else TUNING_STANDARD. */
bool tuning_parse(gpu_tuning *t, const char *variant);
/* Returns the text from the first key on that is unknown or has no valid value; NULL: there is none. */
const char *tuning_unknown(const char *variant);
/* Refuses unknown keys in ARGAND_FFT_TUNING. */
argand_status tuning_check(void);
/* tuning_given writes variant i of ARGAND_FFT_TUNING, a list separated by ';', and returns false if there
 * are fewer. tuning_is_given returns true if the variable is set. */
bool tuning_given(int i, char *variant, size_t size);
bool tuning_is_given(void);
/* Writes a variant with one parameter changed, as in "threads 64"; returns false if the text would be too
 * long. */
bool tuning_changed(const char *variant, const char *change, char *to, size_t size);
/* Prints all parameters, one a line: name, range, default, meaning. */
void tuning_print(text *t);

#endif
