/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves a picture that fits into memory: reads it, convolves it in one call, writes it. */
#include "convolve/filter.h"

#include <stdlib.h>
#include <string.h>

/* The whole picture in the host's memory. */
typedef struct piece {
    float *rows;                    /* row by row, each channel by channel, colours times coverage */
    float *line;                    /* one row of the result */
    filter_buffer light, convolved; /* planes */
} piece;

static argand_status take(piece *p, const filter_job *job)
{
    const argand_picture_info *info = &job->source.info;
    const size_t in = (size_t)(info->width * info->height);
    const int64_t in_dims[3] = {info->width, info->height, job->lights},
                  out_dims[3] = {job->width, job->height, job->lights};
    p->rows = malloc(in * (size_t)info->channels * sizeof *p->rows);
    p->line = malloc((size_t)job->width * (size_t)info->channels * sizeof *p->line);
    if (!p->rows || !p->line)
        return report_error(ARGAND_MEMORY,
                            "no memory for the whole picture; give --memory SIZE to process it in bands");
    TRY(filter_buffer_open(&p->light, job->device, in_dims));
    return filter_buffer_open(&p->convolved, job->device, out_dims);
}

static void give_back(piece *p)
{
    free(p->rows);
    filter_buffer_close(&p->light);
    filter_buffer_close(&p->convolved);
    free(p->line);
}

static argand_status read_rows(piece *p, filter_job *job)
{
    const argand_picture_info *info = &job->source.info;
    float *planes[ARGAND_PICTURE_CHANNELS];
    report_stage(job->out, "reading");
    for (int64_t y = 0; y < info->height; y++) {
        float *row = p->rows + y * info->width * info->channels;
        TRY(source_read(&job->source, 1, row));
        pixels_associate(job, row);
        for (int k = 0; k < job->lights; k++)
            planes[k] = p->light.samples + (k * info->height + y) * info->width;
        pixels_select(job, row, planes);
        if (y % 64 == 0) report_progress(job->out, (double)y, (double)info->height);
        if (interrupted()) return ARGAND_STOPPED;
    }
    return ARGAND_OK;
}

static argand_status convolve(piece *p, filter_job *job, filter_engine *engine)
{
    report_stage(job->out, "convolving");
    TRY(filter_use_kernel(engine, job));
    if (job->s->explain) filter_explain(job, engine);
    TRY(filter_buffer_convolve(engine, &p->convolved, &p->light, NULL, NULL));
    return interrupted() ? ARGAND_STOPPED : ARGAND_OK;
}

static const float *row_under(const piece *p, const filter_job *job, int64_t y)
{
    const argand_picture_info *info = &job->source.info;
    const int64_t at = y + job->first[1];
    const bool inside = at >= 0 && at < info->height;
    return inside ? filter_row_under(job, p->rows + at * info->width * info->channels, p->line) : NULL;
}

static argand_status write_rows(const piece *p, filter_job *job)
{
    const float *planes[ARGAND_PICTURE_CHANNELS];
    report_stage(job->out, "writing");
    for (int64_t y = 0; y < job->height; y++) {
        for (int k = 0; k < job->lights; k++)
            planes[k] = p->convolved.samples + (k * job->height + y) * job->width;
        TRY(filter_put_row(job, row_under(p, job, y), planes, p->line));
        if (y % 64 == 0) report_progress(job->out, (double)y, (double)job->height);
        if (interrupted()) return ARGAND_STOPPED;
    }
    return ARGAND_OK;
}

argand_status filter_whole(filter_job *job, filter_engine *engine)
{
    piece p = {0};
    argand_status status = take(&p, job);
    if (status == ARGAND_OK) status = read_rows(&p, job);
    if (status == ARGAND_OK) status = convolve(&p, job, engine);
    if (status == ARGAND_OK) status = write_rows(&p, job);
    give_back(&p);
    return status;
}
