/* SPDX-License-Identifier: BSD-3-Clause */
/* The launches of a set of vectors, given to the driver together where they are short: a start of four takes
 * the host less than one by itself (kernel_replay). */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "field/device_engine.h"

enum { REPLAYS = 8 };

/* The launches that a replay was recorded from; memory and parameters are given at each start. */
typedef struct made_of {
    int count;
    struct {
        char key[FIELD_KEY];
        int64_t groups;
        int items;
        size_t shared_bytes;
    } launch[FIELD_LAUNCHES];
} made_of;

struct field_replays {
    pthread_mutex_t lock;
    int count;
    struct {
        kernel_replay *replay;
        made_of of;
    } kept[REPLAYS];
};

argand_status field_replays_new(field_replays **out)
{
    TRY(NEW(*out, 1));
    pthread_mutex_init(&(*out)->lock, NULL);
    return ARGAND_OK;
}

void field_replays_free(field_replays *r)
{
    if (!r) return;
    for (int i = 0; i < r->count; i++) kernel_replay_free(r->kept[i].replay);
    pthread_mutex_destroy(&r->lock);
    memory_free(r);
}

argand_status field_launch(const field_run *run, const kernel_run *launch)
{
    field_launches *to = run->together;
    if (!to) return kernel_start(run->plan->device, launch);
    const int i = to->count++;
    CHECK(i < FIELD_LAUNCHES && launch->memory_count <= FIELD_MEMORY &&
              launch->params_bytes == sizeof *to->params,
          ARGAND_INTERNAL, "%d launches of a field DFT", to->count);
    snprintf(to->key[i], FIELD_KEY, "%s", launch->key);
    memcpy(to->memory[i], launch->memory, (size_t)launch->memory_count * sizeof *launch->memory);
    memcpy(&to->params[i], launch->params, sizeof to->params[i]);
    to->run[i] = *launch;
    to->run[i].key = to->key[i];
    to->run[i].memory = to->memory[i];
    to->run[i].params = &to->params[i];
    return ARGAND_OK;
}

/* Compared as bytes. */
static void note_launches(made_of *of, const field_launches *l)
{
    memset(of, 0, sizeof *of);
    of->count = l->count;
    for (int i = 0; i < l->count; i++) {
        snprintf(of->launch[i].key, FIELD_KEY, "%s", l->key[i]);
        of->launch[i].groups = l->run[i].groups;
        of->launch[i].items = l->run[i].items;
        of->launch[i].shared_bytes = l->run[i].shared_bytes;
    }
}

/* The replay of such launches, made now if there is none; NULL: one by one. */
static argand_status find_replay(kernel_replay **replay, field_replays *r, const field_run *run)
{
    const field_launches *l = run->together;
    made_of of;
    note_launches(&of, l);
    *replay = NULL;
    for (int i = 0; i < r->count; i++)
        if (!memcmp(&r->kept[i].of, &of, sizeof of)) {
            *replay = r->kept[i].replay;
            return ARGAND_OK;
        }
    if (r->count == REPLAYS) return ARGAND_OK;
    TRY(kernel_replay_new(replay, run->plan->device, l->run, l->count));
    if (!*replay) return ARGAND_OK;
    memcpy(&r->kept[r->count].of, &of, sizeof of);
    r->kept[r->count++].replay = *replay;
    return ARGAND_OK;
}

static bool is_replayed(const field_run *run)
{
    int replayed = field_is_small(run);
    field_tuning_value("replay", &replayed);
    return replayed;
}

argand_status field_launch_together(const field_run *run)
{
    const field_launches *l = run->together;
    field_replays *r = run->device->replays;
    kernel_replay *replay = NULL;
    argand_status status = ARGAND_OK;
    if (is_replayed(run)) {
        pthread_mutex_lock(&r->lock);
        status = find_replay(&replay, r, run);
        pthread_mutex_unlock(&r->lock);
    }
    if (status == ARGAND_OK && replay) return kernel_replay_start(replay, l->run);
    for (int i = 0; i < l->count && status == ARGAND_OK; i++)
        status = kernel_start(run->plan->device, &l->run[i]);
    return status;
}
