/* SPDX-License-Identifier: BSD-3-Clause */
/* What a NUFFT plan holds. Three parts, each made once and then only read:
 *   layout  the oversampled grid, window, deapodisation and FFT lines; it depends on the density of points
 *   points  sorted positions and the list of tasks
 *   spare   scratch memory kept from the last call
 *
 * Grid cells hold `lanes` complex numbers: one (a single vector) or as many as fill 64 bytes (a batch of
 * vectors). The grid is cut into tiles; a point belongs to the tile of the first cell that its window
 * touches, so it needs that tile and width - 1 cells more on each axis: the padded tile, which is what
 * kernels see. */
#ifndef NUFFT_PLAN_H
#define NUFFT_PLAN_H

#include <argand/nufft.h>
#include <stdatomic.h>
#include "array/array.h"
#include "base/cpu.h"
#include "base/status.h"
#include "fft/cpu/bundle/bundle.h"
#include "nufft/window.h"

enum { CELL_BYTES = 64, COLOURS = 8 };

/* One or many vectors side by side in a cell. */
typedef enum lane_mode { LANES_ONE, LANES_MANY } lane_mode;

typedef struct layout {
    int rank, axes; /* axes with a window; and of the image, one more where it is planes (stack.h) */
    bool is_double;
    int64_t image[3], grid[3]; /* 1 beyond the axes */
    window window;
    double expected_error, rounding; /* the second is a part of the first */
    void *coefficients;              /* of the window in the plan's precision, rows of taps */
    int taps;                        /* width rounded up to whole vectors */
    void *deapodise[3];              /* 1 / transform of the window, for each pixel of an axis; reals */
    int64_t
        span[3]; /* cells where windows can begin, which tiles cut: the grid, but of half of it see below */
    int64_t tiles[3];                  /* even, or 1: tiles of the same colour never share a cell */
    int64_t padded[3];                 /* padded tile */
    _Atomic(fft_bundle *) lines[2][3]; /* [lane_mode][axis]; see layout_prepare */
    int many;                          /* lanes of a 64-byte cell */
    bool half; /* the image is real, so of grid[0] cells, an even number, grid[0] / 2 + 1 are kept */
    /* For half a grid: points are folded so that their windows begin in cells -before to grid[0] / 2 + 1 -
     * before. Rows have margins for the other cells that windows touch; cells below 0 are at the row's
     * end. */
    int before;
    void *twiddles; /* of half: exp(-2 pi i k / grid[0]), k to grid[0] / 4 */
} layout;

/* A range of sorted points in one tile. Tiles with very many points are several tasks, added in order. */
typedef struct task {
    int64_t first, count;
    int64_t tile[3];
    int64_t slot; /* of the tile, in the order of tickets */
    int part;     /* which task of its tile */
} task;

typedef struct points {
    int64_t count;
    uint32_t *order; /* sorted position -> the caller's index */
    int32_t *cell;   /* first cell touched, in the padded tile */
    uint8_t *folded; /* of half a grid: 1 where the point is at -k, whose sample is the conjugate */
    void *u[3];      /* position for the window's polynomials, in [-1, 1]; reals */
    task *tasks;     /* by colour */
    int64_t task_first[COLOURS + 1];
    int64_t slots; /* tiles that have points */
    bool *used[3]; /* of each axis: whether a tile with points holds grid cells there */
    size_t bytes;
} points;

typedef struct workspace {
    size_t grid_bytes, tile_bytes, line_bytes;
    int threads, places; /* that a call uses; that there is memory for */
    int64_t slots;
    void *grid;
    char *tiles;         /* two for each thread: its tile, and one that is zero, for a crowded cell */
    char *lines;         /* one for each thread */
    atomic_int *tickets; /* one for each tile with points */
} workspace;

/* Takes the place of `points` on devices that the host cannot address (gpu/gpu.h) */
typedef struct nufft_gpu nufft_gpu;
/* Takes the place of both if an axis of the points is Cartesian (stack.h) */
typedef struct nufft_stack nufft_stack;

/* The grid, the width and the shape for a tolerance */
typedef struct choice {
    int64_t grid[3], planes; /* planes: 1 where all axes have a window */
    int width;
    double shape, aliasing;
    double rounding, corner_rounding; /* of white data; of a corner's pixel */
    double rise;                      /* of errors by deapodisation, at the edge of the worst axis */
} choice;

enum { OVERSAMPLINGS = 12 }; /* to choose from */

/* The windows that oversamplings need, which do not depend on points: those that were asked for so far */
typedef struct choices {
    bool known[OVERSAMPLINGS];
    choice of[OVERSAMPLINGS];
} choices;

struct argand_nufft {
    argand_device *device;
    argand_nufft_options options; /* with defaults filled in */
    bool planes;     /* the last of three axes has whole k and no window (stack.h); set before points are */
    bool is_slab;    /* grid and window are given (slab.h): they do not depend on the number of points */
    double scale[3]; /* of the caller's positions, to k of the exponent -2 pi i k r in cycles/FOV */
    layout *layout;
    choice chosen; /* for so many points */
    double chosen_for;
    choices choices;
    points *points;     /* NULL before the first argand_nufft_set_points */
    nufft_gpu *gpu;     /* likewise, where device is not the host's: points, and all but the layout */
    nufft_stack *stack; /* likewise, where an axis is Cartesian */
    _Atomic(workspace *) spare;
};

/* grid/layout.c */
argand_status layout_create(layout **out, const argand_nufft_options *options, const choice *c, bool planes);
/* Makes the lines of that mode, where they are not there yet: planning long ones takes time, and many plans
 * need one mode alone. */
argand_status layout_prepare(const layout *l, lane_mode mode);
void layout_destroy(layout *l);
size_t layout_bytes(const layout *l);
/* Lanes of a cell, and cells from one row and one plane of the grid to the next */
int layout_lanes(const layout *l, lane_mode mode);
int64_t layout_kept(const layout *l); /* cells of a row that are transformed */
/* For half a grid: returns the kept cell that a margin's cell equals, or (mirrored) whose conjugate at -y,
 * -z it is */
int64_t layout_home(const layout *l, int64_t cell, bool *mirrored);
int64_t layout_row(const layout *l, lane_mode mode);
int64_t layout_plane(const layout *l, lane_mode mode);
int64_t layout_tile_start(const layout *l, int axis, int64_t tile);

/* grid/choice.c */
double choice_error(const choice *c); /* expected, relative l2 */
/* among: {0}, or of a call before with the same options and planes */
void choice_make(choice *best, choices *among, const argand_nufft_options *options, double points_count,
                 bool on_gpu, bool planes);
/* Returns the predicted time of one of `vectors` vectors in one direction, by one thread of a host with
 * AVX-512 */
double choice_seconds(const argand_nufft_options *options, double points_count, double vectors);
/* For experiments: sets *value if ARGAND_NUFFT_SHAPE has the key (docs/internals/nufft.md lists the keys). */
void nufft_tuning_value(const char *word, int *value);

/* Returns how many of `threads` a call with so many vectors at once is worth: small ones would wait longer
 * for the others to wake than these save. */
int choice_threads(const argand_nufft *plan, double points_count, int vectors, int threads);

/* Returns the predicted nanoseconds of one vector, by one thread. */
double choice_nanoseconds(const argand_nufft *plan, double points_count);

/* plan.c */
argand_status nufft_check_options(const argand_nufft_options *o);
/* Replaces zeros by defaults, and sets the scale of positions (argand_nufft). */
void nufft_fill_defaults(argand_nufft_options *o, double scale[3]);
argand_status plan_check_points(const argand_nufft *plan);
/* Makes a plan for about so many points. It has no share in the device, which outlives it; plan_free takes it
 * back. Options are checked, and have no defaults left to fill in; scale: see argand_nufft. */
argand_status plan_make(argand_nufft **plan, argand_device *device, const argand_nufft_options *options,
                        const double scale[3], double points_count);
void plan_free(argand_nufft *plan); /* NULL is allowed */
void plan_free_points(argand_nufft *plan);
argand_status plan_check_device(argand_device *device, const argand_nufft_options *options);
/* Elements from one position to the next: more than one dimension is contiguous. */
static inline int64_t positions_step(const argand_array *k)
{
    return argand_array_is_contiguous(k) ? 1 : k->strides[0];
}

int64_t plan_points(const argand_nufft *plan);              /* 0 before argand_nufft_set_points */
argand_status plan_check_complex(const argand_nufft *plan); /* refuses real images */
/* Whether real images are transformed as complex ones: of stacks whose planes are alike. */
bool plan_widens(const argand_nufft *plan);
/* Checks the plan and returns one with a window on every axis, for calls that use the window alone. */
argand_status plan_with_window(const argand_nufft **whole, const argand_nufft *plan);

#endif
