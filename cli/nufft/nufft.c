/* SPDX-License-Identifier: BSD-3-Clause */
/* argand nufft: nonuniform Fourier transforms of arrays in files. */
#include "nufft/nufft.h"

#include <string.h>

static const char description[] =
    "Sums between an image and samples anywhere in k-space, or between points anywhere, to a tolerance:\n"
    "  --type 2  samples of an image      s_j = sum_n m_n exp(-2 pi i k_j . r_n),  r = (n - floor(N/2)) / N\n"
    "  --type 1  an image of samples      m_n = sum_j s_j exp(+2 pi i k_j . r_n)   (type 2's adjoint, "
    "without density weights)\n"
    "  --type 3  points to points         s_j = sum_n m_n exp(-2 pi i k_j . r_n),  r of --points, k of "
    "--targets\n"
    "Without --type it is 3 where there are --targets, 1 where there is --size, else 2. Nothing is scaled.\n"
    "\n"
    "--points has the positions, k of types 1 and 2, r of type 3, in cycles per field of view (-N/2 to "
    "N/2), or with --units\nradians in radians per pixel (-pi to pi; of type 3: k . r is an angle). "
    "A .npy of shape (points, 2), or (shots, samples, 3); a .cfl of\nBART's {3, samples, shots}; one-"
    "dimensional positions as (points). x comes first, the image's last NumPy axis, unless --k-order zyx "
    "says so.\n"
    "IN's first axes in memory (NumPy's last) are the image's, or the points'; further ones count vectors, "
    "as coils do. A .cfl's flat\nimages (nx, ny, 1) go with three components, as BART's. Files: .npy, .cfl, "
    ".nii, .nii.gz.";

static const char examples[] =
    "  argand nufft image.npy samples.npy --points k.npy                         (type 2)\n"
    "  argand nufft samples.npy image.npy --points k.npy --size 256x256          (type 1)\n"
    "  argand nufft samples.npy image.npy --points k.npy --size 256x256 --real\n"
    "  argand nufft strengths.npy values.npy --points r.npy --targets k.npy      (type 3)\n"
    "  argand nufft coils.cfl ksp.cfl --points traj.cfl --tolerance 1e-6         (BART's files)\n"
    "  argand nufft c.npy f.npy --points x.npy --size 1000 --units radians --order fft --precision double\n";

/* The type, and that what is given goes with it */
static argand_status find_type(int *type, const nufft_settings *s)
{
    *type = s->type ? s->type : s->targets ? 3 : s->size.rank ? 1 : 2;
    if (!s->points)
        return report_error(ARGAND_ARGUMENT, "--points: give the file of the %s",
                            *type == 3 ? "sources' positions" : "samples' positions");
    if (*type == 3 && !s->targets)
        return report_error(ARGAND_ARGUMENT, "--type 3: give the file of the targets' positions, --targets");
    if (*type != 3 && s->targets)
        return report_error(ARGAND_ARGUMENT, "--targets are those of type 3, not of --type %d", *type);
    if (*type == 3 && s->size.rank)
        return report_error(ARGAND_ARGUMENT, "--size is that of type 1's image; type 3 has none");
    if (*type == 3 && s->order)
        return report_error(ARGAND_ARGUMENT, "--order is that of an image's pixels; type 3 has none");
    if (*type == 3 && s->every_pixel)
        return report_error(ARGAND_ARGUMENT, "--every-pixel is about an image's pixels; type 3 has none");
    if (*type != 1 && s->real)
        return report_error(ARGAND_ARGUMENT,
                            *type == 2 ? "--real is for type 1; type 2 sees by itself that its image is real"
                                       : "--real is for type 1's image; type 3 has none");
    if (s->oversampling == 1)
        return report_error(ARGAND_ARGUMENT, "--oversampling 1: give more than 1, or 0 to have it chosen");
    return ARGAND_OK;
}

static argand_status check_output(const char *path)
{
    static const char *const endings[] = {".nii.gz", ".nii", ".npy", ".cfl"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > strlen(endings[i]) && !strcmp(path + length - strlen(endings[i]), endings[i]))
            return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "%s: unknown ending; known are .npy, .cfl, .nii and .nii.gz", path);
}

static bool parse(nufft_settings *s, int argc, char **argv, int *exit_code)
{
    const char *names[2] = {NULL};
    const option options[] = {
        choice_option("type", 't', &s->type, "TYPE", "auto|1|2|3", "which sum, see above"),
        text_option("points", 'p', &s->points, "FILE", "positions of the samples, or of type 3's sources"),
        text_option("targets", 0, &s->targets, "FILE", "positions of type 3's results"),
        sizes_option("size", 0, &s->size, "NxN", "size of type 1's image, x first"),
        flag_option("real", 0, &s->real,
                    "type 1: the image's real part alone, with half the FFT; type 2 takes real IN so "
                    "by itself"),
        double_option(
            "tolerance", 0, &s->tolerance, "E", 0, 1,
            "relative l2 error of sums that do not cancel; 0: 1e-5 in single precision, 1e-9 in double"),
        choice_option("sign", 0, &s->sign, "SIGN", "auto|minus|plus",
                      "sign of the exponent; auto: minus for types 2 and 3, plus for type 1"),
        choice_option("units", 0, &s->units, "UNIT", "cycles|radians", "unit of the positions, see above"),
        choice_option("order", 0, &s->order, "ORDER", "centred|fft",
                      "order of the pixels: 0 in the middle, or 0 first as in an FFT"),
        choice_option("k-order", 0, &s->k_order, "ORDER", "xyz|zyx",
                      "order of the components: x first (BART, FINUFFT) or NumPy's axes (SigPy, mri-nufft)"),
        choice_option("precision", 0, &s->precision, "NAME", "auto|single|double",
                      "precision of all numbers; auto: as in IN"),
        double_option("oversampling", 0, &s->oversampling, "S", 0, 16,
                      "grid over image size; 0: the fastest for the tolerance"),
        flag_option("every-pixel", 0, &s->every_pixel,
                    "guarantee the tolerance for each single pixel; without it, edge pixels have up to 6 "
                    "times as much"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand nufft IN OUT --points FILE [options]",
                         .description = description,
                         .examples = examples,
                         .options = options,
                         .option_count = sizeof options / sizeof *options,
                         .positional_least = 2,
                         .positional_most = 2,
                         .positional = names};
    const bool go_on = command_parse(&line, argc, argv, exit_code);
    s->input = names[0];
    s->output = names[1];
    return go_on;
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
    if (!status) status = check_output(s.output);
    if (!status) status = common_open(&s.common, &device);
    if (!status) status = nufft_files(&s, type, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

const command command_nufft = {"nufft", "nonuniform Fourier transforms of arrays: types 1, 2 and 3", run};
