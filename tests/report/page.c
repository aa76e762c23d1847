/* SPDX-License-Identifier: BSD-3-Clause */
/* The page: well-formed, nothing from elsewhere, and texts of the scan remain text. */
#include "read_page.h"

static const char hostile[] = "</script></title><img src=\"http://evil.example/x.png\" "
                              "onerror=alert(1)>{{pixels}}]]>--><script>alert(2)</script>";

static argand_report *sample(const char *string)
{
    argand_report *report;
    argand_array *image;
    const double residuals[4] = {1, 0.25, 0, 0.02};
    OK(argand_report_create(&report, string));
    OK(argand_report_figure(report, string, string));
    OK(argand_report_fact(report, string, string, string));
    OK(argand_report_fact(report, "Other", "name", "value"));
    OK(argand_report_fact(report, string, "again", string));
    OK(argand_report_notes(report, string));
    OK(argand_report_notes(report, "first line\nsecond line"));
    OK(argand_report_text(report, string, string));
    OK(argand_report_text(report, "Methods", "first paragraph\nsecond paragraph"));
    OK(argand_report_timing(report, string, 0.5));
    OK(argand_report_timing(report, "solve", 1.25));
    OK(argand_report_timing(report, "solve", 0.25));
    OK(argand_report_curve(report, string, 4, residuals));
    OK(argand_array_create(&image, device, ARGAND_R32, 3, (int64_t[]){5, 4, 3}));
    randomise(image, 3, 0, 1);
    const char *names[1] = {string};
    const argand_report_view view = {
        .title = string, .unit = string, .volume_name = string, .volumes = names, .volume_count = 1};
    OK(argand_report_image(report, image, &view));
    argand_array_destroy(image);
    return report;
}

static int count_of(const char *page, const char *string)
{
    int count = 0;
    for (const char *at = page; (at = strstr(at, string)); at += strlen(string)) count++;
    return count;
}

/* Elements are closed in the order in which they were opened; the browser's test sees the rest. */
static void is_balanced(const char *page)
{
    static const char *const empty[] = {"meta", "br", "img", "!DOCTYPE"};
    char open[64][32];
    int depth = 0;
    for (const char *at = page; (at = strchr(at, '<')); at++) {
        const bool closes = at[1] == '/';
        char name[32];
        const size_t length = strcspn(at + 1 + closes, " >\n/");
        assert_true(length > 0 && length < sizeof name);
        memcpy(name, at + 1 + closes, length);
        name[length] = 0;
        const char *end = strchr(at, '>');
        assert_non_null(end);
        bool is_empty = end[-1] == '/';
        for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) is_empty |= !strcmp(name, empty[i]);
        if (closes) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (!is_empty) {
            assert_true(depth < 64);
            strcpy(open[depth++], name);
        }
        at = end;
        if (!closes && (!strcmp(name, "script") || !strcmp(name, "style"))) {
            at = strstr(end, !strcmp(name, "script") ? "</script" : "</style") -
                 1; /* its content is no HTML */
        }
    }
    assert_int_equal(depth, 0);
}

static void needs_nothing_else(void **state)
{
    (void)state;
    argand_report *report = sample("a title");
    char *page = written(report);
    is_balanced(page);
    lacks(page, "http:");
    lacks(page, "https:");
    lacks(page, "@import");
    lacks(page, "url(");
    lacks(page, " src=");
    lacks(page, "<link");
    lacks(page, "fetch(");
    lacks(page, "XMLHttpRequest");
    lacks(page, "{{");
    holds(page, "<title>a title</title>");
    holds(page, "default-src 'none'");
    assert_int_equal(count_of(page, "'sha256-"), 2);
    lacks(page, "unsafe-inline");
    holds(page, argand_version());
    free(page);
    argand_report_destroy(report);
}

static void strings_of_a_stranger(void **state)
{
    (void)state;
    argand_report *plain = sample("a"), *report = sample(hostile);
    char *expected = written(plain), *page = written(report);
    is_balanced(page);
    lacks(page, "<img");
    lacks(page, "<script>alert");
    assert_int_equal(count_of(page, "<script"), count_of(expected, "<script"));
    assert_int_equal(count_of(page, "</script"), count_of(expected, "</script"));
    holds(page, "&lt;/script&gt;&lt;/title&gt;&lt;img src=&quot;http://evil.example/x.png&quot; "
                "onerror=alert(1)&gt;{{pixels}}");
    holds(page, "\"title\":\"\\u003c/script\\u003e");
    free(expected);
    free(page);
    argand_report_destroy(plain);
    argand_report_destroy(report);
}

static void tables(void **state)
{
    (void)state;
    argand_report *report = sample("One");
    char *page = written(report);
    holds(page, "<dt>One</dt><dd>One</dd>");
    assert_int_equal(count_of(page, "<h3>One</h3>"), 1); /* a section is one table whatever comes between */
    holds(page, "<th scope=\"row\">solve</th><td>1.5 s</td><td>75 %</td>");
    holds(page, "<th scope=\"row\">together</th><td>2 s</td>");
    holds(page, "<li>first line</li>\n<li>second line</li>");
    holds(page, "<h2>Methods</h2>\n<p>first paragraph</p>\n<p>second paragraph</p>\n</section>");
    free(page);
    argand_report_destroy(report);
}

/* The curve has a gap where a number cannot be drawn: two strokes, three dots. */
static void chart(void **state)
{
    (void)state;
    argand_report *report = sample("r");
    char *page = written(report);
    const char *svg = strstr(page, "class=\"chart\"");
    assert_non_null(svg);
    assert_int_equal(count_of(svg, "<circle"), 3);
    const char *path = strstr(svg, "<path d=\"");
    assert_non_null(path);
    char stroke[200];
    snprintf(stroke, sizeof stroke, "%.*s", (int)strcspn(path + 9, "\""), path + 9);
    assert_int_equal(count_of(stroke, "M"), 2);
    assert_int_equal(count_of(stroke, "L"), 1);
    holds(svg, "r, iteration 3: 0.02");
    free(page);
    argand_report_destroy(report);
}

static void empty_report(void **state)
{
    (void)state;
    argand_report *report;
    const double nothing[2] = {-1, NAN};
    OK(argand_report_create(&report, NULL));
    OK(argand_report_curve(report, "none", 2, nothing));
    OK(argand_report_notes(report, NULL));
    OK(argand_report_notes(report, ""));
    char *page = written(report);
    is_balanced(page);
    holds(page, "id=\"data\">[]</script>");
    lacks(page, "<svg");
    lacks(page, "id=\"notes\"");
    free(page);
    argand_report_destroy(report);
}

static void many_curves(void **state)
{
    (void)state;
    argand_report *report;
    const double y[3] = {1, 0.5, 0.4};
    OK(argand_report_create(&report, "many"));
    for (int i = 0; i < 500; i++) OK(argand_report_curve(report, "v", 3, y));
    char *page = written(report);
    is_balanced(page);
    holds(page, "125 curves of 500: one of each 4");
    assert_int_equal(count_of(page, "<path"), 125);
    free(page);
    argand_report_destroy(report);
}

static void refusals(void **state)
{
    (void)state;
    argand_report *report = sample("a");
    FAILS(argand_report_create(NULL, "a"), ARGAND_ARGUMENT, "nowhere");
    FAILS(argand_report_timing(report, "solve", -1), ARGAND_ARGUMENT, "solve took -1 s");
    FAILS(argand_report_timing(report, "solve", (double)NAN), ARGAND_ARGUMENT, "give 0 or more");
    FAILS(argand_report_curve(report, "c", 3, NULL), ARGAND_ARGUMENT, "no numbers");
    FAILS(argand_report_write(report, NULL), ARGAND_ARGUMENT, "no file name");
    FAILS(argand_report_write(NULL, "a.html"), ARGAND_ARGUMENT, "no report");
    FAILS(argand_report_write(report, "/no/such/folder/a.html"), ARGAND_FILE, "/no/such/folder/a.html");
    argand_report_destroy(report);
}

static argand_status add_all(argand_report *report)
{
    const double y[2] = {1, 2};
    argand_status status = argand_report_figure(report, "a", "b");
    if (!status) status = argand_report_fact(report, "a", "b", "c");
    if (!status) status = argand_report_notes(report, "a");
    if (!status) status = argand_report_text(report, "a", "b");
    if (!status) status = argand_report_timing(report, "a", 1);
    if (!status) status = argand_report_curve(report, "a", 2, y);
    return status;
}

static void no_memory(void **state)
{
    (void)state;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status == ARGAND_MEMORY; n++) {
        argand_report *report = NULL;
        argand_test_fail_allocation(n);
        status = argand_report_create(&report, "a");
        if (!status) status = add_all(report);
        if (!status) status = argand_report_write(report, "/tmp/argand-report-memory.html");
        argand_test_fail_allocation(0);
        if (status == ARGAND_MEMORY) assert_int_not_equal(access("/tmp/argand-report-memory.html", F_OK), 0);
        argand_report_destroy(report);
    }
    assert_int_equal(status, ARGAND_OK);
    unlink("/tmp/argand-report-memory.html");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(needs_nothing_else),
                                          cmocka_unit_test(strings_of_a_stranger),
                                          cmocka_unit_test(tables),
                                          cmocka_unit_test(chart),
                                          cmocka_unit_test(empty_report),
                                          cmocka_unit_test(many_curves),
                                          cmocka_unit_test(refusals),
                                          cmocka_unit_test(no_memory)};
RUN_TESTS(tests)
