/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of `argand bench fft`: a table, or events or comma-separated values for programs. */
#include "fft/fft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double copy_seconds(const fft_buffers *g, const fft_case *c)
{
    return g->bytes_per_second > 0
               ? (double)(fft_case_bytes(c, false) + fft_case_bytes(c, true)) / g->bytes_per_second
               : 0;
}

/* Returns the rate as benchFFT defines it: 5 N log2 N operations, half of them for real transforms. */
static double gflops(const fft_case *c, double seconds)
{
    const double points = (double)c->points;
    return (c->type < ARGAND_C32 ? 2.5 : 5) * points * log2(points) * (double)c->batch / seconds / 1e9;
}

static double ratio(const fft_figures *f)
{
    return f->peer_seconds > 0 ? f->peer_seconds / f->seconds : 0;
}

void fft_print_head(const fft_settings *s, const fft_buffers *g, const fft_peer *peer)
{
    if (s->csv)
        printf("kind,size,batch,argand_ms,plan_ms,again_ms,peer,peer_ms,peer_plan_ms,ratio,copy_ms,gflops,"
               "error,peer_error,"
               "engine\n");
    if (s->csv || s->common.json) return;
    printf("%s (%s)", g->info.name, g->info.backend);
    if (!g->is_gpu) printf(", %d threads", argand_device_threads(g->device));
    printf("; copy %.0f GB/s; %s; compared with %s\n", 1e-9 * g->bytes_per_second,
           g->is_gpu ? "medians by the device's events" : "the fastest of some rounds",
           *peer->name ? peer->name
           : s->alone  ? "nobody"
                       : peer->missing);
    printf("%-8s %-15s %9s %9s %10s %8s %6s %8s | %9s %10s %8s %6s\n", "family", "size", "batch", "plan ms",
           "ms", "GFLOP/s", "x copy", "error", "plan ms", "peer's ms", "error", "ratio");
}

static void print_event(report *r, const fft_buffers *g, const fft_case *c, const fft_peer *peer,
                        const fft_figures *f, const char *size)
{
    char engine[512], name[128];
    report_result(
        r,
        "\"family\":\"%s\",\"size\":\"%s\",\"batch\":%lld,\"type\":\"%s\",\"plan_seconds\":%.4g,"
        "\"again_seconds\":%.4g,\"time\":%.6g,\"gflops\":%.4g,\"copy_time\":%.6g,\"error\":%.3g,\"engine\":%"
        "s,"
        "\"peer\":%s,\"peer_plan_seconds\":%.4g,\"peer_time\":%.6g,\"peer_error\":%.3g,\"ratio\":%.4g",
        c->family, size, (long long)c->batch, argand_type_name(c->type), f->plan, f->again, f->seconds,
        gflops(c, f->seconds), copy_seconds(g, c), f->error, json_string(engine, sizeof engine, f->engine),
        json_string(name, sizeof name, peer->name), f->peer_plan, f->peer_seconds, f->peer_error, ratio(f));
}

void fft_print_line(report *r, const fft_settings *s, const fft_buffers *g, const fft_case *c,
                    const fft_peer *peer, const fft_figures *f)
{
    char size[64];
    fft_case_size(size, sizeof size, c);
    print_event(r, g, c, peer, f, size);
    if (s->csv)
        printf("%s,%s,%lld,%.5g,%.4g,%.4g,\"%s\",%.5g,%.4g,%.4g,%.5g,%.4g,%.3g,%.3g,\"%s\"\n", c->family,
               size, (long long)c->batch, 1e3 * f->seconds, 1e3 * f->plan, 1e3 * f->again, peer->name,
               1e3 * f->peer_seconds, 1e3 * f->peer_plan, ratio(f), 1e3 * copy_seconds(g, c),
               gflops(c, f->seconds), f->error, f->peer_error, f->engine);
    if (!s->csv && !s->common.json) {
        const double copy = copy_seconds(g, c);
        printf("%-8s %-15s %9lld %9.2f %10.4f %8.1f %6.2f %8.1e", c->family, size, (long long)c->batch,
               1e3 * f->plan, 1e3 * f->seconds, gflops(c, f->seconds), copy > 0 ? f->seconds / copy : 0,
               f->error);
        if (f->peer_seconds > 0)
            printf(" | %9.2f %10.4f %8.1e %6.2f", 1e3 * f->peer_plan, 1e3 * f->peer_seconds, f->peer_error,
                   ratio(f));
        printf("\n");
    }
    fflush(stdout);
}

/* ---- the summary ---- */

typedef struct mean {
    double logarithms, worst;
    const fft_case *worst_case;
    int count;
} mean;

static void add(mean *m, const fft_case *c, const fft_figures *f)
{
    if (!(f->peer_seconds > 0)) return;
    m->logarithms += log(ratio(f));
    if (!m->count++ || ratio(f) < m->worst) {
        m->worst = ratio(f);
        m->worst_case = c;
    }
}

static void print_mean(report *r, const fft_settings *s, const char *name, const mean *m)
{
    char size[64];
    if (!m->count) return;
    const double geometric = exp(m->logarithms / m->count);
    fft_case_size(size, sizeof size, m->worst_case);
    report_result(
        r, "\"summary\":\"%s\",\"cases\":%d,\"geometric_mean\":%.4g,\"worst\":%.4g,\"worst_size\":\"%s\"",
        name, m->count, geometric, m->worst, size);
    if (s->common.json) return;
    printf("%s%-26s %3d cases   geometric mean %.3f   worst %.3f (%s %s)\n", s->csv ? "# " : "", name,
           m->count, geometric, m->worst, m->worst_case->family, size);
}

/* Returns true if a case belongs to a group of the summary. Group 0: complex in single precision; group 1:
 * all others. */
static bool in_group(const fft_case *c, int group)
{
    const bool plain = c->type == ARGAND_C32;
    return group == 0 ? plain : !plain;
}

void fft_print_summary(report *r, const fft_settings *s, const fft_case *cases, const fft_figures *figures,
                       int count)
{
    static const char *const groups[] = {"complex single", "double or real"};
    if (!s->common.json && count && figures[0].peer_seconds > 0)
        printf("%speer's time / ours:\n", s->csv ? "# " : "");
    for (int i = 0; i < count; i++) {
        mean m = {0};
        if (i && !strcmp(cases[i].family, cases[i - 1].family)) continue;
        for (int j = i; j < count; j++)
            if (!strcmp(cases[i].family, cases[j].family)) add(&m, &cases[j], &figures[j]);
        print_mean(r, s, cases[i].family, &m);
    }
    for (int group = 0; group < 2; group++) {
        mean m = {0};
        for (int j = 0; j < count; j++)
            if (in_group(&cases[j], group)) add(&m, &cases[j], &figures[j]);
        print_mean(r, s, groups[group], &m);
    }
}
