/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses command lines by a table of options: long and short names, typed values with limits. Help comes
 * from the same table. */
#include "common/help.h"
#include "common/path.h"
#include "common/report.h"
#include "common/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool complain(const command_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool complain(const command_line *line, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report_misuse("", "%s", message);
    fprintf(stderr, "usage: %s\n(--help explains)\n", line->usage);
    return false;
}

static const option *find_long(const command_line *line, const char *name, size_t length)
{
    for (int i = 0; i < line->option_count; i++)
        if (length && strlen(line->options[i].name) == length &&
            !strncmp(line->options[i].name, name, length))
            return &line->options[i];
    return NULL;
}

static const option *find_letter(const command_line *line, char letter)
{
    for (int i = 0; i < line->option_count; i++)
        if (letter && line->options[i].letter == letter) return &line->options[i];
    return NULL;
}

static bool read_number(const command_line *line, const option *o, const char *text)
{
    char *end;
    errno = 0;
    const double number = strtod(text, &end);
    const bool whole = o->kind == OPTION_INT;
    if (end == text || *end || errno || number != number || (whole && number != floor(number)))
        return complain(line, "--%s %s: give a %snumber", o->name, text, whole ? "whole " : "");
    if (o->low < o->high && !(number >= o->low && number <= o->high))
        return complain(line, "--%s %s: give a number from %g to %g", o->name, text, o->low, o->high);
    if (whole && !(fabs(number) <= INT_MAX))
        return complain(line, "--%s %s: give a whole number of at most %d", o->name, text, INT_MAX);
    if (whole)
        *(int *)o->value = (int)number;
    else
        *(double *)o->value = number;
    return true;
}

/* Returns the index of the choice that equals the first `size` characters; -1: none. */
static int choice_of(const option *o, const char *word, size_t size)
{
    const char *at = o->choices;
    for (int index = 0; *at; index++) {
        const size_t length = strcspn(at, "|");
        if (size == length && !strncmp(at, word, length)) return index;
        at += length + (at[length] == '|');
    }
    return -1;
}

static const char *near_choice(const option *o, const char *text)
{
    suggestion s = suggest_for(text, (int)strlen(text));
    for (const char *at = o->choices; *at; at += strspn(at, "|")) {
        const int length = (int)strcspn(at, "|");
        suggest_try(&s, at, length);
        at += length;
    }
    return suggest_text(&s, "");
}

static bool read_choice(const command_line *line, const option *o, const char *text)
{
    const int index = choice_of(o, text, strlen(text));
    if (index >= 0) return *(int *)o->value = index, true;
    return complain(line, "--%s %s: give one of %s%s", o->name, text, o->choices, near_choice(o, text));
}

static bool read_set(const command_line *line, const option *o, const char *text)
{
    int bits = 0;
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ",");
        const int index = choice_of(o, at, length);
        if (index < 0 || (at[length] && !at[length + 1])) {
            bits = 0;
            break;
        }
        bits |= 1 << index;
        at += length + (at[length] == ',');
    }
    if (!bits)
        return complain(line, "--%s %s: give one or more of %s, with commas between them%s", o->name, text,
                        o->choices, near_choice(o, text));
    *(int *)o->value = bits;
    return true;
}

static bool read_sizes(const command_line *line, const option *o, const char *text)
{
    option_sizes sizes = {0};
    const char *at = text;
    while (sizes.rank < 3) {
        char *end;
        const long long n = strtoll(at, &end, 10);
        if (end == at || n < 1 || n > 1 << 30) break;
        sizes.n[sizes.rank++] = n;
        at = end;
        if (*at != 'x') break;
        at++;
    }
    if (*at || !sizes.rank || at[-1] == 'x')
        return complain(line, "--%s %s: give sizes of at least 1 like 128, 128x96 or 64x64x16", o->name,
                        text);
    *(option_sizes *)o->value = sizes;
    return true;
}

static bool read_value(const command_line *line, const option *o, const char *text)
{
    switch (o->kind) {
    case OPTION_GROUP:
        return false;
    case OPTION_FLAG:
        *(bool *)o->value = true;
        return true;
    case OPTION_TEXT:
        *(const char **)o->value = text;
        return true;
    case OPTION_CHOICE:
        return read_choice(line, o, text);
    case OPTION_SET:
        return read_set(line, o, text);
    case OPTION_SIZES:
        return read_sizes(line, o, text);
    case OPTION_INT:
    case OPTION_DOUBLE:
        return read_number(line, o, text);
    }
    return false;
}

/* Returns the next argument as the value and moves *i to it; NULL if there is none. */
static const char *next_value(const option *o, int argc, char **argv, int *i)
{
    const char *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    if (o->otherwise && !(next && o->ending && has_ending(next, o->ending))) return o->otherwise;
    if (next) ++*i;
    return next;
}

/* Suggests the nearest option for --name or --name=value that does not exist. */
static const char *near_option(const command_line *line, const char *word)
{
    if (word[1] != '-') return "";
    suggestion s = suggest_for(word + 2, (int)strcspn(word + 2, "="));
    for (int i = 0; i < line->option_count; i++)
        suggest_try(&s, line->options[i].name, (int)strlen(line->options[i].name));
    return suggest_text(&s, "--");
}

/* Parses the option at argv[*i] and moves *i past its value. */
static bool take_option(const command_line *line, int argc, char **argv, int *i)
{
    const char *word = argv[*i];
    const option *o;
    const char *value = NULL;
    if (word[1] == '-') {
        const size_t length = strcspn(word + 2, "=");
        o = find_long(line, word + 2, length);
        if (word[2 + length]) value = word + 2 + length + 1;
    } else {
        o = find_letter(line, word[1]);
        if (word[1] && word[2]) value = word + 2;
    }
    if (!o) return complain(line, "%s is not an option of this command%s", word, near_option(line, word));
    if (o->kind == OPTION_FLAG && value) return complain(line, "%s: --%s takes no value", word, o->name);
    if (o->kind != OPTION_FLAG && !value) {
        value = next_value(o, argc, argv, i);
        if (!value) return complain(line, "--%s needs a value: %s", o->name, o->argument ? o->argument : "");
    }
    return read_value(line, o, value);
}

static help_form wants_help(int argc, char **argv)
{
    help_form form = HELP_NONE;
    for (int i = 1; i < argc && !form; i++) form = help_form_of(argv[i]);
    return form;
}

/* Stores an argument that is not an option. Returns false if there are too many. */
static bool take_positional(command_line *line, const char *value)
{
    const int n = line->positional_count;
    const int files = (int)(sizeof line->files / sizeof *line->files);
    const bool has_files = line->files[0] != NULL;
    if (has_files ? n == files || !line->files[n] : n >= line->positional_most) return false;
    *(has_files ? line->files[n] : &line->positional[n]) = value;
    line->positional_count++;
    return true;
}

bool command_parse(command_line *line, int argc, char **argv, int *exit_code)
{
    *exit_code = 0;
    const help_form form = wants_help(argc, argv);
    if (form) {
        help_print(line, form);
        return false;
    }
    *exit_code = ARGAND_ARGUMENT;
    bool options_over = false;
    for (int i = 1; i < argc; i++) {
        if (!options_over && !strcmp(argv[i], "--")) {
            options_over = true;
        } else if (!options_over && argv[i][0] == '-' && argv[i][1]) {
            if (!take_option(line, argc, argv, &i)) return false;
        } else if (!take_positional(line, argv[i])) {
            return complain(line, "\"%s\" is one argument too many", argv[i]);
        }
    }
    if (line->positional_count < line->positional_least) return complain(line, "an argument is missing");
    *exit_code = 0;
    return true;
}

/* Returns the device's name in lower case: "CPU" and "Cuda:0" are accepted. */
static const char *device_name(const common_options *common, const char *otherwise)
{
    static _Thread_local char name[256]; /* ranks that are threads open a device each */
    if (!common->device) return otherwise;
    snprintf(name, sizeof name, "%s", common->device);
    for (char *c = name; *c; c++) *c = (char)tolower((unsigned char)*c);
    return name;
}

argand_status common_open_host(const common_options *common, argand_device **device)
{
    argand_device_info info;
    argand_status status = argand_device_open(device, device_name(common, "cpu"));
    if (status == ARGAND_OK) status = argand_device_set_threads(*device, common->threads);
    if (status == ARGAND_OK) status = argand_device_describe(*device, &info);
    if (status == ARGAND_OK && !info.host_addressable)
        status = report_error(ARGAND_UNSUPPORTED, "this command computes on the CPU: leave out --device %s",
                              common->device);
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_device_close(*device);
    *device = NULL;
    return status;
}

argand_status common_open(const common_options *common, argand_device **device)
{
    argand_status status = argand_device_open(device, device_name(common, NULL));
    if (status == ARGAND_OK) status = argand_device_set_threads(*device, common->threads);
    return status;
}
