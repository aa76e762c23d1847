/* SPDX-License-Identifier: BSD-3-Clause */
/* Every public function with nothing but NULL and 0: ARGAND_ARGUMENT and a message that says what is missing,
 * no crash; what destroys takes it in silence, what asks gives an answer; no object is made where there was a
 * place for one. Each in a process of its own, so that one that crashes hides no other. */
#include "harness.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CRASHED = 1, NO_ARGUMENT, NO_WORDS, OBJECT_LEFT };
static const char *const faults[] = {"", "crashes", "does not say ARGAND_ARGUMENT", "says nothing",
                                     "leaves an object in its place"};

/* An error whose message the function must replace. */
static void forget_message(void)
{
    argand_timer *timer;
    if (argand_timer_create(&timer, NULL) == ARGAND_OK) _exit(NO_WORDS);
}

static int message_is_of(const char *before)
{
    const char *now = argand_message();
    return *now && strcmp(now, before) != 0 ? 0 : NO_WORDS;
}

static int check_status(argand_status status, const char *name, const char *before)
{
    if (status != ARGAND_ARGUMENT) return NO_ARGUMENT;
    return strcmp(name, "argand_timer_create") ? message_is_of(before) : 0;
}

#define BEFORE        \
    char before[400]; \
    forget_message(); \
    snprintf(before, sizeof before, "%s", argand_message())

#define STATUS(name, arguments)                             \
    static int null_##name(void)                            \
    {                                                       \
        BEFORE;                                             \
        return check_status(name arguments, #name, before); \
    }
#define PLACED(name, arguments)                                        \
    static int placed_##name(void)                                     \
    {                                                                  \
        void *place = (void *)before_any;                              \
        BEFORE;                                                        \
        const int wrong = check_status(name arguments, #name, before); \
        return wrong ? wrong : place ? OBJECT_LEFT : 0;                \
    }
#define PLACE ((void *)&place)
#define NOTHING(name, arguments) \
    static int null_##name(void) \
    {                            \
        name arguments;          \
        return 0;                \
    }
/* what has nothing to refuse */
#define FINE(name, arguments)               \
    static int null_##name(void)            \
    {                                       \
        return name arguments != ARGAND_OK; \
    }
#define VALUE(name, arguments)   \
    static int null_##name(void) \
    {                            \
        (void)name arguments;    \
        return 0;                \
    }
static const char before_any[] = "an object";
#include "calls.inc"
#undef STATUS
#undef PLACED
#undef NOTHING
#undef FINE
#undef VALUE

typedef struct call {
    const char *name;
    int (*run)(void);
} call;

#define STATUS(name, arguments) {#name, null_##name},
#define PLACED(name, arguments) {#name " (with a place)", placed_##name},
#define NOTHING(name, arguments) {#name, null_##name},
#define FINE(name, arguments) {#name, null_##name},
#define VALUE(name, arguments) {#name, null_##name},
static const call calls[] = {
#include "calls.inc"
};

static int fault_of(const call *c)
{
    int how = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int signal_number = 1; signal_number < 32; signal_number++) (void)signal(signal_number, SIG_DFL);
        _exit(c->run());
    }
    assert_true(waitpid(child, &how, 0) == child);
    return WIFEXITED(how) ? WEXITSTATUS(how) : CRASHED;
}

static void nothing_but_null(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const int fault = fault_of(&calls[i]);
        if (fault) printf("%s %s\n", calls[i].name, faults[fault]);
        wrong += fault != 0;
    }
    assert_int_equal(wrong, 0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_but_null)};
RUN_TESTS(tests)
