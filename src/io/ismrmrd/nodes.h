/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of the XML header and their contents. They are found by local names, so that files without the
 * namespace can be read. */
#ifndef IO_ISMRMRD_NODES_H
#define IO_ISMRMRD_NODES_H

#include <libxml/tree.h>
#include "io/ismrmrd/scan.h"

enum { NODE_LARGEST_DOCUMENT = 16 << 20 };

/* Parses a header into a tree without blanks between elements; free it with xmlFreeDoc. Refuses document
 * types, whose entities can fill any memory, and roots other than <ismrmrdHeader>. path: name for
 * messages. */
argand_status node_document(xmlDoc **document, const char *path, const text *header);

/* Returns node or its next sibling of this name; NULL: none. */
const xmlNode *node_named(const xmlNode *node, const char *name);
const xmlNode *node_child(const xmlNode *node, const char *name);
int node_count(const xmlNode *parent, const char *name); /* number of children of this name */

/* Copies the text of an element without surrounding spaces, cut to the buffer; "" if there is none. */
void node_text(char *string, size_t capacity, const xmlNode *node);
/* Copies the whole text of an element into new memory. */
argand_status node_copy_text(char **string, const xmlNode *node);
/* Leave *value unchanged if the element is missing or empty. */
argand_status node_number(double *value, const scan_reader *reader, const xmlNode *parent, const char *name);
/* reads an integer from low to high */
argand_status node_whole(int64_t *value, const scan_reader *reader, const xmlNode *parent, const char *name,
                         int low, int high);

enum { NODE_SYSTEM = 130 };
/* Copies vendor and model of acquisitionSystemInformation (NULL: none). */
void node_system(char content[NODE_SYSTEM], const xmlNode *system);

/* Read parts of the header that have files of their own. */
argand_status scan_read_limits(argand_encoding *encoding, const scan_reader *reader, const xmlNode *limits);
argand_status scan_read_parallel(argand_encoding *encoding, scan_reader *reader,
                                 const xmlNode *encoding_node);
argand_status scan_read_parameters(scan_reader *reader, const xmlNode *user);
void scan_read_readout(argand_readout *readout, const xmlNode *description);

#endif
