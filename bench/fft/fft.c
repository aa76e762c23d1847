/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench fft: measures time, rate and error of transforms. On the same data and alternately, it
 * measures cuFFT (CUDA) or FFTW planned with FFTW_MEASURE (CPU). With --accuracy it prints benchFFT's six
 * error metrics. */
#include "fft/fft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bench_fft(int argc, char **argv);

typedef struct bench {
    const fft_settings *s;
    fft_buffers buffers;
    report out;
    fft_case *cases;
    fft_figures *figures;
    int count;
} bench;

/* ---- one case ---- */

static argand_status make_plan(argand_fft **plan, double *seconds, const bench *b, const fft_case *c)
{
    argand_fft_options options = {.type = c->type,
                                  .rank = c->rank,
                                  .batch = c->batch,
                                  .centred = b->s->centred && c->type >= ARGAND_C32,
                                  .spectrum_order =
                                      b->s->scrambled ? ARGAND_ORDER_SCRAMBLED : ARGAND_ORDER_NATURAL,
                                  .effort = b->s->measure ? ARGAND_MEASURE : ARGAND_ESTIMATE,
                                  .wait_for_kernels = true};
    memcpy(options.n, c->n, sizeof c->n);
    const double start = seconds_now();
    TRY(argand_fft_create(plan, b->buffers.device, &options));
    *seconds = seconds_now() - start;
    return ARGAND_OK;
}

/* Makes the plan twice: the second time, all kernels are compiled already. */
static argand_status plan_twice(argand_fft **plan, const bench *b, const fft_case *c, fft_figures *f)
{
    TRY(make_plan(plan, &f->plan, b, c));
    argand_fft_destroy(*plan);
    *plan = NULL;
    TRY(make_plan(plan, &f->again, b, c));
    argand_fft_print(*plan, f->engine, sizeof f->engine);
    return ARGAND_OK;
}

/* Makes the peer's plan and measures its error. Planning may overwrite the arrays. */
static argand_status plan_peer(bench *b, fft_peer *peer, const fft_case *c, fft_figures *f, argand_array *in,
                               const argand_array *kept, const argand_array *out)
{
    const double start = seconds_now();
    if (!peer->plan(peer->self, c, &b->buffers)) {
        report_note(&b->out, "%s cannot plan this", peer->name);
        return ARGAND_OK;
    }
    f->peer_plan = seconds_now() - start;
    if (b->buffers.info.host_addressable) b->buffers.filled = 0;
    TRY(kept ? argand_array_copy(in, kept) : fft_buffers_fill(&b->buffers, c, in));
    TRY(argand_device_wait(b->buffers.device));
    if (!peer->execute(peer->self)) return report_error(ARGAND_DEVICE, "%s failed", peer->name);
    return fft_check(&f->peer_error, c, out, NULL, false);
}

/* Fills the input. The input of an inverse is the spectrum of the expected output. It is kept, because
 * peers overwrite it. */
static argand_status fill(bench *b, const fft_case *c, const argand_fft *plan, argand_array *in,
                          argand_array *out, argand_array **kept)
{
    if (!c->back) return fft_buffers_fill(&b->buffers, c, in);
    TRY(fft_buffers_fill(&b->buffers, c, out));
    TRY(argand_fft_apply(plan, in, out, ARGAND_FORWARD));
    int64_t dims[4];
    for (int axis = 0; axis <= c->rank; axis++) dims[axis] = argand_array_dim(in, axis);
    TRY(argand_array_create(kept, b->buffers.device, argand_array_type(in), c->rank + 1, dims));
    return argand_array_copy(*kept, in);
}

static argand_status measure(bench *b, fft_peer *peer, const fft_case *c, fft_figures *f)
{
    const argand_direction direction = c->back ? ARGAND_INVERSE : ARGAND_FORWARD;
    argand_array *in = NULL, *out = NULL, *kept = NULL;
    argand_fft *plan = NULL;
    argand_status status = fft_buffers_array(&in, &b->buffers, c, false);
    if (!status) status = fft_buffers_array(&out, &b->buffers, c, true);
    if (!status) status = plan_twice(&plan, b, c, f);
    if (!status) status = fill(b, c, plan, in, out, &kept);
    if (!status) status = argand_fft_apply(plan, out, in, direction);
    if (!status) status = fft_check(&f->error, c, out, plan, b->s->centred && c->type >= ARGAND_C32);
    if (!status && peer->self) status = plan_peer(b, peer, c, f, in, kept, out);
    if (!status)
        status =
            fft_time(f, &b->buffers, c, plan, out, in, kept, f->peer_plan > 0 ? peer : NULL, b->s->repeat);
    if (peer->self) peer->release(peer->self);
    argand_fft_destroy(plan);
    argand_array_destroy(kept);
    argand_array_destroy(in);
    argand_array_destroy(out);
    return status;
}

/* ---- all of them ---- */

static bool is_double(const fft_case *c)
{
    return c->type == ARGAND_R64 || c->type == ARGAND_C64;
}

static argand_status run_all(bench *b)
{
    fft_peer peer = {0};
    argand_status status = ARGAND_OK;
    int done = 0;
    for (; done < b->count && !status && !interrupted(); done++) {
        const fft_case *c = &b->cases[done];
        if (done == 0 || is_double(c) != is_double(c - 1)) {
            fft_peer_close(&peer);
            if (!b->s->alone) fft_peer_open(&peer, &b->buffers, is_double(c));
        }
        if (done == 0) fft_print_head(b->s, &b->buffers, &peer);
        status = measure(b, &peer, c, &b->figures[done]);
        if (!status) fft_print_line(&b->out, b->s, &b->buffers, c, &peer, &b->figures[done]);
    }
    fft_peer_close(&peer);
    if (!status) fft_print_summary(&b->out, b->s, b->cases, b->figures, done);
    return !status && interrupted() ? ARGAND_STOPPED : status;
}

/* Chooses the cases by the options: one case, or a list. */
static argand_status choose_cases(bench *b)
{
    static const argand_type types[3][2] = {
        {ARGAND_C32, ARGAND_C64}, {ARGAND_R32, ARGAND_R64}, {ARGAND_R32, ARGAND_R64}};
    const fft_settings *s = b->s;
    const double usual = b->buffers.is_gpu ? 0x1p27 : b->buffers.info.host_addressable ? 0x1p22 : 0x1p18;
    if (s->random) {
        const fft_case like = {
            .family = "random", .type = types[s->kind][s->precision], .rank = s->axes, .back = s->kind == 2};
        b->cases = fft_random_cases(&like, s->random, s->seed);
        b->count = s->random;
        return b->cases ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for the list");
    }
    if (!s->size.rank) {
        b->cases =
            fft_cases(s->list, (int64_t)(s->points > 0 ? s->points : usual), b->buffers.is_gpu, &b->count);
        if (!b->cases)
            return report_error(ARGAND_ARGUMENT, "--list %s: no family has such a name; there are %s",
                                s->list, fft_family_names());
        if (!b->count) return report_error(ARGAND_ARGUMENT, "--list %s: no size has so few points", s->list);
        return ARGAND_OK;
    }
    b->cases = calloc(1, sizeof *b->cases);
    if (!b->cases) return report_error(ARGAND_MEMORY, "no memory for the list");
    fft_case c = {.family = "given",
                  .type = types[s->kind][s->precision],
                  .rank = s->size.rank,
                  .batch = s->batch,
                  .points = 1,
                  .back = s->kind == 2};
    for (int axis = 0; axis < c.rank; axis++) c.points *= c.n[axis] = s->size.n[axis];
    b->cases[0] = c;
    b->count = 1;
    return ARGAND_OK;
}

static argand_status run_list(bench *b)
{
    TRY(choose_cases(b));
    b->figures = calloc((size_t)b->count, sizeof *b->figures);
    if (!b->figures) return report_error(ARGAND_MEMORY, "no memory for the list");
    TRY(fft_buffers_reserve(&b->buffers, &b->out, b->cases, &b->count));
    if (b->buffers.memory[0]) TRY(fft_buffers_measure_copy(&b->buffers));
    return run_all(b);
}

static int run(const fft_settings *s)
{
    bench b = {.s = s};
    report_begin(&b.out, "bench fft", &s->common);
    argand_status status = fft_buffers_open(&b.buffers, &s->common);
    if (!status) status = s->accuracy ? fft_accuracy(s, b.buffers.device, &b.out) : run_list(&b);
    fft_buffers_close(&b.buffers);
    free(b.cases);
    free(b.figures);
    return status ? report_failure(&b.out, status) : 0;
}

static const char description[] = "Times FFTs out of place, next to cuFFT on CUDA devices or FFTW "
                                  "(FFTW_MEASURE) on processors, on the same data in turns.\n"
                                  "Transforms are forward; families named c2r are complex to real. For each "
                                  "size it prints the time of the first plan, the\n"
                                  "time of a transform, the rate (5 N log2 N operations, half for reals), "
                                  "the time as a multiple of a copy's, and the error\n"
                                  "at some frequencies against sums in long double. At the end: geometric "
                                  "means of the other library's time over Argand's,\n"
                                  "and the worst case.\n"
                                  "Families: all (default) stands for c2c1d, prime1d, c2c2d, c2c3d (one at a "
                                  "time), c2c3dB, r2c1d, z2z1d and z2z3d. Others\n"
                                  "are odd1d, d2z1d, z2d1d, r2c2d, r2c3d, c2r1d, c2r2d, mri2d, mri3d, and "
                                  "short, which takes a minute on a processor.\n"
                                  "--accuracy prints errors as benchFFT defines them, in place of times: "
                                  "relative L1, L2 and Linf of the output, and of its\n"
                                  "exact inverse against the input; the L2 of an impulse; and the larger L2 "
                                  "as a fraction of the promised bound.";

static const char examples[] = "  argand bench fft --device cuda:0\n"
                               "  argand bench fft --device cpu --threads 1 --list short\n"
                               "  argand bench fft --list c2c2d,z2z --csv\n"
                               "  argand bench fft --size 512x512 --batch 8 --precision double\n"
                               "  argand bench fft --random 20 --axes 3 --kind real --device cuda:0\n"
                               "  argand bench fft --accuracy 2..4096,random:2000 --device cpu --json\n";

int bench_fft(int argc, char **argv)
{
    fft_settings s = {.batch = 1, .repeat = 20, .list = "all", .rounds = 3, .axes = 2};
    const option options[] = {
        text_option("list", 0, &s.list, "NAMES",
                    "families of sizes, separated by commas; beginnings of names suffice"),
        double_option("points", 0, &s.points, "N", 0, 0x1p36,
                      "number of points of each case; 0: 2^27 on a GPU, 2^22 on a processor"),
        sizes_option("size", 0, &s.size, "N", "one size, like 256x256, instead of a list"),
        int_option("batch", 0, &s.batch, "B", 1, 1e9, "number of transforms in one call, with --size"),
        int_option("random", 0, &s.random, "N", 0, 10000,
                   "time N sizes drawn at random, instead of a list; 0: none"),
        int_option("axes", 0, &s.axes, "N", 1, 3, "number of axes of random sizes"),
        int_option("seed", 0, &s.seed, "N", 0, 1000000, "seed of random sizes"),
        choice_option("precision", 0, &s.precision, "NAME", "single|double",
                      "precision, with --size, --random or --accuracy"),
        choice_option(
            "kind", 0, &s.kind, "NAME", "complex|real|back",
            "kind of transform, with --size or --random: complex, real to complex, or back, complex "
            "to real"),
        flag_option("centred", 0, &s.centred,
                    "centre the indices of Argand's transforms; the other library's stay plain"),
        flag_option("scrambled", 0, &s.scrambled,
                    "let the plan choose the order of frequencies; the other library's is natural"),
        flag_option("measure", 0, &s.measure, "choose plans by measurement (ARGAND_MEASURE)"),
        flag_option("alone", 0, &s.alone, "do not time cuFFT or FFTW"),
        int_option("repeat", 0, &s.repeat, "N", 1, 1000,
                   "number of rounds; the result is their median on a GPU, the fastest on a processor"),
        flag_option("csv", 0, &s.csv, "print comma-separated values"),
        text_option("accuracy", 0, &s.accuracy, "LENGTHS",
                    "print errors instead of times, for these lengths: 64, 2..4096 or random:2000, separated "
                    "by commas"),
        int_option("rounds", 0, &s.rounds, "N", 1, 1e4,
                   "number of random inputs of each length, with --accuracy"),
        COMMON_OPTIONS(s.common)};
    command_line line = {.usage = "argand bench fft [options]",
                         .description = description,
                         .examples = examples,
                         .options = options,
                         .option_count = (int)(sizeof options / sizeof *options)};
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    interrupt_watch();
    return run(&s);
}
