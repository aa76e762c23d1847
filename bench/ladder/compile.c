/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the kernels of all steps for a chip, without the device. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "device/cuda/nvrtc.h"
#include "device/source.h"
#include "ladder.h"
#include "offline.h"
#include "texts.h"

static argand_status compile_launch(const ladder_launch *s, int capability, kernel_needs *needs)
{
    char name[64], architecture[32];
    text source = {0};
    unsigned char *bytes = NULL;
    size_t count;
    argand_status status;
    TRY(nvrtc_architecture(capability, architecture, sizeof architecture));
    TRY(source_name(s->key, name, sizeof name));
    TRY_OR_DONE(source_assemble(&source, s->key, source_items(s->key)));
    TRY_OR_DONE(nvrtc_compile(
        &(kernel_source){.key = s->key, .name = name, .text = source.chars, .items = source_items(s->key)},
        architecture, &bytes, &count));
    TRY_OR_DONE(cubin_needs(bytes, count, needs));
    /* from 9.0 on, the section includes the memory that the system reserves per group; occupancy_fill adds
     * it again */
    if (capability >= 90 && needs->shared >= 1024) needs->shared -= 1024;
    needs->shared += s->shared_bytes;
    CHECK_OR_DONE(occupancy_fill(needs, source_items(s->key), capability), ARGAND_UNSUPPORTED,
                  "the limits of capability %d.%d are not known", capability / 10, capability % 10);
done:
    memory_free(bytes);
    text_free(&source);
    return status;
}

static bool is_new(const ladder_step *steps, int step, int launch)
{
    for (int r = 0; r <= step; r++)
        for (int s = 0; s < (r < step ? steps[r].launches : launch); s++)
            if (!strcmp(steps[r].launch[s].key, steps[step].launch[launch].key)) return false;
    return true;
}

static argand_status compile_case(const ladder_case *c, int capability, const char *name_part,
                                  ladder_step *steps)
{
    const int count = ladder_steps(steps, c);
    for (int r = 0; r < count; r++)
        for (int s = 0; s < steps[r].launches; s++) {
            const ladder_launch *launch = &steps[r].launch[s];
            kernel_needs n;
            if (!is_new(steps, r, s) || (name_part && !strstr(steps[r].name, name_part))) continue;
            TRY(compile_launch(launch, capability, &n));
            printf("needs\t%d\t%d\t%zu\t%zu\t%d\t%d\t%s\n", source_items(launch->key), n.registers, n.shared,
                   n.spilled, n.groups, n.items_at_most, c->rank == 1 ? steps[r].name : launch->key);
            fflush(stdout);
        }
    return ARGAND_OK;
}

argand_status ladder_compile(int capability, int n, const char *name_part)
{
    const char *reason;
    ladder_step *steps;
    CHECK(nvrtc_open(&reason), ARGAND_UNSUPPORTED, "%s", reason);
    CHECK(n >= 32 && n <= 1024 && (n & (n - 1)) == 0, ARGAND_ARGUMENT,
          "%d is not a power of two from 32 to 1024", n);
    TRY(NEW(steps, LADDER_STEPS));
    source_more(ladder_recipes, ladder_texts);
    argand_status status = compile_case(&(ladder_case){1, n, (int64_t)n * n}, capability, name_part, steps);
    if (!status) status = compile_case(&(ladder_case){3, n, (int64_t)n * n}, capability, name_part, steps);
    memory_free(steps);
    return status;
}
