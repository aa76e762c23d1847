/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss quadrature for weighted points: replaces many points by few. */
#ifndef SEGMENTS_GAUSS_H
#define SEGMENTS_GAUSS_H

enum { GAUSS_MOST_NODES = 24, GAUSS_MOST_POINTS = 256 };

/* Replaces `points` weighted points (weights > 0), in place, by at most `nodes` points within their range
 * that have the same sums over all polynomials of degree below 2 nodes. Returns the new number. If there
 * are at most `nodes` points, they stay. */
int gauss_compress(double *x, double *weight, int points, int nodes);

#endif
