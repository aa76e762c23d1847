/* SPDX-License-Identifier: BSD-3-Clause */
/* kz of simultaneous slices if the file has none: blips that shift adjacent slices by a part of the field of
 * view (blipped CAIPI; Setsompop et al., Magn. Reson. Med. 67:1210, 2012). */
#include "io/ismrmrd/scan.h"

#include <stdlib.h>

static bool is_line_of(const scan_piece *p, int encoding)
{
    return p->purpose == SCAN_IMAGE && p->acquisition->encoding == encoding && p->acquisition->samples > 0;
}

/* The lines of an encoding: the step of the first one, and the largest distance that divides all others. */
typedef struct line_steps {
    int64_t lines;
    int origin, distance;
    bool stored, varies; /* kz is in the file; kz differs from line to line */
    float first;
} line_steps;

static int common_divisor(int a, int b)
{
    while (b) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static line_steps steps_of(const scan_reader *reader, int encoding)
{
    line_steps s = {0};
    for (const scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        if (!is_line_of(p, encoding)) continue;
        const int step = p->acquisition->counters.shot;
        if (!s.lines++) s.origin = step, s.first = p->k[2][0];
        s.distance = common_divisor(s.distance, abs(step - s.origin));
        s.stored |= scan_head(reader, p)->trajectory_dimensions >= 3;
        for (int64_t i = 0; i < p->acquisition->samples; i++) s.varies |= p->k[2][i] != s.first;
    }
    return s;
}

/* Line i of the measured ones has kz = (i mod N - floor(N / 2)) count / N, so that adjacent slices are
 * shifted by 1 / N of the field of view; a negative N shifts to the other side. */
static void place(const scan_reader *reader, int encoding, const line_steps *s, int count)
{
    const int n = abs(reader->options.blips), sign = reader->options.blips < 0 ? -1 : 1;
    for (const scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++) {
        if (!is_line_of(p, encoding)) continue;
        const int index = (p->acquisition->counters.shot - s->origin) / (s->distance ? s->distance : 1);
        const float kz = (float)(sign * ((index % n + n) % n - n / 2) * count) / (float)n;
        for (int64_t i = 0; i < p->acquisition->samples; i++) p->k[2][i] = kz;
    }
}

void scan_place_blips(scan_reader *reader)
{
    const int n = abs(reader->options.blips);
    for (int e = 0; e < reader->owner->scan.encoding_count; e++) {
        const int count = reader->owner->encodings[e].bands.count;
        const line_steps s = count > 1 ? steps_of(reader, e) : (line_steps){0};
        if (!s.lines) continue;
        if (n > 0 && s.stored)
            scan_note(reader, "The file has the blips of simultaneous slices (kz): they are used instead of "
                              "the requested ones.");
        else if (n > 0)
            place(reader, e, &s, count);
        else if (!s.varies)
            scan_note(reader,
                      "All lines of the %d simultaneous slices have the same kz. If blips shift the slices "
                      "by 1/N of the field of view (blipped CAIPI), say so (--blips N).",
                      count);
    }
}
