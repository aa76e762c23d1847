/* SPDX-License-Identifier: BSD-3-Clause */
/* Metal without its headers: the part of the Objective-C runtime and of Metal.framework that Argand uses.
 * Both are opened at run time. A message is a call of objc_msgSend through a pointer of the method's own
 * type, as the runtime documents it: C then passes and returns values as the method expects.
 *
 * Why each type is right on arm64 and x86-64: NSUInteger is unsigned long, 64 bits in both. BOOL is one
 * byte, which callers extend in both. MTLSize and NSRange are structs of NSUInteger by value, which a C
 * compiler passes as Apple's does, because the ABI of the platform says how (MTLSize: on the stack of
 * x86-64, by reference on arm64). Messages that return structs need objc_msgSend_stret on x86-64 alone;
 * there are none here. */
#ifndef DEVICE_METAL_DRIVER_H
#define DEVICE_METAL_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct objc_object *objc_id;
typedef struct objc_selector *objc_sel;

typedef struct metal_size {
    unsigned long width, height, depth;
} metal_size;

typedef struct metal_range {
    unsigned long at, length;
} metal_range;

/* MESSAGE(name here, selector, result, parameters behind the receiver and the selector) */
#define METAL_MESSAGES(MESSAGE)                                                                           \
    /* NSObject, NSString, NSArray, NSError */                                                            \
    MESSAGE(make, "new", objc_id, ())                                                                     \
    MESSAGE(retain, "retain", objc_id, ())                                                                \
    MESSAGE(release, "release", void, ())                                                                 \
    MESSAGE(responds, "respondsToSelector:", signed char, (, objc_sel))                                   \
    MESSAGE(string, "stringWithUTF8String:", objc_id, (, const char *))                                   \
    MESSAGE(characters, "UTF8String", const char *, ())                                                   \
    MESSAGE(count, "count", unsigned long, ())                                                            \
    MESSAGE(element, "objectAtIndex:", objc_id, (, unsigned long))                                        \
    MESSAGE(explanation, "localizedDescription", objc_id, ())                                             \
    /* MTLDevice */                                                                                       \
    MESSAGE(name, "name", objc_id, ())                                                                    \
    MESSAGE(has_unified_memory, "hasUnifiedMemory", signed char, ())                                      \
    MESSAGE(working_set, "recommendedMaxWorkingSetSize", uint64_t, ())                                    \
    MESSAGE(longest_buffer, "maxBufferLength", unsigned long, ())                                         \
    MESSAGE(group_memory, "maxThreadgroupMemoryLength", unsigned long, ())                                \
    MESSAGE(new_queue, "newCommandQueue", objc_id, ())                                                    \
    MESSAGE(new_fence, "newFence", objc_id, ())                                                           \
    MESSAGE(new_buffer, "newBufferWithLength:options:", objc_id, (, unsigned long, unsigned long))        \
    MESSAGE(wrap_buffer, "newBufferWithBytesNoCopy:length:options:deallocator:", objc_id,                 \
            (, void *, unsigned long, unsigned long, void *))                                             \
    MESSAGE(new_library, "newLibraryWithSource:options:error:", objc_id, (, objc_id, objc_id, objc_id *)) \
    MESSAGE(new_pipeline, "newComputePipelineStateWithFunction:error:", objc_id, (, objc_id, objc_id *))  \
    /* MTLCompileOptions, MTLLibrary, MTLComputePipelineState, MTLBuffer */                               \
    MESSAGE(set_fast_math, "setFastMathEnabled:", void, (, signed char))                                  \
    MESSAGE(set_math_mode, "setMathMode:", void, (, long))                                                \
    MESSAGE(set_language, "setLanguageVersion:", void, (, unsigned long))                                 \
    MESSAGE(new_function, "newFunctionWithName:", objc_id, (, objc_id))                                   \
    MESSAGE(most_items, "maxTotalThreadsPerThreadgroup", unsigned long, ())                               \
    MESSAGE(static_memory, "staticThreadgroupMemoryLength", unsigned long, ())                            \
    MESSAGE(contents, "contents", void *, ())                                                             \
    /* MTLCommandQueue, MTLCommandBuffer */                                                               \
    MESSAGE(command_buffer, "commandBuffer", objc_id, ())                                                 \
    MESSAGE(compute_encoder, "computeCommandEncoder", objc_id, ())                                        \
    MESSAGE(blit_encoder, "blitCommandEncoder", objc_id, ())                                              \
    MESSAGE(commit, "commit", void, ())                                                                   \
    MESSAGE(wait, "waitUntilCompleted", void, ())                                                         \
    MESSAGE(error, "error", objc_id, ())                                                                  \
    /* encoders */                                                                                        \
    MESSAGE(wait_for_fence, "waitForFence:", void, (, objc_id))                                           \
    MESSAGE(update_fence, "updateFence:", void, (, objc_id))                                              \
    MESSAGE(end, "endEncoding", void, ())                                                                 \
    MESSAGE(set_pipeline, "setComputePipelineState:", void, (, objc_id))                                  \
    MESSAGE(set_buffer, "setBuffer:offset:atIndex:", void, (, objc_id, unsigned long, unsigned long))     \
    MESSAGE(set_bytes, "setBytes:length:atIndex:", void, (, const void *, unsigned long, unsigned long))  \
    MESSAGE(dispatch, "dispatchThreadgroups:threadsPerThreadgroup:", void, (, metal_size, metal_size))    \
    MESSAGE(fill, "fillBuffer:range:value:", void, (, objc_id, metal_range, uint8_t))                     \
    MESSAGE(copy, "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", void,                   \
            (, objc_id, unsigned long, objc_id, unsigned long, unsigned long))

#define METAL_ARGUMENTS(...) __VA_ARGS__
#define METAL_MESSAGE(name, selector, result, parameters)             \
    struct {                                                          \
        objc_sel op;                                                  \
        result (*call)(objc_id, objc_sel METAL_ARGUMENTS parameters); \
    } name;
typedef struct metal_messages {
    METAL_MESSAGES(METAL_MESSAGE)
} metal_messages;
extern metal_messages metal;

/* Sends a message: SEND(set_pipeline, encoder, pipeline). A message to NULL does nothing and returns 0. */
#define SEND(name, receiver, ...) metal.name.call(receiver, metal.name.op, ##__VA_ARGS__)

/* Constants with their names in Metal's headers. */
enum { MTLResourceStorageModeShared = 0, MTLMathModeSafe = 0, MTLLanguageVersion2_3 = (2 << 16) + 3 };

/* Functions of the runtime and of the framework. */
typedef struct metal_runtime {
    objc_id (*get_class)(const char *name);
    objc_sel (*selector)(const char *name);
    void (*send)(void);
    void *(*pool_push)(void);
    void (*pool_pop)(void *pool);
} metal_runtime;
extern metal_runtime objc;

/* Returns the number of devices; opens the libraries on first use. *reason says why there are none. */
int metal_driver_count(const char **reason);
/* Returns the device, which lives as long as the process. */
objc_id metal_driver_device(int index);

#endif
