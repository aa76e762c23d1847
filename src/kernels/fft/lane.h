/* SPDX-License-Identifier: BSD-3-Clause */
/* In kernels each item transforms its own points. */
#define LANE REAL
