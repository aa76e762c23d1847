/* SPDX-License-Identifier: BSD-3-Clause */
/* What distinguishes two vendors whose drivers have one shape. The folders cuda/ and hip/ each fill one
 * gpu_vendor; all else is common. */
#ifndef DEVICE_GPU_VENDOR_H
#define DEVICE_GPU_VENDOR_H

#include <pthread.h>
#include "device/backend.h"
#include "device/libraries/foreign.h"
#include "device/gpu/driver.h"

typedef struct gpu_context gpu_context;
typedef struct gpu_kernel gpu_kernel;
typedef struct gpu_arguments gpu_arguments;

typedef struct gpu_vendor {
    const char *name, *title, *maker; /* "cuda", "CUDA", "NVIDIA" */
    int slot;                         /* a number below GPU_VENDORS, for state of threads */
    size_t context_bytes;             /* of the vendor's struct, which begins with a gpu_context */
    const gpu_driver *driver;         /* filled when the driver is opened */
    gpu_numbers numbers;

    /* Opens what a stream needs: the chip's name, the context. close undoes it. */
    argand_status (*open)(gpu_context *c);
    void (*close)(gpu_context *c);
    /* Make the device current for this thread, and restore the one before. */
    gpu_result (*push)(const gpu_context *c);
    void (*pop)(const gpu_context *c);
    void (*error_text)(gpu_result result, char *reason, size_t size);
    /* Refuses a caller's stream that is not of the device. */
    argand_status (*check_stream)(const gpu_context *c, gpu_stream stream);
    /* Copies memory that the driver knows, on either side. */
    gpu_result (*copy_known)(gpu_address to, gpu_address from, size_t bytes, gpu_stream stream);
    /* Compiles a kernel for the chip; bytes from memory_new. */
    argand_status (*compile)(const gpu_context *c, const kernel_source *source, unsigned char **bytes,
                             size_t *count);

    /* (optional) Prepares a kernel that was loaded. */
    void (*prepare)(gpu_kernel *k);
    /* (optional) Requests shared memory beyond what a group has by default. */
    argand_status (*raise_shared)(const gpu_context *c, gpu_kernel *k, size_t bytes);
    /* (optional) Starts a kernel that overlaps with its neighbours. */
    gpu_result (*launch_early)(const gpu_context *c, const kernel_launch *l, gpu_arguments *with);
} gpu_vendor;

enum { GPU_VENDORS = 2 };

/* What is known of a vendor's driver after it was opened. */
typedef struct gpu_found {
    int count;
    char reason[512];
} gpu_found;

/* Opens and initialises a driver, whose table is filled from the list of functions. Call it once. */
void gpu_open_driver(gpu_found *found, const gpu_vendor *vendor, const char *const *names,
                     foreign_place place, const foreign_function *functions, void *table);

#endif
