/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares and runs the stages of planes and volumes with short axes. */
#include "fft/cpu/short_axes/short_axes.h"

#include "base/memory.h"
#include "fft/cpu/short_axes/stages.h"

struct short_axes {
    int count;
    int64_t n[ARGAND_MAX_RANK]; /* the axes of more than one point, slowest first */
    short_axes_run_stage *run[ARGAND_MAX_RANK];
    short_axes_stage stage[2][ARGAND_MAX_RANK]; /* of forward and inverse transforms */
    bool reals;
    size_t cells;   /* bytes of each of two stages' results */
    int64_t points; /* of a vector */
};

static const short_axes_stages *stages_for(bool is_double)
{
    typedef const short_axes_stages *stages_of(void);
    static stages_of *const all[2][CPU_LEVELS] = CPU_VARIANTS(short_axes_stages_for);
    return all[is_double][cpu_best()]();
}

static int64_t padded(int64_t n, int64_t points)
{
    return (n + points - 1) / points * points;
}

/* Takes the axes that have more than one point; false where another one is too long, or fewer than two. */
static bool take_axes(short_axes *s, const fft_problem *p)
{
    for (int axis = p->rank - 1; axis >= 0; axis--) {
        if (p->n[axis] > SHORT_AXES_MOST || (axis == 0 && p->n[0] < 2)) return false;
        if (p->n[axis] > 1) s->n[s->count++] = p->n[axis];
    }
    return s->count > 1;
}

/* The stages of a direction. before, after: points of the axes that are not done and done, but for this one
 * and the one before. */
static void make_stages(short_axes *s, const fft_problem *p, int inverse)
{
    const bool reals = problem_is_real(p);
    const int last = s->count - 1;
    int64_t before = 1, done = 1;
    for (int i = 1; i <= last; i++) before *= i == last && reals && inverse ? s->n[i] / 2 + 1 : s->n[i];
    for (int i = 0; i <= last; i++) {
        short_axes_stage *stage = &s->stage[inverse][i];
        const int64_t width = i ? padded(s->n[i - 1], s->points) : 1;
        const short_axes_source first = reals && !inverse ? FROM_REALS : FROM_PAIRS;
        const short_axes_sink end = !reals ? TO_PAIRS : inverse ? TO_REALS : TO_HALVES;
        *stage = (short_axes_stage){.groups = i ? before * done : 1,
                                    .columns = i ? s->n[i - 1] : before,
                                    .pitch = 2 * width,
                                    .row = s->n[last],
                                    .from = i == last && reals && inverse ? FROM_HALVES
                                            : i                           ? FROM_PAIRS
                                                                          : first,
                                    .to = i == last ? end : TO_CELLS,
                                    .cells = i > 0,
                                    .exchange_in = inverse && i == 0,
                                    .exchange_out = inverse && i == last};
        stage->step = i ? 2 * width * before * done : before * (first == FROM_REALS ? 1 : 2);
        if (i) done *= s->n[i - 1];
        if (i < last) before /= i + 1 == last && reals && inverse ? s->n[i + 1] / 2 + 1 : s->n[i + 1];
    }
}

static size_t cells_bytes(const short_axes *s, bool is_double)
{
    size_t most = 0, points = 1;
    for (int i = 0; i < s->count; i++) points *= (size_t)s->n[i];
    for (int i = 0; i + 1 < s->count; i++) {
        const size_t bytes = points / (size_t)s->n[i] * (size_t)padded(s->n[i], s->points);
        if (bytes > most) most = bytes;
    }
    return most * (is_double ? 16 : 8);
}

argand_status short_axes_make(short_axes **axes, const fft_problem *p)
{
    const bool is_double = type_is_double(p->type);
    const short_axes_stages *stages = stages_for(is_double);
    short_axes s = {0}, *made;
    *axes = NULL;
    if (!stages || p->centred || p->access || p->scrambled_signal || p->scrambled_spectrum ||
        !take_axes(&s, p))
        return ARGAND_OK;
    s.points = stages->points;
    s.reals = problem_is_real(p);
    s.cells = (cells_bytes(&s, is_double) + 63) / 64 * 64;
    if (s.cells * (s.count > 2 ? 2 : 1) > SHORT_AXES_WORK) return ARGAND_OK;
    for (int i = 0; i < s.count; i++) s.run[i] = stages->run[s.n[i]];
    make_stages(&s, p, 0);
    make_stages(&s, p, 1);
    TRY(NEW(made, 1));
    *made = s;
    *axes = made;
    return ARGAND_OK;
}

/* The stage that reads or writes rows of reals with other memory between them. */
static void set_row(const short_axes *s, short_axes_stage *stage, int inverse, int64_t row)
{
    const int64_t n = s->n[s->count - 1];
    stage->row = row;
    if (inverse) return;
    stage->groups = stage->columns / n;
    stage->columns = n;
    stage->pitch = row;
    stage->step = row * stage->groups;
}

void short_axes_run(const short_axes *s, void *out, const void *in, void *work, int inverse, double factor,
                    int64_t row)
{
    const int last = s->count - 1;
    const short_axes_stage *first = &s->stage[inverse][0], *end = &s->stage[inverse][last];
    short_axes_stage own;
    char *const cells[2] = {work, (char *)work + s->cells};
    if (s->reals && row != s->n[last]) {
        own = inverse ? *end : *first;
        set_row(s, &own, inverse, row);
        *(inverse ? &end : &first) = &own;
    }
    s->run[0](cells[0], in, first, 1);
    for (int i = 1; i < last; i++) s->run[i](cells[i % 2], cells[(i + 1) % 2], &s->stage[inverse][i], 1);
    s->run[last](out, cells[(last + 1) % 2], end, factor);
}

void short_axes_print(const short_axes *s, text *t)
{
    text_add(t, "short_axes ");
    for (int i = s->count; i-- > 0;) text_add(t, "%lld%s", (long long)s->n[i], i ? "x" : "");
    text_add(t, ", pairs, %d lanes", (int)s->points);
}
