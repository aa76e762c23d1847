/* SPDX-License-Identifier: BSD-3-Clause */
/* Text on pictures: which characters have a shape, where their pixels are, how rows break. */
#include "folder.h"

#include "io/picture/text.h"
#include "io/picture/typeface.h"

enum { SIDE = 96 };
static const double size = 40;

/* Draws a character as UTF-8 into the middle of a black canvas. */
static canvas draw_character(uint32_t code)
{
    char utf8[5] = {0};
    if (code < 0x80) {
        utf8[0] = (char)code;
    } else if (code < 0x800) {
        utf8[0] = (char)(0xC0 | code >> 6);
        utf8[1] = (char)(0x80 | (code & 0x3F));
    } else {
        utf8[0] = (char)(0xE0 | code >> 12);
        utf8[1] = (char)(0x80 | (code >> 6 & 0x3F));
        utf8[2] = (char)(0x80 | (code & 0x3F));
    }
    canvas picture;
    OK(canvas_new(&picture, SIDE, SIDE, 1, 0));
    OK(text_draw(&picture, SIDE / 4.0, 60, size, 0xFFFFFF, utf8));
    return picture;
}

/* Returns the sum of a rectangle's pixels, 1 for a white one. */
static double ink(const canvas *picture, int left, int top, int right, int bottom)
{
    double sum = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) sum += picture->pixels[y * picture->width + x] / 255.0;
    return sum;
}

static double ink_of(uint32_t code)
{
    canvas picture = draw_character(code);
    const double sum = ink(&picture, 0, 0, SIDE, SIDE);
    canvas_free(&picture);
    return sum;
}

/* Characters of Western and Central European languages, Greek letters, and the signs that captions need. */
static const uint32_t ranges[][2] = {{'!', '~'},       {0xA1, 0xAC},     {0xAE, 0x17F},    {0x391, 0x3A1},
                                     {0x3A3, 0x3CE},   {0x2010, 0x2015}, {0x2018, 0x201E}, {0x2020, 0x2022},
                                     {0x2074, 0x208E}, {0x2190, 0x2193}, {0x2264, 0x2265}};
static const uint32_t singles[] = {0x2026, 0x2030, 0x2032, 0x2033, 0x20AC, 0x2122, 0x2126, 0x2202, 0x2206,
                                   0x2207, 0x2211, 0x2212, 0x221A, 0x221D, 0x221E, 0x222B, 0x2248, 0x2260};

static void check_character(uint32_t code)
{
    if (!typeface_glyph(code)) fail_msg("U+%04X has no shape", code);
    canvas picture = draw_character(code);
    const double all = ink(&picture, 0, 0, SIDE, SIDE);
    if (all < 5) fail_msg("U+%04X has %g pixels of ink", code, all);
    /* no higher and no lower than a row of text, and not far from its own width */
    const int right = (int)(SIDE / 4.0 + size * typeface_advance(code) + 0.15 * size);
    const double within = ink(&picture, SIDE / 4 - 6, 60 - (int)size, right, 60 + (int)(0.25 * size) + 1);
    if (all - within > 0.01) fail_msg("U+%04X reaches out of its place: %g of %g", code, all - within, all);
    canvas_free(&picture);
}

static void test_coverage_of_characters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (uint32_t code = ranges[i][0]; code <= ranges[i][1]; code++) check_character(code);
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) check_character(singles[i]);
}

/* No two characters of ASCII look alike. */
static void test_shapes_differ(void **state)
{
    (void)state;
    canvas shapes[127];
    for (uint32_t code = ' '; code < 127; code++) shapes[code] = draw_character(code);
    for (int a = ' '; a < 127; a++)
        for (int b = a + 1; b < 127; b++)
            if (!memcmp(shapes[a].pixels, shapes[b].pixels, SIDE * SIDE))
                fail_msg("%c and %c look alike", a, b);
    for (int code = ' '; code < 127; code++) canvas_free(&shapes[code]);
}

/* A character that the typeface lacks is a box: dark inside, the same for all of them. So are bytes that are
 * no UTF-8. */
static void test_missing_characters(void **state)
{
    (void)state;
    assert_int_equal(typeface_glyph(0x65E5), 0);
    canvas missing = draw_character(0x65E5), other = draw_character(0x0416);
    assert_memory_equal(missing.pixels, other.pixels, SIDE * SIDE);
    const double all = ink(&missing, 0, 0, SIDE, SIDE);
    assert_true(all > 30);
    const int middle = SIDE / 4 + (int)(size * typeface_advance(0x65E5) / 2);
    assert_true(ink(&missing, middle - 3, 40, middle + 3, 50) < 0.01);
    assert_true(ink(&missing, 0, 40, middle, 50) > 5 && ink(&missing, middle, 40, SIDE, 50) > 5);
    canvas_free(&missing);
    canvas_free(&other);
    const double box = text_width("\xE6\x97\xA5", 1);
    assert_true(fabs(text_width("\xFF", 1) - box) < 1e-12);         /* never a first byte */
    assert_true(fabs(text_width("\xC3", 1) - box) < 1e-12);         /* cut off */
    assert_true(fabs(text_width("\xE6\x97", 1) - 2 * box) < 1e-12); /* cut off: a box for each byte */
    assert_true(fabs(text_width("\xE6"
                                "A",
                                1) -
                     box - text_width("A", 1)) < 1e-12);
    assert_true(fabs(text_width("\n", 1) - text_width(" ", 1)) < 1e-12);
    assert_true(ink_of(' ') < 1e-9);
}

/* The area of a shape is that of its outline at any size and place: a stem of the letter l is 184 x 1556
 * units of 2048. */
static void test_area(void **state)
{
    (void)state;
    for (double s = 9; s < 80; s *= 1.3)
        for (double shift = 0; shift < 1; shift += 0.37) {
            canvas picture;
            OK(canvas_new(&picture, 128, 128, 1, 0));
            OK(text_draw(&picture, 30 + shift, 90 + shift, s, 0xFFFFFF, "l"));
            const double wanted = 184.0 * 1556 * s * s / 2048 / 2048;
            CHECK_BELOW(fabs(ink(&picture, 0, 0, 128, 128) - wanted), 0.01 * wanted + 0.002 * 6 * s);
            canvas_free(&picture);
        }
}

/* Letters keep their distance: as much ink as the letters alone, so no two of them lie over each other. */
static void test_no_overlap(void **state)
{
    (void)state;
    const char *text = "Spiral 20 ms, W/AV fi ijlt 12.5 Hz";
    double alone = 0;
    for (const char *c = text; *c; c++) alone += ink_of((uint32_t)*c);
    canvas picture;
    OK(canvas_new(&picture, 1200, SIDE, 1, 0));
    OK(text_draw(&picture, 20, 60, size, 0xFFFFFF, text));
    CHECK_BELOW(fabs(ink(&picture, 0, 0, 1200, SIDE) / alone - 1), 0.002);
    canvas_free(&picture);
}

/* Text that lies partly or wholly outside the canvas is cut off at its edge. */
static void test_outside(void **state)
{
    (void)state;
    canvas picture;
    OK(canvas_new(&picture, 20, 20, 3, 0));
    OK(text_draw(&picture, -50, 10, size, 0xFFFFFF, "outside"));
    OK(text_draw(&picture, 1e6, -1e6, size, 0xFFFFFF, "outside"));
    OK(text_draw(&picture, 3, 3, size, 0xFFFFFF, ""));
    canvas_free(&picture);
}

/* Every row fits; what does not fit into the rows ends in an ellipsis; nothing else is lost. */
static void test_rows(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "short",
        "a few words that need more than one row of text at this width",
        "a_word_without_any_blank_that_is_longer_than_a_row",
        "   blanks   around   ",
        "w\xC3\xA4hrend \xE2\x80\x93 \xCE\xA9 \xC2\xB5 \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E \xC2\xB1 150 Hz, "
        "t\xC3\xA4glich"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (double width = 1; width < 900; width *= 1.4)
            for (int most = 1; most <= TEXT_ROWS; most++) {
                text_block block;
                text_break(&block, texts[i], 12, width, most);
                assert_in_range(block.rows, 0, most);
                char joined[1024] = "", wanted[1024] = "";
                for (int row = 0; row < block.rows; row++) {
                    assert_true(text_width(block.row[row], 12) <= width);
                    strcat(joined, block.row[row]);
                }
                if (!block.whole) continue;
                for (const char *c = texts[i]; *c; c++)
                    if (*c != ' ') strncat(wanted, c, 1);
                char *to = joined;
                for (const char *c = joined; *c; c++)
                    if (*c != ' ') *to++ = *c;
                *to = 0;
                assert_string_equal(joined, wanted);
            }
    text_block block;
    text_break(&block, "one two three four", 12, text_width("one two ", 12), 1);
    assert_false(block.whole);
    assert_string_equal(block.row[0], "one t\xE2\x80\xA6");
    char longest[2000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    text_break(&block, longest, 1, 1e6, 3); /* more bytes than the rows hold */
    assert_false(block.whole);
}

/* At the sizes that text_size gives, x is a whole number of pixels high: its upper edge is sharp. */
static void test_sizes(void **state)
{
    (void)state;
    assert_true(text_size(0) > 9 && text_size(0) < 9.2);
    for (double wanted = 11; wanted < 60; wanted += 2.3) {
        const double fitted = text_size(wanted), height = fitted * 1120 / 2048;
        assert_true(fitted <= wanted + 1e-9 && fitted > wanted - 2);
        CHECK_BELOW(fabs(height - round(height)), 1e-9);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_coverage_of_characters),
    cmocka_unit_test(test_shapes_differ),
    cmocka_unit_test(test_missing_characters),
    cmocka_unit_test(test_area),
    cmocka_unit_test(test_no_overlap),
    cmocka_unit_test(test_outside),
    cmocka_unit_test(test_rows),
    cmocka_unit_test(test_sizes),
};

IO_TESTS(tests)
