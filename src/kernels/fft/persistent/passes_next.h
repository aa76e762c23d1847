/* SPDX-License-Identifier: BSD-3-Clause */
/* Advances PASS_NUMBER. Each copy of a pass's text comes after this text. */
#if !defined(PASS_NUMBER)
#define PASS_NUMBER 0
#elif PASS_NUMBER == 0
#undef PASS_NUMBER
#define PASS_NUMBER 1
#else
#undef PASS_NUMBER
#define PASS_NUMBER 2
#endif
