/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the meaning of a trajectory between formats: kx is the last component of a position in .npy, as x is
 * the last axis of NumPy's images, and the first one in all other files. */
#include "common/path.h"
#include "convert/convert.h"

#include <string.h>

static bool is_real(const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    return type == ARGAND_R32 || type == ARGAND_R64;
}

/* Refuses positions with imaginary parts, which a file of real numbers cannot hold. */
static argand_status check_real(const convert_image *image, bool npy)
{
    argand_array *imaginary = NULL;
    const argand_array *k = image->array;
    const argand_type type = argand_array_type(k);
    int64_t dims[ARGAND_MAX_RANK];
    double norm = 0;
    if (!npy || is_real(k)) return ARGAND_OK;
    for (int i = 0; i < ARGAND_MAX_RANK; i++) dims[i] = argand_array_dim(k, i);
    argand_status status =
        argand_array_create(&imaginary, argand_array_device(k), type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32,
                            argand_array_rank(k), dims);
    if (!status) status = argand_array_imag(imaginary, k);
    if (!status) status = argand_array_norm(&norm, imaginary);
    argand_array_destroy(imaginary);
    if (!status && norm != 0)
        status = report_error(ARGAND_FORMAT,
                              "%s: the imaginary parts have the norm %g, and positions are real: write the "
                              "real part alone, or remove the sidecar if these are no positions",
                              image->name, norm);
    return status;
}

/* Copies `n` components in reversed order. The imaginary parts of complex positions are 0. */
static argand_status reverse_components(argand_array *to, const argand_array *from, int64_t n)
{
    const bool to_real = is_real(to) && !is_real(from);
    argand_status status = ARGAND_OK;
    for (int64_t d = 0; d < n && !status; d++) {
        argand_array *component = NULL, *place = NULL;
        status = argand_array_part(&component, from, 0, d, 1);
        if (!status) status = argand_array_part(&place, to, 0, n - 1 - d, 1);
        if (!status)
            status = to_real ? argand_array_real(place, component) : argand_array_copy(place, component);
        argand_array_destroy(place);
        argand_array_destroy(component);
    }
    return status;
}

/* Sets *flat if kz, the third component of a BART file, is 0 everywhere. */
static argand_status find_flat(bool *flat, const argand_array *array, int64_t n)
{
    argand_array *kz = NULL;
    double norm = 1;
    *flat = false;
    if (n < 3) return ARGAND_OK;
    argand_status status = argand_array_part(&kz, array, 0, 2, 1);
    if (!status) status = argand_array_norm(&norm, kz);
    argand_array_destroy(kz);
    *flat = norm == 0;
    return status;
}

/* NumPy's files get real numbers, and two components if kz is 0. Other files get three, as BART needs. */
static argand_status make_sorted(argand_array **sorted, int64_t *n, const argand_array *array, bool npy)
{
    const argand_type type = argand_array_type(array);
    const bool twice = type == ARGAND_R64 || type == ARGAND_C64;
    int64_t dims[ARGAND_MAX_RANK];
    bool flat;
    TRY(find_flat(&flat, array, npy ? *n : 0));
    if (flat) *n = 2;
    for (int i = 0; i < ARGAND_MAX_RANK; i++) dims[i] = argand_array_dim(array, i);
    dims[0] = npy ? *n : 3;
    TRY(argand_array_create(sorted, argand_array_device(array),
                            npy ? (twice ? ARGAND_R64 : ARGAND_R32) : type, argand_array_rank(array), dims));
    return argand_array_fill(*sorted, (argand_scalar){0});
}

argand_status convert_order(convert_image *image, const convert_settings *s)
{
    const bool npy = has_ending(s->output, ".npy");
    int64_t n = argand_array_dim(image->array, 0);
    argand_array *sorted = NULL;
    if (image->described.kind != KIND_TRAJECTORY || npy == has_ending(image->name, ".npy")) return ARGAND_OK;
    if (!strcmp(image->described.axes, SIDECAR_K_AXES_X_FIRST) || n < 2 || n > 3) return ARGAND_OK;
    TRY(check_real(image, npy));
    argand_status status = make_sorted(&sorted, &n, image->array, npy);
    if (!status) status = reverse_components(sorted, image->array, n);
    if (status) {
        argand_array_destroy(sorted);
        return status;
    }
    argand_array_destroy(image->array);
    image->array = sorted;
    return ARGAND_OK;
}
