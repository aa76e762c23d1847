/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the wisdom key of a plan's accessors, behind the key of the transform. It has what decides which
 * passes are fastest. Scalars, shifting windows and the conjugate cost next to nothing: scalars have no
 * key, shifts only if there is nothing else. Such plans use the plain plan's tuning if wisdom has none for
 * them. */
#include <string.h>
#include "base/memory.h"
#include "device/source.h"
#include "fft/access/access.h"

static const char *const types[] = {[ARGAND_R32] = "r32", [ARGAND_R64] = "r64",   [ARGAND_C32] = "c32",
                                    [ARGAND_C64] = "c64", [ARGAND_R16] = "r16",   [ARGAND_RB16] = "rb16",
                                    [ARGAND_C16] = "c16", [ARGAND_CB16] = "cb16", [ARGAND_U8] = "u8"};
#define MOVED " moved"

static const char *const borders[] = {"zero", "constant", "wrap", "clamp", "mirror"};

static bool is_cut(const fft_problem *p, const access_array_layout *s, bool half)
{
    for (int axis = 0; axis < p->rank; axis++)
        if (s->window[axis].count < access_points(p, axis, half)) return true;
    return false;
}

static bool has_half(const fft_problem *p)
{
    return problem_is_real(p) && !p->access->has_spectrum;
}

bool access_cuts(const fft_problem *p)
{
    return is_cut(p, &p->access->in, false) || is_cut(p, &p->access->out, has_half(p));
}

/* Adds what differs from the transform's own layout, as in " in c16 split 128x64 mirror". */
static void add_layout(text *key, const fft_problem *p, const access_array_layout *s, bool half,
                       const char *name)
{
    const argand_type whole = type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32,
                      own = s->reals ? p->type : whole;
    int border = ARGAND_BORDER_ZERO;
    const bool cut = is_cut(p, s, half);
    for (int axis = 0; axis < p->rank; axis++)
        if ((int)s->window[axis].border > border) border = (int)s->window[axis].border;
    if (s->type == own && !cut) return;
    text_add(key, " %s", name);
    if (s->type != own) text_add(key, " %s", types[s->type]);
    if (s->imaginary) text_add(key, " split");
    for (int axis = 0; cut && axis < p->rank; axis++)
        text_add(key, "%s%lld", axis ? "x" : " ", (long long)s->window[axis].count);
    if (border) text_add(key, " %s", borders[border]);
}

/* Adds " array", or " reals" for a real one, with ":n1" if it repeats along an axis, or varies along a
 * loop. */
static void add_array(text *key, const argand_array *a, const int64_t *n, int rank)
{
    bool is_default = true;
    text_add(key, a && !type_is_complex(a->type) ? " reals" : " array");
    for (int d = 0; a && d < ARGAND_MAX_RANK; d++)
        is_default &= d < rank ? n[d] == argand_array_dim(a, d) : argand_array_dim(a, d) == 1;
    if (is_default) return;
    text_add(key, ":");
    for (int d = 0; d < a->rank; d++) text_add(key, argand_array_dim(a, d) > 1 ? "n" : "1");
}

/* Adds a user function by its hash, as in the kernel's key. named: this function only, not any. */
static void add_own(text *key, const argand_accessor *a, bool named)
{
    enum { ENOUGH = 16 };
    char name[SOURCE_OWN_NAME];
    text_add(key, a->mirror ? " mirrored" : " own");
    if (!named || !a->source || source_own_keep(name, a->source) != ARGAND_OK) return;
    text_add(key, ":%.*s", ENOUGH, name);
    source_own_release(name);
}

static void add_chain(text *key, const struct fft_access *a, int number, const int64_t *n, int rank)
{
    static const char *const names[] = {"load", "spectrum", "store"};
    const argand_accessor *chain = access_chain_of(a, number);
    bool named = false;
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++) {
        if (chain[i].kind == ARGAND_ACCESS_SCALE) continue;
        if (!named) text_add(key, " %s", names[number]);
        named = true;
        if (chain[i].kind == ARGAND_ACCESS_CALL)
            add_own(key, &chain[i], !a->unnamed);
        else
            add_array(key, chain[i].array, n, rank);
    }
}

static bool is_moved(const fft_problem *p)
{
    const struct fft_access *a = p->access;
    for (int axis = 0; axis < p->rank; axis++)
        if (a->in.window[axis].first || a->out.window[axis].first) return true;
    return false;
}

void access_key(text *key, const fft_problem *p)
{
    const struct fft_access *a = p->access;
    const bool half = has_half(p);
    text_add(key, ACCESS_KEY);
    const size_t bare = key->length;
    add_layout(key, p, &a->in, false, "in");
    add_layout(key, p, &a->out, half, "out");
    if (a->sum) text_add(key, " sum");
    if (a->has_spectrum) text_add(key, " inverse");
    for (int c = 0; c < 3; c++) {
        int64_t n[ARGAND_MAX_RANK];
        for (int d = 0; d < p->rank; d++)
            n[d] = c == 0   ? a->in.window[d].count
                   : c == 2 ? a->out.window[d].count
                            : access_points(p, d, problem_is_real(p));
        add_chain(key, a, c, n, p->rank);
    }
    if (key->length == bare && is_moved(p)) text_add(key, MOVED);
}

bool access_is_free(const fft_problem *p)
{
    text key = {0};
    access_key(&key, p);
    const char *chars = text_chars(&key);
    const bool found =
        key.status == ARGAND_OK && (!strcmp(chars, ACCESS_KEY) || !strcmp(chars, ACCESS_KEY MOVED));
    text_free(&key);
    return found;
}
