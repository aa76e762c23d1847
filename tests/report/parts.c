/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as text: digests and base64 against published values, text that wants to be more than text. */
#include "harness.h"
#include "base/hash.h"
#include "report/inside.h"
#include "report/reduce.h"

static void digest_is(const char *string, size_t count, const char *expected)
{
    unsigned char digest[HASH_BYTES];
    char hex[HASH_HEX];
    hash_state state;
    hash_begin(&state);
    hash_add(&state, string, count);
    hash_end(&state, digest);
    hash_print(hex, digest);
    assert_string_equal(hex, expected);
}

/* FIPS 180-4's examples, and lengths around the edge of a block (by sha256sum of so many letters a). */
static void digests(void **state)
{
    (void)state;
    char many[200];
    memset(many, 'a', sizeof many);
    digest_is("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    digest_is("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    digest_is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    digest_is(many, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    digest_is(many, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    digest_is(many, 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
}

/* RFC 4648, section 10. */
static void base64(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        text t = {0};
        add_base64(&t, (const unsigned char *)pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(text_chars(&t), pairs[i][1]);
        text_free(&t);
    }
    /* beyond the piece that is gathered at once */
    unsigned char zeros[1000] = {0};
    text t = {0};
    add_base64(&t, zeros, sizeof zeros);
    assert_int_equal(t.length, 1336);
    assert_string_equal(text_chars(&t) + 1330, "AAAA==");
    text_free(&t);
}

static void becomes(void (*add)(text *, const char *), const char *string, const char *expected)
{
    text t = {0};
    add(&t, string);
    assert_string_equal(text_chars(&t), expected);
    text_free(&t);
}

#define BAD "\xEF\xBF\xBD"

static void strings_stay_strings(void **state)
{
    (void)state;
    becomes(add_html, "<a href=\"x\">'&'</a>", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
    becomes(add_html, NULL, "");
    becomes(add_html, "Kopf \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80",
            "Kopf \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    becomes(add_html, "\x01\x7F\xC2\x85", BAD BAD BAD);
    becomes(add_html, "\xC3(\xE2\x82(\xC0\xAF\xED\xA0\x80\xF5", BAD "(" BAD BAD "(" BAD BAD BAD BAD BAD BAD);
    becomes(add_html, "\xE2\x82", BAD BAD); /* cut off at the end */
    becomes(add_json, "a\"b\\c\n</script>&", "\"a\\\"b\\\\c\\n\\u003c/script\\u003e\\u0026\"");
    becomes(add_json, "\xE2\x80\xA8\xFF", "\"\\\\u2028" BAD "\"");
    becomes(add_html, "a\xE2\x80\xAEgnp.exe\xE2\x81\xA6",
            "a\\u202egnp.exe\\u2066");                  /* would read backwards */
    becomes(add_json, "\xE2\x80\xAE", "\"\\\\u202e\""); /* shown, not undone */
    becomes(add_html, "\xC2\xAD\xD8\x9C\xEF\xBB\xBF\xF3\xA0\x80\xA0", "\\u00ad\\u061c\\ufeff\\ue0020");
    becomes(add_html, "\xD9\x85\xD8\xB1 \xE5\x92\x8C", "\xD9\x85\xD8\xB1 \xE5\x92\x8C"); /* letters stay */
}

static void number_is(double number, const char *expected)
{
    text t = {0};
    add_number(&t, number);
    assert_string_equal(text_chars(&t), expected);
    text_free(&t);
}

static void numbers(void **state)
{
    (void)state;
    number_is(0.1, "0.1");
    number_is(-1.5e-30, "-1.5e-30");
    number_is((double)NAN, "null");
    number_is((double)INFINITY, "null");
}

static void reductions(void **state)
{
    (void)state;
    reduction r;
    reduction_choose(&r, (int64_t[]){129, 65, 7, 3}, 1000000);
    assert_true(reduction_is_whole(&r));
    reduction_choose(&r, (int64_t[]){1024, 1, 1, 1}, 100);
    assert_int_equal(r.n[0], 64);
    assert_int_equal(r.step[0], 16);
    reduction_choose(&r, (int64_t[]){64, 64, 33, 1000}, 500000);
    assert_int_equal(r.n[0], 64); /* volumes go first */
    assert_true(r.n[3] < 1000 && r.n[0] * r.n[1] * r.n[2] * r.n[3] <= 500000);
    assert_int_equal(r.n[3], (1000 + r.step[3] - 1) / r.step[3]);
    reduction_choose(&r, (int64_t[]){1, 1, 1, 1}, 0);
    assert_int_equal(r.n[0], 1);
}

/* Blocks are averaged, those at the edges over what is there; slices and volumes are picked. */
static void blocks(void **state)
{
    (void)state;
    float numbers[5 * 3 * 2 * 2], *out;
    for (int i = 0; i < 60; i++) numbers[i] = (float)i;
    const reduction r = {.from = {5, 3, 2, 2}, .step = {2, 2, 2, 1}, .n = {3, 2, 1, 2}};
    OK(reduction_apply(&r, &(reduction_pixels){numbers, false, 1}, &out));
    const double expected[12] = {3, 5, 6.5, 10.5, 12.5, 14, 33, 35, 36.5, 40.5, 42.5, 44};
    for (int i = 0; i < 12; i++) assert_true(fabs((double)out[i] - expected[i]) < 1e-6);
    memory_free(out);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(digests), cmocka_unit_test(base64),     cmocka_unit_test(strings_stay_strings),
    cmocka_unit_test(numbers), cmocka_unit_test(reductions), cmocka_unit_test(blocks)};
RUN_TESTS(tests)
