/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of own arrays: unit of the trajectory, encoded matrix, field of view. */
#include "common/whole.h"
#include "pack/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_MATRIX = 65535 }; /* as in the header of a scan */

static int64_t count_of(const pack_array *a)
{
    int64_t count = 1;
    for (int i = 0; i < a->rank; i++) count *= a->dims[i];
    return count;
}

/* BART's files hold complex positions whose imaginary parts are 0. */
static argand_status make_real(pack_array *a)
{
    if (!a->is_complex) return ARGAND_OK;
    const int64_t count = count_of(a);
    for (int64_t i = 0; i < count; i++) {
        if (a->numbers[2 * i + 1] != 0)
            return report_error(ARGAND_ARGUMENT, "%s %s: holds complex numbers, and real ones are wanted",
                                a->named, a->path);
        a->numbers[i] = a->numbers[2 * i];
    }
    a->is_complex = false;
    return ARGAND_OK;
}

/* The largest |k| along an axis but for one position in 100, of 50 or more: by exponents, so that stray
 * positions do not decide how large the image is. */
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

/* Even, and enough for k; rounding beyond a whole number is forgiven. */
static int64_t matrix_of(double k)
{
    return k > 0 ? 2 * whole(ceil(k * (1 - 1e-3)), 1, LARGEST_MATRIX) : 1;
}

argand_status pack_fov_read(double fov[3], int *count, const char *named, const char *text)
{
    const char *at = text;
    for (*count = 0; *count < 3; at++) {
        char *end;
        fov[*count] = strtod(at, &end);
        if (end == at || !(fov[*count] > 0) || !(fov[*count] < 1e6)) break;
        ++*count;
        at = end;
        if (!*at) return ARGAND_OK;
        if (*at != 'x') break;
    }
    return report_error(ARGAND_ARGUMENT, "%s %s: give millimetres like 240, 240x220 or 240x240x120", named,
                        text);
}

/* In mm. One number is the longest axis', with cubic voxels; a slice's thickness may follow. 0: not known. */
static argand_status find_fov(double fov[3], const int64_t n[3], const pack_settings *s,
                              const argand_geometry *like)
{
    double given[3] = {0};
    int count = 0;
    int64_t longest = 1;
    if (s->fov) TRY(pack_fov_read(given, &count, "--fov", s->fov));
    for (int d = 0; d < 3; d++) longest = n[d] > longest ? n[d] : longest;
    const double voxel = count ? given[0] / (double)(count == 1 ? longest : n[0]) : 0;
    for (int d = 0; d < 3; d++) {
        fov[d] = count > 1 && d < count ? given[d] : voxel * (double)n[d];
        if (like->voxel[d] > 0 && !s->fov) fov[d] = like->voxel[d] * (double)n[d];
    }
    return ARGAND_OK;
}

static argand_status set_fov(argand_encoding *e, const pack_settings *s, const argand_geometry *like,
                             report *out)
{
    TRY(find_fov(e->field_of_view, e->matrix, s, like));
    for (int d = 0; d < 3; d++) {
        if (!(e->field_of_view[d] > 0)) e->field_of_view[d] = (double)e->matrix[d];
        e->recon_field_of_view[d] = e->field_of_view[d];
        e->recon_matrix[d] = e->matrix[d];
    }
    if (!s->fov && !s->like)
        report_note(out, "%s: nothing says its field of view: voxels of 1 mm are taken (--fov, --like).",
                    s->kspace);
    return ARGAND_OK;
}

/* --matrix, with one number for all axes that the trajectory has. */
static int64_t asked(const pack_settings *s, int axis, int axes)
{
    if (axis >= axes || !s->matrix.rank) return 0;
    if (s->matrix.rank == 1) return s->matrix.n[0];
    return axis < s->matrix.rank ? s->matrix.n[axis] : 0;
}

static void scale_positions(pack_array *t, const double scale[3])
{
    const int64_t stride = t->stride[AXIS_K], n = t->length[AXIS_K], count = count_of(t);
    for (int64_t i = 0; i < count; i++) t->numbers[i] *= (float)scale[i / stride % n];
}

/* Without --matrix only cycles per field of view say how large the image is. */
static argand_status check_alone(const pack_array *t, const pack_settings *s, double most)
{
    if (s->k_unit > ARGAND_K_CYCLES)
        return report_error(ARGAND_ARGUMENT, "--k-unit %s: give the matrix as well (--matrix 128x128)",
                            argand_k_unit_name((argand_k_unit)s->k_unit));
    if (s->k_unit == ARGAND_K_CYCLES) return ARGAND_OK;
    if (most <= 0.5 * (1 + 1e-4))
        return report_error(ARGAND_ARGUMENT,
                            "--trajectory %s: is normalised, no |k| is above 0.5: give the matrix (--matrix "
                            "128x128); for 1/mm the field of view, too (--fov)",
                            t->path);
    if (most < 4) /* radians per pixel reach pi; nobody looks at an image of 6 x 6 */
        return report_error(
            ARGAND_ARGUMENT,
            "--trajectory %s: |k| reaches only %.4g: in cycles per field of view that is an "
            "image of %lld pixels. If the unit is radians per pixel, give the matrix (--matrix 128x128). If "
            "it is rad/mm, give the field of view as well (--fov). Otherwise give --k-unit cycles",
            t->path, most, (long long)matrix_of(most));
    return ARGAND_OK;
}

/* A readout's neighbours are at most a cycle apart, or what lies in the field of view would fold; those of
 * other units (1/m) may be several. */
static argand_status check_steps(const pack_array *t, const pack_settings *s)
{
    if (s->k_unit != ARGAND_K_AUTO || !pack_is_coarse(t, AXIS_SAMPLE) || !pack_is_coarse(t, AXIS_SHOT))
        return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "--trajectory %s: neighbouring samples are more than 1.3 cycles per field of view "
                        "apart, along readouts and across, so its unit is probably another. Name the unit "
                        "(--k-unit 1/m, with --matrix and --fov), or give --k-unit cycles",
                        t->path);
}

static argand_status choose_unit(argand_k_unit *unit, const pack_array *t, const pack_settings *s,
                                 const double k[3], const int64_t wanted[3], const double fov[3])
{
    *unit = s->k_unit == ARGAND_K_AUTO ? ARGAND_K_CYCLES : (argand_k_unit)s->k_unit;
    if (!s->matrix.rank) return check_alone(t, s, fmax(k[0], fmax(k[1], k[2])));
    if (s->k_unit == ARGAND_K_AUTO && argand_k_unit_find(unit, k, wanted, fov) != ARGAND_OK) {
        char why[512];
        snprintf(why, sizeof why, "%s", argand_message());
        return report_error(ARGAND_ARGUMENT, "--trajectory %s: %s", t->path, why);
    }
    if (!(argand_k_unit_scale(*unit, wanted[0], fov[0]) > 0))
        return report_error(ARGAND_ARGUMENT, "--k-unit %s: give the field of view in mm as well (--fov)",
                            argand_k_unit_name(*unit));
    return ARGAND_OK;
}

static void note_unit(const pack_array *t, argand_k_unit unit, double most, report *out)
{
    if (unit == ARGAND_K_CYCLES)
        report_note(out, "%s: in cycles per field of view, |k| reaches %.4g.", t->path, most);
    else if (unit == ARGAND_K_NORMALISED)
        report_note(out, "%s: taken as normalised to [-0.5, 0.5), |k| reaches %.4g.", t->path, most);
    else
        report_note(out, "%s: taken as %s, |k| reaches %.4g.", t->path, argand_k_unit_name(unit), most);
}

/* Allows 5 % beyond the matrix, as for scans: rounding, and gradients that overshoot. */
static argand_status check_range(const argand_encoding *e, const pack_array *t)
{
    const int64_t stride = t->stride[AXIS_K], n = t->length[AXIS_K], count = count_of(t);
    for (int d = 0; d < 3; d++)
        if (e->matrix[d] > LARGEST_MATRIX)
            return report_error(ARGAND_ARGUMENT,
                                "--trajectory %s: its positions need a matrix of more than %d pixels along "
                                "an axis: its unit is not cycles per field of view; name the unit (--k-unit)",
                                t->path, LARGEST_MATRIX);
    for (int64_t i = 0; i < count; i++) {
        const int64_t d = i / stride % n, samples = t->length[AXIS_SAMPLE], shots = t->length[AXIS_SHOT];
        const double most = 1.05 * 0.5 * (double)e->matrix[d], k = (double)t->numbers[i];
        if (fabs(k) <= most) continue;
        return report_error(
            ARGAND_ARGUMENT,
            "--trajectory %s: shot %lld, sample %lld: k%c is %g cycles per field of view, but nearly all "
            "others stay within %g: correct that position, or leave it out",
            t->path, (long long)(shots > 1 ? i / t->stride[AXIS_SHOT] % shots : 0),
            (long long)(samples > 1 ? i / t->stride[AXIS_SAMPLE] % samples : 0), "xyz"[d], k, most);
    }
    return ARGAND_OK;
}

static void choose_matrix(argand_encoding *e, const double k[3], const int64_t wanted[3], bool given)
{
    for (int d = 0; d < 3; d++) {
        e->matrix[d] = wanted[d] && 2 * k[d] <= 1.05 * (double)wanted[d] ? wanted[d] : matrix_of(k[d]);
        if (!e->matrix[d]) e->matrix[d] = 1;
    }
    /* curves end near a circle, not at the corners of a square */
    if (!given && llabs(e->matrix[0] - e->matrix[1]) * 20 <= e->matrix[0])
        e->matrix[0] = e->matrix[1] = e->matrix[0] > e->matrix[1] ? e->matrix[0] : e->matrix[1];
}

static argand_status matrix_of_points(argand_encoding *e, pack_array *t, const pack_settings *s,
                                      const argand_geometry *like, report *out)
{
    double k[3], fov[3], scale[3];
    int64_t wanted[3], n[3];
    argand_k_unit unit;
    TRY(make_real(t));
    for (int d = 0; d < 3; d++) k[d] = reach(t, d);
    for (int d = 0; d < 3; d++) wanted[d] = asked(s, d, k[2] > 0 ? 3 : 2);
    for (int d = 0; d < 3; d++) n[d] = wanted[d] ? wanted[d] : 1;
    TRY(find_fov(fov, n, s, like));
    TRY(choose_unit(&unit, t, s, k, n, fov));
    note_unit(t, unit, fmax(k[0], fmax(k[1], k[2])), out);
    for (int d = 0; d < 3; d++) k[d] *= scale[d] = argand_k_unit_scale(unit, n[d], fov[d]);
    if (unit != ARGAND_K_CYCLES)
        scale_positions(t, scale);
    else
        TRY(check_steps(t, s));
    choose_matrix(e, k, wanted, s->matrix.rank);
    return check_range(e, t);
}

argand_status pack_matrix_find(argand_encoding *e, pack_array *kspace, pack_array *trajectory,
                               const pack_settings *s, const argand_geometry *like, report *out)
{
    if (!kspace->is_complex)
        return report_error(ARGAND_ARGUMENT, "--kspace %s: holds real numbers; samples are complex",
                            kspace->path);
    if (trajectory) {
        TRY(matrix_of_points(e, trajectory, s, like, out));
    } else {
        e->matrix[0] = kspace->length[AXIS_SAMPLE];
        e->matrix[1] = kspace->length[AXIS_SHOT];
        e->matrix[2] = kspace->length[AXIS_PARTITION];
    }
    return set_fov(e, s, like, out);
}
