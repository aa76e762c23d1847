/* SPDX-License-Identifier: BSD-3-Clause */
/* What fft/tile/tile.krn is given at each launch; operand 0 is the input, 1 the output. Offsets and strides
 * count complex numbers in complex layouts, reals in real ones. */
#define TILE_LOOPS_MOST 6

struct tile_params {
    INDEX n[TILE_LOOPS_MOST];       /* tiles along each loop */
    INDEX loop[2][TILE_LOOPS_MOST]; /* from one of them to the next */
    INDEX stride[2][3];             /* along the tile's dimensions */
    INDEX at[2];                    /* where the first tile begins */
    INDEX pair[2];                  /* from the first to the second real of a pair */
    INDEX lines;                    /* in loop 0, where tiles hold lines */
    INDEX tables;                   /* where the pass's twiddles begin */
    INDEX chirp_points, chirp_step; /* a long convolution's line, and how points along it count */
    /* 2^64 / the points of the long line whose part this is, as unsigned; in double pi / (2 points), bit for
     * bit */
    INDEX interpass_unit;
    INDEX chirp_unit; /* 2^64 / 2 chirp_points */
    struct kernel_scalar factor;
    int shift[2][3]; /* element i of the transform lies at (i + shift) mod size */
    /* where the fine and the coarse table of twiddles begin among them; without tables, in double: the
     * points */
    int interpass_tables[2];
    int inverse, chirp; /* where the chirp, or the spectrum, begins among the tables */
    int real[3],
        real_loop[TILE_LOOPS_MOST]; /* how indices of points in their real line grow along tile and loops */
};
SAME_LAYOUT(tile_params, 376);

/* Several passes in one launch (fft/persistent/passes.krn). */
struct passes_params {
    struct tile_params pass[3];
    /* reals from one chunk to the next, in the layout that is read and written; in a ring from one slot to
     * the next */
    INDEX step[3][2];
    INDEX outer[3][2];        /* and from the first one of `inner` chunks to that of the next as many */
    INDEX chunks, ring;       /* slots of work memory */
    int groups[3];            /* of one chunk */
    int step_groups, tickets; /* of one step, and of all */
    int groups_at_work;       /* that draw them */
    int lag;                  /* steps from one pass of a chunk to the next */
    int inner;
};
SAME_LAYOUT(passes_params, 1272);

/* Two passes of a cluster (fft/cluster/cluster.krn). */
struct cluster_params {
    struct tile_params pass[2];
};
SAME_LAYOUT(cluster_params, 752);

/* Three (fft/cluster/convolution.krn). */
struct cluster_convolution_params {
    struct tile_params pass[3];
};
SAME_LAYOUT(cluster_convolution_params, 1128);
