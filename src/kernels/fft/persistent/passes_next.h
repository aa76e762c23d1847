/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the passes of a wave: each copy of the passes' text comes after this. */
#if !defined(BOX_PASS)
#define BOX_PASS 0
#elif BOX_PASS == 0
#undef BOX_PASS
#define BOX_PASS 1
#else
#undef BOX_PASS
#define BOX_PASS 2
#endif
