/* SPDX-License-Identifier: BSD-3-Clause */
/* A report that a program writes: how well Fourier images of fewer and fewer lines show a phantom, as
 * one HTML file (report.html) for a browser without a network. */
#include <argand/argand.h>
#include <math.h>
#include <stdio.h>

enum { N = 96, KEPT = 4 };

#define OK(call)                                                  \
    do {                                                          \
        if ((call) != ARGAND_OK) {                                \
            fprintf(stderr, "%s: %s\n", #call, argand_message()); \
            return 1;                                             \
        }                                                         \
    } while (0)

static const char *const names[KEPT] = {"all lines", "a half", "a quarter", "an eighth"};

/* Only the lines next to the middle are kept. */
static void keep(double *spectrum, int lines)
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < 2 * N; x++)
            if (y < N / 2 - lines / 2 || y >= N / 2 + lines / 2) spectrum[x + 2 * N * y] = 0;
}

int main(void)
{
    static double spectrum[2 * N * N];
    double errors[KEPT];
    argand_device *device;
    argand_array *truth, *image, *images, *place;
    argand_fft *fft;
    argand_report *report;
    OK(argand_device_open(&device, "cpu"));
    OK(argand_array_create(&truth, device, ARGAND_R64, 2, (int64_t[]){N, N}));
    OK(argand_array_create(&image, device, ARGAND_C64, 2, (int64_t[]){N, N}));
    OK(argand_array_create(&images, device, ARGAND_C64, 4, (int64_t[]){N, N, 1, KEPT}));
    OK(argand_phantom_image(truth, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_fft_create(&fft, device,
                         &(argand_fft_options){.type = ARGAND_C64, .rank = 2, .n = {N, N}, .centred = true}));

    for (int i = 0; i < KEPT; i++) {
        OK(argand_array_copy(image, truth));
        OK(argand_fft_apply(fft, image, image, ARGAND_FORWARD));
        OK(argand_array_download(image, spectrum));
        keep(spectrum, N >> i);
        OK(argand_array_upload(image, spectrum));
        OK(argand_fft_apply(fft, image, image, ARGAND_INVERSE));
        OK(argand_array_scale(image, (argand_scalar){1.0 / (N * N), 0}));
        OK(argand_array_view(&place, images, 2, (int64_t[]){N, N}, (int64_t[]){1, N}, (int64_t)i * N * N));
        OK(argand_array_copy(place, image));
        argand_array_destroy(place);
        OK(argand_array_axpby(image, (argand_scalar){-1, 0}, truth, (argand_scalar){1, 0}));
        OK(argand_array_norm(&errors[i], image));
    }

    OK(argand_report_create(&report, "Fewer and fewer lines"));
    OK(argand_report_figure(report, "Matrix", "96 x 96"));
    OK(argand_report_image(
        report, images,
        &(argand_report_view){
            .title = "Phantom", .volume_name = "try", .volumes = names, .volume_count = KEPT}));
    OK(argand_report_image(report, truth, &(argand_report_view){.title = "Truth", .map = true}));
    OK(argand_report_curve(report, "error (l2) by try", KEPT, errors));
    OK(argand_report_notes(report, "Lines far from the middle of k-space hold the edges."));
    OK(argand_report_fact(report, "Made by", "argand", argand_version()));
    OK(argand_report_write(report, "report.html"));
    argand_report_destroy(report);

    argand_fft_destroy(fft);
    argand_array_destroy(images);
    argand_array_destroy(image);
    argand_array_destroy(truth);
    argand_device_close(device);
    printf("report.html; errors %.2g %.2g %.2g %.2g\n", errors[0], errors[1], errors[2], errors[3]);
    return errors[0] < 1e-9 && errors[1] < errors[2] && errors[2] < errors[3] ? 0 : 1;
}
