/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of the XML header and what they say. Found by their local names, so that files without the
 * format's namespace are read too. */
#ifndef IO_ISMRMRD_NODES_H
#define IO_ISMRMRD_NODES_H

#include <libxml/tree.h>
#include "io/ismrmrd/scan.h"

enum { NODE_LARGEST_DOCUMENT = 16 << 20 };

/* The tree of a header without blanks between elements, to be freed by xmlFreeDoc. Refused: document types,
 * whose entities can fill any memory, and what is not <ismrmrdHeader>. `path` is what messages name. */
argand_status node_document(xmlDoc **document, const char *path, const text *header);

/* node itself or its next sibling with this name; NULL if there is none */
const xmlNode *node_named(const xmlNode *node, const char *name);
const xmlNode *node_child(const xmlNode *node, const char *name);
int node_count(const xmlNode *parent, const char *name); /* of such children */

/* The text in an element, without spaces around them; "" if there is none. Cut where they are longer than
 * the buffer. */
void node_text(char *string, size_t capacity, const xmlNode *node);
/* The same in memory of their own, whole. */
argand_status node_copy_text(char **string, const xmlNode *node);
/* These leave *value alone where the element is absent or empty. */
argand_status node_number(double *value, const scan_reader *reader, const xmlNode *parent, const char *name);
/* a whole number from low to high */
argand_status node_whole(int64_t *value, const scan_reader *reader, const xmlNode *parent, const char *name,
                         int low, int high);

enum { NODE_SYSTEM = 130 };
/* Vendor and model, of acquisitionSystemInformation or NULL. */
void node_system(char content[NODE_SYSTEM], const xmlNode *system);

/* Parts of the header with files of their own. */
argand_status scan_read_limits(argand_encoding *encoding, const scan_reader *reader, const xmlNode *limits);
argand_status scan_read_parallel(argand_encoding *encoding, scan_reader *reader,
                                 const xmlNode *encoding_node);
argand_status scan_read_parameters(scan_reader *reader, const xmlNode *user);

#endif
