/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls captured into a CUDA graph, in the strictest mode, so that whatever allocates, waits or copies from
 * the host spoils the capture. For tests of CUDA alone, with bench/peers/cuda.c. */
#ifndef TESTS_GRAPH_H
#define TESTS_GRAPH_H

#include <dlfcn.h>
#include "harness.h"
#include "peers/cuda.h"

typedef struct graphs {
    int (*begin)(void *stream, int mode);
    int (*end)(void *stream, void **graph);
    int (*instantiate)(void **executable, void *graph, unsigned long long flags);
    int (*launch)(void *executable, void *stream);
    int (*destroy_executable)(void *executable);
    int (*destroy)(void *graph);
} graphs;

static graphs g;
static cuda_peer *cuda;
static argand_device *streamed; /* the same chip, with our stream; NULL: this driver has no graphs */

static bool find(void *library, const char *symbol, void *function)
{
    void *found = dlsym(library, symbol);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static int open_stream(void **state)
{
    (void)state;
    char why[200];
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    if (!find(library, "cuStreamBeginCapture_v2", &g.begin) || !find(library, "cuStreamEndCapture", &g.end) ||
        !find(library, "cuGraphInstantiateWithFlags", &g.instantiate) ||
        !find(library, "cuGraphLaunch", &g.launch) ||
        !find(library, "cuGraphExecDestroy", &g.destroy_executable) ||
        !find(library, "cuGraphDestroy", &g.destroy)) {
        printf("this driver has no graphs\n");
        return 0;
    }
    cuda = cuda_peer_open(0, why, sizeof why);
    if (!cuda) fail_msg("%s", why);
    OK(argand_device_open_stream(&streamed, "cuda:0", cuda_peer_stream(cuda)));
    return 0;
}

static int close_stream(void **state)
{
    (void)state;
    argand_device_close(streamed);
    cuda_peer_close(cuda);
    return 0;
}

static inline void graph_begin(void)
{
    enum { GLOBAL = 0 };
    assert_int_equal(g.begin(cuda_peer_stream(cuda), GLOBAL), 0);
}

/* What was started since, to be launched; `status` is what the calls said, `title` says which they were. */
static inline void *graph_end(argand_status status, const char *title)
{
    void *graph = NULL, *executable = NULL;
    const int error = g.end(cuda_peer_stream(cuda), &graph);
    if (status || error || !graph)
        fail_msg("%s: capture failed (driver error %d): %s", title, error, status ? argand_message() : "");
    assert_int_equal(g.instantiate(&executable, graph, 0), 0);
    assert_int_equal(g.destroy(graph), 0);
    return executable;
}

#endif
