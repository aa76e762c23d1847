/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides if a repetition is complete. Some scanners fill in headers and flags wrongly; in doubt, all is
 * reconstructed at the end. Two signs count:
 *   flag       of the last acquisition in a repetition or measurement, if the repetition has all volumes of
 *              the header's limits, with the same number of acquisitions each
 *   counter    of an acquisition of another repetition, if the present one has all these volumes, and their
 *              first and last line, shot and partition. This fails if lines are measured before
 *              repetitions. */
#include <stdlib.h>
#include <string.h>

#include "serve/serve.h"

enum { UNKNOWN, KNOWN, USELESS };

static int64_t count_of(const argand_limit *l)
{
    return l->highest - l->lowest + 1;
}

/* Finds the header's limits by reading the first acquisition as a scan. */
static void find_limits(repetition *r, const received *all, const argand_scan_message *first)
{
    argand_scan *scan;
    argand_scan_message_info info;
    argand_scan_message_describe(first->head, &info);
    r->limits_are = USELESS;
    if (argand_scan_read_messages(&scan, "header", all->header, 1, first, NULL)) return;
    if (info.encoding < scan->encoding_count && !scan->encodings[info.encoding].limits.derived) {
        r->limits = scan->encodings[info.encoding].limits;
        r->limits_are = KNOWN;
    }
    argand_scan_destroy(scan);
}

static bool same_volume(const argand_counters *a, const argand_counters *b)
{
    return a->slice == b->slice && a->contrast == b->contrast && a->phase == b->phase && a->set == b->set &&
           a->average == b->average;
}

/* Returns the entry of a volume, usually the last or a new one; NULL without memory. */
static repetition_volume *volume_of(repetition *r, const argand_counters *c)
{
    for (int64_t i = r->count; i-- > 0;)
        if (same_volume(&r->volumes[i].counters, c)) return &r->volumes[i];
    repetition_volume *more = realloc(r->volumes, (size_t)(r->count + 1) * sizeof *more);
    if (!more) return NULL;
    r->volumes = more;
    r->volumes[r->count] = (repetition_volume){.counters = *c};
    return &r->volumes[r->count++];
}

static void see(argand_limit *seen, int value, bool first)
{
    if (first || value < seen->lowest) seen->lowest = value;
    if (first || value > seen->highest) seen->highest = value;
}

static bool has_all_volumes(const repetition *r)
{
    const argand_limits *l = &r->limits;
    return r->limits_are == KNOWN && r->count == count_of(&l->slice) * count_of(&l->contrast) *
                                                     count_of(&l->phase) * count_of(&l->set) *
                                                     count_of(&l->average);
}

static bool are_equal(const repetition *r)
{
    for (int64_t i = 1; i < r->count; i++)
        if (r->volumes[i].acquisitions != r->volumes[0].acquisitions) return false;
    return true;
}

static bool reaches(const argand_limit *seen, const argand_limit *limit)
{
    return seen->lowest <= limit->lowest && seen->highest >= limit->highest;
}

static bool is_complete(const repetition *r)
{
    return !r->mixed && has_all_volumes(r) && reaches(&r->shots, &r->limits.shot) &&
           reaches(&r->partitions, &r->limits.partition);
}

argand_status repetition_see(repetition *r, const received *all, const argand_scan_message *message,
                             bool *before, bool *after)
{
    argand_scan_message_info info;
    argand_scan_message_describe(message->head, &info);
    *before = *after = false;
    if (!info.is_image && !(info.flags & ARGAND_FLAG_CALIBRATION)) return ARGAND_OK;
    if (r->count && info.counters.repetition != r->number) {
        *before = is_complete(r);
        if (*before) return ARGAND_OK; /* it will be seen again as the first of the next repetition */
        r->mixed = r->mixed || info.is_image;
    }
    if (!info.is_image) return ARGAND_OK;
    if (r->limits_are == UNKNOWN) find_limits(r, all, message);
    const bool first = !r->count;
    repetition_volume *volume = volume_of(r, &info.counters);
    if (!volume) return report_error(ARGAND_MEMORY, "no memory for a volume");
    r->number = info.counters.repetition;
    volume->acquisitions++;
    see(&r->shots, info.counters.shot, first);
    see(&r->partitions, info.counters.partition, first);
    *after = info.flags & (ARGAND_FLAG_LAST_IN_REPETITION | ARGAND_FLAG_LAST_IN_MEASUREMENT) && !r->mixed &&
             has_all_volumes(r) && are_equal(r);
    return ARGAND_OK;
}

void repetition_begin(repetition *r)
{
    r->count = 0;
    r->mixed = false;
}

void repetition_free(repetition *r)
{
    free(r->volumes);
    *r = (repetition){0};
}
