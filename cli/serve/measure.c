/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the stages of an image, for --measure. */
#include "serve/serve.h"

void measure_begin(measure *m)
{
    if (m->on) m->began = seconds_now();
}

argand_status measure_since(measure *m, measure_stage stage, double since)
{
    return m->on ? latency_add(&m->stages[stage], seconds_now() - since) : ARGAND_OK;
}

argand_status measure_end(measure *m, measure_stage stage)
{
    return measure_since(m, stage, m->began);
}

void measure_report(measure *m, report *out)
{
    static const char *const names[MEASURE_STAGES] = {
        [MEASURE_ORDER] = "order",
        [MEASURE_PREPARE] = "prepare",
        [MEASURE_RECONSTRUCT] = "reconstruct",
        [MEASURE_SEND] = "send",
        [MEASURE_ALL] = "last readout received to image sent",
    };
    bool first = true;
    for (int i = 0; i < MEASURE_STAGES && m->on; i++) {
        const latency_summary sum = latency_sum(&m->stages[i]);
        latency_report(out, names[i], &sum, first);
        latency_free(&m->stages[i]);
        first = false;
    }
}
