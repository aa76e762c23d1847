/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the encodings of a scan: sizes, acquisitions, coverage of k-space. */
#include "info/info.h"

#include <stdio.h>
#include <string.h>

#define LABEL "  %-14s"

static void print_space(const char *label, const int64_t *matrix, const double *view)
{
    print(LABEL "%lldx%lldx%lld voxels of %.4gx%.4gx%.4g mm, field of view %.5gx%.5gx%.5g mm\n", label,
          (long long)matrix[0], (long long)matrix[1], (long long)matrix[2], view[0] / (double)matrix[0],
          view[1] / (double)matrix[1], view[2] / (double)matrix[2], view[0], view[1], view[2]);
}

static void print_acceleration(const argand_encoding *e)
{
    if (e->acceleration[0] <= 1 && e->acceleration[1] <= 1 && !*e->calibration_mode) return;
    print(LABEL "%d", "  accelerated", e->acceleration[0] > 1 ? e->acceleration[0] : 1);
    if (e->acceleration[1] > 1) print(" x %d", e->acceleration[1]);
    if (*e->calibration_mode) print(", calibration %s", e->calibration_mode);
    print("\n");
}

static void print_bands(const argand_encoding *e)
{
    if (e->bands.count < 2) return;
    print(LABEL "%d slices were excited together", "  bands", e->bands.count);
    if (e->bands.spacing > 0) print(", %.4g mm apart", e->bands.spacing);
    if (e->bands.calibration_encoding >= 0)
        print("; encoding %d calibrates them", e->bands.calibration_encoding);
    print("\n");
}

/* Prints the coverage of a partial Fourier scan; the range shows which side is missing. */
static void print_partial(const argand_coverage *c)
{
    for (int d = 0; d < 3; d++)
        if (c->partial[d] < 1)
            print(LABEL "%s along %c: k from %.5g to %.5g, %.3g %% of the matrix\n", "  partial",
                  d ? "partial Fourier" : "asymmetric echo", "xyz"[d], c -> low[d], c -> high[d],
                  100 * c -> partial[d]);
}

static void print_calibration(const argand_coverage *c)
{
    if (!c->calibrations && !c->calibrating) return;
    print(LABEL "%lld acquisition%s for calibration alone, %lld that %s image data too; k", "  calibration",
          (long long)c->calibrations, plural_s(c->calibrations), (long long)c->calibrating,
          c->calibrating == 1 ? "is" : "are");
    for (int d = 0; d < 3; d++)
        if (c->calibration_high[d] > c->calibration_low[d])
            print(" %c %.4g to %.4g", "xyz"[d], c -> calibration_low[d], c -> calibration_high[d]);
    print("\n");
}

static void print_data(const argand_coverage *c)
{
    print(LABEL "%lld acquisition%s for images", "  data", (long long)c->acquisitions,
          plural_s(c->acquisitions));
    if (c->acquisitions) {
        print(", of %lld", (long long)c->fewest_samples);
        if (c->most_samples > c->fewest_samples) print(" to %lld", (long long)c->most_samples);
        print(" sample%s", plural_s(c->most_samples));
    }
    if (c->navigators) print("; %lld navigator%s", (long long)c->navigators, plural_s(c->navigators));
    if (c->corrections) print("; %lld for phase correction", (long long)c->corrections);
    print("\n");
}

/* Counts lines that were read backwards. */
static int64_t count_reversed(const argand_acquisition *list, int64_t count, int encoding)
{
    int64_t reversed = 0;
    for (int64_t i = 0; i < count; i++)
        reversed += list[i].encoding == encoding && (list[i].flags & ARGAND_FLAG_REVERSE);
    return reversed;
}

/* Prints what EPI has and other scans lack. */
static void print_epi(const argand_scan *scan, int encoding, const argand_coverage *c)
{
    const argand_readout *r = &scan->encodings[encoding].readout;
    const int64_t reversed = count_reversed(scan->acquisitions, scan->acquisition_count, encoding),
                  references = count_reversed(scan->corrections, scan->correction_count, encoding);
    if (r->samples > 0 && r->dwell > 0)
        print(LABEL
              "ramp up %.4g us, flat top %.4g us, ramp down %.4g us; %lld samples of %.4g us from %.4g us\n",
              "  trapezoid", 1e6 * r->ramp_up, 1e6 * r->flat_top, 1e6 * r->ramp_down, (long long)r->samples,
              1e6 * r->dwell, 1e6 * r->delay);
    if (reversed)
        print(LABEL "%lld of %lld lines were read backwards; %lld of %lld reference lines\n", "  polarity",
              (long long)reversed, (long long)c->acquisitions, (long long)references,
              (long long)c->corrections);
    if (r->echo_spacing > 0) print(LABEL "%.4g ms from line to line\n", "  train", 1e3 * r->echo_spacing);
}

void info_print_encoding(const argand_scan *scan, int i)
{
    const argand_encoding *e = &scan->encodings[i];
    argand_coverage c;
    char label[32] = "encoding";
    if (scan->encoding_count > 1) snprintf(label, sizeof label, "encoding %d", i);
    print_space(label, e->matrix, e->field_of_view);
    if (memcmp(e->matrix, e->recon_matrix, sizeof e->matrix) != 0 ||
        memcmp(e->field_of_view, e->recon_field_of_view, sizeof e->field_of_view) != 0)
        print_space("  image", e->recon_matrix, e->recon_field_of_view);
    print(LABEL "%s\n", "  trajectory", *e->trajectory ? e->trajectory : "not named");
    argand_scan_cover(scan, i, &c);
    if (scan->encoding_count > 1) print_data(&c);
    print_acceleration(e);
    print_bands(e);
    print_partial(&c);
    print_calibration(&c);
    print_epi(scan, i, &c);
}

/* Prints "24 of 512 samples, shots 0 to 23, encoding 1, 4 us apart". */
static void print_list(const char *label, const argand_acquisition *list, int64_t count, const char *use)
{
    if (!count) return;
    int64_t least = list[0].samples, most = least;
    int first = list[0].counters.shot, last = first;
    for (int64_t i = 0; i < count; i++) {
        if (list[i].samples < least) least = list[i].samples;
        if (list[i].samples > most) most = list[i].samples;
        if (list[i].counters.shot < first) first = list[i].counters.shot;
        if (list[i].counters.shot > last) last = list[i].counters.shot;
    }
    print(LABEL "%lld of %lld", label, (long long)count, (long long)least);
    if (most > least) print(" to %lld", (long long)most);
    print(" samples, %.4g us apart", list[0].sample_time * 1e6);
    if (last > first) print(", shots %d to %d", first, last);
    print(": %s\n", use);
}

void info_print_auxiliary(const argand_scan *scan)
{
    print_list("noise", scan->noise, scan->noise_count, "for whitening the channels");
    print_list("navigators", scan->navigators, scan->navigator_count,
               "tell the phase of each shot (argand pcsense --phase-maps navigators)");
    print_list("calibration", scan->calibrations, scan->calibration_count, "coil maps are estimated from it");
    print_list("correction", scan->corrections, scan->correction_count, "reference lines of EPI");
    if (scan->other_count)
        print(LABEL "%lld feedback, dummy or unusable\n", "left out", (long long)scan->other_count);
}

void info_print_parameters(const argand_scan *scan)
{
    enum { MOST = 24, LENGTH = 60 };
    for (int i = 0; i < scan->parameter_count && i < MOST; i++) {
        const argand_parameter *p = &scan->parameters[i];
        const bool cut = strlen(p->value) > LENGTH;
        print(LABEL "%s = %.*s%s\n", i ? "" : "parameters", p->name, LENGTH, p->value, cut ? "..." : "");
    }
    if (scan->parameter_count > MOST)
        print(LABEL "and %d more (--json has all)\n", "", scan->parameter_count - MOST);
}
