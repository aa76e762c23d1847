/* SPDX-License-Identifier: BSD-3-Clause */
/* ONNX Runtime's C interface, as far as models of one or two tensors need it, and a model in it. */
#ifndef DENOISE_ONNX_H
#define DENOISE_ONNX_H

#include <argand/penalty.h>
#include "base/status.h"

/* The interface is one table of functions. Versions only append to it: the positions below are those of
 * version 1. A function that can fail returns a status object, NULL if all went well. */
#define ONNX_FUNCTIONS(FUNCTION)                                                                         \
    FUNCTION(2, const char *, error_message, (const void *status))                                       \
    FUNCTION(3, void *, create_env, (int log_level, const char *name, void **env))                       \
    FUNCTION(6, void *, disable_telemetry, (const void *env))                                            \
    FUNCTION(7, void *, create_session,                                                                  \
             (const void *env, const char *path, const void *options, void **session))                   \
    FUNCTION(9, void *, run,                                                                             \
             (void *session, const void *options, const char *const *inputs, const void *const *values,  \
              size_t count, const char *const *outputs, size_t output_count, void **results))            \
    FUNCTION(10, void *, create_options, (void **options))                                               \
    FUNCTION(22, void *, set_log_level, (void *options, int level))                                      \
    FUNCTION(24, void *, set_threads, (void *options, int count))                                        \
    FUNCTION(30, void *, input_count, (const void *session, size_t *count))                              \
    FUNCTION(31, void *, output_count, (const void *session, size_t *count))                             \
    FUNCTION(33, void *, input_type, (const void *session, size_t i, void **type))                       \
    FUNCTION(34, void *, output_type, (const void *session, size_t i, void **type))                      \
    FUNCTION(36, void *, input_name, (const void *session, size_t i, void *allocator, char **name))      \
    FUNCTION(37, void *, output_name, (const void *session, size_t i, void *allocator, char **name))     \
    FUNCTION(49, void *, create_tensor,                                                                  \
             (const void *memory, void *data, size_t bytes, const int64_t *shape, size_t rank, int type, \
              void **value))                                                                             \
    FUNCTION(51, void *, tensor_data, (void *value, void **data))                                        \
    FUNCTION(55, void *, cast_to_tensor, (const void *type, const void **tensor))                        \
    FUNCTION(60, void *, element_type, (const void *tensor, int *type))                                  \
    FUNCTION(61, void *, rank, (const void *tensor, size_t *rank))                                       \
    FUNCTION(62, void *, dimensions, (const void *tensor, int64_t *dims, size_t rank))                   \
    FUNCTION(65, void *, value_shape, (const void *value, void **tensor))                                \
    FUNCTION(69, void *, create_host_memory, (int allocator, int kind, void **memory))                   \
    FUNCTION(76, void *, allocator_free, (void *allocator, void *pointer))                               \
    FUNCTION(78, void *, default_allocator, (void **allocator))                                          \
    FUNCTION(92, void, release_env, (void *env))                                                         \
    FUNCTION(93, void, release_status, (void *status))                                                   \
    FUNCTION(94, void, release_memory, (void *memory))                                                   \
    FUNCTION(95, void, release_session, (void *session))                                                 \
    FUNCTION(96, void, release_value, (void *value))                                                     \
    FUNCTION(98, void, release_type, (void *type))                                                       \
    FUNCTION(99, void, release_shape, (void *tensor))                                                    \
    FUNCTION(100, void, release_options, (void *options))

#define ONNX_MEMBER(position, result, name, parameters) result(*name) parameters;
typedef struct onnx_library {
    ONNX_FUNCTIONS(ONNX_MEMBER)
    const char *version;
} onnx_library;

enum { ONNX_FLOAT = 1, ONNX_MOST_RANK = 5, ONNX_LOG_FATAL = 4 };

/* library.c: opens ONNX Runtime once for the process. */
argand_status onnx_open(const onnx_library **library);
/* Sets the message "PATH: ..." from a status object, which it releases; NULL is ARGAND_OK. */
argand_status onnx_check(const onnx_library *o, void *result, argand_status code, const char *path);

/* A tensor of the model: dims are -1 where they are not fixed. */
typedef struct onnx_tensor {
    char *name;
    int rank;
    int64_t dims[ONNX_MOST_RANK];
} onnx_tensor;

/* A model that takes images. */
typedef struct onnx_model {
    const onnx_library *library;
    const char *path;
    void *env, *session, *allocator, *memory;
    onnx_tensor image, level, result; /* level.name NULL: no second input */
    int channels;                     /* of the output, 1 or 2 */
    bool has_map;                     /* the image has one more channel, for the level */
    int axes;                         /* of an image, 2 or 3 */
    int64_t batch;                    /* images of a run; 0: any number */
    int64_t multiple;                 /* of which sizes are run */
} onnx_model;

/* model.c */
argand_status model_open(onnx_model *m, const char *path, int threads);
void model_close(onnx_model *m);

/* run.c */
/* Images of a run: {count, channels, sizes[axes-1] ... sizes[0]}, sizes[0] fastest; with has_map one more
 * channel. */
typedef struct onnx_batch {
    int64_t count, sizes[3];
    float *images;
    float level;
} onnx_batch;
/* Runs the model; writes the result over the images, {count, channels, sizes...}. */
argand_status model_run(const onnx_model *m, const onnx_batch *b);

#endif
