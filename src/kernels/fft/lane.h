/* SPDX-License-Identifier: BSD-3-Clause */
/* On devices each item transforms its own points. */
#define LANE REAL
