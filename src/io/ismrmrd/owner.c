/* SPDX-License-Identifier: BSD-3-Clause */
/* The scan in memory, whatever its file was: collects notes, publishes texts, finds arrays, frees. */
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
