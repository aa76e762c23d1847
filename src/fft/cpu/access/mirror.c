/* SPDX-License-Identifier: BSD-3-Clause */
/* X[k] and X[-k] lie on different lines where there is more than one axis: both lines are read before one is
 * written. */
#include "fft/cpu/access/mirror.h"

#include <string.h>
#include "fft/cpu/access/chain.h"

/* One of the two lines. */
typedef struct row {
    char *memory; /* in the spectrum */
    char *line;   /* in the buffer */
    int64_t coordinate[ACCESS_DIMS];
} row;

static void move(const access_pass *p, const row *r, bool storing)
{
    const access_lines lines = {r->memory, p->in.type, 0, p->in.step[0], 0};
    const access_buffer buffer = {r->line, 0, 2, 0};
    if (storing)
        p->moves->write(&lines, &buffer, 0, 1, p->in.n, 1);
    else
        p->moves->read(&buffer, 0, &lines, 1, p->in.n);
}

/* An accessor sees the results of the one before it, on both lines. So both lines are copied before either
 * changes. */
static void apply_link(const access_pass *p, const access_link *link, row *rows, int count, char *mirrors,
                       char *scratch)
{
    const size_t size = p->is_double ? 16 : 8;
    const int64_t n = p->in.n;
    for (int i = 0; i < count && link->mirror; i++)
        for (int64_t k = 0; k < n; k++)
            memcpy(mirrors + (size_t)(i * n + k) * size,
                   rows[count - 1 - i].line + (size_t)((n - k) % n) * size, size);
    for (int i = 0; i < count; i++) {
        argand_access_run run = {.count = n,
                                 .parameters = link->parameters,
                                 .data = link->array ? argand_array_data(link->array) : NULL};
        memcpy(run.coordinate, rows[i].coordinate, sizeof run.coordinate);
        if (link->mirror) {
            link->function(rows[i].line, mirrors + (size_t)(i * n) * size, &run);
            continue;
        }
        const access_chain one = {1, {*link}};
        block_state b = {
            .pass = p, .line_dim = -1, .lines = 1, .pitch = 0, .buffer = rows[i].line, .scratch = scratch};
        memcpy(b.coordinate, rows[i].coordinate, sizeof b.coordinate);
        chain_apply(&b, &one, 2, 0, 0, n);
    }
}

static void run_pair(const access_pass *p, row *rows, int count, char *mirrors, char *scratch)
{
    for (int i = 0; i < count; i++) move(p, &rows[i], false);
    for (int i = 0; i < p->middle->count; i++)
        apply_link(p, &p->middle->link[i], rows, count, mirrors, scratch);
    for (int i = 0; i < count; i++) move(p, &rows[i], true);
}

/* Finds the line that holds -k for the axes, at the same place in the loops; false if it comes earlier in
 * the order. */
static bool other_row(const access_pass *p, int rank, const row *a, row *b)
{
    int order = 0;
    b->memory = p->in.at;
    for (int d = 0; d < p->dims; d++) {
        const int64_t k = a->coordinate[d], other = d < rank && d != 0 && k ? p->n[d] - k : k;
        b->coordinate[d] = other;
        b->memory += other * p->in.step[d];
        if (other != k) order = other < k ? -1 : 1; /* the last that differs decides */
    }
    return order >= 0;
}

void access_mirror_run(const access_pass *p, const int64_t *base, void *buffers)
{
    const size_t line_bytes = (size_t)p->in.n * (p->is_double ? 16 : 8);
    char *memory = buffers;
    int64_t rows = 1;
    for (int d = 1; d < p->dims; d++) rows *= p->n[d];
    for (int64_t index = 0; index < rows; index++) {
        row pair[2] = {{.memory = p->in.at, .line = memory}, {.line = memory + line_bytes}};
        int64_t rest = index;
        bool same = true;
        memcpy(pair[0].coordinate, base, sizeof pair[0].coordinate);
        for (int d = 1; d < p->dims; rest /= p->n[d++]) pair[0].coordinate[d] += rest % p->n[d];
        for (int d = 0; d < p->dims; d++) pair[0].memory += pair[0].coordinate[d] * p->in.step[d];
        if (!other_row(p, p->rank, &pair[0], &pair[1])) continue;
        for (int d = 0; d < p->dims; d++) same = same && pair[0].coordinate[d] == pair[1].coordinate[d];
        run_pair(p, pair, same ? 1 : 2, memory + 2 * line_bytes, memory + 4 * line_bytes);
    }
}
