/* SPDX-License-Identifier: BSD-3-Clause */
/* Compilers of one shape, opened at run time: NVRTC of NVIDIA, hipRTC of AMD. */
#ifndef DEVICE_GPU_COMPILER_H
#define DEVICE_GPU_COMPILER_H

#include "device/backend.h"
#include "device/libraries/foreign.h"

typedef struct gpu_program_st *gpu_program;

/* FUNCTION(name here, symbol of NVRTC, symbol of hipRTC, result, parameters) */
#define GPU_COMPILER_FUNCTIONS(FUNCTION)                                                                     \
    FUNCTION(version, "nvrtcVersion", "hiprtcVersion", int, (int *major, int *minor))                        \
    FUNCTION(error_text, "nvrtcGetErrorString", "hiprtcGetErrorString", const char *, (int result))          \
    FUNCTION(create, "nvrtcCreateProgram", "hiprtcCreateProgram", int,                                       \
             (gpu_program * program, const char *text, const char *name, int headers,                        \
              const char *const *header_texts, const char *const *header_names))                             \
    FUNCTION(destroy, "nvrtcDestroyProgram", "hiprtcDestroyProgram", int, (gpu_program * program))           \
    FUNCTION(compile, "nvrtcCompileProgram", "hiprtcCompileProgram", int,                                    \
             (gpu_program program, int options, const char *const *option))                                  \
    FUNCTION(code_size, "nvrtcGetCUBINSize", "hiprtcGetCodeSize", int, (gpu_program program, size_t * size)) \
    FUNCTION(code, "nvrtcGetCUBIN", "hiprtcGetCode", int, (gpu_program program, char *bytes))                \
    FUNCTION(log_size, "nvrtcGetProgramLogSize", "hiprtcGetProgramLogSize", int,                             \
             (gpu_program program, size_t * size))                                                           \
    FUNCTION(log, "nvrtcGetProgramLog", "hiprtcGetProgramLog", int, (gpu_program program, char *bytes))

#define GPU_COMPILER_MEMBER(name, nvrtc, hiprtc, result, parameters) result(*name) parameters;
typedef struct gpu_compiler {
    GPU_COMPILER_FUNCTIONS(GPU_COMPILER_MEMBER)
    const char *title; /* "NVRTC" */
    bool there;
    char reason[640];
    int major, minor;
} gpu_compiler;

/* Opens a compiler, whose table begins with `compiler`. remedy says what to install. Call it once. */
void gpu_open_compiler(gpu_compiler *compiler, const char *const *names, foreign_place place,
                       const foreign_function *functions, const char *remedy);

/* What a program hands out: its size, then its bytes. */
typedef struct gpu_output {
    int (*size)(gpu_program program, size_t *size);
    int (*bytes)(gpu_program program, char *bytes);
    unsigned char **to; /* from memory_new */
    size_t *count;
} gpu_output;

/* Compiles a kernel with these options and takes the outputs. target is named in messages. */
argand_status gpu_compile(const gpu_compiler *compiler, const kernel_source *source, const char *target,
                          const char *const *options, int option_count, const gpu_output *outputs,
                          int output_count);

#endif
