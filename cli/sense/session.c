/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a session with the settings of the command line and the files that they name; for job.c and serve. */
#include "sense/inputs.h"

#include <string.h>

argand_status sense_find_options(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                 sense_inputs *in, argand_sense_options *o, report *out)
{
    *o = s->session;
    o->type = s->precision ? ARGAND_C64 : ARGAND_C32;
    if (o->method == ARGAND_METHOD_SOLVE && s->iterations == 0) o->method = ARGAND_METHOD_ADJOINT;
    o->iterations = s->iterations > 0 ? s->iterations : 0;
    o->regularizers = s->regularizers;
    for (int axis = 0; axis < s->matrix.rank; axis++) o->matrix[axis] = s->matrix.n[axis];
    sense_print_notes(out, argand_denoiser_notes(s->opened_denoiser));
    TRY(sense_inputs_find(in, s, device, scan, o, out));
    return sense_places_fit(in, s, device, scan, o, out);
}

argand_status sense_open_session(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                 sense_inputs *in, argand_sense **session, report *out)
{
    argand_sense_options o;
    argand_status status = sense_find_options(s, device, scan, in, &o, out);
    if (status == ARGAND_OK) status = argand_sense_create(session, device, scan, &o);
    sense_inputs_free(in); /* the session has copied the arrays */
    return status;
}

void sense_print_notes(report *out, const char *notes)
{
    while (*notes) {
        const int length = (int)strcspn(notes, "\n");
        if (length) report_note(out, "%.*s", length, notes);
        notes += length + (notes[length] == '\n');
    }
}
