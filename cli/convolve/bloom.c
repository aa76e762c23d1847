/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bloom: spreads the light of a picture as a lens, an eye or another optical system does. */
#include "convolve/filter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "common/path.h"

typedef struct bloom_settings {
    filter_settings filter;
    const char *psf;
    int model;
} bloom_settings;

static const char description[] =
    "Convolves the light of a picture with a point spread function (PSF): the picture of one bright point. "
    "Values are linear\n"
    "light; PNG, JPEG and integer TIFF are decoded to linear light by their transfer curve and encoded "
    "again. Alpha, depth and\n"
    "other channels are copied.\n"
    "\n"
    "  .exr  OpenEXR, half and float, any channels     .png  8 and 16 bits     .pfm  float maps     .tif  8, "
    "16, 32 bits\n"
    "  .jpg  read only   .npy .nii .cfl  arrays {x, y}, with 3 or 4 channels first or last\n"
    "\n"
    "The PSF is a file (--psf) or a model:\n"
    "  glare     diffraction at a pupil of six blades and scatter in the eye (CIE): streaks and a veil\n"
    "  gaussian  a soft blur     disc  a point out of focus     heart  a point out of focus through a "
    "heart-shaped pupil\n"
    "The PSF is normalised so that the picture keeps its light. --scale makes it larger; models also grow "
    "with the shorter\n"
    "side of the picture.\n"
    "The result is (1 - strength) picture + strength (PSF * picture). With --threshold T, only the light "
    "above luminance T\n"
    "spreads: the fraction 1 - T / luminance of a pixel. --sharpen blends the PSF with the identity.";

static const char examples[] =
    "  argand bloom render.exr out.exr --psf-model glare --compare both.png\n"
    "  argand bloom photo.png out.png --psf-model gaussian --strength 0.2 --scale 2\n"
    "  argand bloom lights.exr out.exr --psf kernel.exr --sharpen 0.3 --border mirror\n"
    "  argand bloom wall16k.exr out.exr --memory 1G              (in bands, with the same result)\n";

static bool parse(bloom_settings *s, int argc, char **argv, int *exit_code)
{
    filter_settings *f = &s->filter;
    const option options[] = {
        text_option("psf", 'k', &s->psf, "FILE", "point spread function (PSF): a picture or an array"),
        choice_option("psf-model", 'm', &s->model, "NAME", FILTER_MODELS,
                      "model of the PSF, if --psf is not given"),
        double_option("strength", 's', &f->strength, "S", 0, 1, "fraction of the light that spreads"),
        double_option("threshold", 't', &f->threshold, "T", 0, 1e30, "spread only light above T"),
        double_option("scale", 0, &f->scale, "X", 1e-3, 1e3, "scale factor of the size of the PSF"),
        double_option("sharpen", 0, &f->sharpen, "T", 0, 1,
                      "blend the PSF with the identity: 0 keeps the PSF, 1 makes the identity"),
        choice_option("border", 'b', &f->border, "RULE", choices_of(CHOICE_BORDERS),
                      "values outside the picture"),
        double_option("constant", 0, &f->constant, "V", -1e30, 1e30,
                      "value outside the picture with --border constant"),
        text_option("centre", 0, &f->centre, "WHERE",
                    "centre of the PSF: middle, brightest, or x,y. Default: middle"),
        FILTER_IMAGE_OPTIONS(f),
    };
    command_line line = {.usage = "argand bloom IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&f->input, &f->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

static argand_status check(const filter_settings *s)
{
    TRY(sink_check(s->output));
    if (s->constant != 0 && s->border != ARGAND_BORDER_CONSTANT)
        return report_error(ARGAND_ARGUMENT, "--constant needs --border constant");
    return compare_check(s);
}

/* Replaces the PSF by its luminance, for a grey picture. */
static void make_grey(filter_kernel *k)
{
    const int64_t plane = k->width * k->height;
    for (int64_t i = 0; i < plane; i++)
        k->samples[i] = (float)(0.2126 * (double)k->samples[i] + 0.7152 * (double)k->samples[plane + i] +
                                0.0722 * (double)k->samples[2 * plane + i]);
    k->channels = 1;
}

static argand_status make_psf(const bloom_settings *s, filter_job *job)
{
    const char *name = s->psf ? s->psf : "the model";
    filter_kernel *k = &job->kernel;
    if (!s->psf && s->filter.centre && strcmp(s->filter.centre, "middle") != 0)
        return report_error(
            ARGAND_ARGUMENT,
            "--centre %s is for --psf FILE: leave it out, since the models are centred already",
            s->filter.centre);
    if (!s->psf)
        TRY(kernel_model(k, s->model, job->source.info.width, job->source.info.height, s->filter.scale));
    else {
        TRY(kernel_read(k, s->psf));
        TRY(kernel_check(k, name));
        TRY(kernel_find_centre(k, s->filter.centre, name, job->out));
        TRY(kernel_scale(k, s->filter.scale));
        snprintf(k->description, sizeof k->description, "%s", s->psf);
    }
    TRY(kernel_normalise(k, s->psf ? ARGAND_CONV_LUMINANCE : ARGAND_CONV_PER_CHANNEL, name));
    if (job->lights == 1 && k->channels == 3) make_grey(k);
    return kernel_fit(k, job->lights, name);
}

static void tell(const filter_job *job)
{
    char path[4200];
    report_note(job->out, "%s: %lld x %lld, kernel %lld x %lld%s", job->s->output, (long long)job->width,
                (long long)job->height, (long long)job->kernel.width, (long long)job->kernel.height,
                job->bands ? ", in bands" : "");
    report_result(job->out, "\"output\":%s,\"dims\":[%lld,%lld,%d],\"kernel\":[%lld,%lld,%d],\"bands\":%lld",
                  json_string(path, sizeof path, job->s->output), (long long)job->width,
                  (long long)job->height, job->source.info.channels, (long long)job->kernel.width,
                  (long long)job->kernel.height, job->kernel.channels, (long long)job->bands);
}

static argand_status bloom(const bloom_settings *s, filter_job *job)
{
    TRY(filter_begin(job));
    TRY(make_psf(s, job));
    const double strength = s->filter.strength * (1 - s->filter.sharpen);
    job->sharpness = pixels_keep_row(job) ? s->filter.sharpen : 1 - strength;
    TRY(filter_run(job));
    report_stage_end(job->out);
    tell(job);
    return ARGAND_OK;
}

static int run(int argc, char **argv)
{
    bloom_settings s = {.filter = {.strength = 1, .scale = 1, .border = ARGAND_BORDER_MIRROR}};
    report out;
    filter_job job = {.s = &s.filter, .out = &out};
    int exit_code;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "bloom", &s.filter.common);
    interrupt_watch();
    argand_status status = check(&s.filter);
    if (status == ARGAND_OK) status = filter_memory(&job.memory, s.filter.memory);
    if (status == ARGAND_OK) status = common_open(&s.filter.common, &job.device);
    if (status == ARGAND_OK) status = bloom(&s, &job);
    sink_close(&job.sink);
    source_close(&job.source);
    kernel_free(&job.kernel);
    compare_close(job.compare);
    argand_device_close(job.device);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_bloom = {
    .name = "bloom", .summary = "spread the light of a picture by a point spread function", .run = run};
