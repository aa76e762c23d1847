/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase of the concomitant fields (Maxwell terms) that the gradients of the readout make. Near the isocentre
 * of a main field B0 along z, symmetric gradient coils add
 *
 *     Bc = ((Gx z - Gz x / 2)^2 + (Gy z - Gz y / 2)^2) / (2 B0)
 *
 * to the wanted field (Bernstein et al., MRM 39:300, 1998), and samples get the phase gamma times the
 * integral of Bc over time: four of the terms of argand_phase_basis. G is the derivative of the scan's
 * positions in k-space. Bc does not change if G and the place are rotated about z or mirrored, so the
 * patient's coordinates serve for those of the gradient coils. */
#include <math.h>
#include "base/memory.h"
#include "base/pi.h"
#include "recon/samples/samples.h"

/* Products of the gradient that are integrated, in the order of the terms z^2, x^2 + y^2, xz, yz. */
enum { PRODUCTS = 4, FIRST_TERM = 16 };
static const double HZ_PER_TESLA = 42.577478518e6, NEGLIGIBLE = 0.05 /* rad */;

/* The gradient in T/m at some time, and the integrals until then. */
typedef struct history {
    double t, g[3], sum[PRODUCTS], duration;
} history;

/* A readout in the order of time. */
typedef struct readout {
    const argand_acquisition *acquisition;
    double to_field[3][3]; /* from cycles per field of view along the axes of k to T s / m in the patient */
    bool backwards;
} readout;

static int64_t sample_of(const readout *r, int64_t i)
{
    return r->backwards ? r->acquisition->samples - 1 - i : i;
}

static double time_of(const readout *r, int64_t i)
{
    return (double)r->acquisition->t[sample_of(r, i)];
}

/* Computes the mean gradient between the samples i and i + 1. */
static void gradient_of(const readout *r, int64_t i, double g[3])
{
    const int64_t a = sample_of(r, i), b = sample_of(r, i + 1);
    const double dt = time_of(r, i + 1) - time_of(r, i);
    for (int d = 0; d < 3; d++) {
        g[d] = 0;
        for (int axis = 0; axis < 3; axis++)
            g[d] += r->to_field[d][axis] *
                    ((double)r->acquisition->k[axis][b] - (double)r->acquisition->k[axis][a]) / dt;
    }
}

/* Adds the integrals over dt of a gradient that changes linearly from p to q. */
static void integrate(double sum[PRODUCTS], const double p[3], const double q[3], double dt)
{
#define PRODUCT(a, b) (dt / 6 * (2 * p[a] * p[b] + 2 * q[a] * q[b] + p[a] * q[b] + q[a] * p[b]))
    sum[0] += PRODUCT(0, 0) + PRODUCT(1, 1);
    sum[1] += PRODUCT(2, 2) / 4;
    sum[2] -= PRODUCT(0, 2);
    sum[3] -= PRODUCT(1, 2);
#undef PRODUCT
}

/* Estimates the gradient at both ends of the interval i from the mean gradients of its neighbours. */
static void ends_of(const readout *r, int64_t i, double p[3], double q[3])
{
    const int64_t last = r->acquisition->samples - 2, before = i > 0 ? i - 1 : i,
                  after = i < last ? i + 1 : i;
    double g[3], low[3], high[3];
    gradient_of(r, i, g);
    gradient_of(r, before, low);
    gradient_of(r, after, high);
    const double dt = time_of(r, i + 1) - time_of(r, i),
                 apart = (time_of(r, after + 1) + time_of(r, after) - time_of(r, before + 1) -
                          time_of(r, before)) /
                         2;
    for (int d = 0; d < 3; d++) {
        const double change = apart > 0 ? (high[d] - low[d]) / apart * dt / 2 : 0;
        p[d] = g[d] - change;
        q[d] = g[d] + change;
    }
}

/* Begins the integrals at the first sample of a readout, or continues those of the line of a train before,
 * with a gradient that changes linearly in the gap. */
static void begin(history *h, const readout *r, bool follows)
{
    const int64_t n = r->acquisition->samples;
    const double t = time_of(r, 0), gap = t - h->t;
    double p[3] = {0}, q[3];
    if (n > 1) ends_of(r, 0, p, q);
    if (follows && gap > 0 && gap < h->duration)
        integrate(h->sum, h->g, p, gap);
    else
        for (int i = 0; i < PRODUCTS; i++) h->sum[i] = 0;
    h->t = t;
    h->duration = time_of(r, n - 1) - t;
}

/* Writes the integrals in T^2 s / m^2 until each sample of a row to c {total, PRODUCTS}. */
static void row_integrals(history *h, const readout *r, bool follows, double *c, int64_t total)
{
    const int64_t n = r->acquisition->samples;
    begin(h, r, follows);
    for (int64_t i = 0; i < n; i++) {
        for (int l = 0; l < PRODUCTS; l++) c[sample_of(r, i) + total * l] = h->sum[l];
        if (i == n - 1) break;
        double p[3], q[3];
        ends_of(r, i, p, q);
        integrate(h->sum, p, q, time_of(r, i + 1) - time_of(r, i));
        for (int d = 0; d < 3; d++) h->g[d] = q[d];
        h->t = time_of(r, i + 1);
    }
}

static readout readout_of(const argand_sense *s, const argand_geometry *g, const argand_acquisition *a)
{
    const argand_encoding *e = &s->scan->encodings[a->encoding];
    const double *const direction[3] = {g->read, g->phase, g->slice};
    readout r = {.acquisition = a, .backwards = a->samples > 1 && a->t[a->samples - 1] < a->t[0]};
    for (int axis = 0; axis < 3; axis++)
        for (int d = 0; d < 3; d++)
            r.to_field[d][axis] = axis < s->grid.rank && a->k[axis] && e->field_of_view[axis] > 0
                                      ? direction[axis][d] * 1e3 / e->field_of_view[axis] / HZ_PER_TESLA
                                      : 0;
    return r;
}

/* Writes the terms 16 to 19 of all samples of a volume, in the file's order, to c {samples, PRODUCTS}. */
static void phases_of_volume(const argand_sense *s, const recon_volume *v, double *c)
{
    const argand_geometry g = argand_sense_geometry(s, (int)(v - s->volumes));
    const double factor = TWO_PI * HZ_PER_TESLA / (2 * s->concomitant);
    history h = {0};
    int64_t next = -1;
    for (int64_t q = 0; q < v->count; q++) {
        const recon_row *row = &v->rows[q];
        const readout r = readout_of(s, &g, row->acquisition);
        row_integrals(&h, &r, row->offset == next, c + row->offset, v->samples);
        next = row->offset + row->acquisition->samples;
    }
    for (int64_t i = 0; i < PRODUCTS * v->samples; i++) c[i] *= factor;
}

argand_status concomitant_add(const argand_sense *s, const recon_volume *v, double *c)
{
    double *own;
    TRY(NEW(own, PRODUCTS * v->samples));
    phases_of_volume(s, v, own);
    for (int64_t i = 0; i < PRODUCTS * v->samples; i++) c[FIRST_TERM * v->samples + i] += own[i];
    memory_free(own);
    return ARGAND_OK;
}

/* Returns the largest phase at the corners of the image. Bc is a sum of squares of linear functions, so its
 * integral is largest at a corner, and it never falls during a readout. */
static double largest_phase(const argand_sense *s, const recon_volume *v, const double *c)
{
    const argand_geometry g = argand_sense_geometry(s, (int)(v - s->volumes));
    double most = 0;
    for (int corner = 0; corner < 8; corner++) {
        double place[3], h[ARGAND_PHASE_TERMS];
        for (int d = 0; d < 3; d++) {
            place[d] = g.centre[d];
            const double *const direction[3] = {g.read, g.phase, g.slice};
            for (int axis = 0; axis < s->grid.rank; axis++)
                place[d] +=
                    (corner >> axis & 1 ? 0.5 : -0.5) * s->grid.field_of_view[axis] * direction[axis][d];
            place[d] *= 1e-3;
        }
        argand_phase_basis(h, place);
        for (int64_t i = 0; i < v->samples; i++) {
            double phase = 0;
            for (int l = 0; l < PRODUCTS; l++) phase += c[i + v->samples * l] * h[FIRST_TERM + l];
            most = fmax(most, phase);
        }
    }
    return most;
}

static argand_status check_acquisition(const argand_sense *s, const argand_acquisition *a)
{
    const double sign = a->samples > 1 && a->t[a->samples - 1] < a->t[0] ? -1 : 1;
    CHECK(a->k[0] && a->k[1] && a->k[2], ARGAND_ARGUMENT,
          "%s: acquisition %lld has no positions in k-space, which concomitant fields need", s->scan->path,
          (long long)a->row);
    for (int64_t i = 1; i < a->samples; i++)
        CHECK(sign * ((double)a->t[i] - (double)a->t[i - 1]) > 0, ARGAND_ARGUMENT,
              "%s: acquisition %lld has samples %lld and %lld at the same time; concomitant fields need the "
              "time between samples: give --times or --sample-time",
              s->scan->path, (long long)a->row, (long long)i - 1, (long long)i);
    return ARGAND_OK;
}

/* Finds the largest phase in all volumes. */
static argand_status find_largest(const argand_sense *s, double *largest, int *where)
{
    for (int v = 0; v < s->volume_count; v++) {
        const recon_volume *volume = &s->volumes[v];
        double *c;
        for (int64_t q = 0; q < volume->count; q++) TRY(check_acquisition(s, volume->rows[q].acquisition));
        TRY(NEW(c, PRODUCTS * volume->samples));
        phases_of_volume(s, volume, c);
        const double phase = largest_phase(s, volume, c);
        memory_free(c);
        if (!(phase <= *largest)) {
            *largest = phase;
            *where = v;
        }
    }
    return ARGAND_OK;
}

/* Adds to the terms 0 to 3 (1, x, y, z) of a sample the affine part, at the centre of the image, of its terms
 * 16 to 19, times `sign`. */
void concomitant_affine(double *c, int64_t stride, const double centre_mm[3], double sign)
{
    const double *q = c + stride * FIRST_TERM, x = 1e-3 * centre_mm[0], y = 1e-3 * centre_mm[1],
                 z = 1e-3 * centre_mm[2];
    const double zz = q[0], rr = q[stride], xz = q[2 * stride], yz = q[3 * stride];
    const double slope[3] = {2 * rr * x + xz * z, 2 * rr * y + yz * z, 2 * zz * z + xz * x + yz * y};
    const double value = zz * z * z + rr * (x * x + y * y) + xz * x * z + yz * y * z;
    for (int d = 0; d < 3; d++) c[stride * (1 + d)] += sign * slope[d];
    c[0] += sign * (value - slope[0] * x - slope[1] * y - slope[2] * z);
}

argand_status concomitant_take(argand_sense *s, const argand_sense_options *given)
{
    const double field = given->concomitant < 0 ? s->scan->field_strength : given->concomitant;
    double largest = 0;
    int where = 0;
    if (given->concomitant == 0) return ARGAND_OK;
    CHECK(field > 0 && field < 100, ARGAND_ARGUMENT,
          "%s: concomitant fields need the main field in T, and %s%g: give it as a number", s->scan->path,
          given->concomitant < 0 ? "the header's systemFieldStrength_T is " : "the given one is ", field);
    CHECK(s->options.phases == ARGAND_PHASES_NONE && s->bands == 1, ARGAND_UNSUPPORTED,
          "%s: concomitant fields exclude phase maps of shots and simultaneous slices: leave them out",
          s->scan->path);
    CHECK(argand_sense_geometry(s, 0).valid, ARGAND_ARGUMENT,
          "%s: concomitant fields need the position of the slices, but the acquisitions lack position, "
          "read_dir, phase_dir and slice_dir",
          s->scan->path);
    s->concomitant = field;
    TRY(find_largest(s, &largest, &where));
    CHECK(isfinite(largest), ARGAND_NUMERIC, "%s: concomitant fields are not finite in volume %d",
          s->scan->path, where);
    text_add(&s->notes,
             "Concomitant fields at %.3g T: at most %.2g rad at the corners of the image%s, counted from the "
             "first sample of each readout%s.\n",
             field, largest, s->slices > 1 ? " in the worst slice" : "",
             largest < NEGLIGIBLE ? "; below 0.05 rad they are negligible and left out" : "");
    if (largest < NEGLIGIBLE) s->concomitant = 0;
    if (s->concomitant > 0) s->term_count = ARGAND_PHASE_TERMS;
    return s->notes.status;
}
