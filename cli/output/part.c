/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an image (magnitude, phase, ...) as arrays, and the names of the files that hold them. */
#include "output/output.h"
#include "common/path.h"
#include "output/bids.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *label; /* `part` is BIDS's entity: mag, phase, real, imag */
} parts[OUTPUT_PARTS + OUTPUT_PIXEL_MAPS] = {{"magnitude", "_part-mag"},   {"phase", "_part-phase"},
                                             {"real", "_part-real"},       {"imaginary", "_part-imag"},
                                             {"complex", "_part-complex"}, {"noise", "_noise"},
                                             {"gfactor", "_gfactor"}};

const char *output_part_name(int part)
{
    return parts[part].name;
}

const argand_array *output_array_of(const output_image *image, int part)
{
    return part < OUTPUT_PARTS ? image->array : image->pixel_map[part - OUTPUT_PARTS];
}

const char *output_attributes(int part)
{
    return part == OUTPUT_PARTS + OUTPUT_NOISE     ? OUTPUT_ATTRIBUTES("Noise")
           : part == OUTPUT_PARTS + OUTPUT_GFACTOR ? OUTPUT_ATTRIBUTES("GFactor")
                                                   : OUTPUT_ATTRIBUTES("Image");
}

void output_sidecar_path(char *path, size_t size, const output *o, const char *ending)
{
    snprintf(path, size, "%.*s%s", (int)path_stem(o->run.settings->path), o->run.settings->path, ending);
}

int output_parts(const output *o)
{
    return o->run.settings->parts ? o->run.settings->parts : OUTPUT_MAGNITUDE;
}

bool output_is_ismrmrd(const output_settings *s)
{
    return !strcmp(s->path + path_stem(s->path), ".h5");
}

/* Writes the name of a part's file. If there is a single part, this is the name that was given. */
void output_name(char *path, size_t size, const output *o, int image, int part, const char *ending)
{
    const char *base = o->run.settings->path;
    const size_t stem = path_stem(base);
    const bool single = output_parts(o) == 1 << part;
    if (o->run.settings->bids) {
        char label[200];
        bids_label(label, sizeof label, o, image, part);
        snprintf(path, size, "%.*s%s%s", (int)stem, base, label, ending ? ending : base + stem);
        return;
    }
    snprintf(path, size, "%.*s%s%s%s", (int)stem, base, o->images[image].label,
             single ? "" : parts[part].label, ending ? ending : base + stem);
}

argand_status output_part_of(argand_array **array, const output *o, const argand_array *image, int part)
{
    const argand_type type = argand_array_type(image);
    int64_t dims[4];
    for (int i = 0; i < 4; i++) dims[i] = argand_array_dim(image, i);
    if (type == ARGAND_R32 || type == ARGAND_R64 || part == 4)
        return argand_array_reshape(array, image, 4, dims);
    TRY(argand_array_create(array, o->run.device, type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32, 4, dims));
    const argand_status status = part == 0   ? argand_array_abs(*array, image)
                                 : part == 1 ? argand_array_phase(*array, image)
                                 : part == 2 ? argand_array_real(*array, image)
                                             : argand_array_imag(*array, image);
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_array_destroy(*array);
    *array = NULL;
    return status;
}
