/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a measurement's header, which has the protocol in two forms. ASCCONV has a line for each value:
 * sKSpace.lBaseResolution = 256. XProtocol is a tree: <ParamLong."iPEFTLength"> { 256 }, where a value may
 * follow attributes such as <Precision> 6. */
#include "io/twix/twix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "base/plain.h"

/* A part of a text. */
typedef struct span {
    const char *at, *end;
} span;

static bool find(span *s, const char *key)
{
    const char *found = s->at < s->end ? memmem(s->at, (size_t)(s->end - s->at), key, strlen(key)) : NULL;
    if (found) s->at = found;
    return found;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(span *s)
{
    while (s->at < s->end && is_blank(*s->at)) s->at++;
}

/* Copies a value without the quotes around it; ASCCONV of VB has two at each end. */
static bool copy(char value[TWIX_VALUE], const char *from, const char *end)
{
    while (from < end && (*from == '"' || is_blank(*from))) from++;
    while (end > from && (end[-1] == '"' || is_blank(end[-1]))) end--;
    const size_t length = (size_t)(end - from);
    if (!length || length >= TWIX_VALUE) return false;
    memcpy(value, from, length);
    value[length] = 0;
    return true;
}

/* ---- ASCCONV */

bool twix_yaps(char value[TWIX_VALUE], const twix_protocol *protocol, const char *key)
{
    const char *begin = protocol->yaps;
    span s = {begin, begin + protocol->yaps_length};
    for (; find(&s, key); s.at++) {
        span rest = {s.at + strlen(key), s.end};
        if (s.at > begin && s.at[-1] != '\n') continue;
        while (rest.at < rest.end && (*rest.at == ' ' || *rest.at == '\t')) rest.at++;
        if (rest.at == rest.end || *rest.at != '=') continue;
        const char *line = memchr(rest.at, '\n', (size_t)(rest.end - rest.at));
        return copy(value, rest.at + 1, line ? line : rest.end);
    }
    return false;
}

/* ---- XProtocol */

/* Takes a token: a brace, <tag>, "text" or a word. Returns its first character; 0: there is none. */
static char take_token(span *token, span *s)
{
    skip_blanks(s);
    if (s->at == s->end) return 0;
    const char first = *s->at, *from = s->at++;
    const char close = first == '<' ? '>' : first == '"' ? '"' : 0;
    if (close) {
        while (s->at < s->end && *s->at != close) s->at++;
        if (s->at < s->end) s->at++;
    } else if (first != '{' && first != '}') {
        while (s->at < s->end && !is_blank(*s->at) && !strchr("{}<\"", *s->at)) s->at++;
    }
    *token = (span){from, s->at};
    return first;
}

/* Skips what belongs to an attribute: one token, or all up to the closing brace. */
static void skip_attribute(span *s)
{
    span token;
    const span before = *s;
    char kind = take_token(&token, s);
    if (kind == '<' || kind == '}') {
        *s = before;
        return;
    }
    for (int deep = kind == '{'; deep && kind;) {
        kind = take_token(&token, s);
        deep += (kind == '{') - (kind == '}');
    }
}

/* Takes the first value within the braces that follow a name. */
static bool take_value(char value[TWIX_VALUE], span s)
{
    span token;
    int deep = 0;
    for (char kind = take_token(&token, &s); kind; kind = take_token(&token, &s)) {
        if (!deep && kind != '{') return false;
        if (kind == '{')
            deep++;
        else if (kind == '}' && !--deep)
            return false;
        else if (kind == '<')
            skip_attribute(&s);
        else if (kind != '}')
            return copy(value, token.at, token.end);
    }
    return false;
}

/* A value lies close to its name. Braces that end far away would take quadratic time. */
static bool find_value(char value[TWIX_VALUE], span s, const char *name)
{
    enum { CLOSE = 4096 };
    char key[80];
    snprintf(key, sizeof key, ".\"%s\">", name);
    for (; find(&s, key); s.at++) {
        const char *from = s.at + strlen(key);
        if (take_value(value, (span){from, s.end - from > CLOSE ? from + CLOSE : s.end})) return true;
    }
    return false;
}

bool twix_meas(char value[TWIX_VALUE], const twix_protocol *protocol, const char *name)
{
    const span whole = {protocol->meas, protocol->meas + protocol->meas_length};
    span yaps = whole;
    if (!protocol->meas) return false;
    return (find(&yaps, "<ParamMap.\"YAPS\">") && find_value(value, yaps, name)) ||
           find_value(value, whole, name);
}

/* ---- numbers */

static double number_of(const char *value, double otherwise)
{
    char *end;
    const double number = plain_number(value, &end);
    return end != value && !*end && isfinite(number) ? number : otherwise;
}

int twix_whole(double number, int otherwise)
{
    return number >= -1e9 && number <= 1e9 ? (int)number : otherwise;
}

double twix_yaps_number(const twix_protocol *protocol, const char *key, double otherwise)
{
    char value[TWIX_VALUE];
    return twix_yaps(value, protocol, key) ? number_of(value, otherwise) : otherwise;
}

double twix_meas_number(const twix_protocol *protocol, const char *name, double otherwise)
{
    char value[TWIX_VALUE];
    return twix_meas(value, protocol, name) ? number_of(value, otherwise) : otherwise;
}

/* ---- coils */

enum { MOST_COILS = 1024 };

static bool coil_value(char value[TWIX_VALUE], const twix_protocol *protocol, int i, const char *name)
{
    char key[160];
    snprintf(key, sizeof key, "sCoilSelectMeas.aRxCoilSelectData[0].asList[%d].%s", i, name);
    if (twix_yaps(value, protocol, key)) return true;
    snprintf(key, sizeof key, "asCoilSelectMeas[0].asList[%d].%s", i, name); /* VB */
    return twix_yaps(value, protocol, key);
}

/* Reads an element of the list of coils. Returns false if the list has no such element. */
static bool take_coil(twix_coil *coil, const twix_protocol *protocol, int i)
{
    char id[TWIX_VALUE] = "", element[TWIX_VALUE], value[TWIX_VALUE];
    if (!coil_value(element, protocol, i, "sCoilElementID.tElement")) return false;
    coil_value(id, protocol, i, "sCoilElementID.tCoilID");
    *coil = (twix_coil){.channel = i};
    if (coil_value(value, protocol, i, "lADCChannelConnected"))
        coil->channel = twix_whole(number_of(value, i), i);
    coil->selected = !coil_value(value, protocol, i, "lElementSelected") || number_of(value, 1) != 0;
    if (coil_value(value, protocol, i, "sCoilElementID.lCoilCopy"))
        snprintf(coil->name, sizeof coil->name, "%.60s:%.20s:%.60s", id, value, element);
    else
        snprintf(coil->name, sizeof coil->name, "%.60s:%.60s", id, element);
    return true;
}

static int by_channel(const void *a, const void *b)
{
    const twix_coil *x = a, *y = b;
    return (x->channel > y->channel) - (x->channel < y->channel);
}

argand_status twix_read_coils(twix_protocol *protocol)
{
    twix_coil coil;
    int count = 0;
    while (count < MOST_COILS && take_coil(&coil, protocol, count)) count++;
    TRY(NEW(protocol->coils, count));
    for (int i = 0; i < count && take_coil(&coil, protocol, i); i++)
        if (coil.selected) protocol->coils[protocol->coil_count++] = coil;
    if (protocol->coil_count) qsort(protocol->coils, (size_t)protocol->coil_count, sizeof coil, by_channel);
    return ARGAND_OK;
}
