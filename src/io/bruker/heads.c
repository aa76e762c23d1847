/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes ISMRMRD's heads of the lines of a ParaVision scan: counters, and the places of slices. */
#include <math.h>

#include "base/memory.h"
#include "base/whole.h"
#include "io/bruker/bruker.h"

/* The places of slices, in the order in which they were measured for directions, by slice for offsets. */
typedef struct places {
    double *directions, *slice, *read;
    int64_t direction_count, slice_count, read_count;
    int64_t *order; /* object of each place in the order of measuring */
    double frame[3][3];
} places;

/* ---- directions */

/* Sets the map from the coordinates of gradients to LPS. Up to ParaVision 7 the gradients' matrix is in the
 * patient's frame (right, anterior, head); in ParaVision 360, in that of the magnet. */
static void find_frame(places *p, scan_reader *reader, const bruker_scan *b)
{
    static const struct {
        const char *position;
        signed char map[3][3];
    } positions[] = {{"Head_Supine", {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}},
                     {"Head_Prone", {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}},
                     {"Head_Left", {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}},
                     {"Head_Right", {{0, -1, 0}, {-1, 0, 0}, {0, 0, -1}}},
                     {"Foot_Supine", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                     {"Foot_Prone", {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}},
                     {"Foot_Left", {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}},
                     {"Foot_Right", {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}};
    static const double to_lps[3] = {-1, -1, 1};
    char version[BRUKER_TEXT] = "", position[BRUKER_TEXT] = "";
    bruker_text(version, &b->acqp, "ACQ_sw_version");
    for (int i = 0; i < 3; i++) p->frame[i][i] = to_lps[i];
    if (!strstr(version, "360")) return;
    bruker_text(position, &b->acqp, "ACQ_patient_pos");
    for (size_t n = 0; n < sizeof positions / sizeof *positions; n++)
        if (!strcmp(positions[n].position, position)) {
            for (int i = 0; i < 9; i++)
                p->frame[i / 3][i % 3] = to_lps[i / 3] * positions[n].map[i / 3][i % 3];
            return;
        }
    scan_note(reader,
              "ParaVision: ACQ_patient_pos is \"%.40s\": the magnet's axes are taken as the patient's.",
              position);
}

/* Takes the objects in the order of measuring; each must be there once. `known` has a place for each. */
static argand_status take_order(places *p, const bruker_scan *b, const double *order, bool *known)
{
    for (int64_t i = 0; i < b->objects; i++) {
        const int64_t object = whole(order[i], -1, b->objects);
        CHECK(object >= 0 && object < b->objects && !known[object], ARGAND_FORMAT,
              "%s: ACQ_obj_order has the object %.9g of %lld at place %lld; each from 0 is expected once",
              b->path, order[i], (long long)b->objects, (long long)i + 1);
        known[object] = true;
        p->order[i] = object;
    }
    return ARGAND_OK;
}

static argand_status find_order(places *p, scan_reader *reader, const bruker_scan *b)
{
    double *order = NULL;
    bool *known = NULL;
    TRY(NEW(p->order, b->objects));
    for (int64_t i = 0; i < b->objects; i++) p->order[i] = i;
    argand_status status = NEW(order, b->objects);
    if (status == ARGAND_OK) status = NEW(known, b->objects);
    const int64_t count =
        status == ARGAND_OK ? bruker_numbers(order, b->objects, &b->acqp, "ACQ_obj_order") : 0;
    if (status == ARGAND_OK && count == b->objects)
        status = take_order(p, b, order, known);
    else if (count)
        scan_note(reader,
                  "ParaVision: ACQ_obj_order has %lld of %lld objects: they are taken in the order of the "
                  "data.",
                  (long long)count, (long long)b->objects);
    memory_free(known);
    memory_free(order);
    return status;
}

static argand_status find_places(places *p, scan_reader *reader, const bruker_scan *b)
{
    const int64_t most = b->objects;
    TRY(find_order(p, reader, b));
    TRY(NEW(p->directions, 9 * most));
    TRY(NEW(p->slice, most));
    TRY(NEW(p->read, most));
    p->direction_count = bruker_numbers(p->directions, 9 * most, &b->acqp, "ACQ_grad_matrix") / 9;
    if (b->dimensions == 2 || !b->trajectory)
        p->slice_count = bruker_numbers(p->slice, most, &b->acqp, "ACQ_slice_offset");
    p->read_count = bruker_numbers(p->read, most, &b->acqp, "ACQ_read_offset");
    find_frame(p, reader, b);
    if (!p->direction_count) scan_note(reader, "ParaVision: no ACQ_grad_matrix: images have no orientation.");
    return ARGAND_OK;
}

/* Notes the offsets that shift the field of view, and those that stay in a scan with a trajectory. */
static void note_offset(scan_reader *reader, const bruker_scan *b)
{
    static const char *const names[] = {"ACQ_read_offset", "ACQ_phase1_offset", "ACQ_slice_offset"};
    for (int i = b->trajectory ? 0 : 1; i < b->dimensions; i++) {
        const double offset = bruker_value(&b->acqp, names[i], 0);
        if (offset == 0) continue;
        scan_note(reader,
                  b->trajectory
                      ? "ParaVision: %s is %.6g mm: a scan with a trajectory is not shifted by it, so "
                        "the image is centred where it was measured."
                      : "ParaVision: %s is %.6g mm: k-space gets the phase of this shift, so the image "
                        "shows the planned field of view.",
                  names[i], offset);
    }
}

static double at(const double *values, int64_t count, int64_t i)
{
    const double value = count ? values[i < count ? i : count - 1] : 0;
    return isfinite(value) ? value : 0;
}

double bruker_of_object(const double *values, int64_t count, int64_t object, const bruker_scan *b)
{
    return at(values, count, count == b->objects ? object : object / b->echoes);
}

/* Sets the place of an object. Image axes run against the read and phase gradients, as in ParaVision's own
 * images. */
static void place(ismrmrd_head *head, const places *p, int64_t measured, int64_t object, const bruker_scan *b)
{
    float *const to[3] = {head->read_dir, head->phase_dir, head->slice_dir};
    static const double signs[3] = {-1, -1, 1};
    if (!p->direction_count) return;
    const int64_t last = p->direction_count - 1,
                  n = p->direction_count == b->objects ? measured : measured / b->echoes;
    const double *g = p->directions + 9 * (n < last ? n : last);
    const double offsets[3] = {bruker_of_object(p->read, p->read_count, object, b),
                               bruker_of_object(b->phase_offsets, b->phase_offset_count, object, b),
                               bruker_of_object(p->slice, p->slice_count, object, b)};
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0;
        for (int d = 0; d < 3; d++) {
            double along = 0;
            for (int i = 0; i < 3; i++) along += p->frame[axis][i] * at(g, 9, 3 * d + i);
            to[d][axis] = (float)(signs[d] * b->turned[d] * along);
            sum += along * offsets[d];
        }
        head->position[axis] = (float)sum;
    }
}

/* ---- counters */

static uint16_t step(const double *steps, int64_t count, int64_t centre, int64_t i)
{
    return (uint16_t)whole(count ? steps[i] + (double)centre : (double)i, 0, UINT16_MAX);
}

static void make_head(ismrmrd_head *head, const bruker_scan *b, const places *p, int64_t i, float dwell)
{
    const int64_t echo = i % b->factor, measured = i / b->factor % b->objects,
                  train = i / b->factor / b->objects % b->trains,
                  partition = i / b->factor / b->objects / b->trains % b->partitions,
                  line = echo + b->factor * train, object = p->order[measured];
    *head = (ismrmrd_head){.version = 1,
                           .scan_counter = (uint32_t)i,
                           .number_of_samples = (uint16_t)b->samples,
                           .available_channels = (uint16_t)b->channels,
                           .active_channels = (uint16_t)b->channels,
                           .center_sample = (uint16_t)(b->trajectory ? b->discard_before : b->centre[0]),
                           .trajectory_dimensions = b->trajectory || b->readout ? (uint16_t)b->dimensions : 0,
                           .discard_pre = (uint16_t)b->discard_before,
                           .discard_post = (uint16_t)b->discard_after,
                           .sample_time_us = dwell};
    head->idx.kspace_encode_step_1 = step(b->steps1, b->step1_count, b->centre[1], line);
    head->idx.kspace_encode_step_2 =
        step(b->steps2, b->step2_count, b->centre[2], b->listed && b->dimensions == 3 ? line : partition);
    head->idx.slice = (uint16_t)(object / b->echoes);
    head->idx.contrast = (uint16_t)(object % b->echoes);
    head->idx.repetition = (uint16_t)(i / b->factor / b->objects / b->trains / b->partitions);
    const bool backwards = b->to_and_fro && object % b->echoes % 2;
    if ((b->readout && echo % 2) || backwards) head->flags |= ismrmrd_flag(ISMRMRD_REVERSE);
    if (backwards) head->center_sample = (uint16_t)(b->samples - 1 - b->centre[0]);
    place(head, p, measured, object, b);
}

static argand_status make_heads(scan_reader *reader, const bruker_scan *b, const places *p)
{
    const double width = bruker_value(&b->method, "PVM_EffSWh", bruker_value(&b->acqp, "SW_h", 0));
    const float dwell = width > 1 && isfinite(width) ? (float)(1e6 / width) : 0;
    TRY(NEW(reader->heads, b->count));
    reader->row_count = (hsize_t)b->count;
    for (int64_t i = 0; i < b->count; i++) make_head(&reader->heads[i], b, p, i, dwell);
    return ARGAND_OK;
}

argand_status bruker_make_heads(scan_reader *reader, const bruker_scan *b)
{
    places p = {0};
    argand_status status = find_places(&p, reader, b);
    if (status == ARGAND_OK) status = make_heads(reader, b, &p);
    note_offset(reader, b);
    memory_free(p.order);
    memory_free(p.directions);
    memory_free(p.slice);
    memory_free(p.read);
    return status;
}
