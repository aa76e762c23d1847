/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves a picture larger than memory in bands of rows. Each band includes the rows above and below
 * that the kernel reaches (overlap-save), so the result equals that of the whole picture up to rounding.
 * Borders are filled here, and the plan computes only pixels that need no border. Rows needed again at the
 * other end (wrap) are read by a second reader. */
#include "convolve/filter.h"

#include <stdlib.h>
#include <string.h>

typedef struct bands {
    int64_t rows;                /* rows of the result in a band */
    int64_t before[2], after[2]; /* columns and rows that the kernel reaches to each side */
    int64_t first, count;        /* rows of the picture in memory */
    int64_t most;                /* maximum of rows in memory */
    float *kept;                 /* row by row, each channel by channel */
    int64_t above, below;        /* rows beyond the picture that the result needs */
    float *ends;                 /* wrap: the last rows of the picture, then its first ones */
    float *light;                /* planes of one row */
    float *line;
    filter_buffer tile, result; /* input and output planes of the plan */
} bands;

static void find_reach(bands *b, const filter_job *job)
{
    const int64_t size[2] = {job->kernel.width, job->kernel.height};
    for (int axis = 0; axis < 2; axis++) {
        const int64_t centre = job->kernel.centre[axis], rest = size[axis] - 1 - centre;
        b->before[axis] = job->s->correlate ? centre : rest;
        b->after[axis] = job->s->correlate ? rest : centre;
    }
    b->above = b->before[1] - job->first[1] > 0 ? b->before[1] - job->first[1] : 0;
    b->below = job->first[1] + job->height + b->after[1] - job->source.info.height;
    if (b->below < 0) b->below = 0;
}

static int64_t tile_width(const bands *b, const filter_job *job)
{
    return job->width + b->before[0] + b->after[0];
}

static int64_t tile_height(const bands *b)
{
    return b->rows + b->before[1] + b->after[1];
}

static argand_status take(bands *b, const filter_job *job)
{
    const argand_picture_info *info = &job->source.info;
    const size_t row = (size_t)info->width * (size_t)info->channels;
    const int64_t in[3] = {tile_width(b, job), tile_height(b), job->lights},
                  out[3] = {job->width, b->rows, job->lights};
    const int64_t ends = job->s->border == ARGAND_BORDER_WRAP ? b->above + b->below : 0;
    b->kept = malloc((size_t)b->most * row * sizeof *b->kept);
    b->ends = malloc(((size_t)ends * row + 1) * sizeof *b->ends);
    b->light = malloc(row * sizeof *b->light);
    b->line = malloc((size_t)job->width * (size_t)info->channels * sizeof *b->line);
    if (!b->kept || !b->ends || !b->light || !b->line)
        return report_error(ARGAND_MEMORY, "no memory for bands of %lld rows; give a smaller --memory",
                            (long long)b->rows);
    TRY(filter_buffer_open(&b->tile, job->device, in));
    return filter_buffer_open(&b->result, job->device, out);
}

static void give_back(bands *b)
{
    filter_buffer_close(&b->tile);
    filter_buffer_close(&b->result);
    free(b->kept);
    free(b->ends);
    free(b->light);
    free(b->line);
}

/* ---- rows of the picture ---- */

static argand_status read_row(filter_source *source, const filter_job *job, float *row)
{
    TRY(source_read(source, 1, row));
    pixels_associate(job, row);
    return interrupted() ? ARGAND_STOPPED : ARGAND_OK;
}

/* Reads the rows for wrap: the last rows continue the picture above, the first ones below. */
static argand_status read_ends(bands *b, const filter_job *job)
{
    const argand_picture_info *info = &job->source.info;
    const int64_t row = info->width * info->channels, height = info->height;
    filter_source again = {0};
    float *again_row = b->kept; /* still unused */
    if (job->s->border != ARGAND_BORDER_WRAP) return ARGAND_OK;
    argand_status status = filter_open_source(&again, job->s);
    for (int64_t y = 0; y < height && status == ARGAND_OK; y++) {
        status = read_row(&again, job, again_row);
        if (y >= height - b->above)
            memcpy(b->ends + (y - height + b->above) * row, again_row, (size_t)row * sizeof *again_row);
        if (y < b->below) memcpy(b->ends + (b->above + y) * row, again_row, (size_t)row * sizeof *again_row);
    }
    source_close(&again);
    return status;
}

/* Keeps rows [first, last) of the picture in memory: moves those already there, reads the others. */
static argand_status keep_rows(bands *b, filter_job *job, int64_t first, int64_t last)
{
    const int64_t row = job->source.info.width * job->source.info.channels;
    if (first > b->first) {
        const int64_t gone = first - b->first < b->count ? first - b->first : b->count;
        memmove(b->kept, b->kept + gone * row, (size_t)((b->count - gone) * row) * sizeof *b->kept);
        b->first += gone;
        b->count -= gone;
    }
    while (b->first + b->count < last) {
        TRY(read_row(&job->source, job, b->kept + b->count * row));
        b->count++;
    }
    return ARGAND_OK;
}

/* Returns a row of the picture, or the row that stands for y beyond the border; NULL: the constant. */
static const float *find_row(const bands *b, const filter_job *job, int64_t y)
{
    const int64_t row = job->source.info.width * job->source.info.channels, height = job->source.info.height;
    if (job->s->border == ARGAND_BORDER_WRAP && y < 0) return b->ends + (y + b->above) * row;
    if (job->s->border == ARGAND_BORDER_WRAP && y >= height) return b->ends + (b->above + y - height) * row;
    const int64_t at = pixels_border(y, height, job->s->border);
    return at < 0 ? NULL : b->kept + (at - b->first) * row;
}

/* ---- a band ---- */

/* Fills a row of the tile from a row of the picture and continues it to both sides. */
static void fill_row(const bands *b, const filter_job *job, const float *row, int64_t to)
{
    const argand_picture_info *info = &job->source.info;
    const int64_t width = tile_width(b, job), height = tile_height(b);
    const float beyond = job->s->border == ARGAND_BORDER_CONSTANT ? (float)job->s->constant : 0;
    float *planes[ARGAND_PICTURE_CHANNELS];
    for (int k = 0; k < job->lights; k++) planes[k] = b->light + k * info->width;
    if (row) pixels_select(job, row, planes);
    for (int k = 0; k < job->lights; k++) {
        float *line = b->tile.samples + (k * height + to) * width;
        for (int64_t x = 0; x < width; x++) {
            const int64_t at = pixels_border(x - b->before[0] + job->first[0], info->width, job->s->border);
            line[x] = row && at >= 0 ? planes[k][at] : beyond;
        }
    }
}

static argand_status convolve(bands *b, filter_job *job, filter_engine *engine, int64_t start)
{
    for (int64_t r = 0; r < tile_height(b); r++) {
        const int64_t y = start + job->first[1] - b->before[1] + r;
        const bool needed = y < job->source.info.height + b->below;
        fill_row(b, job, needed ? find_row(b, job, y) : NULL, r);
    }
    const int64_t first[3] = {b->before[0] - job->first[0], b->before[1] - job->first[1] - start, 0},
                  count[3] = {job->source.info.width, job->source.info.height, 1};
    return filter_buffer_convolve(engine, &b->result, &b->tile, first, count);
}

static argand_status write_band(bands *b, filter_job *job, int64_t start, int64_t count)
{
    const float *planes[ARGAND_PICTURE_CHANNELS];
    for (int64_t y = 0; y < count; y++) {
        for (int k = 0; k < job->lights; k++) planes[k] = b->result.samples + (k * b->rows + y) * job->width;
        const int64_t at = start + y + job->first[1];
        const bool inside = at >= 0 && at < job->source.info.height;
        const float *row = b->kept + (at - b->first) * job->source.info.width * job->source.info.channels;
        TRY(filter_put_row(job, inside ? filter_row_under(job, row, b->line) : NULL, planes, b->line));
        if (interrupted()) return ARGAND_STOPPED;
    }
    return ARGAND_OK;
}

/* Finds the rows that a band of results from `start` needs: its own, and those that the kernel reaches,
 * mirrored ones included. Rows that mirror the end are kept from the first band that comes near the end. */
static void find_needed(const bands *b, const filter_job *job, int64_t start, int64_t count, int64_t *first,
                        int64_t *last)
{
    const int64_t height = job->source.info.height, from = start + job->first[1];
    *first = height;
    *last = 0;
    for (int64_t y = from - b->before[1]; y < from + count + b->after[1]; y++) {
        int64_t at = pixels_border(y, height, job->s->border);
        if (y >= height + b->below) break;
        if (job->s->border == ARGAND_BORDER_WRAP && (y < 0 || y >= height)) at = -1;
        if (at >= 0 && at < *first) *first = at;
        if (at >= *last) *last = at + 1;
    }
    if (job->s->border == ARGAND_BORDER_MIRROR && b->below && *first > height - b->below)
        *first = height - b->below;
    if (*first > *last) *first = *last;
}

static int64_t band_at(const bands *b, const filter_job *job, int64_t start)
{
    return job->height - start < b->rows ? job->height - start : b->rows;
}

/* Finds the largest number of rows that keep_rows will hold. */
static void find_most(bands *b, const filter_job *job)
{
    int64_t kept = 0, end = 0;
    b->most = 1;
    for (int64_t start = 0; start < job->height; start += b->rows) {
        int64_t first, last;
        find_needed(b, job, start, band_at(b, job, start), &first, &last);
        if (first > kept) kept = first < end ? first : end;
        if (last > end) end = last;
        if (end - kept > b->most) b->most = end - kept;
    }
}

static argand_status run(bands *b, filter_job *job, filter_engine *engine)
{
    report_stage(job->out, "convolving");
    for (int64_t start = 0; start < job->height; start += b->rows) {
        const int64_t count = band_at(b, job, start);
        int64_t first, last;
        find_needed(b, job, start, count, &first, &last);
        TRY(keep_rows(b, job, first, last));
        TRY(convolve(b, job, engine, start));
        TRY(write_band(b, job, start, count));
        report_progress(job->out, (double)(start + count), (double)job->height);
    }
    return ARGAND_OK;
}

argand_status filter_bands(filter_job *job, int64_t rows)
{
    bands b = {.rows = rows};
    filter_engine engine = {0};
    if (job->kernel.height > job->source.info.height)
        return report_error(
            ARGAND_UNSUPPORTED,
            "the kernel%s has %lld rows, the picture %lld, which bands do not do; give more --memory",
            job->s->deconv ? " that undoes the convolution" : "", (long long)job->kernel.height,
            (long long)job->source.info.height);
    find_reach(&b, job);
    find_most(&b, job);
    job->bands = (job->height + rows - 1) / rows;
    argand_status status = take(&b, job);
    if (status == ARGAND_OK)
        status = filter_plan(&engine, job, tile_width(&b, job), tile_height(&b), ARGAND_CONV_VALID);
    if (status == ARGAND_OK) status = filter_use_kernel(&engine, job);
    if (status == ARGAND_OK && job->s->explain) filter_explain(job, &engine);
    if (status == ARGAND_OK) status = read_ends(&b, job);
    if (status == ARGAND_OK) status = run(&b, job, &engine);
    job->wide = engine_wide(&engine);
    engine_close(&engine);
    give_back(&b);
    return status;
}
