/* SPDX-License-Identifier: BSD-3-Clause */
/* Finishes a row of the result: mixes it with the picture's row, checks and writes it. */
#include "convolve/filter.h"

#include <math.h>
#include <string.h>

const float *filter_row_under(const filter_job *job, const float *row, float *line)
{
    const argand_picture_info *info = &job->source.info;
    if (job->width == info->width && job->first[0] == 0) return row;
    for (int c = 0; c < info->channels; c++)
        for (int64_t x = 0; x < job->width; x++) {
            const int64_t from = x + job->first[0];
            line[c * job->width + x] = from >= 0 && from < info->width ? row[c * info->width + from] : 0;
        }
    return line;
}

/* Checks a row for NaN and infinity. The input was checked, so only overflow can cause them. */
static argand_status check_row(const filter_job *job, const float *row)
{
    for (int64_t i = 0; i < job->width * job->source.info.channels; i++)
        if (!isfinite(row[i]) && !(job->source.info.bits >> i / job->width & 1))
            return report_error(
                ARGAND_NUMERIC,
                "%s: numbers of the result are beyond single precision; scale %s or the kernel "
                "down",
                job->s->output, job->s->input);
    return ARGAND_OK;
}

argand_status filter_put_row(filter_job *job, const float *before, const float *const *convolved, float *row)
{
    const size_t bytes = (size_t)(job->width * job->source.info.channels) * sizeof *row;
    if (before != row && before) memcpy(row, before, bytes);
    if (!before) memset(row, 0, bytes);
    pixels_mix(job, row, convolved);
    TRY(check_row(job, row));
    if (job->compare && before) compare_add(job->compare, before, row);
    if (!job->sink.path) return ARGAND_OK;
    pixels_write_form(job, row);
    return sink_write(&job->sink, row);
}
