/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT of devices that the host cannot address: points, window and plans of the FFT as its kernels want
 * them (kernels/nufft), made when points are set. Both directions are the same steps:
 *
 *     image -> FFT plan, which deapodises, shifts and pads -> grid -> interpolate -> samples
 *     samples -> sort -> spread -> grid -> FFT plan, which crops, shifts and deapodises -> image
 *
 * Vectors lie side by side in the grid's cells, at most GPU_VECTORS: a round. Launches have some rounds, each
 * with a grid of its own, of `batch` vectors at most. Of real images half of the grid is there
 * (kernels/nufft/margins.krn), whose rows are all that steps but the FFT see. */
#ifndef NUFFT_GPU_GPU_H
#define NUFFT_GPU_GPU_H

#include <pthread.h>
#include "array/array.h"
#include "kernels/nufft/params.h"
#include "nufft/on_device.h"

enum { GPU_LANES = 6, GPU_VECTORS = 32, GPU_ROUNDS = 16, GPU_CHUNK = 1024, GPU_BATCH = 32, GPU_KEY = 256 };

/* How spreading cuts the grid for a number of vectors: blocks of `segments` rows of cells along x, y and z.
 * tensor: as matrix products (kernels/nufft/spread_tensor.krn). */
typedef struct gpu_shape {
    int lanes, segments, y, z;
    bool tensor;
} gpu_shape;

/* The blocks of a shape, and the parts of those that are crowded. */
typedef struct gpu_blocks {
    gpu_shape shape;
    int64_t blocks[3], count;
    int64_t parts;                   /* in all */
    storage *crowded, *part, *found; /* as block_parts.krn leaves them; NULL: not made yet */
} gpu_blocks;

/* Transforms of some vectors at a time; NULL: not made yet */
typedef struct gpu_transforms {
    argand_fft *to_grid, *to_image;
} gpu_transforms;

struct nufft_gpu {
    argand_device *device;
    bool is_double;
    bool has_tensor, tensor_brief; /* whether matrix units serve; and 16 bits of the factors */
    bool waits;                    /* for its own kernels, as in the plan's options */
    bool overlaps;                 /* launches of calls may start before the one before has ended */
    bool whole_work;               /* another grid is announced for the FFT */
    bool is_again;          /* points are set again without a wait: parts are as many as there can be */
    int rank, axes;         /* as in the layout */
    int width, terms, left; /* left: tiles along x that a window can reach */
    double scale[3];        /* of positions */
    int64_t n[3], grid[3], tiles[3], cells, pixels, rows;
    int64_t full;          /* of half a grid: cells of a whole row; else 0 */
    storage *coefficients; /* [terms][width] */
    /* the same with zeros before them: as many terms as every window of this width has (plan.c) */
    int most_terms;
    storage *most_coefficients;
    argand_array *deapodise[3];
    int deapodise_exponent; /* no pixel is multiplied by more than 2 to this */
    int64_t count;
    storage *order, *keys, *u, *row; /* row: as params.h says */
    storage *folded;                 /* of half a grid: a byte for each of the caller's points */
    pthread_mutex_t lock;            /* for what follows */
    gpu_blocks blocks[GPU_LANES];
    gpu_blocks tile_parts;                              /* the same of tiles, for spreading by these */
    gpu_transforms transforms[GPU_ROUNDS][GPU_VECTORS]; /* of 1, 2 ... rounds, vectors; made on first use */
    call_graph *graph[2];                               /* of one vector's calls: apply, adjoint */
    atomic_uint wanted[2];         /* [adjoint]: bit v - 1: kernels for v vectors were asked for */
    atomic_int batch;              /* most vectors at a time; fewer once memory was too little */
    size_t vector_bytes;           /* of one of them */
    _Atomic(const char *) failure; /* why a kernel of its own cannot be built; NULL: none failed */
    size_t padded_bytes;           /* most for padded tiles at a time, where these serve */
};

/* launch.c: returns the parameters that all launches on these points share. */
struct nufft_params gpu_params(const nufft_gpu *g);
argand_status gpu_start(const nufft_gpu *g, const char *key, int64_t groups, storage *const *memory,
                        int memory_count, const struct nufft_params *params);
/* The same of a kernel that waits for earlier launches itself (EARLIER_DONE). */
argand_status gpu_start_early(const nufft_gpu *g, const char *key, int64_t groups, storage *const *memory,
                              int memory_count, const struct nufft_params *params);

/* locate.c: the caller's positions, where gpu_positions_device wants them, to keys and order of g, and to u;
 * points are in the caller's order */
argand_status gpu_locate(const nufft_gpu *g, storage *u, argand_array *const k[]);
/* The key of the kernel that locates points on devices with doubles. */
void gpu_print_locate(char key[GPU_KEY], const nufft_gpu *g, argand_type positions);
/* sort.c: the same positions to order, keys, u and row, all sorted */
argand_status gpu_sort(nufft_gpu *g, argand_array *const k[]);
/* The same into the memory of the points before, without a check. */
argand_status gpu_sort_again(nufft_gpu *g, argand_array *const k[]);
size_t gpu_sort_bytes(const nufft_gpu *g); /* while it runs, besides what is kept */
/* blocks.c: the blocks for some vectors, made on first use */
argand_status gpu_blocks_for(gpu_blocks **out, nufft_gpu *g, int vectors);
argand_status gpu_tile_parts(gpu_blocks **out, nufft_gpu *g);
/* The keys of the kernels that find the parts of tiles. */
void gpu_print_parts(char totals[GPU_KEY], char parts[GPU_KEY], const nufft_gpu *g);
/* Makes those that there are once more, for points that were set again. */
argand_status gpu_blocks_again(nufft_gpu *g);
/* Most memory that parts of crowded blocks take for each of `least` vectors or more; how many parts tiles can
 * have */
size_t gpu_parts_bytes(const nufft_gpu *g, int least);
size_t gpu_lists_bytes(const nufft_gpu *g);
int64_t gpu_most_tile_parts(const nufft_gpu *g);
void gpu_blocks_free(gpu_blocks *b);
int gpu_tensor_lanes(int vectors);      /* that matrix products have of some vectors */
int gpu_most_lanes(const nufft_gpu *g); /* that spreading keeps for each of many vectors */
int gpu_lanes(int vectors);             /* items side by side that have a point's vectors */
gpu_shape gpu_shape_of(const nufft_gpu *g, int vectors);
void gpu_shape_print(char *text, size_t size, const nufft_gpu *g, const gpu_shape *s);
/* transforms.c */
argand_status gpu_transforms_for(gpu_transforms *out, nufft_gpu *g, int vectors, int rounds);
void gpu_transforms_free(gpu_transforms *t);
argand_status gpu_deapodise(nufft_gpu *g, const layout *l);
/* Some vectors of samples */
typedef struct gpu_samples {
    const argand_array *array;
    int64_t offset, vector_stride; /* in elements: of the first vector, from one to the next */
    int vectors, rounds;           /* vectors of each round */
} gpu_samples;
/* launch.c. b: blocks of the launch; NULL: none */
struct nufft_params gpu_samples_params(const nufft_gpu *g, const gpu_samples *s, const gpu_blocks *b);
/* Returns true if kernel `general` takes the place of `own` in a call (kernel_gives_way). */
bool gpu_gives_way(const nufft_gpu *g, const char *own, const char *general);
const char *gpu_real_name(const nufft_gpu *g);
int gpu_image_parts(const nufft_gpu *g); /* of a pixel */
/* spread.c, interpolate.c. scales: as the next one makes them; NULL: matrix units do not serve */
argand_status gpu_spread(nufft_gpu *g, argand_array *grid, const gpu_samples *s);
argand_status gpu_interpolate(nufft_gpu *g, const gpu_samples *s, const argand_array *grid, storage *scales);
/* Have the kernels built in the background that these will need for so many vectors. */
void gpu_want_spread(const nufft_gpu *g, int vectors);
void gpu_want_interpolate(const nufft_gpu *g, int vectors);
bool gpu_interpolates_by_tensor(const nufft_gpu *g, int vectors);
/* margins.c: of half a grid, filled from the cells that are kept; added to those */
argand_status gpu_fill_margins(const nufft_gpu *g, argand_array *grid, int vectors, int rounds);
argand_status gpu_add_margins(const nufft_gpu *g, argand_array *grid, int vectors, int rounds);
/* scales.c: factors of some vectors of samples, whose largest number decides */
argand_status gpu_scales(storage *scales, const nufft_gpu *g, const gpu_samples *s, int lanes,
                         const struct nufft_params *p);
/* The key of its kernel that depends on the lanes; sum: of the next one. */
void gpu_print_scale(char key[GPU_KEY], bool sum, int lanes);
/* and of the grids of some contiguous images, of which the first begins at `first` */
argand_status gpu_scales_of_image(storage **scales, const nufft_gpu *g, const argand_array *image,
                                  int64_t first, int vectors, int rounds);
/* tiles.c: shared memory that a group may take, in bytes: no more than the smallest chips with matrix units
 * have, where the device must be asked for it, so that more groups run at a time; the part of it that a
 * launch gives; whether that many vectors are spread so; what it wants; doing it */
enum { GPU_GROUP_MEMORY = 99 << 10 };
size_t gpu_group_memory(const nufft_gpu *g);
size_t gpu_given_bytes(const nufft_gpu *g, size_t bytes);
bool gpu_tiles_serve(const nufft_gpu *g, int vectors);
size_t gpu_tiles_bytes(const nufft_gpu *g); /* for padded tiles */
void gpu_want_tiles(const nufft_gpu *g);
argand_status gpu_spread_tiles(nufft_gpu *g, argand_array *grid, const gpu_samples *s,
                               struct nufft_params *p);

/* move.c: images in the FFT's order to and from centred ones; grids whose cells hold all vectors, from and to
 * the caller's. `vectors` of them, the caller's from `first` numbers on. */
argand_status gpu_move_image(nufft_gpu *g, argand_array *centred, const argand_array *caller, int64_t first,
                             int vectors, bool to_caller);
argand_status gpu_move_grid(nufft_gpu *g, argand_array *grid, const argand_array *caller, int64_t first,
                            int vectors, bool is_centred, bool to_caller);

#endif
