/* SPDX-License-Identifier: BSD-3-Clause */
/* Four by four complex numbers of single precision in registers, each moved as if it were a double. */
#ifndef FFT_CPU_LINE_TRANSPOSE_H
#define FFT_CPU_LINE_TRANSPOSE_H

typedef double four __attribute__((vector_size(32)));
typedef four four_anywhere __attribute__((aligned(4), may_alias));

static inline __attribute__((always_inline)) void transpose(four *r)
{
    const four a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),
               b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7),
               c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6),
               d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#endif
