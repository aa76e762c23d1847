/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory and the clock of `argand bench fft`. Argand's and the peer's transforms share one buffer for
 * the input and one for the output. */
#include "fft/fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

/* Opens the device again with a stream that the peer can use too. */
static argand_status take_stream(fft_buffers *g, const common_options *common)
{
    char why[200], name[32];
    const int index = cuda_peer_index(common->device);
    snprintf(name, sizeof name, "cuda:%d", index);
    g->cuda = cuda_peer_open(index, why, sizeof why);
    if (!g->cuda) return report_error(ARGAND_DEVICE, "%s", why);
    argand_device_close(g->device);
    g->device = NULL;
    TRY(argand_device_open_stream(&g->device, name, cuda_peer_stream(g->cuda)));
    return argand_device_set_threads(g->device, common->threads);
}

argand_status fft_buffers_open(fft_buffers *g, const common_options *common)
{
    *g = (fft_buffers){0};
    TRY(common_open(common, &g->device));
    TRY(argand_device_describe(g->device, &g->info));
    if (!strcmp(g->info.backend, "cuda")) TRY(take_stream(g, common));
    g->is_gpu = !g->info.host_addressable && g->info.units >= 16; /* not a processor with a GPU's interface */
    return argand_timer_create(&g->timer, g->device);
}

void fft_buffers_close(fft_buffers *g)
{
    argand_timer_destroy(g->timer);
    argand_device_close(g->device);
    for (int i = 0; i < 2; i++) {
        if (g->cuda)
            cuda_peer_free(g->cuda, g->memory[i]);
        else
            free(g->memory[i]);
    }
    cuda_peer_close(g->cuda);
}

/* ---- memory ---- */

static bool take_memory(fft_buffers *g)
{
    enum { PAGE = 4096 };
    for (int i = 0; i < 2; i++) {
        const size_t bytes = ((size_t)g->bytes[i] + PAGE - 1) / PAGE * PAGE;
        g->memory[i] = g->cuda ? cuda_peer_allocate(g->cuda, bytes) : aligned_alloc(PAGE, bytes);
        if (!g->memory[i]) return false;
        if (!g->cuda) memset(g->memory[i], 0, bytes);
    }
    return true;
}

/* Returns true if input, output and the work memory of an out-of-place transform fit. */
static bool fits(const fft_buffers *g, const fft_case *c)
{
    const double wanted = 2.0 * (double)(fft_case_bytes(c, false) + fft_case_bytes(c, true));
    return !g->cuda || wanted < 0.95 * (double)cuda_peer_free_bytes(g->cuda);
}

argand_status fft_buffers_reserve(fft_buffers *g, report *r, fft_case *cases, int *count)
{
    char size[64];
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        if (!fits(g, &cases[i])) {
            report_note(r, "%s does not fit into the device's memory: left out",
                        fft_case_size(size, sizeof size, &cases[i]));
            continue;
        }
        cases[kept++] = cases[i];
        for (int output = 0; output < 2; output++) {
            const int64_t bytes = fft_case_bytes(&cases[i], output);
            if (bytes > g->bytes[output]) g->bytes[output] = bytes;
        }
    }
    *count = kept;
    if (kept == 0 || (!g->cuda && !g->info.host_addressable)) return ARGAND_OK;
    if (take_memory(g)) return ARGAND_OK;
    return report_error(ARGAND_MEMORY, "no memory for %.1f GB of input and output; try --points",
                        1e-9 * (double)(g->bytes[0] + g->bytes[1]));
}

argand_status fft_buffers_array(argand_array **array, const fft_buffers *g, const fft_case *c, bool output)
{
    const bool is_double = c->type == ARGAND_R64 || c->type == ARGAND_C64;
    const argand_type type = fft_case_has_reals(c, output) ? c->type : is_double ? ARGAND_C64 : ARGAND_C32;
    int64_t dims[4] = {fft_case_has_half(c, output) ? c->n[0] / 2 + 1 : c->n[0]};
    for (int axis = 1; axis < c->rank; axis++) dims[axis] = c->n[axis];
    dims[c->rank] = c->batch;
    if (g->memory[output])
        return argand_array_wrap(array, g->device, type, c->rank + 1, dims, NULL, g->memory[output]);
    return argand_array_create(array, g->device, type, c->rank + 1, dims);
}

/* ---- elements ---- */

/* Returns a hash of i (Steele, Lea, Flood 2014), so that the input need not be stored. */
double fft_input(int64_t i, bool is_double)
{
    uint64_t z = (uint64_t)(i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return is_double ? (double)(z >> 11) * 0x1p-53 - 0.5 : (double)(z >> 40) * 0x1p-24 - 0.5;
}

/* Writes elements from `first` on to a flat array through `buffer`. */
static argand_status fill_part(argand_array *flat, int64_t first, int64_t count, void *buffer)
{
    const argand_type type = argand_array_type(flat);
    const bool is_double = type == ARGAND_R64 || type == ARGAND_C64;
    const int parts = type < ARGAND_C32 ? 1 : 2;
    argand_array *part;
    for (int64_t i = 0; i < count * parts; i++) {
        const double value = fft_input(first * parts + i, is_double);
        if (is_double)
            ((double *)buffer)[i] = value;
        else
            ((float *)buffer)[i] = (float)value;
    }
    TRY(argand_array_part(&part, flat, 0, first, count));
    const argand_status status = argand_array_upload(part, buffer);
    argand_array_destroy(part);
    return status;
}

argand_status fft_buffers_fill(fft_buffers *g, const fft_case *c, argand_array *array)
{
    enum { CHUNK = 1 << 22 };
    const bool is_double = c->type == ARGAND_R64 || c->type == ARGAND_C64;
    const int64_t count = argand_array_count(array), numbers = count * (c->type < ARGAND_C32 ? 1 : 2);
    if (g->memory[0] && !c->back && g->filled >= numbers && g->filled_double == is_double) return ARGAND_OK;
    void *buffer = malloc((size_t)(count < CHUNK ? count : CHUNK) * argand_type_size(c->type));
    argand_array *flat = NULL;
    if (!buffer) return report_error(ARGAND_MEMORY, "no memory for random numbers");
    argand_status status = argand_array_reshape(&flat, array, 1, &count);
    for (int64_t first = 0; first < count && !status; first += CHUNK)
        status = fill_part(flat, first, count - first < CHUNK ? count - first : CHUNK, buffer);
    argand_array_destroy(flat);
    free(buffer);
    g->filled = status || c->back ? 0 : numbers;
    g->filled_double = is_double;
    return status;
}

/* ---- the copy ---- */

static argand_status time_copy(const fft_buffers *g, argand_array *out, const argand_array *in,
                               double *seconds)
{
    double milliseconds;
    TRY(argand_timer_start(g->timer));
    TRY(argand_array_copy(out, in));
    TRY(argand_timer_stop(g->timer));
    TRY(argand_timer_milliseconds(g->timer, &milliseconds));
    *seconds = 1e-3 * milliseconds;
    return ARGAND_OK;
}

/* Measures the best of several copies of at most 1 GiB. */
argand_status fft_buffers_measure_copy(fft_buffers *g)
{
    const int64_t least = g->bytes[0] < g->bytes[1] ? g->bytes[0] : g->bytes[1];
    const fft_case all = {
        .type = ARGAND_C32, .rank = 1, .n = {(least < 1 << 30 ? least : 1 << 30) / 8}, .batch = 1};
    argand_array *in = NULL, *out = NULL;
    double seconds = 0, best = INFINITY;
    argand_status status = fft_buffers_array(&in, g, &all, false);
    if (!status) status = fft_buffers_array(&out, g, &all, true);
    for (int i = 0; i < 12 && !status; i++) {
        status = time_copy(g, out, in, &seconds);
        best = fmin(best, seconds);
    }
    g->bytes_per_second = 16 * (double)all.n[0] / best;
    argand_array_destroy(in);
    argand_array_destroy(out);
    return status;
}
