/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the rows of a result. */
#include "convolve/filter.h"

#include <stdlib.h>
#include <string.h>
#include "common/path.h"

argand_status sink_check(const char *path)
{
    if (path_is_array(path)) return ARGAND_OK;
    const char *lacks = argand_picture_lacks(path);
    if (argand_picture_is_known(path) && !lacks && !argand_picture_is_written(path))
        return report_error(ARGAND_UNSUPPORTED,
                            "%s: this format is read, not written; write a .png or an .exr", path);
    if (!argand_picture_is_known(path))
        return report_error(
            ARGAND_ARGUMENT,
            "%s: unknown ending; known are .exr, .png, .pfm, .tif, .npy, .nii, .nii.gz and .cfl", path);
    return lacks ? report_error(ARGAND_UNSUPPORTED, "%s: %s", path, lacks) : ARGAND_OK;
}

/* Reduces a picture's description to what the format of this name can hold. TIFF has no word for a curve;
 * readers expect sRGB, unless a profile that is copied from another TIFF says more. */
static void suit_format(argand_picture_info *info, const char *path, const filter_source *like)
{
    const bool whole = info->sample == ARGAND_SAMPLE_U8 || info->sample == ARGAND_SAMPLE_U16;
    const bool png = has_ending_any_case(path, ".png");
    const bool exr = has_ending_any_case(path, ".exr");
    const bool pfm = has_ending_any_case(path, ".pfm");
    if (png && !whole) {
        info->sample = ARGAND_SAMPLE_U16;
        info->transfer = ARGAND_TRANSFER_SRGB;
    }
    if (exr && whole) info->sample = info->sample == ARGAND_SAMPLE_U8 ? ARGAND_SAMPLE_F16 : ARGAND_SAMPLE_F32;
    if (pfm) info->sample = ARGAND_SAMPLE_F32;
    if (path_is_tiff(path) && whole && !like->is_tiff) info->transfer = ARGAND_TRANSFER_SRGB;
    if (exr) info->associated = true;
    if (png) info->associated = false;
}

argand_status sink_open(filter_sink *sink, const char *path, const filter_source *like, int64_t width,
                        int64_t height)
{
    sink->path = path;
    sink->like = like;
    sink->info = like->info;
    sink->info.width = width;
    sink->info.height = height;
    if (!path_is_array(path)) {
        suit_format(&sink->info, path, like);
        return argand_picture_create(&sink->picture, path, &sink->info, like->picture);
    }
    sink->info.associated = true;
    sink->memory = malloc((size_t)(width * height) * (size_t)sink->info.channels * sizeof *sink->memory);
    return sink->memory ? ARGAND_OK : report_error(ARGAND_MEMORY, "%s: no memory for it", path);
}

/* Counts samples beyond the light from 0 to 1 that whole numbers stand for. */
static void count_clipped(filter_sink *sink, const float *row)
{
    const argand_picture_info *info = &sink->info;
    const float beyond = info->sample == ARGAND_SAMPLE_U8 ? 0.5f / 255 : 0.5f / 65535;
    for (int64_t i = 0; i < info->width * info->channels; i++) {
        if (row[i] >= -beyond && row[i] <= 1 + beyond) continue;
        sink->clipped++;
        sink->least = row[i] < sink->least ? row[i] : sink->least;
        sink->largest = row[i] > sink->largest ? row[i] : sink->largest;
    }
}

void sink_note_clipped(const filter_sink *sink, report *out)
{
    if (!sink->clipped) return;
    report_note(
        out,
        "%s: %.2g %% of its samples lie beyond the light from 0 to 1 that it can hold (from %.3g to %.3g) "
        "and are cut off there; .exr and .pfm keep them",
        sink->path,
        100.0 * (double)sink->clipped / (double)(sink->info.width * sink->info.height * sink->info.channels),
        (double)sink->least, (double)sink->largest);
}

argand_status sink_write(filter_sink *sink, const float *row)
{
    const int64_t width = sink->info.width;
    const bool whole = sink->info.sample == ARGAND_SAMPLE_U8 || sink->info.sample == ARGAND_SAMPLE_U16;
    if (sink->picture && whole) count_clipped(sink, row);
    if (sink->picture) return argand_picture_write(sink->picture, 1, row, NULL);
    for (int c = 0; c < sink->info.channels; c++)
        memcpy(sink->memory + (c * sink->info.height + sink->next) * width, row + c * width,
               (size_t)width * sizeof *row);
    sink->next++;
    return ARGAND_OK;
}

/* Puts the channels of each pixel together, as the input has them. */
static argand_status interleave(filter_sink *sink)
{
    const size_t channels = (size_t)sink->info.channels,
                 pixels = (size_t)(sink->info.width * sink->info.height);
    float *together = malloc(channels * pixels * sizeof *together);
    if (!together) return report_error(ARGAND_MEMORY, "%s: no memory for it", sink->path);
    for (size_t i = 0; i < channels * pixels; i++)
        together[i] = sink->memory[i % channels * pixels + i / channels];
    free(sink->memory);
    sink->memory = together;
    return ARGAND_OK;
}

argand_status sink_finish(filter_sink *sink)
{
    argand_device *device;
    argand_array *array = NULL;
    if (sink->picture) return argand_picture_finish(sink->picture);
    const bool interleaved = sink->like->interleaved;
    const int64_t w = sink->info.width, h = sink->info.height, c = sink->info.channels,
                  dims[3] = {interleaved ? c : w, interleaved ? w : h, interleaved ? h : c};
    if (interleaved) TRY(interleave(sink));
    TRY(argand_device_open(&device, "cpu"));
    argand_status status =
        argand_array_wrap(&array, device, ARGAND_R32, c > 1 ? 3 : 2, dims, NULL, sink->memory);
    const bool nifti = path_is_nifti(sink->path);
    if (status == ARGAND_OK)
        status = nifti ? argand_nifti_write(sink->path, array, &sink->like->geometry, 0)
                       : argand_array_write(sink->path, array);
    argand_array_destroy(array);
    argand_device_close(device);
    return status;
}

void sink_close(filter_sink *sink)
{
    argand_picture_close(sink->picture);
    free(sink->memory);
    *sink = (filter_sink){0};
}
