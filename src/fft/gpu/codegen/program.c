/* SPDX-License-Identifier: BSD-3-Clause */
/* Releases a list of passes. */
#include "fft/gpu/codegen/program.h"

#include "base/memory.h"

void program_release(pass_program *p)
{
    for (int i = 0; i < p->count; i++) memory_free(p->pass[i].key);
    memory_free(p->persistent.key);
    tables_release(&p->tables);
    p->count = 0;
}
