/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a report again, by other means than it was written with. */
#ifndef TESTS_REPORT_READ_PAGE_H
#define TESTS_REPORT_READ_PAGE_H

#include <unistd.h>
#include <zlib.h>
#include "harness.h"

static char page_path[64];

static inline char *read_page(void)
{
    FILE *file = fopen(page_path, "rb");
    assert_non_null(file);
    char *page = calloc(1, 32 << 20);
    assert_non_null(page);
    assert_true(fread(page, 1, (32 << 20) - 1, file) > 1000);
    fclose(file);
    return page;
}

/* The report as a string, to be freed; its file is removed. */
static inline char *written(const argand_report *report)
{
    snprintf(page_path, sizeof page_path, "/tmp/argand-report-%ld.html", (long)getpid());
    OK(argand_report_write(report, page_path));
    char *page = read_page();
    unlink(page_path);
    return page;
}

static inline size_t undo_base64(unsigned char *bytes, const char *text)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0;
    int held = 0;
    size_t count = 0;
    for (const char *place; (place = strchr(signs, *text)) && *text; text++) {
        bits = bits << 6 | (unsigned)(place - signs);
        held += 6;
        if (held >= 8) bytes[count++] = (unsigned char)(bits >> (held -= 8));
    }
    return count;
}

/* The codes of an element of the page. */
static inline void read_codes(unsigned *codes, size_t count, const char *page, int element)
{
    char id[40];
    snprintf(id, sizeof id, "id=\"pixels-%d\">", element);
    const char *at = strstr(page, id);
    assert_non_null(at);
    at += strlen(id);
    unsigned char *packed = malloc(strlen(at)), *bytes = malloc(2 * count);
    uLongf size = 2 * count;
    assert_true(packed && bytes);
    assert_int_equal(uncompress(bytes, &size, packed, undo_base64(packed, at)), Z_OK);
    assert_int_equal(size, 2 * count);
    for (size_t i = 0, code = 0; i < count; i++)
        codes[i] = (unsigned)(code = (code + 256u * bytes[i] + bytes[count + i]) & 65535);
    free(packed);
    free(bytes);
}

/* The number after "name": in the description of a part. */
static inline double read_number(const char *page, const char *data, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"data\":\"%s\"", data);
    const char *at = strstr(page, key);
    assert_non_null(at);
    snprintf(key, sizeof key, "\"%s\":", name);
    at = strstr(at, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static inline void holds(const char *page, const char *string)
{
    if (!strstr(page, string)) fail_msg("the page lacks: %s", string);
}

static inline void lacks(const char *page, const char *string)
{
    const char *at = strstr(page, string);
    if (at) fail_msg("the page holds: %.80s", at);
}

#endif
