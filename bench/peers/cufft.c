/* SPDX-License-Identifier: BSD-3-Clause */
/* cuFFT as the peer of `argand bench fft` on CUDA devices, called directly. Its library is opened at run
 * time; ARGAND_CUFFT names its file if it is in an unusual folder. Declarations are written here after the
 * cuFFT API reference. */
#include "fft/fft.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { R2C = 0x2a, C2R = 0x2c, C2C = 0x29, D2Z = 0x6a, Z2D = 0x6c, Z2Z = 0x69, FORWARD = -1 };

typedef struct cufft {
    int (*version)(int *version);
    int (*create)(int *plan);
    int (*destroy)(int plan);
    int (*make)(int plan, int rank, long long *n, long long *in_embed, long long in_stride,
                long long in_distance, long long *out_embed, long long out_stride, long long out_distance,
                int kind, long long batch, size_t *work);
    int (*set_stream)(int plan, void *stream);
    int (*complex_single)(int plan, void *in, void *out, int direction);
    int (*complex_double)(int plan, void *in, void *out, int direction);
    int (*real_single)(int plan, void *in, void *out);
    int (*real_double)(int plan, void *in, void *out);
    int (*back_single)(int plan, void *in, void *out);
    int (*back_double)(int plan, void *in, void *out);
    void *stream, *in, *out;
    int kind, plan;
    bool planned;
} cufft;

/* Looks up a function. POSIX's dlsym returns functions as data pointers; C allows the conversion only by
 * copying the bits. */
static bool find(void *library, const char *symbol, void *function)
{
    void *found = dlsym(library, symbol);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool find_all(cufft *c, void *library)
{
    return find(library, "cufftGetVersion", &c->version) && find(library, "cufftCreate", &c->create) &&
           find(library, "cufftDestroy", &c->destroy) && find(library, "cufftMakePlanMany64", &c->make) &&
           find(library, "cufftSetStream", &c->set_stream) &&
           find(library, "cufftExecC2C", &c->complex_single) &&
           find(library, "cufftExecZ2Z", &c->complex_double) &&
           find(library, "cufftExecR2C", &c->real_single) && find(library, "cufftExecD2Z", &c->real_double) &&
           find(library, "cufftExecC2R", &c->back_single) && find(library, "cufftExecZ2D", &c->back_double);
}

static void *open_library(void)
{
    const char *own = getenv("ARGAND_CUFFT"), *home = getenv("CUDA_HOME");
    static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so"};
    char path[4096];
    if (own) return dlopen(own, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/lib64/%s", home ? home : "/usr/local/cuda", names[i / 2]);
        void *library = dlopen(i % 2 ? path : names[i / 2], RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

static void release(void *self)
{
    cufft *c = self;
    if (c->planned) (void)c->destroy(c->plan);
    c->planned = false;
}

/* Plans contiguous transforms with the plan's own work memory; the last axis is the fastest. */
static bool plan(void *self, const fft_case *f, const fft_buffers *g)
{
    cufft *c = self;
    long long n[3] = {0}, in[3] = {0}, out[3] = {0}, in_points = 1, out_points = 1;
    size_t work;
    for (int axis = 0; axis < f->rank; axis++) {
        const int at = f->rank - 1 - axis;
        n[at] = in[at] = out[at] = f->n[axis];
        if (axis == 0 && fft_case_has_half(f, false)) in[at] = f->n[0] / 2 + 1;
        if (axis == 0 && fft_case_has_half(f, true)) out[at] = f->n[0] / 2 + 1;
        in_points *= in[at];
        out_points *= out[at];
    }
    c->kind = f->type == ARGAND_R32   ? f->back ? C2R : R2C
              : f->type == ARGAND_C32 ? C2C
              : f->type == ARGAND_R64 ? f->back ? Z2D : D2Z
                                      : Z2Z;
    c->in = g->memory[0];
    c->out = g->memory[1];
    if (c->create(&c->plan)) return false;
    c->planned = true;
    if (!c->make(c->plan, f->rank, n, in, 1, in_points, out, 1, out_points, c->kind, f->batch, &work) &&
        !c->set_stream(c->plan, c->stream))
        return true;
    release(c);
    return false;
}

static bool execute(void *self)
{
    cufft *c = self;
    switch (c->kind) {
    case R2C:
        return c->real_single(c->plan, c->in, c->out) == 0;
    case D2Z:
        return c->real_double(c->plan, c->in, c->out) == 0;
    case C2R:
        return c->back_single(c->plan, c->in, c->out) == 0;
    case Z2D:
        return c->back_double(c->plan, c->in, c->out) == 0;
    case C2C:
        return c->complex_single(c->plan, c->in, c->out, FORWARD) == 0;
    default:
        return c->complex_double(c->plan, c->in, c->out, FORWARD) == 0;
    }
}

bool cufft_peer_open(fft_peer *peer, void *stream)
{
    int version = 0;
    void *library = open_library();
    cufft *c = calloc(1, sizeof *c);
    if (!c || !library || !find_all(c, library) || c->version(&version)) {
        snprintf(peer->missing, sizeof peer->missing,
                 "cuFFT was not found: set CUDA_HOME, or ARGAND_CUFFT to its file");
        free(c);
        return false;
    }
    c->stream = stream;
    peer->self = c;
    peer->plan = plan;
    peer->execute = execute;
    peer->release = release;
    peer->close = free;
    snprintf(peer->name, sizeof peer->name, "cuFFT %d.%d", version / 1000, version % 1000 / 100);
    return true;
}
