/* SPDX-License-Identifier: BSD-3-Clause */
/* argand map water-fat. */
#include <math.h>
#include <stdlib.h>

#include "map/map.h"

enum { MOST_PEAKS = 32 };

typedef struct fat_settings {
    map_settings map;
    double field_strength, smoothness;
    const char *fat_peaks;
    bool conjugate;
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
    "for all pixels together, because a single pixel does not tell water from fat.\n"
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
        flag_option("conjugate", 0, &s->conjugate,
                    "the phase of the echoes has the opposite sign, exp(+i w t)"),
        double_option("smoothness", 0, &s->smoothness, "B", 1e-6, 1e6,
                      "weight of the smoothness of the field in the choice of its start"),
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
            return report_error(ARGAND_ARGUMENT,
                                "--fat-peaks %s: give up to %d peaks as SHIFT:AMPLITUDE, divided by commas, "
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

enum { WATER, FAT, FRACTION, R2STAR, FIELD, FRACTION_ERROR, R2STAR_ERROR, MAPS };

static argand_status separate(const fat_settings *s, const map_echoes *e, const map_output maps[MAPS],
                              report *out)
{
    const argand_echo_options o = map_options(e, &s->map);
    argand_water_fat_options fat = {.peak_count = s->peak_count,
                                    .peaks = s->peaks,
                                    .smoothness = s->smoothness,
                                    .conjugate = s->conjugate};
    const argand_water_fat_maps to = {.water = maps[WATER].array,
                                      .fat = maps[FAT].array,
                                      .fraction = maps[FRACTION].array,
                                      .r2star = maps[R2STAR].array,
                                      .field = maps[FIELD].array,
                                      .fraction_error = maps[FRACTION_ERROR].array,
                                      .r2star_error = maps[R2STAR_ERROR].array};
    argand_water_fat_report r;
    TRY(check_complex(s, e));
    TRY(find_frequency(&fat.frequency, s, e, out));
    report_stage(out, "separating water and fat");
    TRY(argand_water_fat(&to, e->images, &o, &fat, &r));
    describe(&r, e, out);
    return argand_array_scale(maps[FIELD].array, (argand_scalar){1 / (2 * 3.14159265358979323846), 0});
}

static argand_status compute(const fat_settings *s, argand_device *device, report *out)
{
    map_echoes e;
    map_output maps[MAPS] = {
        [WATER] = {"water", "water", "arbitrary", NULL},
        [FAT] = {"fat", "fat", "arbitrary", NULL},
        [FRACTION] = {"fat-fraction", "fat fraction", "1", NULL},
        [R2STAR] = {"r2star", "R2* map", "1/s", NULL},
        [FIELD] = {"b0", "field map", "Hz", NULL},
        [FRACTION_ERROR] = {"fat-fraction-error", "standard deviation of the fat fraction", "1", NULL},
        [R2STAR_ERROR] = {"r2star-error", "standard deviation of R2*", "1/s", NULL},
    };
    argand_status status = map_read(&e, &s->map, device, out);
    for (int i = 0; i < MAPS && !status; i++) status = map_create(&maps[i].array, &e, device);
    if (!status) status = separate(s, &e, maps, out);
    if (!status) status = map_write(maps, MAPS, &s->map, &e, out);
    for (int i = 0; i < MAPS; i++) argand_array_destroy(maps[i].array);
    map_free(&e);
    return status;
}

int map_water_fat(int argc, char **argv)
{
    int exit_code;
    argand_device *device;
    report out;
    fat_settings s = {.map.threshold = 0.05, .smoothness = 0.05};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "map water-fat", &s.map.common);
    interrupt_watch();
    argand_status status = common_open_host(&s.map.common, &device);
    if (status) return report_failure(&out, status);
    status = map_check_output(&s.map);
    if (!status) status = read_peaks(&s);
    if (!status) status = compute(&s, device, &out);
    argand_device_close(device);
    if (!status) calibrate_done(&out, s.map.output);
    return calibrate_end(&out, status, s.map.input);
}
