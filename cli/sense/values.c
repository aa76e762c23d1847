/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of options that are numbers or names of files, or lists: parsed into the session's options. */
#include "sense/sense.h"

#include <stdlib.h>
#include <string.h>

/* Reads --segments: "auto" or a number. */
static bool read_segments(sense_settings *s)
{
    char *end;
    s->session.segments = 0;
    if (!s->segments || !strcmp(s->segments, "auto")) return true;
    const long count = strtol(s->segments, &end, 10);
    s->session.segments = (int)count;
    if (end != s->segments && !*end && count >= 1 && count <= 511) return true;
    report_misuse(s->command, "--segments %s: give a number from 1 to 511, or auto", s->segments);
    return false;
}

/* Reads --compress: a number of virtual coils, or the file of a matrix. */
static bool read_compression(sense_settings *s)
{
    char *end;
    s->session.compress = 0;
    if (!s->compress_text) return true;
    const long count = strtol(s->compress_text, &end, 10);
    if (end == s->compress_text || *end) {
        s->compression = s->compress_text;
        return true;
    }
    s->session.compress = (int)count;
    if (count >= 0 && count <= 1024) return true;
    report_misuse(s->command, "--compress %s: give a number from 0 to 1024, or a matrix's file",
                  s->compress_text);
    return false;
}

/* Opens the model of --denoiser. */
static bool open_denoiser(sense_settings *s)
{
    const argand_denoiser_options *o = &s->denoise;
    if (!s->denoiser) {
        if (o->level == 0 && o->weight == 0 && o->brightness == 0) return true;
        report_misuse(s->command, "--denoiser-%s belongs to --denoiser FILE.onnx, which is not given",
                      o->level > 0    ? "noise"
                      : o->weight > 0 ? "weight"
                                      : "scale");
        return false;
    }
    if (s->session.partial_fourier > 0) {
        report_misuse(s->command, "--denoiser and --partial-fourier: give one of them");
        return false;
    }
    s->denoise.threads = s->common.threads;
    if (argand_denoiser_open(&s->opened_denoiser, s->denoiser, o) == ARGAND_OK) return true;
    report_misuse(s->command, "--denoiser: %s", argand_message());
    return false;
}

/* Reads --regularize, and appends the denoiser. */
static bool read_regularizers(sense_settings *s)
{
    int *count = &s->session.regularizer_count;
    *count = 0;
    if (s->regularize && argand_regularizers_parse(s->regularize, s->regularizers, count) != ARGAND_OK) {
        report_misuse(s->command, "--regularize %s: %s", s->regularize, argand_message());
        return false;
    }
    if (!s->opened_denoiser) return true;
    if (*count < ARGAND_MAX_REGULARIZERS &&
        argand_denoiser_regularizer(s->opened_denoiser, &s->regularizers[*count]) == ARGAND_OK) {
        ++*count;
        return true;
    }
    report_misuse(s->command, "--denoiser: --regularize has as many penalties as can be");
    return false;
}

/* Reads --density: one of the names, or a file of weights. */
static bool read_density(sense_settings *s)
{
    if (!s->density_text) return true;
    if (s->weights) {
        report_misuse(s->command, "--weights %s and --density: give one of them", s->weights);
        return false;
    }
    const int named = choice_named(CHOICE_DENSITIES, s->density_text);
    s->session.density = named < 0 ? ARGAND_DENSITY_AUTO : (argand_density)named;
    if (named >= 0) return true;
    s->weights = s->density_text;
    if (strchr(s->density_text, '.')) return true;
    report_misuse(s->command, "--density %s: give auto, none, pipe, deconvolve, file, or the name of a file",
                  s->density_text);
    return false;
}

static bool read_image_fov(sense_settings *s)
{
    double *fov = s->session.field_of_view;
    int count;
    if (!s->image_fov) return true;
    if (pack_fov_read(fov, &count, "--image-fov", s->image_fov) != ARGAND_OK) {
        report_misuse(s->command, "%s", report_message());
        return false;
    }
    if (count == 1) fov[1] = fov[0];
    return true;
}

/* Refuses options of --motion that have no effect. */
static bool check_motion(const sense_settings *s)
{
    if (!s->motion && (s->motion_by || s->motion_group)) {
        report_misuse(s->command, "--%s belongs to --motion FILE or --motion auto, which is not given",
                      s->motion_by ? "motion-by" : "motion-group");
        return false;
    }
    if (!s->motion_group || !strcmp(s->motion, "auto")) return true;
    report_misuse(s->command, "--motion-group %d belongs to --motion auto; %s has a row for each position",
                  s->motion_group, s->motion);
    return false;
}

bool sense_read_texts(sense_settings *s)
{
    return read_regularizers(s) && read_image_fov(s);
}

bool sense_read_values(sense_settings *s)
{
    return read_segments(s) && read_compression(s) && read_density(s) && check_motion(s) &&
           open_denoiser(s) && sense_read_texts(s);
}
