/* SPDX-License-Identifier: BSD-3-Clause */
/* The XML header: encodings, system, sequence. Elements are found by their local names, so that files without
 * the format's namespace are read too; everything but encoding/encodedSpace/matrixSize is optional. */
#include "io/ismrmrd_scan.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

enum { LARGEST_MATRIX = 65535, LARGEST_HEADER = 64 << 20 };

static const xmlNode *next_named(const xmlNode *node, const char *name)
{
    while (node && (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, name) != 0))
        node = node->next;
    return node;
}

static const xmlNode *child(const xmlNode *node, const char *name)
{
    return node ? next_named(node->children, name) : NULL;
}

/* The words in an element, without spaces around them; "" if there is none. Cut where they are longer than
 * the room. */
static void words_of(char *words, size_t room, const xmlNode *node)
{
    words[0] = 0;
    if (!node) return;
    xmlChar *content = xmlNodeGetContent(node);
    if (!content) return;
    const char *from = (const char *)content;
    from += strspn(from, " \t\r\n");
    size_t length = strlen(from);
    while (length && strchr(" \t\r\n", from[length - 1])) length--;
    if (length >= room) length = room - 1;
    memcpy(words, from, length);
    words[length] = 0;
    xmlFree(content);
}

/* Leaves *value alone where the element is absent or empty. */
static argand_status number_of(double *value, const scan_reader *reader, const xmlNode *parent,
                               const char *name)
{
    char words[64], *end;
    words_of(words, sizeof words, child(parent, name));
    if (!*words) return ARGAND_OK;
    const double number = strtod(words, &end);
    CHECK(!*end && isfinite(number), ARGAND_FORMAT,
          "%s: header: %s/%s is \"%s\", not a number. Correct the header", reader->path,
          (const char *)parent->name, name, words);
    *value = number;
    return ARGAND_OK;
}

/* A matrix size or counter: a whole number from low to high. */
static argand_status whole_of(int64_t *value, const scan_reader *reader, const xmlNode *parent,
                              const char *name, int low, int high)
{
    double number = (double)*value;
    TRY(number_of(&number, reader, parent, name));
    CHECK(number >= low && number <= high && number == floor(number), ARGAND_FORMAT,
          "%s: header: %s/%s is %.9g; it must be a whole number from %d to %d. Correct the header",
          reader->path, (const char *)parent->name, name, number, low, high);
    *value = (int64_t)number;
    return ARGAND_OK;
}

static const char *const axes[3] = {"x", "y", "z"};

static argand_status read_space(int64_t *matrix, double *field_of_view, scan_reader *reader,
                                const xmlNode *space)
{
    const xmlNode *size = child(space, "matrixSize"), *view = child(space, "fieldOfView_mm");
    CHECK(size, ARGAND_FORMAT, "%s: header: %s has no matrixSize. Add it to the header", reader->path,
          (const char *)space->name);
    bool assumed = !view;
    for (int d = 0; d < 3; d++) {
        matrix[d] = d < 2 ? 0 : 1;
        TRY(whole_of(&matrix[d], reader, size, axes[d], 1, LARGEST_MATRIX));
        field_of_view[d] = 0;
        if (view) TRY(number_of(&field_of_view[d], reader, view, axes[d]));
        CHECK(field_of_view[d] >= 0, ARGAND_FORMAT,
              "%s: header: %s/fieldOfView_mm/%s is %g mm; it must be positive. Correct the header",
              reader->path, (const char *)space->name, axes[d], field_of_view[d]);
        if (field_of_view[d] > 0) continue;
        field_of_view[d] = (double)matrix[d];
        assumed = true;
    }
    if (assumed)
        scan_note(reader, "The header's %s lacks a field of view: voxels of 1 mm are assumed.",
                  (const char *)space->name);
    return ARGAND_OK;
}

static argand_status read_centre(int *centre, const scan_reader *reader, const xmlNode *limits,
                                 const char *name)
{
    int64_t value = -1;
    const xmlNode *limit = child(limits, name);
    if (limit) TRY(whole_of(&value, reader, limit, "center", -1, USHRT_MAX));
    *centre = (int)value;
    return ARGAND_OK;
}

/* Files of Argand and some others say the unit of k here; then it need not be recognised from the values. */
static void read_unit(scan_reader *reader, const xmlNode *encoding)
{
    char identifier[64];
    words_of(identifier, sizeof identifier, child(child(encoding, "trajectoryDescription"), "identifier"));
    if (strstr(identifier, "cycles_per_fov")) reader->says_cycles = true;
}

static argand_status read_encoding(argand_encoding *encoding, scan_reader *reader, const xmlNode *node)
{
    const xmlNode *encoded = child(node, "encodedSpace"), *recon = child(node, "reconSpace");
    const xmlNode *limits = child(node, "encodingLimits");
    CHECK(encoded, ARGAND_FORMAT, "%s: header: an encoding has no encodedSpace. Add it to the header",
          reader->path);
    TRY(read_space(encoding->matrix, encoding->field_of_view, reader, encoded));
    if (!recon) scan_note(reader, "The header has no reconSpace: it is taken to be the encoded space.");
    TRY(read_space(encoding->recon_matrix, encoding->recon_field_of_view, reader, recon ? recon : encoded));
    words_of(encoding->trajectory, sizeof encoding->trajectory, child(node, "trajectory"));
    TRY(read_centre(&encoding->step1_centre, reader, limits, "kspace_encoding_step_1"));
    TRY(read_centre(&encoding->step2_centre, reader, limits, "kspace_encoding_step_2"));
    read_unit(reader, node);
    return ARGAND_OK;
}

static argand_status read_encodings(scan_reader *reader, const xmlNode *root)
{
    scan_owner *owner = reader->owner;
    int count = 0;
    for (const xmlNode *n = child(root, "encoding"); n; n = next_named(n->next, "encoding")) count++;
    CHECK(count > 0, ARGAND_FORMAT,
          "%s: header: no <encoding>, so the matrix is unknown. Add one to the header", reader->path);
    TRY(NEW(owner->encodings, count));
    owner->scan.encodings = owner->encodings;
    for (const xmlNode *n = child(root, "encoding"); n; n = next_named(n->next, "encoding"))
        TRY(read_encoding(&owner->encodings[owner->scan.encoding_count++], reader, n));
    return ARGAND_OK;
}

/* The header has milliseconds. */
static argand_status read_echo_times(scan_reader *reader, const xmlNode *sequence)
{
    scan_owner *owner = reader->owner;
    int count = 0;
    for (const xmlNode *n = child(sequence, "TE"); n; n = next_named(n->next, "TE")) count++;
    TRY(NEW(owner->echo_times, count));
    for (const xmlNode *n = child(sequence, "TE"); n; n = next_named(n->next, "TE")) {
        char words[64], *end;
        words_of(words, sizeof words, n);
        const double value = strtod(words, &end) * 1e-3;
        CHECK(*words && !*end && isfinite(value), ARGAND_FORMAT,
              "%s: header: echo time (TE) is \"%s\", not a number of milliseconds. Correct the header",
              reader->path, words);
        owner->echo_times[owner->scan.echo_count++] = value;
    }
    owner->scan.echo_times = owner->echo_times;
    owner->scan.echo_time = count ? owner->echo_times[0] : 0;
    return ARGAND_OK;
}

static argand_status read_sequence(scan_reader *reader, const xmlNode *sequence)
{
    double milliseconds = 0;
    if (!sequence) return ARGAND_OK;
    TRY(read_echo_times(reader, sequence));
    TRY(number_of(&milliseconds, reader, sequence, "TR"));
    reader->owner->scan.repetition_time = milliseconds * 1e-3;
    return ARGAND_OK;
}

static argand_status read_system(scan_reader *reader, const xmlNode *system)
{
    char vendor[64], model[64];
    scan_owner *owner = reader->owner;
    words_of(vendor, sizeof vendor, child(system, "systemVendor"));
    words_of(model, sizeof model, child(system, "systemModel"));
    text_add(&owner->system, "%s%s%s", vendor, *vendor && *model ? " " : "", model);
    if (system) TRY(number_of(&owner->scan.field_strength, reader, system, "systemFieldStrength_T"));
    CHECK(owner->scan.field_strength >= 0, ARGAND_FORMAT,
          "%s: header: systemFieldStrength_T is %g; it must be positive. Correct the header", reader->path,
          owner->scan.field_strength);
    return owner->system.status;
}

static argand_status read_document(scan_reader *reader, const xmlDoc *document)
{
    const xmlNode *root = xmlDocGetRootElement(document);
    CHECK(root && !strcmp((const char *)root->name, "ismrmrdHeader"), ARGAND_FORMAT,
          "%s: header: the XML is <%s>, not <ismrmrdHeader>", reader->path,
          root ? (const char *)root->name : "");
    TRY(read_encodings(reader, root));
    TRY(read_system(reader, child(root, "acquisitionSystemInformation")));
    return read_sequence(reader, child(root, "sequenceParameters"));
}

static argand_status bad_xml(const scan_reader *reader, xmlParserCtxt *context)
{
    const xmlError *error = xmlCtxtGetLastError(context);
    char words[160] = "it ends too early";
    if (error && error->message) strncpy(words, error->message, sizeof words - 1);
    words[strcspn(words, "\r\n")] = 0;
    return status_set(ARGAND_FORMAT, "%s: the header is not well-formed XML: line %d: %s", reader->path,
                      error ? error->line : 1, words);
}

argand_status scan_parse_header(scan_reader *reader)
{
    const text *header = &reader->owner->header;
    CHECK(header->length <= LARGEST_HEADER, ARGAND_FORMAT, "%s: a header of %.6g MB makes no sense",
          reader->path, (double)header->length / 1e6);
    xmlParserCtxt *context = xmlNewParserCtxt();
    CHECK(context, ARGAND_MEMORY, "no memory to parse the header of %s", reader->path);
    xmlDoc *document = xmlCtxtReadMemory(context, text_chars(header), (int)header->length, NULL, NULL,
                                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const argand_status status = document ? read_document(reader, document) : bad_xml(reader, context);
    xmlFreeDoc(document);
    xmlFreeParserCtxt(context);
    return status;
}

double scan_echo_time(const argand_scan *scan, int contrast)
{
    if (contrast < scan->echo_count) return scan->echo_times[contrast];
    return scan->echo_time;
}
