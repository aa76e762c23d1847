/* SPDX-License-Identifier: BSD-3-Clause */
/* One number of an array of any type. */
/* Types as argand_type counts: 1 float, 2 double, 3 and 4 two of them, 5 half, 6 two, 7 bfloat16, 8 two, 9
 * byte. */
#define ACCESS_PAIRS(type) ((type) == 3 || (type) == 4 || (type) == 6 || (type) == 8)

/* Element `at` of an array, in reals. */
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
