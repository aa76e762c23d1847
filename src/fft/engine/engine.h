/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine computes transforms. Every engine of plan.c's table that can do a problem on the plan's device
 * is a candidate with each of its variants; if none can, those of the host are. The planner chooses by
 * wisdom, prediction or measurement. */
#ifndef FFT_ENGINE_ENGINE_H
#define FFT_ENGINE_ENGINE_H

#include "base/text.h"
#include "fft/problem/problem.h"
#include "kernels/fft/order.h"

/* One call: arrays and their geometry. */
typedef struct fft_call {
    const fft_geometry *geometry;
    argand_array *out;
    const argand_array *in;
    argand_direction direction;
    double factor;
    const struct access_call *access; /* for plans with accessors, in place of the geometry */
} fft_call;

enum { FFT_VARIANT_CHARS = 160, FFT_MOST_PASSES = 32 };

/* The passes of a transform in one direction. The engine fills in the figures of argand_fft_pass; if
 * `seconds` is 0, model.h predicts it from them. */
typedef struct fft_passes {
    int count;
    argand_fft_pass pass[FFT_MOST_PASSES];
} fft_passes;

/* A prepared call of a short transform, for which preparing a call would take longer than the call:
 * run(state, out, in, NULL, inverse, factor) transforms contiguous host memory of the problem's shape. Output
 * and input are disjoint or, of complex transforms, the same. */
typedef struct fft_brief {
    void (*run)(const void *state, void *out, const void *in, void *work, int inverse, double factor);
    const void *state;
    int inverse;
    double factor;
    bool on_stack; /* has work memory there, which memory_guard.h cannot guard */
} fft_brief;

typedef struct fft_engine {
    const char *name;
    /* Refuses unknown values of the engine's environment variables. NULL: it has none. */
    argand_status (*check)(void);
    bool contiguous; /* calls need contiguous arrays; plan.c copies others */
    /* Returns NULL if the engine can do the problem, otherwise the reason. */
    const char *(*applicable)(const fft_problem *problem, argand_device *device);
    argand_status (*create)(void **state, const fft_problem *problem, argand_device *device);
    /* Runs a call; several threads may do so at once. */
    argand_status (*apply)(const void *state, const fft_problem *problem, argand_device *device,
                           const fft_call *call);
    /* Prepares short calls in that direction; `run` is NULL if the state has none. NULL: the engine has
     * none. */
    fft_brief (*brief)(const void *state, argand_direction direction);
    void (*print)(const void *state, text *t);
    void (*destroy)(void *state); /* NULL is allowed */

    /* ---- for the planner; each of these may be NULL ---- */

    /* Writes the names of this problem's variants, at most `most`, and returns their number. A name is a
     * text like "16x16 P16 T8" or "fftw", without tabs and line ends, the same every time, because wisdom
     * stores it. `create` makes the first one. NULL: there is only that one. */
    int (*variants)(const fft_problem *problem, argand_device *device, char (*names)[FFT_VARIANT_CHARS],
                    int most);
    /* the model cannot distinguish its variants: the first is used unless they are measured */
    bool alike;
    /* Makes a state, as `create` does, with the given variant. NULL: there are no variants. */
    argand_status (*create_variant)(void **state, const fft_problem *problem, argand_device *device,
                                    const char *variant);
    /* Returns the part of a variant from the first word on that create_variant does not know, whatever the
     * problem; NULL: it knows all. The function may be NULL. */
    const char *(*unknown)(const char *variant);
    /* Prepares variants that will be made one after the other: does slow work for all of them at once,
     * such as compiling. only: for each variant, as in the problem; NULL: all for both directions. The
     * function may be NULL. */
    void (*precompile)(const fft_problem *problem, argand_device *device, const char *const *variants,
                       const int *only, int count);
    /* Requests the kernels of that variant from the background (device.h) if not all of them can be had
     * without the compiler; otherwise leaves *request NULL. NULL: create does not compile. */
    argand_status (*request)(kernel_request **request, const fft_problem *problem, argand_device *device,
                             const char *variant);
    /* Returns true if `create` compiles no kernels: the engine can serve until those of another one are
     * compiled. NULL: it compiles. */
    bool (*is_immediate)(const fft_problem *problem, argand_device *device);
    /* Writes at most `most` names that differ from that variant in one choice and that `variants` need not
     * list. MEASURE tries them around the fastest variant while there is time. NULL: there are none. */
    int (*nearby)(const fft_problem *problem, argand_device *device, const char *variant,
                  char (*names)[FFT_VARIANT_CHARS], int most);
    /* For engines that choose parts by themselves: writes the variant with which create_variant makes this
     * state again, of at most FFT_VARIANT_CHARS with its NUL ("" if it is too long). `variants` need not
     * list it. NULL: the variant that the state was made with. */
    void (*chosen)(const void *state, const fft_problem *problem, char name[FFT_VARIANT_CHARS]);
    /* Lists the passes of that variant ("": the first), before anything is made, for contiguous arrays or
     * the problem's axes. The list is zeroed by the caller. Passes beyond FFT_MOST_PASSES are added to the
     * last one. NULL: unknown, and never preferred. */
    void (*passes)(const fft_problem *problem, argand_device *device, const char *variant,
                   argand_direction direction, fft_passes *list);
    /* Adds details that only the made plan has: radices, algorithms. NULL: none. */
    void (*detail)(const void *state, const fft_problem *problem, fft_passes *list);
    /* Returns the reason why ESTIMATE prefers other engines; NULL if its priority is not low. MEASURE
     * times its first variant all the same. */
    const char *(*low_priority)(const fft_problem *problem, argand_device *device);
    /* Returns the work memory of one call, in bytes of the device (of the host for engines there). NULL:
     * none. */
    int64_t (*workspace)(const void *state, const fft_problem *problem, argand_device *device,
                         argand_direction direction);
    /* Returns the operations of a line of n points forward and inverse in one pass of columns, in
     * butterflies of single precision. They include the loss of few blocks. HUGE_VAL: the line does not
     * fit in such a pass. NULL: unknown. */
    double (*line_operations)(int64_t n, argand_device *device);
    /* Sets the order of an axis in the spectrum (or in the signal), if the problem allows a scrambled
     * order there. Leaves *order unchanged for natural order. NULL: always natural. */
    void (*order)(const void *state, const fft_problem *problem, bool spectrum, int axis,
                  struct fft_order *order);
} fft_engine;

/* order.c: sets the order of a line that is done as a matrix of n1 rows of n2: frequency k1 + n1 k2 at k1
 * n2 + k2. */
void order_of_matrix(struct fft_order *order, int64_t n1);

extern const fft_engine fft_engine_passes, fft_engine_cufft, fft_engine_native, fft_engine_general;
/* Engines of plans with accessors, on hosts and on devices. They are not in the table, because there is no
 * choice: on devices the first that can do the problem is used. */
extern const fft_engine fft_engine_access, fft_engine_fused, fft_engine_staged;

/* Returns true if ARGAND_FFT_ENGINE names this engine. Then no other engine of the device is used, and its
 * priority is not low. */
bool engine_is_wanted(const char *name);
/* plan.c: all engines, ended by NULL; among equal candidates the first one is used. */
extern const fft_engine *const fft_engines[];

/* contiguous.c: runs the call on contiguous copies of its arrays on `compute_device`. */
argand_status packed_apply(const fft_engine *engine, const void *state, const fft_problem *problem,
                           argand_device *compute_device, const fft_call *call);

#endif
