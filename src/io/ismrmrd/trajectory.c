/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets k and t of every sample. Stored values are used if the file has them; k is converted to cycles per
 * field of view. Missing values are computed:
 *
 *   Cartesian   kx = i - centre_sample, ky = step_1 - centre, kz = step_2 - centre
 *   EPI         kx by the trapezoid of the readout, if the header has one with ramps (readout.c)
 *   without kz  kz = step_2 - centre
 *   without t   t = TE + (i - centre_sample) dwell; EPI: and the time of the line in its train (readout.c)
 *
 * The centre comes from the header's encodingLimits, or is floor(matrix / 2). i counts the samples in the
 * order of acquisition. A reversed readout is reversed here, so that its last acquired sample comes first. */
#include "io/ismrmrd/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

typedef struct used { /* what the notes must mention */
    bool trajectory, cartesian, counted_kz, time, dwell_missing, centre_assumed, third_ignored;
    float latest;
    float off_echo; /* time at the centre of k-space, if it differs from the echo time */
} used;

/* Extent of the stored trajectories of an encoding along each axis: counts by the exponent of |k|, so that
 * a few stray positions do not matter. */
typedef struct extent {
    bool any;
    int64_t count[3][256];
    float largest[3][256];
} extent;

static const argand_encoding *encoding_of(const scan_reader *reader, const scan_piece *piece)
{
    return &reader->owner->encodings[scan_acquisition(reader, piece)->encoding];
}

static float counted(int step, int centre, int64_t matrix)
{
    return (float)(step - (centre >= 0 ? centre : (int)(matrix / 2)));
}

static void fill(float *to, int64_t n, float value)
{
    for (int64_t i = 0; i < n; i++) to[i] = value;
}

static void count_kz(const scan_reader *reader, const scan_piece *piece)
{
    const argand_acquisition *a = scan_acquisition(reader, piece);
    const argand_encoding *e = encoding_of(reader, piece);
    fill(piece->k[2], a->samples, counted(a->counters.partition, e->step2_centre, scan_depth(e)));
}

/* Returns the number of a sample in the order in which all samples of the line were acquired. */
static int64_t acquired(const ismrmrd_head *head, const argand_acquisition *a, int64_t i)
{
    return head->discard_pre + (scan_is_reversed(head) ? a->samples - 1 - i : i);
}

/* Positions under the trapezoid; a reversed line passes it from the other end. */
static void place_ramps(const scan_reader *reader, const scan_piece *piece)
{
    const argand_acquisition *a = scan_acquisition(reader, piece);
    const argand_encoding *e = encoding_of(reader, piece);
    const ismrmrd_head *head = scan_head(reader, piece);
    for (int64_t i = 0; i < a->samples; i++) {
        const double k = scan_ramp_position(&e->readout, acquired(head, a, i), e->matrix[0]);
        piece->k[0][i] = (float)(scan_is_reversed(head) ? -k : k);
    }
}

static void count_lines(const scan_reader *reader, const scan_piece *piece)
{
    const argand_acquisition *a = scan_acquisition(reader, piece);
    const argand_encoding *e = encoding_of(reader, piece);
    if (scan_has_ramps(&e->readout, scan_head(reader, piece)))
        place_ramps(reader, piece);
    else
        for (int64_t i = 0; i < a->samples; i++) piece->k[0][i] = (float)(i - a->centre_sample);
    fill(piece->k[1], a->samples, counted(a->counters.shot, e->step1_centre, e->matrix[1]));
    count_kz(reader, piece);
}

/* Computes the times of a readout; a reversed readout runs backwards in time. Under a trapezoid the echo is
 * where kx is 0, which need not be at a sample. */
static void count_time(const scan_reader *reader, const scan_piece *piece)
{
    const argand_acquisition *a = scan_acquisition(reader, piece);
    const double echo = scan_echo_time(&reader->owner->scan, a->counters.contrast);
    const double step = scan_is_reversed(scan_head(reader, piece)) ? -a->sample_time : a->sample_time;
    const ismrmrd_head *head = scan_head(reader, piece);
    const argand_readout *readout = &encoding_of(reader, piece)->readout;
    const bool ramps = head->trajectory_dimensions == 0 && a->k[0] && scan_has_ramps(readout, head);
    for (int64_t i = 0; i < a->samples; i++)
        piece->t[i] = (float)(echo + (ramps ? scan_ramp_time(readout, (double)acquired(head, a, i))
                                            : (double)(i - a->centre_sample) * step));
}

static float largest_of(const float *x, int64_t n)
{
    float largest = 0;
    for (int64_t i = 0; i < n; i++) largest = fmaxf(largest, fabsf(x[i]));
    return largest;
}

/* Returns true if a third column cannot be kz because the encoding has two dimensions; some writers store
 * density weights there (ismrmrd issue 160). */
static bool third_is_no_kz(const scan_reader *reader, const scan_piece *piece)
{
    return scan_head(reader, piece)->trajectory_dimensions == 3 &&
           scan_depth(encoding_of(reader, piece)) == 1 &&
           largest_of(piece->k[2], scan_acquisition(reader, piece)->samples) > 0;
}

/* Compares stored times with the echo time: they should count from the excitation, so that the centre of
 * k-space is at the echo time. */
static void compare_with_echo(used *u, const scan_reader *reader, const argand_acquisition *a)
{
    const double echo = scan_echo_time(&reader->owner->scan, a->counters.contrast);
    if (!(echo > 0) || a->centre_sample < 0 || a->centre_sample >= a->samples) return;
    const double difference = fabs((double)a->t[a->centre_sample] - echo);
    u->off_echo = fmaxf(u->off_echo, difference > 0.1 * echo ? (float)difference : 0);
}

static void look_at(used *u, const scan_reader *reader, const scan_piece *piece)
{
    const ismrmrd_head *head = scan_head(reader, piece);
    const argand_acquisition *a = scan_acquisition(reader, piece);
    u->trajectory |= head->trajectory_dimensions > 0;
    u->cartesian |= head->trajectory_dimensions == 0;
    u->counted_kz |= head->trajectory_dimensions == 2 && scan_depth(encoding_of(reader, piece)) > 1;
    u->time |= head->trajectory_dimensions < 4;
    u->dwell_missing |= head->trajectory_dimensions < 4 && !(a->sample_time > 0);
    u->centre_assumed |= head->trajectory_dimensions == 0 && encoding_of(reader, piece)->step1_centre < 0;
    if (head->trajectory_dimensions < 4) return;
    u->latest = fmaxf(u->latest, largest_of(piece->t, a->samples));
    compare_with_echo(u, reader, a);
}

static void add_positions(extent *e, int axis, const float *k, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, k + i, sizeof bits);
        const unsigned exponent = bits >> 23 & 255;
        e->count[axis][exponent]++;
        e->largest[axis][exponent] = fmaxf(e->largest[axis][exponent], fabsf(k[i]));
    }
}

/* Returns the largest |k|, leaving out one position in 100 if there are 50 or more. */
static double reach_of(const extent *e, int axis)
{
    int64_t all = 0, beyond = 0;
    for (int i = 0; i < 256; i++) all += e->count[axis][i];
    const int64_t strays = all < 50 ? 0 : all < 200 ? 1 : all / 100;
    for (int i = 254; i >= 0; i--) {
        beyond += e->count[axis][i];
        if (e->count[axis][i] && beyond > strays) return (double)e->largest[axis][i];
    }
    return 0;
}

static void measure(extent *e, used *u, const scan_reader *reader, const scan_piece *piece)
{
    const int stored = scan_head(reader, piece)->trajectory_dimensions;
    const int64_t samples = scan_acquisition(reader, piece)->samples;
    if (third_is_no_kz(reader, piece)) {
        u->third_ignored = true;
        fill(piece->k[2], samples, 0);
    }
    e->any |= stored > 0;
    for (int d = 0; d < stored && d < 3; d++) add_positions(e, d, piece->k[d], samples);
}

static argand_status recognise(argand_k_unit *unit, const scan_reader *reader, int encoding,
                               const extent *found)
{
    const argand_encoding *e = &reader->owner->encodings[encoding];
    const int64_t n[3] = {e->matrix[0], e->matrix[1], scan_depth(e)};
    double reach[3];
    for (int d = 0; d < 3; d++) reach[d] = reach_of(found, d);
    const bool said = !found->any || e->k_unit == ARGAND_K_CYCLES;
    *unit = reader->options.k_unit != ARGAND_K_AUTO ? reader->options.k_unit : ARGAND_K_CYCLES;
    if (reader->options.k_unit != ARGAND_K_AUTO || said) return ARGAND_OK;
    const argand_status status = argand_k_unit_find(unit, reach, n, e->field_of_view);
    return status ? status_prefix(status, "%s: encoding %d: ", reader->path, encoding) : ARGAND_OK;
}

static void multiply(const scan_reader *reader, const scan_piece *piece)
{
    const int stored = scan_head(reader, piece)->trajectory_dimensions;
    const argand_encoding *e = encoding_of(reader, piece);
    for (int d = 0; d < 3 && d < stored; d++) {
        const int64_t size = d < 2 ? e->matrix[d] : scan_depth(e);
        const float scale = (float)argand_k_unit_scale(e->k_unit, size, e->field_of_view[d]);
        for (int64_t i = 0; i < scan_acquisition(reader, piece)->samples; i++) piece->k[d][i] *= scale;
    }
}

/* Refuses positions outside the matrix. 5 % are allowed for rounding and gradient overshoot; a wrong unit
 * is far outside. */
static argand_status check_range(const scan_reader *reader, const scan_piece *piece)
{
    const argand_encoding *e = encoding_of(reader, piece);
    const bool computed = !scan_head(reader, piece)->trajectory_dimensions;
    for (int d = 0; d < 3; d++) {
        const int64_t size = d < 2 ? e->matrix[d] : scan_depth(e);
        const float most = 1.05f * 0.5f * (float)size;
        for (int64_t i = 0; i < scan_acquisition(reader, piece)->samples; i++)
            CHECK(fabsf(piece->k[d][i]) <= most, ARGAND_FORMAT,
                  ROW_FORMAT
                  ", sample %lld: k%c is %g cycles per field of view, but the encoded matrix of %lld allows "
                  "%g at most. %s",
                  ROW(reader, piece), (long long)i, "xyz"[d], (double)piece -> k[d][i], (long long)size,
                  (double)most,
                  computed
                      ? "Correct the header's matrixSize (with oversampling), encodingLimits or the counters"
                      : "Correct the header's matrixSize, or name the unit of k by option");
    }
    return ARGAND_OK;
}

static void note_unit(scan_reader *reader, int encoding, bool said, const extent *found)
{
    const argand_encoding *e = &reader->owner->encodings[encoding];
    const char *const name = e->k_unit == ARGAND_K_NORMALISED ? "normalised to [-0.5, 0.5)"
                             : e->k_unit == ARGAND_K_CYCLES   ? "cycles per field of view"
                                                              : argand_k_unit_name(e->k_unit);
    const double reach = fmax(reach_of(found, 0), fmax(reach_of(found, 1), reach_of(found, 2))),
                 kx = reach_of(found, 0) * argand_k_unit_scale(e->k_unit, e->matrix[0], e->field_of_view[0]);
    char which[48] = "";
    if (reader->owner->scan.encoding_count > 1) snprintf(which, sizeof which, " of encoding %d", encoding);
    if (reader->options.k_unit != ARGAND_K_AUTO)
        scan_note(reader, "The trajectory%s is read as %s, as asked.", which, name);
    else if (said)
        scan_note(reader, "The trajectory%s is in cycles per field of view, as the header says.", which);
    else if (e->k_unit == ARGAND_K_NORMALISED)
        scan_note(reader, "The trajectory%s is taken as %s: no |k| is above 0.5.", which, name);
    else if (e->k_unit == ARGAND_K_CYCLES)
        scan_note(reader, "The trajectory%s is taken as %s: |k| reaches %.4g.", which, name, reach);
    else
        scan_note(reader,
                  "The trajectory%s is taken as %s: |k| reaches %.4g, which is the edge of the matrix in "
                  "this unit.",
                  which, name, reach);
    if (kx < 0.25 * (double)e->matrix[0])
        scan_note(reader,
                  "The trajectory%s reaches only kx = %.3g of %g cycles per field of view. Is its unit "
                  "another one?",
                  which, kx, (double)e->matrix[0] / 2);
}

static void note_rest(scan_reader *reader, const used *u)
{
    const argand_scan *scan = &reader->owner->scan;
    if (reader->options.no_trajectory && u->cartesian) return; /* k and t come later */
    if (u->cartesian)
        scan_note(reader,
                  "The file has no trajectory: k is computed from the counters as for a Cartesian scan.");
    if (u->centre_assumed)
        scan_note(reader,
                  "The header has no encodingLimits for step 1: the centre of k-space is taken at matrix/2.");
    if (u->counted_kz)
        scan_note(reader, "The trajectory has two dimensions: kz is computed from the partition counter.");
    if (u->third_ignored)
        scan_note(reader,
                  "The trajectory's third column is left out: the encoded matrix has one partition, so it is "
                  "no kz. Some writers keep density weights there.");
    if (u->time)
        scan_note(reader,
                  "The file has no times: t is computed from the dwell time, the centre sample and %s.",
                  scan->echo_time > 0 ? "the echo time" : "an echo time of 0, as the header has none");
    if (u->dwell_missing)
        scan_note(reader,
                  "The dwell time (sample_time_us) is 0: all samples of a readout are taken at one time.");
}

static void note_times(scan_reader *reader, const used *u)
{
    if (u->latest > 1)
        scan_note(reader, "The times reach %.4g s. They should be seconds; are they?", (double)u->latest);
    if (u->off_echo > 0)
        scan_note(reader,
                  "The times at the centre of k-space are up to %.4g ms away from the header's echo time. "
                  "They are used "
                  "as they are.",
                  (double)u->off_echo * 1e3);
}

static void subtract_echo(scan_reader *reader)
{
    const argand_scan *scan = &reader->owner->scan;
    if (!scan->echo_count) {
        scan_note(reader, "The header has no echo time: none is subtracted from t.");
        return;
    }
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        if (p->dropped) continue;
        const argand_acquisition *a = scan_acquisition(reader, p);
        const double echo = scan_echo_time(scan, a->counters.contrast);
        for (int64_t i = 0; i < a->samples; i++) p->t[i] = (float)((double)p->t[i] - echo);
    }
    scan_note(reader, "The echo time is subtracted from t.");
}

/* Finds the unit of k for each encoding. An encoding whose positions do not decide it (navigators of a few
 * cycles) takes the unit of another one. */
static argand_status units_of_all(scan_reader *reader, const extent *found)
{
    scan_owner *owner = reader->owner;
    argand_k_unit clear = ARGAND_K_AUTO;
    for (int i = 0; i < owner->scan.encoding_count; i++) {
        argand_encoding *e = &owner->encodings[i];
        const bool said = e->k_unit == ARGAND_K_CYCLES;
        if (recognise(&e->k_unit, reader, i, &found[i]) != ARGAND_OK || !found[i].any) continue;
        clear = e->k_unit;
        note_unit(reader, i, said, &found[i]);
    }
    for (int i = 0; i < owner->scan.encoding_count; i++) {
        argand_encoding *e = &owner->encodings[i];
        if (e->k_unit != ARGAND_K_AUTO) continue;
        if (clear == ARGAND_K_AUTO) return recognise(&e->k_unit, reader, i, &found[i]);
        e->k_unit = clear;
        note_unit(reader, i, false, &found[i]);
    }
    return ARGAND_OK;
}

static argand_status choose_units(scan_reader *reader, used *u)
{
    scan_owner *owner = reader->owner;
    extent *found;
    TRY(NEW(found, owner->scan.encoding_count));
    for (const scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++)
        if (!p->dropped) measure(&found[p->acquisition->encoding], u, reader, p);
    const argand_status status = units_of_all(reader, found);
    memory_free(found);
    owner->scan.k_unit = owner->encodings[reader->first->acquisition->encoding].k_unit;
    return status;
}

static argand_status finish_piece(scan_reader *reader, const scan_piece *p)
{
    const int dimensions = scan_head(reader, p)->trajectory_dimensions;
    if (encoding_of(reader, p)->k_unit != ARGAND_K_CYCLES) multiply(reader, p);
    if (dimensions == 0 && scan_acquisition(reader, p)->k[0] && !reader->options.no_trajectory)
        count_lines(reader, p);
    if (dimensions == 2) count_kz(reader, p);
    if (dimensions < 4) count_time(reader, p);
    return check_range(reader, p);
}

argand_status scan_finish_trajectory(scan_reader *reader)
{
    used u = {0};
    scan_piece *const end = reader->pieces + reader->count;
    TRY(choose_units(reader, &u));
    for (const scan_piece *p = reader->pieces; p < end; p++)
        if (p->purpose == SCAN_IMAGE) look_at(&u, reader, p);
    for (scan_piece *p = reader->pieces; p < end; p++)
        if (!p->dropped) TRY(scan_spare(reader, p, finish_piece(reader, p)));
    note_rest(reader, &u);
    scan_place_blips(reader);
    scan_time_trains(reader);
    note_times(reader, &u);
    if (reader->options.time_from_echo) subtract_echo(reader);
    return ARGAND_OK;
}
