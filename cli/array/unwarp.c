/* SPDX-License-Identifier: BSD-3-Clause */
/* argand unwarp: corrects images for the nonlinearity of the gradients. */
#include "array/placed.h"
#include "common/path.h"
#include "common/report.h"
#include "files/sidecar.h"

#include <strings.h>

enum { AUTO, HFS };
#define POSITIONS "auto|hfs|hfp|ffs|ffp"

typedef struct settings {
    const char *names[2], *coefficients;
    int position;
    argand_unwarp_options options;
} settings;

static argand_status check(const settings *s)
{
    if (!s->coefficients)
        return report_error(ARGAND_ARGUMENT, "give the gradients' coefficients: --gradient-coefficients "
                                             "coeff.grad");
    for (int i = 0; i < 2; i++)
        if (!path_is_nifti(s->names[i]))
            return report_error(ARGAND_ARGUMENT,
                                "%s: is not a NIfTI file (.nii, .nii.gz), whose position in the scanner is "
                                "needed",
                                s->names[i]);
    return ARGAND_OK;
}

/* Finds how the patient lay: by the option, else the sidecar, else head first and supine. */
static argand_status choose_position(settings *s, const sidecar *side, report *out)
{
    static const char *const names[] = {"HFS", "HFP", "FFS", "FFP"};
    if (s->position != AUTO) {
        s->options.position = (argand_patient_position)(s->position - HFS);
        return ARGAND_OK;
    }
    for (int i = 0; i < 4; i++)
        if (!strcasecmp(side->patient_position, names[i])) {
            s->options.position = (argand_patient_position)i;
            return ARGAND_OK;
        }
    if (*side->patient_position)
        return report_error(ARGAND_UNSUPPORTED,
                            "%s: PatientPosition is %s; HFS, HFP, FFS and FFP are known (--patient-position)",
                            side->path, side->patient_position);
    report_note(out,
                "%s has no sidecar with PatientPosition: head first, supine is taken "
                "(--patient-position).",
                s->names[0]);
    return ARGAND_OK;
}

static void tell(const settings *s, const argand_unwarp_report *r, const placed *x, report *out)
{
    const long long all = (long long)argand_array_dim(x->array, 0) *
                          (long long)argand_array_dim(x->array, 1) * (long long)argand_array_dim(x->array, 2);
    char path[4200];
    report_note(
        out,
        "%s: displacements up to %.3g mm%s, intensities times %.3g to %.3g. Of %lld voxels, %lld have "
        "their source outside the image and become 0.",
        s->names[1], r->displacement, r->in_plane ? " (corrected within the slices only)" : "",
        r->least_intensity, r->most_intensity, all, (long long)r->outside);
    if (r->folded)
        report_note(out,
                    "In %lld voxels the field of the gradients is not one to one, because they lie too far "
                    "from the isocentre; they become 0.",
                    (long long)r->folded);
    report_result(out, "\"output\":%s,\"displacement_mm\":%.6g,\"outside\":%lld,\"folded\":%lld",
                  json_string(path, sizeof path, s->names[1]), r->displacement, (long long)r->outside,
                  (long long)r->folded);
}

static argand_status unwarp(settings *s, const placed *x, placed *y, const sidecar *side, report *out)
{
    argand_gradient_coefficients *coefficients = NULL;
    argand_unwarp_report r;
    int64_t dims[ARGAND_MAX_RANK];
    for (int d = 0; d < ARGAND_MAX_RANK; d++) dims[d] = argand_array_dim(x->array, d);
    y->geometry = x->geometry;
    TRY(choose_position(s, side, out));
    TRY(argand_gradient_coefficients_read(&coefficients, s->coefficients));
    argand_status status =
        argand_array_create(&y->array, argand_array_device(x->array), argand_array_type(x->array),
                            argand_array_rank(x->array), dims);
    if (!status) status = argand_unwarp(y->array, x->array, &x->geometry, coefficients, &s->options, &r);
    argand_gradient_coefficients_destroy(coefficients);
    if (!status) tell(s, &r, x, out);
    return status;
}

static argand_status work(settings *s, argand_device *device, report *out)
{
    placed x = {0}, y = {0};
    sidecar side;
    argand_status status = placed_read(&x, s->names[0], device);
    if (!status) status = placed_check(&x, s->names[0]);
    if (!status) status = sidecar_read(&side, s->names[0]);
    if (!status) status = sidecar_may_write(&side, s->names[1]);
    if (!status) status = unwarp(s, &x, &y, &side, out);
    if (!status) status = placed_write(s->names[1], &y);
    if (!status && side.found) status = sidecar_copy(&side, s->names[1]);
    argand_array_destroy(y.array);
    argand_array_destroy(x.array);
    return status;
}

static bool parse(settings *s, common_options *common, int argc, char **argv, int *exit_code)
{
    int interpolation = 0;
    const option options[] = {
        text_option("gradient-coefficients", 0, &s->coefficients, "FILE",
                    "spherical harmonic coefficients of the gradient coil, in Siemens's format (coeff.grad)"),
        choice_option(
            "patient-position", 0, &s->position, "HOW", POSITIONS,
            "position of the patient: head first (hf) or feet first (ff), supine (s) or prone (p). auto: "
            "PatientPosition of the sidecar, otherwise hfs, with a note"),
        choice_option("interpolation", 0, &interpolation, "KIND", "cubic|linear|nearest",
                      "interpolate by cubic B-splines, linearly, or take the nearest voxel (for masks)"),
        flag_option(
            "keep-intensity", 0, &s->options.keep_intensity,
            "do not multiply by the change of volume: for maps and masks, whose values are not signal"),
        flag_option(
            "in-plane", 0, &s->options.in_plane,
            "correct within the slices only. Default: along all three axes; a single slice within its plane"),
        COMMON_OPTIONS(*common),
    };
    command_line line = {
        .usage = "argand unwarp IN.nii OUT.nii --gradient-coefficients FILE [options]",
        .description =
            "Corrects an image (.nii, .nii.gz) for the nonlinearity of the gradients, which distorts "
            "it far from the isocentre: voxels are\n"
            "interpolated where the gradients displaced them, and multiplied by the change of "
            "volume. The image needs a position\n(qform or sform), as argand sense writes it. Dimensions "
            "beyond the third count volumes.",
        .examples = "  argand unwarp image.nii.gz straight.nii.gz --gradient-coefficients coeff.grad\n",
        OPTION_TABLE(options),
        .files = {&s->names[0], &s->names[1]},
        .positional_least = 2};
    if (!command_parse(&line, argc, argv, exit_code)) return false;
    s->options.interpolation = (argand_unwarp_interpolation)interpolation;
    return true;
}

static int run(int argc, char **argv)
{
    static common_options common;
    settings s = {0};
    int exit_code;
    report out;
    argand_device *device = NULL;
    if (!parse(&s, &common, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "unwarp", &common);
    interrupt_watch();
    argand_status status = check(&s);
    if (!status) status = common_open_host(&common, &device);
    if (!status) status = work(&s, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

const command command_unwarp = {
    .name = "unwarp", .summary = "correct an image for the nonlinearity of the gradients", .run = run};
