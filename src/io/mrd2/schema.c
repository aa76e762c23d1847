/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes types from a schema: https://microsoft.github.io/yardl/reference/protocol-schema. Every value of a
 * type takes at least one byte, so that no count of a small file keeps the reader busy; types that take none
 * are refused. */
#include <stdlib.h>

#include "base/memory.h"
#include "io/mrd2/mrd2.h"

enum { MOST_TYPES = 8192, MOST_PARTS = 16384, MOST_STEPS = 100000, MOST_ARGUMENTS = 4 };

/* The arguments of a type with parameters. */
typedef struct scope {
    const json_node *names;
    const mrd2_type *types[MOST_ARGUMENTS];
    int depth;
} scope;

static const mrd2_type primitives[] = {
    {.kind = MRD2_BYTES, .name = "bool", .size = 1},
    {.kind = MRD2_BYTES, .name = "int8", .size = 1},
    {.kind = MRD2_BYTES, .name = "uint8", .size = 1},
    {.kind = MRD2_WHOLE, .name = "uint16"},
    {.kind = MRD2_WHOLE, .name = "uint32"},
    {.kind = MRD2_WHOLE, .name = "uint64"},
    {.kind = MRD2_WHOLE, .name = "size"},
    {.kind = MRD2_SIGNED, .name = "int16"},
    {.kind = MRD2_SIGNED, .name = "int32"},
    {.kind = MRD2_SIGNED, .name = "int64"},
    {.kind = MRD2_SIGNED, .name = "date"},
    {.kind = MRD2_SIGNED, .name = "time"},
    {.kind = MRD2_SIGNED, .name = "datetime"},
    {.kind = MRD2_BYTES, .name = "float32", .size = 4},
    {.kind = MRD2_BYTES, .name = "float64", .size = 8},
    {.kind = MRD2_BYTES, .name = "complexfloat32", .size = 8},
    {.kind = MRD2_BYTES, .name = "complexfloat64", .size = 16},
    {.kind = MRD2_STRING, .name = "string"},
};

static argand_status make(const mrd2_type **made, mrd2_schema *s, json_node *node, const scope *in);

static argand_status unknown(const mrd2_schema *s, const char *what)
{
    return status_set(ARGAND_UNSUPPORTED,
                      "%s: its schema describes a type that Argand does not know (%.60s). Convert the file "
                      "with the tools of https://github.com/ismrmrd/mrd",
                      s->path, what);
}

static argand_status new_type(mrd2_type **type, mrd2_schema *s, mrd2_kind kind)
{
    if (s->type_count == MOST_TYPES) return unknown(s, "more than 8192 types");
    *type = &s->types[s->type_count++];
    **type = (mrd2_type){.kind = kind, .name = ""};
    return ARGAND_OK;
}

static argand_status new_parts(mrd2_part **parts, mrd2_schema *s, mrd2_type *type, const json_node *list)
{
    int count = 0;
    for (const json_node *n = list->child; n; n = n->next) count++;
    if (!count || count > MOST_PARTS - s->part_count) return unknown(s, "a record of no or too many fields");
    *parts = &s->parts[s->part_count];
    s->part_count += count;
    type->parts = *parts;
    type->part_count = count;
    return ARGAND_OK;
}

static argand_status make_record(const mrd2_type **made, mrd2_schema *s, json_node *body, const scope *in)
{
    mrd2_type *type = NULL;
    mrd2_part *part = NULL;
    const json_node *fields = json_member(body, "fields");
    TRY(new_type(&type, s, MRD2_RECORD));
    TRY(new_parts(&part, s, type, fields));
    *made = type;
    if (!in->names) body->known = type;
    for (const json_node *n = fields->child; n; n = n->next, part++) {
        json_node *of = json_member(n, "type");
        const json_node *name = json_member(n, "name");
        if (!of || !name) return unknown(s, "a field without name or type");
        part->name = name->chars;
        TRY(make(&part->type, s, of, in));
    }
    return ARGAND_OK;
}

static argand_status make_union(const mrd2_type **made, mrd2_schema *s, json_node *node, const scope *in)
{
    mrd2_type *type = NULL;
    mrd2_part *part = NULL;
    TRY(new_type(&type, s, MRD2_UNION));
    TRY(new_parts(&part, s, type, node));
    *made = type;
    for (json_node *n = node->child; n; n = n->next, part++) {
        json_node *of = json_member(n, "type");
        const json_node *tag = json_member(n, "tag");
        part->name = tag ? tag->chars : "";
        if (n->kind != JSON_NULL) TRY(make(&part->type, s, of ? of : n, in));
    }
    return ARGAND_OK;
}

/* Makes an enumeration, or a set of flags: both are numbers of their base. */
static argand_status make_enumeration(const mrd2_type **made, mrd2_schema *s, json_node *body,
                                      const scope *in)
{
    mrd2_type *type = NULL;
    const mrd2_type *base = NULL;
    json_node *named = json_member(body, "base");
    TRY(new_type(&type, s, MRD2_SIGNED));
    if (named) {
        TRY(make(&base, s, named, in));
        *type = *base;
    }
    type->symbols = json_member(body, "values");
    *made = body->known = type;
    return ARGAND_OK;
}

static argand_status make_named(const mrd2_type **made, mrd2_schema *s, json_node *body, const scope *in)
{
    json_node *alias = json_member(body, "type");
    *made = in->names ? NULL : body->known;
    if (*made) return ARGAND_OK;
    if (json_member(body, "fields")) return make_record(made, s, body, in);
    if (json_member(body, "values")) return make_enumeration(made, s, body, in);
    if (!alias) return unknown(s, "a name without a type");
    TRY(make(made, s, alias, in));
    if (!in->names) body->known = *made;
    return ARGAND_OK;
}

/* Returns a name without its namespace. */
static const char *plain_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static json_node *find_named(const mrd2_schema *s, const char *name)
{
    const json_node *types = json_member(s->root, "types");
    for (json_node *n = types ? types->child : NULL; n; n = n->next) {
        const json_node *own = json_member(n, "name");
        if (own && !strcmp(own->chars, plain_name(name))) return n;
    }
    return NULL;
}

static argand_status make_of_name(const mrd2_type **made, mrd2_schema *s, const char *name, const scope *in)
{
    int i = 0;
    for (const json_node *n = in->names ? in->names->child : NULL; n && i < MOST_ARGUMENTS; n = n->next, i++)
        if (!strcmp(n->chars, name) && in->types[i]) {
            *made = in->types[i];
            return ARGAND_OK;
        }
    for (size_t p = 0; p < sizeof primitives / sizeof *primitives; p++)
        if (!strcmp(primitives[p].name, name)) {
            *made = &primitives[p];
            return ARGAND_OK;
        }
    json_node *body = find_named(s, name);
    if (!body) return unknown(s, name);
    return make_named(made, s, body, &(scope){.depth = in->depth});
}

/* Makes a type with parameters for its arguments. */
static argand_status make_generic(const mrd2_type **made, mrd2_schema *s, json_node *node, const scope *in)
{
    const json_node *name = json_member(node, "name"), *arguments = json_member(node, "typeArguments");
    json_node *body = find_named(s, name->chars);
    scope inner = {.names = body ? json_member(body, "typeParameters") : NULL, .depth = in->depth};
    int i = 0;
    if (!inner.names || !arguments) return unknown(s, name->chars);
    for (json_node *n = arguments->child; n && i < MOST_ARGUMENTS; n = n->next)
        TRY(make(&inner.types[i++], s, n, in));
    return make_named(made, s, body, &inner);
}

static argand_status take_count(uint64_t *count, const mrd2_schema *s, const json_node *node)
{
    char *end;
    if (!node) return ARGAND_OK;
    *count = strtoull(node->chars, &end, 10);
    return *count && *count <= INT32_MAX ? ARGAND_OK : unknown(s, "a length of 0");
}

static argand_status make_array(mrd2_type *type, const mrd2_schema *s, const json_node *body)
{
    const json_node *dims = json_member(body, "dimensions");
    uint64_t rank = 0;
    type->rank = dims ? 0 : -1;
    if (dims && dims->kind != JSON_ARRAY) {
        TRY(take_count(&rank, s, dims));
        if (rank > MRD2_MOST_RANK) return unknown(s, "an array of more than 8 dimensions");
        type->rank = (int)rank;
        return ARGAND_OK;
    }
    for (const json_node *n = dims ? dims->child : NULL; n; n = n->next) {
        if (type->rank == MRD2_MOST_RANK) return unknown(s, "an array of more than 8 dimensions");
        TRY(take_count(&type->dims[type->rank++], s, json_member(n, "length")));
    }
    return type->rank ? ARGAND_OK : unknown(s, "an array of no dimensions");
}

static argand_status make_container(const mrd2_type **made, mrd2_schema *s, json_node *node, const scope *in)
{
    static const struct {
        const char *name;
        mrd2_kind kind;
    } kinds[] = {{"vector", MRD2_VECTOR}, {"array", MRD2_ARRAY}, {"map", MRD2_MAP}, {"stream", MRD2_STREAM}};
    mrd2_type *type = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const json_node *body = json_member(node, kinds[i].name);
        if (!body) continue;
        const bool is_map = kinds[i].kind == MRD2_MAP;
        json_node *item = json_member(body, is_map ? "values" : "items"),
                  *key = is_map ? json_member(body, "keys") : NULL;
        if (!item || (is_map && !key)) break;
        TRY(new_type(&type, s, kinds[i].kind));
        *made = type;
        TRY(make(&type->item, s, item, in));
        if (key) TRY(make(&type->key, s, key, in));
        if (type->kind == MRD2_VECTOR) TRY(take_count(&type->length, s, json_member(body, "length")));
        return type->kind == MRD2_ARRAY ? make_array(type, s, body) : ARGAND_OK;
    }
    return unknown(s, node->child ? node->child->name : "an empty object");
}

static argand_status make(const mrd2_type **made, mrd2_schema *s, json_node *node, const scope *in)
{
    scope deeper = *in;
    if (++deeper.depth > MRD2_DEEPEST || ++s->steps > MOST_STEPS)
        return unknown(s, "types that are nested too deep");
    if (node->kind == JSON_STRING) return make_of_name(made, s, node->chars, &deeper);
    if (node->kind == JSON_ARRAY) return make_union(made, s, node, &deeper);
    if (node->kind != JSON_OBJECT) return unknown(s, "a number for a type");
    return json_member(node, "name") ? make_generic(made, s, node, &deeper)
                                     : make_container(made, s, node, &deeper);
}

argand_status mrd2_type_of(const mrd2_type **type, mrd2_schema *schema, json_node *node)
{
    return make(type, schema, node, &(scope){0});
}

argand_status mrd2_schema_read(mrd2_schema *s, char *chars, size_t length)
{
    s->chars = chars;
    TRY(mrd2_parse_json(&s->root, chars, length, s->path));
    TRY(NEW(s->types, MOST_TYPES));
    return NEW(s->parts, MOST_PARTS);
}

void mrd2_schema_free(mrd2_schema *s)
{
    memory_free(s->chars);
    memory_free(s->root);
    memory_free(s->types);
    memory_free(s->parts);
}
