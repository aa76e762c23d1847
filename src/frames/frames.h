/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of argand_frames. ring.c keeps the newest readouts, compressed; take.c brings them to the
 * device; calibrate.c makes all that frames need, weights.c and maps.c a part of it each; model.c has the
 * operator of a frame, solve.c its iterations; refresh.c estimates new maps in a thread; frames.c has the
 * public functions. */
#ifndef FRAMES_FRAMES_H
#define FRAMES_FRAMES_H

#include <argand/frames.h>
#include <pthread.h>
#include <stdatomic.h>
#include "base/memory_pool.h"
#include "base/status.h"

enum { FRAMES_MOST_MERGED = 4, FRAMES_MOST_EARLIER = 4 };

/* Readouts on the host: samples complex {samples, coils}, positions {samples} each. */
typedef struct frames_ring {
    int64_t capacity, samples;
    int coils;
    float *data, *k[2];
} frames_ring;

argand_status ring_create(frames_ring *r, int64_t capacity, int64_t samples, int coils);
void ring_free(frames_ring *r);
float *ring_data(const frames_ring *r, int64_t readout);
float *ring_k(const frames_ring *r, int axis, int64_t readout);
/* Copies `count` readouts from `first` on: data {samples, count, coils}, k[axis] {samples, count}. */
void ring_copy(const frames_ring *r, int64_t first, int64_t count, float *data, float *const k[2]);

/* The same on a device that the host cannot address, where they go one by one as they come. */
typedef struct frames_taken {
    argand_array *ring;        /* real {samples x (2 coils + 2), slots}; NULL on the host */
    argand_array *data, *k[2]; /* views: complex {samples, slots, coils}; real {samples, slots} */
    float *staging;            /* a readout on the host */
    int64_t slots, first, end; /* readouts `first` to `end - 1` are there, each in slot readout % slots */
} frames_taken;

/* The operator for frames of `windows` windows, with its memory. */
typedef struct frames_model {
    int64_t readouts, points;
    argand_nufft *plan; /* owned by `op` */
    argand_op *op;      /* SENSE */
    argand_array *k[2], *data, *product, *weighted;
    argand_array *weight, *weights; /* of the points; a view that repeats them for all coils */
    struct device_graph *graph;     /* of a frame; NULL: its launches go one by one */
} frames_model;

/* Positions, data and weights of a set of readouts on a device, for calibration and new maps. */
typedef struct frames_estimate {
    argand_device *device;
    argand_nufft *plan;
    argand_array *k[2], *data, *weight, *images, *maps;
    float *host, *host_k[2];
    int64_t readouts;
} frames_estimate;

/* Total variation over time; NULL and 0 without it. */
typedef struct frames_tv {
    argand_array *earlier[FRAMES_MOST_EARLIER]; /* the newest first */
    argand_array *difference, *target, *share, *weight;
    double corner;
} frames_tv;

/* New maps, made by a thread. */
typedef struct frames_refresh {
    pthread_t thread;
    pthread_cond_t wake;
    bool runs, asked, ready, ends;
    int64_t first; /* readout from which they are estimated */
    frames_estimate estimate;
    float *maps, *used; /* complex {n, coils}: aligned; those that they are aligned with */
} frames_refresh;

struct argand_frames {
    argand_device *device, *host;
    argand_frames_options options;
    int64_t calibrating, most_windows;
    double *times;
    argand_array *field_map, *given_maps, *known_maps, *known_matrix;
    /* shared by the threads that push, run and estimate maps */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    frames_ring raw, ring; /* the calibration's readouts as they came; all later ones, compressed */
    int64_t pushed;        /* readouts */
    int64_t start;         /* readout with which frame 0 begins; -1: not calibrated */
    bool passing;          /* a readout is being pushed that is not kept, as frames did not begin before */
    bool prepared;         /* plans, kernels and memory are there */
    bool failed;
    double compress_seconds;
    /* of the thread that runs */
    memory_pool *pool, *push_pool; /* the second one is the pushing thread's */
    double loaded, set;            /* times at which the readouts of a frame were copied, its points set */
    float *matrix; /* complex {coils, channels}, row-major: the channels of a virtual coil are adjacent */
    argand_array *matrix_array;
    float *sample_weights; /* of a readout */
    frames_taken taken;
    argand_array *maps;
    frames_model models[FRAMES_MOST_MERGED];
    argand_array *image, *s, *p, *work, *numbers;
    frames_tv tv;
    int64_t next; /* number of the frame after the last one made */
    int64_t made, dropped, refreshed;
    double energy, diagonal;
    int terms;
    argand_radial_delay delay;
    frames_refresh refresh;
};

/* calibrate.c: makes plans, compiled kernels and memory from the positions of the first window, so that they
 * are there when the calibration's last readout comes. */
argand_status frames_prepare(argand_frames *f);
/* Makes all that frames need from the raw readouts. */
argand_status frames_calibrate(argand_frames *f);
/* options.c: checks options and fills in defaults */
argand_status frames_options_check(argand_frames_options *o);
/* weights.c: density weights of the samples of a readout, the mean over these readouts */
argand_status frames_weights(float *weights, argand_frames *f, argand_array *const k[2], int64_t readouts);
/* compress.c: data {samples, channels} -> {samples, coils} */
void frames_compress(float *to, const float *matrix, const float *data, int64_t samples, int channels,
                     int coils);

/* maps.c: coil maps from readouts */
argand_status estimate_create(frames_estimate *e, argand_frames *f, argand_device *device, int64_t readouts,
                              int coils);
/* Makes the weights for the positions in k. */
argand_status estimate_weights(frames_estimate *e, argand_frames *f);
/* Makes the maps from k and data. Overwrites data. */
argand_status estimate_run(frames_estimate *e);
void estimate_free(frames_estimate *e);
/* Gives new maps the phase of the old ones in each pixel, so that images do not jump. */
void maps_align(float *fresh, const float *old, int64_t pixels, int coils);

/* model.c */
argand_status frames_model_create(frames_model *m, argand_frames *f, int64_t windows);
/* Takes the weights of samples. */
argand_status frames_model_weigh(frames_model *m, const argand_frames *f);
void frames_model_free(frames_model *m);
/* take.c: returns true if the ring still has this readout, and the one that is being pushed does not
 * overwrite it. The lock is held. */
bool ring_holds(const argand_frames *f, int64_t first);
/* Takes readouts from the ring into a model. there: false if newer readouts have
 * overwritten them; then nothing is taken. For the thread that runs, like the others of take.c. */
argand_status frames_load(argand_frames *f, frames_model *m, int64_t first, bool *there);
argand_status taken_create(argand_frames *f);
void taken_free(frames_taken *t);
/* Returns true if readouts have come that are not on the device. The lock is held. */
bool frames_has_new(const argand_frames *f);
/* Brings the newest readouts to the device. */
argand_status frames_take(argand_frames *f);
/* Forgets what is on the device: the ring has other readouts of the same numbers. */
void frames_forget(argand_frames *f);

/* solve.c: sets the points of the readouts that were taken, and updates f->image by their samples. previous:
 * weight of the difference to the image before; negative: none, and no total variation. */
argand_status frames_solve(argand_frames *f, frames_model *m, int iterations, double previous);
/* The same with the options' numbers, as a graph if the model has one. */
argand_status frames_make(argand_frames *f, frames_model *m);
/* Records the graph of a frame, if the device is the caller's alone and has graphs. */
argand_status frames_record(argand_frames *f, frames_model *m);

/* tv.c: arrays; after the first image, its size and what stands for earlier frames; at the beginning of a
 * frame; after its first steps, the quadratic's weights and target, relative to the diagonal of A^H W A */
argand_status tv_create(argand_frames *f);
argand_status tv_measure(argand_frames *f);
argand_status tv_remember(argand_frames *f);
argand_status tv_weigh(argand_frames *f, double diagonal);
void tv_free(frames_tv *t);

/* refresh.c */
/* Starts the thread, if new maps are asked for. like: the calibration's estimate. */
argand_status refresh_create(argand_frames *f, const frames_estimate *like);
void refresh_ask(argand_frames *f, int64_t first);
/* Takes maps that are ready. */
argand_status refresh_take(argand_frames *f, bool *taken);
void refresh_end(argand_frames *f);

#endif
