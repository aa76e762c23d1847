/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints an operator and its parts as text: (chain (diagonal) (fft)). */
#include "op/op.h"

#include <stdio.h>

static void print_into(const argand_op *op, text *t)
{
    text_add(t, "(%s", op->name);
    for (int i = 0; i < 2; i++)
        if (op->parts[i]) {
            text_add(t, " ");
            print_into(op->parts[i], t);
        }
    text_add(t, ")");
}

void argand_op_print(const argand_op *op, char *chars, size_t size)
{
    text t = {0};
    if (op) print_into(op, &t);
    if (chars && size) snprintf(chars, size, "%s", text_chars(&t));
    text_free(&t);
}
