/* SPDX-License-Identifier: BSD-3-Clause */
/* Zeros at the ends of Cartesian readouts: an asymmetric echo that a scanner or a converter has filled up to
 * the matrix. Samples that are exactly 0 in all channels, in the same place of all readouts, were not
 * measured; as samples they would pull the image to that of a filter. */
#include "recon/samples/samples.h"

static bool is_zero(const argand_acquisition *a, int64_t i)
{
    for (int c = 0; c < a->channels; c++) {
        const float *at = a->data + 2 * (i + a->samples * c);
        if (at[0] != 0 || at[1] != 0) return false;
    }
    return true;
}

/* Fewer than so far, where this readout has fewer. One that is all zeros says nothing. */
static void narrow(argand_sense *s, const argand_acquisition *a)
{
    int64_t first = 0, last = 0;
    while (first < a->samples && is_zero(a, first)) first++;
    if (first == a->samples) return;
    while (is_zero(a, a->samples - 1 - last)) last++;
    if (!s->zeros.samples) s->zeros = (recon_zeros){a->samples, a->samples, a->samples};
    const bool same = a->samples == s->zeros.samples;
    if (!same || first < s->zeros.first) s->zeros.first = same ? first : 0;
    if (!same || last < s->zeros.last) s->zeros.last = same ? last : 0;
}

void zeros_find(argand_sense *s, int64_t rows)
{
    s->zeros = (recon_zeros){0};
    if (!encoding_is_cartesian(s->encoding)) return;
    for (int64_t i = 0; i < rows; i++)
        if (!s->rows[i].calibration) narrow(s, s->rows[i].acquisition);
    const recon_zeros *z = &s->zeros;
    const char *const more =
        s->options.partial_fourier > 0 ? "" : " --partial-fourier 0.3 fills in the rest.";
    for (int end = 0; end < 2; end++)
        if (end ? z->last : z->first)
            note_once(s,
                      "The %s %lld of %lld samples of every readout are 0 in all channels, an echo that was "
                      "filled up with zeros: they count as not measured.%s",
                      end ? "last" : "first", (long long)(end ? z->last : z->first), (long long)z->samples,
                      more);
}

bool zeros_hold(const argand_sense *s, const argand_acquisition *a, int64_t i)
{
    const recon_zeros *z = &s->zeros;
    return z->samples && a->samples == z->samples && a->encoding == s->options.encoding &&
           (i < z->first || i >= z->samples - z->last);
}
