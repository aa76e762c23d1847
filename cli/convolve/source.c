/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads rows of pictures, and of arrays that count as pictures. */
#include "convolve/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/path.h"

/* Finds which of {x, y}, {x, y, channels}, {channels, x, y} the array is, and describes it as a picture. */
static argand_status find_layout(argand_picture_info *info, bool *interleaved, const argand_array *array,
                                 const char *path)
{
    static const char *const names[] = {"R", "G", "B", "A"};
    const int64_t a = argand_array_dim(array, 0), b = argand_array_dim(array, 1),
                  c = argand_array_dim(array, 2);
    int rank = argand_array_rank(array);
    while (rank > 2 && argand_array_dim(array, rank - 1) == 1) rank--;
    *interleaved = rank == 3 && (a == 3 || a == 4) && c != 3 && c != 4;
    const int64_t channels = rank <= 2 ? 1 : *interleaved ? a : c;
    if (rank > 3 || (channels != 1 && channels != 3 && channels != 4))
        return report_error(
            ARGAND_ARGUMENT,
            "%s: %lld x %lld x %lld%s is no picture; it has 2 dimensions, or 3 of which one is 3 or "
            "4 channels (argand convolve takes volumes)",
            path, (long long)a, (long long)b, (long long)c, rank > 3 ? " ..." : "");
    *info = (argand_picture_info){.channels = (int)channels, .alpha = channels == 4 ? 3 : -1};
    info->width = *interleaved ? b : a;
    info->height = *interleaved ? c : b;
    info->light = channels == 1 ? 1 : 7;
    info->sample = ARGAND_SAMPLE_F32;
    info->associated = true;
    for (int i = 0; i < channels; i++) strcpy(info->names[i], channels == 1 ? "Y" : names[i]);
    return ARGAND_OK;
}

/* Downloads reals in single precision; a double out of range becomes infinite. */
static argand_status download(float *to, const argand_array *array, size_t count, const char *path)
{
    if (argand_array_type(array) == ARGAND_R32) return argand_array_download(array, to);
    double *wide = malloc(count * sizeof *wide);
    if (!wide) return report_error(ARGAND_MEMORY, "%s: no memory to read it", path);
    const argand_status status = argand_array_download(array, wide);
    for (size_t i = 0; i < count && status == ARGAND_OK; i++) to[i] = (float)wide[i];
    free(wide);
    return status;
}

static argand_status check_numbers(const float *numbers, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return report_error(ARGAND_NUMERIC,
                                "%s: holds NaN, infinity or a number beyond single precision; mend it first",
                                path);
    return ARGAND_OK;
}

static argand_status keep_array(filter_source *source, const argand_array *array, const char *path)
{
    const argand_type type = argand_array_type(array);
    TRY(find_layout(&source->info, &source->interleaved, array, path));
    if (type != ARGAND_R32 && type != ARGAND_R64)
        return report_error(ARGAND_UNSUPPORTED, "%s: a picture must hold real numbers, but the type is %s",
                            path, argand_type_name(type));
    const size_t count = (size_t)argand_array_count(array), channels = (size_t)source->info.channels;
    float *stored = malloc(count * sizeof *stored);
    source->memory = malloc(count * sizeof *source->memory);
    argand_status status = stored && source->memory
                               ? download(stored, array, count, path)
                               : report_error(ARGAND_MEMORY, "%s: no memory to read it", path);
    if (status == ARGAND_OK) status = check_numbers(stored, count, path);
    for (size_t i = 0; i < count && status == ARGAND_OK; i++)
        source->memory[source->interleaved ? i % channels * (count / channels) + i / channels : i] =
            stored[i];
    free(stored);
    return status;
}

static argand_status read_array(filter_source *source, const char *path)
{
    argand_device *device;
    argand_array *array = NULL;
    TRY(argand_device_open(&device, "cpu"));
    argand_status status = path_is_nifti(path) ? argand_nifti_read(&array, path, device, &source->geometry)
                                               : argand_array_read(&array, path, device);
    if (status == ARGAND_OK) status = keep_array(source, array, path);
    argand_array_destroy(array);
    argand_device_close(device);
    return status;
}

/* Returns true if files of this format keep whole numbers of 32 bits. */
static bool ends_in_exr(const char *path)
{
    return has_ending_any_case(path, ".exr");
}

argand_status source_open(filter_source *source, const char *path, const argand_picture_options *options)
{
    if (!argand_picture_is_known(path)) return read_array(source, path);
    TRY(argand_picture_open(&source->picture, path, options));
    source->is_tiff = path_is_tiff(path);
    return argand_picture_describe(source->picture, &source->info);
}

argand_status filter_open_source(filter_source *source, const filter_settings *s)
{
    const argand_picture_options options = {
        .part = s->part, .bits = ends_in_exr(s->output), .isolated = true};
    return source_open(source, s->input, &options);
}

argand_status filter_begin(filter_job *job)
{
    filter_source *source = &job->source;
    TRY(filter_open_source(source, job->s));
    report_place(job->out, job->s->input, &source->geometry);
    const char *note = argand_picture_note(source->picture);
    if (*note) report_note(job->out, "%s: %s", job->s->input, note);
    for (int c = 0; c < source->info.channels; c++)
        if (source->info.light >> c & 1) job->light[job->lights++] = c;
    return ARGAND_OK;
}

argand_status source_read(filter_source *source, int64_t rows, float *planes)
{
    const int64_t width = source->info.width, height = source->info.height;
    if (source->picture) return argand_picture_read(source->picture, rows, planes, NULL);
    for (int c = 0; c < source->info.channels; c++)
        memcpy(planes + c * rows * width, source->memory + (c * height + source->next) * width,
               (size_t)(rows * width) * sizeof *planes);
    source->next += rows;
    return ARGAND_OK;
}

void source_close(filter_source *source)
{
    argand_picture_close(source->picture);
    free(source->memory);
    *source = (filter_source){0};
}
