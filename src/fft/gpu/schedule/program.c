/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the passes of a problem: leading axes in pairs if a plane fits in a tile, the others one by one.
 * The first pass goes from input to output, the others work in the output. Real to complex begins with
 * axis 0. Complex to real ends with axis 0 and uses work memory before, so that its input is preserved. */
#include "fft/gpu/schedule/program.h"
#include "fft/gpu/schedule/passes.h"
#include "fft/gpu/schedule/persistent_passes.h"

#include <string.h>
#include "base/memory.h"

/* Adds all axes and loops other than `axis` (and `second`, if done together) as loops of the job. */
static void add_loops(line_job *job, const job_axis *axes, int all, int axis, int second)
{
    for (int i = 0; i < all; i++)
        if (i != axis && i != second) job->loop[job->loops++] = axes[i];
}

typedef struct builder {
    pass_program *program;
    const fft_problem *problem;
    const block_limits *limits;
    int rank, all;
    job_axis axes[JOB_AXES]; /* axes, then loops, with the strides of the next pass */
    pass_memory from, to;
    int64_t scrambled; /* the first part of axis 0 in scrambled order; 0: natural order */
    bool scrambled_output;
    const chunk_choice *persistent; /* NULL: every pass processes all data */
} builder;

static int shift_of(const builder *b, int axis)
{
    return b->problem->centred ? (int)(b->problem->n[axis] / 2) : 0;
}

/* Returns true if the pass is the last one. With persistent passes, whose chunks may have one position of
 * a later axis, the problem's axes count. In complex to real, axis 0 comes last, from work memory. */
static bool is_last(const builder *b, int last_axis)
{
    bool more = false;
    for (int axis = last_axis + 1; axis < b->rank; axis++) more |= b->problem->n[axis] > 1;
    return b->to != MEMORY_WORK && (b->from == MEMORY_WORK || !more);
}

/* Returns the operands with streaming access: the first of several passes reads, and the last one stores,
 * data that no other pass uses. */
static int streaming_of(const builder *b, int last_axis)
{
    bool more = false;
    if (problem_is_real(b->problem)) return 0;
    for (int axis = last_axis + 1; axis < b->rank; axis++) more |= b->axes[axis].n > 1;
    return more ? b->from != b->to : b->from == b->to && b->limits->tuning.streaming == 4 ? 3 : 0;
}

static int order_of(const builder *b)
{
    return b->limits->tuning.alternate_order && !b->persistent ? 1 + b->program->count % 2 : 0;
}

static line_job job_of(const builder *b, int axis, int second)
{
    line_job job = {.axis = b->axes[axis], .counted_loop = -1, .from = b->from, .to = b->to, .number = axis};
    job.streaming = streaming_of(b, axis > second ? axis : second);
    job.scaled = is_last(b, axis > second ? axis : second);
    job.order = order_of(b);
    job.shift_in = job.shift_out = shift_of(b, axis);
    add_loops(&job, b->axes, b->all, axis, second);
    return job;
}

/* Makes the output of the last pass the input of the next. */
static void move_on(builder *b)
{
    for (int i = 0; i < b->all; i++) b->axes[i].in = b->axes[i].out;
    b->from = b->to;
}

/* Ends the persistent passes: passes so far process one chunk at a time, later ones all data. */
static argand_status end_persistent(builder *b)
{
    const chunk_choice *w = b->persistent;
    if (!w) return ARGAND_OK;
    b->persistent = NULL;
    b->axes[w->axis].n = w->n;
    if (w->with >= 0) b->axes[w->with].n = w->with_n;
    return persistent_finish(b->program, w, b->limits);
}

/* Returns true if the last three axes begin at `axis`, and passes process all data. */
static bool three_axes(const builder *b, int axis)
{
    const job_axis *s = &b->axes[axis];
    return !b->persistent && !b->scrambled && axis + 3 == b->rank && s[0].n > 1 && s[1].n > 1 && s[2].n > 1;
}

/* Appends three axes as two passes, or as three of tiles with long rows; sets *done to true if it did. */
static argand_status volume(builder *b, int axis, bool *done)
{
    const job_axis *s = &b->axes[axis];
    const bool three = three_axes(b, axis) && b->from != b->to,
               twice = three && volume_is_split_twice(s, b->limits);
    *done = twice || (three && volume_fits(s, b->limits));
    if (!*done) return ARGAND_OK;
    const int shift[3] = {shift_of(b, axis), shift_of(b, axis + 1), shift_of(b, axis + 2)};
    line_job job = {.axis = *s, .counted_loop = -1, .from = b->from, .to = b->to, .number = axis};
    job.order = order_of(b);
    job.scaled = is_last(b, b->rank - 1);
    for (int i = 0; i < b->all; i++)
        if (i < axis || i > axis + 2) job.loop[job.loops++] = b->axes[i];
    TRY(twice ? program_volume_split_twice(b->program, &job, s, shift, b->limits)
              : program_volume(b->program, &job, s, shift, b->limits));
    move_on(b);
    return ARGAND_OK;
}

/* Appends the last two axes as two passes that share the second axis; sets *done to true if it did. */
static argand_status split_plane(builder *b, int axis, bool *done)
{
    const job_axis *s = &b->axes[axis], both[3] = {s[0], s[1], {.n = 1}};
    *done = !b->persistent && !b->scrambled && axis + 2 == b->rank && s[0].n > 1 && s[1].n > 1 &&
            b->from != b->to && plane_is_split(&s[0], &s[1], b->limits);
    if (!*done) return ARGAND_OK;
    const int shift[3] = {shift_of(b, axis), shift_of(b, axis + 1), 0};
    line_job job = {.axis = *s, .counted_loop = -1, .from = b->from, .to = b->to, .number = axis};
    job.order = order_of(b);
    job.scaled = is_last(b, b->rank - 1);
    add_loops(&job, b->axes, b->all, axis, axis + 1);
    TRY(program_volume(b->program, &job, both, shift, b->limits));
    move_on(b);
    return ARGAND_OK;
}

/* Appends the passes along the axes from `first` on; axes of one point need none. */
static argand_status complex_axes(builder *b, int first)
{
    for (int axis = first; axis < b->rank; axis++) {
        if (b->persistent && axis == b->persistent->axes) TRY(end_persistent(b));
        if (b->axes[axis].n == 1) continue;
        bool done;
        TRY(volume(b, axis, &done));
        if (!done) TRY(split_plane(b, axis, &done));
        if (done) break;
        const bool plane = axis + 1 < (b->persistent ? b->persistent->axes : b->rank) &&
                           plane_fits(&b->axes[axis], &b->axes[axis + 1], b->limits);
        const line_job job = job_of(b, axis, plane ? axis + 1 : axis);
        TRY(axis == 0 && b->scrambled
                ? program_scrambled(b->program, &job, b->scrambled, b->scrambled_output, b->limits)
            : plane ? program_plane(b->program, &job, &b->axes[axis + 1], shift_of(b, axis + 1), b->limits)
                    : program_lines(b->program, &job, b->limits));
        if (plane) axis++;
        move_on(b);
    }
    return ARGAND_OK;
}

/* Returns true if pairs along axis 0 of the real array are contiguous and start at even positions. Loops
 * of length 1 count as well, because parts of a call, or of persistent passes, begin along them. */
static bool pairs_adjacent(const builder *b, bool forward)
{
    int64_t odd = 0;
    for (int i = 1; i < b->all; i++) odd |= forward ? b->axes[i].in : b->axes[i].out;
    return (forward ? b->axes[0].in : b->axes[0].out) == 1 && odd % 2 == 0;
}

/* Returns the number of axes, one or two, that are transformed as reals in one pass. */
static int real_axes_of(const builder *b, real_plane *plane)
{
    job_axis axes[JOB_AXES];
    memcpy(axes, b->axes, sizeof axes);
    axes[0].n = b->problem->n[0];
    return !b->persistent && real_plane_choose(plane, axes, b->rank, b->limits) ? 2 : 1;
}

/* Appends the pass, or passes, of the axes that are transformed as reals. */
static argand_status real_axes(builder *b, bool forward)
{
    real_plane plane;
    const int count = real_axes_of(b, &plane);
    line_job job = job_of(b, 0, count - 1);
    const bool adjacent = pairs_adjacent(b, forward);
    job.axis.n = b->axes[0].n = b->problem->n[0];
    if (count == 2)
        TRY(program_real_plane(b->program, &job, b->axes, &plane, forward, adjacent, b->limits));
    else if (!b->persistent && real_rows_fit(b->axes, b->rank, b->limits))
        TRY(program_real_rows(b->program, &job, b->axes, b->rank, forward, b->limits));
    else
        TRY(program_real(b->program, &job, forward, adjacent, b->limits));
    move_on(b);
    return ARGAND_OK;
}

/* Returns true if the axes behind the first `count` have one point. */
static bool only_axes(const builder *b, int count)
{
    for (int axis = count; axis < b->rank; axis++)
        if (b->axes[axis].n > 1) return false;
    return true;
}

/* Returns the stride of rows in work memory. Columns of planes are stored in whole sectors if rows begin at
 * multiples of 64 bytes; with a third axis, rows without gaps make fewer tiles. */
static int64_t work_row(const builder *b)
{
    const int64_t unit = 64 / b->limits->element_bytes, n = b->axes[0].n;
    return only_axes(b, 2) ? (n + unit - 1) / unit * unit : n;
}

/* Appends the other axes first, from the input to work memory. */
static argand_status complex_to_real(builder *b)
{
    int64_t out[JOB_AXES], count = 1;
    real_plane plane;
    const int reals = real_axes_of(b, &plane);
    if (only_axes(b, reals)) return real_axes(b, false);
    b->axes[0].n = b->problem->n[0] / 2 + 1;
    for (int i = 0; i < b->all; i++) {
        out[i] = b->axes[i].out;
        b->axes[i].out = count;
        count *= i ? b->axes[i].n : work_row(b);
    }
    b->to = MEMORY_WORK;
    b->program->kept = b->program->work = count;
    TRY(complex_axes(b, reals));
    b->to = MEMORY_OUT;
    for (int i = 0; i < b->all; i++) b->axes[i].out = out[i];
    return real_axes(b, false);
}

static argand_status real_to_complex(builder *b)
{
    real_plane plane;
    const int reals = real_axes_of(b, &plane);
    TRY(real_axes(b, true));
    b->axes[0].n = b->problem->n[0] / 2 + 1;
    return complex_axes(b, reals);
}

/* Copies a problem of one point, as a line of one. */
static argand_status copy(builder *b)
{
    const line_job job = job_of(b, 0, 0);
    return program_lines(b->program, &job, b->limits);
}

static void begin_persistent(builder *b)
{
    const chunk_choice *w = b->persistent;
    if (!w) return;
    b->axes[w->axis].n = w->chunk;
    if (w->with >= 0) b->axes[w->with].n = 1;
}

/* Makes all passes, persistent ones first. */
static argand_status make_passes(builder *b, argand_direction direction)
{
    begin_persistent(b);
    TRY(!problem_is_real(b->problem)  ? complex_axes(b, 0)
        : direction == ARGAND_FORWARD ? real_to_complex(b)
                                      : complex_to_real(b));
    if (!b->program->count) TRY(copy(b));
    return end_persistent(b);
}

/* What all attempts at a program have in common. */
typedef struct transform {
    const fft_problem *problem;
    argand_direction direction;
    bool dry;
    int rank, all; /* transformed axes; these and the batch */
    job_axis axes[JOB_AXES];
} transform;

static transform transform_of(const fft_problem *problem, const fft_geometry *g, argand_direction direction,
                              bool dry)
{
    transform t = {
        .problem = problem, .direction = direction, .dry = dry, .rank = g->rank, .all = g->rank + g->loops};
    for (int i = 0; i < t.all; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        t.axes[i] = (job_axis){.n = axis->n, .in = axis->in_stride, .out = axis->out_stride};
    }
    return t;
}

/* Makes the program within these limits. persistent: NULL makes each pass a launch of its own. */
static argand_status make_within(pass_program *p, const transform *t, const block_limits *l,
                                 const chunk_choice *persistent)
{
    builder b = {.program = p,
                 .problem = t->problem,
                 .limits = l,
                 .rank = t->rank,
                 .all = t->all,
                 .to = MEMORY_OUT,
                 .scrambled = scrambled_part(t->problem, l),
                 .scrambled_output = scrambled_is_output(t->problem, t->direction),
                 .persistent = persistent};
    *p = (pass_program){.tables.dry = t->dry};
    memcpy(b.axes, t->axes, (size_t)t->all * sizeof *t->axes);
    const argand_status status = make_passes(&b, t->direction);
    if (status != ARGAND_OK) program_release(p);
    return status;
}

/* Makes the program within these limits or, if that fails, within the limits `whole`, where persistent
 * passes only cover whole transforms. */
static argand_status make_within_or(pass_program *p, const transform *t, const block_limits *l,
                                    const chunk_choice *persistent, const block_limits *whole)
{
    if (make_within(p, t, l, persistent) == ARGAND_OK) return ARGAND_OK;
    return make_within(p, t, whole, NULL);
}

/* First plans every pass by itself, which shows whether persistent passes gain. */
argand_status program_make(pass_program *p, const fft_problem *problem, const fft_geometry *g,
                           argand_direction direction, const block_limits *l, bool dry)
{
    transform t = transform_of(problem, g, direction, true);
    block_limits whole = *l, same = *l;
    chunk_choice persistent;
    whole.whole = true;
    TRY(make_within(p, &t, &whole, NULL));
    t.dry = dry;
    if (!persistent_choose(&persistent, p, t.axes, t.rank, t.all, l)) {
        if (dry && !l->tuning.tail_kib) return ARGAND_OK;
        program_release(p);
        return make_within_or(p, &t, l, NULL, &whole);
    }
    same.tuning.threads = persistent.threads;
    same.tuning.persistent_blocks = same.tuning.bulk_copy = 0;
    same.whole = true;
    program_release(p);
    return make_within_or(p, &t, &same, &persistent, &whole);
}
