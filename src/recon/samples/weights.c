/* SPDX-License-Identifier: BSD-3-Clause */
/* Density weights given by the caller or by the scan's array DensityCompensation: checked, and put in the
 * order of a volume's samples in use. */
#include "recon/samples/samples.h"

#include <math.h>
#include <stdio.h>
#include "array/array.h"
#include "base/memory.h"
#include "device/device.h"
#include "recon/maps/maps.h"

static argand_status check_numbers(const double *w, int64_t count, const char *what)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) {
        CHECK(isfinite(w[i]) && w[i] >= 0, ARGAND_ARGUMENT,
              "%s: weight %lld is %g: density weights must be finite and not negative", what, (long long)i,
              w[i]);
        most = fmax(most, w[i]);
    }
    CHECK(most > 0, ARGAND_ARGUMENT, "%s: all %lld weights are 0, so that no sample would count", what,
          (long long)count);
    return ARGAND_OK;
}

/* Notes that all volumes use the same weights although their trajectories differ. Weights of another
 * trajectory of the same length work, but less well. */
static void note_other_trajectories(argand_sense *s, const char *what)
{
    const recon_volume *first = &s->volumes[0];
    for (int v = 1; v < s->volume_count; v++)
        for (int64_t q = 0; q < s->volumes[v].count && q < first->count; q++) {
            const argand_acquisition *a = first->rows[q].acquisition, *b = s->volumes[v].rows[q].acquisition;
            for (int axis = 0; axis < 3; axis++) {
                if (!a->k[axis] || !b->k[axis] || a->samples != b->samples || a->samples < 1) continue;
                const int64_t last = a->samples - 1;
                if (!(fabs((double)a->k[axis][last] - (double)b->k[axis][last]) > 0.5)) continue;
                text_add(&s->notes,
                         "The volumes have different trajectories but share the same weights, %s: --density "
                         "pipe computes weights for each.\n",
                         what);
                return;
            }
        }
}

/* Opens the caller's array, or the scan's array on the host's device. */
static argand_status open_weights(argand_sense *s, const argand_sense_options *given, argand_array **out,
                                  map_title *what)
{
    if (!given->weights && !argand_scan_find(s->scan, "DensityCompensation"))
        return status_set(ARGAND_ARGUMENT, "%s: there is no array DensityCompensation; take --density pipe",
                          s->scan->path);
    const map_request r = {"density weights", given->weights, given->weights ? given->weights_name : NULL,
                           "DensityCompensation"};
    return map_open(s, &r, out, what);
}

argand_status weights_take(argand_sense *s, const argand_sense_options *given)
{
    argand_array *found;
    map_title what;
    argand_status status;
    if (s->options.density != ARGAND_DENSITY_FILE) return ARGAND_OK;
    TRY(open_weights(s, given, &found, &what));
    s->weights_are_given = given->weights != NULL;
    const int64_t count = argand_array_count(found);
    CHECK_OR_DONE(!type_is_complex(argand_array_type(found)), ARGAND_ARGUMENT,
                  "%s: %s are %s; weights are real numbers", s->scan->path, what.chars,
                  argand_type_name(argand_array_type(found)));
    for (int v = 0; v < s->volume_count; v++)
        CHECK_OR_DONE(count == s->volumes[v].samples, ARGAND_ARGUMENT,
                      "%s: %s are %lld numbers, but volume %d has %lld samples: give one for each, sample "
                      "fastest, then shot, or take --density pipe",
                      s->scan->path, what.chars, (long long)count, v, (long long)s->volumes[v].samples);
    TRY_OR_DONE(numbers_of_array(found, &s->weights));
    TRY_OR_DONE(check_numbers(s->weights, count, what.chars));
    if (given->weights) text_add(&s->notes, "The samples are weighted by %s.\n", what.chars);
    note_other_trajectories(s, what.chars);
    status = ARGAND_OK;
done:
    argand_array_destroy(found);
    return status;
}

argand_status weights_of_volume(const argand_sense *s, const recon_volume *v, recon_samples *out)
{
    const recon_choice choice = choice_of(s, v->rows, v->count);
    int64_t at = 0;
    TRY(NEW(out->weights, out->at.count));
    for (int64_t q = 0; q < v->count; q++)
        for (int64_t i = 0; i < v->rows[q].acquisition->samples; i++)
            if (choice_takes(&choice, v->rows[q].acquisition, i))
                out->weights[at++] = s->weights[v->rows[q].offset + i];
    return ARGAND_OK;
}
