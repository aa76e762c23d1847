/* SPDX-License-Identifier: BSD-3-Clause */
/* Difference between forward and reversed readout lines of an EPI train, a shift of the echo and a
 * constant phase, from lines without phase encoding (Ahn and Cho, IEEE Trans. Med. Imaging 6:32, 1987).
 * Constant and slope are estimated by correlation, then by weighted least squares. */
#include "calib/calib.h"

#include <complex.h>
#include <math.h>
#include "base/pi.h"
#include "fft/plan/waiting.h"
#include "mri/host.h"

enum { REFINEMENTS = 5 };

/* Checks that the array is {samples, lines, coils} with one flag per line. */
static argand_status check_lines(const argand_array *lines, const bool *reversed, const char *what)
{
    CHECK(reversed, ARGAND_ARGUMENT, "%s: it must be said which lines are reversed", what);
    CHECK((argand_array_rank(lines) == 2 || argand_array_rank(lines) == 3) &&
              type_is_complex(argand_array_type(lines)) && argand_array_dim(lines, 0) >= 4,
          ARGAND_ARGUMENT,
          "%s: lines of rank %d, %s; they must be complex {samples, lines[, coils]}, 4 samples or more", what,
          argand_array_rank(lines), argand_type_name(argand_array_type(lines)));
    return calib_check_finite(lines, what);
}

/* Copies the lines to double precision and transforms them to the image along the readout. */
static argand_status to_hybrid(argand_array **hybrid, const argand_array *lines)
{
    argand_fft *plan = NULL;
    const int64_t dims[3] = {argand_array_dim(lines, 0), argand_array_dim(lines, 1),
                             argand_array_dim(lines, 2)};
    const argand_fft_options options = {.type = argand_array_type(lines),
                                        .rank = 1,
                                        .n = {dims[0]},
                                        .batch = dims[1] * dims[2],
                                        .centred = true,
                                        .scale = ARGAND_SCALE_INVERSE};
    argand_status status;
    TRY_OR_DONE(argand_array_create(hybrid, argand_array_device(lines), options.type,
                                    argand_array_rank(lines), dims));
    TRY_OR_DONE(argand_array_copy(*hybrid, lines));
    TRY_OR_DONE(fft_create_waiting(&plan, argand_array_device(lines), &options));
    status = argand_fft_apply(plan, *hybrid, *hybrid, ARGAND_INVERSE);
done:
    argand_fft_destroy(plan);
    return status;
}

/* Lines of all coils in image space. */
typedef struct train {
    int64_t n, lines, coils;
    const double complex *values;
    const bool *reversed;
} train;

/* Adds conj(forward) reversed, summed over coils, to product(x). */
static void add_pair(const train *t, int64_t forward, int64_t back, double complex *product)
{
    for (int64_t c = 0; c < t->coils; c++) {
        const double complex *f = t->values + (c * t->lines + forward) * t->n,
                             *b = t->values + (c * t->lines + back) * t->n;
        for (int64_t x = 0; x < t->n; x++) product[x] += conj(f[x]) * b[x];
    }
}

/* Correlates reversed lines that have a forward line on either side, in which a drift of the phase
 * cancels. If there are none, uses the first forward and reversed neighbours. Returns the number of pairs. */
static int64_t correlate(const train *t, double complex *product)
{
    int64_t pairs = 0;
    for (int64_t l = 1; l + 1 < t->lines; l++)
        if (t->reversed[l] && !t->reversed[l - 1] && !t->reversed[l + 1]) {
            add_pair(t, l - 1, l, product);
            add_pair(t, l + 1, l, product);
            pairs += 2;
        }
    for (int64_t l = 0; l + 1 < t->lines && pairs == 0; l++)
        if (t->reversed[l] != t->reversed[l + 1]) {
            add_pair(t, t->reversed[l] ? l + 1 : l, t->reversed[l] ? l : l + 1, product);
            pairs = 1;
        }
    return pairs;
}

/* Fits a straight line to the remaining phases, weighted by the product's magnitude, and adds it to the
 * estimate. */
static void refine(const double complex *product, int64_t n, argand_epi_phase *phase)
{
    double s = 0, sr = 0, srr = 0, sp = 0, srp = 0;
    for (int64_t x = 0; x < n; x++) {
        const double r = pixel_centre(x, n), weight = cabs(product[x]);
        const double left = carg(product[x] * cexp(-I * (phase->constant + TWO_PI * phase->shift * r)));
        s += weight;
        sr += weight * r;
        srr += weight * r * r;
        sp += weight * left;
        srp += weight * r * left;
    }
    const double det = s * srr - sr * sr;
    if (!(det > 1e-12 * s * s)) return; /* signal at one position only does not determine a slope */
    phase->constant += (srr * sp - sr * srp) / det;
    phase->shift += (s * srp - sr * sp) / det / TWO_PI;
}

static argand_status fit(const double complex *product, int64_t n, argand_epi_phase *phase)
{
    double complex step = 0, sum = 0;
    double energy = 0;
    for (int64_t x = 0; x + 1 < n; x++) step += conj(product[x]) * product[x + 1];
    for (int64_t x = 0; x < n; x++) energy += cabs(product[x]);
    CHECK(energy > 0, ARGAND_NUMERIC, "EPI phase: the lines hold no signal");
    phase->shift = carg(step) * (double)n / TWO_PI;
    for (int64_t x = 0; x < n; x++) sum += product[x] * cexp(-I * TWO_PI * phase->shift * pixel_centre(x, n));
    phase->constant = carg(sum);
    for (int k = 0; k < REFINEMENTS; k++) refine(product, n, phase);
    phase->constant -= TWO_PI * rint(phase->constant / TWO_PI);
    return ARGAND_OK;
}

argand_status argand_epi_phase_estimate(argand_epi_phase *phase, const argand_array *lines,
                                        const bool *reversed)
{
    argand_array *hybrid = NULL;
    double *values = NULL;
    double complex *product = NULL;
    argand_status status;
    CHECK(phase, ARGAND_ARGUMENT, "EPI phase: nowhere to put the result");
    CHECK_ARRAY(lines);
    TRY(check_lines(lines, reversed, "EPI phase"));
    TRY_OR_DONE(to_hybrid(&hybrid, lines));
    TRY_OR_DONE(host_read(&values, hybrid));
    const train t = {argand_array_dim(lines, 0), argand_array_dim(lines, 1), argand_array_dim(lines, 2),
                     (const double complex *)values, reversed};
    TRY_OR_DONE(NEW(product, t.n));
    CHECK_OR_DONE(correlate(&t, product) > 0, ARGAND_ARGUMENT,
                  "EPI phase: no forward line next to a reversed one among %lld lines", (long long)t.lines);
    status = fit(product, t.n, phase);
done:
    memory_free(product);
    memory_free(values);
    argand_array_destroy(hybrid);
    return status;
}

argand_status argand_epi_phase_correct(argand_array *lines, const bool *reversed,
                                       const argand_epi_phase *phase)
{
    argand_array *hybrid = NULL;
    argand_fft *plan = NULL;
    double *values = NULL;
    argand_status status;
    CHECK_ARRAY(lines);
    TRY(check_lines(lines, reversed, "EPI correction"));
    CHECK(phase && isfinite(phase->constant) && isfinite(phase->shift), ARGAND_ARGUMENT,
          "EPI correction: the phase is missing or not finite");
    const int64_t n = argand_array_dim(lines, 0), count = argand_array_dim(lines, 1),
                  all = count * argand_array_dim(lines, 2);
    TRY_OR_DONE(to_hybrid(&hybrid, lines));
    TRY_OR_DONE(host_read(&values, hybrid));
    double complex *const v = (double complex *)values;
    for (int64_t l = 0; l < all; l++)
        for (int64_t x = 0; x < n && reversed[l % count]; x++)
            v[l * n + x] *= cexp(-I * (phase->constant + TWO_PI * phase->shift * pixel_centre(x, n)));
    TRY_OR_DONE(host_write_complex(hybrid, values));
    TRY_OR_DONE(fft_create_waiting(&plan, argand_array_device(lines),
                                   &(argand_fft_options){.type = argand_array_type(lines),
                                                         .rank = 1,
                                                         .n = {n},
                                                         .batch = all,
                                                         .centred = true,
                                                         .scale = ARGAND_SCALE_INVERSE}));
    TRY_OR_DONE(argand_fft_apply(plan, hybrid, hybrid, ARGAND_FORWARD));
    status = argand_array_copy(lines, hybrid);
done:
    argand_fft_destroy(plan);
    memory_free(values);
    argand_array_destroy(hybrid);
    return status;
}
