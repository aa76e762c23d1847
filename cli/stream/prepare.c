/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a scan into messages in memory, so that sending them takes no time, and finds when each is due. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stream/stream.h"

enum { HEAD_STAMP = 18 /* acquisition_time_stamp in an acquisition's head */ };

/* The scan's writer gives parts of messages; the state says which part comes next. */
typedef struct collector {
    stream_prepared *p;
    enum { NUMBER, LENGTH, HEAD, REST } next;
    uint64_t left; /* bytes of the rest */
    int message;
} collector;

static uint64_t number_at(const uint8_t *raw, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)raw[i] << (8 * i);
    return value;
}

static argand_status append(stream_prepared *p, const void *bytes, size_t count)
{
    if (p->size - p->used < count) {
        const size_t size = 2 * p->size + count;
        uint8_t *more = realloc(p->bytes, size);
        if (!more)
            return report_error(ARGAND_MEMORY, "no memory for %.6g MB of messages", (double)size / 1e6);
        p->bytes = more;
        p->size = size;
    }
    memcpy(p->bytes + p->used, bytes, count);
    p->used += count;
    p->messages[p->count - 1].bytes += count;
    return ARGAND_OK;
}

static argand_status begin_message(stream_prepared *p)
{
    if (p->count == p->most) {
        const int64_t most = p->most ? 2 * p->most : 1024;
        stream_message *more = realloc(p->messages, (size_t)most * sizeof *more);
        if (!more) return report_error(ARGAND_MEMORY, "no memory for %lld messages", (long long)most);
        p->messages = more;
        p->most = most;
    }
    p->messages[p->count++] = (stream_message){.at = p->used};
    return ARGAND_OK;
}

static void take_head(collector *c, const uint8_t *head)
{
    stream_message *m = &c->p->messages[c->p->count - 1];
    argand_scan_message_info info;
    int64_t trajectory, data;
    argand_scan_message_describe(head, &info);
    argand_scan_message_sizes(head, &trajectory, &data);
    m->is_acquisition = true;
    m->is_image = info.is_image;
    m->counters = info.counters;
    m->stamp = (uint32_t)number_at(head + HEAD_STAMP, 4);
    c->p->acquisitions++;
    c->left = (uint64_t)(trajectory + data) * sizeof(float);
}

static argand_status collect(void *context, const void *bytes, size_t count)
{
    collector *c = context;
    if (c->next == NUMBER) TRY(begin_message(c->p));
    TRY(append(c->p, bytes, count));
    switch (c->next) {
    case NUMBER:
        c->message = (int)number_at(bytes, 2);
        c->next = c->message == MRD_ACQUISITION ? HEAD : c->message == MRD_HEADER ? LENGTH : NUMBER;
        return ARGAND_OK;
    case LENGTH:
        c->left = number_at(bytes, 4);
        break;
    case HEAD:
        take_head(c, bytes);
        break;
    case REST:
        c->left -= count;
        break;
    }
    c->next = c->left ? REST : NUMBER;
    return ARGAND_OK;
}

/* ---- when messages are due */

static bool stamps_differ(const stream_prepared *p)
{
    const stream_message *first = NULL;
    for (int64_t i = 0; i < p->count; i++) {
        const stream_message *m = &p->messages[i];
        if (!m->is_acquisition) continue;
        if (!first) first = m;
        if (m->stamp != first->stamp) return true;
    }
    return false;
}

/* Spreads the acquisitions first ... end-1, which have one time stamp, evenly up to the next stamp. */
static void spread(stream_prepared *p, const int64_t *order, int64_t first, int64_t end, double from,
                   double to)
{
    for (int64_t i = first; i < end; i++)
        p->messages[order[i]].due = from + (to - from) * (double)(i - first) / (double)(end - first);
}

static argand_status due_by_stamps(stream_prepared *p, const int64_t *order, double tick)
{
    const uint32_t begin = p->messages[order[0]].stamp;
    double step = tick;
    for (int64_t first = 0, end; first < p->acquisitions; first = end) {
        const uint32_t stamp = p->messages[order[first]].stamp;
        for (end = first; end < p->acquisitions && p->messages[order[end]].stamp == stamp;) end++;
        const double from = tick * (stamp - begin);
        if (end < p->acquisitions) {
            const uint32_t next = p->messages[order[end]].stamp;
            if (next < stamp)
                return report_error(
                    ARGAND_FORMAT,
                    "acquisition %lld has the time stamp %u, earlier than %u of the one before: "
                    "give the time from acquisition to acquisition by --interval MS",
                    (long long)end, next, stamp);
            step = tick * (next - stamp);
        }
        spread(p, order, first, end, from, from + step);
        p->period = from + step;
    }
    return ARGAND_OK;
}

static void due_by_interval(stream_prepared *p, const int64_t *order, double interval)
{
    for (int64_t i = 0; i < p->acquisitions; i++) p->messages[order[i]].due = interval * (double)i;
    p->period = interval * (double)p->acquisitions;
}

static argand_status find_times(stream_prepared *p, const int64_t *order, const argand_scan *scan,
                                const stream_settings *s, report *out)
{
    if (!(s->times > 0)) return ARGAND_OK;
    if (s->interval > 0) {
        due_by_interval(p, order, 1e-3 * s->interval);
    } else if (stamps_differ(p)) {
        TRY(due_by_stamps(p, order, 1e-3 * s->tick));
    } else if (scan->repetition_time > 0) {
        due_by_interval(p, order, scan->repetition_time);
        report_note(out, "%s: acquisitions have no time stamps; one is sent each TR of the header, %.6g ms.",
                    s->scan, 1e3 * scan->repetition_time);
    } else {
        return report_error(
            ARGAND_FORMAT,
            "%s: acquisitions have no time stamps (acquisition_time_stamp is the same in all) "
            "and the header has no TR: give --interval MS, or --rate max",
            s->scan);
    }
    return ARGAND_OK;
}

/* ---- what a server should answer */

static bool same_image(const argand_counters *a, const argand_counters *b)
{
    return a->average == b->average && a->slice == b->slice && a->contrast == b->contrast &&
           a->phase == b->phase && a->set == b->set && a->repetition == b->repetition;
}

static void count_volumes(stream_prepared *p)
{
    const argand_counters **seen = calloc((size_t)p->count + 1, sizeof *seen);
    for (int64_t i = 0; i < p->count && seen; i++) {
        const stream_message *m = &p->messages[i];
        int64_t at = p->volumes;
        if (!m->is_image) continue;
        while (at > 0 && !same_image(seen[at - 1], &m->counters)) at--;
        if (at == 0) seen[p->volumes++] = &m->counters;
        if (m->counters.repetition >= p->repetitions) p->repetitions = m->counters.repetition + 1;
    }
    free(seen);
}

argand_status stream_prepare(stream_prepared *p, const stream_settings *s, report *out)
{
    argand_scan *scan;
    collector c = {.p = p};
    int64_t *order = NULL, count = 0;
    p->repetitions = 1;
    TRY(scan_open(&scan, s->scan, &s->reading));
    argand_status status = argand_scan_write_messages(scan, collect, &c);
    if (!status) order = malloc((size_t)(p->acquisitions + 1) * sizeof *order);
    if (!status && !order) status = report_error(ARGAND_MEMORY, "no memory for times");
    for (int64_t i = 0; i < p->count && !status; i++)
        if (p->messages[i].is_acquisition) order[count++] = i;
    if (!status) status = find_times(p, order, scan, s, out);
    if (!status) count_volumes(p);
    free(order);
    argand_scan_destroy(scan);
    return status;
}

void stream_prepared_free(stream_prepared *p)
{
    free(p->bytes);
    free(p->messages);
    *p = (stream_prepared){0};
}
