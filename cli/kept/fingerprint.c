/* SPDX-License-Identifier: BSD-3-Clause */
/* What must be equal for volumes to belong to one reconstruction, as text, a line each: the program, the
 * scan, the command, every option that changes images. The text itself is kept and not a hash of it, so that
 * a refusal can say what differs. */
#include "kept/kept.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/origin.h"

argand_status kept_label(char **label, const output_run *run, const argand_scan *scan, const char *options)
{
    size_t size;
    FILE *to = open_memstream(label, &size);
    if (!to) return report_error(ARGAND_MEMORY, "out of memory");
    fprintf(to, "version=%s %s\nscan=%016" PRIx64 "\ncommand=%s\n%s", argand_version(), origin_commit(),
            kept_scan_hash(scan), run->command, options ? options : "");
    return fclose(to) ? report_error(ARGAND_MEMORY, "out of memory") : ARGAND_OK;
}

/* Finds the line NAME=VALUE of a name that ends at its first '='. */
static const char *value_of(const char *text, const char *name, int length)
{
    while (*text) {
        if (!strncmp(text, name, (size_t)length) && text[length] == '=') return text + length + 1;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return NULL;
}

static bool same_value(const char *a, const char *b)
{
    return a && b && strcspn(a, "\n") == strcspn(b, "\n") && !strncmp(a, b, strcspn(a, "\n"));
}

/* Prints a value; what is not set has none, and of a file only a part of its sum is of use. */
static size_t print_place(char *text, size_t size, const char *value, const char *side)
{
    const int length = value ? (int)strcspn(value, "\n") : 0;
    const bool file = value && !strncmp(value, "sha256:", 7);
    const int used = length ? snprintf(text, size, "%.*s%s %s", length > 60 ? (file ? 15 : 60) : length,
                                       value, length > 60 ? "..." : "", side)
                            : snprintf(text, size, "not given %s", side);
    return used < 0 ? 0 : (size_t)used;
}

void kept_difference(char *text, size_t size, const char *here, const char *there)
{
    size_t used = 0;
    text[0] = 0;
    for (const char *line = here; *line && used + 200 < size; line += *line == '\n') {
        const int name = (int)strcspn(line, "="), length = (int)strcspn(line, "\n");
        const char *mine = line + name + 1, *other = value_of(there, line, name);
        line += length;
        if (name >= length || same_value(mine, other)) continue;
        const char *what = mine - name - 1;
        if (!strncmp(what, "scan=", 5)) {
            used += (size_t)snprintf(text + used, size - used, "%sit is another scan", used ? "; " : "");
            continue;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%.*s is ", used ? "; " : "", name, what);
        used += print_place(text + used, size - used, other, "there and ");
        used += print_place(text + used, size - used, mine, "here");
    }
    if (!used) snprintf(text, size, "it has other options");
}
