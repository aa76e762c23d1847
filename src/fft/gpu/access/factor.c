/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges scalars of the chains into the factor of the results. All steps after a scalar are linear, except
 * functions given by the user. A scalar may therefore leave its chain and multiply what the last pass
 * stores, after the store chain, where plans have a factor anyway. A real one then costs nothing, a
 * complex one two operations a point. */
#include "fft/gpu/access/access.h"

/* Returns bits: scalars of the chain after the last user function. Clears *linear if there is a user
 * function. */
static unsigned scalars_of(const argand_accessor *chain, bool *linear)
{
    int i = 0;
    unsigned found = 0;
    while (i < ARGAND_MAX_ACCESSORS && chain[i].kind) i++;
    while (i-- > 0) {
        if (chain[i].kind == ARGAND_ACCESS_CALL) *linear = false;
        if (*linear && chain[i].kind == ARGAND_ACCESS_SCALE) found |= 1u << i;
    }
    return found;
}

/* Goes from the last chain to the first as long as all steps are linear. In real plans only scalars at
 * reals of input and output are merged: half a spectrum may be multiplied by complex numbers, reals may
 * not. The load chain does not multiply the border around the array. */
void factor_find(access_plan *a)
{
    const struct fft_access *all = a->problem->access;
    const bool real = problem_is_real(a->problem);
    bool linear = !real || all->has_spectrum;
    for (int c = 2; c >= 0; c--) {
        const unsigned found = scalars_of(access_chain_of(all, c), &linear);
        a->folded[c] = (c == 1 && real) || (c == 0 && all->in.has_constant) ? 0 : found;
    }
}

bool factor_is_any(const access_plan *a)
{
    return a->folded[0] || a->folded[1] || a->folded[2];
}

static argand_scalar times(argand_scalar a, argand_scalar b)
{
    return (argand_scalar){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

argand_scalar factor_planned(const access_plan *a)
{
    argand_scalar f = {1, 0};
    for (int c = 0; c < 3; c++) {
        const argand_accessor *chain = access_chain_of(a->problem->access, c);
        for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++) {
            const argand_scalar s = chain[i].scalar;
            if (a->folded[c] >> i & 1) f = times(f, (argand_scalar){s.re, chain[i].conjugate ? -s.im : s.im});
        }
    }
    return f;
}

argand_scalar factor_of(const unsigned folded[3], const access_call *call)
{
    const access_chain *const chains[3] = {&call->load, &call->spectrum, &call->store};
    argand_scalar f = {1, 0};
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < chains[c]->count; i++)
            if (folded[c] >> i & 1) f = times(f, chains[c]->link[i].scalar);
    return f;
}
