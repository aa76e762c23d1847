/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides calls that need more work memory than they may use into parts along their longest loop. */
#include "array/array.h"
#include "fft/gpu/build.h"
#include "fft/gpu/native.h"
#include "fft/gpu/variant.h"

/* Returns the longest loop, that of a batch; -1: none. */
int geometry_longest_loop(const fft_geometry *g)
{
    int longest = -1;
    for (int i = 0; i < g->loops; i++)
        if (g->loop[i].n > 1 && (longest < 0 || g->loop[i].n > g->loop[longest].n)) longest = i;
    return longest;
}

/* Rounds the count so that parts consist of whole cache lines if elements are contiguous along the loop.
 * Otherwise parts would fetch the same lines again (512^3 points of 16 vectors two by two: 20 ms instead
 * of 7). each: bytes of one element of the loop. */
static int64_t in_whole_lines(int64_t count, const argand_axis *loop, int64_t each, const block_limits *l)
{
    enum { LINE = 128 };
    const int64_t line = LINE / l->element_bytes;
    if (loop->in_stride != 1 && loop->out_stride != 1) return count;
    if (count >= line) return count / line * line;
    for (int64_t wanted = line; wanted > count; wanted /= 2)
        if (wanted * each <= l->work_most) return wanted;
    return count;
}

/* Returns how many elements of the longest loop are done at a time; 0: all, unless they need more work
 * memory than a call may use. Smaller parts, which would stay in the cache between the passes, are slower:
 * their launches are short, and each ends with idle multiprocessors (2^20 points: 1.35 instead of 1.15
 * ms). */
int64_t program_at_a_time(const fft_geometry *g, const pass_program *p, const block_limits *l)
{
    const int loop = geometry_longest_loop(g);
    const int64_t bytes = p->work * l->element_bytes, most = l->work_bytes;
    if (p->persistent.count || loop < 0 || bytes <= most) return 0;
    const int64_t all = g->loop[loop].n, fit = all * (most / 1024) / (bytes / 1024),
                  count = in_whole_lines(fit > 0 ? fit : 1, &g->loop[loop], bytes / all, l);
    return count < all ? count : 0;
}

/* Returns the work memory of a call, or of its largest part, in bytes. */
int64_t program_workspace(const fft_geometry *g, const pass_program *p, const block_limits *l)
{
    const int64_t count = program_at_a_time(g, p, l), bytes = p->work * l->element_bytes;
    return count ? bytes / g->loop[geometry_longest_loop(g)].n * count : bytes;
}

/* Returns the start of an array, in bytes. On devices without addresses, the handle serves for
 * comparisons. */
static uintptr_t start_of(const argand_array *array)
{
    return (uintptr_t)storage_native(array->storage) +
           (uintptr_t)array->offset * argand_type_size(array->type);
}

bool call_is_out_of_place(const fft_call *call)
{
    return start_of(call->in) != start_of(call->out);
}

/* Runs a call in parts along its longest loop. */
static argand_status run_parts(native_state *s, const void *plan, const variant_key *whole,
                               const fft_call *call, int64_t count)
{
    variant_key key = *whole;
    const int loop = geometry_longest_loop(&key.geometry);
    const argand_axis all = key.geometry.loop[loop];
    if (call->access) key.part = key.geometry.rank + loop;
    for (int64_t first = 0; first < all.n; first += count) {
        const variant *v;
        key.geometry.loop[loop].n = all.n - first < count ? all.n - first : count;
        TRY(variant_get(s, plan, &key, &v));
        TRY(variant_run(s, v, call, (part){first * all.in_stride, first * all.out_stride, first}));
    }
    return ARGAND_OK;
}

argand_status variant_run_all(native_state *s, const void *plan, const variant_key *key, const variant *v,
                              const fft_call *call)
{
    const int64_t count = program_at_a_time(&key->geometry, &v->program, &s->limits);
    return count ? run_parts(s, plan, key, call, count) : variant_run(s, v, call, (part){0});
}
