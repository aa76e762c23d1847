/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of own arrays: unit of the trajectory, encoded matrix, field of view. */
#include "pack/pack.h"

#include <math.h>
#include <stdlib.h>

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

/* The largest |k| along an axis, over all points. */
static double reach(const pack_array *t, int axis)
{
    const int64_t stride = t->stride[AXIS_K], n = t->length[AXIS_K], count = count_of(t);
    float most = 0;
    if (axis >= n) return 0;
    for (int64_t i = 0; i < count; i++)
        if (i / stride % n == axis) most = fmaxf(most, fabsf(t->numbers[i]));
    return (double)most;
}

/* Even, and enough for k; rounding beyond a whole number is forgiven. */
static int64_t matrix_of(double k)
{
    return k > 0 ? 2 * (int64_t)ceil(k * (1 - 1e-3)) : 1;
}

static argand_status read_fov(double fov[3], int *count, const char *text)
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
    return report_error(ARGAND_ARGUMENT, "--fov %s: give millimetres like 240, 240x220 or 240x240x120", text);
}

/* One number is the longest axis', with cubic voxels; a slice's thickness may follow. */
static argand_status set_fov(argand_encoding *e, const pack_settings *s, const argand_geometry *like,
                             report *out)
{
    double fov[3] = {0}, voxel = 1;
    int count = 0;
    int64_t longest = 1;
    if (s->fov) TRY(read_fov(fov, &count, s->fov));
    for (int d = 0; d < 3; d++) longest = e->matrix[d] > longest ? e->matrix[d] : longest;
    if (count) voxel = fov[0] / (double)(count == 1 ? longest : e->matrix[0]);
    for (int d = 0; d < 3; d++) {
        e->field_of_view[d] = count > 1 && d < count ? fov[d] : voxel * (double)e->matrix[d];
        if (like->voxel[d] > 0 && !s->fov) e->field_of_view[d] = like->voxel[d] * (double)e->matrix[d];
        e->recon_field_of_view[d] = e->field_of_view[d];
        e->recon_matrix[d] = e->matrix[d];
    }
    if (!s->fov && !s->like)
        report_note(out, "%s: nothing says its field of view: voxels of 1 mm are taken (--fov, --like).",
                    s->kspace);
    return ARGAND_OK;
}

static argand_status choose_unit(bool *normalised, const pack_array *t, const pack_settings *s, double most,
                                 report *out)
{
    *normalised =
        s->k_unit == ARGAND_K_NORMALISED || (s->k_unit == ARGAND_K_AUTO && most <= 0.5 * (1 + 1e-4));
    if (s->k_unit == ARGAND_K_AUTO && fabs(most - 3.14159265) < 0.02 * 3.14159265 && s->matrix.rank &&
        s->matrix.n[0] >= 16)
        return report_error(ARGAND_ARGUMENT,
                            "--trajectory %s: |k| reaches %.4g: if it is in radians, divide it by 2 pi "
                            "(argand array --scale 0.15915494); else give --k-unit cycles",
                            t->path, most);
    if (*normalised && !s->matrix.rank)
        return report_error(ARGAND_ARGUMENT,
                            "--trajectory %s: is normalised, no |k| is above 0.5: give the matrix (--matrix "
                            "128x128)",
                            t->path);
    report_note(out,
                *normalised ? "%s: taken as normalised to [-0.5, 0.5), |k| reaches %.4g."
                            : "%s: in cycles per field of view, |k| reaches %.4g.",
                t->path, most);
    return ARGAND_OK;
}

/* --matrix, with one number for all axes that the trajectory has. */
static int64_t asked(const pack_settings *s, int axis, int axes)
{
    if (axis >= axes || !s->matrix.rank) return 0;
    if (s->matrix.rank == 1) return s->matrix.n[0];
    return axis < s->matrix.rank ? s->matrix.n[axis] : 0;
}

static void to_cycles(pack_array *t, const int64_t matrix[3])
{
    const int64_t stride = t->stride[AXIS_K], n = t->length[AXIS_K], count = count_of(t);
    for (int64_t i = 0; i < count; i++) t->numbers[i] *= (float)matrix[i / stride % n];
}

static argand_status matrix_of_points(argand_encoding *e, pack_array *t, const pack_settings *s, report *out)
{
    double k[3], most = 0;
    bool normalised;
    TRY(make_real(t));
    for (int d = 0; d < 3; d++) most = fmax(most, k[d] = reach(t, d));
    const int axes = k[2] > 0 ? 3 : 2;
    TRY(choose_unit(&normalised, t, s, most, out));
    for (int d = 0; d < 3; d++) {
        const int64_t wanted = asked(s, d, axes), needed = normalised ? wanted : matrix_of(k[d]);
        e->matrix[d] = wanted && 2 * k[d] <= 1.05 * (double)wanted ? wanted : needed;
        if (!e->matrix[d]) e->matrix[d] = 1;
    }
    /* curves end near a circle, not at the corners of a square */
    if (!s->matrix.rank && llabs(e->matrix[0] - e->matrix[1]) * 20 <= e->matrix[0])
        e->matrix[0] = e->matrix[1] = e->matrix[0] > e->matrix[1] ? e->matrix[0] : e->matrix[1];
    if (normalised) to_cycles(t, e->matrix);
    return ARGAND_OK;
}

argand_status pack_matrix_find(argand_encoding *e, pack_array *kspace, pack_array *trajectory,
                               const pack_settings *s, const argand_geometry *like, report *out)
{
    if (!kspace->is_complex)
        return report_error(ARGAND_ARGUMENT, "--kspace %s: holds real numbers; samples are complex",
                            kspace->path);
    if (trajectory) {
        TRY(matrix_of_points(e, trajectory, s, out));
    } else {
        e->matrix[0] = kspace->length[AXIS_SAMPLE];
        e->matrix[1] = kspace->length[AXIS_SHOT];
        e->matrix[2] = kspace->length[AXIS_PARTITION];
    }
    return set_fov(e, s, like, out);
}
