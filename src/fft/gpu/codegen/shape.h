/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel of ours is compiled for: a tile and the stages that it goes through
 * (kernels/fft/tile/tile.krn). */
#ifndef FFT_GPU_CODEGEN_SHAPE_H
#define FFT_GPU_CODEGEN_SHAPE_H

#include "fft/gpu/codegen/pass_access.h"
#include "fft/gpu/convolution/convolution.h"
#include "fft/gpu/radix/radices.h"
#include "kernels/params.h"
#include "kernels/fft/params.h"

typedef struct tile_stage {
    int radix, axis, length; /* length: L, the product of the radices before it along the axis */
    int twiddles;            /* where its table begins */
    /* Of shared memory behind it: rows have stride `pitch`, and `padding` elements are left free every
     * `padding_interval` along the axis. */
    int pitch, padding_interval, padding;
} tile_stage;

typedef enum load_kind { IN_COMPLEX, IN_REAL, IN_PAIRS, IN_HALF, IN_HALF_PACKED } load_kind;
typedef enum store_kind { OUT_COMPLEX, OUT_REAL, OUT_PAIRS, OUT_HALF, OUT_HALF_PACKED } store_kind;

/* What a pass does for a convolution that is too long for a tile: element `along step + number` is multiplied
 * by the chirp and is nothing from `points` on, as it is loaded or stored; or, in the middle, the spectrum
 * `number + along n1` is multiplied and transformed again. */
typedef enum chirp_part { CHIRP_NONE, CHIRP_IN, CHIRP_OUT, CHIRP_MIDDLE } chirp_part;

/* A pass between half spectra of real lines and those of their pairs, without stages
 * (kernels/fft/real_fold.krn). */
typedef enum fold_kind { FOLD_NONE, FOLD_FORWARD, FOLD_INVERSE } fold_kind;

/* All that a kernel is compiled for; see the head of kernels/fft/tile/tile.krn. */
typedef struct tile_shape {
    int size[3];
    int threads, points_per_thread;
    int min_blocks;        /* blocks that a multiprocessor is to hold, 0: as it comes */
    int persistent_blocks; /* persistent blocks (kernels/fft/persistent/blocks.krn); 0: one for each tile */
    int split;             /* points of the next tile that these have a place of their own for */
    int bulk_copy; /* whether tiles are moved whole: 1 at store, 2 at load (fft/persistent/bulk.krn) */
    int stays;     /* bits: stages before which all of a thread's points are kept in its registers */
    int stages;
    tile_stage stage[TILE_STAGES], back[TILE_STAGES]; /* back: of a convolution's second transform */
    int in_fast, mid_fast, out_fast;
    int lines; /* dimension, 3: none */
    bool ragged, wide, rotate, before_store;
    int shift[2][3]; /* how far points are rotated in input and output */
    int loops;
    int streaming; /* memory that nobody wants soon: 1 read, 2 written; 4: the launch writes what is read */
    int prefetch_distance;  /* the block, so many later, that one prefetches for; 0: none */
    int constant_stride[2]; /* strides of dimension 1 that are constants; 0: not */
    bool plain;             /* results are not scaled here */
    int prefetch_at_store;  /* and only when its results are there */
    int unit;               /* strides that the kernel has as constants */
    int exchange_mode, shared_elements;
    int counted; /* 0; 1: the number of loop 0's line is known, 2: that of loop 1's */
    int twiddle, twiddle_axis, twiddle_shift, twiddle_from;
    chirp_part chirp;
    load_kind in_kind;
    store_kind out_kind;
    int real_points, real_axis, real_twiddles;
    fold_kind fold;
    int mirrored,
        real_lines; /* 1, 2: a packed half spectrum's points and their mirror images in one thread */
    int adjacent;   /* pairs of reals are one access: 1 on load, 2 on store */
    line_convolution convolution;
    int convolution_axis, convolution_table, spectrum_table, wrap_table, origin;
    pass_access access[3]; /* of the operands: what is loaded, what is stored, the spectrum in between */
    int mirror;            /* bits: dimensions of the tile along which X[-k] is at -k */
    int halved; /* of tiles of lines and their images: the loop of which half is enough, as the rest are
                        images */
    int dims, arguments; /* coordinates; elements that come with a launch */
    bool falling;        /* as line_job.order 2 */
    int next_line;       /* tiles begin with that line and end with the first ones */
    int still;           /* bits: dimensions whose strides are left to windows; from 3 on: of the store */
    int at_part;         /* the coordinate along which calls are done in parts; -1: none */
    int at_with;         /* where chunks of persistent passes go on, and after how many points of at_part */
    int64_t at_with_n;
    int sent_shift; /* of a cluster's first half: how far its results are moved on their way to the second */
    int rotated[2]; /* the butterfly of the first and of the last stage that thread 0 has */
    int tiles[TILE_LOOPS_MOST];  /* of the loops, where kernels have them as constants; 0: they have not */
    bool factors;                /* the load's array comes through shared memory */
    bool kept_arrays;            /* an array that is not small comes again and again */
    int first_loop, first_count; /* along that loop, not loop 0, so many tiles come first; 0: as numbered */
    int at_dim[3 + TILE_LOOPS_MOST]; /* the coordinate that grows along tile and loops, from 1 on; 0: none */
    int64_t at_step[3 + TILE_LOOPS_MOST];
    const char *const *own; /* texts of the user's own for each set of chains, by name */
    int filled;         /* of Bluestein's lines: points along the axis that are not beyond the line's end */
    int chirp_angle;    /* where the chirp is arithmetic: 1 load, 2 store */
    bool rader;         /* a long convolution's part is Rader's */
    bool spread;        /* Rader's lines: elements lie where they meet no conflicts, rader.c */
    int twiddle_source; /* of long stages: 0 tables, 1 some of them, and products, 2 these by arithmetic */
    bool looped; /* a convolution's stages are the same forward and inverse, and a loop in the kernel */
} tile_shape;

/* Whether the pass is one with accessors. */
static inline bool tile_has_access(const tile_shape *s)
{
    return s->access[0].on || s->access[1].on || s->access[2].on;
}

/* Whether the pass transforms, multiplies, and transforms back. */
static inline bool tile_convolves(const tile_shape *s)
{
    return s->convolution.kind || s->chirp == CHIRP_MIDDLE || s->access[2].on;
}

/* Whether a dimension is transformed: else it has lines. */
static inline bool tile_has_stages(const tile_shape *s, int axis)
{
    for (int i = 0; i < s->stages; i++)
        if (s->stage[i].axis == axis) return true;
    return false;
}

static inline int tile_points(const tile_shape *s)
{
    return s->size[0] * s->size[1] * s->size[2];
}

/* Pairs of reals there, half their spectrum in the middle, and back. */
static inline bool tile_is_real_round_trip(const tile_shape *s)
{
    return s->in_kind == IN_PAIRS && s->out_kind == OUT_PAIRS;
}

/* Whether tiles have lines and those where X[-k] is. */
static inline bool tile_has_images(const tile_shape *s)
{
    return s->access[2].image.rank > 0;
}

/* Of a tile's lines that follow each other: which part; the others are mirror images. */
static inline int tile_fold(const tile_shape *s)
{
    return s->mirrored == 2 || tile_has_images(s) ? 2 : 1;
}

/* Of a mirrored shape, the one whose threads have butterflies in pairs. */
static inline const tile_stage *tile_paired_stage(const tile_shape *s)
{
    return &s->stage[s->in_kind == IN_HALF_PACKED ? 0 : s->stages - 1];
}

#endif
