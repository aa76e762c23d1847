/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the readout that an image waited for. */
#include <stdlib.h>
#include <string.h>

#include "stream/stream.h"

int64_t stream_attribute(const char *attributes, const char *name)
{
    char key[80];
    snprintf(key, sizeof key, "<name>%s</name><value>", name);
    const char *at = strstr(attributes, key);
    if (!at) return -1;
    char *end;
    const long long value = strtoll(at + strlen(key), &end, 10);
    return *end == '<' && value >= 0 ? (int64_t)value : -1;
}

static bool same_volume(const argand_counters *a, const argand_counters *b)
{
    return a->average == b->average && a->slice == b->slice && a->contrast == b->contrast &&
           a->phase == b->phase && a->set == b->set;
}

int64_t stream_last_readout(const stream_run *r, const char *attributes, const argand_counters *c)
{
    const stream_prepared *p = r->prepared;
    const int64_t named = stream_attribute(attributes, "LastAcquisition");
    if (named >= 0) return named < p->acquisitions * r->settings->loops - r->first ? r->first + named : -1;
    const int loop = c->repetition / p->repetitions, repetition = c->repetition % p->repetitions;
    int64_t at = -1, found = -1;
    for (int64_t i = 0; i < p->count; i++) {
        const stream_message *m = &p->messages[i];
        at += m->is_acquisition;
        if (m->is_image && m->counters.repetition == repetition && same_volume(&m->counters, c)) found = at;
    }
    return found < 0 || loop >= r->settings->loops ? -1 : loop * p->acquisitions + found;
}
