/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects latencies of a stream of images, and shows their median, 99th percentile and largest. */
#ifndef CLI_LATENCY_H
#define CLI_LATENCY_H

#include "common/report.h"

/* Seconds of all images of a stage. Zeros make an empty one. */
typedef struct latency {
    double *seconds;
    int64_t count, most;
} latency;

typedef struct latency_summary {
    int64_t count;
    double median, p99, largest; /* s */
    double jitter;               /* p99 - median */
} latency_summary;

/* Adds a value. Returns ARGAND_MEMORY if there is no memory for it. */
argand_status latency_add(latency *l, double seconds);
/* Sorts the values and returns their percentiles, each the smallest value that so many values do not exceed;
 * zeros without values. */
latency_summary latency_sum(latency *l);
/* Reports a summary: a line of a table for people, or the event "latency". `first`: the table begins. */
void latency_report(report *out, const char *stage, const latency_summary *sum, bool first);
void latency_free(latency *l);

#endif
