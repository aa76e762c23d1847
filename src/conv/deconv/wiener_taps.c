/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the taps of Wiener's filter, for images that are processed tile by tile. The filter is computed
 * in double precision with a period of a few kernel lengths. Its taps decay exponentially. If significant
 * taps come near the ends of the period, the period grows, at most to the period for a whole image
 * (axis.c). */
#include "conv/deconv/deconv.h"

#include <math.h>
#include "base/memory.h"
#include "fft/plan/waiting.h"

typedef struct filter {
    argand_conv *blur;
    argand_device *host;
    double noise;
    int64_t period[3], most[3]; /* points along each axis; those for a whole image */
    int64_t low[3], high[3];    /* offsets of the significant taps */
    double bytes;               /* largest memory in use */
    argand_array *taps;         /* {period..., channels}; offset 0 comes first, negative offsets at the end */
} filter;

/* Returns the share of the filter's power that may be left out: less than the rounding errors of the rest. */
static double share_left_out(const filter *f)
{
    return type_is_double(f->blur->options.type) ? 1e-28 : 1e-16;
}

static bool is_real(const filter *f)
{
    return !type_is_complex(f->blur->options.type);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t fast(const filter *f, int64_t points, int d)
{
    const int64_t size = argand_fft_fast_size(f->host, points, d == 0 && is_real(f));
    return size ? size : INT64_MAX;
}

/* ---- one period ---- */

static double bytes_of(const filter *f, const int64_t *n, double each)
{
    double bytes = (is_real(f) ? each : 2 * each) * (double)f->blur->options.kernel_channels;
    for (int d = 0; d < 3; d++) bytes *= (double)n[d];
    return bytes;
}

/* Fails if an array of n[] elements exceeds the limit of memory. each: bytes of a real element. are_taps:
 * n[] counts final taps; otherwise points of the transform from which the taps are computed. */
static argand_status check_memory(filter *f, const int64_t *n, double each, bool are_taps)
{
    const double most = (double)f->blur->options.memory, bytes = bytes_of(f, n, each);
    const int rank = f->blur->options.rank;
    char size[64], whole[64];
    dims_print(size, sizeof size, rank, n);
    dims_print(whole, sizeof whole, rank, f->most);
    f->bytes = fmax(f->bytes, bytes);
    if (most <= 0 || bytes <= most) return ARGAND_OK;
    CHECK(!are_taps, ARGAND_MEMORY,
          "argand_deconv: Wiener's filter of this kernel with noise %g has %s taps, which take %.3g bytes; "
          "the limit is %.3g: give more memory, more noise or a smaller kernel",
          f->noise, size, bytes, most);
    return status_set(ARGAND_MEMORY,
                      "argand_deconv: Wiener's filter of this kernel with noise %g is made from %s points or "
                      "more, which take %.3g bytes, up to %s of this image, %.3g bytes; the limit is %.3g: "
                      "give more memory, more noise or a smaller kernel",
                      f->noise, size, bytes, whole, bytes_of(f, f->most, each), most);
}

static argand_status transform(argand_array *out, const argand_array *in, const filter *f,
                               argand_direction direction)
{
    const argand_conv *c = f->blur;
    argand_fft *fft;
    argand_fft_options o = {.type = is_real(f) ? ARGAND_R64 : ARGAND_C64,
                            .rank = c->options.rank,
                            .batch = c->options.kernel_channels,
                            .scale = ARGAND_SCALE_INVERSE};
    for (int d = 0; d < o.rank; d++) {
        const conv_axis *a = &c->axis[d];
        o.n[d] = f->period[d];
        if (direction == ARGAND_FORWARD)
            o.input.window[d] =
                (argand_window){a->fold_high - a->fold_low + 1, a->fold_low, ARGAND_BORDER_ZERO};
    }
    TRY(fft_create_waiting(&fft, f->host, &o));
    const argand_status status = argand_fft_apply(fft, out, in, direction);
    argand_fft_destroy(fft);
    return status == ARGAND_OK ? argand_device_wait(f->host) : status;
}

static argand_status make_spectrum(argand_array **spectrum, const filter *f)
{
    argand_array *folded;
    const int rank = f->blur->options.rank;
    int64_t dims[4];
    for (int d = 0; d < rank; d++) dims[d] = f->period[d];
    if (is_real(f)) dims[0] = dims[0] / 2 + 1;
    dims[rank] = f->blur->options.kernel_channels;
    TRY(conv_folded(&folded, f->blur, f->host, is_real(f) ? ARGAND_R64 : ARGAND_C64));
    argand_status status = argand_array_create(spectrum, f->host, ARGAND_C64, rank + 1, dims);
    if (status == ARGAND_OK) status = transform(*spectrum, folded, f, ARGAND_FORWARD);
    argand_array_destroy(folded);
    return status;
}

/* Computes the taps with the current period. */
static argand_status make_period(filter *f)
{
    argand_array *spectrum = NULL;
    const int rank = f->blur->options.rank;
    int64_t dims[4];
    for (int d = 0; d < rank; d++) dims[d] = f->period[d];
    dims[rank] = f->blur->options.kernel_channels;
    TRY(check_memory(f, f->period, 24, false)); /* spectrum, taps, one array of the transform */
    argand_status status = make_spectrum(&spectrum, f);
    if (status == ARGAND_OK)
        status = wiener_spectrum(argand_array_data(spectrum), ARGAND_C64, argand_array_count(spectrum),
                                 &f->blur->taps, f->noise);
    if (status == ARGAND_OK)
        status = argand_array_create(&f->taps, f->host, is_real(f) ? ARGAND_R64 : ARGAND_C64, rank + 1, dims);
    if (status == ARGAND_OK) status = transform(f->taps, spectrum, f, ARGAND_INVERSE);
    argand_array_destroy(spectrum);
    return status;
}

/* ---- how far it reaches ---- */

/* Sums the power of one channel's taps at each position of axis d into sums[d]; returns the total. */
static double add_powers(double *const sums[3], const filter *f, int64_t channel)
{
    const int64_t *n = f->period, count = n[0] * n[1] * n[2];
    const int parts = is_real(f) ? 1 : 2;
    const double *at = (const double *)argand_array_data(f->taps) + channel * count * parts;
    double total = 0;
    for (int d = 0; d < 3; d++)
        for (int64_t i = 0; i < n[d]; i++) sums[d][i] = 0;
    for (int64_t z = 0; z < n[2]; z++)
        for (int64_t y = 0; y < n[1]; y++) {
            double row = 0;
            for (int64_t x = 0; x < n[0]; x++, at += parts) {
                const double power = at[0] * at[0] + (parts == 2 ? at[1] * at[1] : 0);
                sums[0][x] += power;
                row += power;
            }
            sums[1][y] += row;
            sums[2][z] += row;
            total += row;
        }
    return total;
}

/* Returns the offset, counted from one end of the period, where the summed power first exceeds `most`. */
static int64_t reach(const double *sums, int64_t n, bool from_high, double most)
{
    const int64_t last = (n - 1) / 2, first = last - n + 1;
    double power = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t offset = from_high ? last - i : first + i;
        power += sums[offset < 0 ? offset + n : offset];
        if (power > most) return offset;
    }
    return 0;
}

/* Finds the range of offsets with significant taps in any channel. The range always includes offset 0, the
 * centre. */
static argand_status find_reach(filter *f)
{
    double *sums[3];
    const int64_t *n = f->period;
    TRY(NEW(sums[0], n[0] + n[1] + n[2]));
    sums[1] = sums[0] + n[0];
    sums[2] = sums[1] + n[1];
    for (int d = 0; d < 3; d++) f->low[d] = f->high[d] = 0;
    for (int64_t channel = 0; channel < f->blur->options.kernel_channels; channel++) {
        const double total = add_powers(sums, f, channel),
                     most = share_left_out(f) * total / (2 * f->blur->options.rank);
        for (int d = 0; d < 3; d++) {
            f->low[d] = least(f->low[d], reach(sums[d], n[d], false, most));
            f->high[d] = -least(-f->high[d], -reach(sums[d], n[d], true, most));
        }
    }
    memory_free(sums[0]);
    return ARGAND_OK;
}

/* Enlarges the period of axes whose significant taps come near its ends; returns true if any axis grew. */
static bool grow(filter *f)
{
    bool grown = false;
    for (int d = 0; d < 3; d++) {
        const int64_t n = f->period[d], near = 3 * (n / 8);
        if (n >= f->most[d] || (f->low[d] >= -near && f->high[d] <= near)) continue;
        f->period[d] = least(f->most[d], fast(f, n + n / 2, d));
        grown = true;
    }
    return grown;
}

static argand_status begin(filter *f)
{
    for (int d = 0; d < 3; d++) {
        conv_axis *a = &f->blur->axis[d];
        a->is_filter = true;
        conv_axis_reach(a);
        /* the number that the blur's device chooses for a whole image */
        TRY(conv_axis_points(a, f->blur->device, false, d == 0 && is_real(f)));
        f->most[d] = a->k == 1 ? 1 : a->points;
        f->period[d] = a->k == 1 ? 1 : least(a->points, fast(f, 4 * a->k, d));
    }
    return ARGAND_OK;
}

static argand_status find(filter *f)
{
    TRY(begin(f));
    do {
        argand_array_destroy(f->taps);
        f->taps = NULL;
        TRY(make_period(f));
        TRY(find_reach(f));
    } while (grow(f));
    return ARGAND_OK;
}

/* ---- the kernel ---- */

static void copy_taps(void *numbers, const filter *f, const int64_t *count)
{
    const argand_conv_options *o = &f->blur->options;
    const int64_t *n = f->period, all = count[0] * count[1] * count[2], channels = o->kernel_channels;
    const double *taps = argand_array_data(f->taps);
    const int parts = is_real(f) ? 1 : 2;
    for (int64_t i = 0; i < all * channels; i++) {
        int64_t rest = i % all, at = i / all;
        int64_t place[3];
        for (int d = 0; d < 3; rest /= count[d++]) place[d] = (rest % count[d] + f->low[d] + n[d]) % n[d];
        for (int d = 2; d >= 0; d--) at = at * n[d] + place[d];
        const double tap[2] = {taps[parts * at], parts == 2 ? taps[2 * at + 1] : 0};
        conv_tap_put(numbers, o->type, o->interleaved ? i % all * channels + i / all : i, tap);
    }
}

static argand_status keep(argand_array **kernel, int64_t centre[3], filter *f, argand_device *device)
{
    const argand_conv_options *o = &f->blur->options;
    int64_t dims[4], count[3];
    int rank = 0;
    void *numbers;
    if (o->interleaved) dims[rank++] = o->kernel_channels;
    for (int d = 0; d < 3; d++) {
        count[d] = f->high[d] - f->low[d] + 1;
        centre[d] = -f->low[d];
        if (d < o->rank) dims[rank++] = count[d];
    }
    if (!o->interleaved) dims[rank++] = o->kernel_channels;
    TRY(check_memory(f, count, 44,
                     true)); /* a plan reads taps twice in double precision and three times in single */
    TRY(argand_array_create(kernel, device, o->type, rank, dims));
    argand_status status =
        memory_take(&numbers, memory_product((size_t)argand_array_count(*kernel), argand_type_size(o->type)));
    if (status == ARGAND_OK) {
        copy_taps(numbers, f, count);
        status = argand_array_upload(*kernel, numbers);
    }
    memory_free(numbers);
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_array_destroy(*kernel);
    *kernel = NULL;
    return status;
}

argand_status wiener_taps(argand_array **kernel, int64_t centre[3], argand_conv *blur, argand_device *device,
                          double noise, double *bytes)
{
    filter f = {.blur = blur, .noise = noise};
    TRY(device_host(&f.host, blur->device));
    argand_status status = find(&f);
    if (status == ARGAND_OK) status = keep(kernel, centre, &f, device);
    argand_array_destroy(f.taps);
    if (bytes) *bytes = f.bytes;
    return status;
}
