/* SPDX-License-Identifier: BSD-3-Clause */
/* Partial Fourier by projections (Haacke, Lindskog, Lin, J. Magn. Reson. 92:126, 1991): the image gets the
 * phase of its low-resolution part, then k-space gets back the acquired samples, again and again. */
#include "mri/host.h"
#include "mri/one_sided.h"

enum { ACQUIRED, MISSING, HANN, WINDOWS };

typedef struct pocs {
    one_sided at;
    argand_array *kept, *phase, *length; /* acquired k-space; of magnitude 1; real */
    argand_array *windows[WINDOWS];
} pocs;

static double acquired(const one_sided *p, int axis, int64_t k)
{
    return one_sided_is_acquired(p, axis, k);
}

/* Makes the windows: missing is where acquired is 0. */
static argand_status make_windows(pocs *p, const argand_array *image)
{
    static const one_sided_window functions[] = {acquired, acquired, one_sided_hann};
    TRY(one_sided_windows(&p->at, image, WINDOWS, functions, p->windows));
    TRY(argand_array_fill(p->windows[MISSING], (argand_scalar){1, 0}));
    return argand_array_axpby(p->windows[MISSING], (argand_scalar){-1, 0}, p->windows[ACQUIRED],
                              (argand_scalar){1, 0});
}

/* Makes the acquired part of k-space, and the phase of the image at low resolution. */
static argand_status begin(pocs *p, argand_array *x)
{
    TRY(argand_array_copy(p->kept, x));
    TRY(one_sided_transform(&p->at, p->kept, ARGAND_FORWARD));
    TRY(argand_array_multiply(p->kept, p->windows[ACQUIRED], p->kept, ARGAND_PRODUCT));
    TRY(one_sided_phase(&p->at, p->phase, p->kept, p->windows[HANN]));
    TRY(argand_array_copy(x, p->kept));
    return one_sided_transform(&p->at, x, ARGAND_INVERSE);
}

static argand_status step(const pocs *p, argand_array *x)
{
    TRY(argand_array_abs(p->length, x));
    TRY(argand_array_multiply(x, p->length, p->phase, ARGAND_PRODUCT));
    TRY(one_sided_transform(&p->at, x, ARGAND_FORWARD));
    TRY(argand_array_multiply(x, p->windows[MISSING], x, ARGAND_PRODUCT));
    TRY(argand_array_axpby(x, (argand_scalar){1, 0}, p->kept, (argand_scalar){1, 0}));
    return one_sided_transform(&p->at, x, ARGAND_INVERSE);
}

static argand_status prepare(pocs *p, const argand_array *image)
{
    argand_device *const device = argand_array_device(image);
    const argand_type type = argand_array_type(image), real = type_of(false, type_is_double(type));
    TRY(argand_array_create(&p->kept, device, type, p->at.rank, p->at.n));
    TRY(argand_array_create(&p->phase, device, type, p->at.rank, p->at.n));
    TRY(argand_array_create(&p->length, device, real, p->at.rank, p->at.n));
    return make_windows(p, image);
}

argand_status argand_image_pocs(argand_array *image, const int64_t low[3], const int64_t high[3],
                                int iterations)
{
    pocs p = {0};
    argand_status status;
    CHECK(iterations >= 0, ARGAND_ARGUMENT, "POCS: %d iterations; give 0 or more", iterations);
    TRY_OR_DONE(one_sided_open(&p.at, "POCS", image, low, high));
    TRY_OR_DONE(prepare(&p, image));
    TRY_OR_DONE(begin(&p, image));
    for (int i = 0; i < iterations; i++) TRY_OR_DONE(step(&p, image));
    status = ARGAND_OK;
done:
    argand_array_destroy(p.kept);
    argand_array_destroy(p.phase);
    argand_array_destroy(p.length);
    for (int i = 0; i < WINDOWS; i++) argand_array_destroy(p.windows[i]);
    one_sided_close(&p.at);
    return status;
}
