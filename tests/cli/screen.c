/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock of the live view goes on while nothing is reported. Waits for what is drawn, not for a time. */
#include "common/screen.h"
#include "harness.h"

#include <stdlib.h>
#include <unistd.h>

/* Standard error, as a pipe that this test reads. */
static int screen_pipe(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
    close(ends[1]);
    return ends[0];
}

/* The seconds of the next drawing that says how many. */
static double next_seconds(int from)
{
    char text[LIVE_TEXT];
    size_t used = 0;
    while (used + 1 < sizeof text) {
        assert_int_equal(read(from, text + used, 1), 1);
        text[++used] = 0;
        const char *end = used >= 3 ? text + used - 3 : "";
        if (strcmp(end, " s,") != 0) continue;
        const char *digits = end;
        while (digits > text && strchr("0123456789.", digits[-1])) digits--;
        return strtod(digits, NULL);
    }
    fail_msg("no seconds in: %s", text);
    return 0;
}

static void clock_goes_on(void **unused)
{
    (void)unused;
    static const double history[2] = {1, 0.5};
    const live_state state = {.stage = "reconstructing",
                              .where = "volume 1 of 2",
                              .done = 1,
                              .total = 50,
                              .step = 1,
                              .steps = 25,
                              .elapsed = 5,
                              .left = 900,
                              .value = 0.5,
                              .history = history,
                              .history_count = 2};
    alarm(120);
    const int from = screen_pipe();
    screen_draw(&state);
    const double first = next_seconds(from), second = next_seconds(from), third = next_seconds(from);
    assert_true(first == 5);
    assert_true(second >= 6 && third > second);
    alarm(0);
    screen_clear();
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(clock_goes_on)};
RUN_TESTS(tests)
