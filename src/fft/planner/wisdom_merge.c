/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges many entries at once: sorts them and merges two sorted lists. Adding one by one would move all
 * entries for each line of a text in falling order. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "fft/planner/wisdom.h"

static int by_key(const wisdom_entry *a, const wisdom_entry *b)
{
    const int order = strcmp(a->device, b->device);
    return order ? order : strcmp(a->problem, b->problem);
}

/* Compares two entries; those of one key keep the order in which they came, which is that of their
 * addresses. */
static int by_key_and_age(const void *a, const void *b)
{
    const wisdom_entry *first, *second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    const int order = by_key(first, second);
    return order ? order : (first > second) - (first < second);
}

/* Keeps one entry of each key, and frees the texts of the others. */
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

/* Sorts entries in any order, so that they become wisdom. */
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

/* Merges a and b. If both have a problem, the later source is kept, or that of b if the sources are equal. */
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
