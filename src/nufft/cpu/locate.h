/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that sort points, compiled for each precision and instruction set. The places of points are
 * computed once, in doubles, and stored in the arrays that later hold the sorted points, so they need no
 * memory. */
#ifndef NUFFT_CPU_LOCATE_H
#define NUFFT_CPU_LOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/cpu.h"

typedef struct locate_axis {
    const void *k;  /* the caller's positions */
    int64_t stride; /* elements from one to the next */
    bool is_double;
    double scale;                      /* to cycles per field of view */
    double n, grid, tiles;             /* whole numbers */
    double half_width;                 /* how far before a point its window begins */
    double span;                       /* cells that tiles cut */
    double padded;                     /* cells of a padded tile */
    double per_n, per_grid, per_span;  /* 1 / n, 1 / grid, 1 / span */
    double tiles_a_cell, cells_a_tile; /* tiles / span, span / tiles */
    double limit;                      /* below this |k| everything is exact in doubles; negative: nowhere */
} locate_axis;

typedef struct locate_job {
    int rank, axes; /* with a window; one more of planes */
    bool fold;      /* points beyond the first axis' span to -k */
    locate_axis axis[3];
    uint32_t *tile; /* of each point, in the caller's order */
    int32_t *cell;  /* its first cell in the padded tile */
    void *u[3];     /* its place between cells */
    uint8_t *folded;
    char *records; /* of all points, by tile: see RECORD_BYTES */
} locate_job;

/* A point on its way: its index (the highest bit: folded, where that is done), its first cell in the padded
 * tile, its place between cells on each axis. */
#define RECORD_BYTES(rank, real) (8 + (size_t)(rank) * (real))

/* Sorts the records of one tile by cell */
typedef struct tile_sort {
    int rank;
    const char *records;
    int64_t count;
    uint32_t cells;
    uint32_t *counts;  /* cells + 1 of them, 0 before and after */
    uint32_t *between; /* as many as points that are fewer than cells */
    uint32_t *order;
    int32_t *cell;
    uint8_t *folded; /* NULL where points are not */
    void *u[3];
} tile_sort;

/* Sorts few points of few tiles by tile and cell in one step: with a counter for each cell of each tile */
typedef struct direct_sort {
    const locate_job *located; /* job->tile is overwritten */
    int64_t count, tiles;
    uint32_t cells;      /* of a tile */
    uint32_t *counts;    /* tiles * cells of them, 0 before */
    int64_t *tile_first; /* tiles + 1, written */
    uint32_t *order;     /* the sorted points */
    int32_t *cell;
    uint8_t *folded; /* NULL where points are not */
    void *u[3];
} direct_sort;

/* Places of points begin to end - 1, and counts[tile]++ unless counts is NULL; returns a position that is not
 * finite, or -1. */
CPU_DECLARE(int64_t, nufft_locate_points, const locate_job *job, int64_t begin, int64_t end, int64_t *counts);
/* Moves the records of points begin to end - 1 to next[tile]++. */
CPU_DECLARE(void, nufft_move_points, const locate_job *job, int64_t begin, int64_t end, int64_t *next);
CPU_DECLARE(void, nufft_sort_tile, const tile_sort *sort);
CPU_DECLARE(void, nufft_sort_direct, const direct_sort *sort);

#endif
