/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds elements of the scan's header that the library does not keep, by their local names. The reader has
 * checked that the header is well-formed XML. */
#include "output/output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the end of the name if an element of this name, with or without a prefix, begins after "<";
 * otherwise NULL. */
static const char *named(const char *at, const char *element)
{
    const size_t length = strcspn(at, " \t\r\n/>");
    const char *colon = memchr(at, ':', length), *name = colon ? colon + 1 : at;
    const size_t rest = length - (size_t)(name - at);
    return rest == strlen(element) && !strncmp(name, element, rest) ? name + rest : NULL;
}

static const char *find(const char *xml, const char *element)
{
    while ((xml = strchr(xml, '<'))) {
        if (!strncmp(xml, "<!--", 4)) {
            const char *end = strstr(xml, "-->");
            if (!end) return NULL;
            xml = end;
            continue;
        }
        const char *end = named(++xml, element);
        if (!end) continue;
        end = strchr(end, '>');
        return !end || end[-1] == '/' ? NULL : end + 1;
    }
    return NULL;
}

/* Returns the character at *from, with entities decoded, and moves *from past it. */
static char next_character(const char **from)
{
    static const struct {
        const char *entity;
        char character;
    } entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        const size_t length = strlen(entities[i].entity);
        if (strncmp(*from, entities[i].entity, length)) continue;
        *from += length;
        return entities[i].character;
    }
    return *(*from)++;
}

bool scan_element(const argand_scan *scan, const char *element, char *text, size_t size)
{
    const char *from = scan->header ? find(scan->header, element) : NULL;
    size_t used = 0;
    text[0] = 0;
    if (!from) return false;
    while (isspace((unsigned char)*from)) from++;
    while (*from && *from != '<' && used + 1 < size) text[used++] = next_character(&from);
    while (used && isspace((unsigned char)text[used - 1])) used--;
    text[used] = 0;
    return used > 0;
}

bool scan_number(const argand_scan *scan, const char *element, double *number)
{
    char text[64], *end;
    if (!scan_element(scan, element, text, sizeof text)) return false;
    *number = strtod(text, &end);
    return !*end && *number - *number == 0;
}
