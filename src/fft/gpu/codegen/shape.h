/* SPDX-License-Identifier: BSD-3-Clause */
/* All that an FFT kernel is compiled for: a tile and its stages (kernels/fft/tile/tile.krn). */
#ifndef FFT_GPU_CODEGEN_SHAPE_H
#define FFT_GPU_CODEGEN_SHAPE_H

#include "fft/gpu/codegen/pass_access.h"
#include "fft/gpu/convolution/convolution.h"
#include "fft/gpu/radix/radices.h"
#include "kernels/params.h"
#include "kernels/fft/params.h"

typedef struct tile_stage {
    int radix, axis, length; /* length: L, the product of the radices before it along the axis */
    int twiddles;            /* offset of its twiddle table */
    /* Layout in shared memory after the stage: rows have stride `pitch`, and `padding` elements stay
     * unused after every `padding_interval` elements along the axis. */
    int pitch, padding_interval, padding;
} tile_stage;

typedef enum load_kind { IN_COMPLEX, IN_REAL, IN_PAIRS, IN_HALF, IN_HALF_PACKED, IN_HALF_PLANE } load_kind;
typedef enum store_kind {
    OUT_COMPLEX,
    OUT_REAL,
    OUT_PAIRS,
    OUT_HALF,
    OUT_HALF_PACKED,
    OUT_HALF_PLANE
} store_kind;

/* The pairs of a pass with half spectra of planes (kernels/fft/tile/half_plane.krn). */
typedef enum plane_pairs {
    PLANE_NONE,
    PLANE_ALONG_ROWS,
    PLANE_ALONG_COLUMNS,
    PAIRS_OF_ROWS,
    PAIRS_OF_PLANES,
    PLANE_WITHOUT_PAIRS,
    PAIRS_OF_ODD_PLANES
} plane_pairs;

/* Role of a pass in a convolution that is too long for a tile. CHIRP_IN and CHIRP_OUT multiply element
 * `along step + number` by the chirp on load or store, and treat elements from `points` on as zero.
 * CHIRP_MIDDLE multiplies the spectrum `number + along n1` and transforms it back. */
typedef enum chirp_part { CHIRP_NONE, CHIRP_IN, CHIRP_OUT, CHIRP_MIDDLE } chirp_part;

/* Pass without stages that converts between half spectra of real lines and spectra of their pairs
 * (kernels/fft/real_fold.krn). */
typedef enum fold_kind { FOLD_NONE, FOLD_FORWARD, FOLD_INVERSE } fold_kind;

/* Parameters of a kernel; see the head of kernels/fft/tile/tile.krn. */
typedef struct tile_shape {
    int size[3];
    int threads, points_per_thread;
    int min_blocks; /* blocks requested on each multiprocessor; 0: chosen by the compiler */
    /* number of persistent blocks (kernels/fft/persistent/blocks.krn); 0: one block for each tile */
    int persistent_blocks;
    int split; /* points of the next tile that persistent blocks prefetch into shared memory */
    /* bits: bulk copies move whole tiles: 1 on store, 2 on load (fft/persistent/bulk.krn) */
    int bulk_copy;
    int stays; /* bits: stages before which every thread keeps its points in registers */
    int stages;
    /* back: stages of a convolution's inverse transform */
    tile_stage stage[TILE_STAGES], back[TILE_STAGES];
    int in_fast, mid_fast, out_fast;
    int lines; /* dimension of the lines; 3: none */
    bool ragged, wide, rotate, before_store;
    int shift[2][3]; /* circular shifts of input and output, in points */
    int loops;
    /* streaming access: 1 for loads, 2 for stores; 4: the launch itself writes what it reads */
    int streaming;
    int prefetch_distance;  /* prefetch distance, in blocks; 0: no prefetch */
    int constant_stride[2]; /* strides of dimension 1 that are constants; 0: not constant */
    bool plain;             /* results are not scaled in this pass */
    int prefetch_at_store;  /* prefetch only at the store */
    int unit;               /* bits: unit strides that the kernel has as constants */
    int exchange_mode, shared_elements;
    int counted; /* loop whose line number the kernel knows: 1: loop 0, 2: loop 1; 0: none */
    int twiddle, twiddle_axis, twiddle_shift, twiddle_from;
    chirp_part chirp;
    load_kind in_kind;
    store_kind out_kind;
    int real_points, real_axis, real_twiddles;
    fold_kind fold;
    plane_pairs plane;
    /* mirrored: 1 or 2 if a thread has points of a packed half spectrum with their mirror images */
    int mirrored, real_lines;
    int adjacent; /* bits: pairs of reals are one access: 1 on load, 2 on store */
    line_convolution convolution;
    int convolution_axis, convolution_table, spectrum_table, wrap_table, origin;
    pass_access access[3]; /* operands: load, store, and the spectrum in between */
    int mirror;            /* bits: dimensions of the tile along which X[-k] is at -k */
    /* for tiles of lines and their images: the loop of which half is enough, because the rest are images */
    int halved;
    int dims, arguments; /* number of coordinates; number of launch arguments */
    bool falling;        /* tiles in falling order (line_job.order 2) */
    int next_line;       /* line at which tiles begin; the lines before it come last */
    /* bits: dimensions whose strides windows supply; from bit 3 on: for the store */
    int still;
    int at_part; /* the coordinate along which calls are done in parts; -1: none */
    /* the coordinate in which chunks of persistent passes continue, after at_with_n points of at_part */
    int at_with;
    int64_t at_with_n;
    /* shift that a cluster's first half applies while it sends its results to the second */
    int sent_shift;
    int rotated[2];             /* index of the butterfly of thread 0 in the first and in the last stage */
    int tiles[TILE_LOOPS_MOST]; /* loop counts that are constants of the kernel; 0: not constant */
    bool factors;               /* the array of the load chain passes through shared memory */
    /* several tiles read the same large array, so that caches should keep it */
    bool kept_arrays;
    /* first_count tiles along loop first_loop come first in the launch order; 0: order of loops */
    int first_loop, first_count;
    /* the coordinate that grows along each dimension and loop, from 1 on; 0: none */
    int at_dim[3 + TILE_LOOPS_MOST];
    int64_t at_step[3 + TILE_LOOPS_MOST];
    const char *const *own; /* kernel text of each set of user chains, by name */
    int filled;             /* for Bluestein's lines: points along the axis before the line's end */
    int chirp_angle;        /* bits: the chirp is computed: 1 on load, 2 on store */
    bool rader;             /* the pass belongs to a long convolution by Rader's algorithm */
    bool spread; /* for Rader's lines: shared memory has the conflict-free order of rader_places.c */
    /* twiddle factors of long stages: 0 tables, 1 products of a few table elements, 2 products of computed
     * ones */
    int twiddle_source;
    bool looped; /* a convolution's forward and inverse stages are equal, and one loop in the kernel */
} tile_shape;

/* Returns true if the pass has accessors. */
static inline bool tile_has_access(const tile_shape *s)
{
    return s->access[0].on || s->access[1].on || s->access[2].on;
}

/* Returns true if the pass transforms, multiplies, and transforms back. */
static inline bool tile_convolves(const tile_shape *s)
{
    return s->convolution.kind || s->chirp == CHIRP_MIDDLE || s->access[2].on;
}

/* Returns true if the dimension is transformed, false if it only counts lines. */
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

/* Returns true if the pass transforms pairs of reals, applies a chain to their half spectrum, and
 * transforms back. */
static inline bool tile_is_real_round_trip(const tile_shape *s)
{
    return s->in_kind == IN_PAIRS && s->out_kind == OUT_PAIRS;
}

/* Returns true if tiles have lines together with the lines that hold X[-k]. */
static inline bool tile_has_images(const tile_shape *s)
{
    return s->access[2].image.rank > 0;
}

/* Returns 2 if half of a tile's consecutive lines are mirror images of the others, else 1. */
static inline int tile_fold(const tile_shape *s)
{
    return s->mirrored == 2 || tile_has_images(s) ? 2 : 1;
}

/* Returns the stage of a mirrored shape in which threads have butterflies in pairs. */
static inline const tile_stage *tile_paired_stage(const tile_shape *s)
{
    return &s->stage[s->in_kind == IN_HALF_PACKED ? 0 : s->stages - 1];
}

#endif
