/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects user functions for devices that compile them. */
#include <string.h>
#include "base/text.h"
#include "device/source.h"
#include "fft/access/access.h"

enum { CHAINS = 3, MOST = CHAINS * ARGAND_MAX_ACCESSORS };

const argand_accessor *access_chain_of(const struct fft_access *a, int number)
{
    const argand_fft_access *c = &a->chains;
    return number == 0 ? c->load : number == 1 ? c->spectrum : c->store;
}

bool access_has_texts(const struct fft_access *a)
{
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++) {
            const argand_accessor *one = &access_chain_of(a, c)[i];
            if (one->kind == ARGAND_ACCESS_CALL && !one->source) return false;
        }
    return true;
}

/* A user function, with its position in the chain. */
typedef struct own {
    const argand_accessor *a;
    const char *chain;
    int i;
} own;

/* Adds the accessor to the list unless its text is there already. */
static int add_once(own *list, int count, const argand_accessor *a, const char *chain, int i)
{
    for (int k = 0; k < count; k++)
        if (!strcmp(list[k].a->source, a->source) && !strcmp(list[k].a->name, a->name)) return count;
    list[count] = (own){a, chain, i};
    return count + 1;
}

static argand_status find_own(own *list, int *count, const struct fft_access *a, unsigned chains)
{
    static const char *const names[CHAINS] = {"load", "spectrum", "store"};
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < ARGAND_MAX_ACCESSORS && (chains >> c & 1); i++) {
            const argand_accessor *one = &access_chain_of(a, c)[i];
            if (one->kind != ARGAND_ACCESS_CALL || !one->source) continue;
            TRY(access_check_text(one, names[c], i));
            *count = add_once(list, *count, one, names[c], i);
        }
    return ARGAND_OK;
}

static int lines_of(const char *source)
{
    int lines = 1;
    for (; *source; source++) lines += *source == '\n';
    return lines;
}

/* Adds the text, unless an earlier accessor has it, under a name that identifies it. After its last line
 * comes the function that chains call. A user function with wrong parameters or result is therefore
 * reported there, not inside Argand's kernels. Compilers without overloading see a declaration
 * before the text, and report the line of the function itself. */
static void add_text(text *t, const own *list, int at)
{
    const own *o = &list[at];
    const char *name = o->a->name;
    int same = 0;
    while (strcmp(list[same].a->source, o->a->source)) same++;
    text_add(t, "#ifndef __cplusplus\n#line 1 \"access.%s[%d] %s\"\n", o->chain, o->i, name);
    text_add(t, "DEVICE struct pair %s(struct pair v, struct pair mirror, struct access_point at);\n#endif\n",
             name);
    if (same == at) text_add(t, "#line 1 \"access.%s[%d] %s\"\n%s\n", o->chain, o->i, name, o->a->source);
    text_add(t,
             "#line %d \"access.%s[%d] %s\"\n"
             "DEVICE struct pair " ACCESS_OWN
             "%s(struct pair v, struct pair mirror, struct access_point at) { return %s(v, mirror, at); }\n",
             lines_of(o->a->source) + 1, o->chain, o->i, name, name, name);
}

argand_status access_keep_own(char *name, const struct fft_access *a, unsigned chains)
{
    own list[MOST];
    int count = 0;
    text t = {0};
    argand_status status = ARGAND_OK;
    TRY(find_own(list, &count, a, chains));
    for (int i = 0; i < count; i++) add_text(&t, list, i);
    if (t.length) status = t.status == ARGAND_OK ? source_own_keep(name, text_chars(&t)) : t.status;
    text_free(&t);
    return status;
}
