/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine computes transforms. Every engine of plan.c's table that can do a problem on the plan's device,
 * or else on the host, is a candidate with each of its variants; the planner chooses by wisdom, prediction or
 * measurement. */
#ifndef FFT_ENGINE_ENGINE_H
#define FFT_ENGINE_ENGINE_H

#include "base/text.h"
#include "fft/problem/problem.h"
#include "kernels/fft/order.h"

/* One call: memory and how it is walked. */
typedef struct fft_call {
    const fft_geometry *geometry;
    argand_array *out;
    const argand_array *in;
    argand_direction direction;
    double factor;
    const struct access_call *access; /* of plans with accessors, in place of the geometry */
} fft_call;

enum { FFT_VARIANT_CHARS = 160, FFT_MOST_PASSES = 32 };

/* What a transform in one direction goes through. The engine fills in the facts of argand_fft_pass; `seconds`
 * that are 0 are predicted from them (model.h). */
typedef struct fft_passes {
    int count;
    argand_fft_pass pass[FFT_MOST_PASSES];
} fft_passes;

typedef struct fft_engine {
    const char *name;
    /* Refuses what the environment asks of it and it does not know. NULL: it is not asked. */
    argand_status (*check)(void);
    bool contiguous; /* wants calls on contiguous arrays only; plan.c packs what is not */
    /* NULL where it can do the problem, otherwise why not. */
    const char *(*applicable)(const fft_problem *problem, argand_device *device);
    argand_status (*create)(void **state, const fft_problem *problem, argand_device *device);
    /* From several threads at once. */
    argand_status (*apply)(const void *state, const fft_problem *problem, argand_device *device,
                           const fft_call *call);
    /* Short transforms, where what goes before a call takes longer than it: whether the state has such, and a
     * call of two contiguous arrays of the problem's shape in host memory. NULL: it has none. */
    bool (*is_brief)(const void *state);
    void (*apply_brief)(const void *state, const fft_places *places, argand_direction direction);
    void (*print)(const void *state, text *t);
    void (*destroy)(void *state); /* NULL is allowed */

    /* ---- for the planner; each of these may be NULL ---- */

    /* The names of this problem's variants, `most` at most, "16x16 P16 T8" or "fftw" (no tabs, no line ends;
     * the same every time, as wisdom keeps them), and how many. The first is the one that `create` makes.
     * NULL: there is only that one. */
    int (*variants)(const fft_problem *problem, argand_device *device, char (*names)[FFT_VARIANT_CHARS],
                    int most);
    bool alike; /* the model cannot distinguish its variants: unless they are measured, the first one is taken
                 */
    /* `create` with the given one of them. NULL where there are none. */
    argand_status (*create_variant)(void **state, const fft_problem *problem, argand_device *device,
                                    const char *variant);
    /* These variants will be made one after the other: a time for what takes long and goes for all of them at
     * once. only: of each, as in the problem; NULL: all for both directions. NULL: nothing does. */
    void (*precompile)(const fft_problem *problem, argand_device *device, const char *const *variants,
                       const int *only, int count);
    /* Names like that variant's with one choice changed, at most `most` that `variants` need not list:
     * MEASURE looks around the fastest one while there is time. NULL: there are none. */
    int (*nearby)(const fft_problem *problem, argand_device *device, const char *variant,
                  char (*names)[FFT_VARIANT_CHARS], int most);
    /* For engines that choose parts by themselves: the variant with which create_variant makes this state
     * again, of at most FFT_VARIANT_CHARS with its NUL ("" where that is too long); it need not be one that
     * `variants` lists. NULL: the one it was made with. */
    void (*chosen)(const void *state, const fft_problem *problem, char name[FFT_VARIANT_CHARS]);
    /* What that variant ("": the first) will do, said before anything is made, for contiguous arrays or the
     * problem's axes; zeroed when given. Beyond FFT_MOST_PASSES the rest is added to the last one. NULL: not
     * known, and never preferred. */
    void (*passes)(const fft_problem *problem, argand_device *device, const char *variant,
                   argand_direction direction, fft_passes *list);
    /* Adds to these what only the made plan knows: radices, algorithms. NULL: nothing. */
    void (*detail)(const void *state, const fft_problem *problem, fft_passes *list);
    /* Why ESTIMATE takes others before it; NULL where its priority is not low. MEASURE times its
     * first variant all the same. */
    const char *(*low_priority)(const fft_problem *problem, argand_device *device);
    /* Work memory of one call, in bytes, of the device (of the host for engines there). NULL: none. */
    int64_t (*workspace)(const void *state, const fft_problem *problem, argand_device *device,
                         argand_direction direction);
    /* Operations of a line of n points forward and back in one pass of columns, in butterflies of single
     * precision, with what is lost where few blocks fit the device; HUGE_VAL where it does not fit such a
     * pass. NULL: not known. */
    double (*line_operations)(int64_t n, argand_device *device);
    /* In which order an axis lies in the spectrum (or in the signal), where the problem allows a
     * scrambled one there; it is the natural one, as given, where this leaves *order alone. NULL: always
     * natural. */
    void (*order)(const void *state, const fft_problem *problem, bool spectrum, int axis,
                  struct fft_order *order);
} fft_engine;

/* order.c: frequency k1 + n1 k2 at k1 n2 + k2, of a line that is done as a matrix of n1 rows of n2. */
void order_of_matrix(struct fft_order *order, int64_t n1);

extern const fft_engine fft_engine_passes, fft_engine_cufft, fft_engine_native;
/* Those of plans with accessors, on hosts and elsewhere: not in the table, as there is no choice. On devices
 * the first one that can do it. */
extern const fft_engine fft_engine_access, fft_engine_fused, fft_engine_staged;

/* Whether ARGAND_FFT_ENGINE names this engine: then no other of the device is taken, and it does not stand
 * back. */
bool engine_is_wanted(const char *name);
/* plan.c: all of them; of equal candidates the first one is taken. NULL-ended. */
extern const fft_engine *const fft_engines[];

/* contiguous.c: the call on contiguous copies of its arrays on the device `worker`. */
argand_status packed_apply(const fft_engine *engine, const void *state, const fft_problem *problem,
                           argand_device *compute_device, const fft_call *call);

#endif
