/* SPDX-License-Identifier: BSD-3-Clause */
/* frames.h: images while the scan goes on. Readouts are pushed one by one; each window of them is a frame:
 *
 *     argand_frames_create(&frames, device, &(argand_frames_options){
 *         .n = {128, 128}, .channels = 32, .samples = 256, .window = 34, .step = 17});
 *     argand_frames_push(frames, samples, k);                  // the receiving thread, for each readout
 *     while (argand_frames_wait(frames, 1)) {                  // another thread, or the same
 *         argand_frames_run(frames, image, &about);
 *         if (about.number >= 0) show(image);
 *     }
 *
 * The first readouts calibrate. The first call of argand_frames_run with a window of them makes plans,
 * kernels, segments of the field map and memory, while others come. The first call that has all makes the
 * matrix that compresses the channels, density weights, coil maps and gradient delays. Then frames follow,
 * from the next readout on. A frame minimises
 *
 *     1/2 |W^1/2 (y - A x)|^2 + temporal d/2 |x - previous|^2,
 *
 * with d the diagonal of A^H W A, by a fixed number of CG steps from the previous frame. On a CPU it
 * allocates nothing, opens no file and compiles nothing. No frame waits: if several are complete, the newest
 * is made, and the others are dropped or merged with it (argand_late), and counted.
 *
 * With temporal_tv half of the steps (rounded up) come first, and as many follow with total variation over
 * time in place of the second term: the mean over earlier frames of temporal_tv d psi(|x - earlier|), where
 * psi is r^2/2 for small differences and linear for large ones.
 *
 * Limits: two axes, one slice, one set of maps; readouts of equal length and times; 65536 readouts of a
 * frame. Threads: one thread pushes, one runs; both may be the same. New maps are estimated by a thread of
 * the object, if they are asked for. Refused with ARGAND_ARGUMENT: sizes out of range, arrays of another
 * shape, type or device; with ARGAND_NUMERIC: samples or positions that are not finite, a calibration
 * without signal. After a failed calibration the object takes no more readouts. NULL: see argand.h; about,
 * field_map, times and maps may be NULL. */
#ifndef ARGAND_FRAMES_H
#define ARGAND_FRAMES_H

#include "calib.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What happens to complete frames that would be late, because newer ones are complete, too. */
typedef enum argand_late {
    ARGAND_LATE_DROP = 0, /* they are not made */
    ARGAND_LATE_MERGE = 1 /* the newest frame also takes their readouts, up to four windows of them */
} argand_late;
ARGAND_API const char *argand_late_name(argand_late late); /* "drop", "merge"; or "unknown" */

/* Zero means default. */
typedef struct argand_frames_options {
    int64_t n[2];       /* pixels */
    int channels;       /* of the readouts */
    int64_t samples;    /* of a readout */
    int window;         /* readouts of a frame */
    int step;           /* readouts from one frame to the next; 0: window */
    int calibration;    /* readouts that calibrate; 0: six windows */
    int coils;          /* virtual coils; 0: 8, or as many as there are channels */
    int iterations;     /* CG steps of a frame; 0: 5 */
    double temporal;    /* weight of the difference to the previous frame; 0: 0.02; negative: none */
    double temporal_tv; /* weight of the total variation over time; 0: none. 4 suits 1/8 of the readouts */
    int tv_frames;      /* earlier frames of the total variation, up to 4; 0: 1 */
    double tolerance;   /* of the NUFFT; 0: 1e-3 */
    argand_late late;
    /* Estimate new maps each so many frames, in a thread of its own; 0: never. Not with maps. The old maps
     * stay if that fails, or if the readouts are overwritten before the thread has copied them. */
    int refresh;
    /* Estimate gradient delays from the calibration and correct all positions. The readouts are spokes. */
    bool delays;
    /* No other thread uses the device while frames are made. Then a frame is one CUDA graph on devices that
     * have them (argand_frames_info.graph). */
    bool alone;
    /* Results of an earlier calibration (argand_frames_maps, argand_frames_info.delay), in place
     * of new estimates: both arrays or none, and not with maps. Without refresh, the default of
     * `calibration` is then a window. */
    const argand_array *known_maps;   /* complex {n, virtual coils} */
    const argand_array *known_matrix; /* complex {virtual coils, channels} */
    argand_radial_delay known_delay;  /* used with delays */
    const argand_array *field_map;    /* real {n}, rad/s */
    const double *times;              /* s, one for each sample of a readout; required with a field map */
    const argand_array *maps;         /* complex {n, channels}; NULL: estimated */
} argand_frames_options;

/* Stages of a frame. COMPRESS is the time of the last push. */
typedef enum argand_frame_stage {
    ARGAND_FRAME_COMPRESS,
    ARGAND_FRAME_TAKE,
    ARGAND_FRAME_POINTS,
    ARGAND_FRAME_SOLVE,
    ARGAND_FRAME_STORE,
    ARGAND_FRAME_STAGES
} argand_frame_stage;
ARGAND_API const char *argand_frame_stage_name(argand_frame_stage stage); /* "set points"; or "unknown" */

typedef struct argand_frame {
    int64_t number;      /* from 0, dropped frames included; -1: no frame was made */
    int64_t first, last; /* its readouts, counted from the first push */
    int64_t dropped;     /* frames that were dropped, or merged with this one, directly before it */
    bool fresh_maps;     /* it is the first frame with new maps */
    double seconds[ARGAND_FRAME_STAGES];
} argand_frame;

typedef struct argand_frames_info {
    int64_t pushed, made, dropped; /* readouts; frames; frames that were not made or merged */
    int64_t start;                 /* readout with which frame 0 begins; -1 before the calibration */
    int64_t refreshed;             /* how often new maps were taken */
    int coils;                     /* virtual coils */
    double energy;                 /* part of the calibration's energy that these keep; 0: known_matrix */
    int segments;                  /* terms of the field map; 0 without one */
    argand_radial_delay delay;     /* in samples; zeros unless asked for */
    bool graph;                    /* a frame is one CUDA graph */
    /* energy, segments, delay and graph are 0 before the calibration */
} argand_frames_info;

typedef struct argand_frames argand_frames;

ARGAND_API ARGAND_MUST_USE argand_status argand_frames_create(argand_frames **frames, argand_device *device,
                                                              const argand_frames_options *options);
/* Takes a readout: complex floats {samples, channels}, sample fastest, and its positions in cycles per
 * field of view. Never waits for a frame. */
ARGAND_API ARGAND_MUST_USE argand_status argand_frames_push(argand_frames *frames, const float *samples,
                                                            const float *const k[2]);
/* Waits until argand_frames_run has work, at most so many seconds. Returns true if it has. */
ARGAND_API bool argand_frames_wait(argand_frames *frames, double seconds);
/* Prepares and calibrates if this was not done and there are enough readouts; otherwise makes the newest
 * complete frame, or uploads readouts of the next one if all complete frames were made. image: C32 {n} on
 * the device; unchanged if no frame was made. */
ARGAND_API ARGAND_MUST_USE argand_status argand_frames_run(argand_frames *frames, argand_array *image,
                                                           argand_frame *about);
/* For any thread. */
ARGAND_API void argand_frames_describe(const argand_frames *frames, argand_frames_info *info);
/* Creates copies of the coil maps in use, C32 {n, virtual coils}, and of the matrix that compresses the
 * channels, C64 {virtual coils, channels}; the caller destroys them. ARGAND_ARGUMENT: before the calibration.
 * For the thread that runs. Either pointer may be NULL. */
ARGAND_API ARGAND_MUST_USE argand_status argand_frames_maps(const argand_frames *frames, argand_array **maps,
                                                            argand_array **matrix);
ARGAND_API void argand_frames_destroy(argand_frames *frames); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
