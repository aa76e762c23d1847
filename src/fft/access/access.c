/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the layouts and accessors of a plan, and keeps a copy. */
#include "fft/access/access.h"

#include <string.h>
#include "base/memory.h"

static bool is_plain(const argand_fft_layout *layout)
{
    static const argand_fft_layout none;
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
        if (layout->window[axis].count || layout->window[axis].first || layout->window[axis].border)
            return false;
    return layout->type == none.type && layout->imaginary == 0 && layout->constant.re == 0 &&
           layout->constant.im == 0;
}

static bool asks_for_none(const argand_fft_options *o)
{
    return is_plain(&o->input) && is_plain(&o->output) && !o->sum && !o->access.load[0].kind &&
           !o->access.spectrum[0].kind && !o->access.store[0].kind;
}

static argand_status check_type(const access_array_layout *s, const fft_problem *p, const char *name)
{
    const argand_type own = p->type, whole = type_is_double(own) ? ARGAND_C64 : ARGAND_C32;
    const bool split = argand_type_size(s->type) && !type_has_pairs(s->type);
    CHECK(argand_type_size(s->type), ARGAND_ARGUMENT, "argand_fft_create: %s.type %d is not known", name,
          (int)s->type);
    CHECK(type_is_storage(s->type) || type_is_double(s->type) == type_is_double(own), ARGAND_ARGUMENT,
          "argand_fft_create: %s.type is %s; give a type of the transform's precision or a storage type",
          name, argand_type_name(s->type));
    CHECK(!s->reals || split, ARGAND_ARGUMENT,
          "argand_fft_create: %s.type is %s, but the numbers there are real; give a real type", name,
          argand_type_name(s->type));
    CHECK(!s->imaginary || (split && !s->reals), ARGAND_ARGUMENT,
          "argand_fft_create: %s.imaginary is %lld, but only complex numbers (%s) stored as a real .type "
          "have separate real and imaginary parts; set it to 0",
          name, (long long)s->imaginary, argand_type_name(whole));
    CHECK(s->imaginary < INT64_MAX / 64 && s->imaginary > INT64_MIN / 64, ARGAND_ARGUMENT,
          "argand_fft_create: %s.imaginary is %lld, beyond any memory", name, (long long)s->imaginary);
    return ARGAND_OK;
}

static argand_status check_span(argand_window *to, const argand_window *from, const access_array_layout *s,
                                const fft_problem *p, int axis, bool half, const char *name)
{
    const int64_t n = access_points(p, axis, half), count = from->count ? from->count : n;
    const bool is_half = half && axis == 0, is_out = !strcmp(name, "output");
    CHECK(count >= 1 && count <= n, ARGAND_ARGUMENT,
          "argand_fft_create: %s.window[%d].count is %lld; give 1 to %lld", name, axis,
          (long long)from->count, (long long)n);
    CHECK(from->border >= ARGAND_BORDER_ZERO && from->border <= ARGAND_BORDER_MIRROR, ARGAND_ARGUMENT,
          "argand_fft_create: %s.window[%d].border %d is not known", name, axis, (int)from->border);
    CHECK(!is_half || (from->first == 0 && from->border == ARGAND_BORDER_ZERO), ARGAND_UNSUPPORTED,
          "argand_fft_create: %s.window[0] crops a half spectrum: only .count may be set, not .first or "
          ".border",
          name);
    CHECK(!is_out || from->border != ARGAND_BORDER_CONSTANT, ARGAND_ARGUMENT,
          "argand_fft_create: output.window[%d] has a constant border, which only an input can have", axis);
    CHECK((from->border == ARGAND_BORDER_CONSTANT) == s->has_constant || count == n, ARGAND_UNSUPPORTED,
          "argand_fft_create: %s.window[%d]: if one axis has a constant border, each axis that the array "
          "does not fill must have a constant border",
          name, axis);
    const int64_t first = (from->first % n + (p->centred ? n - count / 2 : 0) + n) % n;
    *to = (argand_window){count, first, count < n ? from->border : ARGAND_BORDER_ZERO};
    return ARGAND_OK;
}

static argand_status make_layout(access_array_layout *s, const argand_fft_layout *from, const fft_problem *p,
                                 bool reals, bool half, const char *name)
{
    const argand_type whole = type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32;
    *s = (access_array_layout){.type = from->type ? from->type
                                       : reals    ? p->type
                                                  : whole,
                               .reals = reals,
                               .imaginary = from->imaginary,
                               .constant = from->constant};
    for (int axis = 0; axis < p->rank; axis++)
        if (from->window[axis].border == ARGAND_BORDER_CONSTANT && from->window[axis].count &&
            from->window[axis].count < p->n[axis])
            s->has_constant = true;
    if (!s->has_constant) s->constant = (argand_scalar){0, 0};
    CHECK(
        !s->reals || s->constant.im == 0, ARGAND_ARGUMENT,
        "argand_fft_create: the constant around real numbers must be real, but its imaginary part is not 0");
    TRY(check_type(s, p, name));
    for (int axis = 0; axis < p->rank; axis++)
        TRY(check_span(&s->window[axis], &from->window[axis], s, p, axis, half, name));
    return ARGAND_OK;
}

/* ---- chains ---- */

static argand_status copy_text(const char **to, const char *from)
{
    char *copy;
    if (!from) return ARGAND_OK;
    const size_t bytes = strlen(from) + 1;
    TRY(memory_new(&copy, bytes, 1));
    memcpy(copy, from, bytes);
    *to = copy;
    return ARGAND_OK;
}

static bool is_identifier(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name && *name && strspn(name, letters) == strlen(name) && strlen(name) < 64 &&
           !strchr(letters + 53, *name);
}

static argand_status check_accessor(const argand_accessor *a, const char *chain, int i)
{
    CHECK(a->kind > ARGAND_ACCESS_NONE && a->kind <= ARGAND_ACCESS_CALL, ARGAND_ARGUMENT,
          "argand_fft_create: access.%s[%d].kind %d is not known", chain, i, (int)a->kind);
    CHECK(a->kind != ARGAND_ACCESS_CALL || a->function || (a->source && a->name), ARGAND_ARGUMENT,
          "argand_fft_create: access.%s[%d] has neither .function (for the cpu) nor .source and .name (for "
          "other devices)",
          chain, i);
    CHECK(!a->source || is_identifier(a->name), ARGAND_ARGUMENT,
          "argand_fft_create: access.%s[%d].name must be the name of the function in .source", chain, i);
    CHECK(!a->mirror || !strcmp(chain, "spectrum"), ARGAND_ARGUMENT,
          "argand_fft_create: access.%s[%d].mirror may be set in the chain \"spectrum\" only", chain, i);
    CHECK(!a->mirror || a->kind == ARGAND_ACCESS_CALL, ARGAND_ARGUMENT,
          "argand_fft_create: access.%s[%d].mirror needs .kind ARGAND_ACCESS_CALL", chain, i);
    return ARGAND_OK;
}

static argand_status keep_chain(argand_accessor *to, const argand_accessor *from, const char *chain)
{
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && from[i].kind; i++) {
        TRY(check_accessor(&from[i], chain, i));
        to[i] = from[i];
        to[i].source = to[i].name = NULL;
        to[i].array = NULL;
        TRY(copy_text(&to[i].source, from[i].source));
        TRY(copy_text(&to[i].name, from[i].name));
        const argand_array *a = from[i].array;
        argand_array *view;
        if (!a) continue;
        TRY(argand_array_view(&view, a, a->rank, a->dims, a->strides, 0));
        to[i].array = view;
    }
    return ARGAND_OK;
}

static void drop_chain(argand_accessor *chain)
{
    for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++) {
        memory_free((char *)chain[i].source);
        memory_free((char *)chain[i].name);
        argand_array_destroy((argand_array *)chain[i].array);
    }
}

static argand_status fill(struct fft_access *a, const fft_problem *p, const argand_fft_options *o)
{
    const bool real = problem_is_real(p);
    a->has_spectrum = o->access.spectrum[0].kind != ARGAND_ACCESS_NONE;
    a->sum = o->sum;
    TRY(make_layout(&a->in, &o->input, p, real, false, "input"));
    TRY(make_layout(&a->out, &o->output, p, real && a->has_spectrum, real && !a->has_spectrum, "output"));
    TRY(keep_chain(a->chains.load, o->access.load, "load"));
    TRY(keep_chain(a->chains.spectrum, o->access.spectrum, "spectrum"));
    TRY(keep_chain(a->chains.store, o->access.store, "store"));
    for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++) a->has_mirror |= a->chains.spectrum[i].mirror;
    CHECK(!a->has_mirror || !real, ARGAND_UNSUPPORTED,
          "argand_fft_create: .mirror is not available in a real transform: there X[-k] is conj(X[k]); use "
          "conj(v) in the function");
    return ARGAND_OK;
}

static argand_status check_gaps(const argand_accessor *chain, const char *name, const char *who)
{
    for (int i = 1; i < ARGAND_MAX_ACCESSORS; i++)
        CHECK(!chain[i].kind || chain[i - 1].kind, ARGAND_ARGUMENT,
              "%s: access.%s[%d] follows an empty entry, which ends the chain; leave no gaps between entries",
              who, name, i);
    return ARGAND_OK;
}

argand_status access_check_gaps(const argand_fft_access *a, const char *who)
{
    TRY(check_gaps(a->load, "load", who));
    TRY(check_gaps(a->spectrum, "spectrum", who));
    return check_gaps(a->store, "store", who);
}

argand_status access_make(struct fft_access **access, const fft_problem *p, const argand_fft_options *o)
{
    struct fft_access *a;
    *access = NULL;
    TRY(access_check_gaps(&o->access, "argand_fft_create"));
    if (asks_for_none(o)) return ARGAND_OK;
    TRY(NEW(a, 1));
    const argand_status status = fill(a, p, o);
    if (status == ARGAND_OK)
        *access = a;
    else
        access_release(a);
    return status;
}

void access_release(struct fft_access *a)
{
    if (!a) return;
    drop_chain(a->chains.load);
    drop_chain(a->chains.spectrum);
    drop_chain(a->chains.store);
    memory_free(a);
}
