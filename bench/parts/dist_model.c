/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of predicted times of `argand bench dist --model`. */
#include "parts/dist_model.h"

#include <math.h>
#include <stdio.h>

static void print_machine(const char *name, const argand_dist_machine *m)
{
    printf("%s: FFT %.3g GFLOP/s, memory %.3g GB/s, start %.3g us; messages %.3g us and %.3g GB/s, to other "
           "nodes "
           "%.3g us and %.3g GB/s, %d ranks a node (0: all)\n",
           name, 1e-9 * m->fft_rate, 1e-9 * m->memory_bandwidth, 1e6 * m->start, 1e6 * m->latency,
           1e-9 * m->bandwidth, 1e6 * m->far_latency, 1e-9 * m->far_bandwidth, m->node_ranks);
}

static void milliseconds(double seconds)
{
    if (isfinite(seconds))
        printf(" %10.3f", 1e3 * seconds);
    else
        printf(" %10s", "-");
}

static argand_status print_line(const argand_dist_fft_options *o, int ranks, const argand_dist_machine *m)
{
    argand_dist_times t;
    TRY(argand_dist_fft_predict(&t, o, ranks, m));
    printf("%5lld x %5lld x %5lld %6d", (long long)o->n[0], (long long)o->n[1], (long long)o->n[2], ranks);
    milliseconds(t.one);
    milliseconds(t.slab);
    milliseconds(t.pencil);
    printf(" %4d x %-4d", t.grid[0], t.grid[1]);
    milliseconds(t.transform);
    milliseconds(t.exchange);
    printf("  %s\n", t.is_faster ? "" : "one rank is faster");
    return ARGAND_OK;
}

argand_status dist_model_print(const char *name, const argand_dist_machine *m,
                               const argand_dist_fft_options *o, bool is_given)
{
    static const int ranks[] = {2, 4, 8, 64, 512, 1000};
    static const int64_t sizes[] = {64, 256, 1024, 2048};
    argand_dist_fft_options one = *o;
    print_machine(name, m);
    printf(
        "predictions, ms:        ranks   one rank       slab     pencil    grid      transform   exchange\n");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int d = 0; d < o->rank && !is_given; d++) one.n[d] = sizes[s];
        for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) TRY(print_line(&one, ranks[i], m));
        if (is_given) break;
    }
    return ARGAND_OK;
}
