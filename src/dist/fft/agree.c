/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and boxes of all ranks: all must give the same options, and boxes that divide the array. */
#include "dist/fft/plan.h"

#include <string.h>
#include "base/memory.h"

/* What a rank tells the others. */
typedef struct told {
    int64_t numbers[16];
    argand_box in, out;
} told;

argand_status dist_check_options(const argand_dist_fft_options *o, int ranks)
{
    int64_t all = 1;
    CHECK(o, ARGAND_ARGUMENT, "argand_dist_fft_create: no options");
    CHECK(o->type >= ARGAND_R32 && o->type <= ARGAND_C64, ARGAND_ARGUMENT,
          "argand_dist_fft_create: type is %d; give ARGAND_C32, ARGAND_C64, ARGAND_R32 or ARGAND_R64",
          o->type);
    CHECK(o->rank == 2 || o->rank == 3, ARGAND_ARGUMENT, "argand_dist_fft_create: rank is %d; give 2 or 3",
          o->rank);
    for (int d = 0; d < o->rank; d++)
        CHECK(o->n[d] >= 1 && !__builtin_mul_overflow(all, o->n[d], &all) && all <= (int64_t)1 << 57,
              ARGAND_ARGUMENT,
              "argand_dist_fft_create: n[%d] is %lld; give lengths of 1 to 2^57 elements in all", d,
              (long long)o->n[d]);
    CHECK(o->batch >= 0 && (!o->batch || all <= ((int64_t)1 << 57) / o->batch), ARGAND_ARGUMENT,
          "argand_dist_fft_create: batch is %lld; give 1 to 2^57 elements in all (0 means 1)",
          (long long)o->batch);
    CHECK((unsigned)o->division <= ARGAND_DIST_PENCIL, ARGAND_ARGUMENT,
          "argand_dist_fft_create: division is %d; give ARGAND_DIST_AUTO, _SLAB or _PENCIL", o->division);
    CHECK(o->division != ARGAND_DIST_PENCIL || o->rank == 3, ARGAND_ARGUMENT,
          "argand_dist_fft_create: pencils need rank 3; give ARGAND_DIST_SLAB");
    CHECK((!o->grid[0] && !o->grid[1]) ||
              (o->grid[0] > 0 && o->grid[1] > 0 && (int64_t)o->grid[0] * o->grid[1] == ranks),
          ARGAND_ARGUMENT, "argand_dist_fft_create: the grid of %d x %d pencils is not for %d ranks",
          o->grid[0], o->grid[1], ranks);
    CHECK(!o->centred || o->type == ARGAND_C32 || o->type == ARGAND_C64, ARGAND_ARGUMENT,
          "argand_dist_fft_create: centred transforms are complex; shift real arrays yourself");
    CHECK(o->groups >= 0, ARGAND_ARGUMENT, "argand_dist_fft_create: groups is %d; give 1 or more (0: chosen)",
          o->groups);
    return ARGAND_OK;
}

static void global(const argand_dist_fft_options *o, bool is_out, int64_t n[4])
{
    for (int d = 0; d < o->rank; d++) n[d] = o->n[d];
    n[o->rank] = o->batch ? o->batch : 1;
    if (is_out && o->type != ARGAND_C32 && o->type != ARGAND_C64) n[0] = n[0] / 2 + 1;
}

/* Takes this rank's options and boxes. */
static argand_status tell(told *mine, const argand_dist_fft_options *o, int ranks)
{
    int64_t n[4];
    TRY(dist_check_options(o, ranks));
    const int64_t numbers[16] = {o->type,
                                 o->rank,
                                 o->n[0],
                                 o->n[1],
                                 o->rank > 2 ? o->n[2] : 0,
                                 o->batch ? o->batch : 1,
                                 o->centred,
                                 o->scale,
                                 o->effort,
                                 o->division,
                                 o->grid[0],
                                 o->grid[1],
                                 o->transposed,
                                 o->groups,
                                 o->in != NULL,
                                 4 * o->overwrite + 2 * o->unchecked + (o->out != NULL)};
    memcpy(mine->numbers, numbers, sizeof numbers);
    global(o, false, n);
    if (o->in) TRY(box_take(&mine->in, o->in, o->rank + (o->batch > 1), n, "input"));
    global(o, true, n);
    if (o->out) TRY(box_take(&mine->out, o->out, o->rank + (o->batch > 1), n, "output"));
    if (o->batch <= 1) mine->in.upper[o->rank] = mine->out.upper[o->rank] = 1;
    return ARGAND_OK;
}

argand_status dist_check_cover(const argand_box *boxes, int ranks, int rank, int axes, const int64_t *n,
                               const char *what)
{
    int64_t sum = 0, all = 1;
    argand_box both;
    for (int r = 0; r < ranks; r++) {
        sum += argand_box_count(&boxes[r], axes);
        CHECK(r == rank || !box_intersect(&both, &boxes[r], &boxes[rank], axes), ARGAND_ARGUMENT,
              "the %s boxes of ranks %d and %d both hold element %lld of axis 0, %lld of axis 1", what, rank,
              r, (long long)both.lower[0], (long long)both.lower[1]);
    }
    if (!n) return ARGAND_OK;
    for (int d = 0; d < axes; d++) all *= n[d];
    CHECK(sum == all, ARGAND_ARGUMENT, "the %s boxes of all ranks hold %lld of the array's %lld elements",
          what, (long long)sum, (long long)all);
    return ARGAND_OK;
}

static const char *difference(const told *a, const told *b)
{
    static const char *const names[16] = {"type",
                                          "rank",
                                          "n[0]",
                                          "n[1]",
                                          "n[2]",
                                          "batch",
                                          "centred",
                                          "scale",
                                          "effort",
                                          "division",
                                          "grid[0]",
                                          "grid[1]",
                                          "transposed",
                                          "groups",
                                          "in (NULL or a box)",
                                          "out (NULL or a box), unchecked or overwrite"};
    for (int i = 0; i < 16; i++)
        if (a->numbers[i] != b->numbers[i]) return names[i];
    return NULL;
}

static argand_status take(dist_given *given, const told *all, const argand_dist_fft_options *o, int ranks,
                          int me)
{
    int64_t n[4];
    for (int r = 0; r < ranks; r++) {
        const char *name = difference(&all[r], &all[0]);
        CHECK(!name, ARGAND_ARGUMENT, "argand_dist_fft_create: ranks 0 and %d give different values of %s", r,
              name);
        if (o->in) given->in[r] = all[r].in;
        if (o->out) given->out[r] = all[r].out;
    }
    global(o, false, n);
    if (o->in) TRY(dist_check_cover(given->in, ranks, me, o->rank + 1, n, "input"));
    global(o, true, n);
    return o->out ? dist_check_cover(given->out, ranks, me, o->rank + 1, n, "output") : ARGAND_OK;
}

argand_status dist_gather(dist_given *given, argand_comm *comm, const argand_dist_fft_options *o)
{
    const int ranks = argand_comm_size(comm);
    told mine, *all = NULL;
    mine = (told){.numbers = {0}};
    *given = (dist_given){0};
    argand_status status = tell(&mine, o, ranks);
    if (!status) status = NEW(all, ranks);
    if (!status && o->in) status = NEW(given->in, ranks);
    if (!status && o->out) status = NEW(given->out, ranks);
    status = argand_comm_agree(comm, status);
    if (!status) status = argand_comm_gather(comm, all, &mine, sizeof mine);
    if (!status) status = argand_comm_agree(comm, take(given, all, o, ranks, argand_comm_rank(comm)));
    memory_free(all);
    return status;
}
