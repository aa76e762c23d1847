/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembles kernel sources from defines and embedded texts, so that compiler messages name file and line
 * in src/kernels. */
#include "device/source.h"

#include <pthread.h>
#include "base/hash.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/files/file.h"
#include "base/memory.h"
#include "kernels/texts.h"

enum { MOST_TEXT = 1 << 22 };

/* ---- user texts ---- */

typedef struct own_text {
    struct own_text *next;
    int users;
    char name[SOURCE_OWN_NAME];
    char text[];
} own_text;

static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static own_text *own_texts;

/* Returns the link to a user text of that name, or the end of the list. The caller holds own_lock. */
static own_text **find_own(const char *name, size_t length)
{
    own_text **at = &own_texts;
    while (*at && (strncmp((*at)->name, name, length) || (*at)->name[length])) at = &(*at)->next;
    return at;
}

argand_status source_own_keep(char name[SOURCE_OWN_NAME], const char *chars)
{
    unsigned char hash[HASH_BYTES];
    hash_state state;
    hash_begin(&state);
    hash_add_text(&state, chars);
    hash_end(&state, hash);
    hash_print(name, hash);
    pthread_mutex_lock(&own_lock);
    own_text *t = *find_own(name, strlen(name));
    argand_status status = t ? ARGAND_OK : memory_new(&t, 1, sizeof *t + strlen(chars) + 1);
    if (status == ARGAND_OK && !t->users++) {
        memcpy(t->name, name, SOURCE_OWN_NAME);
        memcpy(t->text, chars, strlen(chars) + 1);
        t->next = own_texts;
        own_texts = t;
    }
    pthread_mutex_unlock(&own_lock);
    return status;
}

void source_own_release(const char *name)
{
    pthread_mutex_lock(&own_lock);
    own_text **at = find_own(name, strlen(name)), *t = *at;
    if (t && --t->users == 0) {
        *at = t->next;
        memory_free(t);
    }
    pthread_mutex_unlock(&own_lock);
}

static argand_status add_own(text *out, const char *key)
{
    const char *word = strstr(key, " OWN=");
    if (!word) return ARGAND_OK;
    word += strlen(" OWN=");
    pthread_mutex_lock(&own_lock);
    const own_text *t = *find_own(word, strcspn(word, " "));
    if (t) text_add_bytes(out, t->text, strlen(t->text));
    pthread_mutex_unlock(&own_lock);
    CHECK(t, ARGAND_INTERNAL, "kernel \"%s\": its own text is not known", key);
    return out->status;
}

/* ---- Argand's texts ---- */

argand_status source_name(const char *key, char *name, size_t size)
{
    const size_t length = strcspn(key, " ");
    CHECK(length > 0 && length < size, ARGAND_INTERNAL, "kernel key \"%s\"", key);
    memcpy(name, key, length);
    name[length] = 0;
    return ARGAND_OK;
}

int source_items(const char *key)
{
    const char *items = strstr(key, " ITEMS=");
    return items ? atoi(items + strlen(" ITEMS=")) : 0;
}

static const kernel_recipe *more_recipes;
static const kernel_text *more_texts;

void source_more(const kernel_recipe *recipes, const kernel_text *texts)
{
    more_recipes = recipes;
    more_texts = texts;
}

static argand_status find_recipe(const char *name, const kernel_recipe **recipe)
{
    const kernel_recipe *const lists[] = {kernel_recipes, more_recipes};
    for (int i = 0; i < 2; i++)
        for (const kernel_recipe *r = lists[i]; r && r->name; r++)
            if (!strcmp(r->name, name)) {
                *recipe = r;
                return ARGAND_OK;
            }
    return status_set(ARGAND_INTERNAL, "kernel \"%s\" has no line in kernels/recipes.c", name);
}

/* Adds one define: "REAL=float", or a bare name, which becomes 1. */
static void add_define(text *out, const char *start, size_t length)
{
    const char *equal = memchr(start, '=', length);
    const size_t name = equal ? (size_t)(equal - start) : length;
    const char *value = equal ? equal + 1 : "1";
    const size_t value_length = equal ? length - name - 1 : 1;
    text_add(out, "#define %.*s %.*s\n", (int)name, start, (int)value_length, value);
}

/* Adds RADIX_16 and RADIX_4 for a list "STAGE_RADICES=16,4": #if cannot search the list for a radix. */
static void add_radices(text *out, const char *word, size_t length)
{
    const char *equal = memchr(word, '=', length);
    if (!equal || !memmem(word, (size_t)(equal - word), "RADICES", strlen("RADICES"))) return;
    for (const char *at = equal; at < word + length && (*at == '=' || *at == ',');) {
        char *end;
        text_add(out, "#define RADIX_%ld 1\n", strtol(at + 1, &end, 10));
        at = end;
    }
}

static void add_defines(text *out, const char *key, int items)
{
    text_add(out, "#line 1 \"defines\"\n");
    const char *word = key + strcspn(key, " ");
    while (*word) {
        word += strspn(word, " ");
        const size_t length = strcspn(word, " ");
        if (length) add_define(out, word, length);
        add_radices(out, word, length);
        word += length;
    }
    if (!source_items(key)) text_add(out, "#define ITEMS %d\n", items);
}

static argand_status add_embedded(text *out, const char *file)
{
    const kernel_text *const lists[] = {kernel_texts, more_texts};
    for (int i = 0; i < 2; i++)
        for (const kernel_text *t = lists[i]; t && t->file; t++)
            if (!strcmp(t->file, file)) {
                text_add_bytes(out, t->text, strlen(t->text));
                return ARGAND_OK;
            }
    return status_set(ARGAND_INTERNAL, "kernel text %s is not embedded", file);
}

static argand_status add_from_folder(text *out, const char *folder, const char *file)
{
    char path[4096], *bytes;
    size_t count;
    CHECK(snprintf(path, sizeof path, "%s/%s", folder, file) < (int)sizeof path, ARGAND_ARGUMENT,
          "ARGAND_KERNEL_DIR is too long");
    const argand_status status = file_read(path, MOST_TEXT, &bytes, &count);
    if (status != ARGAND_OK) return status_prefix(status, "ARGAND_KERNEL_DIR: ");
    text_add_bytes(out, bytes, count);
    memory_free(bytes);
    return ARGAND_OK;
}

static argand_status add_file(text *out, const char *file)
{
    const char *folder = getenv("ARGAND_KERNEL_DIR");
    text_add(out, "#line 1 \"%s\"\n", file);
    TRY(folder && *folder ? add_from_folder(out, folder, file) : add_embedded(out, file));
    text_add(out, "\n");
    return out->status;
}

argand_status source_assemble(text *out, const char *key, int items)
{
    static const char *const first[] = {"portable_metal.h", "portable.h", "portable_cuda.h",
                                        "portable_groups.h", "params.h"};
    char name[64];
    const kernel_recipe *recipe = NULL;
    TRY(source_name(key, name, sizeof name));
    TRY(find_recipe(name, &recipe));
    add_defines(out, key, items);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) TRY(add_file(out, first[i]));
    for (int i = 0; i < KERNEL_FILES && recipe->files[i]; i++) {
        if (strcmp(recipe->files[i], "own") == 0)
            TRY(add_own(out, key));
        else
            TRY(add_file(out, recipe->files[i]));
    }
    return ARGAND_OK;
}

void source_hash(kernel_source *source)
{
    hash_state state;
    hash_begin(&state);
    hash_add_text(&state, source->text);
    hash_end(&state, source->text_hash);
}
