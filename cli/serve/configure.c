/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes options from a client: JSON in a text message, {"parameters": {"iterations": 10, ...}}, as OpenRecon
 * and python-ismrmrd-server's client send it. Only options of the reconstruction and --whole are taken, and
 * none that names a file. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_flat.h"
#include "serve/serve.h"

enum { MOST_OPTIONS = 16, MOST_TEXT = 256 };

/* The options that a client may set. tools/openrecon.py offers them. */
static int client_options(option *table, serve_settings *all)
{
    sense_settings *s = &all->sense;
    const option options[] = {
        int_option("iterations", 0, &s->iterations, "N", 0, 100000, NULL),
        text_option("regularize", 0, &s->regularize, "LIST", NULL),
        choice_option("transform", 0, (int *)&s->session.transform, "NAME", choices_of(CHOICE_TRANSFORMS),
                      NULL),
        choice_option("solver", 0, (int *)&s->session.solver, "NAME", choices_of(CHOICE_SOLVERS), NULL),
        choice_option("coils", 0, (int *)&s->session.coils, "NAME", choices_of(CHOICE_COILS), NULL),
        int_option("compress", 0, &s->session.compress, "N", 0, 1024, NULL),
        choice_option("density", 0, (int *)&s->session.density, "NAME", choices_of(CHOICE_DENSITIES), NULL),
        double_option("partial-fourier", 0, &s->session.partial_fourier, "W", 0, 1e6, NULL),
        sizes_option("matrix", 0, &s->matrix, "N[xN[xN]]", NULL),
        text_option("image-fov", 0, &s->image_fov, "MM[xMM[xMM]]", NULL),
        choice_option("epi", 0, &s->epi, "NAME", "auto|off|ramps|ghosts", NULL),
        set_option("part", 0, &s->output.parts, "A[,B...]", "magnitude|phase|real|imaginary|complex", NULL),
        flag_option("precondition", 0, &s->session.precondition, NULL),
        flag_option("joint", 0, &s->session.joint, NULL),
        flag_option("whole", 0, &all->whole, NULL),
    };
    _Static_assert(sizeof options <= MOST_OPTIONS * sizeof *options, "the table is too small");
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Compares names without their dashes, which OpenRecon does not allow, and without regard to case. */
static bool same_name(const char *name, const char *given)
{
    for (;; name++, given++) {
        while (*name == '-') name++;
        while (*given == '-') given++;
        if (tolower((unsigned char)*name) != tolower((unsigned char)*given)) return false;
        if (!*name) return true;
    }
}

/* Options that frames (--window) have no use for: they have one model and one solver. */
static bool is_of_scans(const char *name)
{
    static const char *const names[] = {"transform",    "solver", "coils", "density", "partial-fourier",
                                        "precondition", "epi",    "joint", "whole"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

typedef struct reading {
    option options[MOST_OPTIONS];
    int count;
    bool makes_frames;
    char taken[600], unused[600], unknown[600];
    char wrong[200]; /* the name and value that an option refused */
} reading;

static void add_word(char *to, size_t size, const char *name, const char *value)
{
    char word[160], shown[100];
    visible_text(shown, sizeof shown, value);
    snprintf(word, sizeof word, "%s%.50s%s%.90s", *to ? ", " : "", name, *shown ? " " : "", shown);
    if (strlen(to) + strlen(word) < size) strcat(to, word);
}

/* Sets an option by the parser of command lines. An empty text is a field that was not filled in. */
static bool set(const reading *r, const option *o, const char *value)
{
    static char given[MOST_OPTIONS][MOST_TEXT]; /* settings point to these; a process has one connection */
    char *word = given[o - r->options], *argv[] = {(char[]){"parameters"}, word};
    int exit_code;
    command_line line = {
        .usage = "{\"parameters\": {\"name\": value, ...}}", .options = o, .option_count = 1};
    if (!*value || !strcmp(value, "null")) return true;
    if (o->kind == OPTION_FLAG) {
        *(bool *)o->value = !strcmp(value, "true");
        return *(bool *)o->value || !strcmp(value, "false");
    }
    if (snprintf(word, MOST_TEXT, "--%s=%s", o->name, value) >= MOST_TEXT) return false;
    return command_parse(&line, 2, argv, &exit_code);
}

static bool visit(void *context, const char *group, const char *name, const char *value)
{
    reading *r = context;
    char shown[JSON_NAME + 1];
    if (strcmp(group, "parameters")) return true;
    for (int i = 0; i < r->count; i++) {
        const option *o = &r->options[i];
        if (!same_name(o->name, name)) continue;
        if (!set(r, o, value)) add_word(r->wrong, sizeof r->wrong, o->name, value);
        if (*value)
            add_word(r->makes_frames && is_of_scans(o->name) ? r->unused : r->taken, sizeof r->taken, o->name,
                     value);
        return !*r->wrong;
    }
    visible_text(shown, sizeof shown, name);
    add_word(r->unknown, sizeof r->unknown, shown, "");
    return true;
}

argand_status serve_configure(serve_settings *s, const char *client, const char *text, report *out)
{
    reading r = {0};
    if (text[strspn(text, " \t\r\n")] != '{') return ARGAND_OK;
    r.count = client_options(r.options, s);
    r.makes_frames = s->window > 0;
    const bool whole = json_walk(text, visit, &r);
    if (*r.wrong)
        return report_error(ARGAND_ARGUMENT,
                            "%s: the parameter %s is not one that argand serve --help allows", client,
                            r.wrong);
    if (!whole) return report_error(ARGAND_FORMAT, "%s: sent parameters that are no JSON", client);
    if (r.makes_frames && s->sense.regularize && *s->sense.regularize)
        return report_error(
            ARGAND_UNSUPPORTED,
            "%s: sets regularize %s, but frames (--window) take no penalty: leave regularize out", client,
            s->sense.regularize);
    if (*r.unused) report_note(out, "%s: sets %s, which frames (--window) do not use.", client, r.unused);
    if (*r.taken) report_note(out, "%s: sets %s.", client, r.taken);
    if (*r.unknown)
        report_note(out, "%s: sent parameters that argand serve does not know, and ignores: %s.", client,
                    r.unknown);
    return sense_read_texts(&s->sense)
               ? ARGAND_OK
               : report_error(ARGAND_ARGUMENT, "%s: sent a wrong value: %s", client, argand_message());
}
