/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the JSON text of a schema in place. Escapes in strings stay as they are: names have none. */
#include <stdlib.h>

#include "base/memory.h"
#include "io/mrd2/mrd2.h"

typedef struct parser {
    const char *path;
    char *at, *end;
    json_node *nodes;
    int64_t count, most;
} parser;

static argand_status damaged(const parser *p, const char *what)
{
    return status_set(ARGAND_FORMAT, "%s: its schema is not JSON: %s. The file is damaged: copy it again",
                      p->path, what);
}

static char next_of(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t')) p->at++;
    return p->at < p->end ? *p->at : 0;
}

static argand_status take_string(parser *p, const char **chars)
{
    *chars = ++p->at;
    while (p->at < p->end && *p->at != '"') p->at += *p->at == '\\' ? 2 : 1;
    if (p->at >= p->end) return damaged(p, "a string does not end");
    *p->at++ = 0;
    return ARGAND_OK;
}

/* Numbers, true, false: their characters are copied to no place, because the next one must stay readable. */
static argand_status take_word(parser *p, json_node *node)
{
    node->chars = p->at;
    node->kind = *p->at == 'n' ? JSON_NULL : JSON_OTHER;
    const char *from = p->at;
    while (p->at < p->end && !strchr(",]} \t\r\n", *p->at)) p->at++;
    return p->at > from ? ARGAND_OK : damaged(p, "a value is missing");
}

static argand_status take_value(parser *p, json_node **made, const char *name, int depth);

static argand_status take_element(parser *p, json_node **made, bool named, int depth)
{
    const char *name = "";
    if (named) {
        if (next_of(p) != '"') return damaged(p, "a member has no name");
        TRY(take_string(p, &name));
        if (next_of(p) != ':') return damaged(p, "a member has no value");
        p->at++;
    }
    return take_value(p, made, name, depth + 1);
}

static argand_status take_elements(parser *p, json_node *node, char closing, int depth)
{
    json_node **place = &node->child;
    p->at++;
    if (next_of(p) == closing) {
        p->at++;
        return ARGAND_OK;
    }
    for (;;) {
        TRY(take_element(p, place, closing == '}', depth));
        place = &(*place)->next;
        const char c = next_of(p);
        if (c != ',' && c != closing) return damaged(p, "a comma or bracket is missing");
        p->at++;
        if (c == closing) return ARGAND_OK;
    }
}

static argand_status take_value(parser *p, json_node **made, const char *name, int depth)
{
    if (depth > MRD2_DEEPEST || p->count >= p->most) return damaged(p, "it is nested too deep");
    json_node *node = *made = &p->nodes[p->count++];
    *node = (json_node){.name = name, .chars = ""};
    const char c = next_of(p);
    if (c == '"') {
        node->kind = JSON_STRING;
        return take_string(p, &node->chars);
    }
    if (c != '{' && c != '[') return c ? take_word(p, node) : damaged(p, "it ends early");
    node->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
    return take_elements(p, node, c == '{' ? '}' : ']', depth);
}

/* Each value but the first follows a bracket, a comma or a colon. */
static int64_t most_values(const char *chars, size_t length)
{
    int64_t count = 1;
    for (size_t i = 0; i < length; i++)
        count += chars[i] == '{' || chars[i] == '[' || chars[i] == ',' || chars[i] == ':';
    return count;
}

argand_status mrd2_parse_json(json_node **nodes, char *chars, size_t length, const char *path)
{
    parser p = {.path = path, .at = chars, .end = chars + length, .most = most_values(chars, length)};
    json_node *root;
    TRY(NEW(p.nodes, p.most));
    *nodes = p.nodes;
    return take_value(&p, &root, "", 0);
}

json_node *json_member(const json_node *object, const char *name)
{
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (json_node *n = object->child; n; n = n->next)
        if (!strcmp(n->name, name)) return n;
    return NULL;
}
