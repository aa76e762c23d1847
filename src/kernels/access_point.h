/* SPDX-License-Identifier: BSD-3-Clause */
/* A chain of accessors on one number. Set when compiled:
 *   TYPE      of the array, as argand_type counts (1 float, 2 double, 3 and 4 two of them, 5 half, 6 two, 7 bfloat16, 8 two, 9 byte)
 *   RANK      transformed axes; DIMS, with the loops, is ACCESS_RANK: those that are not there have length 1
 *   REALS     1: the numbers are real (a real transform's)
 *   LINKS     accessors, and of accessor i: KIND_i (1 scalar, 2 array, 3 a function of the user's own), CONJ_i, CALL_i (its name)
 * Functions of the user's own see this file and portable.h; their text stands between this one and the kernel. */
struct access_point {
    INDEX i[ACCESS_RANK];         /* place in the array, or frequency, on each axis; then loops */
    REAL p[ACCESS_NUMBERS];       /* the accessor's parameters */
    const GLOBAL REAL *data;      /* its array */
};

#if defined(REAL_IS_DOUBLE) && defined(__CUDACC__)
#define ACCESS_REAL(bits) __longlong_as_double(bits)
#elif defined(REAL_IS_DOUBLE) && defined(GPU)
#define ACCESS_REAL(bits) as_double(bits)
#else
#define ACCESS_REAL(bits) ACCESS_FLOAT((UINT)(bits))
#endif

#if TYPE == 2 || TYPE == 4
#define ACCESS_STORED double
#elif TYPE == 1 || TYPE == 3
#define ACCESS_STORED float
#elif TYPE == 9
#define ACCESS_STORED unsigned char
#else
#define ACCESS_STORED unsigned short
#endif

#if TYPE == 5 || TYPE == 6
#define ACCESS_DECODE(x) ((REAL)access_from_half(x))
#define ACCESS_ENCODE(x) ((unsigned short)access_to_half((float)(x)))
#elif TYPE == 7 || TYPE == 8
#define ACCESS_DECODE(x) ((REAL)access_from_bfloat(x))
#define ACCESS_ENCODE(x) ((unsigned short)access_to_bfloat((float)(x)))
#elif TYPE == 9
#define ACCESS_DECODE(x) ((REAL)(x))
#define ACCESS_ENCODE(x) ((unsigned char)access_to_byte((float)(x)))
#else
#define ACCESS_DECODE(x) ((REAL)(x))
#define ACCESS_ENCODE(x) ((ACCESS_STORED)(x))
#endif
#define ACCESS_PAIRS (TYPE == 3 || TYPE == 4 || TYPE == 6 || TYPE == 8)

/* Element `at` of the array. */
DEVICE struct pair access_get(const GLOBAL ACCESS_STORED *x, INDEX at, INDEX imaginary)
{
    if (ACCESS_PAIRS) return make_pair(ACCESS_DECODE(x[2 * at]), ACCESS_DECODE(x[2 * at + 1]));
    return make_pair(ACCESS_DECODE(x[at]), imaginary ? ACCESS_DECODE(x[at + imaginary]) : (REAL)0);
}

DEVICE void access_put(GLOBAL ACCESS_STORED *y, INDEX at, INDEX imaginary, struct pair v)
{
    if (ACCESS_PAIRS) {
        y[2 * at] = ACCESS_ENCODE(v.re);
        y[2 * at + 1] = ACCESS_ENCODE(v.im);
        return;
    }
    y[at] = ACCESS_ENCODE(v.re);
    if (imaginary) y[at + imaginary] = ACCESS_ENCODE(v.im);
}

DEVICE struct pair access_times(struct pair v, REAL re, REAL im)
{
    return make_pair(v.re * re - v.im * im, v.re * im + v.im * re);
}

/* v times the array's element beside the point. */
DEVICE struct pair access_product(struct pair v, const GLOBAL REAL *a, const struct access_point *at,
                                  const struct access_params *p, const int link, const int conjugate)
{
    INDEX offset = 0;
    UNROLL for (int d = 0; d < DIMS; d++) offset += at->i[d] * p->link_stride[link][d];
    a += p->link_at[link];
    if (p->real_array[link] == 1) return make_pair(v.re * a[offset], v.im * a[offset]);
    return access_times(v, a[2 * offset], conjugate ? -a[2 * offset + 1] : a[2 * offset + 1]);
}

DEVICE void access_take(struct access_point *at, const GLOBAL REAL *a, const struct access_params *p, const int link)
{
    UNROLL for (int i = 0; i < ACCESS_NUMBERS; i++) at->p[i] = ACCESS_REAL(p->numbers[link][i]);
    at->data = a + p->link_at[link];
}
