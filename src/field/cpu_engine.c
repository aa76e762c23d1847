/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of the CPU, panel after panel of sample blocks. A task owns its output: a block of samples,
 * or a row of the image. If these are too few to keep many threads busy, rows (or blocks) are split into
 * parts, whose sums are added in order afterwards. The split depends on the problem alone, so results do
 * not depend on the number of threads. */
#include <omp.h>
#include <stdio.h>
#include "base/memory.h"
#include "base/observe.h"
#include "base/status.h"
#include "device/device.h"
#include "field/direct.h"
#include "field/vectors.h"
#include "field/engine.h"

enum { TASKS_WANTED = 64 };

/* The bytes of the tables that are held at a time: they fit the last cache, and are blocks enough for all
 * threads. */
static const size_t panel_bytes = (size_t)16 << 20;

typedef struct work {
    const argand_field *plan;
    const field_cpu *cpu;
    field_kernels kernels;
    field_view image, samples;
    int64_t coils, panel, panel_end; /* blocks of the panel at hand */
    int threads, parts;
    size_t scratch_bytes;
    void *tables, *image_planes, *sample_planes, *scratch;
} work;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Parts that an output's sum of `terms` is split into when there are `outputs` of them. */
static int parts_for(int64_t outputs, int64_t terms)
{
    if (outputs >= TASKS_WANTED || outputs < 1) return 1;
    const int64_t parts = smaller((TASKS_WANTED + outputs - 1) / outputs, terms);
    return parts < 1 ? 1 : (int)parts;
}

static void *bytes_at(void *base, int64_t index, size_t size)
{
    return (char *)base + (size_t)index * size;
}

static int64_t image_part(const work *w) /* reals */
{
    return w->coils * field_planes(w->plan) * w->plan->pixels.columns;
}

static size_t block_part_bytes(const work *w)
{
    return (size_t)w->coils * 2 * BLOCK_BYTES;
}

/* ---- what both directions need ---- */

static argand_status work_begin(work *w, const argand_field *plan, const argand_array *image,
                                const argand_array *samples)
{
    *w = (work){.plan = plan, .cpu = plan->engine_state, .threads = argand_device_threads(plan->device)};
    TRY(field_view_image(&w->image, plan, image));
    TRY(field_view_samples(&w->samples, plan, samples));
    w->coils = w->image.coils;
    w->kernels = field_kernels_get(plan);
    w->scratch_bytes = field_scratch_bytes(plan, w->coils);
    TRY(memory_new(&w->scratch, (size_t)w->threads, w->scratch_bytes));
    w->tables = w->cpu->tables;
    if (w->tables) return ARGAND_OK;
    return memory_new(&w->tables, (size_t)w->cpu->panel_blocks, w->cpu->table_bytes);
}

static void work_end(work *w)
{
    if (w->tables != w->cpu->tables) memory_free(w->tables);
    memory_free(w->scratch);
    memory_free(w->sample_planes);
    memory_free(w->image_planes);
}

static void *table_of(const work *w, int64_t block)
{
    return bytes_at(w->tables, block - w->panel, w->cpu->table_bytes);
}

/* Goes on to the next panel and makes its tables; false after the last. */
static bool next_panel(work *w)
{
    w->panel = w->panel_end;
    if (w->panel >= w->plan->samples.blocks) return false;
    w->panel_end = smaller(w->panel + w->cpu->panel_blocks, w->plan->samples.blocks);
    if (w->tables == w->cpu->tables) return true;
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
    for (int64_t b = w->panel; b < w->panel_end; b++)
        w->kernels.tables(&(field_table_task){w->plan, b, table_of(w, b)});
    return true;
}

static void *scratch_of_thread(const work *w, int thread)
{
    return bytes_at(w->scratch, thread, w->scratch_bytes);
}

/* ---- image -> samples ---- */

static argand_status forward_buffers(work *w)
{
    const size_t size = field_real_size(w->plan);
    w->parts = parts_for(w->cpu->panel_blocks, w->plan->pixels.rows);
    TRY(memory_new(&w->image_planes, (size_t)image_part(w), size));
    TRY(memory_new(&w->sample_planes, (size_t)(w->cpu->panel_blocks * w->parts), block_part_bytes(w)));
#pragma omp parallel for num_threads(w->threads)
    for (int64_t c = 0; c < w->coils; c++) field_gather_image(w->image_planes, w->plan, &w->image, c);
    return ARGAND_OK;
}

static void forward_task(const work *w, int64_t index, int thread)
{
    const int64_t block = w->panel + index / w->parts, part = index % w->parts, rows = w->plan->pixels.rows;
    w->kernels.forward(&(field_forward_task){
        .plan = w->plan,
        .table = table_of(w, block),
        .image = w->image_planes,
        .block = block,
        .first_row = rows * part / w->parts,
        .end_row = rows * (part + 1) / w->parts,
        .coils = w->coils,
        .out = bytes_at(w->sample_planes, index, block_part_bytes(w)),
        .scratch = scratch_of_thread(w, thread),
    });
}

static argand_status forward_panel(const work *w)
{
    atomic_bool cancelled = false;
    const int64_t blocks = w->panel_end - w->panel;
#pragma omp parallel num_threads(w->threads)
    {
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < blocks * w->parts; i++)
            if (!observe_within(&cancelled)) forward_task(w, i, omp_get_thread_num());
#pragma omp for
        for (int64_t b = 0; b < blocks; b++)
            field_scatter_block(w->plan, &w->samples,
                                bytes_at(w->sample_planes, b * w->parts, block_part_bytes(w)), w->parts,
                                w->panel + b);
    }
    return observe_end(&cancelled);
}

static argand_status apply(const argand_field *plan, argand_array *samples, const argand_array *image)
{
    work w;
    argand_status status;
    TRY_OR_DONE(work_begin(&w, plan, image, samples));
    TRY_OR_DONE(forward_buffers(&w));
    while (next_panel(&w)) TRY_OR_DONE(forward_panel(&w));
done:
    work_end(&w);
    return status;
}

/* ---- samples -> image ---- */

static argand_status adjoint_buffers(work *w)
{
    const size_t size = field_real_size(w->plan);
    w->parts = parts_for(w->plan->pixels.rows, w->cpu->panel_blocks);
    TRY(memory_new(&w->sample_planes, (size_t)(w->coils * 2 * w->plan->samples.padded), size));
    TRY(memory_new(&w->image_planes, memory_product((size_t)w->parts, (size_t)image_part(w)), size));
#pragma omp parallel for num_threads(w->threads)
    for (int64_t c = 0; c < w->coils; c++) field_gather_samples(w->sample_planes, w->plan, &w->samples, c);
    return ARGAND_OK;
}

static void adjoint_task(const work *w, int64_t index, int thread)
{
    const int64_t row = index / w->parts, part = index % w->parts, blocks = w->panel_end - w->panel;
    w->kernels.adjoint(&(field_adjoint_task){
        .plan = w->plan,
        .tables = w->tables,
        .table_bytes = w->cpu->table_bytes,
        .samples = w->sample_planes,
        .panel = w->panel,
        .first = w->panel + blocks * part / w->parts,
        .end = w->panel + blocks * (part + 1) / w->parts,
        .row = row,
        .coils = w->coils,
        .image = bytes_at(w->image_planes, part * image_part(w), field_real_size(w->plan)),
        .scratch = scratch_of_thread(w, thread),
    });
}

static argand_status adjoint_panel(const work *w)
{
    atomic_bool cancelled = false;
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
    for (int64_t i = 0; i < w->plan->pixels.rows * w->parts; i++)
        if (!observe_within(&cancelled)) adjoint_task(w, i, omp_get_thread_num());
    return observe_end(&cancelled);
}

static argand_status adjoint(const argand_field *plan, argand_array *image, const argand_array *samples)
{
    work w;
    argand_status status;
    TRY_OR_DONE(work_begin(&w, plan, image, samples));
    TRY_OR_DONE(adjoint_buffers(&w));
    while (next_panel(&w)) TRY_OR_DONE(adjoint_panel(&w));
#pragma omp parallel for num_threads(w.threads)
    for (int64_t c = 0; c < w.coils; c++)
        field_scatter_image(plan, &w.image, w.image_planes, w.parts, image_part(&w), c);
done:
    work_end(&w);
    return status;
}

/* ---- the engine ---- */

static bool applies(const argand_field *plan, const char **reason)
{
    if (!plan->on_host) *reason = "the host cannot address its memory";
    return plan->on_host;
}

/* If one panel holds all samples, its tables are made here once and kept. */
static argand_status create(argand_field *plan)
{
    field_cpu *cpu;
    TRY(NEW(cpu, 1));
    plan->engine_state = cpu;
    cpu->table_bytes = field_table_bytes(plan);
    const int64_t fit = (int64_t)(panel_bytes / cpu->table_bytes), blocks = plan->samples.blocks;
    cpu->panel_blocks = fit < 1 ? 1 : smaller(fit, blocks);
    if (cpu->panel_blocks < blocks) return ARGAND_OK;
    TRY(memory_new(&cpu->tables, (size_t)blocks, cpu->table_bytes));
    atomic_bool cancelled = false;
    const field_kernels kernels = field_kernels_get(plan);
#pragma omp parallel for num_threads(argand_device_threads(plan->device))
    for (int64_t b = 0; b < blocks; b++)
        if (!observe_within(&cancelled))
            kernels.tables(&(field_table_task){plan, b, bytes_at(cpu->tables, b, cpu->table_bytes)});
    return observe_end(&cancelled);
}

static void destroy(argand_field *plan)
{
    field_cpu *cpu = plan->engine_state;
    if (cpu) memory_free(cpu->tables);
    memory_free(cpu);
}

static void print(const argand_field *plan, char *text, size_t size)
{
    const field_cpu *cpu = plan->engine_state;
    snprintf(text, size, "%s", cpu->tables ? "" : ", tables in panels");
}

const field_engine field_engine_cpu = {.name = "cpu",
                                       .pairs = true,
                                       .applies = applies,
                                       .create = create,
                                       .apply = apply,
                                       .adjoint = adjoint,
                                       .destroy = destroy,
                                       .print = print};
