/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the userParameters of the header: names and values as given. */
#include "io/ismrmrd/nodes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

static const char *const elements[] = {"userParameterLong", "userParameterDouble", "userParameterString",
                                       "userParameterBase64"};

/* Reads one parameter; those without a name are skipped, because nothing could request them. */
static argand_status read_one(scan_owner *owner, argand_parameter_kind kind, const xmlNode *node)
{
    char *name = NULL, *value = NULL;
    argand_status status = node_copy_text(&name, node_child(node, "name"));
    if (status == ARGAND_OK && !*name) {
        memory_free(name);
        return ARGAND_OK;
    }
    if (status == ARGAND_OK) status = node_copy_text(&value, node_child(node, "value"));
    owner->parameters[owner->scan.parameter_count++] = (argand_parameter){kind, name, value};
    return status;
}

argand_status scan_read_parameters(scan_reader *reader, const xmlNode *user)
{
    scan_owner *owner = reader->owner;
    int count = 0;
    for (int kind = 0; kind < 4; kind++) count += node_count(user, elements[kind]);
    TRY(NEW(owner->parameters, count));
    owner->scan.parameters = owner->parameters;
    for (int kind = 0; kind < 4; kind++)
        for (const xmlNode *n = node_child(user, elements[kind]); n; n = node_named(n->next, elements[kind]))
            TRY(read_one(owner, (argand_parameter_kind)kind, n));
    return ARGAND_OK;
}

/* Returns true if a name's letters hold a word or begin with another: "lMultiBandFactor", "multiband_factor",
 * "MB Factor (multi-band)". */
static bool is_about(const char *name, const char *word, const char *beginning)
{
    char letters[64];
    size_t length = 0;
    for (; *name && length + 1 < sizeof letters; name++)
        if (isalpha((unsigned char)*name)) letters[length++] = (char)tolower((unsigned char)*name);
    letters[length] = 0;
    return strstr(letters, word) || !strncmp(letters, beginning, strlen(beginning));
}

/* Notes parameters of sequences that name the shift of slices (Blipped_CAIPI, lFOVShiftFactor). */
static void note_blips(scan_reader *reader)
{
    const argand_scan *scan = &reader->owner->scan;
    for (int i = 0; i < scan->parameter_count && !reader->options.blips; i++) {
        const argand_parameter *p = &scan->parameters[i];
        const long value =
            is_about(p->name, "fovshiftfactor", "blippedcaipi") ? strtol(p->value, NULL, 10) : 0;
        if (value > 1 && value <= 64)
            scan_note(reader,
                      "The header's parameter %.60s is %ld: if the file has no kz and slices are shifted by "
                      "1/%ld of the field of view, say so (--blips %ld).",
                      p->name, value, value, value);
    }
}

void scan_note_parameters(scan_reader *reader)
{
    const argand_scan *scan = &reader->owner->scan;
    note_blips(reader);
    if (reader->options.bands) return;
    for (int i = 0; i < scan->encoding_count; i++)
        if (scan->encodings[i].bands.count > 1) return;
    for (int i = 0; i < scan->parameter_count; i++) {
        const argand_parameter *p = &scan->parameters[i];
        const long value = is_about(p->name, "multiband", "mbfactor") ? strtol(p->value, NULL, 10) : 0;
        if (value > 1 && value <= 64)
            scan_note(reader,
                      "The header's parameter %.60s is %ld: if as many slices were excited together, say so "
                      "(--bands %ld).",
                      p->name, value, value);
    }
}

const char *argand_scan_parameter(const argand_scan *scan, const char *name)
{
    for (int i = 0; scan && name && i < scan->parameter_count; i++)
        if (!strcmp(scan->parameters[i].name, name)) return scan->parameters[i].value;
    return NULL;
}
