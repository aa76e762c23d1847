/* SPDX-License-Identifier: BSD-3-Clause */
/* What all passes with accessors share; fft/tile/chain.krn says how a pass uses it. */
struct box_links {
    const GLOBAL REAL
        *array[3 * ACCESS_LINKS]; /* of the load side, of the store side, of a spectrum between */
    const INDEX *word;
    INDEX first, from,
        to; /* where a part of a call, or a chunk of a wave, begins: its coordinate, elements on both sides */
};

/* The arrays as parameters of a kernel. */
#define BOX_ARRAYS                                                                              \
    const GLOBAL REAL *a0, const GLOBAL REAL *a1, const GLOBAL REAL *a2, const GLOBAL REAL *a3, \
        const GLOBAL REAL *b0, const GLOBAL REAL *b1, const GLOBAL REAL *b2, const GLOBAL REAL *b3
#define BOX_LINKS(links, words)  \
    struct box_links links;      \
    links.array[0] = a0;         \
    links.array[1] = a1;         \
    links.array[2] = a2;         \
    links.array[3] = a3;         \
    links.array[4] = b0;         \
    links.array[5] = b1;         \
    links.array[6] = b2;         \
    links.array[7] = b3;         \
    links.word = words;          \
    links.first = links.word[0]; \
    links.from = links.to = 0;
/* Those of chunk `chunk` of a wave. */
#define BOX_CHUNK(links, chunk)           \
    links.first *= chunk;                 \
    links.from = links.word[1] * (chunk); \
    links.to = links.word[2] * (chunk);

DEVICE struct pair access_same(struct pair v, struct pair mirror, struct access_point at)
{
    return v;
}

/* Where a point is: `moved` further along coordinate dim than `at` says (dim -1: nowhere), which is a
 * constant for most points of a butterfly, so that these have one address and constants. */
struct box_spot {
    int dim;
    INDEX moved;
};

/* Where the list REALS has the step of array k along coordinate d. */
#define BOX_LINK_STEP(k, d) (ACCESS_LINKS + (k)*ACCESS_DIMS + (d))

/* Where an array has the element beside a point: its own elements are `steps` apart along the coordinates
 * where that is known when compiled, else as the launch says. */
DEVICE const GLOBAL REAL *box_beside(const GLOBAL REAL *a, const struct access_point *at,
                                     const struct box_spot spot, const INDEX *word, const int *reals,
                                     const int k)
{
    const int real = reals[k], parts = real & 1 ? 1 : 2, dim = spot.dim < 0 ? 0 : spot.dim;
    INDEX far = 0;
    int near = 0;
    UNROLL_FOR(int d = 0; d < ACCESS_DIMS; d++) {
        if (real & 4)
            far += at->i[d] * reals[BOX_LINK_STEP(k, d)];
        else if (real & 2)
            far += at->i[d] * word[1 + d];
        else
            near += (int)at->i[d] * (int)word[1 + d];
    }
    a += parts * (word[0] + (real & 6 ? far : near));
    return spot.dim < 0 ? a
                        : a + parts * spot.moved * (real & 4 ? reals[BOX_LINK_STEP(k, dim)] : word[1 + dim]);
}

#if ARRAYS_KEPT
#define BOX_ARRAY_PAIR(a) LOAD_KEPT_PAIR(a)
#define BOX_ARRAY_TABLE_PAIR(a) LOAD_KEPT_TABLE_PAIR(a)
#else
#define BOX_ARRAY_PAIR(a) LOAD_PAIR(a)
#define BOX_ARRAY_TABLE_PAIR(a) LOAD_TABLE_PAIR(a)
#endif

/* Times a number, or an array's element beside the point; in_order: loaded as any other memory, else as a
 * table, which may come before what is stored. */
DEVICE struct pair box_link(struct pair v, const struct access_point *at, const struct box_spot spot,
                            const GLOBAL REAL *a, const INDEX *word, const int kind, const int conjugate,
                            const int *reals, const int k, const int in_order)
{
    if (kind == 1) return access_times(v, ACCESS_REAL(word[0]), ACCESS_REAL(word[1]));
    const int real = reals[k];
    a = box_beside(a, at, spot, word, reals, k);
    if (real & 1) {
        const REAL f = real & 8 || in_order ? *a : LOAD_TABLE(a);
        return make_pair(v.re * f, v.im * f);
    }
    const struct pair f = real & 8 || in_order ? BOX_ARRAY_PAIR(a) : BOX_ARRAY_TABLE_PAIR(a);
    return access_times(v, f.re, conjugate ? -f.im : f.im);
}

/* What a function of the user's own is given. */
DEVICE struct access_point box_given(const struct access_point *at, const struct box_spot spot,
                                     const GLOBAL REAL *a, const INDEX *word)
{
    struct access_point given = *at;
    if (spot.dim >= 0) given.i[spot.dim < 0 ? 0 : spot.dim] += spot.moved;
    given.data = a + word[0];
    UNROLL_FOR(int i = 0; i < ACCESS_NUMBERS; i++) given.p[i] = ACCESS_REAL(word[1 + i]);
    return given;
}

#define BOX_LINK(side, k, first)                                                                          \
    if (k < side##_LINKS)                                                                                 \
        v = kinds[k] == 3 ? side##_CALL_##k(v, make_pair(0, 0),                                           \
                                            box_given(at, spot, l->array[first + k], l->word + words[k])) \
                          : box_link(v, at, spot, l->array[first + k], l->word + words[k], kinds[k],      \
                                     conjugates[k], reals, k, side##_IN_ORDER);
#define BOX_CHAIN(name, side, first)                                                                      \
    DEVICE struct pair name(struct pair v, const struct access_point *at, const struct box_spot spot,     \
                            const struct box_links *l)                                                    \
    {                                                                                                     \
        const int kinds[] = {side##_KINDS}, conjugates[] = {side##_CONJUGATES}, reals[] = {side##_REALS}, \
                  words[] = {side##_AT};                                                                  \
        BOX_LINK(side, 0, first)                                                                          \
        BOX_LINK(side, 1, first)                                                                          \
        BOX_LINK(side, 2, first)                                                                          \
        BOX_LINK(side, 3, first)                                                                          \
        return v;                                                                                         \
    }

/* The same with X[-k] beside X[k], which goes through the same accessors at its own place, so that each sees
 * what the one before it left. */
#define BOX_LINK_BOTH(side, k, first)                                                                      \
    if (k < side##_LINKS) {                                                                                \
        const struct pair old = v;                                                                         \
        v = kinds[k] == 3                                                                                  \
                ? side##_CALL_##k(v, mirror, box_given(at, spot, l->array[first + k], l->word + words[k])) \
                : box_link(v, at, spot, l->array[first + k], l->word + words[k], kinds[k], conjugates[k],  \
                           reals, k, side##_IN_ORDER);                                                     \
        mirror = kinds[k] == 3                                                                             \
                     ? side##_CALL_##k(mirror, old,                                                        \
                                       box_given(other, there, l->array[first + k], l->word + words[k]))   \
                     : box_link(mirror, other, there, l->array[first + k], l->word + words[k], kinds[k],   \
                                conjugates[k], reals, k, side##_IN_ORDER);                                 \
    }
#define BOX_CHAIN_BOTH(name, side, first)                                                                 \
    DEVICE struct pair name(struct pair v, struct pair mirror, const struct access_point *at,             \
                            const struct box_spot spot, const struct access_point *other,                 \
                            const struct box_spot there, const struct box_links *l)                       \
    {                                                                                                     \
        const int kinds[] = {side##_KINDS}, conjugates[] = {side##_CONJUGATES}, reals[] = {side##_REALS}, \
                  words[] = {side##_AT};                                                                  \
        BOX_LINK_BOTH(side, 0, first)                                                                     \
        BOX_LINK_BOTH(side, 1, first)                                                                     \
        BOX_LINK_BOTH(side, 2, first)                                                                     \
        BOX_LINK_BOTH(side, 3, first)                                                                     \
        return v;                                                                                         \
    }

/* Points of a butterfly are an axis's point `at`, which is below `width`, and constants `apart` from there.
 * How far the element of one is from point `at`, where all points are elements, which `first` only moves: a
 * constant too, but for the one point of which nobody knows whether it is beyond the end. Then addresses are
 * one and constants. */
DEVICE int box_turned(int at, const int apart, const int width, const int points, const int first)
{
    const int from = apart - first;
    return from >= 0 ? from : from + width <= 0 || at + from < 0 ? from + points : from;
}

/* The element that point `at` of an axis is, or is a copy of; -1 where there is none. */
DEVICE int box_element(int at, const int points, const int first, const int count, const int border)
{
    const int from = at - first, t = first && from < 0 ? from + points : from;
    if (count == points || t < count) return t;
    return border <= ACCESS_CONSTANT ? -1 : (int)access_border(t, points, count, border);
}

/* Whether none of the points from `low` to `high` of an axis is an element. All but `low` and `high` are
 * constants, and often those too. */
DEVICE int box_is_outside(int low, int high, const int points, const int first, const int count,
                          const int border)
{
    const int from = low - first < 0 ? low - first + points : low - first,
              to = high - first < 0 ? high - first + points : high - first;
    return border <= ACCESS_CONSTANT && from <= to && from >= count;
}
