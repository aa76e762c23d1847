/* SPDX-License-Identifier: BSD-3-Clause */
/* The g-factor of a volume by formula: of SENSE from the coil maps, of GRAPPA from the kernel and the
 * combination by coil maps. */
#include <math.h>
#include <stdint.h>
#include "base/memory.h"
#include "mri/host.h"
#include "recon/fill/fill.h"
#include "recon/samples/samples.h"

static argand_status check(const argand_sense *s, int volume, const argand_array *gfactor)
{
    CHECK(s && gfactor, ARGAND_ARGUMENT, "argand_sense_gfactor: a pointer is NULL");
    CHECK(volume >= 0 && volume < s->volume_count, ARGAND_ARGUMENT, "volume %d of %d", volume,
          s->volume_count);
    const argand_sense_options *o = &s->options;
    const char *what = o->method != ARGAND_METHOD_SOLVE         ? "an image without a solver"
                       : o->joint || s->basis                   ? "repetitions that are solved together"
                       : s->bands > 1                           ? "simultaneous slices"
                       : o->sets > 1                            ? "several sets of coil maps"
                       : o->spirit > 0                          ? "SPIRiT"
                       : o->phases != ARGAND_PHASES_NONE        ? "phase maps of shots"
                       : o->partial_fourier > 0 || o->pocs      ? "the completion of partial Fourier"
                       : o->homodyne                            ? "homodyne reconstruction"
                       : o->regularizer_count                   ? "penalties"
                       : s->transform != ARGAND_TRANSFORM_NUFFT ? "a field map"
                       : !s->cartesian                          ? "other than Cartesian scans"
                       : s->comm                                ? "several ranks"
                                                                : NULL;
    CHECK(!what, ARGAND_UNSUPPORTED,
          "%s: the formula for the g-factor is not for %s; --noise-map N of argand sense, by replicas, is",
          s->scan->path, what);
    return ARGAND_OK;
}

/* Takes the line of an acquisition. *complete: all of its samples between the first and the last measured
 * one were measured. Returns false if none was, or the line is no line of the grid. */
static bool take_line(int32_t line[2], const argand_sense *s, const argand_acquisition *a, bool *complete)
{
    int64_t first = -1, last = -1, count = 0;
    for (int64_t i = 0; i < a->samples; i++) {
        if (!argand_sense_is_measured(s, a, i)) continue;
        if (first < 0) first = i;
        last = i;
        count++;
    }
    *complete = count == last - first + (first >= 0);
    for (int d = 0; d < 2 && first >= 0; d++) {
        const double k = a->k[1 + d] ? (double)a->k[1 + d][first] : 0;
        if (!(fabs(k - rint(k)) < 1e-3 && fabs(k) < 1e6)) *complete = false;
        line[d] = *complete ? (int32_t)rint(k) : 0;
    }
    return first >= 0;
}

/* Finds the undersampling of a volume. */
static argand_status find_lattice(fill_lattice *l, const argand_sense *s, const recon_volume *v)
{
    int32_t(*lines)[2];
    int64_t count = 0, calibrating = 0;
    argand_status status;
    TRY(NEW(lines, v->count));
    for (int64_t i = 0; i < v->count; i++) {
        bool complete;
        if (!take_line(lines[count], s, v->rows[i].acquisition, &complete)) continue;
        CHECK_OR_DONE(
            complete, ARGAND_UNSUPPORTED,
            "%s: acquisition %lld is no complete line of the grid, and the formula for the g-factor "
            "needs whole lines; --noise-map N, by replicas, does not",
            s->scan->path, (long long)v->rows[i].acquisition->row);
        calibrating += v->rows[i].calibration;
        count += !v->rows[i].calibration;
    }
    TRY_OR_DONE(fill_lattice_find(l, s->scan->path, (const int32_t(*)[2])lines, count));
    l->others += calibrating;
    status = ARGAND_OK;
done:
    memory_free(lines);
    return status;
}

static argand_status note_lattice(argand_sense *s, const fill_lattice *l, const char *method)
{
    const argand_undersampling *u = &l->u;
    note_once(s, "g-factor: %s by formula, R = %d x %d%s.", method, u->factors[0], u->factors[1],
              u->shift ? " with shifted lines" : "");
    if (l->others)
        note_once(
            s,
            "g-factor: %lld calibration or other lines lie between the lines of this pattern; the formula "
            "does not count them, so that the noise is lower than it says.",
            (long long)l->others);
    return s->notes.status;
}

/* Notes that pixels alias between pixels. */
static void note_between(argand_sense *s, const argand_undersampling *u)
{
    for (int axis = 1; axis < s->grid.rank; axis++) {
        const double step = u->extent[axis] * (double)s->grid.n[axis] / u->factors[axis - 1];
        if (fabs(step - rint(step)) > 1e-6)
            note_once(
                s,
                "g-factor: along %c pixels alias %.6g pixels apart, so that coil maps are interpolated; "
                "single pixels may be off by some percent.",
                "xyz"[axis], step);
    }
}

/* Adds the extents of the encoded field of view. */
static argand_undersampling extended(const argand_sense *s, const fill_lattice *l)
{
    argand_undersampling u = l->u;
    for (int axis = 0; axis < s->grid.rank; axis++) u.extent[axis] = fmax(1, 1 / s->grid.k_scale[axis]);
    return u;
}

static argand_status of_sense(argand_sense *s, int volume, argand_array *gfactor)
{
    fill_lattice l;
    argand_array *maps = NULL;
    argand_status status;
    TRY(find_lattice(&l, s, &s->volumes[volume]));
    TRY(note_lattice(s, &l, "SENSE"));
    const argand_undersampling u = extended(s, &l);
    note_between(s, &u);
    TRY_OR_DONE(argand_sense_coil_maps(s, volume, &maps));
    status = argand_coils_gfactor(gfactor, maps, &u);
done:
    argand_array_destroy(maps);
    return status;
}

/* Makes p_c = sum_v conj(S_v) M_vc / sum |S|^2 {n..., channels} of maps {n..., coils}. */
static void combine(double *p, const double *maps, const double *mix, int64_t pixels, int64_t coils,
                    int64_t channels)
{
    for (int64_t i = 0; i < pixels; i++) {
        double energy = 0;
        for (int64_t v = 0; v < coils; v++) {
            const double *s = maps + 2 * (v * pixels + i);
            energy += s[0] * s[0] + s[1] * s[1];
        }
        for (int64_t c = 0; c < channels && energy > 0; c++)
            for (int64_t v = 0; v < coils; v++) {
                const double *s = maps + 2 * (v * pixels + i), one[2] = {v == c, 0},
                             *m = mix ? mix + 2 * (c * coils + v) : one;
                double *to = p + 2 * (c * pixels + i);
                to[0] += (s[0] * m[0] + s[1] * m[1]) / energy;
                to[1] += (s[0] * m[1] - s[1] * m[0]) / energy;
            }
    }
}

/* Makes the combination of the channels, complex {n..., channels}. */
static argand_status make_combination(argand_array **combination, argand_sense *s, int volume)
{
    argand_array *maps = NULL;
    double *values = NULL, *mix = NULL, *p = NULL;
    const int64_t pixels = s->grid.n[0] * s->grid.n[1] * s->grid.n[2],
                  dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], s->channels};
    argand_status status;
    TRY_OR_DONE(argand_sense_coil_maps(s, volume, &maps));
    TRY_OR_DONE(host_read(&values, maps));
    if (s->mix) TRY_OR_DONE(host_read(&mix, s->mix));
    TRY_OR_DONE(NEW(p, 2 * pixels * s->channels));
    combine(p, values, mix, pixels, s->coils, s->channels);
    TRY_OR_DONE(argand_array_create(combination, argand_array_device(maps), ARGAND_C32, 4, dims));
    status = host_write_complex(*combination, p);
done:
    memory_free(p);
    memory_free(mix);
    memory_free(values);
    argand_array_destroy(maps);
    return status;
}

static argand_status of_grappa(argand_sense *s, int volume, const fill_kernel *kernel,
                               const argand_array *covariance, argand_array *gfactor)
{
    argand_array *combination = NULL;
    argand_status status;
    const argand_undersampling u = extended(s, &kernel->lattice);
    TRY(note_lattice(s, &kernel->lattice, "GRAPPA"));
    TRY_OR_DONE(make_combination(&combination, s, volume));
    status = argand_grappa_gfactor(gfactor, kernel->kernel, combination, covariance, &u);
done:
    argand_array_destroy(combination);
    return status;
}

argand_status argand_sense_gfactor(argand_sense *s, int volume, const argand_fill *fill,
                                   const argand_array *covariance, argand_array *gfactor)
{
    const fill_kernel *kernel = NULL;
    TRY(check(s, volume, gfactor));
    if (fill) TRY(fill_kernel_of(&kernel, fill_kernels_of(fill), &s->volumes[volume].counters));
    return kernel ? of_grappa(s, volume, kernel, covariance, gfactor) : of_sense(s, volume, gfactor);
}
