/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles acquisitions that are set aside (noise, calibration, navigators). One that cannot be used is
 * dropped, with a note for the first of its kind, and the images are read all the same. */
#include "io/ismrmrd/scan.h"

static const char *const names[SCAN_PURPOSES] = {
    "image", "noise", "navigator", "calibration", "phase correction", "other"};

/* Returns the reason of the last error without the path of the file. */
static const char *reason(const scan_reader *reader)
{
    const char *reason = argand_message();
    const size_t length = strlen(reader->path);
    if (!strncmp(reason, reader->path, length) && !strncmp(reason + length, ": ", 2)) reason += length + 2;
    return reason;
}

argand_status scan_spare(scan_reader *reader, scan_piece *piece, argand_status status)
{
    if (status != ARGAND_FORMAT && status != ARGAND_UNSUPPORTED) return status;
    if (piece->purpose == SCAN_IMAGE) return status;
    if (!piece->dropped) reader->owner->scan.other_count++;
    piece->dropped = true;
    if (!reader->drops[piece->purpose])
        scan_note(reader, "Some %s acquisitions are left out: %s.", names[piece->purpose], reason(reader));
    reader->drops[piece->purpose] = true;
    return ARGAND_OK;
}

/* Reports the kept acquisitions of a purpose. */
static void tell(scan_reader *reader, scan_purpose purpose, int64_t count)
{
    if (count && purpose != SCAN_IMAGE)
        scan_note(reader, "%lld %s acquisition%s set aside.", (long long)count, names[purpose],
                  count == 1 ? " is" : "s are");
}

void scan_finish_lists(scan_reader *reader)
{
    argand_scan *scan = &reader->owner->scan;
    const struct {
        const argand_acquisition **list;
        int64_t *count;
    } lists[] = {{&scan->acquisitions, &scan->acquisition_count},
                 {&scan->noise, &scan->noise_count},
                 {&scan->navigators, &scan->navigator_count},
                 {&scan->calibrations, &scan->calibration_count},
                 {&scan->corrections, &scan->correction_count}};
    argand_acquisition *to = reader->owner->acquisitions;
    for (scan_purpose purpose = SCAN_IMAGE; purpose < SCAN_OTHER; purpose++) {
        *lists[purpose].list = to;
        for (const scan_piece *p = reader->pieces; p < reader->pieces + reader->count; p++)
            if (p->purpose == purpose && !p->dropped) *to++ = *p->acquisition;
        *lists[purpose].count = to - *lists[purpose].list;
        tell(reader, purpose, *lists[purpose].count);
    }
    if (scan->other_count)
        scan_note(reader, "%lld feedback, dummy, correction or unusable acquisition%s left out.",
                  (long long)scan->other_count, scan->other_count == 1 ? " is" : "s are");
}
