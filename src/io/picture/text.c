/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes UTF-8, breaks text into rows and draws it. */
#include "io/picture/text.h"

#include <math.h>
#include <string.h>
#include "io/picture/typeface.h"

#define SMALL_LETTERS (1120.0 / 2048) /* height of x in the typeface, as a fraction of the font size */
#define ELLIPSIS "\xE2\x80\xA6"
static const double reach = 0.5; /* letters extend by less than this beyond their advance, pixels */
static const uint32_t missing = 0xFFFD;

double text_size(double wanted)
{
    return fmax(5, floor(wanted * SMALL_LETTERS + 1e-9)) / SMALL_LETTERS;
}

double text_row_height(double size)
{
    return ceil(1.25 * size);
}

/* Returns the character at *string and moves on. A byte that is not UTF-8 counts as a missing character, a
 * control character as a blank. */
static uint32_t next_code(const char **string)
{
    const unsigned char *s = (const unsigned char *)*string;
    const int more = s[0] < 0x80 ? 0 : s[0] >= 0xF0 ? 3 : s[0] >= 0xE0 ? 2 : s[0] >= 0xC2 ? 1 : -1;
    uint32_t code = more <= 0 ? s[0] : s[0] & (0x3Fu >> more);
    *string += 1;
    if (more < 0) return missing;
    for (int i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80) return missing;
        code = code << 6 | (s[i] & 0x3Fu);
    }
    *string += more;
    return code <= ' ' || code == 0x7F ? ' ' : code;
}

double text_width(const char *string, double size)
{
    double width = 0;
    while (*string) width += typeface_advance(next_code(&string));
    return width * size;
}

static void blend(canvas *picture, const coverage *c, int left, int top, uint32_t colour)
{
    for (int y = 0; y < c->height; y++) {
        const float *cells = c->cells + (size_t)y * ((size_t)c->width + 2);
        double sum = 0;
        for (int x = 0; x < c->width; x++) {
            sum += (double)cells[x];
            const double cover = fmin(1, fabs(sum)); /* parts of a letter may overlap */
            if (cover > 1e-3) canvas_blend(picture, left + x, top + y, colour, cover);
        }
    }
}

argand_status text_draw(canvas *picture, double x, double baseline, double size, uint32_t colour,
                        const char *string)
{
    const int left = (int)floor(x - reach * size), top = (int)floor(baseline - 1.1 * size);
    coverage c;
    TRY(coverage_new(&c, (int)ceil(x + text_width(string, size) + reach * size) - left,
                     (int)ceil(baseline + 0.4 * size) - top));
    for (double at = x - left; *string;) {
        const uint32_t code = next_code(&string);
        typeface_trace(&c, code, size, at, baseline - top);
        at += size * typeface_advance(code);
    }
    blend(picture, &c, left, top, colour);
    coverage_free(&c);
    return ARGAND_OK;
}

/* --------------------------------------------------------------- rows */

/* Returns the number of bytes of the longest start that is not wider than `width` and fits into a row. */
static size_t bytes_that_fit(const char *string, double size, double width)
{
    double used = 0;
    const char *end = string;
    while (*end) {
        const char *next = end;
        used += size * typeface_advance(next_code(&next));
        if (used > width || next - string >= TEXT_BYTES - (long)sizeof ELLIPSIS) break;
        end = next;
    }
    return (size_t)(end - string);
}

/* Returns the number of bytes of a row: up to the last blank, or part of a word that is wider than the
 * row. */
static size_t bytes_of_row(const char *string, double size, double width)
{
    const size_t bytes = bytes_that_fit(string, size, width);
    if (!string[bytes] || string[bytes] == ' ') return bytes;
    size_t blank = bytes;
    while (blank > 0 && string[blank - 1] != ' ') blank--;
    while (blank > 0 && string[blank - 1] == ' ') blank--;
    return blank ? blank : bytes;
}

void text_break(text_block *block, const char *string, double size, double width, int most_rows)
{
    *block = (text_block){.whole = true};
    while (block->rows < most_rows) {
        string += strspn(string, " ");
        if (!*string) return;
        char *row = block->row[block->rows++];
        const size_t bytes = bytes_of_row(string, size, width);
        memcpy(row, string, bytes);
        string += bytes;
    }
    string += strspn(string, " ");
    if (!*string) return;
    block->whole = false;
    char *last = block->row[most_rows - 1];
    const double space = width - text_width(ELLIPSIS, size);
    const size_t bytes = bytes_that_fit(last, size, space);
    strcpy(last + bytes, space >= 0 ? ELLIPSIS : "");
}
