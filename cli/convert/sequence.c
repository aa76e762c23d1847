/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes arrays of a Pulseq sequence: FILE.seq:trajectory is {3, samples, readouts} in 1/m, or real with the
 * components in NumPy's order for .npy; FILE.seq:times {samples, readouts} in seconds from its beginning. */
#include "convert/convert.h"
#include <argand/pack.h>
#include "common/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static argand_status check_sizes(const argand_sequence *s, const char *path)
{
    int64_t least = s->sizes[0], most = s->sizes[0];
    for (int64_t i = 1; i < s->readout_count; i++) {
        if (s->sizes[i] < least) least = s->sizes[i];
        if (s->sizes[i] > most) most = s->sizes[i];
    }
    if (least == most) return ARGAND_OK;
    return report_error(ARGAND_UNSUPPORTED,
                        "%s: its readouts have %lld to %lld samples, which one array cannot hold: write the "
                        "sequence without those of other lengths",
                        path, (long long)least, (long long)most);
}

/* Returns 2 if kz is 0 everywhere, otherwise 3. */
static int count_components(const argand_sequence *s)
{
    for (int64_t i = 0; i < s->sample_count; i++)
        if (s->k[2][i] != 0) return 3;
    return 2;
}

static void fill_trajectory(float *to, const argand_sequence *s, bool numpy, int components)
{
    for (int64_t i = 0; i < s->sample_count; i++)
        for (int d = 0; d < components; d++) {
            *to++ = (float)s->k[numpy ? components - 1 - d : d][i];
            if (!numpy) *to++ = 0;
        }
}

static argand_status make_array(convert_image *image, const argand_sequence *s, bool times, bool numpy,
                                argand_device *device)
{
    const int components = numpy ? count_components(s) : 3;
    const int64_t n = s->sizes[0], k_dims[3] = {components, n, s->readout_count},
                  t_dims[2] = {n, s->readout_count};
    argand_status status =
        times ? argand_array_create(&image->array, device, ARGAND_R64, 2, t_dims)
              : argand_array_create(&image->array, device, numpy ? ARGAND_R32 : ARGAND_C32, 3, k_dims);
    if (status != ARGAND_OK) return status;
    if (times) return argand_array_upload(image->array, s->t);
    float *values = calloc((size_t)(2 * components * s->sample_count), sizeof *values);
    if (!values) return report_error(ARGAND_MEMORY, "%s: no memory for its trajectory", image->name);
    fill_trajectory(values, s, numpy, components);
    status = argand_array_upload(image->array, values);
    free(values);
    return status;
}

static void describe(sidecar *about, const char *path, bool times)
{
    about->found = true;
    about->kind = times ? KIND_OTHER : KIND_TRAJECTORY;
    snprintf(about->units, sizeof about->units, "%s", times ? "s" : "1/m");
    snprintf(about->axes, sizeof about->axes, "%s", times ? "sample, readout" : SIDECAR_K_AXES);
    snprintf(about->source, sizeof about->source, "%s:%s", path, times ? "times" : "trajectory");
}

static void tell(const argand_sequence *s, report *out)
{
    for (const char *line = s->notes, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (out) report_note(out, "%.*s", (int)(end - line), line);
    }
}

argand_status convert_sequence(convert_image *image, const char *path, const char *name,
                               const convert_settings *s, argand_device *device, report *out)
{
    argand_sequence *sequence;
    const bool times = name && !strcmp(name, "times");
    if (name && !times && strcmp(name, "trajectory") != 0)
        return report_error(ARGAND_ARGUMENT,
                            "%s: a sequence has no \"%s\": name its trajectory or its times, as %s:times",
                            path, name, path);
    argand_status status = argand_sequence_read(&sequence, path);
    if (status != ARGAND_OK) return status;
    tell(sequence, out);
    status = check_sizes(sequence, path);
    if (status == ARGAND_OK)
        status = make_array(image, sequence, times, s->output && has_ending(s->output, ".npy"), device);
    if (status == ARGAND_OK) describe(&image->described, path, times);
    argand_sequence_destroy(sequence);
    return status;
}
