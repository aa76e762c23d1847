/* SPDX-License-Identifier: BSD-3-Clause */
/* Of all passes of a transform by our kernels the last one, and no other, multiplies by the plan's factor:
 * whatever they are, persistent passes of large GPUs among them, of which programs are made without such a
 * device. */
#include "../../harness.h"
#include "fft/gpu/estimate/estimate.h"
#include "fft/gpu/schedule/program.h"
#include "fft/planner/plan.h"
#include "fft/plan/options.h"

static block_limits limits_of(const fft_problem *p, const char *parameters, int waves)
{
    block_limits l;
    OK(limits_find(&l, p, device, parameters));
    l.threads = type_is_double(p->type) ? 512 : 1024;
    l.shared_bytes = 224 * 1024;
    l.units = 132;
    l.persistent = waves;
    return l;
}

static void check_passes(const argand_fft_options *o, argand_direction direction, const char *parameters,
                         int waves)
{
    fft_problem p;
    fft_geometry g;
    pass_program program;
    OK(problem_make(&p, o));
    problem_contiguous(&g, &p, direction);
    const block_limits l = limits_of(&p, parameters, waves);
    OK(program_make(&program, &p, &g, direction, &l, false));
    for (int i = 0; i < program.count; i++) {
        const tile_pass *pass = &program.pass[i];
        const bool last = i + 1 == program.count;
        if (pass->scaled != last || pass->shape.plain == last)
            fail_msg("%lld x %lld x %lld \"%s\": pass %d of %d: scaled %d, plain %d", (long long)o->n[0],
                     (long long)o->n[1], (long long)o->n[2], parameters, i, program.count, pass->scaled,
                     pass->shape.plain);
    }
    program_release(&program);
}

static void the_last_pass_alone(void **state)
{
    (void)state;
    static const struct {
        int rank;
        int64_t n[3], batch;
        const char *parameters;
    } cases[] = {{1, {1024, 1, 1}, 8, ""},
                 {1, {1 << 20, 1, 1}, 2, ""},
                 {1, {1 << 22, 1, 1}, 1, "chunk_kib 0 tail_kib 4096"},
                 {1, {1009, 1, 1}, 4, ""},
                 {1, {200003, 1, 1}, 2, ""},
                 {2, {512, 512, 1}, 4, ""},
                 {2, {1024, 1024, 1}, 3, "chunk_kib 2048"},
                 {2, {2048, 2048, 1}, 2, "split_second 4"},
                 {2, {300000, 20, 1}, 1, ""}, /* one line a chunk */
                 {3, {512, 512, 64}, 1, ""},  /* one plane a chunk */
                 {3, {512, 512, 64}, 1, "chunk_kib 0"},
                 {3, {128, 128, 128}, 2, "split_choice 2"},
                 {3, {60, 45, 77}, 1, ""},
                 {3, {64, 1, 64}, 1, ""},
                 {3, {640, 640, 640}, 1, "split_second 5 split_last 4 points_per_thread 32 prefetch_next 1"}};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.host_addressable) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int way = 0; way < 8; way++) {
            argand_fft_options o = {.type = way & 1 ? ARGAND_R32 : ARGAND_C32,
                                    .rank = cases[i].rank,
                                    .batch = cases[i].batch,
                                    .scale = ARGAND_SCALE_UNITARY};
            memcpy(o.n, cases[i].n, sizeof cases[i].n);
            check_passes(&o, way & 2 ? ARGAND_INVERSE : ARGAND_FORWARD, cases[i].parameters, way & 4);
        }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(the_last_pass_alone)};
RUN_TESTS(tests)
