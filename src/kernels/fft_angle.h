/* SPDX-License-Identifier: BSD-3-Clause */
/* Sine and cosine of an angle that is told exactly, as a 32-bit fraction of a turn; for kernels and host code
 * alike. Memory is not touched: tables cost a gather for each number. */
#ifndef KERNELS_FFT_ANGLE_H
#define KERNELS_FFT_ANGLE_H

/* cos and sin of 2 pi t / 2^32, within 7.1e-8 (0.4 of 2^-24 rms). a is the angle from the nearest axis, -pi/4
 * to pi/4, as a product of whole numbers (by 2^31 pi / 4) rounded once; with z = a^2, sin a = a + a z (S1 +
 * S2 z + S3 z^2) to 1.8e-9 and cos a = 1 + z (C1 + C2 z + C3 z^2 + C4 z^3) to 5.4e-11: minimax fits of the
 * absolute error.
 */
DEVICE void fft_angle(UINT t, float *cosine, float *sine)
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

#endif
