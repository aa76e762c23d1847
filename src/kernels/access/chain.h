/* SPDX-License-Identifier: BSD-3-Clause */
/* The chain of accessors; comes after the user's functions. Macros that a key defines:
 *   CHAIN_TYPE                 element type of the array (access/point.h)
 *   CHAIN_RANK                 number of transformed axes
 *   CHAIN_USED                 number of axes and loops; further ones, up to DIMS, have length 1
 *   CHAIN_REALS                1: the elements are real (a real transform's)
 *   CHAIN_LINKS                number of accessors
 *   CHAIN_KIND_0 CHAIN_KIND_1 CHAIN_KIND_2 CHAIN_KIND_3  kind of each: 1 a scalar, 2 an array, 3 a user's
 *                              function
 *   CHAIN_CONJUGATE_0 CHAIN_CONJUGATE_1 CHAIN_CONJUGATE_2 CHAIN_CONJUGATE_3  1: the array is conjugated
 *   CHAIN_CALL_0 CHAIN_CALL_1 CHAIN_CALL_2 CHAIN_CALL_3  name of the function
 *   CHAIN_MIRROR               1: the chain of a spectrum, which also sees X[-k]
 *   CHAIN_FOLD                 1: the chain of a store, with a border other than zeros along some axis */
#ifndef CHAIN_MIRROR
#define CHAIN_MIRROR 0
#endif
#ifndef CHAIN_USED
#define CHAIN_USED DIMS
#endif

/* Returns v times the array's element at the point. */
DEVICE struct pair access_product(struct pair v, const GLOBAL REAL *a, PRIVATE const struct access_point *at,
                                  IN_PARAMS const struct access_params *p, const int link,
                                  const int conjugate)
{
    INDEX offset = 0;
    UNROLL for (int d = 0; d < CHAIN_USED; d++) offset += at->i[d] * p->link_stride[link][d];
    a += p->link_at[link];
    if (p->real_array[link] == 1) return make_pair(v.re * a[offset], v.im * a[offset]);
    return access_times(v, a[2 * offset], conjugate ? -a[2 * offset + 1] : a[2 * offset + 1]);
}

DEVICE void access_take(PRIVATE struct access_point *at, const GLOBAL REAL *a,
                        IN_PARAMS const struct access_params *p, const int link)
{
    UNROLL for (int i = 0; i < ACCESS_NUMBERS; i++) at->p[i] = ACCESS_REAL(p->numbers[link][i]);
    at->data = a + p->link_at[link];
}

/* Applies one accessor. With CHAIN_MIRROR it is also applied to X[-k], at its own coordinates, so that
 * every accessor sees both results of the one before it. */
#define ACCESS_STEP(link, a, call)                                               \
    {                                                                            \
        const struct pair old = v;                                               \
        v = ACCESS_DO(link, a, call, v, mirror, at);                             \
        if (CHAIN_MIRROR) mirror = ACCESS_DO(link, a, call, mirror, old, other); \
    }
#define ACCESS_DO(link, a, call, v, mirror, at)                                              \
    (CHAIN_KIND_##link == 1                                                                  \
         ? access_times(v, ACCESS_REAL(p->scalar[link][0]), ACCESS_REAL(p->scalar[link][1])) \
     : CHAIN_KIND_##link == 2 ? access_product(v, a, &at, p, link, CHAIN_CONJUGATE_##link)   \
                              : (access_take(&at, a, p, link), call(v, mirror, at)))

DEVICE struct pair access_same(struct pair v, struct pair mirror, struct access_point at)
{
    return v;
}

#ifndef CHAIN_CALL_0
#define CHAIN_CALL_0 access_same
#endif
#ifndef CHAIN_CALL_1
#define CHAIN_CALL_1 access_same
#endif
#ifndef CHAIN_CALL_2
#define CHAIN_CALL_2 access_same
#endif
#ifndef CHAIN_CALL_3
#define CHAIN_CALL_3 access_same
#endif

/* Applies the chain. other: coordinates of the mirror image, if there is one. */
DEVICE struct pair access_apply(struct pair v, struct pair mirror, struct access_point at,
                                struct access_point other, const GLOBAL REAL *a0, const GLOBAL REAL *a1,
                                const GLOBAL REAL *a2, const GLOBAL REAL *a3,
                                IN_PARAMS const struct access_params *p)
{
#if CHAIN_LINKS > 0
    ACCESS_STEP(0, a0, CHAIN_CALL_0)
#endif
#if CHAIN_LINKS > 1
    ACCESS_STEP(1, a1, CHAIN_CALL_1)
#endif
#if CHAIN_LINKS > 2
    ACCESS_STEP(2, a2, CHAIN_CALL_2)
#endif
#if CHAIN_LINKS > 3
    ACCESS_STEP(3, a3, CHAIN_CALL_3)
#endif
    return v;
}

/* Sets i to the indices of element `index` of n[0] x n[1] x ... Divisions are 32-bit where possible,
 * because 64-bit divisions would take most of a kernel's time. */
DEVICE void access_place(PRIVATE INDEX *i, INDEX index, IN_PARAMS const INDEX *n)
{
    UNROLL for (int d = 0; d < CHAIN_USED - 1; d++)
    {
        const INDEX up = index < n[d]           ? 0
                         : index <= 0xffffffffu ? (INDEX)((UINT)index / (UINT)n[d])
                                                : index / n[d];
        i[d] = index - up * n[d];
        index = up;
    }
    i[CHAIN_USED - 1] = index;
    UNROLL for (int d = CHAIN_USED; d < DIMS; d++) i[d] = 0;
}
