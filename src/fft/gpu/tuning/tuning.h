/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be chosen freely of the engine of our own kernels (parameters.inc), and its text: "threads 128
 * points_per_thread 10". MEASURE compares a list of variants (candidates.h), wisdom names one, and
 * ARGAND_FFT_TUNING sets what ESTIMATE takes, for those who experiment. */
#ifndef FFT_GPU_TUNING_TUNING_H
#define FFT_GPU_TUNING_TUNING_H

#include "fft/engine/engine.h"

/* How the real and imaginary parts of elements go through shared memory: by what fits; one after
 * the other; together; together, as one access of both. */
enum exchange_mode { EXCHANGE_BY_SIZE, EXCHANGE_ONE_BY_ONE, EXCHANGE_BOTH, EXCHANGE_PAIRS };
/* What passes by the caches (streaming access). */
enum streaming { STREAMING_NONE, STREAMING_PERSISTENT, STREAMING_ALL, STREAMING_ENDS, STREAMING_LAST };
enum bulk_copy { BULK_NONE, BULK_STORE, BULK_LOAD, BULK_BOTH, BULK_STORE_HALF };
/* Which strides are constants of the kernel; clusters want those of rows, too, which is not in a text. */
enum constant_strides { STRIDES_NONE, STRIDES_OF_COLUMNS, STRIDES_OF_ROWS };
/* How the blocks of a cluster exchange (kernels/fft/cluster/cluster.krn); any: what costs least. */
enum cluster_exchange { EXCHANGE_SEND = 2, EXCHANGE_SEND_LATE, EXCHANGE_ANY };

typedef struct gpu_tuning {
#define PARAMETER(name, least, most, default_value, help) int name;
#include "fft/gpu/tuning/parameters.inc"
#undef PARAMETER
} gpu_tuning;

/* The text of a variant that changes nothing. */
#define TUNING_STANDARD "standard"
/* From the text; false: it has a key that is not known, or no value that the key can have. "": the first
 * of ARGAND_FFT_TUNING, else TUNING_STANDARD. */
bool tuning_parse(gpu_tuning *t, const char *variant);
/* Refuses what ARGAND_FFT_TUNING has and nobody knows. */
argand_status tuning_check(void);
/* Variant i of ARGAND_FFT_TUNING, which has several with ';' between them; false: there are not as many.
 * Whether it is set at all. */
bool tuning_given(int i, char *variant, size_t size);
bool tuning_is_given(void);
/* A variant with one parameter changed, as "threads 64" says; false: its text would be too long. */
bool tuning_changed(const char *variant, const char *change, char *to, size_t size);
/* All parameters, a line each: name, range, default, what it is. */
void tuning_print(text *t);

#endif
