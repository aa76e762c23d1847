/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the ranges of the counters from the header's encodingLimits; without them, finds the ranges in the
 * image data. */
#include "io/ismrmrd/nodes.h"

#include <limits.h>
#include <stddef.h>

/* Offset of each counter in the head and in the struct of limits, and its name in the header. */
static const struct counter {
    const char *element;
    size_t value, limit;
} counters[] = {
    {"kspace_encoding_step_1", offsetof(argand_counters, shot), offsetof(argand_limits, shot)},
    {"kspace_encoding_step_2", offsetof(argand_counters, partition), offsetof(argand_limits, partition)},
    {"average", offsetof(argand_counters, average), offsetof(argand_limits, average)},
    {"slice", offsetof(argand_counters, slice), offsetof(argand_limits, slice)},
    {"contrast", offsetof(argand_counters, contrast), offsetof(argand_limits, contrast)},
    {"phase", offsetof(argand_counters, phase), offsetof(argand_limits, phase)},
    {"repetition", offsetof(argand_counters, repetition), offsetof(argand_limits, repetition)},
    {"set", offsetof(argand_counters, set), offsetof(argand_limits, set)},
    {"segment", offsetof(argand_counters, segment), offsetof(argand_limits, segment)},
};
enum { COUNTERS = sizeof counters / sizeof *counters };

static argand_limit *limit_of(argand_limits *limits, const struct counter *c)
{
    return (argand_limit *)((char *)limits + c->limit);
}

static int value_of(const argand_counters *values, const struct counter *c)
{
    return *(const uint16_t *)((const char *)values + c->value);
}

argand_status scan_read_limits(argand_encoding *encoding, const scan_reader *reader, const xmlNode *limits)
{
    encoding->limits.derived = !limits;
    for (int i = 0; i < COUNTERS; i++) {
        int64_t lowest = -1, highest = -1, centre = -1;
        const xmlNode *node = node_child(limits, counters[i].element);
        if (node) {
            TRY(node_whole(&lowest, reader, node, "minimum", -1, USHRT_MAX));
            TRY(node_whole(&highest, reader, node, "maximum", -1, USHRT_MAX));
            TRY(node_whole(&centre, reader, node, "center", -1, USHRT_MAX));
        }
        *limit_of(&encoding->limits, &counters[i]) = (argand_limit){(int)lowest, (int)highest, (int)centre};
    }
    encoding->step1_centre = encoding->limits.shot.centre;
    encoding->step2_centre = encoding->limits.partition.centre;
    return ARGAND_OK;
}

/* Returns the range in the image data of an encoding; lowest above highest: no data. */
static argand_limit counted(const argand_scan *scan, int encoding, const struct counter *c)
{
    argand_limit found = {INT_MAX, -1, -1};
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        if (scan->acquisitions[i].encoding != encoding) continue;
        const int value = value_of(&scan->acquisitions[i].counters, c);
        if (value < found.lowest) found.lowest = value;
        if (value > found.highest) found.highest = value;
    }
    return found;
}

static void finish(scan_reader *reader, int encoding, const struct counter *c)
{
    const argand_limit found = counted(&reader->owner->scan, encoding, c);
    argand_limit *limit = limit_of(&reader->owner->encodings[encoding].limits, c);
    if (found.highest < 0) return;
    if (limit->highest >= 0 && found.highest > limit->highest)
        scan_note(reader, "Encoding %d: the header limits %s to %d, but acquisitions reach %d. All are used.",
                  encoding, c->element, limit->highest, found.highest);
    if (limit->lowest < 0) limit->lowest = found.lowest;
    if (limit->highest < 0) limit->highest = found.highest;
}

/* Steps along one axis, as counters of an acquisition and limits of an encoding have them. */
typedef struct step_axis {
    int axis;
    size_t value, limit;
    const char *element;
} step_axis;

static uint16_t *step_of(argand_acquisition *a, const step_axis *x)
{
    return (uint16_t *)((char *)&a->counters + x->value);
}

/* Finds the lowest and the highest step as numbers with a sign. Returns false if none is below 0, or if one
 * lies outside of the matrix. */
static bool find_signed(int *low, int *high, const scan_reader *reader, int encoding, const step_axis *x)
{
    *low = INT_MAX, *high = INT_MIN;
    for (int64_t i = 0; i < reader->count; i++) {
        const scan_piece *p = &reader->pieces[i];
        if (p->dropped || p->purpose != SCAN_IMAGE || p->acquisition->encoding != encoding) continue;
        const int step = (int16_t)*step_of(p->acquisition, x);
        if (step < *low) *low = step;
        if (step > *high) *high = step;
    }
    return *low < 0 && -2 * *low <= reader->owner->encodings[encoding].matrix[x->axis] + 1;
}

static void count_from_zero(scan_reader *reader, int encoding, const step_axis *x)
{
    argand_encoding *e = &reader->owner->encodings[encoding];
    int low, high;
    if (e->matrix[x->axis] > INT16_MAX || !find_signed(&low, &high, reader, encoding, x)) return;
    for (int64_t i = 0; i < reader->count; i++) {
        argand_acquisition *a = reader->pieces[i].acquisition;
        if (!reader->pieces[i].dropped && a->encoding == encoding)
            *step_of(a, x) = (uint16_t)((int16_t)*step_of(a, x) - low);
    }
    *(argand_limit *)((char *)&e->limits + x->limit) = (argand_limit){0, high - low, -low};
    *(x->axis == 1 ? &e->step1_centre : &e->step2_centre) = -low;
    scan_note(reader,
              "Encoding %d: %s is stored with a sign, from %d to %d, so that 0 is the centre of k-space.",
              encoding, x->element, low, high);
}

void scan_unwrap_steps(scan_reader *reader)
{
    static const step_axis axes[] = {
        {1, offsetof(argand_counters, shot), offsetof(argand_limits, shot), "kspace_encoding_step_1"},
        {2, offsetof(argand_counters, partition), offsetof(argand_limits, partition),
         "kspace_encoding_step_2"}};
    for (int e = 0; e < reader->owner->scan.encoding_count; e++)
        for (int i = 0; i < 2 && scan_is_cartesian(&reader->owner->encodings[e]); i++)
            count_from_zero(reader, e, &axes[i]);
}

void scan_finish_limits(scan_reader *reader)
{
    scan_owner *owner = reader->owner;
    for (int e = 0; e < owner->scan.encoding_count; e++) {
        for (int i = 0; i < COUNTERS; i++) finish(reader, e, &counters[i]);
        if (owner->encodings[e].limits.derived && owner->encodings[e].limits.slice.highest >= 0)
            scan_note(
                reader,
                "The header has no encodingLimits%s: the counters' ranges are those of the acquisitions.",
                e ? " for a further encoding" : "");
    }
}
