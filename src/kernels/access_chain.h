/* SPDX-License-Identifier: BSD-3-Clause */
/* The chain itself: after the texts of the user's own. */
#ifndef MIRROR
#define MIRROR 0
#endif

/* With MIRROR, X[-k] goes through the same accessors at its own place, so that each sees what the one before it left. */
#define ACCESS_STEP(link, a, call)                                              \
    {                                                                           \
        const struct pair old = v;                                              \
        v = ACCESS_DO(link, a, call, v, mirror, at);                            \
        if (MIRROR) mirror = ACCESS_DO(link, a, call, mirror, old, other);      \
    }
#define ACCESS_DO(link, a, call, v, mirror, at)                                                           \
    (KIND_##link == 1   ? access_times(v, ACCESS_REAL(p->scalar[link][0]), ACCESS_REAL(p->scalar[link][1])) \
     : KIND_##link == 2 ? access_product(v, a, &at, p, link, CONJ_##link)                                 \
                        : (access_take(&at, a, p, link), call(v, mirror, at)))

DEVICE struct pair access_same(struct pair v, struct pair mirror, struct access_point at)
{
    return v;
}

#ifndef CALL_0
#define CALL_0 access_same
#endif
#ifndef CALL_1
#define CALL_1 access_same
#endif
#ifndef CALL_2
#define CALL_2 access_same
#endif
#ifndef CALL_3
#define CALL_3 access_same
#endif

/* other: the place of the mirror image, where there is one */
DEVICE struct pair access_apply(struct pair v, struct pair mirror, struct access_point at, struct access_point other,
                                const GLOBAL REAL *a0, const GLOBAL REAL *a1, const GLOBAL REAL *a2,
                                const GLOBAL REAL *a3, const struct access_params *p)
{
#if LINKS > 0
    ACCESS_STEP(0, a0, CALL_0)
#endif
#if LINKS > 1
    ACCESS_STEP(1, a1, CALL_1)
#endif
#if LINKS > 2
    ACCESS_STEP(2, a2, CALL_2)
#endif
#if LINKS > 3
    ACCESS_STEP(3, a3, CALL_3)
#endif
    return v;
}

/* The number of `index` among n[0] x n[1] x ... */
DEVICE void access_place(INDEX *i, INDEX index, const INDEX *n)
{
    ROLLED for (int d = 0; d < DIMS; d++)
    {
        const INDEX up = n[d] == 1 ? index : index / n[d];
        i[d] = index - up * n[d];
        index = up;
    }
}
