/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the passes of persistent passes: each copy of the passes' text comes after this. */
#if !defined(PASS_NUMBER)
#define PASS_NUMBER 0
#elif PASS_NUMBER == 0
#undef PASS_NUMBER
#define PASS_NUMBER 1
#else
#undef PASS_NUMBER
#define PASS_NUMBER 2
#endif
