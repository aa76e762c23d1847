/* SPDX-License-Identifier: BSD-3-Clause */
/* Real lines of an even length without radices that no tile holds. Their pairs are a complex line of half
 * the length, transformed by a convolution. A pass of its own converts between the spectrum of the pairs
 * and the half spectrum (kernels/fft/real_fold.krn). A convolution of the whole length would move and
 * compute twice as much. */
#include "fft/gpu/schedule/passes.h"

#include "fft/gpu/codegen/key.h"

enum { FOLD_THREADS = 256, FOLD_PAIRS = 4 };

/* Returns true if a convolution of the whole length takes one pass only. */
static bool is_one_pass(const line_job *line, const block_limits *l)
{
    line_job job = *line;
    line_convolution f;
    radix_list r;
    job_tidy(&job);
    return job.axis.n <= longest(&job, l) &&
           convolution_choose(&f, &r, job.axis.n, limits_max_convolution(l), l);
}

bool real_fold_fits(const line_job *line, bool adjacent, const block_limits *l)
{
    const int64_t n = line->axis.n;
    return adjacent && n % 2 == 0 && !has_radices(n / 2) && !line->access[0].on && !line->access[1].on &&
           !line->access[2].on && line->loops < TILE_LOOPS_MOST && line->axis.in == 1 &&
           line->axis.out == 1 && !is_one_pass(line, l);
}

/* Appends the pass that converts between the spectra of lines of m pairs and half spectra; memory holds
 * complex elements. */
static argand_status put_fold(pass_program *p, const line_job *job, bool forward, const block_limits *l)
{
    tile_pass *pass;
    line_job tidy = *job;
    job_tidy(&tidy);
    TRY(pass_begin(p, &tidy, &pass));
    const int m = tidy.real_points / 2,
              chunks = (m / 2 + FOLD_PAIRS * FOLD_THREADS) / (FOLD_PAIRS * FOLD_THREADS);
    tile_shape *s = &pass->shape;
    s->size[0] = m;
    s->lines = 1;
    s->loops = tidy.loops;
    s->threads = FOLD_THREADS;
    s->fold = forward ? FOLD_FORWARD : FOLD_INVERSE;
    TRY(tables_twiddles(&p->tables, tidy.real_points, 1, m / 2 + 1, &s->real_twiddles));
    pass->params.at[0] = tidy.from_at;
    pass->params.at[1] = tidy.to_at;
    pass->params.stride[0][0] = pass->params.stride[1][0] = 1;
    pass->params.lines = tidy.loop[0].n;
    pass->blocks = chunks;
    for (int i = 0; i < tidy.loops; i++) {
        pass->params.n[i] = tidy.loop[i].n;
        pass->params.loop[0][i] = tidy.loop[i].in;
        pass->params.loop[1][i] = tidy.loop[i].out;
        pass->blocks *= tidy.loop[i].n;
    }
    CHECK(pass->blocks < INT32_MAX, ARGAND_UNSUPPORTED, "argand_fft_create: %lld groups",
          (long long)pass->blocks);
    pass->from = tidy.from;
    pass->to = tidy.to;
    pass->axis = tidy.number;
    p->count++;
    return p->tables.dry && !l->keyed ? ARGAND_OK : key_make_fold(&pass->key, pass, FOLD_PAIRS, l->is_double);
}

/* Returns the job of the pairs: reals in one layout, complex elements in the other. */
static line_job pairs_of(const line_job *line, bool forward)
{
    line_job job = *line;
    if (!job.loops) job.loop[job.loops++] = (job_axis){.n = 1};
    job.real_points = (int)line->axis.n;
    job.axis.n /= 2;
    job.axis.number = 0;
    job.in_pair = job.out_pair = 1;
    job.adjacent = true;
    job.in_kind = forward ? IN_PAIRS : IN_COMPLEX;
    job.out_kind = forward ? OUT_COMPLEX : OUT_PAIRS;
    *(forward ? &job.axis.in : &job.axis.out) = 2;
    return job;
}

/* Transforms the pairs into the place of the half spectrum, then converts in place. */
static argand_status fold_forward(pass_program *p, const line_job *line, const block_limits *l)
{
    const line_job pairs = pairs_of(line, true);
    line_job fold = pairs;
    fold.in_kind = IN_COMPLEX;
    fold.from = line->to;
    fold.from_at = line->to_at;
    for (int i = 0; i < fold.loops; i++) fold.loop[i].in = fold.loop[i].out;
    TRY(program_lines(p, &pairs, l));
    return put_fold(p, &fold, true, l);
}

/* Converts half spectra to spectra of the pairs in work memory, then transforms these to pairs. */
static argand_status fold_inverse(pass_program *p, const line_job *line, const block_limits *l)
{
    line_job pairs = pairs_of(line, false), fold = pairs;
    int64_t distance = pairs.axis.n;
    fold.out_kind = OUT_COMPLEX;
    fold.to = pairs.from = MEMORY_WORK;
    fold.to_at = pairs.from_at = p->kept;
    for (int i = 0; i < fold.loops; i++) {
        fold.loop[i].out = pairs.loop[i].in = distance;
        distance *= fold.loop[i].n;
    }
    p->kept += distance;
    if (p->kept > p->work) p->work = p->kept;
    TRY(put_fold(p, &fold, false, l));
    return program_lines(p, &pairs, l);
}

argand_status program_real_fold(pass_program *p, const line_job *line, bool forward, const block_limits *l)
{
    return forward ? fold_forward(p, line, l) : fold_inverse(p, line, l);
}
