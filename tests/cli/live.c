/* SPDX-License-Identifier: BSD-3-Clause */
/* The live view as any terminal would show it. */
#include "common/live.h"
#include "harness.h"

static const double falling[8] = {1, 0.5, 0.25, 0.12, 0.06, 0.03, 0.015, 0.0078125};

static live_state state_of(double done, double total)
{
    return (live_state){.stage = "reconstructing",
                        .where = "volume 3 of 5, slice 4",
                        .done = done,
                        .total = total,
                        .step = 7,
                        .steps = 10,
                        .elapsed = 1.94,
                        .left = 1.2,
                        .value = 0.0231,
                        .history = falling,
                        .history_count = 8};
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) found++;
    return found;
}

static void plain_terminal(void **unused)
{
    (void)unused;
    char text[LIVE_TEXT];
    const live_terminal terminal = {.can_draw = true, .columns = 80};
    const live_state state = state_of(25, 50);
    assert_int_equal(live_text(text, &terminal, &state), 2);
    assert_non_null(strstr(text, "reconstructing ["));
    assert_non_null(strstr(text, "]  50 %  volume 3 of 5, slice 4\n"));
    assert_non_null(strstr(text, "  iteration 7/10  residual 2.31e-02  ^==--.._"));
    const char *bar = strchr(text, '[') + 1;
    assert_int_equal(strspn(bar, "#"), strcspn(bar, "]") / 2);
    assert_non_null(strstr(text, "1.9 s, 1.2 s left"));
    for (const char *at = text; *at; at++) assert_true(*at == '\n' || (*at >= ' ' && *at <= '~'));
}

static void colours_and_blocks(void **unused)
{
    (void)unused;
    char text[LIVE_TEXT];
    const live_terminal terminal = {.can_draw = true, .colour = true, .utf8 = true, .columns = 100};
    const live_state state = state_of(50, 50);
    assert_int_equal(live_text(text, &terminal, &state), 2);
    assert_non_null(strstr(text, "\033[36m"));
    assert_int_equal(count(text, "\033[36m") + count(text, "\033[2m"), count(text, "\033[0m"));
    assert_non_null(strstr(text, "\xE2\x96\x88\xE2\x96\x88")); /* the bar is full */
    assert_non_null(strstr(
        text, "\xE2\x96\x88\xE2\x96\x87\xE2\x96\x86\xE2\x96\x85\xE2\x96\x84\xE2\x96\x83")); /* and the curve
                                                                                               falls */
}

/* Columns that a text takes: continuation bytes and escapes take none. */
static int width_of(const char *line)
{
    int width = 0;
    for (; *line && *line != '\n'; line++) {
        if (*line == '\033') {
            line = strchr(line, 'm');
            assert_non_null(line);
        } else if (((unsigned char)*line & 0xC0) != 0x80) {
            width++;
        }
    }
    return width;
}

/* No line is as wide as the terminal, however narrow that is, and UTF-8 is never cut. */
static void any_width(void **unused)
{
    (void)unused;
    char text[LIVE_TEXT];
    live_state state = state_of(13, 50);
    for (int kind = 0; kind < 4; kind++)
        for (int columns = 1; columns < 300; columns++) {
            const live_terminal terminal = {
                .can_draw = true, .colour = kind & 1, .utf8 = kind & 2, .columns = columns};
            state.where = columns % 2 ? "" : "volume 100000 of 200000, slice 32768, and a bit more than that";
            const int lines = live_text(text, &terminal, &state);
            assert_int_equal(lines, columns < 60 ? 1 : 2);
            assert_int_equal(count(text, "\n"), lines - 1);
            const char *second = strchr(text, '\n');
            CHECK_BELOW((double)width_of(text), columns - 1.);
            if (second) CHECK_BELOW((double)width_of(second + 1), columns - 1.);
        }
}

static void narrow_terminal(void **unused)
{
    (void)unused;
    char text[LIVE_TEXT];
    const live_terminal terminal = {.can_draw = true, .columns = 40};
    const live_state state = state_of(31.4, 50);
    live_text(text, &terminal, &state);
    assert_string_equal(text, "62% 7/10 2.3e-02 1.2 s left");
}

static void unknown_numbers(void **unused)
{
    (void)unused;
    char text[LIVE_TEXT];
    const live_terminal terminal = {.can_draw = true, .columns = 80};
    const live_state state = {.stage = "simulating", .where = "", .elapsed = 0.5, .left = -1, .value = NAN};
    assert_int_equal(live_text(text, &terminal, &state), 2);
    assert_null(strstr(text, "left"));
    assert_null(strstr(text, "residual"));
    assert_null(strstr(text, "iteration"));
    assert_non_null(strstr(text, "  0 %"));
    assert_non_null(strstr(text, "0.5 s"));
}

static void time_is(double seconds, const char *expected)
{
    char text[40];
    live_time(text, sizeof text, seconds);
    assert_string_equal(text, expected);
}

static void times(void **unused)
{
    (void)unused;
    time_is(0, "0.0 s");
    time_is(99.94, "99.9 s");
    time_is(99.96, "1:39 min");
    time_is(125, "2:05 min");
    time_is(3600 * 30 + 65, "30:01 h");
}

static void curve_is(const double *values, int number, int cells, const char *expected)
{
    char text[64];
    live_sparkline(text, sizeof text, values, number, cells, false);
    assert_string_equal(text, expected);
}

static void sparklines(void **unused)
{
    (void)unused;
    curve_is((double[]){1, 0.1, 0.01, 0.001, 0.0001}, 5, 24, "^=-._");
    curve_is((double[]){1, 0.1, 0.01, 0.001, 0.0001}, 5, 2, "=_"); /* the last number of each cell */
    curve_is((double[]){1}, 1, 24, "");
    curve_is((double[]){NAN, -1, 0, 1}, 4, 24, "");
    curve_is((double[]){3, NAN, 3}, 3, 24, "___");
    curve_is(NULL, 0, 24, "");
}

/* Terminals are asked by these variables; standard error of a test is none, so nothing is drawn. */
static void environment(void **unused)
{
    (void)unused;
    setenv("LC_ALL", "", 1);
    setenv("LC_CTYPE", "de_DE.utf8", 1);
    setenv("LANG", "C", 1);
    assert_true(live_ask().utf8);
    setenv("LC_ALL", "POSIX", 1);
    assert_false(live_ask().utf8);
    setenv("LC_ALL", "en_US.UTF-16", 1);
    assert_false(live_ask().utf8);
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
    setenv("LANG", "C.UTF-8", 1);
    assert_true(live_ask().utf8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain_terminal),  cmocka_unit_test(colours_and_blocks), cmocka_unit_test(any_width),
    cmocka_unit_test(narrow_terminal), cmocka_unit_test(unknown_numbers),    cmocka_unit_test(times),
    cmocka_unit_test(sparklines),      cmocka_unit_test(environment)};
RUN_TESTS(tests)
