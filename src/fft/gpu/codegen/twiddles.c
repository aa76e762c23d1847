/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the twiddle factors between the parts of a long line, and the chirps of a long convolution. */
#include "fft/gpu/codegen/finish.h"

#include <string.h>

/* Returns true if twiddle factors are computed, because the products are exact enough. */
static bool is_arithmetic(int64_t points, const block_limits *l)
{
    return points <= (l->is_double ? INT32_MAX : (int64_t)1 << 32);
}

/* Tables have no twiddle factors of negative elements, which occur if a shift is not a multiple of the
 * parts. */
bool job_may_divide(const line_job *job, int64_t n, int64_t n1, const block_limits *l)
{
    return (job->shift_in % (n / n1) == 0 && job->shift_out % n1 == 0) || is_arithmetic(n, l);
}

static bool twiddles_by_arithmetic(tile_pass *pass, int64_t points, const block_limits *l)
{
    const double unit = (double)(1.57079632679489661923L / (long double)points);
    if (!is_arithmetic(points, l)) return false;
    pass->shape.twiddle = 2;
    if (l->is_double) {
        memcpy(&pass->params.interpass_unit, &unit, sizeof unit);
        pass->params.interpass_tables[0] = (int)points;
    } else {
        pass->params.interpass_unit = (int64_t)(UINT64_MAX / (uint64_t)points + 1);
    }
    return true;
}

/* Prepares the twiddle factors by the counted loop's index: computed, or from tables. */
argand_status twiddles_make(pass_program *p, tile_pass *pass, const line_job *job, const block_limits *l)
{
    int shift = 1;
    if (job->counted_loop >= 0) pass->shape.counted = job->counted_loop == 0 ? 1 : 2;
    pass->shape.twiddle_from = job->twiddle_points ? job->twiddle_from : 0;
    if (!job->twiddle_points || twiddles_by_arithmetic(pass, job->twiddle_points, l)) return ARGAND_OK;
    while ((int64_t)1 << (2 * shift) < job->twiddle_points) shift++;
    const int coarse = (int)(job->twiddle_points >> shift) + 1;
    pass->shape.twiddle = 1;
    pass->shape.twiddle_shift = shift;
    TRY(tables_twiddles(&p->tables, job->twiddle_points, 1, 1 << shift, &pass->params.interpass_tables[0]));
    return tables_twiddles(&p->tables, job->twiddle_points, (int64_t)1 << shift, coarse,
                           &pass->params.interpass_tables[1]);
}

/* integers below this are exact in single precision */
enum { CHIRP_EXACT = 1 << 24 };

/* Makes the tables of a pass of a long convolution. */
argand_status twiddles_chirp(pass_program *p, tile_pass *pass, const line_job *job, argand_device *device,
                             bool is_double)
{
    const line_convolution f = {.kind = job->chirp.rader ? CONVOLUTION_RADER : CONVOLUTION_BLUESTEIN,
                                .points = (int)job->chirp.points,
                                .origin = (int)job->chirp.origin,
                                .convolution = (int)job->chirp.convolution};
    pass->params.chirp_points = job->chirp.points;
    pass->params.chirp_step = job->chirp.step;
    if (!job->chirp.part) return ARGAND_OK;
    pass->shape.rader = job->chirp.rader;
    if (job->chirp.part == CHIRP_MIDDLE) {
        const int lines = pass->shape.stage[0].axis == 0 ? (int)job->chirp.step : 1;
        return convolution_spectrum(&p->tables, &f, lines, device, &pass->params.chirp);
    }
    pass->shape.origin = f.origin;
    if (job->chirp.rader)
        return rader_route(&p->tables, &f, &job->chirp.split, job->chirp.part == CHIRP_OUT, is_double,
                           &pass->params.chirp);
    pass->shape.filled = (int)((job->chirp.points + job->chirp.step - 1) / job->chirp.step);
    pass->shape.chirp_angle = !is_double && job->chirp.points < CHIRP_EXACT ? 3 : 0;
    if (!pass->shape.chirp_angle) {
        pass->shape.origin = 0;
        return convolution_chirp(&p->tables, &f, device, &pass->params.chirp);
    }
    pass->params.chirp_unit = (int64_t)(UINT64_MAX / (2 * (uint64_t)job->chirp.points) + 1);
    return ARGAND_OK;
}
