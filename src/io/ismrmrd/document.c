/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the text of a header into a tree. */
#include "io/ismrmrd/nodes.h"

#include <libxml/parser.h>
#include <string.h>

static argand_status bad_xml(const char *path, xmlParserCtxt *context)
{
    const xmlError *error = xmlCtxtGetLastError(context);
    char reason[160] = "it ends too early";
    if (error && error->message) strncpy(reason, error->message, sizeof reason - 1);
    reason[strcspn(reason, "\r\n")] = 0;
    return status_set(ARGAND_FORMAT, "%s: the header is not well-formed XML: line %d: %s", path,
                      error ? error->line : 1, reason);
}

/* Refuses a document type before any of its entities is stored. */
static void refuse_type(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    xmlParserCtxt *context = data;
    *(bool *)context->_private = true;
    xmlStopParser(context);
}

static argand_status parse(xmlDoc **document, const char *path, const text *header, xmlParserCtxt *context)
{
    bool has_type = false;
    context->_private = &has_type;
    context->sax->internalSubset = refuse_type;
    /* without a dictionary of names, so that elements can move between trees */
    const int options =
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOBLANKS | XML_PARSE_NODICT;
    *document = xmlCtxtReadMemory(context, text_chars(header), (int)header->length, NULL, NULL, options);
    CHECK(!has_type, ARGAND_FORMAT,
          "%s: the header has a document type (<!DOCTYPE), which no ISMRMRD header needs and whose entities "
          "can fill any memory. Remove it",
          path);
    return *document ? ARGAND_OK : bad_xml(path, context);
}

static argand_status check_root(const xmlDoc *document, const char *path)
{
    const xmlNode *root = xmlDocGetRootElement(document);
    CHECK(root && !strcmp((const char *)root->name, "ismrmrdHeader"), ARGAND_FORMAT,
          "%s: header: the XML is <%s>, not <ismrmrdHeader>", path, root ? (const char *)root->name : "");
    return ARGAND_OK;
}

argand_status node_document(xmlDoc **document, const char *path, const text *header)
{
    *document = NULL;
    CHECK(header->length <= NODE_LARGEST_DOCUMENT, ARGAND_FORMAT, "%s: a header of %.6g MB makes no sense",
          path, (double)header->length / 1e6);
    xmlParserCtxt *context = xmlNewParserCtxt();
    CHECK(context && context->sax, ARGAND_MEMORY, "no memory to parse the header of %s", path);
    argand_status status = parse(document, path, header, context);
    xmlFreeParserCtxt(context);
    if (status == ARGAND_OK) status = check_root(*document, path);
    if (status == ARGAND_OK) return status;
    xmlFreeDoc(*document);
    *document = NULL;
    return status;
}
