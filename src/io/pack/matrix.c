/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the grid of user arrays: unit of the trajectory, encoded matrix, field of view. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/whole.h"
#include "io/pack/pack.h"

enum { LARGEST_MATRIX = 65535 }; /* limit of a scan's header */

static int64_t count_of(const pack_array *a)
{
    int64_t count = 1;
    for (int i = 0; i < a->rank; i++) count *= a->dims[i];
    return count;
}

/* Drops the imaginary parts of BART's complex positions. Refuses imaginary parts other than 0. */
static argand_status make_real(pack_array *a)
{
    if (!a->is_complex) return ARGAND_OK;
    const int64_t count = count_of(a);
    for (int64_t i = 0; i < count; i++) {
        if (a->numbers[2 * i + 1] != 0)
            return status_set(ARGAND_ARGUMENT, "%s: holds complex numbers, and real ones are wanted",
                              a->title);
        a->numbers[i] = a->numbers[2 * i];
    }
    a->is_complex = false;
    return ARGAND_OK;
}

/* Returns the largest |k| along an axis. It ignores up to 1 position in 100, judged by the exponent of
 * |k|, so that stray positions do not determine the matrix. It ignores none of fewer than 50. */
static double reach(const pack_array *t, int axis)
{
    const int64_t stride = t->stride[AXIS_K], n = t->length[AXIS_K], all = count_of(t) / n;
    int64_t count[256] = {0}, beyond = 0;
    float largest[256] = {0};
    for (int64_t i = 0; i < all * n && axis < n; i++) {
        uint32_t bits;
        if (i / stride % n != axis) continue;
        memcpy(&bits, t->numbers + i, sizeof bits);
        const unsigned exponent = bits >> 23 & 255;
        count[exponent]++;
        largest[exponent] = fmaxf(largest[exponent], fabsf(t->numbers[i]));
    }
    const int64_t strays = all < 50 ? 0 : all < 200 ? 1 : all / 100;
    for (int i = 255; i >= 0; i--) {
        beyond += count[i];
        if (count[i] && beyond > strays) return (double)largest[i];
    }
    return 0;
}

/* Returns the least even matrix that holds k; k may exceed it by rounding. */
static int64_t matrix_of(double k)
{
    return k > 0 ? 2 * whole(ceil(k * (1 - 1e-3)), 1, LARGEST_MATRIX) : 1;
}

/* Returns how many of three numbers are given: the count before the first 0. */
static int given(const double n[3])
{
    int count = 0;
    while (count < 3 && n[count] > 0) count++;
    return count;
}

static int rank_of(const argand_pack_options *o)
{
    return given((const double[3]){(double)o->matrix[0], (double)o->matrix[1], (double)o->matrix[2]});
}

/* Sets the field of view in mm; 0: unknown. A single number is that of the longest axis, with cubic
 * voxels. With two numbers, voxels along the third axis are as long as along the first. */
static void find_fov(double fov[3], const int64_t n[3], const argand_pack_options *o)
{
    const int count = given(o->field_of_view);
    int64_t longest = 1;
    for (int d = 0; d < 3; d++) longest = n[d] > longest ? n[d] : longest;
    const double voxel = count ? o->field_of_view[0] / (double)(count == 1 ? longest : n[0]) : 0;
    for (int d = 0; d < 3; d++) {
        fov[d] = count > 1 && d < count ? o->field_of_view[d] : voxel * (double)n[d];
        if (o->place && o->place->voxel[d] > 0 && !count) fov[d] = o->place->voxel[d] * (double)n[d];
    }
}

static void set_fov(argand_encoding *e, const pack_array *kspace, const packing *p)
{
    find_fov(e->field_of_view, e->matrix, p->options);
    for (int d = 0; d < 3; d++) {
        if (!(e->field_of_view[d] > 0)) e->field_of_view[d] = (double)e->matrix[d];
        e->recon_field_of_view[d] = e->field_of_view[d];
        e->recon_matrix[d] = e->matrix[d];
    }
    if (!given(p->options->field_of_view) && !p->options->place)
        pack_note(p, "%s: nothing says its field of view: voxels of 1 mm are taken (--fov, --like).",
                  kspace->name);
}

/* Returns --matrix along an axis, 0 if not given. A single number holds for all axes of the trajectory. */
static int64_t asked(const argand_pack_options *o, int axis, int axes)
{
    const int rank = rank_of(o);
    if (axis >= axes || !rank) return 0;
    if (rank == 1) return o->matrix[0];
    return axis < rank ? o->matrix[axis] : 0;
}

static void scale_positions(pack_array *t, const double scale[3])
{
    const int64_t stride = t->stride[AXIS_K], n = t->length[AXIS_K], count = count_of(t);
    for (int64_t i = 0; i < count; i++) t->numbers[i] *= (float)scale[i / stride % n];
}

/* Refuses positions without --matrix, unless they are in cycles per field of view: other units do not
 * determine the matrix. */
static argand_status check_alone(const pack_array *t, const argand_pack_options *s, double most)
{
    if (s->k_unit > ARGAND_K_CYCLES)
        return status_set(ARGAND_ARGUMENT, "--k-unit %s: give the matrix as well (--matrix 128x128)",
                          argand_k_unit_name(s->k_unit));
    if (s->k_unit == ARGAND_K_CYCLES) return ARGAND_OK;
    if (most <= 0.5 * (1 + 1e-4))
        return status_set(ARGAND_ARGUMENT,
                          "%s: is normalised, no |k| is above 0.5: give the matrix (--matrix "
                          "128x128); for 1/mm the field of view, too (--fov)",
                          t->title);
    if (most < 4) /* radians per pixel reach pi; images of 6 x 6 pixels are useless */
        return status_set(
            ARGAND_ARGUMENT,
            "%s: |k| reaches only %.4g: in cycles per field of view that is an "
            "image of %lld pixels. If the unit is radians per pixel, give the matrix (--matrix 128x128). If "
            "it is rad/mm, give the field of view as well (--fov). Otherwise give --k-unit cycles",
            t->title, most, (long long)matrix_of(most));
    return ARGAND_OK;
}

/* Refuses an unnamed unit if neighbours are too far apart. In cycles per field of view, neighbours along a
 * readout are at most one cycle apart, or the field of view would alias. In other units (1/m) they may be
 * several apart. */
static argand_status check_steps(const pack_array *t, const argand_pack_options *s)
{
    if (s->k_unit != ARGAND_K_AUTO || !pack_is_coarse(t, AXIS_SAMPLE) || !pack_is_coarse(t, AXIS_SHOT))
        return ARGAND_OK;
    return status_set(ARGAND_ARGUMENT,
                      "%s: neighbouring samples are more than 1.3 cycles per field of view "
                      "apart, along readouts and across, so its unit is probably another. Name the unit "
                      "(--k-unit 1/m, with --matrix and --fov), or give --k-unit cycles",
                      t->title);
}

static argand_status choose_unit(argand_k_unit *unit, const pack_array *t, const argand_pack_options *s,
                                 const double k[3], const int64_t wanted[3], const double fov[3])
{
    *unit = s->k_unit == ARGAND_K_AUTO ? ARGAND_K_CYCLES : s->k_unit;
    if (!rank_of(s)) return check_alone(t, s, fmax(k[0], fmax(k[1], k[2])));
    if (s->k_unit == ARGAND_K_AUTO && argand_k_unit_find(unit, k, wanted, fov) != ARGAND_OK) {
        char why[512];
        snprintf(why, sizeof why, "%s", argand_message());
        return status_set(ARGAND_ARGUMENT, "%s: %s", t->title, why);
    }
    if (!(argand_k_unit_scale(*unit, wanted[0], fov[0]) > 0))
        return status_set(ARGAND_ARGUMENT, "--k-unit %s: give the field of view in mm as well (--fov)",
                          argand_k_unit_name(*unit));
    return ARGAND_OK;
}

static void note_unit(const packing *p, const pack_array *t, argand_k_unit unit, double most)
{
    if (unit == ARGAND_K_CYCLES)
        pack_note(p, "%s: in cycles per field of view, |k| reaches %.4g.", t->name, most);
    else if (unit == ARGAND_K_NORMALISED)
        pack_note(p, "%s: taken as normalised to [-0.5, 0.5), |k| reaches %.4g.", t->name, most);
    else
        pack_note(p, "%s: taken as %s, |k| reaches %.4g.", t->name, argand_k_unit_name(unit), most);
}

/* Refuses positions more than 5 % beyond the matrix. This allows for rounding and gradients that
 * overshoot, as in scans. */
static argand_status check_range(const argand_encoding *e, const pack_array *t)
{
    const int64_t stride = t->stride[AXIS_K], n = t->length[AXIS_K], count = count_of(t);
    for (int d = 0; d < 3; d++)
        if (e->matrix[d] > LARGEST_MATRIX)
            return status_set(ARGAND_ARGUMENT,
                              "%s: its positions need a matrix of more than %d pixels along "
                              "an axis: its unit is not cycles per field of view; name the unit (--k-unit)",
                              t->title, LARGEST_MATRIX);
    for (int64_t i = 0; i < count; i++) {
        const int64_t d = i / stride % n, samples = t->length[AXIS_SAMPLE], shots = t->length[AXIS_SHOT];
        const double most = 1.05 * 0.5 * (double)e->matrix[d], k = (double)t->numbers[i];
        if (fabs(k) <= most) continue;
        return status_set(ARGAND_ARGUMENT,
                          "%s: shot %lld, sample %lld: k%c is %g cycles per field of view, but nearly all "
                          "others stay within %g: correct that position, or leave it out",
                          t->title, (long long)(shots > 1 ? i / t->stride[AXIS_SHOT] % shots : 0),
                          (long long)(samples > 1 ? i / t->stride[AXIS_SAMPLE] % samples : 0), "xyz"[d], k,
                          most);
    }
    return ARGAND_OK;
}

static void choose_matrix(argand_encoding *e, const double k[3], const int64_t wanted[3], bool given)
{
    for (int d = 0; d < 3; d++) {
        e->matrix[d] = wanted[d] && 2 * k[d] <= 1.05 * (double)wanted[d] ? wanted[d] : matrix_of(k[d]);
        if (!e->matrix[d]) e->matrix[d] = 1;
    }
    /* curves end near a circle, so nearly equal sides become equal */
    if (!given && llabs(e->matrix[0] - e->matrix[1]) * 20 <= e->matrix[0])
        e->matrix[0] = e->matrix[1] = e->matrix[0] > e->matrix[1] ? e->matrix[0] : e->matrix[1];
}

static argand_status matrix_of_points(argand_encoding *e, pack_array *t, const packing *p)
{
    const argand_pack_options *s = p->options;
    double k[3], fov[3], scale[3];
    int64_t wanted[3], n[3];
    argand_k_unit unit;
    TRY(make_real(t));
    for (int d = 0; d < 3; d++) k[d] = reach(t, d);
    for (int d = 0; d < 3; d++) wanted[d] = asked(s, d, k[2] > 0 ? 3 : 2);
    for (int d = 0; d < 3; d++) n[d] = wanted[d] ? wanted[d] : 1;
    find_fov(fov, n, s);
    TRY(choose_unit(&unit, t, s, k, n, fov));
    note_unit(p, t, unit, fmax(k[0], fmax(k[1], k[2])));
    for (int d = 0; d < 3; d++) k[d] *= scale[d] = argand_k_unit_scale(unit, n[d], fov[d]);
    if (unit != ARGAND_K_CYCLES)
        scale_positions(t, scale);
    else
        TRY(check_steps(t, s));
    choose_matrix(e, k, wanted, rank_of(s));
    return check_range(e, t);
}

argand_status pack_matrix_find(argand_encoding *e, pack_array *kspace, pack_array *trajectory,
                               const packing *p)
{
    CHECK(kspace->is_complex, ARGAND_ARGUMENT, "%s: holds real numbers; samples are complex", kspace->title);
    if (trajectory) {
        TRY(matrix_of_points(e, trajectory, p));
    } else {
        e->matrix[0] = kspace->length[AXIS_SAMPLE];
        e->matrix[1] = kspace->length[AXIS_SHOT];
        e->matrix[2] = kspace->length[AXIS_PARTITION];
    }
    set_fov(e, kspace, p);
    return ARGAND_OK;
}
