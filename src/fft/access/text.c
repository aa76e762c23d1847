/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks a user function before it is compiled, for errors that compilers would report far away, inside
 * Argand's kernels. Comments, strings and characters are skipped. Brackets are not checked in a text with
 * preprocessor lines: both branches of a condition may open a bracket, and macros may contain brackets. */
#include <string.h>
#include "fft/access/access.h"

enum { DEPTH = 256 };

typedef struct scan {
    const char *at;
    int line, depth;
    char open[DEPTH];
    int opened[DEPTH]; /* line of each open bracket */
    bool found;        /* the function's name occurs */
    const char *chain;
    int i;
} scan;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Skips to the end of a comment, a string or a character. Strings and characters end with their line at
 * the latest, because preprocessor lines may contain single apostrophes. */
static argand_status skip(scan *s)
{
    const int line = s->line;
    const char kind = s->at[0] == '/' ? s->at[1] : s->at[0];
    s->at += s->at[0] == '/' ? 2 : 1;
    if (kind == '*') {
        for (; *s->at && strncmp(s->at, "*/", 2); s->at++) s->line += *s->at == '\n';
        CHECK(*s->at, ARGAND_BUILD,
              "argand_fft_create: access.%s[%d].source: the comment of line %d has no end", s->chain, s->i,
              line);
        s->at += 2;
        return ARGAND_OK;
    }
    while (*s->at && *s->at != '\n' && (kind == '/' || *s->at != kind))
        s->at += kind != '/' && s->at[0] == '\\' && s->at[1] && s->at[1] != '\n' ? 2 : 1;
    if (*s->at == kind && kind != '/') s->at++;
    return ARGAND_OK;
}

static argand_status open_bracket(scan *s)
{
    CHECK(s->depth < DEPTH, ARGAND_BUILD,
          "argand_fft_create: access.%s[%d].source: line %d: more than %d brackets", s->chain, s->i, s->line,
          (int)DEPTH);
    s->open[s->depth] = *s->at;
    s->opened[s->depth++] = s->line;
    return ARGAND_OK;
}

static argand_status close_bracket(scan *s)
{
    static const char pairs[] = "(){}[]";
    CHECK(s->depth, ARGAND_BUILD, "argand_fft_create: access.%s[%d].source: line %d: %c closes nothing",
          s->chain, s->i, s->line, *s->at);
    s->depth--;
    CHECK(strchr(pairs, s->open[s->depth])[1] == *s->at, ARGAND_BUILD,
          "argand_fft_create: access.%s[%d].source: line %d: %c closes the %c of line %d", s->chain, s->i,
          s->line, *s->at, s->open[s->depth], s->opened[s->depth]);
    return ARGAND_OK;
}

/* Skips an identifier and compares it to the name, or skips a number, whose digits apostrophes may
 * separate. */
static void pass_word(scan *s, const char *name)
{
    const char *from = s->at;
    const bool number = *from >= '0' && *from <= '9';
    while (is_letter(*s->at) || (number && *s->at == '\'' && is_letter(s->at[1]))) s->at++;
    const size_t length = (size_t)(s->at - from);
    s->found = s->found || (length == strlen(name) && !strncmp(from, name, length));
}

static argand_status scan_step(scan *s, const char *name, bool brackets)
{
    const char c = *s->at;
    if (c == '"' || c == '\'' || (c == '/' && (s->at[1] == '/' || s->at[1] == '*'))) return skip(s);
    if (is_letter(c)) {
        pass_word(s, name);
        return ARGAND_OK;
    }
    if (brackets && strchr("({[", c)) TRY(open_bracket(s));
    if (brackets && strchr(")}]", c)) TRY(close_bracket(s));
    s->line += c == '\n';
    s->at++;
    return ARGAND_OK;
}

argand_status access_check_text(const argand_accessor *a, const char *chain, int i)
{
    /* conditions and macros may open brackets twice, or elsewhere; ## may make the name */
    const bool brackets = !strchr(a->source, '#'), pasted = strstr(a->source, "##") != NULL;
    scan s = {.at = a->source, .line = 1, .chain = chain, .i = i};
    while (*s.at) TRY(scan_step(&s, a->name, brackets));
    CHECK(!s.depth, ARGAND_BUILD, "argand_fft_create: access.%s[%d].source: the %c of line %d is not closed",
          chain, i, s.open[s.depth - 1], s.opened[s.depth - 1]);
    CHECK(s.found || pasted, ARGAND_BUILD,
          "argand_fft_create: access.%s[%d].source has no function %s (its .name)", chain, i, a->name);
    return ARGAND_OK;
}
