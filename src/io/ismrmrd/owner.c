/* SPDX-License-Identifier: BSD-3-Clause */
/* The scan in memory, whatever its file was: collects notes, publishes texts and lists, sets unusable
 * acquisitions aside, finds arrays, frees. */
#include "io/ismrmrd/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include "base/memory.h"

void scan_note(scan_reader *reader, const char *format, ...)
{
    char reason[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    for (char *c = reason; *c; c++)
        if ((unsigned char)*c < ' ') *c = '?';
    text_add(&reader->owner->notes, "%s\n", reason);
}

void scan_publish(scan_owner *owner, const char *path)
{
    argand_scan *scan = &owner->scan;
    strncpy(scan->path, path, sizeof scan->path - 1);
    scan->header = text_chars(&owner->header);
    scan->notes = text_chars(&owner->notes);
    scan->system = text_chars(&owner->system);
    scan->patient_position = owner->patient_position;
    scan->protocol = owner->protocol ? owner->protocol : "";
}

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

const argand_scan_array *argand_scan_find(const argand_scan *scan, const char *name)
{
    for (int i = 0; scan && name && i < scan->array_count; i++)
        if (!strcmp(scan->arrays[i].name, name)) return &scan->arrays[i];
    return NULL;
}

void argand_scan_destroy(argand_scan *scan)
{
    if (!scan) return;
    scan_owner *owner = (scan_owner *)scan;
    if (owner->block) {
        munmap(owner->block, owner->block_bytes);
        memory_free(owner);
        return;
    }
    for (int i = 0; owner->arrays && i < scan->array_count; i++)
        memory_free((void *)(uintptr_t)owner->arrays[i].data);
    memory_free(owner->arrays);
    for (int i = 0; owner->parameters && i < scan->parameter_count; i++) {
        memory_free((void *)(uintptr_t)owner->parameters[i].name);
        memory_free((void *)(uintptr_t)owner->parameters[i].value);
    }
    memory_free(owner->parameters);
    memory_free(owner->protocol);
    text_free(&owner->system);
    text_free(&owner->notes);
    text_free(&owner->header);
    memory_free(owner->echo_times);
    memory_free(owner->coordinates);
    memory_free(owner->samples);
    memory_free(owner->acquisitions);
    memory_free(owner->encodings);
    memory_free(owner);
}
