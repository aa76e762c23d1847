/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of a distributed NUFFT: chooses the grid for all of them, sends each one to the rank that owns its
 * plane, and makes what depends on the grid. */
#include "dist/nufft/nufft.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "device/device.h"

/* Points on their way: positions in cycles per field of view, with the sign of the plan (scale) */
typedef struct travel {
    int64_t count;        /* given by this rank */
    double *k[3];         /* the caller's axes and order */
    int32_t *to;          /* rank of each point */
    double *packed;       /* one axis, in the order of the ranks */
    double *held[3];      /* of the points that this rank keeps */
    argand_array *set[3]; /* the same as arrays: axes of the slab */
} travel;

static void travel_free(travel *t)
{
    for (int axis = 0; axis < 3; axis++) {
        argand_array_destroy(t->set[axis]);
        memory_free(t->held[axis]);
        memory_free(t->k[axis]);
    }
    memory_free(t->packed);
    memory_free(t->to);
}

/* Axis of the caller that is this axis of the slab: planes of the grid lie across y, which comes last. */
static int slab_axis(int rank, int axis)
{
    return axis == rank - 1 ? rank - 2 : axis == rank - 2 ? rank - 1 : axis;
}

/* ---- the caller's positions ---- */

static argand_status check_axis(const argand_array *k, int axis, int64_t count)
{
    CHECK(k, ARGAND_ARGUMENT, "dist nufft: no positions given for axis %d", axis);
    CHECK(k->type == ARGAND_R32 || k->type == ARGAND_R64, ARGAND_ARGUMENT,
          "dist nufft: positions of axis %d are %s: give r32 or r64", axis, argand_type_name(k->type));
    CHECK(argand_array_is_contiguous(k) || k->rank == 1, ARGAND_ARGUMENT,
          "dist nufft: positions of axis %d have %d dimensions with gaps: copy them", axis, k->rank);
    CHECK(k->count == count, ARGAND_ARGUMENT, "dist nufft: %lld positions on axis %d but %lld on axis 0",
          (long long)k->count, axis, (long long)count);
    return ARGAND_OK;
}

/* Floats become doubles, from the end, as doubles take the place of floats. */
static void widen(double *at, int64_t count)
{
    const float *floats = (const float *)at;
    for (int64_t i = count; i-- > 0;) {
        float single;
        memcpy(&single, floats + i, sizeof single);
        at[i] = (double)single;
    }
}

/* Positions as doubles times the scale */
static argand_status fetch_axis(double *at, const argand_array *k, double scale, int axis, int threads)
{
    int64_t bad = k->count;
    TRY(argand_array_download(k, at));
    if (k->type == ARGAND_R32) widen(at, k->count);
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : bad)
    for (int64_t i = 0; i < k->count; i++) {
        if (!isfinite(at[i])) bad = i < bad ? i : bad;
        at[i] *= scale;
    }
    CHECK(bad == k->count, ARGAND_NUMERIC,
          "dist nufft: position %lld of axis %d is not finite: all must be numbers", (long long)bad, axis);
    return ARGAND_OK;
}

static argand_status fetch(travel *t, const argand_dist_nufft *plan, argand_array *const k[])
{
    if (!k) return ARGAND_OK;
    CHECK(k[0], ARGAND_ARGUMENT, "dist nufft: no positions given for axis 0");
    t->count = argand_array_count(k[0]);
    for (int axis = 0; axis < plan->options.rank; axis++) {
        TRY(check_axis(k[axis], axis, t->count));
        TRY(memory_take_pages(&t->k[axis], memory_product((size_t)t->count, sizeof(double))));
        TRY(fetch_axis(t->k[axis], k[axis], plan->scale[axis], axis, argand_device_threads(plan->device)));
    }
    TRY(memory_take_pages(&t->to, memory_product((size_t)t->count, sizeof *t->to)));
    return memory_take_pages(&t->packed, memory_product((size_t)t->count, sizeof(double)));
}

/* ---- the grid ---- */

/* All ranks have the grid that one rank would choose for all points. */
static argand_status choose(dist_points *p, const argand_dist_nufft *plan, int64_t given)
{
    double total = (double)given;
    choices among = {.known = {false}};
    choice *all = NULL;
    TRY(argand_comm_sum_doubles(plan->comm, &total, 1));
    p->total = (int64_t)total;
    choice_make(&p->chosen, &among, &plan->options, fmax(1, total), !device_is_host(plan->device), false);
    argand_status status = argand_comm_agree(plan->comm, NEW(all, argand_comm_size(plan->comm)));
    if (!status) status = argand_comm_gather(plan->comm, all, &p->chosen, sizeof *all);
    if (!status) p->chosen = all[0];
    memory_free(all);
    return status;
}

static argand_status make_grid(dist_points *p, const argand_dist_nufft *plan)
{
    const argand_nufft_options *o = &plan->options;
    const int y = o->rank - 2;
    const int64_t width = p->chosen.width, before = width / 2, after = width / 2 + 1;
    int64_t first, own;
    comm_share(p->chosen.grid[y], argand_comm_size(plan->comm), argand_comm_rank(plan->comm), &first, &own);
    padded_options padded = {.type = o->type,
                             .rank = o->rank,
                             .before = before,
                             .planes = own ? (before + own + after + 1) / 2 * 2 : 0,
                             .comm = plan->exchanges,
                             .device = plan->device};
    TRY(layout_create(&p->whole, o, &p->chosen, false));
    for (int axis = 0; axis < o->rank; axis++) {
        padded.n[axis] = o->n[axis];
        padded.grid[axis] = p->chosen.grid[axis];
        padded.weights[axis] = p->whole->deapodise[axis];
    }
    TRY(padded_create(&p->fft, &padded));
    return halo_create(&p->ghosts, plan->exchanges, p->chosen.grid[y], before, after, halo_periodic, NULL);
}

/* ---- where points belong ---- */

/* The place of k on a periodic grid: a cell, and how far beyond it. k is split into an integer, whose place
 * is exact, and a rest, so that large k lose no digits. */
static int64_t cell_of(double k, int64_t n, int64_t grid, double *beyond)
{
    if (fabs(k) > 0x1p30) k = fmod(k, (double)n);
    const double whole = rint(k), rest = k - whole;
    const int64_t product = (int64_t)whole * grid;
    int64_t cell = product / n, over = product % n;
    const double place = ((double)over + rest * (double)grid) / (double)n, below = floor(place);
    cell = (cell + (int64_t)below) % grid;
    *beyond = place - below;
    return cell < 0 ? cell + grid : cell;
}

static void find_ranks(travel *t, const dist_points *p, const argand_dist_nufft *plan)
{
    const int y = plan->options.rank - 2, ranks = argand_comm_size(plan->comm);
    const int64_t n = plan->options.n[y], grid = p->chosen.grid[y];
#pragma omp parallel for num_threads(argand_device_threads(plan->device)) schedule(static)
    for (int64_t i = 0; i < t->count; i++) {
        double beyond;
        t->to[i] = comm_owner(grid, ranks, cell_of(t->k[y][i], n, grid, &beyond));
    }
}

static argand_status take_held(travel *t, const dist_points *p, const argand_dist_nufft *plan)
{
    for (int axis = 0; axis < plan->options.rank; axis++)
        TRY(memory_take_pages(&t->held[axis], memory_product((size_t)p->route->held, sizeof(double))));
    return ARGAND_OK;
}

static argand_status move_points(travel *t, dist_points *p, const argand_dist_nufft *plan)
{
    const bool is_alone = argand_comm_size(plan->comm) == 1;
    if (!is_alone) find_ranks(t, p, plan);
    TRY(routing_create(&p->route, plan->exchanges, plan->device, t->count, t->to));
    if (is_alone) {
        memcpy(t->held, t->k, sizeof t->held);
        memset(t->k, 0, sizeof t->k);
        return ARGAND_OK;
    }
    TRY(argand_comm_agree(plan->comm, take_held(t, p, plan)));
    for (int axis = 0; axis < plan->options.rank; axis++) {
        routing_pack(p->route, t->packed, t->k[axis], sizeof(double), argand_device_threads(plan->device));
        TRY(routing_send(p->route, p->route->comm, t->held[axis], t->packed, sizeof(double), 1));
    }
    return ARGAND_OK;
}

/* Positions along y, relative to the slab's array */
static void place_in_slab(double *k, const dist_points *p, const argand_dist_nufft *plan)
{
    const int y = plan->options.rank - 2;
    const int64_t n = plan->options.n[y], grid = p->chosen.grid[y],
                  from = p->ghosts->before - p->fft->y_first;
#pragma omp parallel for num_threads(argand_device_threads(plan->device)) schedule(static)
    for (int64_t i = 0; i < p->route->held; i++) {
        double beyond;
        const int64_t cell = cell_of(k[i], n, grid, &beyond);
        k[i] = 0.5 * ((double)(cell + from) + beyond);
    }
}

static argand_status make_slab(travel *t, dist_points *p, const argand_dist_nufft *plan)
{
    const int rank = plan->options.rank;
    argand_nufft_options o = plan->options;
    choice c = p->chosen;
    argand_device *host;
    if (!p->route->held) return ARGAND_OK;
    place_in_slab(t->held[rank - 2], p, plan);
    TRY(device_host(&host, plan->device));
    for (int axis = 0; axis < rank; axis++) {
        const int from = slab_axis(rank, axis);
        o.n[axis] = plan->options.n[from];
        c.grid[axis] = p->chosen.grid[from];
        TRY(argand_array_wrap(&t->set[axis], host, ARGAND_R64, 1, &p->route->held, NULL, t->held[from]));
    }
    TRY(nufft_slab_create(&p->slab, plan->device, &o, &c, p->fft->options.planes));
    return argand_nufft_set_points(p->slab, t->set);
}

static argand_status make(dist_points *p, travel *t, const argand_dist_nufft *plan)
{
    TRY(choose(p, plan, t->count));
    TRY(argand_comm_agree(plan->comm, make_grid(p, plan)));
    TRY(move_points(t, p, plan));
    return argand_comm_agree(plan->comm, make_slab(t, p, plan));
}

argand_status dist_points_create(dist_points **out, const argand_dist_nufft *plan, argand_array *const k[])
{
    travel t = {0};
    dist_points *p = NULL;
    argand_status status = NEW(p, 1);
    *out = NULL;
    if (!status) status = fetch(&t, plan, k);
    status = argand_comm_agree(plan->comm, status);
    if (!status) status = make(p, &t, plan);
    travel_free(&t);
    if (!status)
        *out = p;
    else
        dist_points_destroy(p);
    return status;
}

void dist_points_destroy(dist_points *p)
{
    if (!p) return;
    argand_nufft_destroy(p->slab);
    routing_destroy(p->route);
    halo_destroy(p->ghosts);
    padded_destroy(p->fft);
    layout_destroy(p->whole);
    memory_free(p);
}
