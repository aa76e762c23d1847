/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be chosen freely, in words: "items 128 values 10". MEASURE compares a list of variants, wisdom
 * names one, and ARGAND_FFT_BOX sets what ESTIMATE takes, for those who experiment. */
#include "fft/gpu/tuning/tuning.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const box_tuning usual = {.items = 256,
                                 .values = 25,
                                 .work_mib = 1024,
                                 .wave_kib = 2048,
                                 .once = 1,
                                 .spread = 1,
                                 .reverse = 1,
                                 .pdl = 1,
                                 .replay_kib = 4096,
                                 .pairs = 1,
                                 .near = 1,
                                 .cluster = 16,
                                 .cross_way = 4,
                                 .turning = 1,
                                 .looped = 1,
                                 .round = 1,
                                 .bulk = 4,
                                 .chirp = 3};

/* The first is what ESTIMATE takes, each of the others changes one or two choices. */
static const char *const variants[] = {"standard",
                                       "wave 0",
                                       "items 128",
                                       "items 512",
                                       "values 10 items 128",
                                       "planes 1",
                                       "planes 3",
                                       "any_run 1",
                                       "segment 128",
                                       "once 2",
                                       "early 1 resident 3",
                                       "early 1 lag 14",
                                       "tail 4096 segment 128",
                                       "tail 8192 segment 128",
                                       "early 1 segment 128 wave 4096",
                                       "pairs 0",
                                       "values 49 resident 3",
                                       "sharing 512 planes 1",
                                       "products 3",
                                       "looped 0",
                                       "convolution 8192 radices 321616",
                                       "first_large 1",
                                       "large 1",
                                       "large 1 products 3",
                                       "ahead 1 products 7",
                                       "bulk 1",
                                       "bulk 1 planes 3 resident 3",
                                       "values 10 items 128 bulk 1",
                                       "stream 1 values 32 products 2",
                                       "stream 1 values 32 products 1",
                                       "stream 1 planes 1",
                                       "once 4",
                                       "share 1 wave 0 no_cluster 1 once 3",
                                       "share 4 wave 0 values 32 tile 16",
                                       "share 2 wave 0 values 16 products 3",
                                       "share 4 deep 2 wave 0",
                                       "share 8 deep 4 wave 0 values 32",
                                       "pick 1",
                                       "items 128 wave 0",
                                       "items 512 wave 0",
                                       "large 1 early 1",
                                       "sharing 50 early 1",
                                       "sharing 50 wave 0",
                                       "ahead 1",
                                       "wave 0 ahead 1",
                                       "ahead 2 late 1",
                                       "values 32",
                                       "values 32 segment 128",
                                       "values 32 wave 0",
                                       "values 32 wave 0 resident 2",
                                       "sharing 64 wave 0",
                                       "segment 32 wave 0",
                                       "work 64 wave 0",
                                       "any_cluster 1",
                                       "no_cluster 1",
                                       "no_cluster 1 wave 0",
                                       "no_cluster 1 early 1 resident 3",
                                       "way 3"};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const struct {
    const char *word;
    size_t at;
    int least, most;
} words[] = {{"items", offsetof(box_tuning, items), 32, 1024},
             {"values", offsetof(box_tuning, values), 2, 49},
             {"sharing", offsetof(box_tuning, sharing), 0, 1024},
             {"points", offsetof(box_tuning, points), 0, 1 << 16},
             {"planes", offsetof(box_tuning, planes), 0, 3},
             {"pairs", offsetof(box_tuning, pairs), 0, 1},
             {"near", offsetof(box_tuning, near), 0, 1},
             {"large", offsetof(box_tuning, large), 0, 1},
             {"no_plane", offsetof(box_tuning, no_plane), 0, 1},
             {"segment", offsetof(box_tuning, segment), 0, 128},
             {"any_run", offsetof(box_tuning, any_run), 0, 1},
             {"work", offsetof(box_tuning, work_mib), 1, 1 << 20},
             {"once", offsetof(box_tuning, once), 0, 4},
             {"reverse", offsetof(box_tuning, reverse), 0, 1},
             {"spread", offsetof(box_tuning, spread), 0, 1},
             {"early", offsetof(box_tuning, early), 0, 1},
             {"ahead", offsetof(box_tuning, ahead), 0, 16},
             {"load_images", offsetof(box_tuning, load_images), 0, 1},
             {"access_ahead", offsetof(box_tuning, access_ahead), 0, 1},
             {"factors", offsetof(box_tuning, factors), 0, 1},
             {"late", offsetof(box_tuning, late), 0, 1},
             {"bulk", offsetof(box_tuning, bulk), 0, 4},
             {"stream", offsetof(box_tuning, stream), 0, 2},
             {"lag", offsetof(box_tuning, lag), 0, 64},
             {"wave", offsetof(box_tuning, wave_kib), 0, 1 << 20},
             {"tables", offsetof(box_tuning, tables), 0, 1},
             {"pdl", offsetof(box_tuning, pdl), 0, 1},
             {"replay", offsetof(box_tuning, replay_kib), 0, 1 << 20},
             {"tail", offsetof(box_tuning, tail_kib), 0, 1 << 20},
             {"powers", offsetof(box_tuning, powers), 0, 1 << 14},
             {"head", offsetof(box_tuning, head), 0, 1 << 14},
             {"columns", offsetof(box_tuning, columns), 0, 256},
             {"first_large", offsetof(box_tuning, first_large), 0, 1},
             {"no_cluster", offsetof(box_tuning, no_cluster), 0, 1},
             {"any_cluster", offsetof(box_tuning, any_cluster), 0, 1},
             {"cluster", offsetof(box_tuning, cluster), 2, 16},
             {"whole", offsetof(box_tuning, whole), 0, 16},
             {"share", offsetof(box_tuning, share), 0, 1024},
             {"deep", offsetof(box_tuning, deep), 0, 1024},
             {"pick", offsetof(box_tuning, pick), 0, 3},
             {"tile", offsetof(box_tuning, tile), 0, 64},
             {"groups", offsetof(box_tuning, groups), 0, 16},
             {"group", offsetof(box_tuning, cluster_points), 0, 16384},
             {"group_items", offsetof(box_tuning, cluster_items), 0, 1024},
             {"convolution", offsetof(box_tuning, convolution), 0, 1 << 25},
             {"fused", offsetof(box_tuning, fused), 0, 1 << 20},
             {"resident", offsetof(box_tuning, resident), 0, 16},
             {"across", offsetof(box_tuning, across), 0, 64},
             {"chirp", offsetof(box_tuning, chirp), 0, 3},
             {"radices", offsetof(box_tuning, radices), 0, 99999999},
             {"also", offsetof(box_tuning, also), 0, 99999999},
             {"lines", offsetof(box_tuning, lines), 0, 1024},
             {"team", offsetof(box_tuning, team), 0, 1024},
             {"products", offsetof(box_tuning, products), 0, 7},
             {"turning", offsetof(box_tuning, turning), 0, 7},
             {"looped", offsetof(box_tuning, looped), 0, 2},
             {"round", offsetof(box_tuning, round), 0, 1},
             {"order", offsetof(box_tuning, cross_order), 0, 3},
             {"way", offsetof(box_tuning, cross_way), 0, 4}};
enum { WORDS = sizeof words / sizeof *words };

/* ARGAND_FFT_BOX has variants of its own, with ';' between them. */
static bool own_name(const char *own, int i, char *name, size_t size)
{
    for (; i > 0; i--, own++)
        if (!(own = strchr(own, ';'))) return false;
    own += strspn(own, " ");
    snprintf(name, size, "%.*s", (int)strcspn(own, ";"), own);
    return true;
}

bool tuning_name(int i, char *name, size_t size)
{
    const char *own = getenv("ARGAND_FFT_BOX");
    if (own) return own_name(own, i, name, size);
    if (i >= VARIANTS) return false;
    snprintf(name, size, "%s", variants[i]);
    return true;
}

/* What MEASURE changes of the fastest one of these: most have been part of what won for some size. */
static const char *const changes[] = {
    "items 64",   "no_plane 1",  "values 32",     "values 16",    "resident 2",    "resident 3",
    "sharing 64", "sharing 128", "planes 1",      "pdl 0",        "products 3",    "products 7",
    "resident 6", "values 49",   "first_large 1", "items 512",    "items 128",     "once 2",
    "ahead 1",    "segment 128", "wave 0",        "no_cluster 1", "any_cluster 1", "early 1",
    "large 1",    "order 1",     "turning 7",     "groups 16",    "bulk 1"};
enum { CHANGES = sizeof changes / sizeof *changes };

const char *tuning_change(int i)
{
    return getenv("ARGAND_FFT_BOX") || i >= CHANGES ? NULL : changes[i];
}

bool tuning_changed(const char *name, const char *change, char *to, size_t size)
{
    char word[16], changed[16];
    int value, used, count = 0;
    if (sscanf(change, "%15s", changed) != 1) return false;
    if (!strcmp(name, variants[0])) name = "";
    *to = 0;
    for (; *name; name += used) {
        if (sscanf(name, "%15s %d %n", word, &value, &used) != 2) return false;
        if (strcmp(word, changed) != 0)
            count += snprintf(to + count, size - (size_t)count, "%s %d ", word, value);
        if (count >= (int)size) return false;
    }
    return count + snprintf(to + count, size - (size_t)count, "%s", change) < (int)size;
}

/* Of a list that somebody gave all are compared. */
static bool begins(int i, const char *const *first, int count)
{
    if (i >= VARIANTS || getenv("ARGAND_FFT_BOX")) return false;
    for (int k = 0; k < count; k++)
        if (!strncmp(variants[i], first[k], strlen(first[k]))) return true;
    return false;
}

/* They stay at the end of the list, those first that are for transforms that others would not take. */
bool tuning_of_clusters(int i)
{
    static const char *const first[] = {"no_cluster", "way", "order", "group", "cluster", "any_cluster"};
    return begins(i, first, 6);
}

bool tuning_of_convolutions(int i)
{
    static const char *const first[] = {"looped", "convolution"};
    return begins(i, first, 2);
}

int tuning_convolution(int i)
{
    int points;
    return i < VARIANTS && sscanf(variants[i], "convolution %d", &points) == 1 ? points : 0;
}

bool tuning_of_planes(int i)
{
    return begins(i, (const char *const[]){"share"}, 1) && strncmp(variants[i], "share 1", 7) != 0 &&
           !strstr(variants[i], "deep");
}

bool tuning_of_volumes(int i)
{
    static const char *const first[] = {"share", "pick", "once 4"};
    return begins(i, first, 3);
}

static int find_word(const char *word)
{
    int i = 0;
    while (i < WORDS && strcmp(words[i].word, word) != 0) i++;
    return i;
}

static bool set_word(box_tuning *t, const char *word, int value)
{
    const int i = find_word(word);
    if (i == WORDS) return false;
    *(int *)((char *)t + words[i].at) = value;
    return value >= words[i].least && value <= words[i].most;
}

/* Where the first word is that is not known or has no value that it can have; NULL: nowhere. */
static const char *set_words(box_tuning *t, const char *name)
{
    char word[16];
    int value, used;
    if (!strcmp(name, variants[0])) return NULL;
    for (; *name; name += used)
        if (sscanf(name, "%15s %d %n", word, &value, &used) != 2 || !set_word(t, word, value)) return name;
    return NULL;
}

bool tuning_parse(box_tuning *t, const char *name)
{
    const char *own = getenv("ARGAND_FFT_BOX");
    char first[128];
    *t = usual;
    if (!*name && own && own_name(own, 0, first, sizeof first)) name = first;
    return !set_words(t, name);
}

static argand_status refuse_words(const char *at)
{
    char known[WORDS * 16], word[16] = "";
    int used = 0;
    sscanf(at, "%15s", word);
    const int i = find_word(word);
    CHECK(i == WORDS, ARGAND_ARGUMENT,
          "argand_fft_create: ARGAND_FFT_BOX has \"%s\"; behind %s stands %d to %d", at, word, words[i].least,
          words[i].most);
    for (int k = 0; k < WORDS; k++)
        used += snprintf(known + used, sizeof known - (size_t)used, "%s%s", k ? ", " : "", words[k].word);
    return status_set(
        ARGAND_ARGUMENT,
        "argand_fft_create: ARGAND_FFT_BOX has \"%s\", which is no word and its number; known are %s", at,
        known);
}

argand_status tuning_check(void)
{
    const char *own = getenv("ARGAND_FFT_BOX");
    char name[FFT_VARIANT_CHARS];
    for (int i = 0; own && own_name(own, i, name, sizeof name); i++) {
        box_tuning t;
        const char *wrong = set_words(&t, name);
        CHECK(strlen(name) + 1 < sizeof name, ARGAND_ARGUMENT,
              "argand_fft_create: ARGAND_FFT_BOX has \"%s...\"; a variant has fewer than %d characters", name,
              (int)sizeof name - 1);
        if (wrong) return refuse_words(wrong);
    }
    return ARGAND_OK;
}
