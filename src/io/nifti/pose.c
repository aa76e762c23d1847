/* SPDX-License-Identifier: BSD-3-Clause */
/* Orientation. Argand's geometry is in LPS (DICOM, ISMRMRD), NIfTI's in RAS: x and y change their signs.
 * The quaternion describes only proper rotations. For left-handed axes it describes the first two axes and
 * the reversed third one; pixdim[0] = -1 reverses the third axis again (nifti1.h, method 2). */
#include "io/nifti/nifti.h"

#include <math.h>
#include <string.h>
#include "base/status.h"

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Scales a vector to length 1. Returns false if it has no direction. */
static bool normalise(double *v)
{
    const double length = sqrt(dot(v, v));
    if (!(length > 1e-6) || !isfinite(length)) return false;
    for (int i = 0; i < 3; i++) v[i] /= length;
    return true;
}

/* Sets the columns of `axes` to the unit vectors of i, j, k in RAS. Returns false if they do not span
 * space. */
static bool directions(double axes[3][3], const argand_geometry *geometry)
{
    const double *given[3] = {geometry->read, geometry->phase, geometry->slice};
    for (int axis = 0; axis < 3; axis++) {
        memcpy(axes[axis], given[axis], sizeof axes[axis]);
        axes[axis][0] = 0 - axes[axis][0]; /* avoids -0 */
        axes[axis][1] = 0 - axes[axis][1];
        if (!normalise(axes[axis])) return false;
    }
    double normal[3];
    cross(normal, axes[0], axes[1]);
    return fabs(dot(normal, axes[2])) > 1e-3;
}

/* Sets the quaternion of the nearest rotation by Gram-Schmidt: read is kept, phase is made orthogonal to
 * it, the third axis is their cross product. Scanner headers hold floats, so this changes about the
 * seventh digit. */
static void set_quaternion(nifti_pose *pose, double axes[3][3])
{
    double x[3], y[3], z[3];
    memcpy(x, axes[0], sizeof x);
    memcpy(y, axes[1], sizeof y);
    const double along = dot(x, y);
    for (int i = 0; i < 3; i++) y[i] -= along * x[i];
    normalise(y);
    cross(z, x, y);
    pose->handedness = dot(z, axes[2]) < 0 ? -1 : 1;
    /* Four times the squares of a, b, c, d. Dividing by the largest is the most accurate (Shepperd 1978). */
    const double square[4] = {1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2],
                              1 - x[0] - y[1] + z[2]};
    const double ab = y[2] - z[1], ac = z[0] - x[2], ad = x[1] - y[0]; /* 4ab, 4ac, 4ad */
    const double bc = x[1] + y[0], bd = z[0] + x[2], cd = y[2] + z[1];
    const double products[4][4] = {
        {square[0], ab, ac, ad}, {ab, square[1], bc, bd}, {ac, bc, square[2], cd}, {ad, bd, cd, square[3]}};
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[best]) best = i;
    const double sign = products[best][0] < 0 ? -1 : 1; /* makes a >= 0, as the file does not store a */
    for (int i = 0; i < 3; i++) pose->quaternion[i] = sign * products[best][i + 1] / (2 * sqrt(square[best]));
}

nifti_pose nifti_pose_make(const argand_geometry *geometry, const int64_t *dims)
{
    nifti_pose pose = {.voxel = {1, 1, 1}, .handedness = 1};
    if (!geometry) return pose;
    for (int axis = 0; axis < 3; axis++)
        if (geometry->voxel[axis] > 0 && isfinite(geometry->voxel[axis]))
            pose.voxel[axis] = geometry->voxel[axis];
    double axes[3][3];
    pose.known =
        geometry->valid && isfinite(dot(geometry->centre, geometry->centre)) && directions(axes, geometry);
    if (!pose.known) return pose;
    set_quaternion(&pose, axes);
    for (int row = 0; row < 3; row++) {
        pose.offset[row] = row < 2 ? 0 - geometry->centre[row] : geometry->centre[row];
        for (int axis = 0; axis < 3; axis++) {
            pose.rows[row][axis] = axes[axis][row] * pose.voxel[axis];
            pose.offset[row] -= pose.rows[row][axis] * (double)(dims[axis] / 2);
        }
        pose.rows[row][3] = pose.offset[row];
    }
    return pose;
}

/* Returns false if the length exceeds 1 by more than rounding (nibabel refuses this too) or the offset is
 * not finite. */
static bool is_quaternion(const nifti_pose *pose)
{
    return dot(pose->quaternion, pose->quaternion) < 1.001 && isfinite(dot(pose->offset, pose->offset));
}

static void from_quaternion(double rows[3][4], const nifti_pose *pose)
{
    double b = pose->quaternion[0], c = pose->quaternion[1], d = pose->quaternion[2];
    double a = 1 - (b * b + c * c + d * d);
    if (a < 1e-7) { /* rotation by pi: b, c, d alone make the unit quaternion */
        const double length = sqrt(b * b + c * c + d * d);
        b /= length, c /= length, d /= length, a = 0;
    }
    a = sqrt(a);
    const double rotation[3][3] = {
        {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
        {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
        {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b},
    };
    for (int row = 0; row < 3; row++) {
        for (int axis = 0; axis < 3; axis++)
            rows[row][axis] = rotation[row][axis] * pose->voxel[axis] * (axis == 2 ? pose->handedness : 1);
        rows[row][3] = pose->offset[row];
    }
}

/* Returns true if the rows have three finite directions that span space, and a finite origin. */
static bool spans(double rows[3][4])
{
    double axes[3][3], normal[3];
    for (int axis = 0; axis < 3; axis++) {
        for (int row = 0; row < 3; row++) axes[axis][row] = rows[row][axis];
        if (!normalise(axes[axis])) return false;
    }
    cross(normal, axes[0], axes[1]);
    return fabs(dot(normal, axes[2])) > 1e-3 && isfinite(rows[0][3] + rows[1][3] + rows[2][3]);
}

/* Returns true if two sets of rows place a corner of the volume more than a tenth of a voxel differently. */
static bool disagree(double a[3][4], double b[3][4], const nifti_pose *pose, const int64_t *dims)
{
    const double smallest = fmin(pose->voxel[0], fmin(pose->voxel[1], pose->voxel[2]));
    double furthest = 0;
    for (int corner = 0; corner < 8; corner++) {
        double apart[3];
        for (int row = 0; row < 3; row++) {
            apart[row] = a[row][3] - b[row][3];
            for (int axis = 0; axis < 3; axis++)
                if (corner >> axis & 1)
                    apart[row] += (a[row][axis] - b[row][axis]) * (double)(dims[axis] - 1);
        }
        furthest = fmax(furthest, dot(apart, apart));
    }
    return furthest > 0.01 * smallest * smallest;
}

/* Returns the note about the choice below; NULL: none. */
static const char *remark(const nifti_pose *pose, bool sform, bool qform, bool stored, bool apart)
{
    if (sform && apart) return "the sform and the qform disagree; the sform is taken, as nibabel does";
    if (sform) return NULL;
    const bool coded = pose->sform_code > 0;
    if (qform)
        return coded ? "the sform places no voxels (zeros, not finite, or flat); the qform is taken" : NULL;
    if (coded && pose->qform_code > 0)
        return "neither the sform nor the qform places the voxels; the orientation is unknown";
    if (coded)
        return "the sform places no voxels (zeros, not finite, or flat), and the code of the qform is 0; the "
               "orientation is unknown";
    if (pose->qform_code > 0)
        return "the qform is no rotation, and the code of the sform is 0; the orientation is unknown";
    return stored ? "the codes of sform and qform are 0, so neither is used; the orientation is unknown"
                  : NULL;
}

void nifti_pose_choose(nifti_pose *pose, const int64_t *dims)
{
    double rotated[3][4] = {{0}};
    const bool is_rotation = is_quaternion(pose), filled = spans(pose->rows);
    if (is_rotation) from_quaternion(rotated, pose);
    const bool sform = pose->sform_code > 0 && filled,
               qform = pose->qform_code > 0 && is_rotation && spans(rotated);
    const bool stored = filled || dot(pose->quaternion, pose->quaternion) > 0;
    const bool apart = sform && qform && disagree(pose->rows, rotated, pose, dims);
    pose->note = remark(pose, sform, qform, stored, apart);
    pose->known = sform || qform;
    if (!sform) memcpy(pose->rows, rotated, sizeof rotated);
}

void nifti_pose_geometry(const nifti_pose *pose, const int64_t *dims, argand_geometry *geometry)
{
    *geometry = (argand_geometry){.note = pose->note};
    memcpy(geometry->voxel, pose->voxel, sizeof geometry->voxel);
    if (!pose->known) return;
    double *axes[3] = {geometry->read, geometry->phase, geometry->slice};
    for (int axis = 0; axis < 3; axis++) {
        for (int row = 0; row < 3; row++) axes[axis][row] = (row < 2 ? -1 : 1) * pose->rows[row][axis];
        geometry->voxel[axis] = sqrt(dot(axes[axis], axes[axis]));
        normalise(axes[axis]);
    }
    for (int row = 0; row < 3; row++) {
        double at = pose->rows[row][3];
        for (int axis = 0; axis < 3; axis++) at += pose->rows[row][axis] * (double)(dims[axis] / 2);
        geometry->centre[row] = row < 2 ? -at : at;
    }
    geometry->valid = true;
}
