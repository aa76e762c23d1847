/* SPDX-License-Identifier: BSD-3-Clause */
/* Percentiles of latencies, and their table. */
#include "mrd/latency.h"

#include <math.h>
#include <stdlib.h>

argand_status latency_add(latency *l, double seconds)
{
    if (l->count == l->most) {
        const int64_t most = l->most ? 2 * l->most : 1024;
        double *more = realloc(l->seconds, (size_t)most * sizeof *more);
        if (!more)
            return report_error(ARGAND_MEMORY, "no memory for the times of %lld images", (long long)most);
        l->seconds = more;
        l->most = most;
    }
    l->seconds[l->count++] = seconds;
    return ARGAND_OK;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double percentile(const latency *l, double share)
{
    const int64_t rank = (int64_t)ceil(share * (double)l->count);
    return l->seconds[rank > 0 ? rank - 1 : 0];
}

latency_summary latency_sum(latency *l)
{
    latency_summary sum = {.count = l->count};
    if (!l->count) return sum;
    qsort(l->seconds, (size_t)l->count, sizeof *l->seconds, by_size);
    sum.median = percentile(l, 0.5);
    sum.p99 = percentile(l, 0.99);
    sum.largest = percentile(l, 1);
    sum.jitter = sum.p99 - sum.median;
    return sum;
}

void latency_report(report *out, const char *stage, const latency_summary *sum, bool first)
{
    if (out->json) {
        print_json_line("{\"event\":\"latency\",\"stage\":\"%s\",\"count\":%lld,\"median\":%.6f,\"p99\":%.6f,"
                        "\"largest\":%.6f,\"jitter\":%.6f}",
                        stage, (long long)sum->count, sum->median, sum->p99, sum->largest, sum->jitter);
        return;
    }
    if (first)
        report_note(out, "%-40s %8s %10s %10s %10s", "latency in ms", "count", "median", "99 %", "largest");
    report_note(out, "%-40s %8lld %10.2f %10.2f %10.2f", stage, (long long)sum->count, 1e3 * sum->median,
                1e3 * sum->p99, 1e3 * sum->largest);
}

void latency_free(latency *l)
{
    free(l->seconds);
    *l = (latency){0};
}
