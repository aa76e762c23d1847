/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the table of options as text for terminals, as a manual page, as a list for completion, and as JSON:
 * functions of other languages are made from that, so that they cannot differ from the tool. */
#include "common/help.h"
#include "common/print.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LEFT = 31, NARROWEST = 60, WIDEST = 110 }; /* columns */

help_form help_form_of(const char *argument)
{
    if (!strcmp(argument, "--help") || !strcmp(argument, "-h")) return HELP_TEXT;
    if (!strcmp(argument, "--help=man")) return HELP_MAN;
    if (!strcmp(argument, "--help=json")) return HELP_JSON;
    return strcmp(argument, "--help=options") ? HELP_NONE : HELP_OPTIONS;
}

/* Appends the default of an option: " (auto)", or its choices and the default among them. */
static void add_default(char *to, size_t size, const option *o)
{
    const size_t used = strlen(to);
    to += used;
    size -= used;
    const bool bounded = o->low < o->high;
    if (o->kind == OPTION_INT && !(bounded && *(int *)o->value < o->low))
        snprintf(to, size, " (%d)", *(int *)o->value);
    if (o->kind == OPTION_DOUBLE && *(double *)o->value != 0)
        snprintf(to, size, " (%g)", *(double *)o->value);
    if (o->kind == OPTION_TEXT && *(const char **)o->value && !o->otherwise)
        snprintf(to, size, " (%s)", *(const char **)o->value);
    if (o->kind == OPTION_SET) snprintf(to, size, ": %s", o->choices);
    if (o->kind == OPTION_CHOICE) {
        const char *at = o->choices;
        for (int skip = *(int *)o->value; skip > 0; skip--) at += strcspn(at, "|") + 1;
        snprintf(to, size, ": %s (%.*s)", o->choices, (int)strcspn(at, "|"), at);
    }
}

static void explain(char *to, size_t size, const option *o)
{
    snprintf(to, size, "%s", o->help);
    add_default(to, size, o);
}

/* Returns the columns of the terminal; 0 if standard output is not a terminal, in which case lines are not
 * broken. */
static int columns(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO)) return 0;
    const int found = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col > 0 ? size.ws_col : 80;
    return found < NARROWEST ? NARROWEST : found > WIDEST ? WIDEST : found;
}

/* Prints a text after LEFT columns, with lines broken between words. */
static void print_wrapped(const char *text, int width)
{
    int at = LEFT;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (width && at > LEFT && at + 1 + length > width) {
            printf("\n%*s", LEFT, "");
            at = LEFT;
        }
        at += printf("%s%.*s", at > LEFT ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    printf("\n");
}

/* Returns the indent of the lines that continue a line: the second column of a list, otherwise the first
 * word. */
static int hang_of(const char *line, int length)
{
    int hang = (int)strspn(line, " ");
    for (int i = hang; i + 2 < length && i < LEFT; i++)
        if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ') hang = i + 2;
    return hang;
}

/* Prints a paragraph of one or more lines within the width. */
static const char *print_paragraph(const char *text, int width)
{
    int length = (int)strcspn(text, "\n"), at = (int)strspn(text, " ");
    const int hang = hang_of(text, length);
    const bool flows = at == 0;
    printf("%*s", at, "");
    for (int i = at, space = 0;; i++) {
        const int word = i < length ? (int)strcspn(text + i, " \n") : 0;
        if (i >= length) {
            const char *next = text + length + (text[length] == '\n');
            if (!flows || !*next || *next == ' ' || *next == '\n' || !length) return printf("\n"), next;
            length = (int)(next - text) + (int)strcspn(next, "\n");
            space = 1;
            continue;
        }
        if (!word) {
            space++;
            continue;
        }
        const bool breaks = at > hang && at + space + word > width;
        at = breaks ? hang + word : at + space + word;
        if (breaks)
            printf("\n%*s%.*s", hang, "", word, text + i);
        else
            printf("%*s%.*s", space, "", word, text + i);
        i += word - 1;
        space = 0;
    }
}

/* Prints the description of a command; unchanged if lines are not broken. */
static void print_description(const char *text, int width)
{
    if (!width)
        printf("%s\n", text);
    else
        while (*text) text = print_paragraph(text, width);
}

static void print_text_option(const option *o, int width)
{
    char left[64], right[2048];
    const char short_name[5] = {'-', o->letter, ',', ' ', 0};
    snprintf(left, sizeof left, "%s--%s%s%s", o->letter ? short_name : "", o->name, o->argument ? " " : "",
             o->argument ? o->argument : "");
    explain(right, sizeof right, o);
    printf("  %-28s ", left);
    print_wrapped(right, width);
}

static void print_text_form(const command_line *line)
{
    const int width = columns();
    printf("usage: %s\n\n", line->usage);
    print_description(line->description, width);
    printf("\noptions:\n");
    for (int i = 0; i < line->option_count; i++) {
        const option *o = &line->options[i];
        if (o->kind == OPTION_GROUP)
            printf("%s%s:\n", i ? "\n" : "", o->help);
        else
            print_text_option(o, width);
    }
    printf("  %-28s this text\n", "-h, --help");
    if (line->examples) printf("\nexamples:\n%s", line->examples);
}

/* ---- a manual page (man(7)) ---- */

void help_roff(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool begins = i == 0 || text[i - 1] == '\n';
        if (begins && (text[i] == '.' || text[i] == '\'')) printf("\\&");
        if (text[i] == '-' || text[i] == '\\') printf("\\");
        putchar(text[i] == '\\' ? 'e' : text[i]);
    }
}

static void roff(const char *text)
{
    help_roff(text, strlen(text));
}

/* Writes the name of a manual page, "argand-calibrate-coils": the beginning of the usage in lower case.
 * Returns its length. */
static int page_name(char name[64], const char *usage)
{
    size_t used = 0;
    const char *at = usage;
    while (*at && used < 60 && !isupper((unsigned char)*at) && *at != '[' && *at != '<') {
        name[used++] = *at == ' ' ? '-' : *at;
        at++;
    }
    while (used && name[used - 1] == '-') used--;
    name[used] = 0;
    return (int)used;
}

/* Returns true if the first sentence ends at `text`: at a mark before a space (".npy" has none), a
 * bracket, or the lines of a list. */
static bool ends_sentence(const char *text)
{
    if (!*text) return true;
    if (*text == ' ' && text[1] == '(') return true;
    const bool before_space = text[1] == ' ' || text[1] == '\n' || !text[1];
    return (strchr(".:;", *text) && before_space) || (*text == '\n' && text[1] == ' ');
}

/* Prints the line of a command in the list of commands; for parts of a command, the first sentence of the
 * description. */
static void print_summary(const char *page, const char *text)
{
    const char *name = strchr(page, '-');
    const command *c = name ? command_find(name + 1) : NULL;
    if (c) roff(c->summary);
    for (; !c && !ends_sentence(text); text++) help_roff(*text == '\n' ? " " : text, 1);
    printf("\n");
}

static void print_roff_option(const option *o)
{
    char right[2048];
    if (o->kind == OPTION_GROUP) {
        printf(".SS ");
        roff(o->help);
        printf("\n");
        return;
    }
    printf(".TP\n");
    if (o->letter) printf("\\fB\\-%c\\fR, ", o->letter);
    printf("\\fB\\-\\-");
    roff(o->name);
    printf("\\fR");
    if (o->argument) {
        printf(" \\fI");
        roff(o->argument);
        printf("\\fR");
    }
    printf("\n");
    explain(right, sizeof right, o);
    roff(right);
    printf("\n");
}

static void print_man_form(const command_line *line)
{
    char name[64];
    page_name(name, line->usage);
    printf(".TH \"");
    roff(name);
    printf("\" 1 \"\" \"argand %s\" \"Argand\"\n.SH NAME\n", argand_version());
    roff(name);
    printf(" \\- ");
    print_summary(name, line->description);
    printf(".SH SYNOPSIS\n");
    roff(line->usage);
    printf("\n.SH DESCRIPTION\n.nf\n");
    roff(line->description);
    printf("\n.fi\n.SH OPTIONS\n");
    for (int i = 0; i < line->option_count; i++) print_roff_option(&line->options[i]);
    printf(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nthe options as text\n");
    if (line->examples) {
        printf(".SH EXAMPLES\n.nf\n");
        roff(line->examples);
        printf(".fi\n");
    }
    printf(".SH SEE ALSO\n\\fBargand\\fR(1)\n");
}

/* Prints a line for each name: the name, its argument, its choices, separated by tabs. */
static void print_options_form(const command_line *line)
{
    for (int i = 0; i < line->option_count; i++) {
        const option *o = &line->options[i];
        const char *argument = o->argument ? o->argument : "", *choices = o->choices ? o->choices : "";
        if (o->kind == OPTION_GROUP) continue;
        printf("--%s\t%s\t%s\n", o->name, argument, choices);
        if (o->letter) printf("-%c\t%s\t%s\n", o->letter, argument, choices);
    }
    printf("--help\t\t\n-h\t\t\n");
}

/* ---- JSON ---- */

enum { TEXT_MOST = 8192 }; /* bytes of a description */

static const char *const kinds[] = {
    [OPTION_FLAG] = "flag",     [OPTION_INT] = "int", [OPTION_DOUBLE] = "double", [OPTION_TEXT] = "text",
    [OPTION_CHOICE] = "choice", [OPTION_SET] = "set", [OPTION_SIZES] = "sizes",   [OPTION_GROUP] = "group"};

/* Prints ,"name":"text"; null if there is no text. */
static void put_text(const char *name, const char *text)
{
    static char quoted[6 * TEXT_MOST + 3];
    printf(",\"%s\":%s", name, text ? json_string(quoted, sizeof quoted, text) : "null");
}

/* Prints a number; null if it is infinite. */
static void put_number(const char *name, double value)
{
    if (isfinite(value))
        printf(",\"%s\":%.17g", name, value);
    else
        printf(",\"%s\":null", name);
}

/* Prints the choices, a list divided by '|', as a list of texts. */
static void put_choices(const char *at)
{
    printf(",\"choices\":[");
    for (bool first = true; *at; first = false) {
        const int length = (int)strcspn(at, "|");
        printf("%s\"%.*s\"", first ? "" : ",", length, at);
        at += length + (at[length] == '|');
    }
    printf("]");
}

/* Prints the value that the option has if it is not given; null if it then depends on something else. */
static void put_default(const option *o)
{
    const bool bounded = o->low < o->high;
    const char *choice = o->choices;
    switch (o->kind) {
    case OPTION_FLAG:
        printf(",\"default\":%s", *(bool *)o->value ? "true" : "false");
        return;
    case OPTION_INT:
        put_number("default", bounded && *(int *)o->value < o->low ? (double)NAN : (double)*(int *)o->value);
        return;
    case OPTION_DOUBLE:
        put_number("default", *(double *)o->value);
        return;
    case OPTION_TEXT:
        put_text("default", *(const char **)o->value);
        return;
    case OPTION_CHOICE:
        for (int skip = *(int *)o->value; skip > 0; skip--) choice += strcspn(choice, "|") + 1;
        printf(",\"default\":\"%.*s\"", (int)strcspn(choice, "|"), choice);
        return;
    default:
        printf(",\"default\":null");
    }
}

static void put_option(const option *o, const char *group)
{
    const char letter[2] = {o->letter, 0};
    printf("{\"name\":\"%s\",\"kind\":\"%s\"", o->name, kinds[o->kind]);
    put_text("group", group);
    put_text("letter", o->letter ? letter : NULL);
    put_text("argument", o->argument);
    put_text("help", o->help);
    put_default(o);
    if (o->low < o->high) {
        put_number("low", o->low);
        put_number("high", o->high);
    }
    if (o->choices) put_choices(o->choices);
    if (o->otherwise) put_text("otherwise", o->otherwise);
    printf("}");
}

static void print_json_form(const command_line *line)
{
    const char *group = NULL;
    int files = 0, options = 0;
    while (files < (int)(sizeof line->files / sizeof *line->files) && line->files[files]) files++;
    printf("{\"least\":%d,\"most\":%d", line->positional_least, files ? files : line->positional_most);
    put_text("usage", line->usage);
    put_text("description", line->description);
    put_text("examples", line->examples);
    printf(",\"options\":[");
    for (int i = 0; i < line->option_count; i++) {
        const option *o = &line->options[i];
        if (o->kind == OPTION_GROUP) {
            group = o->help;
            continue;
        }
        if (options++) printf(",");
        put_option(o, group);
    }
    printf("]}\n");
}

void help_print(const command_line *line, help_form form)
{
    if (form == HELP_TEXT) print_text_form(line);
    if (form == HELP_MAN) print_man_form(line);
    if (form == HELP_OPTIONS) print_options_form(line);
    if (form == HELP_JSON) print_json_form(line);
}
