/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of an EPI train become equidistant samples: to the image along the readout, where the error of
 * reversed lines is removed, and back. */
#include "recon/epi/epi.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"
#include "fft/plan/waiting.h"

/* Least squares of larger lines would take seconds. */
enum { LONGEST = 2048, LARGEST = 512 };

/* The list of lines of a kind. */
static const argand_acquisition *list_of(const argand_scan *scan, int list, int64_t *count)
{
    const argand_acquisition *const lists[EPI_LISTS] = {scan->acquisitions, scan->calibrations,
                                                        scan->corrections};
    const int64_t counts[EPI_LISTS] = {scan->acquisition_count, scan->calibration_count,
                                       scan->correction_count};
    *count = counts[list];
    return lists[list];
}

/* What the lines of an encoding have in common. */
typedef struct line_survey {
    bool reversed; /* some image lines were read backwards */
    bool same; /* all lines have one number of samples, and their direction's positions along the readout */
    bool is_line;   /* only the position along the readout varies within a line */
    bool rises;     /* positions along the readout rise from sample to sample */
    bool has_ramps; /* positions are not equidistant with distance 1 */
} line_survey;

/* Positions that differ by rounding alone are the same. An integral of gradients has other roundings in each
 * line. */
static bool is_same(float a, float b)
{
    return fabsf(a - b) < 1e-3F;
}

bool line_stays(const float *k, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (!is_same(k[i], k[0])) return false;
    return true;
}

static bool are_same(const float *a, const float *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!is_same(a[i], b[i])) return false;
    return true;
}

static bool rises(const float *k, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (!(k[i] > k[i - 1])) return false;
    return true;
}

static bool is_equidistant(const float *k, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (!is_same(k[i], k[i - 1] + 1)) return false;
    return true;
}

/* Compares a line with the first of its direction. */
static void look_at(line_survey *s, line_plan *p, const argand_acquisition *a, bool is_image)
{
    const int back = (a->flags & ARGAND_FLAG_REVERSE) != 0;
    if (!p->samples) p->samples = a->samples;
    s->same &= a->samples == p->samples;
    s->reversed |= is_image && back;
    if (!s->same) return;
    if (!p->k[back]) p->k[back] = a->k[0];
    s->same &= are_same(p->k[back], a->k[0], a->samples);
    s->is_line &= line_stays(a->k[1], a->samples) && line_stays(a->k[2], a->samples);
}

static line_survey survey(line_plan *p, const argand_scan *scan)
{
    line_survey s = {.same = true, .is_line = true, .rises = true};
    for (int l = 0; l < EPI_LISTS; l++) {
        int64_t count;
        const argand_acquisition *list = list_of(scan, l, &count);
        for (int64_t i = 0; i < count; i++)
            if (list[i].encoding == p->encoding) look_at(&s, p, &list[i], l == EPI_IMAGES);
    }
    for (int back = 0; back < 2 && s.same; back++) {
        s.has_ramps |= p->k[back] && !is_equidistant(p->k[back], p->samples);
        s.rises &= !p->k[back] || rises(p->k[back], p->samples);
    }
    return s;
}

/* The pixels of a line in the field of view of the image */
static int64_t kept_pixels(const line_plan *p, const argand_encoding *e)
{
    const double share = e->recon_field_of_view[0] / e->field_of_view[0];
    return share > 0 && share < 1 ? (int64_t)ceil(share * (double)p->pixels) : p->pixels;
}

static argand_status make_inverses(line_plan *p, const argand_encoding *e)
{
    for (int back = 0; back < 2; back++) {
        if (!p->k[back]) continue;
        if (p->regrids)
            TRY(line_inverse_make(&p->inverse[back], p->k[back], p->samples, p->pixels, kept_pixels(p, e)));
        else
            TRY(line_inverse_equidistant(&p->inverse[back], p->k[back], p->samples));
    }
    return argand_device_open(&p->device, "cpu");
}

/* Why lines cannot be changed; NULL: they can. */
static const char *obstacle(const line_survey *s, const line_plan *p, const argand_encoding *e)
{
    if (!s->same) return "they differ in length or in position along the readout";
    if (!s->is_line) return "positions across the readout vary within a line";
    if (!s->rises) return "positions along the readout do not rise from sample to sample";
    if (p->samples < 4) return "they have fewer than 4 samples";
    if (p->samples > LONGEST || (s->has_ramps && e->matrix[0] > LARGEST))
        return "they are longer than 2048 samples, or the matrix of lines with ramps is larger than 512";
    return NULL;
}

argand_status line_plan_make(line_plan *p, const argand_scan *scan, int encoding, argand_epi_choice choice)
{
    const argand_encoding *e = &scan->encodings[encoding];
    *p = (line_plan){.encoding = encoding};
    const line_survey s = survey(p, scan);
    const bool is_epi = s.reversed || !strcmp(e->trajectory, "epi");
    if (is_epi && (s.reversed || s.has_ramps)) p->obstacle = obstacle(&s, p, e);
    const bool ramps = is_epi && !p->obstacle && s.has_ramps, mends = s.reversed && !p->obstacle;
    CHECK(choice != ARGAND_EPI_RAMPS || ramps, ARGAND_ARGUMENT,
          "%s: no ramp samples to regrid in encoding %d: %s", scan->path, encoding,
          p->obstacle
              ? p->obstacle
              : "its lines have no positions under a trapezoid (trajectoryDescription in the header)");
    CHECK(choice != ARGAND_EPI_GHOSTS || mends, ARGAND_ARGUMENT,
          "%s: no reversed lines to correct: encoding %d has %s%s", scan->path, encoding,
          s.reversed ? "lines of which " : "none", p->obstacle ? p->obstacle : "");
    p->regrids = ramps && choice != ARGAND_EPI_GHOSTS;
    p->mends = mends && choice != ARGAND_EPI_RAMPS && (p->regrids || !s.has_ramps);
    CHECK(choice != ARGAND_EPI_GHOSTS || p->mends, ARGAND_ARGUMENT,
          "%s: reversed lines with ramp samples can be corrected if these are regridded: choose "
          "ARGAND_EPI_AUTO (--epi auto)",
          scan->path);
    if (!p->regrids && !p->mends) return ARGAND_OK;
    p->pixels = p->regrids ? e->matrix[0] : p->samples;
    return make_inverses(p, e);
}

void line_plan_free(line_plan *p)
{
    argand_device_close(p->device);
    line_inverse_free(&p->inverse[0]);
    line_inverse_free(&p->inverse[1]);
    *p = (line_plan){0};
}

bool line_plan_applies(const line_plan *p, const argand_acquisition *a)
{
    return a->encoding == p->encoding && (p->regrids || (a->flags & ARGAND_FLAG_REVERSE));
}

/* image = inverse times samples, of one channel. */
static void to_image(const line_inverse *v, const float *samples, float *image)
{
    memset(image, 0, 2 * (size_t)v->pixels * sizeof *image);
    for (int64_t i = 0; i < v->samples; i++) {
        const float re = samples[2 * i], im = samples[2 * i + 1];
        const float *a = v->re + i * v->pixels, *b = v->im + i * v->pixels;
        for (int64_t x = 0; x < v->pixels; x++) {
            image[2 * x] += a[x] * re - b[x] * im;
            image[2 * x + 1] += a[x] * im + b[x] * re;
        }
    }
}

/* Removes the error of a reversed line. */
static void remove_phase(float *image, int64_t pixels, int64_t channels, const argand_epi_phase *phase)
{
    for (int64_t x = 0; x < pixels; x++) {
        const double angle =
            -phase->constant - TWO_PI * phase->shift * (double)(x - pixels / 2) / (double)pixels;
        const float re = (float)cos(angle), im = (float)sin(angle);
        for (int64_t c = 0; c < channels; c++) {
            float *z = image + 2 * (c * pixels + x);
            const float was = z[0];
            z[0] = was * re - z[1] * im;
            z[1] = was * im + z[1] * re;
        }
    }
}

/* From images along the readout to equidistant samples, all lines and channels at once. */
static argand_status to_samples(const line_plan *p, float *values, int64_t rows)
{
    const int64_t dims[2] = {p->pixels, rows};
    argand_array *array = NULL;
    argand_fft *plan = NULL;
    const argand_fft_options o = {.type = ARGAND_C32,
                                  .rank = 1,
                                  .n = {p->pixels},
                                  .batch = rows,
                                  .centred = true,
                                  .scale = ARGAND_SCALE_INVERSE};
    argand_status status = argand_array_wrap(&array, p->device, ARGAND_C32, 2, dims, NULL, values);
    if (!status) status = fft_create_waiting(&plan, p->device, &o);
    if (!status) status = argand_fft_apply(plan, array, array, ARGAND_FORWARD);
    argand_fft_destroy(plan);
    argand_array_destroy(array);
    return status;
}

void lines_image(const line_plan *p, float *images, const argand_acquisition *const *lines, int64_t count,
                 const argand_epi_phase *const *phases)
{
    const int64_t channels = lines[0]->channels;
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(p->device))
    for (int64_t l = 0; l < count; l++) {
        const bool back = lines[l]->flags & ARGAND_FLAG_REVERSE;
        float *image = images + 2 * l * channels * p->pixels;
        for (int64_t c = 0; c < channels; c++)
            to_image(&p->inverse[back], lines[l]->data + 2 * c * p->samples, image + 2 * c * p->pixels);
        if (back && phases && phases[l]) remove_phase(image, p->pixels, channels, phases[l]);
    }
}

/* Makes the samples after the FFT those of the line's own positions, which begin at k. */
static void start_at(const line_plan *p, float *images, const argand_acquisition *const *lines, int64_t count)
{
    const int64_t channels = lines[0]->channels;
    for (int64_t l = 0; l < count; l++) {
        const argand_epi_phase start = {.shift = (double)lines[l]->k[0][0] + (double)(p->pixels / 2)};
        remove_phase(images + 2 * l * channels * p->pixels, p->pixels, channels, &start);
    }
}

argand_status lines_apply(const line_plan *p, float *samples, const argand_acquisition *const *lines,
                          int64_t count, const argand_epi_phase *const *phases, line_grid grid)
{
    if (!count) return ARGAND_OK;
    lines_image(p, samples, lines, count, phases);
    if (grid == LINE_OWN_GRID) start_at(p, samples, lines, count);
    return to_samples(p, samples, count * lines[0]->channels);
}
