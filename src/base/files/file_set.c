/* SPDX-License-Identifier: BSD-3-Clause */
/* Several files at once: drafts are kept until all are complete, then all take their places, or none. */
#include <stdlib.h>
#include <string.h>
#include "base/files/file_place.h"
#include "base/memory.h"

enum { DEEPEST = 16 };

static _Thread_local struct {
    int depth, count, capacity;
    int first[DEEPEST];  /* first file of each nesting depth */
    file_draft **drafts; /* complete drafts, in the order of completion */
} set;

static int *first_of_depth(void)
{
    return &set.first[set.depth < DEEPEST ? set.depth : DEEPEST - 1];
}

void file_set_begin(void)
{
    *first_of_depth() = set.count;
    set.depth++;
}

static void release_from(int first)
{
    while (set.count > first) {
        file_draft *draft = set.drafts[--set.count];
        file_abandon(draft);
        memory_free(draft);
    }
    if (set.count) return;
    memory_free(set.drafts);
    set.drafts = NULL;
    set.capacity = 0;
}

void file_set_abandon(void)
{
    if (!set.depth) return;
    set.depth--;
    release_from(*first_of_depth());
}

argand_status file_set_commit(void)
{
    if (set.depth) set.depth--;
    if (set.depth || !set.count) return ARGAND_OK;
    const argand_status status = place_all(set.drafts, set.count);
    release_from(0);
    return status;
}

static argand_status keep(file_draft *draft)
{
    file_draft *kept;
    if (set.count == set.capacity) {
        file_draft **more;
        const int capacity = 2 * set.capacity + 8;
        TRY(NEW(more, (size_t)capacity));
        if (set.count) memcpy(more, set.drafts, (size_t)set.count * sizeof *more);
        memory_free(set.drafts);
        set.drafts = more;
        set.capacity = capacity;
    }
    TRY(NEW(kept, 1));
    *kept = *draft;
    set.drafts[set.count++] = kept;
    *draft = (file_draft){0};
    return ARGAND_OK;
}

/* If a file is written twice, drops the first draft. */
static void drop_earlier(const char *target)
{
    int i = 0;
    while (i < set.count && strcmp(set.drafts[i]->target, target) != 0) i++;
    if (i == set.count) return;
    file_abandon(set.drafts[i]);
    memory_free(set.drafts[i]);
    memmove(&set.drafts[i], &set.drafts[i + 1], (size_t)(--set.count - i) * sizeof *set.drafts);
    for (int depth = 0; depth < DEEPEST; depth++) set.first[depth] -= set.first[depth] > i;
}

argand_status file_finish(file_draft *draft)
{
    if (!set.depth) return file_finish_alone(draft);
    TRY(file_complete(draft));
    if (!draft->to_place) drop_earlier(draft->target);
    const argand_status status = keep(draft);
    if (status != ARGAND_OK) file_abandon(draft);
    return status;
}
