/* SPDX-License-Identifier: BSD-3-Clause */
/* argand convert and pipes: a whole scan as a stream of ISMRMRD's messages or as a file; the images of a
 * stream as an array {nx, ny, nz or slices, repetitions and others}, or {nx, ny, nz, channels, images}. */
#include "convert/convert.h"
#include "common/path.h"
#include "mrd/mrd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- whole scans */

bool convert_is_whole(const convert_settings *s)
{
    const char *colon = strrchr(s->inputs[0], ':');
    const bool named = s->array || (colon && !strchr(colon, '/'));
    return s->input_count == 1 && !named && !path_is_array(s->inputs[0]) &&
           (mrd_is_pipe(s->output) || has_ending(s->output, ".h5"));
}

static argand_status write_file(const convert_settings *s, const argand_scan *scan)
{
    if (access(s->output, F_OK)) return argand_scan_write(scan, s->output);
    return report_error(
        ARGAND_ARGUMENT,
        "%s: is there already, and an .h5 file may be a raw scan: give another name (the scan comes "
        "first, the result last), or remove it",
        s->output);
}

static argand_status write_stream(const argand_scan *scan, mrd_sink *to, report *out)
{
    if (scan->array_count)
        report_note(
            out,
            "%s: its %d array%s (%s ...) %s left out, as messages give them no names: give maps by options, "
            "from the file",
            scan->path, scan->array_count, plural_s(scan->array_count), scan->arrays[0].name,
            scan->array_count == 1 ? "is" : "are");
    TRY(mrd_sink_open(to));
    return argand_scan_write_messages(scan, mrd_sink_write, to);
}

argand_status convert_whole(const convert_settings *s, report *out)
{
    scan_reading reading = s->reading;
    argand_scan *scan = NULL;
    mrd_sink to = {.descriptor = -1, .held = -1};
    const bool streams = mrd_is_pipe(s->output);
    char path[4200];
    reading.pipes = reading.no_images = true;
    argand_status status = streams ? mrd_sink_prepare(&to, s->output) : ARGAND_OK;
    if (!status) status = scan_open(&scan, s->inputs[0], &reading);
    if (!status) status = streams ? write_stream(scan, &to, out) : write_file(s, scan);
    if (!status)
        report_result(out, "\"output\":%s,\"acquisitions\":%lld",
                      json_string(path, sizeof path, streams ? to.name : s->output),
                      (long long)scan->acquisition_count);
    mrd_sink_close(&to);
    argand_scan_destroy(scan);
    return status;
}

/* ---- images */

/* Images of one series. */
typedef struct stack {
    const mrd_spool *spool;
    mrd_image *images;
    int64_t count, slices;
} stack;

static double along(const mrd_image *image, const float direction[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (double)image->position[i] * direction[i];
    return sum;
}

/* Sorts by the counters, slices by their place as argand sense does. */
static int by_place(const void *a, const void *b)
{
    const mrd_image *x = a, *y = b;
    const uint16_t of_x[] = {x->counters.average, x->counters.contrast, x->counters.phase, x->counters.set,
                             x->counters.repetition};
    const uint16_t of_y[] = {y->counters.average, y->counters.contrast, y->counters.phase, y->counters.set,
                             y->counters.repetition};
    for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++)
        if (of_x[i] != of_y[i]) return of_x[i] < of_y[i] ? -1 : 1;
    const double place = along(x, x->slice_dir) - along(y, x->slice_dir);
    if (fabs(place) > 1e-4) return place < 0 ? -1 : 1;
    if (x->counters.slice != y->counters.slice) return x->counters.slice < y->counters.slice ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static argand_status refuse_series(const stack *k, int wanted)
{
    char list[256] = "";
    size_t used = 0;
    for (int64_t i = 0; i < k->spool->images; i++) {
        mrd_image image;
        char name[32];
        TRY(mrd_image_of(&image, k->spool, i));
        snprintf(name, sizeof name, " image_%d", image.series);
        const size_t length = strlen(name);
        const char *there = strstr(list, name);
        if ((there && (there[length] == 0 || there[length] == ' ')) || used + length >= sizeof list) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s", name);
    }
    return report_error(ARGAND_ARGUMENT, "%s: has %s: name one by --array%s", k->spool->name,
                        wanted < 0 ? "several series of images" : "other series of images", list);
}

/* Collects the images of a series; -1: the only one. */
static argand_status collect(stack *k, int series)
{
    k->images = calloc((size_t)k->spool->images, sizeof *k->images);
    if (!k->images) return report_error(ARGAND_MEMORY, "out of memory");
    for (int64_t i = 0; i < k->spool->images; i++) {
        mrd_image *to = &k->images[k->count];
        TRY(mrd_image_of(to, k->spool, i));
        if (series >= 0 && to->series != series) continue;
        if (series < 0 && to->series != k->images[0].series) return refuse_series(k, series);
        const bool same = to->type == k->images[0].type && !memcmp(to->n, k->images[0].n, sizeof to->n);
        if (!same)
            return report_error(ARGAND_UNSUPPORTED,
                                "%s: image %lld has another size or type than the first: they make no array",
                                k->spool->name, (long long)i);
        k->count++;
    }
    if (!k->count) return refuse_series(k, series);
    qsort(k->images, (size_t)k->count, sizeof *k->images, by_place);
    return ARGAND_OK;
}

static bool same_but_slice(const mrd_image *a, const mrd_image *b)
{
    argand_counters x = a->counters, y = b->counters;
    x.slice = y.slice = 0;
    return !memcmp(&x, &y, sizeof x);
}

/* Counts the slices: images that follow each other and differ in the slice alone. 1: there are none, or not
 * equally many for the other counters. */
static void count_slices(stack *k)
{
    int64_t slices = 1;
    while (slices < k->count && same_but_slice(&k->images[0], &k->images[slices])) slices++;
    k->slices = slices;
    for (int64_t i = 0; i < k->count; i++)
        if (k->count % slices || !same_but_slice(&k->images[i], &k->images[i / slices * slices]) ||
            k->images[i].counters.slice != k->images[i % slices].counters.slice)
            k->slices = 1;
}

/* Downloads an image's numbers as ours: integers of 16 bits become float, longer ones double. */
static argand_status read_numbers(const stack *k, int64_t index, int64_t count, argand_type type, char *to,
                                  void *raw)
{
    static const size_t sizes[] = {0, 2, 2, 4, 4};
    const mrd_image *image = &k->images[index];
    if (image->type > 4)
        return mrd_spool_read(k->spool, image->at, to, (size_t)count * argand_type_size(type));
    TRY(mrd_spool_read(k->spool, image->at, raw, (size_t)count * sizes[image->type]));
    for (int64_t i = 0; i < count; i++) switch (image->type) {
        case 1:
            ((float *)(void *)to)[i] = ((const uint16_t *)raw)[i];
            break;
        case 2:
            ((float *)(void *)to)[i] = ((const int16_t *)raw)[i];
            break;
        case 3:
            ((double *)(void *)to)[i] = ((const uint32_t *)raw)[i];
            break;
        default:
            ((double *)(void *)to)[i] = ((const int32_t *)raw)[i];
        }
    return ARGAND_OK;
}

static argand_status upload(convert_image *image, const stack *k, argand_device *device, int rank,
                            const int64_t *dims)
{
    static const argand_type types[] = {ARGAND_R32, ARGAND_R32, ARGAND_R32, ARGAND_R64, ARGAND_R64,
                                        ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};
    const argand_type type = types[k->images[0].type];
    TRY(argand_array_create(&image->array, device, type, rank, dims));
    const int64_t all = argand_array_count(image->array), each = all / k->count;
    const size_t size = argand_type_size(type);
    char *numbers = malloc((size_t)all * size);
    void *raw = malloc((size_t)each * size);
    argand_status status = numbers && raw ? ARGAND_OK : report_error(ARGAND_MEMORY, "out of memory");
    for (int64_t i = 0; i < k->count && !status; i++)
        status = read_numbers(k, i, each, type, numbers + (size_t)(i * each) * size, raw);
    if (!status) status = argand_array_upload(image->array, numbers);
    free(raw);
    free(numbers);
    return status;
}

static bool set_direction(double to[3], const float from[3])
{
    const double length =
        sqrt((double)from[0] * from[0] + (double)from[1] * from[1] + (double)from[2] * from[2]);
    for (int i = 0; i < 3; i++) to[i] = length > 0 ? from[i] / length : 0;
    return fabs(length - 1) < 0.01;
}

/* Sets the place of the first image, or of the stack: the centre of its middle slice, and the distance of its
 * slices. */
static void set_place(argand_geometry *g, const stack *k)
{
    const mrd_image *first = &k->images[0], *last = &k->images[k->slices - 1];
    double way[3], length = 0;
    for (int d = 0; d < 3; d++) g->voxel[d] = first->n[d] ? (double)first->view[d] / (double)first->n[d] : 0;
    const bool has_read = set_direction(g->read, first->read_dir),
               has_phase = set_direction(g->phase, first->phase_dir),
               has_slice = set_direction(g->slice, first->slice_dir);
    g->valid = has_read && has_phase && has_slice;
    for (int i = 0; i < 3; i++) {
        way[i] =
            k->slices > 1 ? ((double)last->position[i] - first->position[i]) / (double)(k->slices - 1) : 0;
        length += way[i] * way[i];
        g->centre[i] = first->position[i] + way[i] * (double)(k->slices / 2);
    }
    length = sqrt(length);
    if (length < 1e-3) return;
    g->voxel[2] = length;
    for (int i = 0; i < 3; i++) g->slice[i] = way[i] / length;
}

static argand_status take_images(convert_image *image, stack *k, const char *name, argand_device *device)
{
    int series = -1;
    if (name && sscanf(name, "image_%d", &series) != 1)
        return report_error(ARGAND_ARGUMENT, "%s: has images, no array %s: name a series, such as image_1",
                            k->spool->name, name);
    TRY(collect(k, series));
    count_slices(k);
    const int64_t n[4] = {(int64_t)k->images[0].n[0], (int64_t)k->images[0].n[1], (int64_t)k->images[0].n[2],
                          (int64_t)k->images[0].n[3]};
    if (n[0] * n[1] * n[2] * n[3] == 0)
        return report_error(ARGAND_FORMAT, "%s: its images have no pixels", k->spool->name);
    if (n[3] > 1) k->slices = 1;
    set_place(&image->geometry, k);
    if (n[3] > 1) return upload(image, k, device, 5, (int64_t[]){n[0], n[1], n[2], n[3], k->count});
    return upload(image, k, device, 4, (int64_t[]){n[0], n[1], n[2] * k->slices, k->count / k->slices});
}

argand_status convert_images(convert_image *image, const char *path, const char *name, argand_device *device,
                             bool *are_images)
{
    mrd_spool *spool;
    *are_images = false;
    TRY(mrd_spool_open(&spool, path));
    *are_images = spool->images && !spool->acquisitions;
    if (!*are_images) return ARGAND_OK; /* read_scan takes the same spool */
    stack k = {.spool = spool};
    const argand_status status = take_images(image, &k, name, device);
    free(k.images);
    mrd_spool_close(spool);
    return status;
}
