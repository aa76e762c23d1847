/* SPDX-License-Identifier: BSD-3-Clause */
/* What is particular to scans of Siemens scanners, whether siemens_to_ismrmrd wrote the file or a raw file is
 * read. idx.user[5] and [6] of an acquisition are the line and the partition in the centre of k-space. */
#include <strings.h>

#include "io/ismrmrd/scan.h"

bool scan_is_siemens(const char *system)
{
    return system && !strncasecmp(system, "siemens", 7);
}

/* ---- which acquisitions */

static bool is_image(const scan_reader *reader, const scan_piece *p, int encoding)
{
    return !p->dropped && p->purpose == SCAN_IMAGE && scan_head(reader, p)->encoding_space_ref == encoding;
}

/* Range of a number in the image data of an encoding whose k the file lacks; lowest above highest: none. */
typedef struct range {
    int lowest, highest;
} range;

static range range_of(const scan_reader *reader, int encoding, size_t member)
{
    range found = {65536, -1};
    for (int64_t i = 0; i < reader->count; i++) {
        const ismrmrd_head *head = scan_head(reader, &reader->pieces[i]);
        uint16_t value;
        if (!is_image(reader, &reader->pieces[i], encoding)) continue;
        if (head->trajectory_dimensions) return (range){0, -1};
        memcpy(&value, (const char *)&head->idx + member, sizeof value);
        if (value < found.lowest) found.lowest = value;
        if (value > found.highest) found.highest = value;
    }
    return found;
}

/* ---- a volume of one partition */

/* The transform along z has at least two points if a sequence is a volume by its protocol, as all are that
 * Pulseq's interpreter plays. */
static void flatten(scan_reader *reader, int encoding)
{
    argand_encoding *e = &reader->owner->encodings[encoding];
    const range steps = range_of(reader, encoding, offsetof(ismrmrd_counters, kspace_encode_step_2));
    if (e->matrix[2] != 2 || e->recon_matrix[2] > 1 || e->bands.count > 1) return;
    if (steps.highest < 0 || steps.lowest != steps.highest) return;
    e->matrix[2] = e->recon_matrix[2] = 1;
    if (e->recon_field_of_view[2] > 0) e->field_of_view[2] = e->recon_field_of_view[2];
    e->step2_centre = e->limits.partition.centre = steps.lowest;
    scan_note(
        reader,
        "Siemens: encoding %d has 2 partitions by its header, but one was measured and the image asks for "
        "one: it is a slice.",
        encoding);
}

/* ---- centres of k-space */

/* Takes a centre that all acquisitions agree on, if the header has another one. Its parameter maps compute
 * the centre without knowing which side of k-space partial Fourier leaves out. */
static void take_centre(scan_reader *reader, int encoding, int axis)
{
    static const char *const names[] = {"line", "partition"};
    argand_encoding *e = &reader->owner->encodings[encoding];
    int *centre = axis ? &e->step2_centre : &e->step1_centre;
    const size_t user = offsetof(ismrmrd_counters, user), size = sizeof(uint16_t);
    const range said = range_of(reader, encoding, user + (size_t)(5 + axis) * size),
                steps = range_of(reader, encoding,
                                 axis ? offsetof(ismrmrd_counters, kspace_encode_step_2)
                                      : offsetof(ismrmrd_counters, kspace_encode_step_1));
    if (said.lowest != said.highest || said.lowest <= 0 || said.lowest == *centre) return;
    if (said.lowest < steps.lowest || said.lowest > steps.highest) return;
    if (*centre >= 0)
        scan_note(
            reader,
            "Siemens: encoding %d: the centre of k-space is %s %d, as the acquisitions say (idx.user[%d]); "
            "the header says %d.",
            encoding, names[axis], said.lowest, 5 + axis, *centre);
    *centre = said.lowest;
    *(axis ? &e->limits.partition.centre : &e->limits.shot.centre) = said.lowest;
}

/* ---- directions */

static void negate(float direction[3])
{
    for (int i = 0; i < 3; i++) direction[i] = -direction[i];
}

/* Directions of Siemens's product sequences are those of images by the forward Fourier transform: mrpro
 * (pull request 833), Siemens's server for FIRE, and RecoTwix turn their images, too. Whoever stores k has
 * chosen its sign, and the interpreter of Pulseq has its own signs of the gradients: a head was upright. */
static void turn(scan_reader *reader)
{
    scan_owner *owner = reader->owner;
    const bool product = !reader->is_pulseq && !(owner->protocol && strcasestr(owner->protocol, "pulseq")),
               counted = !scan_head(reader, reader->first)->trajectory_dimensions;
    const float *read = scan_head(reader, reader->first)->read_dir;
    if (!product || !counted || reader->options.no_trajectory) return;
    if (read[0] == 0 && read[1] == 0 && read[2] == 0) return; /* fastMRI: there are no directions */
    for (int64_t i = 0; i < reader->count; i++) {
        argand_acquisition *a = reader->pieces[i].acquisition;
        const argand_encoding *e = &owner->encodings[a->encoding];
        if (reader->pieces[i].dropped) continue;
        negate(a->read_dir);
        negate(a->phase_dir);
        if (e->matrix[2] > 1 && e->bands.count <= 1) negate(a->slice_dir);
    }
    scan_note(
        reader,
        "Siemens: images run against the directions of the acquisitions, as the scanner's own images do; "
        "their places in the patient take account of this.");
}

void scan_adapt_siemens(scan_reader *reader)
{
    if (!scan_is_siemens(text_chars(&reader->owner->system))) return;
    for (int e = 0; e < reader->owner->scan.encoding_count; e++) {
        flatten(reader, e);
        for (int axis = 0; axis < 2 && scan_is_cartesian(&reader->owner->encodings[e]); axis++)
            take_centre(reader, e, axis);
    }
    turn(reader);
}
