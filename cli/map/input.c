/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of several echoes and their echo times, from files and their sidecars. */
#include "common/json_flat.h"
#include "common/path.h"
#include "files/maps.h"
#include "map/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 4200, LARGEST = 4 << 20 };

/* The entries of an image's sidecar. */
typedef struct facts {
    int count;
    double times[MAP_MOST_ECHOES], field_strength, frequency;
} facts;

static bool take(void *context, const char *group, const char *name, const char *value)
{
    facts *f = context;
    if (*group) return true;
    if (!strcmp(name, "EchoTime") && f->count < MAP_MOST_ECHOES) f->times[f->count++] = strtod(value, NULL);
    if (!strcmp(name, "MagneticFieldStrength")) f->field_strength = strtod(value, NULL);
    if (!strcmp(name, "ImagingFrequency")) f->frequency = 1e6 * strtod(value, NULL);
    return true;
}

/* Reads the facts of a file's sidecar; no facts without one. */
static argand_status facts_of(facts *f, const char *file)
{
    sidecar s;
    char *text;
    *f = (facts){0};
    TRY(sidecar_read(&s, file));
    if (!s.found) return ARGAND_OK;
    FILE *from = open_plain_file(s.path);
    if (!from) return report_error(ARGAND_FILE, "%s: cannot be read", s.path);
    text = malloc(LARGEST + 1);
    const size_t length = text ? fread(text, 1, LARGEST, from) : 0;
    fclose(from);
    if (!text) return report_error(ARGAND_MEMORY, "out of memory");
    text[length] = 0;
    json_walk(text, take, f);
    free(text);
    return ARGAND_OK;
}

static argand_status read_image(argand_array **image, const char *path, argand_device *device,
                                argand_geometry *place)
{
    bool finite;
    *place = (argand_geometry){0};
    TRY(path_is_nifti(path) ? argand_nifti_read(image, path, device, place)
                            : argand_array_read(image, path, device));
    TRY(argand_array_is_finite(&finite, *image));
    return finite ? ARGAND_OK
                  : report_error(ARGAND_NUMERIC, "%s: holds numbers that are not finite (NaN or infinite)",
                                 path);
}

static void take_facts(map_echoes *e, const facts *f)
{
    e->field_strength = f->field_strength;
    e->frequency = f->frequency;
}

/* Reads a file whose last axis are echoes. */
static argand_status read_one(map_echoes *e, const map_settings *s, argand_device *device)
{
    facts f;
    sidecar meta;
    TRY(read_image(&e->images, s->input, device, &e->place));
    TRY(sidecar_read(&meta, s->input));
    if (meta.kind != KIND_UNKNOWN)
        TRY(sidecar_check(&meta, "IN", s->input, e->images, KIND_ECHOES, KIND_UNKNOWN));
    TRY(facts_of(&f, s->input));
    take_facts(e, &f);
    const int rank = argand_array_rank(e->images);
    const long long last = (long long)argand_array_dim(e->images, rank - 1);
    if (e->count == 0) {
        e->count = f.count;
        memcpy(e->times, f.times, sizeof e->times);
    }
    if (e->count == 0)
        return report_error(ARGAND_ARGUMENT,
                            "%s has no echo times: give --echo-times, or EchoTime in its sidecar", s->input);
    if (e->count == 1 && !s->echo_times)
        return report_error(
            ARGAND_ARGUMENT,
            "%s: its sidecar gives one echo time: if there are files of several contrasts, give "
            "their common name without _contrast-1",
            s->input);
    return rank >= 2 && e->count == last
               ? ARGAND_OK
               : report_error(
                     ARGAND_ARGUMENT,
                     "%s: %d echo times, but the last axis has %lld elements; it must be the echoes: {nx, "
                     "ny[, nz[, ...]], echoes}",
                     s->input, e->count, last);
}

static void name_of(char *path, const char *input, int contrast)
{
    const int stem = (int)path_stem(input);
    snprintf(path, NAME, "%.*s_contrast-%d%s", stem, input, contrast, input + stem);
}

/* Reads a file for each echo. */
static argand_status read_series(map_echoes *e, const map_settings *s, argand_device *device)
{
    char path[NAME];
    int count = 0;
    const bool timed = e->count > 0;
    for (; count < MAP_MOST_ECHOES; count++) {
        name_of(path, s->input, count + 1);
        if (access(path, F_OK)) break;
    }
    if (timed && e->count != count)
        return report_error(ARGAND_ARGUMENT, "%s: %d echo times for files of %d contrasts", s->input,
                            e->count, count);
    e->count = count;
    for (int i = 0; i < count; i++) {
        argand_array *image = NULL;
        argand_geometry place;
        facts f = {0};
        name_of(path, s->input, i + 1);
        argand_status status = read_image(&image, path, device, &place);
        if (!status) status = facts_of(&f, path);
        if (!status && !timed && f.count != 1)
            status =
                report_error(ARGAND_ARGUMENT, "%s: its sidecar has no EchoTime: give --echo-times", path);
        if (!status && !timed) e->times[i] = f.times[0];
        if (!status) status = map_put(e, image, i, count, path, device);
        argand_array_destroy(image);
        if (status) return status;
        if (i == 0) e->place = place;
        take_facts(e, &f);
    }
    return ARGAND_OK;
}

/* Reads --echo-times, "0.004,0.006". */
static argand_status read_times(map_echoes *e, const map_settings *s)
{
    for (const char *at = s->echo_times; at && *at;) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || (*end && *end != ',') || e->count == MAP_MOST_ECHOES)
            return report_error(ARGAND_ARGUMENT,
                                "--echo-times %s: give up to %d numbers in seconds, separated by commas",
                                s->echo_times, MAP_MOST_ECHOES);
        e->times[e->count++] = value;
        at = *end ? end + 1 : end;
    }
    return ARGAND_OK;
}

/* Refuses echo times that do not rise, or are whole seconds: they are probably milliseconds. */
static argand_status check_times(const map_echoes *e, const map_settings *s)
{
    const char *named = s->echo_times ? "--echo-times" : s->input;
    for (int i = 0; i < e->count; i++) {
        if (!(e->times[i] >= 0 && e->times[i] < 1))
            return report_error(ARGAND_ARGUMENT, "%s: echo %d at %g s; give seconds (4.6 ms is 0.0046)",
                                named, i + 1, e->times[i]);
        if (i > 0 && !(e->times[i] > e->times[i - 1]))
            return report_error(
                ARGAND_ARGUMENT,
                "%s: echo %d at %g s is not later than the one before it (%g s): correct them by "
                "--echo-times",
                named, i + 1, e->times[i], e->times[i - 1]);
    }
    return ARGAND_OK;
}

/* Reads --mask, which has a value for each pixel, or for each of one volume. */
static argand_status read_mask(map_echoes *e, const map_settings *s, argand_device *device)
{
    sidecar meta;
    bool finite;
    if (!s->mask) return ARGAND_OK;
    TRY(array_file_read("--mask", s->mask, device, &e->mask));
    TRY(array_file_real("--mask", s->mask, &e->mask));
    TRY(sidecar_read(&meta, s->mask));
    TRY(argand_array_is_finite(&finite, e->mask));
    if (!finite)
        return report_error(ARGAND_ARGUMENT, "--mask %s: holds numbers that are not finite (NaN or infinite)",
                            s->mask);
    return sidecar_check(&meta, "--mask", s->mask, e->mask, KIND_MASK, KIND_UNKNOWN);
}

/* Reads images of echoes from files. */
static argand_status read_files(map_echoes *e, const map_settings *s, argand_device *device)
{
    char first[NAME];
    if (!path_is_array(s->input))
        return report_error(ARGAND_ARGUMENT,
                            "%s: echoes are a scan (" PATH_SCANS_TEXT
                            "), or images of it in .nii, .nii.gz, .npy or .cfl",
                            s->input);
    snprintf(e->ending, sizeof e->ending, "%s", s->input + path_stem(s->input));
    name_of(first, s->input, 1);
    const bool series = access(s->input, F_OK) && !access(first, F_OK);
    return series ? read_series(e, s, device) : read_one(e, s, device);
}

argand_status map_read(map_echoes *e, const map_settings *s, argand_device *device, report *out)
{
    *e = (map_echoes){.ending = ".nii.gz"};
    TRY(read_times(e, s));
    TRY(path_is_scan(s->input) ? map_read_scan(e, s, device, out) : read_files(e, s, device));
    TRY(check_times(e, s));
    report_place(out, s->input, &e->place);
    return read_mask(e, s, device);
}
