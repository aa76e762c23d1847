/* SPDX-License-Identifier: BSD-3-Clause */
/* The maps of a block of pixels. Each number is a short row of pixels, so that all loops run over pixels.
 * A map is a power of the operator's matrix times the coils' low-resolution image. Lanczos' method finds
 * this product with few products by the matrix: it is a power of a small tridiagonal matrix, in the basis
 * of Lanczos' vectors. Where the image is aliased, two eigenvalues are near 1, and a single map must keep
 * the brighter part. */
#include "calib/espirit/espirit.h"
#include "base/simd.h"

#include <math.h>

/* Power of the operator from which maps are made. The part of a second eigenvector that is left in the first
 * then depends on how near to 1 its eigenvalue is, not on which of the two is larger. A higher power would
 * separate eigenvalues that differ only by noise, and the map would jump where they cross. */
enum { B = ESPIRIT_BLOCK, POWER = 60, CHUNK = 10, STEPS = ESPIRIT_STEPS };

/* Two rows and two columns of the matrix are a tile: [row][column][re, im][B]. Tiles right of the diagonal
 * are not stored. If the number of coils is odd, a last coil is 0. */
enum { TILE = 8 * B };

static int64_t even(int64_t coils)
{
    return coils + coils % 2;
}

static REAL *element(REAL *matrix, int64_t c, int64_t d)
{
    const int64_t i = c / 2, j = d / 2;
    return matrix + (i * (i + 1) / 2 + j) * TILE + (c % 2 * 2 + d % 2) * 2 * B;
}

/* ---- the matrices */

/* Computes re + i im = the polynomial with these coefficients (complex {terms}), at B pixels. */
INLINE void evaluate(const REAL *coefficients, const REAL *waves, int64_t terms, int64_t padded, REAL *value)
{
    for (int i = 0; i < B; i += IN_VECTOR) {
        vector re = {0}, im = {0};
        for (int64_t t = 0; t < terms; t++) {
            const vector wave = load(waves + t * padded + i);
            re += coefficients[2 * t] * wave;
            im += coefficients[2 * t + 1] * wave;
        }
        store(value + i, re);
        store(value + B + i, im);
    }
}

static void clear(REAL *value, int64_t count)
{
    memset(value, 0, (size_t)count * sizeof *value);
}

/* Computes the matrix at every pixel. */
static void make_matrices(const espirit_row *row, int64_t start, REAL *matrix)
{
    const int64_t padded = espirit_padded(row->count);
    if (row->coils % 2)
        for (int64_t d = 0; d <= row->coils; d++) clear(element(matrix, row->coils, d), 2 * B);
    for (int64_t c = 0, item = 0; c < row->coils; c++)
        for (int64_t d = 0; d <= c; d++, item++) {
            REAL *lower = element(matrix, c, d);
            evaluate((const REAL *)row->matrix + 2 * item * row->matrix_terms,
                     (const REAL *)row->matrix_waves + start, row->matrix_terms, padded, lower);
            if (c == d) clear(lower + B, B);
            if (c == d || c / 2 != d / 2) continue;
            REAL *upper = element(matrix, d, c);
            for (int i = 0; i < B; i++) {
                upper[i] = lower[i];
                upper[B + i] = -lower[B + i];
            }
        }
    if (row->coils % 2) clear(element(matrix, row->coils - 1, row->coils), 2 * B);
}

typedef struct number {
    vector re, im;
} number;

INLINE number get(const REAL *p)
{
    return (number){load(p), load(p + B)};
}
INLINE void put(REAL *p, number z)
{
    store(p, z.re);
    store(p + B, z.im);
}
/* Returns sum + m x. */
INLINE number add_product(number sum, number m, number x)
{
    return (number){sum.re + m.re * x.re - m.im * x.im, sum.im + m.re * x.im + m.im * x.re};
}
/* Returns sum + conj(m) x. */
INLINE number add_conjugate(number sum, number m, number x)
{
    return (number){sum.re + m.re * x.re + m.im * x.im, sum.im + m.re * x.im - m.im * x.re};
}

/* Computes two rows of w = matrix v, and adds what their mirror images contribute to the rows before. */
INLINE void apply_rows(const REAL *tile, int64_t i, const REAL *v, REAL *w)
{
    const number x0 = get(v + i * 4 * B), x1 = get(v + i * 4 * B + 2 * B);
    number sum0 = {{0}, {0}}, sum1 = sum0;
    for (int64_t j = 0; j <= i; j++, tile += TILE) {
        const number m00 = get(tile), m01 = get(tile + 2 * B), m10 = get(tile + 4 * B),
                     m11 = get(tile + 6 * B);
        const number y0 = get(v + j * 4 * B), y1 = get(v + j * 4 * B + 2 * B);
        sum0 = add_product(add_product(sum0, m00, y0), m01, y1);
        sum1 = add_product(add_product(sum1, m10, y0), m11, y1);
        if (j == i) break;
        REAL *above = w + j * 4 * B;
        put(above, add_conjugate(add_conjugate(get(above), m00, x0), m10, x1));
        put(above + 2 * B, add_conjugate(add_conjugate(get(above + 2 * B), m01, x0), m11, x1));
    }
    put(w + i * 4 * B, sum0);
    put(w + i * 4 * B + 2 * B, sum1);
}

/* Computes w = matrix v. */
static void apply(int64_t coils, const REAL *matrix, const REAL *v, REAL *w)
{
    for (int h = 0; h < B; h += IN_VECTOR)
        for (int64_t i = 0; i < even(coils) / 2; i++)
            apply_rows(matrix + i * (i + 1) / 2 * TILE + h, i, v + h, w + h);
}

/* ---- vectors of coils: [coil][re, im][B] */

/* Computes a^H b. */
static void inner(int64_t coils, const REAL *a, const REAL *b, REAL *product)
{
    for (int i = 0; i < B; i += IN_VECTOR) {
        number sum = {{0}, {0}};
        for (int64_t c = 0; c < coils; c++)
            sum = add_conjugate(sum, get(a + c * 2 * B + i), get(b + c * 2 * B + i));
        put(product + i, sum);
    }
}

static void square_of(int64_t coils, const REAL *a, REAL *square)
{
    for (int i = 0; i < B; i += IN_VECTOR) {
        vector sum = {0};
        for (int64_t c = 0; c < 2 * coils; c++) sum += load(a + c * B + i) * load(a + c * B + i);
        store(square + i, sum);
    }
}

/* Computes w -= (a^H w) a. */
static void take_out(int64_t coils, const REAL *a, REAL *w)
{
    REAL product[2 * B];
    inner(coils, a, w, product);
    for (int i = 0; i < B; i += IN_VECTOR) {
        const number minus = {-load(product + i), -load(product + B + i)};
        for (int64_t c = 0; c < coils; c++) {
            REAL *at = w + c * 2 * B + i;
            put(at, add_product(get(at), minus, get(a + c * 2 * B + i)));
        }
    }
}

/* Computes v = w / |w|, or 0, and the norms. */
static void normalise(int64_t coils, const REAL *w, REAL *v, REAL *norm)
{
    REAL inverse[B];
    square_of(coils, w, norm);
    for (int i = 0; i < B; i++) {
        norm[i] = (REAL)(sqrt)((double)norm[i]);
        inverse[i] = norm[i] > 0 ? 1 / norm[i] : 0;
    }
    for (int i = 0; i < B; i += IN_VECTOR) {
        const vector factor = load(inverse + i);
        for (int64_t c = 0; c < 2 * coils; c++) store(v + c * B + i, load(w + c * B + i) * factor);
    }
}

/* Fills v, for all pixels, with the start of set s. */
static void fill(const espirit_row *row, int64_t s, REAL *v)
{
    const double *start = row->starts + 2 * s * row->coils;
    for (int64_t c = 0; c < 2 * row->coils; c++)
        for (int i = 0; i < B; i++) v[c * B + i] = (REAL)start[c];
}

/* Sets v to the calibration region's coil images. v is unchanged at pixels where these are 0. `scratch`:
 * memory of v's size. */
static void put_image(const espirit_row *row, int64_t start, REAL *v, REAL *scratch)
{
    REAL square[B];
    for (int64_t c = 0; c < row->coils; c++)
        evaluate((const REAL *)row->image + 2 * c * row->image_terms, (const REAL *)row->image_waves + start,
                 row->image_terms, espirit_padded(row->count), scratch + c * 2 * B);
    square_of(row->coils, scratch, square);
    for (int64_t c = 0; c < 2 * row->coils; c++)
        for (int i = 0; i < B; i++) v[c * B + i] = square[i] > 0 ? scratch[c * B + i] : v[c * B + i];
}

/* ---- Lanczos' method */

/* The tridiagonal matrix, and its power times the first unit vector, for all pixels. */
typedef struct tridiagonal {
    REAL diagonal[STEPS][B], below[STEPS][B];
    REAL u[STEPS][B];
    REAL value[B], error[B]; /* of the map that u gives */
    int count;
} tridiagonal;

/* Computes u = T u, with T multiplied by `scale`. Returns the squares' sum of u. */
INLINE vector multiply(tridiagonal *t, int i, vector scale)
{
    vector before = {0}, here = load(t->u[0] + i), below = {0}, square = {0};
    for (int j = 0; j < t->count; j++) {
        const vector after = j + 1 < t->count ? load(t->u[j + 1] + i) : (vector){0};
        const vector next = load(t->below[j] + i);
        const vector sum = scale * (below * before + load(t->diagonal[j] + i) * here + next * after);
        store(t->u[j] + i, sum);
        square += sum * sum;
        before = here;
        here = after;
        below = next;
    }
    return square;
}

INLINE vector root(vector v)
{
    for (int l = 0; l < IN_VECTOR; l++) v[l] = (REAL)(sqrt)((double)v[l]);
    return v;
}
/* Returns 1 / v, or 0 where v is 0. */
INLINE vector reciprocal(vector v)
{
    for (int l = 0; l < IN_VECTOR; l++) v[l] = v[l] > 0 ? 1 / v[l] : 0;
    return v;
}

/* Computes u = T^POWER e, |u| = 1, and a bound of its error, which is the sum of what each product by T
 * lacks: its part beyond the last vector. This part is multiplied by T as often as the rest, that is by
 * about the same number. `scale` is the reciprocal of this number, and the vector is divided by its norm
 * after each chunk. */
INLINE void raise_vector(tridiagonal *t, int i)
{
    const int last = t->count - 1;
    const vector first = load(t->diagonal[0] + i), second = load(t->below[0] + i);
    vector scale = reciprocal(root(first * first + second * second)), lost = {0};
    for (int j = 0; j <= last; j++) store(t->u[j] + i, (vector){0} + (REAL)(j == 0));
    for (int k = 0; k < POWER; k += CHUNK) {
        vector size = {0}, before = {0};
        for (int l = 0; l < CHUNK; l++) {
            const vector part = load(t->u[last] + i);
            lost += part * part;
            before = size;
            size = multiply(t, i, scale);
        }
        const vector factor = reciprocal(root(size));
        scale *= root(before) * factor;
        lost *= factor * factor;
        for (int j = 0; j <= last; j++) store(t->u[j] + i, load(t->u[j] + i) * factor);
    }
    store(t->error + i, root(lost * (REAL)POWER) * scale * load(t->below[last] + i));
}

/* Computes u, its error and its Rayleigh quotient. Where the matrix is 0, u is the start. */
static void raise(tridiagonal *t)
{
    for (int i = 0; i < B; i += IN_VECTOR) raise_vector(t, i);
    for (int i = 0; i < B; i++) {
        REAL size = 0;
        t->value[i] = 0;
        for (int j = 0; j < t->count; j++) {
            size += t->u[j][i] * t->u[j][i];
            t->value[i] += t->u[j][i] * (t->diagonal[j][i] * t->u[j][i] +
                                         (j > 0 ? 2 * t->below[j - 1][i] * t->u[j - 1][i] : 0));
        }
        if (!(size > 0)) t->u[0][i] = 1;
    }
}

/* Returns the largest error, relative to what is allowed, among pixels whose map may not be 0. */
static REAL largest_error(const espirit_row *row, const tridiagonal *t)
{
    const REAL small = (REAL)(REAL_BITS == 32 ? 1e-5 : 1e-10), crude = (REAL)1e-2, lowest = (REAL)row->lowest;
    REAL largest = 0;
    for (int i = 0; i < B; i++) {
        const REAL allowed = t->value[i] < lowest ? crude : small, error = t->error[i] / allowed;
        largest = error > largest ? error : largest;
    }
    return largest;
}

/* Computes the next vector of the basis from the last one, orthogonal to the maps of the first s sets.
 * Without orthogonalisation against all vectors before, the power of the tridiagonal matrix is as exact. */
static void extend(const espirit_row *row, const REAL *matrix, const REAL *maps, int64_t s, tridiagonal *t,
                   REAL *basis, REAL *w)
{
    const int64_t coils = even(row->coils), length = coils * 2 * B;
    const int j = t->count++;
    const REAL *v = basis + j * length, *before = v - (j > 0 ? length : 0);
    REAL product[2 * B];
    apply(coils, matrix, v, w);
    for (int64_t k = 0; k < s; k++) take_out(coils, maps + k * length, w);
    inner(coils, v, w, product);
    memcpy(t->diagonal[j], product, sizeof t->diagonal[j]);
    for (int i = 0; i < B; i += IN_VECTOR) {
        const vector here = load(product + i), there = j > 0 ? load(t->below[j - 1] + i) : (vector){0};
        for (int64_t c = 0; c < 2 * coils; c++)
            store(w + c * B + i,
                  load(w + c * B + i) - here * load(v + c * B + i) - there * load(before + c * B + i));
    }
    normalise(coils, w, basis + (j + 1) * length, t->below[j]);
}

static void combine(const espirit_row *row, const tridiagonal *t, const REAL *basis, REAL *map)
{
    const int64_t length = even(row->coils) * 2 * B;
    for (int64_t at = 0; at < length; at += IN_VECTOR) {
        vector sum = {0};
        for (int j = 0; j < t->count; j++) sum += load(t->u[j] + at % B) * load(basis + j * length + at);
        store(map + at, sum);
    }
}

/* Finds the map of set s from the start w, which lies after the basis. *expected: number of steps that the
 * block before took. A step divides the error by 30 at most, mostly. */
static void find_map(const espirit_row *row, const REAL *matrix, REAL *basis, REAL *maps, int64_t s,
                     REAL *values, int *expected)
{
    const int64_t coils = even(row->coils), length = coils * 2 * B;
    REAL *w = basis + (STEPS + 1) * length, norm[B], error = 2;
    tridiagonal t = {.count = 0};
    for (int64_t k = 0; k < s; k++) take_out(coils, maps + k * length, w);
    normalise(coils, w, basis, norm);
    while (error > 1 && t.count < STEPS) {
        extend(row, matrix, maps, s, &t, basis, w);
        if (t.count < *expected) continue;
        raise(&t);
        error = largest_error(row, &t);
    }
    *expected = error < (REAL)0.03 && t.count > 1 ? t.count - 1 : t.count;
    combine(row, &t, basis, maps + s * length);
    normalise(coils, maps + s * length, maps + s * length, norm);
    memcpy(values, t.value, sizeof t.value);
}

/* ---- output */

/* Returns the factor of a map with this eigenvalue: 0 or 1 for a hard crop, between for a soft one. */
static double weight(const espirit_row *row, double value)
{
    if (!row->soft) return value > row->crop;
    const double x = ((sqrt)(value > 0 ? value : 0) - row->crop) / (1 - row->crop);
    return x <= -1 ? 0 : x >= 1 ? 1 : 0.5 + x / (1 + x * x);
}

/* Stores the map of a set at `count` pixels, in the phase of the reference. Returns the number of pixels
 * where it is not 0. */
static int64_t store_map(const espirit_row *row, const REAL *map, const REAL *values, REAL *out,
                         int64_t count)
{
    REAL re[B] = {0}, im[B] = {0};
    int64_t kept = 0;
    for (int64_t c = 0; c < row->coils; c++) {
        const REAL rr = (REAL)row->reference[2 * c], ri = (REAL)row->reference[2 * c + 1];
        const REAL *v = map + c * 2 * B;
        for (int i = 0; i < B; i++) {
            re[i] += rr * v[i] + ri * v[B + i];
            im[i] += rr * v[B + i] - ri * v[i];
        }
    }
    for (int i = 0; i < B; i++) {
        const double size = (sqrt)((double)re[i] * (double)re[i] + (double)im[i] * (double)im[i]);
        const double factor = weight(row, (double)values[i]);
        kept += i < count && factor > 0;
        re[i] = (REAL)(size > 0 ? (double)re[i] / size * factor : factor);
        im[i] = (REAL)(size > 0 ? -(double)im[i] / size * factor : 0);
    }
    for (int64_t c = 0; c < row->coils; c++, out += 2 * row->pixels) {
        const REAL *v = map + c * 2 * B;
        REAL pixels[2 * B];
        for (int i = 0; i < B; i++) {
            pixels[2 * i] = re[i] * v[i] - im[i] * v[B + i];
            pixels[2 * i + 1] = re[i] * v[B + i] + im[i] * v[i];
        }
        memcpy(out, pixels, (size_t)(2 * count) * sizeof *out);
    }
    return kept;
}

int64_t VARIANT(espirit_maps)(const espirit_row *row)
{
    const int64_t coils = row->coils, length = espirit_vector(coils);
    REAL *matrix = row->scratch, *basis = matrix + espirit_matrix(coils), *w = basis + (STEPS + 1) * length,
         *maps = w + length;
    int64_t kept = 0;
    int expected[2] = {1, 1}; /* for the first set, for the others */
    for (int64_t start = 0; start < row->count; start += B) {
        const int64_t count = row->count - start < B ? row->count - start : B;
        make_matrices(row, start, matrix);
        for (int64_t s = 0; s < row->sets; s++) {
            REAL values[B];
            REAL *out = (REAL *)row->maps + 2 * (s * coils * row->pixels + start);
            clear(basis, length);
            clear(w, length);
            fill(row, s, w);
            if (s == 0) put_image(row, start, w, basis);
            find_map(row, matrix, basis, maps, s, values, expected + (s > 0));
            const int64_t here = store_map(row, maps + s * length, values, out, count);
            if (s == 0) kept += here;
            for (int64_t i = 0; row->values && i < count; i++)
                row->values[s * row->pixels + start + i] = (double)values[i];
        }
    }
    return kept;
}

/* ---- eigenvalues above the crop */

/* Counts positive eigenvalues of matrix - shift: as many as positive pivots of its elimination. */
static void count_above(int64_t coils, REAL *matrix, REAL shift, int count[B])
{
    const REAL tiny = (REAL)(REAL_BITS == 32 ? 1e-6 : 1e-13);
    for (int i = 0; i < B; i++) count[i] = 0;
    for (int64_t k = 0; k < coils; k++) {
        REAL *pivot = element(matrix, k, k), inverse[B];
        for (int i = 0; i < B; i++) {
            const REAL p = pivot[i] - shift;
            count[i] += p > 0;
            inverse[i] = 1 / (p > tiny || p < -tiny ? p : p > 0 ? tiny : -tiny);
        }
        for (int64_t r = k + 1; r < coils; r++)
            for (int64_t c = k + 1; c <= r; c++) {
                REAL *at = element(matrix, r, c);
                const REAL *x = element(matrix, r, k), *y = element(matrix, c, k);
                for (int i = 0; i < B; i++) {
                    at[i] -= inverse[i] * (x[i] * y[i] + x[B + i] * y[B + i]);
                    at[B + i] -= inverse[i] * (x[B + i] * y[i] - x[i] * y[B + i]);
                }
            }
    }
}

void VARIANT(espirit_count)(const espirit_row *row, double crop, int64_t above[2])
{
    for (int64_t start = 0; start < row->count; start += B) {
        int count[B];
        make_matrices(row, start, row->scratch);
        count_above(row->coils, row->scratch, (REAL)crop, count);
        for (int64_t i = 0; i < B && start + i < row->count; i++) {
            above[0] += count[i] > 0;
            above[1] += count[i] > 1;
        }
    }
}

/* ---- the polynomials */

void VARIANT(espirit_contract)(const double *in, int64_t stride, const double *waves, int64_t terms,
                               int64_t count, double *out)
{
    for (int64_t i = 0; i < count; i++) out[i] = waves[0] * in[i];
    for (int64_t t = 1; t < terms; t++) {
        const double wave = waves[t], *restrict add = in + t * stride;
        double *restrict sum = out;
        for (int64_t i = 0; i < count; i++) sum[i] += wave * add[i];
    }
}
