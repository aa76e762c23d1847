/* SPDX-License-Identifier: BSD-3-Clause */
/* argand report: puts images and maps on one HTML page. */
#include "convert/convert.h"
#include "common/path.h"
#include "report/sidecars.h"

#include <stdio.h>
#include <string.h>

enum { MOST = CONVERT_INPUTS };

typedef struct page_settings {
    convert_settings reading; /* how arrays of scans are read */
    const char *names[MOST], *output, *maps, *captions, *title;
    int count;
    common_options common;
} page_settings;

/* Copies the next part of a list divided by '|'. Returns false at the end. */
static bool next_word(const char **list, char *word, size_t size)
{
    if (!*list || !**list) return false;
    const size_t length = strcspn(*list, "|");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == '|');
    return true;
}

/* Returns the name without its folder: brain.nii.gz of "dir/brain.nii.gz". */
static const char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static argand_status add_file(argand_report *page, const page_settings *s, argand_device *device,
                              const char *name, const char *title, bool map)
{
    convert_image image = {.name = name};
    argand_status status = convert_read(&image, &s->reading, device, NULL);
    const argand_report_view view = {
        .title = title, .map = map, .geometry = &image.geometry, .volume_name = map ? "map" : "volume"};
    if (status == ARGAND_OK) status = argand_report_image(page, image.array, &view);
    if (status == ARGAND_OK) status = argand_report_fact(page, "Files", title, name);
    argand_array_destroy(image.array);
    return status;
}

/* Computes the magnitude, also of real numbers, because signs are not compared. */
static argand_status magnitude(argand_array *y, const argand_array *x)
{
    argand_array *wide;
    int64_t dims[ARGAND_MAX_RANK];
    for (int axis = 0; axis < argand_array_rank(x); axis++) dims[axis] = argand_array_dim(x, axis);
    TRY(argand_array_create(&wide, argand_array_device(x), ARGAND_C32, argand_array_rank(x), dims));
    argand_status status = argand_array_copy(wide, x);
    if (status == ARGAND_OK) status = argand_array_abs(y, wide);
    argand_array_destroy(wide);
    return status;
}

/* Computes |a| - |b| as a new real array. */
static argand_status subtract(argand_array **difference, const argand_array *a, const argand_array *b,
                              argand_device *device)
{
    argand_array *other = NULL;
    int64_t dims[ARGAND_MAX_RANK];
    for (int axis = 0; axis < argand_array_rank(a); axis++) dims[axis] = argand_array_dim(a, axis);
    argand_status status = argand_array_create(difference, device, ARGAND_R32, argand_array_rank(a), dims);
    if (status == ARGAND_OK)
        status = argand_array_create(&other, device, ARGAND_R32, argand_array_rank(a), dims);
    if (status == ARGAND_OK) status = magnitude(*difference, a);
    if (status == ARGAND_OK) status = magnitude(other, b);
    if (status == ARGAND_OK)
        status = argand_array_axpby(*difference, (argand_scalar){-1, 0}, other, (argand_scalar){1, 0});
    argand_array_destroy(other);
    return status;
}

static bool is_alike(const argand_array *a, const argand_array *b)
{
    bool alike = argand_array_rank(a) == argand_array_rank(b);
    for (int axis = 0; axis < argand_array_rank(a); axis++)
        alike &= argand_array_dim(a, axis) == argand_array_dim(b, axis);
    return alike;
}

/* Adds the difference of an image and the last one, the reference as in `argand compare`; nothing if the
 * sizes differ. */
static argand_status add_difference(argand_report *page, const page_settings *s, argand_device *device,
                                    int image, const char *caption, const char *reference)
{
    char title[9000];
    argand_array *difference = NULL;
    convert_image a = {.name = s->names[image]}, b = {.name = s->names[s->count - 1]};
    snprintf(title, sizeof title, "Difference: %s - %s", caption, reference);
    argand_status status = convert_read(&a, &s->reading, device, NULL);
    if (status == ARGAND_OK) status = convert_read(&b, &s->reading, device, NULL);
    if (status == ARGAND_OK && is_alike(a.array, b.array)) {
        const argand_report_view view = {
            .title = title, .geometry = &a.geometry, .colours = ARGAND_COLOURS_SIGNED};
        status = subtract(&difference, a.array, b.array, device);
        if (status == ARGAND_OK) status = argand_report_image(page, difference, &view);
    }
    argand_array_destroy(a.array);
    argand_array_destroy(b.array);
    argand_array_destroy(difference);
    return status;
}

/* Writes the caption of an image, or without one the name of its file. */
static void caption_of(const page_settings *s, int image, char *word, size_t size)
{
    const char *captions = s->captions;
    bool given = true;
    for (int i = 0; i <= image && given; i++) given = next_word(&captions, word, size);
    if (!given) snprintf(word, size, "%s", short_name(s->names[image]));
}

static argand_status add_differences(argand_report *page, const page_settings *s, argand_device *device)
{
    char caption[4096], reference[4096];
    caption_of(s, s->count - 1, reference, sizeof reference);
    for (int i = 0; i + 1 < s->count; i++) {
        caption_of(s, i, caption, sizeof caption);
        TRY(add_difference(page, s, device, i, caption, reference));
    }
    return ARGAND_OK;
}

static argand_status add_files(argand_report *page, const page_settings *s, argand_device *device)
{
    char word[4096];
    const char *maps = s->maps;
    argand_status status = ARGAND_OK;
    for (int i = 0; i < s->count && status == ARGAND_OK; i++) {
        caption_of(s, i, word, sizeof word);
        status = add_file(page, s, device, s->names[i], word, false);
        if (status == ARGAND_OK) status = report_sidecars(page, s->names[i], s->count > 1 ? word : NULL);
    }
    if (status == ARGAND_OK) status = add_differences(page, s, device);
    while (status == ARGAND_OK && next_word(&maps, word, sizeof word))
        status = add_file(page, s, device, word, short_name(word), true);
    return status;
}

static argand_status write_page(const page_settings *s, argand_device *device, report *out)
{
    argand_report *page = NULL;
    argand_status status = argand_report_create(&page, s->title ? s->title : short_name(s->names[0]));
    if (status == ARGAND_OK) status = add_files(page, s, device);
    if (status == ARGAND_OK && interrupted()) status = ARGAND_STOPPED;
    if (status == ARGAND_OK) status = argand_report_write(page, s->output);
    argand_report_destroy(page);
    if (status == ARGAND_OK) report_note(out, "%s", s->output);
    return status;
}

static bool parse(page_settings *s, int argc, char **argv, int *exit_code)
{
    const char *paths[MOST + 1];
    const option options[] = {
        text_option("maps", 0, &s->maps, "A|B", "files to show as maps, separated by |"),
        text_option("captions", 0, &s->captions, "A|B", "captions above the images, separated by |"),
        text_option("title", 0, &s->title, "TEXT", "title of the page"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {
        .usage = "argand report IMAGE [IMAGE...] OUT.html [options]",
        .description =
            "Writes images into one HTML file that a browser shows offline: slices and volumes to page "
            "through, a window to set by\n"
            "mouse and keys, magnitude and phase of complex images, orientation, planes. Images of the same "
            "size share one view, in\n"
            "which one key changes from image to image; each is also shown minus the last one.\n"
            "An image is any file that argand convert reads: .nii, .nii.gz, .npy, .cfl, or SCAN.h5:NAME. If "
            "IMAGE.json and IMAGE.csv\n"
            "exist (parameters and convergence, as argand sense writes them), the page shows them, too.",
        .examples = "  argand report plain.nii.gz corrected.nii.gz both.html --captions 'plain|corrected'\n"
                    "  argand report brain.nii.gz brain.html --maps 'scan.h5:FieldMap|scan.h5:SENSEMap'\n",
        OPTION_TABLE(options),
        .positional_least = 2,
        .positional_most = MOST + 1,
        .positional = paths,
    };
    if (!command_parse(&line, argc, argv, exit_code)) return false;
    s->count = line.positional_count - 1;
    for (int i = 0; i < s->count; i++) s->names[i] = paths[i];
    s->output = paths[s->count];
    return true;
}

static int run(int argc, char **argv)
{
    static page_settings s;
    int exit_code;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report out;
    argand_device *device = NULL;
    report_begin(&out, "report", &s.common);
    interrupt_watch();
    argand_status status = ARGAND_OK;
    if (!has_ending(s.output, ".html"))
        status = report_error(ARGAND_ARGUMENT, "%s: give the report a name that ends in .html", s.output);
    s.reading = (convert_settings){.slice = -1, .volume = -1};
    if (status == ARGAND_OK) status = common_open_host(&s.common, &device);
    if (status == ARGAND_OK) status = write_page(&s, device, &out);
    argand_device_close(device);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_report = {
    .name = "report", .summary = "show images and maps in one HTML file", .run = run};
