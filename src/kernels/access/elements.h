/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores one real of an array of any type. */
/* Types as in argand_type: 1 float, 2 double, 3 float complex, 4 double complex, 5 half, 6 half complex, 7
 * bfloat16, 8 bfloat16 complex, 9 byte. */
#define ACCESS_PAIRS(type) ((type) == 3 || (type) == 4 || (type) == 6 || (type) == 8)

/* Returns element `at` of an array; `at` counts reals. */
DEVICE REAL access_decode(const GLOBAL void *x, INDEX at, const int type)
{
#ifdef REAL_IS_DOUBLE
    if (type == 2 || type == 4) return ((const GLOBAL double *)x)[at];
#endif
    if (type == 5 || type == 6) return (REAL)access_from_half(((const GLOBAL unsigned short *)x)[at]);
    if (type == 7 || type == 8) return (REAL)access_from_bfloat(((const GLOBAL unsigned short *)x)[at]);
    if (type == 9) return (REAL)((const GLOBAL unsigned char *)x)[at];
    return (REAL)((const GLOBAL float *)x)[at];
}

DEVICE void access_encode(GLOBAL void *y, INDEX at, REAL v, const int type)
{
    if (type == 5 || type == 6)
        ((GLOBAL unsigned short *)y)[at] = (unsigned short)access_to_half((float)v);
    else if (type == 7 || type == 8)
        ((GLOBAL unsigned short *)y)[at] = (unsigned short)access_to_bfloat((float)v);
    else if (type == 9)
        ((GLOBAL unsigned char *)y)[at] = (unsigned char)access_to_byte((float)v);
#ifdef REAL_IS_DOUBLE
    else if (type == 2 || type == 4)
        ((GLOBAL double *)y)[at] = v;
#endif
    else
        ((GLOBAL float *)y)[at] = (float)v;
}
