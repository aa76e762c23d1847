/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner's text under other names, over engines whose answers a test sets, and by a clock of the test's
 * own (fft_choose_clock.h). */
#ifndef TESTS_FFT_CHOOSE_STUBS_H
#define TESTS_FFT_CHOOSE_STUBS_H

#include "fft_choose_clock.h"

#define fft_engines test_engines
#define engine_is_wanted test_engine_is_wanted
#define plan_choose test_plan_choose
#define candidates_add test_candidates_add
#define candidates_add_access test_candidates_add_access
#define candidates_add_variants test_candidates_add_variants
#define candidates_release test_candidates_release
#define fft_engine_access engine_third /* that of plans with accessors on hosts */
#define choice_take test_choice_take
#define choice_give_up test_choice_give_up
#define choice_is_before test_choice_is_before
#define choice_has_two_directions test_choice_has_two_directions
#define choice_take_predicted test_choice_take_predicted
#define choice_take_measured test_choice_take_measured
#define candidate_passes test_candidate_passes
#define candidate_create test_candidate_create
#define candidate_explain test_candidate_explain
#define candidate_measure test_candidate_measure /* fft_choose_clock.c */
#define reference_release test_reference_release
#define clock_seconds test_clock_seconds
#define backend device_backend /* a name of the harness */
#include "fft/planner/candidate.c"
#include "fft/planner/predicted.c"
#include "fft/planner/trial.c"
#include "fft/planner/choose.c"
#include "fft/plan/options.h"

#include <unistd.h>
#undef backend
#include "harness.h"

/* ---- engines: what they promise, and what they take ---- */

enum { VARIANTS = 3 };
static const double CALL_MILLISECONDS = 0.25; /* what every call takes besides */

typedef struct stub {
    const char *reason, *against;
    const char *own; /* what it chose by itself, and can make again */
    const char *names[VARIANTS];
    double promised[VARIANTS];                    /* seconds; 0: does not report it */
    int milliseconds[VARIANTS], back[VARIANTS];   /* back: of a real transform's inverse */
    argand_status failure;                        /* of create */
    double wrong[VARIANTS], wrong_back[VARIANTS]; /* by how much results are */
} stub;

static stub first, second, third;
static int live;         /* states */
static char created[64]; /* their variants */

typedef struct stub_state {
    const stub *of;
    int variant, only;
} stub_state;

static int name_variants(const stub *s, char (*names)[FFT_VARIANT_CHARS], int most)
{
    int count = 0;
    for (; count < most && count < VARIANTS && s->names[count]; count++)
        snprintf(names[count], FFT_VARIANT_CHARS, "%s", s->names[count]);
    return count;
}

static argand_status make(void **state, const stub *s, const fft_problem *p, const char *variant)
{
    CHECK(!s->failure, s->failure, "this stub cannot be made");
    bool known = s->own && !strcmp(variant, s->own);
    for (int i = 0; i < VARIANTS; i++) known |= s->names[i] && !strcmp(s->names[i], variant);
    CHECK(known, ARGAND_UNSUPPORTED, "no variant %s", variant);
    stub_state *made = calloc(1, sizeof *made);
    *made = (stub_state){.of = s, .only = p->only};
    while (made->variant < VARIANTS - 1 && s->names[made->variant] &&
           strcmp(s->names[made->variant], variant))
        made->variant++;
    *state = made;
    live++;
    snprintf(created + strlen(created), sizeof created - strlen(created), "%s ", variant);
    return ARGAND_OK;
}

static void list(const stub *s, const char *variant, fft_passes *passes)
{
    for (int i = 0; i < VARIANTS; i++)
        if (s->names[i] && !strcmp(s->names[i], variant) && s->promised[i] > 0) {
            passes->count = 1;
            passes->pass[0].seconds = s->promised[i];
        }
}

static argand_status apply(const void *state, const fft_problem *p, argand_device *d, const fft_call *call)
{
    (void)p, (void)d;
    const stub_state *s = state;
    const int *each = call->direction == ARGAND_INVERSE ? s->of->back : s->of->milliseconds;
    const double *wrong = call->direction == ARGAND_INVERSE ? s->of->wrong_back : s->of->wrong;
    test_now += 1e-3 * (each[s->variant] + CALL_MILLISECONDS);
    return argand_array_fill(call->out, (argand_scalar){1 + wrong[s->variant], 0});
}

static void own_choice(const void *state, const fft_problem *p, char name[FFT_VARIANT_CHARS])
{
    (void)p;
    const stub_state *s = state;
    snprintf(name, FFT_VARIANT_CHARS, "%s", s->of->own ? s->of->own : s->of->names[s->variant]);
}

static void destroy(void *state)
{
    free(state);
    live--;
}

#define ENGINE(stub)                                                                                    \
    static const char *stub##_applicable(const fft_problem *p, argand_device *d)                        \
    {                                                                                                   \
        return (void)p, (void)d, stub.reason;                                                           \
    }                                                                                                   \
    static const char *stub##_low_priority(const fft_problem *p, argand_device *d)                      \
    {                                                                                                   \
        return (void)p, (void)d, stub.against;                                                          \
    }                                                                                                   \
    static int stub##_variants(const fft_problem *p, argand_device *d, char(*names)[FFT_VARIANT_CHARS], \
                               int most)                                                                \
    {                                                                                                   \
        return (void)p, (void)d, name_variants(&stub, names, most);                                     \
    }                                                                                                   \
    static argand_status stub##_create(void **state, const fft_problem *p, argand_device *d)            \
    {                                                                                                   \
        return (void)d, make(state, &stub, p, stub.names[0]);                                           \
    }                                                                                                   \
    static argand_status stub##_create_variant(void **state, const fft_problem *p, argand_device *d,    \
                                               const char *variant)                                     \
    {                                                                                                   \
        return (void)d, make(state, &stub, p, variant);                                                 \
    }                                                                                                   \
    static void stub##_passes(const fft_problem *p, argand_device *d, const char *variant,              \
                              argand_direction way, fft_passes *passes)                                 \
    {                                                                                                   \
        (void)p, (void)d, (void)way;                                                                    \
        list(&stub, variant, passes);                                                                   \
    }                                                                                                   \
    const fft_engine engine_##stub = {.name = #stub,                                                    \
                                      .applicable = stub##_applicable,                                  \
                                      .create = stub##_create,                                          \
                                      .apply = apply,                                                   \
                                      .destroy = destroy,                                               \
                                      .variants = stub##_variants,                                      \
                                      .create_variant = stub##_create_variant,                          \
                                      .passes = stub##_passes,                                          \
                                      .chosen = own_choice,                                             \
                                      .low_priority = stub##_low_priority}
ENGINE(first);
ENGINE(second);
ENGINE(third);
const fft_engine *const fft_engines[] = {&engine_first, &engine_second, NULL};

/* ---- a choice ---- */

static void reset(void)
{
    first = (stub){.names = {"a", "b"}, .promised = {3, 2}};
    second = (stub){.names = {"c", "d", "e"}, .promised = {4, 2, 5}};
    third = (stub){.names = {"u", "v", "w"}};
    *created = 0;
}

/* "first b" */
static const char *choose_type(struct argand_fft *plan, argand_type type, argand_effort effort, int64_t n)
{
    static char chosen[256];
    *plan = (struct argand_fft){.device = device, .problem = {.effort = effort, .measure_seconds = 10}};
    fft_problem *p = &plan->problem;
    OK(problem_make(p, &(argand_fft_options){.type = type, .rank = 1, .n = {n}, .effort = effort}));
    OK(plan_choose(plan));
    const fft_candidate *c = &plan->candidates.list[plan->candidates.taken],
                        *back = &plan->candidates.list[plan->candidates.taken_inverse];
    assert_ptr_equal(plan->engine, c->engine);
    assert_ptr_equal(plan_serving(plan, ARGAND_INVERSE).engine, back->engine);
    assert_int_equal(live, back == c ? 1 : 2); /* nothing else is kept */
    snprintf(chosen, sizeof chosen, "%s %s", c->engine->name, c->variant);
    if (back != c)
        snprintf(chosen, sizeof chosen, "%s %s, back %s %s", c->engine->name, c->variant, back->engine->name,
                 back->variant);
    return chosen;
}

static const char *choose(struct argand_fft *plan, argand_effort effort, int64_t n)
{
    return choose_type(plan, ARGAND_C32, effort, n);
}

static void end(struct argand_fft *plan)
{
    if (plan->state) plan->engine->destroy(plan->state);
    if (plan->inverse_engine) plan->inverse_engine->destroy(plan->inverse_state);
    candidates_release(&plan->candidates);
    argand_device_close(plan->compute_device);
    assert_int_equal(live, 0);
}

static void expect(argand_effort effort, int64_t n, const char *wanted)
{
    struct argand_fft plan;
    assert_string_equal(choose(&plan, effort, n), wanted);
    end(&plan);
}

#endif
