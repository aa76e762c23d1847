/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds elements of an ISMRMRD header's XML, and reads their numbers and texts. */
#include "io/ismrmrd/nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/plain.h"

static const char spaces[] = " \t\r\n";

const xmlNode *node_named(const xmlNode *node, const char *name)
{
    while (node && (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, name) != 0))
        node = node->next;
    return node;
}

const xmlNode *node_child(const xmlNode *node, const char *name)
{
    return node ? node_named(node->children, name) : NULL;
}

int node_count(const xmlNode *parent, const char *name)
{
    int count = 0;
    for (const xmlNode *n = node_child(parent, name); n; n = node_named(n->next, name)) count++;
    return count;
}

/* Returns the length of a text without surrounding spaces. */
static size_t trimmed(const char **from)
{
    *from += strspn(*from, spaces);
    size_t length = strlen(*from);
    while (length && strchr(spaces, (*from)[length - 1])) length--;
    return length;
}

void node_text(char *string, size_t capacity, const xmlNode *node)
{
    string[0] = 0;
    if (!node) return;
    xmlChar *content = xmlNodeGetContent(node);
    if (!content) return;
    const char *from = (const char *)content;
    size_t length = trimmed(&from);
    if (length >= capacity) length = capacity - 1;
    memcpy(string, from, length);
    string[length] = 0;
    xmlFree(content);
}

argand_status node_copy_text(char **string, const xmlNode *node)
{
    xmlChar *content = node ? xmlNodeGetContent(node) : NULL;
    const char *from = content ? (const char *)content : "";
    const size_t length = trimmed(&from);
    const argand_status status = NEW(*string, length + 1);
    if (status == ARGAND_OK) memcpy(*string, from, length);
    xmlFree(content);
    return status;
}

argand_status node_number(double *value, const scan_reader *reader, const xmlNode *parent, const char *name)
{
    char content[64], *end;
    node_text(content, sizeof content, node_child(parent, name));
    if (!*content) return ARGAND_OK;
    const double number = plain_number(content, &end);
    CHECK(!*end && isfinite(number), ARGAND_FORMAT,
          "%s: header: %s/%s is \"%s\", not a number. Correct the header", reader->path,
          (const char *)parent->name, name, content);
    *value = number;
    return ARGAND_OK;
}

argand_status node_whole(int64_t *value, const scan_reader *reader, const xmlNode *parent, const char *name,
                         int low, int high)
{
    double number = (double)*value;
    TRY(node_number(&number, reader, parent, name));
    CHECK(number >= low && number <= high && number == floor(number), ARGAND_FORMAT,
          "%s: header: %s/%s is %.9g; it must be a whole number from %d to %d. Correct the header",
          reader->path, (const char *)parent->name, name, number, low, high);
    *value = (int64_t)number;
    return ARGAND_OK;
}

void node_system(char content[NODE_SYSTEM], const xmlNode *system)
{
    char vendor[64], model[64];
    node_text(vendor, sizeof vendor, node_child(system, "systemVendor"));
    node_text(model, sizeof model, node_child(system, "systemModel"));
    snprintf(content, NODE_SYSTEM, "%s%s%s", vendor, *vendor && *model ? " " : "", model);
}
