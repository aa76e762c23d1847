/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 against the examples of FIPS 180-4 and NIST's test vectors. */
#include "harness.h"

#include "base/hash.h"

static void expect(const char *bytes, size_t count, size_t step, const char *expected)
{
    hash_state state;
    unsigned char hash[HASH_BYTES];
    char text[HASH_HEX];
    hash_begin(&state);
    for (size_t at = 0; at < count; at += step)
        hash_add(&state, bytes + at, count - at < step ? count - at : step);
    hash_end(&state, hash);
    hash_print(text, hash);
    assert_string_equal(text, expected);
}

static void known_answers(void **state)
{
    (void)state;
    static char million[1000000];
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    memset(million, 'a', sizeof million);
    expect("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    for (size_t step = 1; step <= 56; step += 11)
        expect(two_blocks, 56, step, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect(million, sizeof million, 977, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void texts_keep_their_ends(void **state)
{
    (void)state;
    unsigned char first[HASH_BYTES], second[HASH_BYTES];
    hash_state s;
    hash_begin(&s);
    hash_add_text(&s, "ab");
    hash_add_text(&s, "c");
    hash_end(&s, first);
    hash_begin(&s);
    hash_add_text(&s, "a");
    hash_add_text(&s, "bc");
    hash_end(&s, second);
    assert_memory_not_equal(first, second, HASH_BYTES);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_answers),
    cmocka_unit_test(texts_keep_their_ends),
};

RUN_TESTS(tests)
