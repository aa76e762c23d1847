/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a .seq file apart: sections of lines of numbers, shapes, definitions. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/plain.h"
#include "io/pulseq/pulseq.h"

enum { MOST_BYTES = 512 << 20, MOST_LINE = 512 };

/* A position in the text. */
typedef struct lines {
    const char *at;
    char line[MOST_LINE]; /* without comment and spaces around */
    int64_t number;
} lines;

/* ---- lines */

/* Takes the next line; false at the end. A longer one is cut, and refused when its numbers are read. */
static bool next_line(lines *l)
{
    if (!*l->at) return false;
    const char *end = strchr(l->at, '\n');
    if (!end) end = l->at + strlen(l->at);
    const char *from = l->at, *stop = end;
    while (from < stop && strchr(" \t\r", *from)) from++;
    const char *comment = stop > from ? memchr(from, '#', (size_t)(stop - from)) : NULL;
    if (comment) stop = comment;
    while (stop > from && strchr(" \t\r", stop[-1])) stop--;
    const size_t length = stop - from < MOST_LINE - 1 ? (size_t)(stop - from) : MOST_LINE - 1;
    memcpy(l->line, from, length);
    l->line[length] = 0;
    l->at = *end ? end + 1 : end;
    l->number++;
    return true;
}

/* Takes the next line with contents of a section; false: the section ends. */
static bool next_of_section(lines *l)
{
    for (;;) {
        const lines before = *l;
        if (!next_line(l)) return false;
        if (l->line[0] == '[' || !strncmp(l->line, "extension ", 10)) {
            *l = before;
            return false;
        }
        if (l->line[0]) return true;
    }
}

/* ---- tables */

static argand_status take_row(pulseq_row *row, const pulseq_file *file, const lines *l)
{
    const char *at = l->line;
    *row = (pulseq_row){0};
    while (*at && row->count < PULSEQ_COLUMNS) {
        char *end;
        const double number = plain_number(at, &end);
        if (end == at) break;
        CHECK(isfinite(number), ARGAND_FORMAT, "%s: line %lld has a number that is not finite", file->path,
              (long long)l->number);
        row->v[row->count++] = number;
        at = end;
        while (*at == ' ' || *at == '\t') at++;
    }
    if (*at && !at[1]) row->use = *at++;
    CHECK(!*at && row->count, ARGAND_FORMAT, "%s: line %lld is \"%.60s\": numbers are expected", file->path,
          (long long)l->number, l->line);
    return ARGAND_OK;
}

static argand_status take_table(pulseq_table *table, const pulseq_file *file, lines *l, int columns)
{
    while (next_of_section(l)) {
        TRY(GROW(table->rows, table->count, table->reserved));
        pulseq_row *row = &table->rows[table->count];
        TRY(take_row(row, file, l));
        CHECK(row->count >= columns, ARGAND_FORMAT, "%s: line %lld has %d numbers; %d are expected",
              file->path, (long long)l->number, row->count, columns);
        table->count++;
    }
    return ARGAND_OK;
}

static int by_id(const void *a, const void *b)
{
    const pulseq_row *x = a, *y = b;
    return x->v[0] < y->v[0] ? -1 : x->v[0] > y->v[0];
}

static void sort(pulseq_table *table)
{
    if (table->count) qsort(table->rows, (size_t)table->count, sizeof *table->rows, by_id);
}

int64_t pulseq_find(const pulseq_table *table, double id)
{
    const pulseq_row key = {.v = {id}};
    const pulseq_row *found =
        table->count ? bsearch(&key, table->rows, (size_t)table->count, sizeof key, by_id) : NULL;
    return found ? found - table->rows : -1;
}

/* ---- shapes */

static argand_status take_values(double **values, int64_t *count, const pulseq_file *file, lines *l)
{
    int64_t reserved = 0;
    *count = 0;
    for (;;) {
        const lines before = *l;
        char *end;
        if (!next_of_section(l)) return ARGAND_OK;
        const double number = plain_number(l->line, &end);
        if (end == l->line) {
            *l = before;
            return ARGAND_OK;
        }
        CHECK(isfinite(number) && !*end, ARGAND_FORMAT, "%s: line %lld is no number of a shape", file->path,
              (long long)l->number);
        TRY(GROW(*values, *count, reserved));
        (*values)[(*count)++] = number;
    }
}

static argand_status take_named(double *number, const pulseq_file *file, lines *l, const char *name)
{
    const size_t length = strlen(name);
    char *end = l->line;
    if (!strncmp(l->line, name, length)) *number = plain_number(l->line + length, &end);
    CHECK(end > l->line + length && isfinite(*number), ARGAND_FORMAT,
          "%s: line %lld is \"%.60s\": %s is expected", file->path, (long long)l->number, l->line, name);
    return ARGAND_OK;
}

static argand_status take_shapes(pulseq_file *file, lines *l)
{
    while (next_of_section(l)) {
        double id = 0, samples = 0, *values = NULL;
        int64_t count = 0;
        TRY(take_named(&id, file, l, "shape_id"));
        CHECK(next_of_section(l), ARGAND_FORMAT, "%s: the shape %.0f has no samples", file->path, id);
        TRY(take_named(&samples, file, l, "num_samples"));
        argand_status status = take_values(&values, &count, file, l);
        if (status == ARGAND_OK && !(fabs(id) < 1e9 && samples >= 1 && samples < 1e9))
            status =
                status_set(ARGAND_FORMAT, "%s: the shape %.9g has %.9g samples", file->path, id, samples);
        if (status == ARGAND_OK)
            status = pulseq_add_shape(file, (int64_t)id, (int64_t)samples, values, count);
        memory_free(values);
        TRY(status);
    }
    return ARGAND_OK;
}

/* ---- labels */

/* Takes lines of an identifier, a value and a label. Labels that are no counters are left out. */
static argand_status take_labels(pulseq_table *table, const pulseq_file *file, lines *l)
{
    static const char *const names[PULSEQ_LABELS] = {"LIN", "PAR", "AVG", "SLC", "ECO",
                                                     "PHS", "REP", "SET", "SEG"};
    while (next_of_section(l)) {
        char *end, *after;
        const double id = plain_number(l->line, &end), value = plain_number(end, &after);
        CHECK(end > l->line && after > end && fabs(value) < 1e9, ARGAND_FORMAT,
              "%s: line %lld is \"%.60s\": an identifier, a value and a label are expected", file->path,
              (long long)l->number, l->line);
        after += strspn(after, " \t");
        for (int label = 0; label < PULSEQ_LABELS; label++) {
            if (strcmp(after, names[label]) != 0) continue;
            TRY(GROW(table->rows, table->count, table->reserved));
            table->rows[table->count++] = (pulseq_row){.v = {id, value, label}, .count = 3};
        }
    }
    return ARGAND_OK;
}

/* Takes a section of extensions: "extension NAME NUMBER". */
static argand_status take_extension(pulseq_file *file, lines *l)
{
    const struct {
        const char *name;
        double *type;
    } known[] = {{"ROTATIONS", &file->rotation_type},
                 {"LABELSET", &file->set_type},
                 {"LABELINC", &file->increased_type}};
    const char *name = l->line + strlen("extension ");
    int which = -1;
    name += strspn(name, " \t");
    for (int i = 0; i < 3; i++)
        if (!strncmp(name, known[i].name, strlen(known[i].name))) which = i;
    if (which >= 0) {
        char *end;
        const char *number = name + strlen(known[which].name);
        *known[which].type = plain_number(number, &end);
        CHECK(end > number && *known[which].type >= 1, ARGAND_FORMAT,
              "%s: line %lld is \"%.60s\": the "
              "extension's number is expected",
              file->path, (long long)l->number, l->line);
    }
    if (which == 0) return take_table(&file->rotations, file, l, 5);
    if (which > 0) return take_labels(which == 1 ? &file->set : &file->increased, file, l);
    while (next_of_section(l)) continue; /* triggers, soft delays, shims */
    return ARGAND_OK;
}

/* ---- sections */

/* Takes the field of view in m. A definition that is anything but three lengths is ignored. */
static void take_view(double view[3], const char *line)
{
    const double longest = 10;
    double sizes[3];
    char *end;
    for (int d = 0; d < 3; d++, line = end) {
        sizes[d] = plain_number(line, &end);
        if (end == line || !(sizes[d] > 0 && sizes[d] < longest)) return;
    }
    if (!*end) memcpy(view, sizes, sizeof sizes);
}

static argand_status take_definitions(pulseq_file *file, lines *l)
{
    const struct {
        const char *name;
        double *value;
    } known[] = {{"GradientRasterTime ", &file->gradient_raster},
                 {"RadiofrequencyRasterTime ", &file->pulse_raster},
                 {"BlockDurationRaster ", &file->block_raster}};
    while (next_of_section(l)) {
        if (!strncmp(l->line, "FOV ", 4)) take_view(file->field_of_view, l->line + 4);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strncmp(l->line, known[i].name, strlen(known[i].name)) != 0) continue;
            TRY(take_named(known[i].value, file, l, known[i].name));
            CHECK(*known[i].value > 1e-9 && *known[i].value < 1, ARGAND_FORMAT, "%s: %s is %.9g s",
                  file->path, known[i].name, *known[i].value);
        }
    }
    return ARGAND_OK;
}

static argand_status take_version(pulseq_file *file, lines *l)
{
    double major = 0, minor = 0;
    while (next_of_section(l)) {
        if (!strncmp(l->line, "major", 5)) TRY(take_named(&major, file, l, "major"));
        if (!strncmp(l->line, "minor", 5)) TRY(take_named(&minor, file, l, "minor"));
    }
    CHECK(major == 1 && minor >= 2 && minor <= 5 && minor == floor(minor), ARGAND_UNSUPPORTED,
          "%s: is of version %.9g.%.9g; 1.2 to 1.5 are read. Write it again with a current Pulseq",
          file->path, major, minor);
    file->major = 1;
    file->minor = (int)minor;
    return ARGAND_OK;
}

static argand_status take_section(pulseq_file *file, lines *l)
{
    const bool five = file->minor >= 5, early = file->minor < 4;
    CHECK(file->minor || !strcmp(l->line, "[VERSION]"), ARGAND_FORMAT,
          "%s: begins with %.40s; a Pulseq sequence begins with [VERSION]", file->path, l->line);
    if (!strcmp(l->line, "[VERSION]")) return take_version(file, l);
    if (!strcmp(l->line, "[DEFINITIONS]")) return take_definitions(file, l);
    if (!strcmp(l->line, "[BLOCKS]")) return take_table(&file->blocks, file, l, early ? 7 : 8);
    if (!strcmp(l->line, "[RF]")) return take_table(&file->pulses, file, l, five ? 11 : early ? 7 : 8);
    if (!strcmp(l->line, "[GRADIENTS]"))
        return take_table(&file->gradients, file, l, five ? 7 : early ? 3 : 5);
    if (!strcmp(l->line, "[TRAP]")) return take_table(&file->trapezoids, file, l, early ? 5 : 6);
    if (early && !strcmp(l->line, "[DELAYS]")) return take_table(&file->delays, file, l, 2);
    if (!strcmp(l->line, "[ADC]")) return take_table(&file->readouts, file, l, 4);
    if (!strcmp(l->line, "[SHAPES]")) return take_shapes(file, l);
    if (!strcmp(l->line, "[EXTENSIONS]")) return take_table(&file->extensions, file, l, 4);
    if (!strncmp(l->line, "extension ", 10)) return take_extension(file, l);
    while (next_of_section(l)) continue; /* signature */
    return ARGAND_OK;
}

static argand_status take_sections(pulseq_file *file)
{
    lines l = {.at = file->chars};
    while (next_line(&l))
        if (l.line[0]) TRY(take_section(file, &l));
    CHECK(file->blocks.count, ARGAND_FORMAT, "%s: has no [BLOCKS]: it is no Pulseq sequence, or cut off",
          file->path);
    sort(&file->pulses);
    sort(&file->gradients);
    sort(&file->trapezoids);
    sort(&file->readouts);
    sort(&file->extensions);
    sort(&file->rotations);
    sort(&file->set);
    sort(&file->increased);
    sort(&file->delays);
    return ARGAND_OK;
}

/* ---- the file */

static argand_status read_open(pulseq_file *file, int descriptor)
{
    struct stat found;
    CHECK(!fstat(descriptor, &found) && S_ISREG(found.st_mode), ARGAND_FILE, "%s: is not a file", file->path);
    CHECK(found.st_size <= MOST_BYTES, ARGAND_UNSUPPORTED, "%s: has %.6g MB; at most %d MB are read",
          file->path, (double)found.st_size / 1e6, MOST_BYTES >> 20);
    TRY(memory_new(&file->chars, (size_t)found.st_size + 1, 1));
    for (size_t done = 0; done < (size_t)found.st_size;) {
        const ssize_t got = pread(descriptor, file->chars + done, (size_t)found.st_size - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        CHECK(got > 0, ARGAND_FILE, "%s: cannot be read: %s", file->path,
              got ? strerror(errno) : "it was shortened");
        done += (size_t)got;
    }
    return take_sections(file);
}

argand_status pulseq_read_text(pulseq_file *file)
{
    const int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    CHECK(descriptor >= 0, ARGAND_FILE, "%s: cannot be read: %s", file->path, strerror(errno));
    const argand_status status = read_open(file, descriptor);
    close(descriptor);
    return status;
}
