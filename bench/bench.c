/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench PART: measures speed and accuracy, also of other libraries for comparison. */
#include "common/command.h"

#define BENCH(name, summary) int bench_##name(int argc, char **argv);
#include "benches.inc"
#undef BENCH

static const command parts[] = {
#define BENCH(name, summary) {#name, summary, bench_##name, NULL},
#include "benches.inc"
#undef BENCH
    {.name = NULL},
};

extern const command command_bench;

static const char description[] = "Prints sizes, times, rates and errors. If the library to compare with is "
                                  "installed, it is measured in the same run.";

static int run(int argc, char **argv)
{
    return command_run_part(&command_bench, "PART", "[options]", description, argc, argv);
}

const command command_bench = {.name = "bench",
                               .summary = "time transforms and solves, next to FFTW, cuFFT and FINUFFT",
                               .run = run,
                               .parts = parts};
