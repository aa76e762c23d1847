/* SPDX-License-Identifier: BSD-3-Clause */
/* argand map water-fat. */
#include <math.h>
#include <stdlib.h>

#include "map/map.h"
#include "map/readout.h"

enum { MOST_PEAKS = 32 };

typedef struct fat_settings {
    map_settings map;
    double field_strength, smoothness;
    const char *fat_peaks;
    bool conjugate, ignore_readout;
    argand_fat_peak peaks[MOST_PEAKS];
    int peak_count;
} fat_settings;

static const char description[] =
    "Separates water and fat by three or more complex echoes: a scan, files of contrasts, as argand sense "
    "--part complex\n"
    "writes them, or one array {nx, ny[, nz[, ...]], echoes} with --echo-times. Fat has six peaks (liver, "
    "Hamilton "
    "2011) at the\n"
    "field strength of the sidecar. Each pixel has one R2*, one frequency, and complex water and fat. The "
    "frequency is chosen\n"
    "for all pixels together, because the signal of a single pixel can be water or fat.\n"
    "Writes OUT_water and OUT_fat (at time 0, units of the image), OUT_fat-fraction (0 to 1), OUT_r2star "
    "(1/s), OUT_b0 (the\n"
    "field map in Hz), and OUT_fat-fraction-error and OUT_r2star-error (standard deviations); 0 outside the "
    "mask.";

static const char examples[] =
    "  argand sense scan.h5 echoes.nii.gz --part complex\n"
    "  argand map water-fat echoes.nii.gz out.nii.gz\n"
    "  argand map water-fat echoes.npy out.npy --echo-times 0.0012,0.0022,0.0032 --field-strength 3\n";

static bool parse(fat_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        double_option("field-strength", 0, &s->field_strength, "T", 0, 30,
                      "field strength in tesla; 0 takes ImagingFrequency or MagneticFieldStrength of the "
                      "sidecars"),
        text_option("fat-peaks", 0, &s->fat_peaks, "LIST",
                    "peaks of fat as SHIFT:AMPLITUDE,..., shifts in ppm from water, for example "
                    "-3.4:0.9,0.6:0.1. Default: six peaks of the liver"),
        flag_option(
            "conjugate", 0, &s->conjugate,
            "take the phase of the echoes as exp(+i w t). Default: exp(-i w t), as argand sense writes it"),
        flag_option("ignore-readout", 0, &s->ignore_readout,
                    "take all samples of an echo of a scan as acquired at the echo time, as images are"),
        double_option(
            "smoothness", 0, &s->smoothness, "B", 1e-6, 1e6,
            "weight of the smoothness of the field from pixel to pixel, when its first value is chosen"),
        MAP_OPTIONS(s->map),
        COMMON_OPTIONS(s->map.common),
    };
    command_line line = {.usage = "argand map water-fat IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->map.input, &s->map.output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

/* Reads --fat-peaks, "-3.4:0.9,0.6:0.1". */
static argand_status read_peaks(fat_settings *s)
{
    for (const char *at = s->fat_peaks; at && *at;) {
        char *end;
        argand_fat_peak peak = {.shift = strtod(at, &end)};
        const bool divided = end > at && *end == ':';
        const char *second = end + 1;
        if (divided) peak.amplitude = strtod(second, &end);
        if (!divided || end == second || (*end && *end != ',') || s->peak_count == MOST_PEAKS)
            return report_error(
                ARGAND_ARGUMENT,
                "--fat-peaks %s: give up to %d peaks as SHIFT:AMPLITUDE, separated by commas, "
                "shifts in ppm",
                s->fat_peaks, MOST_PEAKS);
        s->peaks[s->peak_count++] = peak;
        at = *end ? end + 1 : end;
    }
    return ARGAND_OK;
}

/* Returns the frequency of water in Hz by the option, else by the sidecars. */
static argand_status find_frequency(double *frequency, const fat_settings *s, const map_echoes *e,
                                    report *out)
{
    const double per_tesla = 42.577478e6;
    const bool is_said = s->field_strength <= 0 && e->frequency > 0;
    const double field = s->field_strength > 0 ? s->field_strength : e->field_strength;
    *frequency = is_said ? e->frequency : per_tesla * field;
    if (!(*frequency > 0))
        return report_error(ARGAND_ARGUMENT,
                            "%s: the field strength is not known, and with it the frequency of fat: give "
                            "--field-strength",
                            s->map.input);
    report_note(out, "Water at %.6g MHz (%.3g T).", *frequency * 1e-6, *frequency / per_tesla);
    return ARGAND_OK;
}

static argand_status check_complex(const fat_settings *s, const map_echoes *e)
{
    const argand_type type = argand_array_type(e->images);
    if (type != ARGAND_C32 && type != ARGAND_C64)
        return report_error(
            ARGAND_ARGUMENT,
            "%s: holds real numbers, but water and fat are separated by the phase: make complex "
            "images (argand sense --part complex)",
            s->map.input);
    if (e->count < 3)
        return report_error(ARGAND_ARGUMENT, "%s: %d echoes; water and fat need three or more", s->map.input,
                            e->count);
    return ARGAND_OK;
}

static void describe(const argand_water_fat_report *r, const map_echoes *e, report *out)
{
    report_note(out, "Water and fat of %lld pixels from %d echoes; %.2g of the signal is not explained.",
                (long long)r->inside, e->count, r->misfit);
    if (r->sign_ratio > 1.2)
        report_note(
            out,
            "The opposite sign of the phase would explain single pixels better (residuals %.3g times as "
            "large with this one): try --conjugate.",
            r->sign_ratio);
    if (e->count == 3) report_note(out, "Three echoes do not determine errors: the error maps are 0.");
    if (r->limited > 0)
        report_note(out, "R2* of %lld pixel%s is at the limits of what the echo times determine.",
                    (long long)r->limited, plural_s(r->limited));
}

/* Echoes, maps and how they are computed. */
typedef struct fat_work {
    map_echoes e;
    argand_water_fat_options fat;
    argand_water_fat_maps to;
    argand_water_fat_report found;
} fat_work;

static argand_status fit(fat_work *w, const fat_settings *s, report *out)
{
    const argand_echo_options o = map_options(&w->e, &s->map);
    report_stage(out, "separating water and fat");
    return argand_water_fat(&w->to, w->e.images, &o, &w->fat, &w->found);
}

/* Takes the readout of a scan into account. */
static argand_status refine(const fat_work *w, const fat_settings *s, argand_device *device, report *out)
{
    if (!w->e.scan || s->ignore_readout) return ARGAND_OK;
    const char *doubt = w->fat.conjugate ? "the sign of the phase is changed" : readout_doubt(&w->e);
    if (doubt) {
        report_note(out, "Fat's shift during the readout is not corrected, because %s.", doubt);
        return ARGAND_OK;
    }
    TRY(readout_solve(&w->e, &w->to, &w->fat, device, out));
    report_note(out, "Water and fat are solved for from the samples: fat's shift, field and decay during the "
                     "readout are in the model.");
    return ARGAND_OK;
}

/* Names the maps to write. Water and fat are magnitudes. */
static argand_status write_maps(fat_work *w, const fat_settings *s, argand_device *device, report *out)
{
    enum { MAPS = 7 };
    argand_array *magnitude[2] = {NULL, NULL};
    argand_status status = map_create(&magnitude[0], &w->e, device);
    if (!status) status = map_create(&magnitude[1], &w->e, device);
    if (!status) status = argand_array_abs(magnitude[0], w->to.water);
    if (!status) status = argand_array_abs(magnitude[1], w->to.fat);
    if (!status)
        status = argand_array_scale(w->to.field, (argand_scalar){1 / (2 * 3.14159265358979323846), 0});
    const map_output maps[MAPS] = {
        {"water", "water", "arbitrary", magnitude[0]},
        {"fat", "fat", "arbitrary", magnitude[1]},
        {"fat-fraction", "fat fraction", "1", w->to.fraction},
        {"r2star", "R2* map", "1/s", w->to.r2star},
        {"b0", "field map", "Hz", w->to.field},
        {"fat-fraction-error", "standard deviation of the fat fraction", "1", w->to.fraction_error},
        {"r2star-error", "standard deviation of R2*", "1/s", w->to.r2star_error},
    };
    if (!status) status = map_write(maps, MAPS, &s->map, &w->e, out);
    argand_array_destroy(magnitude[0]);
    argand_array_destroy(magnitude[1]);
    return status;
}

/* Creates the arrays of the maps; water and fat are complex. */
static argand_status create_maps(fat_work *w, argand_device *device)
{
    argand_array **const real[] = {&w->to.fraction, &w->to.r2star, &w->to.field, &w->to.fraction_error,
                                   &w->to.r2star_error};
    TRY(map_create_complex(&w->to.water, &w->e, device));
    TRY(map_create_complex(&w->to.fat, &w->e, device));
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) TRY(map_create(real[i], &w->e, device));
    return ARGAND_OK;
}

static void free_work(fat_work *w)
{
    argand_array *const maps[] = {w->to.water,       w->to.fat,   w->to.fraction,
                                  w->to.r2star,      w->to.field, w->to.fraction_error,
                                  w->to.r2star_error};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) argand_array_destroy(maps[i]);
    map_free(&w->e);
}

static argand_status compute(const fat_settings *s, argand_device *device, report *out)
{
    fat_work w = {.fat = {.peak_count = s->peak_count,
                          .peaks = s->peaks,
                          .smoothness = s->smoothness,
                          .conjugate = s->conjugate}};
    argand_status status = map_read(&w.e, &s->map, device, out);
    if (!status) status = check_complex(s, &w.e);
    if (!status) status = find_frequency(&w.fat.frequency, s, &w.e, out);
    if (!status) status = create_maps(&w, device);
    if (!status) status = fit(&w, s, out);
    if (!status) status = refine(&w, s, device, out);
    if (!status) describe(&w.found, &w.e, out);
    if (!status) status = write_maps(&w, s, device, out);
    free_work(&w);
    return status;
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    fat_settings *s = settings;
    TRY(map_check_output(&s->map));
    s->map.keep_coils = !s->ignore_readout;
    TRY(read_peaks(s));
    return compute(s, device, out);
}

int map_water_fat(int argc, char **argv)
{
    int exit_code;
    fat_settings s = {.map.threshold = 0.05, .smoothness = 0.05};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){.name = "map water-fat",
                                          .common = &s.map.common,
                                          .input = s.map.input,
                                          .output = s.map.output,
                                          .settings = &s,
                                          .work = work});
}
