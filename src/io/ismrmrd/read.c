/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an ISMRMRD file completely into memory. The format: https://ismrmrd.github.io; S. J. Inati et al.,
 * Magnetic Resonance in Medicine 77 (2017). HDF5 is used directly: libismrmrd copies what heads claim
 * without comparing it with what is stored, and reads one acquisition per call. */
#include "io/ismrmrd/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "base/memory.h"
#include "base/size.h"

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

argand_status scan_finish(scan_reader *reader)
{
    TRY(scan_finish_trajectory(reader));
    scan_finish_lists(reader);
    scan_finish_limits(reader);
    scan_note_parameters(reader);
    return reader->owner->notes.status;
}

argand_status scan_read_ismrmrd(scan_reader *reader)
{
    const char *name = reader->options.group ? reader->options.group : "dataset";
    TRY(hdf5_open_group(&reader->group, reader->file, reader->path, name));
    argand_status status;
    TRY_OR_DONE(scan_read_header(reader));
    TRY_OR_DONE(scan_read_heads(reader));
    TRY_OR_DONE(scan_read_samples(reader));
    TRY_OR_DONE(scan_finish(reader));
    TRY_OR_DONE(scan_read_arrays(reader));
    status = reader->owner->notes.status;
done:
    H5Gclose(reader->group);
    return status;
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

argand_status scan_check_options(const argand_scan_options *options)
{
    CHECK(!options || (options->k_unit >= ARGAND_K_AUTO && options->k_unit <= ARGAND_K_RADIANS_PER_M),
          ARGAND_ARGUMENT, "unknown unit of k (%d)", options ? (int)options->k_unit : 0);
    CHECK(!options || (options->bands >= 0 && options->bands <= 64), ARGAND_ARGUMENT,
          "%d simultaneous slices: give 1 to 64, or 0 for what the header says",
          options ? options->bands : 0);
    CHECK(!options || (options->blips >= -64 && options->blips <= 64), ARGAND_ARGUMENT,
          "blips %d: give -64 to 64, or 0 for the file's kz", options ? options->blips : 0);
    return ARGAND_OK;
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

const argand_scan_array *argand_scan_find(const argand_scan *scan, const char *name)
{
    for (int i = 0; scan && name && i < scan->array_count; i++)
        if (!strcmp(scan->arrays[i].name, name)) return &scan->arrays[i];
    return NULL;
}
