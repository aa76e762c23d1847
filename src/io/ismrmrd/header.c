/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the XML header: encodings, system, sequence. Elements are found by their local names, so that
 * files without the namespace can be read; all but encoding/encodedSpace/matrixSize is optional. */
#include "io/ismrmrd/nodes.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/plain.h"

enum { LARGEST_MATRIX = 65535 };
/* Limit of encodings, since each is compared with all acquisitions; scans have one to three. */
enum { MOST_ENCODINGS = 256 };

static const char *const axes[3] = {"x", "y", "z"};

static argand_status read_space(int64_t *matrix, double *field_of_view, scan_reader *reader,
                                const xmlNode *space)
{
    const xmlNode *size = node_child(space, "matrixSize"), *view = node_child(space, "fieldOfView_mm");
    CHECK(size, ARGAND_FORMAT, "%s: header: %s has no matrixSize. Add it to the header", reader->path,
          (const char *)space->name);
    bool assumed = !view;
    for (int d = 0; d < 3; d++) {
        matrix[d] = d < 2 ? 0 : 1;
        TRY(node_whole(&matrix[d], reader, size, axes[d], 1, LARGEST_MATRIX));
        field_of_view[d] = 0;
        if (view) TRY(node_number(&field_of_view[d], reader, view, axes[d]));
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

/* Reads the unit of k, which files of Argand and some others state; it need not be found from the values
 * then. */
static void read_unit(argand_encoding *encoding, const xmlNode *node)
{
    char identifier[64];
    node_text(identifier, sizeof identifier,
              node_child(node_child(node, "trajectoryDescription"), "identifier"));
    if (strstr(identifier, "cycles_per_fov")) encoding->k_unit = ARGAND_K_CYCLES;
}

static void lower(char *word)
{
    for (; *word; word++)
        if (*word >= 'A' && *word <= 'Z') *word += 'a' - 'A';
}

static void assume_recon(argand_encoding *encoding, scan_reader *reader)
{
    scan_note(reader, "The header has no reconSpace: it is taken to be the encoded space.");
    memcpy(encoding->recon_matrix, encoding->matrix, sizeof encoding->matrix);
    memcpy(encoding->recon_field_of_view, encoding->field_of_view, sizeof encoding->field_of_view);
}

/* Some writers state the field of view in metres. No object fits into 1 mm with voxels of 10 micrometres. */
static void note_metres(const argand_encoding *encoding, scan_reader *reader)
{
    const double *view = encoding->field_of_view,
                 voxel[2] = {view[0] / (double)encoding->matrix[0], view[1] / (double)encoding->matrix[1]};
    if (view[0] >= 1 || view[1] >= 1 || voxel[0] >= 0.01 || voxel[1] >= 0.01) return;
    scan_note(
        reader,
        "The header's field of view is %.4gx%.4g mm, which makes voxels of %.3gx%.3g mm: it seems to be "
        "in metres. Sizes in the image are then 1000 times too small.",
        view[0], view[1], voxel[0], voxel[1]);
}

static argand_status read_encoding(argand_encoding *encoding, scan_reader *reader, const xmlNode *node)
{
    const xmlNode *encoded = node_child(node, "encodedSpace"), *recon = node_child(node, "reconSpace");
    CHECK(encoded, ARGAND_FORMAT, "%s: header: an encoding has no encodedSpace. Add it to the header",
          reader->path);
    TRY(read_space(encoding->matrix, encoding->field_of_view, reader, encoded));
    if (recon) TRY(read_space(encoding->recon_matrix, encoding->recon_field_of_view, reader, recon));
    if (!recon) assume_recon(encoding, reader);
    note_metres(encoding, reader);
    node_text(encoding->trajectory, sizeof encoding->trajectory, node_child(node, "trajectory"));
    lower(encoding->trajectory); /* MRIReco writes "Cartesian" */
    TRY(scan_read_limits(encoding, reader, node_child(node, "encodingLimits")));
    read_unit(encoding, node);
    scan_read_readout(&encoding->readout, node_child(node, "trajectoryDescription"));
    return scan_read_parallel(encoding, reader, node);
}

static argand_status read_encodings(scan_reader *reader, const xmlNode *root)
{
    scan_owner *owner = reader->owner;
    const int count = node_count(root, "encoding");
    CHECK(count > 0, ARGAND_FORMAT,
          "%s: header: no <encoding>, so the matrix is unknown. Add one to the header", reader->path);
    CHECK(count <= MOST_ENCODINGS, ARGAND_FORMAT,
          "%s: header: %d encodings make no sense; at most %d are read", reader->path, count, MOST_ENCODINGS);
    TRY(NEW(owner->encodings, count));
    owner->scan.encodings = owner->encodings;
    for (const xmlNode *n = node_child(root, "encoding"); n; n = node_named(n->next, "encoding"))
        TRY(read_encoding(&owner->encodings[owner->scan.encoding_count++], reader, n));
    return ARGAND_OK;
}

/* Reads the echo times, which are in milliseconds. */
static argand_status read_echo_times(scan_reader *reader, const xmlNode *sequence)
{
    scan_owner *owner = reader->owner;
    const int count = node_count(sequence, "TE");
    TRY(NEW(owner->echo_times, count));
    for (const xmlNode *n = node_child(sequence, "TE"); n; n = node_named(n->next, "TE")) {
        char content[64], *end;
        node_text(content, sizeof content, n);
        if (!*content) {
            scan_note(reader, "The header has an echo time (TE) without a value: it counts as unknown.");
            continue;
        }
        const double value = plain_number(content, &end) * 1e-3;
        CHECK(*content && !*end && isfinite(value), ARGAND_FORMAT,
              "%s: header: echo time (TE) is \"%s\", not a number of milliseconds. Correct the header",
              reader->path, content);
        CHECK(fabs(value) <= SCAN_LONGEST_TIME, ARGAND_FORMAT,
              "%s: header: echo time (TE) is %s ms, longer than any scan. Correct the header", reader->path,
              content);
        owner->echo_times[owner->scan.echo_count++] = value;
    }
    owner->scan.echo_times = owner->echo_times;
    owner->scan.echo_time = owner->scan.echo_count ? owner->echo_times[0] : 0;
    return ARGAND_OK;
}

static argand_status read_sequence(scan_reader *reader, const xmlNode *sequence)
{
    argand_scan *scan = &reader->owner->scan;
    const struct {
        const char *name;
        double *value, unit;
    } numbers[] = {{"TR", &scan->repetition_time, 1e-3},
                   {"TI", &scan->inversion_time, 1e-3},
                   {"flipAngle_deg", &scan->flip_angle, 1},
                   {"echo_spacing", &scan->echo_spacing, 1e-3}};
    if (!sequence) return ARGAND_OK;
    TRY(read_echo_times(reader, sequence));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char content[64], *end;
        node_text(content, sizeof content, node_child(sequence, numbers[i].name));
        const double value = plain_number(content, &end);
        if (*content && !*end && isfinite(value))
            *numbers[i].value = value * numbers[i].unit;
        else if (*content) /* images do not need them; philips_to_ismrmrd writes the TR "ETH" */
            scan_note(reader, "The header's %s is \"%s\", not a number: it counts as unknown.",
                      numbers[i].name, content);
    }
    return ARGAND_OK;
}

static argand_status read_system(scan_reader *reader, const xmlNode *system)
{
    char content[NODE_SYSTEM];
    scan_owner *owner = reader->owner;
    node_system(content, system);
    text_add(&owner->system, "%s", content);
    if (system) {
        TRY(node_number(&owner->scan.field_strength, reader, system, "systemFieldStrength_T"));
        TRY(node_number(&owner->scan.noise_bandwidth, reader, system, "relativeReceiverNoiseBandwidth"));
    }
    CHECK(owner->scan.field_strength >= 0, ARGAND_FORMAT,
          "%s: header: systemFieldStrength_T is %g; it must be positive. Correct the header", reader->path,
          owner->scan.field_strength);
    return owner->system.status;
}

static argand_status read_measurement(scan_owner *owner, const xmlNode *measurement)
{
    node_text(owner->patient_position, sizeof owner->patient_position,
              node_child(measurement, "patientPosition"));
    return node_copy_text(&owner->protocol, node_child(measurement, "protocolName"));
}

static argand_status read_document(scan_reader *reader, const xmlNode *root)
{
    TRY(read_encodings(reader, root));
    TRY(read_system(reader, node_child(root, "acquisitionSystemInformation")));
    TRY(read_measurement(reader->owner, node_child(root, "measurementInformation")));
    TRY(scan_read_parameters(reader, node_child(root, "userParameters")));
    return read_sequence(reader, node_child(root, "sequenceParameters"));
}

argand_status scan_parse_header(scan_reader *reader)
{
    xmlDoc *document;
    TRY(node_document(&document, reader->path, &reader->owner->header));
    const argand_status status = read_document(reader, xmlDocGetRootElement(document));
    xmlFreeDoc(document);
    return status;
}

double scan_echo_time(const argand_scan *scan, int contrast)
{
    if (contrast < scan->echo_count) return scan->echo_times[contrast];
    return scan->echo_time;
}
