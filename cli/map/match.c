/* SPDX-License-Identifier: BSD-3-Clause */
/* argand map match. */
#include "common/path.h"
#include "map/map.h"

#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static const char description[] =
    "Computes T1, T2 or other parameters of each pixel from the coefficient images that argand sense "
    "--subspace makes: the signal\n"
    "of the dictionary that fits best. BASIS is the file of argand basis; BASIS_dictionary and "
    "BASIS_parameters are next to it.\n"
    "Writes OUT_t2 (s) and OUT_t2-error (its standard deviation) or the like for each parameter, OUT_pd "
    "(proton density: the\n"
    "magnitude of the signal's factor, units of the image) and OUT_misfit (the part of the coefficients that "
    "no signal explains).\n"
    "Errors follow from the misfit and from the distances between the signals of the dictionary. Pixels "
    "below --threshold are 0.";

static const char examples[] = "  argand basis t2 basis.npy --time-points 0.01:0.32:0.01\n"
                               "  argand sense scan.h5 coefficients.nii.gz --subspace basis.npy\n"
                               "  argand map match coefficients.nii.gz basis.npy out.nii.gz\n";

enum { MOST_PARAMETERS = 16, MOST_MAPS = 2 * MOST_PARAMETERS + 2 };

typedef struct match_settings {
    map_settings map;
    const char *basis;
} match_settings;

/* The dictionary, and names and units of its parameters. */
typedef struct match_inputs {
    map_echoes images; /* coefficients */
    argand_array *basis, *signals, *values;
    int parameters;
    char names[MOST_PARAMETERS][32], units[MOST_PARAMETERS][32];
} match_inputs;

static bool parse(match_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {double_option("threshold", 0, &s->map.threshold, "T", 0, 0.99,
                                            "leave out pixels below this fraction of the largest signal"),
                              COMMON_OPTIONS(s->map.common)};
    command_line line = {.usage = "argand map match COEFFICIENTS BASIS OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->map.input, &s->basis, &s->map.output},
                         .positional_least = 3};
    return command_parse(&line, argc, argv, exit_code);
}

static void path_with(char *path, size_t size, const char *file, const char *end)
{
    const int stem = (int)path_stem(file);
    snprintf(path, size, "%.*s%s%s", stem, file, end, file + stem);
}

/* Copies part number `part` of a list separated by commas. */
static void take_part(char *to, size_t size, const char *list, size_t length, int part)
{
    const char *end = list + length, *at = list;
    for (; part > 0 && at < end; at++) part -= *at == ',';
    const size_t left = (size_t)(end - at), count = strcspn(at, ",");
    snprintf(to, size, "%.*s", (int)(count < left ? count : left), at);
}

/* Reads names and units from the sidecar of the parameters: "parameter (T1,T2), atom". */
static argand_status read_names(match_inputs *in, const char *path)
{
    sidecar s;
    TRY(sidecar_read(&s, path));
    const char *from = strchr(s.axes, '('), *to = from ? strchr(from, ')') : NULL;
    for (int p = 0; p < in->parameters; p++) {
        snprintf(in->names[p], sizeof in->names[p], "parameter-%d", p + 1);
        snprintf(in->units[p], sizeof in->units[p], "unknown");
        if (!to) continue;
        take_part(in->names[p], sizeof in->names[p], from + 1, (size_t)(to - from - 1), p);
        take_part(in->units[p], sizeof in->units[p], s.units, strlen(s.units), p);
    }
    return ARGAND_OK;
}

/* Reads coefficient images, whose last axis are the columns of the basis. */
static argand_status read_coefficients(map_echoes *e, const char *path, argand_device *device, report *out)
{
    if (!path_is_array(path))
        return report_error(ARGAND_ARGUMENT,
                            "%s: coefficients are images, in .nii, .nii.gz, .npy or .cfl: argand sense "
                            "--subspace makes them of a scan",
                            path);
    snprintf(e->ending, sizeof e->ending, "%s", path + path_stem(path));
    TRY(path_is_nifti(path) ? argand_nifti_read(&e->images, path, device, &e->place)
                            : argand_array_read(&e->images, path, device));
    const int rank = argand_array_rank(e->images);
    e->count = rank ? (int)argand_array_dim(e->images, rank - 1) : 0;
    report_place(out, path, &e->place);
    return ARGAND_OK;
}

static argand_status read_all(match_inputs *in, const match_settings *s, argand_device *device, report *out)
{
    char path[4200];
    TRY(calibrate_read(&in->basis, s->basis, KIND_BASIS, device));
    path_with(path, sizeof path, s->basis, "_dictionary");
    TRY(argand_array_read(&in->signals, path, device));
    path_with(path, sizeof path, s->basis, "_parameters");
    TRY(argand_array_read(&in->values, path, device));
    in->parameters = (int)argand_array_dim(in->values, 0);
    if (in->parameters > MOST_PARAMETERS)
        return report_error(ARGAND_ARGUMENT, "%s: %d parameters; at most %d are mapped", path, in->parameters,
                            MOST_PARAMETERS);
    TRY(read_names(in, path));
    TRY(read_coefficients(&in->images, s->map.input, device, out));
    const argand_type type = argand_array_type(in->images.images);
    if (type != ARGAND_C32 && type != ARGAND_C64)
        return report_error(ARGAND_ARGUMENT,
                            "%s: is real, but coefficients are complex: argand sense --subspace writes them "
                            "without --part",
                            s->map.input);
    const int columns = (int)argand_array_dim(in->basis, 1);
    if (in->images.count > columns || argand_array_rank(in->images.images) < 2)
        return report_error(ARGAND_ARGUMENT, "%s: the last axis has %d images, but %s has %d columns",
                            s->map.input, in->images.count, s->basis, columns);
    return ARGAND_OK;
}

static void inputs_free(match_inputs *in)
{
    argand_array_destroy(in->values);
    argand_array_destroy(in->signals);
    argand_array_destroy(in->basis);
    map_free(&in->images);
}

/* Sets pixels whose factor is small to 0. */
static argand_status apply_threshold(map_output *maps, int count, argand_array *density, double threshold)
{
    const int64_t pixels = argand_array_count(density);
    float *values = malloc((size_t)pixels * sizeof *values), *size = malloc((size_t)pixels * sizeof *size);
    double most;
    argand_status status =
        values && size ? argand_array_max_abs(&most, density) : report_error(ARGAND_MEMORY, "out of memory");
    if (!status) status = argand_array_download(density, size);
    for (int i = 0; i < count && !status; i++) {
        status = argand_array_download(maps[i].array, values);
        for (int64_t p = 0; p < pixels && !status; p++)
            if ((double)size[p] < threshold * most) values[p] = 0;
        if (!status) status = argand_array_upload(maps[i].array, values);
    }
    free(size);
    free(values);
    return status;
}

/* Results for all parameters, and the views of each that are written. */
typedef struct match_results {
    argand_array *values, *errors, *density, *misfit;
    map_output maps[MOST_MAPS];
    char labels[MOST_MAPS][48], kinds[MOST_MAPS][80];
    int count;
} match_results;

static argand_status results_new(match_results *r, const match_inputs *in, argand_device *device)
{
    const argand_array *images = in->images.images;
    const int64_t pixels = argand_array_count(images) / in->images.count, dims[2] = {pixels, in->parameters};
    TRY(argand_array_create(&r->values, device, ARGAND_R32, 2, dims));
    TRY(argand_array_create(&r->errors, device, ARGAND_R32, 2, dims));
    TRY(argand_array_create(&r->density, device, ARGAND_C32, 1, &pixels));
    return map_create(&r->misfit, &in->images, device);
}

/* Adds a map; parameter: its number in `from`, or -1 for all of it. */
static argand_status add_map(match_results *r, const match_inputs *in, const argand_array *from,
                             int parameter, const char *label, const char *kind, const char *units)
{
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(r->misfit), i = r->count++;
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(r->misfit, axis);
    snprintf(r->labels[i], sizeof r->labels[i], "%s", label);
    snprintf(r->kinds[i], sizeof r->kinds[i], "%s", kind);
    for (char *c = r->labels[i]; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    r->maps[i] = (map_output){r->labels[i], r->kinds[i], units, NULL};
    TRY(map_create(&r->maps[i].array, &in->images, argand_array_device(from)));
    argand_array *part = NULL, *view = NULL;
    argand_status status = argand_array_part(&part, from, 1, parameter < 0 ? 0 : parameter, 1);
    if (!status) status = argand_array_reshape(&view, part, rank, dims);
    if (!status) status = argand_array_copy(r->maps[i].array, view);
    argand_array_destroy(view);
    argand_array_destroy(part);
    return status;
}

static argand_status list_maps(match_results *r, const match_inputs *in)
{
    for (int p = 0; p < in->parameters; p++) {
        char label[48], kind[80];
        snprintf(kind, sizeof kind, "%s map", in->names[p]);
        TRY(add_map(r, in, r->values, p, in->names[p], kind, in->units[p]));
        snprintf(label, sizeof label, "%s-error", in->names[p]);
        snprintf(kind, sizeof kind, "standard deviation of %s", in->names[p]);
        TRY(add_map(r, in, r->errors, p, label, kind, in->units[p]));
    }
    const int density = r->count++, misfit = r->count++;
    r->maps[density] = (map_output){"pd", "proton density", "arbitrary", NULL};
    r->maps[misfit] = (map_output){"misfit", "misfit of the dictionary", "1", NULL};
    TRY(map_create(&r->maps[density].array, &in->images, argand_array_device(r->density)));
    argand_array *flat;
    TRY(argand_array_reshape(&flat, r->maps[density].array, 1, (int64_t[]){argand_array_count(r->density)}));
    const argand_status status = argand_array_abs(flat, r->density);
    argand_array_destroy(flat);
    TRY(status);
    r->maps[misfit].array = r->misfit;
    r->misfit = NULL;
    return ARGAND_OK;
}

static argand_status match(const match_settings *s, const match_inputs *in, match_results *r, report *out,
                           argand_device *device)
{
    TRY(results_new(r, in, device));
    const argand_match to = {r->values, r->errors, r->density, r->misfit};
    report_stage(out, "matching");
    TRY(argand_dictionary_match(&to, in->images.images, in->basis, in->signals, in->values));
    TRY(list_maps(r, in));
    TRY(apply_threshold(r->maps, r->count, r->maps[r->count - 2].array, s->map.threshold));
    report_note(out, "%lld pixels matched with %lld signals, by %d coefficients.",
                (long long)argand_array_count(r->density), (long long)argand_array_dim(in->signals, 1),
                in->images.count);
    return map_write(r->maps, r->count, &s->map, &in->images, out);
}

static argand_status compute(const match_settings *s, argand_device *device, report *out)
{
    static match_inputs in;
    static match_results r;
    in = (match_inputs){.parameters = 0};
    r = (match_results){.count = 0};
    argand_status status = read_all(&in, s, device, out);
    if (!status) status = match(s, &in, &r, out, device);
    for (int i = 0; i < r.count; i++) argand_array_destroy(r.maps[i].array);
    argand_array *const all[] = {r.values, r.errors, r.density, r.misfit};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
    inputs_free(&in);
    return status;
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    const match_settings *s = settings;
    TRY(map_check_output(&s->map));
    return compute(s, device, out);
}

int map_match(int argc, char **argv)
{
    int exit_code;
    match_settings s = {.map.threshold = 0.05};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){.name = "map match",
                                          .common = &s.map.common,
                                          .input = s.map.input,
                                          .output = s.map.output,
                                          .settings = &s,
                                          .work = work});
}
