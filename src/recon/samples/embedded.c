/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds calibration lines of a Cartesian scan that lie between the image's lines (argand_scan_embedded) to
 * its volumes. */
#include "recon/samples/samples.h"

/* Returns true if the session's options allow embedded lines. */
static bool can_be_embedded(const argand_sense *s)
{
    return s->bands == 1 && s->options.phases == ARGAND_PHASES_NONE &&
           s->options.density != ARGAND_DENSITY_FILE; /* given weights count the image's lines only */
}

argand_status embedded_find(argand_sense *s)
{
    if (s->continued) return ARGAND_OK; /* keep the decision made for the first scan */
    s->embedded = false;
    if (!can_be_embedded(s)) return ARGAND_OK;
    return argand_scan_embedded(&s->embedded, s->scan, (int)(s->encoding - s->scan->encodings));
}

void embedded_note(argand_sense *s)
{
    int64_t count = 0;
    for (int v = 0; v < s->volume_count; v++)
        for (int64_t i = 0; i < s->volumes[v].count; i++) count += s->volumes[v].rows[i].calibration;
    if (count)
        note_once(s,
                  "%lld calibration acquisition%s between the image's lines %s used for the image as well.",
                  (long long)count, plural_s(count), count == 1 ? "is" : "are");
}
