/* SPDX-License-Identifier: BSD-3-Clause */
/* What leaves the tool: controls made visible, JSON valid whatever the texts and numbers are. */
#include "harness.h"
#include <unistd.h>
#include "common/print.h"

/* What the functions write to standard output while it is a file. */
static const char *written(void (*print_it)(const void *), const void *argument)
{
    static char text[4096];
    FILE *file = tmpfile();
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    print_it(argument);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void print_name(const void *name)
{
    print("name %s\n", (const char *)name);
}

static void print_lines(const void *text)
{
    print_whole(stdout, "argand: ", text);
}

static void print_numbers(const void *numbers)
{
    const double *x = numbers;
    print_json_line("{\"nan\":%g,\"b\":[%.9e,%g,-1],\"inf\":\"inf \\\"nan\",\"c\":%g}", x[0], x[1], x[2],
                    x[0]);
}

static void controls_become_visible(void **state)
{
    (void)state;
    static const struct {
        const char *name, *shown;
    } cases[] = {
        {"plain \xC3\xA4 \xE2\x88\x9E", "name plain \xC3\xA4 \xE2\x88\x9E\n"},
        {"\x1b]0;title\x07", "name \\x1b]0;title\\x07\n"},
        {"two\nlines\rand\ttabs", "name two\\x0alines\\x0dand\ttabs\n"},
        {"\xC2\x9B[31m", "name \\u009b[31m\n"},    /* C1 as a character, */
        {"\x9B[31m\x7f", "name \\x9b[31m\\x7f\n"}, /* and as a byte */
        {"\xE2\x80\xAEgnp.exe\xEF\xBB\xBF", "name \\u202egnp.exe\\ufeff\n"},
        {"\xC2\xAD\xF3\xA0\x80\xA0", "name \\u00ad\\ue0020\n"}, /* no width at all */
        {"cut \xE2\x88", "name cut \\xe2\\x88\n"},
        {"\xC0\x9B \xED\xA0\x80 \xF4\x90\x80\x80", "name \\xc0\\x9b \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(written(print_name, cases[i].name), cases[i].shown);
}

/* A pipe that nobody reads is full at some time: nothing waits, whole lines are left out and counted. */
static void lines_that_nobody_reads(void **state)
{
    (void)state;
    enum { LINES = 3000, WIDTH = 100 };
    static char all[1 << 17];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    print_never_wait();
    for (int i = 0; i < LINES; i++) print_json_line("{\"line\":%0*d}", WIDTH, i);
    const ssize_t first = read(ends[0], all, sizeof all - 1);
    print_json_line("{\"last\":1}");
    const ssize_t more = read(ends[0], all + first, sizeof all - 1 - (size_t)first);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_true(first > 0 && more > 0);
    all[first + more] = 0;
    const int length = WIDTH + 10, fitted = (int)first / length;
    assert_int_equal((int)first % length, 0);
    char wanted[80];
    snprintf(wanted, sizeof wanted, "{\"event\":\"lost\",\"lines\":%d}\n{\"last\":1}\n", LINES - fitted);
    assert_string_equal(all + first, wanted);
    close(ends[0]);
    close(ends[1]);
}

static void parts_of_lines(void **state)
{
    (void)state;
    assert_string_equal(written(print_lines, "a\nargand: b\x1b\n"), "argand: a\n  argand: b\\x1b\n  \n");
    char text[32], small[6];
    assert_string_equal(visible_text(text, sizeof text, "a\nb\xE2\x80\xAE"), "a\\x0ab\\u202e");
    assert_string_equal(visible_text(small, sizeof small, "abcdefgh"), "abcde");
}

static void strings_of_json(void **state)
{
    (void)state;
    char text[64], small[12];
    assert_string_equal(json_string(text, sizeof text, "a\"b\\c\n\x1b"), "\"a\\\"b\\\\c\\u000a\\u001b\"");
    assert_string_equal(json_string(text, sizeof text, "\xC2\x9B\xE2\x80\xAE\x9B\x7f"),
                        "\"\\u009b\\u202e\\ufffd\\u007f\"");
    assert_string_equal(json_string(small, sizeof small, "\x1b\x1b\x1b\x1b"), "\"\\u001b\"");
    assert_string_equal(json_string(small, sizeof small, "abcdefghijkl"), "\"abc\"");
}

static void numbers_of_json(void **state)
{
    (void)state;
    const double x[] = {NAN, -INFINITY, INFINITY};
    assert_string_equal(written(print_numbers, x),
                        "{\"nan\":null,\"b\":[null,null,-1],\"inf\":\"inf \\\"nan\",\"c\":null}\n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(controls_become_visible), cmocka_unit_test(strings_of_json),
    cmocka_unit_test(parts_of_lines),          cmocka_unit_test(lines_that_nobody_reads),
    cmocka_unit_test(numbers_of_json),
};
RUN_TESTS(tests)
