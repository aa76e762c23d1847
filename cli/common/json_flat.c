/* SPDX-License-Identifier: BSD-3-Clause */
/* A recursive-descent parser of RFC 8259. */
#include "common/json_flat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16 };

typedef struct walker {
    const char *at;
    json_visit visit;
    void *context;
    int depth;
} walker;

static bool read_value(walker *w, const char *group, const char *name);

static void skip_space(walker *w)
{
    w->at += strspn(w->at, " \t\r\n");
}

/* Consumes a character if it comes next. */
static bool take(walker *w, char sign)
{
    skip_space(w);
    if (*w->at != sign) return false;
    w->at++;
    return true;
}

static void put(char *value, size_t size, size_t *used, unsigned char byte)
{
    if (*used + 1 < size) value[(*used)++] = (char)byte;
}

/* Appends a code point in UTF-8. */
static void put_code(char *value, size_t size, size_t *used, unsigned code)
{
    if (*used + 5 > size) return;
    if (code < 0x80) {
        put(value, size, used, (unsigned char)code);
    } else if (code < 0x800) {
        put(value, size, used, (unsigned char)(0xC0 | code >> 6));
        put(value, size, used, (unsigned char)(0x80 | (code & 63)));
    } else if (code < 0x10000) {
        put(value, size, used, (unsigned char)(0xE0 | code >> 12));
        put(value, size, used, (unsigned char)(0x80 | (code >> 6 & 63)));
        put(value, size, used, (unsigned char)(0x80 | (code & 63)));
    } else {
        put(value, size, used, (unsigned char)(0xF0 | code >> 18));
        put(value, size, used, (unsigned char)(0x80 | (code >> 12 & 63)));
        put(value, size, used, (unsigned char)(0x80 | (code >> 6 & 63)));
        put(value, size, used, (unsigned char)(0x80 | (code & 63)));
    }
}

static bool read_hex(walker *w, unsigned *code)
{
    char digits[5] = {0};
    if (strspn(w->at, "0123456789abcdefABCDEF") < 4) return false;
    memcpy(digits, w->at, 4);
    *code = (unsigned)strtoul(digits, NULL, 16);
    w->at += 4;
    return true;
}

/* Reads the digits after "\u"; a pair of surrogates is one code point. */
static bool read_code(walker *w, unsigned *code)
{
    unsigned low;
    if (!read_hex(w, code)) return false;
    if (*code < 0xD800 || *code > 0xDFFF) return true;
    const char *back = w->at;
    if (*code < 0xDC00 && w->at[0] == '\\' && w->at[1] == 'u' && (w->at += 2, read_hex(w, &low)) &&
        low >= 0xDC00 && low <= 0xDFFF) {
        *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
        return true;
    }
    w->at = back;
    *code = 0xFFFD;
    return true;
}

static bool read_escape(walker *w, char *value, size_t size, size_t *used)
{
    static const char signs[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    unsigned code;
    const char *found = *w->at ? strchr(signs, *w->at) : NULL;
    if (found) {
        put(value, size, used, (unsigned char)means[found - signs]);
        w->at++;
        return true;
    }
    if (*w->at != 'u') return false;
    w->at++;
    if (!read_code(w, &code)) return false;
    put_code(value, size, used, code);
    return true;
}

static bool read_string(walker *w, char *value, size_t size)
{
    size_t used = 0;
    value[0] = 0;
    if (!take(w, '"')) return false;
    while (*w->at != '"') {
        if ((unsigned char)*w->at < 0x20) return false; /* also at the end of the text */
        if (*w->at == '\\') {
            w->at++;
            if (!read_escape(w, value, size, &used)) return false;
        } else {
            put(value, size, &used, (unsigned char)*w->at++);
        }
    }
    w->at++;
    value[used] = 0;
    return true;
}

static bool read_word(walker *w, char *value, size_t size)
{
    const size_t length = strcspn(w->at, " \t\r\n,]}");
    snprintf(value, size, "%.*s", (int)length, w->at);
    if (!length || length >= size) return false;
    char *end;
    strtod(value, &end);
    w->at += length;
    const bool number = !*end && strchr("-0123456789", value[0]);
    return number || !strcmp(value, "true") || !strcmp(value, "false") || !strcmp(value, "null");
}

static bool read_object(walker *w, const char *name)
{
    char key[JSON_NAME];
    if (take(w, '}')) return true;
    do {
        if (!read_string(w, key, sizeof key) || !take(w, ':') || !read_value(w, name, key)) return false;
    } while (take(w, ','));
    return take(w, '}');
}

static bool read_list(walker *w, const char *group, const char *name)
{
    if (take(w, ']')) return true;
    do {
        if (!read_value(w, group, name)) return false;
    } while (take(w, ','));
    return take(w, ']');
}

static bool read_inside(walker *w, const char *group, const char *name)
{
    if (w->depth == DEEPEST) return false;
    w->depth++;
    const bool object = *w->at++ == '{';
    const bool good = object ? read_object(w, name) : read_list(w, group, name);
    w->depth--;
    return good;
}

static bool read_value(walker *w, const char *group, const char *name)
{
    char value[JSON_VALUE];
    skip_space(w);
    if (*w->at == '{' || *w->at == '[') return read_inside(w, group, name);
    const bool good = *w->at == '"' ? read_string(w, value, sizeof value) : read_word(w, value, sizeof value);
    return good && w->visit(w->context, group, name, value);
}

bool json_walk(const char *text, json_visit visit, void *context)
{
    walker w = {text, visit, context, 0};
    if (!read_value(&w, "", "")) return false;
    skip_space(&w);
    return !*w.at;
}
