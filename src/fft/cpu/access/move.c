/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves, conversions and products of accessors; compiled for each precision and instruction set. The plain
 * type moves whole cache lines: neighbouring columns are transposed into lines four by four in registers. */
#include <stdint.h>
#include <string.h>
#include "kernels/portable.h"
#include "kernels/access/types.h"
#include "fft/cpu/access/move.h"
#include "fft/cpu/access/halves.h"
#include "fft/cpu/line/transpose.h"

#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define PRAGMA_IVDEP /* Clang does not know the pragma */
#else
#define PRAGMA_IVDEP _Pragma("GCC ivdep") /* points are changed where they are, or are elsewhere */
#endif

typedef struct point_pair {
    REAL re, im;
} point_pair;
typedef float float_anywhere __attribute__((aligned(1), may_alias));
typedef double double_anywhere __attribute__((aligned(1), may_alias));
typedef uint16_t short_anywhere __attribute__((aligned(1), may_alias));

/* One stored real. */
INLINE REAL get(const char *at, argand_type type)
{
    switch (type) {
    case ARGAND_R16:
    case ARGAND_C16:
        return (REAL)access_from_half(*(const short_anywhere *)at);
    case ARGAND_RB16:
    case ARGAND_CB16:
        return (REAL)access_from_bfloat(*(const short_anywhere *)at);
    case ARGAND_U8:
        return (REAL) * (const unsigned char *)at;
    case ARGAND_R64:
    case ARGAND_C64:
        return (REAL) * (const double_anywhere *)at;
    default:
        return (REAL) * (const float_anywhere *)at;
    }
}

INLINE void put(char *at, argand_type type, REAL x)
{
    switch (type) {
    case ARGAND_R16:
    case ARGAND_C16:
        *(short_anywhere *)at = (uint16_t)access_to_half((float)x);
        break;
    case ARGAND_RB16:
    case ARGAND_CB16:
        *(short_anywhere *)at = (uint16_t)access_to_bfloat((float)x);
        break;
    case ARGAND_U8:
        *(unsigned char *)at = (unsigned char)access_to_byte((float)x);
        break;
    case ARGAND_R64:
    case ARGAND_C64:
        *(double_anywhere *)at = (double)x;
        break;
    default:
        *(float_anywhere *)at = (float)x;
    }
}

#if REAL_BITS == 32
typedef REAL eight __attribute__((vector_size(32)));

/* to[j][i] = f from[i][j], 4 x 4; steps in bytes between rows. */
INLINE void transpose_block(char *to, int64_t to_step, const char *from, int64_t from_step, REAL f)
{
    four r[4];
    for (int i = 0; i < 4; i++) r[i] = *(const four_anywhere *)(from + i * from_step);
    transpose(r);
    for (int i = 0; i < 4; i++) *(four_anywhere *)(to + i * to_step) = (four)((eight)r[i] * f);
}
#endif

/* Complex points of the transform's own type, i of each row, j from row to row; steps in bytes, `rows` rows
 * of `count`. One of the two steps i may be a point's size in one of them and j in the other: then whole
 * blocks are transposed. */
INLINE void move_plain(char *to, int64_t to_i, int64_t to_j, const char *from, int64_t from_i, int64_t from_j,
                       int64_t count, int64_t rows, REAL f)
{
    int64_t whole_count = 0, whole_rows = 0;
#if REAL_BITS == 32
    const int64_t size = sizeof(point_pair);
    const bool to_columns = (to_i == size && from_j == size), to_rows = (to_j == size && from_i == size);
    if (to_columns || to_rows) {
        whole_count = count / 4 * 4;
        whole_rows = rows / 4 * 4;
    }
    for (int64_t i = 0; i < whole_count; i += 4)
        for (int64_t j = 0; j < whole_rows; j += 4) {
            if (to_columns)
                transpose_block(to + i * to_i + j * to_j, to_j, from + i * from_i + j * from_j, from_i, f);
            else
                transpose_block(to + i * to_i + j * to_j, to_i, from + i * from_i + j * from_j, from_j, f);
        }
#endif
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = i < whole_count ? whole_rows : 0; j < rows; j++) {
            point_pair x;
            memcpy(&x, from + i * from_i + j * from_j, sizeof x);
            x = (point_pair){x.re * f, x.im * f};
            memcpy(to + i * to_i + j * to_j, &x, sizeof x);
        }
}

#if HALVES_AT_ONCE
static void read_halves(REAL *to, const char *from, int64_t reals)
{
    int64_t i = 0;
    for (; i + HALVES_AT_ONCE <= reals; i += HALVES_AT_ONCE)
        if (!convert_from(to + i, from + 2 * i))
            for (int64_t k = i; k < i + HALVES_AT_ONCE; k++) to[k] = get(from + 2 * k, ARGAND_R16);
    for (; i < reals; i++) to[i] = get(from + 2 * i, ARGAND_R16);
}

static void write_halves(char *to, const REAL *from, int64_t reals, REAL f)
{
    int64_t i = 0;
    for (; i + HALVES_AT_ONCE <= reals; i += HALVES_AT_ONCE)
        if (!convert_to(to + 2 * i, from + i, f))
            for (int64_t k = i; k < i + HALVES_AT_ONCE; k++) put(to + 2 * k, ARGAND_R16, f * from[k]);
    for (; i < reals; i++) put(to + 2 * i, ARGAND_R16, f * from[i]);
}
#endif

/* Reads a line. The compiler knows the type, whether the parts are separate, and the stride (0: as given). */
INLINE void read_line(REAL *restrict to, int width, const char *from, argand_type type, int64_t stride,
                      int64_t imaginary, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        to[width * i] = get(from + i * stride, type);
        if (width == 2) to[width * i + 1] = imaginary ? get(from + i * stride + imaginary, type) : 0;
    }
}

INLINE void write_line(char *to, argand_type type, int64_t stride, int64_t imaginary,
                       const REAL *restrict from, int width, int64_t count, REAL f)
{
    for (int64_t i = 0; i < count; i++) {
        put(to + i * stride, type, f * from[width * i]);
        if (width == 2 && imaginary) put(to + i * stride + imaginary, type, f * from[width * i + 1]);
    }
}

/* Bytes from one part to the other in pairs, 0 for real types. */
INLINE int64_t part_of(argand_type type)
{
    return type == ARGAND_C32                          ? 4
           : type == ARGAND_C64                        ? 8
           : type == ARGAND_C16 || type == ARGAND_CB16 ? 2
                                                       : 0;
}

#define PLAIN_TYPE (REAL_BITS == 32 ? ARGAND_C32 : ARGAND_C64)

/* One case a type, so that each loop is compiled for its own; lines of neighbours (stride = size) separate
 * from others. */
#define EACH_TYPE(DO)       \
    switch (type) {         \
    case ARGAND_R32:        \
        DO(ARGAND_R32, 4);  \
        break;              \
    case ARGAND_R64:        \
        DO(ARGAND_R64, 8);  \
        break;              \
    case ARGAND_C32:        \
        DO(ARGAND_C32, 8);  \
        break;              \
    case ARGAND_C64:        \
        DO(ARGAND_C64, 16); \
        break;              \
    case ARGAND_R16:        \
        DO(ARGAND_R16, 2);  \
        break;              \
    case ARGAND_C16:        \
        DO(ARGAND_C16, 4);  \
        break;              \
    case ARGAND_RB16:       \
        DO(ARGAND_RB16, 2); \
        break;              \
    case ARGAND_CB16:       \
        DO(ARGAND_CB16, 4); \
        break;              \
    case ARGAND_U8:         \
        DO(ARGAND_U8, 1);   \
        break;              \
    }

static void read_typed(REAL *to, int width, const char *from, argand_type type, int64_t stride,
                       int64_t imaginary, int64_t count)
{
#if HALVES_AT_ONCE
    if ((type == ARGAND_C16 && stride == 4 && width == 2) ||
        (type == ARGAND_R16 && stride == 2 && width == 1)) {
        read_halves(to, from, width * count);
        return;
    }
#endif
#define READ(t, size)                                                                          \
    {                                                                                          \
        if (stride == size && width == 1)                                                      \
            read_line(to, 1, from, t, size, 0, count);                                         \
        else if (stride == size && part_of(t))                                                 \
            read_line(to, 2, from, t, size, part_of(t), count);                                \
        else if (stride == size)                                                               \
            read_line(to, 2, from, t, size, imaginary, count);                                 \
        else                                                                                   \
            read_line(to, width, from, t, stride, part_of(t) ? part_of(t) : imaginary, count); \
    }
    EACH_TYPE(READ)
#undef READ
}

static void write_typed(char *to, argand_type type, int64_t stride, int64_t imaginary, const REAL *from,
                        int width, int64_t count, REAL f)
{
#if HALVES_AT_ONCE
    if ((type == ARGAND_C16 && stride == 4 && width == 2) ||
        (type == ARGAND_R16 && stride == 2 && width == 1)) {
        write_halves(to, from, width * count, f);
        return;
    }
#endif
#define WRITE(t, size)                                                                             \
    {                                                                                              \
        if (stride == size && width == 1)                                                          \
            write_line(to, t, size, 0, from, 1, count, f);                                         \
        else if (stride == size && part_of(t))                                                     \
            write_line(to, t, size, part_of(t), from, 2, count, f);                                \
        else if (stride == size)                                                                   \
            write_line(to, t, size, imaginary, from, 2, count, f);                                 \
        else                                                                                       \
            write_line(to, t, stride, part_of(t) ? part_of(t) : imaginary, from, width, count, f); \
    }
    EACH_TYPE(WRITE)
#undef WRITE
}

void VARIANT(access_read)(const access_buffer *to, int64_t at, const access_lines *from, int64_t lines,
                          int64_t count)
{
    REAL *first = (REAL *)to->at + to->width * at;
    const int64_t size = (int64_t)sizeof(point_pair);
    if (from->type == PLAIN_TYPE && from->stride == size) {
        for (int64_t l = 0; l < lines; l++)
            memcpy(first + l * to->pitch, from->at + l * from->line_stride, (size_t)(count * size));
        return;
    }
    if (from->type == PLAIN_TYPE) {
        move_plain((char *)first, size, to->pitch * (int64_t)sizeof(REAL), from->at, from->stride,
                   from->line_stride, count, lines, 1);
        return;
    }
    for (int64_t l = 0; l < lines; l++)
        read_typed(first + l * to->pitch, to->width, from->at + l * from->line_stride, from->type,
                   from->stride, from->imaginary, count);
}

void VARIANT(access_write)(const access_lines *to, const access_buffer *from, int64_t at, int64_t lines,
                           int64_t count, double factor)
{
    const REAL *first = (const REAL *)from->at + from->width * at;
    const int64_t size = (int64_t)sizeof(point_pair);
    if (to->type == PLAIN_TYPE && to->stride != size) {
        move_plain(to->at, to->stride, to->line_stride, (const char *)first, size,
                   from->pitch * (int64_t)sizeof(REAL), count, lines, (REAL)factor);
        return;
    }
    for (int64_t l = 0; l < lines; l++)
        write_typed(to->at + l * to->line_stride, to->type, to->stride, to->imaginary,
                    first + l * from->pitch, from->width, count, (REAL)factor);
}

/* x may be y. */
INLINE void multiply(point_pair *x, const point_pair *y, const REAL *restrict a, int64_t stride, bool real,
                     REAL sign, int64_t count)
{
    PRAGMA_IVDEP for (int64_t i = 0; i < count; i++)
    {
        const point_pair v = y[i];
        if (real) {
            const REAL w = a[i * stride];
            x[i] = (point_pair){v.re * w, v.im * w};
        } else {
            const REAL re = a[2 * i * stride], im = sign * a[2 * i * stride + 1];
            x[i] = (point_pair){v.re * re - v.im * im, v.re * im + v.im * re};
        }
    }
}

INLINE void multiply_reals(REAL *x, const REAL *y, const REAL *restrict a, int64_t stride, int64_t count)
{
    PRAGMA_IVDEP for (int64_t i = 0; i < count; i++) x[i] = y[i] * a[i * stride];
}

void VARIANT(access_read_times)(void *x, const void *y, int width, const access_product *p, int64_t count)
{
    const REAL *a = p->a;
    const REAL sign = p->conjugate ? -1 : 1;
    if (width == 1 && p->stride == 1)
        multiply_reals(x, y, a, 1, count);
    else if (width == 1)
        multiply_reals(x, y, a, p->stride, count);
    else if (p->real && p->stride == 1)
        multiply(x, y, a, 1, true, sign, count);
    else if (p->real)
        multiply(x, y, a, p->stride, true, sign, count);
    else if (p->stride == 1)
        multiply(x, y, a, 1, false, sign, count);
    else
        multiply(x, y, a, p->stride, false, sign, count);
}

void VARIANT(access_multiply)(void *x, int width, const access_product *p, int64_t count)
{
    VARIANT(access_read_times)(x, x, width, p, count);
}

void VARIANT(access_scale)(void *data, int width, argand_scalar s, argand_scalar c, int64_t count)
{
    const REAL re = (REAL)s.re, im = (REAL)s.im, c_re = (REAL)c.re, c_im = (REAL)c.im;
    if (width == 1)
        for (int64_t i = 0; i < count; i++) ((REAL *)data)[i] = ((REAL *)data)[i] * re + c_re;
    else
        for (int64_t i = 0; i < count; i++) {
            point_pair *x = (point_pair *)data + i;
            *x = (point_pair){x->re * re - x->im * im + c_re, x->re * im + x->im * re + c_im};
        }
}

void VARIANT(access_add)(void *x, const void *y, int width, int64_t count)
{
    for (int64_t i = 0; i < width * count; i++) ((REAL *)x)[i] += ((const REAL *)y)[i];
}
