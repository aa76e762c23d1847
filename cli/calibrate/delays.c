/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate delays. */
#include "calibrate/calibrate.h"
#include "calibrate/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct delays_settings {
    common_options common;
    calibrate_choice choice;
    const char *input, *output;
    int kind;
} delays_settings;

static const char description[] =
    "Estimates gradient delays from the scan itself and prints them. With OUT.h5 the corrected scan is "
    "written.\n"
    "  radial   a spoke of direction n is displaced by S n, S = [xx xy; xy yy]. S is chosen so that "
    "spokes agree\n"
    "           where they cross\n"
    "  epi      compares lines read backwards with lines read forwards (acquisitions for phase correction, "
    "without phase\n"
    "           encoding): a shift of the echo and a constant phase\n"
    "auto takes epi if the scan has acquisitions for phase correction, and radial if the header says radial.";

static const char examples[] = "  argand calibrate delays radial.h5\n"
                               "  argand calibrate delays epi.h5 corrected.h5\n";

static bool parse(delays_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        choice_option("kind", 0, &s->kind, "NAME", "auto|radial|epi", "kind of trajectory; see above"),
        CHOICE_OPTIONS(s->choice),
        SCAN_OPTIONS(s->choice.reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand calibrate delays IN.h5 [OUT.h5] [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 1};
    return command_parse(&line, argc, argv, exit_code);
}

/* ---- radial */

static argand_status shift_spoke(changed_scan *c, argand_acquisition *a, const argand_radial_delay *delay,
                                 argand_device *device)
{
    argand_array *k[2] = {NULL};
    argand_status status = ARGAND_OK;
    float *values[2];
    for (int axis = 0; axis < 2 && !status; axis++) {
        values[axis] = change_copy(c, a->k[axis], a->samples);
        status = values[axis]
                     ? argand_array_wrap(&k[axis], device, ARGAND_R32, 1, &a->samples, NULL, values[axis])
                     : report_error(ARGAND_MEMORY, "no memory for a spoke");
        a->k[axis] = values[axis];
    }
    if (!status) status = argand_radial_delay_correct(k, delay);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    return status;
}

/* Notes that density weights in the file belong to the trajectory before the correction. */
static void note_weights(const argand_scan *scan, report *out)
{
    if (argand_scan_find(scan, "DensityCompensation"))
        report_note(out,
                    "The array DensityCompensation is that of the trajectory before: take --density pipe, or "
                    "make weights anew by argand calibrate density.");
}

static argand_status write_radial(const delays_settings *s, const argand_scan *scan,
                                  const argand_radial_delay *delay, argand_device *device, report *out)
{
    changed_scan c;
    int64_t count = 0;
    argand_status status = change_begin(&c, scan);
    for (int list = CHANGE_IMAGES; list <= CHANGE_CALIBRATIONS && !status; list++)
        for (int64_t i = 0; i < c.count[list] && !status; i++) {
            argand_acquisition *a = &c.list[list][i];
            if (a->encoding != s->choice.encoding || a->samples < 2 || !a->k[0] || !a->k[1]) continue;
            status = shift_spoke(&c, a, delay, device);
            count++;
        }
    if (!status) status = argand_scan_write(&c.scan, s->output);
    if (!status) {
        report_note(out,
                    "%s: the trajectory of %lld spoke%s is moved to where the samples were measured; the "
                    "samples are unchanged.",
                    s->output, (long long)count, plural_s(count));
        note_weights(scan, out);
    }
    change_end(&c);
    return status;
}

/* Arranges samples {samples, spokes, coils} and k {samples, spokes}. All spokes must have the same length. */
static argand_status shape_spokes(argand_array *shaped[3], const calibrate_samples *x,
                                  const argand_scan *scan, const delays_settings *s)
{
    int64_t length = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        if (scan->acquisitions[i].encoding != s->choice.encoding) continue;
        if (length && scan->acquisitions[i].samples != length)
            return report_error(
                ARGAND_ARGUMENT,
                "%s: spokes have %lld and %lld samples; all spokes must have the same number of samples",
                scan->path, (long long)length, (long long)scan->acquisitions[i].samples);
        length = scan->acquisitions[i].samples;
    }
    const int64_t dims[3] = {length, length ? x->points / length : 0, x->coils};
    for (int axis = 0; axis < 2; axis++) TRY(argand_array_reshape(&shaped[axis], x->k[axis], 2, dims));
    return argand_array_reshape(&shaped[2], x->y, 3, dims);
}

static argand_status radial(const delays_settings *s, const argand_scan *scan, argand_device *device,
                            report *out)
{
    calibrate_samples x;
    argand_array *shaped[3] = {NULL};
    argand_radial_delay d;
    argand_status status =
        calibrate_take(&x, scan, &s->choice, s->choice.slice < 0 ? 0 : s->choice.slice, 0, false, device);
    if (!status) status = shape_spokes(shaped, &x, scan, s);
    if (!status) status = argand_radial_delay_estimate(&d, shaped[2], shaped);
    if (!status) {
        report_note(
            out, "Gradient delays shift a spoke of direction n by S n, S = [%.4f %.4f; %.4f %.4f] samples.",
            d.xx, d.xy, d.xy, d.yy);
        report_result(out, "\"kind\":\"radial\",\"xx\":%.9g,\"yy\":%.9g,\"xy\":%.9g", d.xx, d.yy, d.xy);
    }
    if (!status && s->output) status = write_radial(s, scan, &d, device, out);
    for (int i = 0; i < 3; i++) argand_array_destroy(shaped[i]);
    calibrate_samples_free(&x);
    return status;
}

/* ---- EPI */

static bool reversed(const argand_acquisition *a)
{
    return (a->flags & ARGAND_FLAG_REVERSE) != 0;
}

/* Finds the first run of at most `most` reference lines of the encoding that share length and slice. */
static int64_t find_reference(const argand_scan *scan, const delays_settings *s, int64_t *first)
{
    int64_t count = 0;
    for (int64_t i = 0; i < scan->correction_count; i++) {
        const argand_acquisition *a = &scan->corrections[i];
        if (a->encoding != s->choice.encoding) continue;
        if (count == 0) *first = i;
        const argand_acquisition *f = &scan->corrections[*first];
        if (a->samples != f->samples || a->counters.slice != f->counters.slice || i != *first + count) break;
        count++;
    }
    return count;
}

/* Loads lines into an array {samples, lines, coils}. */
static argand_status load_lines(argand_array **lines, const argand_acquisition *a, int64_t count,
                                int64_t coils, argand_device *device)
{
    const int64_t n = a->samples, dims[3] = {n, count, coils};
    float *values = malloc((size_t)(2 * n * count * coils) * sizeof *values);
    if (!values) return report_error(ARGAND_MEMORY, "no memory for %lld lines", (long long)count);
    for (int64_t l = 0; l < count; l++)
        for (int64_t c = 0; c < coils; c++)
            memcpy(values + 2 * (c * count + l) * n, a[l].data + 2 * c * n, (size_t)(2 * n) * sizeof *values);
    argand_status status = argand_array_create(lines, device, ARGAND_C32, 3, dims);
    if (!status) status = argand_array_upload(*lines, values);
    free(values);
    return status;
}

static argand_status correct_line(changed_scan *c, argand_acquisition *a, const argand_epi_phase *phase,
                                  argand_device *device)
{
    const bool yes = true;
    const int64_t dims[3] = {a->samples, 1, a->channels};
    argand_array *line = NULL;
    float *data = change_copy(c, a->data, 2 * a->samples * a->channels);
    argand_status status = data ? argand_array_wrap(&line, device, ARGAND_C32, 3, dims, NULL, data)
                                : report_error(ARGAND_MEMORY, "no memory for a line");
    if (!status) status = argand_epi_phase_correct(line, &yes, phase);
    a->data = data;
    argand_array_destroy(line);
    return status;
}

/* Writes the corrected scan. The reference lines are corrected, too, so that a second run finds nothing to
 * correct. */
static argand_status write_epi(const delays_settings *s, const argand_scan *scan,
                               const argand_epi_phase *phase, argand_device *device, report *out)
{
    changed_scan c;
    int64_t count = 0;
    argand_status status = change_begin(&c, scan);
    for (int list = 0; list < CHANGE_LISTS && !status; list++)
        for (int64_t i = 0; i < c.count[list] && !status; i++) {
            argand_acquisition *a = &c.list[list][i];
            if (a->encoding != s->choice.encoding || !reversed(a) || a->samples < 4) continue;
            status = correct_line(&c, a, phase, device);
            count++;
        }
    if (!status) status = argand_scan_write(&c.scan, s->output);
    if (!status)
        report_note(out,
                    "%s: the samples of %lld reversed lines are corrected, those of reference lines too; the "
                    "trajectory is as it was.",
                    s->output, (long long)count);
    change_end(&c);
    return status;
}

/* Returns true if positions along the readout are not equidistant. */
static bool has_ramps(const argand_acquisition *a)
{
    for (int64_t i = 2; a->k[0] && i < a->samples; i++)
        if (fabsf(a->k[0][i] - 2 * a->k[0][i - 1] + a->k[0][i - 2]) > 1e-3F) return true;
    return false;
}

static argand_status epi(const delays_settings *s, const argand_scan *scan, argand_device *device,
                         report *out)
{
    int64_t first = 0;
    const int64_t count = find_reference(scan, s, &first);
    if (count > 0 && has_ramps(&scan->corrections[first]))
        return report_error(
            ARGAND_ARGUMENT,
            "%s: the reference lines have ramp samples, which this command does not regrid. argand "
            "sense does, and corrects the reversed lines itself (--epi auto)",
            scan->path);
    if (count < 2)
        return report_error(
            ARGAND_ARGUMENT,
            "%s: %lld reference lines (acquisitions for phase correction) of encoding %d; two at "
            "least are needed, one of them reversed",
            scan->path, (long long)count, s->choice.encoding);
    argand_array *lines = NULL;
    argand_epi_phase phase;
    bool *flags = malloc((size_t)count * sizeof *flags);
    argand_status status = flags
                               ? load_lines(&lines, &scan->corrections[first], count, scan->channels, device)
                               : report_error(ARGAND_MEMORY, "no memory for %lld flags", (long long)count);
    for (int64_t l = 0; l < count && flags; l++) flags[l] = reversed(&scan->corrections[first + l]);
    if (!status) status = argand_epi_phase_estimate(&phase, lines, flags);
    if (!status) {
        report_note(out, "Reversed lines are %.4f samples late and have a phase of %.4f rad.", phase.shift,
                    phase.constant);
        report_result(out, "\"kind\":\"epi\",\"shift\":%.9g,\"constant\":%.9g", phase.shift, phase.constant);
    }
    if (!status && s->output) status = write_epi(s, scan, &phase, device, out);
    argand_array_destroy(lines);
    free(flags);
    return status;
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    const delays_settings *s = settings;
    argand_scan *scan;
    enum { AUTO, RADIAL, EPI };
    TRY(calibrate_open(&scan, s->input, &s->choice.reading, out));
    argand_status status = ARGAND_OK;
    int kind = s->kind;
    if (s->choice.encoding >= scan->encoding_count)
        status = report_error(ARGAND_ARGUMENT, "%s: there is no encoding %d", scan->path, s->choice.encoding);
    else if (kind == AUTO)
        kind = scan->correction_count                                              ? EPI
               : !strcmp(scan->encodings[s->choice.encoding].trajectory, "radial") ? RADIAL
                                                                                   : AUTO;
    if (!status && kind == AUTO)
        status = report_error(ARGAND_ARGUMENT,
                              "%s: neither reference lines of EPI nor a radial trajectory in its header; say "
                              "--kind radial if it is one",
                              scan->path);
    if (!status) status = kind == RADIAL ? radial(s, scan, device, out) : epi(s, scan, device, out);
    argand_scan_destroy(scan);
    return status;
}

int calibrate_delays(int argc, char **argv)
{
    int exit_code;
    delays_settings s = {.choice.slice = -1};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){
        .name = "calibrate delays", .common = &s.common, .input = s.input, .settings = &s, .work = work});
}
