/* SPDX-License-Identifier: BSD-3-Clause */
/* argand nufft: computes nonuniform Fourier transforms of arrays in files. */
#include "nufft/nufft.h"

#include <string.h>

static const char description[] =
    "Computes nonuniform Fourier transforms to a tolerance. Nothing is scaled:\n"
    "  --type 2  samples of an image      s_j = sum_n m_n exp(-2 pi i k_j . r_n),  r = (n - floor(N/2)) / N\n"
    "  --type 1  an image of samples      m_n = sum_j s_j exp(+2 pi i k_j . r_n)   (the adjoint of type 2, "
    "without weights)\n"
    "  --type 3  points to points         s_j = sum_n m_n exp(-2 pi i k_j . r_n),  r of --points, k of "
    "--targets\n"
    "The default type is 3 if --targets is given, 1 if --size is given, otherwise 2.\n"
    "\n"
    "--points holds the positions, k for types 1 and 2, r for type 3, in cycles per field of view (-N/2 to "
    "N/2). With --units\n"
    "radians they are in radians per pixel (-pi to pi; for type 3, k . r is an angle). A .npy has shape "
    "(points, 2) or (shots,\n"
    "samples, 3), a .cfl BART's {3, samples, shots}, one-dimensional positions (points). x, the last NumPy "
    "axis of the image,\n"
    "is the last component in .npy and the first one in other files; --k-order overrides this.\n"
    "The first axes of IN in memory (the last of NumPy's) are those of the image, or of the points; further "
    "axes count\n"
    "vectors, such as coils. Flat images (nx, ny, 1) of a .cfl go with three components. Files: .npy, .cfl, "
    ".nii, .nii.gz.";

static const char examples[] =
    "  argand nufft image.npy samples.npy --points k.npy                         (type 2)\n"
    "  argand nufft samples.npy image.npy --points k.npy --size 256x256          (type 1)\n"
    "  argand nufft samples.npy image.npy --points k.npy --size 256x256 --real\n"
    "  argand nufft strengths.npy values.npy --points r.npy --targets k.npy      (type 3)\n"
    "  argand nufft coils.cfl ksp.cfl --points traj.cfl --tolerance 1e-6         (BART's files)\n"
    "  argand nufft c.npy f.npy --points x.npy --size 1000 --units radians --order fft --precision double\n";

/* Finds the type, and refuses options that do not belong to it. */
static argand_status find_type(int *type, const nufft_settings *s)
{
    *type = s->type ? s->type : s->targets ? 3 : s->size.rank ? 1 : 2;
    if (!s->points)
        return report_error(ARGAND_ARGUMENT, "--points: give the file of the %s",
                            *type == 3 ? "sources' positions" : "samples' positions");
    if (*type == 3 && !s->targets)
        return report_error(ARGAND_ARGUMENT, "--type 3: give the file of the targets' positions, --targets");
    if (*type != 3 && s->targets)
        return report_error(ARGAND_ARGUMENT, "--targets needs --type 3; you gave --type %d", *type);
    if (*type == 3 && s->size.rank)
        return report_error(ARGAND_ARGUMENT,
                            "--size is the image size of type 1; type 3 has no image: leave --size out");
    if (*type == 3 && s->order)
        return report_error(
            ARGAND_ARGUMENT,
            "--order is the order of an image's pixels; type 3 has no image: leave --order out");
    if (*type == 3 && s->every_pixel)
        return report_error(ARGAND_ARGUMENT, "--every-pixel bounds the error of an image's pixels; type 3 "
                                             "has no image: leave --every-pixel out");
    if (*type != 1 && s->real)
        return report_error(ARGAND_ARGUMENT,
                            *type == 2 ? "--real is for type 1; type 2 sees by itself that its image is real"
                                       : "--real is for type 1's image; type 3 has none");
    if (s->oversampling == 1)
        return report_error(ARGAND_ARGUMENT, "--oversampling 1: give more than 1, or 0 to have it chosen");
    return ARGAND_OK;
}

static bool parse(nufft_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        choice_option("type", 't', &s->type, "TYPE", "auto|1|2|3", "type of the transform; see above"),
        text_option("points", 'p', &s->points, "FILE",
                    "positions of the samples, or of the sources of type 3"),
        text_option("targets", 0, &s->targets, "FILE", "positions of the results of type 3"),
        sizes_option("size", 0, &s->size, "NxN", "size of the image of type 1, x first"),
        flag_option("real", 0, &s->real,
                    "type 1: compute the real part of the image alone, with half of the FFT. Type 2 does so "
                    "by itself if IN is real"),
        double_option("tolerance", 0, &s->tolerance, "E", 0, 1,
                      "relative l2 error of the result, if the sums do not cancel; 0 means 1e-5 in single "
                      "precision and 1e-9 in double"),
        choice_option("sign", 0, &s->sign, "SIGN", "auto|minus|plus",
                      "sign of the exponent; auto means minus for types 2 and 3, plus for type 1"),
        choice_option("units", 0, &s->units, "UNIT", "cycles|radians", "unit of the positions; see above"),
        choice_option("order", 0, &s->order, "ORDER", "centred|fft",
                      "order of the pixels: index 0 at the centre, or first as in an FFT"),
        choice_option("k-order", 0, &s->k_order, "ORDER", "auto|xyz|zyx",
                      "order of the components of a position: x first (BART), or x last, as in NumPy's axes "
                      "(argand.trajectory, SigPy, mri-nufft). auto: x last in .npy, first in other files"),
        choice_option("precision", 0, &s->precision, "NAME", "auto|single|double",
                      "precision; auto takes that of IN"),
        double_option("oversampling", 0, &s->oversampling, "S", 0, 16,
                      "oversampling factor of the grid; 0 takes the fastest for the tolerance"),
        flag_option("every-pixel", 0, &s->every_pixel,
                    "keep the tolerance for each single pixel. Default: the error of edge pixels may be up "
                    "to 6 times the tolerance"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand nufft IN OUT --points FILE [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

static int run(int argc, char **argv)
{
    nufft_settings s = {0};
    int exit_code, type;
    report out;
    argand_device *device = NULL;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "nufft", &s.common);
    interrupt_watch();
    argand_status status = find_type(&type, &s);
    if (!status) status = array_name_check(s.output);
    if (!status) status = common_open(&s.common, &device);
    if (!status) status = nufft_files(&s, type, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

const command command_nufft = {
    .name = "nufft", .summary = "compute nonuniform Fourier transforms of types 1, 2 and 3", .run = run};
