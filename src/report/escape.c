/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text of any origin (file names, notes, headers of scans) as HTML text or JSON strings. By the
 * rules of the HTML standard's parser, only & < > " ' have a meaning inside an element or a quoted
 * attribute. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/plain.h"
#include "report/inside.h"

static const char replacement[] = "\xEF\xBF\xBD";

/* Returns the length of the UTF-8 sequence at s; 0: invalid (overlong, a surrogate, beyond 10FFFF, cut
 * off). */
static size_t sequence(const unsigned char *s)
{
    const size_t length = s[0] < 0x80   ? 1
                          : s[0] < 0xC2 ? 0
                          : s[0] < 0xE0 ? 2
                          : s[0] < 0xF0 ? 3
                          : s[0] < 0xF5 ? 4
                                        : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return length;
}

static bool is_control(const unsigned char *s)
{
    const bool c1 = s[0] == 0xC2 && s[1] < 0xA0; /* U+0080 to U+009F */
    return (s[0] < 0x20 && s[0] != '\n' && s[0] != '\t') || s[0] == 0x7F || c1;
}

/* Returns the character if it is a mark of direction, line or zero width, which can make text look like
 * another text; otherwise 0. */
static unsigned mark(const unsigned char *s, size_t length)
{
    unsigned c = length > 1 ? s[0] & (0x7Fu >> length) : 0;
    for (size_t i = 1; i < length; i++) c = c << 6 | (s[i] & 0x3Fu);
    const bool is_mark = c == 0xAD || c == 0x61C || c == 0x180E || (c >= 0x200B && c <= 0x200F) ||
                         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
                         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
    return is_mark ? c : 0;
}

static const char *html_word(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static const char *json_word(unsigned char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '<':
        return "\\u003c";
    case '>':
        return "\\u003e";
    case '&':
        return "\\u0026";
    default:
        return NULL;
    }
}

/* Writes a string with escapes; such marks are written by their numbers. slash: escape of a backslash. */
static void add_escaped(text *t, const char *string, const char *(*word_of)(unsigned char), const char *slash)
{
    const unsigned char *s = (const unsigned char *)(string ? string : "");
    while (*s) {
        const size_t length = sequence(s);
        const char *word = length == 1 ? word_of(*s) : NULL;
        const unsigned invisible = mark(s, length);
        if (!length || is_control(s))
            text_add_bytes(t, replacement, 3);
        else if (invisible)
            text_add(t, "%su%04x", slash, invisible);
        else if (word)
            text_add_bytes(t, word, strlen(word));
        else
            text_add_bytes(t, (const char *)s, length);
        s += length ? length : 1;
    }
}

void add_html(text *t, const char *string)
{
    add_escaped(t, string, html_word, "\\");
}

void add_json(text *t, const char *string)
{
    text_add_bytes(t, "\"", 1);
    add_escaped(t, string, json_word, "\\\\");
    text_add_bytes(t, "\"", 1);
}

void add_number(text *t, double number)
{
    char digits[40];
    if (!isfinite(number)) {
        text_add_bytes(t, "null", 4);
        return;
    }
    plain_print(digits, sizeof digits, "%.9g", number);
    text_add_bytes(t, digits, strlen(digits));
}
