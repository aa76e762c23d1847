/* SPDX-License-Identifier: BSD-3-Clause */
/* argand map t2star. */
#include "map/map.h"

static const char description[] =
    "Computes R2* and T2* of each pixel from two or more echoes: a scan, files of contrasts, as argand sense "
    "writes them,\n"
    "or one array {nx, ny[, nz[, ...]], echoes} with --echo-times.\n"
    "Complex images (argand sense --part complex) are fitted with a frequency of each pixel; they have no "
    "noise floor.\n"
    "Magnitudes lie above 0 also where the signal has decayed. Their fit takes the noise into account; its "
    "standard\n"
    "deviation is estimated, or given by --noise.\n"
    "Writes OUT_r2star (1/s), OUT_t2star (s), OUT_s0 (the signal at time 0, units of the image) and "
    "OUT_r2star-error (standard\n"
    "deviation, 1/s), with 0 outside the mask, and a sidecar (.json) of each with its unit.";

static const char examples[] = "  argand sense scan.h5 echoes.nii.gz --part complex\n"
                               "  argand map t2star echoes.nii.gz out.nii.gz\n"
                               "  argand map t2star magnitudes.npy out.npy --echo-times 0.004,0.009,0.014\n";

static bool parse(map_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {MAP_OPTIONS(*s), COMMON_OPTIONS(s->common)};
    command_line line = {.usage = "argand map t2star IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

/* Says what was fitted. */
static void describe(const argand_t2star_report *r, const map_echoes *e, report *out)
{
    const argand_type type = argand_array_type(e->images);
    const bool is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    report_note(out, "R2* of %lld pixels from %d %s.", (long long)r->inside, e->count,
                is_complex ? "complex echoes" : "magnitudes");
    if (r->noise > 0)
        report_note(out, "The noise of the magnitudes has the standard deviation %.3g.", r->noise);
    if (!is_complex && r->noise == 0)
        report_note(
            out, "The magnitudes are fitted without a noise floor, so that R2* of weak pixels is too small.");
    if (r->limited > 0)
        report_note(out, "R2* of %lld pixel%s is at the limits of what the echo times determine.",
                    (long long)r->limited, plural_s(r->limited));
}

static argand_status compute(const map_settings *s, argand_device *device, report *out)
{
    map_echoes e;
    map_output maps[] = {{"r2star", "R2* map", "1/s", NULL},
                         {"t2star", "T2* map", "s", NULL},
                         {"s0", "signal without decay", "arbitrary", NULL},
                         {"r2star-error", "standard deviation of R2*", "1/s", NULL}};
    enum { MAPS = sizeof maps / sizeof *maps };
    argand_t2star_report r;
    argand_status status = map_read(&e, s, device, out);
    for (int i = 0; i < MAPS && !status; i++) status = map_create(&maps[i].array, &e, device);
    if (!status) {
        const argand_echo_options o = map_options(&e, s);
        const argand_t2star_maps to = {maps[0].array, maps[1].array, maps[2].array, maps[3].array};
        report_stage(out, "fitting the decay");
        status = argand_t2star_fit(&to, e.images, &o, &r);
    }
    if (!status) describe(&r, &e, out);
    if (!status) status = map_write(maps, MAPS, s, &e, out);
    for (int i = 0; i < MAPS; i++) argand_array_destroy(maps[i].array);
    map_free(&e);
    return status;
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    TRY(map_check_output(settings));
    return compute(settings, device, out);
}

int map_t2star(int argc, char **argv)
{
    int exit_code;
    map_settings s = {.threshold = 0.05};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){.name = "map t2star",
                                          .common = &s.common,
                                          .input = s.input,
                                          .output = s.output,
                                          .settings = &s,
                                          .work = work});
}
