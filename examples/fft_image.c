/* SPDX-License-Identifier: BSD-3-Clause */
/* A centred FFT of an image with odd and even sides. The image is a box of ones around the centre pixel; its
 * spectrum is known, a product of Dirichlet kernels: sin(pi w k / N) / sin(pi k / N) for a box of w (odd)
 * pixels. */
#include <argand/argand.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { NX = 48, NY = 35, WX = 9, WY = 5 };

#define OK(call)                                                  \
    do {                                                          \
        if ((call) != ARGAND_OK) {                                \
            fprintf(stderr, "%s: %s\n", #call, argand_message()); \
            return 1;                                             \
        }                                                         \
    } while (0)

static double dirichlet(int k, int width, int n)
{
    const double angle = 3.14159265358979323846 * k / n;
    return k == 0 ? width : sin(width * angle) / sin(angle);
}

int main(void)
{
    static float complex image[NY][NX], spectrum[NY][NX];
    for (int y = -(WY / 2); y <= WY / 2; y++)
        for (int x = -(WX / 2); x <= WX / 2; x++) image[NY / 2 + y][NX / 2 + x] = 1;

    argand_device *device;
    argand_array *in, *out;
    argand_fft *plan;
    const int64_t dims[2] = {NX, NY}; /* the first dimension is the fastest */
    OK(argand_device_open(&device, NULL));
    OK(argand_array_create(&in, device, ARGAND_C32, 2, dims));
    OK(argand_array_create(&out, device, ARGAND_C32, 2, dims));
    OK(argand_fft_create(
        &plan, device,
        &(argand_fft_options){
            .type = ARGAND_C32, .rank = 2, .n = {NX, NY}, .centred = true, .scale = ARGAND_SCALE_INVERSE}));
    OK(argand_array_upload(in, image));
    OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
    OK(argand_array_download(out, spectrum));

    double worst = 0;
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            const double expected = dirichlet(x - NX / 2, WX, NX) * dirichlet(y - NY / 2, WY, NY);
            worst = fmax(worst, cabs(spectrum[y][x] - expected));
        }
    printf("largest error of the spectrum: %.2e of %d\n", worst, WX * WY);

    /* with ARGAND_SCALE_INVERSE forward and inverse is the identity */
    double back = 0;
    OK(argand_fft_apply(plan, in, out, ARGAND_INVERSE));
    OK(argand_array_download(in, spectrum));
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) back = fmax(back, cabs(spectrum[y][x] - image[y][x]));
    printf("largest error there and back:  %.2e\n", back);

    argand_fft_destroy(plan);
    argand_array_destroy(out);
    argand_array_destroy(in);
    argand_device_close(device);
    /* a few roundings (6e-8) on each of log2(48 * 35) levels, relative to the sum of the 45 ones */
    return worst < 45 * 11 * 6e-8 && back < 22 * 6e-8 ? 0 : 1;
}
