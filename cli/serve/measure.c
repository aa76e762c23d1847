/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the stages of an image, for --measure. */
#include "serve/serve.h"

void measure_begin(measure *m)
{
    if (m->on) m->began = seconds_now();
}

argand_status measure_add(measure *m, int stage, double seconds)
{
    return m->on ? latency_add(&m->stages[stage], seconds) : ARGAND_OK;
}

argand_status measure_since(measure *m, measure_stage stage, double since)
{
    return measure_add(m, (int)stage, seconds_now() - since);
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
        [MEASURE_START] = "the same, at start-up",
    };
    bool first = true;
    for (int i = 0; i < MEASURE_STAGES && m->on; i++) {
        const latency_summary sum = latency_sum(&m->stages[i]);
        const bool of_frame = i >= MEASURE_FRAME && i < MEASURE_SEND;
        if (!sum.count) continue;
        latency_report(out,
                       of_frame ? argand_frame_stage_name((argand_frame_stage)(i - MEASURE_FRAME)) : names[i],
                       &sum, first);
        latency_free(&m->stages[i]);
        first = false;
    }
}
