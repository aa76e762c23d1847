/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of our kernels for GPUs, with any tuning that wisdom may bring: no device is needed, as keys, tables
 * and costs are the host's. Which parameters there are is read from the engine's own lists. */
#include "fuzz/fuzz.h"

#include <string.h>
#include "fft/gpu/schedule/program.h"
#include "fft/plan/options.h"
#include "fft/gpu/tuning/candidates.h"

typedef struct choices {
    const uint8_t *bytes;
    size_t left;
} choices;

static unsigned choose(choices *c, unsigned count) /* 0 when the bytes are used up */
{
    if (!c->left) return 0;
    c->left--;
    return *c->bytes++ % count;
}

static int64_t odd_length(choices *c)
{
    static const int usual[] = {1,   2,   4,   8,    12,   16,   17,   30,    64,    100,   127,    128,
                                169, 256, 360, 1000, 1024, 2187, 4096, 10007, 16384, 65537, 131072, 1 << 20};
    if (choose(c, 4)) return usual[choose(c, sizeof usual / sizeof *usual)];
    const unsigned low = choose(c, 256), high = choose(c, 256);
    return 1 + (int64_t)low + 256 * (int64_t)high;
}

static void odd_problem(choices *c, argand_fft_options *o)
{
    static const int batches[] = {1, 2, 3, 7, 32, 1000, 1 << 20};
    *o = (argand_fft_options){.type = ARGAND_R32 + choose(c, 4), .rank = 1 + (int)choose(c, 3)};
    for (int axis = 0; axis < o->rank; axis++) o->n[axis] = odd_length(c);
    o->batch = batches[choose(c, sizeof batches / sizeof *batches)];
    o->centred = choose(c, 4) == 3;
    o->signal_order = choose(c, 8) == 7 ? ARGAND_ORDER_SCRAMBLED : ARGAND_ORDER_NATURAL;
    o->spectrum_order = choose(c, 8) == 7 ? ARGAND_ORDER_SCRAMBLED : ARGAND_ORDER_NATURAL;
}

/* The parameters of all variants and changes, each with a value that it has there. */
static unsigned list_parameters(char (*parameters)[48], unsigned most)
{
    char name[FFT_VARIANT_CHARS], word[32];
    unsigned count = 0;
    bool listed = true;
    for (int i = 0; listed || candidate_change(i); i++) {
        const char *more = candidate_change(i);
        listed = candidate_text(i, name, sizeof name);
        for (int change = 0; change < 2; change++) {
            int value, used;
            const char *at = change ? more : listed ? name : NULL;
            for (; at && sscanf(at, "%31s %d %n", word, &value, &used) == 2 && count < most; at += used)
                snprintf(parameters[count++], sizeof *parameters, "%s %d ", word, value);
        }
    }
    return count;
}

static void odd_parameters(choices *c, char *to, size_t size)
{
    enum { MOST = 1024 };
    static char parameters[MOST][48];
    static unsigned count;
    static const int odd[] = {0,  1,   2,   3,   5,   7,    8,    16,   31,    32,     49,
                              64, 100, 128, 255, 256, 1000, 1024, 4096, 16384, 1 << 20};
    if (!count) count = list_parameters(parameters, MOST);
    *to = 0;
    for (unsigned more = choose(c, 6); more; more--) {
        const size_t used = strlen(to);
        const unsigned at = (choose(c, 256) + 256 * choose(c, 4)) % count;
        const int letters = (int)strcspn(parameters[at], " ");
        if (choose(c, 2))
            snprintf(to + used, size - used, "%s", parameters[at]);
        else
            snprintf(to + used, size - used, "%.*s %d ", letters, parameters[at],
                     odd[choose(c, sizeof odd / sizeof *odd)]);
    }
}

static bool odd_chip(choices *c, block_limits *l, const fft_problem *p, const char *parameters)
{
    static const int shared_kib[] = {48, 64, 160, 224, 32};
    const bool is_double = p->type == ARGAND_R64 || p->type == ARGAND_C64, cuda = choose(c, 4);
    *l = (block_limits){.device = device,
                        .is_double = is_double,
                        .element_bytes = is_double ? 16 : 8,
                        .threads = !cuda       ? 256
                                   : is_double ? 512
                                               : 1024,
                        .points_per_thread = 16,
                        .units = 1 + (int)choose(c, 200),
                        .unscaled = p->forward_factor == 1 && p->inverse_factor == 1,
                        .persistent = cuda,
                        .out_of_place = choose(c, 2),
                        .shared_bytes = shared_kib[choose(c, 5)] * 1024};
    if (!tuning_parse(&l->tuning, parameters)) return false;
    if (cuda && choose(c, 2)) l->cluster = l->tuning.max_cluster;
    l->overlaps = cuda && l->tuning.dependent_launch;
    l->work_bytes = (int64_t)l->tuning.work_mib * 1024 * 1024;
    return true;
}

static void plan(const fft_problem *p, argand_direction direction, const block_limits *l, bool dry)
{
    pass_program program;
    fft_passes list = {0};
    fft_geometry g;
    problem_contiguous(&g, p, direction);
    if (program_make(&program, p, &g, direction, l, dry) != ARGAND_OK) return;
    if (program.count < 1 || !(program_cost(&program, l) > 0)) abort();
    program_passes(&program, l, &list);
    program_release(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    choices c = {bytes, count};
    char parameters[FFT_VARIANT_CHARS];
    argand_fft_options options;
    fft_problem problem;
    block_limits limits;
    fuzz_open();
    odd_problem(&c, &options);
    odd_parameters(&c, parameters, sizeof parameters);
    if (problem_make(&problem, &options) != ARGAND_OK) return 0;
    if (odd_chip(&c, &limits, &problem, parameters)) {
        /* tables of what is long, and orders without conflicts, take their time */
        const bool dry = problem.points > 1 << 12 || choose(&c, 4);
        limits.keyed = dry && problem.points <= 1 << 16 && choose(&c, 4) == 3;
        limits.outlined = dry && !limits.keyed;
        for (int inverse = 0; inverse < 2; inverse++)
            plan(&problem, inverse ? ARGAND_INVERSE : ARGAND_FORWARD, &limits, dry);
    }
    fft_problem_release(&problem);
    return 0;
}
