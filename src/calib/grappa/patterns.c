/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups missing samples by the pattern of their acquired neighbours. Beyond the ends of a line the line
 * goes on, with samples of 0: otherwise the ends of every line would need patterns of their own. Beyond the
 * other edges there are no sources. */
#include "calib/grappa/grappa.h"

#include <stdlib.h>
#include <string.h>

static int64_t clamp(int64_t i, int64_t count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* Writes the pattern around a position; returns the number of sources. *near: one of them is no farther than
 * acquired samples are from each other. */
static int64_t look(unsigned char *bits, bool *near, const grappa_mask *m, const int64_t half[3],
                    const int64_t at[3])
{
    int64_t count = 0;
    *near = false;
    for (int64_t z = -half[2]; z <= half[2]; z++)
        for (int64_t y = -half[1]; y <= half[1]; y++) {
            const int64_t row = (at[2] + z) * m->n[1] + at[1] + y;
            const bool inside =
                at[1] + y >= 0 && at[1] + y < m->n[1] && at[2] + z >= 0 && at[2] + z < m->n[2];
            const bool close = inside && llabs(y) < m->gap[1] && llabs(z) < m->gap[2];
            for (int64_t x = -half[0]; x <= half[0]; x++) {
                const bool source = inside && m->there[row * m->n[0] + clamp(at[0] + x, m->n[0])];
                *bits++ = source;
                count += source;
                *near |= source && close && llabs(x) < m->gap[0];
            }
        }
    return count;
}

static uint64_t mix(const unsigned char *bits, int64_t count)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int64_t i = 0; i < count; i++) hash = (hash ^ bits[i]) * UINT64_C(1099511628211);
    return hash ^ (hash >> 32);
}

/* An open hash table of patterns; slots hold numbers from 1 on. */
typedef struct table {
    int64_t size; /* a power of two */
    int32_t *slots;
} table;

static argand_status enlarge(grappa_patterns *p, table *t)
{
    int64_t capacity = p->capacity;
    memory_free(t->slots);
    t->slots = NULL;
    TRY(memory_grow(&p->bits, p->count, &capacity, (size_t)p->taps));
    TRY(GROW(p->sources, p->count, p->capacity));
    t->size = 2 * capacity;
    TRY(NEW(t->slots, t->size));
    for (int64_t i = 0; i < p->count; i++) {
        uint64_t slot = mix(p->bits + i * p->taps, p->taps);
        while (t->slots[slot & (uint64_t)(t->size - 1)]) slot++;
        t->slots[slot & (uint64_t)(t->size - 1)] = (int32_t)i + 1;
    }
    return ARGAND_OK;
}

/* Finds the number of a pattern, which becomes a new one if there is none like it. */
static argand_status number_of(int32_t *number, grappa_patterns *p, table *t, const unsigned char *bits,
                               int64_t sources)
{
    if (p->count == p->capacity) TRY(enlarge(p, t));
    uint64_t slot = mix(bits, p->taps);
    int32_t *at;
    for (; *(at = &t->slots[slot & (uint64_t)(t->size - 1)]); slot++)
        if (!memcmp(p->bits + (*at - 1) * p->taps, bits, (size_t)p->taps)) {
            *number = *at - 1;
            return ARGAND_OK;
        }
    memcpy(p->bits + p->count * p->taps, bits, (size_t)p->taps);
    p->sources[p->count] = sources;
    p->most = sources > p->most ? sources : p->most;
    *number = (int32_t)p->count++;
    *at = *number + 1;
    return ARGAND_OK;
}

/* The patterns of a line. If its samples were acquired together, they have one pattern. */
static argand_status find_line(grappa_patterns *p, table *t, const grappa_mask *m, int64_t row,
                               unsigned char *bits)
{
    const int64_t nx = m->n[0];
    int32_t *of = p->of + row * nx;
    for (int64_t x = 0; x < nx; x++) {
        bool near;
        of[x] = x && m->lines ? of[0] : -1;
        p->missing += !m->there[row * nx + x];
        if (!m->there[row * nx + x] && !(x && m->lines)) {
            const int64_t sources =
                look(bits, &near, m, p->half, (int64_t[3]){x, row % m->n[1], row / m->n[1]});
            if (near) TRY(number_of(&of[x], p, t, bits, sources));
        }
        p->filled += of[x] >= 0;
    }
    return ARGAND_OK;
}

argand_status grappa_patterns_find(grappa_patterns *p, const grappa_mask *m, const int64_t half[3])
{
    table t = {0};
    unsigned char *bits = NULL;
    argand_status status;
    *p = (grappa_patterns){.taps = 1};
    for (int axis = 0; axis < 3; axis++) {
        p->half[axis] = half[axis];
        p->taps *= 2 * half[axis] + 1;
    }
    TRY_OR_DONE(NEW(p->of, m->n[0] * m->n[1] * m->n[2]));
    TRY_OR_DONE(NEW(bits, p->taps));
    TRY_OR_DONE(enlarge(p, &t));
    for (int64_t row = 0; row < m->n[1] * m->n[2]; row++) TRY_OR_DONE(find_line(p, &t, m, row, bits));
done:
    memory_free(bits);
    memory_free(t.slots);
    return status;
}

void grappa_patterns_free(grappa_patterns *p)
{
    memory_free(p->of);
    memory_free(p->sources);
    memory_free(p->bits);
    *p = (grappa_patterns){0};
}
