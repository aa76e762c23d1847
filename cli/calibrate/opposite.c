/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the two images, and from their sidecars echo spacing and direction (BIDS: EffectiveEchoSpacing,
 * PhaseEncodingDirection), as argand sense writes them. */
#include "calibrate/opposite.h"
#include "common/path.h"
#include "files/maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Replaces an array by its magnitude, and repetitions by the first one. */
static argand_status simplify(argand_array **array)
{
    argand_array *first = NULL, *real = NULL;
    int64_t dims[3] = {1, 1, 1};
    const int rank = argand_array_rank(*array);
    for (int axis = 0; axis < rank && axis < 3; axis++) dims[axis] = argand_array_dim(*array, axis);
    argand_status status = argand_array_view(&first, *array, 3, dims, NULL, 0);
    const argand_type type = argand_array_type(*array);
    const bool is_double = type == ARGAND_R64 || type == ARGAND_C64;
    if (!status)
        status = argand_array_create(&real, argand_array_device(*array), is_double ? ARGAND_R64 : ARGAND_R32,
                                     3, dims);
    if (!status) status = argand_array_abs(real, first);
    argand_array_destroy(first);
    if (status) {
        argand_array_destroy(real);
        return status;
    }
    argand_array_destroy(*array);
    *array = real;
    return ARGAND_OK;
}

static argand_status read_image(argand_array **image, argand_geometry *geometry, const char *path,
                                argand_device *device)
{
    *geometry = (argand_geometry){0};
    *image = NULL;
    if (path_is_scan(path))
        return report_error(ARGAND_ARGUMENT,
                            "%s: --opposite compares images: reconstruct both scans first (argand sense %s "
                            "image.nii.gz)",
                            path, path);
    TRY(has_ending(path, ".nii") || has_ending(path, ".nii.gz")
            ? argand_nifti_read(image, path, device, geometry)
            : array_file_read("--opposite", path, device, image));
    const argand_status status = simplify(image);
    if (!status) return ARGAND_OK;
    argand_array_destroy(*image);
    *image = NULL;
    return status;
}

/* Finds the order of the images by their sidecars, and the echo spacing if none is given. */
static argand_status read_sidecars(bool *swapped, double *spacing, const opposite_pair *p, report *out)
{
    sidecar up, down;
    *swapped = false;
    *spacing = p->echo_spacing;
    TRY(sidecar_read(&up, p->up));
    TRY(sidecar_read(&down, p->down));
    if (!strcmp(up.phase_encoding, "j-") && !strcmp(down.phase_encoding, "j")) {
        *swapped = true;
        report_note(out, "%s was read with ky falling in time (its sidecar says j-), %s with ky rising.",
                    p->up, p->down);
    } else if (*up.phase_encoding && !strcmp(up.phase_encoding, down.phase_encoding))
        return report_error(ARGAND_ARGUMENT,
                            "%s and %s have the same PhaseEncodingDirection (%s): opposite ones are needed",
                            p->up, p->down, up.phase_encoding);
    if (*spacing > 0) return ARGAND_OK;
    *spacing = up.echo_spacing > 0 ? up.echo_spacing : down.echo_spacing;
    if (up.echo_spacing > 0 && down.echo_spacing > 0 &&
        fabs(up.echo_spacing - down.echo_spacing) > 0.01 * up.echo_spacing)
        return report_error(ARGAND_ARGUMENT, "EffectiveEchoSpacing is %.6g s for %s, but %.6g s for %s",
                            up.echo_spacing, p->up, down.echo_spacing, p->down);
    if (*spacing > 0) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s has no EffectiveEchoSpacing in a sidecar (%s): give --echo-spacing, in seconds",
                        p->up, up.path);
}

static argand_status fit_pair(argand_array *map, const argand_array *up, const argand_array *down,
                              double spacing, double beta, report *out)
{
    argand_opposite_report r;
    const argand_opposite_options o = {.echo_spacing = spacing, .beta = beta};
    report_stage(out, "fitting the field");
    TRY(argand_fieldmap_opposite(map, up, down, &o, &r));
    report_note(out,
                "Field map from two directions of phase encoding, %.4g ms between neighbouring ky: signal "
                "moves by up to %.3g pixels. The images differ by %.3g, corrected by %.3g (%d steps).",
                1e3 * spacing, r.displacement, r.before, r.after, r.iterations);
    if (r.after > 0.5 * r.before)
        report_note(out, "The correction hardly makes the images more alike. Are they a pair of blip-up and "
                         "blip-down of the same object?");
    return ARGAND_OK;
}

argand_status opposite_field(argand_array **map, argand_geometry *geometry, const opposite_pair *p,
                             argand_device *device, report *out)
{
    argand_array *images[2] = {NULL};
    argand_geometry other;
    bool swapped = false;
    double spacing = 0;
    int64_t dims[3];
    *map = NULL;
    argand_status status = read_sidecars(&swapped, &spacing, p, out);
    if (!status) status = read_image(&images[0], geometry, p->up, device);
    if (!status) status = read_image(&images[1], &other, p->down, device);
    for (int axis = 0; axis < 3 && !status; axis++) dims[axis] = argand_array_dim(images[0], axis);
    if (!status) status = argand_array_create(map, device, ARGAND_R32, 3, dims);
    if (!status) status = fit_pair(*map, images[swapped], images[!swapped], spacing, p->beta, out);
    argand_array_destroy(images[1]);
    argand_array_destroy(images[0]);
    return status;
}
