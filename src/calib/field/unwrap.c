/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase unwrapping by sorting of edges (Herraez, Burton, Lalor, Gdeisat, Applied Optics 41:7437, 2002).
 * Neighbours are joined in the order of the reliability of their wrapped phase. Each join shifts the
 * smaller group by the multiple of 2 pi that minimises the step. Wrong steps at noisy pixels come last,
 * when the groups are already joined. */
#include "calib/field/field.h"

#include <math.h>
#include <stdlib.h>
#include "base/pi.h"
#include "base/whole.h"
#include "mri/host.h"

enum { MOST_TURNS = 1 << 30 };

double unwrap_nearest(double phase)
{
    return phase - TWO_PI * rint(phase / TWO_PI);
}

typedef struct edge {
    double trust;
    int64_t pixel;
    int axis;
} edge;

/* Groups of pixels: a forest whose roots store the size of their group. Turns are relative to the parent. */
typedef struct forest {
    int64_t *parent, *size;
    int64_t *turns;
} forest;

/* Finds the root of a pixel and the turns relative to it, and shortens the path. */
static int64_t find_root(forest *f, int64_t pixel, int64_t *turns)
{
    int64_t root = pixel, sum = 0;
    while (f->parent[root] != root) {
        sum += f->turns[root];
        root = f->parent[root];
    }
    *turns = sum;
    while (f->parent[pixel] != root && pixel != root) {
        const int64_t next = f->parent[pixel], own = f->turns[pixel];
        f->parent[pixel] = root;
        f->turns[pixel] = sum;
        sum -= own;
        pixel = next;
    }
    return root;
}

/* Joins the groups of a and b so that the step from a to b is as small as possible. */
static void join(forest *f, const double *phase, int64_t a, int64_t b)
{
    int64_t turns_a, turns_b;
    const int64_t root_a = find_root(f, a, &turns_a), root_b = find_root(f, b, &turns_b);
    if (root_a == root_b) return;
    const double step = phase[b] - phase[a] + TWO_PI * (double)(turns_b - turns_a);
    /* Turns to add to b's group. */
    const int64_t shift = -whole(rint(step / TWO_PI), -MOST_TURNS, MOST_TURNS);
    const bool b_moves = f->size[root_b] <= f->size[root_a];
    const int64_t child = b_moves ? root_b : root_a, root = b_moves ? root_a : root_b;
    f->parent[child] = root;
    f->turns[child] = b_moves ? shift : -shift;
    f->size[root] += f->size[child];
}

static bool inside(const unwrap_task *t, int64_t pixel)
{
    return !t->mask || t->mask[pixel];
}

static int64_t stride_of(const unwrap_task *t, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? t->n[0] : t->n[0] * t->n[1];
}

/* Returns 1 / (1 + sum of squared second differences), times the weight: large where the phase is smooth. */
static double trust_of(const unwrap_task *t, int64_t pixel)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t stride = stride_of(t, axis), place = pixel / stride % t->n[axis];
        if (place == 0 || place + 1 >= t->n[axis]) continue;
        if (!inside(t, pixel - stride) || !inside(t, pixel + stride)) {
            sum += 1;
            continue;
        }
        const double second = unwrap_nearest(t->phase[pixel + stride] - t->phase[pixel]) -
                              unwrap_nearest(t->phase[pixel] - t->phase[pixel - stride]);
        sum += second * second;
    }
    return (t->weight ? t->weight[pixel] : 1) / (1 + sum);
}

/* Sorts edges by descending reliability; equal ones by memory order. */
static int compare(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->trust != y->trust) return x->trust > y->trust ? -1 : 1;
    if (x->pixel != y->pixel) return x->pixel < y->pixel ? -1 : 1;
    return x->axis - y->axis;
}

static int64_t list_edges(const unwrap_task *t, const double *trust, edge *edges)
{
    const int64_t pixels = t->n[0] * t->n[1] * t->n[2];
    int64_t count = 0;
    for (int64_t i = 0; i < pixels; i++)
        for (int axis = 0; axis < 3 && inside(t, i); axis++) {
            const int64_t stride = stride_of(t, axis);
            if (i / stride % t->n[axis] + 1 >= t->n[axis] || !inside(t, i + stride)) continue;
            edges[count++] = (edge){trust[i] + trust[i + stride], i, axis};
        }
    return count;
}

/* Writes the phases with the turns of their groups. Each group is shifted so that its weighted mean is
 * nearest to 0. */
static void write(const unwrap_task *t, forest *f, double *sums, double *weights)
{
    const int64_t pixels = t->n[0] * t->n[1] * t->n[2];
    for (int64_t i = 0; i < pixels; i++) {
        int64_t turns;
        if (!inside(t, i)) continue;
        const int64_t root = find_root(f, i, &turns);
        const double weight = t->weight ? t->weight[i] : 1;
        t->out[i] = t->phase[i] + TWO_PI * (double)turns;
        sums[root] += weight * t->out[i];
        weights[root] += weight;
    }
    for (int64_t i = 0; i < pixels; i++) {
        int64_t turns;
        if (!inside(t, i)) continue;
        const int64_t root = find_root(f, i, &turns);
        if (weights[root] > 0) t->out[i] -= TWO_PI * rint(sums[root] / weights[root] / TWO_PI);
    }
}

argand_status unwrap_run(const unwrap_task *t)
{
    const int64_t pixels = t->n[0] * t->n[1] * t->n[2];
    forest f = {0};
    double *scratch = NULL;
    edge *edges = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(f.parent, pixels));
    TRY_OR_DONE(NEW(f.size, pixels));
    TRY_OR_DONE(NEW(f.turns, pixels));
    TRY_OR_DONE(NEW(scratch, 2 * pixels));
    TRY_OR_DONE(NEW(edges, 3 * pixels));
    for (int64_t i = 0; i < pixels; i++) {
        f.parent[i] = i;
        f.size[i] = 1;
        scratch[i] = inside(t, i) ? trust_of(t, i) : 0;
    }
    const int64_t count = list_edges(t, scratch, edges);
    qsort(edges, (size_t)count, sizeof *edges, compare);
    for (int64_t i = 0; i < count; i++)
        join(&f, t->phase, edges[i].pixel, edges[i].pixel + stride_of(t, edges[i].axis));
    for (int64_t i = 0; i < pixels; i++) scratch[i] = 0;
    write(t, &f, scratch, scratch + pixels);
done:
    memory_free(edges);
    memory_free(scratch);
    memory_free(f.turns);
    memory_free(f.size);
    memory_free(f.parent);
    return status;
}

static argand_status check_like(const argand_array *array, const argand_array *phase, const char *what)
{
    CHECK(!array || (!type_is_complex(argand_array_type(array)) &&
                     argand_array_count(array) == argand_array_count(phase)),
          ARGAND_ARGUMENT, "unwrapping: the %s must be real with one value for each of %lld pixels", what,
          (long long)argand_array_count(phase));
    return ARGAND_OK;
}

argand_status argand_phase_unwrap(argand_array *unwrapped, const argand_array *phase,
                                  const argand_array *weight, const argand_array *mask)
{
    double *values[4] = {NULL};
    char *within = NULL;
    bool finite;
    argand_status status;
    CHECK_ARRAY(unwrapped);
    CHECK_ARRAY(phase);
    const int rank = argand_array_rank(phase);
    CHECK(rank >= 1 && rank <= 3 && !type_is_complex(argand_array_type(phase)), ARGAND_ARGUMENT,
          "unwrapping: a phase of rank %d, %s; it must be real, of 1 to 3 dimensions, in rad", rank,
          argand_type_name(argand_array_type(phase)));
    TRY(check_like(unwrapped, phase, "result"));
    TRY(check_like(weight, phase, "weight"));
    TRY(check_like(mask, phase, "mask"));
    TRY(argand_array_is_finite(&finite, phase));
    CHECK(finite, ARGAND_NUMERIC, "unwrapping: the phase holds numbers that are not finite");
    const int64_t count = argand_array_count(phase);
    unwrap_task t = {
        .n = {argand_array_dim(phase, 0), argand_array_dim(phase, 1), argand_array_dim(phase, 2)}};
    TRY_OR_DONE(host_read(&values[0], phase));
    TRY_OR_DONE(NEW(values[1], count));
    if (weight) TRY_OR_DONE(host_read(&values[2], weight));
    if (mask) {
        TRY_OR_DONE(host_read(&values[3], mask));
        TRY_OR_DONE(NEW(within, count));
        for (int64_t i = 0; i < count; i++) within[i] = values[3][i] != 0;
    }
    t.phase = values[0];
    t.out = values[1];
    t.weight = values[2];
    t.mask = within;
    TRY_OR_DONE(unwrap_run(&t));
    status = host_write_real(unwrapped, values[1]);
done:
    memory_free(within);
    for (int i = 0; i < 4; i++) memory_free(values[i]);
    return status;
}
