/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradient delays of radial trajectories from the spokes themselves, by RING's idea (Rosenzweig, Holme,
 * Uecker, Magn. Reson. Med. 81:1898, 2019). Delays move the spoke of direction n by S n, with a symmetric
 * matrix S of three numbers. Two spokes have equal values at their crossing. RING finds all crossings and
 * fits S to them. Here S is fitted by the Gauss-Newton method to the differences at all
 * crossings at once, which needs no search for each pair. */
#include "calib/calib.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#include "base/pi.h"
#include "base/whole.h"
#include "mri/host.h"

/* Spokes are tabulated near their middle at STEPS points per sample, HALF samples on either side. */
enum { STEPS = 16, HALF = 6, TABLE = 2 * HALF * STEPS + 1, PARTNERS = 8, ITERATIONS = 40 };
static const double WIDEST = 4, STILL = 1e-5; /* samples */

typedef struct spokes {
    int64_t samples, count, coils;
    double (*direction)[2]; /* step from sample to sample, relative to the first spoke's spacing */
    double *first;          /* n k of the first sample, in samples */
    double complex *table;  /* [spoke][coil][TABLE] */
    double energy;
} spokes;

/* Returns the periodic sinc of N samples, which interpolates a line whose image is as long as the line. */
static double kernel(double u, int64_t n)
{
    const double s = sin(PI * u / (double)n);
    if (fabs(s) < 1e-12) return 1;
    const double top = sin(PI * u) / ((double)n * s);
    return n % 2 ? top : top * cos(PI * u / (double)n);
}

static argand_status fill_table(spokes *s, const double complex *data, int threads)
{
    TRY(NEW(s->table, s->count * s->coils * TABLE));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t spoke = 0; spoke < s->count; spoke++)
        for (int i = 0; i < TABLE; i++) {
            const double at =
                (double)(i - HALF * STEPS) / STEPS - s->first[spoke]; /* index along the spoke */
            for (int64_t j = 0; j < s->samples; j++) {
                const double weight = kernel(at - (double)j, s->samples);
                for (int64_t c = 0; c < s->coils; c++)
                    s->table[(spoke * s->coils + c) * TABLE + i] +=
                        weight * data[(c * s->count + spoke) * s->samples + j];
            }
        }
    for (int64_t i = 0; i < s->count * s->coils; i++)
        s->energy += pow(cabs(s->table[i * TABLE + HALF * STEPS]), 2);
    return ARGAND_OK;
}

/* Returns value and derivative (per sample) at u samples from the middle, by a parabola through three
 * points of the table. */
static double complex look_up(const spokes *s, int64_t spoke, int64_t coil, double u, double complex *slope)
{
    const double place = u * STEPS + HALF * STEPS;
    const int i = (int)whole(rint(place), 1, TABLE - 2);
    const double complex *t = s->table + (spoke * s->coils + coil) * TABLE + i;
    const double f = place - i;
    const double complex first = (t[1] - t[-1]) / 2, second = t[1] - 2 * t[0] + t[-1];
    *slope = STEPS * (first + f * second);
    return t[0] + f * first + f * f / 2 * second;
}

/* Computes where two spokes cross: a n_i + S n_i = b n_j + S n_j. a and b are linear in S = (xx, yy, xy);
 * the results are their factors. */
static void crossing(const spokes *s, int64_t i, int64_t j, double a[3], double b[3])
{
    const double *p = s->direction[i], *q = s->direction[j], det = p[1] * q[0] - p[0] * q[1];
    const double dx = q[0] - p[0], dy = q[1] - p[1];
    const double right[3][2] = {{dx, 0}, {0, dy}, {dy, dx}}; /* S (q - p) for each number of S */
    for (int m = 0; m < 3; m++) {
        a[m] = (-q[1] * right[m][0] + q[0] * right[m][1]) / det;
        b[m] = (p[0] * right[m][1] - p[1] * right[m][0]) / det;
    }
}

typedef struct normal_equations {
    double cost, gradient[3], matrix[3][3];
} normal_equations;

static void add_crossing(const spokes *s, int64_t i, int64_t j, const double delay[3], normal_equations *e)
{
    double a[3], b[3], u = 0, v = 0;
    crossing(s, i, j, a, b);
    for (int m = 0; m < 3; m++) {
        u += a[m] * delay[m];
        v += b[m] * delay[m];
    }
    for (int64_t c = 0; c < s->coils; c++) {
        double complex du, dv, way[3];
        const double complex left = look_up(s, i, c, u, &du) - look_up(s, j, c, v, &dv);
        e->cost += creal(left * conj(left));
        for (int m = 0; m < 3; m++) {
            way[m] = du * a[m] - dv * b[m];
            e->gradient[m] += creal(conj(way[m]) * left);
            for (int k = 0; k <= m; k++) e->matrix[m][k] += creal(conj(way[m]) * way[k]);
        }
    }
}

/* Adds, for each spoke, its crossings with a few other spokes. Pairs at less than 30 degrees are skipped,
 * because their crossing is not accurate. */
static void all_crossings(const spokes *s, const double delay[3], normal_equations *e)
{
    *e = (normal_equations){0};
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t stride = s->count / (2 * PARTNERS) + 1;
        for (int64_t j = i + 1; j < s->count && j <= i + s->count; j += stride) {
            const double *p = s->direction[i], *q = s->direction[j];
            if (fabs(p[0] * q[1] - p[1] * q[0]) > 0.5 * hypot(p[0], p[1]) * hypot(q[0], q[1]))
                add_crossing(s, i, j, delay, e);
        }
    }
    for (int m = 0; m < 3; m++)
        for (int k = m + 1; k < 3; k++) e->matrix[m][k] = e->matrix[k][m];
}

/* Solves (M + damping diag M) step = -gradient by Cramer's rule. Returns false if M is singular. */
static bool newton_step(const normal_equations *e, double damping, double step[3])
{
    double m[3][3], largest = 0;
    memcpy(m, e->matrix, sizeof m);
    for (int i = 0; i < 3; i++) m[i][i] *= 1 + damping, largest = fmax(largest, m[i][i]);
    const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                       m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (!(det > 1e-12 * largest * largest * largest)) return false;
    for (int i = 0; i < 3; i++) {
        double t[3][3];
        memcpy(t, m, sizeof t);
        for (int k = 0; k < 3; k++) t[k][i] = -e->gradient[k];
        step[i] = (t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) -
                   t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                   t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0])) /
                  det;
    }
    return true;
}

/* Minimises by the Levenberg-Marquardt method: damping decreases after a successful step and increases
 * after a failed one. */
static argand_status descend(const spokes *s, double delay[3], double *cost)
{
    normal_equations e, trial;
    double damping = 1e-3;
    all_crossings(s, delay, &e);
    for (int k = 0; k < ITERATIONS; k++) {
        double step[3], next[3], size = 0;
        CHECK(newton_step(&e, damping, step), ARGAND_NUMERIC,
              "radial delays: the spokes do not tell; they need different directions and an object that is "
              "not a point");
        for (int m = 0; m < 3; m++) {
            next[m] = fmax(-WIDEST, fmin(WIDEST, delay[m] + step[m]));
            size = fmax(size, fabs(next[m] - delay[m]));
        }
        all_crossings(s, next, &trial);
        if (trial.cost <= e.cost) {
            memcpy(delay, next, sizeof next);
            e = trial;
            damping /= 4;
        } else {
            damping = damping * 8 + 1e-6;
        }
        if (size < STILL) break;
    }
    *cost = e.cost;
    return ARGAND_OK;
}

/* Minimises from several starts along the axes, because a shift of some samples has local minima around
 * it. */
static argand_status search(const spokes *s, double best[3])
{
    double least = INFINITY;
    for (int x = -2; x <= 2; x++)
        for (int y = -2; y <= 2; y++) {
            double delay[3] = {x, y, 0}, cost = INFINITY;
            TRY(descend(s, delay, &cost));
            if (cost >= least) continue;
            least = cost;
            memcpy(best, delay, sizeof delay);
        }
    return ARGAND_OK;
}

/* ---- arguments */

/* Finds the directions of the spokes and the position of their first sample. */
static argand_status take_geometry(spokes *s, const double *kx, const double *ky)
{
    double unit = 0;
    TRY(memory_new(&s->direction, (size_t)s->count, sizeof *s->direction));
    TRY(NEW(s->first, s->count));
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t a = i * s->samples, b = a + s->samples - 1;
        const double dx = kx[b] - kx[a], dy = ky[b] - ky[a], length = hypot(dx, dy);
        const double spacing = length / (double)(s->samples - 1);
        if (i == 0) unit = spacing;
        s->direction[i][0] = dx / length * spacing / unit;
        s->direction[i][1] = dy / length * spacing / unit;
        s->first[i] = (kx[a] * dx + ky[a] * dy) / length / spacing;
        const double middle = -s->first[i], away = fabs(kx[a] * dy - ky[a] * dx) / length / spacing;
        CHECK(spacing < 4 * unit && unit < 4 * spacing && away < 1 && middle > HALF + 2 &&
                  middle < (double)s->samples - HALF - 2,
              ARGAND_ARGUMENT, "radial delays: spoke %lld is not a straight line through the centre",
              (long long)i);
    }
    return ARGAND_OK;
}

static argand_status check_spokes(const argand_array *samples, argand_array *const k[2], spokes *s)
{
    const int rank = argand_array_rank(samples);
    CHECK((rank == 2 || rank == 3) && type_is_complex(argand_array_type(samples)), ARGAND_ARGUMENT,
          "radial delays: samples of rank %d, %s; they must be complex {samples, spokes[, coils]}", rank,
          argand_type_name(argand_array_type(samples)));
    s->samples = argand_array_dim(samples, 0);
    s->count = argand_array_dim(samples, 1);
    s->coils = argand_array_dim(samples, 2);
    CHECK(s->count >= 3, ARGAND_ARGUMENT, "radial delays: %lld spokes; three at least are needed",
          (long long)s->count);
    CHECK(k && k[0] && k[1], ARGAND_ARGUMENT, "radial delays: two arrays of positions are needed");
    for (int axis = 0; axis < 2; axis++)
        CHECK(!type_is_complex(argand_array_type(k[axis])) &&
                  argand_array_count(k[axis]) == s->samples * s->count,
              ARGAND_ARGUMENT, "radial delays: positions of axis %d must be real {samples, spokes}", axis);
    return calib_check_finite(samples, "radial delays: the samples");
}

argand_status argand_radial_delay_estimate(argand_radial_delay *delay, const argand_array *samples,
                                           argand_array *const k[2])
{
    spokes s = {0};
    double *values[3] = {NULL}, found[3] = {0};
    argand_status status;
    CHECK(delay, ARGAND_ARGUMENT, "radial delays: nowhere to put the result");
    CHECK_ARRAY(samples);
    TRY(check_spokes(samples, k, &s));
    TRY_OR_DONE(host_read(&values[0], k[0]));
    TRY_OR_DONE(host_read(&values[1], k[1]));
    TRY_OR_DONE(host_read(&values[2], samples));
    TRY_OR_DONE(take_geometry(&s, values[0], values[1]));
    TRY_OR_DONE(fill_table(&s, (const double complex *)values[2],
                           argand_device_threads(argand_array_device(samples))));
    CHECK_OR_DONE(s.energy > 0, ARGAND_NUMERIC, "radial delays: the spokes hold no signal in the middle");
    TRY_OR_DONE(search(&s, found));
    *delay = (argand_radial_delay){found[0], found[1], found[2]};
done:
    memory_free(s.table);
    memory_free(s.first);
    memory_free(s.direction);
    for (int i = 0; i < 3; i++) memory_free(values[i]);
    return status;
}

argand_status argand_radial_delay_correct(argand_array *const k[2], const argand_radial_delay *delay)
{
    double *kx = NULL, *ky = NULL;
    argand_status status;
    CHECK(k && k[0] && k[1] && delay, ARGAND_ARGUMENT, "radial correction: positions and delays are needed");
    const int64_t samples = argand_array_dim(k[0], 0), count = argand_array_count(k[0]);
    CHECK(argand_array_count(k[1]) == count && samples >= 2 && !type_is_complex(argand_array_type(k[0])) &&
              !type_is_complex(argand_array_type(k[1])),
          ARGAND_ARGUMENT,
          "radial correction: positions must be two real arrays {samples, spokes...} of one shape");
    CHECK(isfinite(delay->xx) && isfinite(delay->yy) && isfinite(delay->xy), ARGAND_ARGUMENT,
          "radial correction: a delay is not finite");
    TRY_OR_DONE(host_read(&kx, k[0]));
    TRY_OR_DONE(host_read(&ky, k[1]));
    for (int64_t a = 0; a < count; a += samples) {
        const double steps = (double)(samples - 1);
        const double dx = (kx[a + samples - 1] - kx[a]) / steps, dy = (ky[a + samples - 1] - ky[a]) / steps;
        for (int64_t i = a; i < a + samples; i++) {
            kx[i] += delay->xx * dx + delay->xy * dy;
            ky[i] += delay->xy * dx + delay->yy * dy;
        }
    }
    TRY_OR_DONE(host_write_real(k[0], kx));
    status = host_write_real(k[1], ky);
done:
    memory_free(ky);
    memory_free(kx);
    return status;
}
