/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_bench_ladder DEVICE RANK N ROWS ROUNDS [WORDS]: measures the steps of a case whose names contain
 * WORDS. `argand bench ladder` runs this program and reads its lines, with fields separated by tabs:
 *
 *   step ROW PASSES SECONDS COPY_SECONDS ERROR ITEMS REGISTERS SHARED SPILLED GROUPS ITEMS_AT_MOST NAME WORDS
 *   refused ROW NAME REASON
 *
 * argand_bench_ladder compile CAPABILITY N [WORDS]: prints the resources that the machine code of the
 * kernels for rows needs on that chip, without the device (cubin.c): needs ITEMS REGISTERS SHARED SPILLED
 * GROUPS ITEMS_AT_MOST NAME */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "ladder.h"
#include "offline.h"

static int64_t points_of(const ladder_case *c)
{
    return c->rows * c->n;
}

/* Returns how many results to check: each result of a cube is a sum over all points. */
static int checked_of(const ladder_case *c)
{
    const int64_t most = c->rank == 1 ? 4096 : (INT64_C(1) << 28) / points_of(c);
    return (int)(most > 256 ? 256 : most < 4 ? 4 : most);
}

static void print_step(const ladder_step *r, const ladder_figures *f)
{
    printf("step\t%d\t%d\t%.9g\t%.9g\t%.3g\t%d\t%d\t%zu\t%zu\t%d\t%d\t%s\t%s\n", r->row,
           r->passes ? r->passes : f->passes, f->seconds, f->copy_seconds, f->error, f->items,
           f->needs.registers, f->needs.shared, f->needs.spilled, f->needs.groups, f->needs.items_at_most,
           r->name, f->plan_text);
    fflush(stdout);
}

/* Prints the first line of the message; compilers write more. */
static void print_refusal(const ladder_step *r)
{
    const char *name_part = argand_message();
    printf("refused\t%d\t%s\t%.*s\n", r->row, r->name, (int)strcspn(name_part, "\n\t"), name_part);
    fflush(stdout);
}

static argand_status climb(argand_device *device, const ladder_case *c, int rounds, const char *name_part)
{
    ladder_run *run;
    ladder_step *steps;
    TRY(NEW(steps, LADDER_STEPS));
    const int count = ladder_steps(steps, c);
    argand_status status = ladder_begin(&run, device, c);
    for (int i = 0; !status && i < count; i++) {
        ladder_figures f;
        if (name_part && !strstr(steps[i].name, name_part)) continue;
        if (ladder_measure(run, &steps[i], checked_of(c), rounds, &f))
            print_refusal(&steps[i]);
        else
            print_step(&steps[i], &f);
    }
    ladder_end(run);
    memory_free(steps);
    return status;
}

static argand_status measure(int argc, char **argv)
{
    argand_device *device;
    const ladder_case c = {atoi(argv[2]), atoi(argv[3]), atoll(argv[4])};
    TRY(argand_device_open(&device, argv[1]));
    const argand_status status = climb(device, &c, atoi(argv[5]), argc > 6 && *argv[6] ? argv[6] : NULL);
    argand_device_close(device);
    return status;
}

int main(int argc, char **argv)
{
    argand_status status;
    if ((argc == 4 || argc == 5) && !strcmp(argv[1], "compile")) {
        status = ladder_compile(atoi(argv[2]), atoi(argv[3]), argc == 5 ? argv[4] : NULL);
    } else if (argc == 6 || argc == 7) {
        status = measure(argc, argv);
    } else {
        fprintf(stderr,
                "usage: %s DEVICE RANK N ROWS ROUNDS [WORDS]\n       %s compile CAPABILITY N [WORDS]\n",
                argv[0], argv[0]);
        return ARGAND_ARGUMENT;
    }
    if (status) fprintf(stderr, "%s: %s\n", argv[0], argand_message());
    /* tells tests that there is nothing to test */
    return status == ARGAND_UNSUPPORTED && !strcmp(argv[1], "compile") ? 77 : (int)status;
}
