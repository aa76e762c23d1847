/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss quadrature for weighted points: few points that stand for many. */
#ifndef SEGMENTS_GAUSS_H
#define SEGMENTS_GAUSS_H

enum { GAUSS_MOST_NODES = 24, GAUSS_MOST_POINTS = 256 };

/* Replaces `points` weighted points (weights > 0) in place by at most `nodes` others of the same sums over
 * all polynomials of degree below 2 nodes, within the points' range; returns how many they are. Fewer points
 * than that are left as they are. */
int gauss_compress(double *x, double *weight, int points, int nodes);

#endif
