/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTs of images in slabs, padded, for NUFFTs and Toeplitz operators over several ranks. */
#include "dist/nufft/padded.h"

#include "base/memory.h"
#include "fft/plan/waiting.h"

/* ---- plans ---- */

static argand_accessor times(const argand_array *weights)
{
    return (argand_accessor){.kind = weights ? ARGAND_ACCESS_MULTIPLY : ARGAND_ACCESS_NONE, .array = weights};
}

/* Elements are centred: element n / 2 lies at point 0. */
static argand_window centred(int64_t n)
{
    return (argand_window){.count = n, .first = -(n / 2)};
}

/* The image's part along y: {x, y, z part, vectors} to {x, z part, Y, vectors} */
static argand_fft_options options_y(const padded_fft *p, int64_t vectors)
{
    const int64_t plane = p->x * p->y, line = p->x * p->z_own;
    argand_fft_options o = {.type = p->options.type, .rank = 1, .axes_given = true};
    o.axes[0] = (argand_axis){p->Y, p->x, line};
    o.loop[o.loops++] = (argand_axis){p->x, 1, 1};
    o.loop[o.loops++] = (argand_axis){p->z_own, plane, p->x};
    o.loop[o.loops++] = (argand_axis){vectors, plane * p->z_own, line * p->Y};
    o.input.window[0] = centred(p->y);
    int count = 0;
    for (int axis = 0; axis < 3; axis++)
        if (p->weights[axis]) o.access.load[count++] = times(p->weights[axis]);
    return o;
}

/* {x, z, Y part, vectors} to {X, Z, planes, vectors} */
static argand_fft_options options_xz(const padded_fft *p, int64_t vectors)
{
    const int64_t in = p->x * p->z, out = p->X * p->Z;
    argand_fft_options o = {.type = p->options.type, .axes_given = true};
    if (p->options.rank == 3) {
        o.input.window[o.rank] = centred(p->x);
        o.axes[o.rank++] = (argand_axis){p->X, 1, 1};
    }
    o.input.window[o.rank] = centred(p->z);
    o.axes[o.rank++] = (argand_axis){p->Z, p->x, p->X};
    o.loop[o.loops++] = (argand_axis){p->y_own, in, out};
    o.loop[o.loops++] = (argand_axis){vectors, in * p->y_own, out * p->options.planes};
    return o;
}

static argand_status make_pair(argand_fft **out, argand_fft **back, const padded_fft *p,
                               const argand_fft_options *there)
{
    argand_fft_options adjoint;
    TRY(fft_create_waiting(out, p->options.device, there));
    TRY(argand_fft_adjoint(&adjoint, there));
    return fft_create_waiting(back, p->options.device, &adjoint);
}

static argand_status make_plans(padded_fft *p, int64_t vectors)
{
    padded_plans *plans = &p->plans[vectors];
    const argand_fft_options y = options_y(p, vectors), xz = options_xz(p, vectors);
    if (plans->made) return ARGAND_OK;
    if (p->z_own && !plans->back_y) TRY(make_pair(&plans->out_y, &plans->back_y, p, &y));
    if (p->y_own && !plans->back_xz) TRY(make_pair(&plans->out_xz, &plans->back_xz, p, &xz));
    plans->made = true;
    return ARGAND_OK;
}

/* Weights of an axis repeat along the others: dimensions are those of the plan along y, which has axis y and
 * loops along x and z. */
static argand_status put_weights(padded_fft *p, int role, const void *weights, int64_t first, int64_t count)
{
    static const int place[3] = {1, 0, 2};
    const bool is_double = p->options.type == ARGAND_C64;
    int64_t dims[3] = {1, 1, 1};
    if (!weights || !count) return ARGAND_OK;
    dims[place[role]] = count;
    TRY(argand_array_create(&p->weights[role], p->options.device, is_double ? ARGAND_R64 : ARGAND_R32, 3,
                            dims));
    return argand_array_upload(p->weights[role], (const char *)weights + (is_double ? 8 : 4) * first);
}

static argand_status fill(padded_fft *p)
{
    padded_options *o = &p->options;
    const int y = o->rank - 2, z = o->rank - 1, ranks = argand_comm_size(o->comm),
              rank = argand_comm_rank(o->comm);
    p->x = o->rank == 3 ? o->n[0] : 1;
    p->X = o->rank == 3 ? o->grid[0] : 1;
    p->y = o->n[y];
    p->Y = o->grid[y];
    p->z = o->n[z];
    p->Z = o->grid[z];
    comm_share(p->z, ranks, rank, &p->z_first, &p->z_own);
    comm_share(p->Y, ranks, rank, &p->y_first, &p->y_own);
    if (!o->planes) o->planes = p->y_own;
    if (o->rank == 3) TRY(put_weights(p, 0, o->weights[0], 0, p->x));
    TRY(put_weights(p, 1, o->weights[y], 0, p->y));
    return put_weights(p, 2, o->weights[z], p->z_first, p->z_own);
}

argand_status padded_create(padded_fft **out, const padded_options *o)
{
    padded_fft *p;
    *out = NULL;
    TRY(NEW(p, 1));
    p->options = *o;
    const argand_status status = fill(p);
    if (status == ARGAND_OK)
        *out = p;
    else
        padded_destroy(p);
    return status;
}

void padded_destroy(padded_fft *p)
{
    if (!p) return;
    for (int i = 0; i <= PADDED_VECTORS; i++) {
        argand_fft_destroy(p->plans[i].back_xz);
        argand_fft_destroy(p->plans[i].out_xz);
        argand_fft_destroy(p->plans[i].back_y);
        argand_fft_destroy(p->plans[i].out_y);
    }
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(p->weights[axis]);
    memory_free(p);
}

/* ---- calls ---- */

argand_status padded_agree_vectors(const padded_fft *p, int64_t *vectors)
{
    argand_comm *comm = p->options.comm;
    const int ranks = argand_comm_size(comm);
    int64_t *all = NULL, most = 0;
    argand_status status = argand_comm_agree(comm, NEW(all, ranks));
    if (!status) status = argand_comm_gather(comm, all, vectors, sizeof *all);
    for (int r = 0; r < ranks && !status; r++) {
        if (most && all[r] && all[r] != most)
            status = status_set(ARGAND_ARGUMENT,
                                "rank %d has %lld vectors, a rank before it %lld: give all the same", r,
                                (long long)all[r], (long long)most);
        if (all[r]) most = all[r];
    }
    memory_free(all);
    *vectors = most;
    return status;
}

int64_t padded_most_vectors(const padded_fft *p)
{
    static const int64_t most_bytes = INT64_C(1) << 30;
    const int64_t cell = (int64_t)argand_type_size(p->options.type), many = 64 / cell,
                  planes = p->Y / argand_comm_size(p->options.comm) + 1;
    return cell * p->X * p->Z * planes > most_bytes / many ? 1 : many;
}

argand_status padded_prepare(padded_call *c, padded_fft *fft, int64_t vectors)
{
    *c = (padded_call){.fft = fft, .vectors = vectors};
    CHECK(vectors >= 1 && vectors <= PADDED_VECTORS, ARGAND_INTERNAL, "%lld vectors at a time",
          (long long)vectors);
    TRY(make_plans(fft, vectors));
    TRY(NEW(c->blocks, 2 * argand_comm_size(fft->options.comm)));
    const int64_t parts = fft->x * fft->z_own * fft->Y * vectors,
                  rows = fft->x * fft->z * fft->y_own * vectors, stride = 1;
    if (parts) TRY(array_scratch(&c->parts, fft->options.device, fft->options.type, 1, &parts));
    /* on one rank both are the same */
    if (argand_comm_size(fft->options.comm) == 1)
        return argand_array_view(&c->rows, c->parts, 1, &rows, &stride, 0);
    if (rows) TRY(array_scratch(&c->rows, fft->options.device, fft->options.type, 1, &rows));
    TRY(moved_take(&c->sent, fft->options.comm, c->parts));
    return moved_take(&c->got, fft->options.comm, c->rows);
}

void padded_release(padded_call *c)
{
    moved_release(&c->got);
    moved_release(&c->sent);
    argand_array_destroy(c->rows);
    argand_array_destroy(c->parts);
    memory_free(c->blocks);
    *c = (padded_call){NULL};
}

/* Blocks of this rank's z part for each rank's Y part: returns how many. */
static int list_parts(const padded_call *c, comm_block *blocks)
{
    const padded_fft *p = c->fft;
    const size_t cell = argand_type_size(p->options.type), line = (size_t)(p->x * p->z_own) * cell;
    int count = 0;
    for (int r = 0; r < argand_comm_size(p->options.comm); r++) {
        int64_t first, own;
        comm_share(p->Y, argand_comm_size(p->options.comm), r, &first, &own);
        block_add(blocks, &count,
                  (comm_block){r, c->sent.base + line * (size_t)first, line * (size_t)own,
                               line * (size_t)p->Y, line ? c->vectors : 0});
    }
    return count;
}

/* Blocks of this rank's Y part for each rank's z part */
static int list_rows(const padded_call *c, comm_block *blocks)
{
    const padded_fft *p = c->fft;
    const size_t cell = argand_type_size(p->options.type), row = (size_t)p->x * cell;
    int count = 0;
    for (int r = 0; r < argand_comm_size(p->options.comm); r++) {
        int64_t first, own;
        comm_share(p->z, argand_comm_size(p->options.comm), r, &first, &own);
        if (!p->y_own) continue;
        block_add(blocks, &count,
                  (comm_block){r, c->got.base + row * (size_t)first, row * (size_t)own, row * (size_t)p->z,
                               p->y_own * c->vectors});
    }
    return count;
}

/* The own planes of the grid's array */
static argand_status own_planes(argand_array **view, const padded_fft *p, const argand_array *grid,
                                int64_t vectors)
{
    const int64_t plane = p->X * p->Z, dims[4] = {p->X, p->Z, p->y_own, vectors},
                  strides[4] = {1, p->X, plane, plane * p->options.planes};
    return argand_array_view(view, grid, 4, dims, strides, plane * p->options.before);
}

/* Parts to rows, or back. A rank that failed sends what is there. */
static argand_status redistribute(const padded_call *c, argand_status status, bool to_rows)
{
    const moved *from = to_rows ? &c->sent : &c->got, *to = to_rows ? &c->got : &c->sent;
    if (!status) status = moved_before(from);
    const int parts = list_parts(c, c->blocks), rows = list_rows(c, c->blocks + parts);
    comm_block *const all_parts = c->blocks, *const all_rows = c->blocks + parts;
    TRY(comm_exchange(c->fft->options.comm, to_rows ? all_parts : all_rows, to_rows ? parts : rows,
                      to_rows ? all_rows : all_parts, to_rows ? rows : parts));
    return status ? status : moved_after(to);
}

argand_status padded_forward(const padded_call *c, argand_array *grid, const argand_array *image)
{
    const padded_fft *p = c->fft;
    const padded_plans *plans = &p->plans[c->vectors];
    argand_array *own = NULL;
    argand_status status = ARGAND_OK;
    if (p->z_own) status = argand_fft_apply(plans->out_y, c->parts, image, ARGAND_FORWARD);
    if (argand_comm_size(p->options.comm) > 1) status = redistribute(c, status, true);
    if (!p->y_own || status) return status;
    TRY(own_planes(&own, p, grid, c->vectors));
    status = argand_fft_apply(plans->out_xz, own, c->rows, ARGAND_FORWARD);
    argand_array_destroy(own);
    return status;
}

argand_status padded_adjoint(const padded_call *c, argand_array *image, const argand_array *grid)
{
    const padded_fft *p = c->fft;
    const padded_plans *plans = &p->plans[c->vectors];
    argand_array *own = NULL;
    argand_status status = ARGAND_OK;
    if (p->y_own) status = own_planes(&own, p, grid, c->vectors);
    if (!status && p->y_own) status = argand_fft_apply(plans->back_xz, c->rows, own, ARGAND_INVERSE);
    argand_array_destroy(own);
    if (argand_comm_size(p->options.comm) > 1) status = redistribute(c, status, false);
    if (!p->z_own || status) return status;
    return argand_fft_apply(plans->back_y, image, c->parts, ARGAND_INVERSE);
}
