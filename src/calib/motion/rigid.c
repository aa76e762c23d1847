/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotations R = Rz Ry Rx by angles in degrees, and their derivatives, for the fit of rigid motion. */
#include "calib/motion/motion.h"

#include <math.h>
#include "base/pi.h"

/* Writes the rotation by an angle about an axis, or its derivative by the angle in degrees. */
static void about(double r[3][3], int axis, double degrees, bool derivative)
{
    const double rad = PI / 180, c = derivative ? -rad * sin(rad * degrees) : cos(rad * degrees),
                 s = derivative ? rad * cos(rad * degrees) : sin(rad * degrees);
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[i][j] = 0;
    r[axis][axis] = derivative ? 0 : 1;
    r[a][a] = r[b][b] = c;
    r[b][a] = s;
    r[a][b] = -s;
}

static void multiply(double to[3][3], double a[3][3], double b[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            to[i][j] = 0;
            for (int m = 0; m < 3; m++) to[i][j] += a[i][m] * b[m][j];
        }
}

/* angle: the one that the derivative is by; -1: the matrix itself. */
static void product(double r[3][3], const double degrees[3], int angle)
{
    double x[3][3], y[3][3], z[3][3], zy[3][3];
    about(x, 0, degrees[0], angle == 0);
    about(y, 1, degrees[1], angle == 1);
    about(z, 2, degrees[2], angle == 2);
    multiply(zy, z, y);
    multiply(r, zy, x);
}

void rigid_matrix(double r[3][3], const double degrees[3])
{
    product(r, degrees, -1);
}

void rigid_derivative(double d[3][3], const double degrees[3], int angle)
{
    product(d, degrees, angle);
}

double *rigid_parameter(argand_rigid *m, int rank, int number)
{
    if (number < rank) return &m->shift[number];
    return &m->rotation[rank == 2 ? 2 : number - rank];
}
