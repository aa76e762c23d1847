/* SPDX-License-Identifier: BSD-3-Clause */
/* Sine and cosine of an angle that is given exactly, as a 32-bit fraction of a turn, or in double as m
 * n-ths of a turn. Kernels and host code use the same text. It reads no memory: tables would cost a gather
 * for each element. */
#ifndef KERNELS_FFT_ANGLE_H
#define KERNELS_FFT_ANGLE_H

/* Computes cos and sin of 2 pi t / 2^32, within 7.1e-8 (0.4 of 2^-24 rms). a is the angle from the nearest
 * axis, -pi/4 to pi/4, computed as a product of integers (by 2^31 pi / 4) that is rounded once. With z =
 * a^2, sin a = a + a z (S1 + S2 z + S3 z^2) to 1.8e-9 and cos a = 1 + z (C1 + C2 z + C3 z^2 + C4 z^3) to
 * 5.4e-11: minimax fits of the absolute error. */
DEVICE void fft_angle(UINT t, PRIVATE float *cosine, PRIVATE float *sine)
{
    const UINT axis = t + 0x20000000u; /* its upper two bits */
    const float a = (float)(int)(((INDEX)(int)(t << 2) * 1686629713) >> 32) * 0x1p-30f, z = a * a;
    const float s = FMA(a * z,
                        FMA(z, FMA(z, -0.000194956359337084f, 0.00833197869360447f), -0.16666650772094727f),
                        a),
                c = FMA(z,
                        FMA(z,
                            FMA(z, FMA(z, 2.4390450562350452e-05f, -0.0013886763481423259f),
                                0.04166662320494652f),
                            -0.5f),
                        1.0f);
    const float re = axis & 0x40000000u ? s : c, im = axis & 0x40000000u ? c : s;
    *cosine = (axis + 0x40000000u) & 0x80000000u ? -re : re;
    *sine = axis & 0x80000000u ? -im : im;
}

/* Returns j^2 / 2n as a 32-bit fraction of a turn, within 1.2e-10; j < n < 2^24, unit = 2^64 / 2n rounded
 * up. The quotient may be wrong by some units: the remainder is then j^2 modulo 2n, or a little more or
 * less, but exact, because all arithmetic is modulo 2^32. The remainder times the unit is the fraction. */
DEVICE UINT fft_chirp_turns(UINT j, UINT n, ULONG unit)
{
    const UINT quotient = (UINT)((float)j * ((float)j * ((float)unit * 0x1p-64f)));
    const INDEX rest = (int)(j * j - quotient * (2 * n));
    return (UINT)(((ULONG)rest * unit + 0x80000000u) >> 32);
}

#ifndef WITHOUT_DOUBLE
/* Computes cos and sin of 2 pi m / n, within 1.62 of 2^-53; m < n < 2^31, unit = pi / (2 n). The nearest
 * axis is subtracted in integers, so that the rest, at most pi/4, has only the rounding of the product.
 * The polynomials are those of Sun's fdlibm (k_sin.c, k_cos.c, 1993). */
DEVICE void fft_angle_double(UINT m, UINT n, double unit, PRIVATE double *cosine, PRIVATE double *sine)
{
    const UINT axis = (UINT)(int)((double)(int)m * (unit * 2.5464790894703254) + 0.5); /* 8 / pi */
    const double a = (double)(int)(4 * m - axis * n) * unit, z = a * a;
    const double s = FMA(a * z,
                         FMA(z,
                             FMA(z,
                                 FMA(z,
                                     FMA(z, FMA(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08),
                                         2.75573137070700676789e-06),
                                     -1.98412698298579493134e-04),
                                 8.33333333332248946124e-03),
                             -1.66666666666666324348e-01),
                         a);
    const double c =
        FMA(z,
            FMA(z,
                FMA(z,
                    FMA(z,
                        FMA(z,
                            FMA(z, FMA(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09),
                                -2.75573143513906633035e-07),
                            2.48015872894767294178e-05),
                        -1.38888888888741095749e-03),
                    4.16666666666666019037e-02),
                -0.5),
            1.0);
    const double re = axis & 1 ? s : c, im = axis & 1 ? c : s;
    *cosine = (axis + 1) & 2 ? -re : re;
    *sine = axis & 2 ? -im : im;
}
#endif

#endif
