/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a step on a device: once for the check, then alternately with a copy of the data. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/random.h"
#include "device/handle.h"
#include "device/source.h"
#include "texts.h"
#include "median.h"

enum { ROUNDS = 64, TOGETHER = 8 }; /* most rounds; transforms per round if they are short */

static argand_status make_table(ladder_run *run)
{
    const int n = run->c.n;
    float *twiddles;
    TRY(NEW(twiddles, 2 * (size_t)n));
    for (int q = 0; q < n; q++) {
        twiddles[2 * q] = (float)cos(-6.283185307179586476925 / n * q);
        twiddles[2 * q + 1] = (float)sin(-6.283185307179586476925 / n * q);
    }
    argand_status status = argand_array_create(&run->table, run->device, ARGAND_C32, 1, &(int64_t){n});
    if (!status) status = argand_array_upload(run->table, twiddles);
    memory_free(twiddles);
    return status;
}

static argand_status make_arrays(ladder_run *run)
{
    const int64_t points = run->c.rows * run->c.n;
    const int64_t n = run->c.n, flat[] = {n, run->c.rows}, cube[] = {n, n, n},
                  *dims = run->c.rank == 1 ? flat : cube;
    const int rank = run->c.rank == 1 ? 2 : 3;
    random_state random = {1};
    TRY(NEW(run->host, 2 * (size_t)points));
    for (int64_t i = 0; i < 2 * points; i++) run->host[i] = (float)(random_uniform(&random) - 0.5);
    TRY(argand_array_create(&run->in, run->device, ARGAND_C32, rank, dims));
    for (int i = 0; i < 2; i++) TRY(argand_array_create(&run->work[i], run->device, ARGAND_C32, rank, dims));
    TRY(argand_array_upload(run->in, run->host));
    TRY(make_table(run));
    return argand_timer_create(&run->timer, run->device);
}

argand_status ladder_begin(ladder_run **out, argand_device *device, const ladder_case *c)
{
    ladder_run *run;
    argand_device_info info;
    *out = NULL;
    CHECK(c->n >= 2 && (c->n & (c->n - 1)) == 0 && c->rows > 0 && c->rows <= (INT64_C(1) << 32) / c->n &&
              (c->rank == 1 || c->rows == (int64_t)c->n * c->n),
          ARGAND_ARGUMENT,
          "the ladder takes rows of a power of two, or cubes of it, up to 2^32 points; not %lld rows of %d",
          (long long)c->rows, c->n);
    CHECK(c->rows * c->n % 2048 == 0, ARGAND_ARGUMENT,
          "%lld rows of %d: the points are not a multiple of 2048", (long long)c->rows, c->n);
    TRY(argand_device_describe(device, &info));
    source_more(ladder_recipes, ladder_texts);
    TRY(NEW(run, 1));
    run->device = device;
    run->c = *c;
    run->is_cuda = !strcmp(info.backend, "cuda");
    run->has_kernels = device->backend->items != NULL;
    const argand_status status = make_arrays(run);
    if (status)
        ladder_end(run);
    else
        *out = run;
    return status;
}

void ladder_end(ladder_run *run)
{
    if (!run) return;
    argand_array_destroy(run->in);
    for (int i = 0; i < 2; i++) argand_array_destroy(run->work[i]);
    argand_array_destroy(run->table);
    argand_timer_destroy(run->timer);
    memory_free(run->reference);
    memory_free(run->host);
    memory_free(run);
}

/* ---- what a step runs ---- */

static argand_status start_launch(const ladder_run *run, const ladder_launch *s, argand_array *out,
                                  argand_array *in)
{
    storage *const memory[] = {out->storage, in->storage, run->table->storage};
    CHECK(run->has_kernels, ARGAND_UNSUPPORTED, "the device compiles no kernels");
    return kernel_start(run->device, &(kernel_run){.key = s->key,
                                                   .groups = s->groups,
                                                   .memory = memory,
                                                   .memory_count = 3,
                                                   .params = &s->params,
                                                   .params_bytes = sizeof s->params,
                                                   .shared_bytes = run->is_cuda ? s->shared_bytes : 0});
}

/* Runs the launches of a step. The first one keeps the input; later ones work in place if they can. */
static argand_status run_launches(ladder_run *run, const ladder_step *step)
{
    argand_array *now = run->in;
    for (int i = 0; i < step->launches; i++) {
        const ladder_launch *s = &step->launch[i];
        argand_array *out = s->in_place && now != run->in ? now : run->work[now == run->work[0]];
        TRY(start_launch(run, s, out, now));
        now = out;
    }
    run->result = now;
    return ARGAND_OK;
}

static argand_status run_once(ladder_run *run, const ladder_step *step)
{
    if (step->engine == LADDER_KERNELS) return run_launches(run, step);
    argand_array *in = step->in_place ? run->work[0] : run->in;
    run->result = run->work[0];
    if (step->engine == LADDER_CUFFT) return ladder_peer_run(&run->peer, run->device, run->result, in);
    return argand_fft_apply(run->plan, run->result, in, ARGAND_FORWARD);
}

static argand_status copy_once(const ladder_run *run, argand_array *out)
{
    enum { ITEMS = 256 };
    ladder_launch s = {.groups = run->c.rows * run->c.n / (8 * ITEMS)};
    snprintf(s.key, sizeof s.key, "ladder_copy REAL=float LANE=REAL ITEMS=%d N=2 LOG_N=1 TWIDDLE=0", ITEMS);
    return start_launch(run, &s, out, run->in);
}

/* Copies the input to the array that is transformed in place, so that its elements stay finite. */
static argand_status prepare_round(ladder_run *run, const ladder_step *step)
{
    return step->in_place ? argand_array_copy(run->work[0], run->in) : ARGAND_OK;
}

static argand_status make_plan(ladder_run *run, ladder_figures *f)
{
    argand_fft_options o = {.type = ARGAND_C32,
                            .rank = run->c.rank,
                            .batch = run->c.rank == 1 ? run->c.rows : 1,
                            .wait_for_kernels = true};
    for (int axis = 0; axis < o.rank; axis++) o.n[axis] = run->c.n;
    TRY(argand_fft_create(&run->plan, run->device, &o));
    argand_fft_print(run->plan, f->plan_text, sizeof f->plan_text);
    f->passes = argand_fft_pass_count(run->plan, ARGAND_FORWARD);
    return ARGAND_OK;
}

static argand_status make_step(ladder_run *run, const ladder_step *step, ladder_figures *f)
{
    if (step->engine == LADDER_CUFFT) return ladder_peer_make(&run->peer, run->device, &run->c);
    return step->engine == LADDER_ARGAND ? make_plan(run, f) : ARGAND_OK;
}

/* ---- figures ---- */

static argand_status time_some(ladder_run *run, const ladder_step *step, int count, double *seconds)
{
    double milliseconds;
    if (step) TRY(prepare_round(run, step));
    TRY(argand_timer_start(run->timer));
    for (int i = 0; i < count; i++) TRY(step ? run_once(run, step) : copy_once(run, run->work[1]));
    TRY(argand_timer_stop(run->timer));
    TRY(argand_timer_milliseconds(run->timer, &milliseconds));
    *seconds = 1e-3 * milliseconds / count;
    return ARGAND_OK;
}

static argand_status measure(ladder_run *run, const ladder_step *step, int rounds, ladder_figures *f)
{
    double seconds[ROUNDS], copies[ROUNDS];
    TRY(time_some(run, step, 1, seconds));
    if (run->has_kernels) TRY(time_some(run, NULL, 1, copies)); /* builds the copy's kernel */
    const int count = seconds[0] < 5e-3 ? TOGETHER : 1;
    if (rounds > ROUNDS) rounds = ROUNDS;
    for (int i = 0; i < rounds; i++) {
        TRY(time_some(run, step, count, &seconds[i]));
        if (run->has_kernels) TRY(time_some(run, NULL, count, &copies[i]));
    }
    f->seconds = median_of(seconds, rounds);
    f->copy_seconds = run->has_kernels ? median_of(copies, rounds) : 0;
    return ARGAND_OK;
}

static argand_status ask_needs(const ladder_run *run, const ladder_launch *s, ladder_figures *f)
{
    kernel_launch launch = {.items = source_items(s->key),
                            .shared_bytes = run->is_cuda ? s->shared_bytes : 0};
    f->items = launch.items;
    if (!run->device->backend->needs) return ARGAND_OK;
    TRY(kernel_get(run->device, s->key, launch.items, &launch.kernel));
    return run->device->backend->needs(run->device->context, &launch, &f->needs);
}

static argand_status check_and_measure(ladder_run *run, const ladder_step *step, int checked, int rounds,
                                       ladder_figures *f)
{
    TRY(make_step(run, step, f));
    TRY(prepare_round(run, step));
    TRY(run_once(run, step));
    if (checked) TRY(ladder_error(run, step->scrambled, checked, &f->error));
    if (step->launches) TRY(ask_needs(run, &step->launch[0], f));
    return rounds > 0 ? measure(run, step, rounds, f) : ARGAND_OK;
}

argand_status ladder_measure(ladder_run *run, const ladder_step *step, int checked, int rounds,
                             ladder_figures *figures)
{
    *figures = (ladder_figures){0};
    const argand_status status = check_and_measure(run, step, checked, rounds, figures);
    ladder_peer_free(&run->peer, run->device);
    argand_fft_destroy(run->plan);
    run->plan = NULL;
    return status;
}
