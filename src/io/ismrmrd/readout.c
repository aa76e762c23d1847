/* SPDX-License-Identifier: BSD-3-Clause */
/* The readout gradient of EPI, from the header's trajectoryDescription: numbers by name, in microseconds, as
 * siemens_to_ismrmrd writes them; the positions of samples under this trapezoid; and the times of the lines
 * of a train, which follow one another after one excitation. */
#include "io/ismrmrd/nodes.h"

#include <math.h>
#include <string.h>
#include "base/plain.h"

/* Returns the value of the parameter of this name; 0 if there is none, or if it makes no sense. */
static double value_of(const xmlNode *description, const char *name, double most)
{
    static const char *const elements[] = {"userParameterLong", "userParameterDouble"};
    for (int kind = 0; kind < 2; kind++)
        for (const xmlNode *n = node_child(description, elements[kind]); n;
             n = node_named(n->next, elements[kind])) {
            char content[64], *end;
            node_text(content, sizeof content, node_child(n, "name"));
            if (strcmp(content, name) != 0) continue;
            node_text(content, sizeof content, node_child(n, "value"));
            const double value = plain_number(content, &end);
            return *content && !*end && isfinite(value) && fabs(value) <= most ? value : 0;
        }
    return 0;
}

void scan_read_readout(argand_readout *readout, const xmlNode *description)
{
    const double second = 1e6, unit = 1e-6, most_samples = 65535;
    readout->ramp_up = value_of(description, "rampUpTime", second) * unit;
    readout->flat_top = value_of(description, "flatTopTime", second) * unit;
    readout->ramp_down = value_of(description, "rampDownTime", second) * unit;
    readout->delay = value_of(description, "acqDelayTime", second) * unit;
    readout->dwell = value_of(description, "dwellTime", second) * unit;
    readout->samples = (int64_t)value_of(description, "numSamples", most_samples);
    readout->echo_spacing = value_of(description, "echoSpacing", second) * unit;
}

/* True if part of the line is read on the ramps. */
bool scan_has_ramps(const argand_readout *r, const ismrmrd_head *head)
{
    const double end = r->delay + (double)r->samples * r->dwell;
    if (r->samples < 4 || head->number_of_samples != r->samples) return false;
    if (!(r->dwell > 0) || r->flat_top < 0 || r->ramp_up < 0 || r->ramp_down < 0) return false;
    return r->delay < r->ramp_up || end > r->ramp_up + r->flat_top;
}

/* Area under the trapezoid of height 1 from its start to time t. */
static double area(const argand_readout *r, double t)
{
    const double up = r->ramp_up, top = up + r->flat_top, end = top + r->ramp_down;
    const double at = fmin(fmax(t, 0), end);
    if (at <= up) return up > 0 ? 0.5 * at * at / up : 0;
    if (at <= top) return 0.5 * up + (at - up);
    const double left = end - at;
    return 0.5 * up + r->flat_top + 0.5 * (r->ramp_down - left * left / r->ramp_down);
}

static double half_area(const argand_readout *r)
{
    return 0.5 * (0.5 * r->ramp_up + r->flat_top + 0.5 * r->ramp_down);
}

/* The half of the trapezoid is the centre of k-space. Samples are means over their dwell time. */
double scan_ramp_position(const argand_readout *r, int64_t sample, int64_t matrix)
{
    const double covered = area(r, r->delay + (double)r->samples * r->dwell) - area(r, r->delay);
    const double at = area(r, r->delay + ((double)sample + 0.5) * r->dwell) - half_area(r);
    return covered > 0 ? at * (double)matrix / covered : 0;
}

double scan_ramp_time(const argand_readout *r, double sample)
{
    const double half = half_area(r), up = 0.5 * r->ramp_up, down = 0.5 * r->ramp_down;
    double centre = r->ramp_up + half - up;
    if (half < up) centre = sqrt(2 * half * r->ramp_up);
    if (half < down) centre = r->ramp_up + r->flat_top + r->ramp_down - sqrt(2 * half * r->ramp_down);
    return r->delay + (sample + 0.5) * r->dwell - centre;
}

/* Lines that follow one another after one excitation: consecutive pieces, read to and fro. */
typedef struct line_train {
    int64_t first, count;
} line_train;

/* What was found in an encoding. */
typedef struct train_survey {
    bool to_and_fro; /* some lines were read backwards */
    double spacing;  /* s; 0: unknown */
    const char *source;
    int64_t timed, fractional, unplaced; /* trains; those that pass ky = 0 between two lines, or not at all */
} train_survey;

static bool is_timed_line(const scan_reader *reader, int64_t i, int encoding)
{
    const scan_piece *p = &reader->pieces[i];
    if (p->dropped || (p->purpose != SCAN_IMAGE && p->purpose != SCAN_CALIBRATION)) return false;
    const argand_acquisition *a = p->acquisition;
    return a->encoding == encoding && a->samples > 0 && a->k[1] &&
           scan_head(reader, p)->trajectory_dimensions < 4;
}

/* Compares counters but for those that change within a train: the steps, and the segment, which counts shots
 * in some files and polarities in others. */
static bool same_counters(const argand_counters *a, const argand_counters *b)
{
    return a->average == b->average && a->slice == b->slice && a->contrast == b->contrast &&
           a->phase == b->phase && a->repetition == b->repetition && a->set == b->set;
}

/* Returns true if piece i belongs to the train before it: ky goes on in the same direction, and the polarity
 * alternates. The segment is that of the last line of this polarity. */
static bool goes_on(const scan_reader *reader, const line_train *train, int64_t i, bool to_and_fro)
{
    const scan_piece *p = &reader->pieces[i], *before = p - 1;
    const argand_acquisition *a = p->acquisition, *b = before->acquisition;
    if (!is_timed_line(reader, i, b->encoding) || p->row != before->row + 1) return false;
    const float step = a->k[1][0] - b->k[1][0];
    const bool changes =
        scan_is_reversed(scan_head(reader, p)) != scan_is_reversed(scan_head(reader, before));
    if (!same_counters(&a->counters, &b->counters) || changes != to_and_fro || step == 0) return false;
    if (train->count < 2) return true;
    const argand_acquisition *second = (p - 2)->acquisition;
    return a->counters.segment == second->counters.segment && (b->k[1][0] - second->k[1][0]) * step > 0;
}

/* Returns the index of ky = 0 among the lines, between two of them if no line is there; NAN: ky stays on one
 * side. */
static double index_of_centre(const scan_reader *reader, const line_train *train)
{
    const scan_piece *p = &reader->pieces[train->first];
    for (int64_t i = 0; i < train->count; i++) {
        const double ky = (double)p[i].acquisition->k[1][0];
        if (ky == 0) return (double)i;
        const double next = i + 1 < train->count ? (double)p[i + 1].acquisition->k[1][0] : ky;
        if (ky * next < 0) return (double)i + ky / (ky - next);
    }
    return NAN;
}

static void shift_train(const scan_reader *reader, const line_train *train, train_survey *s)
{
    const double centre = index_of_centre(reader, train);
    s->timed++;
    s->unplaced += isnan(centre);
    s->fractional += centre != floor(centre) && !isnan(centre);
    if (isnan(centre) || !(s->spacing > 0)) return;
    for (int64_t i = 0; i < train->count; i++) {
        const scan_piece *p = &reader->pieces[train->first + i];
        const double later = ((double)i - centre) * s->spacing;
        for (int64_t x = 0; x < p->acquisition->samples; x++) p->t[x] = (float)((double)p->t[x] + later);
    }
}

/* Finds the echo spacing. One that is shorter than a line is in another unit, or of another sequence. */
static void find_spacing(train_survey *s, scan_reader *reader, const argand_encoding *e,
                         const argand_acquisition *line)
{
    const argand_readout *r = &e->readout;
    const double least = 0.99 * (double)line->samples * line->sample_time;
    const double spacings[] = {reader->owner->scan.echo_spacing, r->echo_spacing,
                               s->to_and_fro ? r->ramp_up + r->flat_top + r->ramp_down : 0};
    static const char *const sources[] = {"the header's echo_spacing",
                                          "echoSpacing in the header's trajectoryDescription",
                                          "ramps and flat top of the readout gradient"};
    for (int i = 0; i < 3; i++) {
        if (!(spacings[i] > 0)) continue;
        if (spacings[i] >= least) {
            s->spacing = spacings[i];
            s->source = sources[i];
            return;
        }
        scan_note(reader, "EPI: an echo spacing of %.4g ms (%s) is shorter than a line and is ignored.",
                  1e3 * spacings[i], sources[i]);
    }
}

static void note_trains(scan_reader *reader, const train_survey *s)
{
    if (s->spacing > 0)
        scan_note(reader,
                  "EPI: the lines of a train are %.4g ms apart (%s); their times count from the line with "
                  "ky = 0, which is at the echo time.",
                  1e3 * s->spacing, s->source);
    if (s->spacing > 0 && s->fractional)
        scan_note(reader,
                  "EPI: %lld of %lld trains have no line with ky = 0. Their echo time is where ky passes 0 "
                  "between two lines, as if the shots were shifted in time.",
                  (long long)s->fractional, (long long)s->timed);
    if (s->spacing > 0 && s->unplaced)
        scan_note(reader,
                  "EPI: %lld of %lld trains do not pass ky = 0, so nothing says when their lines were read. "
                  "All their lines are taken at the echo time.",
                  (long long)s->unplaced, (long long)s->timed);
}

static void time_encoding(scan_reader *reader, int encoding)
{
    argand_encoding *e = &reader->owner->encodings[encoding];
    train_survey s = {0};
    const argand_acquisition *line = NULL;
    for (int64_t i = 0; i < reader->count; i++) {
        if (!is_timed_line(reader, i, encoding)) continue;
        line = reader->pieces[i].acquisition;
        s.to_and_fro |= scan_is_reversed(scan_head(reader, &reader->pieces[i]));
    }
    if (!line || !scan_is_cartesian(e) || (!s.to_and_fro && strcmp(e->trajectory, "epi") != 0)) return;
    find_spacing(&s, reader, e, line);
    for (int64_t i = 0; i < reader->count;) {
        line_train train = {i, 1};
        if (is_timed_line(reader, i, encoding))
            while (i + train.count < reader->count && goes_on(reader, &train, i + train.count, s.to_and_fro))
                train.count++;
        if (train.count > 1) shift_train(reader, &train, &s);
        i += train.count;
    }
    e->readout.echo_spacing = s.timed ? s.spacing : 0;
    e->readout.untimed = s.spacing > 0 ? s.unplaced : s.timed;
    if (s.timed) note_trains(reader, &s);
}

void scan_time_trains(scan_reader *reader)
{
    for (int i = 0; i < reader->owner->scan.encoding_count; i++) time_encoding(reader, i);
}
