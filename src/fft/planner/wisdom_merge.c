/* SPDX-License-Identifier: BSD-3-Clause */
/* Many entries at once: sorted by themselves and merged. Put in one by one, a text whose lines fall moves all
 * that is there for each of them. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "fft/planner/wisdom.h"

static int by_key(const wisdom_entry *a, const wisdom_entry *b)
{
    const int order = strcmp(a->device, b->device);
    return order ? order : strcmp(a->problem, b->problem);
}

/* Those of one key in the order in which they came, which is that of their places. */
static int by_key_and_age(const void *a, const void *b)
{
    const wisdom_entry *first, *second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    const int order = by_key(first, second);
    return order ? order : (first > second) - (first < second);
}

/* Of each key the entry that is kept; the others' text is freed. */
static void keep_best(wisdom_entry *list, int *count, wisdom_entry *const *sorted, int all)
{
    *count = 0;
    for (int i = 0; i < all; i++) {
        wisdom_entry *last = *count ? &list[*count - 1] : NULL;
        if (!last || by_key(last, sorted[i])) {
            list[(*count)++] = *sorted[i];
        } else {
            const bool newer = last->source <= sorted[i]->source;
            memory_free(newer ? last->device : sorted[i]->device);
            if (newer) *last = *sorted[i];
        }
    }
}

/* Entries in any order become wisdom. */
static argand_status sort(wisdom *w)
{
    argand_status status;
    wisdom_entry *list = NULL, **sorted = NULL;
    TRY_OR_DONE(NEW(list, w->count));
    TRY_OR_DONE(NEW(sorted, w->count));
    for (int i = 0; i < w->count; i++) sorted[i] = &w->list[i];
    if (w->count) qsort(sorted, (size_t)w->count, sizeof *sorted, by_key_and_age);
    const int all = w->count;
    keep_best(list, &w->count, sorted, all);
    memory_free(w->list);
    w->list = list;
    w->capacity = all;
    list = NULL;
done:
    memory_free(sorted);
    memory_free(list);
    return status;
}

static int in_both(const wisdom *a, const wisdom *b)
{
    int both = 0;
    for (int i = 0, k = 0; i < a->count && k < b->count;) {
        const int order = by_key(&a->list[i], &b->list[k]);
        both += !order;
        i += order <= 0;
        k += order >= 0;
    }
    return both;
}

/* Where both know a problem, the better source and then b is kept. */
static void merge(wisdom_entry *list, const wisdom *a, const wisdom *b)
{
    for (int i = 0, k = 0; i < a->count || k < b->count;) {
        const int order = i == a->count ? 1 : k == b->count ? -1 : by_key(&a->list[i], &b->list[k]);
        const bool from_a = order < 0 || (!order && a->list[i].source > b->list[k].source);
        if (!order) memory_free(from_a ? b->list[k].device : a->list[i].device);
        *list++ = from_a ? a->list[i] : b->list[k];
        i += order <= 0;
        k += order >= 0;
    }
}

argand_status wisdom_merge(wisdom *w, wisdom *more)
{
    wisdom_entry *list;
    TRY(sort(more));
    const int total = w->count + more->count - in_both(w, more);
    CHECK(total <= WISDOM_MOST, ARGAND_MEMORY, "wisdom would have %d entries; at most %d are kept", total,
          WISDOM_MOST);
    TRY(NEW(list, total));
    merge(list, w, more);
    memory_free(w->list);
    memory_free(more->list);
    *more = (wisdom){0};
    *w = (wisdom){.list = list, .count = total, .capacity = total};
    return ARGAND_OK;
}
