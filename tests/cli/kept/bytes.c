/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes in memory: the hash against values that xxHash's own program prints, and a reader that is given
 * every shortened text. */
#include "common/bytes.h"
#include "harness.h"

static void hashes(void **state)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } known[] = {{"", 0xEF46DB3751D8E999},
                 {"a", 0xD24EC4F1A98C6E5B},
                 {"abc", 0x44BC2CF5AD770999},
                 {"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(bytes_hash(known[i].text, strlen(known[i].text), 0) == known[i].hash);
}

static void comes_back(void **state)
{
    byte_buffer b = {0};
    char text[8];
    (void)state;
    bytes_put_int(&b, -5);
    bytes_put_text(&b, "seven77");
    memset(bytes_place(&b, 3), 'x', 3);
    bytes_put_number(&b, 0.1);
    assert_false(b.failed);
    bytes_reader whole = {.data = b.data, .size = b.size};
    assert_int_equal(bytes_int(&whole, -9, 9), -5);
    bytes_text(&whole, text, sizeof text);
    assert_string_equal(text, "seven77");
    assert_memory_equal(bytes_take(&whole, 3), "xxx", 3);
    assert_true(bytes_number(&whole) == 0.1 && !whole.failed && whole.at == b.size);
    for (size_t size = 0; size < b.size; size++) {
        unsigned char *part = malloc(size + !size); /* its end is watched by sanitizers and valgrind */
        memcpy(part, b.data, size);
        bytes_reader r = {.data = part, .size = size};
        bytes_int(&r, -9, 9);
        bytes_text(&r, text, sizeof text);
        bytes_take(&r, 3);
        bytes_number(&r);
        assert_true(r.failed);
        free(part);
    }
    free(b.data);
}

static void refuses(void **state)
{
    byte_buffer b = {0};
    char text[4];
    (void)state;
    bytes_put_int(&b, 13);
    bytes_put_text(&b, "long");
    bytes_reader r = {.data = b.data, .size = b.size};
    assert_int_equal(bytes_int(&r, 0, 9), 0);
    assert_true(r.failed);
    r = (bytes_reader){.data = b.data, .size = b.size, .at = sizeof(int64_t)};
    bytes_text(&r, text, sizeof text);
    assert_true(r.failed && !*text);
    r = (bytes_reader){.data = b.data, .size = b.size};
    assert_null(bytes_long_text(&r)); /* 13 characters, of which 12 are there */
    free(b.data);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(hashes), cmocka_unit_test(comes_back),
                                          cmocka_unit_test(refuses)};
RUN_TESTS(tests)
