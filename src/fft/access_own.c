/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of the user's own, for devices that compile them. */
#include <string.h>
#include "base/text.h"
#include "device/source.h"
#include "fft/access.h"

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

/* Adds the accessor to the list unless its text is there. */
static int add_once(const argand_accessor **list, int count, const argand_accessor *a)
{
    if (a->kind != ARGAND_ACCESS_CALL || !a->source) return count;
    for (int i = 0; i < count; i++)
        if (!strcmp(list[i]->source, a->source)) return count;
    list[count] = a;
    return count + 1;
}

argand_status access_keep_own(char *name, const struct fft_access *a, unsigned chains)
{
    const argand_accessor *list[MOST];
    int count = 0;
    text t = {0};
    argand_status status = ARGAND_OK;
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < ARGAND_MAX_ACCESSORS && (chains >> c & 1); i++)
            count = add_once(list, count, &access_chain_of(a, c)[i]);
    for (int i = 0; i < count; i++) text_add(&t, "#line 1 \"%s\"\n%s\n", list[i]->name, list[i]->source);
    if (t.length) status = t.status == ARGAND_OK ? source_own_keep(name, text_chars(&t)) : t.status;
    text_free(&t);
    return status;
}
