/* SPDX-License-Identifier: BSD-3-Clause */
/* The device handle's inside, for the files of this folder. */
#ifndef DEVICE_HANDLE_H
#define DEVICE_HANDLE_H

#include <pthread.h>
#include <stdatomic.h>
#include "device/device.h"

typedef struct kernel_entry {
    struct kernel_entry *next;
    void *kernel;
    char key[];
} kernel_entry;

struct argand_device {
    const backend *backend;
    void *context;
    atomic_int users;
    int threads;
    pthread_mutex_t kernels_lock;
    kernel_entry *kernels; /* built so far, for the device's life */
};

/* The built kernel of that key, from those kept or newly built. */
argand_status kernel_get(argand_device *device, const char *key, void **kernel);
void kernels_discard(argand_device *device);

#endif
