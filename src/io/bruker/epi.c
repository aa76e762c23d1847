/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds how EPI lies in the data of a ParaVision scan. A block of the data is a shot: samples before the
 * first line (a navigator, the prephasing), then the lines of the train, every second one read backwards. The
 * positions of samples along the readout are those that ParaVision measured, else those under the trapezoid
 * of the method's parameters (PVM_Epi...). */
#include <math.h>

#include "base/memory.h"
#include "base/size.h"
#include "base/whole.h"
#include "io/bruker/bruker.h"

enum { MOST_SAMPLES = 2048, MOST_LINES = 1024 };

static argand_status take_number(int64_t *number, const bruker_scan *b, const char *name, int64_t most)
{
    const double value = bruker_value(&b->method, name, 0);
    CHECK(value >= 1 && value <= (double)most && value == floor(value), ARGAND_UNSUPPORTED,
          "%s: %s is %.9g; a whole number from 1 to %lld is expected for EPI", b->path, name, value,
          (long long)most);
    *number = (int64_t)value;
    return ARGAND_OK;
}

/* Takes the positions that ParaVision measured; false: there are none of this readout. */
static bool measured(double *k, const bruker_scan *b)
{
    const double view = bruker_value(&b->method, "PVM_EpiTrajAdjFov0", 0);
    double own = 0;
    bruker_numbers(&own, 1, &b->method, "PVM_Fov");
    const int64_t count = bruker_numbers(k, b->samples, &b->method, "PVM_EpiTrajAdjkx");
    if (count != b->samples || !(view > 0 && own > 0)) return false;
    for (int64_t i = 0; i < count; i++) k[i] *= own / view;
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(k[i]) <= MOST_SAMPLES)) return false;
    return true;
}

/* Computes positions under a trapezoid that begins with the first sample. One sample on its flat top is one
 * cycle in the field of view. */
static void computed(double *k, const bruker_scan *b)
{
    const double ramp = bruker_value(&b->method, "PVM_EpiRampTime", 0),
                 flat = bruker_value(&b->method, "PVM_EpiPlateau", 0),
                 spacing = bruker_value(&b->method, "PVM_EpiEchoSpacing", 0);
    const bool known = ramp > 0 && flat > 0 && spacing > 0;
    const double dwell = known ? spacing / (double)b->samples : 1;
    for (int64_t i = 0; i < b->samples; i++) {
        const double t = (double)i * dwell, end = ramp + flat, late = t - end;
        if (!known)
            k[i] = t;
        else if (t < ramp)
            k[i] = t * t / (2 * ramp) / dwell;
        else
            k[i] = (ramp / 2 + (t < end ? t - ramp : flat + late - late * late / (2 * ramp))) / dwell;
    }
}

/* Sets positions from the middle of the line's extent, with which the prephasing begins. */
static argand_status centre(bruker_scan *b, const double *k)
{
    double most = k[0];
    for (int64_t i = 0; i < b->samples; i++) most = k[i] > most ? k[i] : most;
    CHECK(most > 0, ARGAND_FORMAT, "%s: PVM_EpiTrajAdjkx reaches %.9g; a line begins at 0 and rises", b->path,
          most);
    b->reach = 2 * (int64_t)ceil(most / 2);
    b->readout_centre = 0;
    for (int64_t i = 0; i < b->samples; i++) {
        b->readout[i] = (float)(k[i] - most / 2);
        if (fabsf(b->readout[i]) < fabsf(b->readout[b->readout_centre])) b->readout_centre = i;
    }
    return ARGAND_OK;
}

/* Leaves out the samples at the ends that do not move on, so that positions rise from sample to sample. */
static argand_status rising(bruker_scan *b, const double *k)
{
    int64_t first = 0, end = b->samples;
    while (first + 1 < end && !(k[first + 1] > k[first])) first++;
    for (int64_t i = first + 1; i < end; i++)
        if (!(k[i] > k[i - 1])) end = i;
    CHECK(2 * (end - first) > b->samples, ARGAND_FORMAT,
          "%s: PVM_EpiTrajAdjkx does not rise from sample %lld on", b->path, (long long)end);
    b->discard_before = first;
    b->discard_after = b->samples - end;
    return ARGAND_OK;
}

static argand_status find_readout(scan_reader *reader, bruker_scan *b)
{
    double *k;
    TRY(NEW(b->readout, b->samples));
    TRY(NEW(k, b->samples));
    if (!measured(k, b)) {
        computed(k, b);
        scan_note(reader,
                  "ParaVision: no positions of EPI's samples were measured (PVM_EpiTrajAdjkx): they are "
                  "computed from the trapezoid of the gradient.");
    }
    argand_status status = rising(b, k);
    if (status == ARGAND_OK) status = centre(b, k);
    memory_free(k);
    return status;
}

argand_status bruker_find_epi(scan_reader *reader, bruker_scan *b)
{
    char program[BRUKER_TEXT] = "";
    bruker_text(program, &b->acqp, "PULPROG");
    if (b->trajectory || (!strstr(program, "EPI.") && !strstr(program, "Epi."))) return ARGAND_OK;
    CHECK(bruker_value(&b->acqp, "ACQ_dim", 0) == 2, ARGAND_UNSUPPORTED,
          "%s: ACQ_dim is %.9g: EPI is read of slices (2), not of volumes. Convert the scan to ISMRMRD",
          b->path, bruker_value(&b->acqp, "ACQ_dim", 0));
    b->shot_samples = b->samples;
    TRY(take_number(&b->shot_lines, b, "PVM_EpiNEchoes", MOST_LINES));
    TRY(take_number(&b->samples, b, "PVM_EpiMatrix", MOST_SAMPLES));
    b->shot_first = b->shot_samples - b->shot_lines * b->samples;
    CHECK(
        b->shot_first >= 0, ARGAND_FORMAT,
        "%s: a shot has %lld samples, fewer than %lld lines of %lld samples (PVM_EpiNEchoes, PVM_EpiMatrix)",
        b->path, (long long)b->shot_samples, (long long)b->shot_lines, (long long)b->samples);
    if (b->shot_first)
        scan_note(
            reader,
            "ParaVision: %lld samples before the first line of each shot (a navigator and the prephasing) "
            "are left out.",
            (long long)b->shot_first);
    return find_readout(reader, b);
}
