/* SPDX-License-Identifier: BSD-3-Clause */
/* One element between memory and a transform: its coordinates, and its storage in arrays. User functions
 * see this file and portable.h; their text stands between this file and the kernel. */
struct access_point {
    INDEX i[ACCESS_RANK];    /* index in the array, or frequency, on each axis; then loops */
    REAL p[ACCESS_NUMBERS];  /* the accessor's parameters */
    const GLOBAL REAL *data; /* its array */
};

#if defined(REAL_IS_DOUBLE) && (defined(__CUDACC__) || defined(__HIP__))
#define ACCESS_REAL(bits) __longlong_as_double(bits)
#elif defined(REAL_IS_DOUBLE) && defined(GPU)
#define ACCESS_REAL(bits) as_double(bits)
#else
#define ACCESS_REAL(bits) ACCESS_FLOAT((UINT)(bits))
#endif

/* Returns element `at` of the array; imaginary: distance to its imaginary part, 0: none. */
DEVICE struct pair access_get(const GLOBAL void *x, INDEX at, INDEX imaginary, const int type)
{
    if (ACCESS_PAIRS(type))
        return make_pair(access_decode(x, 2 * at, type), access_decode(x, 2 * at + 1, type));
    return make_pair(access_decode(x, at, type),
                     imaginary ? access_decode(x, at + imaginary, type) : (REAL)0);
}

DEVICE void access_put(GLOBAL void *y, INDEX at, INDEX imaginary, struct pair v, const int type)
{
    const int pairs = ACCESS_PAIRS(type);
    access_encode(y, pairs ? 2 * at : at, v.re, type);
    if (pairs || imaginary) access_encode(y, pairs ? 2 * at + 1 : at + imaginary, v.im, type);
}

/* Loads and stores of both 16-bit parts of an element at once. The array must be aligned to 32 bits. */
#define ACCESS_SHORT_PAIRS(type) ((type) == 6 || (type) == 8)
DEVICE struct pair access_get_both(const GLOBAL void *x, INDEX at, const int type)
{
    const UINT both = ((const GLOBAL UINT *)x)[at], re = both & 0xffffu, im = both >> 16;
    return type == 6 ? make_pair((REAL)access_from_half(re), (REAL)access_from_half(im))
                     : make_pair((REAL)access_from_bfloat(re), (REAL)access_from_bfloat(im));
}

DEVICE void access_put_both(GLOBAL void *y, INDEX at, struct pair v, const int type)
{
    const float re = (float)v.re, im = (float)v.im;
    ((GLOBAL UINT *)y)[at] = type == 6 ? access_to_halves(re, im) : access_to_bfloats(re, im);
}

DEVICE struct pair access_times(struct pair v, REAL re, REAL im)
{
    return make_pair(v.re * re - v.im * im, v.re * im + v.im * re);
}
