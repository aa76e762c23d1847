/* SPDX-License-Identifier: BSD-3-Clause */
/* Sidecars are read as RFC 8259 has it, and what is no JSON is refused without harm. */
#include "common/json_flat.h"
#include "harness.h"

static char seen[2 * JSON_VALUE];

static bool note(void *context, const char *group, const char *name, const char *value)
{
    (void)context;
    const size_t used = strlen(seen);
    snprintf(seen + used, sizeof seen - used, "%s.%s=%s;", group, name, value);
    return strcmp(value, "stop") != 0;
}

static void reads(const char *text, const char *expected)
{
    seen[0] = 0;
    if (!json_walk(text, note, NULL)) fail_msg("refused: %s", text);
    assert_string_equal(seen, expected);
}

static void refuses(const char *text)
{
    seen[0] = 0;
    if (json_walk(text, note, NULL)) fail_msg("read: %s", text);
}

static void values(void **state)
{
    (void)state;
    reads(" {\"a\": 1.5e-3, \"b\" : [1, 2,\t3], \"c\": {\"d\": \"x\", \"e\": {\"f\": true}}, \"g\": null, "
          "\"h\": {}, \"i\": []}\n",
          ".a=1.5e-3;.b=1;.b=2;.b=3;c.d=x;e.f=true;.g=null;");
    reads("\"alone\"", ".=alone;");
    reads("[[1, [2]], -3]", ".=1;.=2;.=-3;");
    refuses("{\"a\": \"stop\", \"b\": 1}"); /* the visitor stopped it */
    assert_string_equal(seen, ".a=stop;");
}

static void strings(void **state)
{
    (void)state;
    reads("{\"a\\\"\\u0041\": \"\\\\ \\/ \\n \\u00e4\\u20AC\\ud83d\\ude00 \\ud83d!\"}",
          ".a\"A=\\ / \n \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 \xEF\xBF\xBD!;");
    refuses("\"\\x\"");
    refuses("\"\\u12g4\"");
    refuses("\"open");
    refuses("\"line\nbreak\"");
    refuses("\"\\");
}

static void no_json(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",      "{",   "{\"a\"}",   "{\"a\":}", "{\"a\":1,}", "[1,", "[1 2]", "{a:1}", "1 2",  "nul",
        "0x10}", "nan", "{\"a\":1]", "[1}",      "}",          "+1x", "inf",   ",",     "[,1]", "{\"a\" 1}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) refuses(texts[i]);
    char deep[200];
    memset(deep, '[', sizeof deep);
    deep[199] = 0;
    refuses(deep);
}

/* Names and texts longer than the buffer are cut, within it. */
static void long_values(void **state)
{
    (void)state;
    static char text[3 * JSON_VALUE];
    strcpy(text, "{\"");
    memset(text + 2, 'n', 100);
    strcpy(text + 102, "\":\"");
    memset(text + 105, 'v', 2 * JSON_VALUE);
    strcpy(text + 105 + 2 * JSON_VALUE, "\"}");
    seen[0] = 0;
    assert_true(json_walk(text, note, NULL));
    assert_int_equal(strlen(seen), 1 + JSON_NAME - 1 + 1 + JSON_VALUE - 1 + 1);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(strings),
                                          cmocka_unit_test(no_json), cmocka_unit_test(long_values)};
RUN_TESTS(tests)
