/* SPDX-License-Identifier: BSD-3-Clause */
/* argand convert: converts arrays and images between formats. */
#include "convert/convert.h"
#include "common/path.h"
#include "files/shape.h"
#include "mrd/mrd.h"

#include <stdio.h>
#include <string.h>

static bool is_complex(const argand_array *array)
{
    return argand_array_type(array) == ARGAND_C32 || argand_array_type(array) == ARGAND_C64;
}

/* Checks the options before any work. */
static argand_status check_settings(const convert_settings *s)
{
    if (s->magnitude + s->phase + s->real + s->imaginary > 1)
        return report_error(ARGAND_ARGUMENT, "give only one of --magnitude, --phase, --real and --imag");
    if (s->input_count > 1 && !has_ending(s->output, ".png"))
        return report_error(ARGAND_ARGUMENT,
                            "%s: several images make one picture (.png), not one file of numbers", s->output);
    TRY(convert_check_dicom(s));
    if (path_is_array(s->output) || has_ending(s->output, ".png") || path_is_dicom(s->output) ||
        convert_is_whole(s))
        return ARGAND_OK;
    if (has_ending(s->output, ".h5"))
        return report_error(ARGAND_ARGUMENT,
                            "%s: arrays are not written into scans; argand sense takes maps from files",
                            s->output);
    if (mrd_is_pipe(s->output))
        return report_error(ARGAND_ARGUMENT, "%s: a stream takes a whole scan; arrays go into files",
                            s->output);
    return report_error(ARGAND_ARGUMENT,
                        "%s: unknown ending; known are .nii.gz, .nii, .npy, .cfl, .dcm and "
                        ".png",
                        s->output);
}

/* Replaces the image's array by `next`. */
static void replace(convert_image *image, argand_array *next)
{
    argand_array_destroy(image->array);
    image->array = next;
}

/* Selects one plane of an axis: slice (2) or volume (3). */
static argand_status choose(convert_image *image, int axis, int number, const char *what)
{
    if (number < 0) return ARGAND_OK;
    const int64_t count = argand_array_dim(image->array, axis);
    if (number >= count)
        return report_error(ARGAND_ARGUMENT, "--%s %d: the last %s of %s is %lld", what, number, what,
                            image->name, (long long)count - 1);
    if (axis >= argand_array_rank(image->array)) return ARGAND_OK;
    argand_array *part;
    const argand_status status = argand_array_part(&part, image->array, axis, number, 1);
    if (status != ARGAND_OK) return status;
    replace(image, part);
    argand_geometry *g = &image->geometry;
    for (int i = 0; i < 3 && axis == 2; i++)
        g->centre[i] += ((double)number - (double)(count / 2)) * g->voxel[2] * g->slice[i];
    return ARGAND_OK;
}

typedef argand_status (*part_function)(argand_array *to, const argand_array *from);

/* Returns the function of the selected part; the magnitude if a picture or DICOM needs real numbers; NULL: no
 * change. */
static part_function choose_part(const convert_settings *s, const argand_array *array)
{
    if (s->phase) return argand_array_phase;
    if (s->magnitude) return argand_array_abs;
    if (!is_complex(array)) return NULL; /* real numbers are their own real part */
    if (s->real) return argand_array_real;
    if (s->imaginary) return argand_array_imag;
    return has_ending(s->output, ".png") || path_is_dicom(s->output) ? argand_array_abs : NULL;
}

static argand_status take_part(convert_image *image, const convert_settings *s)
{
    if (s->imaginary && !is_complex(image->array))
        return report_error(ARGAND_ARGUMENT, "--imag: %s holds real numbers", image->name);
    const part_function take = choose_part(s, image->array);
    image->was_complex = is_complex(image->array);
    if (!take) return ARGAND_OK;
    const argand_type type = argand_array_type(image->array);
    int64_t dims[ARGAND_MAX_RANK];
    for (int i = 0; i < ARGAND_MAX_RANK; i++) dims[i] = argand_array_dim(image->array, i);
    argand_array *part;
    argand_status status =
        argand_array_create(&part, argand_array_device(image->array),
                            type == ARGAND_C64 || type == ARGAND_R64 ? ARGAND_R64 : ARGAND_R32,
                            argand_array_rank(image->array), dims);
    if (status != ARGAND_OK) return status;
    status = take(part, image->array);
    replace(image, part);
    return status;
}

static argand_status write_image(convert_image *image, const convert_settings *s)
{
    if (has_ending(s->output, ".png")) return convert_picture(image, s);
    if (path_is_dicom(s->output)) return convert_dicom(image, s);
    if (path_is_nifti(s->output))
        return argand_nifti_write(s->output, image->array, &image->geometry, image->geometry.time_step);
    return argand_array_write(s->output, image->array);
}

/* Returns the sidecar of the result. A phase is in rad, whatever the unit was; another part of complex
 * numbers loses its kind. If nothing was changed, the file's own sidecar is copied. */
static sidecar sidecar_of(const convert_image *image, const convert_settings *s)
{
    sidecar what = image->described;
    const bool real_kind = what.kind == KIND_FIELD_MAP || what.kind == KIND_TRAJECTORY ||
                           what.kind == KIND_MASK || what.kind == KIND_WEIGHTS ||
                           what.kind == KIND_PHASE_MAPS;
    const bool part = s->magnitude || s->phase || (s->real && !real_kind) || s->imaginary;
    if (s->phase) snprintf(what.units, sizeof what.units, "rad");
    if (part && image->was_complex) what.kind = KIND_UNKNOWN;
    return what;
}

/* Refuses to leave an existing sidecar next to an output that it does not describe. */
static argand_status check_sidecar(const convert_image *image, const convert_settings *s)
{
    const sidecar what = sidecar_of(image, s);
    sidecar there;
    if (what.found) return sidecar_may_write(&what, s->output);
    if (sidecar_read(&there, s->output) || !there.found || there.kind == KIND_UNKNOWN) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "%s: %s is there already and says %s%s%s, but nothing says that of %s: remove it, or choose "
        "another name",
        s->output, there.path, there.kind_name, *there.units ? ", " : "", there.units, image->name);
}

static argand_status write_described(const convert_image *image, const convert_settings *s)
{
    const sidecar *its = &image->described, what = sidecar_of(image, s);
    if (has_ending(s->output, ".png") || !its->found) return ARGAND_OK;
    const bool ours = its->kind != KIND_UNKNOWN || its->rank > 0;
    if (image->is_file && !ours && !s->phase) return sidecar_copy(its, s->output);
    return sidecar_write(&what, s->output, image->array, "convert");
}

static void print_result(const convert_image *image, const convert_settings *s, report *out)
{
    char shape[256], json[600], path[4200];
    const char *type = argand_type_name(argand_array_type(image->array));
    report_note(out, "%s: %s, %s", s->output, shape_of_array(shape, sizeof shape, s->output, image->array),
                type);
    if (is_complex(image->array) && strstr(s->output, ".nii"))
        report_note(out, "complex NIfTI: most viewers want --magnitude or --phase");
    if (path_is_dicom(s->output) && !s->header)
        report_note(out,
                    "The DICOM image has no patient and is dated 1900-01-01; --header SCAN takes both from a "
                    "scan.");
    report_result(out, "\"output\":%s,%s,\"type\":\"%s\"", json_string(path, sizeof path, s->output),
                  shape_json(json, sizeof json, s->output, image->array), type);
}

/* Sets the geometry, which .npy and .cfl cannot hold. */
static argand_status take_place(convert_image *image, const convert_settings *s, argand_device *device,
                                report *out)
{
    argand_array *other;
    if (!s->like) return ARGAND_OK;
    const argand_status status = argand_nifti_read(&other, s->like, device, &image->geometry);
    if (status) return report_error(status, "--like %s", argand_message());
    report_place(out, s->like, &image->geometry);
    argand_array_destroy(other);
    return ARGAND_OK;
}

static argand_status prepare(convert_image *image, const convert_settings *s, argand_device *device,
                             report *out)
{
    argand_status status = convert_read(image, s, device, out);
    if (status == ARGAND_OK) report_place(out, image->name, &image->geometry);
    if (status == ARGAND_OK) status = take_place(image, s, device, out);
    if (status == ARGAND_OK && image->is_file && !has_ending(s->output, ".png"))
        status = sidecar_read(&image->described, image->name);
    if (status == ARGAND_OK && image->is_file) status = convert_order(image, s);
    if (status == ARGAND_OK) status = choose(image, 2, s->slice, "slice");
    if (status == ARGAND_OK) status = choose(image, 3, s->volume, "volume");
    if (status == ARGAND_OK) status = take_part(image, s);
    return status == ARGAND_OK && interrupted() ? ARGAND_STOPPED : status;
}

static argand_status convert(const convert_settings *s, argand_device *device, report *out)
{
    convert_image images[CONVERT_INPUTS] = {{0}};
    argand_status status = ARGAND_OK;
    for (int i = 0; i < s->input_count && status == ARGAND_OK; i++) {
        images[i].name = s->inputs[i];
        status = prepare(&images[i], s, device, out);
    }
    if (status == ARGAND_OK && !has_ending(s->output, ".png")) status = check_sidecar(images, s);
    if (status == ARGAND_OK) status = write_image(images, s);
    if (status == ARGAND_OK) status = write_described(images, s);
    if (status == ARGAND_OK) print_result(images, s, out);
    for (int i = 0; i < s->input_count; i++) argand_array_destroy(images[i].array);
    return status;
}

static const char description[] =
    "Copies an image or an array into another format. The ending of the name chooses the format:\n"
    "  .nii .nii.gz  NIfTI-1 (NIfTI-2 is read as well): orientation, voxel size and time step are kept\n"
    "  .npy          NumPy; the last axis in C order is the first dimension (x)\n"
    "  .cfl          BART, with its .hdr\n"
    "  .h5:NAME      an array of an ISMRMRD scan, such as FieldMap or SENSEMap (IN only);\n"
    "                a NIfTI file made from it gets position and orientation from the scan\n"
    "  .h5:kspace    the samples of a scan in BART's order (IN only). Cartesian: a grid {nx, ny, nz, coils}\n"
    "                with zeros at unmeasured points; other scans, or --list:\n"
    "                {1, samples, acquisitions, coils}\n"
    "  .h5:trajectory .h5:times   positions {3, samples, acquisitions} and seconds {samples, acquisitions}\n"
    "  .seq:trajectory .seq:times  a Pulseq sequence (IN only): positions {3, samples, readouts} in 1/m, "
    "and seconds\n"
    "  .h5:calibration .h5:noise  calibration acquisitions as a list; noise samples {samples, coils}\n"
    "  .dcm          DICOM (OUT only): one file, or a folder of slices; the unit is that of the sidecar\n"
    "  .png          all slices as one picture (OUT only); several IN stand side by side with the same "
    "window\n"
    "A scan is written whole to OUT.h5, or to - (standard output) or a named pipe as a stream of ISMRMRD's "
    "messages, without\n"
    "its arrays. IN may be - or a named pipe, too: a scan, or the images that argand sense SCAN - sends.\n"
    "Complex numbers stay complex, except in pictures. If a picture has negative values, zero is shown as "
    "mid-grey.";

static const char examples[] =
    "  argand convert scan.h5:FieldMap fieldmap.nii.gz\n"
    "  argand convert image.nii.gz image.png\n"
    "  argand convert image.cfl phase.png --phase --slice 12\n"
    "  argand convert t2star.nii.gz t2star.dcm --header scan.h5\n"
    "  argand convert scan.h5:SENSEMap coil3.png --volume 3\n"
    "  argand convert plain.nii.gz corrected.nii.gz both.png --captions 'plain|corrected'\n"
    "  argand convert complex.npy magnitude.nii.gz --magnitude\n"
    "  argand convert scan.h5 - | ssh server argand sense - - | argand convert - image.nii.gz\n";

static bool parse(convert_settings *s, int argc, char **argv, int *exit_code)
{
    const char *paths[CONVERT_INPUTS + 1] = {0};
    const option options[] = {
        flag_option("magnitude", 0, &s->magnitude, "write the magnitude (the default of PNG)"),
        flag_option("phase", 0, &s->phase, "write the phase in radians, -pi to pi"),
        flag_option("real", 0, &s->real, "write the real part"),
        flag_option("imag", 0, &s->imaginary, "write the imaginary part"),
        int_option(
            "slice", 0, &s->slice, "N", -1, 1e9,
            "write this slice alone, counted from 0 along the third axis from the fastest; -1 writes all"),
        int_option("volume", 0, &s->volume, "N", -1, 1e9,
                   "write this volume or coil alone, counted from 0 along the fourth axis from the fastest; "
                   "-1 writes all"),
        flag_option("list", 0, &s->list,
                    "write the k-space of a Cartesian scan as a list of acquisitions, in the order of "
                    ":trajectory and :times"),
        text_option("array", 0, &s->array, "NAME", "name of the array in a scan, as in SCAN.h5:NAME"),
        SCAN_OPTIONS(s->reading),
        double_option("low", 0, &s->low, "V", 0, 0, "PNG: value to show as black. Default: from the image"),
        double_option("high", 0, &s->high, "V", 0, 0, "PNG: value to show as white. Default: from the image"),
        int_option("zoom", 0, &s->zoom, "N", 0, 64,
                   "PNG: picture pixels per voxel; 0 makes the longer side about 768 pixels"),
        int_option("columns", 0, &s->columns, "N", 0, 4096,
                   "PNG: number of slices side by side; 0 makes the picture nearly square"),
        flag_option("nearest", 0, &s->nearest, "PNG: show voxels as squares. Default: interpolate"),
        text_option("like", 0, &s->like, "IMAGE.nii",
                    "NIfTI, DICOM: copy position and orientation from this image"),
        CONVERT_DICOM_OPTIONS(*s),
        text_option("captions", 0, &s->captions, "A|B", "PNG: captions above the images, separated by |"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {
        .usage = "argand convert IN [IN...] OUT [options]",
        .description = description,
        .examples = examples,
        OPTION_TABLE(options),
        .positional_least = 2,
        .positional_most = CONVERT_INPUTS + 1,
        .positional = paths,
    };
    if (!command_parse(&line, argc, argv, exit_code)) return false;
    s->input_count = line.positional_count - 1;
    for (int i = 0; i < s->input_count; i++) s->inputs[i] = paths[i];
    s->output = paths[s->input_count];
    return true;
}

static int run(int argc, char **argv)
{
    convert_settings s = {.slice = -1, .volume = -1};
    int exit_code;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report out;
    argand_device *device = NULL;
    report_begin(&out, "convert", &s.common);
    interrupt_watch();
    argand_status status = check_settings(&s);
    const bool whole = status == ARGAND_OK && convert_is_whole(&s);
    if (whole) status = convert_whole(&s, &out);
    if (status == ARGAND_OK && !whole) status = common_open_host(&s.common, &device);
    if (status == ARGAND_OK && !whole) status = convert(&s, device, &out);
    argand_device_close(device);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_convert = {
    .name = "convert",
    .summary = "convert images and arrays between NIfTI, npy, cfl, ISMRMRD, DICOM and PNG",
    .run = run};
