/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of fft/tile/tile.krn for each launch; operand 0 is the input, 1 the output. Offsets and
 * strides count complex numbers in complex layouts, and reals in real ones. */
#define TILE_LOOPS_MOST 6

struct tile_params {
    INDEX n[TILE_LOOPS_MOST];       /* tiles along each loop */
    INDEX loop[2][TILE_LOOPS_MOST]; /* stride between tiles along each loop */
    INDEX stride[2][3];             /* strides along the tile's dimensions */
    INDEX at[2];                    /* offset of the first tile */
    INDEX pair[2];                  /* distance between the two reals of a pair */
    INDEX lines;                    /* number of lines in loop 0, if tiles hold lines */
    INDEX tables;                   /* start of the pass's twiddles */
    INDEX chirp_points, chirp_step; /* a long convolution: points of a line; index step along the tile */
    /* single precision: 2^64 / n of the long line, unsigned; double: the bits of pi / (2 n) */
    INDEX interpass_unit;
    INDEX chirp_unit; /* 2^64 / (2 chirp_points) */
    struct kernel_scalar factor;
    int shift[2][3]; /* element i of the transform lies at (i + shift) mod size */
    /* start of the fine and of the coarse twiddle table; in double without tables: [0] is n */
    int interpass_tables[2];
    int inverse, chirp; /* chirp: start of the chirp, or of the spectrum, in the tables */
    int real[3], real_loop[TILE_LOOPS_MOST]; /* index steps in the real line: along the tile, and the loops */
};
SAME_LAYOUT(tile_params, 376);

/* Several passes in one launch (fft/persistent/passes.krn). */
struct passes_params {
    struct tile_params pass[3];
    /* stride between chunks of input and output, in reals; for a ring, between slots */
    INDEX step[3][2];
    INDEX outer[3][2];        /* stride between sets of `inner` chunks */
    INDEX chunks, ring;       /* ring: slots of work memory */
    int groups[3];            /* groups of one chunk */
    int step_groups, tickets; /* groups of one step; tickets of the launch */
    int groups_at_work;       /* groups that draw tickets */
    int lag;                  /* steps between consecutive passes of a chunk */
    int inner;
};
SAME_LAYOUT(passes_params, 1272);

/* The two passes of a cluster (fft/cluster/cluster.krn). */
struct cluster_params {
    struct tile_params pass[2];
};
SAME_LAYOUT(cluster_params, 752);

/* The three passes of a cluster's convolution (fft/cluster/convolution.krn). */
struct cluster_convolution_params {
    struct tile_params pass[3];
};
SAME_LAYOUT(cluster_convolution_params, 1128);
