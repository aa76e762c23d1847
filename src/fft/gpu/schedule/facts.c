/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the engine's passes to the planner: bytes, operations, estimated time. */
#include "fft/gpu/schedule/program.h"
#include "fft/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists the radices of all stages, as "16x16". */
static void list_radices(char *to, size_t size, const tile_shape *s)
{
    size_t used = 0;
    for (int i = 0; i < s->stages && used < size; i++)
        if (s->stage[i].radix > 1)
            used += (size_t)snprintf(to + used, size - used, "%s%d", used ? "x" : "", s->stage[i].radix);
}

/* Returns the tiles along a loop, including those that are images of others. */
static int64_t tiles_along(const tile_pass *pass, int loop)
{
    const tile_shape *s = &pass->shape;
    return s->halved > 0 && loop == s->halved ? s->access[2].image.points[s->at_dim[3 + loop] - 1]
                                              : pass->params.n[loop];
}

/* Returns the points that a pass transforms. */
static int64_t points_of(const tile_pass *pass)
{
    int64_t points = 1;
    for (int i = 0; i < pass->shape.loops; i++) points *= tiles_along(pass, i);
    int64_t tile = tile_points(&pass->shape);
    if (pass->shape.convolution.kind)
        tile = tile / pass->shape.convolution.convolution * pass->shape.convolution.points;
    if (pass->shape.lines < 3) /* the last tiles may be partly empty */
        points =
            points / pass->params.n[0] * pass->params.lines * (tile / pass->shape.size[pass->shape.lines]);
    else
        points *= tile;
    return points;
}

static int element_of(const tile_pass *pass, int operand, int element)
{
    const pass_access *a = &pass->shape.access[operand];
    return a->on ? (int)argand_type_size(a->type) * (a->split ? 2 : 1) : element;
}

static bool has_pairs(const tile_shape *s, int operand)
{
    return operand ? s->out_kind == OUT_PAIRS : s->in_kind == IN_PAIRS;
}

/* Returns the bytes of an operand without the points that windows leave out. */
static int64_t bytes_of(const tile_pass *pass, int operand, int64_t points, int element)
{
    const pass_access *a = &pass->shape.access[operand];
    if (a->on && has_pairs(&pass->shape, operand)) points *= 2;
    for (int i = 0; i < a->windows; i++) {
        const int64_t n = a->window[i].points, count = a->window[i].count;
        points = points % n ? (int64_t)((double)points / (double)n * (double)count) : points / n * count;
    }
    return points * element_of(pass, operand, element);
}

/* Returns the contiguous bytes of an operand. */
static int64_t segment_of(const tile_pass *pass, int operand, int element)
{
    const pass_access *a = &pass->shape.access[operand];
    int64_t contiguous = element;
    const int64_t next = has_pairs(&pass->shape, operand) ? 2 : 1; /* in reals */
    for (int d = 0; d < 3; d++)
        if (pass->shape.size[d] > 1 && llabs(pass->params.stride[operand][d]) == next)
            contiguous = (int64_t)pass->shape.size[d] * element;
    for (int i = 0; i < a->windows; i++)
        if (llabs(a->window[i].stride) == 1) contiguous = (int64_t)a->window[i].count * element;
    return contiguous;
}

/* Returns the operations of a pass: those of the butterflies, and 6 a point for each twiddle factor. */
static double operations_of(const tile_pass *pass, int64_t points)
{
    double sum = 0;
    for (int i = 0; i < pass->shape.stages; i++)
        if (pass->shape.stage[i].radix > 1)
            sum += radix_operations(pass->shape.stage[i].radix) + (pass->shape.stage[i].length > 1 ? 6 : 0);
    return sum * (double)points *
           (pass->shape.convolution.kind
                ? 2.0 * pass->shape.convolution.convolution / pass->shape.convolution.points
                : 1);
}

/* Describes one pass. element: bytes of an element between passes. */
static void describe(argand_fft_pass *to, const tile_pass *pass, int element)
{
    const tile_shape *s = &pass->shape;
    const int64_t points = points_of(pass);
    const bool plane = s->lines == 2, rows = s->lines == 1;
    *to = (argand_fft_pass){.axis = plane ? -1 : pass->axis,
                            .length = plane                 ? (int64_t)s->size[0] * s->size[1]
                                      : s->convolution.kind ? s->convolution.points
                                                            : s->size[rows ? 0 : 1],
                            .read_bytes = bytes_of(pass, 0, points, element),
                            .write_bytes = bytes_of(pass, 1, points, element),
                            .read_segment = segment_of(pass, 0, element_of(pass, 0, element)),
                            .write_segment = segment_of(pass, 1, element_of(pass, 1, element)),
                            .operations = operations_of(pass, points),
                            .launches = 1};
    to->lines = points / to->length;
    if (s->fold)
        snprintf(to->what, sizeof to->what, "half spectra, of pairs'");
    else if (plane)
        snprintf(to->what, sizeof to->what, "planes of %dx%d", s->size[0], s->size[1]);
    else
        snprintf(to->what, sizeof to->what, rows ? "rows, %d at a time" : "columns in tiles of %d",
                 s->size[s->lines]);
    list_radices(to->radices, sizeof to->radices, s);
}

/* Describes the two halves of a cluster as one pass. */
static void describe_cluster(argand_fft_pass *to, const tile_pass *half, int element)
{
    argand_fft_pass second;
    describe(to, &half[0], element);
    const int64_t points = points_of(&half[0]);
    describe(&second, &half[1], element);
    to->operations += second.operations + (half[0].shape.twiddle ? 6.0 : 0.0) * (double)points;
    to->length *= second.length;
    to->lines = points / to->length;
    to->write_bytes = second.write_bytes;
    to->write_segment = second.write_segment;
    if (!half[0].shape.twiddle) to->axis = -1;
    snprintf(to->what, sizeof to->what, "%dx%d by %d groups", half[0].exchange.u, half[0].exchange.v,
             half[0].exchange.blocks);
    const size_t used = strlen(to->radices);
    snprintf(to->radices + used, sizeof to->radices - used, " %s", second.radices);
}

/* Describes the three parts of a cluster's convolution as one pass. */
static void describe_convolution(argand_fft_pass *to, const tile_pass *part, int element)
{
    const pass_exchange *c = &part->exchange;
    double operations = 0;
    for (int i = 0; i < 3; i++) {
        describe(to, &part[i], element);
        operations += (i == 1 ? 2 : 1) * to->operations;
    }
    to->operations = operations;
    to->length = part->params.chirp_points;
    to->lines = part->blocks / c->blocks;
    to->read_bytes = to->write_bytes = to->length * to->lines * element;
    to->read_segment = segment_of(part, 0, element);
    snprintf(to->what, sizeof to->what, "convolution of %dx%d by %d groups", c->u, c->v, c->blocks);
    list_radices(to->radices, sizeof to->radices, &part[0].shape);
    const size_t used = strlen(to->radices);
    if (used + 1 < sizeof to->radices) {
        to->radices[used] = ' ';
        list_radices(to->radices + used + 1, sizeof to->radices - used - 1, &part[1].shape);
    }
}

/* Returns true if a pass transforms two axes, or parts of two axes. */
static bool has_two_axes(const tile_shape *s)
{
    for (int i = 1; i < s->stages; i++)
        if (s->stage[i].axis != s->stage[0].axis) return true;
    return false;
}

/* Points of a line count even if they are known to be zero, because the pass computes with them. On an
 * H200 a pass with two axes takes 1.35 times as long as one with lines, a plane in a cluster 1.8 times
 * (256^3, 128^3, padded, cropped and whole: within 20 %). */
double program_cost(const pass_program *p, const block_limits *l)
{
    const double launch = 8e6; /* time of a launch, in bytes moved meanwhile */
    double cost = 0;
    for (int i = 0; i < p->count; i += p->pass[i].exchange.blocks ? p->pass[i].exchange.passes : 1) {
        const tile_pass *pass = &p->pass[i],
                        *last = pass->exchange.blocks ? pass + pass->exchange.passes - 1 : pass;
        const int64_t points = points_of(pass);
        const double moved = (double)bytes_of(pass, 0, points, l->element_bytes) +
                             (double)bytes_of(last, 1, points, l->element_bytes),
                     computed = 2.0 * (double)points * l->element_bytes;
        cost += launch + (moved + computed) / 2 *
                             (pass->exchange.blocks        ? 1.8
                              : has_two_axes(&pass->shape) ? 1.35
                                                           : 1);
    }
    return cost;
}

/* Multiplies the figures of one chunk of persistent passes by the number of chunks. */
static void repeat(argand_fft_pass *to, int64_t chunks)
{
    to->read_bytes *= chunks;
    to->write_bytes *= chunks;
    to->lines *= chunks;
    to->operations *= (double)chunks;
}

void program_passes(const pass_program *p, const block_limits *l, fft_passes *list)
{
    for (int i = 0; i < p->count && list->count < FFT_MOST_PASSES; i++) {
        argand_fft_pass *to = &list->pass[list->count++];
        if (p->pass[i].exchange.passes == 3) {
            describe_convolution(to, &p->pass[i], l->element_bytes);
            i += 2;
        } else if (p->pass[i].exchange.blocks) {
            describe_cluster(to, &p->pass[i++], l->element_bytes);
        } else {
            describe(to, &p->pass[i], l->element_bytes);
        }
        if (i >= p->persistent.begin && i < p->persistent.begin + p->persistent.count)
            repeat(to, p->persistent.params.chunks);
    }
}
