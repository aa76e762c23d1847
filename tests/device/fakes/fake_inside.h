/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two parts of a fake driver share: the common one (fake_gpu.c) and the vendor's own. */
#ifndef TESTS_FAKE_INSIDE_H
#define TESTS_FAKE_INSIDE_H

#include "fake_gpu.h"

#define EXPORT __attribute__((visibility("default")))

#ifdef FAKE_HIP
#define FAKE_SYMBOL(cuda, hip) hip
#define FAKE_STATE "fake_hip_state"
#define FAKE_STREAM "fake_hip_stream"
enum { FAKE_VERSION = 70051831 };
#else
#define FAKE_SYMBOL(cuda, hip) cuda
#define FAKE_STATE "fake_cuda_state"
#define FAKE_STREAM "fake_cuda_stream"
enum { FAKE_VERSION = 13000 };
#endif

enum { MOST_DEVICES = 8 };
struct gpu_stream_st {
    int device, is_other; /* is_other: of a context that is not the device's primary one */
};
struct gpu_module_st {
    char *image;
    void *kernel; /* of the executor */
};

extern struct fake_gpu fake;
/* Counts, also where threads have a device each. */
#define COUNT(what, change) __atomic_fetch_add(&fake.what, change, __ATOMIC_SEQ_CST)

gpu_result fake_enter(const char *function); /* fails if the test wants it */
#define ENTER                                                                \
    do {                                                                     \
        const gpu_result entered = fake_enter(__func__ + sizeof "fake" - 1); \
        if (entered) return entered;                                         \
    } while (0)
/* most functions want a current device */
#define CURRENT                             \
    do {                                    \
        ENTER;                              \
        if (fake_current() < 0) return 201; \
    } while (0)

/* The vendor's own part. */
void fake_open(void);
int fake_current(void); /* index of the current device; -1 without one */
int fake_attribute(int attribute, int device);
/* (NULL: launches are only written down) Runs kernels whose code is their text. start gets the addresses of
 * the arguments. */
struct fake_executor {
    void *(*build)(const char *text, const char *name);
    void (*release)(void *kernel);
    int (*start)(void *kernel, unsigned int groups, int items, void **arguments);
};
extern const struct fake_executor *fake_executor;

#endif
