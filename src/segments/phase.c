/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments of measured phase, E_jn = exp(-(R_n + i w_n) t_j - i sum_l c_l(j) h_l(n)), as field cameras see it
 * (Wilm, Barmet, Pavan, Pruessmann, MRM 65:1690, 2011). Columns of E, which belong to some pixels, are the
 * factors of time; the others are combinations of them:
 *   E_jn ~ sum_l E_j,p(l) b_l(n),
 * with pixels p by Gram-Schmidt with pivots on a part of E, and b by least squares over some samples (an
 * interpolative decomposition: Cheng, Gimbutas, Martinsson, Rokhlin, SIAM J. Sci. Comput. 26:1389, 2005). The
 * error is measured at other samples and pixels. */
#include "segments/segments.h"

#include "array/array.h"
#include "base/cpu.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { FIRST_SAMPLES = 384, CHECKED = 192, TRIALS = 4 };

typedef struct phase_problem {
    int64_t samples, pixels, inside, terms;
    double *c, *h;         /* {samples, terms}, {pixels, terms} */
    double *t, *w, *decay; /* NULL: none */
    int64_t *place;        /* of the pixels in the mask */
} phase_problem;

/* What is chosen of it, and what comes out. */
typedef struct skeleton {
    int64_t rows, columns;
    int64_t *row, *column; /* samples; pixels, as places in `place` */
    double complex *q, *r; /* {rows, rank}, {rank, rank} upper triangle */
    int64_t *pivot;        /* {rank}: pixels */
    int rank;
} skeleton;

static double complex entry(const phase_problem *p, int64_t j, int64_t n)
{
    double phase = p->w ? p->w[n] * p->t[j] : 0;
    for (int64_t l = 0; l < p->terms; l++) phase += p->c[j + p->samples * l] * p->h[n + p->pixels * l];
    const double size = p->decay ? exp(-p->decay[n] * p->t[j]) : 1;
    return CMPLX(size * cos(phase), -size * sin(phase));
}

/* Evenly and without a period: the i-th of so many; all where they are few. */
static int64_t pick(int64_t i, int64_t wanted, int64_t count, double shift)
{
    const double golden = 0.61803398874989485, at = (double)i * golden + shift;
    return wanted >= count ? i : (int64_t)((at - floor(at)) * (double)count);
}

static void skeleton_free(skeleton *s)
{
    memory_free(s->row);
    memory_free(s->column);
    memory_free(s->q);
    memory_free(s->r);
    memory_free(s->pivot);
    *s = (skeleton){0};
}

static argand_status skeleton_begin(skeleton *s, const phase_problem *p, int64_t wanted)
{
    *s = (skeleton){.rows = wanted < p->samples ? wanted : p->samples,
                    .columns = wanted < p->inside ? wanted : p->inside};
    TRY(NEW(s->row, s->rows));
    TRY(NEW(s->column, s->columns));
    TRY(NEW(s->q, s->rows * SEGMENTS_MOST_TERMS));
    TRY(NEW(s->r, SEGMENTS_MOST_TERMS * SEGMENTS_MOST_TERMS));
    TRY(NEW(s->pivot, SEGMENTS_MOST_TERMS));
    for (int64_t i = 0; i < s->rows; i++) s->row[i] = pick(i, wanted, p->samples, 0);
    for (int64_t i = 0; i < s->columns; i++) s->column[i] = pick(i, wanted, p->inside, 0);
    return ARGAND_OK;
}

static double energy(const double complex *v, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += creal(v[i]) * creal(v[i]) + cimag(v[i]) * cimag(v[i]);
    return sum;
}

/* What q spans is taken out of v; what was there is added to `part`. */
static void project(const skeleton *s, double complex *v, double complex *part)
{
    for (int l = 0; l < s->rank; l++) {
        const double complex *q = s->q + s->rows * l;
        double complex dot = 0;
        for (int64_t i = 0; i < s->rows; i++) dot += conj(q[i]) * v[i];
        for (int64_t i = 0; i < s->rows; i++) v[i] -= dot * q[i];
        part[l] += dot;
    }
}

/* One more column, of the most that is left over; false: nothing is. */
static bool take_column(skeleton *s, const phase_problem *p, double complex *rest, int64_t best)
{
    double complex *q = s->q + s->rows * s->rank, *r = s->r + SEGMENTS_MOST_TERMS * s->rank;
    s->pivot[s->rank] = p->place[s->column[best]];
    for (int64_t i = 0; i < s->rows; i++) q[i] = entry(p, s->row[i], s->pivot[s->rank]);
    project(s, q, r);
    project(s, q, r); /* twice is enough */
    const double norm = sqrt(energy(q, s->rows));
    if (!(norm > 0)) return false;
    r[s->rank] = norm;
    for (int64_t i = 0; i < s->rows; i++) q[i] /= norm;
    for (int64_t k = 0; k < s->columns; k++) {
        double complex *v = rest + s->rows * k, dot = 0;
        for (int64_t i = 0; i < s->rows; i++) dot += conj(q[i]) * v[i];
        for (int64_t i = 0; i < s->rows; i++) v[i] -= dot * q[i];
    }
    s->rank++;
    return true;
}

/* Columns until what is left over is less than `target` of the whole; false: there are too many. */
static argand_status skeleton_grow(skeleton *s, const phase_problem *p, double target, bool *reached)
{
    double complex *rest;
    double whole = 0;
    TRY(NEW(rest, s->rows * s->columns));
    for (int64_t k = 0; k < s->columns; k++)
        for (int64_t i = 0; i < s->rows; i++)
            rest[i + s->rows * k] = entry(p, s->row[i], p->place[s->column[k]]);
    for (*reached = false; !*reached;) {
        double left = 0, most = -1;
        int64_t best = 0;
        for (int64_t k = 0; k < s->columns; k++) {
            const double one = energy(rest + s->rows * k, s->rows);
            left += one;
            if (one > most) most = one, best = k;
        }
        if (!s->rank) whole = left;
        *reached = s->rank && left <= target * target * whole;
        if (*reached || s->rank == SEGMENTS_MOST_TERMS) break;
        if (s->rank == s->rows || !take_column(s, p, rest, best)) *reached = true;
    }
    memory_free(rest);
    return ARGAND_OK;
}

/* b(n) = r^-1 q^H E(rows, n); column: {rows}, to be written over. */
static void coefficients(const skeleton *s, const phase_problem *p, int64_t n, double complex *column,
                         double complex *b)
{
    for (int64_t i = 0; i < s->rows; i++) column[i] = entry(p, s->row[i], n);
    memset(b, 0, (size_t)s->rank * sizeof *b);
    project(s, column, b);
    for (int l = s->rank; l-- > 0;) {
        for (int m = l + 1; m < s->rank; m++) b[l] -= s->r[l + SEGMENTS_MOST_TERMS * m] * b[m];
        b[l] /= s->r[l + SEGMENTS_MOST_TERMS * l];
    }
}

/* The error at samples and pixels that nothing was made from. */
static argand_status measure(const skeleton *s, const phase_problem *p, double *error, double *largest)
{
    const int64_t pixels = p->inside < CHECKED ? p->inside : CHECKED,
                  samples = p->samples < CHECKED ? p->samples : CHECKED;
    double complex *column;
    double off = 0, whole = 0;
    *largest = 0;
    TRY(NEW(column, s->rows + SEGMENTS_MOST_TERMS));
    double complex *b = column + s->rows;
    for (int64_t k = 0; k < pixels; k++) {
        const int64_t n = p->place[pick(k, CHECKED, p->inside, 0.38)];
        coefficients(s, p, n, column, b);
        for (int64_t i = 0; i < samples; i++) {
            const int64_t j = pick(i, CHECKED, p->samples, 0.71);
            double complex sum = 0;
            const double complex exact = entry(p, j, n);
            for (int l = 0; l < s->rank; l++) sum += entry(p, j, s->pivot[l]) * b[l];
            off += energy(&(double complex){sum - exact}, 1);
            whole += energy(&exact, 1);
            *largest = fmax(*largest, cabs(sum - exact));
        }
    }
    *error = sqrt(off / whole);
    memory_free(column);
    return ARGAND_OK;
}

/* Finer and from more samples until what is measured is good. */
static argand_status find_skeleton(skeleton *s, const phase_problem *p, double tolerance, double *error,
                                   double *largest)
{
    double target = tolerance / 3;
    int64_t wanted = FIRST_SAMPLES;
    for (int trial = 0; trial < TRIALS; trial++, target /= 4, wanted *= 2) {
        bool reached = false;
        skeleton_free(s);
        TRY(skeleton_begin(s, p, wanted));
        TRY(skeleton_grow(s, p, target, &reached));
        if (!reached) break;
        TRY(measure(s, p, error, largest));
        if (*error <= tolerance) return ARGAND_OK;
    }
    return status_set(ARGAND_UNSUPPORTED,
                      "segments: measured phase needs more than %d terms for an error of %g: give a larger "
                      "tolerance, or are units or places wrong?",
                      SEGMENTS_MOST_TERMS, tolerance);
}

/* ---- the tables */

static void put(void *numbers, argand_type type, size_t at, double complex value)
{
    if (type == ARGAND_C64) {
        ((double *)numbers)[2 * at] = creal(value);
        ((double *)numbers)[2 * at + 1] = cimag(value);
    } else {
        ((float *)numbers)[2 * at] = (float)creal(value);
        ((float *)numbers)[2 * at + 1] = (float)cimag(value);
    }
}

static argand_status upload(argand_array **array, argand_device *device, argand_type type, int64_t rows,
                            int64_t terms, const void *numbers)
{
    TRY(argand_array_create(array, device, type, 2, (const int64_t[2]){rows, terms}));
    return argand_array_upload(*array, numbers);
}

static argand_status make_time(argand_segments *out, argand_device *device, const phase_problem *p,
                               const skeleton *s)
{
    const argand_type type = out->info.type;
    void *numbers;
    TRY(memory_new(&numbers, (size_t)p->samples * (size_t)s->rank, argand_type_size(type)));
#pragma omp parallel for schedule(static) num_threads(cpu_threads(0))
    for (int64_t j = 0; j < p->samples; j++)
        for (int l = 0; l < s->rank; l++)
            put(numbers, type, (size_t)(j + p->samples * l), entry(p, j, s->pivot[l]));
    const argand_status status = upload(&out->time, device, type, p->samples, s->rank, numbers);
    memory_free(numbers);
    return status;
}

static argand_status make_space(argand_segments *out, argand_device *device, const phase_problem *p,
                                const skeleton *s)
{
    const argand_type type = out->info.type;
    const int threads = cpu_threads(0);
    const int64_t each = s->rows + SEGMENTS_MOST_TERMS;
    double complex *columns = NULL;
    void *numbers = NULL;
    argand_status status;
    TRY_OR_DONE(memory_new(&numbers, (size_t)p->pixels * (size_t)s->rank, argand_type_size(type)));
    TRY_OR_DONE(NEW(columns, each * threads));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int part = 0; part < threads; part++) {
        double complex *column = columns + each * part, *b = column + s->rows;
        for (int64_t i = p->inside * part / threads; i < p->inside * (part + 1) / threads; i++) {
            coefficients(s, p, p->place[i], column, b);
            for (int l = 0; l < s->rank; l++) put(numbers, type, (size_t)(p->place[i] + p->pixels * l), b[l]);
        }
    }
    status = upload(&out->space, device, type, p->pixels, s->rank, numbers);
done:
    memory_free(columns);
    memory_free(numbers);
    return status;
}

/* ---- what the options hold */

static argand_status read_reals(double **out, const argand_array *a, int64_t count, const char *what)
{
    const argand_type type = argand_array_type(a);
    CHECK((type == ARGAND_R32 || type == ARGAND_R64) && argand_array_count(a) == count, ARGAND_ARGUMENT,
          "segments: %s are %lld numbers of type %s; %lld real ones are wanted", what,
          (long long)argand_array_count(a), argand_type_name(type), (long long)count);
    TRY(NEW(*out, count));
    TRY(argand_array_download(a, *out));
    for (int64_t i = count; i-- > 0 && type == ARGAND_R32;) { /* in place, from the end */
        float value;
        memcpy(&value, (const char *)*out + (size_t)i * sizeof value, sizeof value);
        (*out)[i] = (double)value;
    }
    for (int64_t i = 0; i < count; i++)
        CHECK(isfinite((*out)[i]), ARGAND_NUMERIC, "segments: number %lld of %s is not finite", (long long)i,
              what);
    return ARGAND_OK;
}

static argand_status read_mask(phase_problem *p, const argand_array *mask)
{
    double *m = NULL;
    if (mask) TRY(read_reals(&m, mask, p->pixels, "the mask"));
    const argand_status status = NEW(p->place, p->pixels);
    for (int64_t n = 0; n < p->pixels && !status; n++)
        if (!m || m[n] != 0) p->place[p->inside++] = n;
    memory_free(m);
    TRY(status);
    CHECK(p->inside, ARGAND_ARGUMENT, "segments: the mask is 0 everywhere");
    return ARGAND_OK;
}

static argand_status read_all(phase_problem *p, const argand_segments_phase_options *o)
{
    CHECK(o && o->phase && o->basis, ARGAND_ARGUMENT, "segments: measured phase needs phase and basis");
    const int last = argand_array_rank(o->phase) - 1, rank = argand_array_rank(o->basis) - 1;
    p->terms = last > 0 ? argand_array_dim(o->phase, last) : 1;
    CHECK(rank > 0 && argand_array_dim(o->basis, rank) == p->terms, ARGAND_ARGUMENT,
          "segments: phase has %lld terms, the basis %lld", (long long)p->terms,
          (long long)(rank > 0 ? argand_array_dim(o->basis, rank) : 0));
    CHECK(o->type == ARGAND_C32 || o->type == ARGAND_C64, ARGAND_ARGUMENT, "segments: type %s",
          argand_type_name(o->type));
    CHECK(!(o->field_map || o->r2star) || o->t, ARGAND_ARGUMENT, "segments: maps need t");
    CHECK(o->tolerance == 0 || (o->tolerance >= 1e-6 && o->tolerance < 1), ARGAND_ARGUMENT,
          "segments: a tolerance of %g: give 1e-6 or more, below 1", o->tolerance);
    p->samples = argand_array_count(o->phase) / p->terms;
    p->pixels = argand_array_count(o->basis) / p->terms;
    TRY(read_reals(&p->c, o->phase, p->samples * p->terms, "phases"));
    TRY(read_reals(&p->h, o->basis, p->pixels * p->terms, "the basis"));
    if (o->t) TRY(read_reals(&p->t, o->t, p->samples, "times"));
    if (o->field_map) TRY(read_reals(&p->w, o->field_map, p->pixels, "the field map"));
    if (o->r2star) TRY(read_reals(&p->decay, o->r2star, p->pixels, "R2*"));
    return read_mask(p, o->mask);
}

static void problem_free(phase_problem *p)
{
    double *const all[] = {p->c, p->h, p->t, p->w, p->decay};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) memory_free(all[i]);
    memory_free(p->place);
}

static argand_status make(argand_segments *out, argand_device *device, const phase_problem *p,
                          const argand_segments_phase_options *o)
{
    skeleton s = {0};
    const double tolerance = o->tolerance > 0 ? o->tolerance : 1e-3;
    argand_status status = find_skeleton(&s, p, tolerance, &out->info.error, &out->info.largest);
    argand_segments_info *i = &out->info;
    i->type = o->type;
    i->interpolator = ARGAND_INTERPOLATE_MINMAX;
    i->frequency = true;
    i->terms = i->optimum = s.rank;
    i->samples = p->samples;
    i->pixels = p->pixels;
    i->inside = p->inside;
    i->tolerance = tolerance;
    i->bytes = (size_t)(p->samples + p->pixels) * (size_t)s.rank * argand_type_size(o->type);
    if (!status) status = make_time(out, device, p, &s);
    if (!status) status = make_space(out, device, p, &s);
    skeleton_free(&s);
    return status;
}

argand_status argand_segments_create_phase(argand_segments **segments, argand_device *device,
                                           const argand_segments_phase_options *options)
{
    phase_problem p = {0};
    argand_segments *s = NULL;
    if (segments) *segments = NULL;
    CHECK(segments && device, ARGAND_ARGUMENT, "segments: no %s", device ? "place for them" : "device");
    argand_status status = read_all(&p, options);
    if (!status) status = NEW(s, 1);
    if (!status) status = make(s, device, &p, options);
    problem_free(&p);
    if (status)
        argand_segments_destroy(s);
    else
        *segments = s;
    return status;
}

void argand_phase_basis(double h[ARGAND_PHASE_TERMS], const double place[3])
{
    if (!h || !place) return;
    const double x = place[0], y = place[1], z = place[2], r = x * x + y * y + z * z;
    const double all[ARGAND_PHASE_TERMS] = {1,
                                            x,
                                            y,
                                            z,
                                            x * y,
                                            z * y,
                                            3 * z * z - r,
                                            x * z,
                                            x * x - y * y,
                                            3 * y * x * x - y * y * y,
                                            x * y * z,
                                            (5 * z * z - r) * y,
                                            5 * z * z * z - 3 * z * r,
                                            (5 * z * z - r) * x,
                                            z * (x * x - y * y),
                                            x * x * x - 3 * x * y * y,
                                            z * z,
                                            x * x + y * y,
                                            x * z,
                                            y * z};
    memcpy(h, all, sizeof all);
}
