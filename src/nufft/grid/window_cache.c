/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps errors and polynomials of the windows that the process used last: a plan that is made for one call
 * spends most of its time on them. Both are functions of the key alone, so plans have the same bits with and
 * without the tables. A thread that finds the lock taken computes instead of waiting; no lock is inherited by
 * a forked process that could stop it. */
#include "nufft/window.h"

#include <pthread.h>

/* a plan asks for some ten errors and for one fit */
enum { SET_BITS = 6, SETS = 1 << SET_BITS, WAYS = 4, FITS_KEPT = 16 };

typedef struct known_errors {
    int width; /* 0: the entry is empty */
    double shape;
    int64_t pixels, grid;
    window_errors aliasing, amplification;
} known_errors;

/* Keys of the same hash; the oldest is replaced by the next one. */
typedef struct known_set {
    known_errors way[WAYS];
    int oldest;
} known_set;

typedef struct known_fit {
    double error;
    window fitted; /* its width is 0 if the entry is empty */
} known_fit;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static known_set sets[SETS];
static known_fit fits[FITS_KEPT];
static int oldest_fit;

static known_set *set_of(const known_errors *key)
{
    const uint64_t odd = 0x9e3779b97f4a7c15U; /* 2^64 over the golden ratio */
    const uint64_t hash = ((uint64_t)key->pixels * odd + (uint64_t)key->grid) * odd + (uint64_t)key->width;
    return &sets[(hash * odd) >> (64 - SET_BITS)];
}

/* Keys are compared bit by bit on purpose: a near shape is another window. */
static bool same_number(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* Fills in the errors of the key. Returns false if they are not known. */
static bool find_errors(known_errors *key)
{
    const known_set *set = set_of(key);
    for (int i = 0; i < WAYS; i++) {
        const known_errors *known = &set->way[i];
        if (known->width != key->width || known->pixels != key->pixels || known->grid != key->grid ||
            !same_number(known->shape, key->shape))
            continue;
        *key = *known;
        return true;
    }
    return false;
}

static void keep_errors(const known_errors *computed)
{
    known_set *set = set_of(computed);
    set->way[set->oldest] = *computed;
    set->oldest = (set->oldest + 1) % WAYS;
}

void window_cached_errors(window_errors *aliasing, window_errors *amplification, int width, double shape,
                          int64_t pixels, int64_t grid)
{
    known_errors key = {.width = width, .shape = shape, .pixels = pixels, .grid = grid};
    bool found = false;
    if (!pthread_mutex_trylock(&lock)) {
        found = find_errors(&key);
        pthread_mutex_unlock(&lock);
    }
    if (!found) {
        key.aliasing = window_aliasing(width, shape, pixels, grid);
        key.amplification = window_amplification(width, shape, pixels, grid);
        if (!pthread_mutex_trylock(&lock)) {
            keep_errors(&key);
            pthread_mutex_unlock(&lock);
        }
    }
    *aliasing = key.aliasing;
    *amplification = key.amplification;
}

/* Returns whether a fit for this error is known. */
static bool find_fit(window *w, int width, double shape, double error)
{
    for (int i = 0; i < FITS_KEPT; i++) {
        const window *fitted = &fits[i].fitted;
        if (fitted->width != width || !same_number(fitted->shape, shape) ||
            !same_number(fits[i].error, error))
            continue;
        *w = *fitted;
        return true;
    }
    return false;
}

void window_cached_fit(window *w, int width, double shape, double error)
{
    bool found = false;
    if (!pthread_mutex_trylock(&lock)) {
        found = find_fit(w, width, shape, error);
        pthread_mutex_unlock(&lock);
    }
    if (found) return;
    window_fit(w, width, shape, error);
    if (pthread_mutex_trylock(&lock)) return;
    fits[oldest_fit] = (known_fit){error, *w};
    oldest_fit = (oldest_fit + 1) % FITS_KEPT;
    pthread_mutex_unlock(&lock);
}
