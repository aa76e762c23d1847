/* SPDX-License-Identifier: BSD-3-Clause */
/* How a plan is chosen, over engines and by a clock of the test's own: the planner's text under other names.
 */

#include "fft_choose_stubs.h"

static void by_prediction(void **state)
{
    (void)state;
    struct argand_fft plan;
    reset();
    expect(ARGAND_ESTIMATE, 8, "first b"); /* of two equal ones the first */
    first.promised[1] = 2.5;
    expect(ARGAND_ESTIMATE, 8, "second d");
    second.against = "its speed is not known";
    expect(ARGAND_ESTIMATE, 8, "first b");
    first.promised[0] = first.promised[1] = 0; /* nobody knows: still before one of low priority */
    expect(ARGAND_ESTIMATE, 8, "first a");
    second.against = NULL;
    expect(ARGAND_ESTIMATE, 8, "second d");
    first.reason = "it is Sunday";
    second.against = "its speed is not known";
    choose(&plan, ARGAND_ESTIMATE, 8); /* the only one, although its priority is low */
    assert_int_equal(plan.candidates.count, 4);
    assert_false(plan.candidates.list[0].possible);
    assert_string_equal(plan.candidates.list[0].reason, "it is Sunday");
    assert_string_equal(plan.candidates.list[2].variant, "d");
    assert_non_null(strstr(plan.candidates.list[2].reason, "taken"));
    assert_string_equal(plan.candidates.list[1].reason, "its speed is not known");
    end(&plan);
}

/* Found out when it is made. */
static void cannot_be_made(void **state)
{
    (void)state;
    struct argand_fft plan;
    reset();
    first.failure = ARGAND_UNSUPPORTED;
    choose(&plan, ARGAND_ESTIMATE, 8);
    assert_string_equal(plan.engine->name, "second");
    assert_string_equal(plan.candidates.list[1].reason, "this stub cannot be made");
    end(&plan);
    first.failure = ARGAND_BUILD;
    second.failure = ARGAND_UNSUPPORTED;
    for (int effort = ARGAND_ESTIMATE; effort <= ARGAND_MEASURE; effort++) {
        plan = (struct argand_fft){.device = device};
        OK(problem_make(
            &plan.problem,
            &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {8}, .effort = (argand_effort)effort}));
        FAILS(plan_choose(&plan), ARGAND_BUILD, "this stub cannot be made");
        end(&plan);
    }
    second.failure = ARGAND_MEMORY; /* which is not a property of the candidate */
    plan = (struct argand_fft){.device = device};
    first.failure = ARGAND_OK;
    first.promised[0] = first.promised[1] = 9;
    OK(problem_make(&plan.problem, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {8}}));
    FAILS(plan_choose(&plan), ARGAND_MEMORY, "this stub cannot be made");
    end(&plan);
}

/* Of calls of 0 and of 12 milliseconds. */
static const double FAST = 0.25e-3, SLOW = 12.25e-3;

static void assert_seconds(double seconds, double wanted)
{
    if (!(fabs(seconds - wanted) < 1e-9)) fail_msg("%.9g s, not %.9g", seconds, wanted);
}

static void by_measurement(void **state)
{
    (void)state;
    struct argand_fft plan;
    setenv("ARGAND_WISDOM", "off", 1);
    reset();
    for (int i = 0; i < VARIANTS; i++) first.milliseconds[i] = second.milliseconds[i] = 12;
    second.milliseconds[2] = 0; /* the one with the worst prediction */
    choose(&plan, ARGAND_MEASURE, 8);
    for (int i = 0; i < plan.candidates.count; i++) {
        const fft_candidate *c = &plan.candidates.list[i];
        assert_seconds(c->measured, strcmp(c->variant, "e") ? SLOW : FAST);
    }
    assert_string_equal(plan.candidates.list[plan.candidates.taken].variant, "e");
    end(&plan);
    /* one that is tried whatever the time, then the time is over */
    plan = (struct argand_fft){.device = device};
    OK(problem_make(
        &plan.problem,
        &(argand_fft_options){
            .type = ARGAND_C32, .rank = 1, .n = {8}, .effort = ARGAND_MEASURE, .measure_seconds = 1e-9}));
    OK(plan_choose(&plan));
    assert_string_equal(plan.candidates.list[plan.candidates.taken].variant, "b");
    assert_string_equal(plan.candidates.list[0].reason, "the time limit for measuring was reached");
    end(&plan);
}

/* Each engine's first one is measured before the others' rest, whoever has low priority. */
static void one_engine_after_another(void **state)
{
    (void)state;
    struct argand_fft plan;
    setenv("ARGAND_WISDOM", "off", 1);
    reset();
    second.against = "the first one goes before it";
    choose(&plan, ARGAND_MEASURE, 8);
    assert_string_equal(created, "b d a c e ");
    end(&plan);
}

static const fft_candidate *candidate_of(const struct argand_fft *plan, const char *variant)
{
    for (int i = 0; i < plan->candidates.count; i++)
        if (!strcmp(plan->candidates.list[i].variant, variant)) return &plan->candidates.list[i];
    fail_msg("no candidate %s", variant);
    return NULL;
}

static void expect_left_out(const struct argand_fft *plan, const char *variant, const char *why)
{
    const fft_candidate *c = candidate_of(plan, variant);
    if (c->possible || c->measured > 0 || !strstr(c->reason, why))
        fail_msg("%s: possible %d, measured %g, %s", variant, c->possible, c->measured, c->reason);
}

/* An empty file of wisdom, which is used from now on; what the process knew is forgotten. */
static void use_new_file(char name[64])
{
    strcpy(name, "/tmp/argand-wisdom-XXXXXX");
    close(mkstemp(name));
    setenv("ARGAND_WISDOM", name, 1);
    argand_fft_wisdom_forget();
}

/* Puts an entry for one of the stubs, which no text may name, into wisdom. */
static void put_in(const argand_fft_options *o, const char *engine, const char *variant)
{
    fft_problem p;
    OK(problem_make(&p, o));
    OK(wisdom_remember(device, &p, false, engine, variant, 1e-6));
    fft_problem_release(&p);
}

/* What was measured once is taken by every effort but the one that wants to measure again. */
static void by_wisdom(void **state)
{
    (void)state;
    char name[64];
    use_new_file(name);
    reset();
    for (int i = 0; i < VARIANTS; i++) first.milliseconds[i] = second.milliseconds[i] = 12;
    second.milliseconds[0] = 0;
    expect(ARGAND_ESTIMATE, 16, "first b");
    expect(ARGAND_MEASURE, 16, "second c");
    expect(ARGAND_ESTIMATE, 16, "second c");
    expect(ARGAND_ESTIMATE, 32, "first b"); /* another problem */
    second.milliseconds[0] = 24;
    second.milliseconds[1] = 0;
    expect(ARGAND_MEASURE, 16, "second c");
    expect(ARGAND_REMEASURE, 16, "second d");
    argand_fft_wisdom_forget(); /* in the file it is still */
    expect(ARGAND_ESTIMATE, 16, "second d");
    second.names[1] = "f"; /* the engine has changed: as if nothing were known */
    expect(ARGAND_ESTIMATE, 16, "first b");
    second.names[1] = "d";
    /* an engine that chooses parts by itself is made to do so again, as long as it can */
    second.own = "grown";
    expect(ARGAND_REMEASURE, 16, "second grown");
    expect(ARGAND_ESTIMATE, 16, "second grown");
    second.own = NULL;
    expect(ARGAND_ESTIMATE, 16, "first b");
    expect(ARGAND_REMEASURE, 16, "second d");
    second.reason = "it is Sunday";
    expect(ARGAND_ESTIMATE, 16, "first b");
    second.reason = NULL;
    setenv("ARGAND_WISDOM", "off", 1);
    argand_fft_wisdom_forget();
    expect(ARGAND_ESTIMATE, 16, "first b");
    expect(ARGAND_MEASURE, 16, "second d");
    expect(ARGAND_ESTIMATE, 16, "first b");
    unlink(name);
}

/* ---- real plans: each way by the one that is fastest there ---- */

static void expect_real(argand_effort effort, const char *wanted)
{
    struct argand_fft plan;
    assert_string_equal(choose_type(&plan, ARGAND_R32, effort, 16), wanted);
    end(&plan);
}

/* Which directions the plan's states were made for: where there are two, one each. */
static void expect_made_for(int there, int back)
{
    struct argand_fft plan;
    choose_type(&plan, ARGAND_R32, ARGAND_ESTIMATE, 16);
    assert_int_equal(((const stub_state *)plan_serving(&plan, ARGAND_FORWARD).state)->only, there);
    assert_int_equal(((const stub_state *)plan_serving(&plan, ARGAND_INVERSE).state)->only, back);
    end(&plan);
}

/* The first engine is fast there, the second one back; by name and by milliseconds. */
static void reset_real(void)
{
    reset();
    for (int i = 0; i < VARIANTS; i++)
        first.milliseconds[i] = second.milliseconds[i] = first.back[i] = second.back[i] = 12;
    first.milliseconds[0] = second.back[1] = 0;
}

static void each_way(void **state)
{
    (void)state;
    struct argand_fft plan;
    setenv("ARGAND_WISDOM", "off", 1);
    reset_real();
    assert_string_equal(choose_type(&plan, ARGAND_R32, ARGAND_MEASURE, 16), "first a, back second d");
    const fft_candidate *there = &plan.candidates.list[plan.candidates.taken],
                        *back = &plan.candidates.list[plan.candidates.taken_inverse];
    assert_ptr_not_equal(plan_serving(&plan, ARGAND_FORWARD).state,
                         plan_serving(&plan, ARGAND_INVERSE).state);
    assert_non_null(strstr(there->reason, "taken for forward transforms"));
    assert_non_null(strstr(back->reason, "taken for inverse transforms"));
    assert_seconds(there->measured_inverse, SLOW);
    assert_seconds(there->measured, FAST + SLOW);
    assert_seconds(back->measured_inverse, FAST);
    assert_seconds(back->measured, FAST + SLOW);
    end(&plan);
    first.milliseconds[0] = 12; /* the same one for both */
    second.milliseconds[1] = 0;
    expect_real(ARGAND_MEASURE, "second d");
    reset_real();
    second.failure = ARGAND_UNSUPPORTED;
    expect_real(ARGAND_MEASURE, "first a");
    second.failure = ARGAND_OK;
    expect_real(ARGAND_ESTIMATE, "first b");                           /* a prediction is one of both */
    assert_string_equal(choose(&plan, ARGAND_MEASURE, 16), "first a"); /* complex: one alone */
    end(&plan);
}

/* The fastest ones compute something else, or nothing: they are left out, forward and inverse, and so is the
 * first one if its result is nothing at all. */
static void wrong_results(void **state)
{
    (void)state;
    struct argand_fft plan;
    setenv("ARGAND_WISDOM", "off", 1);
    reset();
    for (int i = 0; i < VARIANTS; i++) first.milliseconds[i] = second.milliseconds[i] = 12;
    second.milliseconds[1] = 6;
    second.milliseconds[0] = second.milliseconds[2] = first.milliseconds[1] = 0;
    second.wrong[0] = 1e-4; /* in single precision, of 8 points */
    second.wrong[1] = 1e-7;
    second.wrong[2] = NAN;
    first.wrong[1] = -1;
    first.promised[0] = 1; /* the first one to be measured */
    assert_string_equal(choose(&plan, ARGAND_MEASURE, 8), "second d");
    expect_left_out(&plan, "b", "the result differs from that of first a by a relative 1.0e+00");
    expect_left_out(&plan, "c", "the result differs from that of first a by a relative 1.0e-04");
    expect_left_out(&plan, "e", "the result differs from that of first a by");
    assert_true(candidate_of(&plan, "a")->possible);
    end(&plan);
    first.wrong[0] = -1; /* what is nothing is compared with nobody */
    assert_string_equal(choose(&plan, ARGAND_MEASURE, 8), "second d");
    expect_left_out(&plan, "a", "the norm of its result is 0");
    expect_left_out(&plan, "b", "the result differs from that of second d");
    expect_left_out(&plan, "c", "the result differs from that of second d");
    end(&plan);
    first.wrong[0] = 0;
    assert_string_equal(choose_type(&plan, ARGAND_C64, ARGAND_MEASURE, 8),
                        "first a"); /* 1e-7 is much there */
    end(&plan);
    reset_real();
    second.wrong_back[1] = 1e-3;
    assert_string_equal(choose_type(&plan, ARGAND_R32, ARGAND_MEASURE, 16), "first a");
    expect_left_out(&plan, "d", "the result differs from that of");
    end(&plan);
    /* orders of one's own: only norms are compared */
    reset();
    plan = (struct argand_fft){.device = device};
    second.milliseconds[1] = first.milliseconds[1] = first.milliseconds[0] = 12;
    second.wrong[0] = -2;
    second.wrong[2] = 1e-4;
    OK(problem_make(&plan.problem, &(argand_fft_options){.type = ARGAND_C32,
                                                         .rank = 1,
                                                         .n = {8},
                                                         .effort = ARGAND_MEASURE,
                                                         .measure_seconds = 10,
                                                         .spectrum_order = ARGAND_ORDER_SCRAMBLED}));
    OK(plan_choose(&plan));
    assert_string_equal(plan.candidates.list[plan.candidates.taken].variant, "c");
    expect_left_out(&plan, "e", "the result differs from that of");
    end(&plan);
    for (int i = 0; i < VARIANTS; i++) first.wrong[i] = second.wrong[i] = -1; /* all of them */
    plan = (struct argand_fft){.device = device};
    OK(problem_make(&plan.problem, &(argand_fft_options){
                                       .type = ARGAND_C32, .rank = 1, .n = {8}, .effort = ARGAND_MEASURE}));
    FAILS(plan_choose(&plan), ARGAND_INTERNAL, "the norm of its result is 0");
    end(&plan);
}

/* Files that know of one engine for both ways are believed, as are pairs; what is newer replaces both. */
static void each_way_by_wisdom(void **state)
{
    (void)state;
    char name[64];
    use_new_file(name);
    reset_real();
    expect_real(ARGAND_MEASURE, "first a, back second d");
    expect_real(ARGAND_ESTIMATE, "first a, back second d");
    argand_fft_wisdom_forget(); /* from the file */
    expect_real(ARGAND_ESTIMATE, "first a, back second d");
    expect_made_for(ARGAND_FORWARD, ARGAND_INVERSE);
    second.names[1] = "f"; /* the one for the inverse has gone: one engine for both */
    expect_real(ARGAND_ESTIMATE, "first a");
    second.names[1] = "d";
    second.failure = ARGAND_BUILD;
    expect_real(ARGAND_ESTIMATE, "first a");
    second.failure = ARGAND_MEMORY;
    struct argand_fft plan = {.device = device};
    OK(problem_make(&plan.problem, &(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {16}}));
    FAILS(plan_choose(&plan), ARGAND_MEMORY, "this stub cannot be made");
    end(&plan);
    second.failure = ARGAND_OK;
    second.own = "grown"; /* both ways by one engine that names what it made */
    second.milliseconds[1] = 0;
    first.milliseconds[0] = 12;
    expect_real(ARGAND_REMEASURE, "second grown");
    expect_real(ARGAND_ESTIMATE, "second grown");
    expect_made_for(0, 0);
    second.own = NULL;
    second.milliseconds[1] = 12;
    second.milliseconds[0] = 0;
    expect_real(ARGAND_REMEASURE, "second c, back second d");
    expect_real(ARGAND_ESTIMATE, "second c, back second d");
    expect_made_for(ARGAND_FORWARD, ARGAND_INVERSE);
    /* an older version's line, from a later source: the inverse of the file is not its companion */
    argand_fft_wisdom_forget();
    expect_real(ARGAND_ESTIMATE, "second c, back second d");
    put_in(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {16}}, "first", "b");
    expect_real(ARGAND_ESTIMATE, "first b");
    setenv("ARGAND_WISDOM", "off", 1);
    argand_fft_wisdom_forget();
    unlink(name);
}

/* ---- plans with accessors ---- */

/* The variant taken, for 16 points times an array (or a scalar) at load, and at store. */
static const char *choose_access(argand_effort effort, bool load, bool store, const char *why)
{
    static char chosen[FFT_VARIANT_CHARS];
    static const argand_accessor array = {.kind = ARGAND_ACCESS_MULTIPLY},
                                 scalar = {.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 0}};
    struct argand_fft plan = {.device = device};
    argand_fft_options o = {
        .type = ARGAND_C32, .rank = 1, .n = {16}, .effort = effort, .measure_seconds = 10};
    o.access.load[0] = load ? array : scalar;
    if (store) o.access.store[0] = array;
    OK(problem_make(&plan.problem, &o));
    OK(plan_choose(&plan));
    const fft_candidate *c = &plan.candidates.list[plan.candidates.taken];
    assert_ptr_equal(plan.engine, &fft_engine_access);
    assert_int_equal(live, 1);
    if (!strstr(c->reason, why)) fail_msg("%s: %s, not %s", c->variant, c->reason, why);
    snprintf(chosen, sizeof chosen, "%s", c->variant);
    end(&plan);
    fft_problem_release(&plan.problem);
    return chosen;
}

/* Without predictions the first variant; what was measured is taken where the same accessors come again. */
static void with_accessors(void **state)
{
    (void)state;
    char name[64];
    use_new_file(name);
    reset();
    for (int i = 0; i < VARIANTS; i++) third.milliseconds[i] = 12;
    third.milliseconds[1] = 0;
    static const char similar[] = "with the tuning of similar plans", wise[] = "wisdom", fast[] = "fastest";
    assert_string_equal(choose_access(ARGAND_ESTIMATE, true, false, similar), "u");
    assert_string_equal(choose_access(ARGAND_MEASURE, true, false, fast), "v");
    assert_string_equal(choose_access(ARGAND_ESTIMATE, true, false, wise), "v");
    assert_string_equal(choose_access(ARGAND_ESTIMATE, true, true, similar), "u");
    assert_string_equal(choose_access(ARGAND_ESTIMATE, false, true, similar), "u");
    argand_fft_wisdom_forget(); /* from the file */
    assert_string_equal(choose_access(ARGAND_MEASURE, true, false, wise), "v");
    third.milliseconds[1] = 12;
    third.milliseconds[2] = 0;
    assert_string_equal(choose_access(ARGAND_MEASURE, true, false, wise), "v");
    assert_string_equal(choose_access(ARGAND_REMEASURE, true, false, fast), "w");
    third.wrong[2] = 1e-3; /* by wisdom nobody looks again */
    assert_string_equal(choose_access(ARGAND_ESTIMATE, true, false, wise), "w");
    assert_string_not_equal(choose_access(ARGAND_REMEASURE, true, false, fast), "w");
    third.names[2] = NULL; /* what wisdom names is gone */
    argand_fft_wisdom_forget();
    unlink(name);
    put_in(
        &(argand_fft_options){
            .type = ARGAND_C32, .rank = 1, .n = {16}, .access.load[0].kind = ARGAND_ACCESS_MULTIPLY},
        "third", "w");
    assert_string_equal(choose_access(ARGAND_ESTIMATE, true, false, similar), "u");
    /* a scalar costs nothing: variants are compared only where the plain plan's never were */
    third.milliseconds[1] = 0;
    assert_string_equal(choose_access(ARGAND_MEASURE, false, false, fast), "v");
    argand_fft_wisdom_forget();
    unlink(name);
    put_in(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {16}}, "first", "b");
    assert_string_equal(choose_access(ARGAND_MEASURE, false, false, similar), "u");
    assert_string_equal(choose_access(ARGAND_REMEASURE, false, false, fast), "v");
    setenv("ARGAND_WISDOM", "off", 1);
    argand_fft_wisdom_forget();
    unlink(name);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(with_accessors),
                                          cmocka_unit_test(by_prediction),
                                          cmocka_unit_test(cannot_be_made),
                                          cmocka_unit_test(by_measurement),
                                          cmocka_unit_test(by_wisdom),
                                          cmocka_unit_test(each_way),
                                          cmocka_unit_test(one_engine_after_another),
                                          cmocka_unit_test(wrong_results),
                                          cmocka_unit_test(each_way_by_wisdom)};
RUN_TESTS(tests)
