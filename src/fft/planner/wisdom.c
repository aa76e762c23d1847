/* SPDX-License-Identifier: BSD-3-Clause */
/* Wisdom in memory: keys of problems, look-up, parsing and printing. */
#include "fft/planner/wisdom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "fft/access/access.h"

#define HEADER "argand wisdom 1"
enum { FIELDS = 4 };

/* ---- problems as text ---- */

static void add_axes(text *key, const char *word, const argand_axis *axes, int count)
{
    if (count) text_add(key, " %s", word);
    for (int i = 0; i < count; i++)
        text_add(key, " %lld:%lld:%lld", (long long)axes[i].n, (long long)axes[i].in_stride,
                 (long long)axes[i].out_stride);
}

void wisdom_key(text *key, const fft_problem *p)
{
    static const char *const types[] = {
        [ARGAND_R32] = "r32", [ARGAND_R64] = "r64", [ARGAND_C32] = "c32", [ARGAND_C64] = "c64"};
    fft_geometry contiguous;
    problem_contiguous(&contiguous, p, ARGAND_FORWARD);
    text_add(key, "%s ", types[p->type]);
    for (int axis = 0; axis < p->rank; axis++)
        text_add(key, "%s%lld", axis ? "x" : "", (long long)p->n[axis]);
    if (p->batch > 1) text_add(key, " batch %lld", (long long)p->batch);
    /* with accessors, centring is a window that shifts */
    if (p->centred && !p->access) text_add(key, " centred");
    if (p->scrambled_signal) text_add(key, " any-signal");
    if (p->scrambled_spectrum) text_add(key, " any-spectrum");
    if (p->axes_given && !geometry_is(&p->geometry, &contiguous)) {
        add_axes(key, "axes", p->geometry.axes, p->geometry.rank);
        add_axes(key, "loops", p->geometry.loop, p->geometry.loops);
    }
    if (p->access) access_key(key, p);
}

/* ---- entries ---- */

static int compare(const wisdom_entry *e, const char *device, const char *problem)
{
    const int order = strcmp(e->device, device);
    return order ? order : strcmp(e->problem, problem);
}

/* Returns the position of the first entry that is not smaller. */
static int place_of(const wisdom *w, const char *device, const char *problem)
{
    int low = 0, high = w->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (compare(&w->list[middle], device, problem) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const wisdom_entry *wisdom_find(const wisdom *w, const char *device, const char *problem)
{
    const int at = place_of(w, device, problem);
    return at < w->count && !compare(&w->list[at], device, problem) ? &w->list[at] : NULL;
}

/* Finds the batch in a problem's text. Returns the start of its *length characters. */
static const char *batch_text(const char *problem, size_t *length, double *batch)
{
    static const char word[] = " batch ";
    const char *at = strstr(problem, word);
    *batch = 1;
    *length = 0;
    if (!at) { /* position for a batch: after type and lengths */
        const size_t type = strcspn(problem, " ");
        return problem + type + (problem[type] ? 1 + strcspn(problem + type + 1, " ") : 0);
    }
    const char *digits = at + sizeof word - 1;
    *length = sizeof word - 1 + strspn(digits, "0123456789");
    *batch = 0;
    for (const char *c = digits; *c >= '0' && *c <= '9'; c++) *batch = 10 * *batch + (*c - '0');
    return at;
}

const wisdom_entry *wisdom_find_near(const wisdom *w, const char *device, const char *problem)
{
    const wisdom_entry *nearest = NULL;
    double batch, other, least = log(16) + 1e-9;
    size_t length, other_length;
    const char *at = batch_text(problem, &length, &batch);
    for (int i = place_of(w, device, ""); i < w->count && !strcmp(w->list[i].device, device); i++) {
        const char *theirs = w->list[i].problem, *forward = batch_text(theirs, &other_length, &other);
        if (forward - theirs != at - problem || strncmp(theirs, problem, (size_t)(at - problem)) ||
            strcmp(forward + other_length, at + length))
            continue;
        if ((other > 1) != (batch > 1)) continue;
        const double distance = fabs(log(other / batch));
        if (!(distance < least) && !(nearest && distance == least && other < batch)) continue;
        nearest = &w->list[i];
        least = distance;
    }
    return nearest;
}

static argand_status copy_entry(wisdom_entry *copy, const wisdom_entry *e)
{
    const char *const fields[FIELDS] = {e->device, e->problem, e->engine, e->variant};
    char **const places[FIELDS] = {&copy->device, &copy->problem, &copy->engine, &copy->variant};
    size_t bytes = 0;
    char *chars;
    for (int i = 0; i < FIELDS; i++) bytes += strlen(fields[i]) + 1;
    TRY(memory_take(&chars, bytes));
    *copy = *e;
    for (int i = 0; i < FIELDS; i++) {
        *places[i] = strcpy(chars, fields[i]);
        chars += strlen(fields[i]) + 1;
    }
    return ARGAND_OK;
}

static argand_status reserve(wisdom *w)
{
    CHECK(w->count < w->capacity || w->count < WISDOM_MOST, ARGAND_MEMORY,
          "wisdom has %d entries; no more are kept", w->count);
    return GROW(w->list, w->count, w->capacity);
}

argand_status wisdom_put(wisdom *w, const wisdom_entry *entry)
{
    const int at = place_of(w, entry->device, entry->problem);
    const bool found = at < w->count && !compare(&w->list[at], entry->device, entry->problem);
    wisdom_entry copy;
    if (found && w->list[at].source > entry->source) return ARGAND_OK;
    if (!found) TRY(reserve(w));
    TRY(copy_entry(&copy, entry));
    if (found) {
        memory_free(w->list[at].device);
    } else {
        memmove(&w->list[at + 1], &w->list[at], (size_t)(w->count - at) * sizeof *w->list);
        w->count++;
    }
    w->list[at] = copy;
    return ARGAND_OK;
}

/* Appends an entry without keeping the order. */
static argand_status append(wisdom *w, const wisdom_entry *entry)
{
    TRY(reserve(w));
    TRY(copy_entry(&w->list[w->count], entry));
    w->count++;
    return ARGAND_OK;
}

void wisdom_release(wisdom *w)
{
    for (int i = 0; i < w->count; i++) memory_free(w->list[i].device);
    memory_free(w->list);
    *w = (wisdom){0};
}

/* ---- the text ---- */

void wisdom_print(text *t, const wisdom *w)
{
    const char *device = "";
    text_add(t, HEADER "\n");
    for (int i = 0; i < w->count; i++) {
        const wisdom_entry *e = &w->list[i];
        if (strcmp(device, e->device)) text_add(t, "device\t%s\n", e->device);
        device = e->device;
        /* integers print the same in every locale; 0 would be refused on reading */
        const long long picoseconds = llround(1e12 * fmax(fmin(e->seconds, 1e6), 1e-12));
        text_add(t, "%s\t%s\t%s\t%lld.%03llde-9\n", e->problem, e->engine, e->variant, picoseconds / 1000,
                 picoseconds % 1000);
    }
}

/* Splits a line at its tabs. Returns the number of fields, FIELDS + 1 if there are more. */
static int cut(char *line, char *fields[FIELDS])
{
    int count = 0;
    for (char *at = line; at; count++) {
        char *tab = strchr(at, '\t');
        if (count == FIELDS) return FIELDS + 1;
        fields[count] = at;
        if (tab) *tab = 0;
        at = tab ? tab + 1 : NULL;
    }
    return count;
}

/* Reads a number with a decimal point, whatever the locale. */
static bool read_seconds(const char *word, double *seconds)
{
    double value = 0, place = 0;
    int exponent = 0;
    const char *at = word;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && place == 0); at++) {
        if (*at == '.') {
            place = 1;
        } else {
            value = 10 * value + (*at - '0');
            place *= 10;
        }
    }
    if (at > word && *at == 'e') {
        char *end;
        exponent = (int)strtol(at + 1, &end, 10);
        at = end == at + 1 ? word : end;
    }
    *seconds = value / (place > 0 ? place : 1) * pow(10, exponent);
    return at > word && !*at && isfinite(*seconds) && *seconds > 0;
}

typedef struct parser {
    wisdom fresh; /* entries in the text's order */
    wisdom_source source;
    wisdom_care care;
    int number; /* of the line */
    wisdom_left_out left_out;
    char device[160];
} parser;

static bool is_sound(const parser *p, const wisdom_entry *entry, text *why)
{
    return p->care == WISDOM_WHOLE || (wisdom_has_problem(entry->problem, why) &&
                                       (p->care == WISDOM_SOUND || wisdom_has_engine(entry, why)));
}

/* Adds an entry, or counts it among those left out. */
static argand_status take_entry(parser *p, const wisdom_entry *entry)
{
    text why = {0};
    const bool sound = is_sound(p, entry, &why);
    argand_status status = why.status;
    if (status == ARGAND_OK && sound) status = append(&p->fresh, entry);
    if (!sound && !p->left_out.count++)
        snprintf(p->left_out.first, sizeof p->left_out.first, "line %d: %s", p->number, text_chars(&why));
    text_free(&why);
    return status;
}

/* Reads one line; sets *sense to false if it is invalid. */
static argand_status take_line(parser *p, char *line, bool *sense)
{
    char *fields[FIELDS] = {0};
    double seconds;
    *sense = true;
    if (!*line || *line == '#') return ARGAND_OK;
    const int count = cut(line, fields);
    if (count == 2 && !strcmp(fields[0], "device") && *fields[1] && strlen(fields[1]) < sizeof p->device) {
        strcpy(p->device, fields[1]);
        return ARGAND_OK;
    }
    *sense = count == FIELDS && p->device[0] && *fields[0] && *fields[1] && read_seconds(fields[3], &seconds);
    if (!*sense) return ARGAND_OK;
    return take_entry(p, &(wisdom_entry){.device = p->device,
                                         .problem = fields[0],
                                         .engine = fields[1],
                                         .variant = fields[2],
                                         .seconds = seconds,
                                         .source = p->source});
}

/* Takes one line from the text, without its line end; returns false at the end of the text. A last line
 * without line end is dropped, because it may be cut off. */
static bool next_line(const char **at, char **line, argand_status *status)
{
    const char *end = strchr(*at, '\n');
    memory_free(*line);
    *line = NULL;
    if (!end) return false;
    const size_t length = (size_t)(end - *at);
    *status = memory_take(line, length + 1);
    if (*status != ARGAND_OK) return false;
    memcpy(*line, *at, length);
    (*line)[length] = 0;
    if (length && (*line)[length - 1] == '\r') (*line)[length - 1] = 0;
    *at = end + 1;
    return true;
}

argand_status wisdom_parse(wisdom *w, const char *chars, wisdom_source source, wisdom_care care,
                           wisdom_left_out *left_out)
{
    parser p = {.source = source, .care = care};
    const bool strict = care == WISDOM_STRICT;
    char *line = NULL;
    argand_status status = ARGAND_OK;
    for (p.number = 1; next_line(&chars, &line, &status); p.number++) {
        bool sense = !strcmp(line, HEADER);
        if (p.number > 1) TRY_OR_DONE(take_line(&p, line, &sense));
        CHECK_OR_DONE(p.number > 1 || sense, ARGAND_FORMAT,
                      "wisdom begins with the line \"" HEADER "\", not \"%.40s\"", line);
        CHECK_OR_DONE(sense || !strict, ARGAND_FORMAT,
                      "line %d of wisdom makes no sense; it should be PROBLEM, ENGINE, VARIANT and SECONDS "
                      "with tabs between, "
                      "below a line \"device<TAB>NAME\"",
                      p.number);
    }
    TRY_OR_DONE(status);
    CHECK_OR_DONE(!strict || !*chars, ARGAND_FORMAT, "wisdom ends in the middle of its last line");
    if (left_out) *left_out = p.left_out;
    status = wisdom_merge(w, &p.fresh);
done:
    wisdom_release(&p.fresh);
    memory_free(line);
    return status;
}
