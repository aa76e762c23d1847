/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/sidecar.h"
#include "common/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/json_flat.h"
#include "common/json_write.h"

static const struct {
    const char *label, *option; /* the option that reads such a file; NULL: none */
} kinds[] = {[KIND_UNKNOWN] = {"", NULL},
             [KIND_COIL_MAPS] = {"coil maps", "--coil-maps"},
             [KIND_EIGENVALUES] = {"eigenvalues of coil maps", NULL},
             [KIND_FIELD_MAP] = {"field map", "--field-map"},
             [KIND_WHITENER] = {"whitening matrix", "--whitener"},
             [KIND_COVARIANCE] = {"noise covariance", "--noise-covariance"},
             [KIND_COMPRESSION] = {"compression matrix", "--compress"},
             [KIND_WEIGHTS] = {"density weights", "--weights"},
             [KIND_MASK] = {"mask", "--mask"},
             [KIND_PHASE_MAPS] = {"phase maps", "--phase-maps"},
             [KIND_KSPACE] = {"k-space", NULL},
             [KIND_BASIS] = {"temporal basis", "--basis"},
             [KIND_NOISE] = {"noise samples", "--noise"},
             [KIND_TRAJECTORY] = {"trajectory", NULL},
             [KIND_ECHOES] = {"images of echoes", NULL},
             [KIND_OTHER] = {"", NULL}};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *sidecar_kind_name(sidecar_kind kind)
{
    return kinds[kind].label;
}

/* ------------------------------------------------------------------------------------------------ reading */

enum { LARGEST = 4 << 20 };

static argand_status read_text(const char *path, char **text)
{
    FILE *file = open_plain_file(path);
    *text = NULL;
    if (!file)
        return errno == ENOENT ? ARGAND_OK
                               : report_error(ARGAND_FILE, "%s: %s", path,
                                              errno == EISDIR ? "is not a file" : strerror(errno));
    char *buffer = malloc(LARGEST + 1);
    const size_t count = buffer ? fread(buffer, 1, LARGEST, file) : 0;
    const bool failed = ferror(file);
    fclose(file);
    if (!buffer) return report_error(ARGAND_MEMORY, "out of memory");
    if (!failed && count < LARGEST) {
        buffer[count] = 0;
        *text = buffer;
        return ARGAND_OK;
    }
    free(buffer);
    return report_error(ARGAND_FORMAT, "%s: %s", path, failed ? strerror(errno) : "too large for a sidecar");
}

static void put(char *to, size_t size, const char *label)
{
    snprintf(to, size, "%s", label);
}

static sidecar_kind kind_of(const char *label)
{
    for (int i = 1; i < KINDS; i++)
        if (*kinds[i].label && !strcmp(label, kinds[i].label)) return (sidecar_kind)i;
    return KIND_OTHER;
}

static void take_dim(sidecar *s, const char *value)
{
    if (s->rank < ARGAND_MAX_RANK) s->dims[s->rank++] = strtoll(value, NULL, 10);
}

static bool take(void *context, const char *group, const char *name, const char *value)
{
    sidecar *s = context;
    const struct {
        const char *name;
        char *to;
        size_t size;
    } label[] = {{"Kind", s->kind_name, sizeof s->kind_name},
                 {"Source", s->source, sizeof s->source},
                 {"Axes", s->axes, sizeof s->axes},
                 {"Method", s->method, sizeof s->method},
                 {"Whitened", s->whitened, sizeof s->whitened},
                 {"TrajectoryHash", s->trajectory, sizeof s->trajectory}};
    if (!*group && !strcmp(name, "Units")) put(s->units, sizeof s->units, value);
    if (!*group && !strcmp(name, "EffectiveEchoSpacing")) s->echo_spacing = strtod(value, NULL);
    if (!*group && !strcmp(name, "EchoTime1")) s->echo_times[0] = strtod(value, NULL);
    if (!*group && !strcmp(name, "EchoTime2")) s->echo_times[1] = strtod(value, NULL);
    if (!*group && !strcmp(name, "PhaseEncodingDirection"))
        put(s->phase_encoding, sizeof s->phase_encoding, value);
    if (!*group && !strcmp(name, "PatientPosition"))
        put(s->patient_position, sizeof s->patient_position, value);
    if (strcmp(group, "Argand") != 0) return true;
    for (size_t i = 0; i < sizeof label / sizeof *label; i++)
        if (!strcmp(name, label[i].name)) put(label[i].to, label[i].size, value);
    if (!strcmp(name, "Dimensions")) take_dim(s, value);
    return true;
}

bool sidecar_x_first(const sidecar *s, const argand_array *positions)
{
    return s->rank && s->dims[0] == argand_array_dim(positions, 0) &&
           !strcmp(s->axes, SIDECAR_K_AXES_X_FIRST);
}

static void name_of(char *path, size_t size, const char *file)
{
    snprintf(path, size, "%.*s.json", (int)path_stem(file), file);
}

argand_status sidecar_read(sidecar *s, const char *file)
{
    char *text;
    *s = (sidecar){0};
    name_of(s->path, sizeof s->path, file);
    TRY(read_text(s->path, &text));
    if (!text) return ARGAND_OK;
    s->found = json_walk(text, take, s);
    free(text);
    if (!s->found)
        return report_error(
            ARGAND_FORMAT,
            "%s: is not valid JSON, but has the name of the sidecar that describes %s: correct or remove it",
            s->path, file);
    if (*s->kind_name) s->kind = kind_of(s->kind_name);
    return ARGAND_OK;
}

/* ------------------------------------------------------------------------------------------------ writing */

/* Finds another array file with the same stem. Returns false if there is none. */
static bool find_sibling(char *path, size_t size, const char *file)
{
    const char *ending;
    for (int i = 0; (ending = argand_array_format(i)); i++) {
        snprintf(path, size, "%.*s%s", (int)path_stem(file), file, ending);
        if (strcmp(path, file) != 0 && !access(path, F_OK)) return true;
    }
    return false;
}

argand_status sidecar_may_write(const sidecar *s, const char *file)
{
    sidecar there;
    char sibling[4200];
    if (!find_sibling(sibling, sizeof sibling, file) || sidecar_read(&there, file) || !there.found)
        return ARGAND_OK;
    if (there.kind == s->kind && !strcmp(there.units, s->units)) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "%s: its sidecar would be %s, which describes %s otherwise (%s%s%s): choose another name", file,
        there.path, sibling, *there.kind_name ? there.kind_name : "an image", *there.units ? ", " : "",
        there.units);
}

argand_status sidecar_write(const sidecar *s, const char *file, const argand_array *array, const char *by)
{
    json_writer j;
    char path[4200];
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(array);
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(array, axis);
    name_of(path, sizeof path, file);
    TRY(json_begin(&j));
    json_text(&j, "Units", s->units);
    json_text(&j, "ConversionSoftware", "argand");
    json_text(&j, "ConversionSoftwareVersion", argand_version());
    json_open(&j, "Argand");
    json_text(&j, "Command", by);
    json_text(&j, "Kind", s->kind == KIND_OTHER ? s->kind_name : kinds[s->kind].label);
    json_sizes(&j, "Dimensions", rank, dims);
    json_text(&j, "Axes", s->axes);
    json_text(&j, "Method", s->method);
    json_text(&j, "Whitened", s->whitened);
    json_text(&j, "TrajectoryHash", s->trajectory);
    json_text(&j, "Source", s->source);
    json_close(&j);
    return json_end(&j, path);
}

argand_status sidecar_copy(const sidecar *s, const char *file)
{
    char path[4200], *text;
    name_of(path, sizeof path, file);
    if (!strcmp(path, s->path)) return ARGAND_OK;
    TRY(read_text(s->path, &text));
    if (!text) return report_error(ARGAND_FILE, "%s: is gone", s->path);
    const argand_status status = argand_bytes_write(path, text, strlen(text));
    free(text);
    return status;
}

/* ----------------------------------------------------------------------------------------------- checking */

/* Returns the next dimension that is not 1; after the last, 1. */
static int64_t next(int *axis, int rank, const int64_t *dims)
{
    while (*axis < rank && dims[*axis] == 1) ++*axis;
    return *axis < rank ? dims[(*axis)++] : 1;
}

static bool same_shape(const sidecar *s, const argand_array *array)
{
    int64_t dims[ARGAND_MAX_RANK], mine, its;
    const int rank = argand_array_rank(array);
    int at = 0, there = 0;
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(array, axis);
    do {
        mine = next(&at, rank, dims);
        its = next(&there, s->rank, s->dims);
    } while (mine == its && mine != 1);
    return mine == its;
}

argand_status sidecar_check(const sidecar *s, const char *named, const char *file, const argand_array *array,
                            sidecar_kind wanted, sidecar_kind also)
{
    char remedy[80] = "";
    if (!s->found) return ARGAND_OK;
    if (s->rank > 0 && !same_shape(s, array))
        return report_error(ARGAND_ARGUMENT,
                            "%s %s: %s next to it describes an array of another shape: it belongs to another "
                            "file of that name; remove the one that is out of date",
                            named, file, s->path);
    if (s->kind == KIND_UNKNOWN || s->kind == wanted || s->kind == also) return ARGAND_OK;
    if (kinds[s->kind].option) snprintf(remedy, sizeof remedy, "; %s takes it", kinds[s->kind].option);
    const char *kind = s->kind == KIND_OTHER ? s->kind_name : kinds[s->kind].label;
    if (!*kinds[wanted].label)
        return report_error(ARGAND_ARGUMENT, "%s %s: has the wrong kind, \"%s\" (according to %s)%s", named,
                            file, kind, s->path, remedy);
    return report_error(ARGAND_ARGUMENT, "%s %s: has the kind \"%s\" (according to %s), not \"%s\"%s", named,
                        file, kind, s->path, kinds[wanted].label, remedy);
}
