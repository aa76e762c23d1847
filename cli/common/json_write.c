/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/json_write.h"
#include "common/json_flat.h"

#include <stdlib.h>
#include <string.h>

argand_status json_begin(json_writer *j)
{
    *j = (json_writer){0};
    j->to = open_memstream(&j->text, &j->size);
    if (!j->to) return report_error(ARGAND_MEMORY, "out of memory");
    json_open(j, NULL);
    return ARGAND_OK;
}

argand_status json_finish(json_writer *j)
{
    json_close(j);
    fputc('\n', j->to);
    const bool written = !ferror(j->to), closed = !fclose(j->to);
    return written && closed ? ARGAND_OK : report_error(ARGAND_MEMORY, "out of memory");
}

argand_status json_end(json_writer *j, const char *path)
{
    argand_status status = json_finish(j);
    if (status == ARGAND_OK) status = argand_bytes_write(path, j->text, j->size);
    free(j->text);
    return status;
}

void json_key(json_writer *j, const char *name)
{
    fprintf(j->to, "%s\n%*s", j->first ? "" : ",", 2 * j->depth, "");
    json_put_string(j, name);
    fputs(": ", j->to);
    j->first = false;
}

void json_put_string(json_writer *j, const char *text)
{
    char quoted[9000];
    fputs(json_string(quoted, sizeof quoted, text), j->to);
}

void json_text(json_writer *j, const char *name, const char *text)
{
    if (!text || !*text) return;
    json_key(j, name);
    json_put_string(j, text);
}

void json_number(json_writer *j, const char *name, double value)
{
    if (!(value * value > 0) || value - value != 0) return;
    json_key(j, name);
    fprintf(j->to, "%.7g", value);
}

void json_sizes(json_writer *j, const char *name, int rank, const int64_t *n)
{
    json_key(j, name);
    for (int i = 0; i < rank; i++) fprintf(j->to, "%s%lld", i ? ", " : "[", (long long)n[i]);
    fputs(rank ? "]" : "[]", j->to);
}

void json_lines(json_writer *j, const char *lines, bool *first)
{
    while (*lines) {
        char line[JSON_VALUE];
        const size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        if (length) {
            fprintf(j->to, "%s\n%*s", *first ? "" : ",", 2 * (j->depth + 1), "");
            json_put_string(j, line);
            *first = false;
        }
        lines += length + (lines[length] == '\n');
    }
}

void json_list(json_writer *j, const char *name, int count, const char *const *texts)
{
    json_key(j, name);
    fputc('[', j->to);
    for (int i = 0; i < count; i++) {
        if (i) fputs(", ", j->to);
        json_put_string(j, texts[i]);
    }
    fputc(']', j->to);
}

void json_open(json_writer *j, const char *name)
{
    if (name) json_key(j, name);
    fputc('{', j->to);
    j->first = true;
    j->depth++;
}

void json_close(json_writer *j)
{
    j->depth--;
    fprintf(j->to, "\n%*s}", 2 * j->depth, "");
    j->first = false;
}
