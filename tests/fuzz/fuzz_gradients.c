/* SPDX-License-Identifier: BSD-3-Clause */
/* Coefficients of gradient coils: whatever is read keeps the limits of the header. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128];
    argand_gradient_coefficients *c = NULL;
    const argand_status status =
        argand_gradient_coefficients_read(&c, fuzz_file(path, sizeof path, "a.grad", bytes, count));
    unlink(path);
    if (status != ARGAND_OK) {
        if (c || !argand_message()[0]) abort();
        return 0;
    }
    if (!(c->radius > 0) || c->count < 1 || c->count > 4096) abort();
    for (int64_t i = 0; i < c->count; i++) {
        const argand_gradient_term *t = &c->terms[i];
        if (t->axis < 0 || t->axis > 2 || t->m < 0 || t->m > t->n || t->n > 30 || t->value - t->value != 0)
            abort();
    }
    argand_gradient_coefficients_destroy(c);
    return 0;
}
