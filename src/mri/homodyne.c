/* SPDX-License-Identifier: BSD-3-Clause */
/* Partial Fourier by homodyne detection (Noll, Nishimura, Macovski, IEEE Trans. Med. Imaging 10:154, 1991):
 * samples without a mirrored partner count twice. After the phase of the symmetric part is removed, the real
 * part is the image: the missing half of k-space is the mirror image of the acquired one. */
#include "mri/host.h"
#include "mri/one_sided.h"

enum { WEIGHT, HANN, WINDOWS };

/* Returns how far k lies on the longer side, in cells. */
static int64_t along(const one_sided *p, int axis, int64_t k)
{
    return p->high[axis] > -p->low[axis] ? k : -k;
}

/* Weights of k and -k have a sum of 2. The first cell of an even axis is its own mirror image. */
static double weight(const one_sided *p, int axis, int64_t k, bool ramp)
{
    const int64_t reach = one_sided_reach(p, axis), at = along(p, axis, k);
    if (one_sided_is_whole(p, axis)) return 1;
    if (!one_sided_is_acquired(p, axis, k)) return 0;
    if (2 * k == -p->n[axis]) return 1;
    if (at > reach) return 2;
    return ramp ? 1 + (double)at / (double)(reach + 1) : 1;
}

static double ramp(const one_sided *p, int axis, int64_t k)
{
    return weight(p, axis, k, true);
}

static double step(const one_sided *p, int axis, int64_t k)
{
    return weight(p, axis, k, false);
}

/* x = p Re(conj(p) x) */
static argand_status keep_phase(argand_array *x, const argand_array *phase, argand_array *real)
{
    TRY(argand_array_multiply(x, phase, x, ARGAND_PRODUCT_CONJ));
    TRY(argand_array_real(real, x));
    return argand_array_multiply(x, real, phase, ARGAND_PRODUCT);
}

static argand_status check(const one_sided *p, argand_homodyne kind)
{
    int count = 0;
    CHECK(kind == ARGAND_HOMODYNE_RAMP || kind == ARGAND_HOMODYNE_STEP, ARGAND_ARGUMENT,
          "homodyne: the weighting %d is not known; give ARGAND_HOMODYNE_RAMP or _STEP", (int)kind);
    for (int axis = 0; axis < p->rank; axis++) count += !one_sided_is_whole(p, axis);
    CHECK(count < 2, ARGAND_UNSUPPORTED,
          "homodyne: k-space is incomplete along %d axes: one half of it is the mirror image of the other, "
          "but a quarter is not of a quarter; use POCS",
          count);
    return ARGAND_OK;
}

argand_status argand_image_homodyne(argand_array *image, const int64_t low[3], const int64_t high[3],
                                    argand_homodyne kind)
{
    one_sided p;
    argand_array *windows[WINDOWS] = {NULL}, *phase = NULL, *real = NULL;
    const one_sided_window functions[] = {kind == ARGAND_HOMODYNE_STEP ? step : ramp, one_sided_hann};
    argand_status status;
    TRY_OR_DONE(one_sided_open(&p, "homodyne", image, low, high));
    TRY_OR_DONE(check(&p, kind));
    const argand_type type = argand_array_type(image);
    argand_device *const device = argand_array_device(image);
    TRY_OR_DONE(one_sided_windows(&p, image, WINDOWS, functions, windows));
    TRY_OR_DONE(argand_array_create(&phase, device, type, p.rank, p.n));
    TRY_OR_DONE(argand_array_create(&real, device, type_of(false, type_is_double(type)), p.rank, p.n));
    TRY_OR_DONE(one_sided_transform(&p, image, ARGAND_FORWARD));
    TRY_OR_DONE(one_sided_phase(&p, phase, image, windows[HANN]));
    TRY_OR_DONE(argand_array_multiply(image, windows[WEIGHT], image, ARGAND_PRODUCT));
    TRY_OR_DONE(one_sided_transform(&p, image, ARGAND_INVERSE));
    status = keep_phase(image, phase, real);
done:
    argand_array_destroy(real);
    argand_array_destroy(phase);
    for (int i = 0; i < WINDOWS; i++) argand_array_destroy(windows[i]);
    one_sided_close(&p);
    return status;
}
