/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what the header of a scan says beyond argand_scan when the scan is written again. The new header
 * takes over elements of the old one, in the order of the schema (ismrmrd.xsd), which the rules have as
 * well. */
#include "io/ismrmrd/nodes.h"
#include "io/ismrmrd/write.h"

#include <string.h>
#include "base/plain.h"

typedef enum keeping {
    OURS,  /* the scan's value, or nothing */
    KEPT,  /* the old elements, if the scan has no value */
    EQUAL, /* all old elements, if the first equals the scan's number; the scan has no field for more */
    INSIDE /* decided for each child */
} keeping;

static const struct rule {
    const char *parent, *child;
    keeping keeping;
} rules[] = {
    {"ismrmrdHeader", "version", KEPT},
    {"ismrmrdHeader", "subjectInformation", KEPT},
    {"ismrmrdHeader", "studyInformation", KEPT},
    {"ismrmrdHeader", "measurementInformation", INSIDE},
    {"ismrmrdHeader", "acquisitionSystemInformation", INSIDE},
    {"ismrmrdHeader", "experimentalConditions", INSIDE},
    {"ismrmrdHeader", "encoding", INSIDE},
    {"ismrmrdHeader", "sequenceParameters", INSIDE},
    {"ismrmrdHeader", "userParameters", OURS},
    {"ismrmrdHeader", "waveformInformation", KEPT},
    {"measurementInformation", "measurementID", KEPT},
    {"measurementInformation", "seriesDate", KEPT},
    {"measurementInformation", "seriesTime", KEPT},
    {"measurementInformation", "patientPosition", OURS},
    {"measurementInformation", "relativeTablePosition", KEPT},
    {"measurementInformation", "initialSeriesNumber", KEPT},
    {"measurementInformation", "protocolName", KEPT},
    {"acquisitionSystemInformation", "systemVendor", KEPT},
    {"acquisitionSystemInformation", "systemModel", KEPT},
    {"acquisitionSystemInformation", "systemFieldStrength_T", OURS},
    {"acquisitionSystemInformation", "relativeReceiverNoiseBandwidth", OURS},
    {"acquisitionSystemInformation", "receiverChannels", OURS},
    {"experimentalConditions", "H1resonanceFrequency_Hz", KEPT},
    {"encoding", "encodedSpace", OURS},
    {"encoding", "reconSpace", OURS},
    {"encoding", "encodingLimits", INSIDE},
    {"encoding", "trajectory", OURS},
    {"encoding", "trajectoryDescription", INSIDE},
    {"encoding", "parallelImaging", INSIDE},
    {"encoding", "multiband", OURS},
    {"encodingLimits", "kspace_encoding_step_0", KEPT},
    {"encodingLimits", "kspace_encoding_step_1", OURS},
    {"encodingLimits", "kspace_encoding_step_2", OURS},
    {"encodingLimits", "average", OURS},
    {"encodingLimits", "slice", OURS},
    {"encodingLimits", "contrast", OURS},
    {"encodingLimits", "phase", OURS},
    {"encodingLimits", "repetition", OURS},
    {"encodingLimits", "set", OURS},
    {"encodingLimits", "segment", OURS},
    {"trajectoryDescription", "identifier", OURS},
    {"trajectoryDescription", "userParameterLong", KEPT},
    {"trajectoryDescription", "userParameterDouble", KEPT},
    {"trajectoryDescription", "userParameterString", KEPT},
    {"trajectoryDescription", "comment", OURS},
    {"parallelImaging", "accelerationFactor", OURS},
    {"parallelImaging", "calibrationMode", OURS},
    {"parallelImaging", "interleavingDimension", KEPT},
    {"parallelImaging", "multiband", OURS},
    {"sequenceParameters", "TR", EQUAL},
    {"sequenceParameters", "TE", OURS},
    {"sequenceParameters", "TI", EQUAL},
    {"sequenceParameters", "flipAngle_deg", EQUAL},
    {"sequenceParameters", "sequence_type", KEPT},
    {"sequenceParameters", "echo_spacing", EQUAL},
};
enum { RULES = sizeof rules / sizeof *rules };

static xmlNode *child_of(const xmlNode *parent, const char *name)
{
    return (xmlNode *)node_child(parent, name);
}

static xmlNode *next_of(const xmlNode *node, const char *name)
{
    return (xmlNode *)node_named(node->next, name);
}

static void drop(xmlNode *parent, const char *name)
{
    for (xmlNode *n = child_of(parent, name), *next; n; n = next) {
        next = next_of(n, name);
        xmlUnlinkNode(n);
        xmlFreeNode(n);
    }
}

/* Adds the namespace of the format to elements of files that lack it. */
static void give_namespace(xmlNode *node, xmlNs *space)
{
    if (node->type != XML_ELEMENT_NODE) return;
    if (!node->ns) node->ns = space;
    for (xmlNode *n = node->children; n; n = n->next) give_namespace(n, space);
}

/* Moves a node to the end of an element of another tree. */
static void move(xmlNode *to, xmlNode *node)
{
    xmlUnlinkNode(node);
    give_namespace(node, to->ns);
    xmlAddChild(to, node);
    xmlReconciliateNs(to->doc, node);
}

static void move_all(xmlNode *to, xmlNode *from, const char *name)
{
    for (xmlNode *n = child_of(from, name), *next; n; n = next) {
        next = next_of(n, name);
        move(to, n);
    }
}

/* Moves existing elements of this name behind those that are already in place. */
static void to_the_end(xmlNode *parent, const char *name)
{
    xmlNode *n = child_of(parent, name);
    for (int left = node_count(parent, name); left > 0; left--) {
        xmlNode *next = next_of(n, name);
        xmlUnlinkNode(n);
        xmlAddChild(parent, n);
        n = next;
    }
}

/* Returns true if two numbers are equal; one may be in a unit 1000 times smaller. */
static bool same_number(const xmlNode *a, const xmlNode *b)
{
    char one[64], other[64];
    node_text(one, sizeof one, a);
    node_text(other, sizeof other, b);
    return a && b && plain_number(one, NULL) * 1e-3 == plain_number(other, NULL) * 1e-3;
}

static bool is_known(const char *parent, const xmlNode *child)
{
    for (int i = 0; i < RULES; i++)
        if (!strcmp(rules[i].parent, parent) && !strcmp(rules[i].child, (const char *)child->name))
            return true;
    return false;
}

static void merge(xmlNode *made, xmlNode *old);

/* Merges elements pairwise in order; if their numbers differ, keeps the scan's alone. */
static void merge_inside(xmlNode *made, xmlNode *old, const char *name)
{
    if (!child_of(made, name) && child_of(old, name)) {
        xmlNode *empty = xmlNewChild(made, made->ns, (const xmlChar *)name, NULL);
        if (empty) merge(empty, child_of(old, name));
        if (empty && !empty->children) drop(made, name);
        return;
    }
    to_the_end(made, name);
    if (node_count(made, name) != node_count(old, name)) return;
    for (xmlNode *m = child_of(made, name), *o = child_of(old, name); m && o;
         m = next_of(m, name), o = next_of(o, name))
        merge(m, o);
}

static void follow(const struct rule *rule, xmlNode *made, xmlNode *old)
{
    const char *name = rule->child;
    if (rule->keeping == INSIDE) {
        merge_inside(made, old, name);
        return;
    }
    const bool equal = rule->keeping == EQUAL && same_number(child_of(made, name), child_of(old, name));
    if (equal) drop(made, name);
    if (equal || (rule->keeping == KEPT && !child_of(made, name)))
        move_all(made, old, name);
    else
        to_the_end(made, name);
}

/* Merges all elements. Elements without a rule follow the others. */
static void merge(xmlNode *made, xmlNode *old)
{
    char parent[64];
    snprintf(parent, sizeof parent, "%s", (const char *)made->name);
    for (int i = 0; i < RULES; i++)
        if (!strcmp(rules[i].parent, parent)) follow(&rules[i], made, old);
    for (xmlNode *n = old->children, *next; n; n = next) {
        next = n->next;
        if (n->type == XML_ELEMENT_NODE && !is_known(parent, n)) move(made, n);
    }
}

/* Drops what the old header says of a machine that is no longer the scan's. Values that the scan holds in
 * shortened or computed form are replaced by the old ones. */
static void compare_systems(xmlNode *made, xmlNode *old, const argand_scan *scan)
{
    char content[NODE_SYSTEM];
    xmlNode *ours = child_of(made, "acquisitionSystemInformation"),
            *theirs = child_of(old, "acquisitionSystemInformation");
    node_system(content, theirs);
    const bool same_system = !strcmp(content, scan->system ? scan->system : "");
    drop(same_system ? ours : theirs, "systemVendor");
    if (!same_system) drop(theirs, "systemModel");
    if (!same_number(child_of(ours, "receiverChannels"), child_of(theirs, "receiverChannels")))
        drop(theirs, "coilLabel");
    const bool same_field =
        same_number(child_of(ours, "systemFieldStrength_T"), child_of(theirs, "systemFieldStrength_T"));
    xmlNode *conditions = child_of(old, "experimentalConditions");
    if (!same_field)
        drop(conditions, "H1resonanceFrequency_Hz");
    else if (child_of(conditions, "H1resonanceFrequency_Hz"))
        drop(child_of(made, "experimentalConditions"), "H1resonanceFrequency_Hz");
}

static argand_status print_tree(text *xml, xmlDoc *document)
{
    xmlChar *chars = NULL;
    int count = 0;
    xmlDocDumpFormatMemoryEnc(document, &chars, &count, "UTF-8", 1);
    CHECK(chars, ARGAND_MEMORY, "no memory for the header");
    text_free(xml);
    text_add_bytes(xml, (const char *)chars, (size_t)count);
    xmlFree(chars);
    return xml->status;
}

argand_status scan_header_keep(text *xml, const argand_scan *scan)
{
    xmlDoc *made = NULL, *old = NULL;
    text given = {0};
    argand_status status;
    if (!scan->header || !*scan->header) return ARGAND_OK;
    text_add(&given, "%s", scan->header);
    TRY_OR_DONE(given.status);
    TRY_OR_DONE(node_document(&old, "argand_scan.header (NULL where there is none)", &given));
    TRY_OR_DONE(node_document(&made, "the header that was made", xml));
    compare_systems(xmlDocGetRootElement(made), xmlDocGetRootElement(old), scan);
    merge(xmlDocGetRootElement(made), xmlDocGetRootElement(old));
    status = print_tree(xml, made);
done:
    xmlFreeDoc(made);
    xmlFreeDoc(old);
    text_free(&given);
    return status;
}
