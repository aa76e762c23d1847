/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the array that `argand convert` reads. An array of a scan gets the geometry of the scan's
 * acquisitions. */
#include "convert/convert.h"
#include "common/path.h"
#include "mrd/mrd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------- its place in the patient */

static bool fits(const argand_scan_array *array, const int64_t matrix[3])
{
    return array->rank >= 2 && array->dims[0] == matrix[0] && array->dims[1] == matrix[1];
}

/* Returns false if the header has no direction. */
static bool set_direction(double to[3], const float from[3])
{
    const double length =
        sqrt((double)from[0] * from[0] + (double)from[1] * from[1] + (double)from[2] * from[2]);
    for (int i = 0; i < 3; i++) to[i] = length > 0 ? from[i] / length : 0;
    return fabs(length - 1) < 0.01;
}

static argand_geometry geometry_of(const argand_scan *scan, const argand_scan_array *array)
{
    argand_geometry g = {0};
    if (!scan->encoding_count || !scan->acquisition_count) return g;
    const argand_encoding *e = &scan->encodings[0];
    const bool reconstructed = fits(array, e->recon_matrix);
    if (!reconstructed && !fits(array, e->matrix)) return g;
    const int64_t *matrix = reconstructed ? e->recon_matrix : e->matrix;
    const double *size = reconstructed ? e->recon_field_of_view : e->field_of_view;
    const argand_acquisition *first = &scan->acquisitions[0];
    for (int64_t i = 1; i < scan->acquisition_count && first->counters.slice; i++)
        if (!scan->acquisitions[i].counters.slice) first = &scan->acquisitions[i];
    for (int i = 0; i < 3; i++) {
        g.voxel[i] = matrix[i] > 0 ? size[i] / (double)matrix[i] : 0;
        g.centre[i] = (double)first->position[i];
    }
    const bool read = set_direction(g.read, first->read_dir),
               phase = set_direction(g.phase, first->phase_dir),
               slice = set_direction(g.slice, first->slice_dir);
    g.valid = read && phase && slice && g.voxel[0] > 0 && g.voxel[1] > 0 && g.voxel[2] > 0;
    return g;
}

/* Inserts a third dimension of 1 into a map {nx, ny, coils} of a single slice, because its coils are not
 * slices. */
static argand_status part_coils(convert_image *image, const argand_scan *scan)
{
    const int rank = argand_array_rank(image->array);
    const int64_t deep = argand_array_dim(image->array, 2);
    const argand_encoding *e = scan->encodings;
    if (image->geometry.voxel[0] <= 0 || rank < 3 || rank >= ARGAND_MAX_RANK || deep == 1 ||
        deep == convert_slice_count(scan) || deep == e->matrix[2] || deep == e->recon_matrix[2])
        return ARGAND_OK;
    int64_t dims[ARGAND_MAX_RANK];
    for (int i = 0; i <= rank; i++)
        dims[i] = i < 2    ? argand_array_dim(image->array, i)
                  : i == 2 ? 1
                           : argand_array_dim(image->array, i - 1);
    argand_array *parted;
    const argand_status status = argand_array_reshape(&parted, image->array, rank + 1, dims);
    if (status != ARGAND_OK) return status;
    argand_array_destroy(image->array);
    image->array = parted;
    return ARGAND_OK;
}

/* ------------------------------------------------------------------------------- the array */

static void list_arrays(char *text, size_t size, const argand_scan *scan)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < scan->array_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", scan->arrays[i].name);
}

/* Finds the array of this name; without a name, the only one. */
static argand_status choose_array(const argand_scan_array **array, const argand_scan *scan, const char *name,
                                  const char *path)
{
    char names[512];
    list_arrays(names, sizeof names, scan);
    *array = name ? argand_scan_find(scan, name) : scan->array_count == 1 ? scan->arrays : NULL;
    if (*array) return ARGAND_OK;
    if (!scan->array_count)
        return report_error(ARGAND_ARGUMENT,
                            "%s: holds no arrays to convert; name its raw data, as in %s:kspace, or "
                            "reconstruct (argand sense)",
                            path, path);
    if (name)
        return report_error(ARGAND_ARGUMENT, "%s: there is no array \"%s\"; it holds %s", path, name, names);
    return report_error(ARGAND_ARGUMENT, "%s: holds several arrays; choose one as %s:NAME: %s", path, path,
                        names);
}

/* Sets the unit of a scan's array by convention; ISMRMRD has no field for it. */
static void name_array(convert_image *image, const char *name, const char *path)
{
    static const struct {
        const char *name, *units, *axes;
        sidecar_kind kind;
    } known[] = {{"FieldMap", "rad/s", "x, y, z or slice", KIND_FIELD_MAP},
                 {"SENSEMap", "", "x, y, z, coil, slice", KIND_COIL_MAPS},
                 {"Mask", "", "x, y, z or slice", KIND_MASK},
                 {"PhaseMaps", "rad", "x, y, z, shot and more", KIND_PHASE_MAPS},
                 {"kspace", "arbitrary", "1, sample, acquisition, coil", KIND_KSPACE},
                 {"trajectory", "cycles/FOV", SIDECAR_K_AXES, KIND_TRAJECTORY},
                 {"calibration", "arbitrary", "1, sample, acquisition, coil", KIND_KSPACE},
                 {"times", "s", "sample, acquisition", KIND_OTHER},
                 {"noise", "arbitrary", "sample, coil", KIND_NOISE},
                 {"DensityCompensation", "", "sample, shot", KIND_WEIGHTS}};
    sidecar *s = &image->described;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) != 0) continue;
        s->found = true;
        s->kind = known[i].kind;
        snprintf(s->units, sizeof s->units, "%s", known[i].units);
        snprintf(s->axes, sizeof s->axes, "%s", known[i].axes);
        snprintf(s->source, sizeof s->source, "%s:%s", path, name);
    }
}

/* Returns true for formats that hold positions (NIfTI) or are for viewing; .npy and .cfl hold numbers
 * only. */
static bool has_places(const convert_settings *s)
{
    return !s->output || !(has_ending(s->output, ".npy") || has_ending(s->output, ".cfl"));
}

static argand_status read_scan(convert_image *image, const convert_settings *s, const char *path,
                               const char *name, argand_device *device, report *out)
{
    argand_scan *scan;
    const argand_scan_array *found;
    scan_reading reading = s->reading;
    reading.pipes = true;
    argand_status status = scan_open(&scan, path, &reading);
    if (status != ARGAND_OK) return status;
    if (convert_is_samples(name) && !argand_scan_find(scan, name)) {
        name_array(image, name, path);
        status = convert_samples(image, scan, name, s, device, out);
        argand_scan_destroy(scan);
        return status;
    }
    status = choose_array(&found, scan, name, path);
    if (status == ARGAND_OK)
        status = argand_array_create(&image->array, device, found->type, found->rank, found->dims);
    if (status == ARGAND_OK) status = argand_array_upload(image->array, found->data);
    if (status == ARGAND_OK) {
        name_array(image, found->name, path);
        image->geometry = geometry_of(scan, found);
        status = convert_stack(image, scan, has_places(s));
    }
    if (status == ARGAND_OK) status = part_coils(image, scan);
    argand_scan_destroy(scan);
    return status;
}

/* Returns the colon between file and array in "scan.h5:FieldMap"; NULL: none. */
static const char *find_colon(const char *input)
{
    const char *colon = strrchr(input, ':');
    return colon && !strchr(colon, '/') ? colon : NULL;
}

/* Returns true if the path may be a scan. Streams may have any name, so only endings of arrays are
 * excluded. */
static bool may_be_scan(const char *path)
{
    return !path_is_array(path) && !has_ending(path, ".hdr") && !has_ending(path, ".png");
}

static argand_status read_pipe(convert_image *image, const convert_settings *s, const char *path,
                               const char *name, argand_device *device, report *out)
{
    bool are_images;
    TRY(convert_images(image, path, name, device, &are_images));
    if (are_images) return ARGAND_OK;
    if (name) return read_scan(image, s, path, name, device, out);
    return report_error(ARGAND_ARGUMENT,
                        "%s: sent a scan: name an array of it (--array kspace), or write it whole, to a file "
                        "that ends in .h5",
                        path);
}

argand_status convert_read(convert_image *image, const convert_settings *s, argand_device *device,
                           report *out)
{
    char path[4096];
    const char *colon = find_colon(image->name);
    snprintf(path, sizeof path, "%.*s", colon ? (int)(colon - image->name) : (int)strlen(image->name),
             image->name);
    if (mrd_is_pipe(path)) return read_pipe(image, s, path, colon ? colon + 1 : s->array, device, out);
    if (has_ending(path, ".seq"))
        return convert_sequence(image, path, colon ? colon + 1 : s->array, s, device, out);
    if (colon && may_be_scan(path)) return read_scan(image, s, path, colon + 1, device, out);
    if (path_is_scan(image->name) || s->array) return read_scan(image, s, image->name, s->array, device, out);
    if (has_ending(image->name, ".png"))
        return report_error(ARGAND_ARGUMENT,
                            "%s: pictures are written, not read: their numbers are for the eye", image->name);
    image->is_file = true;
    if (path_is_nifti(image->name))
        return argand_nifti_read(&image->array, image->name, device, &image->geometry);
    const argand_status status = argand_array_read(&image->array, image->name, device);
    if (status != ARGAND_ARGUMENT || !may_be_scan(image->name) || access(image->name, R_OK)) return status;
    return report_error(ARGAND_ARGUMENT,
                        "%s: has no ending of an array (.npy, .cfl, .nii, .nii.gz); if it is a scan, name an "
                        "array of it, as in %s:kspace",
                        image->name, image->name);
}
