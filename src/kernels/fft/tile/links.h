/* SPDX-License-Identifier: BSD-3-Clause */
/* State of the accessors, common to all passes of a kernel; fft/tile/chain.krn uses it. */
struct tile_links {
    const GLOBAL REAL *array[3 * ACCESS_LINKS]; /* of the load, the store, and a spectrum in between */
    IN_PARAMS const INDEX *argument;
    /* start of a part of the call, or of a chunk: its coordinate, and offsets of input and output in
     * elements */
    INDEX first, from, to;
};

/* The arrays as arguments of a kernel. */
#define TILE_ARRAYS                                                                             \
    const GLOBAL REAL *a0, const GLOBAL REAL *a1, const GLOBAL REAL *a2, const GLOBAL REAL *a3, \
        const GLOBAL REAL *b0, const GLOBAL REAL *b1, const GLOBAL REAL *b2, const GLOBAL REAL *b3
#define TILE_LINKS(links, first_argument) \
    struct tile_links links;              \
    links.array[0] = a0;                  \
    links.array[1] = a1;                  \
    links.array[2] = a2;                  \
    links.array[3] = a3;                  \
    links.array[4] = b0;                  \
    links.array[5] = b1;                  \
    links.array[6] = b2;                  \
    links.array[7] = b3;                  \
    links.argument = first_argument;      \
    links.first = links.argument[0];      \
    links.from = links.to = 0;
/* Moves the links to chunk `chunk` of persistent passes. */
#define TILE_CHUNK(links, chunk)              \
    links.first *= chunk;                     \
    links.from = links.argument[1] * (chunk); \
    links.to = links.argument[2] * (chunk);

DEVICE struct pair access_same(struct pair v, struct pair mirror, struct access_point at)
{
    return v;
}

/* Distance of a point from the coordinates `at`: `moved` along coordinate dim (-1: none). The distance is
 * a constant for most points of a butterfly, so that these have one address plus constants. */
struct tile_spot {
    int dim;
    INDEX moved;
};

/* Index in the list REALS of the stride of array k along coordinate d. */
#define TILE_LINK_STEP(k, d) (ACCESS_LINKS + (k)*ACCESS_DIMS + (d))

/* Returns the address of an array's element for a point. Strides along the coordinates are compile-time
 * constants if the key has them, otherwise arguments of the launch. */
DEVICE const GLOBAL REAL *tile_array_element(const GLOBAL REAL *a, PRIVATE const struct access_point *at,
                                             const struct tile_spot spot, IN_PARAMS const INDEX *argument,
                                             PRIVATE const int *reals, const int k)
{
    const int real = reals[k], parts = real & 1 ? 1 : 2, dim = spot.dim < 0 ? 0 : spot.dim;
    INDEX far = 0;
    int near = 0;
    UNROLL_FOR(int d = 0; d < ACCESS_DIMS; d++) {
        if (real & 4)
            far += at->i[d] * reals[TILE_LINK_STEP(k, d)];
        else if (real & 2)
            far += at->i[d] * argument[1 + d];
        else
            near += (int)at->i[d] * (int)argument[1 + d];
    }
    a += parts * (argument[0] + (real & 6 ? far : near));
    return spot.dim < 0
               ? a
               : a + parts * spot.moved * (real & 4 ? reals[TILE_LINK_STEP(k, dim)] : argument[1 + dim]);
}

#if ACCESS_ARRAYS_KEPT
#define TILE_ARRAY_PAIR(a) LOAD_KEPT_PAIR(a)
#define TILE_ARRAY_TABLE_PAIR(a) LOAD_KEPT_TABLE_PAIR(a)
#else
#define TILE_ARRAY_PAIR(a) LOAD_PAIR(a)
#define TILE_ARRAY_TABLE_PAIR(a) LOAD_TABLE_PAIR(a)
#endif

/* Multiplies v by a scalar, or by an array's element at the point. in_order: the array is loaded by
 * ordinary loads; otherwise as a table (read-only), whose loads may move before stores. */
DEVICE struct pair tile_link(struct pair v, PRIVATE const struct access_point *at,
                             const struct tile_spot spot, const GLOBAL REAL *a,
                             IN_PARAMS const INDEX *argument, const int kind, const int conjugate,
                             PRIVATE const int *reals, const int k, const int in_order)
{
    if (kind == 1) return access_times(v, ACCESS_REAL(argument[0]), ACCESS_REAL(argument[1]));
    const int real = reals[k];
    a = tile_array_element(a, at, spot, argument, reals, k);
    if (real & 1) {
        const REAL f = real & 8 || in_order ? *a : LOAD_TABLE(a);
        return make_pair(v.re * f, v.im * f);
    }
    const struct pair f = real & 8 || in_order ? TILE_ARRAY_PAIR(a) : TILE_ARRAY_TABLE_PAIR(a);
    return access_times(v, f.re, conjugate ? -f.im : f.im);
}

/* Returns the point that is passed to a user's function. */
DEVICE struct access_point tile_call_point(PRIVATE const struct access_point *at, const struct tile_spot spot,
                                           const GLOBAL REAL *a, IN_PARAMS const INDEX *argument)
{
    struct access_point given = *at;
    if (spot.dim >= 0) given.i[spot.dim < 0 ? 0 : spot.dim] += spot.moved;
    given.data = a + argument[0];
    UNROLL_FOR(int i = 0; i < ACCESS_NUMBERS; i++) given.p[i] = ACCESS_REAL(argument[1 + i]);
    return given;
}

#define TILE_LINK(end, k, first)                                                                         \
    if (k < end##_LINKS)                                                                                 \
        v = kinds[k] == 3 ? end##_CALL_##k(v, make_pair(0, 0),                                           \
                                           tile_call_point(at, spot, l->array[first + k],                \
                                                           l->argument + first_argument[k]))             \
                          : tile_link(v, at, spot, l->array[first + k], l->argument + first_argument[k], \
                                      kinds[k], conjugates[k], reals, k, end##_IN_ORDER);
#define TILE_CHAIN(name, end, first)                                                                   \
    DEVICE struct pair name(struct pair v, PRIVATE const struct access_point *at,                      \
                            const struct tile_spot spot, PRIVATE const struct tile_links *l)           \
    {                                                                                                  \
        const int kinds[] = {end##_KINDS}, conjugates[] = {end##_CONJUGATES}, reals[] = {end##_REALS}, \
                  first_argument[] = {end##_ARGUMENTS};                                                \
        TILE_LINK(end, 0, first)                                                                       \
        TILE_LINK(end, 1, first)                                                                       \
        TILE_LINK(end, 2, first)                                                                       \
        TILE_LINK(end, 3, first)                                                                       \
        return v;                                                                                      \
    }

/* Applies link k to both X[k] and X[-k], each at its own coordinates, so that every link sees both results
 * of the link before it. */
#define TILE_LINK_BOTH(end, k, first)                                                                        \
    if (k < end##_LINKS) {                                                                                   \
        const struct pair old = v;                                                                           \
        v = kinds[k] == 3 ? end##_CALL_##k(v, mirror,                                                        \
                                           tile_call_point(at, spot, l->array[first + k],                    \
                                                           l->argument + first_argument[k]))                 \
                          : tile_link(v, at, spot, l->array[first + k], l->argument + first_argument[k],     \
                                      kinds[k], conjugates[k], reals, k, end##_IN_ORDER);                    \
        mirror = kinds[k] == 3                                                                               \
                     ? end##_CALL_##k(mirror, old,                                                           \
                                      tile_call_point(other, there, l->array[first + k],                     \
                                                      l->argument + first_argument[k]))                      \
                     : tile_link(mirror, other, there, l->array[first + k], l->argument + first_argument[k], \
                                 kinds[k], conjugates[k], reals, k, end##_IN_ORDER);                         \
    }
#define TILE_CHAIN_BOTH(name, end, first)                                                              \
    DEVICE struct pair name(struct pair v, struct pair mirror, PRIVATE const struct access_point *at,  \
                            const struct tile_spot spot, PRIVATE const struct access_point *other,     \
                            const struct tile_spot there, PRIVATE const struct tile_links *l)          \
    {                                                                                                  \
        const int kinds[] = {end##_KINDS}, conjugates[] = {end##_CONJUGATES}, reals[] = {end##_REALS}, \
                  first_argument[] = {end##_ARGUMENTS};                                                \
        TILE_LINK_BOTH(end, 0, first)                                                                  \
        TILE_LINK_BOTH(end, 1, first)                                                                  \
        TILE_LINK_BOTH(end, 2, first)                                                                  \
        TILE_LINK_BOTH(end, 3, first)                                                                  \
        return v;                                                                                      \
    }

/* Returns the distance from point `at` of an axis to the element of point `at + apart`, in a window that
 * only shifts by `first`. `at` is below `width`, and `apart` is a constant. The distance is a constant for
 * all points of a butterfly but the one that may wrap around, so that a butterfly has one address plus
 * constants. */
DEVICE int tile_circular_distance(int at, const int apart, const int width, const int points, const int first)
{
    const int from = apart - first;
    return from >= 0 ? from : from + width <= 0 || at + from < 0 ? from + points : from;
}

/* Returns the element that point `at` of an axis is, or copies by the border rule; -1 if there is none. */
DEVICE int tile_element(int at, const int points, const int first, const int count, const int border)
{
    const int from = at - first, t = first && from < 0 ? from + points : from;
    if (count == points || t < count) return t;
    return border <= ACCESS_CONSTANT ? -1 : (int)access_border(t, points, count, border);
}

/* Returns true if none of the points from `low` to `high` of an axis is an element. All arguments but
 * `low` and `high` are constants; often these are, too. */
DEVICE int tile_is_outside(int low, int high, const int points, const int first, const int count,
                           const int border)
{
    const int from = low - first < 0 ? low - first + points : low - first,
              to = high - first < 0 ? high - first + points : high - first;
    return border <= ACCESS_CONSTANT && from <= to && from >= count;
}
